//! Rate limits that operators have changed while servers run: rows of `limit_override`. Callers:
//! `limits::overrides` in `http`, and `cli`.

use super::mod_log::{LoggedAction, Moderator, log_action};
use super::{Store, StoreError};
use std::collections::HashMap;

const SET: &str = "INSERT INTO limit_override (name, value) VALUES ($1, $2)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value
     WHERE limit_override.value <> excluded.value";
const RESET: &str = "DELETE FROM limit_override WHERE name = $1";

impl Store {
    /// Returns the changed rate limits by name.
    pub async fn limit_overrides(&self) -> Result<HashMap<String, i64>, StoreError> {
        let sql = "SELECT name, value FROM limit_override WHERE name > ''";
        let rows: Vec<(String, i64)> = self.readers.query(sql).fetch_all().await?;
        Ok(rows.into_iter().collect())
    }

    /// Changes a rate limit; without a value, it returns to the configured one. Logs the action
    /// with name and value in front of the reason, if it changes something, and returns whether it
    /// does.
    pub async fn set_limit_override(
        &self,
        name: &'static str,
        value: Option<u32>,
        moderator: Moderator,
        now_ms: i64,
    ) -> Result<bool, StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let (query, action, change) = match value {
                        Some(value) => {
                            let query = tx.query(SET).bind(name).bind(i64::from(value));
                            (query, "set-limit", format!("{name} {value}"))
                        }
                        None => (tx.query(RESET).bind(name), "reset-limit", name.to_owned()),
                    };
                    if query.execute().await? == 0 {
                        return Ok(false);
                    }
                    let moderator = moderator.about(&change);
                    log_action(tx, LoggedAction::of_site(action), moderator, now_ms).await?;
                    Ok(true)
                })
            })
            .await
    }
}
