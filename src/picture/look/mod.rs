//! Shapes and colors of each variant, equal to those of `static/glyphs` and `static/css/board.css`.
//! A cell measures 100 units and is drawn around the origin.

mod caterpillar;
mod hogga;
mod knight;
mod kopf;
mod weg;

use super::svg::{Paint, Svg};
use crate::rules::{Board, Side};

/// Looks of all variants in the catalogue.
static LOOKS: [(&str, &dyn Look); 5] = [
    ("caterpillarWar", &caterpillar::Caterpillar),
    ("knightFight", &knight::Knight),
    ("hogga", &hogga::Hogga),
    ("kopfOderKnopf", &kopf::Kopf),
    ("wieNietWegIs", &weg::Weg),
];

/// Color of white pieces.
const IVORY: &str = "#f6f1e4";

/// Shadow of a piece on the board.
const SHADOW: Paint = Paint::fill("#000").faint(0.28);

/// Cell with its content.
#[derive(Clone, Copy, Debug)]
pub struct Spot<'a> {
    /// Token of the cell in the position text.
    pub token: &'a str,
    /// Token before the last move, if there was one.
    pub before: Option<&'a str>,
    /// Whether the cell holds a piece or is unchanged.
    pub settled: bool,
    /// Mark of the cell on the board.
    pub mark: u8,
    /// Whether the cell is dark on a checkered board.
    pub odd: bool,
}

/// Drawing of one variant's board and pieces, independent of its rules.
pub trait Look: Sync {
    /// Returns the colors of the frame and of its coordinates.
    fn frame(&self) -> [&'static str; 2];

    /// Returns the color of the last move's highlights.
    fn last(&self) -> &'static str {
        "#fff6d8"
    }

    /// Draws the background of a cell.
    fn ground(&self, spot: &Spot<'_>, svg: &mut Svg);

    /// Draws above the backgrounds of all cells, from the upper left corner of the first cell.
    fn backdrop(&self, _board: &Board, _svg: &mut Svg) {}

    /// Returns the side that owns the piece of a token, if it is a piece.
    fn owner(&self, token: &str) -> Option<Side>;

    /// Draws the piece of a token.
    fn piece(&self, token: &str, mark: u8, svg: &mut Svg);
}

/// Returns the look of the variant with this key.
pub fn look(key: &str) -> Option<&'static dyn Look> {
    LOOKS.iter().find(|(known, _)| *known == key).map(|(_, look)| *look)
}
