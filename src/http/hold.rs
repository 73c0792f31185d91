//! Semaphore by key: limits how many permits each key holds at a time.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex};

/// Numbers of permits by key. Cheap to clone.
#[derive(Debug)]
pub struct Holds<K: Hash + Eq + Clone>(Arc<Mutex<HashMap<K, u32>>>);

/// Permit of a key, released on drop.
#[derive(Debug)]
pub struct Held<K: Hash + Eq + Clone> {
    holds: Holds<K>,
    key: K,
}

impl<K: Hash + Eq + Clone> Clone for Holds<K> {
    fn clone(&self) -> Holds<K> {
        Holds(self.0.clone())
    }
}

impl<K: Hash + Eq + Clone> Default for Holds<K> {
    fn default() -> Holds<K> {
        Holds(Arc::default())
    }
}

impl<K: Hash + Eq + Clone> Holds<K> {
    /// Acquires a permit for `key`, or returns `None` if the key already has `max`.
    pub fn hold(&self, key: K, max: u32) -> Option<Held<K>> {
        let mut table = self.0.lock().expect("table is not poisoned");
        let count = table.entry(key.clone()).or_default();
        if *count >= max {
            return None;
        }
        *count += 1;
        Some(Held { holds: self.clone(), key })
    }
}

impl<K: Hash + Eq + Clone> Drop for Held<K> {
    fn drop(&mut self) {
        let mut table = self.holds.0.lock().expect("table is not poisoned");
        if let Some(count) = table.get_mut(&self.key) {
            *count -= 1;
            if *count == 0 {
                table.remove(&self.key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_by_key_and_given_back() {
        let holds = Holds::default();
        let held = (holds.hold("a", 2), holds.hold("a", 2));
        assert!(held.0.is_some() && held.1.is_some());
        assert!(holds.hold("a", 2).is_none() && holds.hold("b", 1).is_some());
        drop(held.0);
        assert!(holds.hold("a", 2).is_some());
        drop(held.1);
        assert!(holds.0.lock().expect("table").is_empty(), "unused keys remain");
    }
}
