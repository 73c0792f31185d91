//! WebSocket of a game (`/ws/game/{id}`) for its players and spectators.
//!
//! A connection joins the game's room, receives its events and sends commands to it. A client that
//! reconnects gets the events after `v`; when the room stops or events are missed, the connection
//! joins again and sends the full game.

use super::App;
use super::auth::{Scope, Viewer};
use super::challenge::{origin, read_answer};
use super::error::Error;
use super::socket::{Close, Connection, Frame, Gone, Upgrade};
use super::wire;
use super::word::{self, Me};
use crate::bus::Missed;
use crate::play::command::{Ask as Wish, Command, Refusal};
use crate::play::event::Room;
use crate::rooms::{self, Again, Ask, Asker, Joined, Place, Told, Unheard, Visitor, Word};
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
const MORE_MS: i64 = 15_000;

/// Query parameters of a reconnecting client; `v` is the number of the last event it has.
#[derive(Debug, Deserialize)]
pub struct Known {
    v: Option<i64>,
}

/// Opens the WebSocket of a game.
pub async fn socket(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path<String>,
    known: Result<Query<Known>, QueryRejection>,
    headers: HeaderMap,
    upgrade: Upgrade,
) -> Result<Response, Error> {
    let since = known.ok().and_then(|Query(known)| known.v);
    let credits = app.config.limits.play_messages;
    let talking = app.clone();
    let id = id.parse();
    let place = id.map_or(Place::Elsewhere, Place::Game);
    // A token without a play scope connects as an anonymous spectator.
    let viewer = viewer.only_with(&Scope::PLAY);
    let me = Me::come(&app, viewer, origin(&app, &headers), place).await?;
    Ok(upgrade.run(&app, credits, async move |connection| {
        let mut seat = Seat { app: talking, me, connection };
        let _: Gone = match id {
            Ok(id) => seat.stay(id, since).await,
            Err(()) => seat.connection.close(Close::Unknown).await,
        };
    }))
}

/// Connection of one client to one game.
struct Seat {
    app: App,
    me: Option<Me>,
    connection: Connection,
}

/// `reason` code and sentence of an invalid message.
type NotACommand = (&'static str, &'static str);

impl Seat {
    /// Joins the room, again after it has stopped or events were missed, until the connection ends.
    async fn stay(&mut self, id: PublicId, mut since: Option<i64>) -> Gone {
        let mut greeted = false;
        loop {
            let visitor = Visitor {
                account: self.me.as_ref().map(|me| me.account().key),
                // Guests are counted as spectators without a name.
                name: self.me.as_ref().map(Me::account).filter(|who| !who.guest).map(name_of),
                counted: true,
            };
            let joined = self.app.rooms.join(&id, visitor, since.take()).await;
            let (inbox, joined) = match joined {
                Ok(joined) => joined,
                Err(rooms::Error::Unknown) => return self.connection.close(Close::Unknown).await,
                Err(rooms::Error::Stopping) => return self.connection.close(Close::Restart).await,
                Err(rooms::Error::BadLog(error)) => {
                    tracing::error!(game.id = %id, %error, "Failed to replay a game");
                    return self.connection.close(Close::Unknown).await;
                }
                Err(rooms::Error::Store(store::Error::BadRow(error))) => {
                    tracing::error!(game.id = %id, %error, "Failed to read a game");
                    return self.connection.close(Close::Unknown).await;
                }
                Err(error) => {
                    tracing::error!(game.id = %id, %error, "Failed to open a game");
                    return self.connection.close(Close::Restart).await;
                }
            };
            if let Err(gone) = self.follow(id, joined, &inbox, &mut greeted).await {
                return gone;
            }
        }
    }

    /// Passes messages in both directions until the room stops or events are missed.
    async fn follow(
        &mut self,
        id: PublicId,
        joined: Joined,
        inbox: &mpsc::Sender<Ask>,
        greeted: &mut bool,
    ) -> Result<(), Gone> {
        let Joined { side, shown, missed, mut news, mut told, stay: _stay } = joined;
        let mut known = shown.as_ref().map(|shown| shown.told.clone());
        if side.is_none() {
            self.connection.set_credits(self.app.config.limits.watch_messages);
        }
        if let Some(shown) = shown {
            let full = match &self.me {
                Some(me) => wire::full(&shown, side, &me.eye.unseen_names),
                None => wire::full(&shown, side, &HashSet::new()),
            };
            self.connection.send(full).await?;
        }
        for event in missed {
            self.tell(&event, side).await?;
        }
        if !std::mem::replace(greeted, true) {
            self.greet().await?;
        }
        let stop = self.app.stop.clone();
        loop {
            tokio::select! {
                event = news.next() => match event {
                    Ok(event) => self.tell(&event, side).await?,
                    Err(_) => return Ok(()),
                },
                incoming = self.connection.next() => {
                    if let Some(frame) = self.connection.take(incoming).await? {
                        if frame.t == "rematch" {
                            self.rematch(id, frame).await?;
                        } else {
                            self.hear(frame, side, inbox).await?;
                        }
                    }
                }
                word = word::next(&mut self.me) => match word {
                    Ok(word) => self.pass_on(&word, id, side).await?,
                    Err(Missed::Some) => self.greet().await?,
                    Err(Missed::Closed) => return Err(Gone),
                },
                changed = told.changed() => {
                    if changed.is_err() {
                        return Ok(());
                    }
                    let now = told.borrow_and_update().clone();
                    self.tell_around(known.replace(now.clone()), &now).await?;
                }
                () = stop.cancelled() => return Err(self.connection.close(Close::Restart).await),
            }
        }
    }

    /// Sends the spectators, the absent players and the next game, as far as they have changed.
    async fn tell_around(&mut self, before: Option<Told>, now: &Told) -> Result<(), Gone> {
        if before.as_ref().is_none_or(|before| before.crowd != now.crowd) {
            self.connection.send(wire::crowd(&now.crowd)).await?;
        }
        for side in Side::BOTH {
            let claim_ms = now.claim_ms[side.index()];
            if before.as_ref().is_none_or(|told| told.claim_ms[side.index()] != claim_ms) {
                self.connection.send(wire::gone(side, claim_ms)).await?;
            }
        }
        if let Some(id) = now.next.filter(|id| before.and_then(|told| told.next) != Some(*id)) {
            self.connection.send(wire::plain("next", json!({ "id": id.as_str() }))).await?;
        }
        Ok(())
    }

    async fn greet(&mut self) -> Result<(), Gone> {
        match &self.me {
            Some(me) => me.greet(&mut self.connection).await,
            None => Ok(()),
        }
    }

    /// Sends an event of the game. Only the number is sent of a chat message by a blocked user.
    async fn tell(&mut self, event: &rooms::News, side: Option<Side>) -> Result<(), Gone> {
        let unseen = match (&event.what, &self.me) {
            (rooms::What::Said(said), Some(me)) => me.eye.unseen_names.contains(&said.name),
            _ => false,
        };
        let frame = if unseen { wire::unseen(event.v) } else { wire::news(event, side) };
        metrics::histogram!("sprong_fan_out_seconds").record(event.stored.elapsed());
        self.connection.send(frame).await
    }

    /// Sends an event of the user's account, and the offer if it concerns a rematch of this game.
    async fn pass_on(
        &mut self,
        word: &Word,
        game: PublicId,
        side: Option<Side>,
    ) -> Result<(), Gone> {
        let Some(me) = &mut self.me else { return Ok(()) };
        if let Some(frame) = me.frame(word, &mut self.connection).await? {
            self.connection.send(frame).await?;
        }
        let key = me.account().key;
        match side.and_then(|side| word::rematch(word, game, side, key)) {
            Some(frame) => self.connection.send(frame).await,
            None => Ok(()),
        }
    }

    /// Offers, accepts or declines a rematch.
    async fn rematch(&mut self, game: PublicId, frame: Frame) -> Result<(), Gone> {
        let cid = frame.d.cid;
        let Some(me) = &self.me else {
            let error = Error::NoSession;
            return self.connection.refuse(cid, error.word(), &error.to_string()).await;
        };
        let done = match read_answer(frame.d.answer.as_deref().unwrap_or_default()) {
            Ok(yes) => {
                let again = Again {
                    same_sides: frame.d.sides.as_deref() == Some("same"),
                    same_board: frame.d.board.as_deref() == Some("same"),
                };
                let yes = yes.then_some(again);
                match self.app.rooms.rematch(game, me.account().clone(), yes).await {
                    Ok(done) => done.map_err(Error::from),
                    Err(error) => Err(error.into()),
                }
            }
            Err(error) => Err(error),
        };
        match done {
            Ok(_) => self.connection.send(wire::plain("ack", json!({ "cid": cid }))).await,
            Err(error) => self.connection.refuse_with(cid, error).await,
        }
    }

    async fn hear(
        &mut self,
        frame: Frame,
        side: Option<Side>,
        inbox: &mpsc::Sender<Ask>,
    ) -> Result<(), Gone> {
        let cid = frame.d.cid;
        let Some(account) = self.me.as_ref().map(Me::account) else {
            let error = "You are not signed in. Sign in, or play as a guest.";
            return self.connection.refuse(cid, "anonymous", error).await;
        };
        if frame.t == "talk"
            && let Err(error) = self.app.talks.check(account.key)
        {
            return self.connection.refuse_with(cid, error).await;
        }
        let asker = Asker { account: account.key, name: account.name.clone() };
        let (answer, answered) = oneshot::channel();
        let lag_ms = self.connection.lag_ms();
        let ask = match read(frame, side, asker, lag_ms, answer) {
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

/// Parses a message into a request to the room.
fn read(
    frame: Frame,
    side: Option<Side>,
    asker: Asker,
    lag_ms: i64,
    answer: oneshot::Sender<rooms::Answer>,
) -> Result<Ask, NotACommand> {
    let data = frame.d;
    let needs = |what: &'static str| ("badFrame", what);
    let command = match frame.t.as_str() {
        "move" => {
            let u = data.u.ok_or(needs("`move` requires field `u` (move notation)."))?;
            let ply = data.ply.ok_or(needs("`move` requires field `ply` (plies seen so far)."))?;
            Command::Move { u, ply: Some(ply), lag_ms }
        }
        "resign" => Command::Resign,
        "abort" => Command::Abort,
        "draw" if data.answer.as_deref() == Some("claim") => Command::ClaimDraw,
        "draw" => Command::Draw {
            ask: wish(data.answer.as_deref())
                .ok_or(needs("`draw` requires field `answer`: yes, offer, accept, no or claim."))?,
            ply: data.ply,
        },
        "takeback" => Command::Takeback {
            ask: wish(data.answer.as_deref())
                .ok_or(needs("`takeback` requires field `answer`: yes, offer, accept or no."))?,
            ply: data.ply,
        },
        "moretime" => Command::GiveTime { ms: MORE_MS },
        "claim" => match data.answer.as_deref() {
            None | Some("win") => Command::ClaimWin,
            Some("draw") => Command::ClaimDraw,
            Some(_) => return Err(needs("`answer` of `claim` must be win or draw.")),
        },
        "talk" => return talk(data.cid, data.room, data.text, side, asker, answer),
        _ => return Err(("unknown", "Unknown message type.")),
    };
    let cid = Some(data.cid.ok_or(needs("Commands require field `cid` (a UUID)."))?);
    Ok(Ask::Command { asker, command, cid, answer })
}

fn wish(answer: Option<&str>) -> Option<Wish> {
    match answer? {
        "yes" => Some(Wish::Yes),
        "offer" => Some(Wish::Offer),
        "accept" => Some(Wish::Accept),
        "no" => Some(Wish::No),
        _ => None,
    }
}

fn name_of(account: &Account) -> String {
    account.name.clone()
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
        Some(_) => return Err(("badFrame", "`room` must be player or spectator.")),
    };
    let cid = Some(cid.ok_or(("badFrame", "Commands require field `cid` (a UUID)."))?);
    Ok(Ask::Say { asker, room, text: text.unwrap_or_default(), cid, answer })
}
