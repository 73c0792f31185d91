//! The games that each player has in play, and in which of them they are awaited.

use super::people::{People, Word};
use crate::play::game::Game;
use crate::rules::Side;
use crate::store::{AccountKey, GameRow, PublicId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

/// A game in play as its players' desks hold it.
#[derive(Clone, Debug)]
pub struct Held {
    /// What does not change.
    pub row: Arc<GameRow>,
    /// Who is to move, where there is time enough to forget it; none with a clock.
    pub turn: Option<Side>,
    /// When that move is due, in epoch milliseconds.
    pub due_ms: Option<i64>,
}

type Table = HashMap<AccountKey, HashMap<PublicId, Held>>;

/// All desks.
#[derive(Debug, Default)]
pub struct Desk {
    table: Mutex<Table>,
    /// In how many games each was awaited when last told; who is not here was told none.
    told: Mutex<HashMap<AccountKey, usize>>,
    people: People,
}

impl Desk {
    pub(super) fn new(people: People) -> Desk {
        Desk { table: Mutex::default(), told: Mutex::default(), people }
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().expect("table of desks")
    }

    /// A game lies on its players' desks as it stands now, and on none once it is over.
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

    /// Tells a game's players in how many games they are awaited, where that has changed: not with
    /// every move, but when the lobby is told as well.
    pub(super) fn tell(&self, row: &GameRow) {
        // Nobody reads what a player of the house is told, and some of them have very many games.
        for player in row.players.iter().filter(|player| player.account.level.is_none()) {
            let key = player.account.key;
            let number = self.turns(key);
            let mut told = self.told.lock().expect("table of turns told");
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

    /// The games an account has in play.
    pub fn of(&self, account: AccountKey) -> Vec<Held> {
        let table = self.table();
        table.get(&account).map(|games| games.values().cloned().collect()).unwrap_or_default()
    }

    /// How many games an account has in play.
    pub fn count(&self, account: AccountKey) -> usize {
        self.table().get(&account).map_or(0, HashMap::len)
    }

    /// Whether nobody has a game in play.
    pub fn is_empty(&self) -> bool {
        self.table().is_empty()
    }

    /// In how many games an account is awaited.
    pub fn turns(&self, account: AccountKey) -> usize {
        self.table().get(&account).map_or(0, |games| turns(account, games))
    }

    /// Whether an account has a game in play; one of them.
    pub fn playing(&self, account: AccountKey) -> Option<PublicId> {
        self.table().get(&account)?.keys().next().copied()
    }

    /// The games whose next move was due at that time.
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
