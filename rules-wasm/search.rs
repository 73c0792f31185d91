// What only a search needs is left out of the result by the linker.
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

/// Thinks nothing: the search itself stays on the server, and three quarters of the bytes with it.
pub fn think<R: Skill>(_: &R, _: &[R::Move], _: &Order<'_>) -> Option<Thought> {
    None
}
