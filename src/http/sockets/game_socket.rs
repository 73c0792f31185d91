//! WebSocket of a game (`/ws/game/{id}`) for its players and spectators.
//!
//! A connection joins the game's room, receives its events and sends commands to it. A client that
//! reconnects gets the events after `v`; when the room stops or events are missed, the connection
//! joins again and sends the full game.

use crate::bus::SubscriptionError;
use crate::http::App;
use crate::http::api::challenge::{origin, parse_answer};
use crate::http::error::Error;
use crate::http::extract::auth::{Scope, Viewer};
use crate::http::messages;
use crate::http::sockets::user_session::{self, UserSession};
use crate::http::transport::websocket::{
    ClientMessage, CloseReason, Connection, Disconnected, SocketUpgrade,
};
use crate::play::command::{Command, OfferAction, Refusal};
use crate::play::event::ChatRoom;
use crate::rooms::{
    self, Actor, CommandError, Joined, Location, RematchOptions, RoomMessage, RoomStatus,
    UserEvent, Visitor,
};
use crate::rules::Side;
use crate::store::{self, Account, PublicId};
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Deserialize;
use serde_json::json;
use std::collections::HashSet;
use tokio::sync::{mpsc, oneshot};
use uuid::Uuid;

/// Time that a player gives the opponent at once, in milliseconds.
const MORE_TIME_MS: i64 = 15_000;

/// Query parameters of a reconnecting client; `v` is the number of the last event it has.
#[derive(Debug, Deserialize)]
pub struct ResumeQuery {
    v: Option<i64>,
}

/// Opens the WebSocket of a game.
pub async fn socket(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path<String>,
    query: Result<Query<ResumeQuery>, QueryRejection>,
    headers: HeaderMap,
    upgrade: SocketUpgrade,
) -> Result<Response, Error> {
    let since = query.ok().and_then(|Query(known)| known.v);
    let credits = app.config.limits.player_message_limit;
    let socket_app = app.clone();
    let id = id.parse();
    let location = id.map_or(Location::Elsewhere, Location::Game);
    // A token without a play scope connects as an anonymous spectator.
    let viewer = viewer.restricted_to(&Scope::PLAY);
    let session = UserSession::connect(&app, viewer, origin(&app, &headers), location).await?;
    Ok(upgrade.run(&app, credits, async move |connection| {
        let mut game_socket = GameSocket { app: socket_app, session, connection };
        let _: Disconnected = match id {
            Ok(id) => game_socket.run(id, since).await,
            Err(()) => game_socket.connection.close(CloseReason::NotFound).await,
        };
    }))
}

/// Connection of one client to one game.
struct GameSocket {
    app: App,
    session: Option<UserSession>,
    connection: Connection,
}

/// `reason` code and sentence of an invalid message.
type MessageError = (&'static str, &'static str);

impl GameSocket {
    /// Joins the room, again after it has stopped or events were missed, until the connection ends.
    async fn run(&mut self, id: PublicId, mut since: Option<i64>) -> Disconnected {
        let mut has_sent_initial = false;
        loop {
            let visitor = Visitor {
                account: self.session.as_ref().map(|me| me.account().key),
                // Guests are counted as spectators without a name.
                name: self
                    .session
                    .as_ref()
                    .map(UserSession::account)
                    .filter(|who| !who.guest)
                    .map(name_of),
                is_counted: true,
            };
            let joined = self.app.rooms.join(&id, visitor, since.take()).await;
            let (inbox, joined) = match joined {
                Ok(joined) => joined,
                Err(rooms::RoomError::GameNotFound) => {
                    return self.connection.close(CloseReason::NotFound).await;
                }
                Err(rooms::RoomError::Stopping) => {
                    return self.connection.close(CloseReason::Reconnect).await;
                }
                Err(rooms::RoomError::BadLog(error)) => {
                    tracing::error!(game.id = %id, %error, "Failed to replay a game");
                    return self.connection.close(CloseReason::NotFound).await;
                }
                Err(rooms::RoomError::Store(store::StoreError::InvalidRow(error))) => {
                    tracing::error!(game.id = %id, %error, "Failed to read a game");
                    return self.connection.close(CloseReason::NotFound).await;
                }
                Err(error) => {
                    tracing::error!(game.id = %id, %error, "Failed to open a game");
                    return self.connection.close(CloseReason::Reconnect).await;
                }
            };
            if let Err(gone) =
                self.forward_messages(id, joined, &inbox, &mut has_sent_initial).await
            {
                return gone;
            }
        }
    }

    /// Passes messages in both directions until the room stops or events are missed.
    async fn forward_messages(
        &mut self,
        id: PublicId,
        joined: Joined,
        inbox: &mpsc::Sender<RoomMessage>,
        has_sent_initial: &mut bool,
    ) -> Result<(), Disconnected> {
        let Joined { side, snapshot, missed, mut events, mut status, guard: _stay } = joined;
        let mut last_status = snapshot.as_ref().map(|shown| shown.status.clone());
        if side.is_none() {
            self.connection.set_credits(self.app.config.limits.spectator_message_limit);
        }
        if let Some(shown) = snapshot {
            let full = match &self.session {
                Some(me) => messages::full_frame(&shown, side, &me.challenge_viewer.blocked_names),
                None => messages::full_frame(&shown, side, &HashSet::new()),
            };
            self.connection.send(full).await?;
        }
        for event in missed {
            self.forward_event(&event, side).await?;
        }
        if !std::mem::replace(has_sent_initial, true) {
            self.send_initial().await?;
        }
        let stop = self.app.stop.clone();
        loop {
            tokio::select! {
                event = events.next() => match event {
                    Ok(event) => self.forward_event(&event, side).await?,
                    Err(_) => return Ok(()),
                },
                incoming = self.connection.next() => {
                    if let Some(frame) = self.connection.process(incoming).await? {
                        if frame.t == "rematch" {
                            self.rematch(id, frame).await?;
                        } else {
                            self.handle_message(frame, side, inbox).await?;
                        }
                    }
                }
                user_event = user_session::next_event(&mut self.session) => match user_event {
                    Ok(word) => self.forward_user_event(&word, id, side).await?,
                    Err(SubscriptionError::Lagged) => self.send_initial().await?,
                    Err(SubscriptionError::Closed) => return Err(Disconnected),
                },
                changed = status.changed() => {
                    if changed.is_err() {
                        return Ok(());
                    }
                    let current = status.borrow_and_update().clone();
                    self.send_status(last_status.replace(current.clone()), &current).await?;
                }
                () = stop.cancelled() => return Err(self.connection.close(CloseReason::Reconnect).await),
            }
        }
    }

    /// Sends the spectators, the absent players and the next game, as far as they have changed.
    async fn send_status(
        &mut self,
        previous: Option<RoomStatus>,
        current: &RoomStatus,
    ) -> Result<(), Disconnected> {
        if previous.as_ref().is_none_or(|before| before.crowd != current.crowd) {
            self.connection.send(messages::crowd_frame(&current.crowd)).await?;
        }
        for side in Side::BOTH {
            let claim_ms = current.claim_ms[side.index()];
            if previous.as_ref().is_none_or(|told| told.claim_ms[side.index()] != claim_ms) {
                self.connection.send(messages::gone_frame(side, claim_ms)).await?;
            }
        }
        if let Some(id) =
            current.next_game.filter(|id| previous.and_then(|told| told.next_game) != Some(*id))
        {
            self.connection.send(messages::frame("next", json!({ "id": id.as_str() }))).await?;
        }
        Ok(())
    }

    async fn send_initial(&mut self) -> Result<(), Disconnected> {
        match &self.session {
            Some(me) => me.send_initial(&mut self.connection).await,
            None => Ok(()),
        }
    }

    /// Sends an event of the game. Only the number is sent of a chat message by a blocked user.
    async fn forward_event(
        &mut self,
        event: &rooms::GameEvent,
        side: Option<Side>,
    ) -> Result<(), Disconnected> {
        let is_hidden = match (&event.update, &self.session) {
            (rooms::GameUpdate::Chat(said), Some(me)) => {
                me.challenge_viewer.blocked_names.contains(&said.name)
            }
            _ => false,
        };
        let frame = if is_hidden {
            messages::hidden_event_frame(event.v)
        } else {
            messages::event_frame(event, side)
        };
        metrics::histogram!("sprong_publish_seconds").record(event.stored_at.elapsed());
        self.connection.send(frame).await
    }

    /// Sends an event of the user's account, and the offer if it concerns a rematch of this game.
    async fn forward_user_event(
        &mut self,
        event: &UserEvent,
        game: PublicId,
        side: Option<Side>,
    ) -> Result<(), Disconnected> {
        let Some(session) = &mut self.session else { return Ok(()) };
        if let Some(frame) = session.event_frame(event, &mut self.connection).await? {
            self.connection.send(frame).await?;
        }
        let key = session.account().key;
        match side.and_then(|side| user_session::rematch_frame(event, game, side, key)) {
            Some(frame) => self.connection.send(frame).await,
            None => Ok(()),
        }
    }

    /// Offers, accepts or declines a rematch.
    async fn rematch(&mut self, game: PublicId, frame: ClientMessage) -> Result<(), Disconnected> {
        let cid = frame.d.cid;
        let Some(session) = &self.session else {
            let error = Error::NoSession;
            return self.connection.send_refused(cid, error.reason(), &error.to_string()).await;
        };
        let result = match parse_answer(frame.d.answer.as_deref().unwrap_or_default()) {
            Ok(yes) => {
                let options = RematchOptions {
                    same_sides: frame.d.sides.as_deref() == Some("same"),
                    same_board: frame.d.board.as_deref() == Some("same"),
                };
                let yes = yes.then_some(options);
                match self.app.rooms.rematch(game, session.account().clone(), yes).await {
                    Ok(done) => done.map_err(Error::from),
                    Err(error) => Err(error.into()),
                }
            }
            Err(error) => Err(error),
        };
        match result {
            Ok(_) => self.connection.send(messages::frame("ack", json!({ "cid": cid }))).await,
            Err(error) => self.connection.send_error(cid, error).await,
        }
    }

    async fn handle_message(
        &mut self,
        frame: ClientMessage,
        side: Option<Side>,
        inbox: &mpsc::Sender<RoomMessage>,
    ) -> Result<(), Disconnected> {
        let cid = frame.d.cid;
        let Some(account) = self.session.as_ref().map(UserSession::account) else {
            let error = "You are not signed in. Sign in, or play as a guest.";
            return self.connection.send_refused(cid, "anonymous", error).await;
        };
        if frame.t == "talk"
            && let Err(error) = self.app.chat_limit.check(account.key)
        {
            return self.connection.send_error(cid, error).await;
        }
        let sender = Actor { account: account.key, name: account.name.clone() };
        let (answer, answered) = oneshot::channel();
        let lag_ms = self.connection.lag_ms();
        let message = match parse_command(frame, side, sender, lag_ms, answer) {
            Ok(ask) => ask,
            Err((reason, error)) => return self.connection.send_refused(cid, reason, error).await,
        };
        let result = match inbox.send(message).await {
            Ok(()) => answered.await.unwrap_or(Err(CommandError::StoreFailed)),
            Err(_) => Err(CommandError::StoreFailed),
        };
        match result {
            Ok(v) => {
                self.connection.send(messages::frame("ack", json!({ "cid": cid, "v": v }))).await
            }
            Err(error) => {
                let reason = match &error {
                    CommandError::Refused(refusal) => Refusal::code(refusal),
                    CommandError::StoreFailed => "notStored",
                };
                self.connection.send_refused(cid, reason, &error.to_string()).await
            }
        }
    }
}

/// Parses a message into a request to the room.
fn parse_command(
    frame: ClientMessage,
    side: Option<Side>,
    sender: Actor,
    lag_ms: i64,
    answer: oneshot::Sender<rooms::CommandResult>,
) -> Result<RoomMessage, MessageError> {
    let data = frame.d;
    let invalid_message = |what: &'static str| ("badFrame", what);
    let command = match frame.t.as_str() {
        "move" => {
            let u = data.u.ok_or(invalid_message("`move` requires field `u` (move notation)."))?;
            let ply = data
                .ply
                .ok_or(invalid_message("`move` requires field `ply` (plies seen so far)."))?;
            Command::Move { u, ply: Some(ply), lag_ms }
        }
        "resign" => Command::Resign,
        "abort" => Command::Abort,
        "draw" if data.answer.as_deref() == Some("claim") => Command::ClaimDraw,
        "draw" => Command::Draw {
            action: parse_offer_action(data.answer.as_deref()).ok_or(invalid_message(
                "`draw` requires field `answer`: yes, offer, accept, no or claim.",
            ))?,
            ply: data.ply,
        },
        "takeback" => Command::Takeback {
            action: parse_offer_action(data.answer.as_deref()).ok_or(invalid_message(
                "`takeback` requires field `answer`: yes, offer, accept or no.",
            ))?,
            ply: data.ply,
        },
        "moretime" => Command::GiveTime { ms: MORE_TIME_MS },
        "claim" => match data.answer.as_deref() {
            None | Some("win") => Command::ClaimWin,
            Some("draw") => Command::ClaimDraw,
            Some(_) => return Err(invalid_message("`answer` of `claim` must be win or draw.")),
        },
        "talk" => return parse_chat(data.cid, data.room, data.text, side, sender, answer),
        _ => return Err(("unknown", "Unknown message type.")),
    };
    let cid = Some(data.cid.ok_or(invalid_message("Commands require field `cid` (a UUID)."))?);
    Ok(RoomMessage::Command { actor: sender, command, cid, reply: answer })
}

fn parse_offer_action(answer: Option<&str>) -> Option<OfferAction> {
    match answer? {
        "yes" => Some(OfferAction::Yes),
        "offer" => Some(OfferAction::Offer),
        "accept" => Some(OfferAction::Accept),
        "no" => Some(OfferAction::No),
        _ => None,
    }
}

fn name_of(account: &Account) -> String {
    account.name.clone()
}

fn parse_chat(
    cid: Option<Uuid>,
    room: Option<String>,
    text: Option<String>,
    side: Option<Side>,
    sender: Actor,
    answer: oneshot::Sender<rooms::CommandResult>,
) -> Result<RoomMessage, MessageError> {
    let default_room = if side.is_some() { ChatRoom::Player } else { ChatRoom::Spectator };
    let room = match room.as_deref() {
        None => default_room,
        Some("player") => ChatRoom::Player,
        Some("spectator") => ChatRoom::Spectator,
        Some(_) => return Err(("badFrame", "`room` must be player or spectator.")),
    };
    let cid = Some(cid.ok_or(("badFrame", "Commands require field `cid` (a UUID)."))?);
    Ok(RoomMessage::Chat {
        actor: sender,
        room,
        text: text.unwrap_or_default(),
        cid,
        reply: answer,
    })
}
