//! Games in progress by player, with the correspondence games in which a player is to move.

use super::people::{People, Word};
use crate::play::game::Game;
use crate::rules::Side;
use crate::store::{AccountKey, GameRow, PublicId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

/// Game in progress of a player.
#[derive(Clone, Debug)]
pub struct Held {
    /// Properties of the game.
    pub row: Arc<GameRow>,
    /// Side to move in a correspondence game; `None` with a clock.
    pub turn: Option<Side>,
    /// Deadline of the move, in epoch milliseconds.
    pub due_ms: Option<i64>,
}

type Table = HashMap<AccountKey, HashMap<PublicId, Held>>;

/// Games in progress of all players.
#[derive(Debug, Default)]
pub struct Desk {
    table: Mutex<Table>,
    /// Last published number of games in which an account is to move; absent for 0.
    told: Mutex<HashMap<AccountKey, usize>>,
    people: People,
}

impl Desk {
    pub(super) fn new(people: People) -> Desk {
        Desk { table: Mutex::default(), told: Mutex::default(), people }
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().expect("active games lock")
    }

    /// Updates a game for both players, and removes it once it is over.
    pub(super) fn put(&self, row: &Arc<GameRow>, game: &Game) {
        let clocked = row.setup.pace.clock().is_some();
        let turn = (!clocked).then(|| game.line().turn());
        let held = Held { row: row.clone(), turn, due_ms: game.due_ms() };
        let mut table = self.table();
        for player in &row.players {
            let key = player.account.key;
            let games = table.entry(key).or_default();
            match game.end() {
                None => drop(games.insert(row.id, held.clone())),
                Some(_) => drop(games.remove(&row.id)),
            }
            if games.is_empty() {
                table.remove(&key);
            }
        }
    }

    /// Notifies the players of a game of the number of games in which they are to move, if it has
    /// changed. Called with updates of the lobby instead of with every move.
    pub(super) fn tell(&self, row: &GameRow) {
        // Bots have no use for it, and some have very many games.
        for player in row.players.iter().filter(|player| player.account.level.is_none()) {
            let key = player.account.key;
            let number = self.turns(key);
            let mut told = self.told.lock().expect("published turns lock");
            let before = match number {
                0 => told.remove(&key),
                _ => told.insert(key, number),
            };
            drop(told);
            if before.unwrap_or(0) != number {
                self.people.tell(key, Word::Turns(number));
            }
        }
    }

    /// Returns the games in progress of an account.
    pub fn of(&self, account: AccountKey) -> Vec<Held> {
        let table = self.table();
        table.get(&account).map(|games| games.values().cloned().collect()).unwrap_or_default()
    }

    /// Returns the number of games in progress of an account.
    pub fn count(&self, account: AccountKey) -> usize {
        self.table().get(&account).map_or(0, HashMap::len)
    }

    /// Returns whether no game is in progress.
    pub fn is_empty(&self) -> bool {
        self.table().is_empty()
    }

    /// Returns the number of correspondence games in which an account is to move.
    pub fn turns(&self, account: AccountKey) -> usize {
        self.table().get(&account).map_or(0, |games| turns(account, games))
    }

    /// Returns any one game in progress of an account.
    pub fn playing(&self, account: AccountKey) -> Option<PublicId> {
        self.table().get(&account)?.keys().next().copied()
    }

    /// Returns the games whose move was due at or before `now_ms` (epoch milliseconds).
    pub(super) fn overdue(&self, now_ms: i64) -> Vec<PublicId> {
        let due = |held: &&Held| held.due_ms.is_some_and(|due_ms| due_ms <= now_ms);
        let table = self.table();
        let mut found: Vec<PublicId> =
            table.values().flat_map(HashMap::values).filter(due).map(|held| held.row.id).collect();
        found.sort_unstable_by_key(PublicId::to_string);
        found.dedup();
        found
    }
}

fn turns(account: AccountKey, games: &HashMap<PublicId, Held>) -> usize {
    let awaited = |held: &&Held| held.turn.is_some() && held.turn == held.row.side_of(account);
    games.values().filter(awaited).count()
}
