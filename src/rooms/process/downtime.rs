//! Outages: process stalls, storage failures, and the start and stop of the server.
//!
//! Players cannot move during an outage, which is therefore excluded from the clocks. Each room
//! records new outages in the log of its game before it handles the next message. No clock runs out
//! while a storage failure, a start or a stop lasts. Callers: `Rooms`, every room, and `periodic`.

use crate::rooms::now_ms;
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;
use tokio::sync::watch;

/// Interval at which the time is read if nothing else reads it.
pub(in crate::rooms) const STALL_CHECK_INTERVAL: Duration = Duration::from_millis(200);

/// Interval between two readings of the time from which it counts as a process stall, in
/// milliseconds.
const STALL_MIN_MS: i64 = 2_000;

/// Shortest outage of storage, in milliseconds; below it, a single slow commit is ignored.
const STORAGE_OUTAGE_MIN_MS: i64 = 250;

/// Number of outages retained. Rooms handle each outage before anything else, so that only those
/// during which no room could act are needed.
const OUTAGES_MAX: usize = 64;

/// Outage, in epoch milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::rooms) struct Outage {
    /// Last moment before the outage.
    pub(in crate::rooms) from_ms: i64,
    /// First moment after the outage.
    pub(in crate::rooms) to_ms: i64,
}

/// Log of outages. The first reading of the time after a stall records it for all rooms.
#[derive(Debug)]
pub(in crate::rooms) struct DowntimeLog {
    state: Mutex<DowntimeState>,
    /// Number of outages recorded, observed by rooms.
    outage_count: watch::Sender<u64>,
}

#[derive(Debug)]
struct DowntimeState {
    /// Last reading of the time.
    last_read_ms: Option<i64>,
    /// Beginning of the current storage failure.
    storage_failed_ms: Option<i64>,
    /// Beginning of the current start or stop of the server.
    maintenance_ms: Option<i64>,
    outages: VecDeque<Outage>,
}

impl DowntimeState {
    fn record(&mut self, from_ms: i64, to_ms: i64) {
        tracing::warn!(outage_ms = to_ms - from_ms, "Outage recorded; clocks adjusted");
        if self.outages.len() == OUTAGES_MAX {
            self.outages.pop_front();
        }
        self.outages.push_back(Outage { from_ms, to_ms });
    }
}

impl DowntimeLog {
    /// Creates a log without outages.
    pub(in crate::rooms) fn new() -> DowntimeLog {
        let state = DowntimeState {
            last_read_ms: None,
            storage_failed_ms: None,
            maintenance_ms: None,
            outages: VecDeque::new(),
        };
        DowntimeLog { state: Mutex::new(state), outage_count: watch::Sender::new(0) }
    }

    /// Subscribes to new outages.
    pub(in crate::rooms) fn subscribe(&self) -> watch::Receiver<u64> {
        self.outage_count.subscribe()
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
            state.record(stall_began_ms, now_ms);
            self.outage_count.send_modify(|count| *count += 1);
        }
        now_ms
    }

    /// Returns the outages that ended after `last_ms`.
    pub(in crate::rooms) fn outages_after(&self, last_ms: i64) -> Vec<Outage> {
        let state = self.state();
        if state.outages.back().is_none_or(|outage| outage.to_ms <= last_ms) {
            return Vec::new();
        }
        state.outages.iter().filter(|outage| outage.to_ms > last_ms).copied().collect()
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
        drop(state);
        from_ms.into_iter().for_each(|from_ms| self.record_since(from_ms));
    }

    /// Records an outage from `from_ms` until now, unless it is too short.
    pub(in crate::rooms) fn record_since(&self, from_ms: i64) {
        let to_ms = now_ms();
        if to_ms - from_ms < STORAGE_OUTAGE_MIN_MS {
            return;
        }
        self.state().record(from_ms, to_ms);
        self.outage_count.send_modify(|count| *count += 1);
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
        state.outages.retain(|outage| outage.from_ms < from_ms);
        drop(state);
        self.record_since(from_ms);
        true
    }
}
