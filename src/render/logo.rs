use super::svg::{Paint, Svg};
use super::theme::page_color;

/// Logo of the site; browsers show the same file as the icon of its pages.
const LOGO: &str = include_str!("../../static/icon.svg");

/// Side length of the logo, in its own units.
const SIDE: f64 = 34.0;

/// Variant of the icon, by purpose in the web app manifest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IconPurpose {
    /// Square with rounded corners, shown as it is.
    Plain,
    /// Maskable: fills the square, and keeps its content within the safe zone that platforms do not
    /// crop.
    Maskable,
}

/// Draws the logo with its upper left corner at a point.
pub fn draw_logo(svg: &mut Svg, [x, y]: [f64; 2], side: f64) {
    let sized = format!("<svg x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" ");
    svg.raw(LOGO.trim_end().replacen("<svg ", &sized, 1).as_str());
}

/// Returns the icon as an SVG document.
pub fn icon(icon: IconPurpose) -> String {
    let mut svg = Svg::default();
    if icon == IconPurpose::Maskable {
        let [background, _] = page_color("act");
        svg.rect([0.0, 0.0, SIDE, SIDE], 0.0, Paint::fill(background));
    }
    draw_logo(&mut svg, [0.0, 0.0], SIDE);
    svg.into_document("Sprong", [SIDE, SIDE])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logo_has_colors_of_the_table() {
        let paints = ["fill=\"", "stroke=\""].into_iter().flat_map(|name| LOGO.split(name).skip(1));
        let colors = paints.filter_map(|rest| rest.split('"').next()).filter(|it| *it != "none");
        let colors: Vec<&str> = colors.collect();
        let table = ["act", "act-ink", "now"].map(|name| page_color(name)[0]);
        assert_eq!(colors, table, "static/css/base.css has other colors");
    }
}
