//! Queue by key: work of one key runs one after another.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard};
use tokio::sync::OwnedMutexGuard;

type KeyLock = Arc<tokio::sync::Mutex<()>>;

/// Keys with running or waiting work. Cheap to clone.
#[derive(Debug)]
pub struct KeyedQueue<K: Hash + Eq + Clone>(Arc<Mutex<HashMap<K, KeyLock>>>);

/// Work of a key. It holds the key's lock when its turn has come.
#[derive(Debug)]
pub struct QueueEntry<K: Hash + Eq + Clone> {
    queue: KeyedQueue<K>,
    key: K,
    lock: Option<KeyLock>,
    guard: Option<OwnedMutexGuard<()>>,
}

impl<K: Hash + Eq + Clone> Clone for KeyedQueue<K> {
    fn clone(&self) -> KeyedQueue<K> {
        KeyedQueue(self.0.clone())
    }
}

impl<K: Hash + Eq + Clone> Default for KeyedQueue<K> {
    fn default() -> KeyedQueue<K> {
        KeyedQueue(Arc::default())
    }
}

impl<K: Hash + Eq + Clone> KeyedQueue<K> {
    fn table(&self) -> MutexGuard<'_, HashMap<K, KeyLock>> {
        self.0.lock().expect("table is not poisoned")
    }

    /// Waits until no other work of the key runs. The next one waits until the entry is dropped.
    /// Cancel safe.
    pub async fn enter(&self, key: K) -> QueueEntry<K> {
        let lock = self.table().entry(key.clone()).or_default().clone();
        let queue = self.clone();
        let mut entry = QueueEntry { queue, key, lock: Some(lock.clone()), guard: None };
        entry.guard = Some(lock.lock_owned().await);
        entry
    }
}

impl<K: Hash + Eq + Clone> Drop for QueueEntry<K> {
    fn drop(&mut self) {
        self.guard = None;
        let mut table = self.queue.table();
        self.lock = None;
        // If no other work exists, only the table holds the lock.
        if table.get(&self.key).is_some_and(|lock| Arc::strong_count(lock) == 1) {
            table.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::{FutureExt, poll};

    #[tokio::test]
    async fn work_of_one_key_runs_one_after_another() {
        let queue = KeyedQueue::default();
        let [network, other_network] = [[1, 2, 3, 4], [1, 2, 3, 5]];
        let first = queue.enter(network).await;
        let mut second = Box::pin(queue.enter(network));
        let mut third = Box::pin(queue.enter(network));
        assert!(poll!(&mut second).is_pending());
        assert!(poll!(&mut third).is_pending());
        assert!(queue.enter(other_network).now_or_never().is_some());
        // The client of the second request disconnects.
        drop(second);
        drop(first);
        let third = third.await;
        assert_eq!(queue.table().len(), 1);
        drop(third);
        assert!(queue.table().is_empty());
    }

    #[tokio::test]
    async fn canceled_requests_leave_no_entry() {
        let queue = KeyedQueue::default();
        let network = [1, 2, 3, 4];
        let first = queue.enter(network).await;
        let mut second = Box::pin(queue.enter(network));
        assert!(poll!(&mut second).is_pending());
        drop(first);
        drop(second);
        assert!(queue.table().is_empty());
    }
}
