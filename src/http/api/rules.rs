use crate::http::App;
use crate::http::error::Error;
use crate::http::extract::json_body::JsonBody;
use crate::http::messages::ErrorBody;
use crate::play::catalog::{VariantDescription, catalog};
use crate::play::query::{Query, QueryAnswer, QueryError};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

/// Returns all variants with their boards, options and side names.
#[utoipa::path(get, path = "/variants", tag = "rules", responses((status = 200, body = Vec<VariantDescription>)))]
pub async fn variants() -> Json<Vec<VariantDescription>> {
    Json(catalog())
}

/// Returns the position after a list of moves of a variant, with its legal moves and result.
#[utoipa::path(post, path = "/position", tag = "rules", request_body = Query,
    responses((status = 200, body = QueryAnswer), (status = "4XX", body = ErrorBody)))]
pub async fn position(
    State(app): State<App>,
    JsonBody(query): JsonBody<Query>,
) -> Result<Response, Error> {
    let result = run_query(&app, move || query.answer()).await?;
    Ok(result.map_or_else(|error| query_error(&error), |answer| Json(answer).into_response()))
}

/// Runs `work` on the blocking pool, with limited concurrency. Fails when the server is shutting
/// down.
pub async fn run_query<T: Send + 'static>(
    app: &App,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Error> {
    // A query may take a third of a second, too long for a thread of the async runtime. The permit
    // lasts as long as the work, even if the client has disconnected.
    let permit = app.position_permits.clone().acquire_owned().await.map_err(|_| Error::Stopping)?;
    let task = tokio::task::spawn_blocking(move || {
        let result = work();
        drop(permit);
        result
    });
    Ok(task.await?)
}

/// Returns the response to an invalid query, with the number of moves before the error.
pub fn query_error(error: &QueryError) -> Response {
    let QueryError { error, reason, ply, rule } = error;
    let body = ErrorBody::new(error.clone(), Some(*reason), None).with_rule(*rule).with_ply(*ply);
    (StatusCode::BAD_REQUEST, Json(body)).into_response()
}
