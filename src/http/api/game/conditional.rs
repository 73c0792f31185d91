//! Conditional moves of a player in a game with days per move. Caller: the router.

use crate::http::App;
use crate::http::api::rules::run_query;
use crate::http::error::Error;
use crate::http::extract::game_player::PlayerInGame;
use crate::http::extract::id::parse_id;
use crate::http::extract::json_body::JsonBody;
use crate::http::messages::ErrorBody;
use crate::play::command::Refusal;
use crate::play::conditional::{ConditionalMoves, InvalidConditionalMoves};
use crate::play::reason::Reason;
use crate::rooms::GameSnapshot;
use crate::rules::Side;
use axum::Json;
use axum::extract::{Path, State};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Conditional moves of the requester in a game.
#[derive(Serialize, ToSchema)]
pub struct ConditionalOut {
    /// Number of plies played.
    ply: usize,
    /// Lines from there, each as notations with spaces in between.
    lines: Vec<String>,
}

/// New conditional moves.
#[derive(Deserialize, ToSchema)]
pub struct ConditionalForm {
    /// Number of plies played when the lines were made. Required.
    pub ply: usize,
    /// At most 20 lines of at most 20 moves, each as notations with spaces in between, and with the
    /// opponent's move first. Required; without lines, the conditional moves are removed.
    pub lines: Vec<String>,
}

/// Returns the state of the game, and the side of the requester.
async fn own_game(
    app: &App,
    player: &PlayerInGame,
    id: &str,
) -> Result<(GameSnapshot, Side), Error> {
    let snapshot = app.rooms.snapshot(&parse_id(id)?).await?;
    let side = snapshot.row.side_of(player.account.key).ok_or(Refusal::NotAPlayer)?;
    Ok((snapshot, side))
}

fn conditional_out(moves: Option<&ConditionalMoves>, game: &GameSnapshot) -> ConditionalOut {
    let remaining = |moves: &ConditionalMoves| {
        let rest = moves.remaining(&game.moves, game.takebacks);
        rest.into_iter().map(|moves| moves.join(" ")).collect()
    };
    ConditionalOut { ply: game.moves.len(), lines: moves.map(remaining).unwrap_or_default() }
}

/// Returns the requester's conditional moves, as far as the game follows them. Other accounts
/// cannot read them.
#[utoipa::path(get, path = "/game/{id}/conditional", operation_id = "conditionalMoves",
    tag = "play", params(("id" = String, Path)),
    responses((status = 200, body = ConditionalOut), (status = "4XX", body = ErrorBody)))]
pub async fn show(
    State(app): State<App>,
    player: PlayerInGame,
    Path(id): Path<String>,
) -> Result<Json<ConditionalOut>, Error> {
    let (snapshot, _) = own_game(&app, &player, &id).await?;
    let stored = app.rooms.store().conditional_moves(snapshot.row.key, player.account.key).await?;
    Ok(Json(conditional_out(stored.as_ref(), &snapshot)))
}

/// Replaces the requester's conditional moves in a game with days per move, while the opponent is
/// to move. If the opponent makes the first move of a line, the server replies with the next one at
/// once. Without lines, the conditional moves are removed at any time.
///
/// A draw offer that the opponent has made before the move waits for an answer first. A takeback,
/// and a move that no line has, remove the lines.
#[utoipa::path(post, path = "/game/{id}/conditional", operation_id = "setConditionalMoves",
    tag = "play", params(("id" = String, Path)), request_body = ConditionalForm,
    responses((status = 200, body = ConditionalOut), (status = "4XX", body = ErrorBody)))]
pub async fn set(
    State(app): State<App>,
    player: PlayerInGame,
    Path(id): Path<String>,
    JsonBody(form): JsonBody<ConditionalForm>,
) -> Result<Json<ConditionalOut>, Error> {
    let (snapshot, side) = own_game(&app, &player, &id).await?;
    let (game, account) = (snapshot.row.id, player.account.key);
    if form.lines.is_empty() {
        app.rooms.set_conditional_moves(&game, account, None).await?;
        return Ok(Json(conditional_out(None, &snapshot)));
    }
    if snapshot.row.result.is_some() {
        return Err(Refusal::GameOver.into());
    }
    if snapshot.due_ms.is_none() {
        let why = "Conditional moves need a game with days per move.".to_owned();
        return Err(Error::InvalidField(Reason::NoDays, why));
    }
    let played = snapshot.moves.len();
    if form.ply != played {
        return Err(Refusal::Stale { seen: form.ply, played }.into());
    }
    let checked = run_query(&app, move || {
        let line = snapshot.line().map_err(|_| Error::Internal)?;
        let moves = ConditionalMoves::new(&line, snapshot.takebacks, side, &form.lines)?;
        Ok((moves, snapshot))
    });
    let (moves, snapshot) = checked.await?;
    let out = conditional_out(Some(&moves), &snapshot);
    app.rooms.set_conditional_moves(&game, account, Some(moves)).await?;
    Ok(Json(out))
}

impl From<InvalidConditionalMoves> for Error {
    fn from(invalid: InvalidConditionalMoves) -> Error {
        Error::InvalidField(invalid.code(), invalid.to_string())
    }
}
