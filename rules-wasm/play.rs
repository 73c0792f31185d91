/// A line of play, and the rules that need its history.
#[path = "../src/play/line.rs"]
pub mod line;
/// Questions and answers.
#[path = "../src/play/query.rs"]
pub mod query;
