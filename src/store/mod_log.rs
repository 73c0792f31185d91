//! Log of moderator actions: numbered rows of the table `deed`.
//!
//! `rooms` polls them, because the subcommand `admin` runs in another process. Callers:
//! `moderation` and `recovery`, whose transactions add to it, `rooms::account_actions`, and `cli`.

use super::sql::Conn;
use super::{AccountKey, Store, StoreError};

/// Maximum of entries of a listed log.
const LISTED_MAX: i64 = 1000;

/// Moderator of an action, and the reason.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Moderator {
    /// Name, such as that of the user of the operating system.
    pub name: String,
    /// Reason of the action; may be empty.
    pub reason: String,
}

/// Moderator action as stored.
#[derive(Clone, PartialEq, Eq, Debug, sqlx::FromRow)]
pub struct ModLogEntry {
    pub seq: i64,
    pub at_ms: i64,
    /// Key of the account concerned.
    pub account: AccountKey,
    /// Name of the account concerned.
    pub about: String,
    /// Action, such as `mute`.
    pub action: String,
    /// Number of the report that was resolved.
    pub report: Option<i64>,
    /// Name of the moderator; empty in entries of earlier versions.
    pub moderator: String,
    pub reason: String,
}

/// Query of entries that satisfy a condition, which the order follows.
macro_rules! select_entries {
    ($condition:literal) => {
        concat!(
            "SELECT seq, at_ms, account, name AS about, what AS action, report, moderator, reason
             FROM deed JOIN account ON key = account WHERE ",
            $condition
        )
    };
}

impl Store {
    /// Returns the moderator actions after a number, oldest first.
    pub async fn mod_actions(&self, after: i64) -> Result<Vec<ModLogEntry>, StoreError> {
        let query = self.readers.query(select_entries!("seq > $1 ORDER BY seq"));
        Ok(query.bind(after).fetch_all().await?)
    }

    /// Returns the last moderator actions, newest first: those on the account with an id, or all if
    /// it is empty.
    pub async fn mod_log(&self, about: String) -> Result<Vec<ModLogEntry>, StoreError> {
        let sql = select_entries!("seq > 0 AND ($1 = '' OR id = $1) ORDER BY seq DESC LIMIT $2");
        Ok(self.list_readers.query(sql).bind(about).bind(LISTED_MAX).fetch_all().await?)
    }

    /// Returns the number of the last moderator action; 0 if there is none.
    pub async fn last_mod_action(&self) -> Result<i64, StoreError> {
        let sql = "SELECT coalesce(max(seq), 0) FROM deed";
        Ok(self.readers.query(sql).value().await?)
    }
}

/// Adds an entry in the transaction of its action. `report` is the number of a resolved report.
pub(super) async fn log_action(
    tx: &mut Conn,
    (account, action, report): (AccountKey, &'static str, Option<i64>),
    moderator: Moderator,
    now_ms: i64,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO deed (account, what, report, moderator, reason, at_ms)
               VALUES ($1, $2, $3, $4, $5, $6)";
    let query = tx.query(sql).bind(account).bind(action).bind(report);
    query.bind(moderator.name).bind(moderator.reason).bind(now_ms).execute().await?;
    Ok(())
}
