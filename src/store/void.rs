//! Voids of rated games by moderators: each player's rating moves back by what the game changed.
//!
//! Deviation and volatility stay, unless it was the player's only game. The rating point of the
//! game is removed, and points of games that were rated later move by the same change, so that the
//! history leads to the present rating; they may be below the minimum of ratings. The changes stay
//! as rows of `voided_rating`, from which `audit` recomputes ratings. Callers: `api::moderation` in
//! `http`, and `cli`.

use super::batch::Batch;
use super::columns::side_str;
use super::game_row::GameRow;
use super::mod_log::{LoggedAction, Moderator, log_action};
use super::sql::Conn;
use super::{AccountKey, GameKey, PublicId, Store, StoreError, game, rating, stats};
use crate::play::rating::Rating;

/// Maximum difference between the change of a rating and that of its displayed value, for points
/// of earlier versions.
const ROUNDING: f64 = 1.0;

/// Reason why a game was not voided.
#[derive(Debug, thiserror::Error)]
pub enum VoidError {
    #[error("there is no such game")]
    Unknown,
    #[error("the game is not over")]
    NotOver,
    /// The game is casual, or was aborted.
    #[error("the game has changed no ratings")]
    Unrated,
    #[error("the game is void already")]
    Voided,
    /// The moderator has played the game.
    #[error("the moderator has played the game")]
    OwnGame,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Player of a game that is voided.
struct VoidedSide {
    account: AccountKey,
    variant: &'static str,
    game: GameKey,
    ended_ms: i64,
    /// Displayed change of the rating.
    diff: i32,
    result: &'static str,
}

#[derive(sqlx::FromRow)]
struct PointRow {
    rating: f64,
    rd: f64,
    /// Rating before the game, and number of the game; `None` in points of earlier versions.
    rating_before: Option<f64>,
    number: Option<i64>,
}

/// Moves the points after that of a game with a number. Those of earlier versions are before it.
const MOVE_NUMBERED: &str = "UPDATE rating_point
     SET rating = rating - $1, rating_before = rating_before - $1, number = number - 1
     WHERE account = $2 AND variant = $3 AND number > $4";

/// The same for a point of an earlier version: games in the order of their ends.
const MOVE_UNNUMBERED: &str = "UPDATE rating_point
     SET rating = rating - $1, rating_before = rating_before - $1, number = number - 1
     WHERE account = $2 AND variant = $3 AND (number IS NOT NULL OR (at_ms, game) > ($4, $5))";

impl Store {
    /// Voids a game that has changed ratings, and logs it for both players.
    pub async fn void_game(
        &self,
        id: PublicId,
        moderator: Moderator,
        now_ms: i64,
    ) -> Result<(), VoidError> {
        self.writer
            .run(move |tx| Box::pin(async move { void(tx, &id, moderator, now_ms).await }))
            .await
    }
}

async fn void(
    tx: &mut Conn,
    id: &PublicId,
    moderator: Moderator,
    now_ms: i64,
) -> Result<(), VoidError> {
    let game = game::load(tx.query(game::BY_ID), id).await?.ok_or(VoidError::Unknown)?;
    let (result, ended_ms) = game.result.zip(game.ended_ms).ok_or(VoidError::NotOver)?;
    let diff = result.diff.ok_or(VoidError::Unrated)?;
    if result.is_voided {
        return Err(VoidError::Voided);
    }
    let players = game.player_keys();
    if moderator.account.is_some_and(|account| players.contains(&account)) {
        return Err(VoidError::OwnGame);
    }
    let winner = result.end.winner.map(side_str);
    for (side, own) in ["first", "second"].into_iter().enumerate() {
        let side = VoidedSide {
            account: players[side],
            variant: game.setup.variant.info.key,
            game: game.key,
            ended_ms,
            diff: diff[side],
            result: winner.map_or("draw", |winner| if winner == own { "win" } else { "loss" }),
        };
        take_back(tx, &side).await?;
        let logged = LoggedAction::new(side.account, "void-game");
        let logged = LoggedAction { game: Some(id.to_string()), ..logged };
        log_action(tx, logged, moderator.clone(), now_ms).await?;
    }
    mark(tx, &game, now_ms).await?;
    Ok(())
}

/// Takes back the change of a player's rating.
async fn take_back(tx: &mut Conn, side: &VoidedSide) -> Result<(), StoreError> {
    let VoidedSide { account, variant, game, ended_ms, result, .. } = *side;
    let sql = "DELETE FROM rating_point WHERE account = $1 AND variant = $2 AND at_ms = $3
                   AND game = $4 RETURNING rating, rd, rating_before, number";
    let query = tx.query(sql).bind(account).bind(variant).bind(ended_ms).bind(game);
    let point: Option<PointRow> = query.fetch_optional().await?;
    let change = change_of_game(tx, side, point.as_ref()).await?;
    let present = rating::load(tx, account, variant).await?;
    let after = present.take_back(change);
    let change = present.rating - after.rating;
    let number = point.as_ref().and_then(|point| point.number);
    let mut batch = Batch::default();
    batch
        .add(
            "INSERT INTO voided_rating (account, variant, game, result, point, rd, number, change,
                 games)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        )
        .bind(account)
        .bind(variant)
        .bind(game)
        .bind(result)
        .bind(point.as_ref().map(|point| point.rating))
        .bind(point.as_ref().map(|point| point.rd))
        .bind(number)
        .bind(change)
        .bind(present.games);
    let sql = if number.is_some() { MOVE_NUMBERED } else { MOVE_UNNUMBERED };
    let query = batch.add(sql).bind(change).bind(account).bind(variant);
    match number {
        Some(number) => query.bind(number),
        None => query.bind(ended_ms).bind(game),
    };
    rating::save(&mut batch, account, variant, &after);
    batch.execute(tx).await
}

/// Returns the change of a rating by a game. Points of earlier versions do not have it: then it is
/// the difference from the point before or, as the games may have been rated in another order, the
/// displayed change.
async fn change_of_game(
    tx: &mut Conn,
    &VoidedSide { account, variant, game, ended_ms, diff, .. }: &VoidedSide,
    point: Option<&PointRow>,
) -> Result<f64, StoreError> {
    let diff = f64::from(diff);
    let Some(point) = point else { return Ok(diff) };
    if let Some(before) = point.rating_before {
        return Ok(point.rating - before);
    }
    let sql = "SELECT rating FROM rating_point WHERE account = $1 AND variant = $2
                   AND (at_ms, game) < ($3, $4) ORDER BY at_ms DESC, game DESC LIMIT 1";
    let query = tx.query(sql).bind(account).bind(variant).bind(ended_ms).bind(game);
    let before = query.optional_value().await?.unwrap_or(Rating::default().rating);
    let change = point.rating - before;
    Ok(if (change - diff).abs() <= ROUNDING { change } else { diff })
}

/// Marks the row of the game, and removes its result from the counts.
async fn mark(tx: &mut Conn, game: &GameRow, now_ms: i64) -> Result<(), StoreError> {
    let mut batch = Batch::default();
    let sql = "UPDATE game SET voided_ms = $1 WHERE key = $2";
    batch.add(sql).bind(now_ms).bind(game.key);
    if let Some(result) = &game.result {
        stats::remove_result(&mut batch, game, &result.end);
    }
    batch.execute(tx).await
}
