use super::svg::{Paint, Svg};

/// Logo of the site; browsers show the same file as the icon of its pages.
const ICON: &str = include_str!("../../static/icon.svg");

/// Background color of the logo.
const GREEN: &str = "#0b6353";

/// Side length of the logo, in its own units.
const SIDE: f64 = 34.0;

/// Variant of the icon, by purpose in the web app manifest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Icon {
    /// Square with rounded corners, shown as it is.
    Plain,
    /// Maskable: fills the square, and keeps its content within the safe zone that platforms do not
    /// crop.
    Whole,
}

/// Draws the logo with its upper left corner at a point.
pub fn place(svg: &mut Svg, [x, y]: [f64; 2], side: f64) {
    let sized = format!("<svg x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" ");
    svg.markup(ICON.trim_end().replacen("<svg ", &sized, 1).as_str());
}

/// Returns the icon as an SVG document.
pub fn icon(icon: Icon) -> String {
    let mut svg = Svg::default();
    if icon == Icon::Whole {
        svg.rect([0.0, 0.0, SIDE, SIDE], 0.0, Paint::fill(GREEN));
    }
    place(&mut svg, [0.0, 0.0], SIDE);
    svg.document("Sprong", [SIDE, SIDE])
}
