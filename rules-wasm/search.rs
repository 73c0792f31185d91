// The types that `variants` needs. Code for the search alone is dead here.
#[allow(dead_code)]
#[path = "../src/search/level.rs"]
mod level;
#[allow(dead_code)]
#[path = "../src/search/skill.rs"]
mod skill;
#[allow(dead_code)]
#[path = "../src/search/thought.rs"]
mod thought;

pub use level::{LEVELS, Level, alpha};
pub use skill::{Method, Policy, Skill};
pub use thought::{Order, POINTS_MAX, Score, Strength, Thought};

/// Returns `None`: the search runs on the server only, which saves three quarters of the size.
pub fn think<R: Skill>(_: &R, _: &[R::Move], _: &Order<'_>) -> Option<Thought> {
    None
}
