//! Shapes and colors of each variant, equal to those of `static/variants` and
//! `static/css/board.css`. A cell measures 100 units and is drawn around the origin.

mod caterpillar_war;
mod hogga;
mod knight_fight;
mod kopf_oder_knopf;
mod wie_niet_weg_is;

use super::svg::{Paint, Svg};
use crate::rules::{Board, Side};

/// Looks of all variants in the catalogue.
static THEMES: [(&str, &dyn Theme); 5] = [
    ("caterpillarWar", &caterpillar_war::CaterpillarWarTheme),
    ("knightFight", &knight_fight::KnightFightTheme),
    ("hogga", &hogga::HoggaTheme),
    ("kopfOderKnopf", &kopf_oder_knopf::KopfOderKnopfTheme),
    ("wieNietWegIs", &wie_niet_weg_is::WieNietWegIsTheme),
];

/// Color of white pieces.
const IVORY: &str = "#f6f1e4";

/// Shadow of a piece on the board.
const SHADOW: Paint = Paint::fill("#000").opacity(0.28);

/// Cell with its content.
#[derive(Clone, Copy, Debug)]
pub struct CellContext<'a> {
    /// Token of the cell in the position text.
    pub token: &'a str,
    /// Token before the last move, if there was one.
    pub previous_token: Option<&'a str>,
    /// Whether the cell holds a piece or is unchanged.
    pub is_settled: bool,
    /// Mark of the cell on the board.
    pub mark: u8,
    /// Whether the cell is dark on a checkered board.
    pub is_dark: bool,
}

/// Drawing of one variant's board and pieces, independent of its rules.
pub trait Theme: Sync {
    /// Returns the colors of the frame and of its coordinates.
    fn frame_colors(&self) -> [&'static str; 2];

    /// Returns the color of the last move's highlights.
    fn last_move_color(&self) -> &'static str {
        "#fff6d8"
    }

    /// Draws the background of a cell.
    fn draw_cell(&self, spot: &CellContext<'_>, svg: &mut Svg);

    /// Draws above the backgrounds of all cells, from the upper left corner of the first cell.
    fn draw_backdrop(&self, _board: &Board, _svg: &mut Svg) {}

    /// Returns the side that owns the piece of a token, if it is a piece.
    fn owner(&self, token: &str) -> Option<Side>;

    /// Draws the piece of a token.
    fn draw_piece(&self, token: &str, mark: u8, svg: &mut Svg);
}

/// Returns the look of the variant with this key.
pub fn find_theme(key: &str) -> Option<&'static dyn Theme> {
    THEMES.iter().find(|(name, _)| *name == key).map(|(_, theme)| *theme)
}
