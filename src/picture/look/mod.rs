//! How each variant looks on a picture: the same forms and colours as `static/glyphs` and
//! `static/css/board.css` give it on the page. A hundred units a cell, drawn around 0 0.

mod caterpillar;
mod hogga;
mod knight;
mod kopf;
mod weg;

use super::svg::{Paint, Svg};
use crate::rules::{Board, Side};

/// The look of every variant of the catalogue.
static LOOKS: [(&str, &dyn Look); 5] = [
    ("caterpillarWar", &caterpillar::Caterpillar),
    ("knightFight", &knight::Knight),
    ("hogga", &hogga::Hogga),
    ("kopfOderKnopf", &kopf::Kopf),
    ("wieNietWegIs", &weg::Weg),
];

/// The white of pieces.
const IVORY: &str = "#f6f1e4";

/// What a piece throws on the board.
const SHADOW: Paint = Paint::fill("#000").faint(0.28);

/// A cell, and what stands there.
#[derive(Clone, Copy, Debug)]
pub struct Spot<'a> {
    /// Its token in the position text.
    pub token: &'a str,
    /// Its token a ply ago, if there was one.
    pub before: Option<&'a str>,
    /// Whether something stands there, or it has not changed.
    pub settled: bool,
    /// What the board bears there.
    pub mark: u8,
    /// Whether it is dark where colours alternate.
    pub odd: bool,
}

/// What one variant looks like. It knows nothing of what is legal.
pub trait Look: Sync {
    /// The colours of the frame and of the coordinates on it.
    fn frame(&self) -> [&'static str; 2];

    /// The colour in which the last move is marked.
    fn last(&self) -> &'static str {
        "#fff6d8"
    }

    /// What lies under a cell.
    fn ground(&self, spot: &Spot<'_>, svg: &mut Svg);

    /// What lies over the ground of all cells, drawn from the upper left corner of the first.
    fn backdrop(&self, _board: &Board, _svg: &mut Svg) {}

    /// Whose piece a token is, if it is one.
    fn owner(&self, token: &str) -> Option<Side>;

    /// Draws the piece of a token that is one.
    fn piece(&self, token: &str, mark: u8, svg: &mut Svg);
}

/// The look of the variant of that key.
pub fn look(key: &str) -> Option<&'static dyn Look> {
    LOOKS.iter().find(|(known, _)| *known == key).map(|(_, look)| *look)
}
