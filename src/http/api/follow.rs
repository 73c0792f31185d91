//! Players whom the requester follows, and its last opponents. Caller: the router.

use crate::http::App;
use crate::http::api::account::load_user_view;
use crate::http::api::user::{load_other_player, presence};
use crate::http::error::Error;
use crate::http::extract::auth::{Scope, Viewer};
use crate::http::extract::challenge_viewer::presence_viewer;
use crate::http::extract::origin::origin;
use crate::http::messages::{self, DONE, Done, ErrorBody, PresenceOut, UserOut};
use crate::http::transport::ndjson::NDJSON;
use crate::play::reason::Reason;
use crate::rooms::now_ms;
use crate::store::{Account, AccountKey};
use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use std::collections::HashSet;
use utoipa::ToSchema;

/// Maximum of last opponents.
const OPPONENTS_MAX: usize = 20;

/// Returns the requester's account, which is no guest.
fn require_follower(viewer: Viewer) -> Result<Account, Error> {
    let account = viewer.require_scope(&[Scope::FollowWrite])?;
    if account.guest { Err(Error::NeedsAccount) } else { Ok(account) }
}

/// Follows a player with an account, whom the home page lists first while they are online. Only the
/// follower sees the list. A block by one of the two ends it.
#[utoipa::path(post, path = "/rel/follow/{username}", tag = "players", params(("username" = String, Path)),
    responses((status = 200, body = Done), (status = "4XX", body = ErrorBody)))]
pub async fn follow(
    State(app): State<App>,
    viewer: Viewer,
    Path(name): Path<String>,
) -> Result<Json<Done>, Error> {
    let account = require_follower(viewer)?;
    let other = load_other_player(&app, &account, &name).await?;
    if other.guest || other.level.is_some() {
        let why = "Guests and the computer cannot be followed. Follow a player with an account.";
        return Err(Error::InvalidField(Reason::BadField, why.to_owned()));
    }
    app.rooms.store().follow(account.key, other.key, now_ms()).await?;
    Ok(Json(DONE))
}

/// Ends following a player.
#[utoipa::path(post, path = "/rel/unfollow/{username}", tag = "players", params(("username" = String, Path)),
    responses((status = 200, body = Done), (status = "4XX", body = ErrorBody)))]
pub async fn unfollow(
    State(app): State<App>,
    viewer: Viewer,
    Path(name): Path<String>,
) -> Result<Json<Done>, Error> {
    let account = require_follower(viewer)?;
    let other = load_other_player(&app, &account, &name).await?;
    app.rooms.store().unfollow(account.key, other.key).await?;
    Ok(Json(DONE))
}

/// Returns the players whom the requester follows, by name, as lines of JSON.
#[utoipa::path(get, path = "/rel/following", tag = "players",
    responses((status = 200, content((UserOut = "application/x-ndjson"))), (status = "4XX", body = ErrorBody)))]
pub async fn following(
    State(app): State<App>,
    viewer: Viewer,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let account = viewer.require_scope(&[Scope::FollowRead])?;
    let viewer = presence_viewer(&app, Some(&account)).await?;
    let mut lines = Vec::new();
    for other in app.rooms.store().followed_by(account.key).await? {
        let Some(view) = load_user_view(&app, &other.id).await? else { continue };
        let mut out = messages::user(&app, &view, &viewer, &origin(&app, &headers));
        out.following = Some(true);
        serde_json::to_writer(&mut lines, &out).map_err(|_| Error::Internal)?;
        lines.push(b'\n');
    }
    Ok(([(header::CONTENT_TYPE, NDJSON)], lines).into_response())
}

/// Players whom the requester knows.
#[derive(Serialize, ToSchema)]
pub struct PeopleOut {
    /// Players whom the requester follows, by name.
    following: Vec<PresenceOut>,
    /// Players of the requester's newest games, the last opponent first.
    opponents: Vec<LastOpponent>,
}

/// Player of one of the newest games.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LastOpponent {
    #[serde(flatten)]
    presence: PresenceOut,
    /// Whether the requester follows the player.
    following: bool,
    /// Id of the newest game against the player.
    last_game: String,
    /// Start of that game.
    last_played_at: i64,
}

/// Returns the players whom the account follows, and its last opponents, at most 20: people with an
/// account.
#[utoipa::path(get, path = "/account/people", operation_id = "people", tag = "account",
    responses((status = 200, body = PeopleOut), (status = "4XX", body = ErrorBody)))]
pub async fn people(State(app): State<App>, viewer: Viewer) -> Result<Json<PeopleOut>, Error> {
    let (account, _) = viewer.require_session()?;
    let store = app.rooms.store();
    let viewer = presence_viewer(&app, Some(&account)).await?;
    let followed = store.followed_by(account.key).await?;
    let keys: HashSet<AccountKey> = followed.iter().map(|other| other.key).collect();
    let mut rows = store.last_opponents(account.key).await?;
    rows.retain(|row| !viewer.blocked.contains(&row.account.key));
    rows.truncate(OPPONENTS_MAX);
    let opponents = rows.iter().map(|row| row.account.clone()).collect();
    let opponents = presence(&app, opponents, &viewer).await?;
    let opponents = opponents.into_iter().zip(rows).map(|(presence, row)| LastOpponent {
        presence,
        following: keys.contains(&row.account.key),
        last_game: row.game_id,
        last_played_at: row.played_ms,
    });
    let opponents = opponents.collect();
    Ok(Json(PeopleOut { following: presence(&app, followed, &viewer).await?, opponents }))
}
