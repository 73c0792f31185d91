//! Accounts of the computer player: one per level. They cannot log in.

use super::{Account, AccountKey, Store, StoreError};
use crate::play::name::name_skeleton;
use crate::search::LEVELS;
use sqlx::SqliteConnection;

/// Value of the password column that no hash equals.
const NO_PASSWORD: &str = "!";

impl Store {
    /// Creates the missing computer accounts, one per level: `Sprong-1` to `Sprong-8`.
    pub async fn ensure_engine_accounts(&self, now_ms: i64) -> Result<(), StoreError> {
        let sql = "SELECT level FROM account WHERE level IS NOT NULL";
        let existing: Vec<u8> = sqlx::query_scalar(sql).fetch_all(&self.readers).await?;
        let missing: Vec<u8> =
            (1..=LEVELS as u8).filter(|level| !existing.contains(level)).collect();
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
                   WHERE level = ? AND closed_ms IS NULL";
        Ok(sqlx::query_as(sql).bind(level).fetch_optional(&self.readers).await?)
    }
}

async fn insert(tx: &mut SqliteConnection, level: u8, now_ms: i64) -> Result<(), StoreError> {
    // The name may belong to an account that registered before it was reserved.
    for name in [format!("Sprong-{level}"), format!("Sprong-bot-{level}")] {
        let sql = "INSERT OR IGNORE INTO account
                       (key, id, name, guest, password, created_ms, seen_ms, skeleton, bot, level)
                   VALUES (?, ?, ?, 0, ?, ?, ?, ?, 1, ?)";
        let done = sqlx::query(sql)
            .bind(AccountKey::new())
            .bind(name.to_ascii_lowercase())
            .bind(&name)
            .bind(NO_PASSWORD)
            .bind(now_ms)
            .bind(now_ms)
            .bind(name_skeleton(&name))
            .bind(level)
            .execute(&mut *tx)
            .await?;
        if done.rows_affected() == 1 {
            return Ok(());
        }
    }
    tracing::warn!(level, "Failed to create a computer account: both names are taken");
    Ok(())
}
