//! Challenge settings of an account: the players who may challenge it by name.
//!
//! [`ChallengeSettings::check`] is the only place that decides it. Callers: `store`, in the
//! transaction that creates a challenge, and `http`.

use super::rating::Rating;
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

/// Largest difference of ratings in [`ChallengeAudience::NearRating`].
const NEAR_RATING_MAX: i32 = 300;

/// Group of players who may challenge an account by name.
#[derive(
    Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, EnumString, IntoStaticStr,
)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "camelCase")]
pub enum ChallengeAudience {
    /// Guests as well.
    Everyone,
    /// Players with an account.
    #[default]
    Accounts,
    /// Players with an account whose rating in the variant differs by at most 300.
    NearRating,
    /// Players whom the account follows.
    Followed,
    /// No player at all.
    Nobody,
}

/// Challenges by name that an account accepts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ChallengeSettings {
    /// Players whose challenges are accepted.
    pub audience: ChallengeAudience,
    /// Whether rated challenges are refused.
    pub casual_only: bool,
}

/// Player who challenges an account by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Challenger {
    /// Whether the player has no account.
    pub is_guest: bool,
    /// Whether the challenged account follows the player.
    pub is_followed: bool,
}

/// Reason why a player may not challenge an account by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotChallengeable {
    /// The account accepts no challenges by name, or none from players whom it does not follow.
    #[error("This player accepts no challenges by name. Post a challenge in the lobby.")]
    Nobody,
    /// The account accepts no challenges from guests.
    #[error("This player accepts challenges from players with an account. Sign up first.")]
    Guest,
    /// The rating of the player is too far from that of the account.
    #[error(
        "Your rating {rating} is too far from theirs, {of_account}: this player accepts \
         challenges within {NEAR_RATING_MAX} points in each offered game."
    )]
    Rating {
        /// Rating of the player.
        rating: i32,
        /// Rating of the account.
        of_account: i32,
    },
    /// Rated games are refused.
    #[error("This player accepts casual challenges only. Challenge without a rating.")]
    CasualOnly,
}

impl ChallengeSettings {
    /// Checks that a challenger may challenge the owner of the settings. `ratings` are the rating
    /// of the challenger and that of the owner in each offered variant.
    ///
    /// # Errors
    /// The first reason against it: the account before the kind of game, and the rating last.
    pub fn check(
        self,
        challenger: Challenger,
        rated: bool,
        ratings: &[[Rating; 2]],
    ) -> Result<(), NotChallengeable> {
        match self.audience {
            ChallengeAudience::Nobody => return Err(NotChallengeable::Nobody),
            ChallengeAudience::Accounts | ChallengeAudience::NearRating if challenger.is_guest => {
                return Err(NotChallengeable::Guest);
            }
            _ => {}
        }
        if self.casual_only && rated {
            return Err(NotChallengeable::CasualOnly);
        }
        // After the other reasons, which do not tell whether the owner follows the challenger.
        if self.audience == ChallengeAudience::Followed && !challenger.is_followed {
            return Err(NotChallengeable::Nobody);
        }
        let far = ratings.iter().map(|both| both.map(|rating| rating.rounded()));
        let mut far = far.filter(|[rating, owner]| (rating - owner).abs() > NEAR_RATING_MAX);
        match far.next() {
            Some([rating, of_account]) if self.audience == ChallengeAudience::NearRating => {
                Err(NotChallengeable::Rating { rating, of_account })
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use NotChallengeable::{CasualOnly, Guest, Nobody};

    fn rated(rating: f64) -> Rating {
        Rating { rating, ..Rating::default() }
    }

    #[test]
    fn reasons_are_reported_in_order() {
        let near = [[rated(1200.0), rated(1500.0)]];
        let far = [[rated(1500.0), rated(1500.0)], [rated(1199.0), rated(1500.0)]];
        let outside = NotChallengeable::Rating { rating: 1199, of_account: 1500 };
        for (audience, casual_only, is_guest, is_rated, ratings, expected) in [
            (ChallengeAudience::Nobody, true, true, true, &far[..], Err(Nobody)),
            (ChallengeAudience::Everyone, true, true, true, &far, Err(CasualOnly)),
            (ChallengeAudience::Everyone, true, true, false, &far, Ok(())),
            (ChallengeAudience::Accounts, true, true, true, &far, Err(Guest)),
            (ChallengeAudience::Accounts, false, false, true, &far, Ok(())),
            (ChallengeAudience::NearRating, true, true, true, &far, Err(Guest)),
            (ChallengeAudience::NearRating, true, false, true, &far, Err(CasualOnly)),
            (ChallengeAudience::NearRating, false, false, true, &far, Err(outside)),
            (ChallengeAudience::NearRating, false, false, true, &near, Ok(())),
        ] {
            let settings = ChallengeSettings { audience, casual_only };
            let challenger = Challenger { is_guest, is_followed: false };
            assert_eq!(settings.check(challenger, is_rated, ratings), expected, "{settings:?}");
        }
    }

    #[test]
    fn followed_players_may_challenge() {
        let far = [[rated(1500.0), rated(2500.0)]];
        for (is_followed, casual_only, expected) in [
            (true, false, Ok(())),
            (true, true, Err(CasualOnly)),
            (false, false, Err(Nobody)),
            (false, true, Err(CasualOnly)),
        ] {
            let settings = ChallengeSettings { audience: ChallengeAudience::Followed, casual_only };
            let challenger = Challenger { is_guest: false, is_followed };
            assert_eq!(settings.check(challenger, true, &far), expected, "{is_followed}");
        }
    }
}
