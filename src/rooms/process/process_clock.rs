//! Clock of the process, in epoch milliseconds, which never decreases.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::time::Instant;

/// Lag of the wall clock from which a warning is logged, in milliseconds.
const LAG_WARNING_MS: i64 = 1_000;

/// Clock that reads the wall clock once and is monotonic from there.
#[derive(Debug)]
struct ProcessClock {
    start_ms: i64,
    start: Instant,
    /// Lag of the wall clock behind the stored events, in milliseconds.
    correction_ms: AtomicI64,
}

static CLOCK: LazyLock<ProcessClock> = LazyLock::new(|| {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("system time after 1970");
    ProcessClock::new(since.as_millis() as i64)
});

impl ProcessClock {
    fn new(wall_ms: i64) -> ProcessClock {
        ProcessClock { start_ms: wall_ms, start: Instant::now(), correction_ms: AtomicI64::new(0) }
    }

    /// Returns the time without the correction for a lagging wall clock.
    fn uncorrected_ms(&self) -> i64 {
        self.start_ms + self.start.elapsed().as_millis() as i64
    }

    fn now_ms(&self) -> i64 {
        self.uncorrected_ms() + self.correction_ms.load(Ordering::Relaxed)
    }

    /// Advances to `floor_ms` if that is later; returns by how many milliseconds.
    fn advance_to(&self, floor_ms: i64) -> i64 {
        let ahead_ms = floor_ms - self.uncorrected_ms();
        let before_ms = self.correction_ms.fetch_max(ahead_ms, Ordering::Relaxed);
        (ahead_ms - before_ms).max(0)
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
}
