//! Image routes: boards as SVG and as PNG for link previews, the site icons, and QR codes of site
//! URLs.
//!
//! An image shows no more of a rated game in play than the game's stream does. Caller: the router.

use crate::http::App;
use crate::http::api::game::image_cache::{ImageFormat, RenderedImage};
use crate::http::api::streams::game_stream::Spectator;
use crate::http::error::Error;
use crate::http::extract::id::parse_id;
use crate::http::extract::origin::origin;
use crate::http::extract::query_params::QueryParams;
use crate::http::limits::rate_limiter::ClientNetwork;
use crate::http::messages::ErrorBody;
use crate::play::reason::Reason;
use crate::render::{self, BoardImage, CARD_SIZE, IconPurpose, overview_card, position_card};
use crate::rooms::{self, now_ms, released_plies};
use crate::variants::{self, Position, Variant};
use axum::extract::{FromRequestParts, Path, State};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use axum::response::Response;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::net::IpAddr;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Cache lifetime of an image that may change soon, in seconds.
const SHORT_MAX_AGE_S: u32 = 10;

/// Cache lifetime of an image that changes only with a new build, in seconds.
const MAX_AGE_S: u32 = 86_400;

/// Seed of start positions that belong to no game, so that their image is always the same.
const START_SEED: u64 = 1;

/// Maximum length of the path in a QR code, in bytes.
const QR_PATH_MAX: usize = 200;

/// Returns the image routes with their OpenAPI operations.
pub fn image_routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(game))
        .routes(routes!(variant))
        .routes(routes!(position))
        .routes(routes!(qr))
        .routes(routes!(icon))
}

/// Client network and headers of an image request.
struct ImageRequest {
    network: IpAddr,
    headers: HeaderMap,
}

impl FromRequestParts<App> for ImageRequest {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<ImageRequest, Error> {
        let ClientNetwork(network) = ClientNetwork::from_request_parts(parts, app).await?;
        Ok(ImageRequest { network, headers: parts.headers.clone() })
    }
}

/// Form of a board.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct BoardQuery {
    coordinates: Option<bool>,
}

/// Position to draw, with its options.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct PositionImageQuery {
    #[serde(default)]
    #[param(required = true)]
    text: String,
    #[serde(default)]
    #[param(ignore)]
    options: BTreeMap<String, String>,
}

/// Page to link.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct QrQuery {
    #[serde(default)]
    #[param(required = true)]
    path: String,
}

/// Renders a board: SVG is the board alone, PNG the board with the variant's name beside it.
async fn render_board(
    app: &App,
    format: ImageFormat,
    request: &ImageRequest,
    query: &BoardQuery,
    create_image: impl FnOnce() -> Result<BoardImage, Error> + Send + 'static,
) -> Result<RenderedImage, Error> {
    let hides_coordinates = query.coordinates == Some(false);
    let draw = move || {
        let image = create_image()?;
        let image = if hides_coordinates { image.without_coordinates() } else { image };
        Ok(if format == ImageFormat::Svg { image.to_svg() } else { position_card(&image) })
    };
    app.image_cache.render(format, request.network, &request.headers, draw).await
}

/// Returns an image of a game: `{id}.svg` is the board, `{id}.png` a link preview of 1200 × 630
/// pixels.
///
/// The last moves of a rated game in play are delayed as in its stream. The image of a challenge is
/// the start position of its first variant.
#[utoipa::path(get, path = "/picture/game/{file}", tag = "pictures",
    params(("file" = String, Path), BoardQuery),
    responses((status = 200, content((String = "image/svg+xml"), (Vec<u8> = "image/png"))), (status = 304), (status = "4XX", body = ErrorBody)))]
async fn game(
    State(app): State<App>,
    Path(file): Path<String>,
    request: ImageRequest,
    QueryParams(board): QueryParams<BoardQuery>,
) -> Result<Response, Error> {
    let (name, format) = ImageFormat::split_extension(&file)?;
    let id = parse_id(name)?;
    let snapshot = match app.rooms.snapshot(&id).await {
        Ok(snapshot) => snapshot,
        Err(rooms::RoomError::GameNotFound) => {
            let challenge = app.rooms.store().challenge(&id).await?.ok_or(Error::NotFound)?;
            let choice = challenge.draft.plays.into_iter().next().ok_or(Error::NotFound)?;
            let start =
                move || Ok(BoardImage::new(&*choice.variant.start(&choice.options, START_SEED)));
            let image = render_board(&app, format, &request, &board, start).await?;
            return Ok(image.respond(SHORT_MAX_AGE_S));
        }
        Err(error) => return Err(error.into()),
    };
    let is_over = snapshot.row.result.is_some();
    let spectator = Spectator::anonymous(&app);
    let delay_ms = spectator.delay_ms(&snapshot.row);
    let made_ms = spectator.move_times_ms(&snapshot).await.map_err(|_| Error::Internal)?;
    let create_image = move || {
        let released = released_plies(snapshot.moves.len(), delay_ms, &made_ms, now_ms());
        let setup = &snapshot.row.setup;
        let start = setup.variant.start(&setup.options, setup.seed);
        BoardImage::after_moves(start, &snapshot.moves[..released]).map_err(|_| Error::Internal)
    };
    let image = render_board(&app, format, &request, &board, create_image).await?;
    Ok(image.respond(if is_over { MAX_AGE_S } else { SHORT_MAX_AGE_S }))
}

/// Returns an image of a variant's start position: `{key}.svg` or `{key}.png`.
#[utoipa::path(get, path = "/picture/variant/{file}", tag = "pictures",
    params(("file" = String, Path), BoardQuery),
    responses((status = 200, content((String = "image/svg+xml"), (Vec<u8> = "image/png"))), (status = 304), (status = "4XX", body = ErrorBody)))]
async fn variant(
    State(app): State<App>,
    Path(file): Path<String>,
    request: ImageRequest,
    QueryParams(board): QueryParams<BoardQuery>,
) -> Result<Response, Error> {
    let (key, format) = ImageFormat::split_extension(&file)?;
    let variant = variants::by_key(key).ok_or(Error::NotFound)?;
    let start = move || Ok(BoardImage::new(&*variant.start(&variant.options(), START_SEED)));
    Ok(render_board(&app, format, &request, &board, start).await?.respond(MAX_AGE_S))
}

/// Returns an image of a position given as text: `{key}.svg` or `{key}.png`.
///
/// Options that differ from their defaults are given as `options.NAME`.
#[utoipa::path(get, path = "/picture/position/{file}", tag = "pictures",
    params(("file" = String, Path), PositionImageQuery, BoardQuery),
    responses((status = 200, content((String = "image/svg+xml"), (Vec<u8> = "image/png"))), (status = 304), (status = "4XX", body = ErrorBody)))]
async fn position(
    State(app): State<App>,
    Path(file): Path<String>,
    request: ImageRequest,
    QueryParams(board): QueryParams<BoardQuery>,
    QueryParams(query): QueryParams<PositionImageQuery>,
) -> Result<Response, Error> {
    // Positions rarely repeat, so that caching does not help: each request counts as a position
    // query.
    app.position_limit.check(request.network)?;
    let (key, format) = ImageFormat::split_extension(&file)?;
    let position = parse_position(key, &query)?;
    let create_image = move || Ok(BoardImage::new(&*position));
    Ok(render_board(&app, format, &request, &board, create_image).await?.respond(MAX_AGE_S))
}

fn parse_position(key: &str, query: &PositionImageQuery) -> Result<Box<dyn Position>, Error> {
    let variant = variants::by_key(key).ok_or(Error::NotFound)?;
    let mut options = variant.options();
    for (name, value) in &query.options {
        let set = options.set(name, value);
        set.map_err(|error| Error::InvalidField(Reason::BadOption, format!("{error}.")))?;
    }
    let position = variant.read(&query.text, &options);
    position.map_err(|error| Error::InvalidField(Reason::BadPosition, format!("{error}.")))
}

/// Returns a QR code for a page of this site.
///
/// `path` begins with exactly one slash and has at most 200 ASCII characters.
#[utoipa::path(get, path = "/picture/qr.svg", tag = "pictures", params(QrQuery),
    responses((status = 200, body = String, content_type = "image/svg+xml"), (status = 304), (status = "4XX", body = ErrorBody)))]
async fn qr(
    State(app): State<App>,
    request: ImageRequest,
    QueryParams(QrQuery { path }): QueryParams<QrQuery>,
) -> Result<Response, Error> {
    if !is_site_path(&path) {
        let message =
            format!("`path` must start with one slash; at most {QR_PATH_MAX} ASCII characters.");
        return Err(Error::InvalidField(Reason::BadPath, message));
    }
    let address = format!("{}{path}", origin(&app, &request.headers));
    let draw = move || {
        render::qr_code(&address)
            .map_err(|error| Error::InvalidField(Reason::BadPath, format!("{error}.")))
    };
    Ok(app
        .image_cache
        .render(ImageFormat::Svg, request.network, &request.headers, draw)
        .await?
        .respond(MAX_AGE_S))
}

/// Returns whether a path stays on this site. Browsers read two leading slashes, or a backslash, as
/// the start of another host.
fn is_site_path(path: &str) -> bool {
    let is_foreign_host = path.starts_with("//") || path.contains('\\');
    let is_printable_ascii = path.bytes().all(|byte| byte.is_ascii_graphic());
    path.starts_with('/') && !is_foreign_host && is_printable_ascii && path.len() <= QR_PATH_MAX
}

/// Returns a site icon or the link preview of the site.
///
/// The icons are `icon-192.png`, `icon-512.png`, `icon-maskable-512.png` and
/// `apple-touch-icon.png`; `site.png` is a preview of 1200 × 630 pixels with the start positions of
/// all variants.
#[utoipa::path(get, path = "/picture/{file}", tag = "pictures", params(("file" = String, Path)),
    responses((status = 200, body = Vec<u8>, content_type = "image/png"), (status = 304), (status = "4XX", body = ErrorBody)))]
async fn icon(
    State(app): State<App>,
    Path(file): Path<String>,
    request: ImageRequest,
) -> Result<Response, Error> {
    let (kind, size) = match file.as_str() {
        "icon-192.png" => (Some(IconPurpose::Plain), [192; 2]),
        "icon-512.png" => (Some(IconPurpose::Plain), [512; 2]),
        "icon-maskable-512.png" => (Some(IconPurpose::Maskable), [512; 2]),
        "apple-touch-icon.png" => (Some(IconPurpose::Maskable), [180; 2]),
        "site.png" => (None, CARD_SIZE),
        _ => return Err(Error::NotFound),
    };
    let draw = move || Ok(kind.map_or_else(|| overview_card(&start_boards()), render::icon));
    let image = app
        .image_cache
        .render(ImageFormat::Png(size), request.network, &request.headers, draw)
        .await?;
    Ok(image.respond(MAX_AGE_S))
}

/// Returns the start position of each variant.
fn start_boards() -> Vec<BoardImage> {
    let start =
        |variant: &Variant| BoardImage::new(&*variant.start(&variant.options(), START_SEED));
    variants::ALL.iter().map(start).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn qr_path_stays_on_this_site() {
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
            assert_eq!(is_site_path(path), ours, "{path:?}");
        }
        assert!(is_site_path(&format!("/{}", "a".repeat(QR_PATH_MAX - 1))));
        assert!(!is_site_path(&format!("/{}", "a".repeat(QR_PATH_MAX))));
    }
}
