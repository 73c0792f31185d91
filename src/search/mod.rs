//! Engine: a search over any [`Rules`](crate::rules::Rules), with levels of strength.
//!
//! The module is independent of variants, which supply their heuristics ([`Heuristics`]), and of clocks
//! and threads: the caller supplies a callback that stops the search.

mod alpha_beta;
mod best_move;
mod game_history;
mod heuristics;
mod level;
mod mcts;
mod search_result;
mod transposition_table;

pub use best_move::find_best_move;
pub use heuristics::{Heuristics, Method, PlayoutPolicy};
pub use level::{LEVELS, Level, ab_levels};
pub use search_result::{
    POINTS_MAX, PrincipalVariation, Score, SearchParams, SearchResult, Strength,
};
