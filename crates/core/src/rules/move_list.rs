//! List of the legal moves of a position. Callers: `Position` and `PlayedLine`.

use serde::{Serialize, Serializer};
use std::fmt::{Display, Write};
use std::ops::Index;

/// Size of most notations, in bytes.
const NOTATION_BYTES: usize = 8;

/// Notations of the legal moves of a position, sorted by bytes. All share one text, because a list
/// is made after every move.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct MoveList {
    text: String,
    /// Start and end of each notation in `text`.
    ranges: Vec<(u32, u32)>,
}

impl MoveList {
    /// Returns the notations of these moves.
    pub(crate) fn new<M: Display>(moves: &[M]) -> MoveList {
        let mut list = MoveList {
            text: String::with_capacity(NOTATION_BYTES * moves.len()),
            ranges: Vec::with_capacity(moves.len()),
        };
        moves.iter().for_each(|m| list.push(m));
        list.sort();
        list
    }

    fn push(&mut self, m: &dyn Display) {
        let start = self.text.len() as u32;
        write!(self.text, "{m}").expect("writing to a string succeeds");
        self.ranges.push((start, self.text.len() as u32));
    }

    fn sort(&mut self) {
        self.ranges.sort_unstable_by_key(|range| notation(&self.text, *range));
    }

    /// Returns the number of moves.
    pub fn len(&self) -> usize {
        self.ranges.len()
    }

    /// Returns whether there is no legal move.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Returns the notation at `index`, if there is one.
    pub fn get(&self, index: usize) -> Option<&str> {
        self.ranges.get(index).map(|range| notation(&self.text, *range))
    }

    /// Returns all notations in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        self.ranges.iter().map(|range| notation(&self.text, *range))
    }

    /// Returns all notations in order, as texts of their own.
    pub fn to_vec(&self) -> Vec<String> {
        self.iter().map(str::to_owned).collect()
    }

    /// Returns whether a text is one of the notations.
    pub fn contains(&self, u: &str) -> bool {
        self.ranges.binary_search_by_key(&u, |range| notation(&self.text, *range)).is_ok()
    }
}

fn notation(text: &str, (start, end): (u32, u32)) -> &str {
    &text[start as usize..end as usize]
}

impl Index<usize> for MoveList {
    type Output = str;

    fn index(&self, index: usize) -> &str {
        notation(&self.text, self.ranges[index])
    }
}

impl Serialize for MoveList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notations_are_sorted_and_found() {
        let list = MoveList::new(&["b2", "a10", "pass", "a1"]);
        assert_eq!(list.iter().collect::<Vec<_>>(), ["a1", "a10", "b2", "pass"]);
        assert!(["a1", "a10", "b2", "pass"].iter().all(|u| list.contains(u)));
        assert!(["", "a", "a100", "c", "pas"].iter().all(|u| !list.contains(u)));
        assert_eq!((list.len(), &list[2], list.get(4)), (4, "b2", None));
        assert_eq!(serde_json::to_string(&list).expect("JSON"), r#"["a1","a10","b2","pass"]"#);
        assert!(MoveList::default().is_empty());
    }
}
