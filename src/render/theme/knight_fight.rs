//! Knight Fight: slate tablets with chalk numbers. Erased numbers leave the bare board.

use super::{CellContext, IVORY, SHADOW, Theme};
use crate::render::svg::{Paint, Svg};
use crate::render::vector_font::{TextStyle, draw_centered_text};
use crate::rules::Side;

const BODY: &str = "M-24 31C-26 15-10 8-7-4C-13 1-20 3-25 10C-29 12-34 9-34 3C-31-6-26-12-23-19C-19-27-12-31-4-32L3-43L9-31C24-27 31-8 27 31Z";
const MANES: [&str; 2] = ["M13-20l10-3M18-8l9-1M20 5l8 1M20 18l8 1", "M10-26C20-19 23-2 20 26"];
const BODIES: [Paint; 2] = [
    Paint::fill(IVORY).stroke("#14191d", 3.5).round(),
    Paint::fill("#14191d").stroke("#f3efe4", 3.0).round(),
];
const LINES: [&str; 2] = ["#14191d", "#f3efe4"];

/// Cells overlap, so that no gap is visible between them.
const BED: Paint = Paint::fill("#3a4751");
const WIPE: Paint = Paint::line("#c3ced6", 5.0).round().opacity(0.75);

fn draw_knight(at: usize, svg: &mut Svg) {
    svg.ellipse([1.0, 40.0], [33.0, 6.0], SHADOW);
    svg.path(BODY, BODIES[at]);
    svg.path(MANES[at], Paint::line(LINES[at], 3.0).round());
    svg.circle([-10.0, -14.0], 3.6, Paint::fill(LINES[at]));
    svg.rect([-31.0, 28.0, 64.0, 12.0], 5.0, BODIES[at]);
}

fn is_number(token: &str) -> bool {
    token.len() == 2 && token.bytes().all(|byte| byte.is_ascii_digit())
}

fn draw_number(text: &str, stroke: f64, color: &'static str, svg: &mut Svg) {
    draw_centered_text(svg, text, [0.0, 14.4], TextStyle { height: 28.8, stroke, color });
}

fn draw_tablet(text: &str, svg: &mut Svg) {
    let bounds = [-46.0, -46.0, 92.0, 92.0];
    if text.as_bytes()[0] == text.as_bytes()[1] {
        svg.rect(bounds, 8.0, Paint::fill("#4c5f86"));
        svg.rect([-40.0, -40.0, 80.0, 80.0], 5.0, Paint::line("#c9d6f5", 2.5));
        draw_number(text, 6.2, "#fff", svg);
    } else {
        svg.rect(bounds, 8.0, Paint::fill("#566b79"));
        draw_number(text, 5.4, "#fff", svg);
    }
}

pub struct KnightFightTheme;

impl Theme for KnightFightTheme {
    fn frame_colors(&self) -> [&'static str; 2] {
        ["#28323a", "#c3ced6"]
    }

    fn draw_cell(&self, spot: &CellContext<'_>, svg: &mut Svg) {
        svg.rect([-50.5, -50.5, 101.0, 101.0], 0.0, BED);
        if is_number(spot.token) {
            draw_tablet(spot.token, svg);
        } else if let Some(before) = spot.previous_token
            && is_number(before)
            && !spot.is_settled
        {
            draw_number(before, 5.4, "#9fb0bb", svg);
            svg.path("M-34 16C-18 14-4 4 8-2S26-6 36-18", WIPE);
        }
    }

    fn owner(&self, token: &str) -> Option<Side> {
        match token {
            "w" => Some(Side::First),
            "b" => Some(Side::Second),
            _ => None,
        }
    }

    fn draw_piece(&self, token: &str, _: u8, svg: &mut Svg) {
        if let Some(side) = self.owner(token) {
            draw_knight(side.index(), svg);
        }
    }
}
