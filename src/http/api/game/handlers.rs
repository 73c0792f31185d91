//! Endpoints of single games: state, moves, offers, claims and chat, for the board API and the bot
//! API.
//!
//! Handlers convert a request to a message to the game's room, which decides whether it is allowed.
//! Caller: the router.

use crate::http::App;
use crate::http::api::challenge::handlers::{AcceptOut, Answer, accept_response};
use crate::http::api::streams::game_stream::Spectator;
use crate::http::error::Error;
use crate::http::extract::auth::{Scope, Viewer, is_own_page};
use crate::http::extract::form_fields::FormFields;
use crate::http::extract::game_player::{PlayerInGame, blocked_names};
use crate::http::extract::id::parse_id;
use crate::http::extract::query_params::QueryParams;
use crate::http::limits::chat::check_chat;
use crate::http::limits::rate_limiter::ClientNetwork;
use crate::http::messages::socket::client::RematchAnswer;
use crate::http::messages::{self, ChatOut, DONE, Done, ErrorBody, GameFull};
use crate::play::command::{Command, OfferAction, Refusal};
use crate::play::event::ChatRoom;
use crate::play::reason::Reason;
use crate::rooms::{
    AcceptOutcome, CommandResult, RematchOptions, RematchOutcome, RoomMessage, has_rematch_terms,
    now_ms, released_plies,
};
use crate::store::Account;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;
use tokio::sync::oneshot;
use utoipa::{IntoParams, ToSchema};

/// Returns the state of a game, with the legal moves of the side to move. For programs of
/// spectators, a rated game in progress is delayed as in its stream.
///
/// The pages of this site show the current state to every visitor, as their sockets do. Requests of
/// these pages are recognized by the headers `Referer` and `Sec-Fetch-Site`.
#[utoipa::path(get, path = "/game/{id}", tag = "games", params(("id" = String, Path)),
    responses((status = 200, body = GameFull), (status = "4XX", body = ErrorBody)))]
pub async fn show(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Json<GameFull>, Error> {
    let is_page = !viewer.is_api_client() && is_own_page(&app.config, &headers);
    // A token without a scope for playing counts as a spectator.
    let viewer = viewer.restricted_to(&Scope::PLAY);
    let mut snapshot = app.rooms.snapshot(&parse_id(&id)?).await?;
    let delay_ms = Spectator::for_request(&app, viewer.clone()).delay_ms(&snapshot.row);
    if delay_ms > 0 && !is_page {
        let released = |made_ms: &[i64]| released_plies(made_ms.len(), delay_ms, made_ms, now_ms());
        snapshot = app.rooms.delayed_snapshot(snapshot, released).await?;
    }
    let you = viewer.account.as_ref().and_then(|account| snapshot.row.side_of(account.key));
    let rematch = match &viewer.account {
        Some(account) if has_rematch_terms(you) && snapshot.row.result.is_some() => {
            app.rooms.rematch_terms(snapshot.row.id, account.key).await?
        }
        _ => None,
    };
    let blocked_names = blocked_names(&app, viewer.account.as_ref()).await?;
    let mut game = messages::game_full(&snapshot, you, Some(&blocked_names));
    game.rematch = rematch.map(Into::into);
    Ok(Json(game))
}

/// Options of a move.
#[derive(Deserialize, ToSchema, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct MoveForm {
    /// Whether to offer a draw, or to accept one.
    offering_draw: Option<bool>,
}

/// Makes a move. With `offeringDraw`, an open draw offer of the opponent is accepted and the move
/// is not made; otherwise a draw is offered with the move. The move is made even if the draw cannot
/// be offered.
#[utoipa::path(post, path = "/board/game/{id}/move/{u}", tag = "play",
    params(("id" = String, Path), ("u" = String, Path), MoveForm),
    request_body(content = Option<MoveForm>, content_type = "application/x-www-form-urlencoded"),
    responses((status = 200, body = Done), (status = "4XX", body = ErrorBody)))]
pub async fn make_move(
    State(app): State<App>,
    player: PlayerInGame,
    Path((id, u)): Path<(String, SmolStr)>,
    QueryParams(query): QueryParams<MoveForm>,
    FormFields(form): FormFields<MoveForm>,
) -> Result<Json<Done>, Error> {
    let is_offering = query.offering_draw.or(form.offering_draw).unwrap_or(false);
    let draw = |action| Command::Draw { action, ply: None };
    if is_offering && send_command(&app, &player, &id, draw(OfferAction::Accept)).await.is_ok() {
        return Ok(Json(DONE));
    }
    let done = send_command(&app, &player, &id, Command::Move { u, ply: None, lag_ms: 0 }).await?;
    if is_offering {
        // The move has been made, whatever the result of the offer.
        let _ = send_command(&app, &player, &id, draw(OfferAction::Yes)).await;
    }
    Ok(done)
}

/// Resigns the game.
#[utoipa::path(post, path = "/board/game/{id}/resign", tag = "play", params(("id" = String, Path)),
    responses((status = 200, body = Done), (status = "4XX", body = ErrorBody)))]
pub async fn resign(
    State(app): State<App>,
    player: PlayerInGame,
    Path(id): Path<String>,
) -> Result<Json<Done>, Error> {
    send_command(&app, &player, &id, Command::Resign).await
}

/// Aborts the game.
#[utoipa::path(post, path = "/board/game/{id}/abort", tag = "play", params(("id" = String, Path)),
    responses((status = 200, body = Done), (status = "4XX", body = ErrorBody)))]
pub async fn abort(
    State(app): State<App>,
    player: PlayerInGame,
    Path(id): Path<String>,
) -> Result<Json<Done>, Error> {
    send_command(&app, &player, &id, Command::Abort).await
}

/// Offers or accepts a draw (`yes`), or declines or withdraws an offer (`no`).
#[utoipa::path(post, path = "/board/game/{id}/draw/{answer}", tag = "play",
    params(("id" = String, Path), ("answer" = inline(Answer), Path)),
    responses((status = 200, body = Done), (status = "4XX", body = ErrorBody)))]
pub async fn draw(
    State(app): State<App>,
    player: PlayerInGame,
    Path((id, answer)): Path<(String, String)>,
) -> Result<Json<Done>, Error> {
    let is_accepted = Answer::from_path(&answer)?.is_yes();
    send_command(&app, &player, &id, Command::Draw { action: offer_action(is_accepted), ply: None })
        .await
}

/// Proposes or accepts a takeback (`yes`), or declines or withdraws one (`no`).
#[utoipa::path(post, path = "/board/game/{id}/takeback/{answer}", tag = "play",
    params(("id" = String, Path), ("answer" = inline(Answer), Path)),
    responses((status = 200, body = Done), (status = "4XX", body = ErrorBody)))]
pub async fn takeback(
    State(app): State<App>,
    player: PlayerInGame,
    Path((id, answer)): Path<(String, String)>,
) -> Result<Json<Done>, Error> {
    let is_accepted = Answer::from_path(&answer)?.is_yes();
    send_command(
        &app,
        &player,
        &id,
        Command::Takeback { action: offer_action(is_accepted), ply: None },
    )
    .await
}

fn offer_action(is_accepted: bool) -> OfferAction {
    if is_accepted { OfferAction::Yes } else { OfferAction::No }
}

/// Claims victory when the opponent has been absent for long enough.
#[utoipa::path(post, path = "/board/game/{id}/claim-victory", tag = "play", params(("id" = String, Path)),
    responses((status = 200, body = Done), (status = "4XX", body = ErrorBody)))]
pub async fn claim_victory(
    State(app): State<App>,
    player: PlayerInGame,
    Path(id): Path<String>,
) -> Result<Json<Done>, Error> {
    send_command(&app, &player, &id, Command::ClaimWin).await
}

/// Claims a draw when the opponent has been absent for long enough.
#[utoipa::path(post, path = "/board/game/{id}/claim-draw", tag = "play", params(("id" = String, Path)),
    responses((status = 200, body = Done), (status = "4XX", body = ErrorBody)))]
pub async fn claim_draw(
    State(app): State<App>,
    player: PlayerInGame,
    Path(id): Path<String>,
) -> Result<Json<Done>, Error> {
    send_command(&app, &player, &id, Command::ClaimDraw).await
}

/// Adds 1 to 60 seconds to the opponent's clock.
#[utoipa::path(post, path = "/round/{id}/add-time/{seconds}", tag = "play",
    params(("id" = String, Path), ("seconds" = i64, Path)),
    responses((status = 200, body = Done), (status = "4XX", body = ErrorBody)))]
pub async fn add_time(
    State(app): State<App>,
    player: PlayerInGame,
    Path((id, seconds)): Path<(String, String)>,
) -> Result<Json<Done>, Error> {
    let seconds: i64 = seconds.parse().map_err(|_| Error::Refused(Refusal::InvalidTime))?;
    send_command(&app, &player, &id, Command::GiveTime { ms: seconds.saturating_mul(1000) }).await
}

/// Outcome of an answer to a rematch: the challenge or the game, or the end of the offer.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub enum RematchOut {
    /// The offer is a challenge, or has become a game.
    Offered(AcceptOut),
    /// The offer has ended.
    Ended(Done),
}

/// Offers or accepts a rematch (`yes`), or declines or withdraws an offer (`no`).
///
/// If the rating of the opponent has left your rating range, `widen` widens the range to that
/// rating for this one offer, and `casual` offers a casual game without a range. If your rating has
/// left the range of the opponent, `ask` asks them to widen it: they can accept with `widen` only.
/// An `ask` is refused after a decline (`alreadyDeclined`), if the range is your own (`ownRange`),
/// and if neither player has set it (`noRangeOwner`).
#[utoipa::path(post, path = "/board/game/{id}/rematch/{answer}", tag = "play",
    params(("id" = String, Path), ("answer" = inline(RematchAnswer), Path)),
    responses((status = 200, body = RematchOut), (status = "4XX", body = ErrorBody)))]
pub async fn rematch(
    State(app): State<App>,
    player: PlayerInGame,
    Path((id, answer)): Path<(String, String)>,
) -> Result<Json<RematchOut>, Error> {
    let answer = RematchAnswer::parse(&answer).ok_or_else(|| {
        let why = "`answer` must be `yes`, `no`, `widen`, `ask` or `casual`.".to_owned();
        Error::InvalidField(Reason::BadField, why)
    })?;
    let request = answer.request(RematchOptions::default());
    let done = app.rooms.rematch(parse_id(&id)?, player.account, request).await?;
    Ok(Json(match done {
        RematchOutcome::Offered(challenge) => {
            RematchOut::Offered(accept_response(challenge, AcceptOutcome::Ended))
        }
        RematchOutcome::Accepted(challenge, done) => {
            RematchOut::Offered(accept_response(challenge, done))
        }
        RematchOutcome::Ended => RematchOut::Ended(DONE),
    }))
}

/// Chat message.
#[derive(Deserialize, ToSchema)]
pub struct ChatForm {
    /// By default `player`.
    pub room: Option<ChatRoom>,
    /// At most 300 characters.
    #[serde(default)]
    pub text: String,
}

/// Sends a chat message.
#[utoipa::path(post, path = "/board/game/{id}/chat", tag = "play", params(("id" = String, Path)),
    request_body = ChatForm, responses((status = 200, body = Done), (status = "4XX", body = ErrorBody)))]
pub async fn chat(
    State(app): State<App>,
    player: PlayerInGame,
    ClientNetwork(network): ClientNetwork,
    Path(id): Path<String>,
    FormFields(form): FormFields<ChatForm>,
) -> Result<Json<Done>, Error> {
    let room = form.room.unwrap_or(ChatRoom::Player);
    let slot = check_chat(&app, player.account.key, network).await?;
    let Account { key: account, name, .. } = player.account;
    let message =
        |reply| RoomMessage::Chat { account, name, room, text: form.text, cid: None, reply };
    let done = send_message(&app, &id, message).await?;
    slot.keep();
    Ok(done)
}

/// Returns the messages of the chat room in which the requester may write.
#[utoipa::path(get, path = "/board/game/{id}/chat", tag = "play", params(("id" = String, Path)),
    responses((status = 200, body = Vec<ChatOut>), (status = "4XX", body = ErrorBody)))]
pub async fn read_chat(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path<String>,
) -> Result<Json<Vec<ChatOut>>, Error> {
    // A token without a scope for playing counts as a spectator.
    let viewer = viewer.restricted_to(&Scope::PLAY);
    let snapshot = app.rooms.snapshot(&parse_id(&id)?).await?;
    let you = viewer.account.as_ref().and_then(|account| snapshot.row.side_of(account.key));
    let blocked_names = blocked_names(&app, viewer.account.as_ref()).await?;
    Ok(Json(messages::chat(&snapshot, you, Some(&blocked_names))))
}

async fn send_command(
    app: &App,
    player: &PlayerInGame,
    id: &str,
    command: Command,
) -> Result<Json<Done>, Error> {
    let account = player.account.key;
    send_message(app, id, |reply| RoomMessage::Command { account, command, cid: None, reply }).await
}

async fn send_message(
    app: &App,
    id: &str,
    message: impl FnOnce(oneshot::Sender<CommandResult>) -> RoomMessage,
) -> Result<Json<Done>, Error> {
    let id = parse_id(id)?;
    app.rooms.request(&id, message).await?;
    Ok(Json(DONE))
}

/// Converts the account into a bot account. It must not have played any game.
#[utoipa::path(post, path = "/bot/account/upgrade", tag = "account",
    responses((status = 200, body = Done), (status = "4XX", body = ErrorBody)))]
pub async fn upgrade(State(app): State<App>, viewer: Viewer) -> Result<Json<Done>, Error> {
    let account = viewer.require_scope(&[Scope::BotPlay])?;
    if account.guest {
        return Err(Error::NeedsAccount);
    }
    app.rooms.store().upgrade_to_bot(account.key, now_ms()).await?;
    app.online.clear().await;
    Ok(Json(DONE))
}
