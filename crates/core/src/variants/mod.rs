//! Variants, one module each, and the catalog [`ALL`].
//!
//! Code outside this module finds variants through the catalog, except the piece drawings in
//! `render`.

mod position;

mod caterpillar_war;
mod hogga;
mod knight_fight;
mod kopf_oder_knopf;
mod wie_niet_weg_is;

pub use position::{InvalidMove, LegalMoves, Position};

use crate::rules::{Options, ParseError, PositionText, VariantInfo};
use crate::search::Heuristics;

/// Parses a position of a variant.
type ParseFn = fn(&PositionText<'_>, &Options) -> Result<Box<dyn Position>, ParseError>;

/// Variant of the catalog.
#[derive(Debug)]
pub struct Variant {
    /// Static description.
    pub info: &'static VariantInfo,
    start: fn(&Options, u64) -> Box<dyn Position>,
    parse: ParseFn,
}

/// Catalog of all variants.
pub static ALL: [Variant; 5] = [
    entry::<caterpillar_war::CaterpillarWar>(),
    entry::<knight_fight::KnightFight>(),
    entry::<hogga::Hogga>(),
    entry::<kopf_oder_knopf::KopfOderKnopf>(),
    entry::<wie_niet_weg_is::WieNietWegIs>(),
];

/// Returns the catalog entry of a variant.
const fn entry<R: Heuristics>() -> Variant {
    Variant {
        info: R::INFO,
        start: |options, seed| Box::new(R::start(options, seed)),
        parse: |parts, options| Ok(Box::new(R::parse(parts, options)?)),
    }
}

/// Returns the variant with the given key.
pub fn by_key(key: &str) -> Option<&'static Variant> {
    ALL.iter().find(|variant| variant.info.key == key)
}

impl Variant {
    /// Returns the default options.
    pub fn options(&self) -> Options {
        Options::new(self.info.options)
    }

    /// Returns the start position. `seed` determines random elements of the start.
    pub fn start(&self, options: &Options, seed: u64) -> Box<dyn Position> {
        (self.start)(options, seed)
    }

    /// Parses a position text.
    ///
    /// # Errors
    /// Returns an error that names the problem and its location if the text is not a valid position
    /// of the variant.
    pub fn read(&self, text: &str, options: &Options) -> Result<Box<dyn Position>, ParseError> {
        (self.parse)(&PositionText::split(text, &self.info.board)?, options)
    }
}

impl PartialEq for &'static Variant {
    fn eq(&self, other: &Self) -> bool {
        self.info.key == other.info.key
    }
}
