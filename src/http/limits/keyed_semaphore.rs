//! Semaphore by key: limits how many permits each key holds at a time.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex};

/// Numbers of permits by key. Cheap to clone.
#[derive(Debug)]
pub struct KeyedSemaphore<K: Hash + Eq + Clone>(Arc<Mutex<HashMap<K, u32>>>);

/// Permit of a key, released on drop.
#[derive(Debug)]
pub struct KeyedPermit<K: Hash + Eq + Clone> {
    semaphore: KeyedSemaphore<K>,
    key: K,
}

impl<K: Hash + Eq + Clone> Clone for KeyedSemaphore<K> {
    fn clone(&self) -> KeyedSemaphore<K> {
        KeyedSemaphore(self.0.clone())
    }
}

impl<K: Hash + Eq + Clone> Default for KeyedSemaphore<K> {
    fn default() -> KeyedSemaphore<K> {
        KeyedSemaphore(Arc::default())
    }
}

impl<K: Hash + Eq + Clone> KeyedSemaphore<K> {
    /// Acquires a permit for `key`, or returns `None` if the key already has `max`.
    pub fn try_acquire(&self, key: K, max: u32) -> Option<KeyedPermit<K>> {
        let mut counts = self.0.lock().expect("table is not poisoned");
        let count = counts.entry(key.clone()).or_default();
        if *count >= max {
            return None;
        }
        *count += 1;
        Some(KeyedPermit { semaphore: self.clone(), key })
    }
}

impl<K: Hash + Eq + Clone> Drop for KeyedPermit<K> {
    fn drop(&mut self) {
        let mut counts = self.semaphore.0.lock().expect("table is not poisoned");
        if let Some(count) = counts.get_mut(&self.key) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permits_are_counted_by_key_and_released() {
        let semaphore = KeyedSemaphore::default();
        let permits = (semaphore.try_acquire("a", 2), semaphore.try_acquire("a", 2));
        assert!(permits.0.is_some() && permits.1.is_some());
        assert!(semaphore.try_acquire("a", 2).is_none() && semaphore.try_acquire("b", 1).is_some());
        drop(permits.0);
        assert!(semaphore.try_acquire("a", 2).is_some());
        drop(permits.1);
        assert!(semaphore.0.lock().expect("table").is_empty(), "unused keys remain");
    }
}
