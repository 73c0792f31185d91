//! Game between two players: an event-sourced state machine.
//!
//! Commands and times go in, events come out. [`Game::replay`] of those events rebuilds the same
//! state. `rooms` keeps a game in memory and stores its events; `store` replays logs to check them.

use super::clock::{Clock, INITIAL_MAX_MS, Left, Pace};
use super::command::{Ask, CHAT_CHARS_MAX, Command, GIVEN_MAX_MS, Refusal};
use super::event::{DrawReason, End, Event, Logged, Room, Status};
use super::line::Line;
use super::offer::{Came, Offer};
use super::text::plain_line;
use crate::rules::{Options, Side};
use crate::variants::Variant;

/// Time limit for a side's first move in a clocked game, in milliseconds.
pub const START_MS: i64 = 60_000;

/// Waiting time for the opponent's first move after which an abort is charged to the opponent, in
/// milliseconds.
const FIRST_MOVE_PATIENCE_MS: i64 = 20_000;

/// Number of plies after which both sides have moved and the game counts.
pub const PLIES_BOTH: usize = 2;

/// Maximum number of takebacks per game.
const TAKEBACKS_MAX: usize = 40;

/// Maximum number of messages in each of the two chat rooms of a game.
const CHAT_MAX: usize = 500;

/// Initial data of a game.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Variant played.
    pub variant: &'static Variant,
    /// Options of the variant.
    pub options: Options,
    /// Seed of a random start.
    pub seed: u64,
    /// Time mode.
    pub pace: Pace,
    /// Time of creation, in epoch milliseconds.
    pub created_ms: i64,
}

/// Chat message as logged.
#[derive(Clone, PartialEq, Debug)]
pub struct Said {
    /// Sequence number in the log.
    pub seq: i64,
    /// Number of plies played at that time.
    pub ply: usize,
    /// Time, in epoch milliseconds.
    pub at_ms: i64,
    /// Chat room.
    pub room: Room,
    /// Name of the sender.
    pub name: String,
    /// Text of the message.
    pub text: String,
}

/// Game between two players: a state machine from commands and times to events.
#[derive(Debug)]
pub struct Game {
    line: Line,
    clock: Option<Clock>,
    /// Times of both sides at the start of each turn, by ply.
    lefts: Vec<Left>,
    /// Whether both sides have moved once, even if those moves were taken back.
    begun: bool,
    /// Time per move in a correspondence game, in milliseconds.
    move_ms: Option<i64>,
    /// Start of the current turn, in epoch milliseconds.
    turn_ms: i64,
    draw: Offer,
    takeback: Offer,
    taken_back: usize,
    chat: Vec<Said>,
    end: Option<End>,
    /// Side whose command ended the game.
    ended_by: Option<Side>,
    seq: i64,
    last_ms: i64,
}

impl Game {
    /// Creates a game without events.
    pub fn new(setup: Setup) -> Game {
        let clock = setup.pace.clock().map(Clock::new);
        Game {
            line: Line::new(setup.variant.start(&setup.options, setup.seed)),
            lefts: clock.iter().map(Clock::left).collect(),
            clock,
            begun: false,
            move_ms: setup.pace.move_ms(),
            turn_ms: setup.created_ms,
            draw: Offer::default(),
            takeback: Offer::default(),
            taken_back: 0,
            chat: Vec::new(),
            end: None,
            ended_by: None,
            seq: 0,
            last_ms: setup.created_ms,
        }
    }

    /// Returns the start position with the moves played.
    pub fn line(&self) -> &Line {
        &self.line
    }

    /// Returns the clock of a clocked game.
    pub fn clock(&self) -> Option<&Clock> {
        self.clock.as_ref()
    }

    /// Returns the end of a finished game.
    pub fn end(&self) -> Option<End> {
        self.end
    }

    /// Returns the side that aborted the game, or that did not make its first move in time.
    pub fn aborted_by(&self) -> Option<Side> {
        match self.end?.status {
            Status::Aborted => self.ended_by,
            Status::NoStart => Some(self.line.turn()),
            _ => None,
        }
    }

    /// Returns the side responsible for an abort: the side that aborted or, if the turn had lasted
    /// long enough, the side to move.
    pub fn abort_charged_to(&self) -> Option<Side> {
        let by = self.aborted_by()?;
        let waited_ms = self.last_ms - self.turn_ms;
        Some(if waited_ms >= FIRST_MOVE_PATIENCE_MS { self.line.turn() } else { by })
    }

    /// Returns the side with an open draw offer.
    pub fn draw_offer(&self) -> Option<Side> {
        self.draw.by()
    }

    /// Returns the side with an open takeback offer.
    pub fn takeback_offer(&self) -> Option<Side> {
        self.takeback.by()
    }

    /// Returns whether both sides have moved, so that the game counts.
    pub fn is_begun(&self) -> bool {
        self.begun
    }

    /// Returns the time of the last event, or of creation, in epoch milliseconds.
    pub fn last_ms(&self) -> i64 {
        self.last_ms
    }

    /// Returns all chat messages.
    pub fn chat(&self) -> &[Said] {
        &self.chat
    }

    /// Returns the sequence number of the last event; 0 before the first.
    pub fn seq(&self) -> i64 {
        self.seq
    }

    /// Returns whether a player may still abort the game.
    pub fn is_abortable(&self) -> bool {
        self.end.is_none() && !self.begun
    }

    /// Returns the notations of the legal moves; none once the game is over.
    pub fn legal(&self) -> Vec<String> {
        if self.end.is_some() { Vec::new() } else { self.line.legal() }
    }

    /// Returns the deadline for the first move of the side to move in a clocked game.
    pub fn start_by_ms(&self) -> Option<i64> {
        (self.is_abortable() && self.clock.is_some()).then_some(self.turn_ms + START_MS)
    }

    /// Returns the deadline for the current move in a correspondence game.
    pub fn due_ms(&self) -> Option<i64> {
        self.move_ms.filter(|_| self.end.is_none()).map(|move_ms| self.turn_ms + move_ms)
    }

    /// Returns the time at which the game ends without a further command.
    pub fn deadline_ms(&self) -> Option<i64> {
        match self.end {
            Some(_) => None,
            None => {
                let flag_ms = || self.clock.as_ref()?.flag_ms();
                self.start_by_ms().or_else(flag_ms).or_else(|| self.due_ms())
            }
        }
    }

    /// Returns the end caused by time alone at `now_ms`: a flag, or a missing first move.
    pub fn tick(&mut self, now_ms: i64) -> Vec<Logged> {
        if self.deadline_ms().is_none_or(|deadline_ms| now_ms < deadline_ms) {
            return Vec::new();
        }
        let end = if self.is_abortable() {
            End { status: Status::NoStart, winner: None, reason: None }
        } else {
            self.flag()
        };
        vec![self.log(None, now_ms, Event::Ended(end))]
    }

    fn flag(&self) -> End {
        let winner = Some(self.line.turn().other());
        End { status: Status::OutOfTime, winner, reason: None }
    }

    /// Executes a player's command and returns its events, or refuses it without any change. A move
    /// that arrives too late ends the game on time: the end is then the only event.
    pub fn command(
        &mut self,
        side: Side,
        command: &Command,
        now_ms: i64,
    ) -> Result<Vec<Logged>, Refusal> {
        if self.end.is_some() {
            return Err(Refusal::Over);
        }
        let ended = |status, winner| Event::Ended(End { status, winner, reason: None });
        // A player who resigns or claims in a decided position does not change its winner.
        let decided = |or: Side| Some(self.line.position().decided().unwrap_or(or));
        let event = match command {
            Command::Move { u, ply, lag_ms } => {
                return self.make_move(side, u, *ply, *lag_ms, now_ms);
            }
            Command::Resign => ended(Status::Resign, decided(side.other())),
            Command::Abort if self.is_abortable() => ended(Status::Aborted, None),
            Command::Abort => return Err(Refusal::TooLate),
            Command::Draw { ask, ply } => {
                self.seen(*ply)?;
                self.agree(side, *ask)?
            }
            Command::Takeback { ask, ply } => {
                self.seen(*ply)?;
                self.take_back(side, *ask)?
            }
            Command::GiveTime { ms } => self.give(side, *ms)?,
            Command::ClaimWin => {
                self.clock_begun()?;
                ended(Status::Timeout, decided(side))
            }
            Command::ClaimDraw => {
                self.clock_begun()?;
                let reason = Some(DrawReason::Claim);
                Event::Ended(End { status: Status::Draw, winner: None, reason })
            }
        };
        Ok(vec![self.log(Some(side), now_ms, event)])
    }

    /// Refuses a late or repeated command: one for an earlier position.
    fn seen(&self, ply: Option<usize>) -> Result<(), Refusal> {
        let played = self.line.ply();
        match ply.filter(|seen| *seen != played) {
            Some(seen) => Err(Refusal::Stale { seen, played }),
            None => Ok(()),
        }
    }

    fn agree(&self, side: Side, ask: Ask) -> Result<Event, Refusal> {
        if !self.begun && ask != Ask::No {
            return Err(Refusal::TooSoon);
        }
        Ok(match self.draw.ask(side, ask, self.line.ply())? {
            Came::Made => Event::DrawOffered,
            Came::Dropped => Event::DrawDeclined,
            Came::Agreed => {
                let reason = Some(DrawReason::Agreement);
                Event::Ended(End { status: Status::Draw, winner: None, reason })
            }
        })
    }

    fn take_back(&self, side: Side, ask: Ask) -> Result<Event, Refusal> {
        if self.taken_back >= TAKEBACKS_MAX && ask != Ask::No {
            return Err(Refusal::EnoughTakenBack);
        }
        let ply_before = |asker| self.line.before_last_of(asker).ok_or(Refusal::NothingToTakeBack);
        Ok(match self.takeback.ask(side, ask, self.line.ply())? {
            Came::Made => ply_before(side).map(|_| Event::TakebackOffered)?,
            Came::Dropped => Event::TakebackDeclined,
            Came::Agreed => Event::TakenBack { ply: ply_before(side.other())? },
        })
    }

    /// Returns the clock once both sides have moved.
    fn clock_begun(&self) -> Result<&Clock, Refusal> {
        let clock = self.clock.as_ref().ok_or(Refusal::NoClock)?;
        if self.begun { Ok(clock) } else { Err(Refusal::TooSoon) }
    }

    fn give(&self, side: Side, ms: i64) -> Result<Event, Refusal> {
        let clock = self.clock_begun()?;
        if !(1..=GIVEN_MAX_MS).contains(&ms) {
            return Err(Refusal::BadTime);
        }
        let full = clock.left().time_ms[side.other().index()] + ms > INITIAL_MAX_MS;
        if full { Err(Refusal::ClockFull) } else { Ok(Event::TimeGiven { ms }) }
    }

    fn make_move(
        &mut self,
        side: Side,
        u: &str,
        ply: Option<usize>,
        lag_ms: i64,
        now_ms: i64,
    ) -> Result<Vec<Logged>, Refusal> {
        self.seen(ply)?;
        if self.line.turn() != side {
            return Err(Refusal::NotYourTurn);
        }
        if self.clock.as_ref().is_some_and(|clock| clock.is_late(lag_ms, now_ms)) {
            let end = self.flag();
            return Ok(vec![self.log(None, now_ms, Event::Ended(end))]);
        }
        self.line.play(u)?;
        let at_ms = now_ms.max(self.last_ms);
        let made_good_ms = self.clock.as_ref().map_or(0, |clock| clock.made_good_ms(lag_ms, at_ms));
        let mut events = vec![self.log_moved(Some(side), at_ms, u, made_good_ms)];
        if let Some((outcome, reason)) = self.line.verdict() {
            let reason = DrawReason::of(reason);
            let status = if reason.is_some() { Status::Draw } else { Status::VariantEnd };
            let end = End { status, winner: outcome.winner(), reason };
            events.push(self.log(None, now_ms, Event::Ended(end)));
        }
        Ok(events)
    }

    /// Adds a chat message; `side` is `None` for a spectator. Refuses text that is empty, too long,
    /// beyond the limit of the room, or for the other room.
    pub fn say(
        &mut self,
        side: Option<Side>,
        room: Room,
        name: &str,
        text: &str,
        now_ms: i64,
    ) -> Result<Vec<Logged>, Refusal> {
        let text = plain_line(text);
        if side.is_some() != (room == Room::Player) {
            return Err(Refusal::NotAPlayer);
        }
        if text.is_empty() {
            return Err(Refusal::Empty);
        }
        if text.chars().count() > CHAT_CHARS_MAX {
            return Err(Refusal::TooLong);
        }
        if self.chat.iter().filter(|said| said.room == room).count() >= CHAT_MAX {
            return Err(Refusal::Full);
        }
        let event = Event::Said { room, name: name.to_owned(), text };
        Ok(vec![self.log(side, now_ms, event)])
    }

    /// Excludes an outage from `alive_ms` to `now_ms` from the clocks. Logs nothing if no time
    /// runs.
    pub fn resume(&mut self, alive_ms: i64, now_ms: i64) -> Vec<Logged> {
        let lost_ms = now_ms - alive_ms.max(self.last_ms);
        if self.deadline_ms().is_none() || lost_ms <= 0 {
            return Vec::new();
        }
        vec![self.log(None, now_ms, Event::Resumed { lost_ms })]
    }

    /// Applies the next event of the game's log.
    ///
    /// # Errors
    /// Fails if the event contradicts the rules or its predecessors. The game is then unusable.
    pub fn replay(&mut self, logged: &Logged) -> Result<(), BadLog> {
        let bad = |why: String| BadLog { seq: logged.seq, why };
        if logged.seq != self.seq + 1 {
            return Err(bad(format!("follows event {}", self.seq)));
        }
        match &logged.event {
            Event::Moved { .. } | Event::TakenBack { .. } if self.end.is_some() => {
                return Err(bad("a move after the end".to_owned()));
            }
            Event::Moved { u, lag_ms } => {
                self.line.play(u).map_err(|illegal| bad(illegal.to_string()))?;
                self.log_moved(logged.side, logged.at_ms, u, *lag_ms);
            }
            Event::TakenBack { ply } if *ply >= self.line.ply() => {
                return Err(bad("nothing is taken back".to_owned()));
            }
            event => drop(self.log(logged.side, logged.at_ms, event.clone())),
        }
        Ok(())
    }

    /// Logs a move that `line` already contains; `lag_ms` is its lag compensation.
    fn log_moved(&mut self, side: Option<Side>, now_ms: i64, u: &str, lag_ms: i64) -> Logged {
        let at_ms = now_ms.max(self.last_ms);
        let next = self.line.turn();
        self.begun |= self.line.ply() >= PLIES_BOTH;
        if let Some(clock) = &mut self.clock {
            clock.press(next, lag_ms, at_ms);
            if clock.running().is_none() && self.begun {
                clock.start(next, at_ms);
            }
            self.lefts.push(clock.left());
        }
        self.turn_ms = at_ms;
        // A draw offer stays open until the opponent moves; any move ends a takeback offer.
        if self.draw.by() != side {
            self.draw.lapse();
        }
        self.takeback.lapse();
        self.enter(side, at_ms, Event::Moved { u: u.to_owned(), lag_ms })
    }

    /// Logs any event except a move.
    fn log(&mut self, side: Option<Side>, now_ms: i64, event: Event) -> Logged {
        let at_ms = now_ms.max(self.last_ms);
        let ply = self.line.ply();
        match &event {
            Event::Moved { .. } => {}
            Event::DrawOffered => side.into_iter().for_each(|by| self.draw.make(by, ply)),
            Event::DrawDeclined => self.draw.lapse(),
            Event::TakebackOffered => side.into_iter().for_each(|by| self.takeback.make(by, ply)),
            Event::TakebackDeclined => self.takeback.lapse(),
            Event::TakenBack { ply } => self.go_back(*ply, at_ms),
            Event::TimeGiven { ms } => {
                if let Some((clock, to)) = self.clock.as_mut().zip(side.map(Side::other)) {
                    clock.give(to, *ms);
                    // A takeback does not revoke given time.
                    self.lefts.iter_mut().for_each(|left| left.time_ms[to.index()] += ms);
                }
            }
            Event::Said { room, name, text } => {
                let (name, text) = (name.clone(), text.clone());
                self.chat.push(Said { seq: self.seq + 1, ply, at_ms, room: *room, name, text });
            }
            Event::Resumed { lost_ms } => {
                self.turn_ms += lost_ms;
                if let Some(clock) = &mut self.clock {
                    clock.forgive(*lost_ms);
                }
            }
            Event::Ended(end) => {
                self.end = Some(*end);
                self.ended_by = side;
                self.draw.lapse();
                self.takeback.lapse();
                if let Some(clock) = &mut self.clock {
                    clock.stop(at_ms);
                }
            }
        }
        self.enter(side, at_ms, event)
    }

    /// Restores the position and both clocks as of ply `ply`.
    fn go_back(&mut self, ply: usize, at_ms: i64) {
        self.line.back_to(ply);
        self.taken_back += 1;
        if let Some((clock, then)) = self.clock.as_mut().zip(self.lefts.get(ply).copied()) {
            clock.back_to(then, self.line.turn(), at_ms);
            self.lefts.truncate(ply + 1);
        }
        self.turn_ms = at_ms;
        // Ply numbers occur again after a takeback, so each side may make new offers.
        self.draw = Offer::default();
        self.takeback = Offer::default();
    }

    fn enter(&mut self, side: Option<Side>, at_ms: i64, event: Event) -> Logged {
        self.seq += 1;
        self.last_ms = at_ms;
        Logged { seq: self.seq, side, at_ms, event }
    }
}

/// Error for a log that contradicts the rules.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("event {seq}: {why}")]
pub struct BadLog {
    /// Sequence number of the event.
    pub seq: i64,
    /// Reason.
    pub why: String,
}
