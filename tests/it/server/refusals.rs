//! Refusals of invalid requests, messages and sockets.

use super::{open_game, spectator_state};
use crate::support::client::{Player, Server};
use reqwest::Method;
use serde_json::json;
use tokio_tungstenite::tungstenite::{Error as WsError, Message};
use uuid::Uuid;

#[tokio::test]
async fn invalid_requests_are_refused() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let eve = server.player("Eve").await;
    let id = ann.start_game(&mut bob, "caterpillarWar", json!({})).await;
    let path = |rest: &str| format!("/api/board/game/{id}/{rest}");
    let mut players = [ann, bob, eve, Player::anonymous(server.addr)];
    let (ann, bob, eve, nobody) = (0, 1, 2, 3);
    for (player, rest, status, reason) in [
        (eve, path("move/h5-g5"), 400, "notAPlayer"),
        (eve, path("resign"), 400, "notAPlayer"),
        (bob, path("move/a4-b4"), 400, "notYourTurn"),
        (ann, path("move/a4-b4"), 400, "illegal"),
        (ann, path("move/%F0%9F%90%9B"), 400, "illegal"),
        (ann, path("draw/no"), 400, "noOffer"),
        (ann, path("draw/yes"), 400, "tooSoon"),
        (ann, path("draw/perhaps"), 400, "badField"),
        (ann, path("takeback/perhaps"), 400, "badField"),
        (ann, path("rematch/perhaps"), 400, "badField"),
        (nobody, path("resign"), 401, "anonymous"),
    ] {
        let (code, body) = players[player].post(&rest, json!({})).await;
        assert_eq!((code, &body["reason"]), (status, &json!(reason)), "{rest}");
    }
    for unknown in [
        "/api/board/game/zzzzzzzz/resign",
        "/api/board/game/x/resign",
        "/api/nothing",
        "/api/challenge/zzzzzzzz/accept",
        "/api/challenge/..%2F..%2F/accept",
    ] {
        let (code, body) = players[ann].post(unknown, json!({})).await;
        assert_eq!((code, body), (404, json!({ "error": "Not found." })), "{unknown}");
    }
    let unreadable = players[ann].post("/api/board/game/abcdefgh/move/%ff", json!({})).await;
    assert_eq!((unreadable.0, &unreadable.1["reason"]), (400, &json!("badRequest")));
    let large = json!({ "variant": "x".repeat(1_000_000) });
    let large = players[ann].post("/api/position", large).await;
    assert_eq!((large.0, &large.1["reason"]), (413, &json!("tooLarge")));
    let large = "x".repeat(1_000_000);
    for (body, status, reason) in [
        ("{\"variant\":".to_owned(), 400, "badBody"),
        ("[1,2]".to_owned(), 400, "badBody"),
        ("\u{0}".to_owned(), 400, "badBody"),
        ("[".repeat(20_000), 400, "badBody"),
        (format!("{{\"variant\":\"{large}\"}}"), 413, "tooLarge"),
    ] {
        let send = |builder: reqwest::RequestBuilder| {
            builder.header("content-type", "application/json").body(body)
        };
        let (code, response) = players[ann].send(send, Method::POST, "/api/challenge").await;
        assert_eq!((code, &response["reason"]), (status, &json!(reason)), "{response}");
    }
    assert_eq!(players[ann].post(&path("move/h5-g5"), json!({})).await.0, 200);
    assert_eq!(spectator_state(&server, &id).await["state"]["moves"], "h5-g5");
    server.stop().await;
}

#[tokio::test]
async fn invalid_messages_are_refused() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = ann.start_game(&mut bob, "caterpillarWar", json!({})).await;
    let (first, _) = open_game(&ann, &id).await;
    let (second, _) = open_game(&bob, &id).await;
    let (eve, _) = open_game(&server.player("Eve").await, &id).await;
    let (nobody, _) = open_game(&Player::anonymous(server.addr), &id).await;
    let cid = Uuid::now_v7();
    let mut sockets = [first, second, eve, nobody];
    let (first, second, eve, nobody) = (0, 1, 2, 3);
    for (socket, text, reason) in [
        (first, "nonsense".to_owned(), "badFrame"),
        (first, "{}".to_owned(), "badFrame"),
        (first, "{\"t\":7}".to_owned(), "badFrame"),
        (first, "{\"t\":\"move\",\"d\":{\"cid\":\"x\"}}".to_owned(), "badFrame"),
        (first, "{\"t\":\"move\",\"d\":{\"u\":\"h5-g5\",\"ply\":0}}".to_owned(), "badFrame"),
        (first, "{\"t\":\"move\",\"d\":{\"u\":\"h5-g5\",\"ply\":-1}}".to_owned(), "badFrame"),
        (first, json!({ "t": "move", "d": { "cid": cid, "ply": 0 } }).to_string(), "badFrame"),
        (first, json!({ "t": "castle", "d": { "cid": cid } }).to_string(), "unknown"),
        (
            first,
            json!({ "t": "move", "d": { "cid": cid, "u": "a4-b4", "ply": 0 } }).to_string(),
            "illegal",
        ),
        (
            first,
            json!({ "t": "move", "d": { "cid": cid, "u": "h5-g5", "ply": 1 } }).to_string(),
            "stale",
        ),
        (
            second,
            json!({ "t": "move", "d": { "cid": cid, "u": "a4-b4", "ply": 0 } }).to_string(),
            "notYourTurn",
        ),
        (
            second,
            json!({ "t": "draw", "d": { "cid": cid, "answer": "perhaps" } }).to_string(),
            "badFrame",
        ),
        (
            eve,
            json!({ "t": "move", "d": { "cid": cid, "u": "h5-g5", "ply": 0 } }).to_string(),
            "notAPlayer",
        ),
        (eve, json!({ "t": "resign", "d": { "cid": cid } }).to_string(), "notAPlayer"),
        (
            eve,
            json!({ "t": "talk", "d": { "cid": cid, "text": "hi", "room": "player" } }).to_string(),
            "notAPlayer",
        ),
        (first, json!({ "t": "talk", "d": { "cid": cid, "text": " \n" } }).to_string(), "empty"),
        (
            first,
            json!({ "t": "talk", "d": { "cid": cid, "text": "x".repeat(301) } }).to_string(),
            "tooLong",
        ),
        (
            nobody,
            json!({ "t": "talk", "d": { "cid": cid, "text": "hi" } }).to_string(),
            "anonymous",
        ),
    ] {
        sockets[socket].send_text(&text).await;
        let refused = sockets[socket].until("refused").await;
        assert_eq!(refused["d"]["reason"], reason, "{text}");
        assert!(refused["d"]["error"].as_str().is_some_and(|error| !error.is_empty()));
    }
    // A repeated frame is answered each time and executed once.
    let frame = json!({ "t": "move", "d": { "cid": cid, "u": "h5-g5", "ply": 0 } });
    for _ in 0..2 {
        sockets[first].send(frame.clone()).await;
        assert_eq!(sockets[first].until("ack").await["d"], json!({ "cid": cid, "v": 1 }));
    }
    assert_eq!(spectator_state(&server, &id).await["state"]["moves"], "h5-g5");
    for (message, code) in [
        (Message::text("x".repeat(1_000_000)), 1009),
        (Message::text("x".repeat(5_000)), 1009),
        (Message::binary(vec![1, 2, 3]), 1003),
    ] {
        let (mut socket, _) = open_game(&ann, &id).await;
        use futures_util::SinkExt;
        socket.0.send(message).await.expect("sent");
        assert_eq!(socket.until_closed().await, code);
    }
    sockets[second].command("move", json!({ "u": "a4-b4", "ply": 1 })).await;
    assert_eq!(sockets[second].until("ack").await["d"]["v"], 2);
    server.stop().await;
}

#[tokio::test]
async fn message_flood_closes_only_its_connection() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = ann.start_game(&mut bob, "knightFight", json!({})).await;
    let (mut flood, _) = open_game(&ann, &id).await;
    let (mut calm, _) = open_game(&ann, &id).await;
    for n in 0..130 {
        use futures_util::SinkExt;
        let ping = json!({ "t": "ping", "d": { "c": n } }).to_string();
        let _ = flood.0.send(Message::text(ping)).await;
    }
    assert_eq!(flood.until_closed().await, 1008);
    calm.send(json!({ "t": "ping", "d": { "c": 1.5 } })).await;
    assert_eq!(calm.until("pong").await["d"]["c"], 1.5);
    server.stop().await;
}

#[tokio::test]
async fn cross_origin_sockets_are_refused() {
    let server = Server::start().await;
    let ann = server.player("Ann").await;
    let own = format!("http://{}", server.addr);
    for origin in [
        None,
        Some("null"),
        Some("http://evil.example"),
        Some(&*format!("{own}.evil.example")),
        Some(&*format!("{own}0")),
        Some("http://127.0.0.1"),
        Some(""),
    ] {
        match ann.socket_from("/ws/lobby", origin).await {
            Err(WsError::Http(response)) => assert_eq!(response.status(), 403, "{origin:?}"),
            Err(other) => panic!("{other}"),
            Ok(_) => panic!("{origin:?} was accepted"),
        }
    }
    assert!(ann.socket_from("/ws/lobby", Some(&own)).await.is_ok());
    let foreign =
        |builder: reqwest::RequestBuilder| builder.header("origin", "http://evil.example");
    let (status, body) = ann.clone().send(foreign, Method::POST, "/api/logout").await;
    assert_eq!((status, &body["reason"]), (403, &json!("foreignOrigin")));
    assert_eq!(ann.get("/api/account").await.0, 200);
    let mut stranger = ann.socket("/ws/game/zzzzzzzz").await;
    assert_eq!(stranger.until_closed().await, 4404);
    server.stop().await;
}
