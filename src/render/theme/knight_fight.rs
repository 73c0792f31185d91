//! Knight Fight: slate tablets with chalk numbers. Erased numbers leave the bare board.

use super::{Artwork, CellContext, Theme};
use crate::render::svg::Svg;
use crate::render::vector_font::{TextStyle, draw_centered_text};
use crate::rules::Side;

fn is_number(token: &str) -> bool {
    token.len() == 2 && token.bytes().all(|byte| byte.is_ascii_digit())
}

fn draw_number(text: &str, stroke: f64, color: &'static str, svg: &mut Svg) {
    draw_centered_text(svg, text, [0.0, 14.4], TextStyle { height: 28.8, stroke, color });
}

fn draw_tablet(artwork: &Artwork, text: &str, svg: &mut Svg) {
    let is_double = text.as_bytes()[0] == text.as_bytes()[1];
    artwork.draw(if is_double { "double" } else { "tablet" }, svg);
    draw_number(text, if is_double { 6.2 } else { 5.4 }, artwork.color("number"), svg);
}

pub struct KnightFightTheme;

impl Theme for KnightFightTheme {
    fn draw_cell(&self, artwork: &Artwork, context: &CellContext<'_>, svg: &mut Svg) {
        artwork.draw("cell", svg);
        if is_number(context.token) {
            draw_tablet(artwork, context.token, svg);
        } else if let Some(before) = context.previous_token
            && is_number(before)
            && !context.is_settled
        {
            draw_number(before, 5.4, artwork.color("number-wiped"), svg);
            artwork.draw("sweep", svg);
        }
    }

    fn owner(&self, token: &str) -> Option<Side> {
        match token {
            "w" => Some(Side::First),
            "b" => Some(Side::Second),
            _ => None,
        }
    }
}
