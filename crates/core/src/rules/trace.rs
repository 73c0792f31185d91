use super::Cell;
use serde::Serialize;

/// Visible effects of a move, for animation and highlights. No rule depends on it.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Trace {
    /// Path of each moved piece: its origin, the cells it touches, its destination. A path of a
    /// single cell is a placement from outside the board.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<Vec<String>>))]
    pub paths: Vec<Vec<Cell>>,
    /// Cells whose piece (the top piece of a stack) or number leaves the board.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(value_type = Vec<String>))]
    pub removed: Vec<Cell>,
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
    pub fn retain_common(&mut self, other: &Trace) {
        self.paths.retain(|path| other.paths.contains(path));
        self.removed.retain(|cell| other.removed.contains(cell));
        self.strikes.retain(|line| other.strikes.contains(line));
        self.groups.retain(|group| other.groups.contains(group));
    }
}
