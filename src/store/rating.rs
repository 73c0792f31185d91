use super::{Account, AccountKey, Error, GameKey, PublicId, Store};
use crate::play::rating::{PROVISIONAL_RD, RD_GROWTH_MS, Rating};
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

/// Points of a history that are read at the most: the newest.
const HISTORY_MAX: i64 = 2000;

/// How many games lichess' figure of progress looks back.
const PROGRESS_GAMES: i64 = 12;

/// A rating as one game left it.
#[derive(Clone, PartialEq, Debug)]
pub struct Point {
    /// In which variant.
    pub variant: String,
    /// When, in epoch milliseconds.
    pub at_ms: i64,
    /// The rating.
    pub rating: f64,
    /// Its deviation.
    pub rd: f64,
    /// The game.
    pub game: PublicId,
}

/// A place on a leaderboard.
#[derive(Clone, Debug)]
pub struct Ranked {
    /// Who.
    pub account: Account,
    /// Their rating.
    pub rating: Rating,
    /// What it gained over the last games.
    pub progress: i32,
}

impl Store {
    /// The best of a variant, the highest rating first, `limit` at most; nobody whose rating is
    /// still settling at that time, and nobody who has left.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn top(&self, variant: &str, now_ms: i64, limit: i64) -> Result<Vec<Ranked>, Error> {
        #[derive(sqlx::FromRow)]
        struct Ranking {
            #[sqlx(flatten)]
            account: Account,
            #[sqlx(flatten)]
            row: Row,
            before: Option<f64>,
        }
        // The deviation now, as `Rating::rd_at` has it, squared.
        let sql = "SELECT account.key, id, name, guest, bot, level,
                       variant, rating, rd, volatility, games, rated_ms,
                       (SELECT point.rating FROM rating_point point WHERE point.account = account.key
                            AND point.variant = rating.variant
                            ORDER BY at_ms DESC, game DESC LIMIT 1 OFFSET ?) AS before
                   FROM rating JOIN account ON account.key = rating.account
                   WHERE variant = ? AND closed_ms IS NULL
                       AND rd * rd + volatility * volatility * ? * max(? - rated_ms, 0) < ?
                   ORDER BY rating DESC LIMIT ?";
        let rows: Vec<Ranking> = sqlx::query_as(sql)
            .bind(PROGRESS_GAMES)
            .bind(variant)
            .bind(RD_GROWTH_MS)
            .bind(now_ms)
            .bind(PROVISIONAL_RD * PROVISIONAL_RD)
            .bind(limit)
            .fetch_all(&self.readers)
            .await?;
        let ranked = |Ranking { account, row, before }: Ranking| {
            let rating = row.read().1;
            Ranked { account, progress: progress(&rating, before), rating }
        };
        Ok(rows.into_iter().map(ranked).collect())
    }

    /// What each rating of an account gained over its last twelve games, by variant.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn progress(
        &self,
        account: AccountKey,
        ratings: &HashMap<String, Rating>,
    ) -> Result<HashMap<String, i32>, Error> {
        let sql = "SELECT rating FROM rating_point WHERE account = ? AND variant = ?
                   ORDER BY at_ms DESC, game DESC LIMIT 1 OFFSET ?";
        let mut gained = HashMap::new();
        for (variant, rating) in ratings {
            let before: Option<f64> = sqlx::query_scalar(sql)
                .bind(account)
                .bind(variant)
                .bind(PROGRESS_GAMES)
                .fetch_optional(&self.readers)
                .await?;
            gained.insert(variant.clone(), progress(rating, before));
        }
        Ok(gained)
    }

    /// How the ratings of an account went, the oldest first.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn history(&self, account: AccountKey) -> Result<Vec<Point>, Error> {
        #[derive(sqlx::FromRow)]
        struct PointRow {
            variant: String,
            at_ms: i64,
            rating: f64,
            rd: f64,
            id: String,
        }
        let sql = "SELECT point.variant, at_ms, rating, rd, id FROM rating_point point
                   JOIN game ON game.key = point.game WHERE point.account = ?
                   ORDER BY at_ms DESC LIMIT ?";
        let rows: Vec<PointRow> =
            sqlx::query_as(sql).bind(account).bind(HISTORY_MAX).fetch_all(&self.readers).await?;
        let read = |row: PointRow| {
            let PointRow { variant, at_ms, rating, rd, id } = row;
            Ok(Point { variant, at_ms, rating, rd, game: PublicId::of_row(&id)? })
        };
        rows.into_iter().rev().map(read).collect()
    }
}

/// What a rating gained since; who has played fewer games is measured from the start.
fn progress(rating: &Rating, before: Option<f64>) -> i32 {
    if rating.games == 0 {
        return 0;
    }
    rating.shown() - before.unwrap_or(Rating::default().rating).round() as i32
}

/// Notes what a game made of a rating.
pub(super) async fn note(
    tx: &mut SqliteConnection,
    account: AccountKey,
    variant: &str,
    rating: &Rating,
    game: GameKey,
) -> Result<(), Error> {
    let sql = "INSERT INTO rating_point (account, variant, at_ms, game, rating, rd)
               VALUES (?, ?, ?, ?, ?, ?)";
    sqlx::query(sql)
        .bind(account)
        .bind(variant)
        .bind(rating.rated_ms)
        .bind(game)
        .bind(rating.rating)
        .bind(rating.rd)
        .execute(tx)
        .await?;
    Ok(())
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
