//! The games, one file each, and the catalogue `ALL` of them.
//!
//! Nothing outside this folder names a variant: everything else follows from the catalogue.

mod position;

mod caterpillar_war;
mod hogga;
mod knight_fight;
mod kopf_oder_knopf;
mod wie_niet_weg_is;

pub use position::{Illegal, Position};

use crate::rules::{BadText, Info, Options, Parts};
use crate::search::Skill;

type Read = fn(&Parts<'_>, &Options) -> Result<Box<dyn Position>, BadText>;

/// A kind of game: a row of the catalogue.
#[derive(Debug)]
pub struct Variant {
    /// Name, board, options.
    pub info: &'static Info,
    start: fn(&Options, u64) -> Box<dyn Position>,
    read: Read,
}

/// Every variant that is played here.
pub static ALL: [Variant; 5] = [
    of::<caterpillar_war::CaterpillarWar>(),
    of::<knight_fight::KnightFight>(),
    of::<hogga::Hogga>(),
    of::<kopf_oder_knopf::KopfOderKnopf>(),
    of::<wie_niet_weg_is::WieNietWegIs>(),
];

const fn of<R: Skill>() -> Variant {
    Variant {
        info: R::INFO,
        start: |options, seed| Box::new(R::start(options, seed)),
        read: |parts, options| Ok(Box::new(R::read(parts, options)?)),
    }
}

/// The variant of that key.
pub fn find(key: &str) -> Option<&'static Variant> {
    ALL.iter().find(|variant| variant.info.key == key)
}

impl Variant {
    /// The options with every one at its default.
    pub fn options(&self) -> Options {
        Options::new(self.info.options)
    }

    /// The position a game begins with; `seed` draws what the start leaves to chance.
    pub fn start(&self, options: &Options, seed: u64) -> Box<dyn Position> {
        (self.start)(options, seed)
    }

    /// Reads a position from its text.
    ///
    /// # Errors
    /// Whatever is not a possible position of the variant, saying what and where.
    pub fn read(&self, text: &str, options: &Options) -> Result<Box<dyn Position>, BadText> {
        (self.read)(&Parts::cut(text, &self.info.board)?, options)
    }
}

impl PartialEq for &'static Variant {
    fn eq(&self, other: &Self) -> bool {
        self.info.key == other.info.key
    }
}
