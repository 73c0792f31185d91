//! Per-key cancellation: starting an operation cancels the previous one for the same key.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex};
use tokio_util::sync::CancellationToken;

/// Running operations by key. Cheap to clone.
#[derive(Debug)]
pub struct LatestOnly<K: Hash + Eq + Clone>(Arc<Mutex<HashMap<K, CancellationToken>>>);

/// Running operation of a key, until it is dropped.
#[derive(Debug)]
pub struct LatestGuard<K: Hash + Eq + Clone> {
    operations: LatestOnly<K>,
    key: K,
    canceled: CancellationToken,
}

impl<K: Hash + Eq + Clone> Clone for LatestOnly<K> {
    fn clone(&self) -> LatestOnly<K> {
        LatestOnly(self.0.clone())
    }
}

impl<K: Hash + Eq + Clone> Default for LatestOnly<K> {
    fn default() -> LatestOnly<K> {
        LatestOnly(Arc::default())
    }
}

impl<K: Hash + Eq + Clone> LatestOnly<K> {
    /// Starts an operation for `key`, and cancels the previous one.
    pub fn start(&self, key: K) -> LatestGuard<K> {
        let canceled = CancellationToken::new();
        let mut table = self.0.lock().expect("table is not poisoned");
        if let Some(previous) = table.insert(key.clone(), canceled.clone()) {
            previous.cancel();
        }
        LatestGuard { operations: self.clone(), key, canceled }
    }
}

impl<K: Hash + Eq + Clone> LatestGuard<K> {
    /// Waits until a newer operation has replaced this one.
    pub async fn replaced(&self) {
        self.canceled.cancelled().await;
    }
}

impl<K: Hash + Eq + Clone> Drop for LatestGuard<K> {
    fn drop(&mut self) {
        let mut table = self.operations.0.lock().expect("table is not poisoned");
        // After a cancellation the entry belongs to the newer operation.
        if !self.canceled.is_cancelled() {
            table.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    #[test]
    fn newer_operation_cancels_previous_of_same_key() {
        let operations = LatestOnly::default();
        let (first, other) = (operations.start("a"), operations.start("b"));
        assert!(first.replaced().now_or_never().is_none());
        let second = operations.start("a");
        assert!(first.replaced().now_or_never().is_some());
        drop(first);
        let third = operations.start("a");
        assert!(second.replaced().now_or_never().is_some(), "its entry was removed");
        assert!(other.replaced().now_or_never().is_none());
        drop((second, third, other));
        assert!(operations.0.lock().expect("table").is_empty());
    }
}
