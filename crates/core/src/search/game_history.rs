use crate::rules::{PLIES_MAX, Rules};
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// Returns the hash key of a position. Equal positions have equal keys.
pub(super) fn position_key<R: Rules>(position: &R) -> u64 {
    let mut hasher = FxHasher::default();
    position.hash(&mut hasher);
    // The low bits of FxHash are weak, and they select the slot of the transposition table.
    let key = hasher.finish();
    (key ^ key >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

#[derive(Clone, Copy)]
struct HistoryEntry {
    key: u64,
    /// Plies without progress up to this position.
    plies_without_progress: u32,
}

/// Positions from the start of the game to the searched one, for repetition, the no-progress rule
/// and the move limit.
#[derive(Clone)]
pub(super) struct GameHistory {
    entries: Vec<HistoryEntry>,
}

impl GameHistory {
    /// Returns the history that consists of the start position.
    pub(super) fn new<R: Rules>(start: &R) -> GameHistory {
        GameHistory {
            entries: vec![HistoryEntry { key: position_key(start), plies_without_progress: 0 }],
        }
    }

    /// Appends the position `after`, which follows the last position `before`.
    pub(super) fn push<R: Rules>(&mut self, before: &R, after: &R) {
        let mark = |position: &R| position.progress().map(|progress| progress.mark);
        let idle = self.last().plies_without_progress + 1;
        let idle = if mark(before) == mark(after) { idle } else { 0 };
        self.entries.push(HistoryEntry { key: position_key(after), plies_without_progress: idle });
    }

    /// Removes the last position.
    pub(super) fn pop(&mut self) {
        self.entries.pop();
    }

    /// Returns the key of the last position.
    pub(super) fn last_key(&self) -> u64 {
        self.last().key
    }

    /// Whether the search treats the last position, which has no outcome of its own, as a draw: by
    /// the move limit, the no-progress rule or a first repetition. A position that is repeated once
    /// can be repeated again, and a side that is ahead avoids it.
    pub(super) fn is_draw<R: Rules>(&self, position: &R) -> bool {
        let HistoryEntry { key, plies_without_progress: idle } = *self.last();
        let progress = position.progress();
        if self.entries.len() > PLIES_MAX || progress.is_some_and(|progress| idle >= progress.limit)
        {
            return true;
        }
        let last = self.entries.len() - 1;
        let since = if progress.is_some() { last - (idle as usize).min(last) } else { 0 };
        self.entries[since..last].iter().any(|step| step.key == key)
    }

    /// Returns the plies without progress up to the last position; 0 if the variant has no
    /// no-progress rule.
    pub(super) fn plies_without_progress<R: Rules>(&self, position: &R) -> u32 {
        if position.progress().is_some() { self.last().plies_without_progress } else { 0 }
    }

    fn last(&self) -> &HistoryEntry {
        self.entries.last().expect("the history has a start position")
    }
}
