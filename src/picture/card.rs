//! Social preview cards of links (Open Graph images).

use super::letters::{self, Hand, write};
use super::logo;
use super::scene::Scene;
use super::svg::{Paint, Svg};

/// Width and height of a card, in pixels.
pub const CARD: [u32; 2] = [1200, 630];

/// Background and text colors of the pages.
const GROUND: &str = "#eef1ee";
const INK: &str = "#17211d";

/// Margin on all sides.
const MARGIN: f64 = 50.0;

/// Distance between the board and the text beside it.
const GUTTER: f64 = 64.0;

/// Maximum height of capitals in the variant's name.
const NAME: f64 = 50.0;

/// Filter for the blurred shadow of a board.
const SHADOWS: &str = "<defs><filter id=\"far\" x=\"-20%\" y=\"-20%\" width=\"140%\" height=\"140%\"><feGaussianBlur stdDeviation=\"18\"/></filter></defs>";

/// Returns the card of a game or challenge: the board on the page background, with the names of the
/// variant and the site.
pub fn card(scene: &Scene) -> String {
    let [width, height] = CARD.map(f64::from);
    let [board_width, board_height] = scene.size();
    let tall = height - 2.0 * MARGIN;
    let scale = tall / board_height;
    let wide = board_width * scale;
    let mut svg = Svg::default();
    svg.rect([0.0, 0.0, width, height], 0.0, Paint::fill(GROUND));
    svg.markup(SHADOWS);
    svg.group("filter=\"url(#far)\"", |svg| {
        svg.rect([MARGIN, MARGIN + 14.0, wide, tall], 14.0, Paint::fill(INK).faint(0.3));
    });
    svg.sized([MARGIN; 2], scale, |svg| scene.draw(14.0 / scale, svg));
    let left = MARGIN + wide + GUTTER;
    beside(scene.name(), left, width - MARGIN - left, &mut svg);
    svg.document(scene.name(), [width, height])
}

/// Top of the row of boards, and the gap between two boards.
const SHELF: f64 = 320.0;
const GAP: f64 = 24.0;

/// Returns the card of pages without a game: the name of the site above the boards of all variants.
pub fn shelf(starts: &[Scene]) -> String {
    let [width, height] = CARD.map(f64::from);
    let count = starts.len() as f64;
    let wide = (width - 2.0 * MARGIN - GAP * (count - 1.0)) / count;
    let mut svg = Svg::default();
    svg.rect([0.0, 0.0, width, height], 0.0, Paint::fill(GROUND));
    svg.markup(SHADOWS);
    logo::place(&mut svg, [MARGIN, 92.0], 128.0);
    write(
        &mut svg,
        "Sprong",
        [MARGIN + 168.0, 188.0],
        Hand { height: 72.0, stroke: 11.0, colour: INK },
    );
    for (at, scene) in starts.iter().enumerate() {
        let scene = scene.clone().without_coordinates();
        let [board_width, board_height] = scene.size();
        let scale = wide / board_width;
        let (left, tall) = (MARGIN + (wide + GAP) * at as f64, board_height * scale);
        svg.group("filter=\"url(#far)\"", |svg| {
            svg.rect([left, SHELF + 8.0, wide, tall], 8.0, Paint::fill(INK).faint(0.3));
        });
        svg.sized([left, SHELF], scale, |svg| scene.draw(8.0 / scale, svg));
    }
    svg.document("Sprong", [width, height])
}

/// Draws the text beside the board: the variant's name, and below it the logo and name of the site.
fn beside(name: &str, left: f64, room: f64, svg: &mut Svg) {
    let size = (room / letters::width(name)).min(NAME);
    let hand = Hand { height: size, stroke: size * 0.16, colour: INK };
    write(svg, name, [left, 286.0], hand);
    logo::place(svg, [left - 2.0, 346.0], 64.0);
    let hand = Hand { height: 27.0, stroke: 4.6, colour: "#45524c" };
    write(svg, "Sprong", [left + 84.0, 391.0], hand);
}
