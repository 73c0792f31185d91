//! Stroke font for letters and digits, so that images look the same without installed fonts.
//!
//! The baseline is y = 0. Capitals and digits are 14.5 units high, small letters 10. Characters
//! without a glyph are drawn as spaces; a test checks that every name and coordinate has glyphs.
//! Callers: the other modules of `render`.

use super::svg::{Paint, Svg};

/// Height of capitals and digits.
const CAPITAL_HEIGHT: f64 = 14.5;

/// Gap between two letters, and width of a space.
const LETTER_GAP: f64 = 3.8;
const SPACE_WIDTH: f64 = 5.0;

/// Circular bowl of many small letters.
macro_rules! bowl {
    ($stem:literal) => {
        concat!($stem, "M10-5A5 5 0 1 1 0-5A5 5 0 1 1 10-5")
    };
}

/// Returns the width and the strokes of a character.
const fn glyph(c: char) -> Option<(f64, &'static str)> {
    Some(match c {
        'a' => (10.0, bowl!("M10-10V0")),
        'b' => (10.0, bowl!("M0-15V0")),
        'c' => (8.8, "M8.8-8.3A5 5 0 1 0 8.8-1.7"),
        'd' => (10.0, bowl!("M10-15V0")),
        'e' => (10.0, "M0-5H10A5 5 0 1 0 8.5-1.4"),
        'f' => (6.0, "M6.5-15A3.4 3.4 0 0 0 2.6-11.6V0M0-10H6"),
        'g' => (10.0, bowl!("M10-10V.6A5 5 0 0 1 .9 3.2")),
        'h' => (9.0, "M0-15V0M0-5.5A4.5 4.5 0 0 1 9-5.5V0"),
        'i' => (0.0, "M0-10V0M0-14.6v.01"),
        'j' => (3.0, "M3-10V2.2A3.3 3.3 0 0 1 0 5.5M3-14.6v.01"),
        'k' => (8.0, "M0-15V0M7.6-10L0-4M3-6.4L8 0"),
        'l' => (0.0, "M0-15V0"),
        'm' => (15.0, "M0-10V0M0-6.2A3.75 3.75 0 0 1 7.5-6.2V0M7.5-6.2A3.75 3.75 0 0 1 15-6.2V0"),
        'n' => (9.0, "M0-10V0M0-5.5A4.5 4.5 0 0 1 9-5.5V0"),
        'o' => (10.0, bowl!("")),
        'p' => (10.0, bowl!("M0-10V5.5")),
        'q' => (10.0, bowl!("M10-10V5.5")),
        'r' => (5.6, "M0-10V0M0-5.4A4.6 4.6 0 0 1 5.6-9.9"),
        's' => (7.2, "M6.8-8.6C5.6-10.5 .7-10.5 .7-7.5C.7-4.2 7.2-5.8 7.2-2.6C7.2 .6 1.4 .6 0-1.7"),
        't' => (6.0, "M2.6-14V-3.2A3.2 3.2 0 0 0 6.4 0M0-10H6"),
        'u' => (9.0, "M0-10V-4.5A4.5 4.5 0 0 0 9-4.5M9-10V0"),
        'v' => (9.0, "M0-10L4.5 0L9-10"),
        'w' => (13.6, "M0-10L3.4 0L6.8-9.4L10.2 0L13.6-10"),
        'x' => (8.4, "M0-10L8.4 0M8.4-10L0 0"),
        'y' => (9.0, "M0-10L4.6-.6M9-10L4.4 1.4C3.4 4 2.2 5.4 0 5.4"),
        'z' => (8.0, "M0-10H8L0 0H8"),
        'C' => (12.4, "M12.4-12A7.25 7.25 0 1 0 12.4-2.5"),
        'F' => (8.0, "M0 0V-14.5H8M0-7.6H6.8"),
        'H' => (10.6, "M0-14.5V0M10.6-14.5V0M0-7.5H10.6"),
        'K' => (10.0, "M0-14.5V0M9.6-14.5L0-6M3.8-9.2L10 0"),
        'S' => (9.8, "M9.2-11.8C7.6-15.4 .7-15.6 .7-11C.7-6 9.8-8.8 9.8-3.9C9.8 1.2 1.6 1 0-2.8"),
        'W' => (17.6, "M0-14.5L4.4 0L8.8-13.2L13.2 0L17.6-14.5"),
        '0' => {
            (9.0, "M4.5-14.5C7.8-14.5 9-11.4 9-7.25S7.8 0 4.5 0S0-3.1 0-7.25S1.2-14.5 4.5-14.5Z")
        }
        // Digits have equal widths, so that numbers align in columns.
        '1' => (9.0, "M1.6-11.2L5.6-14.5V0"),
        '2' => (9.0, "M.4-10.6A4.3 4.1 0 1 1 7.9-7.4L.3 0H9"),
        '3' => (9.0, "M.8-12.2A4 3.6 0 1 1 4.2-7.7A4.6 3.9 0 1 1 .2-2.4"),
        '4' => (9.0, "M6.8 0V-14.5L0-4H9.2"),
        '5' => (9.0, "M8.2-14.5H1.8L1.1-8.2A4.7 4.6 0 1 1 .3-1.9"),
        '6' => (9.0, "M6.9-14.5L.9-6.9M9-4.6A4.5 4.6 0 1 1 0-4.6A4.5 4.6 0 1 1 9-4.6"),
        '7' => (9.0, "M0-14.5H9L3.2 0"),
        '8' => (
            9.0,
            "M8.1-11A3.6 3.5 0 1 1 .9-11A3.6 3.5 0 1 1 8.1-11M9-3.8A4.5 3.8 0 1 1 0-3.8A4.5 3.8 0 1 1 9-3.8",
        ),
        '9' => (9.0, "M2.1 0L8.1-7.6M9-9.9A4.5 4.6 0 1 1 0-9.9A4.5 4.6 0 1 1 9-9.9"),
        _ => return None,
    })
}

#[derive(Clone, Copy, Debug)]
pub struct TextStyle {
    /// Height of capitals and digits.
    pub height: f64,
    /// Stroke width.
    pub stroke: f64,
    /// Stroke color.
    pub color: &'static str,
}

/// Returns the width of a text relative to its height, without the stroke width.
pub fn relative_width(text: &str) -> f64 {
    (text_advance(text) - LETTER_GAP).max(0.0) / CAPITAL_HEIGHT
}

fn text_advance(text: &str) -> f64 {
    text.chars().map(advance).sum()
}

fn advance(c: char) -> f64 {
    glyph(c).map_or(SPACE_WIDTH, |(width, _)| width + LETTER_GAP)
}

/// Returns whether every character of a text except spaces has a glyph.
#[cfg(test)]
pub fn supports(text: &str) -> bool {
    text.chars().all(|c| c == ' ' || glyph(c).is_some())
}

/// Draws a text from a point on its baseline.
pub fn draw_text(svg: &mut Svg, text: &str, from: [f64; 2], style: TextStyle) {
    let scale = style.height / CAPITAL_HEIGHT;
    svg.scaled(from, scale, |svg| {
        let mut x = 0.0;
        for c in text.chars() {
            if let Some((_, lines)) = glyph(c) {
                let paint = Paint::line(style.color, style.stroke / scale).round();
                svg.translated([x, 0.0], |svg| svg.path(lines, paint));
            }
            x += advance(c);
        }
    });
}

/// Draws a text centered horizontally on a point of its baseline.
pub fn draw_centered_text(svg: &mut Svg, text: &str, [x, y]: [f64; 2], style: TextStyle) {
    draw_text(svg, text, [x - relative_width(text) * style.height / 2.0, y], style);
}
