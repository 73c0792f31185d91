//! Challenge settings of an account: the players who may challenge it by name.
//!
//! The transaction that creates a challenge checks them. An account without a row has the default.
//! Guests and computer players have no settings: everyone may challenge them. Callers: the creation
//! of challenges, and `http::api::challenge_settings`.

use crate::play::rating::Rating;
use crate::store::row::SqlRow;
use crate::store::{AccountKey, Store, StoreError};
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};
use utoipa::ToSchema;

/// Largest difference of ratings in [`ChallengeAudience::NearRating`].
const NEAR_RATING_MAX: i32 = 300;

/// Group of players who may challenge an account by name.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    Debug,
    Default,
    Serialize,
    Deserialize,
    EnumString,
    IntoStaticStr,
    ToSchema,
)]
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
    Nobody,
}

/// Challenges by name that an account accepts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChallengeSettings {
    pub audience: ChallengeAudience,
    /// Whether rated challenges are refused.
    pub casual_only: bool,
}

/// Reason why a player may not challenge an account by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotChallengeable {
    /// The account accepts no challenges by name.
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
    Rating { rating: i32, of_account: i32 },
    /// Rated games are refused.
    #[error("This player accepts casual challenges only. Challenge without a rating.")]
    CasualOnly,
}

/// Settings of an account.
pub(super) const SETTINGS: &str =
    "SELECT audience, casual_only FROM challenge_settings WHERE account = $1";

impl ChallengeSettings {
    /// Checks that a guest or account may challenge the owner of the settings. `ratings` are its
    /// rating and that of the owner in each offered variant.
    ///
    /// # Errors
    /// The first reason against it: the account before the kind of game, and the rating last.
    pub(super) fn check(
        self,
        is_guest: bool,
        rated: bool,
        ratings: &[[Rating; 2]],
    ) -> Result<(), NotChallengeable> {
        match self.audience {
            ChallengeAudience::Nobody => return Err(NotChallengeable::Nobody),
            ChallengeAudience::Accounts | ChallengeAudience::NearRating if is_guest => {
                return Err(NotChallengeable::Guest);
            }
            _ => {}
        }
        if self.casual_only && rated {
            return Err(NotChallengeable::CasualOnly);
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

impl Store {
    /// Returns the challenges by name that an account accepts.
    pub async fn challenge_settings(
        &self,
        account: AccountKey,
    ) -> Result<ChallengeSettings, StoreError> {
        let rows = self.readers.query(SETTINGS).bind(account).rows().await?;
        settings_of_rows(&rows)
    }

    /// Changes the settings of an account as far as there are new values, and returns them.
    pub async fn set_challenge_settings(
        &self,
        account: AccountKey,
        audience: Option<ChallengeAudience>,
        casual_only: Option<bool>,
    ) -> Result<ChallengeSettings, StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let old = settings_of_rows(&tx.query(SETTINGS).bind(account).rows().await?)?;
                    let new = ChallengeSettings {
                        audience: audience.unwrap_or(old.audience),
                        casual_only: casual_only.unwrap_or(old.casual_only),
                    };
                    let sql = "INSERT INTO challenge_settings (account, audience, casual_only)
                               VALUES ($1, $2, $3) ON CONFLICT (account) DO UPDATE
                                   SET audience = excluded.audience,
                                       casual_only = excluded.casual_only";
                    let audience: &str = new.audience.into();
                    let query = tx.query(sql).bind(account).bind(audience);
                    query.bind(new.casual_only).execute().await?;
                    Ok(new)
                })
            })
            .await
    }
}

/// Returns the settings in the rows of [`SETTINGS`].
pub(super) fn settings_of_rows(rows: &[SqlRow]) -> Result<ChallengeSettings, StoreError> {
    let Some(row) = rows.first() else { return Ok(ChallengeSettings::default()) };
    let (audience, casual_only): (String, bool) = row.decode()?;
    let audience =
        audience.parse().map_err(|_| StoreError::InvalidRow(format!("audience {audience}")))?;
    Ok(ChallengeSettings { audience, casual_only })
}
