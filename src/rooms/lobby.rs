use crate::bus::{Listener, Topic};
use crate::play::challenge::Status;
use crate::play::game::Game;
use crate::store::{AccountKey, Challenge, GameRow, PublicId};
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
    /// These two now play that game.
    Started(PublicId, [AccountKey; 2]),
    /// The ratings of these two have changed.
    Rated([AccountKey; 2]),
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

    /// A challenge was withdrawn.
    pub fn canceled(&self, id: PublicId) {
        self.topic.publish(Notice::ChallengeGone(id, Status::Canceled));
    }

    /// A challenge's time is over.
    pub(super) fn expired(&self, id: PublicId) {
        self.topic.publish(Notice::ChallengeGone(id, Status::Expired));
    }

    /// A challenge has become a game.
    pub(super) fn started(&self, id: PublicId, players: [AccountKey; 2]) {
        self.topic.publish(Notice::ChallengeGone(id, Status::Accepted));
        self.topic.publish(Notice::Started(id, players));
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

    /// Two ratings have changed.
    pub(super) fn rated(&self, players: [AccountKey; 2]) {
        self.topic.publish(Notice::Rated(players));
    }
}
