//! A start position and the moves played from it.

use crate::rules::{Outcome, PLIES_MAX, REPETITIONS, Side, Trace};
use crate::search::{Order, Thought};
use crate::variants::{Illegal, Position};

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
    /// Who made each move.
    movers: Vec<Side>,
    /// The position it began with.
    origin: Box<dyn Position>,
    /// The keys of all positions so far, the present one last.
    keys: Vec<u64>,
    /// Plies since the last that counted as progress.
    idle: u32,
    /// What is to be seen of the last move.
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
    /// A line without a move.
    pub fn new(position: Box<dyn Position>) -> Line {
        let keys = vec![position.key()];
        let (start, origin) = (position.text(), position.boxed());
        let (moves, movers) = (Vec::new(), Vec::new());
        Line { start, position, moves, movers, origin, keys, idle: 0, last: None }
    }

    /// Plays the move of that notation.
    ///
    /// # Errors
    /// When it is not the notation of a legal move; the line then stays as it is.
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

    /// Goes back to where so many plies were played; nothing happens if there were no more.
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

    /// How many plies were played before the last move of a side, if it has moved.
    pub fn before_last_of(&self, side: Side) -> Option<usize> {
        self.movers.iter().rposition(|mover| *mover == side)
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

    /// Looks for the move to make; None when the line is over.
    pub fn think(&self, order: &Order<'_>) -> Option<Thought> {
        if self.is_drawn() {
            return None;
        }
        self.origin.think(&self.moves, order).expect("moves that were played")
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

    /// Returns the cells part of the position text after every ply, the start first. Plays all moves
    /// once more.
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
