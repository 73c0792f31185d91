//! What a game must say: the trait `Rules` and the values it speaks in.
//!
//! This folder knows no game, no clock and no player.

mod cell;
mod options;
mod seed;
mod set;
mod text;
mod trace;

pub use cell::{Board, Cell};
pub use options::{BadOption, OptionInfo, Options};
pub use seed::SplitMix;
pub use set::{CellSet, bits};
pub(crate) use text::write_cells;
pub use text::{BadText, Parts};
pub use trace::Trace;

use serde::{Deserialize, Serialize};
use std::fmt::{Debug, Display, Write};
use std::hash::Hash;
use std::str::FromStr;

/// Who moves first, or second. Colours are words of the variant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The side that makes the first move of the game.
    First,
    /// The other.
    Second,
}

impl Side {
    /// Both, in order.
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];

    /// The opponent.
    pub fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// 0 for the first, 1 for the second: to index pairs.
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
    type Err = BadText;
    fn from_str(text: &str) -> Result<Side, BadText> {
        match text {
            "first" => Ok(Side::First),
            "second" => Ok(Side::Second),
            _ => Err(BadText::new(format!("{text:?} is not a side: first or second"))),
        }
    }
}

/// How a game ended by its rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// That side has won.
    Win(Side),
    /// Nobody has.
    Draw,
}

impl Outcome {
    /// The winner, if there is one.
    pub fn winner(self) -> Option<Side> {
        match self {
            Outcome::Win(side) => Some(side),
            Outcome::Draw => None,
        }
    }
}

/// How often a position must stand for the game to be drawn.
pub const REPETITIONS: usize = 3;

/// How many plies end any game.
pub const PLIES_MAX: usize = 1000;

/// What the no-progress rule of a variant looks at. A ply that changes `mark` is progress; `limit`
/// plies in a row that leave it alone are a draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// A number that changes with every ply that counts as progress.
    pub mark: u32,
    /// How many plies without progress are a draw, in this position.
    pub limit: u32,
}

/// The names of a variant in the languages of the client.
#[derive(Debug)]
pub struct Names {
    /// English.
    pub en: &'static str,
    /// Dutch.
    pub nl: &'static str,
    /// Swedish.
    pub sv: &'static str,
}

/// What never changes about a variant.
#[derive(Debug)]
pub struct Info {
    /// The word for it in the API, in SQL and in JSON.
    pub key: &'static str,
    /// What players call it.
    pub names: Names,
    /// What the first and the second side are called.
    pub sides: [&'static str; 2],
    /// The board it is played on.
    pub board: Board,
    /// What may be chosen when a game is made.
    pub options: &'static [OptionInfo],
    /// Whether the start is drawn from the seed.
    pub chance: bool,
}

/// The rules of one variant; a value is a position. Small and plain: `clone` is a copy, there is no
/// history inside, and `play` allocates nothing.
pub trait Rules: Clone + Eq + Hash + Debug + Send + Sync + 'static {
    /// A move. `Display` writes its notation, `FromStr` reads it; they are inverse.
    type Move: Copy + Eq + Hash + Debug + Display + FromStr<Err = BadText> + Send + Sync;

    /// What never changes about the variant.
    const INFO: &'static Info;

    /// The position a game begins with; `seed` draws what the start leaves to chance.
    fn start(options: &Options, seed: u64) -> Self;

    /// Reads a position from its text, already cut into parts.
    ///
    /// # Errors
    /// Whatever is not a possible position of the variant, saying what and where.
    fn read(parts: &Parts<'_>, options: &Options) -> Result<Self, BadText>;

    /// Whose turn it is.
    fn turn(&self) -> Side;

    /// The result, if the rules alone (without history) say that the game is over.
    fn outcome(&self) -> Option<Outcome>;

    /// Who has won already, if play goes on all the same: nothing that follows takes it away but a
    /// rule of draws.
    fn decided(&self) -> Option<Side> {
        None
    }

    /// Appends the legal moves; none exactly when there is an outcome.
    fn legal_moves(&self, moves: &mut Vec<Self::Move>);

    /// Plays a move that the caller knows to be legal.
    fn play(&mut self, m: Self::Move);

    /// What is to be seen of a move that the caller knows to be legal. It may allocate.
    fn trace(&self, m: Self::Move) -> Trace;

    /// Writes the token of what stands on a cell of the board.
    ///
    /// # Errors
    /// Those of the writer.
    fn token(&self, cell: Cell, out: &mut dyn Write) -> std::fmt::Result;

    /// Writes what the position text bears beyond cells and turn, with a space before it.
    ///
    /// # Errors
    /// Those of the writer.
    fn extras(&self, _out: &mut dyn Write) -> std::fmt::Result {
        Ok(())
    }

    /// What the no-progress rule looks at, if the variant has one.
    fn progress(&self) -> Option<Progress> {
        None
    }
}
