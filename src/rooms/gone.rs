//! Absence of players: its announcement, and the claim of a game.

use super::room::Room;
use crate::rules::Side;
use std::time::Duration;
use tokio::time::Instant;

/// Tolerance between two readings of the time of a claim, in milliseconds.
const SAME_MS: u64 = 1_000;

/// Divisor of the time after which a blitz game can be claimed: an absence is announced after that
/// part, so that reloading a page does not count as one.
const GONE_PARTS: u32 = 6;

impl Room {
    /// Returns the duration after which an absence is announced, or `None` if the game cannot be
    /// claimed.
    pub(super) fn gone_after(&self) -> Option<Duration> {
        let claimable = self.game.end().is_none() && self.game.is_begun();
        let clock = self.row.setup.pace.clock().filter(|_| claimable);
        clock.map(|_| self.rooms.inner.settings.claim / GONE_PARTS)
    }

    /// Returns the duration after the announcement from which the opponent can claim the game.
    pub(super) fn claim_after(&self) -> Duration {
        let blitz_ms = self.rooms.inner.settings.claim.as_millis() as i64;
        let claim_ms = self.row.setup.pace.clock().map_or(0, |clock| clock.claim_ms(blitz_ms));
        Duration::from_millis(claim_ms.cast_unsigned())
    }

    pub(super) fn next_gone(&self) -> Option<Instant> {
        self.gone_after().and_then(|after| self.around.next_away(after))
    }

    /// Returns the time from which the game of each absent player can be claimed.
    pub(super) fn claims(&self) -> [Option<Instant>; 2] {
        let Some(after) = self.gone_after() else { return [None; 2] };
        let claim_after = after + self.claim_after();
        self.around.away(after).map(|since| since.map(|since| since + claim_after))
    }

    pub(super) fn can_claim(&self, side: Side) -> bool {
        let claim_at = self.claims()[side.other().index()];
        claim_at.is_some_and(|claim_at| claim_at <= Instant::now())
    }

    pub(super) fn claims_ms(&self) -> [Option<i64>; 2] {
        let (now, now_ms) = (Instant::now(), self.now_ms());
        self.claims().map(|at| {
            let wait = at?.saturating_duration_since(now);
            Some(now_ms + wait.as_millis() as i64)
        })
    }

    /// Publishes immediately that a player has left or returned.
    pub(super) fn tell_gone(&self) {
        let claim_ms = self.claims_ms();
        self.told.send_if_modified(|told| {
            // Differences between two readings of the same time are not published.
            let news = [0, 1].into_iter().any(|side| match (told.claim_ms[side], claim_ms[side]) {
                (Some(told), Some(now)) => told.abs_diff(now) > SAME_MS,
                (told, now) => told.is_some() != now.is_some(),
            });
            if news {
                told.claim_ms = claim_ms;
            }
            news
        });
    }
}
