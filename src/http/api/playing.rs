//! Endpoint of the requester's games in progress. Caller: the router.

use crate::http::App;
use crate::http::error::Error;
use crate::http::extract::auth::{Scope, Viewer};
use crate::http::extract::fields::check_range;
use crate::http::extract::query_params::QueryParams;
use crate::http::messages::{self, ErrorBody, PlayerGameOut};
use crate::store::GameInProgress;
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Games that the list has at most.
const NOW_PLAYING_MAX: i64 = 50;

/// Games in progress of the requester.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NowPlaying {
    now_playing: Vec<PlayerGameOut>,
    /// Games against people in which it is the requester's turn, including games that are not in
    /// the list.
    nb_my_turn: usize,
}

/// Length of the list of games in progress.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PlayingQuery {
    /// Number of games, 50 by default.
    #[param(minimum = 1, maximum = 50)]
    nb: Option<i64>,
}

/// Lists the requester's games in progress, the most urgent first.
#[utoipa::path(get, path = "/account/playing", tag = "account", params(PlayingQuery),
    responses((status = 200, body = NowPlaying), (status = "4XX", body = ErrorBody)))]
pub async fn playing(
    State(app): State<App>,
    viewer: Viewer,
    QueryParams(query): QueryParams<PlayingQuery>,
) -> Result<Json<NowPlaying>, Error> {
    let account = viewer.require_scope(&Scope::EVENTS)?;
    let limit =
        check_range("nb", query.nb.unwrap_or(NOW_PLAYING_MAX), 1..=NOW_PLAYING_MAX)? as usize;
    let mut active = app.rooms.store().games_in_progress(account.key).await?;
    let is_own_turn = |game: &GameInProgress| game.turn == game.row.side_of(account.key);
    active.sort_by_key(|game| {
        let is_to_move = game.turn.is_none() || is_own_turn(game);
        (!is_to_move, app.rooms.due_ms(game).unwrap_or(i64::MAX), game.row.setup.created_ms)
    });
    let rest = active.split_off(active.len().min(NOW_PLAYING_MAX as usize));
    let mut games = Vec::new();
    for active_game in active {
        let snapshot = match app.rooms.snapshot(&active_game.row.id).await {
            Err(error) if error.is_invalid_log() => continue,
            snapshot => snapshot?,
        };
        games.extend(
            messages::player_game(&snapshot, account.key).filter(|_| snapshot.row.result.is_none()),
        );
    }
    let own_turns = games.iter().filter(|game| game.keeps_opponent_waiting()).count();
    let is_awaited = |game: &&GameInProgress| is_own_turn(game) && !game.row.is_against_engine();
    let nb_my_turn = own_turns + rest.iter().filter(is_awaited).count();
    games.sort_by_key(PlayerGameOut::turn_priority);
    games.truncate(limit);
    Ok(Json(NowPlaying { now_playing: games, nb_my_turn }))
}
