/// Played moves, and the rules that need the history of a game.
#[path = "../src/play/line.rs"]
pub mod line;
/// Position queries and their answers.
#[path = "../src/play/query.rs"]
pub mod query;
