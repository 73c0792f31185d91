//! The outside: routes, messages, sockets, pages.
//!
//! Handlers read what comes in, ask the rooms or the store, and write what goes out. Nothing here
//! decides what is legal, who may accept or what is kept.

mod account;
mod auth;
mod challenge;
mod error;
mod fields;
mod game;
mod lobby;
mod pages;
mod play;
mod rules;
mod serve;
mod socket;
mod wire;

pub use serve::{Serving, serve};
pub use socket::WRITE_MAX;

use crate::config::Config;
use crate::rooms::Rooms;
use auth::Rate;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{from_fn_with_state, map_response};
use axum::routing::{get, post};
use error::Error;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower_http::compression::CompressionLayer;
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::timeout::TimeoutLayer;

/// How long a request may take, its body included. Sockets are not requests.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(8);

/// Questions to the rules that are answered at one time.
const ASKING_MAX: usize = 2;

const CONTENT_SECURITY_POLICY: &str = "default-src 'self'; img-src 'self' data:; \
     object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// What handlers share. Cheap to clone.
#[derive(Clone, Debug)]
pub struct App {
    rooms: Rooms,
    config: Arc<Config>,
    requests: Arc<Rate>,
    questions: Arc<Rate>,
    asking: Arc<Semaphore>,
    logins: Arc<Rate>,
    sockets: TaskTracker,
    stop: CancellationToken,
}

impl App {
    /// Handlers for those rooms.
    pub fn new(rooms: Rooms, config: Arc<Config>) -> App {
        App {
            requests: Arc::new(Rate::per_minute(config.limits.requests)),
            questions: Arc::new(Rate::per_minute(config.limits.questions)),
            asking: Arc::new(Semaphore::new(ASKING_MAX)),
            logins: Arc::new(Rate::per_minute(config.limits.logins)),
            sockets: TaskTracker::new(),
            stop: CancellationToken::new(),
            rooms,
            config,
        }
    }
}

/// Every route there is.
fn routes(app: &App) -> Router {
    let api = Router::new()
        .route("/account", get(account::show))
        .route("/guest", post(account::guest))
        .route("/register", post(account::register))
        .route("/login", post(account::login))
        .route("/logout", post(account::logout))
        .route("/variants", get(rules::variants))
        .route("/position", post(rules::position))
        .route("/lobby", get(lobby::show))
        .route("/games/live", get(lobby::live))
        .route("/challenge", post(challenge::create))
        .route("/challenge/{id}/show", get(challenge::show))
        .route("/challenge/{id}/accept", post(challenge::accept))
        .route("/challenge/{id}/cancel", post(challenge::cancel))
        .route("/game/{id}", get(game::show))
        .route("/board/game/{id}/move/{u}", post(game::make_move))
        .route("/board/game/{id}/resign", post(game::resign))
        .route("/board/game/{id}/abort", post(game::abort))
        .route("/board/game/{id}/draw/{answer}", post(game::draw))
        .route("/board/game/{id}/chat", post(game::chat))
        .fallback(async || Error::NotFound)
        .method_not_allowed_fallback(async || Error::NotFound)
        .layer(DefaultBodyLimit::max(app.config.limits.body_max_bytes as usize))
        .layer(from_fn_with_state(app.clone(), auth::guard))
        .layer(header_of(header::CACHE_CONTROL, "no-store"))
        .layer(TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, REQUEST_TIMEOUT))
        .layer(map_response(error::in_words))
        .layer(CompressionLayer::new());
    let sockets = Router::new()
        .route("/ws/lobby", get(lobby::socket))
        .route("/ws/game/{id}", get(play::socket));
    Router::new()
        .nest("/api", api)
        .merge(sockets)
        .with_state(app.clone())
        .merge(health(app))
        .merge(pages::router())
        .layer(header_of(header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY))
        .layer(header_of(header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(header_of(header::REFERRER_POLICY, "same-origin"))
}

fn header_of(name: HeaderName, value: &'static str) -> SetResponseHeaderLayer<HeaderValue> {
    SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
}

/// What whoever runs the server asks of it.
fn health(app: &App) -> Router {
    let ready = async |axum::extract::State(app): axum::extract::State<App>| {
        let up = !app.stop.is_cancelled() && app.rooms.store().ping().await.is_ok();
        if up { (StatusCode::OK, "ready") } else { (StatusCode::SERVICE_UNAVAILABLE, "not ready") }
    };
    Router::new()
        .route("/healthz", get(async || "ok"))
        .route("/readyz", get(ready))
        .with_state(app.clone())
}
