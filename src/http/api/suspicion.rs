//! Findings of the fair play reports, for moderators. Caller: the router.

use crate::http::App;
use crate::http::api::moderation::{ModReasonForm, moderator_with_reason, require_moderator};
use crate::http::error::Error;
use crate::http::extract::auth::Viewer;
use crate::http::extract::form_fields::FormFields;
use crate::http::messages::{DONE, Done, ErrorBody, SuspicionOut};
use crate::rooms::now_ms;
use axum::Json;
use axum::extract::{Path, State};

/// Returns the open findings of the fair play reports, newest first, at most 500. They are hints
/// that people have to judge. Only for moderators.
#[utoipa::path(get, path = "/admin/suspicions", operation_id = "suspicions", tag = "moderation",
    responses((status = 200, body = Vec<SuspicionOut>), (status = "4XX", body = ErrorBody)))]
pub async fn list(
    State(app): State<App>,
    viewer: Viewer,
) -> Result<Json<Vec<SuspicionOut>>, Error> {
    require_moderator(&app, viewer).await?;
    let suspicions = app.rooms.store().suspicions().await?;
    Ok(Json(suspicions.into_iter().map(SuspicionOut::from).collect()))
}

/// Dismisses a finding by its number; the action is logged. Only for moderators.
#[utoipa::path(post, path = "/admin/suspicions/{number}/dismiss", operation_id = "dismissSuspicion",
    tag = "moderation", params(("number" = i64, Path)), request_body = ModReasonForm,
    responses((status = 200, body = Done), (status = "4XX", body = ErrorBody)))]
pub async fn dismiss(
    State(app): State<App>,
    viewer: Viewer,
    Path(number): Path<String>,
    FormFields(form): FormFields<ModReasonForm>,
) -> Result<Json<Done>, Error> {
    let account = require_moderator(&app, viewer).await?;
    let moderator = moderator_with_reason(account, &form.reason)?;
    let number = number.parse().map_err(|_| Error::NotFound)?;
    match app.rooms.store().dismiss_suspicion(number, moderator, now_ms()).await? {
        true => Ok(Json(DONE)),
        false => Err(Error::NotFound),
    }
}
