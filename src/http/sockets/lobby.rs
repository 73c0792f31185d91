//! The lobby as pages over HTTP, and the socket `/ws/lobby`.
//!
//! The socket sends the first page, then changes, and the events of a signed-in account. After lag,
//! it sends the full state again. Caller: the router.

use crate::bus::{Subscriber, SubscriptionError};
use crate::http::App;
use crate::http::api::account::load_user_view;
use crate::http::api::live::PAGES_MAX;
use crate::http::error::Error;
use crate::http::extract::auth::{Scope, Viewer};
use crate::http::extract::challenge_viewer::optional_challenge_viewer;
use crate::http::extract::fields::check_range;
use crate::http::extract::origin::origin;
use crate::http::extract::query_params::QueryParams;
use crate::http::messages::socket::client::PingOnly;
use crate::http::messages::socket::server::LobbyMessage;
use crate::http::messages::{self, ChallengeViewer, ErrorBody, LobbyOut};
use crate::http::sockets::user_session::{self, UserSession};
use crate::http::transport::websocket::{CloseReason, Connection, Disconnected, SocketUpgrade};
use crate::play::challenge::ChallengeStatus;
use crate::rooms::{CreatorPresence, LobbyEvent, Location, UserEvent, now_ms};
use crate::store::{AccountKey, Challenge, LobbyQuery};
use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use bytes::Bytes;
use serde::Deserialize;
use std::convert::Infallible;
use std::pin::pin;
use utoipa::IntoParams;

/// Live games on the first page of the lobby.
const LOBBY_GAMES_MAX: usize = 200;

/// Default number of challenges per page.
const PAGE: i64 = 50;

/// Maximum number of challenges per page.
const PAGE_MAX: i64 = 200;

/// Challenges of one network that are listed before the surplus of all networks.
const NETWORK_FRONT_MAX: i64 = 5;

/// Page of the lobby.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct LobbyPageQuery {
    /// Number of the page, from 1.
    #[param(minimum = 1, maximum = 1_000_000)]
    page: Option<i64>,
    /// Challenges per page, 50 by default.
    #[param(minimum = 1, maximum = 200)]
    max: Option<i64>,
}

/// Returns a page of the open challenges; the first page also has the games in progress.
#[utoipa::path(get, path = "/lobby", tag = "challenges", params(LobbyPageQuery),
    responses((status = 200, body = LobbyOut), (status = "4XX", body = ErrorBody)))]
pub async fn show(
    State(app): State<App>,
    viewer: Viewer,
    headers: HeaderMap,
    QueryParams(query): QueryParams<LobbyPageQuery>,
) -> Result<Json<LobbyOut>, Error> {
    let page = check_range("page", query.page.unwrap_or(1), 1..=PAGES_MAX)? as usize;
    let max = check_range("max", query.max.unwrap_or(PAGE), 1..=PAGE_MAX)? as usize;
    // A token without a scope for challenges must not read direct challenges.
    let viewer = viewer.restricted_to(&Scope::EVENTS);
    let challenge_viewer = optional_challenge_viewer(&app, viewer.account).await?;
    Ok(Json(load_page(&app, challenge_viewer.as_ref(), &origin(&app, &headers), page, max).await?))
}

/// Returns a page of the lobby for a viewer.
async fn load_page(
    app: &App,
    challenge_viewer: Option<&ChallengeViewer>,
    origin: &str,
    page: usize,
    max: usize,
) -> Result<LobbyOut, Error> {
    let store = app.rooms.store();
    let viewer = challenge_viewer.map(|viewer| viewer.account.key);
    let offset = (page - 1) * max;
    let query = LobbyQuery {
        viewer,
        network_front_max: NETWORK_FRONT_MAX,
        offset: offset as i64,
        limit: max as i64,
        now_ms: now_ms(),
    };
    let others = store.lobby_page(query).await?;
    let mut own = match viewer {
        Some(viewer) => store.open_challenges_of(viewer, now_ms()).await?,
        None => Vec::new(),
    };
    own.retain(|challenge| !messages::is_hidden_from(challenge, challenge_viewer));
    let others_total = others.total as usize;
    let total = own.len() + others_total;
    if page > 1 {
        own.clear();
    }
    let open = own.into_iter().chain(others.challenges);
    let challenges =
        open.map(|open| messages::challenge(app, &open, challenge_viewer, origin)).collect();
    let games = if page == 1 { app.rooms.lobby().live(LOBBY_GAMES_MAX) } else { Vec::new() };
    let you = match challenge_viewer {
        Some(viewer) => {
            let user_view =
                load_user_view(app, &viewer.account.id).await?.ok_or(Error::NoSession)?;
            Some(messages::account(app, &user_view, origin))
        }
        None => None,
    };
    let next_page = (offset + max < others_total).then_some(page + 1);
    let games = games.iter().map(|live| messages::live(live)).collect();
    Ok(LobbyOut { challenges, total, page, next_page, games, you })
}

/// Upgrades to the socket of the lobby.
pub async fn socket(
    State(app): State<App>,
    viewer: Viewer,
    headers: HeaderMap,
    upgrade: SocketUpgrade,
) -> Result<Response, Error> {
    let origin = origin(&app, &headers);
    let credits = app.config.limits.lobby_message_limit;
    let viewer = viewer.restricted_to(&Scope::EVENTS);
    let session = UserSession::connect(&app, viewer, origin.clone(), Location::Lobby).await?;
    let mut lobby_socket = LobbySocket { app: app.clone(), session, origin };
    Ok(upgrade.run(&app, credits, async move |mut connection| {
        let Err(Disconnected) = lobby_socket.run(&mut connection).await;
        lobby_socket.session.iter_mut().for_each(|session| session.end(&connection));
    }))
}

/// Change that a connection to the lobby sends to its client.
enum Notice {
    Lobby(LobbyEvent),
    User(UserEvent),
}

/// Waits for the next event of the lobby or the user. Cancel safe.
async fn next_notice(
    lobby: &mut Subscriber<LobbyEvent>,
    session: &mut Option<UserSession>,
) -> Result<Notice, SubscriptionError> {
    tokio::select! {
        event = lobby.next() => event.map(Notice::Lobby),
        event = user_session::next_event(session) => event.map(Notice::User),
    }
}

/// State of a lobby socket.
struct LobbySocket {
    app: App,
    session: Option<UserSession>,
    origin: String,
}

impl LobbySocket {
    /// Sends changes until the connection ends.
    async fn run(&mut self, connection: &mut Connection) -> Result<Infallible, Disconnected> {
        let mut events = self.app.rooms.lobby().subscribe();
        let mut ended = pin!(self.app.end_signal.ended());
        Box::pin(self.send_initial(connection)).await?;
        loop {
            tokio::select! {
                incoming = connection.next() => {
                    if let Some(PingOnly::Ping(ping)) = connection.process(incoming).await? {
                        connection.pong(ping).await?;
                    }
                }
                notice = next_notice(&mut events, &mut self.session) => match notice {
                    Ok(Notice::Lobby(event)) => {
                        if let Some(frame) = self.event_frame(event) {
                            connection.send(frame).await?;
                        }
                    }
                    Ok(Notice::User(event)) => {
                        Box::pin(self.forward_event(&event, connection)).await?;
                    }
                    Err(SubscriptionError::Lagged) => Box::pin(self.send_initial(connection)).await?,
                    Err(SubscriptionError::Closed) => return Err(Disconnected),
                },
                () = &mut ended => return Err(connection.close(CloseReason::Reconnect).await),
            }
        }
    }

    async fn send_initial(&mut self, connection: &mut Connection) -> Result<(), Disconnected> {
        connection.send(self.full_frame().await?).await?;
        match &mut self.session {
            Some(session) => session.send_initial(connection).await,
            None => Ok(()),
        }
    }

    async fn full_frame(&self) -> Result<Bytes, Disconnected> {
        let challenge_viewer = self.session.as_ref().map(|session| &session.challenge_viewer);
        let page = load_page(&self.app, challenge_viewer, &self.origin, 1, PAGE as usize);
        let page = Box::pin(page).await;
        let page = page.map_err(|_| Disconnected)?;
        Ok(messages::frame(&LobbyMessage::Full(Box::new(page))))
    }

    async fn forward_event(
        &mut self,
        event: &UserEvent,
        connection: &mut Connection,
    ) -> Result<(), Disconnected> {
        let Some(session) = &mut self.session else { return Ok(()) };
        let hidden_before = session.hidden_before(event);
        if let Some(frame) = session.event_frame(event, connection).await? {
            connection.send(frame).await?;
        }
        match event {
            // The challenges that this viewer may accept have changed.
            UserEvent::RatingsChanged => connection.send(self.full_frame().await?).await,
            UserEvent::BlocksChanged => {
                for other in
                    hidden_before.symmetric_difference(&session.challenge_viewer.presence.blocked)
                {
                    send_challenges_of(*other, session, connection).await?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Returns the frame of a lobby event for this viewer, if it concerns them.
    fn event_frame(&self, notice: LobbyEvent) -> Option<Bytes> {
        let challenge_viewer = self.session.as_ref().map(|session| &session.challenge_viewer);
        Some(match notice {
            LobbyEvent::Challenge(challenge)
                if messages::is_hidden_from(&challenge, challenge_viewer) =>
            {
                return None;
            }
            LobbyEvent::Challenge(challenge) => {
                let card =
                    messages::challenge(&self.app, &challenge, challenge_viewer, &self.origin);
                messages::frame(&LobbyMessage::Challenge(Box::new(card)))
            }
            LobbyEvent::ChallengeGone(id, status) => {
                messages::frame(&LobbyMessage::ChallengeGone { id: id.as_str(), status })
            }
            LobbyEvent::Presence(changed) => return presence_frame(&changed, challenge_viewer),
            LobbyEvent::Game(live) => live
                .encoded(|| messages::frame(&LobbyMessage::Game(Box::new(messages::live(&live))))),
            LobbyEvent::GameGone(id) => {
                messages::frame(&LobbyMessage::GameGone { id: id.as_str() })
            }
        })
    }
}

/// Returns the frame of changes of presence, without those of creators that are hidden from the
/// viewer, and of challenges to others.
fn presence_frame(changed: &[CreatorPresence], viewer: Option<&ChallengeViewer>) -> Option<Bytes> {
    let sees_hidden = |presence: &CreatorPresence| {
        viewer.is_some_and(|viewer| viewer.presence.sees_hidden(presence.creator))
    };
    let is_shown = |presence: &&CreatorPresence| {
        let is_blocked =
            viewer.is_some_and(|viewer| viewer.presence.blocked.contains(&presence.creator));
        // A change must not tell that the creator has come or gone.
        let is_hidden =
            presence.is_hidden && !presence.has_changed_visibility && !sees_hidden(presence);
        let is_to_viewer = presence
            .recipient
            .is_none_or(|to| viewer.is_some_and(|viewer| viewer.account.key == to));
        !is_blocked && !is_hidden && is_to_viewer
    };
    let ids = |is_here: bool| -> Vec<&str> {
        let shown = changed.iter().filter(is_shown);
        let seems_here = |presence: &CreatorPresence| {
            presence.is_present && (!presence.is_hidden || sees_hidden(presence))
        };
        let those = shown.filter(|presence| seems_here(presence) == is_here);
        those.map(|presence| presence.challenge.as_str()).collect()
    };
    let (here, away) = (ids(true), ids(false));
    if here.is_empty() && away.is_empty() {
        return None;
    }
    Some(messages::frame(&LobbyMessage::Presence { here, away }))
}

/// Sends the challenges of an account that have become visible or hidden by a block or its removal.
async fn send_challenges_of(
    other: AccountKey,
    session: &UserSession,
    connection: &mut Connection,
) -> Result<(), Disconnected> {
    let open = Box::pin(session.app.rooms.store().open_challenges_of(other, now_ms())).await;
    let is_listed = |challenge: &&Challenge| {
        let dest = challenge.draft.dest.as_ref().map(|dest| dest.key);
        let is_for_me = dest == Some(session.account().key);
        challenge.creator.key == other && (challenge.draft.kind.is_public() || is_for_me)
    };
    for challenge in open.map_err(|_| Disconnected)?.iter().filter(is_listed) {
        let frame = if messages::is_hidden_from(challenge, Some(&session.challenge_viewer)) {
            let status = ChallengeStatus::Canceled;
            messages::frame(&LobbyMessage::ChallengeGone { id: challenge.id.as_str(), status })
        } else {
            messages::frame(&LobbyMessage::Challenge(Box::new(session.challenge_out(challenge))))
        };
        connection.send(frame).await?;
    }
    Ok(())
}
