//! Findings of the fair play reports as JSON. Callers: `api::suspicion` and `moderation`.

use crate::store::Suspicion;
use serde::Serialize;
use utoipa::ToSchema;

/// Finding of a fair play report: a hint that people have to judge.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SuspicionOut {
    number: i64,
    /// `engineMoves`, `steadyTimes`, `fastTimes`, `fedPoints` or `sharedNetwork`.
    kind: String,
    /// Id and name of the player.
    id: String,
    name: String,
    /// Id and name of the other player of a pair.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    other_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    other: Option<String>,
    /// Number of games that were looked at.
    game_count: i64,
    /// Number of moves of the player that were looked at; 0 for pairs.
    move_count: i64,
    /// Share of the engine's moves in percent, coefficient of variation of the times in percent,
    /// median of the times in milliseconds, or gained rating points, by kind; 0 for
    /// `sharedNetwork`.
    value: i64,
    /// Ids of some of the games.
    games: Vec<String>,
    /// Time of the report, in epoch milliseconds.
    found_at: i64,
}

impl From<Suspicion> for SuspicionOut {
    fn from(suspicion: Suspicion) -> SuspicionOut {
        let games = suspicion.game_ids();
        let Suspicion {
            seq,
            kind,
            id,
            name,
            other_id,
            other,
            game_count,
            move_count,
            value,
            found_ms,
            ..
        } = suspicion;
        SuspicionOut {
            number: seq,
            kind,
            id,
            name,
            other_id,
            other,
            game_count,
            move_count,
            value,
            games,
            found_at: found_ms,
        }
    }
}
