//! Games in play, for clients that follow many games.

use crate::http::messages::game::{ClocksOut, LiveOut, live};
use crate::play::event::{DrawReason, GameStatus};
use crate::rooms::LiveGame;
use crate::rules::{Ending, Side, Trace};
use crate::store::{FinalResult, PublicId};
use serde::Serialize;
use smol_str::SmolStr;
use utoipa::ToSchema;

/// Game in play with the state of its board.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LiveGameOut {
    #[serde(flatten)]
    game: LiveOut,
    turn: Side,
    /// Both clocks; null in a game without a clock.
    #[schema(required)]
    clocks: Option<ClocksOut>,
    /// Notation of the last move.
    #[schema(required, value_type = Option<String>)]
    last_move: Option<SmolStr>,
    /// Effects of the last move on the board.
    #[schema(required)]
    last: Option<Trace>,
}

/// Returns a game in play.
pub fn live_game(game: &LiveGame) -> LiveGameOut {
    let (last_move, last) = game.last.clone().unzip();
    LiveGameOut {
        game: live(game),
        turn: game.turn,
        clocks: game.clocks.map(ClocksOut::from),
        last_move,
        last: last.as_deref().cloned(),
    }
}

/// Game that is not in play, and its result; all fields but the id are null if there is no such
/// game.
#[derive(Serialize, ToSchema)]
pub struct LiveGameEnd<'a> {
    id: &'a str,
    #[schema(required)]
    status: Option<GameStatus>,
    #[schema(required)]
    winner: Option<Side>,
    #[schema(required)]
    reason: Option<DrawReason>,
    /// Ending with the counts of both sides, if the rules of the variant ended the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    ending: Option<Ending>,
}

impl<'a> LiveGameEnd<'a> {
    /// Returns the result of a finished game.
    pub fn ended(id: &'a PublicId, ended: &FinalResult) -> LiveGameEnd<'a> {
        let end = ended.end;
        LiveGameEnd {
            id: id.as_str(),
            status: Some(end.status),
            winner: end.winner,
            reason: end.reason,
            ending: ended.ending,
        }
    }

    /// Returns the answer for an id that no game has.
    pub fn unknown(id: &'a str) -> LiveGameEnd<'a> {
        LiveGameEnd { id, status: None, winner: None, reason: None, ending: None }
    }
}
