//! The list of live games, `GET /games/live`, with filters, sort order and pages.
//!
//! It reads the lobby's snapshot in memory, not the database. The lobby lists attended games only.
//! Caller: the router.

use crate::http::App;
use crate::http::error::Error;
use crate::http::extract::fields::check_range;
use crate::http::extract::query_params::QueryParams;
use crate::http::extract::variant_key::VariantKey;
use crate::http::messages::{self, ErrorBody, LiveGameOut};
use crate::play::rating_range::RatingRange;
use crate::play::reason::Reason;
use crate::rooms::LiveGame;
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use utoipa::{IntoParams, ToSchema};

/// Default number of games per page.
const PAGE: i64 = 16;

/// Maximum number of games per page.
const PAGE_MAX: i64 = 50;

/// Highest page number, also of the lobby.
pub const PAGES_MAX: i64 = 1_000_000;

/// Filter, sort order and page.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct LiveQuery {
    #[param(inline)]
    variant: Option<VariantKey>,
    /// Range of the average rating of both players: `1400-1600`, `1500-` or `-1800`.
    rating: Option<String>,
    /// Whether the games are rated.
    rated: Option<bool>,
    /// `rating` (games between people first, then the highest rating), `new` (newest first) or
    /// `watchers` (most spectators first).
    #[param(inline)]
    sort: Option<Sort>,
    /// Number of the page, from 1.
    #[param(minimum = 1, maximum = 1_000_000)]
    page: Option<i64>,
    /// Games per page, 16 by default.
    #[param(minimum = 1, maximum = 50)]
    max: Option<i64>,
}

/// Sort order of live games.
#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Sort {
    /// Games between people first, then the highest average rating.
    Rating,
    /// Newest first.
    New,
    /// Most spectators first.
    Watchers,
}

/// A page of the list of live games.
#[derive(Serialize, ToSchema)]
pub struct LiveGames {
    games: Vec<LiveGameOut>,
    /// Games on all pages.
    total: usize,
    page: usize,
}

/// Filter, sort order and page with valid values.
struct LiveFilter {
    variant: Option<&'static str>,
    bounds: (Option<i32>, Option<i32>),
    rated: Option<bool>,
    sort: Sort,
    page: usize,
    max: usize,
}

impl LiveFilter {
    fn new(query: LiveQuery) -> Result<LiveFilter, Error> {
        let bounds = match query.rating.as_deref().map(str::parse) {
            None => (None, None),
            Some(Ok(RatingRange::Fixed { min, max })) => (min, max),
            Some(Ok(_)) => {
                let why = "`rating` is a range: 1400-1600, 1500- or -1800.".to_owned();
                return Err(Error::InvalidField(Reason::BadRange, why));
            }
            Some(Err(error)) => {
                return Err(Error::InvalidField(Reason::BadRange, format!("{error}.")));
            }
        };
        let sort = query.sort.unwrap_or(Sort::Rating);
        let page = check_range("page", query.page.unwrap_or(1), 1..=PAGES_MAX)? as usize;
        let max = check_range("max", query.max.unwrap_or(PAGE), 1..=PAGE_MAX)? as usize;
        let variant = query.variant.map(VariantKey::as_str);
        Ok(LiveFilter { variant, bounds, rated: query.rated, sort, page, max })
    }

    fn matches(&self, live: &LiveGame) -> bool {
        let (min, max) = self.bounds;
        let (row, rating) = (&live.row, live.rating());
        self.variant.is_none_or(|variant| row.setup.variant.info.key == variant)
            && self.rated.is_none_or(|rated| row.rated == rated)
            && min.is_none_or(|min| rating >= min)
            && max.is_none_or(|max| rating <= max)
    }
}

/// Lists the games in progress that at least one player attends.
#[utoipa::path(get, path = "/games/live", tag = "games", params(LiveQuery),
    responses((status = 200, body = LiveGames), (status = "4XX", body = ErrorBody)))]
pub async fn list(
    State(app): State<App>,
    QueryParams(query): QueryParams<LiveQuery>,
) -> Result<Json<LiveGames>, Error> {
    let filter = LiveFilter::new(query)?;
    let mut games = app.rooms.lobby().all();
    games.retain(|live| filter.matches(live));
    games.sort_unstable_by_key(|live| {
        let first = match filter.sort {
            Sort::Rating => (live.is_between_people(), i64::from(live.rating())),
            Sort::New => (false, 0),
            Sort::Watchers => (false, live.watchers as i64),
        };
        Reverse((first, live.row.setup.created_ms, live.row.id))
    });
    let page = games.iter().skip((filter.page - 1) * filter.max).take(filter.max);
    let listed = page.map(|live| messages::live_game(live)).collect();
    Ok(Json(LiveGames { games: listed, total: games.len(), page: filter.page }))
}
