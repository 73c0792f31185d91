//! Search for an opponent: begins and cancels it. `/ws/me?find=page` reports its progress.

use crate::http::App;
use crate::http::api::challenge::form::ChallengeForm;
use crate::http::api::challenge::handlers::check_creation_limits;
use crate::http::error::Error;
use crate::http::extract::auth::{Scope, Viewer};
use crate::http::extract::form_fields::FormFields;
use crate::http::limits::rate_limiter::ClientNetwork;
use crate::http::messages::{self, DONE, Done, ErrorBody, SearchOut};
use crate::play::challenge::ChallengeKind;
use crate::rooms::now_ms;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

/// Maximum duration of a search, in milliseconds.
const SEARCH_MAX_MS: i64 = 12 * 3_600_000;

/// Looks for an opponent in several variants and time controls: lists a seek in the lobby, and
/// accepts a fitting challenge of another player, rated or casual as the search is. Replaces an
/// earlier search of the account, and lasts as long as a page shows it (`/ws/me?find=page`).
#[utoipa::path(post, path = "/find", tag = "challenges", request_body = ChallengeForm,
    responses((status = 201, body = SearchOut), (status = "4XX", body = ErrorBody)))]
pub async fn start(
    State(app): State<App>,
    viewer: Viewer,
    address: ClientNetwork,
    FormFields(mut form): FormFields<ChallengeForm>,
) -> Result<Response, Error> {
    form.expires_ms = Some(now_ms() + SEARCH_MAX_MS);
    let allows_casual = form.casual.unwrap_or(false);
    let creator = viewer.account.as_ref();
    let mut draft = form.into_draft(ChallengeKind::Seek, creator, now_ms())?;
    // A search that accepts a challenge takes the side that is left.
    draft.side = None;
    let creator = viewer.require_scope(&Scope::CHALLENGE)?;
    if draft.terms.rated && creator.guest {
        return Err(Error::RatedNeedsAccount);
    }
    let open_max = check_creation_limits(&app, &creator, address)?;
    let search = app.rooms.start_search(&creator, draft, allows_casual, open_max).await?;
    Ok((StatusCode::CREATED, Json(messages::opponent_search(&search))).into_response())
}

/// Cancels the search of the requester, if there is one.
#[utoipa::path(post, path = "/find/cancel", tag = "challenges",
    responses((status = 200, body = Done), (status = "4XX", body = ErrorBody)))]
pub async fn cancel(State(app): State<App>, viewer: Viewer) -> Result<Json<Done>, Error> {
    let account = viewer.require_scope(&Scope::CHALLENGE)?;
    app.rooms.cancel_search(account.key).await?;
    Ok(Json(DONE))
}
