use super::error::Error;
use crate::play::catalogue::catalogue;
use crate::play::query::Query;
use axum::Json;
use axum::body::Bytes;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

/// Every variant that is played here: board, options, side names.
pub async fn variants() -> Json<Value> {
    Json(catalogue())
}

/// What stands, and what may be done, after some moves of a variant.
///
/// # Errors
/// When the body is not text.
pub async fn position(body: Bytes) -> Result<Response, Error> {
    let text = std::str::from_utf8(&body)
        .map_err(|_| Error::BadField("badBody", "The body is not UTF-8.".to_owned()))?;
    // A thousand plies take milliseconds: too long for the thread that serves everybody.
    let text = text.to_owned();
    let answer = tokio::task::spawn_blocking(move || Query::read(&text)?.answer())
        .await
        .map_err(|_| Error::Stopping)?;
    Ok(match answer {
        Ok(answer) => Json(answer).into_response(),
        Err(wrong) => {
            let body = json!({ "error": wrong.error, "ply": wrong.ply, "reason": "badPosition" });
            (StatusCode::BAD_REQUEST, Json(body)).into_response()
        }
    })
}
