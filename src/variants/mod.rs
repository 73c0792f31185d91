//! Variants, one module each, and the catalog [`ALL`].
//!
//! Code outside this module finds variants through the catalog, except the piece drawings in
//! `picture`.

mod position;

mod caterpillar_war;
mod hogga;
mod knight_fight;
mod kopf_oder_knopf;
mod wie_niet_weg_is;

pub use position::{Illegal, Position};

use crate::rules::{BadText, Info, Options, Parts};
use crate::search::Skill;

/// Parses a position of a variant.
type Read = fn(&Parts<'_>, &Options) -> Result<Box<dyn Position>, BadText>;

/// Variant of the catalog.
#[derive(Debug)]
pub struct Variant {
    /// Static description.
    pub info: &'static Info,
    start: fn(&Options, u64) -> Box<dyn Position>,
    read: Read,
}

/// Catalog of all variants.
pub static ALL: [Variant; 5] = [
    of::<caterpillar_war::CaterpillarWar>(),
    of::<knight_fight::KnightFight>(),
    of::<hogga::Hogga>(),
    of::<kopf_oder_knopf::KopfOderKnopf>(),
    of::<wie_niet_weg_is::WieNietWegIs>(),
];

/// Returns the catalog entry of a variant.
const fn of<R: Skill>() -> Variant {
    Variant {
        info: R::INFO,
        start: |options, seed| Box::new(R::start(options, seed)),
        read: |parts, options| Ok(Box::new(R::read(parts, options)?)),
    }
}

/// Returns the variant with the given key.
pub fn find(key: &str) -> Option<&'static Variant> {
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
    pub fn read(&self, text: &str, options: &Options) -> Result<Box<dyn Position>, BadText> {
        (self.read)(&Parts::cut(text, &self.info.board)?, options)
    }
}

impl PartialEq for &'static Variant {
    fn eq(&self, other: &Self) -> bool {
        self.info.key == other.info.key
    }
}
