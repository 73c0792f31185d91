//! Finished game that the home page replays while no game is in progress, `GET /games/classic`.
//!
//! Games between people come first, then rated or long ones, then the newest. Only games that
//! reached the goal of their variant are chosen. A game whose log is damaged is skipped.

use crate::http::App;
use crate::http::api::timed_cache::TimedCache;
use crate::http::error::Error;
use crate::http::messages::{self, GameSummary};
use crate::play::event::GameStatus;
use crate::rooms::{GameRecord, Rooms};
use crate::store::GameRow;
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use std::cmp::Reverse;
use std::ops::RangeInclusive;
use std::time::Duration;
use utoipa::ToSchema;

/// Games among which the classic is chosen: the newest rated ones, and as many casual ones.
const CANDIDATES: i64 = 50;

/// Lengths of games worth a replay, in plies.
const PLIES: RangeInclusive<i64> = 8..=200;

/// Length from which a casual game is as good as a rated one, in plies.
const LONG_PLIES: i64 = 30;

/// Lifetime of the choice.
pub const LIFETIME: Duration = Duration::from_mins(1);

/// Finished game with its moves.
#[derive(Serialize, ToSchema)]
pub struct ClassicGame {
    #[serde(flatten)]
    game: GameSummary,
    /// Text of the start position.
    start: String,
    /// Notations of the moves.
    moves: Vec<String>,
}

/// Finished game, chosen for a replay.
#[derive(Serialize, ToSchema)]
pub struct ClassicOut {
    /// The game; null if there is none.
    #[schema(required)]
    game: Option<ClassicGame>,
}

/// Cache of the chosen game.
pub type ClassicCache = TimedCache<Option<GameRecord>>;

/// Returns the games that are worth a replay, best first.
fn rank(mut games: Vec<GameRow>) -> Vec<GameRow> {
    let is_worth_it = |game: &GameRow| {
        let is_at_goal =
            game.result.is_some_and(|ended| ended.end.status == GameStatus::VariantEnd);
        is_at_goal && game.plies.is_some_and(|plies| PLIES.contains(&plies))
    };
    games.retain(is_worth_it);
    games.sort_by_cached_key(|game| {
        let is_between_people = game.players.iter().all(|player| !player.account.bot);
        let is_long = game.plies.is_some_and(|plies| plies >= LONG_PLIES);
        Reverse((is_between_people, game.rated || is_long, game.ended_ms))
    });
    games
}

/// Returns the best game for a replay whose log agrees with the rules.
async fn choose(rooms: &Rooms) -> Result<Option<GameRecord>, Error> {
    for game in rank(rooms.store().games_ended_by_rules(CANDIDATES).await?) {
        let id = game.id;
        match rooms.verified_record(game).await {
            Ok(record) => return Ok(Some(record)),
            Err(error) if error.is_invalid_log() => {
                tracing::error!(game.id = %id, %error, "Skipped a damaged game of the home page")
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(None)
}

/// Returns a finished game that reached the goal of its variant, with its moves: the newest good
/// one between people, otherwise one against the computer.
///
/// The choice may be a minute old.
#[utoipa::path(get, path = "/games/classic", operation_id = "classic", tag = "games",
    responses((status = 200, body = ClassicOut)))]
pub async fn show(State(app): State<App>) -> Result<Json<ClassicOut>, Error> {
    let found = app.classic.get(choose(&app.rooms)).await?;
    let game = found.as_ref().as_ref().map(|record| ClassicGame {
        game: messages::game_summary(&record.row),
        start: record.start.clone(),
        moves: record.moves.clone(),
    });
    Ok(Json(ClassicOut { game }))
}
