//! Removal of what nobody needs any more: sessions that have expired, challenges that ended without
//! a game, and guests who have left no trace.
//!
//! Each call is one transaction with few rows, so that moves do not wait for it. Caller:
//! `rooms::process::retention`.

use super::batch::Batch;
use super::session::oldest_session_ms;
use super::{AccountKey, Store, StoreError};

/// Maximum of rows that one transaction removes, or looks at.
const ROWS_MAX: i64 = 20;

/// Deletes sessions that were last used before `$1`.
pub(super) const DELETE_IDLE_SESSIONS: &str = "DELETE FROM session
     WHERE hash IN (SELECT hash FROM session WHERE seen_ms <= $1 ORDER BY seen_ms LIMIT $2)";

/// Deletes sessions that began before `$1`.
pub(super) const DELETE_OLD_SESSIONS: &str = "DELETE FROM session
     WHERE hash IN (SELECT hash FROM session WHERE created_ms <= $1 ORDER BY created_ms LIMIT $2)";

/// Challenges that ended without a game and expired before `$1`. Those with several games are
/// named by their games.
pub(super) const ENDED_CHALLENGES: &str = "SELECT id FROM challenge
     WHERE status IN (20, 30, 50) AND expires_ms <= $1 AND NOT standing
     ORDER BY expires_ms LIMIT $2";

/// Guests after a position in the order of their last visits, until `$3`.
pub(super) const GUESTS: &str = "SELECT seen_ms, key FROM account
     WHERE guest AND (seen_ms, key) > ($1, $2) AND seen_ms <= $3
     ORDER BY seen_ms, key LIMIT $4";

/// Deletes a guest that nothing refers to. Sessions are deleted before.
pub(super) const DELETE_GUEST: &str = "DELETE FROM account WHERE key = $1 AND guest
     AND NOT EXISTS (SELECT 1 FROM game WHERE first = $1)
     AND NOT EXISTS (SELECT 1 FROM game WHERE second = $1)
     AND NOT EXISTS (SELECT 1 FROM challenge WHERE maker = $1)
     AND NOT EXISTS (SELECT 1 FROM challenge WHERE dest = $1)
     AND NOT EXISTS (SELECT 1 FROM challenge WHERE seated = $1)
     AND NOT EXISTS (SELECT 1 FROM casual_request WHERE account = $1)
     AND NOT EXISTS (SELECT 1 FROM ready_check WHERE waiting_player = $1)
     AND NOT EXISTS (SELECT 1 FROM ready_check WHERE acceptor = $1)
     AND NOT EXISTS (SELECT 1 FROM token WHERE account = $1)
     AND NOT EXISTS (SELECT 1 FROM session WHERE account = $1)
     AND NOT EXISTS (SELECT 1 FROM block WHERE account = $1)
     AND NOT EXISTS (SELECT 1 FROM block WHERE other = $1)
     AND NOT EXISTS (SELECT 1 FROM report WHERE reporter = $1)
     AND NOT EXISTS (SELECT 1 FROM report WHERE about = $1)
     AND NOT EXISTS (SELECT 1 FROM deed WHERE account = $1)";

/// Position in the order of the last visits of guests.
#[derive(Clone, Copy, Debug)]
pub struct GuestPosition(i64, AccountKey);

impl GuestPosition {
    /// Position before all guests.
    pub const START: GuestPosition = GuestPosition(i64::MIN, AccountKey::NIL);
}

impl Store {
    /// Removes some of the sessions that have expired at `now_ms`. Returns their number, 0 if there
    /// are no more.
    pub async fn remove_expired_sessions(&self, now_ms: i64) -> Result<u64, StoreError> {
        let [used_ms, created_ms] = oldest_session_ms(now_ms);
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let query = tx.query(DELETE_IDLE_SESSIONS).bind(used_ms).bind(ROWS_MAX);
                    let idle = query.execute().await?;
                    let query = tx.query(DELETE_OLD_SESSIONS).bind(created_ms).bind(ROWS_MAX);
                    Ok(idle + query.execute().await?)
                })
            })
            .await
    }

    /// Removes some of the challenges that ended without a game and whose time of expiry is at most
    /// `until_ms`. Returns their number, 0 if there are no more.
    pub async fn remove_ended_challenges(&self, until_ms: i64) -> Result<u64, StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let query = tx.query(ENDED_CHALLENGES).bind(until_ms).bind(ROWS_MAX);
                    let ids: Vec<String> = query.values().await?;
                    let count = ids.len() as u64;
                    let mut batch = Batch::default();
                    for id in ids {
                        batch
                            .add("DELETE FROM casual_request WHERE challenge = $1")
                            .bind(id.clone());
                        batch.add("DELETE FROM challenge WHERE id = $1").bind(id);
                    }
                    batch.execute(tx).await?;
                    Ok(count)
                })
            })
            .await
    }

    /// Removes those of some guests whom nobody can meet any more: they came last at `until_ms`,
    /// and have no games, challenges, sessions, tokens, blocks or reports. Returns the number of
    /// removed guests, and the position after those it looked at, `None` at the end.
    pub async fn remove_guests(
        &self,
        position: GuestPosition,
        until_ms: i64,
    ) -> Result<(u64, Option<GuestPosition>), StoreError> {
        let GuestPosition(seen_ms, key) = position;
        let guests: Vec<(i64, AccountKey)> = self
            .readers
            .query(GUESTS)
            .bind(seen_ms)
            .bind(key)
            .bind(until_ms)
            .bind(ROWS_MAX)
            .fetch_all()
            .await?;
        let next = guests.last().map(|(seen_ms, key)| GuestPosition(*seen_ms, *key));
        let removed = self
            .writer
            .run(move |tx| {
                Box::pin(async move {
                    let mut removed = 0;
                    for (_, key) in guests {
                        removed += tx.query(DELETE_GUEST).bind(key).execute().await?;
                    }
                    Ok::<u64, StoreError>(removed)
                })
            })
            .await?;
        Ok((removed, next))
    }
}
