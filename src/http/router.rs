//! Routes and their middleware.
//!
//! Every request passes `auth::guard`, except those for static files. Routes under `/api` also have
//! limits of body and time, and uniform error responses; those added with `routes!` are in the
//! OpenAPI document. Routes that share a `NetworkQueue` run one request per network at a time.
//! Caller: `server::listener`.

use crate::http::api::challenge::{ai, casual_request, find};
use crate::http::api::game::{conditional, export, image, note, review};
use crate::http::api::streams::{board_stream, event_stream, game_stream};
use crate::http::api::{
    account, analysis, archive, arrivals, bans, block, challenge, challenge_settings, classic,
    email, follow, game, game_night, levels, live, login, moderation, online, passkey,
    player_games, playing, presence, push, recovery, reminders, report, rules, second_factor,
    suspicion, token, tv, user, usual_hours, vacation, warning,
};
use crate::http::error::{self, Error};
use crate::http::extract::auth;
use crate::http::middleware::network_queue::{NetworkQueue, run_in_turn};
use crate::http::middleware::security_headers::{RESOURCE_POLICY, security_headers};
use crate::http::server::{connection, health};
use crate::http::sockets::{follow_socket, game_socket, lobby, user_socket};
use crate::http::state::App;
use crate::http::transport::compression::with_compression;
use crate::http::transport::ndjson;
use crate::http::{openapi, pages};
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{from_fn_with_state, map_response, map_response_with_state};
use axum::routing::{get, post};
use std::time::Duration;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate};
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::timeout::TimeoutLayer;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Returns the routes that change challenges or abort games. Each network runs one such request at
/// a time.
fn challenge_routes(app: &App) -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(account::close))
        .routes(routes!(account::erase))
        .routes(routes!(challenge::handlers::create, challenge::handlers::mine))
        .routes(routes!(challenge::handlers::open))
        .routes(routes!(ai::challenge))
        .routes(routes!(challenge::handlers::direct))
        .routes(routes!(challenge::handlers::accept))
        .routes(routes!(challenge::handlers::ready))
        .routes(routes!(casual_request::request))
        .routes(routes!(casual_request::answer))
        .routes(routes!(challenge::handlers::decline))
        .routes(routes!(challenge::handlers::cancel))
        .routes(routes!(event_stream::seek))
        .routes(routes!(find::start))
        .routes(routes!(find::cancel))
        .routes(routes!(game::handlers::abort))
        .routes(routes!(game::handlers::rematch))
        .route("/bot/game/{id}/abort", post(game::handlers::abort))
        .route("/bot/game/{id}/rematch/{answer}", post(game::handlers::rematch))
        .layer(from_fn_with_state((app.clone(), NetworkQueue::default()), run_in_turn))
}

/// Returns the routes of lists that may read many rows. Each network runs one such request at a
/// time.
fn list_routes(app: &App) -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(player_games::games))
        .routes(routes!(user::by_names))
        .routes(routes!(follow::following))
        .routes(routes!(follow::people))
        .layer(from_fn_with_state((app.clone(), NetworkQueue::default()), run_in_turn))
}

/// Returns the routes of accounts, sessions and tokens, blocks and reports.
fn account_routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(account::show))
        .routes(routes!(account::guest))
        .routes(routes!(account::register))
        .routes(routes!(login::login))
        .routes(routes!(login::appeal))
        .routes(routes!(warning::list))
        .routes(routes!(warning::confirm))
        .routes(routes!(account::logout))
        .routes(routes!(account::profile))
        .routes(routes!(account::password))
        .routes(routes!(challenge_settings::show, challenge_settings::set))
        .routes(routes!(account::sessions))
        .routes(routes!(account::revoke))
        .routes(routes!(account::logout_everywhere))
        .routes(routes!(account::link))
        .routes(routes!(account::login_with_link))
        .routes(routes!(playing::playing))
        .routes(routes!(recovery::show, recovery::create))
        .routes(routes!(recovery::recover, email::recovery_ways))
        .routes(routes!(recovery::reset))
        .routes(routes!(second_factor::show))
        .routes(routes!(second_factor::create_totp))
        .routes(routes!(second_factor::confirm_totp))
        .routes(routes!(second_factor::remove_totp))
        .routes(routes!(passkey::create))
        .routes(routes!(passkey::confirm))
        .routes(routes!(passkey::remove))
        .routes(routes!(email::show, email::set))
        .routes(routes!(email::remove))
        .routes(routes!(email::set_digest))
        .routes(routes!(email::confirm))
        .routes(routes!(email::unsubscribe))
        .routes(routes!(email::forgot))
        .routes(routes!(reminders::show, reminders::set))
        .routes(routes!(vacation::show, vacation::take))
        .routes(routes!(levels::beaten))
        .routes(routes!(token::list, token::create, token::remove))
        .routes(routes!(token::test))
        .routes(routes!(push::show))
        .routes(routes!(push::subscribe))
        .routes(routes!(push::unsubscribe))
        .routes(routes!(push::set_kinds))
        .routes(routes!(presence::show, presence::set))
        .routes(routes!(block::blocking))
        .routes(routes!(block::block))
        .routes(routes!(block::unblock))
        .routes(routes!(follow::follow))
        .routes(routes!(follow::unfollow))
        .routes(routes!(report::report, report::reports))
        .routes(routes!(game::handlers::upgrade))
        .route("/account/sessions/{id}/revoke", post(account::revoke))
}

/// Returns the routes of single games, for the board API and the bot API.
fn game_routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(game::handlers::show))
        .routes(routes!(note::show, note::set, note::remove))
        .routes(routes!(conditional::show, conditional::set))
        .routes(routes!(ai::hint))
        .routes(routes!(review::review))
        .routes(routes!(game::handlers::make_move))
        .routes(routes!(game::handlers::resign))
        .routes(routes!(game::handlers::draw))
        .routes(routes!(game::handlers::takeback))
        .routes(routes!(game::handlers::claim_victory))
        .routes(routes!(game::handlers::claim_draw))
        .routes(routes!(game::handlers::add_time))
        .routes(routes!(game::handlers::chat, game::handlers::read_chat))
        .routes(routes!(board_stream::board))
        // The bot API: the same handlers check by the path that the account is a bot.
        .route("/bot/game/stream/{id}", get(board_stream::board))
        .route("/bot/game/{id}/move/{u}", post(game::handlers::make_move))
        .route("/bot/game/{id}/resign", post(game::handlers::resign))
        .route("/bot/game/{id}/draw/{answer}", post(game::handlers::draw))
        .route("/bot/game/{id}/takeback/{answer}", post(game::handlers::takeback))
        .route("/bot/game/{id}/claim-victory", post(game::handlers::claim_victory))
        // `berserk`, a lichess client, requests this path with a trailing slash.
        .route("/board/game/{id}/claim-victory/", post(game::handlers::claim_victory))
        .route("/bot/game/{id}/claim-victory/", post(game::handlers::claim_victory))
        .route("/bot/game/{id}/claim-draw", post(game::handlers::claim_draw))
        .route("/bot/game/{id}/chat", post(game::handlers::chat).get(game::handlers::read_chat))
}

/// Returns the routes of moderators.
fn moderation_routes(app: &App) -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(moderation::queue))
        .routes(routes!(moderation::user))
        .routes(routes!(moderation::appeals))
        .routes(routes!(moderation::resolve))
        .routes(routes!(moderation::warn))
        .routes(routes!(moderation::rename))
        .routes(routes!(bans::ban))
        .routes(routes!(bans::list))
        .routes(routes!(bans::lift))
        .routes(routes!(moderation::moderate))
        .routes(routes!(moderation::chat))
        .routes(routes!(moderation::delete_chat))
        .routes(routes!(moderation::void_game))
        .routes(routes!(moderation::log))
        .routes(routes!(arrivals::show, arrivals::set))
        .routes(routes!(suspicion::list))
        .routes(routes!(suspicion::dismiss))
        .layer(from_fn_with_state((app.clone(), NetworkQueue::default()), run_in_turn))
}

/// Returns the other routes under `/api`.
fn other_routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(user::show))
        .routes(routes!(user::status))
        .routes(routes!(online::list))
        .routes(routes!(user::rating_history))
        .routes(routes!(user::ratings))
        .routes(routes!(user::crosstable))
        .routes(routes!(user::top_ten))
        .routes(routes!(user::top))
        .routes(routes!(user::autocomplete))
        .routes(routes!(rules::variants))
        .routes(routes!(rules::position))
        .routes(routes!(analysis::analyse))
        .routes(routes!(lobby::show))
        .routes(routes!(live::list))
        .routes(routes!(classic::show))
        .routes(routes!(usual_hours::list))
        .routes(routes!(game_night::list))
        .routes(routes!(game_night::add_interest, game_night::remove_interest))
        .routes(routes!(challenge::handlers::show))
        .routes(routes!(export::games_of_player))
        .routes(routes!(export::by_ids))
        .routes(routes!(archive::archive))
        .routes(routes!(event_stream::events))
        .routes(routes!(game_stream::game))
        .routes(routes!(tv::channels))
        .routes(routes!(tv::feed))
        .routes(routes!(tv::channel_feed))
}

/// Returns the routes that older clients of the lichess API request without `/api`.
fn legacy_routes() -> Router<App> {
    Router::new()
        .route("/player", get(user::top_ten))
        .route("/player/top/{n}/{variant}", get(user::top))
        .route("/tv/channels", get(tv::channels))
        .route("/games/export/_ids", post(export::by_ids))
}

/// Returns the route of mail programs that end digests and reminders, whose page has the same path.
fn mail_routes() -> Router<App> {
    Router::new().route("/unsubscribe", post(email::unsubscribe_at_once))
}

/// Returns the router of all routes, with its middleware.
pub fn router(app: &App) -> Router {
    let (api, paths) = account_routes()
        .merge(game_routes())
        .merge(other_routes())
        .merge(challenge_routes(app))
        .merge(list_routes(app))
        .merge(moderation_routes(app))
        .split_for_parts();
    let (export, export_paths) =
        OpenApiRouter::<App>::new().routes(routes!(export::game)).split_for_parts();
    let (pictures, image_paths) = image::image_routes().split_for_parts();
    let document = openapi::document(paths, [export_paths, image_paths]);
    let guard = from_fn_with_state(app.clone(), auth::guard);
    let api = api.fallback(async || Error::NotFound);
    let sockets = Router::new()
        .merge(export.layer(map_response(error::normalize_errors)))
        .route("/ws/lobby", get(lobby::socket))
        .route("/ws/me", get(user_socket::socket))
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
        .layer(request_timeout(app))
        .layer(map_response(error::normalize_errors));
    Router::new()
        .nest("/api", with_limits(api, app))
        .merge(with_limits(legacy_routes().merge(mail_routes()), app))
        .merge(sockets)
        .merge(with_compression(pictures, CompressionLayer::new()))
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
    let lines = NotForContentType::const_new(ndjson::NDJSON);
    let compression =
        CompressionLayer::new().no_br().compress_when(DefaultPredicate::new().and(lines));
    let router = router
        .layer(DefaultBodyLimit::max(app.config.limits.body_max_bytes as usize))
        .layer(from_fn_with_state(app.clone(), auth::guard))
        .layer(default_header(header::CACHE_CONTROL, "no-store"))
        .layer(request_timeout(app))
        .layer(map_response(error::normalize_errors));
    with_compression(router, compression)
}

fn default_header(name: HeaderName, value: &'static str) -> SetResponseHeaderLayer<HeaderValue> {
    SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
}

fn request_timeout(app: &App) -> TimeoutLayer {
    let timeout = Duration::from_millis(app.config.limits.request_timeout_ms.into());
    TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, timeout)
}
