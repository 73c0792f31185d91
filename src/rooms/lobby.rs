//! Games in progress and announcements of the lobby.
//!
//! Rooms update their games here, at most once a second. Sockets, streams and the TV read them.

use super::now_ms;
use super::tv::Tv;
use super::update::{ClockState, GameEvent, GameSnapshot, GameUpdate};
use crate::bus::{Subscriber, Topic};
use crate::play::challenge::ChallengeStatus;
use crate::play::game::Game;
use crate::rules::{Side, Trace};
use crate::store::{Challenge, GameRow, PublicId};
use bytes::Bytes;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

/// Summary of a game in progress.
#[derive(Clone, Debug)]
pub struct LiveGame {
    /// Properties of the game.
    pub row: Arc<GameRow>,
    /// Number of plies played.
    pub ply: usize,
    /// Cells of the position text.
    pub cells: String,
    /// Side to move.
    pub turn: Side,
    /// State of both clocks.
    pub clocks: Option<ClockState>,
    /// Notation and effects of the last move.
    pub last: Option<(String, Trace)>,
    /// Number of spectators.
    pub watchers: usize,
    encoded: OnceLock<Bytes>,
}

impl LiveGame {
    pub(super) fn new(row: &Arc<GameRow>, game: &Game, watchers: usize) -> LiveGame {
        let (line, at_ms) = (game.line(), now_ms());
        let clocks = game.clock().map(|clock| ClockState::new(clock, at_ms));
        LiveGame {
            row: row.clone(),
            ply: line.ply(),
            cells: line.position().cells(),
            turn: line.turn(),
            clocks,
            last: line.moves().last().cloned().zip(line.last().cloned()),
            watchers,
            encoded: OnceLock::new(),
        }
    }

    /// Creates the summary of a snapshot.
    pub fn from_snapshot(snapshot: &GameSnapshot, watchers: usize) -> LiveGame {
        LiveGame {
            row: snapshot.row.clone(),
            ply: snapshot.moves.len(),
            cells: snapshot.position.split(' ').next().unwrap_or_default().to_owned(),
            turn: snapshot.turn,
            clocks: snapshot.clocks,
            last: snapshot.moves.last().cloned().zip(snapshot.last.clone()),
            watchers,
            encoded: OnceLock::new(),
        }
    }

    /// Returns the summary after a move, or `None` if the event is not a move.
    pub fn after_event(&self, event: &GameEvent) -> Option<LiveGame> {
        let GameUpdate::Moved { u, position: stand, .. } = &event.update else { return None };
        Some(LiveGame {
            row: self.row.clone(),
            ply: stand.ply,
            cells: stand.cells.clone(),
            turn: stand.turn,
            clocks: stand.clocks,
            last: Some(u.clone()).zip(stand.trace.clone()),
            watchers: self.watchers,
            encoded: OnceLock::new(),
        })
    }

    /// Returns the average of both ratings.
    pub fn rating(&self) -> i32 {
        let [first, second] = &self.row.players;
        i32::midpoint(first.rating, second.rating)
    }

    /// Returns the serialized summary, which all clients share. Calls `write` only for the first of
    /// them.
    pub fn encoded(&self, write: impl FnOnce() -> Bytes) -> Bytes {
        self.encoded.get_or_init(write).clone()
    }
}

/// Event of the lobby.
#[derive(Clone, Debug)]
pub enum LobbyEvent {
    /// A challenge was created or has changed.
    Challenge(Arc<Challenge>),
    /// A challenge is no longer open.
    ChallengeGone(PublicId, ChallengeStatus),
    /// A game is in progress, or has changed.
    Game(Arc<LiveGame>),
    /// A game is no longer in progress.
    GameGone(PublicId),
}

/// Games in progress, and the selection of the TV.
#[derive(Default, Debug)]
struct LobbyState {
    games: HashMap<PublicId, Arc<LiveGame>>,
    tv: Tv,
}

/// Games in progress, with announcements of games and public challenges.
#[derive(Default, Debug)]
pub struct Lobby {
    topic: Topic<LobbyEvent>,
    state: Mutex<LobbyState>,
}

impl Lobby {
    /// Subscribes to the events of the lobby.
    pub fn subscribe(&self) -> Subscriber<LobbyEvent> {
        self.topic.subscribe()
    }

    /// Returns at most `limit` games in progress, the newest first.
    pub fn live(&self, limit: usize) -> Vec<Arc<LiveGame>> {
        let mut games = self.all();
        games.sort_by_key(|game| std::cmp::Reverse(game.row.setup.created_ms));
        games.truncate(limit);
        games
    }

    /// Returns all games in progress, in no particular order.
    pub fn all(&self) -> Vec<Arc<LiveGame>> {
        self.state().games.values().cloned().collect()
    }

    /// Returns a game if it is in progress.
    pub fn game(&self, id: &PublicId) -> Option<Arc<LiveGame>> {
        self.state().games.get(id).cloned()
    }

    /// Returns the featured game of a variant, or of all variants if `None`.
    pub fn tv_game(&self, variant: Option<&str>) -> Option<Arc<LiveGame>> {
        let mut state = self.state();
        let id = state.tv.featured(variant, now_ms())?;
        state.games.get(&id).cloned()
    }

    fn state(&self) -> MutexGuard<'_, LobbyState> {
        self.state.lock().expect("live games lock")
    }

    /// Announces an open public challenge.
    pub fn announce_challenge(&self, challenge: Challenge) {
        self.topic.publish(LobbyEvent::Challenge(Arc::new(challenge)));
    }

    /// Announces that a public challenge is no longer open.
    pub(super) fn announce_unavailable(&self, id: PublicId, status: ChallengeStatus) {
        self.topic.publish(LobbyEvent::ChallengeGone(id, status));
    }

    /// Inserts or updates a game in progress, and announces it.
    pub(super) fn upsert(&self, live: LiveGame) {
        let live = Arc::new(live);
        let mut state = self.state();
        let before = state.games.insert(live.row.id, live.clone());
        state.tv.update(before.as_deref(), &live);
        drop(state);
        self.topic.publish(LobbyEvent::Game(live));
    }

    /// Removes a game that is no longer in progress, and announces that.
    pub(super) fn remove(&self, id: PublicId) {
        let mut state = self.state();
        let Some(live) = state.games.remove(&id) else { return };
        state.tv.remove(&live);
        drop(state);
        self.topic.publish(LobbyEvent::GameGone(id));
    }
}
