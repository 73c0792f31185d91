//! Kopf oder Knopf: buttons on unbleached linen, plain and round in red, scalloped in blue. The
//! cloth shows through their holes, whose number is that of the cell.

use super::{CellContext, SHADOW, Theme};
use crate::render::svg::{Paint, Svg, round_decimals};
use crate::rules::{Board, Side};
use std::f64::consts::PI;
use std::fmt::Write;

/// Cells overlap, so that no gap is visible between them.
const CLOTH: Paint = Paint::fill("#ece3cf");
const STITCH: Paint = Paint::line("#b8a47c", 2.5).round().dashed("11 9");
const EYELET: Paint = Paint::fill("#7b6a4a").stroke("#fff9ea", 2.0);
const HOLE: Paint = Paint::fill("#ece3cf").stroke("#22160a", 2.0);
const RED: Paint = Paint::fill("#d84b36").stroke("#7a1a0f", 2.0);
const RED_DIP: Paint = Paint::fill("#c43b28").stroke("#ffa698", 2.5);
const BLUE: Paint = Paint::fill("#203f80").stroke("#0b1b42", 2.0);
const BLUE_DIP: Paint = Paint::fill("#182f63").stroke("#7f9ddd", 2.5);

/// Number of arcs along the edge of a blue button.
const SCALLOPS: usize = 12;

/// Returns the centers of the holes in a button or cell with this number.
fn hole_centers(mark: u8) -> &'static [[f64; 2]] {
    match mark {
        b'1' => &[[0.0, 0.0]],
        b'2' => &[[-10.0, 0.0], [10.0, 0.0]],
        b'3' => &[[0.0, -11.0], [-10.5, 8.0], [10.5, 8.0]],
        b'4' => &[[-10.0, -10.0], [10.0, -10.0], [-10.0, 10.0], [10.0, 10.0]],
        _ => &[],
    }
}

fn draw_holes(mark: u8, radius: f64, paint: Paint, svg: &mut Svg) {
    for center in hole_centers(mark) {
        svg.circle(*center, radius, paint);
    }
}

fn scalloped_edge() -> String {
    let point = |at: usize, radius: f64| {
        let angle = at as f64 * PI / SCALLOPS as f64;
        [angle.cos(), angle.sin()].map(|component| round_decimals(radius * component))
    };
    let mut edge = String::from("M34.5 0");
    for at in 0..SCALLOPS {
        let ([bx, by], [x, y]) = (point(2 * at + 1, 45.0), point(2 * at + 2, 34.5));
        write!(edge, "Q{bx} {by} {x} {y}").expect("writing to a string cannot fail");
    }
    edge + "Z"
}

pub struct KopfOderKnopfTheme;

impl Theme for KopfOderKnopfTheme {
    fn frame_colors(&self) -> [&'static str; 2] {
        ["#6e5d45", "#fff4df"]
    }

    fn last_move_color(&self) -> &'static str {
        "#7a5200"
    }

    fn draw_cell(&self, spot: &CellContext<'_>, svg: &mut Svg) {
        svg.rect([-50.5, -50.5, 101.0, 101.0], 0.0, CLOTH);
        draw_holes(spot.mark, 5.4, EYELET, svg);
    }

    /// Draws running stitches between the cells.
    fn draw_backdrop(&self, board: &Board, svg: &mut Svg) {
        let (width, height) = (100 * u32::from(board.cols), 100 * u32::from(board.rows));
        let mut lines = String::new();
        for y in (100..height).step_by(100) {
            write!(lines, "M0 {y}h{width}").expect("writing to a string cannot fail");
        }
        for x in (100..width).step_by(100) {
            write!(lines, "M{x} 0v{height}").expect("writing to a string cannot fail");
        }
        svg.path(lines, STITCH);
    }

    fn owner(&self, token: &str) -> Option<Side> {
        match token {
            "r" => Some(Side::First),
            "b" => Some(Side::Second),
            _ => None,
        }
    }

    fn draw_piece(&self, token: &str, mark: u8, svg: &mut Svg) {
        svg.circle([0.0, 4.0], 38.0, SHADOW);
        if token == "r" {
            svg.circle([0.0, 0.0], 38.0, RED);
            svg.circle([0.0, 0.0], 26.0, RED_DIP);
        } else {
            svg.path(scalloped_edge(), BLUE);
            svg.circle([0.0, 0.0], 23.0, BLUE_DIP);
        }
        draw_holes(mark, 5.8, HOLE, svg);
    }
}
