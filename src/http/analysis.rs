//! What the computer thinks of any position, asked by anybody.

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

/// How many of the best lines may be asked for.
const LINES: RangeInclusive<usize> = 1..=5;

/// How many positions a search may look at.
const NODES: RangeInclusive<u64> = 1_000..=2_000_000;

/// How long a search may take once it has begun.
const TIME_MAX: Duration = Duration::from_secs(5);

/// How long an answer may take, with the time for which others were first. A request that takes
/// longer is cut off without a word of ours.
pub const ANSWER_MAX: Duration = Duration::from_secs(7);

/// The part of that time that is reserved for reading the request and writing the answer.
const ANSWER_RESERVE: Duration = Duration::from_millis(500);

/// A requester of that network that waits for an answer from now on.
pub fn requester(network: IpAddr) -> Requester {
    Requester { network, answer_by: Instant::now() + (ANSWER_MAX - ANSWER_RESERVE) }
}

/// What is analysed, and how often.
#[derive(Debug)]
pub struct Analyses {
    /// How often each address may ask.
    pub rate: Rate,
    /// What each asker has the computer think about.
    pub thinking: Lone<String>,
    /// What game each asker has it review.
    pub reviewing: Lone<String>,
    /// The reviews that were made.
    pub reviews: Reviews,
}

impl Analyses {
    /// So many a minute for each address.
    pub fn per_minute(times: u32) -> Analyses {
        Analyses {
            rate: Rate::per_minute(times),
            thinking: Lone::default(),
            reviewing: Lone::default(),
            reviews: Reviews::default(),
        }
    }
}

/// What the computer is to think about.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AnalysisForm {
    /// Key of the variant.
    variant: String,
    /// The options chosen; the others are at their defaults.
    #[serde(default)]
    #[schema(value_type = Object)]
    options: Map<String, Value>,
    /// The position text it begins with; without it, the variant's own start.
    start: Option<String>,
    /// Draws what the start leaves to chance.
    #[serde(default)]
    seed: u64,
    /// The notations played from there.
    #[serde(default)]
    moves: Vec<String>,
    /// How many of the best lines are wanted, 1 to 5.
    #[serde(default = "lines_usual")]
    lines: usize,
    /// How many positions to look at, 1000 to 2000000.
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

/// Whom the bound of one at a time is for: an account or guest, or else an address.
pub fn asker(viewer: &Viewer, address: IpAddr) -> String {
    let known = viewer.account.as_ref().map(|account| account.id.clone());
    known.unwrap_or_else(|| address.to_string())
}

/// The best lines from any position. One search at a time: a newer one of the same asker ends it. The
/// searches of one address run one after another. A position that stands in a rated game in
/// play is refused (`liveRatedGame`), and so are moves that lead through one.
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
    // A game may have come to this position while it was searched.
    refuse_rated_play(app, &boards)?;
    let rooms = app.rooms.clone();
    let thought = rules::ask(app, move || {
        thought.map(|thought| without_rated_play(&rooms, &*position, thought))
    });
    Ok(Json(wire::analysis(text, turn, thought.await?)).into_response())
}

/// Refuses the engine's help with boards of which one stands in a rated game in play.
pub fn refuse_rated_play(app: &App, boards: &[BoardKey]) -> Result<(), Error> {
    match app.rooms.find_in_rated_play(boards) {
        Some(_) => Err(Error::LiveRatedGame),
        None => Ok(()),
    }
}

/// Cuts every line where it comes to a position of a live rated game: what follows would be the best
/// move there.
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
