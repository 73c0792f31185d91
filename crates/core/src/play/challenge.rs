//! Challenges: states, kinds, requirements on the players, and eligibility to accept.
//!
//! [`check_eligibility`] is the only place that decides whether a player may accept a challenge,
//! and in which order reasons are reported. `store` calls it in the transaction that accepts a
//! challenge, and beforehand to show each reader the outcome. Callers: `store`, `rooms` and `http`.

pub use super::rating_range::{ParseRatingRangeError, RatingRange};
use crate::play::reason::Reason;
use serde::{Deserialize, Serialize};
use strum::{EnumString, FromRepr, IntoStaticStr};

/// State of a challenge, with the numbers of the lichess API.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, FromRepr, IntoStaticStr)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "camelCase")]
#[repr(u8)]
pub enum ChallengeStatus {
    /// Open to acceptance.
    Created = 10,
    /// Canceled by the creator.
    Canceled = 20,
    /// Declined by the addressee.
    Declined = 30,
    /// Accepted: a game exists.
    Accepted = 40,
    /// Not accepted before its expiry time.
    Expired = 50,
}

impl ChallengeStatus {
    /// Returns the state with this number.
    pub fn from_number(number: i64) -> Option<ChallengeStatus> {
        ChallengeStatus::from_repr(u8::try_from(number).ok()?)
    }

    /// Returns the name of the state in the API, equal to its serialized name.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// Kind of a challenge: its audience and lifetime.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, EnumString, IntoStaticStr)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "camelCase")]
pub enum ChallengeKind {
    /// Public, listed in the lobby.
    List,
    /// To one player.
    Direct,
    /// To anyone who has its link.
    Link,
    /// Two free seats, each taken through its link. The creator plays only after taking one.
    Open,
    /// To the opponent of a finished game.
    Rematch,
    /// Public, for as long as an API client keeps its connection open.
    Seek,
}

impl ChallengeKind {
    /// Returns the name of the kind in the API, equal to its serialized name.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Returns whether the challenge is visible to everyone.
    pub fn is_public(self) -> bool {
        matches!(self, ChallengeKind::List | ChallengeKind::Seek)
    }
}

/// Requirement on one of the two players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Requirement {
    /// Accepted ratings, both ends included. A relative range follows the other player's rating.
    pub range: RatingRange,
    /// Whether guests and players with a provisional rating meet the requirement.
    pub provisional: bool,
    /// Whether bots meet the requirement.
    pub bots: bool,
}

impl Requirement {
    /// Requirement that every player meets.
    pub const NONE: Requirement =
        Requirement { range: RatingRange::ANY, provisional: true, bots: true };

    /// Returns whether the requirement excludes ratings or provisional ratings.
    pub fn limits_ratings(self) -> bool {
        Requirement { bots: true, ..self } != Requirement::NONE
    }
}

/// Reason for declining a challenge, with the keys and sentences of the lichess API.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    Default,
    Debug,
    Serialize,
    Deserialize,
    EnumString,
    IntoStaticStr,
    thiserror::Error,
)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", from = "String")]
#[strum(serialize_all = "camelCase")]
pub enum DeclineReason {
    /// No particular reason.
    #[default]
    #[error("I'm not accepting challenges at the moment.")]
    Generic,
    /// The time is not convenient.
    #[error("This is not the right time for me, please ask again later.")]
    Later,
    /// The time control is too short.
    #[error("This time control is too fast for me, please challenge again slower.")]
    TooFast,
    /// The time control is too long.
    #[error("This time control is too slow for me, please challenge again faster.")]
    TooSlow,
    /// The time control is not accepted.
    #[error("I'm not accepting challenges with this time control.")]
    TimeControl,
    /// Only rated games are accepted.
    #[error("Please send me a rated challenge instead.")]
    Rated,
    /// Only casual games are accepted.
    #[error("Please send me a casual challenge instead.")]
    Casual,
    /// The standard game is not accepted.
    #[error("I'm not accepting this game right now.")]
    Standard,
    /// The variant is not accepted.
    #[error("I'm not willing to play this game right now.")]
    Variant,
    /// Challenges of bots are not accepted.
    #[error("I'm not accepting challenges from bots.")]
    NoBot,
    /// Only challenges of bots are accepted.
    #[error("I'm only accepting challenges from bots.")]
    OnlyBot,
}

impl DeclineReason {
    /// Returns the key in the API.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

impl From<String> for DeclineReason {
    /// Returns the reason with this key, or the generic reason if the key is unknown.
    fn from(key: String) -> DeclineReason {
        key.parse().unwrap_or_default()
    }
}

/// Terms that decide who may accept a challenge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AcceptTerms {
    /// Requirement on the player who accepts.
    pub acceptor: Requirement,
    /// Requirement on the creator. The opponent set it in an earlier challenge.
    pub creator: Requirement,
    /// Whether the game will be rated.
    pub rated: bool,
    /// Expiry time, in epoch milliseconds.
    pub expires_ms: i64,
    /// Current state.
    pub status: ChallengeStatus,
}

/// Account type and rating of one of the two prospective players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CandidateRating {
    /// Whether the player has no account.
    pub guest: bool,
    /// Whether the account is a bot.
    pub bot: bool,
    /// Displayed rating in the variant.
    pub rating: i32,
    /// Whether that rating is provisional.
    pub provisional: bool,
}

/// Relation of the acceptor to the challenge and to the creator.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AcceptContext {
    /// Whether the other seat already belongs to the acceptor.
    pub is_own: bool,
    /// Whether the challenge is addressed to another player.
    pub is_not_addressee: bool,
    /// Whether one of the two players has blocked the other.
    pub blocked: bool,
}

/// Reason why a player may not accept a challenge.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Ineligible {
    /// The challenge is the acceptor's own.
    #[error("This is your own challenge.")]
    Own,
    /// The challenge is addressed to another player.
    #[error("This challenge is for another player.")]
    NotForYou,
    /// One of the two players has blocked the other.
    #[error("You cannot play with this player.")]
    Blocked,
    /// Another player has accepted the challenge.
    #[error("Another player has already accepted this challenge.")]
    Taken,
    /// The expiry time has passed.
    #[error("This challenge has expired.")]
    Expired,
    /// The creator has canceled the challenge.
    #[error("This challenge was canceled.")]
    Canceled,
    /// The addressee has declined the challenge.
    #[error("This challenge was declined.")]
    Declined,
    /// The challenge requires an account.
    #[error("This challenge is for players with an account.")]
    Anonymous,
    /// Bots may not play.
    #[error("This challenge is for people, not for bots.")]
    NoBots,
    /// A rating is below the required range.
    #[error("{} rating {rating} is below {min}.", rating_owner(*.yours))]
    RatingTooLow {
        /// Rating of the player concerned.
        rating: i32,
        /// Lowest accepted rating.
        min: i32,
        /// Whether the rating is the acceptor's (true) or the creator's (false).
        yours: bool,
    },
    /// A rating is above the required range.
    #[error("{} rating {rating} is above {max}.", rating_owner(*.yours))]
    RatingTooHigh {
        /// Rating of the player concerned.
        rating: i32,
        /// Highest accepted rating.
        max: i32,
        /// Whether the rating is the acceptor's (true) or the creator's (false).
        yours: bool,
    },
    /// A rating is provisional.
    #[error("This challenge is for players with an established rating.")]
    Provisional,
}

fn rating_owner(yours: bool) -> &'static str {
    if yours { "Your" } else { "The challenger's" }
}

impl Ineligible {
    /// Returns the reason code in the API.
    pub fn code(self) -> Reason {
        match self {
            Ineligible::Own => Reason::Own,
            Ineligible::NotForYou => Reason::NotForYou,
            Ineligible::Blocked => Reason::Blocked,
            Ineligible::Taken => Reason::Taken,
            Ineligible::Expired => Reason::Expired,
            Ineligible::Canceled => Reason::Canceled,
            Ineligible::Declined => Reason::Declined,
            Ineligible::Anonymous => Reason::Anonymous,
            Ineligible::NoBots => Reason::NoBots,
            Ineligible::RatingTooLow { .. } => Reason::RatingTooLow,
            Ineligible::RatingTooHigh { .. } => Reason::RatingTooHigh,
            Ineligible::Provisional => Reason::Provisional,
        }
    }

    /// Returns whether the challenge is closed to every player.
    pub fn is_closed(self) -> bool {
        matches!(
            self,
            Ineligible::Taken | Ineligible::Expired | Ineligible::Canceled | Ineligible::Declined
        )
    }
}

/// Checks that a challenge is open.
///
/// # Errors
/// Returns the reason why it is closed.
pub fn check_open(terms: &AcceptTerms, now_ms: i64) -> Result<(), Ineligible> {
    match terms.status {
        ChallengeStatus::Accepted => Err(Ineligible::Taken),
        ChallengeStatus::Canceled => Err(Ineligible::Canceled),
        ChallengeStatus::Declined => Err(Ineligible::Declined),
        ChallengeStatus::Expired => Err(Ineligible::Expired),
        ChallengeStatus::Created if now_ms >= terms.expires_ms => Err(Ineligible::Expired),
        ChallengeStatus::Created => Ok(()),
    }
}

/// Checks whether a player may accept a challenge now.
///
/// # Errors
/// Returns the first reason against it. The state of the challenge is checked before the player,
/// and the account before the rating.
pub fn check_eligibility(
    terms: &AcceptTerms,
    context: AcceptContext,
    acceptor: CandidateRating,
    creator: CandidateRating,
    now_ms: i64,
) -> Result<(), Ineligible> {
    check_open(terms, now_ms)?;
    if context.is_own {
        return Err(Ineligible::Own);
    }
    if context.is_not_addressee {
        return Err(Ineligible::NotForYou);
    }
    if context.blocked {
        return Err(Ineligible::Blocked);
    }
    if acceptor.guest && terms.rated {
        return Err(Ineligible::Anonymous);
    }
    check_requirement(terms.acceptor, acceptor, creator.rating, true)?;
    check_requirement(terms.creator, creator, acceptor.rating, false)
}

/// Checks a player against a requirement. A relative range is relative to `other_rating`.
/// `is_acceptor` tells whether the player is the acceptor or the creator.
fn check_requirement(
    requirement: Requirement,
    candidate: CandidateRating,
    other_rating: i32,
    is_acceptor: bool,
) -> Result<(), Ineligible> {
    if candidate.guest && !requirement.provisional {
        return Err(Ineligible::Anonymous);
    }
    if candidate.bot && !requirement.bots {
        return Err(Ineligible::NoBots);
    }
    let rating = candidate.rating;
    match requirement.range.resolve(other_rating) {
        (Some(min), _) if rating < min => {
            return Err(Ineligible::RatingTooLow { rating, min, yours: is_acceptor });
        }
        (_, Some(max)) if rating > max => {
            return Err(Ineligible::RatingTooHigh { rating, max, yours: is_acceptor });
        }
        _ => {}
    }
    if candidate.provisional && !requirement.provisional {
        return Err(Ineligible::Provisional);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TERMS: AcceptTerms = AcceptTerms {
        acceptor: Requirement::NONE,
        creator: Requirement::NONE,
        rated: true,
        expires_ms: 10,
        status: ChallengeStatus::Created,
    };

    fn candidate(rating: i32) -> CandidateRating {
        CandidateRating { guest: false, bot: false, rating, provisional: false }
    }

    fn requirement(range: &str) -> Requirement {
        Requirement { range: range.parse().expect("range"), ..Requirement::NONE }
    }

    /// Checks two ratings against the acceptor's and the creator's range.
    fn check(ranges: [&str; 2], creator: i32, acceptor: i32) -> &'static str {
        let [to_acceptor, to_creator] = ranges.map(requirement);
        let terms = AcceptTerms { acceptor: to_acceptor, creator: to_creator, ..TERMS };
        check_eligibility(
            &terms,
            AcceptContext::default(),
            candidate(acceptor),
            candidate(creator),
            0,
        )
        .map_or_else(|why| why.code().as_str(), |()| "ok")
    }

    #[test]
    fn range_bounds_are_inclusive() {
        let check = |range, creator, rating| check([range, ""], creator, rating);
        let results = [1399, 1400, 1500, 1600, 1601].map(|rating| check("1400-1600", 2000, rating));
        assert_eq!(results, ["ratingTooLow", "ok", "ok", "ok", "ratingTooHigh"]);
        assert_eq!([check("1500-", 0, 1499), check("1500-", 0, 3999)], ["ratingTooLow", "ok"]);
        assert_eq!([check("-1500", 0, 0), check("-1500", 0, 1501)], ["ok", "ratingTooHigh"]);
        assert_eq!(check("", 0, 400), "ok");
    }

    #[test]
    fn relative_range_follows_creator_rating() {
        let check = |range, creator, rating| check([range, ""], creator, rating);
        let results = [1399, 1400, 1700, 1701].map(|rating| check("-100..+200", 1500, rating));
        assert_eq!(results, ["ratingTooLow", "ok", "ok", "ratingTooHigh"]);
        assert_eq!(
            [check("+50..+90", 1500, 1500), check("+50..+90", 1410, 1500)],
            ["ratingTooLow", "ok"]
        );
    }

    #[test]
    fn bots_are_refused_before_their_rating() {
        let acceptor = Requirement { bots: false, ..requirement("1400-1600") };
        let bot = CandidateRating { bot: true, ..candidate(1300) };
        let check = |terms: AcceptTerms, acceptor, creator| {
            check_eligibility(&terms, AcceptContext::default(), acceptor, creator, 0)
        };
        let terms = AcceptTerms { acceptor, ..TERMS };
        assert_eq!(check(terms, bot, candidate(1500)), Err(Ineligible::NoBots));
        assert_eq!(check(terms, candidate(1500), bot), Ok(()));
        let terms = AcceptTerms { creator: acceptor, ..TERMS };
        assert_eq!(check(terms, candidate(1500), bot), Err(Ineligible::NoBots));
        assert_eq!(check(TERMS, bot, candidate(1500)), Ok(()));
        assert!(!Requirement { bots: false, ..Requirement::NONE }.limits_ratings());
    }

    #[test]
    fn both_ranges_are_checked() {
        for (ranges, creator, acceptor, expected) in [
            (["", "1400-1600"], 1399, 2000, "ratingTooLow"),
            (["", "1400-1600"], 1400, 2000, "ok"),
            (["", "1400-1600"], 1601, 2000, "ratingTooHigh"),
            (["", "-100..+100"], 1500, 1700, "ratingTooLow"),
            (["1400-1600", "1400-1600"], 1500, 1700, "ratingTooHigh"),
            (["1400-1600", "1400-1600"], 1300, 1500, "ratingTooLow"),
            (["1500-1700", "1550-1650"], 1510, 1600, "ratingTooLow"),
            (["1500-1700", "1550-1650"], 1560, 1600, "ok"),
            (["1500-1700", "1550-1650"], 1560, 1710, "ratingTooHigh"),
        ] {
            assert_eq!(
                check(ranges, creator, acceptor),
                expected,
                "{ranges:?} {creator} {acceptor}"
            );
        }
    }

    #[test]
    fn accept_reasons_are_reported_in_order() {
        let range = RatingRange::Fixed { min: Some(1600), max: None };
        let terms = |rated, provisional, status| AcceptTerms {
            acceptor: Requirement { range, provisional, bots: true },
            rated,
            status,
            ..TERMS
        };
        let all = AcceptContext { is_own: true, is_not_addressee: true, blocked: true };
        let stranger = AcceptContext { is_own: false, ..all };
        let blocked = AcceptContext { blocked: true, ..AcceptContext::default() };
        let nobody = AcceptContext::default();
        let guest = CandidateRating { guest: true, bot: false, rating: 1500, provisional: true };
        let new = CandidateRating { guest: false, ..guest };
        let open = ChallengeStatus::Created;
        for (terms, context, candidate, now_ms, code) in [
            (terms(true, true, ChallengeStatus::Accepted), all, guest, 99, "taken"),
            (terms(true, true, ChallengeStatus::Canceled), all, guest, 99, "canceled"),
            (terms(true, true, ChallengeStatus::Declined), all, guest, 99, "declined"),
            (terms(true, true, open), all, guest, 10, "expired"),
            (terms(true, true, open), all, guest, 9, "own"),
            (terms(true, true, open), stranger, guest, 9, "notForYou"),
            (terms(true, true, open), blocked, guest, 9, "blocked"),
            (terms(true, true, open), nobody, guest, 9, "anonymous"),
            (terms(false, false, open), nobody, guest, 9, "anonymous"),
            (terms(false, true, open), nobody, guest, 9, "ratingTooLow"),
            (terms(false, false, open), nobody, new, 9, "ratingTooLow"),
        ] {
            let refused = check_eligibility(&terms, context, candidate, new, now_ms);
            assert_eq!(refused.map_err(|why| why.code().as_str()), Err(code));
        }
        let acceptor = Requirement { provisional: false, ..Requirement::NONE };
        let settled = AcceptTerms { acceptor, ..terms(true, true, open) };
        let creator = candidate(1500);
        assert_eq!(
            check_eligibility(&settled, nobody, new, creator, 0),
            Err(Ineligible::Provisional)
        );
        assert_eq!(check_eligibility(&settled, nobody, creator, creator, 0), Ok(()));
    }
}
