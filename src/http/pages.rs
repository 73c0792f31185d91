use crate::store::PublicId;
use axum::Router;
use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::http::{StatusCode, Uri};
use axum::response::Response;
use axum::routing::get;
use memory_serve::CacheControl;
use tower::ServiceExt;

/// The pages and what belongs to them, embedded in the binary (a debug build reads them from the
/// disk). Browsers keep them and ask by ETag whether they have changed.
pub fn router() -> Router {
    let files = memory_serve::load!()
        .index_file(Some("/index.html"))
        .add_alias("/login", "/login.html")
        .fallback(Some("/404.html"))
        .html_cache_control(CacheControl::NoCache)
        .cache_control(CacheControl::NoCache)
        .into_router();
    let room = Router::new().route("/{id}", get(room)).with_state(files.clone());
    files.merge(room)
}

/// The page of a challenge and of the game that it becomes: one page for every id.
async fn room(
    State(files): State<Router>,
    Path(id): Path<String>,
    mut request: Request,
) -> Response<Body> {
    let page = if id.parse::<PublicId>().is_ok() { "/game.html" } else { "/404.html" };
    let missing = page == "/404.html";
    *request.uri_mut() = Uri::from_static(page);
    let Ok(mut response) = files.oneshot(request).await;
    if missing {
        *response.status_mut() = StatusCode::NOT_FOUND;
    }
    response
}
