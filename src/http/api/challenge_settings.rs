//! Endpoints of the settings of who may challenge an account by name.
//!
//! Caller: the router.

use crate::http::App;
use crate::http::error::Error;
use crate::http::extract::auth::Viewer;
use crate::http::extract::form_fields::FormFields;
use crate::http::messages::ErrorBody;
use crate::store::{ChallengeAudience, ChallengeSettings};
use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;

/// Returns who may challenge the account by name.
#[utoipa::path(get, path = "/account/challenges", operation_id = "challengeSettings", tag = "account",
    responses((status = 200, body = ChallengeSettings), (status = "4XX", body = ErrorBody)))]
pub async fn show(
    State(app): State<App>,
    viewer: Viewer,
) -> Result<Json<ChallengeSettings>, Error> {
    let (account, _) = viewer.require_session_account()?;
    Ok(Json(app.rooms.store().challenge_settings(account.key).await?))
}

/// Changes of the settings; what is missing stays as it is.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChallengeSettingsForm {
    pub audience: Option<ChallengeAudience>,
    /// Whether rated challenges are refused.
    pub casual_only: Option<bool>,
}

/// Sets who may challenge the account by name. Rematches and challenges that are open are not
/// concerned.
#[utoipa::path(post, path = "/account/challenges", operation_id = "setChallengeSettings", tag = "account",
    request_body = ChallengeSettingsForm,
    responses((status = 200, body = ChallengeSettings), (status = "4XX", body = ErrorBody)))]
pub async fn set(
    State(app): State<App>,
    viewer: Viewer,
    FormFields(form): FormFields<ChallengeSettingsForm>,
) -> Result<Json<ChallengeSettings>, Error> {
    let (account, _) = viewer.require_session_account()?;
    let store = app.rooms.store();
    let old = store.challenge_settings(account.key).await?;
    let settings = ChallengeSettings {
        audience: form.audience.unwrap_or(old.audience),
        casual_only: form.casual_only.unwrap_or(old.casual_only),
    };
    store.set_challenge_settings(account.key, settings).await?;
    Ok(Json(settings))
}
