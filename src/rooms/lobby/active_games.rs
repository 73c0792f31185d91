//! Games in progress by player, with the correspondence games in which a player is to move.
//!
//! The table is in memory: it is filled at the start of the server, and updated by rooms after
//! their commits. A game stays in it when its room closes. Callers: `rooms`, and the lists of own
//! games and presence in `http`.

use crate::play::game::Game;
use crate::rooms::presence::user_event::UserEvent;
use crate::rooms::presence::user_hub::UserHub;
use crate::rules::Side;
use crate::store::{AccountKey, GameRow, PublicId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

/// Game in progress of a player.
#[derive(Clone, Debug)]
pub struct ActiveGame {
    /// Properties of the game.
    pub row: Arc<GameRow>,
    /// Side to move in a correspondence game; `None` with a clock.
    pub turn: Option<Side>,
    /// Deadline of the move, in epoch milliseconds.
    pub due_ms: Option<i64>,
}

impl ActiveGame {
    /// Returns whether it is an account's turn in a game without a clock against a person.
    pub fn awaits(&self, account: AccountKey) -> bool {
        !self.row.is_against_engine()
            && self.turn.is_some()
            && self.turn == self.row.side_of(account)
    }
}

type PlayerGames = HashMap<AccountKey, HashMap<PublicId, ActiveGame>>;

/// Games in progress of all players.
#[derive(Debug, Default)]
pub struct ActiveGames {
    table: Mutex<PlayerGames>,
    /// Last published number of games in which an account is to move; absent for 0.
    published_turns: Mutex<HashMap<AccountKey, usize>>,
    user_hub: UserHub,
}

impl ActiveGames {
    pub(in crate::rooms) fn new(user_hub: UserHub) -> ActiveGames {
        ActiveGames { table: Mutex::default(), published_turns: Mutex::default(), user_hub }
    }

    fn table(&self) -> MutexGuard<'_, PlayerGames> {
        self.table.lock().expect("active games lock")
    }

    /// Updates a game for both players, and removes it once it is over.
    pub(in crate::rooms) fn update(&self, row: &Arc<GameRow>, game: &Game) {
        let has_clock = row.setup.pace.clock().is_some();
        let turn = (!has_clock).then(|| game.line().turn());
        let active_game = ActiveGame { row: row.clone(), turn, due_ms: game.move_deadline_ms() };
        let mut table = self.table();
        for player in &row.players {
            let key = player.account.key;
            let games = table.entry(key).or_default();
            match game.end() {
                None => drop(games.insert(row.id, active_game.clone())),
                Some(_) => drop(games.remove(&row.id)),
            }
            if games.is_empty() {
                table.remove(&key);
            }
        }
    }

    /// Notifies the players of a game of the number of games in which they are to move, if it has
    /// changed. Called with updates of the lobby instead of with every move.
    pub(in crate::rooms) fn notify_turns(&self, row: &GameRow) {
        // Bots have no use for it, and some have very many games.
        for player in row.players.iter().filter(|player| player.account.level.is_none()) {
            let key = player.account.key;
            let count = self.games_to_move(key);
            let mut published = self.published_turns.lock().expect("published turns lock");
            let before = match count {
                0 => published.remove(&key),
                _ => published.insert(key, count),
            };
            drop(published);
            if before.unwrap_or(0) != count {
                self.user_hub.notify(key, UserEvent::GamesToMove(count));
            }
        }
    }

    /// Returns the games in progress of an account.
    pub fn games_of(&self, account: AccountKey) -> Vec<ActiveGame> {
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

    /// Returns the number of games without a clock against people in which an account is to move.
    pub fn games_to_move(&self, account: AccountKey) -> usize {
        self.table().get(&account).map_or(0, |games| count_games_to_move(account, games))
    }

    /// Returns any one game in progress of an account.
    pub fn any_game_of(&self, account: AccountKey) -> Option<PublicId> {
        self.table().get(&account)?.keys().next().copied()
    }

    /// Returns the games whose move was due at or before `now_ms` (epoch milliseconds).
    pub(in crate::rooms) fn overdue(&self, now_ms: i64) -> Vec<PublicId> {
        let due = |game: &&ActiveGame| game.due_ms.is_some_and(|due_ms| due_ms <= now_ms);
        let table = self.table();
        let mut found: Vec<PublicId> =
            table.values().flat_map(HashMap::values).filter(due).map(|game| game.row.id).collect();
        found.sort_unstable_by_key(PublicId::to_string);
        found.dedup();
        found
    }
}

fn count_games_to_move(account: AccountKey, games: &HashMap<PublicId, ActiveGame>) -> usize {
    games.values().filter(|game| game.awaits(account)).count()
}
