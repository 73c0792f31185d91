//! What is told of games with the computer beside what all games tell.

use super::{PerfName, VariantOut, color, perf_name, variant};
use crate::play::event::Status;
use crate::rooms::Shown;
use crate::rules::Side;
use crate::search::{Score, Thought};
use serde::Serialize;
use utoipa::ToSchema;

/// A status, as lichess nests it.
#[derive(Serialize, ToSchema)]
pub struct StatusOut {
    id: i64,
    name: &'static str,
}

/// A game with the computer that has just begun, as lichess tells it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AiGame {
    id: String,
    variant: VariantOut,
    speed: &'static str,
    perf: PerfName,
    rated: bool,
    /// The position text.
    fen: String,
    /// Plies played.
    turns: usize,
    source: &'static str,
    status: StatusOut,
    created_at: i64,
    /// Lichess' colour of the side to move.
    player: &'static str,
    /// The side of whoever asked: `first` or `second`.
    #[schema(value_type = Option<String>)]
    you: Option<Side>,
    /// The computer's level.
    level: u8,
    url: String,
}

/// A game with the computer that has just begun, for the player on that side; `origin` is that of
/// our pages.
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

/// A good move, for whoever asked.
#[derive(Serialize, ToSchema)]
pub struct HintOut {
    /// Its notation.
    u: String,
    /// What it is worth to whoever asked: `{"points":n}` (400 wins ten games of eleven),
    /// `{"win":plies}` or `{"loss":plies}`.
    #[schema(value_type = Object)]
    score: Score,
    /// The share of games they would win from here, draws as halves: 0 to 1.
    chance: f64,
}

/// A good move; none if the search found none.
pub fn hint(thought: Thought) -> Option<HintOut> {
    let line = thought.lines.first()?;
    Some(HintOut { score: line.score, chance: line.score.chance(), u: thought.best })
}
