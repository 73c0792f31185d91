//! Events of the journal in memory, by game.
//!
//! A game is here from the first append after its log was packed until the next time. Rows enter
//! after their commit, so that readers see stored events only. So do the states of games without a
//! clock, which are stored later than their events. Callers: `journal` for changes, and the reads
//! of the parent module.

use super::Appended;
use super::packed::PackedLog;
use super::row::JournalRow;
use crate::store::GameKey;
use crate::store::turn_state::TurnState;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::{Arc, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::{Duration, Instant};
use uuid::Uuid;

/// Age at which the log of a game is packed.
const AGE_MAX: Duration = Duration::from_secs(600);

/// Number of newer rows at which the log of a game is packed.
const ROWS_BEHIND_MAX: i64 = 50_000;

/// Number of states in memory from which they are stored without a read.
const UNSTORED_MAX: usize = 500;

/// End of a log.
#[derive(Debug)]
struct Tail {
    /// Last event of the packed part; 0 if there is none.
    packed_seq: i64,
    /// Ids of the commands in the packed part.
    packed_commands: Vec<(Uuid, i64)>,
    rows: Vec<JournalRow>,
    /// Number of rows that are committed.
    committed: usize,
    /// Id of the first row in the journal.
    first_id: i64,
    since: Instant,
}

impl Tail {
    fn committed_rows(&self) -> Vec<JournalRow> {
        self.rows[..self.committed].to_vec()
    }
}

/// Ends of the logs of all games with rows in the journal.
#[derive(Debug, Default)]
pub(in crate::store) struct Tails {
    games: FxHashMap<GameKey, Tail>,
    /// Games by the id of their first row.
    oldest: BTreeMap<i64, GameKey>,
    /// States after the last committed events, where the database has those of earlier ones.
    states: UnstoredStates,
}

/// States of games without a clock that are to be stored.
pub(super) type UnstoredStates = FxHashMap<GameKey, TurnState>;

/// Tails, written by the writer and read by all.
#[derive(Clone, Debug, Default)]
pub(in crate::store) struct SharedTails(Arc<RwLock<Tails>>);

impl SharedTails {
    pub(in crate::store) fn read(&self) -> RwLockReadGuard<'_, Tails> {
        self.0.read().expect("lock of the log tails")
    }

    pub(super) fn write(&self) -> RwLockWriteGuard<'_, Tails> {
        self.0.write().expect("lock of the log tails")
    }

    /// Removes a game that is over, whose log was packed and whose state was deleted.
    pub(in crate::store) fn finish(&self, game: GameKey) {
        let mut tails = self.write();
        tails.remove(game);
        tails.states.remove(&game);
    }
}

impl Tails {
    /// Returns the committed rows of a game in order.
    pub(super) fn rows(&self, game: GameKey) -> Vec<JournalRow> {
        self.games.get(&game).map(Tail::committed_rows).unwrap_or_default()
    }

    /// Returns the committed rows of a game if none of its log is packed.
    pub(super) fn whole_log(&self, game: GameKey) -> Option<Vec<JournalRow>> {
        self.games.get(&game).filter(|tail| tail.packed_seq == 0).map(Tail::committed_rows)
    }

    /// Returns the number of the last committed event of a game.
    pub(super) fn last_seq(&self, game: GameKey) -> Option<i64> {
        let tail = self.games.get(&game)?;
        Some(tail.rows[..tail.committed].last().map_or(tail.packed_seq, |row| row.seq))
    }

    /// Returns the games whose last committed event was at or after `since_ms`, the latest first.
    pub(in crate::store) fn games_since(&self, since_ms: i64) -> Vec<GameKey> {
        let last_ms = |tail: &Tail| tail.rows[..tail.committed].last().map(|row| row.at_ms);
        let games = self.games.iter().filter_map(|(game, tail)| Some((last_ms(tail)?, *game)));
        let mut recent: Vec<_> = games.filter(|(at_ms, _)| *at_ms >= since_ms).collect();
        recent.sort_unstable_by(|one, two| two.cmp(one));
        recent.into_iter().map(|(_, game)| game).collect()
    }

    pub(super) fn contains(&self, game: GameKey) -> bool {
        self.games.contains_key(&game)
    }

    /// Adds a game with the packed part of its log.
    pub(super) fn add(&mut self, game: GameKey, packed: &PackedLog) {
        let tail = Tail {
            packed_seq: packed.last_seq(),
            packed_commands: packed.commands().collect(),
            rows: Vec::new(),
            committed: 0,
            first_id: 0,
            since: Instant::now(),
        };
        self.games.insert(game, tail);
    }

    /// Returns the conflict of a row that is to be the next one of a game, if any.
    pub(super) fn conflict(&self, game: GameKey, row: &JournalRow) -> Option<Appended> {
        let tail = self.games.get(&game)?;
        if let Some(cid) = row.cid {
            let rows = tail.rows.iter().filter_map(|row| Some((row.cid?, row.seq)));
            let mut known = tail.packed_commands.iter().copied().chain(rows);
            if let Some((_, seq)) = known.find(|(own, _)| *own == cid) {
                return Some(Appended::Repeated(seq));
            }
        }
        let last_seq = tail.rows.last().map_or(tail.packed_seq, |row| row.seq);
        (row.seq != last_seq + 1).then_some(Appended::Conflict)
    }

    /// Adds a row that is inserted, and not committed.
    pub(super) fn push(&mut self, game: GameKey, id: i64, row: JournalRow) {
        let Some(tail) = self.games.get_mut(&game) else { return };
        if tail.rows.is_empty() {
            (tail.first_id, tail.since) = (id, Instant::now());
            self.oldest.insert(id, game);
        }
        tail.rows.push(row);
    }

    /// Shows the rows of a game to readers.
    pub(super) fn commit(&mut self, game: GameKey) {
        if let Some(tail) = self.games.get_mut(&game) {
            tail.committed = tail.rows.len();
        }
        self.remove_if_empty(game);
    }

    /// Notes the state of a game after a committed event.
    pub(super) fn set_state(&mut self, game: GameKey, state: TurnState) {
        self.states.insert(game, state);
    }

    /// Returns whether the writer stores the states without a read: with too many in one
    /// transaction, moves would wait.
    pub(super) fn has_many_unstored_states(&self) -> bool {
        self.states.len() >= UNSTORED_MAX
    }

    /// Returns whether there are states to be stored.
    pub(in crate::store) fn has_unstored_states(&self) -> bool {
        !self.states.is_empty()
    }

    pub(super) fn unstored_states(&self) -> &UnstoredStates {
        &self.states
    }

    /// Notes that all states are stored.
    pub(super) fn forget_states(&mut self) {
        self.states.clear();
    }

    /// Removes the rows of a game that are not committed.
    pub(super) fn roll_back(&mut self, game: GameKey) {
        if let Some(tail) = self.games.get_mut(&game) {
            tail.rows.truncate(tail.committed);
        }
        self.remove_if_empty(game);
    }

    fn remove_if_empty(&mut self, game: GameKey) {
        if self.games.get(&game).is_some_and(|tail| tail.rows.is_empty()) {
            self.remove(game);
        }
    }

    pub(super) fn remove(&mut self, game: GameKey) {
        if let Some(tail) = self.games.remove(&game) {
            self.oldest.remove(&tail.first_id);
        }
    }

    /// Returns the id of the oldest row that is not packed.
    pub(super) fn first_id(&self) -> Option<i64> {
        self.oldest.keys().next().copied()
    }

    /// Returns up to `limit` games whose logs are to be packed; `last_id` is the newest row.
    pub(super) fn aged(&self, last_id: i64, limit: usize) -> Vec<GameKey> {
        let is_aged = |(id, game): &(&i64, &GameKey)| {
            last_id - **id > ROWS_BEHIND_MAX
                || self.games.get(*game).is_some_and(|tail| tail.since.elapsed() > AGE_MAX)
        };
        self.oldest.iter().take_while(is_aged).take(limit).map(|(_, game)| *game).collect()
    }
}
