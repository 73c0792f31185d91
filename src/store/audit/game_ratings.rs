//! Audit of the players' ratings in game rows against the rating history.

use super::ratings::REORDER_WINDOW_MS;
use crate::play::rating::Rating;
use crate::store::StoreError;
use crate::store::game_row::GameRow;
use crate::store::sql::Conn;

/// Checks that each player's rating stored in a game is the one at its start. Ratings within
/// [`REORDER_WINDOW_MS`] of the start also match, because concurrent ends of games may be committed
/// in another order. Returns a description of the first mismatch.
pub(super) async fn find_rating_mismatch(
    connection: &mut Conn,
    row: &GameRow,
) -> Result<Option<String>, StoreError> {
    let (variant, began_ms) = (row.setup.variant.info.key, row.setup.created_ms);
    for player in &row.players {
        let sql = "SELECT rating FROM rating_point WHERE account = $1 AND variant = $2
                       AND at_ms BETWEEN $3 AND $4";
        let mut candidates: Vec<f64> = connection
            .query(sql)
            .bind(player.account.key)
            .bind(variant)
            .bind(began_ms - REORDER_WINDOW_MS)
            .bind(began_ms + REORDER_WINDOW_MS)
            .values()
            .await?;
        let sql =
            "SELECT rating FROM rating_point WHERE account = $1 AND variant = $2 AND at_ms < $3
                   ORDER BY at_ms DESC, game DESC LIMIT 1";
        let before: Option<f64> = connection
            .query(sql)
            .bind(player.account.key)
            .bind(variant)
            .bind(began_ms - REORDER_WINDOW_MS)
            .optional_value()
            .await?;
        candidates.push(before.unwrap_or(Rating::default().rating));
        let display_ratings = candidates
            .iter()
            .map(|rating| Rating { rating: *rating, ..Rating::default() }.rounded());
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
