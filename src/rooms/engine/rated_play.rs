//! Boards in live rated games, which the engine must not analyze.
//!
//! Boards of games with a clock are in memory; those of other games are read from the store, which
//! has them for all games without a room as well. Not recognized are boards on which a requester
//! has changed a cell, and the successors of a live board that are given as a start position
//! instead of as moves. Callers: rooms, bots, and `http::api` before each search.

use crate::play::board_images::{BoardImages, BoardKey, protected_board};
use crate::play::game::Game;
use crate::rooms::Rooms;
use crate::store::{GameRow, PublicId, StoreError};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard};

/// Board of each live rated game with a clock and creation time of the game (epoch milliseconds),
/// by game.
#[derive(Debug, Default)]
pub(in crate::rooms) struct RatedPlay(Mutex<HashMap<PublicId, (BoardKey, i64)>>);

impl RatedPlay {
    fn table(&self) -> MutexGuard<'_, HashMap<PublicId, (BoardKey, i64)>> {
        self.0.lock().expect("rated board index lock")
    }

    /// Indexes the current board of a game. Must be called whenever the board may have changed.
    pub(in crate::rooms) fn update(&self, row: &GameRow, game: &Game) {
        if !row.rated || row.setup.pace.clock().is_none() {
            return;
        }
        match protected_board(game.line()).filter(|_| game.end().is_none()) {
            Some(key) => drop(self.table().insert(row.id, (key, row.setup.created_ms))),
            None => drop(self.table().remove(&row.id)),
        }
    }

    /// Returns the least of these indices, by the hash of a board, whose board occurs in a game
    /// created at or before `created_by_ms`.
    fn find(&self, indices: &HashMap<i64, usize>, created_by_ms: i64) -> Option<usize> {
        let table = self.table();
        let live = table.values().filter(|(_, created_ms)| *created_ms <= created_by_ms);
        live.filter_map(|(board, _)| indices.get(&board.hash())).min().copied()
    }
}

impl Rooms {
    /// Returns the index of the first of these boards that occurs in a live rated game beyond the
    /// opening.
    pub async fn find_in_rated_play(
        &self,
        boards: &[BoardImages],
    ) -> Result<Option<usize>, StoreError> {
        self.find_created_by(boards, i64::MAX).await
    }

    /// Returns whether one of these boards of a game that ended at `ended_ms` (epoch milliseconds)
    /// occurs in a live rated game. Ignores games created later, which do not affect its review.
    pub async fn is_in_rated_play(
        &self,
        boards: &[BoardImages],
        ended_ms: i64,
    ) -> Result<bool, StoreError> {
        Ok(self.find_created_by(boards, ended_ms).await?.is_some())
    }

    async fn find_created_by(
        &self,
        boards: &[BoardImages],
        created_by_ms: i64,
    ) -> Result<Option<usize>, StoreError> {
        let mut indices = HashMap::new();
        for (index, images) in boards.iter().enumerate() {
            for key in images.keys() {
                indices.entry(key.hash()).or_insert(index);
            }
        }
        let with_clock = self.inner.rated_play.find(&indices, created_by_ms);
        let found = self.store().boards_in_rated_play(indices.keys(), created_by_ms).await?;
        let without_clock = found.iter().filter_map(|hash| indices.get(hash)).min().copied();
        Ok(with_clock.into_iter().chain(without_clock).min())
    }
}
