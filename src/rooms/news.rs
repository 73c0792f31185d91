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

/// Both clocks at one moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clocks {
    /// What each side has left, in milliseconds.
    pub left_ms: [i64; 2],
    /// Whose clock runs.
    pub running: Option<Side>,
    /// Time on the way that can still be made good to each, in milliseconds.
    pub quota_ms: [i64; 2],
    /// The moment, in epoch milliseconds.
    pub at_ms: i64,
}

impl Clocks {
    pub(super) fn of(clock: &Clock, at_ms: i64) -> Clocks {
        let left_ms = Side::BOTH.map(|side| clock.left_ms(side, at_ms));
        let quota_ms = Side::BOTH.map(|side| clock.quota_ms(side));
        Clocks { left_ms, running: clock.running(), quota_ms, at_ms }
    }
}

/// How a game stands after a move was made or taken back.
#[derive(Clone, PartialEq, Debug)]
pub struct Stand {
    /// Plies played.
    pub ply: usize,
    /// What is to be seen of the last move.
    pub trace: Option<Trace>,
    /// The cells part of the position text.
    pub cells: String,
    /// What the position text bears after the turn, with a space before it.
    pub extras: String,
    /// Whose turn it is.
    pub turn: Side,
    /// Both clocks.
    pub clocks: Option<Clocks>,
    /// The legal moves now.
    pub legal: Vec<String>,
    /// Whether the game may still be called off.
    pub abortable: bool,
    /// When the side to move must have made its first move, in epoch milliseconds.
    pub start_by_ms: Option<i64>,
    /// When the side to move must have moved, by correspondence.
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

/// Why clocks show something else than time alone would have them show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shift {
    /// That side was given so many milliseconds.
    Given(Side, i64),
    /// Nobody could play for so many milliseconds, and nobody was charged.
    Lost(i64),
}

/// What has happened, as those in the room are told.
#[derive(Clone, PartialEq, Debug)]
pub enum What {
    /// A move was made.
    Moved {
        /// Its notation.
        u: String,
        /// Who made it.
        by: Side,
        /// How much of its time on the way was made good, in milliseconds.
        lag_ms: i64,
        /// How the game stands now.
        stand: Box<Stand>,
    },
    /// Moves were taken back; how the game stands now, and its position text.
    TakenBack(Box<Stand>, String),
    /// Who now has an open draw offer.
    Draw(Option<Side>),
    /// Who now asks that a move be taken back.
    Takeback(Option<Side>),
    /// The clocks were set.
    Clock(Option<Clocks>, Shift),
    /// Somebody said something.
    Said(Said),
    /// The game ended: how, with which clocks, what was promised of its chance, and which side
    /// aborted it.
    Ended(Ended, Option<Clocks>, Option<Shuffle>, Option<Side>),
}

/// One event of a game with what it looks like from outside. It is written out once for each kind
/// of reader, however many there are.
#[derive(Debug)]
pub struct News {
    /// Its place in the game's log.
    pub v: i64,
    /// What happened.
    pub what: What,
    /// When it was stored.
    pub stored: Instant,
    encoded: [OnceLock<Bytes>; 3],
}

impl News {
    /// The news of an event that the game has just entered; `ended` is its result if it ended.
    pub(super) fn of(logged: &Logged, row: &GameRow, game: &Game, ended: Option<Ended>) -> News {
        let clocks = game.clock().map(|clock| Clocks::of(clock, logged.at_ms));
        let what = match &logged.event {
            Event::Moved { u, lag_ms } => What::Moved {
                u: u.clone(),
                by: logged.side.expect("mover"),
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
                let to = logged.side.expect("giver").other();
                What::Clock(clocks, Shift::Given(to, *ms))
            }
            Event::Said { .. } => What::Said(game.chat().last().expect("what was said").clone()),
            Event::Ended(end) => {
                let ended = ended.unwrap_or(Ended { end: *end, diff: None });
                What::Ended(ended, clocks, row.shuffle(true), game.aborted_by())
            }
        };
        News { v: logged.seq, what, stored: Instant::now(), encoded: Default::default() }
    }

    /// The text for readers of one kind: a player's side, or none for spectators. `write` is called
    /// for the first of them alone.
    pub fn encoded(&self, reader: Option<Side>, write: impl FnOnce() -> Bytes) -> Bytes {
        let kind = reader.map_or(2, Side::index);
        self.encoded[kind].get_or_init(write).clone()
    }

    /// Whether readers of that kind are told what happened, and not only that something did.
    pub fn is_for(&self, reader: Option<Side>) -> bool {
        match &self.what {
            What::Said(said) => (said.room == Room::Player) == reader.is_some(),
            _ => true,
        }
    }
}

/// All there is to see of a game at one moment.
#[derive(Clone, Debug)]
pub struct Shown {
    /// What does not change, and the result.
    pub row: Arc<GameRow>,
    /// The number of the last event.
    pub v: i64,
    /// The position text at the start.
    pub start: String,
    /// The notations played.
    pub moves: Vec<String>,
    /// What is to be seen of the last move.
    pub last: Option<Trace>,
    /// The position text now.
    pub position: String,
    /// Whose turn it is.
    pub turn: Side,
    /// The legal moves now.
    pub legal: Vec<String>,
    /// Both clocks.
    pub clocks: Option<Clocks>,
    /// Who has an open draw offer.
    pub draw: Option<Side>,
    /// What was said, in both rooms.
    pub chat: Vec<Said>,
    /// Who asks that a move be taken back.
    pub takeback: Option<Side>,
    /// Who watches, and who has gone.
    pub told: Told,
    /// Whether the game may still be called off.
    pub abortable: bool,
    /// The side that aborted it, or never made its first move.
    pub aborted_by: Option<Side>,
    /// When the side to move must have made its first move, in epoch milliseconds.
    pub start_by_ms: Option<i64>,
    /// When the side to move must have moved, by correspondence.
    pub due_ms: Option<i64>,
}

impl Shown {
    /// The line of play up to now, for whoever looks further. It takes a while where much was played.
    ///
    /// # Errors
    /// When the moves contradict the rules.
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
