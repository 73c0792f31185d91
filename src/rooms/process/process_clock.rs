//! Clock of the process, in epoch milliseconds, which never decreases.
//!
//! It reads the wall clock once and is monotonic from there. On PostgreSQL it follows the clock of
//! the database, so that all nodes have the same time: a difference is made up slowly, except for
//! a jump forward of the database. Callers: `rooms`, and all that reads the time.

use std::sync::{LazyLock, RwLock};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::time::Instant;

/// Lag of the wall clock from which a warning is logged, in milliseconds.
const LAG_WARNING_MS: i64 = 1_000;

/// Speed at which the clock is adjusted, in microseconds per second.
const ADJUSTMENT_US_PER_S: i64 = 5_000;

/// Lag behind the clock of the database from which the clock jumps, in milliseconds.
const JUMP_MIN_MS: i64 = 250;

/// Clock that reads the wall clock once and is monotonic from there.
#[derive(Debug)]
struct ProcessClock {
    start_ms: i64,
    start: Instant,
    correction: RwLock<Correction>,
}

/// Correction of the clock, which changes slowly from one value to another.
#[derive(Clone, Copy, Debug, Default)]
struct Correction {
    /// Time since the start of the clock at which the change began.
    began: Duration,
    from_us: i64,
    to_us: i64,
}

impl Correction {
    fn at(&self, elapsed: Duration) -> i64 {
        let elapsed = elapsed.saturating_sub(self.began);
        let max_us = (elapsed.as_micros() as i64).saturating_mul(ADJUSTMENT_US_PER_S) / 1_000_000;
        self.from_us + (self.to_us - self.from_us).clamp(-max_us, max_us)
    }
}

static CLOCK: LazyLock<ProcessClock> = LazyLock::new(|| {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("system time after 1970");
    ProcessClock::new(since.as_millis() as i64)
});

impl ProcessClock {
    fn new(wall_ms: i64) -> ProcessClock {
        let correction = RwLock::default();
        ProcessClock { start_ms: wall_ms, start: Instant::now(), correction }
    }

    fn now_ms(&self) -> i64 {
        // The time is read under the lock: it must not precede a correction that is used later.
        let correction = self.correction.read().expect("lock of the clock");
        self.ms_at(self.start.elapsed(), *correction)
    }

    fn ms_at(&self, elapsed: Duration, correction: Correction) -> i64 {
        self.start_ms + (elapsed.as_micros() as i64 + correction.at(elapsed)).div_euclid(1_000)
    }

    /// Advances to `floor_ms` if that is later; returns by how many milliseconds.
    fn advance_to(&self, floor_ms: i64) -> i64 {
        let mut correction = self.correction.write().expect("lock of the clock");
        let elapsed = self.start.elapsed();
        let ahead_ms = floor_ms - self.ms_at(elapsed, *correction);
        if ahead_ms > 0 {
            correction.from_us += 1_000 * ahead_ms;
            correction.to_us += 1_000 * ahead_ms;
        }
        ahead_ms.max(0)
    }

    /// Sets the time.
    fn set(&self, ms: i64) {
        let to_us = 1_000 * (ms - self.start_ms) - self.start.elapsed().as_micros() as i64;
        let correction = Correction { from_us: to_us, to_us, ..Correction::default() };
        *self.correction.write().expect("lock of the clock") = correction;
    }

    /// Returns the time without corrections, in microseconds.
    fn uncorrected_us(&self) -> i64 {
        1_000 * self.start_ms + self.start.elapsed().as_micros() as i64
    }

    /// Approaches the uncorrected time plus an offset. Jumps if that is much later, even if the
    /// offset is greater than the true one by `error_us`; returns by how many milliseconds.
    fn approach(&self, offset_us: i64, error_us: i64) -> i64 {
        let mut correction = self.correction.write().expect("lock of the clock");
        let began = self.start.elapsed();
        let from_us = correction.at(began);
        let ahead_ms = (offset_us - error_us - from_us) / 1_000;
        let jumps = ahead_ms >= JUMP_MIN_MS;
        let from_us = if jumps { offset_us } else { from_us };
        *correction = Correction { began, from_us, to_us: offset_us };
        if jumps { ahead_ms } else { 0 }
    }
}

/// Returns epoch milliseconds; never decreases while the process lives, whatever happens to the
/// wall clock.
pub fn now_ms() -> i64 {
    CLOCK.now_ms()
}

/// Advances the clock of the process to `floor_ms` (epoch milliseconds) if the wall clock was
/// behind it. Must precede all measurements with [`now_ms`], which would include the jump.
pub(in crate::rooms) fn advance_to(floor_ms: i64) {
    let behind_ms = CLOCK.advance_to(floor_ms);
    if behind_ms >= LAG_WARNING_MS {
        tracing::warn!(
            behind_ms,
            "Wall clock is behind the last stored event; time continues from that event"
        );
    }
}

/// Sets the clock of the process. Must precede all measurements with [`now_ms`].
pub(in crate::rooms) fn set(ms: i64) {
    CLOCK.set(ms);
}

/// Returns the time of the process without corrections, in epoch microseconds.
pub(in crate::rooms) fn uncorrected_us() -> i64 {
    CLOCK.uncorrected_us()
}

/// Lets the clock of the process approach the uncorrected time plus an offset, which may be too
/// great by `error_us`. Returns by how many milliseconds it has jumped forward.
pub(in crate::rooms) fn approach(offset_us: i64, error_us: i64) -> i64 {
    CLOCK.approach(offset_us, error_us)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[tokio::test(start_paused = true)]
    async fn clock_behind_store_continues_from_last_event() {
        let clock = ProcessClock::new(1_000_000);
        assert_eq!(clock.advance_to(900_000), 0);
        assert_eq!(clock.now_ms(), 1_000_000);
        assert_eq!(clock.advance_to(1_003_000), 3_000);
        assert_eq!(clock.now_ms(), 1_003_000);
        tokio::time::advance(Duration::from_millis(500)).await;
        assert_eq!(clock.now_ms(), 1_003_500);
        // A past floor changes nothing; a future one counts from the current time.
        assert_eq!(clock.advance_to(1_003_200), 0);
        assert_eq!(clock.now_ms(), 1_003_500);
        assert_eq!(clock.advance_to(1_010_000), 6_500);
        assert_eq!(clock.now_ms(), 1_010_000);
    }

    #[tokio::test(start_paused = true)]
    async fn differences_are_made_up_slowly() {
        let clock = ProcessClock::new(1_000_000);
        clock.set(500_000);
        assert_eq!(clock.now_ms(), 500_000);
        let offset_us = |ms: i64| 1_000 * (ms - 500_000);
        assert_eq!(clock.approach(offset_us(-30), 0), 0);
        let mut before_ms = clock.now_ms();
        for _ in 0..10_000 {
            tokio::time::advance(Duration::from_millis(1)).await;
            assert!(clock.now_ms() >= before_ms);
            before_ms = clock.now_ms();
        }
        assert_eq!(clock.now_ms(), 509_970, "after 6 of 10 seconds");
        assert_eq!(clock.approach(offset_us(-10), 0), 0);
        tokio::time::advance(Duration::from_secs(2)).await;
        assert_eq!(clock.now_ms(), 511_980);
        // On the half of the way to a new goal.
        assert_eq!(clock.approach(offset_us(-30), 0), 0);
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(clock.now_ms(), 512_975);
        // A difference that may be an error of the reading is no reason to jump.
        assert_eq!(clock.approach(offset_us(400), 400_000), 0);
        assert_eq!(clock.now_ms(), 512_975);
        assert_eq!(clock.approach(offset_us(400), 10_000), 415);
        assert_eq!(clock.now_ms(), 513_400);
    }
}
