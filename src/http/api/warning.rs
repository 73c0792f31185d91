//! Warnings of moderators, as the warned player reads and confirms them. Caller: the router.

use crate::http::App;
use crate::http::error::Error;
use crate::http::extract::auth::Viewer;
use crate::http::messages::{DONE, Done, ErrorBody};
use crate::rooms::now_ms;
use crate::store::Warning;
use axum::Json;
use axum::extract::{Path, State};
use serde::Serialize;
use utoipa::ToSchema;

/// Unread warning.
#[derive(Serialize, ToSchema)]
pub struct UnreadWarningOut {
    number: i64,
    /// `message`, or `renamed`: a moderator has changed the name of the account.
    kind: String,
    /// Text of the moderator; for `renamed`, the new name.
    text: String,
    at: i64,
}

/// Returns the unread warnings of moderators to the account, oldest first.
#[utoipa::path(get, path = "/account/warnings", operation_id = "warnings", tag = "account",
    responses((status = 200, body = Vec<UnreadWarningOut>), (status = "4XX", body = ErrorBody)))]
pub async fn list(
    State(app): State<App>,
    viewer: Viewer,
) -> Result<Json<Vec<UnreadWarningOut>>, Error> {
    let (account, _) = viewer.require_session()?;
    let unread = app.rooms.store().unread_warnings(account.key).await?.into_iter();
    let out = unread.map(|Warning { seq, kind, text, created_ms, .. }| UnreadWarningOut {
        number: seq,
        kind,
        text,
        at: created_ms,
    });
    Ok(Json(out.collect()))
}

/// Confirms that the player has read a warning. It can be repeated: another page may have done so.
#[utoipa::path(post, path = "/account/warnings/{number}/read", operation_id = "confirmWarning",
    tag = "account", params(("number" = i64, Path)),
    responses((status = 200, body = Done), (status = "4XX", body = ErrorBody)))]
pub async fn confirm(
    State(app): State<App>,
    viewer: Viewer,
    Path(number): Path<String>,
) -> Result<Json<Done>, Error> {
    let (account, _) = viewer.require_session()?;
    let number = number.parse().map_err(|_| Error::NotFound)?;
    if !app.rooms.store().confirm_warning(account.key, number, now_ms()).await? {
        return Err(Error::NotFound);
    }
    Ok(Json(DONE))
}
