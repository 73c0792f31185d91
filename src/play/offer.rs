use super::command::{Ask, Refusal};
use crate::rules::Side;

/// Something that one player offers the other, or asks for: at most one at a time, and of each side
/// once a ply.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Offer {
    by: Option<Side>,
    /// The ply at which each side asked last.
    asked: [Option<usize>; 2],
}

/// What comes of asking.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Came {
    /// It is offered.
    Made,
    /// Both want it.
    Agreed,
    /// No offer stands any more.
    Dropped,
}

impl Offer {
    /// Whose offer stands.
    pub fn by(self) -> Option<Side> {
        self.by
    }

    /// What it means that a side asks this now.
    ///
    /// # Errors
    /// When it has asked already, once in this ply, or for what is not there.
    pub fn ask(self, side: Side, ask: Ask, ply: usize) -> Result<Came, Refusal> {
        let theirs = self.by == Some(side.other());
        let again = self.by == Some(side) || self.asked[side.index()] == Some(ply);
        match ask {
            Ask::No if self.by.is_some() => Ok(Came::Dropped),
            Ask::Yes | Ask::Accept if theirs => Ok(Came::Agreed),
            Ask::No | Ask::Accept => Err(Refusal::NoOffer),
            Ask::Offer if theirs => Err(Refusal::Offered),
            Ask::Yes | Ask::Offer if again => Err(Refusal::TooSoon),
            Ask::Yes | Ask::Offer => Ok(Came::Made),
        }
    }

    /// A side's offer stands from now on.
    pub fn make(&mut self, side: Side, ply: usize) {
        self.by = Some(side);
        self.asked[side.index()] = Some(ply);
    }

    /// No offer stands.
    pub fn lapse(&mut self) {
        self.by = None;
    }
}
