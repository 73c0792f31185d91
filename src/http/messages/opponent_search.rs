//! Searches for an opponent as JSON, for their player.

use crate::http::messages::challenge::{ClockChoice, clock_choice};
use crate::http::messages::{VariantOut, variant};
use crate::rooms::{OpponentSearch, SearchAsk, SearchMiss};
use serde::Serialize;
use utoipa::ToSchema;

/// Search for an opponent.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchOut {
    /// Id of the seek.
    id: String,
    /// Epoch milliseconds.
    started_at: i64,
    variants: Vec<VariantOut>,
    clocks: Vec<ClockChoice>,
    rated: bool,
    /// Whether the search also accepts challenges of casual games.
    casual: bool,
    /// Absent creator of a challenge who is asked.
    #[schema(required)]
    asking: Option<SearchAskOut>,
    /// Opponent who is present, while the player is busy.
    #[schema(required)]
    here: Option<SearchAskOut>,
    /// Outcome of the last attempt, if it led to no game.
    #[schema(required)]
    missed: Option<SearchMissCode>,
}

/// Player of a challenge that a search tries.
#[derive(Clone, Serialize, ToSchema)]
pub struct SearchAskOut {
    name: String,
    /// Deadline, in epoch milliseconds.
    until: i64,
}

/// Reason why an attempt of a search led to no game.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum SearchMissCode {
    /// Another player was faster.
    Taken,
    /// The creator of the challenge did not come.
    Absent,
}

impl From<SearchAsk> for SearchAskOut {
    fn from(ask: SearchAsk) -> SearchAskOut {
        SearchAskOut { name: ask.name, until: ask.until_ms }
    }
}

/// Returns a search as its player sees it.
pub fn opponent_search(search: &OpponentSearch) -> SearchOut {
    let (draft, progress) = (&search.challenge.draft, search.progress());
    SearchOut {
        id: search.id().to_string(),
        started_at: search.challenge.created_ms,
        variants: draft.plays.iter().map(|game_choice| variant(game_choice.variant)).collect(),
        clocks: draft.paces.iter().map(clock_choice).collect(),
        rated: draft.terms.rated,
        casual: search.allows_casual || !draft.terms.rated,
        asking: progress.asking.map(SearchAskOut::from),
        here: progress.here.map(SearchAskOut::from),
        missed: progress.missed.map(|missed| match missed {
            SearchMiss::Taken => SearchMissCode::Taken,
            SearchMiss::Absent => SearchMissCode::Absent,
        }),
    }
}
