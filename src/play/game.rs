use super::clock::{Clock, Pace};
use super::command::{CHAT_CHARS_MAX, Command, Refusal, plain};
use super::event::{DrawReason, End, Event, Logged, Room, Status};
use crate::rules::{Options, Outcome, Side, Trace};
use crate::variants::{Illegal, Position, Variant};

/// How often a position must stand for the game to be drawn.
const REPETITIONS: usize = 3;

/// How many plies end any game.
pub const PLIES_MAX: usize = 1000;

/// Why a line of play is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The variant's own goal, or no way on.
    VariantEnd,
    /// The same position for the third time.
    Repetition,
    /// Too many plies without progress.
    NoProgress,
    /// Too many plies.
    MoveLimit,
}

impl Reason {
    /// Its word in the protocol.
    pub fn word(self) -> &'static str {
        match self {
            Reason::VariantEnd => "variantEnd",
            Reason::Repetition => "repetition",
            Reason::NoProgress => "noProgress",
            Reason::MoveLimit => "moveLimit",
        }
    }
}

/// A start position and the moves played from it: what the rules need that ask for history.
#[derive(Debug)]
pub struct Line {
    start: String,
    position: Box<dyn Position>,
    moves: Vec<String>,
    /// The keys of all positions so far, the present one last.
    keys: Vec<u64>,
    /// Plies since the last that counted as progress.
    idle: u32,
    /// What is to be seen of the last move.
    last: Option<Trace>,
}

impl Line {
    /// A line without a move.
    pub fn new(position: Box<dyn Position>) -> Line {
        let keys = vec![position.key()];
        let (start, moves) = (position.text(), Vec::new());
        Line { start, position, moves, keys, idle: 0, last: None }
    }

    /// Plays the move of that notation.
    ///
    /// # Errors
    /// When it is not the notation of a legal move; the line then stays as it is.
    pub fn play(&mut self, notation: &str) -> Result<(), Illegal> {
        if self.is_drawn() {
            return Err(Illegal::Refused(notation.to_owned()));
        }
        let before = self.position.progress();
        self.last = Some(self.position.play(notation)?);
        let idles =
            before.map(|progress| progress.mark) == self.position.progress().map(|p| p.mark);
        self.idle = if idles { self.idle + 1 } else { 0 };
        self.moves.push(notation.to_owned());
        self.keys.push(self.position.key());
        Ok(())
    }

    /// How the line ended, if it has. A win by the variant's own goal comes before any draw.
    pub fn verdict(&self) -> Option<(Outcome, Reason)> {
        if let Some(outcome) = self.position.outcome() {
            return Some((outcome, Reason::VariantEnd));
        }
        self.drawn_by_history().map(|reason| (Outcome::Draw, reason))
    }

    fn is_drawn(&self) -> bool {
        self.drawn_by_history().is_some()
    }

    fn drawn_by_history(&self) -> Option<Reason> {
        let present = self.keys.last().expect("present position");
        if self.keys.iter().filter(|key| *key == present).count() >= REPETITIONS {
            return Some(Reason::Repetition);
        }
        if self.position.progress().is_some_and(|progress| self.idle >= progress.limit) {
            return Some(Reason::NoProgress);
        }
        (self.moves.len() >= PLIES_MAX).then_some(Reason::MoveLimit)
    }

    /// The position text it began with.
    pub fn start(&self) -> &str {
        &self.start
    }

    /// The present position.
    pub fn position(&self) -> &dyn Position {
        &*self.position
    }

    /// What is to be seen of the last move, if there was one.
    pub fn last(&self) -> Option<&Trace> {
        self.last.as_ref()
    }

    /// The notations played so far.
    pub fn moves(&self) -> &[String] {
        &self.moves
    }

    /// How many plies were played.
    pub fn ply(&self) -> usize {
        self.moves.len()
    }

    /// Whose turn it is.
    pub fn turn(&self) -> Side {
        self.position.turn()
    }

    /// The notations of the legal moves, sorted by bytes; none when the line is over.
    pub fn legal(&self) -> Vec<String> {
        if self.is_drawn() { Vec::new() } else { self.position.legal() }
    }
}

/// How long a player of a clocked game may take over the first move, in milliseconds.
pub const START_MS: i64 = 60_000;

/// Plies after which a game counts: both have moved.
pub const PLIES_BOTH: usize = 2;

/// The most lines of chat a game holds in each of its two rooms.
const CHAT_MAX: usize = 500;

/// What a game is made of, before anything happens.
#[derive(Clone, Debug)]
pub struct Setup {
    /// What is played.
    pub variant: &'static Variant,
    /// With which options.
    pub options: Options,
    /// Draws what the start leaves to chance.
    pub seed: u64,
    /// How time to think is given.
    pub pace: Pace,
    /// When the game was made, in epoch milliseconds.
    pub created_ms: i64,
}

/// A line of chat as it was logged.
#[derive(Clone, PartialEq, Debug)]
pub struct Said {
    /// Its place in the log.
    pub seq: i64,
    /// When, in epoch milliseconds.
    pub at_ms: i64,
    /// To whom.
    pub room: Room,
    /// By whom.
    pub name: String,
    /// What.
    pub text: String,
}

/// One match between two players: a state machine. Commands and time go in, events come out.
#[derive(Debug)]
pub struct Game {
    line: Line,
    clock: Option<Clock>,
    /// How long every move may take, by correspondence.
    move_ms: Option<i64>,
    /// Since when the side to move is to move.
    turn_ms: i64,
    draw_offer: Option<Side>,
    /// The ply at which each side last offered a draw.
    offered: [Option<usize>; 2],
    chat: Vec<Said>,
    end: Option<End>,
    seq: i64,
    last_ms: i64,
}

impl Game {
    /// A game in which nothing has happened.
    pub fn new(setup: Setup) -> Game {
        Game {
            line: Line::new(setup.variant.start(&setup.options, setup.seed)),
            clock: setup.pace.clock().map(Clock::new),
            move_ms: setup.pace.move_ms(),
            turn_ms: setup.created_ms,
            draw_offer: None,
            offered: [None; 2],
            chat: Vec::new(),
            end: None,
            seq: 0,
            last_ms: setup.created_ms,
        }
    }

    /// Positions and moves.
    pub fn line(&self) -> &Line {
        &self.line
    }

    /// The clock, if there is one.
    pub fn clock(&self) -> Option<&Clock> {
        self.clock.as_ref()
    }

    /// How it ended, if it has.
    pub fn end(&self) -> Option<End> {
        self.end
    }

    /// Who has an open draw offer.
    pub fn draw_offer(&self) -> Option<Side> {
        self.draw_offer
    }

    /// What was said.
    pub fn chat(&self) -> &[Said] {
        &self.chat
    }

    /// The number of the last event; 0 before the first.
    pub fn seq(&self) -> i64 {
        self.seq
    }

    /// Whether a player may still call it off.
    pub fn is_abortable(&self) -> bool {
        self.end.is_none() && self.line.ply() < PLIES_BOTH
    }

    /// The notations of the legal moves; none once the game is over.
    pub fn legal(&self) -> Vec<String> {
        if self.end.is_some() { Vec::new() } else { self.line.legal() }
    }

    /// When the side to move must have made its first move, in a clocked game.
    pub fn start_by_ms(&self) -> Option<i64> {
        (self.is_abortable() && self.clock.is_some()).then_some(self.turn_ms + START_MS)
    }

    /// When the side to move must have moved, by correspondence.
    pub fn due_ms(&self) -> Option<i64> {
        self.move_ms.filter(|_| self.end.is_none()).map(|move_ms| self.turn_ms + move_ms)
    }

    /// When time alone will end the game.
    pub fn deadline_ms(&self) -> Option<i64> {
        match self.end {
            Some(_) => None,
            None => {
                let flag_ms = || self.clock.as_ref()?.flag_ms();
                self.start_by_ms().or_else(flag_ms).or_else(|| self.due_ms())
            }
        }
    }

    /// What time alone has done by `now_ms`: a flag, or a first move that never came.
    pub fn tick(&mut self, now_ms: i64) -> Vec<Logged> {
        if self.deadline_ms().is_none_or(|deadline_ms| now_ms < deadline_ms) {
            return Vec::new();
        }
        let end = if self.is_abortable() {
            End { status: Status::NoStart, winner: None, reason: None }
        } else {
            let winner = Some(self.line.turn().other());
            End { status: Status::OutOfTime, winner, reason: None }
        };
        vec![self.log(None, now_ms, Event::Ended(end))]
    }

    /// Obeys a player's command, or refuses it and changes nothing.
    ///
    /// # Errors
    /// Why the command is refused.
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
        let event = match command {
            Command::Move { u, ply } => return self.make_move(side, u, *ply, now_ms),
            // Whoever stops where the win is decided leaves it with the one who has it.
            Command::Resign => {
                let decided = self.line.position().decided();
                ended(Status::Resign, Some(decided.unwrap_or(side.other())))
            }
            Command::Abort if self.is_abortable() => ended(Status::Aborted, None),
            Command::Abort => return Err(Refusal::TooLate),
            Command::DrawYes => self.agree(side)?,
            Command::DrawNo if self.draw_offer.is_some() => Event::DrawDeclined,
            Command::DrawNo => return Err(Refusal::NoOffer),
        };
        Ok(vec![self.log(Some(side), now_ms, event)])
    }

    fn agree(&self, side: Side) -> Result<Event, Refusal> {
        if self.draw_offer == Some(side.other()) {
            let reason = Some(DrawReason::Agreement);
            return Ok(Event::Ended(End { status: Status::Draw, winner: None, reason }));
        }
        let ply = self.line.ply();
        let again = self.draw_offer == Some(side) || self.offered[side.index()] == Some(ply);
        if again || ply < PLIES_BOTH { Err(Refusal::TooSoon) } else { Ok(Event::DrawOffered) }
    }

    fn make_move(
        &mut self,
        side: Side,
        u: &str,
        ply: Option<usize>,
        now_ms: i64,
    ) -> Result<Vec<Logged>, Refusal> {
        let played = self.line.ply();
        if let Some(seen) = ply.filter(|seen| *seen != played) {
            return Err(Refusal::Stale { seen, played });
        }
        if self.line.turn() != side {
            return Err(Refusal::NotYourTurn);
        }
        self.line.play(u)?;
        let mut events = vec![self.log_moved(Some(side), now_ms, u)];
        if let Some((outcome, reason)) = self.line.verdict() {
            let reason = DrawReason::of(reason);
            let status = if reason.is_some() { Status::Draw } else { Status::VariantEnd };
            let end = End { status, winner: outcome.winner(), reason };
            events.push(self.log(None, now_ms, Event::Ended(end)));
        }
        Ok(events)
    }

    /// Somebody says something; `side` is none for a spectator.
    ///
    /// # Errors
    /// When it is empty, too long, one too many, or said where they do not belong.
    pub fn say(
        &mut self,
        side: Option<Side>,
        room: Room,
        name: &str,
        text: &str,
        now_ms: i64,
    ) -> Result<Vec<Logged>, Refusal> {
        let text = plain(text).replace('\n', " ");
        let text = text.trim();
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
        let event = Event::Said { room, name: name.to_owned(), text: text.to_owned() };
        Ok(vec![self.log(side, now_ms, event)])
    }

    /// The server is back after a time in which nobody could play, the last moment of which is
    /// `now_ms`: it is charged to nobody. Nothing to log if no time runs.
    pub fn resume(&mut self, alive_ms: i64, now_ms: i64) -> Vec<Logged> {
        let lost_ms = now_ms - alive_ms.max(self.last_ms);
        if self.deadline_ms().is_none() || lost_ms <= 0 {
            return Vec::new();
        }
        vec![self.log(None, now_ms, Event::Resumed { lost_ms })]
    }

    /// Takes the next event of the game's log.
    ///
    /// # Errors
    /// When the log does not make sense by the rules: the game must then be left alone.
    pub fn replay(&mut self, logged: &Logged) -> Result<(), BadLog> {
        let bad = |why: String| BadLog { seq: logged.seq, why };
        if logged.seq != self.seq + 1 {
            return Err(bad(format!("follows {}", self.seq)));
        }
        if let Event::Moved { u } = &logged.event {
            if self.end.is_some() {
                return Err(bad("a move after the end".to_owned()));
            }
            self.line.play(u).map_err(|illegal| bad(illegal.to_string()))?;
            self.log_moved(logged.side, logged.at_ms, u);
        } else {
            self.log(logged.side, logged.at_ms, logged.event.clone());
        }
        Ok(())
    }

    /// Enters a move that the line has already taken.
    fn log_moved(&mut self, side: Option<Side>, now_ms: i64, u: &str) -> Logged {
        let at_ms = now_ms.max(self.last_ms);
        let next = self.line.turn();
        if let Some(clock) = &mut self.clock {
            clock.press(next, at_ms);
            if clock.running().is_none() && self.line.ply() >= PLIES_BOTH {
                clock.start(next, at_ms);
            }
        }
        self.turn_ms = at_ms;
        if self.draw_offer.is_some() && self.draw_offer != side {
            self.draw_offer = None;
        }
        self.enter(side, at_ms, Event::Moved { u: u.to_owned() })
    }

    /// Enters any other event.
    fn log(&mut self, side: Option<Side>, now_ms: i64, event: Event) -> Logged {
        let at_ms = now_ms.max(self.last_ms);
        match &event {
            Event::Moved { .. } => {}
            Event::DrawOffered => {
                self.draw_offer = side;
                if let Some(side) = side {
                    self.offered[side.index()] = Some(self.line.ply());
                }
            }
            Event::DrawDeclined => self.draw_offer = None,
            Event::Said { room, name, text } => {
                let (name, text) = (name.clone(), text.clone());
                self.chat.push(Said { seq: self.seq + 1, at_ms, room: *room, name, text });
            }
            Event::Resumed { lost_ms } => {
                self.turn_ms += lost_ms;
                if let Some(clock) = &mut self.clock {
                    clock.forgive(*lost_ms);
                }
            }
            Event::Ended(end) => {
                self.end = Some(*end);
                self.draw_offer = None;
                if let Some(clock) = &mut self.clock {
                    clock.stop(at_ms);
                }
            }
        }
        self.enter(side, at_ms, event)
    }

    fn enter(&mut self, side: Option<Side>, at_ms: i64, event: Event) -> Logged {
        self.seq += 1;
        self.last_ms = at_ms;
        Logged { seq: self.seq, side, at_ms, event }
    }
}

/// A log that contradicts the rules.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("event {seq}: {why}")]
pub struct BadLog {
    /// Which event.
    pub seq: i64,
    /// What is wrong with it.
    pub why: String,
}
