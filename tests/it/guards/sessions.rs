//! Sessions: cookies, login links, revocation, and client addresses behind proxies.

use super::Scene;
use crate::support::client::{Player, Server};
use crate::support::socket::Socket;
use reqwest::Method;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Opens every kind of WebSocket and waits for its first message.
async fn open_all_sockets(player: &Player, game: &str) -> Vec<Socket> {
    let mut sockets = Vec::new();
    for (path, first) in [
        ("/ws/lobby".to_owned(), "full"),
        ("/ws/me".to_owned(), "hello"),
        (format!("/ws/game/{game}"), "full"),
    ] {
        let mut socket = player.socket(&path).await;
        socket.until(first).await;
        sockets.push(socket);
    }
    sockets
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn logout_password_change_and_ban_close_all_sockets() {
    let mut scene = Scene::start().await;
    let (game, bob) = (scene.id.clone(), scene.clients[1].clone());
    let mut bystander = open_all_sockets(&bob, &game).await;
    let credentials = |password: &str| json!({ "username": "ann", "password": password });
    for action in ["logout", "password", "ban"] {
        let password = if action == "ban" { "battery-staple" } else { "correct-horse" };
        let mut session = Player::anonymous(scene.server.addr);
        assert_eq!(session.post("/api/login", credentials(password)).await.0, 200, "{action}");
        let mut sockets = open_all_sockets(&session, &game).await;
        let mut events = session.open_event_stream().await;
        match action {
            "logout" => assert_eq!(session.post("/api/logout", json!({})).await.0, 200),
            "password" => {
                let new = json!({ "old": "correct-horse", "new": "battery-staple" });
                assert_eq!(scene.clients[0].post("/api/account/password", new).await.0, 200);
            }
            _ => {
                assert!(scene.server.admin(&["close", "Ann"]).0);
            }
        }
        let done = Instant::now();
        for socket in &mut sockets {
            assert_eq!(socket.until_closed().await, 4401, "{action}");
        }
        while events.next().await.is_some() {}
        println!("{action}: all closed after {:.1?}", done.elapsed());
        let status = session.get("/api/account").await.0;
        assert_eq!(status, 401, "{action}");
    }
    for socket in &mut bystander {
        socket.send(json!({ "t": "ping", "d": { "c": 1 } })).await;
        socket.until("pong").await;
    }
    scene.server.stop().await;
}

#[tokio::test]
async fn registration_ends_every_stream_of_the_guest() {
    let server = Server::start().await;
    let (mut guest, mut bob) = (server.guest().await, server.player("Bob").await);
    let game = guest.start_game(&mut bob, "knightFight", json!({ "rated": false })).await;
    let (_, link) = guest.post("/api/account/link", json!({})).await;
    let (_, secret) = link["url"].as_str().expect("url").split_once('#').expect("secret");
    let mut elsewhere = Player::anonymous(server.addr);
    assert_eq!(elsewhere.post("/api/come", json!({ "token": secret })).await.0, 200);
    let board = format!("/api/board/game/stream/{game}");
    let seek = json!({ "variant": "hogga", "time": 5, "increment": 0, "rated": false });
    let mut streams = Vec::new();
    for holder in [&guest, &elsewhere] {
        streams.push(holder.open_event_stream().await);
        streams.push(holder.open_stream(Method::GET, &board, Value::Null).await);
    }
    streams.push(elsewhere.open_stream(Method::POST, "/api/board/seek", seek).await);
    for stream in &mut streams {
        assert!(stream.next().await.is_some(), "expected a first line");
    }
    let who = json!({ "username": "Ann", "password": "correct-horse" });
    assert_eq!(guest.post("/api/register", who).await.0, 201);
    for (at, stream) in streams.iter_mut().enumerate() {
        while let Some(line) = stream.next().await {
            assert!(!line.to_string().contains("Ann"), "{at}: {line}");
        }
    }
    assert_eq!(elsewhere.get("/api/account").await.0, 401);
    server.stop().await;
}

#[tokio::test]
async fn game_stream_ends_with_the_session() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let game = ann.start_game(&mut bob, "hogga", json!({})).await;
    let path = format!("/api/stream/game/{game}");
    let (token, revoked) = (ann.api_client("board:play").await, ann.api_client("board:play").await);
    let mut open_stream = token.open_stream(Method::GET, &path, Value::Null).await;
    let mut ended = Vec::new();
    for holder in [&ann, &revoked] {
        ended.push(holder.open_stream(Method::GET, &path, Value::Null).await);
    }
    for stream in ended.iter_mut().chain([&mut open_stream]) {
        assert!(stream.next().await.is_some(), "expected a first line");
    }
    assert_eq!(revoked.clone().send(|b| b, Method::DELETE, "/api/token").await.0, 200);
    assert_eq!(ann.post("/api/logout", json!({})).await.0, 200);
    let (_, full) = token.get(&format!("/api/game/{game}")).await;
    let u = full["legal"][0].as_str().expect("a move");
    let moved = token.clone().post(&format!("/api/board/game/{game}/move/{u}"), json!({})).await;
    assert_eq!(moved.0, 200);
    assert!(open_stream.next().await.is_some(), "expected the move without delay");
    for mut stream in ended {
        assert!(stream.next().await.is_none(), "expected the end before the next move");
    }
    server.stop().await;
}

#[tokio::test]
async fn login_link_replaces_session_only_if_confirmed() {
    let server = Server::start().await;
    let mut sender = server.guest().await;
    let (_, link) = sender.post("/api/account/link", json!({})).await;
    let (_, secret) = link["url"].as_str().expect("url").split_once('#').expect("secret");
    let mut ann = server.player("Ann").await;
    let game = sender.start_game(&mut ann, "knightFight", json!({ "rated": false })).await;
    for (mut victim, guest) in [(server.guest().await, true), (ann, false)] {
        let before = victim.cookie.clone();
        let mut sockets = open_all_sockets(&victim, &game).await;
        let mut events = victim.open_event_stream().await;
        for body in [json!({ "token": secret }), json!({ "token": secret, "replace": false })] {
            let (status, refused) = victim.post("/api/come", body).await;
            assert_eq!((status, &refused["reason"]), (409, &json!("replacesSession")));
            let (_, own) = victim.get("/api/account").await;
            assert_eq!((&refused["current"], &own["guest"]), (&own["username"], &json!(guest)));
            let (_, linked) = sender.get("/api/account").await;
            assert_eq!(refused["guest"], linked["username"]);
        }
        assert_eq!(victim.cookie, before, "expected the same cookie");
        for socket in &mut sockets {
            socket.send(json!({ "t": "ping", "d": { "c": 1 } })).await;
            socket.until("pong").await;
        }
        let confirmed = json!({ "token": secret, "replace": true });
        assert_eq!(victim.post("/api/come", confirmed).await.1["id"], sender.id.as_str());
        for socket in &mut sockets {
            assert_eq!(socket.until_closed().await, 4401);
        }
        while events.next().await.is_some() {}
        assert_ne!(victim.cookie, before);
        let old = Player { cookie: before, ..victim.clone() };
        assert_eq!(old.get("/api/account").await.0, 401, "expected the previous session to end");
        // A login to the same guest needs no confirmation.
        assert_eq!(victim.post("/api/come", json!({ "token": secret })).await.0, 200);
    }
    server.stop().await;
}

#[tokio::test]
async fn session_cookies_are_protected_and_rotate_with_account() {
    for (origin, name, secure) in
        [(None, "sprong=", false), (Some("https://sprong.example"), "__Host-sprong=", true)]
    {
        let arguments: Vec<&str> =
            origin.iter().flat_map(|origin| ["--public-origin", origin]).collect();
        let server = Server::start_with(&arguments).await;
        let http = reqwest::Client::new();
        let set = async |path: &str, body: Value, cookie: &str| {
            let request = http.post(format!("http://{}{path}", server.addr)).json(&body);
            let response = request.header("cookie", cookie).send().await.expect("answer");
            let set = response.headers().get("set-cookie").expect("cookie");
            let set = set.to_str().expect("text").to_owned();
            assert!(set.starts_with(name), "{set}");
            for flag in ["; HttpOnly", "; SameSite=Lax", "; Path=/;", "; Max-Age="] {
                assert!(set.contains(flag), "{flag}: {set}");
            }
            assert_eq!(set.contains("; Secure"), secure);
            assert!(!set.contains("Domain"), "{set}");
            set.split(';').next().expect("pair").to_owned()
        };
        let is_valid = async |cookie: &str| {
            let request = http.get(format!("http://{}/api/account", server.addr));
            request.header("cookie", cookie).send().await.expect("answer").status() == 200
        };
        let who = json!({ "username": "Ann", "password": "correct-horse" });
        // A cookie chosen by an attacker grants nothing and is replaced (session fixation).
        let forged = format!("{name}{}", "0".repeat(64));
        let guest = set("/api/guest", json!({}), &forged).await;
        let account = set("/api/register", who.clone(), &guest).await;
        assert!(guest != forged && guest != account && guest.len() == name.len() + 64);
        assert!(!is_valid(&guest).await && is_valid(&account).await, "expected a new cookie only");
        let again = set("/api/login", who.clone(), &account).await;
        assert!(again != account && !is_valid(&account).await && is_valid(&again).await);
        let logged_out = set("/api/logout", json!({}), &again).await;
        assert!(logged_out == name && !is_valid(&again).await);
        server.stop().await;
    }
}

#[tokio::test]
async fn forged_forwarded_for_header_is_ignored() {
    for (proxies, is_trusted) in [
        (&[][..], false),
        (&["--trusted-proxy", "127.0.0.1"][..], true),
        (&["--trusted-proxy", "127.0.0.0/8"][..], true),
        (&["--trusted-proxy", "10.0.0.0/8,fd00::/8"][..], false),
    ] {
        let server = Server::start_with(&[&["--guest-limit", "3"], proxies].concat()).await;
        let mut codes = Vec::new();
        for n in 0..6 {
            let mut player = Player::anonymous(server.addr);
            // The client forges the first address. A proxy, if there is one, adds the second.
            let forwarded = format!("9.9.9.{n}, 6.6.6.6:{}", 5000 + n);
            let from =
                |builder: reqwest::RequestBuilder| builder.header("x-forwarded-for", forwarded);
            codes.push(player.send(from, Method::POST, "/api/guest").await.0);
        }
        assert_eq!(codes, [201, 201, 201, 429, 429, 429], "{proxies:?}");
        let mut other = Player::anonymous(server.addr);
        let from = |builder: reqwest::RequestBuilder| {
            builder.header("x-forwarded-for", "7.7.7.7").header("x-real-ip", "8.8.8.8")
        };
        let status = other.send(from, Method::POST, "/api/guest").await.0;
        assert_eq!(status == 201, is_trusted, "expected trust in a known proxy only");
        server.stop().await;
    }
}

#[tokio::test]
async fn login_does_not_reveal_which_names_exist() {
    let server = Server::start().await;
    server.player("Ann").await;
    let mut attacker = Player::anonymous(server.addr);
    let mut took = [Vec::new(), Vec::new()];
    let mut responses = Vec::new();
    // The minimum of many times approximates the work: a busy machine only adds to it.
    let shortest = |times: &Vec<Duration>| times.iter().min().copied().unwrap_or_default();
    let is_same = |[known, unknown]: [Duration; 2]| unknown > known / 4 && known > unknown / 4;
    for round in 0..60 {
        if round >= 6 && is_same([shortest(&took[0]), shortest(&took[1])]) {
            break;
        }
        for (index, name) in ["ann", "nobody-here"].into_iter().enumerate() {
            let who = json!({ "username": name, "password": "wrong-horse" });
            let began = Instant::now();
            responses.push(attacker.post("/api/login", who).await);
            // The first round is a warm-up.
            if round > 0 {
                took[index].push(began.elapsed());
            }
        }
    }
    assert!(
        responses.iter().all(|response| *response == responses[0]) && responses[0].0 == 401,
        "{responses:?}"
    );
    let [known, unknown] = took.map(|times| shortest(&times));
    // Without the password hash, the response would take a fiftieth of the time.
    assert!(is_same([known, unknown]), "{known:?} {unknown:?}");
    server.stop().await;
}
