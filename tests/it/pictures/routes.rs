//! Image routes: addresses, caching, parsing of positions, and rate limits.

use super::parse_svg;
use super::requests::{fetch, fetch_with, png_size};
use crate::support::client::Server;
use resvg::tiny_skia::Pixmap;
use serde_json::json;
use sprong::render::BoardImage;
use sprong::variants::{ALL, by_key};
use std::collections::HashSet;

#[tokio::test]
async fn variant_images_and_site_icons_are_served() {
    let server = Server::start().await;
    for variant in &ALL {
        let path = format!("/picture/variant/{}", variant.info.key);
        let sent = fetch(&server, &format!("{path}.svg")).await;
        assert_eq!((sent.status, sent.header("content-type")), (200, "image/svg+xml"));
        parse_svg(&sent.text());
        assert_eq!(sent.text(), fetch(&server, &format!("{path}.svg")).await.text(), "{path}");
        assert_eq!(png_size(&fetch(&server, &format!("{path}.png")).await), [1200, 630]);
        let bare = fetch(&server, &format!("{path}.svg?coordinates=false")).await;
        assert!(bare.body.len() < sent.body.len());
    }
    for (icon, side) in [
        ("icon-192", 192),
        ("icon-512", 512),
        ("icon-maskable-512", 512),
        ("apple-touch-icon", 180),
    ] {
        let sent = fetch(&server, &format!("/picture/{icon}.png")).await;
        assert_eq!(png_size(&sent), [side; 2]);
        let corner = Pixmap::decode_png(&sent.body).expect("PNG").pixel(0, 0).expect("pixel");
        assert_eq!(corner.alpha() == 0, icon.starts_with("icon-1") || icon.starts_with("icon-5"));
    }
    let sent = fetch(&server, "/picture/site.png").await;
    assert_eq!(png_size(&sent), [1200, 630]);
    let preview = Pixmap::decode_png(&sent.body).expect("PNG");
    // The preview shows one board of each variant in a row.
    let at = |x, y| preview.pixel(x, y).expect("pixel");
    let places = (0..ALL.len() as u32).map(|place| 150 + 225 * place);
    assert!(
        places.clone().all(|x| at(x, 420) != at(x, 20))
            && places.clone().all(|x| at(x, 20) == at(0, 0))
    );
    let seen: HashSet<_> = places.map(|x| format!("{:?}", at(x, 510))).collect();
    assert_eq!(seen.len(), ALL.len(), "the boards must differ: {seen:?}");
    for unknown in [
        "variant/chess.svg",
        "variant/hogga",
        "variant/hogga.gif",
        "variant/.svg",
        "game/zzzzzzzz.svg",
        "game/hogga.png",
        "game/..%2f..%2fetc.svg",
        "position/chess.svg?text=x",
        "icon-193.png",
        "nothing",
        "no/such/thing",
    ] {
        let sent = fetch(&server, &format!("/picture/{unknown}")).await;
        assert_eq!((sent.status, unknown), (404, unknown));
    }
    server.stop().await;
}

#[tokio::test]
async fn images_are_cached_and_revalidated() {
    let server = Server::start().await;
    for path in ["variant/hogga.svg", "variant/hogga.png", "icon-192.png", "qr.svg?path=/"] {
        let path = format!("/picture/{path}");
        let sent = fetch(&server, &path).await;
        assert_eq!(sent.header("cache-control"), "public, max-age=86400", "{path}");
        let tag = sent.header("etag").to_owned();
        assert!(tag.starts_with("W/\""), "{tag}");
        let other = format!("\"other\", {tag}");
        for if_none_match in [&*tag, &*other, "*"] {
            let again = fetch_with(&server, &path, &[("if-none-match", if_none_match)]).await;
            assert_eq!((again.status, again.body.len(), again.header("etag")), (304, 0, &*tag));
            assert_eq!(again.header("cache-control"), "public, max-age=86400");
        }
        assert_eq!(fetch_with(&server, &path, &[("if-none-match", "\"other\"")]).await.status, 200);
    }
    let packed =
        fetch_with(&server, "/picture/variant/hogga.svg", &[("accept-encoding", "gzip")]).await;
    assert_eq!(packed.header("content-encoding"), "gzip");
    assert!(packed.body.len() < 8_000, "{}", packed.body.len());
    let pixels =
        fetch_with(&server, "/picture/variant/hogga.png", &[("accept-encoding", "gzip")]).await;
    assert_eq!(pixels.header("content-encoding"), "", "a PNG is not compressed again");
    server.stop().await;
}

fn position_path(key: &str, form: &str, fields: &[(&str, &str)]) -> String {
    let fields = serde_urlencoded::to_string(fields).expect("fields");
    format!("/picture/position/{key}.{form}?{fields}")
}

#[tokio::test]
async fn position_image_accepts_only_valid_text() {
    let server = Server::start().await;
    for variant in &ALL {
        let (key, start) = (variant.info.key, variant.start(&variant.options(), 5));
        let text = start.text();
        let sent = fetch(&server, &position_path(key, "svg", &[("text", &text)])).await;
        assert_eq!((sent.status, sent.text()), (200, BoardImage::new(&*start).to_svg()), "{key}");
        let image = fetch(&server, &position_path(key, "png", &[("text", &text)])).await;
        assert_eq!(png_size(&image), [1200, 630]);
        let script = "<script>alert(1)</script>";
        let hostile = [
            String::new(),
            "x".to_owned(),
            script.to_owned(),
            format!("{text}{script}"),
            format!("{text} {script}"),
            text.replacen(['.', '0', 'w'], script, 1),
            text.replacen(['.', '0', 'w'], "\"/><script>", 1),
            format!("{text}\0"),
            format!("\u{feff}{text}"),
            "/".repeat(9_000),
            "w".repeat(9_000),
        ];
        for text in &hostile {
            let sent = fetch(&server, &position_path(key, "svg", &[("text", text)])).await;
            assert_eq!((sent.status, sent.reason()), (400, json!("badPosition")), "{key} {text}");
        }
    }
    // This option changes the format of the position text.
    let hogga = by_key("hogga").expect("variant");
    let mut options = hogga.options();
    options.set("points", "true").expect("option");
    let text = hogga.start(&options, 1).text();
    let with = [("text", &*text), ("options.points", "true")];
    assert_eq!(fetch(&server, &position_path("hogga", "svg", &with)).await.status, 200);
    assert_eq!(fetch(&server, &position_path("hogga", "svg", &with[..1])).await.status, 400);
    let wrong =
        fetch(&server, &position_path("hogga", "svg", &[("text", &text), ("options.x", "1")]))
            .await;
    assert_eq!((wrong.status, wrong.reason()), (400, json!("badOption")));
    server.stop().await;
}

/// Repeats a request. Returns whether it is refused after at least one success.
async fn is_rate_limited(server: &Server, path: &str) -> bool {
    for at in 0..40 {
        let sent = fetch(server, path).await;
        if sent.status == 429 {
            assert_eq!(sent.reason(), json!("tooFast"));
            return at > 0;
        }
        assert_eq!(sent.status, 200);
    }
    false
}

#[tokio::test]
async fn image_requests_count_against_their_limits() {
    let hogga = by_key("hogga").expect("variant");
    let text = hogga.start(&hogga.options(), 1).text();
    let position = position_path("hogga", "svg", &[("text", &text)]);
    for (limit, path) in
        [("--read-limit", "/picture/variant/hogga.svg"), ("--position-limit", &*position)]
    {
        let server = Server::start_with(&[limit, "1"]).await;
        assert!(is_rate_limited(&server, path).await, "{limit}");
        server.stop().await;
    }
}

#[tokio::test]
async fn uncached_previews_per_address_are_limited() {
    let server = Server::start_with(&["--image-limit", "2", "--trusted-proxy", "127.0.0.1"]).await;
    let from = async |address: &'static str, key: &str| {
        let path = format!("/picture/variant/{key}.png");
        fetch_with(&server, &path, &[("x-forwarded-for", address)]).await
    };
    for key in ["hogga", "knightFight"] {
        assert_eq!(from("10.0.0.1", key).await.status, 200, "{key}");
    }
    let refused = from("10.0.0.1", "caterpillarWar").await;
    assert_eq!((refused.status, refused.reason()), (429, json!("tooFast")));
    let wait_s: u64 = refused.header("retry-after").parse().expect("seconds");
    assert!((1..=60).contains(&wait_s), "{wait_s}");
    // Cached images are not counted, and another address has an allowance of its own.
    assert_eq!(from("10.0.0.1", "hogga").await.status, 200);
    assert_eq!(from("10.0.0.2", "caterpillarWar").await.status, 200);
    assert_eq!(from("10.0.0.1", "caterpillarWar").await.status, 200);
    server.stop().await;
}
