use super::Cell;
use serde::Serialize;
use smallvec::SmallVec;

/// List of cells. Up to eight are stored in the list itself, without an allocation.
pub type CellList = SmallVec<[Cell; 8]>;

/// Visible effects of a move, for animation and highlights. No rule depends on it.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Trace {
    /// Path of each moved piece: its origin, the cells it touches, its destination. A path of a
    /// single cell is a placement from outside the board.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<Vec<String>>))]
    pub paths: SmallVec<[CellList; 1]>,
    /// Cells whose piece (the top piece of a stack) or number leaves the board.
    #[serde(skip_serializing_if = "SmallVec::is_empty")]
    #[cfg_attr(feature = "schema", schema(value_type = Vec<String>))]
    pub removed: CellList,
    /// Lines along which pieces are captured: the capturing pieces in order, then the captured one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(value_type = Vec<Vec<String>>))]
    pub strikes: Vec<Vec<Cell>>,
    /// Groups from which the mover may remove one piece, removed or not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(value_type = Vec<Vec<String>>))]
    pub groups: Vec<Vec<Cell>>,
}

impl Trace {
    /// Keeps the effects that `other`, the trace of another move in the same position, has as well.
    /// The removal of a cell is the same effect only if its piece is captured along the same line,
    /// or along none: a button that one move takes as a penalty and another one strikes is not yet
    /// taken.
    pub fn retain_common(&mut self, other: &Trace) {
        let all_strikes = self.strikes.clone();
        self.paths.retain(|path| other.paths.contains(path));
        self.strikes.retain(|line| other.strikes.contains(line));
        self.groups.retain(|group| other.groups.contains(group));
        let strikes = &self.strikes;
        self.removed.retain(|cell| {
            let is_struck =
                |lines: &[Vec<Cell>]| lines.iter().any(|line| line.last() == Some(&*cell));
            let is_struck_by_either = is_struck(&all_strikes) || is_struck(&other.strikes);
            other.removed.contains(cell) && (!is_struck_by_either || is_struck(strikes))
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removal_by_other_means_is_not_common() {
        let cells = |text: &str| CellList::from(Cell::parse_all(text));
        let taken = Trace { removed: cells("e4 i4"), ..Trace::default() };
        let strikes = vec![Cell::parse_all("b4 c4 e4")];
        let struck = Trace { removed: cells("e4 i4"), strikes, ..Trace::default() };
        let common = |one: &Trace, other: &Trace| {
            let mut certain = one.clone();
            certain.retain_common(other);
            certain.removed
        };
        for (one, other) in [(&taken, &struck), (&struck, &taken)] {
            assert_eq!(common(one, other), cells("i4"));
        }
        for same in [&taken, &struck] {
            assert_eq!(common(same, same), cells("e4 i4"));
        }
    }
}
