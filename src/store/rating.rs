use super::{AccountKey, Error, Store};
use crate::play::rating::Rating;
use sqlx::SqliteConnection;
use std::collections::HashMap;

#[derive(sqlx::FromRow)]
struct Row {
    variant: String,
    rating: f64,
    rd: f64,
    volatility: f64,
    games: i64,
    rated_ms: i64,
}

impl Row {
    fn read(self) -> (String, Rating) {
        let Row { variant, rating, rd, volatility, games, rated_ms } = self;
        (variant, Rating { rating, rd, volatility, games, rated_ms })
    }
}

impl Store {
    /// The ratings of an account by variant; one that was never played is not among them.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn ratings(&self, account: AccountKey) -> Result<HashMap<String, Rating>, Error> {
        let sql = "SELECT variant, rating, rd, volatility, games, rated_ms FROM rating
                   WHERE account = ?";
        let rows: Vec<Row> = sqlx::query_as(sql).bind(account).fetch_all(&self.readers).await?;
        Ok(rows.into_iter().map(Row::read).collect())
    }
}

/// The rating of an account in a variant: the one everybody begins with, if it never played.
pub(super) async fn load(
    tx: &mut SqliteConnection,
    account: AccountKey,
    variant: &str,
) -> Result<Rating, Error> {
    let sql = "SELECT variant, rating, rd, volatility, games, rated_ms FROM rating
               WHERE account = ? AND variant = ?";
    let row: Option<Row> =
        sqlx::query_as(sql).bind(account).bind(variant).fetch_optional(tx).await?;
    Ok(row.map_or_else(Rating::default, |row| row.read().1))
}

/// Writes the rating of an account in a variant.
pub(super) async fn save(
    tx: &mut SqliteConnection,
    account: AccountKey,
    variant: &str,
    rating: &Rating,
) -> Result<(), Error> {
    let sql = "INSERT INTO rating (account, variant, rating, rd, volatility, games, rated_ms)
               VALUES (?, ?, ?, ?, ?, ?, ?)
               ON CONFLICT (account, variant) DO UPDATE SET
                   rating = excluded.rating, rd = excluded.rd, volatility = excluded.volatility,
                   games = excluded.games, rated_ms = excluded.rated_ms";
    sqlx::query(sql)
        .bind(account)
        .bind(variant)
        .bind(rating.rating)
        .bind(rating.rd)
        .bind(rating.volatility)
        .bind(rating.games)
        .bind(rating.rated_ms)
        .execute(tx)
        .await?;
    Ok(())
}
