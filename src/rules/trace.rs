use super::Cell;
use serde::Serialize;

/// What is to be seen of a move, beside the position after it: for eyes alone, no rule rests on it.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
pub struct Trace {
    /// The way of each piece that goes somewhere, from where it stood to where it stands, with the
    /// cells it touches in between. A single cell: it was placed there from outside the board.
    pub paths: Vec<Vec<Cell>>,
    /// The cells whose piece (of a pile, the top one) or number leaves the board.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<Cell>,
    /// The lines along which pieces are struck: from those that strike, in order, to the struck one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub strikes: Vec<Vec<Cell>>,
    /// The groups of which the mover may take one piece, whether that is done or not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<Vec<Cell>>,
}

impl Trace {
    /// Keeps what is also seen of another move from the same position.
    pub fn common(&mut self, other: &Trace) {
        self.paths.retain(|path| other.paths.contains(path));
        self.removed.retain(|cell| other.removed.contains(cell));
        self.strikes.retain(|line| other.strikes.contains(line));
        self.groups.retain(|group| other.groups.contains(group));
    }
}
