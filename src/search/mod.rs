//! Engine: a search over any [`Rules`](crate::rules::Rules), with levels of strength.
//!
//! The module is independent of variants, which supply their heuristics ([`Skill`]), and of clocks
//! and threads: the caller supplies a callback that stops the search.

mod alpha;
mod choose;
mod level;
mod path;
mod skill;
mod table;
mod thought;
mod tree;

pub use choose::think;
pub use level::{LEVELS, Level, alpha};
pub use skill::{Method, Policy, Skill};
pub use thought::{Line, Order, POINTS_MAX, Score, Strength, Thought};
