//! Log of moderator actions: numbered rows of the table `deed`.
//!
//! `rooms` polls them, because the subcommand `admin` runs in another process. Callers:
//! `moderation`, `report`, `recovery`, `arrivals`, `chat_deletion`, `warning`, `rename`,
//! `limit_override`, `suspicion` and `fair_play_report`, whose transactions add to it,
//! `rooms::account_actions`, `api::moderation` and `api::archive` in `http`, and `cli`.

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
    /// Account, if the action is from the page.
    pub account: Option<AccountKey>,
}

impl Moderator {
    /// Adds the subject of the action in front of the reason.
    pub(super) fn about(self, subject: &str) -> Moderator {
        let reason = match self.reason.as_str() {
            "" => subject.to_owned(),
            reason => format!("{subject}: {reason}"),
        };
        Moderator { reason, ..self }
    }
}

/// Moderator action as stored.
#[derive(Clone, PartialEq, Eq, Debug, sqlx::FromRow)]
pub struct ModLogEntry {
    pub seq: i64,
    pub at_ms: i64,
    /// Key of the account concerned; `None` for an action on the site.
    pub account: Option<AccountKey>,
    /// Id and name of the account concerned.
    pub about_id: Option<String>,
    pub about: Option<String>,
    /// Action, such as `mute`.
    pub action: String,
    /// Number of the report that was resolved.
    pub report: Option<i64>,
    /// Id of the game that was voided, or of that of a chat line.
    pub game: Option<String>,
    /// Number of the ban.
    pub ban: Option<i64>,
    /// End of the action, if it is for a time, in epoch milliseconds.
    pub until_ms: Option<i64>,
    /// Name of the moderator; empty in entries of earlier versions.
    pub moderator: String,
    pub reason: String,
}

/// Query of entries that satisfy a condition, which the order follows.
macro_rules! select_entries {
    ($condition:literal) => {
        concat!(
            "SELECT seq, at_ms, account, id AS about_id, name AS about, what AS action, report,
                 game, ban, until_ms, moderator, reason
             FROM deed LEFT JOIN account ON key = account WHERE ",
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

/// Action to be logged.
pub(super) struct LoggedAction {
    /// Account concerned; `None` for an action on the site.
    pub(super) account: Option<AccountKey>,
    pub(super) action: &'static str,
    /// Number of the report that was resolved.
    pub(super) report: Option<i64>,
    /// Id of the game that is voided, or of that of a chat line.
    pub(super) game: Option<String>,
    /// Number of the ban.
    pub(super) ban: Option<i64>,
    /// End of the action, if it is for a time, in epoch milliseconds.
    pub(super) until_ms: Option<i64>,
}

impl LoggedAction {
    pub(super) fn new(account: AccountKey, action: &'static str) -> LoggedAction {
        LoggedAction { account: Some(account), ..LoggedAction::of_site(action) }
    }

    pub(super) fn of_site(action: &'static str) -> LoggedAction {
        LoggedAction { account: None, action, report: None, game: None, ban: None, until_ms: None }
    }

    /// The report with a number was resolved.
    pub(super) fn resolved(about: AccountKey, report: i64) -> LoggedAction {
        LoggedAction { report: Some(report), ..LoggedAction::new(about, "resolve") }
    }
}

/// Adds an entry in the transaction of its action.
pub(super) async fn log_action(
    tx: &mut Conn,
    LoggedAction { account, action, report, game, ban, until_ms }: LoggedAction,
    moderator: Moderator,
    now_ms: i64,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO deed (account, what, report, game, ban, until_ms, moderator,
                   moderator_account, reason, at_ms)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    let query = tx.query(sql).bind(account).bind(action).bind(report).bind(game).bind(ban);
    let query = query.bind(until_ms);
    let query = query.bind(moderator.name).bind(moderator.account).bind(moderator.reason);
    query.bind(now_ms).execute().await?;
    Ok(())
}
