//! Times in which nobody could play: the process stood still, or nothing could be stored.

use super::now_ms;
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;
use tokio::sync::watch;

/// How often the time is looked at if nobody else does.
pub(super) const BEAT_EVERY: Duration = Duration::from_millis(200);

/// If nobody has looked at the time for so long, the process stood still.
const STILL_MS: i64 = 2_000;

/// If nothing could be stored for so long, nobody could play. Less is a hiccup of one commit.
const BROKEN_MS: i64 = 250;

/// Pauses that are remembered: a room looks at them before it does anything, so at most those are
/// needed in which none did.
const PAUSES_MAX: usize = 64;

/// A time in which nobody could play, in epoch milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pause {
    /// The last moment at which all was well.
    pub(super) from_ms: i64,
    /// The first at which it was again.
    pub(super) to_ms: i64,
}

/// Notes pauses. Whoever is first to read the time after one notes it for all.
#[derive(Debug)]
pub(super) struct Pulse {
    state: Mutex<State>,
    /// How many pauses there were.
    noted: watch::Sender<u64>,
}

#[derive(Debug)]
struct State {
    /// When somebody looked at the time last.
    beat_ms: Option<i64>,
    /// Since when nothing can be stored.
    broken_ms: Option<i64>,
    /// Since when the server takes nothing: it is starting, or ending.
    shut_ms: Option<i64>,
    pauses: VecDeque<Pause>,
}

impl State {
    fn note(&mut self, from_ms: i64, to_ms: i64) {
        tracing::warn!(ms = to_ms - from_ms, "nobody could play; no clock is charged for it");
        if self.pauses.len() == PAUSES_MAX {
            self.pauses.pop_front();
        }
        self.pauses.push_back(Pause { from_ms, to_ms });
    }
}

impl Pulse {
    /// All is well from now on.
    pub(super) fn new() -> Pulse {
        let state =
            State { beat_ms: None, broken_ms: None, shut_ms: None, pauses: VecDeque::new() };
        Pulse { state: Mutex::new(state), noted: watch::Sender::new(0) }
    }

    /// Hears of every pause from now on.
    pub(super) fn noted(&self) -> watch::Receiver<u64> {
        self.noted.subscribe()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("pulse")
    }

    /// The time, in epoch milliseconds. A pause that ends with it is noted first.
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

    /// The pauses that ended after that time.
    pub(super) fn after(&self, last_ms: i64) -> Vec<Pause> {
        let state = self.state();
        if state.pauses.back().is_none_or(|pause| pause.to_ms <= last_ms) {
            return Vec::new();
        }
        state.pauses.iter().filter(|pause| pause.to_ms > last_ms).copied().collect()
    }

    /// Something could not be stored that was tried at that time.
    pub(super) fn broken(&self, tried_ms: i64) {
        self.state().broken_ms.get_or_insert(tried_ms);
    }

    /// Whether something could not be stored, and nothing has been since.
    pub(super) fn is_broken(&self) -> bool {
        self.state().broken_ms.is_some()
    }

    /// Nobody can play from now on, until [`Pulse::open`] or the process ends.
    pub(super) fn shut(&self) {
        self.state().shut_ms.get_or_insert(now_ms());
    }

    /// Since when nobody can play because the server is starting or ending.
    pub(super) fn shut_ms(&self) -> Option<i64> {
        self.state().shut_ms
    }

    /// Everybody can play from now on.
    pub(super) fn open(&self) {
        let mut state = self.state();
        let from_ms = state.shut_ms.take();
        drop(state);
        from_ms.into_iter().for_each(|from_ms| self.slow(from_ms));
    }

    /// What began at that time has only now ended, and nobody could play on meanwhile.
    pub(super) fn slow(&self, from_ms: i64) {
        let to_ms = now_ms();
        if to_ms - from_ms < BROKEN_MS {
            return;
        }
        self.state().note(from_ms, to_ms);
        self.noted.send_modify(|noted| *noted += 1);
    }

    /// Whether time runs out for nobody at present.
    pub(super) fn is_still(&self) -> bool {
        let state = self.state();
        state.broken_ms.is_some() || state.shut_ms.is_some()
    }

    /// Something was stored; says whether that could not be done before.
    pub(super) fn healed(&self) -> bool {
        let mut state = self.state();
        let Some(from_ms) = state.broken_ms.take() else { return false };
        // A standstill within is part of it, and would be entered first.
        state.pauses.retain(|pause| pause.from_ms < from_ms);
        drop(state);
        self.slow(from_ms);
        true
    }
}
