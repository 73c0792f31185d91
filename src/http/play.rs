//! The socket of a game: what its players and spectators say, and what they are told.

use super::App;
use super::auth::Viewer;
use super::socket::{Close, Connection, Frame, Gone, Upgrade};
use super::wire;
use crate::play::command::{Command, Refusal};
use crate::play::event::Room;
use crate::rooms::{self, Ask, Asker, Joined, Unheard};
use crate::rules::Side;
use crate::store::{Account, PublicId};
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use serde::Deserialize;
use serde_json::json;
use tokio::sync::{mpsc, oneshot};
use uuid::Uuid;

/// What a client that comes back knows already.
#[derive(Debug, Deserialize)]
pub struct Known {
    v: Option<i64>,
}

/// A game as it goes on.
pub async fn socket(
    State(app): State<App>,
    Viewer(viewer): Viewer,
    Path(id): Path<String>,
    known: Result<Query<Known>, QueryRejection>,
    upgrade: Upgrade,
) -> Response {
    let since = known.ok().and_then(|Query(known)| known.v);
    let credits = app.config.limits.play_messages;
    let talking = app.clone();
    upgrade.run(&app, credits, async move |connection| {
        let mut seat = Seat { app: talking, viewer, connection };
        let _: Gone = match id.parse() {
            Ok(id) => seat.stay(id, since).await,
            Err(()) => seat.connection.close(Close::Unknown).await,
        };
    })
}

/// One connection to one game.
struct Seat {
    app: App,
    viewer: Option<Account>,
    connection: Connection,
}

/// A message that is no command: its word and sentence.
type NotACommand = (&'static str, &'static str);

impl Seat {
    /// Joins, and joins again whenever the room has ended or something was missed, until the
    /// connection ends.
    async fn stay(&mut self, id: PublicId, mut since: Option<i64>) -> Gone {
        loop {
            let inbox = match self.app.rooms.room(&id).await {
                Ok(inbox) => inbox,
                Err(rooms::Error::Unknown) => return self.connection.close(Close::Unknown).await,
                Err(rooms::Error::Stopping) => return self.connection.close(Close::Restart).await,
                Err(rooms::Error::BadLog(error)) => {
                    tracing::error!(game.id = %id, %error, "a game that is left alone");
                    return self.connection.close(Close::Unknown).await;
                }
                Err(error) => {
                    tracing::error!(game.id = %id, %error, "the game could not be opened");
                    return self.connection.close(Close::Restart).await;
                }
            };
            let (answer, answered) = oneshot::channel();
            let account = self.viewer.as_ref().map(|account| account.key);
            let join = Ask::Join { account, since: since.take(), answer };
            if inbox.send(join).await.is_err() {
                continue;
            }
            let Ok(joined) = answered.await else { continue };
            if let Err(gone) = self.follow(joined, &inbox).await {
                return gone;
            }
        }
    }

    /// Tells and hears, until the room ends or something was missed.
    async fn follow(&mut self, joined: Joined, inbox: &mpsc::Sender<Ask>) -> Result<(), Gone> {
        let Joined { side, shown, missed, mut news, mut crowd, watching: _watching } = joined;
        if side.is_none() {
            self.connection.set_credits(self.app.config.limits.watch_messages);
        }
        if let Some(shown) = shown {
            self.connection.send(wire::full(&shown, side)).await?;
        }
        for event in missed {
            self.connection.send(wire::news(&event, side)).await?;
        }
        let stop = self.app.stop.clone();
        loop {
            tokio::select! {
                event = news.next() => match event {
                    Ok(event) => self.connection.send(wire::news(&event, side)).await?,
                    Err(_) => return Ok(()),
                },
                incoming = self.connection.next() => {
                    if let Some(frame) = self.connection.take(incoming).await? {
                        self.hear(frame, side, inbox).await?;
                    }
                }
                changed = crowd.changed() => {
                    if changed.is_err() {
                        return Ok(());
                    }
                    let watching = *crowd.borrow_and_update();
                    self.connection.send(wire::plain("crowd", json!({ "n": watching }))).await?;
                }
                () = stop.cancelled() => return Err(self.connection.close(Close::Restart).await),
            }
        }
    }

    async fn hear(
        &mut self,
        frame: Frame,
        side: Option<Side>,
        inbox: &mpsc::Sender<Ask>,
    ) -> Result<(), Gone> {
        let cid = frame.d.cid;
        let Some(account) = &self.viewer else {
            let error = "Nobody is signed in here. Sign in, or play as a guest.";
            return self.connection.refuse(cid, "anonymous", error).await;
        };
        let asker = Asker { account: account.key, name: account.name.clone() };
        let (answer, answered) = oneshot::channel();
        let ask = match read(frame, side, asker, answer) {
            Ok(ask) => ask,
            Err((reason, error)) => return self.connection.refuse(cid, reason, error).await,
        };
        let heard = match inbox.send(ask).await {
            Ok(()) => answered.await.unwrap_or(Err(Unheard::NotStored)),
            Err(_) => Err(Unheard::NotStored),
        };
        match heard {
            Ok(v) => self.connection.send(wire::plain("ack", json!({ "cid": cid, "v": v }))).await,
            Err(why) => {
                let reason = match &why {
                    Unheard::Refused(refusal) => Refusal::word(refusal),
                    Unheard::NotStored => "notStored",
                };
                self.connection.refuse(cid, reason, &why.to_string()).await
            }
        }
    }
}

/// Reads a message as something to ask of the room.
fn read(
    frame: Frame,
    side: Option<Side>,
    asker: Asker,
    answer: oneshot::Sender<rooms::Answer>,
) -> Result<Ask, NotACommand> {
    let data = frame.d;
    let needs = |what: &'static str| ("badFrame", what);
    let command = match frame.t.as_str() {
        "move" => {
            let u = data.u.ok_or(needs("A move bears u, its notation."))?;
            let ply = data.ply.ok_or(needs("A move bears ply, how many plies you had seen."))?;
            Command::Move { u, ply: Some(ply) }
        }
        "resign" => Command::Resign,
        "abort" => Command::Abort,
        "draw" => match data.answer.as_deref() {
            Some("yes") => Command::DrawYes,
            Some("no") => Command::DrawNo,
            _ => return Err(needs("A draw bears answer: yes or no.")),
        },
        "talk" => return talk(data.cid, data.room, data.text, side, asker, answer),
        _ => return Err(("unknown", "There is no message of that type.")),
    };
    let cid = Some(data.cid.ok_or(needs("A command bears cid, a uuid of your own."))?);
    Ok(Ask::Command { asker, command, cid, answer })
}

fn talk(
    cid: Option<Uuid>,
    room: Option<String>,
    text: Option<String>,
    side: Option<Side>,
    asker: Asker,
    answer: oneshot::Sender<rooms::Answer>,
) -> Result<Ask, NotACommand> {
    let own = if side.is_some() { Room::Player } else { Room::Spectator };
    let room = match room.as_deref() {
        None => own,
        Some("player") => Room::Player,
        Some("spectator") => Room::Spectator,
        Some(_) => return Err(("badFrame", "The room is player or spectator.")),
    };
    let cid = Some(cid.ok_or(("badFrame", "A command bears cid, a uuid of your own."))?);
    Ok(Ask::Say { asker, room, text: text.unwrap_or_default(), cid, answer })
}
