//! Players who have left: when that is told, and when their game can be claimed.

use super::room::Room;
use crate::rules::Side;
use std::time::Duration;
use tokio::time::Instant;

/// Two readings of the moment at which a game can be claimed differ by no more than this.
const SAME_MS: u64 = 1_000;

/// Of the time after which a blitz game can be claimed, this part passes before anybody is told
/// that a player has gone: whoever loads the page again has not.
const GONE_PARTS: u32 = 6;

impl Room {
    /// How long a player may be away before that is told; none if nobody may claim this game.
    pub(super) fn gone_after(&self) -> Option<Duration> {
        let claimable = self.game.end().is_none() && self.game.is_begun();
        let clock = self.row.setup.pace.clock().filter(|_| claimable);
        clock.map(|_| self.rooms.inner.settings.claim / GONE_PARTS)
    }

    /// How long after that the other may claim the game.
    pub(super) fn claim_after(&self) -> Duration {
        let blitz_ms = self.rooms.inner.settings.claim.as_millis() as i64;
        let claim_ms = self.row.setup.pace.clock().map_or(0, |clock| clock.claim_ms(blitz_ms));
        Duration::from_millis(claim_ms.cast_unsigned())
    }

    pub(super) fn next_gone(&self) -> Option<Instant> {
        self.gone_after().and_then(|after| self.around.next_away(after))
    }

    /// When the game of each player who has gone can be claimed.
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

    /// Tells at once which player has gone or is back.
    pub(super) fn tell_gone(&self) {
        let claim_ms = self.claims_ms();
        self.told.send_if_modified(|told| {
            // Who has gone or is back is news; that the same reading differs by a moment is not.
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
