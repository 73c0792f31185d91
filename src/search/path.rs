use crate::rules::{PLIES_MAX, Rules};
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// A number that equal positions share.
pub(super) fn key<R: Rules>(position: &R) -> u64 {
    let mut hasher = FxHasher::default();
    position.hash(&mut hasher);
    // Its low bits are weak, and they choose the place in the table.
    let key = hasher.finish();
    (key ^ key >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

#[derive(Clone, Copy)]
struct Step {
    key: u64,
    /// Plies without progress up to here.
    idle: u32,
}

/// The positions from the start of the game to the one that is looked at: what the rules need that
/// ask for history.
#[derive(Clone)]
pub(super) struct Path {
    steps: Vec<Step>,
}

impl Path {
    /// The path that begins with a position.
    pub(super) fn new<R: Rules>(start: &R) -> Path {
        Path { steps: vec![Step { key: key(start), idle: 0 }] }
    }

    /// Goes on from the last position to the next.
    pub(super) fn push<R: Rules>(&mut self, before: &R, after: &R) {
        let mark = |position: &R| position.progress().map(|progress| progress.mark);
        let idle = self.last().idle + 1;
        let idle = if mark(before) == mark(after) { idle } else { 0 };
        self.steps.push(Step { key: key(after), idle });
    }

    /// Goes back a ply.
    pub(super) fn pop(&mut self) {
        self.steps.pop();
    }

    /// The key of the last position.
    pub(super) fn key(&self) -> u64 {
        self.last().key
    }

    /// Whether the game is as good as drawn at the last position, which has no outcome by itself:
    /// what has come back once can come back again, and whoever is ahead does not let it.
    pub(super) fn is_drawn<R: Rules>(&self, position: &R) -> bool {
        let Step { key, idle } = *self.last();
        let progress = position.progress();
        if self.steps.len() > PLIES_MAX || progress.is_some_and(|progress| idle >= progress.limit) {
            return true;
        }
        let last = self.steps.len() - 1;
        let since = if progress.is_some() { last - (idle as usize).min(last) } else { 0 };
        self.steps[since..last].iter().any(|step| step.key == key)
    }

    /// Plies without progress up to the last position; 0 where the variant knows no progress.
    pub(super) fn idle<R: Rules>(&self, position: &R) -> u32 {
        if position.progress().is_some() { self.last().idle } else { 0 }
    }

    fn last(&self) -> &Step {
        self.steps.last().expect("start")
    }
}
