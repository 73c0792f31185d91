//! Games in play, for those who look on at many.

use super::game::{ClocksOut, LiveOut, live};
use crate::play::event::{DrawReason, Status};
use crate::rooms::Live;
use crate::rules::{Side, Trace};
use crate::store::{Ended, PublicId};
use serde::Serialize;
use utoipa::ToSchema;

/// A game in play, with all that a small board shows.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LiveGameOut {
    #[serde(flatten)]
    game: LiveOut,
    #[schema(value_type = String)]
    turn: Side,
    /// None in a game without a clock.
    clocks: Option<ClocksOut>,
    /// The notation of the last move.
    last_move: Option<String>,
    /// What is to be seen of it.
    #[schema(value_type = Option<Object>)]
    last: Option<Trace>,
}

/// A game in play.
pub fn live_game(game: &Live) -> LiveGameOut {
    let (last_move, last) = game.last.clone().unzip();
    LiveGameOut {
        game: live(game),
        turn: game.turn,
        clocks: game.clocks.map(ClocksOut::from),
        last_move,
        last,
    }
}

/// A game that is not in play, and how it ended; nothing is said of one that there never was.
#[derive(Serialize)]
pub struct LiveGone<'a> {
    id: &'a str,
    status: Option<Status>,
    winner: Option<Side>,
    reason: Option<DrawReason>,
}

impl<'a> LiveGone<'a> {
    /// What is told of a game that has ended.
    pub fn over(id: &'a PublicId, ended: &Ended) -> LiveGone<'a> {
        let end = ended.end;
        LiveGone {
            id: id.as_str(),
            status: Some(end.status),
            winner: end.winner,
            reason: end.reason,
        }
    }

    /// What is told of a name that no game has.
    pub fn unknown(id: &'a str) -> LiveGone<'a> {
        LiveGone { id, status: None, winner: None, reason: None }
    }
}
