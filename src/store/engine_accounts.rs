//! Accounts of the computer player: one per level. They cannot log in.

use super::sql::Conn;
use super::{Account, AccountKey, Store, StoreError};
use crate::play::name::name_skeleton;
use crate::search::LEVELS;

/// Value of the password column that no hash equals.
const NO_PASSWORD: &str = "!";

impl Store {
    /// Creates the missing computer accounts, one per level: `Sprong-1` to `Sprong-8`.
    pub async fn ensure_engine_accounts(&self, now_ms: i64) -> Result<(), StoreError> {
        let sql = "SELECT level FROM account WHERE level IS NOT NULL";
        let existing: Vec<i32> = self.readers.query(sql).values().await?;
        let is_missing = |level: &u8| !existing.contains(&i32::from(*level));
        let missing: Vec<u8> = (1..=LEVELS as u8).filter(is_missing).collect();
        if missing.is_empty() {
            return Ok(());
        }
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    for level in missing {
                        insert(tx, level, now_ms).await?;
                    }
                    Ok(())
                })
            })
            .await
    }

    /// Returns the computer account of a level, unless it is closed or there is no such level.
    pub async fn engine_account(&self, level: u8) -> Result<Option<Account>, StoreError> {
        let sql = "SELECT key, id, name, guest, bot, level FROM account
                   WHERE level = $1 AND closed_ms IS NULL";
        Ok(self.readers.query(sql).bind(level).fetch_optional().await?)
    }
}

async fn insert(tx: &mut Conn, level: u8, now_ms: i64) -> Result<(), StoreError> {
    // The name may belong to an account that registered before it was reserved.
    for name in [format!("Sprong-{level}"), format!("Sprong-bot-{level}")] {
        let sql = "INSERT INTO account
                       (key, id, name, guest, password, created_ms, seen_ms, skeleton, bot, level)
                   VALUES ($1, $2, $3, FALSE, $4, $5, $6, $7, TRUE, $8) ON CONFLICT DO NOTHING";
        let done = tx
            .query(sql)
            .bind(AccountKey::new())
            .bind(name.to_ascii_lowercase())
            .bind(&name)
            .bind(NO_PASSWORD)
            .bind(now_ms)
            .bind(now_ms)
            .bind(name_skeleton(&name))
            .bind(level)
            .execute()
            .await?;
        if done == 1 {
            return Ok(());
        }
    }
    tracing::warn!(level, "Failed to create a computer account: both names are taken");
    Ok(())
}
