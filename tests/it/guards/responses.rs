//! Security headers, escaping of user text, and error responses without internals.

use super::Scene;
use crate::support::client::{Player, Server, WAIT_TIMEOUT};
use reqwest::Method;
use serde_json::json;

#[tokio::test]
async fn responses_have_security_headers_and_escape_user_text() {
    let mut scene = Scene::start().await;
    let script = "<script>alert(1)</script>\"'&";
    let path_of = |rest: &str| format!("/api/board/game/{}/{rest}", scene.id);
    let (chat, resign) = (path_of("chat"), path_of("resign"));
    assert_eq!(scene.clients[0].post(&chat, json!({ "text": script })).await.0, 200);
    let profile = json!({ "bio": script, "location": script });
    assert_eq!(scene.clients[0].post("/api/account/profile", profile).await.0, 200);
    let http = reqwest::Client::new();
    let game = &scene.id;
    let mut checked = 0;
    for (path, status, kind) in [
        ("/".to_owned(), 200, "text/html"),
        (format!("/{game}"), 200, "text/html"),
        ("/@/ann".to_owned(), 200, "text/html"),
        ("/no/such/page".to_owned(), 404, "text/html"),
        ("/zzzzzzzz".to_owned(), 404, "text/html"),
        ("/zzzzzzzz/analysis".to_owned(), 404, "text/html"),
        ("/@/nobody-of-that-name".to_owned(), 404, "text/html"),
        ("/api/account".to_owned(), 200, "application/json"),
        ("/api/user/ann".to_owned(), 200, "application/json"),
        (format!("/api/game/{game}"), 200, "application/json"),
        (format!("/game/export/{game}"), 200, ""),
        ("/api/nothing".to_owned(), 404, "application/json"),
        ("/api/challenge/zzzzzzzz/show".to_owned(), 404, "application/json"),
        ("/ws/lobby".to_owned(), 403, "application/json"),
        ("/ws/game/zzzzzzzz".to_owned(), 403, "application/json"),
        ("/api/openapi.json".to_owned(), 200, "application/json"),
        ("/api/docs".to_owned(), 200, "text/html"),
        ("/api/user/ann/games".to_owned(), 200, ""),
        ("/healthz".to_owned(), 200, "text/plain"),
    ] {
        let request = http.get(format!("http://{}{path}", scene.server.addr));
        let request = request.header("cookie", scene.clients[0].cookie.as_deref().expect("cookie"));
        let response = request.send().await.expect("answer");
        let headers = response.headers().clone();
        let header = |name: &str| {
            let value = headers.get(name).and_then(|value| value.to_str().ok());
            value.unwrap_or_else(|| panic!("{path} without {name}")).to_owned()
        };
        if path != "/@/ann" {
            assert_eq!(response.status().as_u16(), status, "{path}");
        }
        assert!(header("content-type").starts_with(kind), "{path}: {}", header("content-type"));
        assert_eq!(header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(header("referrer-policy"), "same-origin", "{path}");
        let policy = header("content-security-policy");
        for part in
            ["default-src 'self'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"]
        {
            assert!(policy.contains(part), "{path}: {policy}");
        }
        // WebAssembly may run, for the rules; inline scripts may not.
        let scripts = policy.split("; ").find(|part| part.starts_with("script-src"));
        assert_eq!(scripts, Some("script-src 'self' 'wasm-unsafe-eval'"), "{path}: {policy}");
        assert!(!policy.contains("'unsafe-") && !policy.contains("style-src"), "{path}: {policy}");
        let content_type = header("content-type");
        let body = response.text().await.expect("text");
        assert!(!content_type.starts_with("text/html") || !body.contains("alert(1)"), "{path}");
        checked += 1;
    }
    assert_eq!(checked, 19);
    let (_, game_state) = scene.clients[1].get(&format!("/api/game/{game}")).await;
    assert_eq!(game_state["chat"][0]["text"], script);
    // Control and direction characters are removed from chat, and invalid names are refused.
    let turned = json!({ "text": "a\u{202e}b\u{0}c\u{1b}[31md\u{2066}" });
    scene.clients[1].post(&chat, turned).await;
    let (_, game_state) = scene.clients[1].get(&format!("/api/game/{game}")).await;
    assert_eq!(game_state["chat"][1]["text"], "abc[31md");
    let who = json!({ "username": "<b>Ann", "password": "correct-horse" });
    assert_eq!(scene.clients[4].post("/api/register", who).await.0, 400);
    assert_eq!(scene.clients[0].post(&resign, json!({})).await.0, 200);
    scene.server.stop().await;
}

#[tokio::test]
async fn isolation_headers_depend_on_route_and_origin() {
    let (hsts, coop, corp) =
        ("strict-transport-security", "cross-origin-opener-policy", "cross-origin-resource-policy");
    for (arguments, strict, opener) in [
        (&[][..], None, None),
        (&["--public-origin", "http://sprong.example"][..], None, None),
        (
            &["--public-origin", "https://sprong.example"][..],
            Some("max-age=31536000"),
            Some("same-origin"),
        ),
    ] {
        let server = Server::start_with(arguments).await;
        for (path, resource) in [
            ("/", "same-origin"),
            ("/no/such/page", "same-origin"),
            ("/api/variants", "same-origin"),
            ("/healthz", "same-origin"),
            ("/picture/variant/hogga.svg", "cross-origin"),
            ("/picture/variant/chess.svg", "cross-origin"),
        ] {
            let url = format!("http://{}{path}", server.addr);
            let response = reqwest::get(url).await.expect("answer");
            let header = |name: &str| response.headers().get(name).map(|value| value.as_bytes());
            for (name, value) in [(hsts, strict), (coop, opener), (corp, Some(resource))] {
                assert_eq!(header(name), value.map(str::as_bytes), "{path} {name} {arguments:?}");
            }
        }
        server.stop().await;
    }
}

#[tokio::test]
async fn invisible_text_is_refused() {
    let mut scene = Scene::start().await;
    let chat = format!("/api/board/game/{}/chat", scene.id);
    let ann = &mut scene.clients[0];
    for text in ["\u{200b}\u{2060}\u{feff}", "\n".repeat(250).as_str(), "\u{3164} \u{2800}"] {
        let (status, response) = ann.post(&chat, json!({ "text": text })).await;
        assert_eq!((status, &response["reason"]), (400, &json!("empty")), "{text:?}");
    }
    let stacked = format!("z{}", "\u{301}".repeat(200));
    assert_eq!(ann.post(&chat, json!({ "text": stacked })).await.0, 200);
    let (_, messages) = ann.get(&chat).await;
    assert_eq!(messages[0]["text"], "z\u{301}\u{301}\u{301}\u{301}");
    let bio = async |ann: &mut Player, text: &str| {
        let (status, body) = ann.post("/api/account/profile", json!({ "bio": text })).await;
        let (_, account) = ann.get("/api/account").await;
        (status, body["reason"].clone(), account["profile"]["bio"].clone())
    };
    for (text, expected_text) in [
        ("a\nb\nc\nd\ne\n\n", (200, json!(null), json!("a\nb\nc\nd\ne"))),
        ("a\nb\nc\nd\ne\nf", (400, json!("tooManyLines"), json!("a\nb\nc\nd\ne"))),
        (
            &*format!("a{}b", "\u{2028}".repeat(250)),
            (400, json!("tooManyLines"), json!("a\nb\nc\nd\ne")),
        ),
        ("\u{200b}\u{ad}", (200, json!(null), json!(""))),
    ] {
        assert_eq!(bio(ann, text).await, expected_text, "{text:?}");
    }
    for (name, status) in [("adm1n", 400), ("root1", 400), ("Mod3rat0r_9", 400), ("Anna1", 201)] {
        let who = json!({ "username": name, "password": "correct-horse" });
        let (status_code, body) =
            Player::anonymous(scene.server.addr).post("/api/register", who).await;
        assert_eq!(status_code, status, "{name}: {body}");
        assert!(status == 201 || body["reason"] == "badName", "{name}: {body}");
    }
    scene.server.stop().await;
}

#[tokio::test]
async fn error_responses_reveal_no_internals() {
    let mut scene = Scene::start().await;
    let broken = std::process::Command::new("sqlite3")
        .arg(scene.server.path())
        .arg("PRAGMA foreign_keys = OFF; DROP TABLE block; DROP TABLE tally; DROP TABLE rating_point;
              ALTER TABLE game RENAME COLUMN plies TO gone;")
        .status();
    assert!(broken.expect("sqlite3").success());
    let game = scene.id.clone();
    let mut server_errors = 0;
    for (method, path) in [
        (Method::GET, "/api/lobby".to_owned()),
        (Method::GET, "/api/user/ann".to_owned()),
        (Method::GET, "/api/user/ann/games".to_owned()),
        (Method::GET, "/api/user/ann/rating-history".to_owned()),
        (Method::GET, format!("/api/game/{game}")),
        (Method::GET, format!("/game/export/{game}")),
        (Method::GET, "/api/account/playing".to_owned()),
        (Method::POST, format!("/api/board/game/{game}/resign")),
        (Method::POST, "/api/rel/block/bob".to_owned()),
        (Method::POST, "/api/challenge/bob".to_owned()),
    ] {
        let (status, body) = scene.clients[0].send(|b| b, method, &path).await;
        server_errors += usize::from(status >= 500);
        let text = body.to_string().to_lowercase();
        for forbidden_text in
            ["sql", "table", "column", "select", "/tmp", ".rs", "panic", "sprong.db", "block"]
        {
            assert!(!text.contains(forbidden_text), "{path}: {text}");
        }
        if status >= 500 {
            let reason = body["reason"].as_str().expect("reason");
            assert!(["broken", "notStored"].contains(&reason), "{path}: {body}");
        }
    }
    assert!(server_errors >= 4, "expected at least 4 server errors, found {server_errors}");
    // Requests that need no broken table still succeed.
    assert_eq!(scene.clients[1].get("/api/variants").await.0, 200);
    let stopped = tokio::time::timeout(WAIT_TIMEOUT, scene.server.stop());
    stopped.await.expect("an end");
}

/// Requests that accept neither the plain response nor a compressed one are refused before they
/// have an effect (RFC 9110 §12.5.3 and §15.5.7), with the JSON of all other errors.
#[tokio::test]
async fn unacceptable_codings_are_refused_without_effect() {
    let server = Server::start().await;
    let ann = server.player("Ann").await;
    let cookie = ann.cookie.clone().expect("cookie");
    let http = reqwest::Client::new();
    let send = async |method: Method, path: &str, codings: &str| {
        let request = http.request(method, format!("http://{}{path}", server.addr));
        let request = request.header("accept-encoding", codings).header("cookie", &cookie);
        request.json(&json!({ "variant": "hogga", "days": 3 })).send().await.expect("answer")
    };
    let paths = [
        "/",
        "/rules",
        "/css/base.css",
        "/sw.js",
        "/api/account",
        "/api/nothing",
        "/player",
        "/picture/logo.svg",
    ];
    for path in paths {
        for codings in
            ["identity;q=0", "*;q=0", "zstd, identity; q=0.000", "gzip;q=0, br;Q=0, *;q=0"]
        {
            let response = send(Method::GET, path, codings).await;
            assert_eq!(response.status(), 406, "{path} {codings}");
            let headers = response.headers();
            assert_eq!(headers["content-type"], "application/json", "{path}");
            assert_eq!(headers["cache-control"], "no-store", "{path}");
            assert_eq!(headers["vary"], "Accept-Encoding", "{path}");
            assert_eq!(headers.get("etag"), None, "{path}");
            let body: serde_json::Value = response.json().await.expect("JSON");
            assert_eq!(body["reason"], "notAcceptable", "{path}: {body}");
        }
        for codings in
            ["", "gzip, identity;q=0", "*", "zstd", "identity;q=0.5, *;q=0", "*;q=0, identity"]
        {
            let response = send(Method::GET, path, codings).await;
            assert_ne!(response.status(), 406, "{path} {codings}");
        }
    }
    let open = async || {
        let (_, listed) = ann.get("/api/challenge").await;
        listed["out"].as_array().expect("challenges").len()
    };
    let refused = send(Method::POST, "/api/challenge", "identity;q=0").await;
    assert_eq!((refused.status().as_u16(), open().await), (406, 0));
    let created = send(Method::POST, "/api/challenge", "gzip, identity;q=0").await;
    assert_eq!((created.status().as_u16(), open().await), (201, 1));
    server.stop().await;
}
