//! Per-key cancellation: starting an operation cancels the previous one for the same key.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex};
use tokio_util::sync::CancellationToken;

/// Running operations by key. Cheap to clone.
#[derive(Debug)]
pub struct Lone<K: Hash + Eq + Clone>(Arc<Mutex<HashMap<K, CancellationToken>>>);

/// Running operation of a key, until it is dropped.
#[derive(Debug)]
pub struct Alone<K: Hash + Eq + Clone> {
    lone: Lone<K>,
    key: K,
    ended: CancellationToken,
}

impl<K: Hash + Eq + Clone> Clone for Lone<K> {
    fn clone(&self) -> Lone<K> {
        Lone(self.0.clone())
    }
}

impl<K: Hash + Eq + Clone> Default for Lone<K> {
    fn default() -> Lone<K> {
        Lone(Arc::default())
    }
}

impl<K: Hash + Eq + Clone> Lone<K> {
    /// Starts an operation for `key`, and cancels the previous one.
    pub fn begin(&self, key: K) -> Alone<K> {
        let ended = CancellationToken::new();
        let mut table = self.0.lock().expect("table is not poisoned");
        if let Some(before) = table.insert(key.clone(), ended.clone()) {
            before.cancel();
        }
        Alone { lone: self.clone(), key, ended }
    }
}

impl<K: Hash + Eq + Clone> Alone<K> {
    /// Waits until a newer operation has replaced this one.
    pub async fn ended(&self) {
        self.ended.cancelled().await;
    }
}

impl<K: Hash + Eq + Clone> Drop for Alone<K> {
    fn drop(&mut self) {
        let mut table = self.lone.0.lock().expect("table is not poisoned");
        // After a cancellation the entry belongs to the newer operation.
        if !self.ended.is_cancelled() {
            table.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    #[test]
    fn the_next_ends_the_one_before_and_nobody_is_remembered() {
        let lone = Lone::default();
        let (first, other) = (lone.begin("a"), lone.begin("b"));
        assert!(first.ended().now_or_never().is_none());
        let second = lone.begin("a");
        assert!(first.ended().now_or_never().is_some());
        drop(first);
        let third = lone.begin("a");
        assert!(second.ended().now_or_never().is_some(), "its entry was removed");
        assert!(other.ended().now_or_never().is_none());
        drop((second, third, other));
        assert!(lone.0.lock().expect("table").is_empty());
    }
}
