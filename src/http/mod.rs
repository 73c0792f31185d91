//! HTTP server: routes, middleware, JSON messages, sockets and pages.
//!
//! Handlers parse requests, call the rooms or the store, and format responses. Rules, acceptance of
//! challenges and persistence are decided elsewhere. This module assembles the routers; [`App`] is
//! the state that the handlers share.

mod account;
mod ai;
mod analysis;
mod auth;
mod board_stream;
mod broadcast_delay;
mod challenge;
mod challenge_form;
mod connection;
mod error;
mod etag;
mod event_stream;
mod export;
mod follow_socket;
mod form_fields;
mod game;
mod game_socket;
mod game_stream;
mod health;
mod image;
mod image_cache;
mod keyed_semaphore;
mod latest_only;
mod live;
mod lobby;
mod metrics;
mod move_limiter;
mod network_queue;
mod pages;
mod password;
mod rate_limiter;
mod relation;
mod review;
mod rules;
mod server;
mod stream;
mod token;
mod tv;
mod user;
mod user_session;
mod websocket;
mod wire;
mod write_timeout;

pub use server::{RunningServer, listen, serve};
pub use websocket::{WRITE_BUFFER_MAX_BYTES, configure_websocket};

use crate::config::Config;
use crate::rooms::Rooms;
use crate::store::AccountKey;
use analysis::AnalysisState;
use axum::Router;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{from_fn_with_state, map_response, map_response_with_state};
use axum::response::Response;
use axum::routing::{get, post};
use error::Error;
use export::Exports;
use health::Readiness;
use image_cache::ImageCache;
use keyed_semaphore::KeyedSemaphore;
use move_limiter::MoveLimiter;
use network_queue::{NetworkQueue, run_in_turn};
use rate_limiter::RateLimiter;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use stream::StreamLimiter;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate};
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::timeout::TimeoutLayer;
use utoipa::OpenApi;
use utoipa::openapi::path::PathItem;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Timeout of a request, including its body. Sockets and streams are exempt.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(8);

/// Live games on the first page of the lobby.
const LOBBY_GAMES_MAX: usize = 200;

/// Period of the read limit.
const READ_PERIOD: Duration = Duration::from_secs(10);

/// Period of the chat limit.
const CHAT_PERIOD: Duration = Duration::from_secs(10);

/// Hints per account and minute.
const HINTS_PER_MINUTE: u32 = 30;

/// Position queries that run at a time.
const POSITION_QUERIES_MAX: usize = 2;

/// Content security policy: only resources of this server. The client may run the rules as
/// WebAssembly.
const CONTENT_POLICY: &str = "default-src 'self'; img-src 'self' data:; \
     script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; manifest-src 'self'; \
     object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// Value of `Strict-Transport-Security`: for one year, in seconds, browsers connect only over TLS.
const STRICT_TRANSPORT: &str = "max-age=31536000";

/// State shared by all handlers. Cheap to clone.
#[derive(Clone, Debug)]
pub struct App {
    rooms: Rooms,
    config: Arc<Config>,
    write_limit: Arc<RateLimiter>,
    read_limit: Arc<RateLimiter>,
    position_limit: Arc<RateLimiter>,
    position_permits: Arc<Semaphore>,
    move_limit: Arc<MoveLimiter>,
    guest_limit: Arc<RateLimiter>,
    login_limit: Arc<RateLimiter>,
    account_login_limit: Arc<RateLimiter<String>>,
    chat_limit: Arc<RateLimiter<AccountKey>>,
    hint_limit: Arc<RateLimiter<AccountKey>>,
    challenge_limit: Arc<RateLimiter>,
    analysis: Arc<AnalysisState>,
    image_cache: ImageCache,
    exports: Exports,
    streams: StreamLimiter,
    readiness: Arc<Readiness>,
    /// Requests per client network behind a trusted proxy.
    client_permits: KeyedSemaphore<IpAddr>,
    sockets: TaskTracker,
    stop: CancellationToken,
}

impl App {
    /// Returns the state for handlers that use `rooms`.
    pub fn new(rooms: Rooms, config: Arc<Config>) -> App {
        App {
            write_limit: Arc::new(RateLimiter::per_minute(config.limits.write_limit)),
            read_limit: Arc::new(RateLimiter::in_period(config.limits.read_limit, READ_PERIOD)),
            position_limit: Arc::new(RateLimiter::per_minute(config.limits.position_limit)),
            position_permits: Arc::new(Semaphore::new(POSITION_QUERIES_MAX)),
            move_limit: Arc::new(MoveLimiter::per_minute(config.limits.move_limit)),
            guest_limit: Arc::new(RateLimiter::with_burst(
                config.limits.guest_limit,
                config.limits.guest_limit.saturating_mul(3) / 10,
            )),
            login_limit: Arc::new(RateLimiter::per_minute(config.limits.login_limit)),
            account_login_limit: Arc::new(RateLimiter::per_minute(
                config.limits.account_login_limit,
            )),
            chat_limit: Arc::new(RateLimiter::in_period(config.limits.chat_limit, CHAT_PERIOD)),
            hint_limit: Arc::new(RateLimiter::per_minute(HINTS_PER_MINUTE)),
            challenge_limit: Arc::new(RateLimiter::per_minute(config.limits.challenge_limit)),
            analysis: Arc::new(AnalysisState::per_minute(config.limits.analysis_limit)),
            image_cache: ImageCache::per_minute(config.limits.image_limit),
            exports: Exports::default(),
            streams: StreamLimiter::default(),
            readiness: Arc::default(),
            client_permits: KeyedSemaphore::default(),
            sockets: TaskTracker::new(),
            stop: CancellationToken::new(),
            rooms,
            config,
        }
    }
}

/// General part of the OpenAPI document.
#[derive(OpenApi)]
#[openapi(
    info(title = "Sprong", description = "API of Sprong, a server for five two-player abstract board games. Names follow the lichess API where possible. Request bodies are form-encoded or JSON with the same dotted names. Errors have a sentence (`error`) and a stable code (`reason`)."),
    security((), ("token" = []))
)]
struct ApiDocument;

/// Returns the routes that change challenges or abort games. Each network runs one such request at
/// a time.
fn challenge_routes(app: &App) -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(account::close))
        .routes(routes!(challenge::create, challenge::mine))
        .routes(routes!(challenge::open))
        .routes(routes!(ai::challenge))
        .routes(routes!(challenge::direct))
        .routes(routes!(challenge::accept))
        .routes(routes!(challenge::ready))
        .routes(routes!(challenge::decline))
        .routes(routes!(challenge::cancel))
        .routes(routes!(event_stream::seek))
        .routes(routes!(game::abort))
        .routes(routes!(game::rematch))
        .route("/bot/game/{id}/abort", post(game::abort))
        .route("/bot/game/{id}/rematch/{answer}", post(game::rematch))
        .layer(from_fn_with_state((app.clone(), NetworkQueue::default()), run_in_turn))
}

/// Returns the routes of lists that may read many rows. Each network runs one such request at a
/// time.
fn list_routes(app: &App) -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(user::games))
        .routes(routes!(user::several))
        .layer(from_fn_with_state((app.clone(), NetworkQueue::default()), run_in_turn))
}

/// Returns the other routes under `/api`, with their OpenAPI descriptions.
fn api_routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(account::show))
        .routes(routes!(account::guest))
        .routes(routes!(account::register))
        .routes(routes!(account::login))
        .routes(routes!(account::logout))
        .routes(routes!(account::profile))
        .routes(routes!(account::password))
        .routes(routes!(account::sessions))
        .routes(routes!(account::revoke))
        .routes(routes!(account::logout_everywhere))
        .routes(routes!(account::link))
        .routes(routes!(account::login_with_link))
        .routes(routes!(account::playing))
        .routes(routes!(token::list, token::create, token::remove))
        .routes(routes!(token::test))
        .routes(routes!(user::show))
        .routes(routes!(user::status))
        .routes(routes!(user::rating_history))
        .routes(routes!(user::ratings))
        .routes(routes!(user::crosstable))
        .routes(routes!(user::top_ten))
        .routes(routes!(user::top))
        .routes(routes!(user::autocomplete))
        .routes(routes!(relation::blocking))
        .routes(routes!(relation::block))
        .routes(routes!(relation::unblock))
        .routes(routes!(relation::report, relation::reports))
        .routes(routes!(rules::variants))
        .routes(routes!(rules::position))
        .routes(routes!(analysis::analyse))
        .routes(routes!(lobby::show))
        .routes(routes!(live::list))
        .routes(routes!(challenge::show))
        .routes(routes!(game::show))
        .routes(routes!(ai::hint))
        .routes(routes!(review::review))
        .routes(routes!(game::make_move))
        .routes(routes!(game::resign))
        .routes(routes!(game::draw))
        .routes(routes!(game::takeback))
        .routes(routes!(game::claim_victory))
        .routes(routes!(game::claim_draw))
        .routes(routes!(game::add_time))
        .routes(routes!(game::chat, game::read_chat))
        .routes(routes!(game::upgrade))
        .routes(routes!(export::of_user))
        .routes(routes!(export::by_ids))
        .routes(routes!(event_stream::events))
        .routes(routes!(board_stream::board))
        .routes(routes!(game_stream::game))
        .routes(routes!(tv::channels))
        .routes(routes!(tv::feed))
        .routes(routes!(tv::channel_feed))
        // The bot API: the same handlers check by the path that the account is a bot.
        .route("/bot/game/stream/{id}", get(board_stream::board))
        .route("/bot/game/{id}/move/{u}", post(game::make_move))
        .route("/bot/game/{id}/resign", post(game::resign))
        .route("/bot/game/{id}/draw/{answer}", post(game::draw))
        .route("/bot/game/{id}/takeback/{answer}", post(game::takeback))
        .route("/bot/game/{id}/claim-victory", post(game::claim_victory))
        // `berserk`, a lichess client, requests this path with a trailing slash.
        .route("/board/game/{id}/claim-victory/", post(game::claim_victory))
        .route("/bot/game/{id}/claim-victory/", post(game::claim_victory))
        .route("/bot/game/{id}/claim-draw", post(game::claim_draw))
        .route("/bot/game/{id}/chat", post(game::chat).get(game::read_chat))
        .route("/account/sessions/{id}/revoke", post(account::revoke))
}

/// Returns the routes that older clients of the lichess API request without `/api`.
fn legacy_routes() -> Router<App> {
    Router::new()
        .route("/player", get(user::top_ten))
        .route("/player/top/{n}/{variant}", get(user::top))
        .route("/tv/channels", get(tv::channels))
        .route("/games/export/_ids", post(export::by_ids))
}

/// Returns the router of all routes, with its middleware.
fn router(app: &App) -> Router {
    let (api, paths) =
        api_routes().merge(challenge_routes(app)).merge(list_routes(app)).split_for_parts();
    let (export, exported) =
        OpenApiRouter::<App>::new().routes(routes!(export::one)).split_for_parts();
    let (pictures, drawn) = image::image_routes().split_for_parts();
    let mut document = ApiDocument::openapi().nest("/api", paths);
    document.merge(exported);
    document.merge(drawn);
    if let Some(components) = &mut document.components {
        let bearer = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
        components.add_security_scheme("token", bearer);
    }
    // The document lists the routes of the bot API beside those of the board API.
    let board: Vec<_> = document
        .paths
        .paths
        .iter()
        .filter_map(|(path, item)| {
            let rest = path.strip_prefix("/api/board/game/")?;
            Some((format!("/api/bot/game/{rest}"), without_operation_ids(item.clone())))
        })
        .collect();
    document.paths.paths.extend(board);
    let document = serde_json::to_value(document).expect("OpenAPI document is serializable");
    let guard = from_fn_with_state(app.clone(), auth::guard);
    let api = api
        .fallback(async || Error::NotFound)
        .method_not_allowed_fallback(async || Error::NotFound);
    let sockets = Router::new()
        .merge(export.layer(map_response(error::normalize_errors)))
        .route("/ws/lobby", get(lobby::socket))
        .route("/ws/me", get(lobby::user_socket))
        .route("/ws/live", get(follow_socket::socket))
        .route("/ws/game/{id}", get(game_socket::socket))
        .layer(guard.clone())
        .layer(default_header(header::CACHE_CONTROL, "no-store"));
    let renderer = pages::PageRenderer::new(app.clone(), document);
    let pictures = pictures
        // Other sites show the images with links to this one.
        .layer(default_header(RESOURCE_POLICY, "cross-origin"))
        .layer(guard.clone())
        .layer(default_header(header::CACHE_CONTROL, "no-store"))
        .layer(TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, REQUEST_TIMEOUT))
        .layer(map_response(error::normalize_errors))
        .layer(CompressionLayer::new());
    Router::new()
        .nest("/api", with_limits(api, app))
        .merge(with_limits(legacy_routes(), app))
        .merge(sockets)
        .merge(pictures)
        .with_state(app.clone())
        .merge(health::routes(app).layer(guard))
        .merge(pages::router(renderer.clone()))
        .layer(from_fn_with_state(app.clone(), connection::limit_proxied_clients))
        .layer(from_fn_with_state(renderer, pages::as_error_page))
        .layer(map_response_with_state(app.config.is_https(), security_headers))
}

/// Adds the middleware of the API: origin check, rate limits, limits of body and time, and uniform
/// error responses.
fn with_limits(router: Router<App>, app: &App) -> Router<App> {
    let lines = NotForContentType::const_new(stream::NDJSON);
    router
        .layer(DefaultBodyLimit::max(app.config.limits.body_max_bytes as usize))
        .layer(from_fn_with_state(app.clone(), auth::guard))
        .layer(default_header(header::CACHE_CONTROL, "no-store"))
        .layer(TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, REQUEST_TIMEOUT))
        .layer(map_response(error::normalize_errors))
        .layer(CompressionLayer::new().no_br().compress_when(DefaultPredicate::new().and(lines)))
}

/// Middleware that adds security headers. Responses that load no resources need fewer of them.
/// `secure` is whether clients use TLS: without it, browsers ignore two of the headers and log
/// warnings.
async fn security_headers(State(secure): State<bool>, mut response: Response) -> Response {
    let headers = response.headers_mut();
    let asks = headers
        .get(header::CONTENT_SECURITY_POLICY)
        .is_none_or(|own| own != pages::DENY_ALL_POLICY);
    let own = [(header::REFERRER_POLICY, "same-origin"), (RESOURCE_POLICY, "same-origin")];
    let tls =
        [(header::STRICT_TRANSPORT_SECURITY, STRICT_TRANSPORT), (OPENER_POLICY, "same-origin")];
    let (own, tls) = (own.into_iter().filter(|_| asks), tls.into_iter().filter(|_| asks && secure));
    let all = [
        (header::CONTENT_SECURITY_POLICY, CONTENT_POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    for (name, value) in all.into_iter().chain(own).chain(tls) {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

/// Removes the operation ids, which must be unique in the document.
fn without_operation_ids(mut item: PathItem) -> PathItem {
    for operation in [&mut item.get, &mut item.post].into_iter().flatten() {
        operation.operation_id = None;
    }
    item
}

fn default_header(name: HeaderName, value: &'static str) -> SetResponseHeaderLayer<HeaderValue> {
    SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
}
