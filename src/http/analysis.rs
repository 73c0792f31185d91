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
use crate::rooms::Job;
use crate::search::Strength;
use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::net::IpAddr;
use std::ops::RangeInclusive;
use std::time::Duration;
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

/// The best lines from any position. One search at a time: a newer one of the same asker ends it.
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
        answer = tokio::time::timeout(ANSWER_MAX, think(&app, form)) => {
            answer.map_err(|_| Error::Busy)?
        }
        () = alone.ended() => Err(Error::Replaced),
    }
}

async fn think(app: &App, form: AnalysisForm) -> Result<Response, Error> {
    let job = form.job();
    let query = form.query();
    let line = match rules::ask(app, move || query.line()).await? {
        Ok(line) => line,
        Err(wrong) => return Ok(rules::refused(&wrong)),
    };
    let (position, turn) = (line.position().text(), line.turn());
    let thought = app.rooms.thinkers().think(line, job).await?;
    Ok(Json(wire::analysis(position, turn, thought)).into_response())
}
