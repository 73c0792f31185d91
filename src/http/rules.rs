use super::App;
use super::error::Error;
use super::wire::Refused;
use crate::play::catalogue::catalogue;
use crate::play::query::{Query, Wrong};
use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::Value;

/// Every variant that is played here: board, options, side names.
#[utoipa::path(get, path = "/variants", tag = "rules", responses((status = 200, body = Vec<Value>)))]
pub async fn variants() -> Json<Value> {
    Json(catalogue())
}

/// What stands, and what may be done, after some moves of a variant.
///
/// # Errors
/// When the body is not text.
#[utoipa::path(post, path = "/position", tag = "rules", request_body = Value,
    responses((status = 200, body = Value), (status = "4XX", body = Refused)))]
pub async fn position(State(app): State<App>, body: Bytes) -> Result<Response, Error> {
    let text = std::str::from_utf8(&body)
        .map_err(|_| Error::BadField("badBody", "The body is not UTF-8.".to_owned()))?;
    let text = text.to_owned();
    let answer = ask(&app, move || Query::read(&text)?.answer()).await?;
    Ok(answer.map_or_else(|wrong| refused(&wrong), |answer| Json(answer).into_response()))
}

/// Has the rules work on a question.
///
/// # Errors
/// When the server is going down.
pub async fn ask<T: Send + 'static>(
    app: &App,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Error> {
    // A question may take a third of a second: too long for the thread that serves everybody, and
    // only so many may be answered at one time, be it that nobody waits for the answer any more.
    let turn = app.asking.clone().acquire_owned().await.map_err(|_| Error::Stopping)?;
    let asked = tokio::task::spawn_blocking(move || {
        let answer = work();
        drop(turn);
        answer
    });
    Ok(asked.await?)
}

/// Says what is wrong with a question, and after how many of its moves.
pub fn refused(wrong: &Wrong) -> Response {
    (StatusCode::BAD_REQUEST, Json(wrong.told())).into_response()
}
