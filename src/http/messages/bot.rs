//! Games against the engine and hints as JSON.

use crate::http::messages::{
    GameSource, LichessColor, PerfName, VariantOut, color, perf_name, variant,
};
use crate::play::clock::Speed;
use crate::play::event::GameStatus;
use crate::rooms::GameSnapshot;
use crate::rules::Side;
use crate::search::{Score, SearchResult};
use serde::Serialize;
use utoipa::ToSchema;

/// Game status with its number in the lichess API.
#[derive(Serialize, ToSchema)]
pub struct AiGameStatusOut {
    id: i64,
    name: &'static str,
}

/// New game against the engine, in the lichess format.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AiGame {
    id: String,
    variant: VariantOut,
    speed: Speed,
    perf: PerfName,
    rated: bool,
    /// Position text.
    fen: String,
    /// Number of plies played.
    turns: usize,
    source: GameSource,
    status: AiGameStatusOut,
    created_at: i64,
    /// Lichess color of the side to move.
    player: LichessColor,
    /// Side of the requester: `first` or `second`.
    #[schema(required)]
    you: Option<Side>,
    /// Level of the engine, 1 to 8.
    level: u8,
    url: String,
}

/// Returns a new game against the engine for the player on side `you`; `origin` is the site's.
pub fn ai_game(snapshot: &GameSnapshot, you: Option<Side>, level: u8, origin: &str) -> AiGame {
    let row = &snapshot.row;
    let game = row.setup.variant;
    let status = row.result.map_or(GameStatus::Started, |ended| ended.end.status);
    AiGame {
        id: row.id.to_string(),
        variant: variant(game),
        speed: row.setup.pace.speed(),
        perf: perf_name(game),
        rated: row.rated,
        fen: snapshot.position.clone(),
        turns: snapshot.moves.len(),
        source: GameSource::Ai,
        status: AiGameStatusOut { id: status as i64, name: status.as_str() },
        created_at: row.setup.created_ms,
        player: color(game, snapshot.turn),
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
    /// Score for the requester.
    score: Score,
    /// Expected share of wins of the requester, from 0 to 1; draws count as halves.
    chance: f64,
}

/// Returns the best move of a search, or `None` if the search found no move.
pub fn hint(result: SearchResult) -> Option<HintOut> {
    let line = result.lines.first()?;
    Some(HintOut { score: line.score, chance: line.score.expected_score(), u: result.best })
}
