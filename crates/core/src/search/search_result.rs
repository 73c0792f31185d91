//! Scores and lines that a search returns.
//!
//! Scores are from the point of view of the side to move. Inside the search they are integers: at
//! most [`POINTS_MAX`] without a proven result, and beyond it the plies to a win or loss. Callers:
//! `best_move`, which creates them, and all users of the engine.

use super::Level;
use serde::Serialize;
use std::fmt;

/// Value of a won position, minus the plies to the win.
pub(super) const WIN: i32 = 30_000;

/// Maximum absolute value of a position without a proven result, in points.
pub const POINTS_MAX: i32 = 20_000;

/// Score of a position for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum Score {
    /// Unproven result, in points. 0 is even; 400 points win about ten games of eleven.
    Points(i32),
    /// Proven win in the given number of plies.
    Win(u32),
    /// Proven loss within the given number of plies.
    Loss(u32),
}

impl Score {
    /// Converts an internal search value.
    pub(super) fn from_value(value: i32) -> Score {
        let plies = (WIN - value.abs()) as u32;
        match value {
            _ if value.abs() <= POINTS_MAX => Score::Points(value),
            1.. => Score::Win(plies),
            _ => Score::Loss(plies),
        }
    }

    /// Returns the expected score of a game, 0.0 to 1.0, by the Elo formula. Draws count one half.
    pub fn expected_score(self) -> f64 {
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

/// Requested strength of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strength {
    /// Level of the variant, 1 to [`LEVELS`](super::LEVELS).
    Level(u8),
    /// Custom settings.
    Custom(Level),
    /// The variant's best method with at most the given number of nodes, without noise.
    Nodes(u64),
}

/// Parameters of a search.
pub struct SearchParams<'a> {
    /// Requested strength.
    pub strength: Strength,
    /// Seed of all random choices: equal seeds give equal moves.
    pub seed: u64,
    /// Number of best moves to return with exact values (MultiPV), at least 1.
    pub lines: usize,
    /// Polled regularly; `true` stops the search, which returns its current best result.
    pub should_stop: &'a dyn Fn() -> bool,
    /// Called with intermediate results: after each completed depth, or whenever the number of
    /// playouts has doubled.
    pub on_info: &'a dyn Fn(&SearchResult),
}

/// Principal variation with its score.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PrincipalVariation {
    /// Move notations.
    pub moves: Vec<String>,
    /// Score for the side that plays the first move.
    pub score: Score,
}

/// Chosen move of a search, with its principal variations.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SearchResult {
    /// Notation of the chosen move.
    pub best: String,
    /// Principal variations, best first. With noise, the chosen move can differ from the first.
    pub lines: Vec<PrincipalVariation>,
    /// Completed depth in plies; 1 for MCTS.
    pub depth: u32,
    /// Visited nodes, or playouts for MCTS.
    pub nodes: u64,
}
