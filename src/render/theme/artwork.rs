//! Symbols and colors of the variants, which the client uses as well.
//!
//! `static/pieces/` has a sheet of symbols per variant: one for each token, and parts of stacks,
//! cells and marks. A cell measures 100 units around the origin. Shapes name their colors as CSS
//! custom properties; `static/css/base/colors.css` defines these, in `:root` and in a class per
//! variant.
//!
//! Pages contain the symbols, images their shapes with the colors of the light theme: a rasterizer
//! knows no custom properties. Callers: `theme` and the other modules of `render`, and `pages` for
//! page colors.

use crate::render::svg::Svg;
use std::collections::HashMap;
use std::sync::LazyLock;

/// Style sheet with the color table.
const BASE_STYLES: &str = include_str!("../../../static/css/base/colors.css");

/// Symbols and colors of a variant, by name.
#[derive(Debug)]
pub struct Artwork {
    colors: HashMap<&'static str, &'static str>,
    symbols: HashMap<&'static str, String>,
}

impl Artwork {
    /// Parses a sheet. The ids of its symbols are the variant's key, a hyphen, and a name.
    pub fn parse(key: &str, sheet: &'static str) -> Artwork {
        let own_colors = properties(&format!(".variant-{key}"));
        let colors = properties(":root").chain(own_colors);
        let colors = colors.map(|(name, [light, _])| (name, light)).collect();
        let symbols = sheet.split("<symbol id=\"").skip(1).map(|symbol| {
            let (id, rest) = symbol.split_once('"').expect("an id ends with a quote");
            let (_, rest) = rest.split_once('>').expect("a symbol's tag is closed");
            let (shapes, _) = rest.split_once("</symbol>").expect("a symbol is closed");
            let name = id.strip_prefix(key).and_then(|name| name.strip_prefix('-'));
            let name = name.expect("ids begin with the key of the variant");
            (name, with_literal_colors(&joined_lines(shapes), &colors))
        });
        let symbols = symbols.collect();
        Artwork { colors, symbols }
    }

    /// Returns a color of the table.
    pub fn color(&self, name: &str) -> &'static str {
        self.colors.get(name).expect("the color table has every name")
    }

    /// Draws a symbol.
    pub fn draw(&self, name: &str, svg: &mut Svg) {
        svg.raw(self.symbols.get(name).expect("the sheet has every symbol"));
    }
}

/// Colors of the pages by name, in light and in dark mode.
static PAGE_COLORS: LazyLock<HashMap<&str, [&str; 2]>> =
    LazyLock::new(|| properties(":root").collect());

/// Returns a color of the pages in light and in dark mode.
pub fn page_color(name: &str) -> [&'static str; 2] {
    *PAGE_COLORS.get(name).expect("the color table has every name")
}

/// Returns the symbols of a sheet, without comments and indentation.
pub fn symbols(sheet: &str) -> String {
    let (_, content) = sheet.split_once("<symbol").expect("a sheet has symbols");
    let (content, _) = content.rsplit_once("</svg>").expect("a sheet is closed");
    joined_lines(&format!("<symbol{content}"))
}

fn joined_lines(text: &str) -> String {
    text.lines().map(str::trim).collect()
}

/// Returns the custom properties in the first block with this selector: names, and values in light
/// and in dark mode.
fn properties(selector: &str) -> impl Iterator<Item = (&'static str, [&'static str; 2])> + use<> {
    let start = format!("\n{selector} {{\n");
    let (_, rest) = BASE_STYLES.split_once(&start).expect("the style sheet has the block");
    let (block, _) = rest.split_once("\n}").expect("the block is closed");
    let properties = block.lines().filter_map(|line| line.trim().strip_prefix("--"));
    let properties = properties.filter_map(|line| line.strip_suffix(';')?.split_once(": "));
    properties.map(|(name, value)| (name, by_mode(value)))
}

/// Returns the two colors of `light-dark()`, and any other value twice.
fn by_mode(value: &str) -> [&str; 2] {
    let colors = value.strip_prefix("light-dark(").and_then(|colors| colors.strip_suffix(')'));
    colors
        .and_then(|colors| colors.split_once(", "))
        .map_or([value; 2], |(light, dark)| [light, dark])
}

fn with_literal_colors(shapes: &str, colors: &HashMap<&str, &str>) -> String {
    let mut parts = shapes.split("var(--");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once(')').expect("a name ends with a parenthesis");
        text += colors.get(name).expect("the color table has every name of a sheet");
        text += rest;
    }
    text
}
