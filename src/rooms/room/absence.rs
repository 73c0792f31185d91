//! Absence of players: its announcement, the claim of a game, and the end of an abandoned one.
//!
//! Only begun games with a clock can be claimed. An absence is announced with a delay, so that
//! reloading a page is none. Outages of the server are excluded from it. Caller: the actor of the
//! room.

use super::message::CommandResult;
use crate::play::command::{Command, Refusal};
use crate::rooms::room::Room;
use crate::rules::Side;
use std::time::Duration;
use tokio::time::Instant;

/// Tolerance between two readings of the time of a claim, in milliseconds.
const CLAIM_TOLERANCE_MS: u64 = 1_000;

/// Divisor of the time after which a blitz game can be claimed: an absence is announced after that
/// part, so that reloading a page does not count as one.
const ABSENCE_DIVISOR: u32 = 6;

impl Room {
    /// Reads which players have a connection, and notes since when the others have none.
    pub(super) fn update_absence(&mut self) {
        let players = &self.row.players;
        for (player, since) in players.iter().zip(&mut self.absent_since) {
            if self.visits.has(player.account.key) {
                *since = None;
            } else {
                since.get_or_insert_with(Instant::now);
            }
        }
    }

    /// Returns whether a side can claim the game of an absent opponent, who may have joined since
    /// the last change that was handled.
    pub(super) async fn may_claim(&mut self, side: Option<Side>) -> bool {
        self.update_absence();
        let Some(side) = side else { return false };
        self.can_claim(side) && self.refresh_absence(side.other()).await && self.can_claim(side)
    }

    /// Updates the absence of a player, whose presence at other nodes is read. Returns false if it
    /// cannot be read.
    pub(super) async fn refresh_absence(&mut self, side: Side) -> bool {
        let account = self.player_keys()[side.index()];
        let is_known = self.rooms.refresh_presence(account).await;
        self.update_absence();
        is_known
    }

    /// Restarts the absence of a player without a connection, who has sent a command.
    pub(super) fn restart_absence(&mut self, side: Side) {
        if let Some(since) = &mut self.absent_since[side.index()] {
            *since = Instant::now();
        }
    }

    /// Excludes an outage of `lost_ms` milliseconds from the absence of the players.
    pub(super) fn exclude_from_absence(&mut self, lost_ms: i64) {
        let lost = Duration::from_millis(lost_ms.max(0).cast_unsigned());
        for since in self.absent_since.iter_mut().flatten() {
            *since = (*since + lost).min(Instant::now());
        }
    }

    /// Returns the duration after which an absence is announced, or `None` if the game cannot be
    /// claimed.
    pub(super) fn absence_after(&self) -> Option<Duration> {
        let claimable = self.game.end().is_none() && self.game.has_begun();
        let clock = self.row.setup.pace.clock().filter(|_| claimable);
        clock.map(|_| self.rooms.inner.settings.claim_after / ABSENCE_DIVISOR)
    }

    /// Returns the duration after the announcement from which the opponent can claim the game.
    pub(super) fn claim_after(&self) -> Duration {
        let blitz_ms = self.rooms.inner.settings.claim_after.as_millis() as i64;
        let claim_ms =
            self.row.setup.pace.clock().map_or(0, |clock| clock.claim_victory_after_ms(blitz_ms));
        Duration::from_millis(claim_ms.cast_unsigned())
    }

    /// Returns the next time at which the absence of a player is to be announced.
    pub(super) fn next_absence(&self) -> Option<Instant> {
        let (after, now) = (self.absence_after()?, Instant::now());
        let announced_at = self.absent_since.iter().flatten().map(|since| *since + after);
        announced_at.filter(|at| *at > now).min()
    }

    /// Returns the time from which the game of each absent player can be claimed.
    pub(super) fn claimable_at(&self) -> [Option<Instant>; 2] {
        let Some(after) = self.absence_after() else { return [None; 2] };
        let claim_after = after + self.claim_after();
        let announced = self.absent_since.map(|since| since.filter(|at| at.elapsed() >= after));
        announced.map(|since| since.map(|since| since + claim_after))
    }

    pub(super) fn can_claim(&self, side: Side) -> bool {
        let claim_at = self.claimable_at()[side.other().index()];
        claim_at.is_some_and(|claim_at| claim_at <= Instant::now())
    }

    pub(super) fn claimable_ms(&self) -> [Option<i64>; 2] {
        let claimable_at = self.claimable_at();
        if claimable_at == [None; 2] {
            return [None; 2];
        }
        let (now, now_ms) = (Instant::now(), self.now_ms());
        claimable_at.map(|at| {
            let wait = at?.saturating_duration_since(now);
            Some(now_ms + wait.as_millis() as i64)
        })
    }

    /// Returns which players hide their presence.
    pub(super) fn hidden_players(&self) -> [bool; 2] {
        self.player_keys().map(|key| self.rooms.user_hub().hides_presence(key))
    }

    /// Publishes immediately that a player has left or returned.
    pub(super) fn publish_absence(&mut self) {
        let claim_ms = self.claimable_ms();
        // Each message to the room leads here, and the hub has a lock: it is asked only when
        // a player is absent.
        let is_hidden = match claim_ms {
            [None, None] => [false; 2],
            _ => self.hidden_players(),
        };
        self.status.change(|status| {
            // Differences between two readings of the same time are not published.
            let has_changed = status.is_hidden != is_hidden
                || [0, 1].into_iter().any(|side| match (status.claim_ms[side], claim_ms[side]) {
                    (Some(published), Some(now)) => published.abs_diff(now) > CLAIM_TOLERANCE_MS,
                    (published, now) => published.is_some() != now.is_some(),
                });
            if has_changed {
                (status.claim_ms, status.is_hidden) = (claim_ms, is_hidden);
            }
            has_changed
        });
    }

    /// Ends the game if the person to move has left it. Refuses if that player has returned or
    /// moved since the request was sent.
    pub(super) async fn abandon(&mut self) -> CommandResult {
        let (row, side) = (self.row.clone(), self.game.line().turn());
        let is_absence_known = self.refresh_absence(side).await;
        let is_left = row.is_abandonable(side) && is_absence_known && !self.is_attended();
        let abandoned_after_ms = self.rooms.inner.settings.abandoned_after_ms;
        let done = self.execute(None, |game, now_ms, _| {
            if game.end().is_none() && !(is_left && now_ms - game.last_ms() >= abandoned_after_ms) {
                return Err(Refusal::NotGone);
            }
            game.command(side, &Command::Abandon, now_ms)
        });
        done.await
    }

    /// Returns whether a person has a connection to the game as its player.
    pub(super) fn is_attended(&self) -> bool {
        self.rooms.is_attended(&self.row)
    }
}
