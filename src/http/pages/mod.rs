//! HTML pages and static files, all embedded in the binary.
//!
//! The server renders what is known before any script runs: metadata and texts in the requester's
//! language, and preloads of the page's modules. Scripts add the rest.

mod about;
mod api;
mod guide;
mod heads;
mod home;
mod language;
mod layout;
mod manifest;
mod page;
mod press;
mod refused;
mod site;
mod words;

pub use press::Press;
pub use refused::in_a_page;

use super::auth;
use crate::store::PublicId;
use crate::variants::{self, Variant};
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::http::{StatusCode, Uri, header};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use axum::{Json, Router};
use page::{Kind, Page};
use press::Asker;
use serde_json::Value;
use site::FOREVER;
pub use site::NOTHING;
use std::sync::Arc;
use tower::ServiceExt;
use tower_http::compression::CompressionLayer;

/// Pages that scripts fill and that depend on the language only, by path.
static PLAIN: [(&str, &Kind); 6] = [
    ("/players", &page::PLAYERS),
    ("/analysis", &page::ANALYSIS),
    ("/login", &page::LOGIN),
    ("/account", &page::ACCOUNT),
    ("/come", &page::COME),
    ("/offline", &page::OFFLINE),
];

/// Path of the API reference.
const API: &str = "/api/docs";

/// Returns the routes of all pages and files.
pub fn router(press: Arc<Press>) -> Router {
    let mut pages = Router::new();
    for (path, kind) in PLAIN {
        let plain = async move |State(press): State<Arc<Press>>, asker: Asker| {
            press.plain(&asker, kind, path)
        };
        pages = pages.route(path, get(plain));
    }
    pages
        .route("/", get(home))
        .route("/lobby", get(lobby))
        .route("/live", get(live))
        .route("/about", get(about))
        .route(API, get(api))
        .route("/api/docs/", get(async || Redirect::permanent(API)))
        .route("/api/openapi.json", get(document))
        .route("/rules", get(all_rules))
        .route("/rules/{variant}", get(rules))
        .route("/analysis/{variant}", get(analysis))
        .route("/{id}", get(room))
        .route("/{id}/analysis", get(analysis_of))
        .route("/@/{name}", get(player))
        .layer(from_fn_with_state(press.app.clone(), auth::guard))
        .route("/sw.js", get(async |State(press): Shared, asker: Asker| press.worker(&asker)))
        .route(
            "/manifest.webmanifest",
            get(async |State(press): Shared, asker: Asker| press.manifest(&asker)),
        )
        .route("/_/{*file}", get(forever))
        .fallback(async |State(press): State<Arc<Press>>, asker: Asker, request: Request| {
            press.file(&asker, request).await
        })
        .with_state(press)
        .layer(CompressionLayer::new())
}

type Shared = State<Arc<Press>>;
type Word = Result<Path<String>, PathRejection>;

/// Renders the first page; its heading can be read before scripts have loaded.
async fn home(State(press): Shared, asker: Asker) -> Response {
    press.reads(&asker, &page::HOME, "/", home::page)
}

/// Renders the first page, of which scripts show the lobby only.
async fn lobby(State(press): Shared, asker: Asker) -> Response {
    press.reads(&asker, &page::LOBBY, "/lobby", home::page)
}

/// Renders the page of games in play; the best one is the preview image.
async fn live(State(press): Shared, asker: Asker) -> Response {
    let best = press.app.rooms.lobby().on_air(None);
    let head = heads::live(press.words(asker.language), best.map(|live| live.row.id));
    press.write(&asker, &Page::new(&page::LIVE, head))
}

async fn about(State(press): Shared, asker: Asker) -> Response {
    press.reads(&asker, &page::ABOUT, "/about", about::page)
}

/// Renders the API reference.
async fn api(State(press): Shared, asker: Asker) -> Response {
    press.reads(&asker, &page::API, API, |words| press.told(words))
}

/// Returns the OpenAPI document.
async fn document(State(press): Shared) -> Json<Arc<Value>> {
    Json(press.document.clone())
}

async fn all_rules(State(press): Shared, asker: Asker) -> Response {
    press.reads(&asker, &page::RULES, "/rules", guide::all)
}

fn variant(key: Word) -> Option<&'static Variant> {
    key.ok().and_then(|Path(key)| variants::find(&key))
}

/// Renders the rules of a variant.
async fn rules(State(press): Shared, asker: Asker, key: Word) -> Response {
    let Some(variant) = variant(key) else { return press.missing(&asker) };
    let words = press.words(asker.language);
    let aim = words.rules(variant).map_or("", |text| &text.aim);
    let head = heads::rules(words, variant, aim);
    let main = press.guides.one(words, variant);
    let language = asker.language.tag();
    let data = main.is_some().then(|| format!("guide/{language}/{}.json", variant.info.key));
    press.write(&asker, &Page { main, data, ..Page::new(&page::RULES, head) })
}

/// Renders the analysis board of a variant.
async fn analysis(State(press): Shared, asker: Asker, key: Word) -> Response {
    let Some(variant) = variant(key) else { return press.missing(&asker) };
    let head = heads::analysis(press.words(asker.language), variant);
    press.write(&asker, &Page::new(&page::ANALYSIS, head))
}

fn id(id: Word) -> Option<PublicId> {
    id.ok().and_then(|Path(id)| id.parse().ok())
}

/// Renders the analysis board of a game.
async fn analysis_of(State(press): Shared, asker: Asker, word: Word) -> Response {
    let Some(id) = id(word) else { return press.missing(&asker) };
    let words = press.words(asker.language);
    // The page works without this metadata: its scripts load the game again.
    let head = match press.app.rooms.store().game(&id).await {
        Ok(Some(game)) => heads::game(words, &game, true),
        Ok(None) => return press.missing(&asker),
        Err(_) => heads::nowhere(words, &page::ANALYSIS),
    };
    press.write(&asker, &Page::new(&page::ANALYSIS, head))
}

/// Renders the page of a challenge and of the game that it becomes.
async fn room(State(press): Shared, asker: Asker, word: Word, request: Request) -> Response {
    let Some(id) = id(word) else { return press.file(&asker, request).await };
    let (words, store) = (press.words(asker.language), press.app.rooms.store());
    let head = match store.game(&id).await {
        Ok(Some(game)) => heads::game(words, &game, false),
        Ok(None) => match store.challenge(&id).await {
            Ok(Some(challenge)) => heads::challenge(words, &challenge),
            Ok(None) => return press.missing(&asker),
            Err(_) => heads::nowhere(words, &page::GAME),
        },
        Err(_) => heads::nowhere(words, &page::GAME),
    };
    let main = layout::coming(words, &head);
    press.write(&asker, &Page::new(&page::GAME, head).reads(main))
}

/// Renders the page of a player.
async fn player(State(press): Shared, asker: Asker, name: Word) -> Response {
    let Ok(Path(name)) = name else { return press.missing(&asker) };
    let words = press.words(asker.language);
    let head = match press.app.rooms.store().profile(&name.to_ascii_lowercase()).await {
        Ok(Some(profile)) => heads::player(words, &profile.account),
        Ok(None) => return press.missing(&asker),
        Err(_) => heads::nowhere(words, &page::PLAYER),
    };
    press.write(&asker, &Page::new(&page::PLAYER, head))
}

/// Returns a file under its content-addressed path. An older hash returns the current file: the
/// page may have been opened before the server was updated.
async fn forever(State(press): Shared, mut request: Request) -> Response {
    let path = request.uri().path().strip_prefix("/_/").and_then(|path| path.split_once('/'));
    let Some((hash, file)) = path else { return StatusCode::NOT_FOUND.into_response() };
    let is_current = hash == press.site.hash;
    let Ok(file) = format!("/{file}").parse::<Uri>() else {
        return StatusCode::NOT_FOUND.into_response();
    };
    *request.uri_mut() = file;
    let Ok(mut response) = press.files.clone().oneshot(request).await;
    let found = response.status().is_success() || response.status() == StatusCode::NOT_MODIFIED;
    if is_current && found {
        let headers = response.headers_mut();
        // Immutable files are not revalidated.
        headers.remove(header::ETAG);
        for (name, value) in FOREVER {
            headers.insert(name, value);
        }
    }
    response
}
