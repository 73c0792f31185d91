//! State of two accounts that decides whether they may play each other.
//!
//! One statement reads all of it. Callers: the transactions in `challenge`.

use super::batch::Batch;
use super::row::SqlRow;
use super::row::one_row;
use super::{AccountKey, StoreError};
use crate::play::clock::DAY_MS;

/// State of two accounts at one moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PairState {
    /// Whether each account is closed or missing.
    pub(super) is_closed: [bool; 2],
    /// Whether one of them has blocked the other.
    pub(super) is_blocked: bool,
    /// Rated games that they have started in the last 24 hours, without aborted ones.
    pub(super) rated_games: i64,
}

pub(super) const PAIR_STATE: &str = "SELECT
    (SELECT closed_ms IS NOT NULL FROM account WHERE key = $1),
    (SELECT closed_ms IS NOT NULL FROM account WHERE key = $2),
    EXISTS (SELECT 1 FROM block WHERE account = $1 AND other = $2)
    OR EXISTS (SELECT 1 FROM block WHERE account = $2 AND other = $1),
    (SELECT count(*) FROM game WHERE first = $1 AND second = $2
        AND created_ms > $3 AND rated AND status NOT IN (25, 37))
    + (SELECT count(*) FROM game WHERE first = $2 AND second = $1
        AND created_ms > $3 AND rated AND status NOT IN (25, 37))";

impl PairState {
    /// Adds the query of the state of two accounts.
    pub(super) fn query(batch: &mut Batch, [one, two]: [AccountKey; 2], now_ms: i64) {
        batch.add(PAIR_STATE).bind(one).bind(two).bind(now_ms - DAY_MS);
    }

    /// Returns the state in the row of that query.
    pub(super) fn from_rows(rows: &[SqlRow]) -> Result<PairState, StoreError> {
        let row: (Option<bool>, Option<bool>, bool, i64) = one_row(rows)?.decode()?;
        let (one_closed, two_closed, is_blocked, rated_games) = row;
        let is_closed = [one_closed, two_closed].map(|is_closed| is_closed.unwrap_or(true));
        Ok(PairState { is_closed, is_blocked, rated_games })
    }
}
