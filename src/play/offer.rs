use super::command::{Ask, Refusal};
use crate::rules::Side;

/// Offer that takes the consent of both players: a draw or a takeback. At most one is open at a
/// time, and each side may make one per ply.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Offer {
    by: Option<Side>,
    /// Ply of each side's last offer.
    asked: [Option<usize>; 2],
}

/// Outcome of an action on an offer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Came {
    /// An offer is made.
    Made,
    /// Both sides agree.
    Agreed,
    /// The open offer is declined or canceled.
    Dropped,
}

impl Offer {
    /// Returns the side whose offer is open.
    pub fn by(self) -> Option<Side> {
        self.by
    }

    /// Returns the outcome of a side's action at this ply, without applying it.
    ///
    /// # Errors
    /// Fails if the side has an open offer or has made one at this ply, the opponent's offer is
    /// already open, or there is no offer to answer.
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

    /// Opens the offer of a side.
    pub fn make(&mut self, side: Side, ply: usize) {
        self.by = Some(side);
        self.asked[side.index()] = Some(ply);
    }

    /// Closes the open offer.
    pub fn lapse(&mut self) {
        self.by = None;
    }
}
