//! JSON columns of challenges: `plays`, `paces`, `acceptor_terms` and `maker_terms`.
//!
//! Rows are read as text and parsed one by one: a damaged one must not fail a whole list. Callers:
//! the creation and the loading of challenges.

use super::types::GameChoice;
use crate::play::challenge::Requirement;
use crate::play::clock::Pace;
use crate::store::StoreError;
use crate::variants;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Item of the column `plays`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlayItem {
    variant: String,
    options: BTreeMap<String, String>,
}

/// Value of the columns `acceptor_terms` and `maker_terms`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RequirementItem {
    range: String,
    provisional: bool,
    /// Rows of earlier versions allow bots.
    #[serde(default = "allowed", skip_serializing_if = "Clone::clone")]
    bots: bool,
}

fn allowed() -> bool {
    true
}

/// Returns the value of the column `plays`.
pub(super) fn plays_column(plays: &[GameChoice]) -> String {
    let item = |choice: &GameChoice| PlayItem {
        variant: choice.variant.info.key.to_owned(),
        options: choice.options.iter().map(|(key, value)| (key.into(), value.into())).collect(),
    };
    json_text(&plays.iter().map(item).collect::<Vec<_>>())
}

/// Returns the value of the column `paces`.
pub(super) fn paces_column(paces: &[Pace]) -> String {
    json_text(&paces.iter().map(Pace::to_string).collect::<Vec<_>>())
}

/// Returns the value of a column with a requirement.
pub(super) fn requirement_column(requirement: Requirement) -> String {
    let Requirement { range, provisional, bots } = requirement;
    json_text(&RequirementItem { range: range.to_string(), provisional, bots })
}

/// Parses the column `plays`.
pub(super) fn parse_plays(column: &str) -> Result<Vec<GameChoice>, StoreError> {
    let items: Vec<PlayItem> = parse(column)?;
    if items.is_empty() {
        return Err(invalid(column));
    }
    items.into_iter().map(|item| parse_play(&item).ok_or_else(|| invalid(column))).collect()
}

fn parse_play(item: &PlayItem) -> Option<GameChoice> {
    let variant = variants::by_key(&item.variant)?;
    let mut options = variant.options();
    for (key, value) in &item.options {
        options.set(key, value).ok()?;
    }
    Some(GameChoice { variant, options })
}

/// Parses the column `paces`.
pub(super) fn parse_paces(column: &str) -> Result<Vec<Pace>, StoreError> {
    let items: Vec<String> = parse(column)?;
    if items.is_empty() {
        return Err(invalid(column));
    }
    items.iter().map(|item| item.parse().map_err(|_| invalid(column))).collect()
}

/// Parses a column with a requirement.
pub(super) fn parse_requirement(column: &str) -> Result<Requirement, StoreError> {
    let RequirementItem { range, provisional, bots } = parse(column)?;
    Ok(Requirement { range: range.parse().map_err(|_| invalid(column))?, provisional, bots })
}

fn json_text(column: &impl Serialize) -> String {
    serde_json::to_string(column).expect("values that can be encoded")
}

fn parse<T: DeserializeOwned>(column: &str) -> Result<T, StoreError> {
    serde_json::from_str(column).map_err(|_| invalid(column))
}

fn invalid(column: &str) -> StoreError {
    StoreError::InvalidRow(format!("terms of a challenge: {column}"))
}

/// Returns whether one of the time controls is a clock.
pub(super) fn has_clock(paces: &[Pace]) -> bool {
    paces.iter().any(|pace| pace.clock().is_some())
}
