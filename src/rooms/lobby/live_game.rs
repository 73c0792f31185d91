//! Summary of a game in progress, for the lobby, lists and the TV.

use crate::play::game::Game;
use crate::rooms::now_ms;
use crate::rooms::room::update::{ClockState, GameEvent, GameSnapshot, GameUpdate};
use crate::rules::{Side, Trace};
use crate::store::GameRow;
use bytes::Bytes;
use smol_str::SmolStr;
use std::sync::{Arc, OnceLock};

/// Summary of a game in progress.
#[derive(Clone, Debug)]
pub struct LiveGame {
    /// Properties of the game.
    pub row: Arc<GameRow>,
    /// Number of plies played.
    pub ply: usize,
    /// Cells of the position text.
    pub cells: String,
    /// Side to move.
    pub turn: Side,
    /// State of both clocks.
    pub clocks: Option<ClockState>,
    /// Notation and effects of the last move.
    pub last: Option<(SmolStr, Arc<Trace>)>,
    /// Number of spectators.
    pub watchers: usize,
    encoded: OnceLock<Bytes>,
}

impl LiveGame {
    pub(in crate::rooms) fn new(row: &Arc<GameRow>, game: &Game, watchers: usize) -> LiveGame {
        let (line, at_ms) = (game.line(), now_ms());
        let clocks = game.clock().map(|clock| ClockState::new(clock, at_ms));
        LiveGame {
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
    pub fn from_snapshot(snapshot: &GameSnapshot, watchers: usize) -> LiveGame {
        LiveGame {
            row: snapshot.row.clone(),
            ply: snapshot.moves.len(),
            cells: snapshot.position.split(' ').next().unwrap_or_default().to_owned(),
            turn: snapshot.turn,
            clocks: snapshot.clocks,
            last: snapshot.moves.last().cloned().zip(snapshot.last.clone()),
            watchers,
            encoded: OnceLock::new(),
        }
    }

    /// Returns the summary after a move, or `None` if the event is not a move.
    pub fn after_event(&self, event: &GameEvent) -> Option<LiveGame> {
        let GameUpdate::Moved { u, position, .. } = &event.update else { return None };
        Some(LiveGame {
            row: self.row.clone(),
            ply: position.ply,
            cells: position.cells().to_owned(),
            turn: position.position().turn(),
            clocks: position.clocks,
            last: Some(u.clone()).zip(position.trace.clone()),
            watchers: self.watchers,
            encoded: OnceLock::new(),
        })
    }

    /// Returns whether both players are people: neither plays by a program.
    pub fn is_between_people(&self) -> bool {
        self.row.players.iter().all(|player| !player.account.bot && player.account.level.is_none())
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
