use super::Level;
use serde::Serialize;
use std::fmt;

/// The value of a won position, less the plies until then.
pub(super) const WIN: i32 = 30_000;

/// The most points a position without a proven result is valued at.
pub const POINTS_MAX: i32 = 20_000;

/// What a position is worth to the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Score {
    /// Nothing is proven: 0 is even, 400 wins about ten games of eleven.
    Points(i32),
    /// It wins in so many plies.
    Win(u32),
    /// It loses in so many plies, at the latest.
    Loss(u32),
}

impl Score {
    /// The score of a search's value.
    pub(super) fn of(value: i32) -> Score {
        let plies = (WIN - value.abs()) as u32;
        match value {
            _ if value.abs() <= POINTS_MAX => Score::Points(value),
            1.. => Score::Win(plies),
            _ => Score::Loss(plies),
        }
    }

    /// The share of games that would be won from here, draws as halves: 0.0 to 1.0.
    pub fn chance(self) -> f64 {
        match self {
            Score::Points(points) => 1.0 / (1.0 + 10f64.powf(-f64::from(points) / 400.0)),
            Score::Win(_) => 1.0,
            Score::Loss(_) => 0.0,
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Points(points) => write!(f, "points {points}"),
            Score::Win(plies) => write!(f, "win {plies}"),
            Score::Loss(plies) => write!(f, "loss {plies}"),
        }
    }
}

/// How strongly to search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strength {
    /// As a level of the variant's own, 1 to [`LEVELS`](super::LEVELS).
    Level(u8),
    /// As told.
    Free(Level),
    /// The variant's best method with so many nodes at the most, and without noise.
    Nodes(u64),
}

/// What is asked of a search.
pub struct Order<'a> {
    /// How strongly to search.
    pub strength: Strength,
    /// Draws what is left to chance: equal seeds give equal moves.
    pub seed: u64,
    /// How many of the best moves are wanted with their values, at least 1.
    pub lines: usize,
    /// Asked now and then: whether to stop at once with what is known.
    pub stop: &'a dyn Fn() -> bool,
    /// Told of every depth that is done.
    pub tell: &'a dyn Fn(&Thought),
}

/// A good move, and what it would lead to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Line {
    /// The notations, the move itself first.
    pub moves: Vec<String>,
    /// What it is worth to the side that makes the first of them.
    pub score: Score,
}

/// What a search found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Thought {
    /// The notation of the move to make.
    pub best: String,
    /// The best moves, the best first. What is made may be another: a level makes mistakes.
    pub lines: Vec<Line>,
    /// Plies looked ahead in full.
    pub depth: u32,
    /// Positions looked at, or playouts.
    pub nodes: u64,
}
