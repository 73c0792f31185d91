//! Wie niet weg is: stones on dark tiles. White stones are smooth, red ones notched; a ring marks
//! a stone that lies circle up.

use super::{CellContext, IVORY, SHADOW, Theme};
use crate::render::svg::{Paint, Svg, round_decimals};
use crate::rules::Side;
use std::f64::consts::PI;
use std::fmt::Write;

const TILE: Paint = Paint::fill("#22344a");
const TILE_EDGE: Paint = Paint::fill("#070d15");
const RIMS: [Paint; 2] =
    [Paint::fill("#b9ae95").stroke("#6d6552", 2.0), Paint::fill("#8f2316").stroke("#ffd9cf", 1.0)];
const FACES: [Paint; 2] =
    [Paint::fill(IVORY).stroke("#6d6552", 2.0), Paint::fill("#dd4a36").stroke("#ffd9cf", 2.0)];
const RINGS: [Paint; 2] = [Paint::line("#22344a", 7.0), Paint::line("#fff", 7.0)];
const GLINT: Paint = Paint::line("#fff", 4.0).round();
const GLINTS: [Paint; 2] = [GLINT.opacity(0.75), GLINT.opacity(0.4)];
const NOTCH: Paint = Paint::line("#fff0ea", 4.0).round();

/// Number of notches along the edge of a red stone.
const NOTCHES: usize = 12;

fn notch_lines() -> String {
    let mut lines = String::new();
    for at in 0..NOTCHES {
        let angle = at as f64 * 2.0 * PI / NOTCHES as f64;
        let [x, y] = [angle.sin(), -angle.cos()];
        let [fx, fy, tx, ty] = [33.0 * x, 33.0 * y, 24.0 * x, 24.0 * y].map(round_decimals);
        write!(lines, "M{fx} {fy}L{tx} {ty}").expect("writing to a string cannot fail");
    }
    lines
}

pub struct WieNietWegIsTheme;

impl Theme for WieNietWegIsTheme {
    fn frame_colors(&self) -> [&'static str; 2] {
        ["#0d1622", "#a9bbcf"]
    }

    fn draw_cell(&self, _: &CellContext<'_>, svg: &mut Svg) {
        svg.rect([-46.0, -42.0, 92.0, 92.0], 12.0, TILE_EDGE);
        svg.rect([-46.0, -46.0, 92.0, 92.0], 12.0, TILE);
    }

    fn owner(&self, token: &str) -> Option<Side> {
        match token {
            "w" | "W" => Some(Side::First),
            "r" | "R" => Some(Side::Second),
            _ => None,
        }
    }

    fn draw_piece(&self, token: &str, _: u8, svg: &mut Svg) {
        let Some(side) = self.owner(token) else { return };
        let at = side.index();
        svg.ellipse([0.0, 9.0], [36.0, 34.0], SHADOW);
        svg.circle([0.0, 4.0], 35.0, RIMS[at]);
        svg.circle([0.0, 0.0], 35.0, FACES[at]);
        if side == Side::Second {
            svg.path(notch_lines(), NOTCH);
        }
        if token.bytes().all(|byte| byte.is_ascii_uppercase()) {
            svg.circle([0.0, 0.0], 15.0, RINGS[at]);
        } else {
            svg.path("M-23-12C-18-20-12-24-5-25", GLINTS[at]);
        }
    }
}
