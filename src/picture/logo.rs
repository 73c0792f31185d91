use super::svg::{Paint, Svg};

/// The sign of the site, as browsers show it beside the page's name.
const ICON: &str = include_str!("../../static/icon.svg");

/// The ground of that sign.
const GREEN: &str = "#0b6353";

/// How long its sides are in its own units.
const SIDE: f64 = 34.0;

/// What an icon is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Icon {
    /// It is shown as it is: a square with round corners.
    Plain,
    /// Whoever shows it cuts it to a form of their own: it fills the square, and what matters lies
    /// inside the circle that is never cut.
    Whole,
}

/// Puts the sign there, in that size.
pub fn place(svg: &mut Svg, [x, y]: [f64; 2], side: f64) {
    let sized = format!("<svg x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" ");
    svg.markup(ICON.trim_end().replacen("<svg ", &sized, 1).as_str());
}

/// The sign as a picture of its own.
pub fn icon(icon: Icon) -> String {
    let mut svg = Svg::default();
    if icon == Icon::Whole {
        svg.rect([0.0, 0.0, SIDE, SIDE], 0.0, Paint::fill(GREEN));
    }
    place(&mut svg, [0.0, 0.0], SIDE);
    svg.document("Sprong", [SIDE, SIDE])
}
