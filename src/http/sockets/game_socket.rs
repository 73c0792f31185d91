//! WebSocket of a game (`/ws/game/{id}`) for its players and spectators.
//!
//! A connection joins the game's room, receives its events and sends commands to it. A client that
//! reconnects gets the events after `v`; when the room stops or events are missed, the connection
//! joins again and sends the full game. Caller: the router.

use crate::bus::{Subscriber, SubscriptionError, send};
use crate::http::App;
use crate::http::error::Error;
use crate::http::extract::auth::{Scope, Viewer};
use crate::http::extract::origin::origin;
use crate::http::limits::chat::check_chat;
use crate::http::limits::rate_limiter::ClientNetwork;
use crate::http::messages;
use crate::http::messages::RematchTermsOut;
use crate::http::messages::socket::client::{Claim, PlayMessage, RematchBoard, RematchSides};
use crate::http::messages::socket::server::{GameStatusMessage, ReplyMessage};
use crate::http::sockets::user_session::{self, UserSession};
use crate::http::transport::websocket::{CloseReason, Connection, Disconnected, SocketUpgrade};
use crate::play::command::Command;
use crate::rooms::{
    self, BlockedNames, CommandError, CommandResult, EventForm, Joined, Location, RematchOptions,
    RematchRequest, RoomInbox, RoomMessage, RoomStatus, SlowSlot, UserEvent, chat_room,
    has_rematch_terms,
};
use crate::rules::Side;
use crate::store::{self, Account, PublicId};
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Deserialize;
use std::net::IpAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use tokio::sync::oneshot;
use uuid::Uuid;

/// Time that a player gives the opponent at once, in milliseconds.
const MORE_TIME_MS: i64 = 15_000;

/// Query parameters of a client.
#[derive(Debug, Default, Deserialize)]
pub struct SocketQuery {
    /// Number of the last event that a reconnecting client has.
    v: Option<i64>,
    /// Form of the frames of moves.
    #[serde(default)]
    frames: FrameForm,
}

/// Form of the frames of moves.
#[derive(Clone, Copy, Default, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
enum FrameForm {
    #[default]
    Full,
    Short,
}

/// Opens the WebSocket of a game.
pub async fn socket(
    State(app): State<App>,
    viewer: Viewer,
    ClientNetwork(network): ClientNetwork,
    Path(id): Path<String>,
    query: Result<Query<SocketQuery>, QueryRejection>,
    headers: HeaderMap,
    upgrade: SocketUpgrade,
) -> Result<Response, Error> {
    let Query(SocketQuery { v: since, frames }) = query.unwrap_or_default();
    let form = match frames {
        FrameForm::Full => EventForm::Full,
        FrameForm::Short => EventForm::Short,
    };
    let credits = app.config.limits.player_message_limit;
    let socket_app = app.clone();
    let id = id.parse();
    let location = id.map_or(Location::Elsewhere, Location::Game);
    // A token without a play scope connects as an anonymous spectator.
    let viewer = viewer.restricted_to(&Scope::PLAY);
    let session = UserSession::connect(&app, viewer, origin(&app, &headers), location).await?;
    Ok(upgrade.run(&app, credits, move |connection| {
        // On the heap: a future stores captured values beside those that it makes from them.
        let mut game_socket = Box::new(GameSocket {
            app: socket_app,
            session,
            connection,
            form,
            network,
            rematch_terms: None,
        });
        async move {
            let _: Disconnected = match id {
                Ok(id) => game_socket.run(id, since).await,
                Err(()) => game_socket.connection.close(CloseReason::NotFound).await,
            };
            let GameSocket { session, connection, .. } = &mut *game_socket;
            session.iter_mut().for_each(|session| session.end(connection));
        }
    }))
}

/// Connection of one client to one game.
struct GameSocket {
    app: App,
    session: Option<UserSession>,
    connection: Connection,
    form: EventForm,
    network: IpAddr,
    /// Terms of a rematch that the client has.
    rematch_terms: Option<RematchTermsOut>,
}

impl GameSocket {
    /// Joins the room, again after it has stopped or events were missed, until the connection ends.
    async fn run(&mut self, id: PublicId, mut since: Option<i64>) -> Disconnected {
        let mut has_sent_initial = false;
        let account = self.session.as_ref().map(|session| session.account().key);
        let _visit = account.is_none().then(|| self.app.rooms.user_hub().join_anonymously(id));
        let mut ended = pin!(self.app.end_signal.ended());
        loop {
            let joined = Box::pin(self.app.rooms.join(&id, account, since.take())).await;
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
                self.forward_messages(id, joined, &inbox, &mut has_sent_initial, &mut ended).await
            {
                return gone;
            }
        }
    }

    /// Passes messages in both directions until the room stops or events are missed.
    async fn forward_messages(
        &mut self,
        id: PublicId,
        joined: Box<Joined>,
        inbox: &RoomInbox,
        has_sent_initial: &mut bool,
        ended: &mut Pin<&mut impl Future<Output = ()>>,
    ) -> Result<(), Disconnected> {
        let Joined { side, snapshot, missed, events, status, status_changes } = *joined;
        let mut last_status = snapshot.as_ref().map(|snapshot| Arc::new(snapshot.status.clone()));
        if side.is_none() {
            self.connection.set_credits(self.app.config.limits.spectator_message_limit);
        }
        if let Some(snapshot) = snapshot {
            let is_over = snapshot.row.result.is_some();
            self.rematch_terms =
                if is_over { Box::pin(self.rematch_terms(id, side, None)).await? } else { None };
            let blocked_names = self.blocked_names();
            let full = messages::full_frame(&snapshot, side, blocked_names, self.rematch_terms);
            self.connection.send(full).await?;
        }
        if missed.iter().any(|event| is_end(event)) {
            // The facts that the players of this event share may be older than the connection.
            Box::pin(self.send_rematch_terms(id, side, None)).await?;
        }
        for event in missed {
            self.forward_event(&event, id, side).await?;
        }
        if !std::mem::replace(has_sent_initial, true) {
            self.send_initial().await?;
        }
        if last_status.is_none() {
            self.send_status(None, &status, side).await?;
            last_status = Some(Arc::new(status));
        }
        let mut room = RoomFeed { events, status_changes };
        loop {
            // An acknowledgment and the event of the command leave in one packet.
            loop {
                match room.events.try_next() {
                    Ok(Some(event)) => self.forward_event(&event, id, side).await?,
                    Ok(None) => break,
                    Err(_) => return Ok(()),
                }
            }
            self.connection.flush().await?;
            tokio::select! {
                incoming = self.connection.next() => {
                    if let Some(message) = self.connection.process(incoming).await? {
                        self.handle_message(message, id, side, inbox).await?;
                    }
                }
                notice = next_notice(&mut room, &mut self.session) => match notice {
                    Notice::Event(event) => self.forward_event(&event, id, side).await?,
                    Notice::Status(current) => {
                        self.send_status(last_status.as_deref(), &current, side).await?;
                        last_status = Some(current);
                    }
                    Notice::RoomLost => return Ok(()),
                    Notice::User(event) => Box::pin(self.forward_user_event(&event, id, side)).await?,
                    Notice::UserLagged => self.send_initial().await?,
                    Notice::UserClosed => return Err(Disconnected),
                },
                () = &mut *ended => return Err(self.connection.close(CloseReason::Reconnect).await),
            }
        }
    }

    /// Sends the spectators, the absent players and the next game, as far as they have changed.
    async fn send_status(
        &mut self,
        previous: Option<&RoomStatus>,
        current: &RoomStatus,
        viewer: Option<Side>,
    ) -> Result<(), Disconnected> {
        if previous.is_none_or(|before| before.crowd != current.crowd) {
            self.connection.send(messages::crowd_frame(&current.crowd)).await?;
        }
        let claims_before = previous.map(|before| before.claim_ms_for(viewer));
        let claims = current.claim_ms_for(viewer);
        for side in Side::BOTH {
            let claim_ms = claims[side.index()];
            if claims_before.is_none_or(|before| before[side.index()] != claim_ms) {
                self.connection.send(messages::gone_frame(side, claim_ms)).await?;
            }
        }
        if let Some(id) =
            current.next_game.filter(|id| previous.and_then(|before| before.next_game) != Some(*id))
        {
            self.connection.send_message(&GameStatusMessage::Next { id: id.as_str() }).await?;
        }
        Ok(())
    }

    /// Returns the names of the users whom the account of this connection has blocked.
    fn blocked_names(&self) -> Option<&BlockedNames> {
        self.session.as_ref().map(|session| &session.challenge_viewer.blocked_names)
    }

    async fn send_initial(&mut self) -> Result<(), Disconnected> {
        match &mut self.session {
            Some(me) => Box::pin(me.send_initial(&mut self.connection)).await,
            None => Ok(()),
        }
    }

    /// Queues an event of the game. Only the number is sent of a chat message by a blocked user.
    /// The terms of a rematch precede the end, so that the client shows both together; the last
    /// move does not wait until they are read. Terms that the client has are newer than the shared
    /// facts, because the events of the user keep them current.
    async fn forward_event(
        &mut self,
        event: &rooms::GameEvent,
        game: PublicId,
        side: Option<Side>,
    ) -> Result<(), Disconnected> {
        if is_end(event) && self.rematch_terms.is_none() {
            self.connection.flush().await?;
            Box::pin(self.send_rematch_terms(game, side, Some(event))).await?;
        }
        let blocked_names = self.blocked_names();
        let frame = messages::event_frame(event, side, blocked_names, self.form);
        metrics::histogram!("sprong_publish_seconds").record(event.stored_at.elapsed());
        self.connection.queue(frame).await
    }

    /// Sends an event of the user's account, and the offer if it concerns a rematch of this game.
    async fn forward_user_event(
        &mut self,
        event: &UserEvent,
        game: PublicId,
        side: Option<Side>,
    ) -> Result<(), Disconnected> {
        let Some(session) = &mut self.session else { return Ok(()) };
        let concerns_rematch = matches!(
            event,
            UserEvent::RatingsChanged | UserEvent::BlocksChanged | UserEvent::ChallengeGone(_)
        ) || matches!(event, UserEvent::Challenge(challenge) if challenge.draft.rematch_of == Some(game));
        if let Some(frame) = session.event_frame(event, &mut self.connection).await? {
            self.connection.send(frame).await?;
        }
        let key = session.account().key;
        if concerns_rematch {
            self.send_rematch_terms(game, side, None).await?;
        }
        match side.and_then(|side| user_session::rematch_frame(event, game, side, key)) {
            Some(frame) => self.connection.send(frame).await,
            None => Ok(()),
        }
    }

    /// Offers, accepts or declines a rematch.
    async fn rematch(
        &mut self,
        game: PublicId,
        side: Option<Side>,
        account: Account,
        request: RematchRequest,
        cid: Option<Uuid>,
    ) -> Result<(), Disconnected> {
        match self.app.rooms.rematch(game, account, request).await {
            Ok(_) => self.connection.send_message(&ReplyMessage::Ack { cid, v: None }).await,
            Err(error) => {
                // The terms may have changed since the client received them.
                self.send_rematch_terms(game, side, None).await?;
                self.connection.send_error(cid, error.into()).await
            }
        }
    }

    /// Returns the terms of a rematch, `None` for spectators and before the end of the game. `end`
    /// is its event while that is forwarded. Exclusive, because connections are not shared between
    /// threads.
    async fn rematch_terms(
        &mut self,
        game: PublicId,
        side: Option<Side>,
        end: Option<&rooms::GameEvent>,
    ) -> Result<Option<RematchTermsOut>, Disconnected> {
        let session = self.session.as_ref().filter(|_| has_rematch_terms(side));
        let Some(session) = session else { return Ok(None) };
        let (rooms, viewer) = (&self.app.rooms, session.account().key);
        let terms = match end {
            Some(end) => rooms.rematch_terms_at_end(end, game, viewer).await,
            None => rooms.rematch_terms(game, viewer).await,
        };
        // The client connects again and gets the full game.
        Ok(terms.map_err(|_| Disconnected)?.map(RematchTermsOut::from))
    }

    /// Sends the terms of a rematch if they have changed.
    async fn send_rematch_terms(
        &mut self,
        game: PublicId,
        side: Option<Side>,
        end: Option<&rooms::GameEvent>,
    ) -> Result<(), Disconnected> {
        let terms = self.rematch_terms(game, side, end).await?;
        match terms.filter(|_| terms != self.rematch_terms) {
            Some(changed) => {
                self.rematch_terms = terms;
                self.connection.send_message(&GameStatusMessage::RematchTerms(changed)).await
            }
            None => Ok(()),
        }
    }

    async fn handle_message(
        &mut self,
        message: PlayMessage,
        id: PublicId,
        side: Option<Side>,
        inbox: &RoomInbox,
    ) -> Result<(), Disconnected> {
        let cid = message.cid();
        let Some(account) = self.session.as_ref().map(UserSession::account) else {
            return match message {
                PlayMessage::Ping(ping) => self.connection.pong(ping).await,
                _ => Box::pin(self.connection.send_error(cid, Error::NoSession)).await,
            };
        };
        let key = account.key;
        let lag_ms = self.connection.lag_ms();
        let command = match message {
            PlayMessage::Ping(ping) => return self.connection.pong(ping).await,
            PlayMessage::Rematch { answer, sides, board, cid } => {
                let request = answer.request(RematchOptions {
                    same_sides: sides == Some(RematchSides::Same),
                    same_board: board == Some(RematchBoard::Same),
                });
                let account = account.clone();
                return Box::pin(self.rematch(id, side, account, request, cid)).await;
            }
            PlayMessage::Talk { text, room, .. } => {
                let slot = match Box::pin(check_chat(&self.app, key, self.network)).await {
                    Ok(slot) => slot,
                    Err(error) => return Box::pin(self.connection.send_error(cid, error)).await,
                };
                let (room, text) = (room.unwrap_or(chat_room(side)), text.unwrap_or_default());
                let name = account.name.clone();
                let (message, response) = room_request(|reply| RoomMessage::Chat {
                    account: key,
                    name,
                    room,
                    text,
                    cid,
                    reply,
                });
                return self.request(inbox, message, response, cid, Some(slot)).await;
            }
            PlayMessage::Move { u, ply, .. } => Command::Move { u, ply: Some(ply), lag_ms },
            PlayMessage::Resign { .. } => Command::Resign,
            PlayMessage::Abort { .. } => Command::Abort,
            PlayMessage::Draw { answer, ply, .. } => match answer.offer_action() {
                Some(action) => Command::Draw { action, ply },
                None => Command::ClaimDraw,
            },
            PlayMessage::Takeback { answer, ply, .. } => Command::Takeback { action: answer, ply },
            PlayMessage::MoreTime { .. } => Command::GiveTime { ms: MORE_TIME_MS },
            PlayMessage::Claim { answer: Some(Claim::Draw), .. } => Command::ClaimDraw,
            PlayMessage::Claim { .. } => Command::ClaimWin,
        };
        let (message, response) =
            room_request(|reply| RoomMessage::Command { account: key, command, cid, reply });
        self.request(inbox, message, response, cid, None).await
    }

    /// Sends a request to the room, and its result to the client. `slot` is kept if it succeeds.
    async fn request(
        &mut self,
        inbox: &RoomInbox,
        message: Box<RoomMessage>,
        response: oneshot::Receiver<CommandResult>,
        cid: Option<Uuid>,
        slot: Option<SlowSlot>,
    ) -> Result<(), Disconnected> {
        let result = match send(inbox, message).await {
            Ok(()) => response.await.unwrap_or(Err(CommandError::StoreFailed)),
            Err(_) => Err(CommandError::StoreFailed),
        };
        match result {
            Ok(v) => {
                slot.into_iter().for_each(SlowSlot::keep);
                let ack = messages::frame(&ReplyMessage::Ack { cid, v: Some(v) });
                self.connection.queue(ack).await
            }
            Err(error) => Box::pin(self.connection.send_error(cid, error.into())).await,
        }
    }
}

/// Returns a request to a room, and the channel of its result.
fn room_request(
    request: impl FnOnce(oneshot::Sender<CommandResult>) -> RoomMessage,
) -> (Box<RoomMessage>, oneshot::Receiver<CommandResult>) {
    let (reply, response) = oneshot::channel();
    (Box::new(request(reply)), response)
}

fn is_end(event: &rooms::GameEvent) -> bool {
    matches!(event.update, rooms::GameUpdate::Ended(..))
}

/// Events of a room, and changes of its status.
struct RoomFeed {
    events: Subscriber<Arc<rooms::GameEvent>>,
    status_changes: Subscriber<Arc<RoomStatus>>,
}

/// Change that a connection to a game sends to its client.
enum Notice {
    Event(Arc<rooms::GameEvent>),
    Status(Arc<RoomStatus>),
    /// The room has stopped, or events were missed.
    RoomLost,
    User(UserEvent),
    UserLagged,
    UserClosed,
}

/// Waits for the next notice of the room or the user. Cancel safe.
async fn next_notice(room: &mut RoomFeed, session: &mut Option<UserSession>) -> Notice {
    tokio::select! {
        event = room.events.next() => event.map_or(Notice::RoomLost, Notice::Event),
        event = user_session::next_event(session) => match event {
            Ok(event) => Notice::User(event),
            Err(SubscriptionError::Lagged) => Notice::UserLagged,
            Err(SubscriptionError::Closed) => Notice::UserClosed,
        },
        status = room.status_changes.next_latest() => status.map_or(Notice::RoomLost, Notice::Status),
    }
}
