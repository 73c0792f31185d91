//! Cells and pieces of each variant. A cell measures 100 units and is drawn around the origin.
//!
//! The shapes are symbols of `static/pieces`. A theme maps tokens to them, as `static/variants`
//! does in the client; `tests/pieces.txt` has the expected symbols for both.

mod artwork;
mod caterpillar_war;
mod hogga;
mod knight_fight;
mod kopf_oder_knopf;
mod wie_niet_weg_is;

use super::svg::Svg;
use crate::rules::{Board, Side};
use std::sync::LazyLock;

pub use artwork::{Artwork, page_color};

/// Key, sheet of symbols and theme of each variant.
static THEMES: [(&str, &str, &dyn Theme); 5] = [
    (
        "caterpillarWar",
        include_str!("../../../static/pieces/caterpillar_war.svg"),
        &caterpillar_war::CaterpillarWarTheme,
    ),
    (
        "knightFight",
        include_str!("../../../static/pieces/knight_fight.svg"),
        &knight_fight::KnightFightTheme,
    ),
    ("hogga", include_str!("../../../static/pieces/hogga.svg"), &hogga::HoggaTheme),
    (
        "kopfOderKnopf",
        include_str!("../../../static/pieces/kopf_oder_knopf.svg"),
        &kopf_oder_knopf::KopfOderKnopfTheme,
    ),
    (
        "wieNietWegIs",
        include_str!("../../../static/pieces/wie_niet_weg_is.svg"),
        &wie_niet_weg_is::WieNietWegIsTheme,
    ),
];

/// Artwork of each variant, in the order of `THEMES`.
static ARTWORKS: LazyLock<[Artwork; 5]> =
    LazyLock::new(|| THEMES.map(|(key, sheet, _)| Artwork::parse(key, sheet)));

/// Symbols of all variants, as an SVG element for pages.
static SYMBOLS: LazyLock<String> = LazyLock::new(|| {
    let symbols: String = THEMES.iter().map(|(_, sheet, _)| artwork::symbols(sheet)).collect();
    format!("<svg>{symbols}</svg>")
});

/// Cell with its content.
#[derive(Clone, Copy, Debug)]
pub struct CellContext<'a> {
    /// Token of the cell in the position text.
    pub token: &'a str,
    /// Token before the last move, if there was one.
    pub previous_token: Option<&'a str>,
    /// Whether the cell holds a piece or is unchanged.
    pub is_settled: bool,
    /// Mark of the cell on the board.
    pub mark: u8,
    /// Whether the cell is light on a checkered board.
    pub is_light: bool,
}

/// Composition of one variant's board and pieces, independent of its rules.
pub trait Theme: Sync {
    /// Draws the background of a cell.
    fn draw_cell(&self, artwork: &Artwork, context: &CellContext<'_>, svg: &mut Svg);

    /// Draws above the backgrounds of all cells, from the upper left corner of the first cell.
    fn draw_backdrop(&self, _artwork: &Artwork, _board: &Board, _svg: &mut Svg) {}

    /// Returns the side that owns the piece of a token, if it is a piece.
    fn owner(&self, token: &str) -> Option<Side>;

    /// Draws the piece of a token, by default its symbol.
    fn draw_piece(&self, artwork: &Artwork, token: &str, _mark: u8, svg: &mut Svg) {
        artwork.draw(token, svg);
    }
}

/// Returns the theme and the artwork of the variant with this key.
pub fn find_theme(key: &str) -> Option<(&'static dyn Theme, &'static Artwork)> {
    let at = THEMES.iter().position(|(name, ..)| *name == key)?;
    Some((THEMES[at].2, &ARTWORKS[at]))
}

/// Returns the symbols of all variants as an SVG element, to which the pages' boards refer.
pub fn piece_symbols() -> &'static str {
    &SYMBOLS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants::ALL;

    /// Draws the piece or the cell that the words before `=` in a line of `pieces.txt` describe.
    fn draw(theme: &dyn Theme, artwork: &Artwork, words: &[&str]) -> String {
        let mut svg = Svg::default();
        match *words {
            ["piece", _, token, mark] => {
                theme.draw_piece(artwork, token, mark.as_bytes()[0], &mut svg);
            }
            ["cell", _, color, token, before, mark] => {
                let context = CellContext {
                    token,
                    previous_token: Some(before),
                    is_settled: theme.owner(token).is_some() || before == token,
                    mark: mark.as_bytes()[0],
                    is_light: color == "light",
                };
                theme.draw_cell(artwork, &context, &mut svg);
            }
            _ => panic!("neither a piece nor a cell: {words:?}"),
        }
        svg.into_content()
    }

    /// Returns the shapes of a symbol with its vertical offset: `name` or `name@offset`.
    fn shapes(artwork: &Artwork, symbol: &str) -> String {
        let mut svg = Svg::default();
        match symbol.split_once('@') {
            Some((name, y)) => {
                svg.translated([0.0, y.parse().expect("a number")], |svg| artwork.draw(name, svg));
            }
            None => artwork.draw(symbol, &mut svg),
        }
        svg.into_content()
    }

    #[test]
    fn tokens_and_cells_are_drawn_with_the_expected_symbols() {
        let lines = include_str!("../../../tests/pieces.txt").lines();
        let mut seen = Vec::new();
        for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (words, symbols) = line.split_once(" = ").expect("symbols");
            let words: Vec<&str> = words.split(' ').collect();
            let (theme, artwork) = find_theme(words[1]).expect("a variant");
            let drawn = draw(theme, artwork, &words);
            let mut rest = &*drawn;
            let mut other = String::new();
            for symbol in symbols.split(' ') {
                let expected = shapes(artwork, symbol);
                assert!(!expected.is_empty() && !expected.contains("var("), "{line}: {expected}");
                let parts = rest.split_once(&expected);
                let (before, after) =
                    parts.unwrap_or_else(|| panic!("{symbol} of {line}: {drawn}"));
                other += before;
                rest = after;
            }
            other += rest;
            // The rest is a number, whose glyphs are scaled.
            assert!(other.is_empty() || other.starts_with("<g transform="), "{line}: {other}");
            assert_eq!(other.matches("scale(").count(), usize::from(!other.is_empty()), "{line}");
            seen.push(words[1]);
        }
        for variant in &ALL {
            assert!(seen.contains(&variant.info.key), "{} has no lines", variant.info.key);
        }
    }

    #[test]
    fn pages_have_the_symbols_of_all_variants() {
        let symbols = piece_symbols();
        for variant in &ALL {
            let id = format!("<symbol id=\"{}-", variant.info.key);
            assert!(symbols.matches(&id).count() > 3, "{id}: {symbols}");
        }
        assert_eq!(symbols.matches("<symbol").count(), symbols.matches("</symbol>").count());
        assert!(!symbols.contains('\n') && !symbols.contains("<!--"), "{symbols}");
    }
}
