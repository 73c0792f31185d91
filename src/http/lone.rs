//! One thing at a time for each: the next one ends the one before.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex};
use tokio_util::sync::CancellationToken;

/// What each key has under way. Cheap to clone.
#[derive(Debug)]
pub struct Lone<K: Hash + Eq + Clone>(Arc<Mutex<HashMap<K, CancellationToken>>>);

/// The one thing that a key has under way, until this is dropped.
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
    /// Begins something for that key, and ends what it had under way.
    pub fn begin(&self, key: K) -> Alone<K> {
        let ended = CancellationToken::new();
        let mut table = self.0.lock().expect("table of what is under way");
        if let Some(before) = table.insert(key.clone(), ended.clone()) {
            before.cancel();
        }
        Alone { lone: self.clone(), key, ended }
    }
}

impl<K: Hash + Eq + Clone> Alone<K> {
    /// Waits until another has taken its place.
    pub async fn ended(&self) {
        self.ended.cancelled().await;
    }
}

impl<K: Hash + Eq + Clone> Drop for Alone<K> {
    fn drop(&mut self) {
        let mut table = self.lone.0.lock().expect("table of what is under way");
        // Whoever was ended has left its place to another.
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
        assert!(second.ended().now_or_never().is_some(), "its place was kept");
        assert!(other.ended().now_or_never().is_none());
        drop((second, third, other));
        assert!(lone.0.lock().expect("table").is_empty());
    }
}
