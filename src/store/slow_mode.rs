//! Slow mode for newcomers: while it is on, guests and new accounts chat and create challenges
//! slowly. Callers: `rooms::slow_mode`, `api::arrivals` in `http`, and `cli`.

use super::mod_log::{LoggedAction, Moderator, log_action};
use super::{AccountKey, Store, StoreError};
use crate::play::clock::DAY_MS;

/// Age from which an account is not slowed, in milliseconds.
const NEWCOMER_AGE_MS: i64 = DAY_MS;

const TURN_ON: &str = "INSERT INTO slow_mode (since_ms)
     SELECT CAST($1 AS BIGINT) WHERE NOT EXISTS (SELECT 1 FROM slow_mode WHERE since_ms > 0)";
const TURN_OFF: &str = "DELETE FROM slow_mode WHERE since_ms <= $1";

impl Store {
    pub async fn is_slow_mode_on(&self) -> Result<bool, StoreError> {
        Ok(self.readers.query("SELECT 1 FROM slow_mode WHERE since_ms > 0").exists().await?)
    }

    /// Turns slow mode on or off, and logs a change.
    pub async fn set_slow_mode(
        &self,
        is_on: bool,
        moderator: Moderator,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let (sql, action, time_ms) = match is_on {
                        true => (TURN_ON, "slow-mode-on", now_ms),
                        // The clock of another server may be ahead.
                        false => (TURN_OFF, "slow-mode-off", i64::MAX),
                    };
                    if tx.query(sql).bind(time_ms).execute().await? > 0 {
                        let logged = LoggedAction::of_site(action);
                        log_action(tx, logged, moderator, now_ms).await?;
                    }
                    Ok(())
                })
            })
            .await
    }

    /// Returns whether an account is a guest, if slow mode concerns it: a guest, or an account
    /// younger than a day.
    pub async fn find_newcomer(
        &self,
        account: AccountKey,
        now_ms: i64,
    ) -> Result<Option<bool>, StoreError> {
        let sql = "SELECT guest FROM account WHERE key = $1 AND (guest OR created_ms > $2)";
        let query = self.readers.query(sql).bind(account).bind(now_ms - NEWCOMER_AGE_MS);
        Ok(query.optional_value().await?)
    }
}
