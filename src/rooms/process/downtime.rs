//! Outages: process stalls, storage failures, the start and stop of the server, and deaths of other
//! nodes.
//!
//! Players cannot move during an outage, which is therefore excluded from the clocks. Each room
//! records new outages in the log of its game before it handles the next message. No clock runs out
//! while a storage failure, a start or a stop lasts. Long outages are stored (`long_outages`).
//! Callers: `Rooms`, every room, and the other modules of `process`.

use super::long_outages::LongOutages;
use crate::bus::{Subscriber, Topic};
use crate::play::game::Game;
use crate::rooms::now_ms;
use crate::store::{AccountKey, Outage, PublicId};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use tokio::time::Instant;

/// Interval at which the time is read if nothing else reads it.
pub(in crate::rooms) const STALL_CHECK_INTERVAL: Duration = Duration::from_millis(200);

/// Interval between two readings of the time from which it counts as a process stall, in
/// milliseconds.
const STALL_MIN_MS: i64 = 2_000;

/// Shortest outage of storage, in milliseconds; below it, a single slow commit is ignored.
pub(in crate::rooms) const STORAGE_OUTAGE_MIN_MS: i64 = 250;

/// Number of outages retained. Rooms handle each outage before anything else, so that only those
/// during which no room could act are needed.
const OUTAGES_MAX: usize = 64;

/// Ends of an outage for the players of games, in epoch milliseconds.
pub(in crate::rooms) type PlayerOutages = HashMap<(AccountKey, PublicId), i64>;

/// Players who could not move during an outage.
#[derive(Clone, Debug)]
pub(in crate::rooms) enum OutageScope {
    All,
    /// Players with a connection to this node.
    ConnectedHere,
    /// Players whose only connection was to a node that has died.
    Players(Arc<PlayerOutages>),
}

/// Outage with those that it concerns.
#[derive(Clone, Debug)]
pub(in crate::rooms) struct RecordedOutage {
    pub(in crate::rooms) outage: Outage,
    pub(in crate::rooms) scope: OutageScope,
}

/// Log of outages. The first reading of the time after a stall records it for all rooms.
#[derive(Debug)]
pub(in crate::rooms) struct DowntimeLog {
    state: Mutex<DowntimeState>,
    /// New outages, observed by rooms.
    new_outages: Topic<()>,
}

#[derive(Debug)]
struct DowntimeState {
    /// Last reading of the time.
    last_read_ms: Option<i64>,
    /// Beginning of the current storage failure.
    storage_failed_ms: Option<i64>,
    /// Beginning of the current start or stop of the server.
    maintenance_ms: Option<i64>,
    /// End of the start of the server.
    serving_since: Option<Instant>,
    /// In the order of their ends.
    outages: VecDeque<RecordedOutage>,
    long: LongOutages,
}

impl DowntimeState {
    fn record(&mut self, outage: Outage, scope: OutageScope) {
        let outage_ms = outage.to_ms - outage.from_ms;
        tracing::warn!(outage_ms, "Outage recorded; clocks adjusted");
        self.long.add(outage);
        if self.outages.len() == OUTAGES_MAX {
            self.outages.pop_front();
        }
        let at = self.outages.partition_point(|known| known.outage.to_ms <= outage.to_ms);
        self.outages.insert(at, RecordedOutage { outage, scope });
    }
}

impl DowntimeLog {
    /// Creates a log without outages.
    pub(in crate::rooms) fn new() -> DowntimeLog {
        let state = DowntimeState {
            last_read_ms: None,
            storage_failed_ms: None,
            maintenance_ms: None,
            serving_since: None,
            outages: VecDeque::new(),
            long: LongOutages::default(),
        };
        DowntimeLog { state: Mutex::new(state), new_outages: Topic::default() }
    }

    /// Subscribes to new outages.
    pub(in crate::rooms) fn subscribe(&self) -> Subscriber<()> {
        self.new_outages.subscribe()
    }

    fn state(&self) -> MutexGuard<'_, DowntimeState> {
        self.state.lock().expect("outage log lock")
    }

    /// Returns epoch milliseconds, and first records a process stall that ends with this reading.
    pub(in crate::rooms) fn now_ms(&self) -> i64 {
        let mut state = self.state();
        let now_ms = now_ms();
        let last_read_ms = state.last_read_ms.replace(now_ms);
        if let Some(stall_began_ms) =
            last_read_ms.filter(|stall_began_ms| now_ms - stall_began_ms >= STALL_MIN_MS)
        {
            let outage = Outage { from_ms: stall_began_ms, to_ms: now_ms };
            state.record(outage, OutageScope::ConnectedHere);
            drop(state);
            self.new_outages.publish(());
        }
        now_ms
    }

    /// Records that the clock has jumped since `before_ms`, which is no stall of this process.
    pub(in crate::rooms) fn record_jump(&self, before_ms: i64) {
        let mut state = self.state();
        state.last_read_ms = Some(now_ms());
        self.record_until_now(state, before_ms);
    }

    /// Records the death of another node, during which these players could not move.
    pub(in crate::rooms) fn record_death(&self, outage: Outage, players: PlayerOutages) {
        self.state().record(outage, OutageScope::Players(Arc::new(players)));
        self.new_outages.publish(());
    }

    /// Returns the outages since the last event of a game that count for it.
    pub(in crate::rooms) fn outages_since(&self, game: &Game) -> Vec<RecordedOutage> {
        let (state, last_ms) = (self.state(), game.last_ms());
        if game.clock().is_none() {
            let long = state.long.after(last_ms);
            let scope = OutageScope::All;
            return long.map(|outage| RecordedOutage { outage, scope: scope.clone() }).collect();
        }
        let is_later = |recorded: &RecordedOutage| recorded.outage.to_ms > last_ms;
        if !state.outages.back().is_some_and(is_later) {
            return Vec::new();
        }
        state.outages.iter().filter(|recorded| is_later(recorded)).cloned().collect()
    }

    /// Adds stored outages, for games without a clock.
    pub(in crate::rooms) fn add_stored(&self, outages: Vec<Outage>) {
        self.state().long.add_stored(outages);
    }

    /// Returns the outages until `now_ms` that are to be stored.
    pub(in crate::rooms) fn unsaved(&self, now_ms: i64) -> Vec<Outage> {
        let mut state = self.state();
        if let Some(from_ms) = state.storage_failed_ms {
            state.long.add(Outage { from_ms, to_ms: now_ms });
        }
        state.long.unsaved()
    }

    /// Marks outages as stored.
    pub(in crate::rooms) fn mark_saved(&self, outages: &[Outage]) {
        self.state().long.mark_saved(outages);
    }

    /// Returns the longest outage for games without a clock.
    pub(in crate::rooms) fn longest_outage(&self) -> Option<Outage> {
        self.state().long.longest()
    }

    /// Returns the time since the server accepts connections.
    pub(in crate::rooms) fn serving_for(&self) -> Duration {
        self.state().serving_since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    /// Returns the duration of the outages after the last event of a game without a clock, in
    /// milliseconds.
    pub(in crate::rooms) fn duration_after(&self, last_ms: i64) -> i64 {
        self.state().long.duration_after(last_ms)
    }

    /// Records the beginning of a storage failure: a write attempted at `tried_ms` failed.
    pub(in crate::rooms) fn storage_failed(&self, tried_ms: i64) {
        self.state().storage_failed_ms.get_or_insert(tried_ms);
    }

    /// Returns whether a write failed and none has succeeded since.
    pub(in crate::rooms) fn is_storage_failing(&self) -> bool {
        self.state().storage_failed_ms.is_some()
    }

    /// Begins the start or stop of the server, which lasts until [`DowntimeLog::end_maintenance`]
    /// or the end of the process.
    pub(in crate::rooms) fn begin_maintenance(&self) {
        self.state().maintenance_ms.get_or_insert(now_ms());
    }

    /// Returns the time at which the current start or stop of the server began, if there is one.
    pub(in crate::rooms) fn maintenance_since_ms(&self) -> Option<i64> {
        self.state().maintenance_ms
    }

    /// Ends the start of the server, and records it as an outage.
    pub(in crate::rooms) fn end_maintenance(&self) {
        let mut state = self.state();
        let from_ms = state.maintenance_ms.take();
        state.serving_since.get_or_insert_with(Instant::now);
        if let Some(from_ms) = from_ms {
            self.record_until_now(state, from_ms);
        }
    }

    /// Records an outage from `from_ms` until now, unless it is too short.
    pub(in crate::rooms) fn record_since(&self, from_ms: i64) {
        self.record_until_now(self.state(), from_ms);
    }

    fn record_until_now(&self, mut state: MutexGuard<'_, DowntimeState>, from_ms: i64) {
        let to_ms = now_ms();
        if to_ms - from_ms < STORAGE_OUTAGE_MIN_MS {
            return;
        }
        state.record(Outage { from_ms, to_ms }, OutageScope::All);
        drop(state);
        self.new_outages.publish(());
    }

    /// Returns whether clocks must not run out at present.
    pub(in crate::rooms) fn is_stalled(&self) -> bool {
        let state = self.state();
        state.storage_failed_ms.is_some() || state.maintenance_ms.is_some()
    }

    /// Ends a storage failure after a successful write; returns whether there was one.
    pub(in crate::rooms) fn storage_recovered(&self) -> bool {
        let mut state = self.state();
        let Some(from_ms) = state.storage_failed_ms.take() else { return false };
        // A stall during the failure is part of it, and would otherwise be recorded twice.
        state.outages.retain(|recorded| recorded.outage.from_ms < from_ms);
        state.long.remove_from(from_ms);
        self.record_until_now(state, from_ms);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    fn minutes(outages: &[Outage]) -> Vec<i64> {
        outages.iter().map(|outage| (outage.to_ms - outage.from_ms) / 60_000).collect()
    }

    #[tokio::test(start_paused = true)]
    async fn long_stall_is_stored_with_the_next_heartbeat() {
        let downtime = DowntimeLog::new();
        let before_ms = downtime.now_ms();
        tokio::time::advance(3 * MINUTE).await;
        let unsaved = downtime.unsaved(downtime.now_ms());
        assert_eq!(minutes(&unsaved), [3]);
        assert_eq!(downtime.duration_after(before_ms), 180_000);
        downtime.mark_saved(&unsaved);
        assert!(downtime.unsaved(downtime.now_ms()).is_empty());
        // A short stall counts for games with a clock only.
        tokio::time::advance(MINUTE / 2).await;
        assert!(downtime.unsaved(downtime.now_ms()).is_empty());
        assert_eq!(downtime.state().outages.len(), 2);
    }

    /// A heartbeat that succeeds after a storage failure is stored together with the failure,
    /// although that ends with this heartbeat.
    #[tokio::test(start_paused = true)]
    async fn storage_failure_is_stored_with_the_heartbeat_that_ends_it() {
        let downtime = DowntimeLog::new();
        let failed_ms = downtime.now_ms();
        downtime.storage_failed(failed_ms);
        for _ in 0..120 {
            tokio::time::advance(Duration::from_secs(1)).await;
            downtime.now_ms();
        }
        let with_heartbeat = downtime.unsaved(downtime.now_ms());
        assert_eq!(minutes(&with_heartbeat), [2]);
        tokio::time::advance(Duration::from_secs(1)).await;
        downtime.mark_saved(&with_heartbeat);
        assert!(downtime.storage_recovered());
        // The failure lasted until the write had succeeded.
        let all = downtime.unsaved(downtime.now_ms());
        assert_eq!(all, [Outage { from_ms: failed_ms, to_ms: failed_ms + 121_000 }]);
        assert_eq!(downtime.duration_after(failed_ms + 60_000), 61_000);
    }

    /// A stall during a storage failure is part of it.
    #[tokio::test(start_paused = true)]
    async fn stall_during_a_storage_failure_counts_once() {
        let downtime = DowntimeLog::new();
        let failed_ms = downtime.now_ms();
        downtime.storage_failed(failed_ms);
        tokio::time::advance(2 * MINUTE).await;
        downtime.now_ms();
        tokio::time::advance(MINUTE).await;
        downtime.storage_recovered();
        assert_eq!(downtime.duration_after(failed_ms), 180_000);
        assert_eq!(downtime.state().outages.len(), 1);
    }
}
