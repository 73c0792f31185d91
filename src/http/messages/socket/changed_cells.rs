//! Cells that a move may have changed, which short frames have in place of all cells.
//!
//! The trace of a move names every cell whose content changes, which a test checks for all
//! variants. Caller: the frames of events.

use crate::rules::{Cell, Trace};
use crate::variants::Position;
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::fmt::{Display, Formatter};

/// Content of the cells that a trace names, serialized as a map by cell.
pub struct ChangedCells<'a> {
    pub trace: Option<&'a Trace>,
    /// Position after the move.
    pub position: &'a dyn Position,
}

impl ChangedCells<'_> {
    /// Returns the cells of the trace. Some are named more than once.
    fn named_cells(&self) -> impl Iterator<Item = Cell> + Clone {
        let named = self.trace.into_iter().flat_map(|Trace { paths, removed, strikes, groups }| {
            let lines = strikes.iter().chain(groups).flatten();
            paths.iter().flatten().chain(lines).chain(removed)
        });
        named.copied()
    }
}

/// Token of a cell, serialized as a text.
struct CellToken<'a> {
    position: &'a dyn Position,
    cell: Cell,
}

impl Display for CellToken<'_> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        self.position.write_token(self.cell, formatter)
    }
}

impl Serialize for CellToken<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Serialize for ChangedCells<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (at, cell) in self.named_cells().enumerate() {
            // Traces are short.
            let is_repeated = self.named_cells().take(at).any(|before| before == cell);
            if !is_repeated && self.position.info().board.contains(cell) {
                map.serialize_entry(&cell, &CellToken { position: self.position, cell })?;
            }
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::played_line::PlayedLine;
    use crate::rules::SplitMix;
    use crate::variants::ALL;
    use std::collections::BTreeMap;

    const GAMES: u64 = 20;
    const PLIES: usize = 120;

    /// Returns the cells with others in place of some.
    fn with_changes(cells: &str, changed: &BTreeMap<String, String>) -> String {
        let mut rows: Vec<Vec<&str>> =
            cells.split('/').map(|row| row.split(',').collect()).collect();
        let count = rows.len();
        for (name, token) in changed {
            let cell: Cell = name.parse().expect("a cell");
            rows[count - 1 - usize::from(cell.row)][usize::from(cell.col)] = token;
        }
        rows.iter().map(|row| row.join(",")).collect::<Vec<_>>().join("/")
    }

    #[test]
    fn changed_cells_lead_to_the_next_position() {
        for variant in &ALL {
            for seed in 0..GAMES {
                let mut chance = SplitMix::new(seed);
                let mut line = PlayedLine::new(variant.start(&variant.options(), seed));
                while line.outcome().is_none() && line.ply() < PLIES {
                    let before = line.position().cells();
                    let legal = line.legal_moves();
                    let u = &legal[chance.below(legal.len())];
                    line.play(u).expect("legal move");
                    let (position, trace) = (line.position(), line.last().map(|trace| &**trace));
                    let cells = position.cells();
                    let json = serde_json::to_value(ChangedCells { trace, position });
                    let changed = serde_json::from_value(json.expect("JSON")).expect("a map");
                    assert_eq!(
                        with_changes(&before, &changed),
                        cells,
                        "{} {seed}: {u} at {before}",
                        variant.info.key
                    );
                }
            }
        }
    }
}
