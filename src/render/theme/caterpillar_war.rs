//! Caterpillar War: flat stacking stones on a green board. A stack shows the edge of each stone,
//! and its height on top.

use super::{Artwork, CellContext, Theme};
use crate::render::svg::Svg;
use crate::render::vector_font::{TextStyle, draw_centered_text};
use crate::rules::Side;

/// Vertical offset between two stones, and its maximum for a whole stack.
const LIFT: f64 = 13.0;
const LIFT_MAX: f64 = 44.0;

fn draw_stack(artwork: &Artwork, stones: &str, last: char, svg: &mut Svg) {
    let height = stones.chars().count();
    let above = (height - 1) as f64;
    let lift = LIFT.min(LIFT_MAX / above);
    let y = 2.0 - above * lift;
    artwork.draw("shadow", svg);
    for (at, stone) in stones.chars().enumerate() {
        svg.translated([0.0, 10.0 - at as f64 * lift], |svg| {
            artwork.draw(&format!("side-{stone}"), svg);
        });
    }
    svg.translated([0.0, y], |svg| artwork.draw(&format!("top-{last}"), svg));
    let color = artwork.color(if last == 'w' { "white-text" } else { "black-text" });
    let style = TextStyle { height: 24.5, stroke: 5.0, color };
    draw_centered_text(svg, &height.to_string(), [0.0, y + 12.0], style);
}

pub struct CaterpillarWarTheme;

impl Theme for CaterpillarWarTheme {
    fn draw_cell(&self, artwork: &Artwork, context: &CellContext<'_>, svg: &mut Svg) {
        artwork.draw(if context.is_light { "cell-light" } else { "cell-dark" }, svg);
    }

    fn owner(&self, token: &str) -> Option<Side> {
        match token.chars().last() {
            Some('w') => Some(Side::First),
            Some('b') => Some(Side::Second),
            _ => None,
        }
    }

    fn draw_piece(&self, artwork: &Artwork, token: &str, _: u8, svg: &mut Svg) {
        match token.chars().last() {
            Some(last) if token.len() > 1 => draw_stack(artwork, token, last, svg),
            _ => artwork.draw(token, svg),
        }
    }
}
