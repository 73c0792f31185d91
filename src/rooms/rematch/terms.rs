//! Terms of a rematch: the requirements that the players of a game have set for each other, and
//! their consequences for each player before an offer is made.
//!
//! Pure: everything follows from [`RematchBasis`]. The store checks the requirements of an offer
//! again when it is accepted. Caller: `rematch`.

use crate::play::challenge::{
    AcceptContext, AcceptTerms, CandidateRating, ChallengeKind, ChallengeStatus, Ineligible,
    RatingRange, Requirement, check_eligibility,
};
use crate::play::rating::{Rating, rate_game};
use crate::rules::{Outcome, Side};
use crate::store::{AccountKey, Challenge, GameRow, RematchFacts};
use std::sync::Arc;

/// Deviation of the opponents by which the number of games until a rating is established is
/// estimated.
const TYPICAL_RD: f64 = 80.0;

/// Maximum of that estimate.
const SETTLING_GAMES_MAX: u32 = 100;

/// Rating that does not satisfy the requirement of the opponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutsideRange {
    /// Player whose rating it is.
    pub side: Side,
    /// Player who has set the requirement and may widen it; `None` if neither of the two has.
    pub owner: Option<Side>,
    /// Reason for the refusal.
    pub why: Ineligible,
    /// Rating of the player.
    pub rating: i32,
    /// Lowest and highest accepted ratings.
    pub bounds: (Option<i32>, Option<i32>),
}

/// Circumstance that rules out a rematch with the same terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RematchObstacle {
    /// The account of the opponent is closed.
    Closed,
    /// One of the players has blocked the other.
    Blocked,
    /// The players have begun the maximum number of rated games within a day.
    DailyLimit,
}

/// Outcome that an offer of one player would have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RematchFit {
    /// The opponent can accept it.
    Fits,
    /// One of the players does not satisfy a requirement.
    Outside(OutsideRange),
    /// The opponent has declined the latest offer, or the player would have to ask again after a
    /// decline.
    Declined,
    /// It would be refused.
    Unavailable(RematchObstacle),
}

/// Terms of a rematch as one player sees them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RematchTerms {
    /// Outcome that an offer of the player would have.
    pub fit: RematchFit,
    /// Current rating of the player.
    pub rating: i32,
    /// Estimated number of rated games until that rating is established; 0 if it is.
    pub settling_games: u32,
}

/// Finished game with the facts of one moment from which the terms of both players follow.
#[derive(Debug)]
pub(in crate::rooms) struct RematchBasis {
    pub(in crate::rooms) row: Arc<GameRow>,
    pub(in crate::rooms) facts: RematchFacts,
    /// Maximum number of rated games of two players within a day.
    pub(in crate::rooms) pair_rated_max: i64,
    pub(in crate::rooms) now_ms: i64,
}

impl RematchBasis {
    /// Returns the terms of an account, `None` if it is not a player.
    pub(in crate::rooms) fn terms(&self, viewer: AccountKey) -> Option<RematchTerms> {
        let side = self.row.side_of(viewer)?;
        let rating = self.facts.ratings[side.index()];
        Some(RematchTerms {
            fit: self.fit(side),
            rating: rating.rounded(),
            settling_games: settling_games(rating, self.now_ms),
        })
    }

    fn fit(&self, viewer: Side) -> RematchFit {
        let RematchBasis { row, facts, pair_rated_max, now_ms } = self;
        let opponent = viewer.other();
        if facts.is_closed[opponent.index()] {
            return RematchFit::Unavailable(RematchObstacle::Closed);
        }
        if facts.is_blocked {
            return RematchFit::Unavailable(RematchObstacle::Blocked);
        }
        if facts.declined_by == Some(row.players[opponent.index()].account.key) {
            return RematchFit::Declined;
        }
        if row.rated && facts.rated_games >= *pair_rated_max {
            return RematchFit::Unavailable(RematchObstacle::DailyLimit);
        }
        let requirements = SideRequirements::new(row, facts.source.as_ref());
        match requirements.first_outside(viewer, facts.candidates(*now_ms), *now_ms) {
            None => RematchFit::Fits,
            Some(outside)
                if outside.owner == Some(opponent) && facts.has_declined[opponent.index()] =>
            {
                RematchFit::Declined
            }
            Some(outside) => RematchFit::Outside(outside),
        }
    }
}

/// Reason why a player cannot ask the opponent to widen a range.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AskError {
    /// The opponent has declined an earlier offer.
    #[error("the opponent has declined")]
    Declined,
    /// The player has set the range.
    #[error("the range is the player's own")]
    OwnRange,
    /// Neither player has set the range.
    #[error("neither player has set the range")]
    NoOwner,
}

/// Checks whether a player can ask the opponent to widen a range. If both players satisfy the
/// requirements, the ask is a plain offer.
///
/// # Errors
/// Returns the refusal if the range is not that of the opponent, or if the opponent has declined.
pub(in crate::rooms) fn check_ask(
    row: &GameRow,
    facts: &RematchFacts,
    requester: Side,
    now_ms: i64,
) -> Result<(), AskError> {
    let requirements = SideRequirements::new(row, facts.source.as_ref());
    let outside = requirements.first_outside(requester, facts.candidates(now_ms), now_ms);
    let Some(outside) = outside else { return Ok(()) };
    match outside.owner {
        None => Err(AskError::NoOwner),
        Some(owner) if owner == requester => Err(AskError::OwnRange),
        Some(owner) if facts.has_declined[owner.index()] => Err(AskError::Declined),
        Some(_) => Ok(()),
    }
}

/// Requirements on the players of a game, in the order of the sides.
#[derive(Clone, Copy, Debug)]
pub(in crate::rooms) struct SideRequirements {
    on: [Requirement; 2],
    owner: [Option<Side>; 2],
}

impl SideRequirements {
    /// Returns the requirements of the challenge that created the game.
    pub(in crate::rooms) fn new(row: &GameRow, source: Option<&Challenge>) -> SideRequirements {
        let opponents = [Some(Side::Second), Some(Side::First)];
        let Some(source) = source else {
            return SideRequirements { on: [Requirement::NONE; 2], owner: opponents };
        };
        let terms = &source.draft.terms;
        let creator = row.side_of(source.creator.key);
        if source.draft.kind == ChallengeKind::Open {
            return SideRequirements {
                on: [open_seat_requirement(source, row); 2],
                owner: [creator; 2],
            };
        }
        let on = match creator {
            Some(Side::Second) => [terms.acceptor, terms.creator],
            _ => [terms.creator, terms.acceptor],
        };
        SideRequirements { on, owner: opponents }
    }

    /// Returns the requirement on a side.
    pub(in crate::rooms) fn on(&self, side: Side) -> Requirement {
        self.on[side.index()]
    }

    /// Drops the requirements that the player of `owner` has set, also one for that player. Returns
    /// whether there is one.
    pub(in crate::rooms) fn drop_owned(&mut self, owner: Side) -> bool {
        let mut has_dropped = false;
        for side in Side::BOTH {
            if self.owner[side.index()] == Some(owner) {
                self.on[side.index()] = Requirement::NONE;
                has_dropped = true;
            }
        }
        has_dropped
    }

    /// Checks whether a player satisfies the requirement on their side.
    pub(in crate::rooms) fn check(
        &self,
        side: Side,
        candidates: [CandidateRating; 2],
        now_ms: i64,
    ) -> Result<(), OutsideRange> {
        let (own, other) = (candidates[side.index()], candidates[side.other().index()]);
        let acceptor = self.on(side);
        let terms = AcceptTerms {
            acceptor,
            creator: Requirement::NONE,
            rated: false,
            expires_ms: i64::MAX,
            status: ChallengeStatus::Created,
        };
        let context = AcceptContext::default();
        check_eligibility(&terms, context, own, other, now_ms).map_err(|why| OutsideRange {
            side,
            owner: self.owner[side.index()],
            why,
            rating: own.rating,
            bounds: acceptor.range.resolve(other.rating),
        })
    }

    /// Returns the rating of `viewer` that does not satisfy its requirement, else that of the
    /// opponent.
    fn first_outside(
        &self,
        viewer: Side,
        candidates: [CandidateRating; 2],
        now_ms: i64,
    ) -> Option<OutsideRange> {
        let outside = |side: Side| self.check(side, candidates, now_ms).err();
        outside(viewer).or_else(|| outside(viewer.other()))
    }

    /// Widens the requirements set by the player of `owner`, so that both players satisfy them.
    pub(in crate::rooms) fn widened_by(
        mut self,
        owner: Side,
        candidates: [CandidateRating; 2],
        now_ms: i64,
    ) -> SideRequirements {
        for side in Side::BOTH {
            if self.owner[side.index()] == Some(owner)
                && self.check(side, candidates, now_ms).is_err()
            {
                let (own, other) = (candidates[side.index()], candidates[side.other().index()]);
                self.on[side.index()] = widen(self.on(side), own, other.rating);
            }
        }
        self
    }
}

/// Widens a requirement so that a player satisfies it.
fn widen(requirement: Requirement, player: CandidateRating, other_rating: i32) -> Requirement {
    let Requirement { range, provisional, bots } = requirement;
    let (min, max) = range.to_fixed(other_rating).resolve(other_rating);
    let range = RatingRange::Fixed {
        min: min.map(|min| min.min(player.rating)),
        max: max.map(|max| max.max(player.rating)),
    };
    let provisional = provisional || player.provisional || player.guest;
    Requirement { range, provisional, bots: bots || player.bot }
}

/// Returns the requirement of two free seats on either player. A relative range follows the rating
/// of the player who set it, who need not be one of the two.
fn open_seat_requirement(source: &Challenge, row: &GameRow) -> Requirement {
    let Requirement { range, provisional, bots } = source.draft.terms.acceptor;
    let key = row.setup.variant.info.key;
    let played =
        source.draft.plays.iter().position(|game_choice| game_choice.variant.info.key == key);
    let rating = source.creator_ratings[played.unwrap_or(0)].rounded();
    Requirement { range: range.to_fixed(rating), provisional, bots }
}

/// Estimates the number of rated games until a rating is established, against opponents of equal
/// strength with an established rating. 0 if it is established.
fn settling_games(mut rating: Rating, now_ms: i64) -> u32 {
    let mut games = 0;
    while games < SETTLING_GAMES_MAX && rating.is_provisional(now_ms) {
        let opponent = Rating {
            rd: TYPICAL_RD,
            rating: rating.rating,
            games: 1,
            rated_ms: now_ms,
            ..Rating::default()
        };
        [rating, _] = rate_game([rating, opponent], Outcome::Draw, now_ms);
        games += 1;
    }
    games
}

#[cfg(test)]
mod tests {
    use super::*;

    fn requirements(range: &str, provisional: bool) -> SideRequirements {
        let range = range.parse().expect("range");
        let on = [Requirement::NONE, Requirement { range, provisional, bots: true }];
        SideRequirements { on, owner: [Some(Side::Second), Some(Side::First)] }
    }

    fn candidate(rating: i32, provisional: bool) -> CandidateRating {
        CandidateRating { guest: false, bot: false, rating, provisional }
    }

    #[test]
    fn widened_range_includes_the_opponent_and_little_else() {
        for (range, rating, expected) in [
            ("1400-1700", 1741, "1400-1741"),
            ("1400-1700", 1399, "1399-1700"),
            ("-100..+200", 1741, "1400-1741"),
            ("1600-", 1500, "1500-"),
            ("-1400", 1500, "-1500"),
            ("1400-1700", 1700, "1400-1700"),
            ("-100..+200", 1700, "-100..+200"),
        ] {
            let players = [candidate(1500, false), candidate(rating, false)];
            let own = requirements(range, true);
            let widened = own.widened_by(Side::First, players, 0);
            assert_eq!(widened.on(Side::Second).range.to_string(), expected);
            assert_eq!(widened.check(Side::Second, players, 0), Ok(()), "{range}");
            let by_other = own.widened_by(Side::Second, players, 0);
            assert_eq!(by_other.on(Side::Second), own.on(Side::Second), "not the own range");
        }
    }

    #[test]
    fn provisional_opponent_widens_the_requirement_alike() {
        let players = [candidate(1500, false), candidate(1500, true)];
        let own = requirements("1400-1700", false);
        let outside = own.check(Side::Second, players, 0).expect_err("a provisional rating");
        assert_eq!((outside.why, outside.owner), (Ineligible::Provisional, Some(Side::First)));
        let widened = own.widened_by(Side::First, players, 0).on(Side::Second);
        assert_eq!((&*widened.range.to_string(), widened.provisional), ("1400-1700", true));
    }

    #[test]
    fn settling_games_fall_with_each_rated_game() {
        let established = Rating { rd: 60.0, games: 30, ..Rating::default() };
        assert_eq!(settling_games(established, 0), 0);
        let mut rating = Rating::default();
        let opponent = Rating { rd: TYPICAL_RD, games: 1, ..Rating::default() };
        let first = settling_games(rating, 0);
        assert!((5..SETTLING_GAMES_MAX).contains(&first), "{first}");
        for left in (0..first).rev() {
            let equal = Rating { rating: rating.rating, ..opponent };
            [rating, _] = rate_game([rating, equal], Outcome::Draw, 0);
            assert_eq!(settling_games(rating, 0), left);
        }
    }
}
