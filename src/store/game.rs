//! Reads of games, and the end of a game.
//!
//! A row changes only when its game ends: events, result, ratings and statistics are then stored in
//! one transaction. Callers: `rooms` and `http`.

use super::batch::Batch;
use super::columns::{days_per_move, side_str};
use super::event_log::{Append, Appended, finish_log};
use super::game_row::{FinalResult, GameRow, RawGameRow, select_games};
use super::sql::{Conn, Query};
use super::task_lock::TaskLock;
use super::turn_state::{self, TurnState};
use super::{Change, GameKey, PublicId, Store, StoreError, conditional, rating, stats};
use crate::play::event::{DrawReason, GameEnd, GameStatus};
use crate::play::game::Game;
use crate::play::rating::{GainLimit, GainTerms, limit_gain, rate_game};
use crate::rules::{Ending, Outcome};
use serde_json::json;
use std::sync::Arc;

/// Query of the game with an id.
pub(super) const BY_ID: &str = select_games!("WHERE game.id = $1");

/// End of a game, to be stored.
#[derive(Clone, Debug)]
pub struct GameFinish {
    /// Last events of the game; the final one is the end.
    pub events: Vec<Append>,
    /// Status, winner and reason.
    pub end: GameEnd,
    /// Ending by the rules of the variant.
    pub ending: Option<Ending>,
    pub plies: usize,
    /// Whether both sides have moved; otherwise ratings do not change.
    pub has_both_moved: bool,
    /// End time, in epoch milliseconds.
    pub now_ms: i64,
}

/// Reason why the end of a game was not stored.
#[derive(Debug, thiserror::Error)]
pub enum FinishError {
    /// The first event is in conflict with the log.
    #[error("conflicting event: {0:?}")]
    Conflict(Appended),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Store {
    pub async fn game(&self, id: &PublicId) -> Result<Option<GameRow>, StoreError> {
        load(self.readers.query(BY_ID), id).await
    }

    /// Ends a game: appends its last events and stores the result, both ratings and the statistics
    /// in one transaction.
    ///
    /// # Errors
    /// [`FinishError::Conflict`] if the first append is in conflict.
    pub async fn finish_game(
        &self,
        game: GameRow,
        finish: GameFinish,
    ) -> Result<FinalResult, FinishError> {
        let (key, logs, own_logs) = (game.key, self.logs.clone(), self.logs.clone());
        let locks = game.player_keys().map(TaskLock::Account);
        self.writer
            .run_locking_then(
                locks,
                move |tx| {
                    Box::pin(async move {
                        let mut batch = Batch::default();
                        match finish_log(tx, &mut batch, &logs, &finish.events).await? {
                            Appended::Accepted => {}
                            conflict => return Err(FinishError::Conflict(conflict)),
                        }
                        let (diff, limits) = rate_players(tx, &mut batch, &game, &finish).await?;
                        let (end, ending) = (finish.end, finish.ending);
                        let result = FinalResult { end, ending, diff, limits, is_voided: false };
                        set_result(&mut batch, game.key, &result, &finish);
                        if game.setup.pace.clock().is_none() {
                            batch.add(turn_state::DELETE).bind(game.key);
                            batch.add(conditional::DELETE).bind(game.key);
                        }
                        stats::add_result(&mut batch, &game, &finish.end);
                        batch.execute_together(tx).await?;
                        let ended = GameRow {
                            result: Some(result),
                            ended_ms: Some(finish.now_ms),
                            plies: Some(finish.plies as i64),
                            ..game
                        };
                        tx.announce(Change::GameOver(ended.id, Some(Arc::new(ended))));
                        Ok(result)
                    })
                },
                move || own_logs.finish(key),
            )
            .await
    }
}

/// Returns the game of an id, by [`BY_ID`].
pub(super) async fn load(query: Query<'_>, id: &PublicId) -> Result<Option<GameRow>, StoreError> {
    let row: Option<RawGameRow> = query.bind(id.as_str()).fetch_optional().await?;
    row.map(RawGameRow::into_game).transpose()
}

/// Rating changes of both sides, if any, and why they gained less than the ratings give.
type RatingChange = (Option<[i32; 2]>, [Option<GainLimit>; 2]);

/// Applies a rated result to both ratings.
async fn rate_players(
    tx: &mut Conn,
    batch: &mut Batch,
    game: &GameRow,
    finish: &GameFinish,
) -> Result<RatingChange, StoreError> {
    if !game.rated || finish.end.status.is_aborted() || !finish.has_both_moved {
        return Ok((None, [None; 2]));
    }
    let info = game.setup.variant.info;
    let keys = game.player_keys();
    let players = rating::load_players(tx, keys, info.key, finish.now_ms).await?;
    let before = players.map(|player| player.rating);
    let outcome = finish.end.winner.map_or(Outcome::Draw, Outcome::Win);
    let mut after = rate_game(before, outcome, finish.now_ms);
    let is_short = finish.end.is_short(finish.plies, info);
    let mut limits = [None; 2];
    for side in [0, 1] {
        let terms = GainTerms {
            is_short,
            is_opponent_untested: players[1 - side].is_untested(finish.now_ms),
            day_start: players[side].day_start,
        };
        (after[side], limits[side]) = limit_gain(&before[side], after[side], terms);
        rating::save(batch, keys[side], info.key, &after[side]);
    }
    rating::insert_points(batch, keys, info.key, [&before, &after], game.key);
    Ok((Some([0, 1].map(|side| after[side].rounded() - before[side].rounded())), limits))
}

fn set_result(batch: &mut Batch, game: GameKey, result: &FinalResult, finish: &GameFinish) {
    batch
        .add(
            "UPDATE game SET status = $1, winner = $2, reason = $3, ending = $4, ended_ms = $5,
                 first_diff = $6, second_diff = $7, first_limit = $8, second_limit = $9,
                 plies = $10
             WHERE key = $11",
        )
        .bind(result.end.status as i64)
        .bind(result.end.winner.map(side_str))
        .bind(result.end.reason.map(DrawReason::as_str))
        .bind(result.ending.map(|ending| json!(ending).to_string()))
        .bind(finish.now_ms)
        .bind(result.diff.map(|diff| diff[0]))
        .bind(result.diff.map(|diff| diff[1]))
        .bind(result.limits[0].map(GainLimit::as_str))
        .bind(result.limits[1].map(GainLimit::as_str))
        .bind(finish.plies as i64)
        .bind(game);
}

/// Inserts a new game.
pub(super) fn insert(batch: &mut Batch, game: &GameRow) {
    let sql =
        "INSERT INTO game (key, id, variant, options, seed, salt, rated, initial_ms, increment_ms,
                   first, second, first_rating, second_rating, first_provisional,
                   second_provisional, created_ms, status, days, challenge)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
                   $17, $18, $19)";
    let [first, second] = &game.players;
    batch
        .add(sql)
        .bind(game.key)
        .bind(game.id.to_string())
        .bind(game.setup.variant.info.key)
        .bind(game.setup.options.to_string())
        .bind(game.setup.seed.cast_signed())
        .bind(game.salt.clone())
        .bind(game.rated)
        .bind(game.setup.pace.clock().map(|time| time.initial_ms))
        .bind(game.setup.pace.clock().map(|time| time.increment_ms))
        .bind(first.account.key)
        .bind(second.account.key)
        .bind(first.rating)
        .bind(second.rating)
        .bind(first.provisional)
        .bind(second.provisional)
        .bind(game.setup.created_ms)
        .bind(GameStatus::Started as i64)
        .bind(days_per_move(game.setup.pace))
        .bind(game.challenge.map(|id| id.to_string()));
    if game.setup.pace.clock().is_none()
        && let Some(state) = TurnState::new(game, &Game::new(game.setup.clone()))
    {
        state.add_to(batch, game.key);
    }
}
