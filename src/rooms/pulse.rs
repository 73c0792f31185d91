//! Outages: process stalls, storage failures, and the start and stop of the server.
//!
//! Players cannot move during an outage, which is therefore excluded from the clocks. Each room
//! records new outages in the log of its game before it handles the next message. No clock runs out
//! while a storage failure, a start or a stop lasts.

use super::now_ms;
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;
use tokio::sync::watch;

/// Interval at which the time is read if nothing else reads it.
pub(super) const BEAT_EVERY: Duration = Duration::from_millis(200);

/// Interval between two readings of the time from which it counts as a process stall, in
/// milliseconds.
const STILL_MS: i64 = 2_000;

/// Shortest outage of storage, in milliseconds; below it, a single slow commit is ignored.
const BROKEN_MS: i64 = 250;

/// Number of outages retained. Rooms handle each outage before anything else, so that only those
/// during which no room could act are needed.
const PAUSES_MAX: usize = 64;

/// Outage, in epoch milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pause {
    /// Last moment before the outage.
    pub(super) from_ms: i64,
    /// First moment after the outage.
    pub(super) to_ms: i64,
}

/// Log of outages. The first reading of the time after a stall records it for all rooms.
#[derive(Debug)]
pub(super) struct Pulse {
    state: Mutex<State>,
    /// Number of outages recorded, observed by rooms.
    noted: watch::Sender<u64>,
}

#[derive(Debug)]
struct State {
    /// Last reading of the time.
    beat_ms: Option<i64>,
    /// Beginning of the current storage failure.
    broken_ms: Option<i64>,
    /// Beginning of the current start or stop of the server.
    shut_ms: Option<i64>,
    pauses: VecDeque<Pause>,
}

impl State {
    fn note(&mut self, from_ms: i64, to_ms: i64) {
        tracing::warn!(ms = to_ms - from_ms, "Outage recorded; clocks adjusted");
        if self.pauses.len() == PAUSES_MAX {
            self.pauses.pop_front();
        }
        self.pauses.push_back(Pause { from_ms, to_ms });
    }
}

impl Pulse {
    /// Creates a log without outages.
    pub(super) fn new() -> Pulse {
        let state =
            State { beat_ms: None, broken_ms: None, shut_ms: None, pauses: VecDeque::new() };
        Pulse { state: Mutex::new(state), noted: watch::Sender::new(0) }
    }

    /// Subscribes to new outages.
    pub(super) fn noted(&self) -> watch::Receiver<u64> {
        self.noted.subscribe()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("outage log lock")
    }

    /// Returns epoch milliseconds, and first records a process stall that ends with this reading.
    pub(super) fn now_ms(&self) -> i64 {
        let mut state = self.state();
        let now_ms = now_ms();
        let beat_ms = state.beat_ms.replace(now_ms);
        if let Some(beat_ms) = beat_ms.filter(|beat_ms| now_ms - beat_ms >= STILL_MS) {
            state.note(beat_ms, now_ms);
            self.noted.send_modify(|noted| *noted += 1);
        }
        now_ms
    }

    /// Returns the outages that ended after `last_ms`.
    pub(super) fn after(&self, last_ms: i64) -> Vec<Pause> {
        let state = self.state();
        if state.pauses.back().is_none_or(|pause| pause.to_ms <= last_ms) {
            return Vec::new();
        }
        state.pauses.iter().filter(|pause| pause.to_ms > last_ms).copied().collect()
    }

    /// Records the beginning of a storage failure: a write attempted at `tried_ms` failed.
    pub(super) fn broken(&self, tried_ms: i64) {
        self.state().broken_ms.get_or_insert(tried_ms);
    }

    /// Returns whether a write failed and none has succeeded since.
    pub(super) fn is_broken(&self) -> bool {
        self.state().broken_ms.is_some()
    }

    /// Begins the start or stop of the server, which lasts until [`Pulse::open`] or the end of the
    /// process.
    pub(super) fn shut(&self) {
        self.state().shut_ms.get_or_insert(now_ms());
    }

    /// Returns the time at which the current start or stop of the server began, if there is one.
    pub(super) fn shut_ms(&self) -> Option<i64> {
        self.state().shut_ms
    }

    /// Ends the start of the server, and records it as an outage.
    pub(super) fn open(&self) {
        let mut state = self.state();
        let from_ms = state.shut_ms.take();
        drop(state);
        from_ms.into_iter().for_each(|from_ms| self.slow(from_ms));
    }

    /// Records an outage from `from_ms` until now, unless it is too short.
    pub(super) fn slow(&self, from_ms: i64) {
        let to_ms = now_ms();
        if to_ms - from_ms < BROKEN_MS {
            return;
        }
        self.state().note(from_ms, to_ms);
        self.noted.send_modify(|noted| *noted += 1);
    }

    /// Returns whether clocks must not run out at present.
    pub(super) fn is_still(&self) -> bool {
        let state = self.state();
        state.broken_ms.is_some() || state.shut_ms.is_some()
    }

    /// Ends a storage failure after a successful write; returns whether there was one.
    pub(super) fn healed(&self) -> bool {
        let mut state = self.state();
        let Some(from_ms) = state.broken_ms.take() else { return false };
        // A stall during the failure is part of it, and would otherwise be recorded twice.
        state.pauses.retain(|pause| pause.from_ms < from_ms);
        drop(state);
        self.slow(from_ms);
        true
    }
}
