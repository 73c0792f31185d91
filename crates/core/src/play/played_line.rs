//! Game as a start position and its moves, without players and clocks. Callers: games, queries,
//! records, engine matches and searches.

use crate::rules::{
    BrokenRule, Cell, Ending, EndingKind, MoveList, Outcome, PLIES_MAX, REPETITIONS, Side, Trace,
    Violation,
};
#[cfg(feature = "search")]
use crate::search::{SearchParams, SearchResult};
use crate::variants::{InvalidMove, LegalMoves, Position};
use smol_str::SmolStr;
use std::sync::{Arc, OnceLock};
use strum::IntoStaticStr;

/// Reason for the end of a line of play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, IntoStaticStr)]
#[strum(serialize_all = "camelCase")]
pub enum EndReason {
    /// The variant's own rules ended the game, or no move is left.
    VariantEnd,
    /// The same position occurred for the third time.
    Repetition,
    /// The variant's limit of plies without progress was reached.
    NoProgress,
    /// The limit of plies was reached.
    MoveLimit,
}

impl EndReason {
    /// Returns the name of the reason in the API.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// Start position with the moves played from it, and the rules that depend on history.
///
/// A move that was accepted once is legal on every replay.
#[derive(Debug)]
pub struct PlayedLine {
    start: String,
    position: Box<dyn Position>,
    moves: Vec<SmolStr>,
    /// Side that made each move.
    movers: Vec<Side>,
    /// Start position.
    origin: Box<dyn Position>,
    /// Keys of all positions so far, the current one last.
    keys: Vec<u64>,
    /// Number of plies since the last progress.
    idle_plies: u32,
    /// Trace of the last move.
    last_trace: Option<Arc<Trace>>,
    /// Legal moves of the current position, once they were asked for.
    legal: OnceLock<Arc<LegalMoves>>,
}

impl Clone for PlayedLine {
    fn clone(&self) -> PlayedLine {
        PlayedLine {
            start: self.start.clone(),
            position: self.position.clone_box(),
            moves: self.moves.clone(),
            movers: self.movers.clone(),
            origin: self.origin.clone_box(),
            keys: self.keys.clone(),
            idle_plies: self.idle_plies,
            last_trace: self.last_trace.clone(),
            legal: self.legal.clone(),
        }
    }
}

impl PlayedLine {
    /// Creates a line without moves.
    pub fn new(position: Box<dyn Position>) -> PlayedLine {
        let keys = vec![position.key()];
        let (start, origin) = (position.text(), position.clone_box());
        PlayedLine {
            start,
            position,
            moves: Vec::new(),
            movers: Vec::new(),
            origin,
            keys,
            idle_plies: 0,
            last_trace: None,
            legal: OnceLock::new(),
        }
    }

    /// Plays the move with this notation.
    ///
    /// # Errors
    /// Fails if it is not the notation of a legal move. The line is then unchanged.
    pub fn play(&mut self, notation: &str) -> Result<(), InvalidMove> {
        if self.is_drawn() {
            return Err(InvalidMove::Illegal(notation.to_owned(), BrokenRule::GameOver.into()));
        }
        let (before, mover) = (self.position.progress(), self.position.turn());
        let listed = self.legal.get().and_then(|legal| legal.generated());
        let is_listed = listed.is_some_and(|listed| listed.contains(notation));
        let trace = if is_listed {
            self.position.play_listed(notation)
        } else {
            self.position.play(notation)?
        };
        self.last_trace = Some(Arc::new(trace));
        self.legal = OnceLock::new();
        let is_idle =
            before.map(|progress| progress.mark) == self.position.progress().map(|p| p.mark);
        self.idle_plies = if is_idle { self.idle_plies + 1 } else { 0 };
        self.moves.push(notation.into());
        self.movers.push(mover);
        self.keys.push(self.position.key());
        Ok(())
    }

    /// Undoes all moves after the first `ply` plies. Has no effect if fewer were played.
    pub fn truncate(&mut self, ply: usize) {
        if ply >= self.ply() {
            return;
        }
        let moves = std::mem::take(&mut self.moves);
        *self = PlayedLine::new(self.origin.clone_box());
        for u in &moves[..ply] {
            self.play(u).expect("move that was played before");
        }
    }

    /// Returns the number of plies before the last move of a side, if the side has moved.
    pub fn ply_before_last_move_of(&self, side: Side) -> Option<usize> {
        self.movers.iter().rposition(|mover| *mover == side)
    }

    /// Returns the outcome and its reason if the line is over. A result by the variant's own rules
    /// takes precedence over a draw.
    pub fn outcome(&self) -> Option<(Outcome, EndReason)> {
        if let Some(outcome) = self.position.outcome() {
            return Some((outcome, EndReason::VariantEnd));
        }
        self.drawn_by_history().map(|reason| (Outcome::Draw, reason))
    }

    /// Returns the ending if the goal of the variant or the no-progress rule has ended the line.
    pub fn ending(&self) -> Option<Ending> {
        match self.outcome()?.1 {
            EndReason::VariantEnd => self.position.ending(),
            EndReason::NoProgress => {
                let plies = self.position.progress().map(|progress| progress.limit);
                Some(Ending { plies, ..Ending::new(EndingKind::NoProgress) })
            }
            EndReason::Repetition | EndReason::MoveLimit => None,
        }
    }

    fn is_drawn(&self) -> bool {
        self.drawn_by_history().is_some()
    }

    fn drawn_by_history(&self) -> Option<EndReason> {
        let present = self.keys.last().expect("present position");
        if self.keys.iter().filter(|key| *key == present).count() >= REPETITIONS {
            return Some(EndReason::Repetition);
        }
        if self.position.progress().is_some_and(|progress| self.idle_plies >= progress.limit) {
            return Some(EndReason::NoProgress);
        }
        (self.moves.len() >= PLIES_MAX).then_some(EndReason::MoveLimit)
    }

    #[cfg(feature = "search")]
    /// Searches for the best move. Returns `None` if the line is over.
    pub fn search(&self, order: &SearchParams<'_>) -> Option<SearchResult> {
        if self.is_drawn() {
            return None;
        }
        self.origin.search(&self.moves, order).expect("moves that were played")
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
    pub fn last(&self) -> Option<&Arc<Trace>> {
        self.last_trace.as_ref()
    }

    /// Returns the notations of the moves played.
    pub fn moves(&self) -> &[SmolStr] {
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

    /// Returns the legal moves, which remain those of the current position; none if the line is
    /// over.
    pub fn move_list(&self) -> &Arc<LegalMoves> {
        self.legal.get_or_init(|| {
            if self.is_drawn() {
                self.no_moves()
            } else {
                self.position.with_moves(OnceLock::new())
            }
        })
    }

    /// Returns the legal moves of the current position in a game that is over: none.
    pub(super) fn no_moves(&self) -> Arc<LegalMoves> {
        self.position.with_moves(OnceLock::from(MoveList::default()))
    }

    /// Returns the notations of the legal moves, in byte order; none if the line is over.
    pub fn legal_moves(&self) -> Vec<String> {
        if self.is_drawn() { Vec::new() } else { self.position.legal_moves() }
    }

    /// Returns the rule that forbids the clicked cells, or `None` if a legal move begins with them.
    pub fn violation(&self, clicks: &[Cell]) -> Option<Violation> {
        if self.is_drawn() {
            return Some(BrokenRule::GameOver.into());
        }
        self.position.violation(clicks)
    }

    /// Returns the cells part of the position text after every ply, from the start position on.
    /// Replays all moves.
    pub fn boards(&self) -> Vec<String> {
        let mut position = self.origin.clone_box();
        let mut boards = vec![position.cells()];
        for u in &self.moves {
            position.play(u).expect("move that was played before");
            boards.push(position.cells());
        }
        boards
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants::ALL;

    #[test]
    fn moves_are_those_of_the_position_at_which_they_were_taken() {
        for variant in &ALL {
            let mut line = PlayedLine::new(variant.start(&variant.options(), 1));
            let expected = line.position().move_list();
            let taken = line.move_list().clone();
            line.play(&expected[0]).expect("a legal move");
            assert_eq!(taken.generated(), None, "nobody has read them");
            assert_eq!(**taken, expected);
            assert_eq!(taken.generated(), Some(&expected));
            assert_ne!(***line.move_list(), expected);
            assert!(line.no_moves().is_empty());
        }
    }
}
