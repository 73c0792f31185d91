//! State of a game in play without a clock, stored with each of its events.
//!
//! Lists, deadlines and the start of the server read it instead of the log of the game. Callers:
//! the insertion of games, the appends of the journal, the room of a game, and `audit`.

use super::batch::Batch;
use super::{AccountKey, GameKey, GameRow};
use crate::play::board_images::protected_board;
use crate::play::game::Game;
use crate::rules::Side;
use rusqlite::{Connection, params};

/// State of a game in play without a clock.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TurnState {
    to_move: AccountKey,
    last_ms: i64,
    due_ms: Option<i64>,
    board: Option<i64>,
    awaits_engine: bool,
    is_abandonable: bool,
    /// Players, if both are people.
    people: Option<[AccountKey; 2]>,
}

/// Columns of the state, which are empty if there is none.
#[derive(PartialEq, Eq, Debug, sqlx::FromRow)]
pub(super) struct StateColumns {
    to_move: Option<AccountKey>,
    last_ms: Option<i64>,
    due_ms: Option<i64>,
    board: Option<i64>,
    awaits_engine: bool,
    abandonable: bool,
}

impl StateColumns {
    pub(super) fn new(state: Option<&TurnState>) -> StateColumns {
        StateColumns {
            to_move: state.map(|state| state.to_move),
            last_ms: state.map(|state| state.last_ms),
            due_ms: state.and_then(|state| state.due_ms),
            board: state.and_then(|state| state.board),
            awaits_engine: state.is_some_and(|state| state.awaits_engine),
            abandonable: state.is_some_and(|state| state.is_abandonable),
        }
    }
}

/// Stores the state of a game.
const STORE: &str = "UPDATE game SET to_move = $1, last_ms = $2, due_ms = $3, board = $4,
         awaits_engine = $5, abandonable = $6 WHERE key = $7";

impl TurnState {
    /// Returns the state of a game; `None` with a clock, and if the game is over.
    pub fn new(row: &GameRow, game: &Game) -> Option<TurnState> {
        if row.setup.pace.clock().is_some() || game.end().is_some() {
            return None;
        }
        let turn = game.line().turn();
        let board = if row.rated { protected_board(game.line()) } else { None };
        Some(TurnState {
            to_move: row.players[turn.index()].account.key,
            last_ms: game.last_ms(),
            due_ms: game.move_deadline_ms(),
            board: board.map(|board| board.hash()),
            awaits_engine: awaits_engine(row, game),
            is_abandonable: row.is_abandonable(turn),
            people: (!row.is_against_engine()).then(|| row.player_keys()),
        })
    }

    /// Returns the players if both are people.
    pub(super) fn people(&self) -> Option<[AccountKey; 2]> {
        self.people
    }

    /// Stores the state in the transaction that appends an event.
    pub(super) fn store_in(
        &self,
        connection: &Connection,
        game: GameKey,
    ) -> Result<(), rusqlite::Error> {
        let to_move = self.to_move.uuid();
        let values = params![
            to_move.as_bytes(),
            self.last_ms,
            self.due_ms,
            self.board,
            self.awaits_engine,
            self.is_abandonable,
            game.bytes(),
        ];
        connection.prepare_cached(STORE)?.execute(values)?;
        Ok(())
    }

    /// Stores the state with the batch.
    pub(super) fn add_to(&self, batch: &mut Batch, game: GameKey) {
        batch.add(STORE).bind(self.to_move).bind(self.last_ms).bind(self.due_ms).bind(self.board);
        batch.bind(self.awaits_engine).bind(self.is_abandonable).bind(game);
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
