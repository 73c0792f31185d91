//! Index of the boards in live rated games, which the engine must not analyze.
//!
//! A board is recognized by its variant and its cells alone. Options, the side to move, scores and
//! counters are left out on purpose: a requester could change them without changing the best move.
//! Not recognized are boards on which a requester has changed a cell, mirrored boards, and the
//! successors of a live board that are given as a start position instead of as moves.

use crate::play::game::Game;
use crate::play::played_line::PlayedLine;
use crate::rooms::Rooms;
use crate::store::{GameRow, PublicId};
use crate::variants::Position;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, MutexGuard};

/// Number of plies from a fixed start during which boards are not indexed, because many games share
/// them. With a random start every board is indexed.
const OPENING_PLIES: usize = 6;

/// Hash of the variant and cells of a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BoardKey(u64);

impl BoardKey {
    pub fn new(position: &dyn Position) -> BoardKey {
        BoardKey::from_cells(position.info().key, &position.cells())
    }

    fn from_cells(variant: &str, cells: &str) -> BoardKey {
        let mut hasher = DefaultHasher::new();
        (variant, cells).hash(&mut hasher);
        BoardKey(hasher.finish())
    }
}

/// Returns the keys of all positions of a line, the start first. Replays all moves, which is too
/// slow for async worker threads.
pub fn board_keys(line: &PlayedLine) -> Vec<BoardKey> {
    let variant = line.position().info().key;
    line.boards().iter().map(|cells| BoardKey::from_cells(variant, cells)).collect()
}

/// Board of each live rated game and creation time of the game (epoch milliseconds), by game.
#[derive(Debug, Default)]
pub(in crate::rooms) struct RatedPlay(Mutex<HashMap<PublicId, (BoardKey, i64)>>);

impl RatedPlay {
    fn table(&self) -> MutexGuard<'_, HashMap<PublicId, (BoardKey, i64)>> {
        self.0.lock().expect("rated board index lock")
    }

    /// Indexes the current board of a game. Must be called whenever the board may have changed.
    pub(in crate::rooms) fn update(&self, row: &GameRow, game: &Game) {
        if !row.rated {
            return;
        }
        let line = game.line();
        let is_opening = line.ply() <= OPENING_PLIES && !row.setup.variant.info.chance;
        if game.end().is_some() || is_opening {
            self.table().remove(&row.id);
        } else {
            let key = BoardKey::new(line.position());
            self.table().insert(row.id, (key, row.setup.created_ms));
        }
    }

    /// Returns the index of the first of these boards that occurs in a live rated game created at
    /// or before `created_by_ms` (epoch milliseconds).
    fn find(&self, boards: &[BoardKey], created_by_ms: i64) -> Option<usize> {
        let mut indices = HashMap::with_capacity(boards.len());
        for (index, board) in boards.iter().enumerate() {
            indices.entry(*board).or_insert(index);
        }
        let table = self.table();
        let live = table.values().filter(|(_, created_ms)| *created_ms <= created_by_ms);
        live.filter_map(|(board, _)| indices.get(board)).min().copied()
    }
}

impl Rooms {
    /// Returns the index of the first of these boards that occurs in a live rated game beyond the
    /// opening.
    pub fn find_in_rated_play(&self, boards: &[BoardKey]) -> Option<usize> {
        self.inner.rated_play.find(boards, i64::MAX)
    }

    /// Returns whether one of these boards of a game that ended at `ended_ms` (epoch milliseconds)
    /// occurs in a live rated game. Ignores games created later, which do not affect its review.
    pub fn is_in_rated_play(&self, boards: &[BoardKey], ended_ms: i64) -> bool {
        self.inner.rated_play.find(boards, ended_ms).is_some()
    }
}
