//! Highlights of the last move, equal on all boards and on the pages.

use super::geometry::BoardGeometry;
use super::svg::{Paint, Svg};
use super::theme::Artwork;
use crate::rules::{Cell, Trace};
use std::collections::BTreeSet;
use std::fmt::Write;

const CORNERS: &str = "M-46-30V-46H-30M30-46H46V-30M46 30V46H30M-30 46H-46V30";

fn polyline(geometry: BoardGeometry, cells: &[Cell]) -> String {
    let mut d = String::new();
    for (at, cell) in cells.iter().enumerate() {
        let [x, y] = geometry.center(*cell);
        let step = if at == 0 { 'M' } else { 'L' };
        write!(d, "{step}{x} {y}").expect("writing to a string cannot fail");
    }
    d
}

/// Draws the highlights of a move. `had_piece` returns whether a cell held a piece
/// before the move, and `has_piece` whether it holds one now.
pub fn draw_last_move(
    geometry: BoardGeometry,
    trace: &Trace,
    artwork: &Artwork,
    had_piece: impl Fn(Cell) -> bool,
    has_piece: impl Fn(Cell) -> bool,
    svg: &mut Svg,
) {
    let color = artwork.color("last");
    let destinations: BTreeSet<Cell> =
        trace.paths.iter().filter_map(|path| path.last().copied()).collect();
    let starts = trace.paths.iter().filter_map(|path| path.first().copied());
    let marked: BTreeSet<Cell> = starts.chain(destinations.iter().copied()).collect();
    for cell in marked {
        svg.translated(geometry.center(cell), |svg| {
            if destinations.contains(&cell) {
                svg.rect([-49.0, -49.0, 98.0, 98.0], 4.0, Paint::fill(color).opacity(0.24));
            }
            svg.path(CORNERS, Paint::line(color, 4.0).round().opacity(0.95));
        });
    }
    svg.group("opacity=\".6\"", |svg| {
        for path in trace.paths.iter().filter(|path| path.len() > 1) {
            svg.path(polyline(geometry, path), Paint::line(color, 4.0).round());
        }
    });
    draw_captures(geometry, trace, artwork, svg);
    draw_removed_pieces(geometry, trace, color, had_piece, has_piece, svg);
}

/// Draws the lines along which pieces were captured.
fn draw_captures(geometry: BoardGeometry, trace: &Trace, artwork: &Artwork, svg: &mut Svg) {
    let edge = Paint::line(artwork.color("capture-edge"), 9.0).round();
    let line = Paint::line(artwork.color("capture"), 4.5).round().dashed("15 9");
    for strike in &trace.strikes {
        svg.path(polyline(geometry, strike), edge);
        svg.path(polyline(geometry, strike), line);
    }
}

/// Marks the cells of removed pieces.
fn draw_removed_pieces(
    geometry: BoardGeometry,
    trace: &Trace,
    color: &'static str,
    had_piece: impl Fn(Cell) -> bool,
    has_piece: impl Fn(Cell) -> bool,
    svg: &mut Svg,
) {
    let cross = Paint::line(color, 3.5).round();
    for cell in trace.removed.iter().copied().filter(|cell| had_piece(*cell)) {
        svg.translated(geometry.center(cell), |svg| {
            // A cell that is occupied again has a small cross in its corner instead.
            if has_piece(cell) {
                svg.path("M30-44L44-30M44-44L30-30", cross);
            } else {
                svg.circle([0.0, 0.0], 32.0, cross.dashed("7 7"));
                svg.path("M-10-10L10 10M10-10L-10 10", cross);
            }
        });
    }
}
