//! Games in progress and announcements of the lobby.
//!
//! Rooms update their games here, at most once a second. Sockets, streams and the TV read them.

use super::news::{Clocks, News, Shown, What};
use super::now_ms;
use super::tv::Tv;
use crate::bus::{Listener, Topic};
use crate::play::challenge::Status;
use crate::play::game::Game;
use crate::rules::{Side, Trace};
use crate::store::{Challenge, GameRow, PublicId};
use bytes::Bytes;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

/// Summary of a game in progress.
#[derive(Clone, Debug)]
pub struct Live {
    /// Properties of the game.
    pub row: Arc<GameRow>,
    /// Number of plies played.
    pub ply: usize,
    /// Cells of the position text.
    pub cells: String,
    /// Side to move.
    pub turn: Side,
    /// State of both clocks.
    pub clocks: Option<Clocks>,
    /// Notation and effects of the last move.
    pub last: Option<(String, Trace)>,
    /// Number of spectators.
    pub watchers: usize,
    encoded: OnceLock<Bytes>,
}

impl Live {
    pub(super) fn of(row: &Arc<GameRow>, game: &Game, watchers: usize) -> Live {
        let (line, at_ms) = (game.line(), now_ms());
        let clocks = game.clock().map(|clock| Clocks::of(clock, at_ms));
        Live {
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
    pub fn seen(shown: &Shown, watchers: usize) -> Live {
        Live {
            row: shown.row.clone(),
            ply: shown.moves.len(),
            cells: shown.position.split(' ').next().unwrap_or_default().to_owned(),
            turn: shown.turn,
            clocks: shown.clocks,
            last: shown.moves.last().cloned().zip(shown.last.clone()),
            watchers,
            encoded: OnceLock::new(),
        }
    }

    /// Returns the summary after a move, or `None` if the event is not a move.
    pub fn after(&self, news: &News) -> Option<Live> {
        let What::Moved { u, stand, .. } = &news.what else { return None };
        Some(Live {
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
pub enum Notice {
    /// A challenge was created or has changed.
    Challenge(Arc<Challenge>),
    /// A challenge is no longer open.
    ChallengeGone(PublicId, Status),
    /// A game is in progress, or has changed.
    Game(Arc<Live>),
    /// A game is no longer in progress.
    GameGone(PublicId),
}

/// Games in progress, and the selection of the TV.
#[derive(Default, Debug)]
struct Table {
    games: HashMap<PublicId, Arc<Live>>,
    tv: Tv,
}

/// Games in progress, with announcements of games and public challenges.
#[derive(Default, Debug)]
pub struct Lobby {
    topic: Topic<Notice>,
    live: Mutex<Table>,
}

impl Lobby {
    /// Subscribes to the events of the lobby.
    pub fn subscribe(&self) -> Listener<Notice> {
        self.topic.subscribe()
    }

    /// Returns at most `limit` games in progress, the newest first.
    pub fn live(&self, limit: usize) -> Vec<Arc<Live>> {
        let mut games = self.all();
        games.sort_by_key(|game| std::cmp::Reverse(game.row.setup.created_ms));
        games.truncate(limit);
        games
    }

    /// Returns all games in progress, in no particular order.
    pub fn all(&self) -> Vec<Arc<Live>> {
        self.table().games.values().cloned().collect()
    }

    /// Returns a game if it is in progress.
    pub fn game(&self, id: &PublicId) -> Option<Arc<Live>> {
        self.table().games.get(id).cloned()
    }

    /// Returns the featured game of a variant, or of all variants if `None`.
    pub fn on_air(&self, variant: Option<&str>) -> Option<Arc<Live>> {
        let mut table = self.table();
        let id = table.tv.on_air(variant, now_ms())?;
        table.games.get(&id).cloned()
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.live.lock().expect("live games lock")
    }

    /// Announces an open public challenge.
    pub fn challenged(&self, challenge: Challenge) {
        self.topic.publish(Notice::Challenge(Arc::new(challenge)));
    }

    /// Announces that a public challenge is no longer open.
    pub(super) fn gone(&self, id: PublicId, status: Status) {
        self.topic.publish(Notice::ChallengeGone(id, status));
    }

    /// Inserts or updates a game in progress, and announces it.
    pub(super) fn show(&self, live: Live) {
        let live = Arc::new(live);
        let mut table = self.table();
        let before = table.games.insert(live.row.id, live.clone());
        table.tv.put(before.as_deref(), &live);
        drop(table);
        self.topic.publish(Notice::Game(live));
    }

    /// Removes a game that is no longer in progress, and announces that.
    pub(super) fn hide(&self, id: PublicId) {
        let mut table = self.table();
        let Some(live) = table.games.remove(&id) else { return };
        table.tv.remove(&live);
        drop(table);
        self.topic.publish(Notice::GameGone(id));
    }
}
