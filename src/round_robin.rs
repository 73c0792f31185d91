//! Round-robin queue with one FIFO or priority line per key.
//!
//! Callers: the low-priority worker threads of `background` and the engine threads of `rooms`.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

/// Round-robin queue with one line per key. Each call of [`RoundRobin::pop`] serves the next key,
/// so that an item waits for at most one item of each other key between two of its own.
#[derive(Debug)]
pub struct RoundRobin<K, T> {
    /// Contains no empty line.
    lines: HashMap<K, VecDeque<T>>,
    /// Keys of `lines`, the next to be served first.
    order: VecDeque<K>,
}

impl<K, T> Default for RoundRobin<K, T> {
    fn default() -> RoundRobin<K, T> {
        RoundRobin { lines: HashMap::new(), order: VecDeque::new() }
    }
}

impl<K: Copy + Eq + Hash, T> RoundRobin<K, T> {
    /// Returns the number of items of all keys.
    pub fn len(&self) -> usize {
        self.lines.values().map(VecDeque::len).sum()
    }

    /// Returns the items of a key, the next first.
    pub fn line(&self, key: K) -> impl ExactSizeIterator<Item = &T> {
        self.lines.get(&key).map(VecDeque::iter).unwrap_or_default()
    }

    /// Returns the keys that have items, the next to be served first.
    pub fn keys(&self) -> impl Iterator<Item = K> {
        self.order.iter().copied()
    }

    /// Inserts an item into the line of its key, before the first item for which `is_after` is
    /// true.
    pub fn push(&mut self, key: K, item: T, mut is_after: impl FnMut(&T) -> bool) {
        let line = self.lines.entry(key).or_default();
        if line.is_empty() {
            self.order.push_back(key);
        }
        let at = line.iter().position(&mut is_after).unwrap_or(line.len());
        line.insert(at, item);
    }

    /// Removes and returns the next item of the first key for which `may_serve` is true. The key
    /// moves to the end of the order.
    pub fn pop(&mut self, mut may_serve: impl FnMut(K) -> bool) -> Option<(K, T)> {
        let at = self.order.iter().position(|key| may_serve(*key))?;
        let key = self.order.remove(at)?;
        let line = self.lines.get_mut(&key)?;
        let item = line.pop_front()?;
        if line.is_empty() {
            self.lines.remove(&key);
        } else {
            self.order.push_back(key);
        }
        Some((key, item))
    }

    /// Moves a key to the end of the order.
    pub fn serve_last(&mut self, key: K) {
        if let Some(at) = self.order.iter().position(|other| *other == key) {
            self.order.remove(at);
            self.order.push_back(key);
        }
    }

    /// Removes the last item of the longest line if that line has at least `len_min` items. Returns
    /// whether an item was removed.
    pub fn drop_last_of_longest(&mut self, len_min: usize) -> bool {
        let longest = self.order.iter().copied().max_by_key(|key| self.line(*key).len());
        let Some(key) = longest.filter(|key| self.line(*key).len() >= len_min.max(1)) else {
            return false;
        };
        if let Some(line) = self.lines.get_mut(&key) {
            line.pop_back();
        }
        self.drop_empty_lines();
        true
    }

    /// Removes the items for which `is_wanted` is false.
    pub fn retain(&mut self, mut is_wanted: impl FnMut(&T) -> bool) {
        self.lines.values_mut().for_each(|line| line.retain(&mut is_wanted));
        self.drop_empty_lines();
    }

    /// Removes all items.
    pub fn clear(&mut self) {
        self.lines.clear();
        self.order.clear();
    }

    fn drop_empty_lines(&mut self) {
        self.lines.retain(|_, line| !line.is_empty());
        self.order.retain(|key| self.lines.contains_key(key));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turns(items: &[(char, u32)]) -> RoundRobin<char, u32> {
        let mut turns = RoundRobin::default();
        for (key, item) in items {
            turns.push(*key, *item, |other| other > item);
        }
        turns
    }

    fn all(mut turns: RoundRobin<char, u32>) -> Vec<(char, u32)> {
        std::iter::from_fn(|| turns.pop(|_| true)).collect()
    }

    #[test]
    fn pop_serves_keys_in_turns() {
        let queued = turns(&[('a', 1), ('a', 2), ('a', 3), ('b', 1), ('c', 1), ('b', 2)]);
        assert_eq!(queued.len(), 6);
        let served = all(queued);
        assert_eq!(served, [('a', 1), ('b', 1), ('c', 1), ('a', 2), ('b', 2), ('a', 3)]);
    }

    #[test]
    fn push_orders_items_within_their_key_only() {
        let queued = turns(&[('a', 5), ('a', 3), ('a', 3), ('b', 1), ('a', 4)]);
        assert_eq!(queued.line('a').copied().collect::<Vec<_>>(), [3, 3, 4, 5]);
        assert_eq!(all(queued)[0], ('a', 3));
    }

    #[test]
    fn pop_passes_over_keys_that_may_not_be_served() {
        let mut queued = turns(&[('a', 1), ('b', 1), ('a', 2)]);
        assert_eq!(queued.pop(|key| key != 'a'), Some(('b', 1)));
        assert_eq!(queued.pop(|key| key != 'a'), None);
        assert_eq!(queued.keys().collect::<String>(), "a");
        queued.push('c', 1, |_| false);
        queued.serve_last('a');
        queued.serve_last('b');
        assert_eq!(queued.keys().collect::<String>(), "ca");
    }

    #[test]
    fn removed_items_leave_no_empty_line() {
        let mut queued = turns(&[('a', 1), ('a', 2), ('b', 3)]);
        assert!(!queued.drop_last_of_longest(3));
        assert!(queued.drop_last_of_longest(2));
        queued.retain(|item| *item != 1);
        assert_eq!(all(queued), [('b', 3)]);
        let mut queued = turns(&[('a', 1)]);
        queued.clear();
        assert!(queued.len() == 0 && queued.pop(|_| true).is_none());
    }
}
