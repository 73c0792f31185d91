//! Setting of an account: whether others see its presence. Caller: the router.

use crate::http::App;
use crate::http::error::Error;
use crate::http::extract::auth::Viewer;
use crate::http::extract::form_fields::FormFields;
use crate::http::messages::ErrorBody;
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Visibility of the account's presence.
#[derive(Serialize, ToSchema)]
pub struct PresenceSettings {
    /// Whether others see when the account is online, and when it was last seen.
    shown: bool,
}

/// Returns whether others see when the account is online.
#[utoipa::path(get, path = "/account/presence", operation_id = "presenceSettings", tag = "account",
    responses((status = 200, body = PresenceSettings), (status = "4XX", body = ErrorBody)))]
pub async fn show(State(app): State<App>, viewer: Viewer) -> Result<Json<PresenceSettings>, Error> {
    let (account, _) = viewer.require_session_account()?;
    let is_hidden = app.rooms.store().hides_presence(account.key).await?;
    Ok(Json(PresenceSettings { shown: !is_hidden }))
}

/// Visibility to be set.
#[derive(Deserialize, ToSchema)]
pub struct PresenceForm {
    /// Whether others see when the account is online, and when it was last seen.
    pub shown: bool,
}

/// Sets whether others see when the account is online. Without it, the account is shown as offline
/// everywhere, without the time of its last visit, and is counted as an anonymous spectator.
/// Moderators, and opponents in a game in progress, still see that it is there; a public challenge
/// with a clock tells that its creator waits.
#[utoipa::path(post, path = "/account/presence", operation_id = "setPresenceSettings", tag = "account",
    request_body = PresenceForm,
    responses((status = 200, body = PresenceSettings), (status = "4XX", body = ErrorBody)))]
pub async fn set(
    State(app): State<App>,
    viewer: Viewer,
    FormFields(PresenceForm { shown }): FormFields<PresenceForm>,
) -> Result<Json<PresenceSettings>, Error> {
    let (account, _) = viewer.require_session_account()?;
    app.rooms.store().set_presence_hidden(account.key, !shown).await?;
    Ok(Json(PresenceSettings { shown }))
}
