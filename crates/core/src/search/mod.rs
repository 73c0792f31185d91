//! Engine: a search over any [`Rules`](crate::rules::Rules), with levels of strength.
//!
//! The module is independent of variants, which supply their heuristics ([`Heuristics`]), and of
//! clocks and threads: the caller supplies a callback that stops the search.

// Without the feature, only the types that variants and games name are used.
#![cfg_attr(not(feature = "search"), allow(dead_code))]

#[cfg(feature = "search")]
mod alpha_beta;
#[cfg(feature = "search")]
mod best_move;
#[cfg(feature = "search")]
mod game_history;
mod heuristics;
mod level;
#[cfg(feature = "search")]
mod mcts;
mod search_result;
#[cfg(feature = "search")]
mod transposition_table;

#[cfg(feature = "search")]
pub use best_move::find_best_move;
pub use heuristics::{Heuristics, Method, PlayoutPolicy};
pub use level::{LEVELS, Level, ab_levels};
pub use search_result::{
    POINTS_MAX, PrincipalVariation, Score, SearchParams, SearchResult, Strength,
};
