//! State of a game in play without a clock.
//!
//! Lists, deadlines and the start of the server read it instead of the log of the game. On
//! PostgreSQL it is stored with each event; on SQLite, where one process reads it, before the next
//! read ([`Store::store_states`]). Callers: the insertion of games, the journal, the room of a
//! game, and `audit`.

use super::batch::Batch;
use super::columns::side_str;
use super::{AccountKey, GameKey, GameRow};
use crate::play::board_images::protected_board;
use crate::play::game::Game;
use crate::rules::Side;
use rusqlite::{Connection, params};

/// State of a game in play without a clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TurnState {
    turn: Side,
    last_ms: i64,
    due_ms: Option<i64>,
    board: Option<i64>,
    awaits_engine: bool,
    is_abandonable: bool,
    /// Players, if both are people.
    people: Option<[AccountKey; 2]>,
}

/// Columns of the state, which are `None` if there is none.
#[derive(PartialEq, Eq, Debug, sqlx::FromRow)]
pub(super) struct StateColumns {
    pub(super) turn: Option<String>,
    pub(super) last_ms: Option<i64>,
    pub(super) due_ms: Option<i64>,
    pub(super) board: Option<i64>,
    pub(super) awaits_engine: Option<bool>,
    pub(super) abandonable: Option<bool>,
}

impl StateColumns {
    pub(super) fn new(state: Option<&TurnState>) -> StateColumns {
        StateColumns {
            turn: state.map(|state| side_str(state.turn).to_owned()),
            last_ms: state.map(|state| state.last_ms),
            due_ms: state.and_then(|state| state.due_ms),
            board: state.and_then(|state| state.board),
            awaits_engine: state.map(|state| state.awaits_engine),
            abandonable: state.map(|state| state.is_abandonable),
        }
    }
}

/// Statement that stores the states of games, which a part of it names.
macro_rules! store_states {
    ($states:literal) => {
        concat!(
            "INSERT INTO turn_state
                 (game_id, turn, last_ms, due_ms, board, awaits_engine, abandonable) ",
            $states,
            " ON CONFLICT (game_id) DO UPDATE SET turn = excluded.turn, last_ms = excluded.last_ms,
                 due_ms = excluded.due_ms, board = excluded.board,
                 awaits_engine = excluded.awaits_engine, abandonable = excluded.abandonable"
        )
    };
}
pub(super) use store_states;

/// Stores the state of a game.
const STORE: &str = store_states!("VALUES ($1, $2, $3, $4, $5, $6, $7)");

/// Deletes the state of a game that is over.
pub(super) const DELETE: &str = "DELETE FROM turn_state WHERE game_id = $1";

impl TurnState {
    /// Returns the state of a game; `None` with a clock, and if the game is over.
    pub fn new(row: &GameRow, game: &Game) -> Option<TurnState> {
        if row.setup.pace.clock().is_some() || game.end().is_some() {
            return None;
        }
        let turn = game.line().turn();
        let board = if row.rated { protected_board(game.line()) } else { None };
        Some(TurnState {
            turn,
            last_ms: game.last_ms(),
            due_ms: game.move_deadline_ms(),
            board: board.map(|board| board.hash()),
            awaits_engine: awaits_engine(row, game),
            is_abandonable: row.is_abandonable(turn),
            people: (!row.is_against_engine()).then(|| row.player_keys()),
        })
    }

    /// Returns the state of a game of two people without a deadline.
    #[cfg(test)]
    pub(super) fn new_in_test(turn: Side) -> TurnState {
        TurnState {
            turn,
            last_ms: 0,
            due_ms: None,
            board: None,
            awaits_engine: false,
            is_abandonable: false,
            people: None,
        }
    }

    /// Returns the players if both are people.
    pub(super) fn people(&self) -> Option<[AccountKey; 2]> {
        self.people
    }

    /// Stores the state in a transaction of the journal.
    pub(super) fn store_in(
        &self,
        connection: &Connection,
        game: GameKey,
    ) -> Result<(), rusqlite::Error> {
        let values = params![
            game.bytes(),
            side_str(self.turn),
            self.last_ms,
            self.due_ms,
            self.board,
            self.awaits_engine,
            self.is_abandonable,
        ];
        connection.prepare_cached(STORE)?.execute(values)?;
        Ok(())
    }

    /// Stores the state with the batch.
    pub(super) fn add_to(&self, batch: &mut Batch, game: GameKey) {
        batch.add(STORE).bind(game).bind(side_str(self.turn)).bind(self.last_ms).bind(self.due_ms);
        batch.bind(self.board).bind(self.awaits_engine).bind(self.is_abandonable);
    }
}

/// Returns whether a computer player is to move, or has to answer an offer.
pub fn awaits_engine(row: &GameRow, game: &Game) -> bool {
    let has_offer = |by: Option<Side>| by.is_some_and(|by| row.is_engine(by.other()));
    let awaited = row.is_engine(game.line().turn())
        || has_offer(game.draw_offer())
        || has_offer(game.takeback_offer());
    game.end().is_none() && awaited
}
