use std::sync::LazyLock;
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::time::Instant;

/// One reading of the wall at the start; after it, only time that passes evenly.
static START: LazyLock<(i64, Instant)> = LazyLock::new(|| {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("a date after 1970");
    (since.as_millis() as i64, Instant::now())
});

/// Epoch milliseconds; never backwards while the process lives, whatever is done to the wall clock.
pub fn now_ms() -> i64 {
    let (start_ms, start) = *START;
    start_ms + start.elapsed().as_millis() as i64
}
