//! Caterpillar War: flat stacking stones on a green board. A stack shows the edge of each stone,
//! and its height on top.

use super::{CellContext, IVORY, SHADOW, Theme};
use crate::render::svg::{Paint, Svg};
use crate::render::vector_font::{TextStyle, draw_centered_text};
use crate::rules::Side;

/// Vertical offset between two stones, and its maximum for a whole stack.
const LIFT: f64 = 13.0;
const LIFT_MAX: f64 = 44.0;

const GROUNDS: [Paint; 2] = [Paint::fill("#5a795f"), Paint::fill("#668a6d")];
const RING: Paint = Paint::line("#b7ab8d", 3.0);
const GROOVE: Paint = Paint::line("#68736d", 3.5).round();

/// Returns the value for the color of a stone.
fn by_color<T>(stone: char, [white, black]: [T; 2]) -> T {
    if stone == 'w' { white } else { black }
}

fn top(stone: char) -> Paint {
    let white = Paint::fill(IVORY).stroke("#33302a", 2.0);
    by_color(stone, [white, Paint::fill("#1d2321").stroke("#68736d", 2.0)])
}

fn side(stone: char) -> Paint {
    let white = Paint::fill("#e2d8c0").stroke("#33302a", 2.0);
    by_color(stone, [white, Paint::fill("#0d1110").stroke("#68736d", 2.0)])
}

fn draw_single(stone: char, svg: &mut Svg) {
    svg.circle([0.0, 4.0], 36.0, side(stone));
    svg.circle([0.0, -4.0], 36.0, top(stone));
    if stone == 'w' {
        svg.circle([0.0, -4.0], 27.0, RING);
        svg.circle([0.0, -4.0], 17.0, RING);
    } else {
        svg.path("M-16 -22q10 18 0 36M0 -27v46M16 -22q-10 18 0 36", GROOVE);
    }
}

fn draw_stack(stones: &str, last: char, svg: &mut Svg) {
    let height = stones.chars().count();
    let above = (height - 1) as f64;
    let lift = LIFT.min(LIFT_MAX / above);
    for (at, stone) in stones.chars().enumerate() {
        svg.circle([0.0, 10.0 - at as f64 * lift], 36.0, side(stone));
    }
    let y = 2.0 - above * lift;
    svg.circle([0.0, y], 36.0, top(last));
    svg.circle([0.0, y], 27.0, by_color(last, [RING, GROOVE]));
    let color = by_color(last, ["#17211d", IVORY]);
    let style = TextStyle { height: 24.5, stroke: 5.0, color };
    draw_centered_text(svg, &height.to_string(), [0.0, y + 12.0], style);
}

pub struct CaterpillarWarTheme;

impl Theme for CaterpillarWarTheme {
    fn frame_colors(&self) -> [&'static str; 2] {
        ["#2f4236", "#c9d6c8"]
    }

    fn draw_cell(&self, spot: &CellContext<'_>, svg: &mut Svg) {
        svg.rect([-48.8, -48.8, 97.6, 97.6], 7.0, GROUNDS[usize::from(spot.is_dark)]);
    }

    fn owner(&self, token: &str) -> Option<Side> {
        match token.chars().last() {
            Some('w') => Some(Side::First),
            Some('b') => Some(Side::Second),
            _ => None,
        }
    }

    fn draw_piece(&self, token: &str, _: u8, svg: &mut Svg) {
        let Some(last) = token.chars().last() else { return };
        svg.ellipse([0.0, 9.0], [37.0, 35.0], SHADOW);
        if token.len() == 1 { draw_single(last, svg) } else { draw_stack(token, last, svg) }
    }
}
