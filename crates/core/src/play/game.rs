//! Game between two players: an event-sourced state machine.
//!
//! Commands and times go in, events come out. [`Game::replay`] of those events rebuilds the same
//! state. Callers: `rooms`, which stores the events, and `store`, which replays logs.

use super::chat::check_message;
use super::clock::{Clock, ClockTimes, INITIAL_MAX_MS, Pace};
use super::command::{Command, GIVEN_MAX_MS, OfferAction, Refusal};
use super::event::{
    ChatMessage, ChatRoom, DrawReason, Event, GameEnd, GameStatus, InvalidLog, LoggedEvent,
    LoggedEvents,
};
use super::offer::{Offer, OfferOutcome};
use super::played_line::PlayedLine;
use super::turn_time::{TurnTime, UnexcludedVacation};
use super::vacation::Vacation;
use crate::rules::{Options, Side};
use crate::variants::{LegalMoves, Variant};
use smallvec::smallvec;
use std::sync::Arc;

/// Time limit for a side's first move in a clocked game, in milliseconds.
pub const FIRST_MOVE_TIMEOUT_MS: i64 = 60_000;

/// Waiting time for the opponent's first move after which an abort is charged to the opponent, in
/// milliseconds.
const ABORT_CHARGE_AFTER_MS: i64 = 20_000;

/// Number of plies after which both sides have moved and the game counts.
pub const BOTH_MOVED_PLIES: usize = 2;

/// Maximum number of takebacks per game.
const TAKEBACKS_MAX: usize = 40;

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

/// Game between two players: a state machine from commands and times to events.
#[derive(Debug)]
pub struct Game {
    line: PlayedLine,
    clock: Option<Clock>,
    /// Times of both sides at the start of each turn, by ply.
    clock_history: Vec<ClockTimes>,
    /// Whether both sides have moved once, even if those moves were taken back.
    begun: bool,
    turn_time: TurnTime,
    /// Sum of the excluded outages, in milliseconds.
    outage_ms: i64,
    draw: Offer,
    takeback: Offer,
    takebacks: usize,
    chat: Vec<ChatMessage>,
    end: Option<GameEnd>,
    /// Side whose command ended the game.
    ended_by: Option<Side>,
    seq: i64,
    last_event_ms: i64,
}

impl Game {
    /// Creates a game without events.
    pub fn new(setup: Setup) -> Game {
        let clock = setup.pace.clock().map(Clock::new);
        Game {
            line: PlayedLine::new(setup.variant.start(&setup.options, setup.seed)),
            clock_history: clock.iter().map(Clock::left).collect(),
            clock,
            begun: false,
            turn_time: TurnTime::new(setup.pace.move_ms(), setup.created_ms),
            outage_ms: 0,
            draw: Offer::default(),
            takeback: Offer::default(),
            takebacks: 0,
            chat: Vec::new(),
            end: None,
            ended_by: None,
            seq: 0,
            last_event_ms: setup.created_ms,
        }
    }

    /// Returns the start position with the moves played.
    pub fn line(&self) -> &PlayedLine {
        &self.line
    }

    /// Returns the clock of a clocked game.
    pub fn clock(&self) -> Option<&Clock> {
        self.clock.as_ref()
    }

    /// Returns the sum of the outages that were not deducted from any clock, in milliseconds.
    pub fn outage_ms(&self) -> i64 {
        self.outage_ms
    }

    /// Returns the end of a finished game.
    pub fn end(&self) -> Option<GameEnd> {
        self.end
    }

    /// Returns the side that aborted the game, or that did not make its first move in time.
    pub fn aborted_by(&self) -> Option<Side> {
        match self.end?.status {
            GameStatus::Aborted => self.ended_by,
            GameStatus::NoStart => Some(self.line.turn()),
            _ => None,
        }
    }

    /// Returns the side responsible for an end before both sides had moved: the side that lost or
    /// aborted or, if the turn had lasted long enough before an abort, or its player was on
    /// vacation, the side to move.
    pub fn side_responsible_for_abort(&self) -> Option<Side> {
        if let Some(winner) = self.end?.winner.filter(|_| !self.begun) {
            return Some(winner.other());
        }
        let by = self.aborted_by()?;
        let waited_ms = self.turn_time.waited_ms(self.last_event_ms);
        let is_on_vacation = self.turn_time.vacation_until_ms().is_some();
        let is_charged_to_turn = waited_ms >= ABORT_CHARGE_AFTER_MS || is_on_vacation;
        Some(if is_charged_to_turn { self.line.turn() } else { by })
    }

    /// Returns the side with an open draw offer.
    pub fn draw_offer(&self) -> Option<Side> {
        self.draw.by()
    }

    /// Returns the side with an open takeback offer.
    pub fn takeback_offer(&self) -> Option<Side> {
        self.takeback.by()
    }

    /// Returns the number of takebacks.
    pub fn takebacks(&self) -> usize {
        self.takebacks
    }

    /// Returns whether both sides have moved, so that the game counts.
    pub fn has_begun(&self) -> bool {
        self.begun
    }

    /// Returns the time of the last event, or of creation, in epoch milliseconds.
    pub fn last_ms(&self) -> i64 {
        self.last_event_ms
    }

    /// Returns all chat messages.
    pub fn chat(&self) -> &[ChatMessage] {
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

    /// Returns the legal moves; none once the game is over.
    pub fn legal_moves(&self) -> Arc<LegalMoves> {
        if self.end.is_some() { self.line.no_moves() } else { self.line.move_list().clone() }
    }

    /// Returns the deadline for the first move of the side to move in a clocked game.
    pub fn first_move_deadline_ms(&self) -> Option<i64> {
        (self.is_abortable() && self.clock.is_some())
            .then_some(self.turn_time.started_ms() + FIRST_MOVE_TIMEOUT_MS)
    }

    /// Returns the deadline for the current move in a correspondence game.
    pub fn move_deadline_ms(&self) -> Option<i64> {
        self.turn_time.deadline_ms().filter(|_| self.end.is_none())
    }

    /// Returns the end of the vacation of the player to move, in epoch milliseconds. It may be
    /// over.
    pub fn vacation_until_ms(&self) -> Option<i64> {
        self.turn_time.vacation_until_ms().filter(|_| self.end.is_none())
    }

    /// Returns the time at which the game ends without a further command.
    pub fn deadline_ms(&self) -> Option<i64> {
        if self.end.is_some() {
            return None;
        }
        let flag_ms = || self.clock.as_ref()?.flags_at_ms();
        self.first_move_deadline_ms().or_else(flag_ms).or_else(|| self.move_deadline_ms())
    }

    /// Returns the end caused by time alone at `now_ms`: a flag, or a missing first move.
    pub fn tick(&mut self, now_ms: i64) -> LoggedEvents {
        if self.deadline_ms().is_none_or(|deadline_ms| now_ms < deadline_ms) {
            return LoggedEvents::new();
        }
        let no_start = GameEnd { status: GameStatus::NoStart, winner: None, reason: None };
        let end = if self.is_abortable() { no_start } else { self.flag_end() };
        smallvec![self.apply(None, now_ms, Event::Ended(end))]
    }

    fn flag_end(&self) -> GameEnd {
        let turn = self.line.turn();
        GameEnd { status: GameStatus::OutOfTime, winner: Some(turn.other()), reason: None }
    }

    /// Executes a player's command and returns its events, or refuses it without any change. A move
    /// that arrives too late ends the game on time: the end is then the only event.
    pub fn command(
        &mut self,
        side: Side,
        command: &Command,
        now_ms: i64,
    ) -> Result<LoggedEvents, Refusal> {
        if self.end.is_some() {
            return Err(Refusal::GameOver);
        }
        let ended = |status, winner| Event::Ended(GameEnd { status, winner, reason: None });
        // A player who resigns or claims in a decided position does not change its winner.
        let decided =
            |fallback: Side| Some(self.line.position().decided_winner().unwrap_or(fallback));
        let event = match command {
            Command::Move { u, ply, lag_ms } => {
                return self.make_move(side, u, *ply, *lag_ms, now_ms);
            }
            Command::Resign => ended(GameStatus::Resign, decided(side.other())),
            Command::Abort if self.is_abortable() => ended(GameStatus::Aborted, None),
            Command::Abort => return Err(Refusal::NotAbortable),
            Command::Abandon if self.is_abortable() => ended(GameStatus::Aborted, None),
            Command::Abandon => ended(GameStatus::Timeout, decided(side.other())),
            Command::Draw { action, ply } => {
                self.check_ply(*ply)?;
                self.answer_draw(side, *action)?
            }
            Command::Takeback { action, ply } => {
                self.check_ply(*ply)?;
                self.answer_takeback(side, *action)?
            }
            Command::GiveTime { ms } => self.give_time(side, *ms)?,
            Command::ClaimWin => {
                self.started_clock()?;
                ended(GameStatus::Timeout, decided(side))
            }
            Command::ClaimDraw => {
                self.started_clock()?;
                let reason = Some(DrawReason::Claim);
                Event::Ended(GameEnd { status: GameStatus::Draw, winner: None, reason })
            }
        };
        Ok(smallvec![self.apply(Some(side), now_ms, event)])
    }

    /// Refuses a late or repeated command: one for an earlier position.
    fn check_ply(&self, ply: Option<usize>) -> Result<(), Refusal> {
        let played = self.line.ply();
        match ply.filter(|expected| *expected != played) {
            Some(expected) => Err(Refusal::Stale { seen: expected, played }),
            None => Ok(()),
        }
    }

    fn answer_draw(&self, side: Side, action: OfferAction) -> Result<Event, Refusal> {
        if !self.begun && action != OfferAction::No {
            return Err(Refusal::TooEarly);
        }
        Ok(match self.draw.respond(side, action, self.line.ply())? {
            OfferOutcome::Offered => Event::DrawOffered,
            OfferOutcome::Declined => Event::DrawDeclined,
            OfferOutcome::Agreed => {
                let reason = Some(DrawReason::Agreement);
                Event::Ended(GameEnd { status: GameStatus::Draw, winner: None, reason })
            }
        })
    }

    fn answer_takeback(&self, side: Side, action: OfferAction) -> Result<Event, Refusal> {
        if self.takebacks >= TAKEBACKS_MAX && action != OfferAction::No {
            return Err(Refusal::TakebackLimit);
        }
        let ply_before = |proposer| {
            self.line.ply_before_last_move_of(proposer).ok_or(Refusal::NothingToTakeBack)
        };
        Ok(match self.takeback.respond(side, action, self.line.ply())? {
            OfferOutcome::Offered => ply_before(side).map(|_| Event::TakebackOffered)?,
            OfferOutcome::Declined => Event::TakebackDeclined,
            OfferOutcome::Agreed => Event::TakenBack { ply: ply_before(side.other())? },
        })
    }

    /// Returns the clock once both sides have moved.
    fn started_clock(&self) -> Result<&Clock, Refusal> {
        let clock = self.clock.as_ref().ok_or(Refusal::NoClock)?;
        if self.begun { Ok(clock) } else { Err(Refusal::TooEarly) }
    }

    fn give_time(&self, side: Side, ms: i64) -> Result<Event, Refusal> {
        let clock = self.started_clock()?;
        if !(1..=GIVEN_MAX_MS).contains(&ms) {
            return Err(Refusal::InvalidTime);
        }
        let is_full = clock.left().time_ms[side.other().index()] + ms > INITIAL_MAX_MS;
        if is_full { Err(Refusal::ClockFull) } else { Ok(Event::TimeGiven { ms }) }
    }

    fn make_move(
        &mut self,
        side: Side,
        u: &str,
        ply: Option<usize>,
        lag_ms: i64,
        now_ms: i64,
    ) -> Result<LoggedEvents, Refusal> {
        self.check_ply(ply)?;
        if self.line.turn() != side {
            return Err(Refusal::NotYourTurn);
        }
        if self.clock.as_ref().is_some_and(|clock| clock.is_flagged(lag_ms, now_ms)) {
            return Ok(smallvec![self.apply(None, now_ms, Event::Ended(self.flag_end()))]);
        }
        self.line.play(u)?;
        let at_ms = now_ms.max(self.last_event_ms);
        let compensation_ms =
            self.clock.as_ref().map_or(0, |clock| clock.lag_compensation_ms(lag_ms, at_ms));
        let mut events: LoggedEvents =
            smallvec![self.log_move(Some(side), at_ms, u, compensation_ms)];
        if let Some((outcome, reason)) = self.line.outcome() {
            let reason = DrawReason::from_end_reason(reason);
            let status = if reason.is_some() { GameStatus::Draw } else { GameStatus::VariantEnd };
            let end = GameEnd { status, winner: outcome.winner(), reason };
            events.push(self.apply(None, now_ms, Event::Ended(end)));
        }
        Ok(events)
    }

    /// Adds a chat message; `side` is `None` for a spectator. Refuses text beyond the limits of the
    /// chat.
    pub fn post_message(
        &mut self,
        side: Option<Side>,
        room: ChatRoom,
        name: &str,
        text: &str,
        now_ms: i64,
    ) -> Result<LoggedEvents, Refusal> {
        let text = check_message(&self.chat, side, room, text)?;
        let event = Event::Said { room, name: name.to_owned(), text };
        Ok(smallvec![self.apply(side, now_ms, event)])
    }

    /// Excludes an outage from `alive_ms` to `now_ms` from the clocks. Logs nothing if no time
    /// runs.
    pub fn exclude_downtime(&mut self, alive_ms: i64, now_ms: i64) -> LoggedEvents {
        let outage_ms = now_ms - alive_ms.max(self.last_event_ms);
        if self.deadline_ms().is_none() || outage_ms <= 0 {
            return LoggedEvents::new();
        }
        let resumed = Event::Resumed { lost_ms: outage_ms, vacation_until_ms: None };
        smallvec![self.apply(None, now_ms, resumed)]
    }

    /// Excludes `vacations` of the player to move, in the order of their starts, from the days for
    /// the move. Logs nothing if they are excluded already.
    pub fn exclude_vacations(&mut self, vacations: &[Vacation], now_ms: i64) -> LoggedEvents {
        let unexcluded = self.turn_time.unexcluded(vacations).filter(|_| self.end.is_none());
        let resume = |UnexcludedVacation { ms, until_ms }| {
            let resumed = Event::Resumed { lost_ms: ms, vacation_until_ms: Some(until_ms) };
            self.apply(None, now_ms, resumed)
        };
        unexcluded.map(resume).into_iter().collect()
    }

    /// Applies the next event of the game's log.
    ///
    /// # Errors
    /// Fails if the event contradicts the rules or its predecessors. The game is then unusable.
    pub fn replay(&mut self, logged: &LoggedEvent) -> Result<(), InvalidLog> {
        let invalid = |why: String| InvalidLog { seq: logged.seq, why };
        if logged.seq != self.seq + 1 {
            return Err(invalid(format!("follows event {}", self.seq)));
        }
        match &logged.event {
            Event::Moved { .. } | Event::TakenBack { .. } if self.end.is_some() => {
                return Err(invalid("a move after the end".to_owned()));
            }
            Event::Moved { u, lag_ms } => {
                self.line.play(u).map_err(|illegal| invalid(illegal.to_string()))?;
                self.log_move(logged.side, logged.at_ms, u, *lag_ms);
            }
            Event::TakenBack { ply } if *ply >= self.line.ply() => {
                return Err(invalid("nothing is taken back".to_owned()));
            }
            event => drop(self.apply(logged.side, logged.at_ms, event.clone())),
        }
        Ok(())
    }

    /// Logs a move that `line` already contains; `lag_ms` is its lag compensation.
    fn log_move(&mut self, side: Option<Side>, now_ms: i64, u: &str, lag_ms: i64) -> LoggedEvent {
        let at_ms = now_ms.max(self.last_event_ms);
        let next = self.line.turn();
        self.begun |= self.line.ply() >= BOTH_MOVED_PLIES;
        if let Some(clock) = &mut self.clock {
            clock.press(next, lag_ms, at_ms);
            if clock.running().is_none() && self.begun {
                clock.start(next, at_ms);
            }
            self.clock_history.push(clock.left());
        }
        self.turn_time.restart(at_ms);
        // A draw offer stays open until the opponent moves; any move ends a takeback offer.
        if self.draw.by() != side {
            self.draw.expire();
        }
        self.takeback.expire();
        self.append(side, at_ms, Event::Moved { u: u.into(), lag_ms })
    }

    /// Logs any event except a move.
    fn apply(&mut self, side: Option<Side>, now_ms: i64, event: Event) -> LoggedEvent {
        let at_ms = now_ms.max(self.last_event_ms);
        let ply = self.line.ply();
        match &event {
            Event::Moved { .. } => {}
            Event::DrawOffered => side.into_iter().for_each(|by| self.draw.open(by, ply)),
            Event::DrawDeclined => self.draw.expire(),
            Event::TakebackOffered => side.into_iter().for_each(|by| self.takeback.open(by, ply)),
            Event::TakebackDeclined => self.takeback.expire(),
            Event::TakenBack { ply } => self.undo_to(*ply, at_ms),
            Event::TimeGiven { ms } => {
                if let Some((clock, to)) = self.clock.as_mut().zip(side.map(Side::other)) {
                    clock.add_time(to, *ms);
                    // A takeback does not revoke given time.
                    self.clock_history.iter_mut().for_each(|times| times.time_ms[to.index()] += ms);
                }
            }
            Event::Said { room, name, text } => {
                let (seq, room, name, text) = (self.seq + 1, *room, name.clone(), text.clone());
                self.chat.push(ChatMessage { seq, ply, at_ms, room, name, text });
            }
            Event::Resumed { lost_ms, vacation_until_ms: Some(until_ms) } => {
                self.turn_time.exclude_vacation(*lost_ms, *until_ms);
            }
            Event::Resumed { lost_ms, vacation_until_ms: None } => {
                self.turn_time.exclude_outage(*lost_ms);
                self.outage_ms += lost_ms;
                if let Some(clock) = &mut self.clock {
                    clock.exclude(*lost_ms);
                }
            }
            Event::Ended(end) => {
                self.end = Some(*end);
                self.ended_by = side;
                self.draw.expire();
                self.takeback.expire();
                if let Some(clock) = &mut self.clock {
                    clock.stop(at_ms);
                }
            }
        }
        self.append(side, at_ms, event)
    }

    /// Restores the position and both clocks as of ply `ply`.
    fn undo_to(&mut self, ply: usize, at_ms: i64) {
        self.line.truncate(ply);
        self.takebacks += 1;
        if let Some((clock, times)) = self.clock.as_mut().zip(self.clock_history.get(ply).copied())
        {
            clock.restore(times, self.line.turn(), at_ms);
            self.clock_history.truncate(ply + 1);
        }
        self.turn_time.restart(at_ms);
        // Ply numbers occur again after a takeback, so each side may make new offers.
        self.draw = Offer::default();
        self.takeback = Offer::default();
    }

    fn append(&mut self, side: Option<Side>, at_ms: i64, event: Event) -> LoggedEvent {
        self.seq += 1;
        self.last_event_ms = at_ms;
        LoggedEvent { seq: self.seq, side, at_ms, event }
    }
}
