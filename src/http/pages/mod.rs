//! HTML pages and static files, all embedded in the binary.
//!
//! The server renders what is known before any script runs: metadata and texts in the requester's
//! language, and preloads of the page's modules. Scripts add the rest. Caller: the router.

mod about;
mod api;
mod assets;
mod error_page;
mod events;
mod home;
pub mod language;
mod layout;
mod lesson_pages;
mod lesson_text;
pub mod mail_text;
mod manifest;
mod metadata;
mod page;
pub mod push_text;
mod renderer;
mod rules_pages;
mod rules_text;
mod site_text;
mod translations;

pub use error_page::as_error_page;
pub use renderer::PageRenderer;
pub use site_text::SiteText;

use crate::http::asyncapi;
use crate::http::error::Error;
use crate::http::extract::auth::{self, Viewer};
use crate::http::transport::compression::with_compression;
use crate::rooms::now_ms;
use crate::store::PublicId;
use crate::variants::{self, Variant};
use assets::IMMUTABLE_HEADERS;
pub use assets::{DENY_ALL_POLICY, IMMUTABLE};
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderValue, StatusCode, Uri, header};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{MethodRouter, get};
use axum::{Json, Router};
use page::{Page, PageKind};
use renderer::PageRequest;
use serde_json::Value;
use std::sync::Arc;
use tower::ServiceExt;
use tower_http::compression::CompressionLayer;

/// Pages that scripts fill and that depend on the language only, by path.
static CLIENT_PAGES: [(&str, &PageKind); 13] = [
    ("/players", &page::PLAYERS),
    ("/following", &page::FOLLOWING),
    ("/find", &page::FIND),
    ("/analysis", &page::ANALYSIS),
    ("/login", &page::LOGIN),
    ("/account", &page::ACCOUNT),
    ("/settings", &page::SETTINGS),
    ("/admin", &page::ADMIN),
    ("/come", &page::GUEST_LOGIN),
    ("/reset", &page::RESET),
    ("/confirm-email", &page::CONFIRM_EMAIL),
    ("/unsubscribe", &page::UNSUBSCRIBE),
    ("/offline", &page::OFFLINE),
];

/// Paths named after entries of the navigation, with the pages that they open.
const ALIASES: [(&str, &str); 2] = [("/watch", "/live"), ("/play", "/find")];

/// Path of the API reference.
const API_DOCS_PATH: &str = "/api/docs";

/// Returns the routes of all pages and files.
pub fn router(renderer: Arc<PageRenderer>) -> Router {
    let mut pages = Router::new();
    for (path, kind) in CLIENT_PAGES {
        let plain = async move |State(renderer): State<Arc<PageRenderer>>,
                                page_request: PageRequest| {
            renderer.client_page(&page_request, kind, path)
        };
        pages = pages.route(path, get(plain));
    }
    for (path, target) in ALIASES {
        // Temporary, so that a path can get a page of its own.
        pages = pages.route(path, get(async move || Redirect::temporary(target)));
    }
    let pages = pages
        .route("/", get(home))
        .route("/lobby", get(lobby))
        .route("/live", get(live))
        .route("/events", get(events))
        .route("/about", get(about))
        .route("/privacy", get(privacy))
        .route("/terms", get(terms))
        .route(API_DOCS_PATH, get(api))
        .route("/api/docs/", get(async || Redirect::permanent(API_DOCS_PATH)))
        .route("/api/openapi.json", get(document))
        .route("/api/asyncapi.json", get(async || Json(&*asyncapi::DOCUMENT)))
        .route("/rules", get(all_rules))
        .route("/rules/{variant}", get_variant(rules))
        .route("/learn", get(async || Redirect::to("/rules")))
        .route("/learn/{variant}", get_variant(learn))
        .route("/analysis/{variant}", get_variant(analysis))
        .route("/pass-and-play", get(pass_and_play))
        .route("/pass-and-play/{variant}", get_variant(pass_and_play_variant))
        .route("/{id}", get(game))
        .route("/{id}/analysis", get(game_analysis))
        .route("/@/{name}", get(player))
        .layer(from_fn_with_state(renderer.app.clone(), auth::guard))
        .route(
            "/sw.js",
            get(async |State(renderer): SharedRenderer, page_request: PageRequest| {
                renderer.worker(&page_request)
            }),
        )
        .route(
            "/manifest.webmanifest",
            get(async |State(renderer): SharedRenderer, page_request: PageRequest| {
                renderer.manifest(&page_request)
            }),
        )
        .route("/_/{*file}", get(immutable_file))
        .fallback(
            async |State(renderer): State<Arc<PageRenderer>>,
                   page_request: PageRequest,
                   request: Request| { renderer.file(&page_request, request).await },
        )
        .with_state(renderer);
    with_compression(pages, CompressionLayer::new())
}

type SharedRenderer = State<Arc<PageRenderer>>;
type PathParam = Result<Path<String>, PathRejection>;

/// Renders the first page; its heading can be read before scripts have loaded.
async fn home(
    State(renderer): SharedRenderer,
    page_request: PageRequest,
    viewer: Result<Viewer, Error>,
) -> Response {
    let main = home::page_for(viewer);
    renderer.static_page(&page_request, &page::HOME, "/", main)
}

/// Renders the first page, of which scripts show the lobby only.
async fn lobby(
    State(renderer): SharedRenderer,
    page_request: PageRequest,
    viewer: Result<Viewer, Error>,
) -> Response {
    let main = home::page_for(viewer);
    renderer.static_page(&page_request, &page::LOBBY, "/lobby", main)
}

/// Renders the page of games in play; the best one is the preview image.
async fn live(State(renderer): SharedRenderer, page_request: PageRequest) -> Response {
    let best = renderer.app.rooms.lobby().tv_game(None);
    let head =
        metadata::live(renderer.translations(page_request.language), best.map(|live| live.row.id));
    renderer.render(&page_request, &Page::new(&page::LIVE, head))
}

/// Renders the page of the game nights.
async fn events(
    State(renderer): SharedRenderer,
    page_request: PageRequest,
) -> Result<Response, Error> {
    let nights = renderer.app.rooms.store().game_nights(None, now_ms()).await?;
    Ok(renderer.static_page(&page_request, &page::EVENTS, "/events", |translations| {
        events::page(translations, &nights)
    }))
}

async fn about(State(renderer): SharedRenderer, page_request: PageRequest) -> Response {
    renderer.static_page(&page_request, &page::ABOUT, "/about", about::page)
}

async fn privacy(State(renderer): SharedRenderer, page_request: PageRequest) -> Response {
    renderer.site_text(&page_request, SiteText::Privacy)
}

async fn terms(State(renderer): SharedRenderer, page_request: PageRequest) -> Response {
    renderer.site_text(&page_request, SiteText::Terms)
}

/// Renders the API reference.
async fn api(State(renderer): SharedRenderer, page_request: PageRequest) -> Response {
    renderer.static_page(&page_request, &page::API, API_DOCS_PATH, |translations| {
        renderer.api_reference(translations)
    })
}

/// Returns the OpenAPI document.
async fn document(State(renderer): SharedRenderer) -> Json<Arc<Value>> {
    Json(renderer.document.clone())
}

async fn all_rules(State(renderer): SharedRenderer, page_request: PageRequest) -> Response {
    renderer.static_page(&page_request, &page::RULES, "/rules", rules_pages::overview)
}

/// Renderer of the page of a variant.
type VariantPage = fn(&PageRenderer, &PageRequest, &Variant) -> Response;

/// Returns the route of a page whose path ends with the key of a variant. Other names may be files
/// of the same folder.
fn get_variant(page: VariantPage) -> MethodRouter<Arc<PageRenderer>> {
    get(
        async move |State(renderer): SharedRenderer,
                    page_request: PageRequest,
                    key: PathParam,
                    request: Request| {
            match key.ok().and_then(|Path(key)| variants::by_key(&key)) {
                Some(variant) => page(&renderer, &page_request, variant),
                None => renderer.file(&page_request, request).await,
            }
        },
    )
}

/// Renders the rules of a variant.
fn rules(renderer: &PageRenderer, page_request: &PageRequest, variant: &Variant) -> Response {
    let translations = renderer.translations(page_request.language);
    let aim = translations.rules(variant).map_or("", |text| &text.aim);
    let head = metadata::rules(translations, variant, aim);
    let main = renderer.rules_pages.variant_page(translations, variant);
    let language = page_request.language.tag();
    let data = main.is_some().then(|| format!("guide/{language}/{}.json", variant.info.key));
    renderer.render(page_request, &Page { main, data, ..Page::new(&page::RULES, head) })
}

/// Renders the lesson of a variant.
fn learn(renderer: &PageRenderer, page_request: &PageRequest, variant: &Variant) -> Response {
    let translations = renderer.translations(page_request.language);
    let head = metadata::lesson(translations, variant);
    let main = renderer.lesson_pages.variant_page(translations, variant);
    let language = page_request.language.tag();
    let data = main.is_some().then(|| format!("lessons/{language}/{}.json", variant.info.key));
    renderer.render(page_request, &Page { main, data, ..Page::new(&page::LEARN, head) })
}

/// Renders the analysis board of a variant.
fn analysis(renderer: &PageRenderer, page_request: &PageRequest, variant: &Variant) -> Response {
    let head = metadata::analysis(renderer.translations(page_request.language), variant);
    renderer.render(page_request, &Page::new(&page::ANALYSIS, head))
}

/// Renders the page of games on one device.
async fn pass_and_play(State(renderer): SharedRenderer, page_request: PageRequest) -> Response {
    let translations = renderer.translations(page_request.language);
    let head = metadata::static_page(translations, &page::PASS, "/pass-and-play");
    let main = layout::skeleton(translations, &head);
    renderer.render(&page_request, &Page::new(&page::PASS, head).with_main(main))
}

/// Renders the page of games of a variant on one device.
fn pass_and_play_variant(
    renderer: &PageRenderer,
    page_request: &PageRequest,
    variant: &Variant,
) -> Response {
    let translations = renderer.translations(page_request.language);
    let head = metadata::pass_and_play(translations, variant);
    let main = layout::skeleton(translations, &head);
    renderer.render(page_request, &Page::new(&page::PASS, head).with_main(main))
}

fn parse_id(id: PathParam) -> Option<PublicId> {
    id.ok().and_then(|Path(id)| id.parse().ok())
}

/// Renders the analysis board of a game.
async fn game_analysis(
    State(renderer): SharedRenderer,
    page_request: PageRequest,
    id_param: PathParam,
) -> Response {
    let Some(id) = parse_id(id_param) else { return renderer.not_found(&page_request) };
    let translations = renderer.translations(page_request.language);
    // The page works without this metadata: its scripts load the game again.
    let head = match renderer.app.rooms.store().game(&id).await {
        Ok(Some(game)) => metadata::game(translations, &game, true),
        Ok(None) => return renderer.not_found(&page_request),
        Err(_) => metadata::without_path(translations, &page::ANALYSIS),
    };
    renderer.render(&page_request, &Page::new(&page::ANALYSIS, head))
}

/// Renders the page of a challenge and of the game that it becomes.
async fn game(
    State(renderer): SharedRenderer,
    page_request: PageRequest,
    id_param: PathParam,
    request: Request,
) -> Response {
    let Some(id) = parse_id(id_param) else { return renderer.file(&page_request, request).await };
    let (translations, store) =
        (renderer.translations(page_request.language), renderer.app.rooms.store());
    let head = match store.game(&id).await {
        Ok(Some(game)) => metadata::game(translations, &game, false),
        Ok(None) => match store.challenge(&id).await {
            Ok(Some(challenge)) => metadata::challenge(translations, &challenge),
            Ok(None) => return renderer.not_found(&page_request),
            Err(_) => metadata::without_path(translations, &page::GAME),
        },
        Err(_) => metadata::without_path(translations, &page::GAME),
    };
    let main = layout::skeleton(translations, &head);
    renderer.render(&page_request, &Page::new(&page::GAME, head).with_main(main))
}

/// Renders the page of a player.
async fn player(
    State(renderer): SharedRenderer,
    page_request: PageRequest,
    name: PathParam,
) -> Response {
    let Ok(Path(name)) = name else { return renderer.not_found(&page_request) };
    let translations = renderer.translations(page_request.language);
    let head = match renderer.app.rooms.store().profile(&name.to_ascii_lowercase()).await {
        Ok(Some(profile)) => metadata::player(translations, &profile.account),
        Ok(None) => return renderer.not_found(&page_request),
        Err(_) => metadata::without_path(translations, &page::PLAYER),
    };
    renderer.render(&page_request, &Page::new(&page::PLAYER, head))
}

/// Returns a file under its content-addressed path. An older hash returns the current file: the
/// page may have been opened before the server was updated.
async fn immutable_file(State(renderer): SharedRenderer, mut request: Request) -> Response {
    let path = request.uri().path().strip_prefix("/_/").and_then(|path| path.split_once('/'));
    let Some((hash, file)) = path else { return StatusCode::NOT_FOUND.into_response() };
    let is_current = hash == renderer.assets.hash;
    let is_worker = file.ends_with("-worker.js");
    let Ok(file) = format!("/{file}").parse::<Uri>() else {
        return StatusCode::NOT_FOUND.into_response();
    };
    *request.uri_mut() = file;
    let Ok(mut response) = renderer.files.clone().oneshot(request).await;
    let found = response.status().is_success() || response.status() == StatusCode::NOT_MODIFIED;
    if is_current && found {
        let headers = response.headers_mut();
        // Immutable files are not revalidated.
        headers.remove(header::ETAG);
        for (name, value) in IMMUTABLE_HEADERS {
            headers.insert(name, value);
        }
        // Images opened by themselves and worker scripts take the policy of their own response.
        let is_text = headers
            .get(header::CONTENT_TYPE)
            .is_some_and(|kind| kind.as_bytes().starts_with(b"text/"));
        if is_worker || !is_text {
            let policy = HeaderValue::from_static(DENY_ALL_POLICY);
            headers.insert(header::CONTENT_SECURITY_POLICY, policy);
        }
    }
    response
}
