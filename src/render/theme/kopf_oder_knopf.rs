//! Kopf oder Knopf: buttons on unbleached linen, plain and round in red, scalloped in blue. The
//! cloth shows through their holes, whose number is that of the cell.

use super::{Artwork, CellContext, Theme};
use crate::render::svg::{Paint, Svg};
use crate::rules::{Board, Side};
use std::fmt::Write;

pub struct KopfOderKnopfTheme;

impl Theme for KopfOderKnopfTheme {
    fn draw_cell(&self, artwork: &Artwork, context: &CellContext<'_>, svg: &mut Svg) {
        artwork.draw("cell", svg);
        artwork.draw(&format!("eyelets-{}", char::from(context.mark)), svg);
    }

    /// Draws running stitches between the cells.
    fn draw_backdrop(&self, artwork: &Artwork, board: &Board, svg: &mut Svg) {
        let (width, height) = (100 * u32::from(board.cols), 100 * u32::from(board.rows));
        let mut lines = String::new();
        for y in (100..height).step_by(100) {
            write!(lines, "M0 {y}h{width}").expect("writing to a string cannot fail");
        }
        for x in (100..width).step_by(100) {
            write!(lines, "M{x} 0v{height}").expect("writing to a string cannot fail");
        }
        let stitch = Paint::line(artwork.color("stitches"), 2.5).round().dashed("11 9");
        svg.path(lines, stitch);
    }

    fn owner(&self, token: &str) -> Option<Side> {
        match token {
            "r" => Some(Side::First),
            "b" => Some(Side::Second),
            _ => None,
        }
    }

    fn draw_piece(&self, artwork: &Artwork, token: &str, mark: u8, svg: &mut Svg) {
        artwork.draw(token, svg);
        artwork.draw(&format!("holes-{}", char::from(mark)), svg);
    }
}
