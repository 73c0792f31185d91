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

/// A game in play, as the lobby shows it.
#[derive(Clone, Debug)]
pub struct Live {
    /// What does not change.
    pub row: Arc<GameRow>,
    /// Plies played.
    pub ply: usize,
    /// The cells part of the position text.
    pub cells: String,
    /// Whose turn it is.
    pub turn: Side,
    /// Both clocks.
    pub clocks: Option<Clocks>,
    /// The notation of the last move, and what is to be seen of it.
    pub last: Option<(String, Trace)>,
    /// How many watch.
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

    /// A game as it stands now, with so many who watch.
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

    /// The same game after a move, if that is what the news are.
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

    /// The average of both ratings.
    pub fn rating(&self) -> i32 {
        let [first, second] = &self.row.players;
        i32::midpoint(first.rating, second.rating)
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

/// The games in play, and those of them that are on air.
#[derive(Default, Debug)]
struct Table {
    games: HashMap<PublicId, Arc<Live>>,
    tv: Tv,
}

/// Where challenges and games in play are seen.
#[derive(Default, Debug)]
pub struct Lobby {
    topic: Topic<Notice>,
    live: Mutex<Table>,
}

impl Lobby {
    /// Hears of what happens from now on.
    pub fn subscribe(&self) -> Listener<Notice> {
        self.topic.subscribe()
    }

    /// The games in play, the newest first, `limit` at most.
    pub fn live(&self, limit: usize) -> Vec<Arc<Live>> {
        let mut games = self.all();
        games.sort_by_key(|game| std::cmp::Reverse(game.row.setup.created_ms));
        games.truncate(limit);
        games
    }

    /// The games in play, in no order.
    pub fn all(&self) -> Vec<Arc<Live>> {
        self.table().games.values().cloned().collect()
    }

    /// A game, if it is in play.
    pub fn game(&self, id: &PublicId) -> Option<Arc<Live>> {
        self.table().games.get(id).cloned()
    }

    /// The game that is on air: of a variant, or of all.
    pub fn on_air(&self, variant: Option<&str>) -> Option<Arc<Live>> {
        let mut table = self.table();
        let id = table.tv.on_air(variant, now_ms())?;
        table.games.get(&id).cloned()
    }

    fn table(&self) -> MutexGuard<'_, Table> {
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
        let mut table = self.table();
        let before = table.games.insert(live.row.id, live.clone());
        table.tv.put(before.as_deref(), &live);
        drop(table);
        self.topic.publish(Notice::Game(live));
    }

    /// A game is no longer in play.
    pub(super) fn hide(&self, id: PublicId) {
        let mut table = self.table();
        let Some(live) = table.games.remove(&id) else { return };
        table.tv.remove(&live);
        drop(table);
        self.topic.publish(Notice::GameGone(id));
    }
}
