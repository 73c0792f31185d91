//! Players whom the requester follows, and its last opponents. Caller: the router.

use crate::http::App;
use crate::http::api::account::load_user_view;
use crate::http::api::user::{presence, require_other_player};
use crate::http::error::Error;
use crate::http::extract::auth::{Scope, Viewer};
use crate::http::extract::challenge_viewer::hidden_accounts;
use crate::http::extract::origin::origin;
use crate::http::messages::{self, DONE, Done, ErrorBody, PresenceOut, UserOut};
use crate::http::transport::ndjson::NDJSON;
use crate::play::reason::Reason;
use crate::rooms::now_ms;
use crate::store::{Account, AccountKey, GameFilter, GameRow};
use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use std::collections::HashSet;
use utoipa::ToSchema;

/// Number of newest games among whose players are the last opponents.
const GAMES_MAX: i64 = 100;

/// Maximum of last opponents.
const OPPONENTS_MAX: usize = 20;

/// Returns the account of the requester, which is no guest, and that of the player it names.
async fn require_followable(
    app: &App,
    viewer: Viewer,
    name: &str,
) -> Result<(Account, Account), Error> {
    let viewer = viewer.check_scope(&[Scope::FollowWrite])?;
    let (account, other) = require_other_player(app, viewer.require_signed_in()?, name).await?;
    if account.guest {
        return Err(Error::NeedsAccount);
    }
    Ok((account, other))
}

/// Follows a player: the home page lists them first while they are online. Nobody else sees it.
#[utoipa::path(post, path = "/rel/follow/{username}", tag = "players", params(("username" = String, Path)),
    responses((status = 200, body = Done), (status = "4XX", body = ErrorBody)))]
pub async fn follow(
    State(app): State<App>,
    viewer: Viewer,
    Path(name): Path<String>,
) -> Result<Json<Done>, Error> {
    let (account, other) = require_followable(&app, viewer, &name).await?;
    if other.guest {
        let why = "Guests cannot be followed. Wait until this player has an account.";
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
    let (account, other) = require_followable(&app, viewer, &name).await?;
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
    let hidden = hidden_accounts(&app, Some(&account)).await?;
    let mut lines = Vec::new();
    for other in app.rooms.store().followed_by(account.key).await? {
        let Some(view) = load_user_view(&app, &other.id).await? else { continue };
        let mut out = messages::user(&app, &view, &hidden, &origin(&app, &headers));
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

/// Returns the opponents of an account in its games, newest first, without bots, guests and
/// `hidden` players, each with the game.
fn opponents<'g>(
    games: &'g [GameRow],
    account: AccountKey,
    hidden: &HashSet<AccountKey>,
) -> Vec<(&'g Account, &'g GameRow)> {
    let mut seen = HashSet::new();
    let opponent = |game: &'g GameRow| {
        let side = game.side_of(account)?.other();
        Some((&game.players[side.index()].account, game))
    };
    let is_listed = |other: &Account| !other.guest && !other.bot && !hidden.contains(&other.key);
    let found = games.iter().filter_map(opponent);
    let found = found.filter(|(other, _)| is_listed(other) && seen.insert(other.key));
    found.take(OPPONENTS_MAX).collect()
}

/// Returns the players whom the account follows, and its last opponents: people with an account.
#[utoipa::path(get, path = "/account/people", operation_id = "people", tag = "account",
    responses((status = 200, body = PeopleOut), (status = "4XX", body = ErrorBody)))]
pub async fn people(State(app): State<App>, viewer: Viewer) -> Result<Json<PeopleOut>, Error> {
    let (account, _) = viewer.require_session()?;
    let store = app.rooms.store();
    let hidden = hidden_accounts(&app, Some(&account)).await?;
    let followed = store.followed_by(account.key).await?;
    let keys: HashSet<AccountKey> = followed.iter().map(|other| other.key).collect();
    let mut following = Vec::new();
    for other in followed {
        following.push(presence(&app, &other, &hidden).await?);
    }
    let filter = GameFilter { ongoing: true, finished: true, ..GameFilter::default() };
    let games = store.games_after(account.key, &filter, None, GAMES_MAX).await?.rows;
    let mut last = Vec::new();
    for (other, game) in opponents(&games, account.key, &hidden) {
        last.push(LastOpponent {
            presence: presence(&app, other, &hidden).await?,
            following: keys.contains(&other.key),
            last_game: game.id.to_string(),
            last_played_at: game.setup.created_ms,
        });
    }
    Ok(Json(PeopleOut { following, opponents: last }))
}
