//! Events of a game as rooms broadcast them, and snapshots of a game.
//!
//! An event is serialized once for each kind of reader (first player, second player, spectators)
//! and shared.

use super::around::Told;
use crate::play::clock::Clock;
use crate::play::event::{Event, Logged, Room};
use crate::play::game::{Game, Said};
use crate::play::line::Line;
use crate::play::shuffle::Shuffle;
use crate::rules::{Side, Trace};
use crate::store::{Ended, GameRow};
use crate::variants::Illegal;
use bytes::Bytes;
use std::sync::{Arc, OnceLock};
use tokio::time::Instant;

/// State of both clocks at one moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clocks {
    /// Remaining time of each side, in milliseconds.
    pub left_ms: [i64; 2],
    /// Side whose clock runs.
    pub running: Option<Side>,
    /// Remaining lag compensation of each side, in milliseconds.
    pub quota_ms: [i64; 2],
    /// Time of this state, in epoch milliseconds.
    pub at_ms: i64,
}

impl Clocks {
    pub(super) fn of(clock: &Clock, at_ms: i64) -> Clocks {
        let left_ms = Side::BOTH.map(|side| clock.left_ms(side, at_ms));
        let quota_ms = Side::BOTH.map(|side| clock.quota_ms(side));
        Clocks { left_ms, running: clock.running(), quota_ms, at_ms }
    }
}

/// State of a game after a move or a takeback.
#[derive(Clone, PartialEq, Debug)]
pub struct Stand {
    /// Number of plies played.
    pub ply: usize,
    /// Effects of the last move.
    pub trace: Option<Trace>,
    /// Cells of the position text.
    pub cells: String,
    /// Part of the position text after the turn, with a leading space.
    pub extras: String,
    /// Side to move.
    pub turn: Side,
    /// State of both clocks.
    pub clocks: Option<Clocks>,
    /// Legal moves.
    pub legal: Vec<String>,
    /// Whether the game can be aborted.
    pub abortable: bool,
    /// Deadline of the first move of the side to move, in epoch milliseconds.
    pub start_by_ms: Option<i64>,
    /// Deadline of a correspondence move, in epoch milliseconds.
    pub due_ms: Option<i64>,
}

impl Stand {
    fn of(game: &Game, clocks: Option<Clocks>) -> Stand {
        let position = game.line().position();
        Stand {
            ply: game.line().ply(),
            trace: game.line().last().cloned(),
            cells: position.cells(),
            extras: position.extras(),
            turn: position.turn(),
            clocks,
            legal: game.legal(),
            abortable: game.is_abortable(),
            start_by_ms: game.start_by_ms(),
            due_ms: game.due_ms(),
        }
    }
}

/// Reason of a clock adjustment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shift {
    /// The side was given this time by its opponent, in milliseconds.
    Given(Side, i64),
    /// An outage of this duration (milliseconds) was excluded from the clocks.
    Lost(i64),
}

/// Content of a broadcast event.
#[derive(Clone, PartialEq, Debug)]
pub enum What {
    /// A move was made.
    Moved {
        /// Notation.
        u: String,
        /// Side that moved.
        by: Side,
        /// Lag compensation, in milliseconds.
        lag_ms: i64,
        /// State after the move.
        stand: Box<Stand>,
    },
    /// Moves were taken back: state and position text after the takeback.
    TakenBack(Box<Stand>, String),
    /// Side with an open draw offer.
    Draw(Option<Side>),
    /// Side with an open takeback request.
    Takeback(Option<Side>),
    /// The clocks were adjusted.
    Clock(Option<Clocks>, Shift),
    /// A chat message was posted.
    Said(Said),
    /// The game ended: result, clocks, revealed seed of a committed start, and the side that
    /// aborted it.
    Ended(Ended, Option<Clocks>, Option<Shuffle>, Option<Side>),
}

/// Event of a game with its state for clients. Serialized once for each kind of reader.
#[derive(Debug)]
pub struct News {
    /// Event number in the log of the game.
    pub v: i64,
    /// Content of the event.
    pub what: What,
    /// Time of the commit.
    pub stored: Instant,
    encoded: [OnceLock<Bytes>; 3],
}

impl News {
    /// Creates the broadcast event of a log entry. `ended` is the result if the game ended.
    pub(super) fn of(logged: &Logged, row: &GameRow, game: &Game, ended: Option<Ended>) -> News {
        let clocks = game.clock().map(|clock| Clocks::of(clock, logged.at_ms));
        let what = match &logged.event {
            Event::Moved { u, lag_ms } => What::Moved {
                u: u.clone(),
                by: logged.side.expect("side of a move"),
                lag_ms: *lag_ms,
                stand: Box::new(Stand::of(game, clocks)),
            },
            Event::TakenBack { .. } => {
                let text = game.line().position().text();
                What::TakenBack(Box::new(Stand::of(game, clocks)), text)
            }
            Event::DrawOffered | Event::DrawDeclined => What::Draw(game.draw_offer()),
            Event::TakebackOffered | Event::TakebackDeclined => {
                What::Takeback(game.takeback_offer())
            }
            Event::Resumed { lost_ms } => What::Clock(clocks, Shift::Lost(*lost_ms)),
            Event::TimeGiven { ms } => {
                let to = logged.side.expect("side of given time").other();
                What::Clock(clocks, Shift::Given(to, *ms))
            }
            Event::Said { .. } => What::Said(game.chat().last().expect("chat message").clone()),
            Event::Ended(end) => {
                let ended = ended.unwrap_or(Ended { end: *end, diff: None });
                What::Ended(ended, clocks, row.shuffle(true), game.aborted_by())
            }
        };
        News { v: logged.seq, what, stored: Instant::now(), encoded: Default::default() }
    }

    /// Returns the serialized event for the player of side `reader`, or for spectators if `None`.
    /// Calls `write` only for the first reader of each kind.
    pub fn encoded(&self, reader: Option<Side>, write: impl FnOnce() -> Bytes) -> Bytes {
        let kind = reader.map_or(2, Side::index);
        self.encoded[kind].get_or_init(write).clone()
    }

    /// Returns whether readers of this kind receive the content of the event, and not only its
    /// number.
    pub fn is_for(&self, reader: Option<Side>) -> bool {
        match &self.what {
            What::Said(said) => (said.room == Room::Player) == reader.is_some(),
            _ => true,
        }
    }
}

/// Complete state of a game at one moment.
#[derive(Clone, Debug)]
pub struct Shown {
    /// Properties and result of the game.
    pub row: Arc<GameRow>,
    /// Number of the last event.
    pub v: i64,
    /// Position text of the start.
    pub start: String,
    /// Notations of the moves played.
    pub moves: Vec<String>,
    /// Effects of the last move.
    pub last: Option<Trace>,
    /// Current position text.
    pub position: String,
    /// Side to move.
    pub turn: Side,
    /// Legal moves.
    pub legal: Vec<String>,
    /// State of both clocks.
    pub clocks: Option<Clocks>,
    /// Side with an open draw offer.
    pub draw: Option<Side>,
    /// Messages of both chats.
    pub chat: Vec<Said>,
    /// Side with an open takeback request.
    pub takeback: Option<Side>,
    /// Spectators and absent players.
    pub told: Told,
    /// Whether the game can be aborted.
    pub abortable: bool,
    /// Side that aborted the game or did not make its first move.
    pub aborted_by: Option<Side>,
    /// Deadline of the first move of the side to move, in epoch milliseconds.
    pub start_by_ms: Option<i64>,
    /// Deadline of a correspondence move, in epoch milliseconds.
    pub due_ms: Option<i64>,
}

impl Shown {
    /// Replays the moves from the start. Takes time proportional to the length of the game.
    ///
    /// # Errors
    /// Returns an error if a move is illegal.
    pub fn line(&self) -> Result<Line, Illegal> {
        let setup = &self.row.setup;
        let mut line = Line::new(setup.variant.start(&setup.options, setup.seed));
        self.moves.iter().try_for_each(|u| line.play(u))?;
        Ok(line)
    }

    pub(super) fn of(row: &Arc<GameRow>, game: &Game, told: Told, now_ms: i64) -> Shown {
        let line = game.line();
        Shown {
            row: row.clone(),
            v: game.seq(),
            start: line.start().to_owned(),
            moves: line.moves().to_vec(),
            last: line.last().cloned(),
            position: line.position().text(),
            turn: line.turn(),
            legal: game.legal(),
            clocks: game.clock().map(|clock| Clocks::of(clock, now_ms)),
            draw: game.draw_offer(),
            chat: game.chat().to_vec(),
            takeback: game.takeback_offer(),
            told,
            abortable: game.is_abortable(),
            aborted_by: game.aborted_by(),
            start_by_ms: game.start_by_ms(),
            due_ms: game.due_ms(),
        }
    }
}
