//! What the computer thinks of positions.

use crate::play::line::Line;
use crate::rules::{Outcome, Side};
use crate::search::{Score, Thought};
use serde::Serialize;
use utoipa::ToSchema;

/// A line of play, and what it is worth.
#[derive(Serialize, ToSchema)]
pub struct AnalysisLine {
    /// The notations.
    moves: Vec<String>,
    /// What it is worth to the side to move: `{"points":n}` (400 wins ten games of eleven),
    /// `{"win":plies}` or `{"loss":plies}`.
    #[schema(value_type = Object)]
    score: Score,
    /// The share of games the first side would win by it, draws as halves: 0 to 1.
    chance: f64,
}

/// The best lines from a position; none where the game is over.
#[derive(Serialize, ToSchema)]
pub struct AnalysisOut {
    /// The position text.
    position: String,
    /// Whose turn it is.
    #[schema(value_type = String)]
    turn: Side,
    /// The best first.
    lines: Vec<AnalysisLine>,
    /// Plies looked ahead in full.
    depth: u32,
    /// Positions looked at, or playouts.
    nodes: u64,
}

/// A ply of a game that is over.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct ReviewLine {
    /// How many moves were made before.
    ply: usize,
    /// The share of games the first side would win from here, draws as halves: 0 to 1.
    chance: f64,
    /// What the position is worth to the side to move, as in an analysis; none where it is over.
    #[schema(value_type = Option<Object>)]
    score: Option<Score>,
    /// The notation of the best move; none where the game is over.
    best: Option<String>,
    /// What was played; none at the end.
    played: Option<String>,
}

/// The chance of the first side.
fn first_chance(score: Score, turn: Side) -> f64 {
    match turn {
        Side::First => score.chance(),
        Side::Second => 1.0 - score.chance(),
    }
}

/// What was thought of a position; nothing where it is over.
pub fn analysis(position: String, turn: Side, thought: Option<Thought>) -> AnalysisOut {
    let (depth, nodes) = thought.as_ref().map_or((0, 0), |found| (found.depth, found.nodes));
    let lines = thought.map(|found| found.lines).unwrap_or_default();
    let told = |line: crate::search::Line| AnalysisLine {
        chance: first_chance(line.score, turn),
        moves: line.moves,
        score: line.score,
    };
    AnalysisOut { position, turn, lines: lines.into_iter().map(told).collect(), depth, nodes }
}

/// What was thought of the end of a line, from which `played` was played.
pub fn review_line(line: &Line, thought: Option<Thought>, played: Option<String>) -> ReviewLine {
    let best = thought.and_then(|found| found.lines.into_iter().next());
    let score = best.as_ref().map(|best| best.score);
    let ended = || match line.verdict() {
        Some((Outcome::Win(Side::First), _)) => 1.0,
        Some((Outcome::Win(Side::Second), _)) => 0.0,
        Some((Outcome::Draw, _)) | None => 0.5,
    };
    ReviewLine {
        ply: line.ply(),
        chance: score.map_or_else(ended, |score| first_chance(score, line.turn())),
        score,
        best: best.and_then(|best| best.moves.into_iter().next()),
        played,
    }
}
