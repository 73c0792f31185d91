use crate::store::PublicId;
use crate::variants;
use axum::Router;
use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::http::{StatusCode, Uri};
use axum::response::Response;
use axum::routing::get;
use memory_serve::CacheControl;
use tower::ServiceExt;

/// The pages and what belongs to them, embedded in the binary. Browsers keep them and ask by ETag
/// whether they have changed.
pub fn router() -> Router {
    let files = memory_serve::load!()
        .index_file(Some("/index.html"))
        .add_alias("/login", "/login.html")
        .add_alias("/live", "/live.html")
        .add_alias("/rules", "/rules.html")
        .add_alias("/players", "/players.html")
        .add_alias("/analysis", "/analysis.html")
        .add_alias("/account", "/account.html")
        .add_alias("/come", "/come.html")
        .fallback(Some("/404.html"))
        .enable_brotli(true)
        .enable_gzip(true)
        .html_cache_control(CacheControl::NoCache)
        .cache_control(CacheControl::NoCache)
        .into_router();
    let pages = Router::new()
        .route("/{id}", get(room))
        .route("/rules/{variant}", get(rules))
        .route("/analysis/{variant}", get(analysis))
        .route("/{id}/analysis", get(analysis_of))
        .route("/@/{name}", get(player))
        .with_state(files.clone());
    files.merge(pages)
}

/// The page of a variant's rules: one page for all.
async fn rules(
    State(files): State<Router>,
    key: Result<Path<String>, PathRejection>,
    request: Request,
) -> Response<Body> {
    page(files, "/rules.html", is_variant(key), request).await
}

/// The page to try out a variant's positions: one page for all.
async fn analysis(
    State(files): State<Router>,
    key: Result<Path<String>, PathRejection>,
    request: Request,
) -> Response<Body> {
    page(files, "/analysis.html", is_variant(key), request).await
}

fn is_variant(key: Result<Path<String>, PathRejection>) -> bool {
    key.is_ok_and(|Path(key)| variants::find(&key).is_some())
}

/// The same for a game that was played. Whether there is such a game, the page asks.
async fn analysis_of(
    State(files): State<Router>,
    id: Result<Path<String>, PathRejection>,
    request: Request,
) -> Response<Body> {
    page(files, "/analysis.html", is_id(id), request).await
}

/// The page of a player: one page for all. Whether there is such a player, the page asks.
async fn player(State(files): State<Router>, request: Request) -> Response<Body> {
    page(files, "/player.html", true, request).await
}

/// The page of a challenge and of the game that it becomes: one page for every id.
async fn room(
    State(files): State<Router>,
    id: Result<Path<String>, PathRejection>,
    request: Request,
) -> Response<Body> {
    page(files, "/game.html", is_id(id), request).await
}

fn is_id(id: Result<Path<String>, PathRejection>) -> bool {
    id.is_ok_and(|Path(id)| id.parse::<PublicId>().is_ok())
}

/// That page, or the one for what is not there.
async fn page(
    files: Router,
    page: &'static str,
    exists: bool,
    mut request: Request,
) -> Response<Body> {
    let page = if exists { page } else { "/404.html" };
    *request.uri_mut() = Uri::from_static(page);
    let Ok(mut response) = files.oneshot(request).await;
    if !exists {
        *response.status_mut() = StatusCode::NOT_FOUND;
    }
    response
}
