//! Players made of code: a search over any [`Rules`](crate::rules::Rules), and the levels of its
//! strength.
//!
//! This folder knows no variant but by what its own file says of playing well (`Skill`), and no
//! clock, thread or player: when to stop is told by whoever asks.

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
