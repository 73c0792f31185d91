use crate::http::App;
use crate::http::error::Error;
use crate::http::extract::json_body::JsonBody;
use crate::http::messages::ErrorBody;
use crate::play::catalog::{VariantDescription, catalog};
use crate::play::query::{Query, QueryAnswer};
use axum::Json;
use axum::extract::State;

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
) -> Result<Json<QueryAnswer>, Error> {
    Ok(Json(run_query(&app, move || Ok(query.answer()?)).await?))
}

/// Runs `work` on the blocking pool, with limited concurrency.
///
/// # Errors
/// That of `work`, and [`Error::Stopping`] when the server is shutting down.
pub async fn run_query<T: Send + 'static>(
    app: &App,
    work: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    // A query may take a third of a second, too long for a thread of the async runtime. The permit
    // lasts as long as the work, even if the client has disconnected.
    let permit = app.position_permits.clone().acquire_owned().await.map_err(|_| Error::Stopping)?;
    let task = tokio::task::spawn_blocking(move || {
        let result = work();
        drop(permit);
        result
    });
    task.await?
}
