//! Requests of guests for a casual game in place of a rated challenge by link, and the creator's
//! answers.

use crate::http::App;
use crate::http::api::challenge::handlers::{AcceptForm, AcceptOut, ReadyForm, accept_response};
use crate::http::error::Error;
use crate::http::extract::auth::{Scope, Viewer};
use crate::http::extract::challenge_viewer::challenge_viewer;
use crate::http::extract::form_fields::FormFields;
use crate::http::extract::id::parse_id;
use crate::http::extract::origin::origin;
use crate::http::limits::rate_limiter::ClientNetwork;
use crate::http::messages::{self, ChallengeOut, ErrorBody};
use axum::Json;
use axum::extract::{Path, State};
use axum::http::HeaderMap;

/// Asks the creator of a rated challenge by link for a casual game. Only guests who could accept
/// that game can ask, once per challenge. The choice is that of an acceptance.
#[utoipa::path(post, path = "/challenge/{id}/casual", tag = "challenges",
    params(("id" = String, Path)), request_body = Option<AcceptForm>,
    responses((status = 200, body = ChallengeOut), (status = "4XX", body = ErrorBody)))]
pub async fn request(
    State(app): State<App>,
    viewer: Viewer,
    ClientNetwork(network): ClientNetwork,
    headers: HeaderMap,
    Path(id): Path<String>,
    FormFields(form): FormFields<AcceptForm>,
) -> Result<Json<ChallengeOut>, Error> {
    let id = parse_id(&id)?;
    let guest = viewer.require_scope(&Scope::CHALLENGE)?;
    app.challenge_limit.check(network)?;
    app.rooms.record_network(&guest, network);
    let request = form.into_request(id, guest.clone(), network)?;
    let challenge = app.rooms.request_casual_game(request).await?;
    let challenge_viewer = challenge_viewer(&app, guest).await?;
    let origin = origin(&app, &headers);
    Ok(Json(messages::challenge(&app, &challenge, Some(&challenge_viewer), &origin)))
}

/// Answers the request of a guest for a casual game. With `yes` the game begins, or the guest can
/// begin it if it has a clock and the guest is elsewhere (`waiting`).
#[utoipa::path(post, path = "/challenge/{id}/casual/{username}", tag = "challenges",
    params(("id" = String, Path), ("username" = String, Path)), request_body = ReadyForm,
    responses((status = 200, body = AcceptOut), (status = "4XX", body = ErrorBody)))]
pub async fn answer(
    State(app): State<App>,
    viewer: Viewer,
    Path((id, name)): Path<(String, String)>,
    FormFields(form): FormFields<ReadyForm>,
) -> Result<Json<AcceptOut>, Error> {
    let id = parse_id(&id)?;
    let creator = viewer.require_scope(&Scope::CHALLENGE)?.key;
    let is_granted = form.answer.is_yes();
    let name = name.to_ascii_lowercase();
    let outcome = app.rooms.answer_casual_request(id, creator, name, is_granted).await?;
    Ok(Json(accept_response(id, outcome)))
}
