//! Counts of an audit and its sink for mismatches.

/// Counts of an audit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AuditReport {
    /// Games replayed.
    pub games: u64,
    /// Events in the logs of those games.
    pub events: u64,
    /// Rated results from which ratings were recomputed.
    pub rated: u64,
    /// Stored ratings compared with them.
    pub ratings: u64,
    /// Mismatches found.
    pub mismatches: u64,
}

/// State of an audit: counts so far, and the sink for mismatches.
pub(super) struct Auditor<S> {
    pub(super) counts: AuditReport,
    pub(super) on_mismatch: S,
}

impl<S: FnMut(&str)> Auditor<S> {
    /// Counts and reports a mismatch.
    pub(super) fn report(&mut self, what: &str) {
        self.counts.mismatches += 1;
        (self.on_mismatch)(what);
    }
}
