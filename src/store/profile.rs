//! Public profiles, search for names, and games by id.

use super::game_row::{GameRow, RawGameRow, select_games};
use super::{Account, AccountKey, PublicId, Store, StoreError, skip_unreadable};
use sqlx::AssertSqlSafe;

/// Public profile of an account.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Profile {
    #[sqlx(flatten)]
    pub account: Account,
    /// Whether the account has the moderator role.
    pub admin: bool,
    /// Registration time, in epoch milliseconds.
    pub created_ms: i64,
    /// Approximate time of the last use, in epoch milliseconds.
    pub seen_ms: i64,
    /// Closing time, in epoch milliseconds.
    pub closed_ms: Option<i64>,
    /// Biography, as written by the user.
    pub bio: String,
    /// Location, as written by the user.
    pub location: String,
}

pub(super) const PROFILE: &str =
    "SELECT key, id, name, guest, bot, level, admin, created_ms, seen_ms, closed_ms, bio, location
     FROM account WHERE id = $1";

pub(super) const ACCOUNTS_BY_PREFIX: &str = "SELECT key, id, name, guest, bot, level FROM account
     WHERE id >= $1 AND id < $2 AND NOT guest AND closed_ms IS NULL ORDER BY id LIMIT $3";

impl Store {
    /// Returns the profile of an account, closed accounts included.
    pub async fn profile(&self, id: &str) -> Result<Option<Profile>, StoreError> {
        Ok(self.readers.query(PROFILE).bind(id).fetch_optional().await?)
    }

    /// Sets biography and location of an account.
    pub async fn set_profile(
        &self,
        account: AccountKey,
        bio: String,
        location: String,
    ) -> Result<(), StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "UPDATE account SET bio = $1, location = $2 WHERE key = $3";
                    let query = tx.query(sql).bind(bio).bind(location).bind(account);
                    query.execute().await?;
                    Ok(())
                })
            })
            .await
    }

    /// Returns at most `limit` registered accounts whose ids start with a prefix, by id. Closed
    /// accounts are excluded.
    pub async fn accounts_by_prefix(
        &self,
        prefix: &str,
        limit: i64,
    ) -> Result<Vec<Account>, StoreError> {
        // U+10FFFF is the last code point: the range contains all ids with this prefix.
        let end = format!("{prefix}\u{10ffff}");
        let query = self.readers.query(ACCOUNTS_BY_PREFIX).bind(prefix).bind(end).bind(limit);
        Ok(query.fetch_all().await?)
    }

    /// Returns the games with these ids, in no particular order; unknown ids are skipped.
    pub async fn games_by_ids(&self, ids: &[PublicId]) -> Result<Vec<GameRow>, StoreError> {
        // An empty list of values would scan the table.
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let marks = (1..=ids.len()).map(|number| format!("${number}"));
        let marks = marks.collect::<Vec<_>>().join(", ");
        let sql = format!("{} WHERE game.id IN ({marks})", select_games!(""));
        // The SQL text contains constants and one placeholder per id.
        let mut query = self.readers.query(AssertSqlSafe(sql));
        for id in ids {
            query = query.bind(id.as_str().to_owned());
        }
        let rows: Vec<RawGameRow> = query.fetch_all().await?;
        Ok(skip_unreadable(rows.into_iter().map(RawGameRow::into_game)))
    }
}
