//! Challenges with two free seats: the first player's choice, and the offers that remain for the
//! second.

use super::Account;
use super::challenge::{Challenge, candidate_rating};
use crate::play::challenge::{AcceptContext, ChallengeKind, check_eligibility};
use crate::play::clock::Pace;
use crate::play::rating::Rating;
use crate::rules::Side;

/// First player of two free seats, with the choice that limits the second player.
#[derive(Clone, Debug)]
pub struct SeatHolder {
    /// Account of the player.
    pub account: Account,
    /// Side of the seat.
    pub side: Side,
    /// Key of the chosen variant; `None` leaves the choice to the second player.
    pub variant: Option<String>,
    /// Chosen time control; `None` leaves the choice to the second player.
    pub pace: Option<Pace>,
    /// Current ratings, one for each of `draft.plays`.
    pub ratings: Vec<Rating>,
}

impl Challenge {
    /// Returns the account that waits for an opponent: the creator, or the holder of one of two
    /// seats.
    pub fn waiting_player(&self, now_ms: i64) -> Option<&Account> {
        match self.draft.kind {
            ChallengeKind::Open => self.seat_holder(now_ms).map(|seated| &seated.account),
            _ => Some(&self.creator),
        }
    }

    /// Returns the first player of two seats, unless none of their chosen variants fits them any
    /// more; the seat is then free.
    pub fn seat_holder(&self, now_ms: i64) -> Option<&SeatHolder> {
        self.seated.as_ref().filter(|seated| !self.eligible_variants(seated, now_ms).is_empty())
    }

    /// Returns the indices of the variants on offer. The choice and the ratings of a seat holder
    /// restrict them.
    pub fn offered_variants(&self, now_ms: i64) -> Vec<usize> {
        match self.seat_holder(now_ms) {
            Some(seated) => self.eligible_variants(seated, now_ms),
            None => (0..self.draft.plays.len()).collect(),
        }
    }

    /// Returns the time controls on offer; at least one.
    pub fn offered_paces(&self, now_ms: i64) -> Vec<Pace> {
        match self.seat_holder(now_ms).and_then(|seated| seated.pace) {
            Some(pace) => vec![pace],
            None => self.draft.paces.clone(),
        }
    }

    fn eligible_variants(&self, seated: &SeatHolder, now_ms: i64) -> Vec<usize> {
        let fits = |at: &usize| {
            let key = self.draft.plays[*at].variant.info.key;
            let maker = candidate_rating(&self.creator, &self.creator_ratings[*at], now_ms);
            let player = candidate_rating(&seated.account, &seated.ratings[*at], now_ms);
            let terms = &self.draft.terms;
            seated.variant.as_deref().is_none_or(|chosen| chosen == key)
                && check_eligibility(terms, AcceptContext::default(), player, maker, now_ms).is_ok()
        };
        (0..self.draft.plays.len()).filter(fits).collect()
    }
}
