use super::App;
use super::auth::Viewer;
use super::challenge::{eye, origin};
use super::error::Error;
use super::socket::{Close, Connection, Gone, Upgrade};
use super::wire::{self, Eye};
use crate::bus::Missed;
use crate::rooms::{Notice, now_ms};
use crate::store::{AccountKey, PublicId};
use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use bytes::Bytes;
use serde_json::{Value, json};
use std::convert::Infallible;

/// Challenges and games shown at one time.
const SHOWN_MAX: usize = 200;

/// The lobby as somebody sees it.
pub async fn show(
    State(app): State<App>,
    Viewer(viewer): Viewer,
    headers: HeaderMap,
) -> Result<Json<Value>, Error> {
    let eye = match viewer {
        Some(account) => Some(eye(&app, account).await?),
        None => None,
    };
    Ok(Json(whole(&app, eye.as_ref(), &origin(&app, &headers)).await?))
}

/// The games in play.
pub async fn live(State(app): State<App>) -> Json<Value> {
    Json(json!({ "games": games(&app) }))
}

fn games(app: &App) -> Vec<Value> {
    app.rooms.lobby().live(SHOWN_MAX).iter().map(|live| wire::live(live)).collect()
}

async fn whole(app: &App, eye: Option<&Eye>, origin: &str) -> Result<Value, Error> {
    let open = app.rooms.store().open_challenges(now_ms(), SHOWN_MAX as i64).await?;
    let seen = |challenge| wire::challenge(challenge, eye, origin);
    Ok(json!({
        "challenges": open.iter().map(seen).collect::<Vec<_>>(),
        "games": games(app),
        "you": eye.map(|eye| wire::account(&eye.account, &eye.ratings)),
    }))
}

/// The lobby as it changes.
pub async fn socket(
    State(app): State<App>,
    Viewer(viewer): Viewer,
    headers: HeaderMap,
    upgrade: Upgrade,
) -> Result<Response, Error> {
    let eye = match viewer {
        Some(account) => Some(eye(&app, account).await?),
        None => None,
    };
    let origin = origin(&app, &headers);
    let credits = app.config.limits.lobby_messages;
    let mut seat = Seat { app: app.clone(), eye, origin };
    Ok(upgrade.run(&app, credits, async move |mut connection| {
        let Err(Gone) = seat.watch(&mut connection).await;
    }))
}

/// Somebody in the lobby.
struct Seat {
    app: App,
    eye: Option<Eye>,
    origin: String,
}

impl Seat {
    /// Tells what changes, until the connection ends.
    async fn watch(&mut self, connection: &mut Connection) -> Result<Infallible, Gone> {
        let mut notices = self.app.rooms.lobby().subscribe();
        let stop = self.app.stop.clone();
        connection.send(self.full().await?).await?;
        loop {
            tokio::select! {
                incoming = connection.next() => {
                    if let Some(frame) = connection.take(incoming).await? {
                        let error = "The lobby takes no messages but pings.";
                        connection.refuse(frame.d.cid, "unknown", error).await?;
                    }
                }
                notice = notices.next() => {
                    let frame = match notice {
                        Ok(notice) => self.frame(notice).await?,
                        Err(Missed::Some) => Some(self.full().await?),
                        Err(Missed::Closed) => return Err(Gone),
                    };
                    if let Some(frame) = frame {
                        connection.send(frame).await?;
                    }
                }
                () = stop.cancelled() => return Err(connection.close(Close::Restart).await),
            }
        }
    }

    async fn full(&self) -> Result<Bytes, Gone> {
        let whole = whole(&self.app, self.eye.as_ref(), &self.origin).await.map_err(|_| Gone)?;
        Ok(wire::plain("full", whole))
    }

    /// What a notice means to this viewer, if anything.
    async fn frame(&mut self, notice: Notice) -> Result<Option<Bytes>, Gone> {
        let me = self.eye.as_ref().map(|eye| eye.account.key);
        let concerns = |players: [AccountKey; 2]| me.is_some_and(|me| players.contains(&me));
        let named = |id: PublicId| json!({ "id": id.as_str() });
        Ok(Some(match notice {
            Notice::Challenge(challenge) => {
                let seen = wire::challenge(&challenge, self.eye.as_ref(), &self.origin);
                wire::plain("challenge", seen)
            }
            Notice::ChallengeGone(id, status) => {
                let gone = json!({ "id": id.as_str(), "status": status.word() });
                wire::plain("challengeGone", gone)
            }
            Notice::Game(live) => live.encoded(|| wire::plain("game", wire::live(&live))),
            Notice::GameGone(id) => wire::plain("gameGone", named(id)),
            Notice::Started(id, players) if concerns(players) => wire::plain("start", named(id)),
            Notice::Rated(players) if concerns(players) => {
                // Whatever this viewer may or may not accept has to be looked at again.
                if let Some(seeing) = &mut self.eye {
                    let account = seeing.account.clone();
                    *seeing = eye(&self.app, account).await.map_err(|_| Gone)?;
                }
                self.full().await?
            }
            Notice::Started(..) | Notice::Rated(_) => return Ok(None),
        }))
    }
}
