//! Players whom an account follows, which only the account itself sees.
//!
//! A block of either player ends it, in the transaction of the block. Callers: `http::api::follow`,
//! and the transactions of blocks and challenges.

use super::block::is_blocked;
use super::{Account, AccountKey, Store, StoreError};
use std::cmp::Reverse;
use std::collections::HashSet;

/// Maximum of players whom an account follows.
const FOLLOWS_MAX: i64 = 300;

/// Query of a row if an account (`$1`) follows another (`$2`).
pub(super) const FOLLOWS: &str = "SELECT 1 FROM follow WHERE account = $1 AND other = $2";

/// Query of a row if an account is not closed.
const IS_OPEN: &str = "SELECT 1 FROM account WHERE key = $1 AND closed_ms IS NULL";

/// Opponents of an account in the newest games of each side, without aborted games: people with an
/// open account.
pub(super) const LAST_OPPONENTS: &str =
    "SELECT account.key, account.id, name, guest, bot, level, game_id, played_ms FROM
         (SELECT * FROM (SELECT second AS other, id AS game_id, created_ms AS played_ms FROM game
                         WHERE first = $1 AND status NOT IN (25, 37)
                         ORDER BY created_ms DESC, key DESC LIMIT $2) AS part
          UNION ALL
          SELECT * FROM (SELECT first AS other, id AS game_id, created_ms AS played_ms FROM game
                         WHERE second = $1 AND status NOT IN (25, 37)
                         ORDER BY created_ms DESC, key DESC LIMIT $2) AS part) AS part
     JOIN account ON account.key = other
     WHERE NOT guest AND NOT bot AND closed_ms IS NULL";

/// Number of newest games of each side among which last opponents are looked for.
const SEARCHED_GAMES: i64 = 500;

/// Player of one of the newest games of an account.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct OpponentRow {
    #[sqlx(flatten)]
    pub account: Account,
    /// Id of the newest game against the player.
    pub game_id: String,
    /// Start of that game, in epoch milliseconds.
    pub played_ms: i64,
}

/// Error of following a player.
#[derive(Debug, thiserror::Error)]
pub enum FollowError {
    /// The account follows the maximum number.
    #[error("limit reached")]
    TooMany,
    /// One of the players has blocked the other.
    #[error("blocked")]
    Blocked,
    /// The account is closed.
    #[error("closed")]
    Closed,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Store {
    /// Follows another account.
    pub async fn follow(
        &self,
        account: AccountKey,
        other: AccountKey,
        now_ms: i64,
    ) -> Result<(), FollowError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    if is_blocked(tx, account, other).await? {
                        return Err(FollowError::Blocked);
                    }
                    if tx.query(FOLLOWS).bind(account).bind(other).exists().await? {
                        return Ok(());
                    }
                    if !tx.query(IS_OPEN).bind(other).exists().await? {
                        return Err(FollowError::Closed);
                    }
                    // The list lacks closed accounts, from which the player could make room.
                    let sql = "SELECT count(*) FROM follow JOIN account ON key = other
                               WHERE follow.account = $1 AND closed_ms IS NULL";
                    let count: i64 = tx.query(sql).bind(account).value().await?;
                    if count >= FOLLOWS_MAX {
                        return Err(FollowError::TooMany);
                    }
                    let sql = "INSERT INTO follow (account, other, created_ms) VALUES ($1, $2, $3)";
                    tx.query(sql).bind(account).bind(other).bind(now_ms).execute().await?;
                    Ok(())
                })
            })
            .await
    }

    /// Ends following another account.
    pub async fn unfollow(&self, account: AccountKey, other: AccountKey) -> Result<(), StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "DELETE FROM follow WHERE account = $1 AND other = $2";
                    tx.query(sql).bind(account).bind(other).execute().await?;
                    Ok(())
                })
            })
            .await
    }

    /// Returns the keys of the accounts that an account follows.
    pub async fn followed_keys(
        &self,
        account: AccountKey,
    ) -> Result<HashSet<AccountKey>, StoreError> {
        let sql = "SELECT other FROM follow WHERE account = $1";
        Ok(self.readers.query(sql).bind(account).values().await?.into_iter().collect())
    }

    /// Returns the accounts that an account follows, by id.
    pub async fn all_followed_by(&self, account: AccountKey) -> Result<Vec<Account>, StoreError> {
        let sql = "SELECT key, id, name, guest, bot, level FROM follow JOIN account ON key = other
                   WHERE follow.account = $1 ORDER BY id";
        Ok(self.readers.query(sql).bind(account).fetch_all().await?)
    }

    /// Returns the accounts that an account follows, by id, without those that are closed.
    pub async fn followed_by(&self, account: AccountKey) -> Result<Vec<Account>, StoreError> {
        let sql = "SELECT key, id, name, guest, bot, level FROM follow JOIN account ON key = other
                   WHERE follow.account = $1 AND closed_ms IS NULL ORDER BY id";
        Ok(self.readers.query(sql).bind(account).fetch_all().await?)
    }

    /// Returns the last opponents of an account, each with the newest game, newest first: people
    /// with an open account, without aborted games.
    pub async fn last_opponents(
        &self,
        account: AccountKey,
    ) -> Result<Vec<OpponentRow>, StoreError> {
        let query = self.list_readers.query(LAST_OPPONENTS).bind(account).bind(SEARCHED_GAMES);
        let mut rows: Vec<OpponentRow> = query.fetch_all().await?;
        rows.sort_by_key(|row| Reverse(row.played_ms));
        let mut seen = HashSet::new();
        rows.retain(|row| seen.insert(row.account.key));
        Ok(rows)
    }

    /// Returns whether an account follows another.
    pub async fn follows(
        &self,
        account: AccountKey,
        other: AccountKey,
    ) -> Result<bool, StoreError> {
        Ok(self.readers.query(FOLLOWS).bind(account).bind(other).exists().await?)
    }
}
