//! Rate limits of chat, guests, challenges, reads, connections and logins.

use super::ReferenceGame;
use crate::support::client::Player;
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::json;
use std::time::Instant;

#[tokio::test]
async fn chat_limit_holds_across_sockets_and_http() {
    let calm = ReferenceGame::start(&["--chat-limit", "5"]).await;
    let mut eve = calm.server.player("Eve").await;
    let path = format!("/ws/game/{}", calm.id);
    let mut sockets = [eve.socket(&path).await, eve.socket(&path).await];
    let began = Instant::now();
    let mut sent = 0;
    // The limit regains a line every 2 s, which counts on a slow machine.
    let most = |began: Instant| 5 + (began.elapsed().as_millis() / 2_000) as usize;
    for n in 0.. {
        sockets[n % 2].command("talk", json!({ "text": format!("line {n}") })).await;
        let response = loop {
            let message = sockets[n % 2].next().await.expect("message");
            if message["t"] == "ack" || message["t"] == "refused" {
                break message;
            }
        };
        if response["t"] == "refused" {
            assert_eq!(response["d"]["reason"], "tooFast");
            break;
        }
        sent += 1;
        assert!(sent <= most(began), "{sent} lines");
    }
    assert!(sent >= 5, "{sent} lines");
    let chat_message = json!({ "room": "spectator", "text": "again" });
    let chat = format!("/api/board/game/{}/chat", calm.id);
    let body = loop {
        let (status, body) = eve.post(&chat, chat_message.clone()).await;
        if status != 200 {
            assert_eq!((status, &body["reason"]), (429, &json!("tooFast")));
            break body;
        }
        sent += 1;
        assert!(sent <= most(began), "{sent} lines");
    };
    assert!(body["error"].as_str().is_some_and(|error| error.ends_with(" s.")), "{body}");
    let mut dan = calm.server.player("Dan").await;
    assert_eq!(dan.post(&chat, chat_message).await.0, 200, "expected no limit for others");
    calm.finish().await;
}

#[tokio::test]
async fn guests_and_challenges_per_address_are_limited() {
    let limits = ["--guest-limit", "6", "--write-limit", "40", "--trusted-proxy", "127.0.0.1"];
    let mut calm = ReferenceGame::start(&limits).await;
    let from = |address: &'static str| {
        move |builder: reqwest::RequestBuilder| builder.header("x-forwarded-for", address)
    };
    let began = Instant::now();
    let mut guests = Vec::new();
    for _ in 0..20 {
        let mut guest = Player::anonymous(calm.addr());
        let (status, body) = guest.send(from("6.6.6.6"), Method::POST, "/api/guest").await;
        match status {
            201 => guests.push(guest),
            _ => assert_eq!((status, &body["reason"]), (429, &json!("tooFast"))),
        }
    }
    // The limits regain a guest every 10 s and a request every 1.5 s, which counts on a slow
    // machine.
    let guests_max = 6 + (began.elapsed().as_millis() / 10_000) as usize;
    assert!((6..=guests_max).contains(&guests.len()), "{} guests", guests.len());
    let (mut created, mut refused) = (0, 0);
    for _ in 0..20 {
        for guest in &mut guests {
            let challenge = |builder: reqwest::RequestBuilder| {
                from("6.6.6.6")(builder).json(&json!({ "variant": "hogga" }))
            };
            let (status, body) = guest.send(challenge, Method::POST, "/api/challenge").await;
            match status {
                201 => created += 1,
                _ => {
                    assert!(
                        ["tooFast", "tooMany"].contains(&body["reason"].as_str().expect("reason"))
                    );
                    refused += 1;
                }
            }
        }
        calm.play(1).await;
    }
    let made_max = 20 + began.elapsed().as_millis() / 1_500;
    assert!((1..=made_max).contains(&created) && refused > 0, "{created} made, {refused} refused");
    let mut other = Player::anonymous(calm.addr());
    assert_eq!(other.send(from("7.7.7.7"), Method::POST, "/api/guest").await.0, 201);
    calm.finish().await;
}

#[tokio::test]
async fn reads_per_address_are_limited_without_affecting_others() {
    let mut calm =
        ReferenceGame::start(&["--read-limit", "20", "--trusted-proxy", "127.0.0.1"]).await;
    let (http, url) = (reqwest::Client::new(), format!("http://{}", calm.addr()));
    let request = |address: &str, path: &str, headers: &[(&str, &str)]| {
        let mut request = http.get(format!("{url}{path}")).header("x-forwarded-for", address);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        async { request.send().await.expect("an answer") }
    };
    // Cross-site requests are refused and do not count against the limit.
    let foreign = [("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "no-cors")];
    for _ in 0..30 {
        assert_eq!(request("6.6.6.6", "/api/games/live", &foreign).await.status(), 403);
    }
    let linked = [("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")];
    assert_eq!(request("6.6.6.6", "/api/games/live", &linked).await.status(), 200);
    // A WebSocket is refused before its upgrade.
    let socket = [
        ("connection", "Upgrade"),
        ("upgrade", "websocket"),
        ("sec-websocket-version", "13"),
        ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
        ("origin", &*url),
    ];
    let game = format!("/api/game/{}", calm.id);
    let paths = [&*game, "/ws/lobby", "/game/export/zzzzzzzz", "/api/openapi.json", "/readyz"];
    let begun = Instant::now();
    let headers = |path: &str| if path == "/ws/lobby" { &socket[..] } else { &[] };
    let requests = (0..60).map(|n| request("6.6.6.6", paths[n % 5], headers(paths[n % 5])));
    let responses = join_all(requests).await;
    let most = 20 + begun.elapsed().as_millis() / 500;
    let (refused, served): (Vec<_>, Vec<_>) =
        responses.iter().enumerate().partition(|(_, response)| response.status() == 429);
    assert!((19..=most as usize).contains(&served.len()), "{} were answered", served.len());
    assert!(served.iter().any(|(_, response)| response.status() == 101), "expected an upgrade");
    for (index, path) in paths.iter().enumerate() {
        assert!(refused.iter().any(|(n, _)| n % 5 == index), "expected a limit: {path}");
    }
    for (_, response) in refused {
        let wait = response.headers()["retry-after"].to_str().expect("text").parse::<u64>();
        assert!((1..=10).contains(&wait.expect("seconds")));
    }
    assert_eq!(request("7.7.7.7", &game, &[]).await.status(), 200);
    calm.play(1).await;
    calm.finish().await;
}

#[tokio::test]
async fn login_flood_is_refused_without_blocking_play() {
    let mut calm = ReferenceGame::start(&["--login-limit", "8"]).await;
    let addr = calm.addr();
    let tries = (0..150).map(|n| async move {
        let who = json!({ "username": format!("name{n}"), "password": "wrong-horse" });
        Player::anonymous(addr).post("/api/login", who).await.0
    });
    let began = Instant::now();
    let flood = tokio::spawn(join_all(tries));
    while !flood.is_finished() {
        calm.play(1).await;
    }
    let codes = flood.await.expect("answers");
    // The registrations of Ann and Bob count, too.
    let tried = codes.iter().filter(|code| **code == 401).count();
    let tried_max = 8 + (began.elapsed().as_millis() / 7_500) as usize;
    assert!((6..=tried_max).contains(&tried), "{tried} logins were tried");
    assert!(codes.iter().all(|code| [401, 429].contains(code)), "{codes:?}");
    calm.finish().await;
}
