/// Type of a value: exact or a bound.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    Exact,
    /// The value is a lower bound.
    Lower,
    /// The value is an upper bound.
    Upper,
}

/// Search result for a position.
#[derive(Clone, Copy)]
pub(super) struct TableEntry {
    key: u64,
    pub(super) value: i16,
    /// Index of the best move in the list of legal moves.
    pub(super) best: u16,
    pub(super) depth: i8,
    pub(super) bound: Bound,
}

/// Maximum number of entries, of 16 bytes each.
const ENTRIES_MAX: u64 = 1 << 20;

/// Transposition table. The number of entries is a power of two; a new entry always replaces the
/// old one.
pub(super) struct TranspositionTable(Vec<TableEntry>);

impl TranspositionTable {
    /// Returns a table for a search of at most `nodes` nodes.
    pub(super) fn new(nodes: u64) -> TranspositionTable {
        let entries = nodes.clamp(256, ENTRIES_MAX).next_power_of_two();
        let none = TableEntry { key: 0, value: 0, best: 0, depth: i8::MIN, bound: Bound::Upper };
        TranspositionTable(vec![none; entries as usize])
    }

    fn index_of(&self, key: u64) -> usize {
        key as usize & (self.0.len() - 1)
    }

    pub(super) fn probe(&self, key: u64) -> Option<&TableEntry> {
        let entry = &self.0[self.index_of(key)];
        (entry.key == key && entry.depth > i8::MIN).then_some(entry)
    }

    pub(super) fn store(&mut self, key: u64, depth: i32, value: i32, bound: Bound, best: usize) {
        let index = self.index_of(key);
        let best = u16::try_from(best).unwrap_or(0);
        let depth = depth.clamp(0, 100) as i8;
        self.0[index] = TableEntry { key, value: value as i16, best, depth, bound };
    }
}
