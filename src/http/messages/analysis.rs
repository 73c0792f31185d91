//! Engine analyses and reviews as JSON.

use crate::play::played_line::PlayedLine;
use crate::rules::{Outcome, Side};
use crate::search::{Score, SearchResult};
use serde::Serialize;
use utoipa::ToSchema;

/// Line of play with its score.
#[derive(Serialize, ToSchema)]
pub struct AnalysisLine {
    /// Notations of the moves.
    moves: Vec<String>,
    /// Score for the side to move.
    score: Score,
    /// Expected share of wins of the first side, from 0 to 1; draws count as halves.
    chance: f64,
}

/// Best lines of a position; none if the game is over.
#[derive(Serialize, ToSchema)]
pub struct AnalysisOut {
    /// Position text.
    position: String,
    /// Side to move.
    turn: Side,
    /// Lines, the best first.
    lines: Vec<AnalysisLine>,
    /// Completed depth in plies.
    depth: u32,
    /// Number of positions searched, or of playouts.
    nodes: u64,
}

/// Ply of a finished game.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct ReviewLine {
    /// Number of moves played before.
    ply: usize,
    /// Expected share of wins of the first side, from 0 to 1; draws count as halves.
    chance: f64,
    /// Score for the side to move, as in an analysis; null if the game is over.
    #[schema(required)]
    score: Option<Score>,
    /// Notation of the best move; null if the game is over.
    #[schema(required)]
    best: Option<String>,
    /// Notation of the move played; null at the end.
    #[schema(required)]
    played: Option<String>,
}

/// Returns the expected share of wins of the first side.
fn first_chance(score: Score, turn: Side) -> f64 {
    match turn {
        Side::First => score.expected_score(),
        Side::Second => 1.0 - score.expected_score(),
    }
}

/// Returns the analysis of a position, without lines if the game is over.
pub fn analysis(position: String, turn: Side, result: Option<SearchResult>) -> AnalysisOut {
    let (depth, nodes) = result.as_ref().map_or((0, 0), |found| (found.depth, found.nodes));
    let lines = result.map(|found| found.lines).unwrap_or_default();
    let line_out = |line: crate::search::PrincipalVariation| AnalysisLine {
        chance: first_chance(line.score, turn),
        moves: line.moves,
        score: line.score,
    };
    AnalysisOut { position, turn, lines: lines.into_iter().map(line_out).collect(), depth, nodes }
}

/// Returns the review of the end of `line`, where `played` is the move that follows.
pub fn review_line(
    line: &PlayedLine,
    result: Option<SearchResult>,
    played: Option<String>,
) -> ReviewLine {
    let best = result.and_then(|found| found.lines.into_iter().next());
    let score = best.as_ref().map(|best| best.score);
    let ended = || match line.outcome() {
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
