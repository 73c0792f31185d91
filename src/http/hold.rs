//! How much of something each may have at one time.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex};

/// How many places each key holds. Cheap to clone.
#[derive(Debug)]
pub struct Holds<K: Hash + Eq + Clone>(Arc<Mutex<HashMap<K, u32>>>);

/// A place that is held until this is dropped.
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
    /// Takes a place for that key, if it has fewer than `max`.
    pub fn hold(&self, key: K, max: u32) -> Option<Held<K>> {
        let mut table = self.0.lock().expect("table of places");
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
        let mut table = self.holds.0.lock().expect("table of places");
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
        assert!(holds.0.lock().expect("table").is_empty(), "nobody is remembered");
    }
}
