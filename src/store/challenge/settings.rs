//! Stored challenge settings of accounts.
//!
//! The transaction that creates a challenge checks them. An account without a row has the default.
//! Guests and computer players have no settings: everyone may challenge them. Callers: the creation
//! of challenges, and `http::api::challenge_settings`.

use crate::play::challenge_settings::{ChallengeAudience, ChallengeSettings};
use crate::store::row::SqlRow;
use crate::store::{AccountKey, Store, StoreError};

/// Settings of an account.
pub(super) const SETTINGS: &str =
    "SELECT audience, casual_only FROM challenge_settings WHERE account = $1";

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
