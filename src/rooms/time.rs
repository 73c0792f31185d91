use std::sync::LazyLock;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::time::Instant;

/// A lag of the wall clock that is worth a line in the log, in milliseconds.
const BEHIND_MS: i64 = 1_000;

/// A clock that reads the wall once and counts evenly from there.
#[derive(Debug)]
struct ProcessClock {
    start_ms: i64,
    start: Instant,
    /// By how much the wall clock was behind what is stored, in milliseconds.
    ahead_ms: AtomicI64,
}

static CLOCK: LazyLock<ProcessClock> = LazyLock::new(|| {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("a date after 1970");
    ProcessClock::new(since.as_millis() as i64)
});

impl ProcessClock {
    fn new(wall_ms: i64) -> ProcessClock {
        ProcessClock { start_ms: wall_ms, start: Instant::now(), ahead_ms: AtomicI64::new(0) }
    }

    /// The time without what the wall clock was behind.
    fn counted_ms(&self) -> i64 {
        self.start_ms + self.start.elapsed().as_millis() as i64
    }

    fn now_ms(&self) -> i64 {
        self.counted_ms() + self.ahead_ms.load(Ordering::Relaxed)
    }

    /// Advances to `floor_ms` if that is later; returns by how many milliseconds.
    fn not_before(&self, floor_ms: i64) -> i64 {
        let ahead_ms = floor_ms - self.counted_ms();
        let before_ms = self.ahead_ms.fetch_max(ahead_ms, Ordering::Relaxed);
        (ahead_ms - before_ms).max(0)
    }
}

/// Epoch milliseconds; never decreases while the process lives, whatever happens to the wall clock.
pub fn now_ms() -> i64 {
    CLOCK.now_ms()
}

/// Advances the clock of the process to `floor_ms` (epoch milliseconds) if the wall clock was behind
/// it. To be called before anything is measured by [`now_ms`]: what is measured sees a jump.
pub(super) fn not_before(floor_ms: i64) {
    let behind_ms = CLOCK.not_before(floor_ms);
    if behind_ms >= BEHIND_MS {
        tracing::warn!(
            behind_ms,
            "The wall clock is behind the last stored event; time continues from that event"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[tokio::test(start_paused = true)]
    async fn clock_behind_the_store_continues_from_it() {
        let clock = ProcessClock::new(1_000_000);
        assert_eq!(clock.not_before(900_000), 0);
        assert_eq!(clock.now_ms(), 1_000_000);
        assert_eq!(clock.not_before(1_003_000), 3_000);
        assert_eq!(clock.now_ms(), 1_003_000);
        tokio::time::advance(Duration::from_millis(500)).await;
        assert_eq!(clock.now_ms(), 1_003_500);
        // A floor that is passed already changes nothing; a later one counts whole.
        assert_eq!(clock.not_before(1_003_200), 0);
        assert_eq!(clock.now_ms(), 1_003_500);
        assert_eq!(clock.not_before(1_010_000), 6_500);
        assert_eq!(clock.now_ms(), 1_010_000);
    }
}
