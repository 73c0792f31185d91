//! Players whom an account follows, which only the account itself sees.
//!
//! A block of either player ends it, in the transaction of the block. Callers: `http::api::follow`,
//! and the transactions of blocks and challenges.

use super::block::is_blocked;
use super::{Account, AccountKey, Store, StoreError};

/// Maximum of players whom an account follows.
const FOLLOWS_MAX: i64 = 300;

/// Query of a row if an account (`$1`) follows another (`$2`).
pub(super) const FOLLOWS: &str = "SELECT 1 FROM follow WHERE account = $1 AND other = $2";

/// Error of following a player.
#[derive(Debug, thiserror::Error)]
pub enum FollowError {
    /// The account follows the maximum number.
    #[error("limit reached")]
    TooMany,
    /// One of the players has blocked the other.
    #[error("blocked")]
    Blocked,
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
                    let sql = "SELECT count(*) FROM follow WHERE account = $1";
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

    /// Returns the accounts that an account follows, by id, without those that are closed.
    pub async fn followed_by(&self, account: AccountKey) -> Result<Vec<Account>, StoreError> {
        let sql = "SELECT key, id, name, guest, bot, level FROM follow JOIN account ON key = other
                   WHERE follow.account = $1 AND closed_ms IS NULL ORDER BY id";
        Ok(self.readers.query(sql).bind(account).fetch_all().await?)
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
