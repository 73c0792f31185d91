//! Hostile clients: malformed frames and floods, and two guests who play meanwhile. Shared by the
//! tests and `benches/latency_under_load.rs`.

pub mod client;
pub mod floods;
pub mod malformed;
