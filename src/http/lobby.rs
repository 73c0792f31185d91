use super::App;
use super::auth::{Scope, Viewer};
use super::challenge::{lobby, maybe_eye, origin};
use super::error::Error;
use super::socket::{Close, Connection, Gone, Upgrade};
use super::wire::{self, Lobby};
use super::word::{self, Me};
use crate::bus::Missed;
use crate::rooms::{Notice, Place, Word};
use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use bytes::Bytes;
use serde_json::json;
use std::convert::Infallible;

/// The lobby as somebody sees it.
#[utoipa::path(get, path = "/lobby", tag = "challenges", responses((status = 200, body = Lobby)))]
pub async fn show(
    State(app): State<App>,
    viewer: Viewer,
    headers: HeaderMap,
) -> Result<Json<Lobby>, Error> {
    // Challenges for one player alone are not for a token that may not read them.
    let viewer = viewer.only_with(&Scope::EVENTS);
    let eye = maybe_eye(&app, viewer.account).await?;
    Ok(Json(lobby(&app, eye.as_ref(), &origin(&app, &headers)).await?))
}

/// The lobby as it changes.
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

/// Somebody in the lobby.
struct Seat {
    app: App,
    me: Option<Me>,
    origin: String,
}

impl Seat {
    /// Tells what changes, until the connection ends.
    async fn watch(&mut self, connection: &mut Connection) -> Result<Infallible, Gone> {
        let mut notices = self.app.rooms.lobby().subscribe();
        let stop = self.app.stop.clone();
        self.begin(connection).await?;
        loop {
            tokio::select! {
                incoming = connection.next() => {
                    if let Some(frame) = connection.take(incoming).await? {
                        let error = "The lobby takes no messages but pings.";
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
        let whole = lobby(&self.app, eye, &self.origin).await.map_err(|_| Gone)?;
        Ok(wire::plain("full", whole))
    }

    async fn tell(&mut self, word: &Word, connection: &mut Connection) -> Result<(), Gone> {
        let Some(me) = &mut self.me else { return Ok(()) };
        if let Some(frame) = me.frame(word, connection).await? {
            connection.send(frame).await?;
        }
        // Whatever this viewer may or may not accept has to be looked at again.
        if matches!(word, Word::Changed) {
            connection.send(self.full().await?).await?;
        }
        Ok(())
    }

    /// What a notice means to this viewer, if anything.
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

/// What concerns somebody on any other page.
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
                    let error = "Nothing is asked here but by pings.";
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
