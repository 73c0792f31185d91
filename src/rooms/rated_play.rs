//! Index of the boards that stand in live rated games, so that the engine is not asked for moves in
//! them.
//!
//! A board is recognized by its variant and its cells alone. Options, the side to move, scores and
//! counters are left out on purpose: a requester could change them without changing the best move.
//! Not recognized are boards on which a requester has changed a cell, mirrored boards, and the
//! successors of a live board that are given as a start position instead of as moves.

use super::Rooms;
use crate::play::game::Game;
use crate::play::line::Line;
use crate::store::{GameRow, PublicId};
use crate::variants::Position;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, MutexGuard};

/// After at most so many plies from a start that is always the same, a board is an opening that many
/// games share: it is not indexed. Where the start is drawn by chance every board is.
const OPENING_PLIES: usize = 6;

/// Variant and cells of a position, hashed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BoardKey(u64);

impl BoardKey {
    /// The key of a position.
    pub fn new(position: &dyn Position) -> BoardKey {
        BoardKey::from_cells(position.info().key, &position.cells())
    }

    fn from_cells(variant: &str, cells: &str) -> BoardKey {
        let mut hasher = DefaultHasher::new();
        (variant, cells).hash(&mut hasher);
        BoardKey(hasher.finish())
    }
}

/// Returns the keys of all positions of a line, the start first. Plays all moves once more, which is
/// no work for the threads that serve requests.
pub fn board_keys(line: &Line) -> Vec<BoardKey> {
    let variant = line.position().info().key;
    line.boards().iter().map(|cells| BoardKey::from_cells(variant, cells)).collect()
}

/// The board of every live rated game and when the game was made (epoch milliseconds), by game.
#[derive(Debug, Default)]
pub(super) struct RatedPlay(Mutex<HashMap<PublicId, (BoardKey, i64)>>);

impl RatedPlay {
    fn table(&self) -> MutexGuard<'_, HashMap<PublicId, (BoardKey, i64)>> {
        self.0.lock().expect("index of live rated games")
    }

    /// Indexes a game as it stands now. Called whenever its board may have changed.
    pub(super) fn put(&self, row: &GameRow, game: &Game) {
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

    /// Returns the place of the first of these boards that stands in a live rated game made by then.
    fn find(&self, boards: &[BoardKey], made_by_ms: i64) -> Option<usize> {
        let mut places = HashMap::with_capacity(boards.len());
        for (place, board) in boards.iter().enumerate() {
            places.entry(*board).or_insert(place);
        }
        let table = self.table();
        let live = table.values().filter(|(_, made_ms)| *made_ms <= made_by_ms);
        live.filter_map(|(board, _)| places.get(board)).min().copied()
    }
}

impl Rooms {
    /// Returns the place of the first of these boards that stands in a rated game in play, beyond the
    /// opening.
    pub fn find_in_rated_play(&self, boards: &[BoardKey]) -> Option<usize> {
        self.inner.rated_play.find(boards, i64::MAX)
    }

    /// Whether one of these boards of a game that ended then (epoch milliseconds) stands in a rated game
    /// in play that was made before: one that was made later does not take its review away.
    pub fn is_in_rated_play(&self, boards: &[BoardKey], ended_ms: i64) -> bool {
        self.inner.rated_play.find(boards, ended_ms).is_some()
    }
}
