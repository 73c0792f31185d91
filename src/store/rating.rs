//! Current ratings, rating histories and leaderboards.
//!
//! Ratings change in the transaction that ends a game. `established_until_ms` is the time at which
//! a rating becomes provisional again; it is `NULL` for provisional ratings and closed accounts,
//! which leaderboards do not list. Callers: `game`, `challenge` and `account` in `store`, and
//! `api::user`.

use super::batch::Batch;
use super::row::{SqlRow, one_row};
use super::sql::Conn;
use super::{Account, AccountKey, GameKey, PublicId, Store, StoreError};
use crate::play::rating::{DAILY_GAIN_PERIOD_MS, Rating, UNTESTED_AGE_MS};
use crate::variants;
use serde::de::DeserializeOwned;
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

#[derive(sqlx::FromRow)]
struct AccountRow {
    account: AccountKey,
    #[sqlx(flatten)]
    row: Row,
}

impl Row {
    fn into_rating(self) -> (String, Rating) {
        let Row { variant, rating, rd, volatility, games, rated_ms } = self;
        (variant, Rating { rating, rd, volatility, games, rated_ms })
    }
}

impl Store {
    /// Returns the ratings of an account by variant key, for the variants that it has played.
    pub async fn ratings(
        &self,
        account: AccountKey,
    ) -> Result<HashMap<String, Rating>, StoreError> {
        from_rows(&self.readers.query(RATINGS).bind(account).rows().await?)
    }
}

/// Returns the ratings in the rows of [`RATINGS`], by variant key.
pub(super) fn from_rows(rows: &[SqlRow]) -> Result<HashMap<String, Rating>, StoreError> {
    rows.iter().map(|row| Ok(row.decode::<Row>()?.into_rating())).collect()
}

pub(super) const RATINGS: &str =
    "SELECT variant, rating, rd, volatility, games, rated_ms FROM rating WHERE account = $1";

/// Maximum of points in a rating history; the newest ones count.
const HISTORY_MAX: i64 = 2000;

/// Number of games of the progress figure, as on lichess.
const PROGRESS_GAMES: i64 = 12;

/// Point of a rating history: the rating after a game.
#[derive(Clone, PartialEq, Debug)]
pub struct RatingPoint {
    /// Variant key.
    pub variant: String,
    /// End time of the game, in epoch milliseconds.
    pub at_ms: i64,
    pub rating: f64,
    /// Rating deviation.
    pub rd: f64,
    pub game: PublicId,
}

macro_rules! leaderboard {
    ($from:literal) => {
        concat!(
            "SELECT account.key, id, name, guest, bot, level,
                 variant, rating, rd, volatility, games, rated_ms,
                 (SELECT point.rating FROM rating_point point WHERE point.account = account.key
                      AND point.variant = rating.variant
                      ORDER BY at_ms DESC, game DESC LIMIT 1 OFFSET $4) AS before
             FROM ",
            $from,
            " AND variant = $1 AND established_until_ms > $2 AND closed_ms IS NULL
             ORDER BY rating DESC LIMIT $3"
        )
    };
}

/// Established ratings of people in a variant, highest first. [`Store::expire_ratings`] clears
/// expired times and closing an account clears its times, so that nearly all rows read are results.
pub(super) const LEADERBOARD: &str = leaderboard!(
    "rating INDEXED BY rating_established CROSS JOIN account ON account.key = rating.account
     WHERE NOT bot"
);

/// The same of bots, which are few.
const BOT_LEADERBOARD: &str = leaderboard!(
    "account INDEXED BY account_bot CROSS JOIN rating ON rating.account = account.key WHERE bot"
);

pub(super) const RATING_BEFORE: &str = "SELECT rating FROM rating_point
     WHERE account = $1 AND variant = $2 ORDER BY at_ms DESC, game DESC LIMIT 1 OFFSET $3";

/// Clears expired times; `$2` is the maximum per transaction.
pub(super) const EXPIRE_ESTABLISHED: &str = "UPDATE rating SET established_until_ms = NULL
     WHERE (account, variant) IN (SELECT account, variant FROM rating
         INDEXED BY rating_established_until WHERE established_until_ms <= $1 LIMIT $2)";

/// Maximum of ratings cleared per transaction.
const EXPIRE_MAX: i64 = 1000;

/// Newest points of an account. The points of each variant come from the primary key in order and
/// SQLite merges them.
static NEWEST_POINTS: LazyLock<String> = LazyLock::new(|| {
    let of = |variant: &variants::Variant| {
        format!(
            "SELECT variant, at_ms, game, rating, rd FROM rating_point
             WHERE account = $1 AND variant = '{}'",
            variant.info.key
        )
    };
    let parts: Vec<String> = variants::ALL.iter().map(of).collect();
    format!("{} ORDER BY at_ms DESC, game DESC LIMIT $2", parts.join(" UNION ALL "))
});

/// Times and ratings of these points as the items of a JSON array in one text, because sqlx takes
/// as long for a row as SQLite for finding it.
pub(super) static DATED_RATINGS: LazyLock<String> = LazyLock::new(|| {
    format!(
        r#"SELECT string_agg('["' || variant || '",' || at_ms || ',' || rating || ']', ',')
         FROM ({}) AS part"#,
        *NEWEST_POINTS
    )
});

/// The same with the ids of the games, which are read for the results only.
pub(super) static HISTORY: LazyLock<String> = LazyLock::new(|| {
    format!(
        r#"SELECT string_agg('["' || part.variant || '",' || at_ms || ',' || rating || ',' || rd
             || ',"' || id || '"]', ',')
         FROM ({}) AS part CROSS JOIN game ON game.key = part.game"#,
        *NEWEST_POINTS
    )
});

/// Entry of a leaderboard.
#[derive(Clone, Debug)]
pub struct RankedPlayer {
    pub account: Account,
    pub rating: Rating,
    /// Rating change over the last twelve games.
    pub progress: i32,
}

impl Store {
    /// Returns the `limit` highest ratings of a variant, of people or of bots, without provisional
    /// ratings and closed accounts.
    pub async fn leaderboard(
        &self,
        variant: &str,
        bots: bool,
        now_ms: i64,
        limit: i64,
    ) -> Result<Vec<RankedPlayer>, StoreError> {
        #[derive(sqlx::FromRow)]
        struct Ranking {
            #[sqlx(flatten)]
            account: Account,
            #[sqlx(flatten)]
            row: Row,
            before: Option<f64>,
        }
        let rows: Vec<Ranking> = self
            .readers
            .query(if bots { BOT_LEADERBOARD } else { LEADERBOARD })
            .bind(variant)
            .bind(now_ms)
            .bind(limit)
            .bind(PROGRESS_GAMES)
            .fetch_all()
            .await?;
        let ranked = |Ranking { account, row, before }: Ranking| {
            let rating = row.into_rating().1;
            RankedPlayer { account, progress: progress(&rating, before), rating }
        };
        Ok(rows.into_iter().map(ranked).collect())
    }

    /// Clears the times until which ratings are established, up to `now_ms`, in batches.
    pub async fn expire_ratings(&self, now_ms: i64) -> Result<(), StoreError> {
        loop {
            let cleared: Result<u64, StoreError> = self
                .writer
                .run(move |tx| {
                    Box::pin(async move {
                        let query = tx.query(EXPIRE_ESTABLISHED).bind(now_ms).bind(EXPIRE_MAX);
                        Ok(query.execute().await?)
                    })
                })
                .await;
            if (cleared? as i64) < EXPIRE_MAX {
                return Ok(());
            }
        }
    }

    /// Returns the rating change of an account over its last twelve games, by variant key.
    pub async fn progress(
        &self,
        account: AccountKey,
        ratings: &HashMap<String, Rating>,
    ) -> Result<HashMap<String, i32>, StoreError> {
        let mut gained = HashMap::new();
        for (variant, rating) in ratings {
            let before: Option<f64> = self
                .readers
                .query(RATING_BEFORE)
                .bind(account)
                .bind(variant)
                .bind(PROGRESS_GAMES)
                .optional_value()
                .await?;
            gained.insert(variant.clone(), progress(rating, before));
        }
        Ok(gained)
    }

    /// Returns the newest ratings of an account, oldest first: variant key, time in epoch
    /// milliseconds, rating.
    pub async fn dated_ratings(
        &self,
        account: AccountKey,
    ) -> Result<Vec<(String, i64, f64)>, StoreError> {
        let mut points = self.points(&DATED_RATINGS, account).await?;
        points.reverse();
        Ok(points)
    }

    /// Returns the newest points of the rating history of an account, oldest first.
    pub async fn rating_history(
        &self,
        account: AccountKey,
    ) -> Result<Vec<RatingPoint>, StoreError> {
        let mut points: Vec<(String, i64, f64, f64, String)> =
            self.points(&HISTORY, account).await?;
        // Points of the same time keep the order of their games, because the sort is stable.
        points.reverse();
        points.sort_by_key(|(_, at_ms, ..)| *at_ms);
        let read = |(variant, at_ms, rating, rd, id): (_, _, _, _, String)| {
            Ok(RatingPoint { variant, at_ms, rating, rd, game: PublicId::from_row(&id)? })
        };
        points.into_iter().map(read).collect()
    }

    /// Reads the items of a query of the newest points of an account.
    async fn points<T: DeserializeOwned>(
        &self,
        sql: &'static LazyLock<String>,
        account: AccountKey,
    ) -> Result<Vec<T>, StoreError> {
        let query = self.readers.query(sql.as_str()).bind(account).bind(HISTORY_MAX);
        let points: Option<String> = query.value().await?;
        serde_json::from_str(&format!("[{}]", points.unwrap_or_default()))
            .map_err(|error| StoreError::InvalidRow(format!("rating points: {error}")))
    }
}

/// Returns the change since the rating `before`; `None` stands for the initial rating.
fn progress(rating: &Rating, before: Option<f64>) -> i32 {
    if rating.games == 0 {
        return 0;
    }
    rating.rounded() - before.unwrap_or(Rating::default().rating).round() as i32
}

/// Appends a point to each of two rating histories, after a game.
pub(super) fn insert_points(
    batch: &mut Batch,
    accounts: [AccountKey; 2],
    variant: &str,
    [before, after]: [&[Rating; 2]; 2],
    game: GameKey,
) {
    batch.add(
        "INSERT INTO rating_point (account, variant, at_ms, game, rating, rd, rating_before, number)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8), ($9, $10, $11, $12, $13, $14, $15, $16)",
    );
    for ((account, before), rating) in accounts.iter().zip(before).zip(after) {
        batch
            .bind(*account)
            .bind(variant.to_owned())
            .bind(rating.rated_ms)
            .bind(game)
            .bind(rating.rating)
            .bind(rating.rd)
            .bind(before.rating)
            .bind(rating.games);
    }
}

/// Query of the ratings of two accounts in a variant.
pub(super) const BOTH_RATINGS: &str =
    "SELECT account, variant, rating, rd, volatility, games, rated_ms FROM rating
     WHERE account IN ($1, $2) AND variant = $3";

/// Returns the ratings of two accounts in the rows of [`BOTH_RATINGS`]; the initial rating if there
/// is none.
pub(super) fn both_from_rows(
    rows: &[SqlRow],
    accounts: [AccountKey; 2],
) -> Result<[Rating; 2], StoreError> {
    let mut ratings = HashMap::new();
    for row in rows {
        let AccountRow { account, row } = row.decode()?;
        ratings.insert(account, row.into_rating().1);
    }
    Ok(accounts.map(|account| ratings.get(&account).copied().unwrap_or_default()))
}

/// Player of a rated game that ends.
#[derive(Clone, Copy)]
pub(super) struct RatedPlayer {
    pub(super) rating: Rating,
    /// Rating at the beginning of the last [`DAILY_GAIN_PERIOD_MS`].
    pub(super) day_start: f64,
    /// Creation of the account, also as a guest, in epoch milliseconds.
    created_ms: i64,
}

impl RatedPlayer {
    /// Returns whether the account is new or the rating provisional.
    pub(super) fn is_untested(&self, now_ms: i64) -> bool {
        now_ms - self.created_ms < UNTESTED_AGE_MS || self.rating.is_provisional(now_ms)
    }
}

pub(super) const DAY_START: &str = "SELECT rating FROM rating_point
     WHERE account = $1 AND variant = $2 AND at_ms <= $3 ORDER BY at_ms DESC, game DESC LIMIT 1";

/// Returns the players of a game that ends at `now_ms`.
pub(super) async fn load_players(
    tx: &mut Conn,
    accounts: [AccountKey; 2],
    variant: &'static str,
    now_ms: i64,
) -> Result<[RatedPlayer; 2], StoreError> {
    let mut batch = Batch::default();
    batch.add(BOTH_RATINGS).bind(accounts[0]).bind(accounts[1]).bind(variant);
    for account in accounts {
        batch.add("SELECT created_ms FROM account WHERE key = $1").bind(account);
        batch.add(DAY_START).bind(account).bind(variant).bind(now_ms - DAILY_GAIN_PERIOD_MS);
    }
    let rows = batch.fetch(tx).await?;
    let ratings = both_from_rows(&rows[0], accounts)?;
    let player = |side: usize| -> Result<RatedPlayer, StoreError> {
        let (created_ms,) = one_row(&rows[1 + 2 * side])?.decode()?;
        let day_start: Option<(f64,)> =
            rows[2 + 2 * side].first().map(SqlRow::decode).transpose()?;
        let day_start = day_start.map_or(Rating::default().rating, |(rating,)| rating);
        Ok(RatedPlayer { rating: ratings[side], day_start, created_ms })
    };
    Ok([player(0)?, player(1)?])
}

/// Returns the rating of an account in a variant; the initial rating if there is none.
pub(super) async fn load(
    tx: &mut Conn,
    account: AccountKey,
    variant: &str,
) -> Result<Rating, StoreError> {
    let sql = "SELECT variant, rating, rd, volatility, games, rated_ms FROM rating
               WHERE account = $1 AND variant = $2";
    let row: Option<Row> = tx.query(sql).bind(account).bind(variant).fetch_optional().await?;
    Ok(row.map_or_else(Rating::default, |row| row.into_rating().1))
}

/// Stores the rating of an account in a variant. Ratings of closed accounts are not listed on
/// leaderboards.
pub(super) fn save(batch: &mut Batch, account: AccountKey, variant: &str, rating: &Rating) {
    batch
        .add(
            "INSERT INTO rating (account, variant, rating, rd, volatility, games, rated_ms,
                 established_until_ms)
             VALUES ($1, $2, $3, $4, $5, $6, $7,
                 (SELECT CAST($8 AS BIGINT) FROM account WHERE key = $9 AND closed_ms IS NULL))
             ON CONFLICT (account, variant) DO UPDATE SET
                 rating = excluded.rating, rd = excluded.rd, volatility = excluded.volatility,
                 games = excluded.games, rated_ms = excluded.rated_ms,
                 established_until_ms = excluded.established_until_ms",
        )
        .bind(account)
        .bind(variant.to_owned())
        .bind(rating.rating)
        .bind(rating.rd)
        .bind(rating.volatility)
        .bind(rating.games)
        .bind(rating.rated_ms)
        .bind(rating.established_until_ms())
        .bind(account);
}

/// Updates the leaderboards after an account was closed or reopened.
pub(super) async fn refresh_leaderboards(
    tx: &mut Conn,
    account: AccountKey,
) -> Result<(), StoreError> {
    let rows: Vec<Row> = tx.query(RATINGS).bind(account).fetch_all().await?;
    let mut batch = Batch::default();
    for row in rows {
        let (variant, rating) = row.into_rating();
        save(&mut batch, account, &variant, &rating);
    }
    batch.execute(tx).await
}
