/// Bitset of cell indices, for boards of at most 192 cells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CellSet([u64; 3]);

impl CellSet {
    /// The empty set.
    pub const EMPTY: CellSet = CellSet([0; 3]);

    /// Returns the set with the cell added.
    pub const fn with(mut self, cell: u8) -> CellSet {
        self.0[cell as usize / 64] |= 1 << (cell % 64);
        self
    }

    /// Whether the set contains the cell.
    pub fn contains(self, cell: u8) -> bool {
        self.0[usize::from(cell) / 64] >> (cell % 64) & 1 != 0
    }

    /// Removes the cell `from` and adds the cell `to`.
    pub fn move_cell(&mut self, from: u8, to: u8) {
        self.0[usize::from(from) / 64] &= !(1 << (from % 64));
        *self = self.with(to);
    }

    fn zip_words(self, other: CellSet, combine: impl Fn(u64, u64) -> u64) -> CellSet {
        CellSet(std::array::from_fn(|at| combine(self.0[at], other.0[at])))
    }

    /// Returns the union of both sets.
    pub fn union(self, other: CellSet) -> CellSet {
        self.zip_words(other, |a, b| a | b)
    }

    /// Returns the difference: the cells of `self` that are not in `other`.
    pub fn difference(self, other: CellSet) -> CellSet {
        self.zip_words(other, |a, b| a & !b)
    }

    /// Returns the number of cells.
    pub fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Iterates over the cells in ascending order.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        let mut words = self.0;
        std::iter::from_fn(move || {
            let at = words.iter().position(|word| *word != 0)?;
            let low = words[at].trailing_zeros();
            words[at] &= words[at] - 1;
            Some((64 * at as u32 + low) as u8)
        })
    }
}

/// Iterates over the indices of the set bits, in ascending order.
pub fn bits(mut set: u128) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let bit = set.trailing_zeros() as u8;
            set &= set - 1;
            bit
        })
    })
}
