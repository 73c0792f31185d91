//! Dynamic dispatch over variants: the trait [`Position`], implemented for every [`Heuristics`].
//!
//! [`Position::play`] is the only entry of external text as a move: it accepts exactly the
//! notations in the list of legal moves. Callers: the catalog in `variants`, and `PlayedLine`.

use crate::rules::{
    Cell, Ending, MoveList, Outcome, ParseError, Progress, Refusals, Rules, Side, SplitMix, Trace,
    VariantInfo, Violation, WithMoves, write_cells,
};
use crate::search::Heuristics;
#[cfg(feature = "search")]
use crate::search::{SearchParams, SearchResult, find_best_move};
use smol_str::{SmolStr, SmolStrBuilder};
use std::fmt::{Debug, Write};
use std::hash::{DefaultHasher, Hasher};
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

/// Maximum length of a move notation in characters, and of its quotation in errors.
const QUOTED_INPUT_MAX: usize = 80;

/// Number of legal moves of most positions.
const MOVES_USUAL: usize = 64;

/// Legal moves of one position, sorted by bytes. Reading them the first time generates them.
pub type LegalMoves = WithMoves<dyn Position>;

impl Deref for LegalMoves {
    type Target = MoveList;

    fn deref(&self) -> &MoveList {
        self.moves(Position::move_list)
    }
}

/// Error of [`Position::play`].
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum InvalidMove {
    /// The text is not a move notation of the variant. Fields: the text, the parse error.
    #[error("{0:?} is not a move: {1}")]
    Malformed(String, ParseError),
    /// The text is the notation of a move that is not legal in the position. Fields: the text, the
    /// rule that forbids it.
    #[error("{0:?} is not a legal move here: {1}")]
    Illegal(String, Violation),
}

impl InvalidMove {
    /// Returns the rule that forbids the move; `None` if the text is not a notation.
    pub fn violation(&self) -> Option<Violation> {
        match self {
            InvalidMove::Malformed(..) => None,
            InvalidMove::Illegal(_, violation) => Some(*violation),
        }
    }
}

/// Position of a variant that is chosen at run time; the object-safe form of [`Rules`].
pub trait Position: Debug + Send + Sync {
    /// Returns the static description of the variant.
    fn info(&self) -> &'static VariantInfo;
    /// Returns the side to move.
    fn turn(&self) -> Side;
    /// Returns the result if the game is over under the rules that need no history.
    fn outcome(&self) -> Option<Outcome>;
    /// Returns the winner if the game is decided but continues.
    fn decided_winner(&self) -> Option<Side>;
    /// Returns the ending if there is an outcome.
    fn ending(&self) -> Option<Ending>;
    /// Returns the notations of the legal moves, sorted by bytes. Empty if and only if there is an
    /// outcome.
    fn move_list(&self) -> MoveList;
    /// Returns the notations of [`Position::move_list`].
    fn legal_moves(&self) -> Vec<String> {
        self.move_list().to_vec()
    }
    /// Plays a move and returns its visible effects. All external moves pass through this method.
    ///
    /// # Errors
    /// Returns an error and leaves the position unchanged if the text is not the notation of a
    /// legal move.
    fn play(&mut self, notation: &str) -> Result<Trace, InvalidMove>;
    /// Plays a move without generating the legal moves, and returns its visible effects. The caller
    /// guarantees that the text is in [`Position::move_list`].
    ///
    /// # Panics
    /// Panics if the text is not a notation of the variant.
    fn play_listed(&mut self, notation: &str) -> Trace;
    /// Returns the visible effects common to all legal moves whose notation begins with the clicked
    /// cells, or `None` if there is no such move.
    fn preview(&self, clicks: &[Cell]) -> Option<Trace>;
    /// Returns the rule that forbids the clicked cells, or `None` if a legal move begins with them.
    /// A cell after a complete move is judged as a replacement of the last cell.
    fn violation(&self, clicks: &[Cell]) -> Option<Violation>;
    /// Returns the cells of the board that may not be clicked after the clicks on `chosen`, each
    /// with the rule that forbids it.
    #[cfg(feature = "search")]
    fn refused_cells(&self, chosen: &[Cell]) -> Vec<(Cell, Violation)>;
    /// Returns the position text.
    fn text(&self) -> String;
    /// Returns the cell field of the position text.
    fn cells(&self) -> String;
    /// Writes the token of a cell of the board as in the position text.
    ///
    /// # Errors
    /// Returns the errors of the writer.
    fn write_token(&self, cell: Cell, out: &mut dyn Write) -> std::fmt::Result;
    /// Returns the fields of the position text after the side to move, with a leading space; empty
    /// for many variants.
    fn extra_fields(&self) -> SmolStr;
    /// Returns a hash of the position, for counting repetitions. Equal positions have equal hashes.
    fn key(&self) -> u64;
    /// Returns the state of the no-progress rule, if the variant has one.
    fn progress(&self) -> Option<Progress>;
    /// Returns the number of legal move sequences of `depth` plies (perft).
    fn perft(&self, depth: u32) -> u64;
    /// Plays random moves on a copy until the rules end the game or `plies_max` plies are played.
    /// Returns the number of plies.
    fn playout(&self, seed: u64, plies_max: u32) -> u32;
    #[cfg(feature = "search")]
    /// Searches for the best move after `moves`, played from this position. Returns `None` if there
    /// is no legal move. The caller guarantees that the moves are legal.
    ///
    /// # Errors
    /// Returns an error if one of the moves is not a notation of the variant.
    fn search(
        &self,
        moves: &[SmolStr],
        params: &SearchParams<'_>,
    ) -> Result<Option<SearchResult>, ParseError>;
    /// Returns a copy with its legal moves. They are `moves` if that is set, and are otherwise
    /// generated when they are first read.
    fn with_moves(&self, moves: OnceLock<MoveList>) -> Arc<LegalMoves>;
    /// Returns a boxed copy.
    fn clone_box(&self) -> Box<dyn Position>;
}

impl<R: Heuristics> Position for R {
    fn info(&self) -> &'static VariantInfo {
        R::INFO
    }

    fn turn(&self) -> Side {
        Rules::turn(self)
    }

    fn outcome(&self) -> Option<Outcome> {
        Rules::outcome(self)
    }

    fn decided_winner(&self) -> Option<Side> {
        Rules::decided_winner(self)
    }

    fn ending(&self) -> Option<Ending> {
        Rules::ending(self)
    }

    fn move_list(&self) -> MoveList {
        let mut moves = Vec::with_capacity(MOVES_USUAL);
        self.legal_moves(&mut moves);
        MoveList::new(&moves)
    }

    fn play(&mut self, notation: &str) -> Result<Trace, InvalidMove> {
        if notation.chars().count() > QUOTED_INPUT_MAX {
            let begin = notation.chars().take(QUOTED_INPUT_MAX).collect();
            return Err(InvalidMove::Malformed(begin, ParseError::new("the text is too long")));
        }
        let m: R::Move =
            notation.parse().map_err(|error| InvalidMove::Malformed(notation.to_owned(), error))?;
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        if !moves.contains(&m) {
            let violation = Position::violation(self, &Cell::parse_all(notation))
                .unwrap_or_else(|| self.incomplete_violation(m));
            return Err(InvalidMove::Illegal(notation.to_owned(), violation));
        }
        let canonical = m.to_string();
        if canonical != notation {
            let error = ParseError::new(format!("the move is written {canonical}"));
            return Err(InvalidMove::Malformed(notation.to_owned(), error));
        }
        let trace = self.trace(m);
        Rules::play(self, m);
        Ok(trace)
    }

    fn play_listed(&mut self, notation: &str) -> Trace {
        let m: R::Move = notation.parse().expect("notation of a legal move");
        let trace = self.trace(m);
        Rules::play(self, m);
        trace
    }

    fn preview(&self, clicks: &[Cell]) -> Option<Trace> {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        moves.retain(|m| Cell::parse_all(&m.to_string()).starts_with(clicks));
        let mut traces = moves.into_iter().map(|m| self.trace(m));
        let mut certain = traces.next()?;
        let nothing = Trace::default();
        while certain != nothing
            && let Some(trace) = traces.next()
        {
            certain.retain_common(&trace);
        }
        Some(certain)
    }

    fn violation(&self, clicks: &[Cell]) -> Option<Violation> {
        let violation = |chosen: &[Cell], tapped| Rules::violation(self, chosen, tapped);
        Refusals::new(&R::INFO.board, &Position::legal_moves(self), &violation).find(clicks)
    }

    #[cfg(feature = "search")]
    fn refused_cells(&self, chosen: &[Cell]) -> Vec<(Cell, Violation)> {
        let violation = |chosen: &[Cell], tapped| Rules::violation(self, chosen, tapped);
        Refusals::new(&R::INFO.board, &Position::legal_moves(self), &violation).cells(chosen)
    }

    fn text(&self) -> String {
        let turn = 1 + Rules::turn(self).index();
        let mut text = format!("{} {turn}{}", self.cells(), Position::extra_fields(self));
        text.shrink_to_fit();
        text
    }

    fn cells(&self) -> String {
        let mut text = String::with_capacity(3 * R::INFO.board.len());
        write_cells(self, &mut text).expect("writing to a string succeeds");
        // Rooms and the lobby keep texts for long.
        text.shrink_to_fit();
        text
    }

    fn write_token(&self, cell: Cell, out: &mut dyn Write) -> std::fmt::Result {
        Rules::write_token(self, cell, out)
    }

    fn extra_fields(&self) -> SmolStr {
        let mut text = SmolStrBuilder::new();
        Rules::write_extra_fields(self, &mut text as &mut dyn Write)
            .expect("writing to a string succeeds");
        text.finish()
    }

    fn key(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.hash(&mut hasher);
        hasher.finish()
    }

    fn progress(&self) -> Option<Progress> {
        Rules::progress(self)
    }

    fn perft(&self, depth: u32) -> u64 {
        fn count<R: Rules>(position: &R, depth: u32, buffers: &mut [Vec<R::Move>]) -> u64 {
            let Some((moves, deeper)) = buffers.split_first_mut() else {
                return 1;
            };
            moves.clear();
            position.legal_moves(moves);
            if depth == 1 {
                return moves.len() as u64;
            }
            let after = |m: &R::Move| {
                let mut next = position.clone();
                Rules::play(&mut next, *m);
                count(&next, depth - 1, deeper)
            };
            moves.iter().map(after).sum()
        }
        count(self, depth, &mut vec![Vec::new(); depth as usize])
    }

    fn playout(&self, seed: u64, plies_max: u32) -> u32 {
        let mut position = self.clone();
        let mut random = SplitMix::new(seed);
        let mut moves = Vec::new();
        for ply in 0..plies_max {
            moves.clear();
            position.legal_moves(&mut moves);
            if moves.is_empty() {
                return ply;
            }
            let chosen = moves[random.below(moves.len())];
            Rules::play(&mut position, chosen);
        }
        plies_max
    }

    #[cfg(feature = "search")]
    fn search(
        &self,
        moves: &[SmolStr],
        order: &SearchParams<'_>,
    ) -> Result<Option<SearchResult>, ParseError> {
        let moves = moves.iter().map(|u| u.parse()).collect::<Result<Vec<R::Move>, _>>()?;
        Ok(find_best_move(self, &moves, order))
    }

    fn with_moves(&self, moves: OnceLock<MoveList>) -> Arc<LegalMoves> {
        Arc::new(WithMoves::new(moves, self.clone()))
    }

    fn clone_box(&self) -> Box<dyn Position> {
        Box::new(self.clone())
    }
}
