//! Endpoints of the challenge settings of an account.
//!
//! Caller: the router.

use crate::http::App;
use crate::http::error::Error;
use crate::http::extract::auth::Viewer;
use crate::http::extract::form_fields::FormFields;
use crate::http::messages::ErrorBody;
use crate::play::challenge_settings::{ChallengeAudience, ChallengeSettings};
use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;

/// Returns the challenge settings of the account.
#[utoipa::path(get, path = "/account/challenges", operation_id = "challengeSettings", tag = "account",
    responses((status = 200, body = ChallengeSettings), (status = "4XX", body = ErrorBody)))]
pub async fn show(
    State(app): State<App>,
    viewer: Viewer,
) -> Result<Json<ChallengeSettings>, Error> {
    let (account, _) = viewer.require_session_account()?;
    Ok(Json(app.rooms.store().challenge_settings(account.key).await?))
}

/// New settings. Fields that are missing keep their values.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChallengeSettingsForm {
    pub audience: Option<ChallengeAudience>,
    /// Whether rated challenges are refused.
    pub casual_only: Option<bool>,
}

/// Sets the challenge settings of the account. Does not affect rematches and open challenges.
#[utoipa::path(post, path = "/account/challenges", operation_id = "setChallengeSettings", tag = "account",
    request_body = ChallengeSettingsForm,
    responses((status = 200, body = ChallengeSettings), (status = "4XX", body = ErrorBody)))]
pub async fn set(
    State(app): State<App>,
    viewer: Viewer,
    FormFields(form): FormFields<ChallengeSettingsForm>,
) -> Result<Json<ChallengeSettings>, Error> {
    let (account, _) = viewer.require_session_account()?;
    let ChallengeSettingsForm { audience, casual_only } = form;
    let store = app.rooms.store();
    let settings = store.set_challenge_settings(account.key, audience, casual_only).await?;
    Ok(Json(settings))
}
