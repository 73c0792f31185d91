//! Games in progress and announcements of the lobby.
//!
//! Rooms update their games here, at most once a second. Sockets, streams and the TV read them.
//! Games that no player attends, or only players who hide their presence, are not listed (see
//! `attendance`); those without a clock and a room are not registered, either. Callers: rooms,
//! challenges, `api::live`, `api::tv`, and the modules of `sockets`.

pub mod attendance;
pub mod creator_presence;
pub mod live_game;
pub mod turns;
pub mod tv;

use super::now_ms;
use crate::bus::{Subscriber, Topic};
use crate::play::challenge::ChallengeStatus;
use crate::store::{AccountKey, Challenge, PublicId};
use attendance::Attendance;
use live_game::LiveGame;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};
use tv::Tv;

/// Event of the lobby.
#[derive(Clone, Debug)]
pub enum LobbyEvent {
    /// A challenge was created or has changed.
    Challenge(Arc<Challenge>),
    /// A challenge is no longer open.
    ChallengeGone(PublicId, ChallengeStatus),
    /// Presence of the creators of these challenges, which has changed.
    Presence(Arc<Vec<CreatorPresence>>),
    /// A game is in progress, or has changed.
    Game(Arc<LiveGame>),
    /// A game is no longer in progress.
    GameGone(PublicId),
}

/// Presence of the creator of a public or direct challenge.
#[derive(Clone, Copy, Debug)]
pub struct CreatorPresence {
    pub challenge: PublicId,
    pub creator: AccountKey,
    /// Recipient of a direct challenge. No other viewer may learn of it.
    pub recipient: Option<AccountKey>,
    pub is_present: bool,
    /// Whether the creator hides it, and the challenge does not announce it.
    pub is_hidden: bool,
    /// Whether the creator has hidden it or shows it again since the last event.
    pub has_changed_visibility: bool,
}

/// Game in progress, listed or not.
#[derive(Debug)]
struct LobbyGame {
    live: Arc<LiveGame>,
    /// Time of the last event or of the last attendance of a player, in epoch milliseconds.
    attended_ms: i64,
    /// The same without players who hide their presence.
    shown_ms: i64,
    is_listed: bool,
}

/// Games in progress, and the selection of the TV.
#[derive(Default, Debug)]
struct LobbyState {
    games: HashMap<PublicId, LobbyGame>,
    tv: Tv,
}

impl LobbyState {
    /// Sets the state of a game. Returns the event to announce.
    fn set(&mut self, game: LobbyGame) -> Option<LobbyEvent> {
        let (live, is_listed, id) = (game.live.clone(), game.is_listed, game.live.row.id);
        let before = self.games.insert(id, game).filter(|before| before.is_listed);
        if is_listed {
            self.tv.update(before.as_ref().map(|before| &*before.live), &live);
            return Some(LobbyEvent::Game(live));
        }
        let before = before?;
        self.tv.remove(&before.live);
        Some(LobbyEvent::GameGone(id))
    }

    /// Returns the game of an id if it is listed.
    fn listed(&self, id: &PublicId) -> Option<&Arc<LiveGame>> {
        self.games.get(id).filter(|game| game.is_listed).map(|game| &game.live)
    }
}

/// Games in progress, with announcements of games and public challenges.
#[derive(Debug)]
pub struct Lobby {
    topic: Topic<LobbyEvent>,
    state: Mutex<LobbyState>,
    /// Time without a player after which a game is not listed, in milliseconds.
    unattended_after_ms: i64,
}

impl Lobby {
    pub(super) fn new(unattended_after_ms: i64) -> Lobby {
        Lobby { topic: Topic::default(), state: Mutex::default(), unattended_after_ms }
    }

    /// Subscribes to the events of the lobby.
    pub fn subscribe(&self) -> Subscriber<LobbyEvent> {
        self.topic.subscribe()
    }

    /// Returns at most `limit` listed games, the newest first.
    pub fn live(&self, limit: usize) -> Vec<Arc<LiveGame>> {
        let mut games = self.all();
        games.sort_by_key(|game| std::cmp::Reverse(game.row.setup.created_ms));
        games.truncate(limit);
        games
    }

    /// Returns all listed games, in no particular order.
    pub fn all(&self) -> Vec<Arc<LiveGame>> {
        let state = self.state();
        let listed = state.games.values().filter(|game| game.is_listed);
        listed.map(|game| game.live.clone()).collect()
    }

    /// Returns all registered games, also those that are not listed.
    pub(super) fn in_progress(&self) -> Vec<Arc<LiveGame>> {
        self.state().games.values().map(|game| game.live.clone()).collect()
    }

    /// Returns a game if it is registered, also if it is not listed.
    pub fn game(&self, id: &PublicId) -> Option<Arc<LiveGame>> {
        self.state().games.get(id).map(|game| game.live.clone())
    }

    /// Returns the featured game of a variant, or of all variants if `None`.
    pub fn tv_game(&self, variant: Option<&str>) -> Option<Arc<LiveGame>> {
        let mut state = self.state();
        let id = state.tv.featured(variant, now_ms())?;
        state.listed(&id).cloned()
    }

    fn state(&self) -> MutexGuard<'_, LobbyState> {
        self.state.lock().expect("live games lock")
    }

    /// Announces an open public challenge.
    pub(super) fn announce_challenge(&self, challenge: Arc<Challenge>) {
        self.topic.publish(LobbyEvent::Challenge(challenge));
    }

    /// Announces that a public challenge is no longer open.
    pub(super) fn announce_unavailable(&self, id: PublicId, status: ChallengeStatus) {
        self.topic.publish(LobbyEvent::ChallengeGone(id, status));
    }

    /// Announces whether the creators of public and direct challenges are present.
    pub(super) fn announce_presence(&self, changed: Vec<CreatorPresence>) {
        self.topic.publish(LobbyEvent::Presence(Arc::new(changed)));
    }

    /// Inserts or updates a game in progress, with its last event at `last_ms`, and announces it if
    /// it is listed.
    pub(super) fn upsert(&self, live: LiveGame, last_ms: i64, attendance: Attendance, now_ms: i64) {
        let (live, mut state) = (Arc::new(live), self.state());
        let before = state.games.get(&live.row.id);
        let before_ms = before.map_or([last_ms; 2], |game| [game.attended_ms, game.shown_ms]);
        let [attended_ms, shown_ms] = before_ms.map(|at_ms| at_ms.max(last_ms));
        let mut game = LobbyGame { live, attended_ms, shown_ms, is_listed: false };
        self.attend(&mut game, attendance, now_ms);
        let event = state.set(game);
        drop(state);
        event.into_iter().for_each(|event| self.topic.publish(event));
    }

    /// Notes whether players attend a game, and announces it if that lists or unlists it.
    pub(super) fn set_attendance(&self, id: &PublicId, attendance: Attendance, now_ms: i64) {
        let mut state = self.state();
        let Some(game) = state.games.get_mut(id) else { return };
        let mut changed = LobbyGame { live: game.live.clone(), ..*game };
        self.attend(&mut changed, attendance, now_ms);
        if changed.is_listed == game.is_listed {
            *game = changed;
            return;
        }
        let event = state.set(changed);
        drop(state);
        event.into_iter().for_each(|event| self.topic.publish(event));
    }

    /// Updates the times of a game, and whether it is listed.
    fn attend(&self, game: &mut LobbyGame, attendance: Attendance, now_ms: i64) {
        if attendance >= Attendance::Hidden {
            game.attended_ms = game.attended_ms.max(now_ms);
        }
        if attendance == Attendance::Shown {
            game.shown_ms = game.shown_ms.max(now_ms);
        }
        game.is_listed = now_ms - game.shown_ms < self.unattended_after_ms;
    }

    /// Returns the time of the last attendance or event of a game, in epoch milliseconds.
    fn attended_ms(&self, id: &PublicId) -> Option<i64> {
        self.state().games.get(id).map(|game| game.attended_ms)
    }

    /// Removes a game without a room unless it is listed.
    fn remove_unlisted(&self, id: &PublicId) {
        let mut state = self.state();
        if state.games.get(id).is_some_and(|game| !game.is_listed) {
            state.games.remove(id);
        }
    }

    /// Removes a game that is no longer in progress, and announces that.
    pub(super) fn remove(&self, id: PublicId) {
        let mut state = self.state();
        let Some(game) = state.games.remove(&id) else { return };
        if !game.is_listed {
            return;
        }
        state.tv.remove(&game.live);
        drop(state);
        self.topic.publish(LobbyEvent::GameGone(id));
    }
}
