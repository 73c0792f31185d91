//! Rules core: the trait [`Rules`] and its value types.
//!
//! The module is independent of variants, clocks and accounts. Callers: `search`, `variants` and
//! `play`; `crates/wasm` builds it for the browser.

mod cell;
mod cell_set;
mod ending;
mod move_list;
mod options;
mod position_text;
mod split_mix;
mod trace;
mod violation;
mod with_moves;

pub use cell::{Board, Cell};
pub use cell_set::{CellSet, bits};
pub use ending::{Ending, EndingKind};
pub use move_list::MoveList;
pub use options::{InvalidOption, OptionInfo, Options};
pub(crate) use position_text::write_cells;
pub use position_text::{ParseError, PositionText};
pub use split_mix::SplitMix;
pub use trace::{CellList, Trace};
pub(crate) use violation::Refusals;
pub use violation::{BrokenRule, Violation};
pub use with_moves::WithMoves;

use serde::{Deserialize, Serialize};
use std::fmt::{Debug, Display, Write};
use std::hash::Hash;
use std::str::FromStr;

/// Side of a game, by move order. Each variant has names of its own for both.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The side that makes the first move of the game.
    First,
    /// The opponent of [`Side::First`].
    Second,
}

impl Side {
    /// Both sides, in move order.
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];

    /// Returns the opponent.
    pub fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// Returns 0 for the first side and 1 for the second, as an index of pairs.
    pub fn index(self) -> usize {
        self as usize
    }
}

impl Display for Side {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Side::First => "first",
            Side::Second => "second",
        })
    }
}

impl FromStr for Side {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Side, ParseError> {
        match text {
            "first" => Ok(Side::First),
            "second" => Ok(Side::Second),
            _ => Err(ParseError::new(format!("{text:?} is not a side: first or second"))),
        }
    }
}

/// Result of a game under the rules of its variant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// The side has won.
    Win(Side),
    /// Neither side has won.
    Draw,
}

impl Outcome {
    /// Returns the winner, or `None` for a draw.
    pub fn winner(self) -> Option<Side> {
        match self {
            Outcome::Win(side) => Some(side),
            Outcome::Draw => None,
        }
    }
}

/// Number of occurrences of a position that draws the game.
pub const REPETITIONS: usize = 3;

/// Maximum length of a game in plies. A game that reaches it without a result is a draw.
pub const PLIES_MAX: usize = 1000;

/// State of the no-progress rule. A ply that changes `mark` is progress; `limit` consecutive plies
/// without progress draw the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Number that changes with every ply that counts as progress.
    pub mark: u32,
    /// Plies without progress that draw the game, in this position.
    pub limit: u32,
}

/// Names of a variant in the languages of the client.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct VariantNames {
    /// English.
    pub en: &'static str,
    /// Dutch.
    pub nl: &'static str,
    /// Swedish.
    pub sv: &'static str,
}

/// Static description of a variant.
#[derive(Debug)]
pub struct VariantInfo {
    /// Key of the variant in the API, the database and JSON.
    pub key: &'static str,
    /// Display names.
    pub names: VariantNames,
    /// Names of the first and the second side.
    pub sides: [&'static str; 2],
    /// Board of the variant.
    pub board: Board,
    /// Options of a game, chosen when it is created.
    pub options: &'static [OptionInfo],
    /// Whether the start position depends on the seed.
    pub chance: bool,
    /// Minimum number of plies of a game that a player ends, for a gain of rating: an eighth to a
    /// quarter of an average game between engine players.
    pub rated_plies_min: usize,
}

/// Rules of a variant. A value is a position without history: `clone` is cheap and `play` does not
/// allocate.
pub trait Rules: Clone + Eq + Hash + Debug + Send + Sync + 'static {
    /// Move of the variant. `Display` and `FromStr` write and parse its notation and are inverse.
    type Move: Copy + Eq + Hash + Debug + Display + FromStr<Err = ParseError> + Send + Sync;

    /// Static description of the variant.
    const INFO: &'static VariantInfo;

    /// Returns the start position. `seed` determines random elements of the start.
    fn start(options: &Options, seed: u64) -> Self;

    /// Parses a position from the fields of its text.
    ///
    /// # Errors
    /// Returns an error that names the problem and its location if the text is not a valid position
    /// of the variant.
    fn parse(text: &PositionText<'_>, options: &Options) -> Result<Self, ParseError>;

    /// Returns the side to move.
    fn turn(&self) -> Side;

    /// Returns the result if the game is over under the rules that need no history.
    fn outcome(&self) -> Option<Outcome>;

    /// Returns the winner if the game is decided but continues. Only a draw rule can change the
    /// result after that.
    fn decided_winner(&self) -> Option<Side> {
        None
    }

    /// Returns the ending if [`Rules::outcome`] returns a result.
    fn ending(&self) -> Option<Ending>;

    /// Appends the legal moves. There are none if and only if [`Rules::outcome`] returns a result.
    fn legal_moves(&self, moves: &mut Vec<Self::Move>);

    /// Plays a move. The caller guarantees that the move is legal.
    fn play(&mut self, m: Self::Move);

    /// Returns the visible effects of a move. The caller guarantees that the move is legal. May
    /// allocate.
    fn trace(&self, m: Self::Move) -> Trace;

    /// Writes the token of the content of a cell of the board.
    ///
    /// # Errors
    /// Returns the errors of the writer.
    fn write_token(&self, cell: Cell, out: &mut dyn Write) -> std::fmt::Result;

    /// Writes the fields of the position text that follow the side to move, with a leading space.
    ///
    /// # Errors
    /// Returns the errors of the writer.
    fn write_extra_fields(&self, _out: &mut dyn Write) -> std::fmt::Result {
        Ok(())
    }

    /// Returns the state of the no-progress rule, if the variant has one.
    fn progress(&self) -> Option<Progress> {
        None
    }

    /// Returns the rule that forbids a click on `tapped` after the clicks on `chosen`: the first of
    /// the variant's conditions that fails.
    ///
    /// The caller guarantees that the game is open, that the cell is on the board, and that a legal
    /// move begins with `chosen`, but none with `chosen` and `tapped`.
    fn violation(&self, chosen: &[Cell], tapped: Cell) -> Violation;

    /// Returns the rule that forbids a move although its cells begin a legal move: the move is not
    /// complete, or it has no cells and may not be made.
    fn incomplete_violation(&self, m: Self::Move) -> Violation;
}
