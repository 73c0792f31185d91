//! QR codes.

use super::parse_svg;
use super::requests::fetch;
use crate::support::client::Server;
use resvg::tiny_skia::{Pixmap, Transform};
use serde_json::json;

/// Renders a QR code and returns its decoded text.
fn read_code(svg: &str) -> String {
    let tree = parse_svg(svg);
    let side = 8.0 * tree.size().width();
    let mut pixels = Pixmap::new(side as u32, side as u32).expect("pixels");
    resvg::render(&tree, Transform::from_scale(8.0, 8.0), &mut pixels.as_mut());
    let grey = |x: usize, y: usize| pixels.pixel(x as u32, y as u32).expect("pixel").red();
    let side = side as usize;
    let mut seen = rqrr::PreparedImage::prepare_from_greyscale(side, side, grey);
    let grids = seen.detect_grids();
    assert_eq!(grids.len(), 1, "{svg}");
    grids[0].decode().expect("a code").1
}

#[tokio::test]
async fn qr_code_links_to_own_origin_only() {
    let server = Server::start_with(&["--public-origin", "https://sprong.example"]).await;
    let long = format!("/{}", "a".repeat(199));
    for path in ["/", "/AbCdEfGh", &*long] {
        let sent = fetch(&server, &format!("/picture/qr.svg?path={path}")).await;
        assert_eq!(sent.status, 200);
        assert_eq!(read_code(&sent.text()), format!("https://sprong.example{path}"));
    }
    for path in ["", "x", "//evil.example", "/%5Cevil.example", "https://evil.example/", "/a%20b"] {
        let sent = fetch(&server, &format!("/picture/qr.svg?path={path}")).await;
        assert_eq!((sent.status, sent.reason()), (400, json!("badPath")), "{path}");
    }
    let sent = fetch(&server, &format!("/picture/qr.svg?path={long}a")).await;
    assert_eq!((sent.status, sent.reason()), (400, json!("badPath")));
    assert_eq!(fetch(&server, "/picture/qr.svg").await.status, 400);
    server.stop().await;

    let server = Server::start().await;
    let sent = fetch(&server, "/picture/qr.svg?path=/AbCdEfGh").await;
    assert_eq!(read_code(&sent.text()), format!("http://{}/AbCdEfGh", server.addr));
    server.stop().await;
}
