//! Games in progress and announcements of the lobby.
//!
//! Rooms update their games here, at most once a second. Sockets, streams and the TV read them.

use super::live_game::LiveGame;
use super::now_ms;
use super::tv::Tv;
use crate::bus::{Subscriber, Topic};
use crate::play::challenge::ChallengeStatus;
use crate::store::{Challenge, PublicId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

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
