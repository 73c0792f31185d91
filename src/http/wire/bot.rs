//! Games against the engine and hints as JSON.

use super::{PerfName, VariantOut, color, perf_name, variant};
use crate::play::event::Status;
use crate::rooms::Shown;
use crate::rules::Side;
use crate::search::{Score, Thought};
use serde::Serialize;
use utoipa::ToSchema;

/// Game status with its number in the lichess API.
#[derive(Serialize, ToSchema)]
pub struct StatusOut {
    id: i64,
    name: &'static str,
}

/// New game against the engine, in the lichess format.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AiGame {
    id: String,
    variant: VariantOut,
    speed: &'static str,
    perf: PerfName,
    rated: bool,
    /// Position text.
    fen: String,
    /// Number of plies played.
    turns: usize,
    source: &'static str,
    status: StatusOut,
    created_at: i64,
    /// Lichess color of the side to move.
    player: &'static str,
    /// Side of the requester: `first` or `second`.
    #[schema(value_type = Option<String>)]
    you: Option<Side>,
    /// Level of the engine, 1 to 8.
    level: u8,
    url: String,
}

/// Returns a new game against the engine for the player on side `you`; `origin` is the site's.
pub fn ai_game(shown: &Shown, you: Option<Side>, level: u8, origin: &str) -> AiGame {
    let row = &shown.row;
    let game = row.setup.variant;
    let status = row.result.map_or(Status::Started, |ended| ended.end.status);
    AiGame {
        id: row.id.to_string(),
        variant: variant(game),
        speed: row.setup.pace.speed(),
        perf: perf_name(game),
        rated: row.rated,
        fen: shown.position.clone(),
        turns: shown.moves.len(),
        source: "ai",
        status: StatusOut { id: status as i64, name: status.word() },
        created_at: row.setup.created_ms,
        player: color(game, shown.turn),
        you,
        level,
        url: format!("{origin}/{}", row.id),
    }
}

/// Hint for the requester.
#[derive(Serialize, ToSchema)]
pub struct HintOut {
    /// Notation of the move.
    u: String,
    /// Score for the requester: `{"points":n}` (400 win ten games of eleven), `{"win":plies}` or
    /// `{"loss":plies}`.
    #[schema(value_type = Object)]
    score: Score,
    /// Expected share of wins of the requester, from 0 to 1; draws count as halves.
    chance: f64,
}

/// Returns the best move of a search, or `None` if the search found no move.
pub fn hint(thought: Thought) -> Option<HintOut> {
    let line = thought.lines.first()?;
    Some(HintOut { score: line.score, chance: line.score.chance(), u: thought.best })
}
