//! Outages that count for games without a clock.
//!
//! Such a game needs no event for an outage while it has no room: its deadline is moved by all
//! outages since its last event. They are therefore stored, and read at the next start. Callers:
//! `downtime`, which records them, and the deadlines of games without a room.

use crate::store::Outage;
use std::collections::BTreeMap;

/// Shortest outage of a running server that counts, in milliseconds. With days per move, shorter
/// ones are negligible.
const LONG_OUTAGE_MIN_MS: i64 = 60_000;

/// Outages by their beginning, each with its end and whether it is stored.
#[derive(Debug, Default)]
pub(in crate::rooms) struct LongOutages(BTreeMap<i64, (i64, bool)>);

impl LongOutages {
    /// Adds outages that are stored.
    pub(super) fn add_stored(&mut self, outages: Vec<Outage>) {
        self.0.extend(outages.into_iter().map(|outage| (outage.from_ms, (outage.to_ms, true))));
    }

    /// Adds an outage, unless it is too short.
    pub(super) fn add(&mut self, outage: Outage) {
        if outage.to_ms - outage.from_ms >= LONG_OUTAGE_MIN_MS {
            self.0.insert(outage.from_ms, (outage.to_ms, false));
        }
    }

    /// Removes the outages that began at or after `from_ms`.
    pub(super) fn remove_from(&mut self, from_ms: i64) {
        self.0.split_off(&from_ms);
    }

    /// Returns the outages that are not stored.
    pub(super) fn unsaved(&self) -> Vec<Outage> {
        let unsaved = self.0.iter().filter(|(_, (_, is_saved))| !is_saved);
        unsaved.map(|(from_ms, (to_ms, _))| Outage { from_ms: *from_ms, to_ms: *to_ms }).collect()
    }

    /// Marks outages as stored that have not changed since.
    pub(super) fn mark_saved(&mut self, saved: &[Outage]) {
        for outage in saved {
            if let Some((to_ms, is_saved)) = self.0.get_mut(&outage.from_ms) {
                *is_saved |= *to_ms == outage.to_ms;
            }
        }
    }

    /// Returns the outages that ended after `last_ms`, in the order of their beginnings.
    pub(super) fn after(&self, last_ms: i64) -> impl Iterator<Item = Outage> {
        let outages =
            self.0.iter().map(|(from_ms, (to_ms, _))| Outage { from_ms: *from_ms, to_ms: *to_ms });
        outages.filter(move |outage| outage.to_ms > last_ms)
    }

    /// Returns the longest outage.
    pub(super) fn longest(&self) -> Option<Outage> {
        self.after(i64::MIN).max_by_key(|outage| outage.to_ms - outage.from_ms)
    }

    /// Returns the duration of all outages after `last_ms`, in milliseconds.
    pub(super) fn duration_after(&self, last_ms: i64) -> i64 {
        let mut until_ms = last_ms;
        let mut sum_ms = 0;
        for outage in self.after(last_ms) {
            // Outages may overlap.
            sum_ms += (outage.to_ms - outage.from_ms.max(until_ms)).max(0);
            until_ms = until_ms.max(outage.to_ms);
        }
        sum_ms
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE_MS: i64 = 60_000;

    fn outage(from: i64, to: i64) -> Outage {
        Outage { from_ms: from * MINUTE_MS, to_ms: to * MINUTE_MS }
    }

    #[test]
    fn overlapping_outages_count_once() {
        let mut outages = LongOutages::default();
        outages.add_stored(vec![outage(10, 20), outage(40, 50)]);
        outages.add(outage(15, 25));
        outages.add(Outage { from_ms: 0, to_ms: MINUTE_MS - 1 });
        let minutes = |last| outages.duration_after(last * MINUTE_MS) / MINUTE_MS;
        assert_eq!([0, 10, 12, 25, 45, 50].map(minutes), [25, 25, 23, 10, 5, 0]);
        assert_eq!(outages.after(24 * MINUTE_MS).count(), 2);
        assert_eq!(outages.longest(), Some(outage(40, 50)));
    }

    #[test]
    fn outage_that_grows_while_it_is_stored_is_stored_again() {
        let mut outages = LongOutages::default();
        outages.add_stored(vec![outage(10, 20)]);
        outages.add(outage(40, 50));
        let saved = outages.unsaved();
        assert_eq!(saved, [outage(40, 50)]);
        outages.add(outage(40, 60));
        outages.mark_saved(&saved);
        assert_eq!(outages.unsaved(), [outage(40, 60)]);
        outages.mark_saved(&[outage(40, 60)]);
        assert!(outages.unsaved().is_empty());
    }

    #[test]
    fn outages_within_a_longer_one_are_removed() {
        let mut outages = LongOutages::default();
        outages.add_stored(vec![outage(10, 20)]);
        outages.add(outage(40, 50));
        outages.remove_from(30 * MINUTE_MS);
        assert_eq!(outages.after(0).collect::<Vec<_>>(), [outage(10, 20)]);
    }
}
