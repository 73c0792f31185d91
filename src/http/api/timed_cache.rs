//! Cache of one value that many clients request, with a lifetime.

use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Mutex;

/// Value that is computed again when it is older than its lifetime. Requests that arrive during the
/// computation wait for its result. Cancel safe: the next request computes the value.
#[derive(Debug)]
pub struct TimedCache<T> {
    lifetime: Duration,
    value: Mutex<Option<(Instant, Arc<T>)>>,
}

impl<T> TimedCache<T> {
    /// Returns an empty cache.
    pub fn new(lifetime: Duration) -> TimedCache<T> {
        TimedCache { lifetime, value: Mutex::new(None) }
    }

    /// Returns the value, or awaits `computed` if there is none or it is too old. A failure is not
    /// stored.
    pub async fn get<E>(&self, computed: impl Future<Output = Result<T, E>>) -> Result<Arc<T>, E> {
        let mut value = self.value.lock().await;
        if let Some((at, found)) = &*value
            && at.elapsed() < self.lifetime
        {
            return Ok(found.clone());
        }
        let new = Arc::new(computed.await?);
        *value = Some((Instant::now(), new.clone()));
        Ok(new)
    }

    /// Removes the value, so that the next request computes it. Waits for a computation in
    /// progress, which may have begun before the change that makes its result outdated.
    pub async fn clear(&self) {
        *self.value.lock().await = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn value_is_computed_once_in_its_lifetime() {
        let cache = TimedCache::new(Duration::from_secs(3600));
        assert_eq!(cache.get(async { Err::<u8, _>("failed") }).await, Err("failed"));
        assert_eq!(cache.get(async { Ok::<u8, &str>(1) }).await, Ok(Arc::new(1)));
        assert_eq!(cache.get(async { Ok::<u8, &str>(2) }).await, Ok(Arc::new(1)));
    }

    #[tokio::test]
    async fn cleared_value_is_computed_again() {
        let cache = TimedCache::new(Duration::from_secs(3600));
        assert_eq!(cache.get(async { Ok::<u8, ()>(1) }).await, Ok(Arc::new(1)));
        cache.clear().await;
        assert_eq!(cache.get(async { Ok::<u8, ()>(2) }).await, Ok(Arc::new(2)));
    }

    #[tokio::test]
    async fn value_is_computed_again_after_its_lifetime() {
        let cache = TimedCache::new(Duration::ZERO);
        assert_eq!(cache.get(async { Ok::<u8, ()>(1) }).await, Ok(Arc::new(1)));
        assert_eq!(cache.get(async { Ok::<u8, ()>(2) }).await, Ok(Arc::new(2)));
    }
}
