//! Audit of the players' ratings in game rows against the rating history. Caller: `check`.

use super::ratings::REORDER_WINDOW_MS;
use super::voids::{PointPosition, Void, voids_of};
use crate::play::rating::Rating;
use crate::store::game_row::GameRow;
use crate::store::sql::Conn;
use crate::store::{AccountKey, StoreError};

/// Rating after a game.
#[derive(sqlx::FromRow)]
struct Point {
    #[sqlx(flatten)]
    position: PointPosition,
    rating: f64,
}

/// Checks that each player's rating stored in a game is the one at its start. Ratings within
/// [`REORDER_WINDOW_MS`] of the start also match, because concurrent ends of games may be committed
/// in another order. Returns a description of the first mismatch.
pub(super) async fn find_rating_mismatch(
    connection: &mut Conn,
    row: &GameRow,
) -> Result<Option<String>, StoreError> {
    let (variant, began_ms) = (row.setup.variant.info.key, row.setup.created_ms);
    for player in &row.players {
        let ratings = possible_ratings(connection, player.account.key, variant, began_ms).await?;
        let display_ratings =
            ratings.iter().map(|rating| Rating { rating: *rating, ..Rating::default() }.rounded());
        if !display_ratings.clone().any(|rating| rating == player.rating) {
            let (name, rating) = (&player.account.name, player.rating);
            let history: Vec<i32> = display_ratings.collect();
            return Ok(Some(format!(
                "the row stores a rating of {rating} for {name}, the rating history {history:?}"
            )));
        }
    }
    Ok(None)
}

/// Returns the ratings that an account may have had about a time.
async fn possible_ratings(
    connection: &mut Conn,
    account: AccountKey,
    variant: &str,
    at_ms: i64,
) -> Result<Vec<f64>, StoreError> {
    let (from_ms, until_ms) = (at_ms - REORDER_WINDOW_MS, at_ms + REORDER_WINDOW_MS);
    let sql = "SELECT number, at_ms AS ended_ms, game, rating FROM rating_point
               WHERE account = $1 AND variant = $2 AND at_ms BETWEEN $3 AND $4";
    let query = connection.query(sql).bind(account).bind(variant).bind(from_ms).bind(until_ms);
    let mut points: Vec<Point> = query.fetch_all().await?;
    let sql = "SELECT number, at_ms AS ended_ms, game, rating FROM rating_point
               WHERE account = $1 AND variant = $2 AND at_ms < $3
               ORDER BY at_ms DESC, game DESC LIMIT 1";
    let query = connection.query(sql).bind(account).bind(variant).bind(from_ms);
    let before: Option<Point> = query.fetch_optional().await?;
    let mut ratings = Vec::new();
    if before.is_none() {
        ratings.push(Rating::default().rating);
    }
    points.extend(before);
    let voids = voids_of(connection, account, variant).await?;
    for Point { position, rating } in points {
        ratings.extend(ratings_before_voids(&voids, position, rating, [from_ms, until_ms]));
    }
    for (number, void) in voids.iter().enumerate() {
        if let Some(point) = void.point
            && void.voided_ms >= from_ms
            && void.position.ended_ms <= until_ms
        {
            let earlier = &voids[..number];
            ratings.extend(ratings_before_voids(
                earlier,
                void.position,
                point,
                [from_ms, until_ms],
            ));
        }
    }
    Ok(ratings)
}

/// Returns the rating of a point before the voids after each of two times have changed it.
fn ratings_before_voids(
    voids: &[Void],
    position: PointPosition,
    rating: f64,
    times: [i64; 2],
) -> [f64; 2] {
    times.map(|time_ms| {
        rating + position.change_by(voids.iter().filter(|void| void.voided_ms > time_ms))
    })
}
