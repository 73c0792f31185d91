//! Draw and takeback offers of the two players.

use super::command::{OfferAction, Refusal};
use crate::rules::Side;

/// Offer that takes the consent of both players: a draw or a takeback. At most one is open at a
/// time, and each side may make one per ply.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Offer {
    by: Option<Side>,
    /// Ply of each side's last offer.
    last_ply: [Option<usize>; 2],
}

/// Outcome of an action on an offer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OfferOutcome {
    /// An offer is made.
    Offered,
    /// Both sides agree.
    Agreed,
    /// The open offer is declined or canceled.
    Declined,
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
    pub fn respond(
        self,
        side: Side,
        action: OfferAction,
        ply: usize,
    ) -> Result<OfferOutcome, Refusal> {
        let is_answer = self.by == Some(side.other());
        let is_repeat = self.by == Some(side) || self.last_ply[side.index()] == Some(ply);
        match action {
            OfferAction::No if self.by.is_some() => Ok(OfferOutcome::Declined),
            OfferAction::Yes | OfferAction::Accept if is_answer => Ok(OfferOutcome::Agreed),
            OfferAction::No | OfferAction::Accept => Err(Refusal::NoOffer),
            OfferAction::Offer if is_answer => Err(Refusal::AlreadyOffered),
            OfferAction::Yes | OfferAction::Offer if is_repeat => Err(Refusal::TooEarly),
            OfferAction::Yes | OfferAction::Offer => Ok(OfferOutcome::Offered),
        }
    }

    /// Records an offer that a side has made at a ply; it replaces any other.
    pub fn open(&mut self, side: Side, ply: usize) {
        self.by = Some(side);
        self.last_ply[side.index()] = Some(ply);
    }

    /// Closes the open offer.
    pub fn expire(&mut self) {
        self.by = None;
    }
}
