//! Failed logins of each account and minute, which all servers of a database count together.
//!
//! Only accounts have rows, so that guesses of names cannot fill the database. `retention` removes
//! the rows. Callers: `login_failures` in `http::limits`, and `http::api::archive`.

use super::{AccountKey, Store, StoreError};

/// Duration of a minute, in milliseconds.
pub const MINUTE_MS: i64 = 60_000;

const COUNT: &str =
    "SELECT n FROM login_failure JOIN account ON account.key = login_failure.account
     WHERE account.id = $1 AND minute = $2";

const ADD: &str = "INSERT INTO login_failure (account, minute, n)
     SELECT key, $2, 1 FROM account WHERE id = $1
     ON CONFLICT (account, minute) DO UPDATE SET n = login_failure.n + 1 RETURNING n";

impl Store {
    /// Returns the number of failed logins of an id in a minute since the epoch.
    pub async fn login_failures(&self, id: &str, minute: i64) -> Result<i64, StoreError> {
        let count = self.readers.query(COUNT).bind(id).bind(minute).optional_value().await?;
        Ok(count.unwrap_or(0))
    }

    /// Adds a failed login of an id in a minute since the epoch. Returns the number of that minute
    /// with it, 0 if no account has the id.
    pub async fn add_login_failure(&self, id: String, minute: i64) -> Result<i64, StoreError> {
        self.writer
            .run_locking([], move |tx| {
                Box::pin(async move {
                    let count = tx.query(ADD).bind(id).bind(minute).optional_value().await?;
                    Ok(count.unwrap_or(0))
                })
            })
            .await
    }

    /// Returns the minutes since the epoch with failed logins of an account, and their numbers.
    pub async fn login_failures_of(
        &self,
        account: AccountKey,
    ) -> Result<Vec<(i64, i64)>, StoreError> {
        let sql = "SELECT minute, n FROM login_failure WHERE account = $1 ORDER BY minute";
        Ok(self.readers.query(sql).bind(account).fetch_all().await?)
    }
}
