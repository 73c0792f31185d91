//! The socket of a game: what its players and spectators say, and what they are told.

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

/// What a player gives the other at once, in milliseconds.
const MORE_MS: i64 = 15_000;

/// What a client that comes back knows already.
#[derive(Debug, Deserialize)]
pub struct Known {
    v: Option<i64>,
}

/// A game as it goes on.
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
    // A token that may not play watches like anybody.
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

/// One connection to one game.
struct Seat {
    app: App,
    me: Option<Me>,
    connection: Connection,
}

/// A message that is no command: its word and sentence.
type NotACommand = (&'static str, &'static str);

impl Seat {
    /// Joins, and joins again whenever the room has ended or something was missed, until the
    /// connection ends.
    async fn stay(&mut self, id: PublicId, mut since: Option<i64>) -> Gone {
        let mut greeted = false;
        loop {
            let visitor = Visitor {
                account: self.me.as_ref().map(|me| me.account().key),
                // Guests watch without a name.
                name: self.me.as_ref().map(Me::account).filter(|who| !who.guest).map(name_of),
                counted: true,
            };
            let joined = self.app.rooms.join(&id, visitor, since.take()).await;
            let (inbox, joined) = match joined {
                Ok(joined) => joined,
                Err(rooms::Error::Unknown) => return self.connection.close(Close::Unknown).await,
                Err(rooms::Error::Stopping) => return self.connection.close(Close::Restart).await,
                Err(rooms::Error::BadLog(error)) => {
                    tracing::error!(game.id = %id, %error, "a game that is left alone");
                    return self.connection.close(Close::Unknown).await;
                }
                Err(rooms::Error::Store(store::Error::BadRow(error))) => {
                    tracing::error!(game.id = %id, %error, "a game that is left alone");
                    return self.connection.close(Close::Unknown).await;
                }
                Err(error) => {
                    tracing::error!(game.id = %id, %error, "the game could not be opened");
                    return self.connection.close(Close::Restart).await;
                }
            };
            if let Err(gone) = self.follow(id, joined, &inbox, &mut greeted).await {
                return gone;
            }
        }
    }

    /// Tells and hears, until the room ends or something was missed.
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

    /// Who watches, which player has gone or is back, and the next game, where that has changed.
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

    /// An event of the game; chat of somebody whom the reader has blocked is not told.
    async fn tell(&mut self, event: &rooms::News, side: Option<Side>) -> Result<(), Gone> {
        let unseen = match (&event.what, &self.me) {
            (rooms::What::Said(said), Some(me)) => me.eye.unseen_names.contains(&said.name),
            _ => false,
        };
        let frame = if unseen { wire::unseen(event.v) } else { wire::news(event, side) };
        metrics::histogram!("sprong_fan_out_seconds").record(event.stored.elapsed());
        self.connection.send(frame).await
    }

    /// What concerns whoever sits here, wherever they are.
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

    /// Offers, accepts or declines the next game of the same two.
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
            let error = "Nobody is signed in here. Sign in, or play as a guest.";
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

/// Reads a message as something to ask of the room.
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
            let u = data.u.ok_or(needs("A move bears u, its notation."))?;
            let ply = data.ply.ok_or(needs("A move bears ply, how many plies you had seen."))?;
            Command::Move { u, ply: Some(ply), lag_ms }
        }
        "resign" => Command::Resign,
        "abort" => Command::Abort,
        "draw" if data.answer.as_deref() == Some("claim") => Command::ClaimDraw,
        "draw" => Command::Draw {
            ask: wish(data.answer.as_deref())
                .ok_or(needs("A draw bears answer: yes, offer, accept, no or claim."))?,
            ply: data.ply,
        },
        "takeback" => Command::Takeback {
            ask: wish(data.answer.as_deref())
                .ok_or(needs("A takeback bears answer: yes, offer, accept or no."))?,
            ply: data.ply,
        },
        "moretime" => Command::GiveTime { ms: MORE_MS },
        "claim" => match data.answer.as_deref() {
            None | Some("win") => Command::ClaimWin,
            Some("draw") => Command::ClaimDraw,
            Some(_) => return Err(needs("A claim bears answer: win or draw.")),
        },
        "talk" => return talk(data.cid, data.room, data.text, side, asker, answer),
        _ => return Err(("unknown", "There is no message of that type.")),
    };
    let cid = Some(data.cid.ok_or(needs("A command bears cid, a uuid of your own."))?);
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
        Some(_) => return Err(("badFrame", "The room is player or spectator.")),
    };
    let cid = Some(cid.ok_or(("badFrame", "A command bears cid, a uuid of your own."))?);
    Ok(Ask::Say { asker, room, text: text.unwrap_or_default(), cid, answer })
}
