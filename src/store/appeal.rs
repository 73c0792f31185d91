//! Appeals of players against the closing of their accounts by moderators: one for each closing,
//! and another one some time after it was declined. Callers: `api::login` and `api::moderation` in
//! `http`, `cli`, and the transactions of `moderation`, which end them.

use super::sql::Conn;
use super::{AccountKey, Store, StoreError};
use crate::play::clock::DAY_MS;

/// Time after which a player can appeal again that was declined, in milliseconds.
const DECLINED_MS: i64 = 30 * DAY_MS;

/// Maximum of listed appeals.
const LISTED_MAX: i64 = 200;

/// Maximum length of an appeal, in characters.
pub const APPEAL_CHARS_MAX: usize = 1000;

/// State of an appeal that keeps its player from another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AppealState {
    /// The moderators have not answered.
    Open,
    /// Declined: another one is possible at this time, in epoch milliseconds.
    Declined(i64),
}

/// Times of an appeal, if there is one, in epoch milliseconds.
#[derive(Clone, Copy, Debug, sqlx::FromRow)]
pub(super) struct AppealTimes {
    appealed_ms: Option<i64>,
    declined_ms: Option<i64>,
}

impl AppealTimes {
    /// Returns the state of the appeal; `None` if the player can appeal.
    pub(super) fn state(self, now_ms: i64) -> Option<AppealState> {
        self.appealed_ms?;
        match self.declined_ms.map(|declined_ms| declined_ms + DECLINED_MS) {
            None => Some(AppealState::Open),
            Some(again_ms) if again_ms > now_ms => Some(AppealState::Declined(again_ms)),
            Some(_) => None,
        }
    }
}

/// Appeal of a player.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Appeal {
    /// Id and name of the player.
    pub id: String,
    pub name: String,
    pub text: String,
    /// Time of the appeal, in epoch milliseconds.
    pub created_ms: i64,
    /// Time at which a moderator has declined it, in epoch milliseconds.
    pub declined_ms: Option<i64>,
}

impl Store {
    /// Stores an appeal. Returns false if the account is not closed by a moderator, or has an
    /// appeal that is open or was declined not long ago.
    pub async fn appeal(
        &self,
        account: AccountKey,
        text: String,
        now_ms: i64,
    ) -> Result<bool, StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "INSERT INTO appeal (account, text, created_ms)
                               SELECT key, $2, $3 FROM account
                               WHERE key = $1 AND closed_by_moderator
                               ON CONFLICT (account) DO UPDATE SET text = excluded.text,
                                   created_ms = excluded.created_ms, declined_ms = NULL
                               WHERE appeal.declined_ms <= $4";
                    let query = tx.query(sql).bind(account).bind(text).bind(now_ms);
                    Ok(query.bind(now_ms - DECLINED_MS).execute().await? == 1)
                })
            })
            .await
    }

    /// Returns the appeal of an account.
    pub async fn appeal_of(&self, account: AccountKey) -> Result<Option<Appeal>, StoreError> {
        let sql = "SELECT id, name, text, appeal.created_ms, declined_ms
                   FROM appeal JOIN account ON account.key = appeal.account
                   WHERE appeal.account = $1";
        Ok(self.readers.query(sql).bind(account).fetch_optional().await?)
    }

    /// Returns the open appeals, oldest first.
    pub async fn open_appeals(&self) -> Result<Vec<Appeal>, StoreError> {
        let sql = "SELECT id, name, text, appeal.created_ms, declined_ms
                   FROM appeal JOIN account ON account.key = appeal.account
                   WHERE declined_ms IS NULL AND appeal.created_ms > 0 AND closed_by_moderator
                   ORDER BY appeal.created_ms LIMIT $1";
        Ok(self.list_readers.query(sql).bind(LISTED_MAX).fetch_all().await?)
    }
}

/// Deletes the appeal of an account that is open again.
pub(super) async fn delete(tx: &mut Conn, account: AccountKey) -> Result<(), StoreError> {
    tx.query("DELETE FROM appeal WHERE account = $1").bind(account).execute().await?;
    Ok(())
}

/// Deletes the declined appeal of an account that is closed again.
pub(super) async fn delete_declined(tx: &mut Conn, account: AccountKey) -> Result<(), StoreError> {
    let sql = "DELETE FROM appeal WHERE account = $1 AND declined_ms IS NOT NULL";
    tx.query(sql).bind(account).execute().await?;
    Ok(())
}
