//! Verification of game records, for `sprong verify`: commitment, start, moves, position and end.
//!
//! It needs the record only, and trusts no field that another one determines. The commitment noted
//! before the game, if there is one, must be that of the record. Caller: the subcommand `verify`.

use super::commit_reveal::{SeedCommitment, commitment};
use super::event::{DrawReason, GameStatus};
use super::played_line::PlayedLine;
use super::query::Query;
use crate::rules::{Ending, Side};
use crate::variants;
use serde::Deserialize;
use serde_json::{Map, Value};

/// Record of a game as returned by the API, with the fields that can be verified.
#[derive(Clone, Debug, Deserialize)]
pub struct Record {
    variant: RecordVariant,
    #[serde(default)]
    options: Map<String, Value>,
    #[serde(rename = "initialFen")]
    start: String,
    #[serde(default)]
    shuffle: Option<SeedCommitment>,
    state: RecordState,
    position: String,
    turn: Side,
    #[serde(default)]
    end: Option<RecordEnd>,
}

/// End of the game according to the record.
#[derive(Clone, Debug, Deserialize)]
struct RecordEnd {
    status: GameStatus,
    winner: Option<Side>,
    reason: Option<DrawReason>,
    #[serde(default)]
    ending: Option<Ending>,
}

#[derive(Clone, Debug, Deserialize)]
struct RecordVariant {
    key: String,
}

#[derive(Clone, Debug, Deserialize)]
struct RecordState {
    moves: String,
    status: GameStatus,
}

impl Record {
    /// Verifies the record: seed and salt match the commitment, the seed gives the start, and the
    /// legal moves lead to the position and the end. `recorded_commitment` is the commitment noted
    /// before the game, if any. Returns one line per passed check.
    ///
    /// # Errors
    /// Returns the first contradiction.
    pub fn verify(&self, recorded_commitment: Option<&str>) -> Result<Vec<String>, String> {
        let mut checks = Vec::new();
        match &self.shuffle {
            Some(shuffle) => checks.extend(self.verify_shuffle(shuffle, recorded_commitment)?),
            None if recorded_commitment.is_some() => {
                return Err("the record has no shuffle".to_owned());
            }
            None if variants::by_key(&self.variant.key)
                .is_some_and(|variant| variant.info.chance) =>
            {
                return Err("the record has no shuffle: its start cannot be verified".to_owned());
            }
            None => {
                let line = self.query().line().map_err(|error| error.error)?;
                if line.start() != self.start {
                    return Err(format!("start: expected {}, found {}", line.start(), self.start));
                }
                checks.push("start: the variant's own, not random".to_owned());
            }
        }
        let moves: Vec<String> = self.state.moves.split_whitespace().map(str::to_owned).collect();
        let plies = moves.len();
        let query = Query { start: Some(self.start.clone()), moves, ..self.query() };
        let line = query.line().map_err(|error| format!("move {}: {error}", error.ply + 1))?;
        let end = line.position().text();
        if end != self.position {
            return Err(format!("moves: they lead to {end}, but the record has {}", self.position));
        }
        if line.turn() != self.turn {
            return Err(format!(
                "turn: expected the {} side, found the {} side",
                line.turn(),
                self.turn
            ));
        }
        checks.push(format!("moves: {plies} plies, all legal, lead to the position"));
        checks.push(self.verify_end(&line)?);
        Ok(checks)
    }

    /// Checks the end against the rules. They determine wins by the variant's own rules and draws
    /// by history; resignations, agreements and timeouts cannot be checked.
    fn verify_end(&self, line: &PlayedLine) -> Result<String, String> {
        let recorded_status = self.end.as_ref().map_or(GameStatus::Started, |end| end.status);
        if recorded_status != self.state.status {
            return Err("end: `state` and `end` have different statuses".to_owned());
        }
        let winner = self.end.as_ref().and_then(|end| end.winner);
        let decided =
            line.position().decided_winner().filter(|_| recorded_status == GameStatus::Resign);
        if (winner.is_none() && recorded_status.requires_winner())
            || decided.is_some_and(|side| winner != Some(side))
        {
            return Err(format!("end: {} cannot have won", winner_name(winner)));
        }
        let Some((outcome, reason)) = line.outcome() else {
            return match &self.end {
                None => Ok("end: the game is in progress".to_owned()),
                Some(end) if end.status == GameStatus::VariantEnd => {
                    Err("end: according to the rules the game is not over".to_owned())
                }
                Some(RecordEnd { reason: Some(reason), .. })
                    if !matches!(reason, DrawReason::Agreement | DrawReason::Claim) =>
                {
                    Err(format!("end: according to the rules there is no {}", reason.as_str()))
                }
                Some(_) => {
                    Ok("end: by the players or the clock, which the rules cannot check".to_owned())
                }
            };
        };
        let drawn = DrawReason::from_end_reason(reason);
        let status = if drawn.is_some() { GameStatus::Draw } else { GameStatus::VariantEnd };
        let agrees = self.end.as_ref().is_some_and(|end| {
            let ending = end.ending.is_none_or(|ending| line.ending() == Some(ending));
            ending && (end.status, end.winner, end.reason) == (status, outcome.winner(), drawn)
        });
        let winner = winner_name(outcome.winner());
        if agrees {
            return Ok(format!("end: {}, {winner} has won", reason.as_str()));
        }
        Err(format!("end: according to the rules {}, and {winner} has won", reason.as_str()))
    }

    fn query(&self) -> Query {
        let (variant, options) = (self.variant.key.clone(), self.options.clone());
        Query { variant, options, ..Query::default() }
    }

    fn verify_shuffle(
        &self,
        shuffle: &SeedCommitment,
        recorded_commitment: Option<&str>,
    ) -> Result<[String; 2], String> {
        if let Some(expected) = recorded_commitment
            .filter(|recorded| !recorded.eq_ignore_ascii_case(&shuffle.commitment))
        {
            return Err(format!(
                "commitment: {} in the record, {expected} noted",
                shuffle.commitment
            ));
        }
        let (Some(seed), Some(salt)) = (shuffle.seed, &shuffle.salt) else {
            return Err("shuffle: seed and salt are published when the game is over".to_owned());
        };
        let computed = commitment(seed, salt);
        if computed != shuffle.commitment {
            let promise = &shuffle.commitment;
            return Err(format!(
                "commitment: the SHA-256 of {seed}:{salt} is {computed}, not {promise}"
            ));
        }
        let line = Query { seed, ..self.query() }.line().map_err(|error| error.error)?;
        if line.start() != self.start {
            return Err(format!(
                "start: the seed {seed} draws {}, not {}",
                line.start(),
                self.start
            ));
        }
        Ok([
            format!("commitment: {computed} is the SHA-256 of {seed}:{salt}"),
            format!("start: drawn by the seed {seed}"),
        ])
    }
}

fn winner_name(winner: Option<Side>) -> String {
    winner.map_or("nobody".to_owned(), |side| side.to_string())
}
