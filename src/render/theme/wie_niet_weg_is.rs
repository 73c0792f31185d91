//! Wie niet weg is: stones on dark tiles. White stones are smooth, red ones notched; a ring marks
//! a stone that lies circle up.

use super::{Artwork, CellContext, Theme};
use crate::render::svg::Svg;
use crate::rules::Side;

pub struct WieNietWegIsTheme;

impl Theme for WieNietWegIsTheme {
    fn draw_cell(&self, artwork: &Artwork, _: &CellContext<'_>, svg: &mut Svg) {
        artwork.draw("cell", svg);
    }

    fn owner(&self, token: &str) -> Option<Side> {
        match token {
            "w" | "W" => Some(Side::First),
            "r" | "R" => Some(Side::Second),
            _ => None,
        }
    }
}
