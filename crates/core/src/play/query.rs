//! Position queries, as in `POST /api/position`, and their answers as JSON.
//!
//! The same code runs in the browser: `crates/wasm` builds it, and both must answer alike. A JSON
//! object that is not a query is the exception: the server refuses it as it does in all requests.
//! Callers: `api::rules`, `verify`, the subcommands, and `crates/wasm`.

use super::played_line::PlayedLine;
use super::reason::Reason;
use crate::rules::{BrokenRule, Cell, Ending, Outcome, Side, Trace, Violation};
use crate::variants;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Query for the position and legal moves after given moves.
#[derive(Clone, PartialEq, Default, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Query {
    /// Key of the variant.
    pub variant: String,
    /// Options that differ from their defaults.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(value_type = super::option_values::OptionValues))]
    pub options: Map<String, Value>,
    /// Text of the start position; by default the variant's own start.
    #[serde(default)]
    pub start: Option<String>,
    /// Seed of a random start.
    #[serde(default)]
    pub seed: u64,
    /// Notations of the moves played.
    #[serde(default)]
    pub moves: Vec<String>,
    /// Whether to include every ply in the answer.
    #[serde(default)]
    pub replay: bool,
    /// Cells clicked so far for the next move. The answer then has a preview or a refusal in place
    /// of the legal moves.
    #[serde(default)]
    pub clicks: Option<Vec<String>>,
}

/// One ply of a replay.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PlyInfo {
    /// Text of the position after the ply.
    pub position: String,
    /// Trace of the move.
    pub trace: Trace,
}

/// Result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum QueryOutcome {
    /// The first side has won.
    First,
    /// The second side has won.
    Second,
    /// Neither side has won.
    Draw,
}

impl From<Outcome> for QueryOutcome {
    fn from(outcome: Outcome) -> QueryOutcome {
        match outcome {
            Outcome::Win(Side::First) => QueryOutcome::First,
            Outcome::Win(Side::Second) => QueryOutcome::Second,
            Outcome::Draw => QueryOutcome::Draw,
        }
    }
}

/// Answer to a query.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct QueryAnswer {
    /// Text of the position after the moves.
    pub position: String,
    /// Side to move.
    pub turn: Side,
    /// Legal moves in byte order; none if the game is over. Omitted if the query has clicks.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub legal: Option<Vec<String>>,
    /// Result; null if the game is not over.
    #[cfg_attr(feature = "schema", schema(required))]
    pub outcome: Option<QueryOutcome>,
    /// Reason for the result.
    #[cfg_attr(feature = "schema", schema(required))]
    pub reason: Option<&'static str>,
    /// Ending with the counts of both sides, if the goal of the variant or a lack of progress ended
    /// the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub ending: Option<Ending>,
    /// Every ply, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub replay: Option<Vec<PlyInfo>>,
    /// Common part of the traces of all legal moves that begin with the clicks, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub preview: Option<Trace>,
    /// Rule that forbids the clicks, if no legal move begins with them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub refusal: Option<Violation>,
}

/// Error of a query.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, thiserror::Error)]
#[error("{error}")]
pub struct QueryError {
    /// Message that names the fault and its place.
    pub error: String,
    /// Code for programs.
    pub reason: Reason,
    /// Number of moves played before the error.
    pub ply: usize,
    /// Code of the rule that forbids the move at `ply`, if the error is an illegal move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<BrokenRule>,
}

impl QueryError {
    fn new(error: impl ToString) -> QueryError {
        QueryError { error: error.to_string(), reason: Reason::BadPosition, ply: 0, rule: None }
    }
}

/// Returns the text form of an option value.
fn option_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

impl Query {
    /// Parses a query from JSON.
    ///
    /// # Errors
    /// Fails if the text is not a JSON object or not a query.
    pub fn parse(json: &str) -> Result<Query, QueryError> {
        if json.trim_start().starts_with('{') {
            serde_json::from_str(json).map_err(QueryError::new)
        } else {
            Err(QueryError::new("this is not a JSON object"))
        }
    }

    /// Returns the line of play of the query.
    ///
    /// # Errors
    /// Fails if the variant, an option, the start or a move is invalid.
    pub fn line(&self) -> Result<PlayedLine, QueryError> {
        self.for_each_ply(|_| {})
    }

    /// Plays the line and calls `visit` after every ply.
    fn for_each_ply(&self, mut visit: impl FnMut(&PlayedLine)) -> Result<PlayedLine, QueryError> {
        let variant = variants::by_key(&self.variant).ok_or_else(|| {
            let keys: Vec<_> = variants::ALL.iter().map(|variant| variant.info.key).collect();
            QueryError::new(format!(
                "there is no variant {:?}; there are: {}",
                self.variant,
                keys.join(", ")
            ))
        })?;
        let mut options = variant.options();
        for (key, value) in &self.options {
            options.set(key, &option_text(value)).map_err(QueryError::new)?;
        }
        let position = match &self.start {
            Some(text) => variant.read(text, &options).map_err(QueryError::new)?,
            None => variant.start(&options, self.seed),
        };
        let mut line = PlayedLine::new(position);
        for (ply, u) in self.moves.iter().enumerate() {
            line.play(u).map_err(|illegal| QueryError {
                ply,
                rule: illegal.violation().map(|violation| violation.rule),
                ..QueryError::new(illegal)
            })?;
            visit(&line);
        }
        Ok(line)
    }

    /// Answers the query.
    ///
    /// # Errors
    /// Fails as [`Query::line`] does, and if a clicked cell is invalid.
    pub fn answer(&self) -> Result<QueryAnswer, QueryError> {
        let mut plies = Vec::new();
        let line = self.for_each_ply(|line| {
            if let Some(trace) = line.last().filter(|_| self.replay) {
                plies
                    .push(PlyInfo { position: line.position().text(), trace: Trace::clone(trace) });
            }
        })?;
        let clicks = self.clicks.iter().flatten().map(|cell| cell.parse());
        let clicks: Vec<Cell> = clicks.collect::<Result<_, _>>().map_err(QueryError::new)?;
        let verdict = line.outcome();
        let preview = self.clicks.as_ref().filter(|_| verdict.is_none());
        Ok(QueryAnswer {
            position: line.position().text(),
            turn: line.turn(),
            legal: self.clicks.is_none().then(|| line.legal_moves()),
            outcome: verdict.map(|(outcome, _)| outcome.into()),
            reason: verdict.map(|(_, reason)| reason.as_str()),
            replay: self.replay.then_some(plies),
            ending: line.ending(),
            preview: preview.and_then(|_| line.position().preview(&clicks)),
            refusal: self.clicks.as_ref().and_then(|_| line.violation(&clicks)),
        })
    }
}
