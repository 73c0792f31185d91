//! Terms of a rematch as JSON, for one player of a finished game.

use crate::play::reason::Reason;
use crate::rooms::{OutsideRange, RematchFit, RematchObstacle, RematchTerms};
use crate::rules::Side;
use serde::Serialize;
use utoipa::ToSchema;

/// Outcome that an offer of the player would have.
#[derive(Clone, Copy, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum RematchFitCode {
    /// The opponent can accept it.
    Fits,
    /// A rating does not satisfy the range of the previous game.
    Outside,
    /// The opponent has declined the latest offer.
    Declined,
    /// It would be refused.
    Unavailable,
}

/// Rating that does not satisfy the range of the previous game.
#[derive(Clone, Copy, PartialEq, Serialize, ToSchema)]
pub struct OutsideRangeOut {
    /// Player whose rating it is.
    side: Side,
    /// Player who has set the range and may widen it; null if neither of the two has.
    #[schema(required)]
    owner: Option<Side>,
    /// Why the player is outside: `ratingTooLow`, `ratingTooHigh`, `provisional` or `anonymous`.
    reason: Reason,
    /// Rating of the player.
    rating: i32,
    /// Lowest accepted rating; null if unbounded.
    #[schema(required)]
    min: Option<i32>,
    /// Highest accepted rating; null if unbounded.
    #[schema(required)]
    max: Option<i32>,
}

/// Terms of a rematch for one player of a finished game.
#[derive(Clone, Copy, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RematchTermsOut {
    fit: RematchFitCode,
    /// Rating that does not satisfy the range, if `fit` is `outside`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    outside: Option<OutsideRangeOut>,
    /// Reason of `unavailable`: `blocked`, `dailyLimit`; absent if the account is closed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    reason: Option<Reason>,
    /// Current rating of the player.
    rating: i32,
    /// Estimated number of rated games until that rating is established; 0 if it is.
    settling_games: u32,
}

impl From<RematchTerms> for RematchTermsOut {
    fn from(terms: RematchTerms) -> RematchTermsOut {
        let (fit, outside, reason) = match terms.fit {
            RematchFit::Fits => (RematchFitCode::Fits, None, None),
            RematchFit::Outside(outside) => (RematchFitCode::Outside, Some(outside), None),
            RematchFit::Declined => (RematchFitCode::Declined, None, None),
            RematchFit::Unavailable(obstacle) => {
                let reason = match obstacle {
                    RematchObstacle::Closed => None,
                    RematchObstacle::Blocked => Some(Reason::Blocked),
                    RematchObstacle::DailyLimit => Some(Reason::DailyLimit),
                };
                (RematchFitCode::Unavailable, None, reason)
            }
        };
        RematchTermsOut {
            fit,
            outside: outside.map(OutsideRangeOut::from),
            reason,
            rating: terms.rating,
            settling_games: terms.settling_games,
        }
    }
}

impl From<OutsideRange> for OutsideRangeOut {
    fn from(outside: OutsideRange) -> OutsideRangeOut {
        let OutsideRange { side, owner, why, rating, bounds: (min, max) } = outside;
        OutsideRangeOut { side, owner, reason: why.code(), rating, min, max }
    }
}
