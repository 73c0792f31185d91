//! Blocks between players. Callers: `rooms`, `api::block` and the transactions of challenges.

use super::changes::Change;
use super::sql::Conn;
use super::{Account, AccountKey, LimitError, Store, StoreError};
use std::collections::HashSet;

/// Maximum of blocked players per account.
const BLOCKS_MAX: i64 = 1000;

/// Blocks between an account and others.
#[derive(Clone, Debug)]
pub struct Blocks {
    /// Accounts that it has blocked or that have blocked it.
    pub accounts: HashSet<AccountKey>,
    /// Names and former names of those that it has blocked.
    pub names: Vec<String>,
}

impl Blocks {
    /// Returns the blocks of the rows of [`BLOCKS`].
    pub(super) fn new(rows: Vec<(AccountKey, Option<String>)>) -> Blocks {
        let (accounts, names): (_, Vec<Option<String>>) = rows.into_iter().unzip();
        Blocks { accounts, names: names.into_iter().flatten().collect() }
    }
}

/// Query of the accounts that an account has blocked, with their names and former names, and of the
/// accounts that have blocked it.
pub(super) const BLOCKS: &str = "SELECT other, name FROM block JOIN account ON key = other
     WHERE block.account = $1
     UNION ALL SELECT other, name FROM block JOIN former_name ON former_name.account = other
     WHERE block.account = $1
     UNION ALL SELECT account, NULL FROM block WHERE other = $1";

impl Store {
    /// Blocks another account. Neither of the two follows the other any more.
    pub async fn block(
        &self,
        account: AccountKey,
        other: AccountKey,
        now_ms: i64,
    ) -> Result<(), LimitError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "SELECT count(*) FROM block WHERE account = $1";
                    let count: i64 = tx.query(sql).bind(account).value().await?;
                    if count >= BLOCKS_MAX {
                        return Err(LimitError::Reached);
                    }
                    let sql = "INSERT INTO block (account, other, created_ms) VALUES ($1, $2, $3)
                               ON CONFLICT DO NOTHING";
                    let query = tx.query(sql).bind(account).bind(other).bind(now_ms);
                    let added = query.execute().await?;
                    let sql = "DELETE FROM follow WHERE (account = $1 AND other = $2)
                                   OR (account = $2 AND other = $1)";
                    tx.query(sql).bind(account).bind(other).execute().await?;
                    announce_block(tx, added, [account, other]);
                    Ok(())
                })
            })
            .await
    }

    /// Removes a block.
    pub async fn unblock(&self, account: AccountKey, other: AccountKey) -> Result<(), StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "DELETE FROM block WHERE account = $1 AND other = $2";
                    let removed = tx.query(sql).bind(account).bind(other).execute().await?;
                    announce_block(tx, removed, [account, other]);
                    Ok(())
                })
            })
            .await
    }

    /// Returns the accounts that an account has blocked, by id.
    pub async fn blocked_by(&self, account: AccountKey) -> Result<Vec<Account>, StoreError> {
        let sql = "SELECT key, id, name, guest, bot, level FROM block JOIN account ON key = other
                   WHERE block.account = $1 ORDER BY id";
        Ok(self.readers.query(sql).bind(account).fetch_all().await?)
    }

    /// Returns the blocks between an account and others.
    pub async fn blocks(&self, account: AccountKey) -> Result<Blocks, StoreError> {
        Ok(Blocks::new(self.readers.query(BLOCKS).bind(account).fetch_all().await?))
    }

    /// Returns whether an account's chat is disabled, and whether a block exists between it and any
    /// of `others`.
    pub async fn chat_restrictions(
        &self,
        account: AccountKey,
        others: &[AccountKey],
    ) -> Result<(bool, bool), StoreError> {
        let mut connection = self.readers.acquire().await?;
        let sql = "SELECT muted OR closed_ms IS NOT NULL FROM account WHERE key = $1";
        let muted = connection.query(sql).bind(account).optional_value().await?;
        let mut blocked = false;
        for other in others {
            blocked |= is_blocked(&mut connection, account, *other).await?;
        }
        Ok((muted.unwrap_or(false), blocked))
    }
}

/// Announces that a block between two accounts was added or removed, if there was a change.
fn announce_block(tx: &mut Conn, changed_rows: u64, accounts: [AccountKey; 2]) {
    if changed_rows > 0 {
        accounts.into_iter().for_each(|account| tx.announce(Change::BlocksChanged(account)));
    }
}

/// Returns whether one of two accounts has blocked the other.
pub(super) async fn is_blocked(
    tx: &mut Conn,
    one: AccountKey,
    two: AccountKey,
) -> Result<bool, StoreError> {
    let sql = "SELECT 1 FROM block WHERE (account = $1 AND other = $2)
                   OR (account = $2 AND other = $1) LIMIT 1";
    Ok(tx.query(sql).bind(one).bind(two).exists().await?)
}
