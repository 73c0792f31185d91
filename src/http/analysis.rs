//! Engine analysis of arbitrary positions: `POST /api/analysis`.
//!
//! Each client runs at most one analysis at a time, and positions of live rated games are refused
//! before and after the search.

use super::App;
use super::auth::Viewer;
use super::error::Error;
use super::lone::Lone;
use super::rate::{Address, Rate};
use super::review::Reviews;
use super::rules;
use super::wire::{self, AnalysisOut, Refused};
use crate::play::query::{Query, Wrong};
use crate::rooms::{BoardKey, Job, Requester, Rooms, board_keys};
use crate::search::{Strength, Thought};
use crate::variants::Position;
use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::net::IpAddr;
use std::ops::RangeInclusive;
use std::time::{Duration, Instant};
use utoipa::ToSchema;

/// Number of best lines that a request may ask for.
const LINES: RangeInclusive<usize> = 1..=5;

/// Number of positions that a search may visit.
const NODES: RangeInclusive<u64> = 1_000..=2_000_000;

/// Time limit of a search, from its start.
const TIME_MAX: Duration = Duration::from_secs(5);

/// Time limit of an answer, including the time in the queue. It is below the general timeout of
/// requests, so that the client gets a reason.
pub const ANSWER_MAX: Duration = Duration::from_secs(7);

/// Part of [`ANSWER_MAX`] that is reserved for reading the request and writing the answer.
const ANSWER_RESERVE: Duration = Duration::from_millis(500);

/// Returns a requester in `network` whose deadline starts now.
pub fn requester(network: IpAddr) -> Requester {
    Requester { network, answer_by: Instant::now() + (ANSWER_MAX - ANSWER_RESERVE) }
}

/// State shared by analyses and game reviews.
#[derive(Debug)]
pub struct Analyses {
    /// Rate limit per address.
    pub rate: Rate,
    /// The current analysis of each client.
    pub thinking: Lone<String>,
    /// The current game review of each client.
    pub reviewing: Lone<String>,
    /// Cache of reviews.
    pub reviews: Reviews,
}

impl Analyses {
    /// Allows `times` requests per minute and address.
    pub fn per_minute(times: u32) -> Analyses {
        Analyses {
            rate: Rate::per_minute(times),
            thinking: Lone::default(),
            reviewing: Lone::default(),
            reviews: Reviews::default(),
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
    #[schema(value_type = Object)]
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
    #[serde(default = "lines_usual")]
    lines: usize,
    /// Number of positions to search, 1000 to 2000000.
    #[serde(default = "nodes_usual")]
    nodes: u64,
}

fn lines_usual() -> usize {
    3
}

fn nodes_usual() -> u64 {
    100_000
}

impl AnalysisForm {
    fn read(body: &[u8]) -> Result<AnalysisForm, Wrong> {
        let wrong = |error: String| Wrong { error, ply: 0 };
        if !body.trim_ascii_start().starts_with(b"{") {
            return Err(wrong("this is not a JSON object".to_owned()));
        }
        let form: AnalysisForm = serde_json::from_slice(body).map_err(|e| wrong(e.to_string()))?;
        if !LINES.contains(&form.lines) {
            return Err(wrong(format!("lines is {} to {}", LINES.start(), LINES.end())));
        }
        if !NODES.contains(&form.nodes) {
            return Err(wrong(format!("nodes is {} to {}", NODES.start(), NODES.end())));
        }
        Ok(form)
    }

    fn job(&self) -> Job {
        let strength = Strength::Nodes(self.nodes);
        Job { strength, seed: 0, lines: self.lines, time_max: TIME_MAX }
    }

    fn query(self) -> Query {
        let AnalysisForm { variant, options, start, seed, moves, .. } = self;
        Query { variant, options, start, seed, moves, ..Query::default() }
    }
}

/// Returns the key under which one analysis at a time is allowed: the id of the account or guest,
/// else the address.
pub fn asker(viewer: &Viewer, address: IpAddr) -> String {
    let known = viewer.account.as_ref().map(|account| account.id.clone());
    known.unwrap_or_else(|| address.to_string())
}

/// Returns the best lines from a position.
///
/// A client has one search at a time: a newer request cancels the previous one. The searches of one
/// address run one after another. Positions that occur in a rated game in progress are refused
/// (`liveRatedGame`), and so are moves that lead through one.
#[utoipa::path(post, path = "/analysis", tag = "rules", request_body = AnalysisForm,
    responses((status = 200, body = AnalysisOut), (status = "4XX", body = Refused), (status = 503, body = Refused)))]
pub async fn analyse(
    State(app): State<App>,
    viewer: Viewer,
    Address(address): Address,
    body: Bytes,
) -> Result<Response, Error> {
    let form = match AnalysisForm::read(&body) {
        Ok(form) => form,
        Err(wrong) => return Ok(rules::refused(&wrong)),
    };
    let alone = app.analyses.thinking.begin(asker(&viewer, address));
    tokio::select! {
        answer = tokio::time::timeout(ANSWER_MAX, think(&app, requester(address), form)) => {
            answer.map_err(|_| Error::Busy)?
        }
        () = alone.ended() => Err(Error::Replaced),
    }
}

async fn think(app: &App, requester: Requester, form: AnalysisForm) -> Result<Response, Error> {
    let job = form.job();
    let query = form.query();
    let read = move || query.line().map(|line| (board_keys(&line), line));
    let (boards, line) = match rules::ask(app, read).await? {
        Ok(read) => read,
        Err(wrong) => return Ok(rules::refused(&wrong)),
    };
    refuse_rated_play(app, &boards)?;
    let (position, text, turn) = (line.position().boxed(), line.position().text(), line.turn());
    let thought = app.rooms.thinkers().think(requester, line, job).await?;
    // A live game may have reached this position during the search.
    refuse_rated_play(app, &boards)?;
    let rooms = app.rooms.clone();
    let thought = rules::ask(app, move || {
        thought.map(|thought| without_rated_play(&rooms, &*position, thought))
    });
    Ok(Json(wire::analysis(text, turn, thought.await?)).into_response())
}

/// Checks that no board occurs in a rated game in progress.
///
/// # Errors
/// [`Error::LiveRatedGame`].
pub fn refuse_rated_play(app: &App, boards: &[BoardKey]) -> Result<(), Error> {
    match app.rooms.find_in_rated_play(boards) {
        Some(_) => Err(Error::LiveRatedGame),
        None => Ok(()),
    }
}

/// Truncates every line where it reaches a position of a live rated game: the rest would be the
/// best move there.
fn without_rated_play(rooms: &Rooms, position: &dyn Position, mut thought: Thought) -> Thought {
    for line in &mut thought.lines {
        let mut after = position.boxed();
        let play = |u: &String| after.play(u).ok().map(|_| BoardKey::new(&*after));
        let boards: Vec<BoardKey> = line.moves.iter().map_while(play).collect();
        if let Some(place) = rooms.find_in_rated_play(&boards) {
            line.moves.truncate(place + 1);
        }
    }
    thought
}
