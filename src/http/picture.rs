//! Image routes: boards as SVG and as PNG for link previews, the site icons, and QR codes of site
//! URLs.
//!
//! An image shows no more of a rated game in play than the game's stream does.

use super::App;
use super::challenge::{origin, read_id};
use super::delay::told_plies;
use super::drawing::{Drawn, Form};
use super::error::Error;
use super::fields::Asked;
use super::rate::Address;
use super::spectate::Onlooker;
use super::wire::Refused;
use crate::picture::{CARD, Icon, Scene, card, icon as sign, qr as code, shelf};
use crate::rooms::{self, now_ms};
use crate::variants::{self, Position, Variant};
use axum::extract::{FromRequestParts, Path, State};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use axum::response::Response;
use std::net::IpAddr;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Cache lifetime of an image that may change soon, in seconds.
const KEEP_SHORT_S: u32 = 10;

/// Cache lifetime of an image that changes only with a new build, in seconds.
const KEEP_S: u32 = 86_400;

/// Seed of start positions that belong to no game, so that their image is always the same.
const SEED: u64 = 1;

/// Maximum length of the path in a QR code, in bytes.
const PATH_MAX: usize = 200;

/// Returns the image routes with their OpenAPI operations.
pub fn roads() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(game))
        .routes(routes!(variant))
        .routes(routes!(position))
        .routes(routes!(qr))
        .routes(routes!(icon))
}

/// Client network, headers and query parameters of an image request.
struct Asker {
    network: IpAddr,
    headers: HeaderMap,
    asked: Asked,
}

impl FromRequestParts<App> for Asker {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Asker, Error> {
        let Address(network) = Address::from_request_parts(parts, app).await?;
        let asked = Asked::from_request_parts(parts, app).await?;
        Ok(Asker { network, headers: parts.headers.clone(), asked })
    }
}

/// Renders a scene: SVG is the board alone, PNG the board with the variant's name beside it.
async fn picture(
    app: &App,
    form: Form,
    asker: &Asker,
    scene: impl FnOnce() -> Result<Scene, Error> + Send + 'static,
) -> Result<Drawn, Error> {
    let bare = asker.asked.flag("coordinates")? == Some(false);
    let draw = move || {
        let scene = scene()?;
        let scene = if bare { scene.without_coordinates() } else { scene };
        Ok(if form == Form::Svg { scene.svg() } else { card(&scene) })
    };
    app.drawings.draw(form, asker.network, &asker.headers, draw).await
}

/// Returns an image of a game: `{id}.svg` is the board, `{id}.png` a link preview of 1200 × 630
/// pixels.
///
/// The last moves of a rated game in play are delayed as in its stream. The image of a challenge is
/// the start position of its first variant.
#[utoipa::path(get, path = "/picture/game/{file}", tag = "pictures",
    params(("file" = String, Path), ("coordinates" = Option<bool>, Query)),
    responses((status = 200, content((String = "image/svg+xml"), (Vec<u8> = "image/png"))), (status = 304), (status = "4XX", body = Refused)))]
async fn game(
    State(app): State<App>,
    Path(file): Path<String>,
    asker: Asker,
) -> Result<Response, Error> {
    let (name, form) = Form::cut(&file)?;
    let id = read_id(name)?;
    let shown = match app.rooms.look(&id).await {
        Ok(shown) => shown,
        Err(rooms::Error::Unknown) => {
            let challenge = app.rooms.store().challenge(&id).await?.ok_or(Error::NotFound)?;
            let plays = challenge.draft.plays.into_iter().next().ok_or(Error::NotFound)?;
            let start = move || Ok(Scene::of(&*plays.variant.start(&plays.options, SEED)));
            let drawn = picture(&app, form, &asker, start).await?;
            return Ok(drawn.answer(KEEP_SHORT_S));
        }
        Err(error) => return Err(error.into()),
    };
    let over = shown.row.result.is_some();
    let anybody = Onlooker::anybody(&app);
    let wait_ms = anybody.wait_ms(&shown.row);
    let made_ms = anybody.made_ms(&shown).await.map_err(|_| Error::Broken)?;
    let scene = move || {
        let told = told_plies(shown.moves.len(), wait_ms, &made_ms, now_ms());
        let setup = &shown.row.setup;
        let start = setup.variant.start(&setup.options, setup.seed);
        Scene::after(start, &shown.moves[..told]).map_err(|_| Error::Broken)
    };
    let drawn = picture(&app, form, &asker, scene).await?;
    Ok(drawn.answer(if over { KEEP_S } else { KEEP_SHORT_S }))
}

/// Returns an image of a variant's start position: `{key}.svg` or `{key}.png`.
#[utoipa::path(get, path = "/picture/variant/{file}", tag = "pictures",
    params(("file" = String, Path), ("coordinates" = Option<bool>, Query)),
    responses((status = 200, content((String = "image/svg+xml"), (Vec<u8> = "image/png"))), (status = 304), (status = "4XX", body = Refused)))]
async fn variant(
    State(app): State<App>,
    Path(file): Path<String>,
    asker: Asker,
) -> Result<Response, Error> {
    let (key, form) = Form::cut(&file)?;
    let variant = variants::find(key).ok_or(Error::NotFound)?;
    let start = move || Ok(Scene::of(&*variant.start(&variant.options(), SEED)));
    Ok(picture(&app, form, &asker, start).await?.answer(KEEP_S))
}

/// Returns an image of a position given as text: `{key}.svg` or `{key}.png`.
///
/// Options that differ from their defaults are given as `options.NAME`.
#[utoipa::path(get, path = "/picture/position/{file}", tag = "pictures",
    params(("file" = String, Path), ("text" = String, Query), ("coordinates" = Option<bool>, Query)),
    responses((status = 200, content((String = "image/svg+xml"), (Vec<u8> = "image/png"))), (status = 304), (status = "4XX", body = Refused)))]
async fn position(
    State(app): State<App>,
    Path(file): Path<String>,
    asker: Asker,
) -> Result<Response, Error> {
    // Positions rarely repeat, so that caching does not help: each request counts as a position
    // query.
    app.questions.check(asker.network)?;
    let (key, form) = Form::cut(&file)?;
    let position = read(key, &asker.asked)?;
    let scene = move || Ok(Scene::of(&*position));
    Ok(picture(&app, form, &asker, scene).await?.answer(KEEP_S))
}

fn read(key: &str, asked: &Asked) -> Result<Box<dyn Position>, Error> {
    let variant = variants::find(key).ok_or(Error::NotFound)?;
    let mut options = variant.options();
    for (name, value) in asked.under("options.") {
        let set = options.set(name, value);
        set.map_err(|error| Error::BadField("badOption", format!("{error}.")))?;
    }
    let text = asked.text("text").unwrap_or_default();
    let read = variant.read(text, &options);
    read.map_err(|error| Error::BadField("badPosition", format!("{error}.")))
}

/// Returns a QR code for a page of this site.
///
/// `path` begins with exactly one slash and has at most 200 ASCII characters.
#[utoipa::path(get, path = "/picture/qr.svg", tag = "pictures", params(("path" = String, Query)),
    responses((status = 200, body = String, content_type = "image/svg+xml"), (status = 304), (status = "4XX", body = Refused)))]
async fn qr(State(app): State<App>, asker: Asker) -> Result<Response, Error> {
    let path = asker.asked.text("path").filter(|path| is_ours(path));
    let why = format!("`path` must start with one slash; at most {PATH_MAX} ASCII characters.");
    let path = path.ok_or(Error::BadField("badPath", why))?;
    let address = format!("{}{path}", origin(&app, &asker.headers));
    let draw =
        move || code(&address).map_err(|error| Error::BadField("badPath", format!("{error}.")));
    Ok(app.drawings.draw(Form::Svg, asker.network, &asker.headers, draw).await?.answer(KEEP_S))
}

/// Returns whether a path stays on this site. Browsers read two leading slashes, or a backslash, as
/// the start of another host.
fn is_ours(path: &str) -> bool {
    let elsewhere = path.starts_with("//") || path.contains('\\');
    let plain = path.bytes().all(|byte| byte.is_ascii_graphic());
    path.starts_with('/') && !elsewhere && plain && path.len() <= PATH_MAX
}

/// Returns a site icon or the link preview of the site.
///
/// The icons are `icon-192.png`, `icon-512.png`, `icon-maskable-512.png` and
/// `apple-touch-icon.png`; `site.png` is a preview of 1200 × 630 pixels with the start positions of
/// all variants.
#[utoipa::path(get, path = "/picture/{file}", tag = "pictures", params(("file" = String, Path)),
    responses((status = 200, body = Vec<u8>, content_type = "image/png"), (status = 304), (status = "4XX", body = Refused)))]
async fn icon(
    State(app): State<App>,
    Path(file): Path<String>,
    asker: Asker,
) -> Result<Response, Error> {
    let (kind, size) = match file.as_str() {
        "icon-192.png" => (Some(Icon::Plain), [192; 2]),
        "icon-512.png" => (Some(Icon::Plain), [512; 2]),
        "icon-maskable-512.png" => (Some(Icon::Whole), [512; 2]),
        "apple-touch-icon.png" => (Some(Icon::Whole), [180; 2]),
        "site.png" => (None, CARD),
        _ => return Err(Error::NotFound),
    };
    let draw = move || Ok(kind.map_or_else(|| shelf(&starts()), sign));
    let drawn = app.drawings.draw(Form::Png(size), asker.network, &asker.headers, draw).await?;
    Ok(drawn.answer(KEEP_S))
}

/// Returns the start position of each variant.
fn starts() -> Vec<Scene> {
    let start = |variant: &Variant| Scene::of(&*variant.start(&variant.options(), SEED));
    variants::ALL.iter().map(start).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_leads_to_this_site_alone() {
        for (path, ours) in [
            ("/", true),
            ("/abcdefgh", true),
            ("/analysis/x?moves=a1-b2&flip=1#3", true),
            ("", false),
            ("abc", false),
            ("//evil.example", false),
            ("/\\evil.example", false),
            ("https://evil.example/", false),
            ("/a b", false),
            ("/a\nb", false),
            ("/é", false),
        ] {
            assert_eq!(is_ours(path), ours, "{path:?}");
        }
        assert!(is_ours(&format!("/{}", "a".repeat(PATH_MAX - 1))));
        assert!(!is_ours(&format!("/{}", "a".repeat(PATH_MAX))));
    }
}
