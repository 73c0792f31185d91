//! Removal of expired sessions, of networks of sessions, of counts of failed logins, of challenges
//! that ended without a game, and of guests to whom no row refers.
//!
//! Each call is one transaction with few rows, so that games do not wait for it. Caller:
//! `rooms::process::retention`.

use super::batch::Batch;
use super::session::oldest_session_ms;
use super::{AccountKey, Store, StoreError};

/// Maximum of rows that one transaction removes, or looks at.
const ROWS_MAX: i64 = 20;

/// Deletes sessions that were last used before `$1`, or began before `$2`.
const DELETE_SESSIONS: &str = "DELETE FROM session WHERE hash IN
     (SELECT hash FROM session WHERE seen_ms <= $1 OR created_ms <= $2 LIMIT $3)";

/// Removes the networks and devices of sessions that were last used before `$1`.
const REMOVE_NETWORKS: &str = "UPDATE session SET network = '', device = NULL WHERE hash IN
     (SELECT hash FROM session WHERE network <> '' AND seen_ms <= $1 LIMIT $2)";

/// Deletes the counts of failed logins in minutes before `$1`.
const DELETE_LOGIN_FAILURES: &str = "DELETE FROM login_failure WHERE (account, minute) IN
     (SELECT account, minute FROM login_failure WHERE minute < $1 LIMIT $2)";

/// Challenges that ended without a game and expired before `$1`. An accepted one has the terms of
/// the rematch, and the games of a standing one have its id.
const ENDED_CHALLENGES: &str = "SELECT id FROM challenge
     WHERE status IN (20, 30, 50) AND expires_ms <= $1
         AND NOT EXISTS (SELECT 1 FROM game WHERE game.challenge = challenge.id)
     ORDER BY expires_ms LIMIT $2";

/// Statement that ends with the condition that nothing refers to an account, but the settings of
/// push messages and of reminders, and interest in game nights.
macro_rules! unreferenced {
    ($start:literal, $end:literal) => {
        concat!(
            $start,
            " NOT EXISTS (SELECT 1 FROM game WHERE first = account.key)
             AND NOT EXISTS (SELECT 1 FROM game WHERE second = account.key)
             AND NOT EXISTS (SELECT 1 FROM challenge WHERE maker = account.key)
             AND NOT EXISTS (SELECT 1 FROM challenge WHERE dest = account.key)
             AND NOT EXISTS (SELECT 1 FROM challenge WHERE seated = account.key)
             AND NOT EXISTS (SELECT 1 FROM casual_request WHERE account = account.key)
             AND NOT EXISTS (SELECT 1 FROM ready_check WHERE waiting_player = account.key)
             AND NOT EXISTS (SELECT 1 FROM ready_check WHERE acceptor = account.key)
             AND NOT EXISTS (SELECT 1 FROM token WHERE account = account.key)
             AND NOT EXISTS (SELECT 1 FROM session WHERE account = account.key)
             AND NOT EXISTS (SELECT 1 FROM block WHERE account = account.key)
             AND NOT EXISTS (SELECT 1 FROM block WHERE other = account.key)
             AND NOT EXISTS (SELECT 1 FROM report WHERE reporter = account.key)
             AND NOT EXISTS (SELECT 1 FROM report WHERE about = account.key)
             AND NOT EXISTS (SELECT 1 FROM deed WHERE account = account.key)",
            $end
        )
    };
}

/// Guests after a position in the order of their last visits, until `$3`, and whether nothing
/// refers to them.
const GUESTS: &str = unreferenced!(
    "SELECT seen_ms, key, ",
    " FROM account WHERE guest AND (seen_ms, key) > ($1, $2) AND seen_ms <= $3
     ORDER BY seen_ms, key LIMIT $4"
);

/// Deletes the settings of push messages of a guest who has not come back.
const DELETE_PUSH_KINDS: &str = "DELETE FROM push_kinds WHERE account = $1
     AND NOT EXISTS (SELECT 1 FROM session WHERE account = $1)
     AND NOT EXISTS (SELECT 1 FROM token WHERE account = $1)";

/// Deletes a guest to whom nothing refers.
const DELETE_GUEST: &str =
    unreferenced!("DELETE FROM account WHERE key = $1 AND guest AND ", " RETURNING key");

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
                    let query = tx.query(DELETE_SESSIONS).bind(used_ms).bind(created_ms);
                    Ok(query.bind(ROWS_MAX).execute().await?)
                })
            })
            .await
    }

    /// Removes the networks and devices of some of the sessions that were last used at `until_ms`
    /// or before. Returns their number, 0 if there are no more.
    pub async fn remove_networks(&self, until_ms: i64) -> Result<u64, StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let query = tx.query(REMOVE_NETWORKS).bind(until_ms).bind(ROWS_MAX);
                    Ok(query.execute().await?)
                })
            })
            .await
    }

    /// Removes some of the counts of failed logins in minutes since the epoch before `minute`.
    /// Returns their number, 0 if there are no more.
    pub async fn remove_login_failures(&self, minute: i64) -> Result<u64, StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let query = tx.query(DELETE_LOGIN_FAILURES).bind(minute).bind(ROWS_MAX);
                    Ok(query.execute().await?)
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

    /// Looks at some guests who came last at `until_ms` or before, and removes those who have no
    /// games, challenges, sessions, tokens, blocks or reports. Returns the number of removed
    /// guests, and the position after all of them, `None` at the end.
    pub async fn remove_guests(
        &self,
        position: GuestPosition,
        until_ms: i64,
    ) -> Result<(u64, Option<GuestPosition>), StoreError> {
        let GuestPosition(seen_ms, key) = position;
        let guests: Vec<(i64, AccountKey, bool)> = self
            .readers
            .query(GUESTS)
            .bind(seen_ms)
            .bind(key)
            .bind(until_ms)
            .bind(ROWS_MAX)
            .fetch_all()
            .await?;
        let next = guests.last().map(|(seen_ms, key, _)| GuestPosition(*seen_ms, *key));
        let unreferenced: Vec<AccountKey> =
            guests.into_iter().filter(|guest| guest.2).map(|guest| guest.1).collect();
        if unreferenced.is_empty() {
            return Ok((0, next));
        }
        let removed = self
            .writer
            .run(move |tx| {
                Box::pin(async move {
                    let mut batch = Batch::default();
                    for key in unreferenced {
                        batch.add(DELETE_PUSH_KINDS).bind(key).add(DELETE_GUEST).bind(key);
                    }
                    let deleted = batch.fetch(tx).await?;
                    Ok::<u64, StoreError>(deleted.iter().map(|rows| rows.len() as u64).sum())
                })
            })
            .await?;
        Ok((removed, next))
    }
}
