//! Ratings that games store of their players, compared with the rating history.

use super::Error;
use super::game::GameRow;
use super::recount::APART_MS;
use crate::play::rating::Rating;
use sqlx::SqliteConnection;

/// Checks that each player's stored rating in a game is the one they had when it began. Games that
/// end at almost the same time may be stored in either order: then each of their ratings agrees.
///
/// Returns what does not agree.
pub(super) async fn stored_ratings(
    connection: &mut SqliteConnection,
    row: &GameRow,
) -> Result<Option<String>, Error> {
    let (variant, began_ms) = (row.setup.variant.info.key, row.setup.created_ms);
    for player in &row.players {
        let sql = "SELECT rating FROM rating_point WHERE account = ? AND variant = ?
                       AND at_ms BETWEEN ? AND ?";
        let mut known: Vec<f64> = sqlx::query_scalar(sql)
            .bind(player.account.key)
            .bind(variant)
            .bind(began_ms - APART_MS)
            .bind(began_ms + APART_MS)
            .fetch_all(&mut *connection)
            .await?;
        let sql = "SELECT rating FROM rating_point WHERE account = ? AND variant = ? AND at_ms < ?
                   ORDER BY at_ms DESC, game DESC LIMIT 1";
        let before: Option<f64> = sqlx::query_scalar(sql)
            .bind(player.account.key)
            .bind(variant)
            .bind(began_ms - APART_MS)
            .fetch_optional(&mut *connection)
            .await?;
        known.push(before.unwrap_or(Rating::default().rating));
        let shown =
            known.iter().map(|rating| Rating { rating: *rating, ..Rating::default() }.shown());
        if !shown.clone().any(|rating| rating == player.rating) {
            let (name, rating) = (&player.account.name, player.rating);
            let history: Vec<i32> = shown.collect();
            return Ok(Some(format!(
                "it stores a rating of {rating} for {name}, the rating history says {history:?}"
            )));
        }
    }
    Ok(None)
}
