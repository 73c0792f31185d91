//! Hogga: a walnut board with dished cells. A pawn has a round head; a Hogga is broader and has a
//! cap.

use super::{Artwork, CellContext, Theme};
use crate::render::svg::{Paint, Svg};
use crate::rules::{Board, Cell, Side};

/// Returns the symbol of a dot on cells with this mark.
fn dot(mark: u8) -> Option<&'static str> {
    match mark {
        b'b' => Some("dot-b"),
        b'w' => Some("dot-w"),
        _ => None,
    }
}

pub struct HoggaTheme;

impl Theme for HoggaTheme {
    fn draw_cell(&self, artwork: &Artwork, context: &CellContext<'_>, svg: &mut Svg) {
        artwork.draw(if context.is_light { "cell-light" } else { "cell-dark" }, svg);
        if let Some(dot) = dot(context.mark) {
            artwork.draw(dot, svg);
        }
    }

    /// Draws lines around the dotted cells: between each of them and a neighbor without a dot.
    fn draw_backdrop(&self, artwork: &Artwork, board: &Board, svg: &mut Svg) {
        let mut edges = String::new();
        for cell in (0..board.len()).map(|at| board.cell_at(at)) {
            if dot(board.mark_at(cell)).is_none() {
                continue;
            }
            let bare = |direction| {
                let next: Option<Cell> = board.offset(cell, direction, 1);
                next.is_none_or(|next| dot(board.mark_at(next)).is_none())
            };
            let left = 100.0 * f64::from(cell.col);
            let top = 100.0 * f64::from(board.rows - 1 - cell.row);
            let lines = [
                ((0, 1), format!("M{left} {top}h100")),
                ((0, -1), format!("M{left} {}h100", top + 100.0)),
                ((-1, 0), format!("M{left} {top}v100")),
                ((1, 0), format!("M{} {top}v100", left + 100.0)),
            ];
            edges.extend(lines.into_iter().filter(|line| bare(line.0)).map(|line| line.1));
        }
        let zone = Paint::line(artwork.color("zone"), 3.0).round().opacity(0.55);
        svg.path(edges, zone);
    }

    fn owner(&self, token: &str) -> Option<Side> {
        match token {
            "b" | "B" => Some(Side::First),
            "w" | "W" => Some(Side::Second),
            _ => None,
        }
    }
}
