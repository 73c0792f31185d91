//! Events of a game as rooms broadcast them, and snapshots of a game.
//!
//! An event is serialized once for each kind of reader, and shared. Callers: the actor of the room,
//! which creates them, and the subscribers: sockets and streams in `http`, and `bots`.

use crate::play::clock::Clock;
use crate::play::commit_reveal::SeedCommitment;
use crate::play::event::{ChatMessage, Event, LoggedEvent};
use crate::play::game::Game;
use crate::play::played_line::PlayedLine;
use crate::rooms::presence::crowd::RoomStatus;
use crate::rooms::rematch::terms::RematchBasis;
use crate::rooms::visibility::{BlockedNames, has_legal_moves, is_chat_visible};
use crate::rules::{Side, Trace};
use crate::store::{FinalResult, GameRow};
use crate::variants::{InvalidMove, LegalMoves, Position};
use bytes::Bytes;
use smol_str::SmolStr;
use std::sync::{Arc, OnceLock};
use tokio::sync::OnceCell;
use tokio::time::Instant;

/// State of both clocks at one moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockState {
    /// Remaining time of each side, in milliseconds.
    pub left_ms: [i64; 2],
    /// Side whose clock runs.
    pub running: Option<Side>,
    /// Remaining lag compensation of each side, in milliseconds.
    pub quota_ms: [i64; 2],
    /// Time of this state, in epoch milliseconds.
    pub at_ms: i64,
}

impl ClockState {
    pub(in crate::rooms) fn new(clock: &Clock, at_ms: i64) -> ClockState {
        let left_ms = Side::BOTH.map(|side| clock.remaining_ms(side, at_ms));
        let quota_ms = Side::BOTH.map(|side| clock.quota_ms(side));
        ClockState { left_ms, running: clock.running(), quota_ms, at_ms }
    }
}

/// State of a game after a move or a takeback.
#[derive(Clone, Debug)]
pub struct PositionUpdate {
    /// Number of plies played.
    pub ply: usize,
    /// Effects of the last move.
    pub trace: Option<Arc<Trace>>,
    /// State of both clocks.
    pub clocks: Option<ClockState>,
    /// Legal moves, with their position.
    pub legal: Arc<LegalMoves>,
    /// Cells of the position text, once a reader has needed them.
    cells: OnceLock<String>,
    /// Whether the game can be aborted.
    pub is_abortable: bool,
    /// Deadline of the first move of the side to move, in epoch milliseconds.
    pub start_by_ms: Option<i64>,
    /// Deadline of a correspondence move, in epoch milliseconds.
    pub due_ms: Option<i64>,
}

impl PositionUpdate {
    /// Returns the position.
    pub fn position(&self) -> &dyn Position {
        self.legal.position()
    }

    /// Returns the cells of the position text. They are written once for all readers.
    pub fn cells(&self) -> &str {
        self.cells.get_or_init(|| self.position().cells())
    }

    fn new(game: &Game, clocks: Option<ClockState>) -> PositionUpdate {
        PositionUpdate {
            ply: game.line().ply(),
            trace: game.line().last().cloned(),
            clocks,
            legal: game.legal_moves(),
            cells: OnceLock::new(),
            is_abortable: game.is_abortable(),
            start_by_ms: game.first_move_deadline_ms(),
            due_ms: game.move_deadline_ms(),
        }
    }
}

/// Reason of a clock adjustment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClockAdjustment {
    /// The side was given this time by its opponent, in milliseconds.
    TimeGiven(Side, i64),
    /// An outage of this duration (milliseconds) was excluded from the clocks.
    Outage(i64),
    /// A vacation of the player to move was excluded from the days for the move.
    Vacation {
        /// Excluded time, in milliseconds.
        ms: i64,
        /// End of the vacation, in epoch milliseconds.
        until_ms: i64,
    },
}

/// Content of a broadcast event.
#[derive(Clone, Debug)]
pub enum GameUpdate {
    /// A move was made.
    Moved {
        /// Notation.
        u: SmolStr,
        /// Side that moved.
        by: Side,
        /// Lag compensation, in milliseconds.
        lag_ms: i64,
        /// State after the move.
        position: PositionUpdate,
    },
    /// Moves were taken back: state and position text after the takeback.
    TakenBack(Box<PositionUpdate>, String),
    /// Side with an open draw offer.
    DrawOffer(Option<Side>),
    /// Side with an open takeback request.
    TakebackOffer(Option<Side>),
    /// The clocks were adjusted.
    Clock(Option<ClockState>, ClockAdjustment),
    /// A chat message was posted.
    Chat(ChatMessage),
    /// The game ended: result, clocks, revealed seed of a committed start, and the side that
    /// aborted it.
    Ended(FinalResult, Option<ClockState>, Option<SeedCommitment>, Option<Side>),
}

impl GameUpdate {
    /// Returns the state after a move or a takeback.
    pub fn position(&self) -> Option<&PositionUpdate> {
        match self {
            GameUpdate::Moved { position, .. } => Some(position),
            GameUpdate::TakenBack(position, _) => Some(position),
            _ => None,
        }
    }
}

/// Event of a game with its state for clients, serialized once.
#[derive(Debug)]
pub struct GameEvent {
    /// Event number in the log of the game.
    pub v: i64,
    /// Content of the event.
    pub update: GameUpdate,
    /// Time of the commit.
    pub stored_at: Instant,
    /// The game with its result, if the event is the end.
    pub(in crate::rooms) ended_row: Option<Arc<GameRow>>,
    /// Basis of the terms of a rematch at the end of the game, read for the first player who needs
    /// it.
    pub(in crate::rooms) rematch_basis: OnceCell<Box<RematchBasis>>,
    /// Serialized event, by [`EventForm`].
    encoded: [Encoded; 2],
}

/// Form in which a reader gets an event.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum EventForm {
    /// As documented for all clients.
    #[default]
    Full,
    /// With the changes of a move only.
    Short,
}

/// Event that is serialized for its first readers.
#[derive(Default, Debug)]
pub struct Encoded {
    plain: OnceLock<Bytes>,
    with_legal: OnceLock<Bytes>,
}

impl Encoded {
    /// Returns the serialized event without legal moves. Calls `write` only the first time.
    pub fn plain(&self, write: impl FnOnce() -> Bytes) -> &Bytes {
        self.plain.get_or_init(write)
    }

    /// Returns the serialized event with the legal moves. Calls `write` only the first time.
    pub fn with_legal(&self, write: impl FnOnce() -> Bytes) -> &Bytes {
        self.with_legal.get_or_init(write)
    }
}

impl GameEvent {
    /// Creates the broadcast event of a log entry. `ended` is the result if the game ended.
    pub(in crate::rooms) fn new(
        logged: &LoggedEvent,
        row: &Arc<GameRow>,
        game: &Game,
        ended: Option<FinalResult>,
    ) -> GameEvent {
        let clocks = game.clock().map(|clock| ClockState::new(clock, logged.at_ms));
        let update = match &logged.event {
            Event::Moved { u, lag_ms } => GameUpdate::Moved {
                u: u.clone(),
                by: logged.side.expect("side of a move"),
                lag_ms: *lag_ms,
                position: PositionUpdate::new(game, clocks),
            },
            Event::TakenBack { .. } => {
                let text = game.line().position().text();
                GameUpdate::TakenBack(Box::new(PositionUpdate::new(game, clocks)), text)
            }
            Event::DrawOffered | Event::DrawDeclined => GameUpdate::DrawOffer(game.draw_offer()),
            Event::TakebackOffered | Event::TakebackDeclined => {
                GameUpdate::TakebackOffer(game.takeback_offer())
            }
            Event::Resumed { lost_ms, vacation_until_ms } => {
                let adjustment = match *vacation_until_ms {
                    None => ClockAdjustment::Outage(*lost_ms),
                    Some(until_ms) => ClockAdjustment::Vacation { ms: *lost_ms, until_ms },
                };
                GameUpdate::Clock(clocks, adjustment)
            }
            Event::TimeGiven { ms } => {
                let to = logged.side.expect("side of given time").other();
                GameUpdate::Clock(clocks, ClockAdjustment::TimeGiven(to, *ms))
            }
            Event::Said { .. } => {
                GameUpdate::Chat(game.chat().last().expect("chat message").clone())
            }
            Event::Ended(end) => {
                let ending = game.line().ending();
                let ended = ended.unwrap_or(FinalResult::unrated(*end, ending));
                GameUpdate::Ended(ended, clocks, row.fair_start(true), game.aborted_by())
            }
        };
        GameEvent {
            v: logged.seq,
            update,
            stored_at: Instant::now(),
            ended_row: matches!(logged.event, Event::Ended(_)).then(|| row.clone()),
            rematch_basis: OnceCell::new(),
            encoded: Default::default(),
        }
    }

    /// Returns the legal moves, if the event has them and the reader gets them.
    pub fn legal_moves_for(&self, reader: Option<Side>) -> Option<&LegalMoves> {
        let position = self.update.position()?;
        has_legal_moves(reader, position.position().turn()).then_some(&position.legal)
    }

    /// Returns the serialized event in a form.
    pub fn encoded(&self, form: EventForm) -> &Encoded {
        &self.encoded[form as usize]
    }

    /// Returns whether a reader receives the content of the event, and not only its number.
    pub fn is_visible_to(
        &self,
        reader: Option<Side>,
        blocked_names: Option<&BlockedNames>,
    ) -> bool {
        match &self.update {
            GameUpdate::Chat(message) => is_chat_visible(message, reader, blocked_names),
            _ => true,
        }
    }
}

/// Complete state of a game at one moment.
#[derive(Clone, Debug)]
pub struct GameSnapshot {
    /// Properties and result of the game.
    pub row: Arc<GameRow>,
    /// Number of the last event.
    pub v: i64,
    /// Position text of the start.
    pub start: String,
    /// Notations of the moves played.
    pub moves: Vec<SmolStr>,
    /// Effects of the last move.
    pub last: Option<Arc<Trace>>,
    /// Current position text.
    pub position: String,
    /// Side to move.
    pub turn: Side,
    /// Legal moves.
    pub legal: Arc<LegalMoves>,
    /// State of both clocks.
    pub clocks: Option<ClockState>,
    /// Sum of the outages that were not deducted from any clock, in milliseconds.
    pub outage_ms: i64,
    /// Number of takebacks.
    pub takebacks: usize,
    /// Side with an open draw offer.
    pub draw_offer: Option<Side>,
    /// Messages of both chats.
    pub chat: Vec<ChatMessage>,
    /// Side with an open takeback request.
    pub takeback_offer: Option<Side>,
    /// Spectators and absent players.
    pub status: RoomStatus,
    /// Whether the game can be aborted.
    pub is_abortable: bool,
    /// Side that aborted the game or did not make its first move.
    pub aborted_by: Option<Side>,
    /// Deadline of the first move of the side to move, in epoch milliseconds.
    pub start_by_ms: Option<i64>,
    /// Deadline of a correspondence move, in epoch milliseconds.
    pub due_ms: Option<i64>,
    /// End of the vacation of the player to move, in epoch milliseconds.
    pub vacation_until_ms: Option<i64>,
}

impl GameSnapshot {
    /// Replays the moves from the start. Takes time proportional to the length of the game.
    ///
    /// # Errors
    /// Returns an error if a move is illegal.
    pub fn line(&self) -> Result<PlayedLine, InvalidMove> {
        let setup = &self.row.setup;
        let mut line = PlayedLine::new(setup.variant.start(&setup.options, setup.seed));
        self.moves.iter().try_for_each(|u| line.play(u))?;
        Ok(line)
    }

    pub(in crate::rooms) fn new(
        row: &Arc<GameRow>,
        game: &Game,
        status: RoomStatus,
        now_ms: i64,
    ) -> GameSnapshot {
        let line = game.line();
        GameSnapshot {
            row: row.clone(),
            v: game.seq(),
            start: line.start().to_owned(),
            moves: line.moves().to_vec(),
            last: line.last().cloned(),
            position: line.position().text(),
            turn: line.turn(),
            legal: game.legal_moves(),
            clocks: game.clock().map(|clock| ClockState::new(clock, now_ms)),
            outage_ms: game.outage_ms(),
            takebacks: game.takebacks(),
            draw_offer: game.draw_offer(),
            chat: game.chat().to_vec(),
            takeback_offer: game.takeback_offer(),
            status,
            is_abortable: game.is_abortable(),
            aborted_by: game.aborted_by(),
            start_by_ms: game.first_move_deadline_ms(),
            due_ms: game.move_deadline_ms(),
            vacation_until_ms: game.vacation_until_ms(),
        }
    }
}
