//! Endpoints of single games: state, moves, offers, claims and chat, for the board API and the bot
//! API.
//!
//! Handlers convert a request to a message to the game's room, which decides whether it is allowed.

use super::App;
use super::auth::{Scope, Viewer, is_own_page};
use super::challenge::{outcome, read_answer, read_id};
use super::delay::told_plies;
use super::error::Error;
use super::fields::{Asked, Fields};
use super::spectate::Onlooker;
use super::wire::{self, ChatOut, DONE, Done, GameFull, Refused};
use crate::play::command::{Ask as Wish, Command, Refusal};
use crate::play::event::Room;
use crate::rooms::{Again, Answer, Ask, Asker, Rematch, now_ms};
use crate::store::Account;
use axum::Json;
use axum::extract::{OriginalUri, Path, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::json;
use std::collections::HashSet;
use tokio::sync::oneshot;
use utoipa::ToSchema;

/// Returns the state of a game, with the legal moves of the side to move. For programs of
/// spectators, a rated game in progress is delayed as in its stream.
///
/// The pages of this site show the current state to every visitor, as their sockets do. Requests of
/// these pages are recognized by the headers `Referer` and `Sec-Fetch-Site`.
#[utoipa::path(get, path = "/game/{id}", tag = "games", params(("id" = String, Path)),
    responses((status = 200, body = GameFull), (status = "4XX", body = Refused)))]
pub async fn show(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Json<GameFull>, Error> {
    let is_page = !viewer.is_program() && is_own_page(&app.config, &headers);
    // A token without a scope for playing counts as a spectator.
    let viewer = viewer.only_with(&Scope::PLAY);
    let mut shown = app.rooms.look(&read_id(&id)?).await?;
    let wait_ms = Onlooker::once(&app, viewer.clone()).wait_ms(&shown.row);
    if wait_ms > 0 && !is_page {
        let told = |made_ms: &[i64]| told_plies(made_ms.len(), wait_ms, made_ms, now_ms());
        shown = app.rooms.look_back(shown, told).await?;
    }
    let you = viewer.account.as_ref().and_then(|account| shown.row.side_of(account.key));
    Ok(Json(wire::game_full(&shown, you, &unheard(&app, viewer.account).await?)))
}

/// Returns the names of the players whom an account has blocked.
pub async fn unheard(app: &App, account: Option<Account>) -> Result<HashSet<String>, Error> {
    let Some(account) = account else { return Ok(HashSet::new()) };
    let blocked = app.rooms.store().blocked_by(account.key).await?;
    Ok(blocked.into_iter().map(|other| other.name).collect())
}

/// Options of a move.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "documents the request body for OpenAPI")]
pub struct MoveForm {
    /// Whether to offer a draw, or to accept one.
    offering_draw: Option<bool>,
}

/// Makes a move. With `offeringDraw`, an open draw offer of the opponent is accepted and the move
/// is not made; otherwise a draw is offered with the move. The move is made even if the draw cannot
/// be offered.
#[utoipa::path(post, path = "/board/game/{id}/move/{u}", tag = "play",
    params(("id" = String, Path), ("u" = String, Path), ("offeringDraw" = Option<bool>, Query)),
    request_body(content = Option<MoveForm>, content_type = "application/x-www-form-urlencoded"),
    responses((status = 200, body = Done), (status = "4XX", body = Refused)))]
pub async fn make_move(
    State(app): State<App>,
    player: Player,
    Path((id, u)): Path<(String, String)>,
    asked: Asked,
    fields: Fields,
) -> Result<Json<Done>, Error> {
    let offering = match asked.flag("offeringDraw")? {
        Some(offering) => offering,
        None => fields.flag("offeringDraw")?.unwrap_or(false),
    };
    let draw = |ask| Command::Draw { ask, ply: None };
    if offering && command(&app, &player, &id, draw(Wish::Accept)).await.is_ok() {
        return Ok(Json(DONE));
    }
    let done = command(&app, &player, &id, Command::Move { u, ply: None, lag_ms: 0 }).await?;
    if offering {
        // The move has been made, whatever the result of the offer.
        let _ = command(&app, &player, &id, draw(Wish::Yes)).await;
    }
    Ok(done)
}

/// Resigns the game.
#[utoipa::path(post, path = "/board/game/{id}/resign", tag = "play", params(("id" = String, Path)),
    responses((status = 200, body = Done), (status = "4XX", body = Refused)))]
pub async fn resign(
    State(app): State<App>,
    player: Player,
    Path(id): Path<String>,
) -> Result<Json<Done>, Error> {
    command(&app, &player, &id, Command::Resign).await
}

/// Aborts the game.
#[utoipa::path(post, path = "/board/game/{id}/abort", tag = "play", params(("id" = String, Path)),
    responses((status = 200, body = Done), (status = "4XX", body = Refused)))]
pub async fn abort(
    State(app): State<App>,
    player: Player,
    Path(id): Path<String>,
) -> Result<Json<Done>, Error> {
    command(&app, &player, &id, Command::Abort).await
}

/// Offers or accepts a draw (`yes`), or declines or withdraws an offer (`no`).
#[utoipa::path(post, path = "/board/game/{id}/draw/{answer}", tag = "play",
    params(("id" = String, Path), ("answer" = String, Path)),
    responses((status = 200, body = Done), (status = "4XX", body = Refused)))]
pub async fn draw(
    State(app): State<App>,
    player: Player,
    Path((id, answer)): Path<(String, String)>,
) -> Result<Json<Done>, Error> {
    let yes = read_answer(&answer).map_err(|_| Error::NotFound)?;
    command(&app, &player, &id, Command::Draw { ask: wish(yes), ply: None }).await
}

/// Proposes or accepts a takeback (`yes`), or declines or withdraws one (`no`).
#[utoipa::path(post, path = "/board/game/{id}/takeback/{answer}", tag = "play",
    params(("id" = String, Path), ("answer" = String, Path)),
    responses((status = 200, body = Done), (status = "4XX", body = Refused)))]
pub async fn takeback(
    State(app): State<App>,
    player: Player,
    Path((id, answer)): Path<(String, String)>,
) -> Result<Json<Done>, Error> {
    let yes = read_answer(&answer).map_err(|_| Error::NotFound)?;
    command(&app, &player, &id, Command::Takeback { ask: wish(yes), ply: None }).await
}

fn wish(yes: bool) -> Wish {
    if yes { Wish::Yes } else { Wish::No }
}

/// Claims victory when the opponent has been absent for long enough.
#[utoipa::path(post, path = "/board/game/{id}/claim-victory", tag = "play", params(("id" = String, Path)),
    responses((status = 200, body = Done), (status = "4XX", body = Refused)))]
pub async fn claim_victory(
    State(app): State<App>,
    player: Player,
    Path(id): Path<String>,
) -> Result<Json<Done>, Error> {
    command(&app, &player, &id, Command::ClaimWin).await
}

/// Claims a draw when the opponent has been absent for long enough.
#[utoipa::path(post, path = "/board/game/{id}/claim-draw", tag = "play", params(("id" = String, Path)),
    responses((status = 200, body = Done), (status = "4XX", body = Refused)))]
pub async fn claim_draw(
    State(app): State<App>,
    player: Player,
    Path(id): Path<String>,
) -> Result<Json<Done>, Error> {
    command(&app, &player, &id, Command::ClaimDraw).await
}

/// Adds 1 to 60 seconds to the opponent's clock.
#[utoipa::path(post, path = "/round/{id}/add-time/{seconds}", tag = "play",
    params(("id" = String, Path), ("seconds" = i64, Path)),
    responses((status = 200, body = Done), (status = "4XX", body = Refused)))]
pub async fn add_time(
    State(app): State<App>,
    player: Player,
    Path((id, seconds)): Path<(String, String)>,
) -> Result<Json<Done>, Error> {
    let seconds: i64 = seconds.parse().map_err(|_| Error::Refused(Refusal::BadTime))?;
    command(&app, &player, &id, Command::GiveTime { ms: seconds.saturating_mul(1000) }).await
}

/// Offers or accepts a rematch (`yes`), or declines or withdraws an offer (`no`).
#[utoipa::path(post, path = "/board/game/{id}/rematch/{answer}", tag = "play",
    params(("id" = String, Path), ("answer" = String, Path)),
    responses((status = 200, body = super::challenge::AcceptOut), (status = "4XX", body = Refused)))]
pub async fn rematch(
    State(app): State<App>,
    player: Player,
    Path((id, answer)): Path<(String, String)>,
) -> Result<Response, Error> {
    let yes = read_answer(&answer).map_err(|_| Error::NotFound)?;
    let yes = yes.then(Again::default);
    let done = app.rooms.rematch(read_id(&id)?, player.account, yes).await??;
    Ok(match done {
        Rematch::Offered(challenge) => {
            Json(json!({ "ok": true, "id": challenge.as_str() })).into_response()
        }
        Rematch::Accepted(challenge, done) => Json(outcome(challenge, done)).into_response(),
        Rematch::Gone => Json(DONE).into_response(),
    })
}

/// Chat message.
#[derive(Deserialize, ToSchema)]
pub struct ChatForm {
    /// `player` (default), or `spectator`.
    pub room: Option<String>,
    /// At most 300 characters.
    #[serde(default)]
    pub text: String,
}

/// Sends a chat message.
#[utoipa::path(post, path = "/board/game/{id}/chat", tag = "play", params(("id" = String, Path)),
    request_body = ChatForm, responses((status = 200, body = Done), (status = "4XX", body = Refused)))]
pub async fn chat(
    State(app): State<App>,
    player: Player,
    Path(id): Path<String>,
    fields: Fields,
) -> Result<Json<Done>, Error> {
    let form: ChatForm = fields.form()?;
    let room = match form.room.as_deref() {
        None | Some("player") => Room::Player,
        Some("spectator") => Room::Spectator,
        Some(_) => {
            let why = "`room` must be `player` or `spectator`.".to_owned();
            return Err(Error::BadField("badField", why));
        }
    };
    app.talks.check(player.account.key)?;
    let write = |asker, answer| Ask::Say { asker, room, text: form.text, cid: None, answer };
    ask(&app, &player, &id, write).await
}

/// Returns the messages of the chat room in which the requester may write.
#[utoipa::path(get, path = "/board/game/{id}/chat", tag = "play", params(("id" = String, Path)),
    responses((status = 200, body = Vec<ChatOut>), (status = "4XX", body = Refused)))]
pub async fn read_chat(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path<String>,
) -> Result<Json<Vec<ChatOut>>, Error> {
    // A token without a scope for playing counts as a spectator.
    let viewer = viewer.only_with(&Scope::PLAY);
    let shown = app.rooms.look(&read_id(&id)?).await?;
    let you = viewer.account.as_ref().and_then(|account| shown.row.side_of(account.key));
    Ok(Json(wire::chat(&shown, you, &unheard(&app, viewer.account).await?)))
}

/// Requester of a command: a bot account with a token for bots on `/api/bot`, otherwise an account
/// or guest that may play.
#[derive(Debug)]
pub struct Player {
    pub account: Account,
    /// Hash of the session or token.
    pub known_by: Option<Vec<u8>>,
}

impl axum::extract::FromRequestParts<App> for Player {
    type Rejection = Error;

    async fn from_request_parts(
        parts: &mut axum::http::request::Parts,
        app: &App,
    ) -> Result<Player, Error> {
        let OriginalUri(uri) = OriginalUri::from_request_parts(parts, app)
            .await
            .unwrap_or_else(|_| OriginalUri(parts.uri.clone()));
        let by_bot = uri.path().starts_with("/api/bot/");
        let viewer = Viewer::from_request_parts(parts, app).await?;
        let scope = if by_bot { Scope::BotPlay } else { Scope::BoardPlay };
        let known_by = viewer.known_by();
        let account = viewer.with(&[scope])?;
        if by_bot && !account.bot {
            return Err(Error::NotABot);
        }
        Ok(Player { account, known_by })
    }
}

async fn command(
    app: &App,
    player: &Player,
    id: &str,
    command: Command,
) -> Result<Json<Done>, Error> {
    ask(app, player, id, |asker, answer| Ask::Command { asker, command, cid: None, answer }).await
}

async fn ask(
    app: &App,
    player: &Player,
    id: &str,
    write: impl FnOnce(Asker, oneshot::Sender<Answer>) -> Ask,
) -> Result<Json<Done>, Error> {
    let id = read_id(id)?;
    let Account { key, name, .. } = &player.account;
    let asker = Asker { account: *key, name: name.clone() };
    app.rooms.ask(&id, |answer| write(asker, answer)).await??;
    Ok(Json(DONE))
}

/// Converts the account into a bot account. It must not have played any game.
#[utoipa::path(post, path = "/bot/account/upgrade", tag = "account",
    responses((status = 200, body = Done), (status = "4XX", body = Refused)))]
pub async fn upgrade(State(app): State<App>, viewer: Viewer) -> Result<Json<Done>, Error> {
    let account = viewer.with(&[Scope::BotPlay])?;
    if account.guest {
        return Err(Error::NeedsAccount);
    }
    app.rooms.store().make_bot(account.key).await?.map_err(|_| Error::HasGames)?;
    Ok(Json(DONE))
}
