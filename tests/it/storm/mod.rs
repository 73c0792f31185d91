//! All that a stranger can throw at the server at once, and two who play on meanwhile. The bench of
//! the same name and the tests have it in common.

pub mod broken;
pub mod client;
pub mod floods;
