//! Games of a player, by pages. Caller: the router.

use crate::http::App;
use crate::http::api::live::PAGES_MAX;
use crate::http::api::user::load_profile;
use crate::http::error::Error;
use crate::http::extract::fields::check_range;
use crate::http::extract::query_params::QueryParams;
use crate::http::extract::variant_key::VariantKey;
use crate::http::messages::{self, ErrorBody, GameSummary};
use crate::rules::Side;
use crate::store::{GameFilter, ResultFilter};
use axum::Json;
use axum::extract::{Path, State};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Games per page.
const PAGE_SIZE: i64 = 20;

/// Filters and page number of a player's games.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct GamesQuery {
    /// Page number, from 1.
    #[param(minimum = 1, maximum = 1_000_000)]
    page: Option<i64>,
    #[param(inline)]
    variant: Option<VariantKey>,
    /// Whether the games are rated.
    rated: Option<bool>,
    #[param(inline)]
    result: Option<GameResult>,
    /// Name of the opponent.
    vs: Option<String>,
    /// Side of the player.
    #[param(inline)]
    side: Option<Side>,
}

/// Result of a game for the player; `void` is an aborted game, `playing` one in progress.
#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum GameResult {
    Win,
    Loss,
    Draw,
    Void,
    Playing,
}

impl From<GameResult> for ResultFilter {
    fn from(result: GameResult) -> ResultFilter {
        match result {
            GameResult::Win => ResultFilter::Win,
            GameResult::Loss => ResultFilter::Loss,
            GameResult::Draw => ResultFilter::Draw,
            GameResult::Void => ResultFilter::Aborted,
            GameResult::Playing => ResultFilter::InProgress,
        }
    }
}

/// Page of games.
#[derive(Serialize, ToSchema)]
pub struct GamesPage {
    games: Vec<GameSummary>,
    page: i64,
    pages: i64,
    total: i64,
}

/// Returns a player's games, newest first, 20 per page.
#[utoipa::path(get, path = "/user/{username}/games", tag = "players",
    params(("username" = String, Path), GamesQuery),
    responses((status = 200, body = GamesPage), (status = "4XX", body = ErrorBody)))]
pub async fn games(
    State(app): State<App>,
    Path(name): Path<String>,
    QueryParams(query): QueryParams<GamesQuery>,
) -> Result<Json<GamesPage>, Error> {
    let profile = load_profile(&app, &name).await?;
    let page = check_range("page", query.page.unwrap_or(1), 1..=PAGES_MAX)?;
    let opponent = match query.vs {
        None => None,
        Some(vs) => Some(load_profile(&app, &vs).await?.account.key),
    };
    let filter = GameFilter {
        variant: query.variant.map(VariantKey::as_str),
        rated: query.rated,
        opponent,
        side: query.side,
        result: query.result.map(ResultFilter::from),
        ongoing: true,
        finished: true,
        ..GameFilter::default()
    };
    let store = app.rooms.store();
    let offset = (page - 1) * PAGE_SIZE;
    let (rows, total) = store.games_page(profile.account.key, &filter, offset, PAGE_SIZE).await?;
    let pages = (total + PAGE_SIZE - 1) / PAGE_SIZE;
    Ok(Json(GamesPage {
        games: rows.iter().map(messages::game_summary).collect(),
        page,
        pages,
        total,
    }))
}
