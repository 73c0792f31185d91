//! Game as a start position and its moves, without players and clocks. Used by games, queries,
//! engine matches and record verification.

use crate::rules::{Outcome, PLIES_MAX, REPETITIONS, Side, Trace};
use crate::search::{Order, Thought};
use crate::variants::{Illegal, Position};

/// Reason for the end of a line of play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The variant's own rules ended the game, or no move is left.
    VariantEnd,
    /// The same position occurred for the third time.
    Repetition,
    /// The variant's limit of plies without progress was reached.
    NoProgress,
    /// The limit of plies was reached.
    MoveLimit,
}

impl Reason {
    /// Returns the name of the reason in the API.
    pub fn word(self) -> &'static str {
        match self {
            Reason::VariantEnd => "variantEnd",
            Reason::Repetition => "repetition",
            Reason::NoProgress => "noProgress",
            Reason::MoveLimit => "moveLimit",
        }
    }
}

/// Start position with the moves played from it, and the rules that depend on history.
///
/// A move that was accepted once is legal on every replay.
#[derive(Debug)]
pub struct Line {
    start: String,
    position: Box<dyn Position>,
    moves: Vec<String>,
    /// Side that made each move.
    movers: Vec<Side>,
    /// Start position.
    origin: Box<dyn Position>,
    /// Keys of all positions so far, the current one last.
    keys: Vec<u64>,
    /// Number of plies since the last progress.
    idle: u32,
    /// Trace of the last move.
    last: Option<Trace>,
}

impl Clone for Line {
    fn clone(&self) -> Line {
        Line {
            start: self.start.clone(),
            position: self.position.boxed(),
            moves: self.moves.clone(),
            movers: self.movers.clone(),
            origin: self.origin.boxed(),
            keys: self.keys.clone(),
            idle: self.idle,
            last: self.last.clone(),
        }
    }
}

impl Line {
    /// Creates a line without moves.
    pub fn new(position: Box<dyn Position>) -> Line {
        let keys = vec![position.key()];
        let (start, origin) = (position.text(), position.boxed());
        let (moves, movers) = (Vec::new(), Vec::new());
        Line { start, position, moves, movers, origin, keys, idle: 0, last: None }
    }

    /// Plays the move with this notation.
    ///
    /// # Errors
    /// Fails if it is not the notation of a legal move. The line is then unchanged.
    pub fn play(&mut self, notation: &str) -> Result<(), Illegal> {
        if self.is_drawn() {
            return Err(Illegal::Refused(notation.to_owned()));
        }
        let (before, mover) = (self.position.progress(), self.position.turn());
        self.last = Some(self.position.play(notation)?);
        let idles =
            before.map(|progress| progress.mark) == self.position.progress().map(|p| p.mark);
        self.idle = if idles { self.idle + 1 } else { 0 };
        self.moves.push(notation.to_owned());
        self.movers.push(mover);
        self.keys.push(self.position.key());
        Ok(())
    }

    /// Undoes all moves after the first `ply` plies. Has no effect if fewer were played.
    pub fn back_to(&mut self, ply: usize) {
        if ply >= self.ply() {
            return;
        }
        let moves = std::mem::take(&mut self.moves);
        *self = Line::new(self.origin.boxed());
        for u in &moves[..ply] {
            self.play(u).expect("move that was played before");
        }
    }

    /// Returns the number of plies before the last move of a side, if the side has moved.
    pub fn before_last_of(&self, side: Side) -> Option<usize> {
        self.movers.iter().rposition(|mover| *mover == side)
    }

    /// Returns the outcome and its reason if the line is over. A result by the variant's own rules
    /// takes precedence over a draw.
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

    /// Searches for the best move. Returns `None` if the line is over.
    pub fn think(&self, order: &Order<'_>) -> Option<Thought> {
        if self.is_drawn() {
            return None;
        }
        self.origin.think(&self.moves, order).expect("moves that were played")
    }

    /// Returns the text of the start position.
    pub fn start(&self) -> &str {
        &self.start
    }

    /// Returns the current position.
    pub fn position(&self) -> &dyn Position {
        &*self.position
    }

    /// Returns the trace of the last move.
    pub fn last(&self) -> Option<&Trace> {
        self.last.as_ref()
    }

    /// Returns the notations of the moves played.
    pub fn moves(&self) -> &[String] {
        &self.moves
    }

    /// Returns the number of plies played.
    pub fn ply(&self) -> usize {
        self.moves.len()
    }

    /// Returns the side to move.
    pub fn turn(&self) -> Side {
        self.position.turn()
    }

    /// Returns the notations of the legal moves, in byte order; none if the line is over.
    pub fn legal(&self) -> Vec<String> {
        if self.is_drawn() { Vec::new() } else { self.position.legal() }
    }

    /// Returns the cells part of the position text after every ply, from the start position on.
    /// Replays all moves.
    pub fn boards(&self) -> Vec<String> {
        let mut position = self.origin.boxed();
        let mut boards = vec![position.cells()];
        for u in &self.moves {
            position.play(u).expect("move that was played before");
            boards.push(position.cells());
        }
        boards
    }
}
