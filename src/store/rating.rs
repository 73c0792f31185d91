use super::{Account, AccountKey, Error, GameKey, PublicId, Store};
use crate::play::rating::Rating;
use crate::variants;
use sqlx::{AssertSqlSafe, SqliteConnection};
use std::collections::HashMap;
use std::sync::LazyLock;

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
        let rows: Vec<Row> = sqlx::query_as(RATINGS).bind(account).fetch_all(&self.readers).await?;
        Ok(rows.into_iter().map(Row::read).collect())
    }
}

pub(super) const RATINGS: &str =
    "SELECT variant, rating, rd, volatility, games, rated_ms FROM rating WHERE account = ?";

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

/// Established ratings of a variant, the highest first. Times that have passed were cleared by
/// [`Store::expire_ratings`], and those of closed accounts when they were closed: nearly every row
/// that is read is in the answer.
pub(super) const TOP: &str = "SELECT account.key, id, name, guest, bot, level,
         variant, rating, rd, volatility, games, rated_ms,
         (SELECT point.rating FROM rating_point point WHERE point.account = account.key
              AND point.variant = rating.variant
              ORDER BY at_ms DESC, game DESC LIMIT 1 OFFSET ?4) AS before
     FROM rating INDEXED BY rating_established CROSS JOIN account ON account.key = rating.account
     WHERE variant = ?1 AND established_until_ms > ?2 AND closed_ms IS NULL
     ORDER BY rating DESC LIMIT ?3";

pub(super) const BEFORE: &str = "SELECT rating FROM rating_point
     WHERE account = ? AND variant = ? ORDER BY at_ms DESC, game DESC LIMIT 1 OFFSET ?";

/// Times that have passed: so many are cleared in one transaction.
pub(super) const EXPIRE: &str = "UPDATE rating SET established_until_ms = NULL
     WHERE (account, variant) IN (SELECT account, variant FROM rating
         INDEXED BY rating_established_until WHERE established_until_ms <= ?1 LIMIT ?2)";

/// Ratings that are cleared in one transaction.
const EXPIRE_MAX: i64 = 1000;

/// The newest points of an account. Each variant's come from the primary key in their order, and
/// SQLite merges them; only for those in the answer the game's id is read.
pub(super) static HISTORY: LazyLock<String> = LazyLock::new(|| {
    let of = |variant: &variants::Variant| {
        format!(
            "SELECT variant, at_ms, game, rating, rd FROM rating_point
             WHERE account = ?1 AND variant = '{}'",
            variant.info.key
        )
    };
    let parts: Vec<String> = variants::ALL.iter().map(of).collect();
    format!(
        "SELECT point.variant, at_ms, rating, rd, id FROM ({} ORDER BY at_ms DESC, game DESC LIMIT ?2)
         AS point CROSS JOIN game ON game.key = point.game",
        parts.join(" UNION ALL ")
    )
});

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
        let rows: Vec<Ranking> = sqlx::query_as(TOP)
            .bind(variant)
            .bind(now_ms)
            .bind(limit)
            .bind(PROGRESS_GAMES)
            .fetch_all(&self.readers)
            .await?;
        let ranked = |Ranking { account, row, before }: Ranking| {
            let rating = row.read().1;
            Ranked { account, progress: progress(&rating, before), rating }
        };
        Ok(rows.into_iter().map(ranked).collect())
    }

    /// Clears the times at which ratings became provisional again, up to `now_ms`.
    ///
    /// # Errors
    /// When it could not be stored.
    pub async fn expire_ratings(&self, now_ms: i64) -> Result<(), Error> {
        loop {
            let cleared = self.writer.run(move |tx| {
                Box::pin(async move {
                    let query = sqlx::query(EXPIRE).bind(now_ms).bind(EXPIRE_MAX);
                    Ok(query.execute(tx).await?.rows_affected())
                })
            });
            if (cleared.await? as i64) < EXPIRE_MAX {
                return Ok(());
            }
        }
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
        let mut gained = HashMap::new();
        for (variant, rating) in ratings {
            let before: Option<f64> = sqlx::query_scalar(BEFORE)
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
        let query = sqlx::query_as(AssertSqlSafe(HISTORY.as_str()));
        let query = query.bind(account).bind(HISTORY_MAX);
        let mut rows: Vec<PointRow> = query.fetch_all(&self.readers).await?;
        // They come with the newest first; of one moment they stay in the order of their games.
        rows.reverse();
        rows.sort_by_key(|row| row.at_ms);
        let read = |row: PointRow| {
            let PointRow { variant, at_ms, rating, rd, id } = row;
            Ok(Point { variant, at_ms, rating, rd, game: PublicId::of_row(&id)? })
        };
        rows.into_iter().map(read).collect()
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

/// Writes the rating of an account in a variant. Leaderboards do not show it if the account is
/// closed.
pub(super) async fn save(
    tx: &mut SqliteConnection,
    account: AccountKey,
    variant: &str,
    rating: &Rating,
) -> Result<(), Error> {
    let sql = "INSERT INTO rating (account, variant, rating, rd, volatility, games, rated_ms,
                   established_until_ms)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7,
                   (SELECT ?8 FROM account WHERE key = ?1 AND closed_ms IS NULL))
               ON CONFLICT (account, variant) DO UPDATE SET
                   rating = excluded.rating, rd = excluded.rd, volatility = excluded.volatility,
                   games = excluded.games, rated_ms = excluded.rated_ms,
                   established_until_ms = excluded.established_until_ms";
    sqlx::query(sql)
        .bind(account)
        .bind(variant)
        .bind(rating.rating)
        .bind(rating.rd)
        .bind(rating.volatility)
        .bind(rating.games)
        .bind(rating.rated_ms)
        .bind(rating.established_until_ms())
        .execute(tx)
        .await?;
    Ok(())
}

/// Takes the ratings of an account that was closed from the leaderboards, or puts those of one that
/// was opened again back.
pub(super) async fn set_shown(tx: &mut SqliteConnection, account: AccountKey) -> Result<(), Error> {
    let rows: Vec<Row> = sqlx::query_as(RATINGS).bind(account).fetch_all(&mut *tx).await?;
    for row in rows {
        let (variant, rating) = row.read();
        save(tx, account, &variant, &rating).await?;
    }
    Ok(())
}
