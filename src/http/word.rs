//! User events as WebSocket frames, the same on every WebSocket of a signed-in user.
//!
//! A [`Me`] registers the connection of an account, so that it counts as online, and receives the
//! account's events: challenges, ready checks, game starts, turns, the end of a session.

use super::App;
use super::auth::Viewer;
use super::challenge::eye;
use super::events::{is_end, is_mine};
use super::socket::{Close, Connection, Gone};
use super::wire::{self, Eye, PlayerOut};
use crate::play::challenge::Kind;
use crate::play::rating::Rating;
use crate::rooms::{Place, Presence, Ring, Word, now_ms};
use crate::rules::Side;
use crate::store::{Account, AccountKey, Challenge, PublicId};
use bytes::Bytes;
use serde_json::{Value, json};

/// Signed-in user of a WebSocket or an event stream.
pub struct Me {
    pub app: App,
    /// The account with its ratings and blocks, which decide how it sees challenges.
    pub eye: Eye,
    /// Hash of the session or token that opened the connection.
    own: Option<Vec<u8>>,
    /// Origin of the site.
    pub origin: String,
    /// Presence of the user, and source of the account's events.
    pub presence: Presence,
}

impl Me {
    /// Registers the user's presence at `place`. Returns `None` for anonymous viewers, and an error
    /// if the store fails.
    pub async fn come(
        app: &App,
        viewer: Viewer,
        origin: String,
        place: Place,
    ) -> Result<Option<Me>, super::error::Error> {
        let own = viewer.known_by();
        let Some(account) = viewer.account else { return Ok(None) };
        let presence = app.rooms.people().join(account.key, place);
        let eye = eye(app, account).await?;
        Ok(Some(Me { app: app.clone(), eye, own, origin, presence }))
    }

    pub fn account(&self) -> &Account {
        &self.eye.account
    }

    /// Returns a challenge as the user sees it.
    pub fn card(&self, challenge: &Challenge) -> wire::Card {
        wire::challenge(&self.app, challenge, Some(&self.eye), &self.origin)
    }

    /// Returns the `hello` frame: number of games to move in, pending ready checks, incoming
    /// challenges.
    async fn hello(&self) -> Result<Bytes, Gone> {
        let key = self.account().key;
        let open = self.app.rooms.store().open_challenges_of(key, now_ms()).await;
        let open = open.map_err(|_| Gone)?;
        let challenges: Vec<wire::Card> = open
            .iter()
            .filter(|open| open.draft.dest.as_ref().is_some_and(|dest| dest.key == key))
            .filter(|open| !wire::is_unseen(open, Some(&self.eye)))
            .map(|open| self.card(open))
            .collect();
        let mut rings = Vec::new();
        for ring in self.app.rooms.rings_for(key) {
            rings.push(self.ring(&ring).await?);
        }
        let turns = self.app.rooms.desk().turns(key);
        let hello = json!({ "turns": turns, "rings": rings, "challenges": challenges });
        Ok(wire::plain("hello", hello))
    }

    /// Sends the `hello` frame. Closes the connection instead if the session ended before events
    /// could be received, or while they were missed.
    ///
    /// # Errors
    /// The connection has ended or was closed, or the store failed.
    pub async fn greet(&self, connection: &mut Connection) -> Result<(), Gone> {
        if !self.is_still_in().await {
            connection.send(wire::plain("signedOut", json!({}))).await?;
            return Err(connection.close(Close::SignedOut).await);
        }
        connection.send(self.hello().await?).await
    }

    /// Returns whether the session or token that opened the connection is still valid.
    pub async fn is_still_in(&self) -> bool {
        is_still_in(&self.app, self.own.as_deref()).await
    }

    /// Reloads ratings and blocks. Fails when the store does.
    pub async fn look_again(&mut self) -> Result<(), super::error::Error> {
        self.eye = eye(&self.app, self.eye.account.clone()).await?;
        Ok(())
    }

    /// Returns whether an event ends the session or token that opened the connection.
    pub fn is_out(&self, word: &Word) -> bool {
        is_end(word, self.own.as_deref())
    }

    async fn ring(&self, ring: &Ring) -> Result<Value, Gone> {
        let by = &ring.taking.acceptor;
        let ratings = self.app.rooms.store().ratings(by.key).await.map_err(|_| Gone)?;
        let (plays, pace) = ring.bound();
        let rating: Rating = ratings.get(plays.variant.info.key).copied().unwrap_or_default();
        let by = PlayerOut::now(&self.app, by, &rating);
        let challenge = self.card(&ring.challenge);
        Ok(json!({
            "challenge": challenge,
            "by": by,
            "variant": wire::variant(plays.variant),
            "options": wire::options(&plays.options),
            "timeControl": wire::time_control(pace),
            "readyBy": ring.ready_by_ms,
        }))
    }

    /// Returns the frame of an event, if it has one.
    ///
    /// # Errors
    /// The event has ended the session and closed the connection, or the store failed.
    pub async fn frame(
        &mut self,
        word: &Word,
        connection: &mut Connection,
    ) -> Result<Option<Bytes>, Gone> {
        Ok(Some(match word {
            Word::Challenge(challenge) if wire::is_unseen(challenge, Some(&self.eye)) => {
                return Ok(None);
            }
            Word::Challenge(challenge) => wire::plain("challenge", self.card(challenge)),
            Word::Gone(challenge) => {
                let (id, terms) = (challenge.id, &challenge.draft.terms);
                let reason = challenge.declined.map(|reason| reason.key);
                let gone = json!({ "id": id.as_str(), "status": terms.status.word(), "reasonKey": reason });
                wire::plain("challengeGone", gone)
            }
            Word::SeatLost(challenge) => wire::plain("seatLost", self.card(challenge)),
            Word::Ring(ring) => wire::plain("ring", self.ring(ring).await?),
            Word::RingGone(id, end) => {
                let gone = json!({ "id": id.as_str(), "reason": end.word() });
                wire::plain("ringGone", gone)
            }
            Word::Start(row, challenge) => {
                let start = json!({ "id": row.id.as_str(), "challenge": challenge.as_str() });
                wire::plain("start", start)
            }
            Word::Turns(n) => wire::plain("turns", json!({ "n": n })),
            Word::Changed | Word::Blocked => {
                self.look_again().await.map_err(|_| Gone)?;
                return Ok(None);
            }
            Word::SignedOut(which) if is_mine(which.as_deref(), self.own.as_deref()) => {
                connection.send(wire::plain("signedOut", json!({}))).await?;
                return Err(connection.close(Close::SignedOut).await);
            }
            // The cookie belongs to another account now, so that the client reconnects as that
            // account.
            Word::Renamed => return Err(connection.close(Close::Restart).await),
            Word::SignedOut(_) | Word::Finish(_) => return Ok(None),
        }))
    }
}

/// Returns whether the session or token of a hash is still valid; without a hash, true.
pub async fn is_still_in(app: &App, own: Option<&[u8]>) -> bool {
    let Some(hash) = own else { return true };
    let (store, now_ms) = (app.rooms.store(), now_ms());
    store.session(hash, now_ms).await.is_ok_and(|found| found.is_some())
        || store.token(hash, now_ms).await.is_ok_and(|found| found.is_some())
}

/// Returns the `rematch` frame of an event that concerns a rematch of `game`: who offers it, its
/// challenge, and its differences from the game. `you` and `key` are the reader's side and account.
pub fn rematch(word: &Word, game: PublicId, you: Side, key: AccountKey) -> Option<Bytes> {
    let of = |challenge: &Challenge| {
        challenge.draft.kind == Kind::Rematch && challenge.draft.rematch_of == Some(game)
    };
    match word {
        Word::Challenge(challenge) if of(challenge) => {
            let by = if challenge.maker.key == key { you } else { you.other() };
            let sides = if challenge.draft.side == Some(by) { "same" } else { "changed" };
            let board = if challenge.draft.same_board { "same" } else { "new" };
            let id = challenge.id.as_str();
            let offer = json!({ "by": by, "id": id, "sides": sides, "board": board });
            Some(wire::plain("rematch", offer))
        }
        Word::Gone(challenge) if of(challenge) => {
            let status = challenge.draft.terms.status.word();
            Some(wire::plain("rematch", json!({ "by": null, "status": status })))
        }
        _ => None,
    }
}

/// Returns the next event of a user; never resolves for anonymous viewers.
pub async fn next(me: &mut Option<Me>) -> Result<Word, crate::bus::Missed> {
    match me {
        Some(me) => me.presence.words.next().await,
        None => std::future::pending().await,
    }
}
