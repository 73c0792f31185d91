//! Requests for images.

use crate::support::client::Server;
use reqwest::header::HeaderMap;
use serde_json::Value;

/// Response with an image or a refusal.
pub struct ImageResponse {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl ImageResponse {
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().expect("text"))
    }

    pub fn text(&self) -> String {
        String::from_utf8(self.body.clone()).expect("UTF-8")
    }

    /// Returns the reason code of a refusal.
    pub fn reason(&self) -> Value {
        assert_eq!(self.header("content-type"), "application/json");
        assert_eq!(self.header("cache-control"), "no-store");
        let body: Value = serde_json::from_slice(&self.body).expect("JSON");
        assert!(body["error"].is_string(), "{body}");
        body["reason"].clone()
    }
}

pub async fn fetch_with(
    server: &Server,
    path: &str,
    headers: &[(&'static str, &str)],
) -> ImageResponse {
    let mut request = reqwest::Client::new().get(format!("http://{}{path}", server.addr));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let response = request.send().await.expect("a response");
    let (status, head) = (response.status().as_u16(), response.headers().clone());
    ImageResponse { status, headers: head, body: response.bytes().await.expect("body").to_vec() }
}

pub async fn fetch(server: &Server, path: &str) -> ImageResponse {
    fetch_with(server, path, &[]).await
}

/// Returns width and height of a PNG, as its header says.
pub fn png_size(sent: &ImageResponse) -> [u32; 2] {
    assert_eq!(sent.header("content-type"), "image/png");
    assert_eq!(&sent.body[..8], b"\x89PNG\r\n\x1a\n");
    [16, 20].map(|at| u32::from_be_bytes(sent.body[at..at + 4].try_into().expect("four bytes")))
}
