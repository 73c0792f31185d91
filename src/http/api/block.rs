//! Blocked players.

use crate::http::App;
use crate::http::api::user::load_other_player;
use crate::http::error::Error;
use crate::http::extract::auth::Viewer;
use crate::http::messages::{DONE, Done, ErrorBody};
use crate::rooms::now_ms;
use crate::store::Account;
use axum::Json;
use axum::extract::{Path, State};
use serde::Serialize;
use utoipa::ToSchema;

/// Id and name of a player.
#[derive(Serialize, ToSchema)]
pub struct PlayerName {
    id: String,
    name: String,
}

/// Players blocked by the requester.
#[derive(Serialize, ToSchema)]
pub struct BlockedPlayers {
    blocked: Vec<PlayerName>,
}

/// Returns the players blocked by the requester.
#[utoipa::path(get, path = "/rel/blocking", tag = "players",
    responses((status = 200, body = BlockedPlayers), (status = "4XX", body = ErrorBody)))]
pub async fn blocking(
    State(app): State<App>,
    viewer: Viewer,
) -> Result<Json<BlockedPlayers>, Error> {
    let (account, _) = viewer.require_session()?;
    let blocked = app.rooms.store().blocked_by(account.key).await?;
    let name = |Account { id, name, .. }: Account| PlayerName { id, name };
    Ok(Json(BlockedPlayers { blocked: blocked.into_iter().map(name).collect() }))
}

/// Blocks a player: no challenges, no chat, and neither player sees the other's challenges. Neither
/// follows the other any more, also after the end of the block.
#[utoipa::path(post, path = "/rel/block/{username}", tag = "players", params(("username" = String, Path)),
    responses((status = 200, body = Done), (status = "4XX", body = ErrorBody)))]
pub async fn block(
    State(app): State<App>,
    viewer: Viewer,
    Path(name): Path<String>,
) -> Result<Json<Done>, Error> {
    let (account, _) = viewer.require_session()?;
    let other = load_other_player(&app, &account, &name).await?;
    let result = app.rooms.store().block(account.key, other.key, now_ms()).await;
    result.map_err(|why| Error::from_limit(why, "blocked players"))?;
    Ok(Json(DONE))
}

/// Unblocks a player.
#[utoipa::path(post, path = "/rel/unblock/{username}", tag = "players", params(("username" = String, Path)),
    responses((status = 200, body = Done), (status = "4XX", body = ErrorBody)))]
pub async fn unblock(
    State(app): State<App>,
    viewer: Viewer,
    Path(name): Path<String>,
) -> Result<Json<Done>, Error> {
    let (account, _) = viewer.require_session()?;
    let other = load_other_player(&app, &account, &name).await?;
    app.rooms.store().unblock(account.key, other.key).await?;
    Ok(Json(DONE))
}
