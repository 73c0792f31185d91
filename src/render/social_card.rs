//! Social preview cards of links (Open Graph images).

use super::board_image::BoardImage;
use super::logo;
use super::svg::{Paint, Svg};
use super::theme::page_color;
use super::vector_font::{self, TextStyle, draw_text};

/// Width and height of a card, in pixels.
pub const CARD_SIZE: [u32; 2] = [1200, 630];

/// Margin on all sides.
const MARGIN: f64 = 50.0;

/// Distance between the board and the text beside it.
const GUTTER: f64 = 64.0;

/// Maximum height of capitals in the variant's name.
const NAME_HEIGHT_MAX: f64 = 50.0;

/// Filter for the blurred shadow of a board.
const SHADOWS: &str = "<defs><filter id=\"far\" x=\"-20%\" y=\"-20%\" width=\"140%\" height=\"140%\"><feGaussianBlur stdDeviation=\"18\"/></filter></defs>";

/// Returns a color of the pages in light mode.
fn color(name: &str) -> &'static str {
    page_color(name)[0]
}

/// Returns the card of a game or challenge: the board on the page background, with the names of the
/// variant and the site.
pub fn position_card(image: &BoardImage) -> String {
    let [width, height] = CARD_SIZE.map(f64::from);
    let [board_width, board_height] = image.size();
    let scaled_height = height - 2.0 * MARGIN;
    let scale = scaled_height / board_height;
    let scaled_width = board_width * scale;
    let mut svg = Svg::default();
    svg.rect([0.0, 0.0, width, height], 0.0, Paint::fill(color("bg")));
    svg.raw(SHADOWS);
    svg.group("filter=\"url(#far)\"", |svg| {
        svg.rect(
            [MARGIN, MARGIN + 14.0, scaled_width, scaled_height],
            14.0,
            Paint::fill(color("ink")).opacity(0.3),
        );
    });
    svg.scaled([MARGIN; 2], scale, |svg| image.draw(14.0 / scale, svg));
    let left = MARGIN + scaled_width + GUTTER;
    draw_caption(image.name(), left, width - MARGIN - left, &mut svg);
    svg.into_document(image.name(), [width, height])
}

/// Top of the row of boards, and the gap between two boards.
const ROW_TOP: f64 = 320.0;
const ROW_GAP: f64 = 24.0;

/// Returns the card of pages without a game: the name of the site above the boards of all variants.
pub fn overview_card(starts: &[BoardImage]) -> String {
    let [width, height] = CARD_SIZE.map(f64::from);
    let count = starts.len() as f64;
    let scaled_width = (width - 2.0 * MARGIN - ROW_GAP * (count - 1.0)) / count;
    let mut svg = Svg::default();
    svg.rect([0.0, 0.0, width, height], 0.0, Paint::fill(color("bg")));
    svg.raw(SHADOWS);
    logo::draw_logo(&mut svg, [MARGIN, 92.0], 128.0);
    draw_text(
        &mut svg,
        "Sprong",
        [MARGIN + 168.0, 188.0],
        TextStyle { height: 72.0, stroke: 11.0, color: color("ink") },
    );
    for (at, image) in starts.iter().enumerate() {
        let image = image.clone().without_coordinates();
        let [board_width, board_height] = image.size();
        let scale = scaled_width / board_width;
        let (left, scaled_height) =
            (MARGIN + (scaled_width + ROW_GAP) * at as f64, board_height * scale);
        svg.group("filter=\"url(#far)\"", |svg| {
            svg.rect(
                [left, ROW_TOP + 8.0, scaled_width, scaled_height],
                8.0,
                Paint::fill(color("ink")).opacity(0.3),
            );
        });
        svg.scaled([left, ROW_TOP], scale, |svg| image.draw(8.0 / scale, svg));
    }
    svg.into_document("Sprong", [width, height])
}

/// Draws the text beside the board: the variant's name, and below it the logo and name of the site.
fn draw_caption(name: &str, left: f64, width_max: f64, svg: &mut Svg) {
    let size = (width_max / vector_font::relative_width(name)).min(NAME_HEIGHT_MAX);
    let style = TextStyle { height: size, stroke: size * 0.16, color: color("ink") };
    draw_text(svg, name, [left, 286.0], style);
    logo::draw_logo(svg, [left - 2.0, 346.0], 64.0);
    let style = TextStyle { height: 27.0, stroke: 4.6, color: color("ink2") };
    draw_text(svg, "Sprong", [left + 84.0, 391.0], style);
}
