//! Column formats of games: variants with options, and time controls.

use super::StoreError;
use crate::play::clock::{Pace, TimeControl};
use crate::rules::{Options, Side};
use crate::variants::{self, Variant};
use std::num::TryFromIntError;

/// Level of a computer player as a column, because PostgreSQL has no unsigned byte.
#[derive(Clone, Copy, Debug, sqlx::Type)]
#[sqlx(transparent)]
pub(super) struct LevelColumn(Option<i32>);

impl TryFrom<LevelColumn> for Option<u8> {
    type Error = TryFromIntError;

    fn try_from(LevelColumn(level): LevelColumn) -> Result<Option<u8>, TryFromIntError> {
        level.map(u8::try_from).transpose()
    }
}

/// Parses a variant key and options of the form `key=value key=value`.
pub(super) fn parse_variant(
    key: &str,
    chosen: &str,
) -> Result<(&'static Variant, Options), StoreError> {
    let bad = |what: &str| StoreError::InvalidRow(format!("{what} of variant {key:?}"));
    let variant = variants::by_key(key).ok_or_else(|| bad("key"))?;
    let mut options = variant.options();
    for pair in chosen.split_whitespace() {
        let (key, value) = pair.split_once('=').ok_or_else(|| bad("options"))?;
        options.set(key, value).map_err(|_| bad("options"))?;
    }
    Ok((variant, options))
}

/// Returns the time control of three columns: a clock, days per move, or unlimited.
pub(super) fn pace_from_columns(
    initial_ms: Option<i64>,
    increment_ms: Option<i64>,
    days: Option<i64>,
) -> Pace {
    let clock = || TimeControl::new(initial_ms?, increment_ms?).map(Pace::Clock);
    clock().or_else(|| Pace::days(days?)).unwrap_or(Pace::Unlimited)
}

/// Returns the value of the column `days`.
pub(super) fn days_per_move(pace: Pace) -> Option<i64> {
    match pace {
        Pace::Days(days) => Some(days.into()),
        Pace::Clock(_) | Pace::Unlimited => None,
    }
}

/// Parses an optional side.
pub(super) fn parse_side(text: Option<&str>) -> Result<Option<Side>, StoreError> {
    text.map(|text| text.parse().map_err(|_| StoreError::InvalidRow(format!("side {text:?}"))))
        .transpose()
}

/// Returns the column value of a side.
pub(super) fn side_str(side: Side) -> &'static str {
    match side {
        Side::First => "first",
        Side::Second => "second",
    }
}
