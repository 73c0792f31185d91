//! Engine analysis of arbitrary positions: `POST /api/analysis`.
//!
//! Each client runs at most one analysis at a time, and positions of live rated games are refused
//! before and after the search. Callers: the router; hints and reviews share parts of it.

use crate::http::App;
use crate::http::api::game::review_cache::{ReviewCache, new_review_cache};
use crate::http::api::rules;
use crate::http::error::Error;
use crate::http::extract::auth::Viewer;
use crate::http::extract::fields::check_range;
use crate::http::extract::json_body::JsonBody;
use crate::http::limits::latest_only::LatestOnly;
use crate::http::limits::rate_limiter::{ClientNetwork, RateLimiter};
use crate::http::messages::{self, AnalysisOut, ErrorBody};
use crate::play::board_images::{BoardImages, boards_of};
use crate::play::option_values::OptionValues;
use crate::play::query::Query;
use crate::rooms::{Requester, SearchRequest};
use crate::search::{SearchResult, Strength};
use crate::variants::Position;
use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::net::IpAddr;
use std::ops::RangeInclusive;
use std::time::{Duration, Instant};
use utoipa::ToSchema;

/// Number of best lines that a request may ask for.
const LINES_RANGE: RangeInclusive<usize> = 1..=5;

/// Number of positions that a search may visit.
const NODES_RANGE: RangeInclusive<u64> = 1_000..=2_000_000;

/// Time limit of a search, from its start.
const SEARCH_TIME_MAX: Duration = Duration::from_secs(5);

/// Time limit of an answer, including the time in the queue. It is below the general timeout of
/// requests, so that the client gets a reason.
pub const ANSWER_TIMEOUT: Duration = Duration::from_secs(7);

/// Part of [`ANSWER_TIMEOUT`] that is reserved for reading the request and writing the answer.
const ANSWER_RESERVE: Duration = Duration::from_millis(500);

/// Returns a requester in `network` whose deadline starts now.
pub fn requester_from(network: IpAddr) -> Requester {
    Requester { network, answer_by: Instant::now() + (ANSWER_TIMEOUT - ANSWER_RESERVE) }
}

/// State shared by analyses and game reviews.
#[derive(Debug)]
pub struct AnalysisState {
    /// Rate limit per address.
    pub rate: RateLimiter,
    /// The current analysis of each client.
    pub current_analyses: LatestOnly<String>,
    /// The current game review of each client.
    pub current_reviews: LatestOnly<String>,
    pub reviews: ReviewCache,
}

impl AnalysisState {
    /// Allows `times` requests per minute and address.
    pub fn per_minute(times: u32) -> AnalysisState {
        AnalysisState {
            rate: RateLimiter::per_minute("analysis", times),
            current_analyses: LatestOnly::default(),
            current_reviews: LatestOnly::default(),
            reviews: new_review_cache(),
        }
    }
}

/// Position to analyze, and the effort.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AnalysisForm {
    /// Key of the variant.
    variant: String,
    /// Options of the variant; those that are missing have their defaults.
    #[serde(default)]
    #[schema(value_type = OptionValues)]
    options: Map<String, Value>,
    /// Position text of the start; by default the start of the variant.
    start: Option<String>,
    /// Seed of a random start position.
    #[serde(default)]
    seed: u64,
    /// Notations of the moves played from the start.
    #[serde(default)]
    moves: Vec<String>,
    /// Number of best lines, 1 to 5.
    #[serde(default = "default_lines")]
    lines: usize,
    /// Number of positions to search, 1000 to 2000000.
    #[serde(default = "default_nodes")]
    nodes: u64,
}

fn default_lines() -> usize {
    3
}

fn default_nodes() -> u64 {
    100_000
}

impl AnalysisForm {
    /// Checks the number of lines and of positions.
    fn check(&self) -> Result<(), Error> {
        check_range("lines", self.lines, LINES_RANGE)?;
        check_range("nodes", self.nodes, NODES_RANGE)?;
        Ok(())
    }

    fn search_request(&self) -> SearchRequest {
        let strength = Strength::Nodes(self.nodes);
        SearchRequest { strength, seed: 0, lines: self.lines, time_max: SEARCH_TIME_MAX }
    }

    fn query(self) -> Query {
        let AnalysisForm { variant, options, start, seed, moves, .. } = self;
        Query { variant, options, start, seed, moves, ..Query::default() }
    }
}

/// Returns the key under which one analysis at a time is allowed: the id of the account or guest,
/// else the address.
pub fn client_key(viewer: &Viewer, address: IpAddr) -> String {
    let account_id = viewer.account.as_ref().map(|account| account.id.clone());
    account_id.unwrap_or_else(|| address.to_string())
}

/// Returns the best lines from a position.
///
/// A client has one search at a time: a newer request cancels the previous one. The searches of one
/// address run one after another. Positions that occur in a rated game in progress are refused
/// (`liveRatedGame`), and so are moves that lead through one.
#[utoipa::path(post, path = "/analysis", tag = "rules", request_body = AnalysisForm,
    responses((status = 200, body = AnalysisOut), (status = "4XX", body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn analyse(
    State(app): State<App>,
    viewer: Viewer,
    ClientNetwork(address): ClientNetwork,
    JsonBody(form): JsonBody<AnalysisForm>,
) -> Result<Json<AnalysisOut>, Error> {
    form.check()?;
    let guard = app.analysis.current_analyses.start(client_key(&viewer, address));
    tokio::select! {
        result = tokio::time::timeout(ANSWER_TIMEOUT, run_search(&app, requester_from(address), form)) => {
            result.map_err(|_| Error::Busy)?
        }
        () = guard.replaced() => Err(Error::Replaced),
    }
}

async fn run_search(
    app: &App,
    requester: Requester,
    form: AnalysisForm,
) -> Result<Json<AnalysisOut>, Error> {
    let search = form.search_request();
    let query = form.query();
    let replay = move || {
        let line = query.line()?;
        Ok((boards_of(&line), line))
    };
    let (boards, line) = rules::run_query(app, replay).await?;
    check_not_in_rated_play(app, &boards).await?;
    let (position, text, turn) = (line.position().clone_box(), line.position().text(), line.turn());
    let result = app.rooms.engine_pool().search(requester, line, search).await?;
    // A live game may have reached this position during the search.
    check_not_in_rated_play(app, &boards).await?;
    let result = match result {
        Some(result) => Some(truncate_at_rated_play(app, position, result).await?),
        None => None,
    };
    Ok(Json(messages::analysis(text, turn, result)))
}

/// Checks that no board occurs in a rated game in progress.
///
/// # Errors
/// [`Error::LiveRatedGame`].
pub async fn check_not_in_rated_play(app: &App, boards: &[BoardImages]) -> Result<(), Error> {
    match app.rooms.find_in_rated_play(boards).await? {
        Some(_) => Err(Error::LiveRatedGame),
        None => Ok(()),
    }
}

/// Truncates every line where it reaches a position of a live rated game: the rest would be the
/// best move there.
async fn truncate_at_rated_play(
    app: &App,
    position: Box<dyn Position>,
    mut result: SearchResult,
) -> Result<SearchResult, Error> {
    let lines: Vec<Vec<String>> = result.lines.iter().map(|line| line.moves.clone()).collect();
    let boards = rules::run_query(app, move || {
        Ok(lines.iter().map(|moves| boards_after(&*position, moves)).collect::<Vec<_>>())
    });
    for (line, boards) in result.lines.iter_mut().zip(boards.await?) {
        if let Some(index) = app.rooms.find_in_rated_play(&boards).await? {
            line.moves.truncate(index + 1);
        }
    }
    Ok(result)
}

fn boards_after(position: &dyn Position, moves: &[String]) -> Vec<BoardImages> {
    let mut position = position.clone_box();
    let play = |u: &String| position.play(u).ok().map(|_| BoardImages::new(&*position));
    moves.iter().map_while(play).collect()
}
