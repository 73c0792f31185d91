//! Deadlines of games without a clock, as the store has them.
//!
//! The stored deadline of a game lacks the outages after its last event. Callers: `rooms`, and the
//! lists of own games in `http`.

use crate::rooms::Rooms;
use crate::store::{GameInProgress, PublicId, StoreError};

impl Rooms {
    /// Returns the deadline of the move, in epoch milliseconds.
    pub fn due_ms(&self, game: &GameInProgress) -> Option<i64> {
        let (due_ms, last_ms) = game.stored_due_ms.zip(game.last_ms)?;
        Some(self.actual_due_ms(due_ms, last_ms))
    }

    /// Returns the deadline of a move whose stored deadline lacks the outages after the last event,
    /// in epoch milliseconds.
    pub fn actual_due_ms(&self, stored_due_ms: i64, last_ms: i64) -> i64 {
        stored_due_ms + self.inner.downtime.duration_after(last_ms)
    }

    /// Returns the games whose move was due at or before `now_ms` (epoch milliseconds).
    pub(in crate::rooms) async fn overdue_games(
        &self,
        now_ms: i64,
    ) -> Result<Vec<PublicId>, StoreError> {
        let longest_outage = self.inner.downtime.longest_outage();
        let mut games = self.store().due_games(now_ms, longest_outage).await?;
        games.retain(|game| self.actual_due_ms(game.stored_due_ms, game.last_ms) <= now_ms);
        Ok(games.into_iter().map(|game| game.id).collect())
    }
}
