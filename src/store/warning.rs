//! Warnings of moderators to accounts and guests, which stay until they are confirmed as read.
//! Callers: `api::warning`, `api::moderation` and `api::archive` in `http`, `cli`, and `rename`.

use super::mod_log::{LoggedAction, Moderator, log_action};
use super::moderation::is_protected;
use super::sql::Conn;
use super::{AccountKey, Store, StoreError};

/// Maximum of unread warnings per account, without one of a new name.
const UNREAD_MAX: i64 = 5;

/// Maximum of listed warnings.
const LISTED_MAX: i64 = 1000;

/// Maximum length of a warning, in characters.
pub const WARNING_CHARS_MAX: usize = 500;

/// Query of the number of unread warnings of an account.
pub(super) const UNREAD: &str =
    "SELECT count(*) FROM warning WHERE account = $1 AND read_ms IS NULL";

/// Stored warning.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Warning {
    pub seq: i64,
    /// `message`, or `renamed`: the text is the new name of the account.
    pub kind: String,
    pub text: String,
    /// Time of the warning, in epoch milliseconds.
    pub created_ms: i64,
    /// Time at which the player has confirmed it, in epoch milliseconds.
    pub read_ms: Option<i64>,
}

/// Reason why an account was not warned.
#[derive(Debug, thiserror::Error)]
pub enum WarnError {
    /// The page is to warn a moderator, or the account is that of the computer or erased.
    #[error("protected account")]
    Protected,
    /// The account has the maximum of unread warnings.
    #[error("too many unread warnings")]
    TooMany,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Store {
    /// Stores and logs a warning.
    pub async fn warn(
        &self,
        account: AccountKey,
        text: String,
        moderator: Moderator,
        now_ms: i64,
    ) -> Result<(), WarnError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "SELECT 1 FROM account WHERE key = $1 AND level IS NULL
                                   AND name NOT LIKE 'deleted-%'";
                    let can_read = tx.query(sql).bind(account).exists().await?;
                    if !can_read || is_protected(tx, account, &moderator).await? {
                        return Err(WarnError::Protected);
                    }
                    let sql = "SELECT count(*) FROM warning
                               WHERE account = $1 AND read_ms IS NULL AND kind = 'message'";
                    let unread: i64 = tx.query(sql).bind(account).value().await?;
                    if unread >= UNREAD_MAX {
                        return Err(WarnError::TooMany);
                    }
                    insert(tx, account, "message", text, now_ms).await?;
                    let logged = LoggedAction::new(account, "warn");
                    log_action(tx, logged, moderator, now_ms).await?;
                    Ok(())
                })
            })
            .await
    }

    /// Returns the warnings of an account, newest first.
    pub async fn warnings(&self, account: AccountKey) -> Result<Vec<Warning>, StoreError> {
        let sql = "SELECT seq, kind, text, created_ms, read_ms FROM warning WHERE account = $1
                   ORDER BY seq DESC LIMIT $2";
        Ok(self.readers.query(sql).bind(account).bind(LISTED_MAX).fetch_all().await?)
    }

    /// Returns the unread warnings of an account, oldest first.
    pub async fn unread_warnings(&self, account: AccountKey) -> Result<Vec<Warning>, StoreError> {
        let sql = "SELECT seq, kind, text, created_ms, read_ms FROM warning
                   WHERE account = $1 AND read_ms IS NULL ORDER BY seq LIMIT $2";
        Ok(self.readers.query(sql).bind(account).bind(LISTED_MAX).fetch_all().await?)
    }

    /// Confirms that the player has read a warning; the first time counts. Returns false if it is
    /// none of the account.
    pub async fn confirm_warning(
        &self,
        account: AccountKey,
        seq: i64,
        now_ms: i64,
    ) -> Result<bool, StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "UPDATE warning SET read_ms = coalesce(read_ms, $3)
                               WHERE account = $1 AND seq = $2";
                    let query = tx.query(sql).bind(account).bind(seq).bind(now_ms);
                    Ok(query.execute().await? == 1)
                })
            })
            .await
    }
}

/// Adds a warning of a new name, which replaces an unread one.
pub(super) async fn insert_new_name(
    tx: &mut Conn,
    account: AccountKey,
    name: String,
    now_ms: i64,
) -> Result<(), StoreError> {
    let sql = "DELETE FROM warning WHERE account = $1 AND kind = 'renamed' AND read_ms IS NULL";
    tx.query(sql).bind(account).execute().await?;
    insert(tx, account, "renamed", name, now_ms).await
}

async fn insert(
    tx: &mut Conn,
    account: AccountKey,
    kind: &'static str,
    text: String,
    now_ms: i64,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO warning (account, kind, text, created_ms) VALUES ($1, $2, $3, $4)";
    tx.query(sql).bind(account).bind(kind).bind(text).bind(now_ms).execute().await?;
    Ok(())
}
