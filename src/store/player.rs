//! Players as others see them.

use super::game::{GameRow, Row, select_games};
use super::{Account, AccountKey, Error, PublicId, Store, readable};
use sqlx::AssertSqlSafe;

/// What is told of an account.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Profile {
    /// Who.
    #[sqlx(flatten)]
    pub account: Account,
    /// Whether it is a moderator's.
    pub admin: bool,
    /// When it was made, in epoch milliseconds.
    pub created_ms: i64,
    /// When it was last in use, about.
    pub seen_ms: i64,
    /// When it was closed.
    pub closed_ms: Option<i64>,
    /// In its owner's words.
    pub bio: String,
    /// Where its owner says to be.
    pub location: String,
}

pub(super) const PROFILE: &str =
    "SELECT key, id, name, guest, bot, level, admin, created_ms, seen_ms, closed_ms, bio, location
     FROM account WHERE id = ?";

pub(super) const NAMES: &str = "SELECT key, id, name, guest, bot, level FROM account
     WHERE id >= ? AND id < ? AND guest = 0 AND closed_ms IS NULL ORDER BY id LIMIT ?";

impl Store {
    /// What is told of the account of that id, closed or not.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn profile(&self, id: &str) -> Result<Option<Profile>, Error> {
        Ok(sqlx::query_as(PROFILE).bind(id).fetch_optional(&self.readers).await?)
    }

    /// Changes what an account says of itself.
    ///
    /// # Errors
    /// When it could not be stored.
    pub async fn set_profile(
        &self,
        account: AccountKey,
        bio: String,
        location: String,
    ) -> Result<(), Error> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "UPDATE account SET bio = ?, location = ? WHERE key = ?";
                    let query = sqlx::query(sql).bind(bio).bind(location).bind(account);
                    query.execute(tx).await?;
                    Ok(())
                })
            })
            .await
    }

    /// Accounts whose ids begin with a text, in their order; guests and closed ones are not found.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn names(&self, begin: &str, limit: i64) -> Result<Vec<Account>, Error> {
        // Everything that begins so lies between it and it with the last of all characters.
        let end = format!("{begin}\u{10ffff}");
        let query = sqlx::query_as(NAMES).bind(begin).bind(end).bind(limit);
        Ok(query.fetch_all(&self.readers).await?)
    }

    /// The games of those ids that there are.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn games(&self, ids: &[PublicId]) -> Result<Vec<GameRow>, Error> {
        let marks = vec!["?"; ids.len()].join(", ");
        let sql = format!("{} WHERE game.id IN ({marks})", select_games!(""));
        // The text is built from constants and as many marks as there are ids.
        let mut query = sqlx::query_as(AssertSqlSafe(sql));
        for id in ids {
            query = query.bind(id.as_str().to_owned());
        }
        let rows: Vec<Row> = query.fetch_all(&self.readers).await?;
        Ok(readable(rows.into_iter().map(Row::read)))
    }
}
