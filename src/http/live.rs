//! The list of live games, `GET /games/live`, with filters, sort order and pages.
//!
//! It reads the lobby's snapshot in memory, not the database.

use super::App;
use super::error::Error;
use super::fields::Asked;
use super::wire::{self, LiveGameOut, Refused};
use crate::play::range::Range;
use crate::rooms::Live;
use crate::variants;
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
#[expect(dead_code, reason = "describes parameters that are read by name")]
pub struct LiveAsked {
    /// Key of a variant.
    variant: Option<String>,
    /// Range of the average rating of both players: `1400-1600`, `1500-` or `-1800`.
    rating: Option<String>,
    /// Whether the games are rated.
    rated: Option<bool>,
    /// `rating` (highest first), `new` (newest first) or `watchers` (most spectators first).
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
    /// Highest average rating first.
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

/// Parsed filter, sort order and page.
struct Wanted {
    variant: Option<&'static str>,
    bounds: (Option<i32>, Option<i32>),
    rated: Option<bool>,
    sort: Sort,
    page: usize,
    max: usize,
}

impl Wanted {
    fn read(asked: &Asked) -> Result<Wanted, Error> {
        let bad = |word, why: &str| Error::BadField(word, why.to_owned());
        let variant = match asked.text("variant") {
            None => None,
            Some(key) => {
                let found = variants::find(key);
                Some(found.ok_or_else(|| bad("badVariant", "There is no such variant."))?.info.key)
            }
        };
        let bounds = match asked.text("rating").map(str::parse) {
            None => (None, None),
            Some(Ok(Range::Fixed { min, max })) => (min, max),
            Some(Ok(_)) => {
                return Err(bad("badRange", "`rating` is a range: 1400-1600, 1500- or -1800."));
            }
            Some(Err(error)) => return Err(Error::BadField("badRange", format!("{error}."))),
        };
        let sort = match asked.text("sort") {
            None | Some("rating") => Sort::Rating,
            Some("new") => Sort::New,
            Some("watchers") => Sort::Watchers,
            Some(_) => return Err(bad("badField", "`sort` is rating, new or watchers.")),
        };
        let rated = asked.flag("rated")?;
        let page = asked.count("page", 1, PAGES_MAX)?;
        let max = asked.count("max", PAGE, PAGE_MAX)?;
        Ok(Wanted { variant, bounds, rated, sort, page, max })
    }

    fn fits(&self, live: &Live) -> bool {
        let (min, max) = self.bounds;
        let (row, rating) = (&live.row, live.rating());
        self.variant.is_none_or(|variant| row.setup.variant.info.key == variant)
            && self.rated.is_none_or(|rated| row.rated == rated)
            && min.is_none_or(|min| rating >= min)
            && max.is_none_or(|max| rating <= max)
    }
}

/// Lists the games in progress.
#[utoipa::path(get, path = "/games/live", tag = "games", params(LiveAsked),
    responses((status = 200, body = LiveGames), (status = "4XX", body = Refused)))]
pub async fn list(State(app): State<App>, asked: Asked) -> Result<Json<LiveGames>, Error> {
    let wanted = Wanted::read(&asked)?;
    let mut games = app.rooms.lobby().all();
    games.retain(|live| wanted.fits(live));
    games.sort_unstable_by_key(|live| {
        let first = match wanted.sort {
            Sort::Rating => i64::from(live.rating()),
            Sort::New => 0,
            Sort::Watchers => live.watchers as i64,
        };
        Reverse((first, live.row.setup.created_ms, live.row.id))
    });
    let shown = games.iter().skip((wanted.page - 1) * wanted.max).take(wanted.max);
    let shown = shown.map(|live| wire::live_game(live)).collect();
    Ok(Json(LiveGames { games: shown, total: games.len(), page: wanted.page }))
}
