//! The lobby as pages over HTTP, and the sockets `/ws/lobby` and `/ws/me`.
//!
//! The lobby socket sends the first page, then changes. Both sockets send the events of a signed-in
//! account; after lag, they send the full state again.

use super::account::known;
use super::auth::{Scope, Viewer};
use super::challenge::{maybe_eye, origin};
use super::error::Error;
use super::fields::Asked;
use super::live::PAGES_MAX;
use super::socket::{Close, Connection, Gone, Upgrade};
use super::wire::{self, Eye, Lobby, Refused};
use super::word::{self, Me};
use super::{App, SHOWN_MAX};
use crate::bus::Missed;
use crate::play::challenge::Status;
use crate::rooms::{Notice, Place, Word, now_ms};
use crate::store::{AccountKey, Challenge, LobbyQuery};
use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use bytes::Bytes;
use serde::Deserialize;
use serde_json::json;
use std::collections::HashSet;
use std::convert::Infallible;
use utoipa::IntoParams;

/// Default number of challenges per page.
const PAGE: i64 = 50;

/// Maximum number of challenges per page.
const PAGE_MAX: i64 = 200;

/// Challenges of one network that are listed before the surplus of all networks.
const NETWORK_FRONT_MAX: i64 = 5;

/// Page of the lobby.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes parameters that are read by name")]
pub struct LobbyAsked {
    /// Number of the page, from 1.
    #[param(minimum = 1, maximum = 1_000_000)]
    page: Option<i64>,
    /// Challenges per page, 50 by default.
    #[param(minimum = 1, maximum = 200)]
    max: Option<i64>,
}

/// Returns a page of the open challenges; the first page also has the games in progress.
#[utoipa::path(get, path = "/lobby", tag = "challenges", params(LobbyAsked),
    responses((status = 200, body = Lobby), (status = "4XX", body = Refused)))]
pub async fn show(
    State(app): State<App>,
    viewer: Viewer,
    headers: HeaderMap,
    asked: Asked,
) -> Result<Json<Lobby>, Error> {
    let page = asked.count("page", 1, PAGES_MAX)?;
    let max = asked.count("max", PAGE, PAGE_MAX)?;
    // A token without a scope for challenges must not read direct challenges.
    let viewer = viewer.only_with(&Scope::EVENTS);
    let eye = maybe_eye(&app, viewer.account).await?;
    Ok(Json(lobby(&app, eye.as_ref(), &origin(&app, &headers), page, max).await?))
}

/// Returns a page of the lobby for a viewer.
async fn lobby(
    app: &App,
    eye: Option<&Eye>,
    origin: &str,
    page: usize,
    max: usize,
) -> Result<Lobby, Error> {
    let store = app.rooms.store();
    let viewer = eye.map(|eye| eye.account.key);
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
    own.retain(|challenge| !wire::is_unseen(challenge, eye));
    let others_total = others.total as usize;
    let total = own.len() + others_total;
    if page > 1 {
        own.clear();
    }
    let open = own.into_iter().chain(others.challenges);
    let challenges = open.map(|open| wire::challenge(app, &open, eye, origin)).collect();
    let games = if page == 1 { app.rooms.lobby().live(SHOWN_MAX) } else { Vec::new() };
    let you = match eye {
        Some(eye) => {
            let known = known(app, &eye.account.id).await?.ok_or(Error::NoSession)?;
            Some(wire::account(app, &known, origin))
        }
        None => None,
    };
    let next_page = (offset + max < others_total).then_some(page + 1);
    let games = games.iter().map(|live| wire::live(live)).collect();
    Ok(Lobby { challenges, total, page, next_page, games, you })
}

/// Upgrades to the socket of the lobby.
pub async fn socket(
    State(app): State<App>,
    viewer: Viewer,
    headers: HeaderMap,
    upgrade: Upgrade,
) -> Result<Response, Error> {
    let origin = origin(&app, &headers);
    let credits = app.config.limits.lobby_messages;
    let viewer = viewer.only_with(&Scope::EVENTS);
    let me = Me::come(&app, viewer, origin.clone(), Place::Lobby).await?;
    let mut seat = Seat { app: app.clone(), me, origin };
    Ok(upgrade.run(&app, credits, async move |mut connection| {
        let Err(Gone) = seat.watch(&mut connection).await;
    }))
}

/// State of a lobby socket.
struct Seat {
    app: App,
    me: Option<Me>,
    origin: String,
}

impl Seat {
    /// Sends changes until the connection ends.
    async fn watch(&mut self, connection: &mut Connection) -> Result<Infallible, Gone> {
        let mut notices = self.app.rooms.lobby().subscribe();
        let stop = self.app.stop.clone();
        self.begin(connection).await?;
        loop {
            tokio::select! {
                incoming = connection.next() => {
                    if let Some(frame) = connection.take(incoming).await? {
                        let error = "The lobby socket accepts only pings.";
                        connection.refuse(frame.d.cid, "unknown", error).await?;
                    }
                }
                notice = notices.next() => match notice {
                    Ok(notice) => {
                        if let Some(frame) = self.frame(notice) {
                            connection.send(frame).await?;
                        }
                    }
                    Err(Missed::Some) => self.begin(connection).await?,
                    Err(Missed::Closed) => return Err(Gone),
                },
                word = word::next(&mut self.me) => match word {
                    Ok(word) => self.tell(&word, connection).await?,
                    Err(Missed::Some) => self.begin(connection).await?,
                    Err(Missed::Closed) => return Err(Gone),
                },
                () = stop.cancelled() => return Err(connection.close(Close::Restart).await),
            }
        }
    }

    async fn begin(&mut self, connection: &mut Connection) -> Result<(), Gone> {
        connection.send(self.full().await?).await?;
        match &self.me {
            Some(me) => me.greet(connection).await,
            None => Ok(()),
        }
    }

    async fn full(&self) -> Result<Bytes, Gone> {
        let eye = self.me.as_ref().map(|me| &me.eye);
        let whole = lobby(&self.app, eye, &self.origin, 1, PAGE as usize).await;
        Ok(wire::plain("full", whole.map_err(|_| Gone)?))
    }

    async fn tell(&mut self, word: &Word, connection: &mut Connection) -> Result<(), Gone> {
        let Some(me) = &mut self.me else { return Ok(()) };
        let unseen_before = match word {
            Word::Blocked => me.eye.unseen.clone(),
            _ => HashSet::new(),
        };
        if let Some(frame) = me.frame(word, connection).await? {
            connection.send(frame).await?;
        }
        match word {
            // The challenges that this viewer may accept have changed.
            Word::Changed => connection.send(self.full().await?).await,
            Word::Blocked => {
                for other in unseen_before.symmetric_difference(&me.eye.unseen) {
                    tell_cards_of(*other, me, connection).await?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Returns the frame of a lobby event for this viewer, if it concerns them.
    fn frame(&self, notice: Notice) -> Option<Bytes> {
        let eye = self.me.as_ref().map(|me| &me.eye);
        Some(match notice {
            Notice::Challenge(challenge) if wire::is_unseen(&challenge, eye) => return None,
            Notice::Challenge(challenge) => {
                let seen = wire::challenge(&self.app, &challenge, eye, &self.origin);
                wire::plain("challenge", seen)
            }
            Notice::ChallengeGone(id, status) => {
                let gone = json!({ "id": id.as_str(), "status": status.word() });
                wire::plain("challengeGone", gone)
            }
            Notice::Game(live) => live.encoded(|| wire::plain("game", wire::live(&live))),
            Notice::GameGone(id) => wire::plain("gameGone", json!({ "id": id.as_str() })),
        })
    }
}

/// Sends the challenges of an account that have become visible or hidden by a block or its removal.
async fn tell_cards_of(
    other: AccountKey,
    me: &Me,
    connection: &mut Connection,
) -> Result<(), Gone> {
    let open = me.app.rooms.store().open_challenges_of(other, now_ms()).await;
    let is_listed = |challenge: &&Challenge| {
        let dest = challenge.draft.dest.as_ref().map(|dest| dest.key);
        let is_for_me = dest == Some(me.account().key);
        challenge.maker.key == other && (challenge.draft.kind.is_public() || is_for_me)
    };
    for challenge in open.map_err(|_| Gone)?.iter().filter(is_listed) {
        let frame = if wire::is_unseen(challenge, Some(&me.eye)) {
            let status = Status::Canceled.word();
            wire::plain("challengeGone", json!({ "id": challenge.id.as_str(), "status": status }))
        } else {
            wire::plain("challenge", me.card(challenge))
        };
        connection.send(frame).await?;
    }
    Ok(())
}

/// Upgrades to the socket of an account, for all pages except the lobby and games.
pub async fn me(
    State(app): State<App>,
    viewer: Viewer,
    headers: HeaderMap,
    upgrade: Upgrade,
) -> Result<Response, Error> {
    let origin = origin(&app, &headers);
    let credits = app.config.limits.lobby_messages;
    let viewer = viewer.only_with(&Scope::EVENTS);
    let me = Me::come(&app, viewer, origin, Place::Elsewhere).await?.ok_or(Error::NoSession)?;
    Ok(upgrade.run(&app, credits, async move |mut connection| {
        let Err(Gone) = stay(me, &mut connection).await;
    }))
}

async fn stay(mut me: Me, connection: &mut Connection) -> Result<Infallible, Gone> {
    let stop = me.app.stop.clone();
    me.greet(connection).await?;
    loop {
        tokio::select! {
            incoming = connection.next() => {
                if let Some(frame) = connection.take(incoming).await? {
                    let error = "This socket accepts only pings.";
                    connection.refuse(frame.d.cid, "unknown", error).await?;
                }
            }
            word = me.presence.words.next() => match word {
                Ok(word) => {
                    if let Some(frame) = me.frame(&word, connection).await? {
                        connection.send(frame).await?;
                    }
                }
                Err(Missed::Some) => me.greet(connection).await?,
                Err(Missed::Closed) => return Err(Gone),
            },
            () = stop.cancelled() => return Err(connection.close(Close::Restart).await),
        }
    }
}
