use crate::bus::{Listener, Topic};
use crate::play::challenge::Status;
use crate::play::game::Game;
use crate::store::{Challenge, GameRow, PublicId};
use bytes::Bytes;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

/// A game in play, as the lobby shows it.
#[derive(Clone, Debug)]
pub struct Live {
    /// What does not change.
    pub row: Arc<GameRow>,
    /// Plies played.
    pub ply: usize,
    /// The cells part of the position text.
    pub cells: String,
    /// How many watch.
    pub watchers: usize,
    encoded: OnceLock<Bytes>,
}

impl Live {
    pub(super) fn of(row: &Arc<GameRow>, game: &Game, watchers: usize) -> Live {
        let line = game.line();
        let (ply, cells) = (line.ply(), line.position().cells());
        Live { row: row.clone(), ply, cells, watchers, encoded: OnceLock::new() }
    }

    /// The text that all in the lobby are told; `write` is called for the first of them alone.
    pub fn encoded(&self, write: impl FnOnce() -> Bytes) -> Bytes {
        self.encoded.get_or_init(write).clone()
    }
}

/// What those in the lobby are told.
#[derive(Clone, Debug)]
pub enum Notice {
    /// There is a new challenge.
    Challenge(Arc<Challenge>),
    /// A challenge is no longer open.
    ChallengeGone(PublicId, Status),
    /// A game is in play, or has gone on.
    Game(Arc<Live>),
    /// A game is no longer in play.
    GameGone(PublicId),
}

/// Where challenges and games in play are seen.
#[derive(Default, Debug)]
pub struct Lobby {
    topic: Topic<Notice>,
    live: Mutex<HashMap<PublicId, Arc<Live>>>,
}

impl Lobby {
    /// Hears of what happens from now on.
    pub fn subscribe(&self) -> Listener<Notice> {
        self.topic.subscribe()
    }

    /// The games in play, the newest first, `limit` at most.
    pub fn live(&self, limit: usize) -> Vec<Arc<Live>> {
        let mut games: Vec<_> = self.table().values().cloned().collect();
        games.sort_by_key(|game| std::cmp::Reverse(game.row.setup.created_ms));
        games.truncate(limit);
        games
    }

    fn table(&self) -> MutexGuard<'_, HashMap<PublicId, Arc<Live>>> {
        self.live.lock().expect("table of live games")
    }

    /// Somebody has made a challenge.
    pub fn challenged(&self, challenge: Challenge) {
        self.topic.publish(Notice::Challenge(Arc::new(challenge)));
    }

    /// A challenge that all could see is no longer open.
    pub(super) fn gone(&self, id: PublicId, status: Status) {
        self.topic.publish(Notice::ChallengeGone(id, status));
    }

    /// A game in play looks like this now.
    pub(super) fn show(&self, live: Live) {
        let live = Arc::new(live);
        self.table().insert(live.row.id, live.clone());
        self.topic.publish(Notice::Game(live));
    }

    /// A game is no longer in play.
    pub(super) fn hide(&self, id: PublicId) {
        if self.table().remove(&id).is_some() {
            self.topic.publish(Notice::GameGone(id));
        }
    }
}
