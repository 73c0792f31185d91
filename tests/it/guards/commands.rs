//! Authorization of game commands and of access to other users' resources.

use super::{ROLES, Scene};
use crate::support::socket::Socket;
use reqwest::Method;
use serde_json::{Value, json};

/// Sends a command. Returns the reason of its refusal, or `ack`.
async fn send_command(socket: &mut Socket, t: &str, d: Value) -> String {
    let cid = json!(socket.command(t, d).await);
    loop {
        let message = socket.next().await.expect("message");
        match message["t"].as_str() {
            Some("ack") if message["d"]["cid"] == cid => return "ack".to_owned(),
            Some("refused") if message["d"]["cid"] == cid => {
                assert!(message["d"]["error"].as_str().is_some_and(|error| error.ends_with('.')));
                return message["d"]["reason"].as_str().expect("reason").to_owned();
            }
            _ => {}
        }
    }
}

#[tokio::test]
async fn socket_commands_are_authorized_by_role() {
    let scene = Scene::start().await;
    let mut sockets = Vec::new();
    for player in &scene.clients {
        let mut socket = player.socket(&format!("/ws/game/{}", scene.id)).await;
        socket.until("full").await;
        sockets.push(socket);
    }
    let before = scene.game().await;
    // Commands of others are refused, also unknown ones.
    let commands = [
        ("move", json!({ "u": "g5-f5", "ply": 2 })),
        ("resign", json!({})),
        ("abort", json!({})),
        ("draw", json!({ "answer": "yes" })),
        ("draw", json!({ "answer": "no" })),
        ("draw", json!({ "answer": "claim" })),
        ("takeback", json!({ "answer": "yes" })),
        ("takeback", json!({ "answer": "no" })),
        ("moretime", json!({})),
        ("claim", json!({})),
        ("claim", json!({ "answer": "draw" })),
        ("rematch", json!({ "answer": "yes" })),
        ("rematch", json!({ "answer": "no" })),
        ("rematch", json!({ "answer": "ask" })),
        ("rematch", json!({ "answer": "widen" })),
        ("talk", json!({ "room": "player", "text": "hello" })),
        ("nonsense", json!({})),
    ];
    for (t, d) in &commands {
        for who in 2..5 {
            let reason = send_command(&mut sockets[who], t, d.clone()).await;
            let refusals = ["notAPlayer", "anonymous", "unknown", "badFrame", "notOver"];
            assert!(refusals.contains(&reason.as_str()), "{t} {d} of the {}: {reason}", ROLES[who]);
        }
    }
    assert_eq!(scene.game().await["v"], before["v"], "expected no event");
    // Replies to the players and to permitted chat, in this order.
    for (who, t, d, expected) in [
        (1, "move", json!({ "u": "b4-c4", "ply": 2 }), "notYourTurn"),
        (0, "move", json!({ "u": "a1-h8", "ply": 2 }), "illegal"),
        (0, "move", json!({ "u": "g5-f5", "ply": 1 }), "stale"),
        (0, "abort", json!({}), "tooLate"),
        (1, "abort", json!({}), "tooLate"),
        (0, "draw", json!({ "answer": "no" }), "noOffer"),
        (1, "draw", json!({ "answer": "no" }), "noOffer"),
        (0, "rematch", json!({ "answer": "yes" }), "notOver"),
        (1, "talk", json!({ "room": "spectator", "text": "hello" }), "notAPlayer"),
        (1, "talk", json!({ "room": "player", "text": "hello" }), "ack"),
        (2, "talk", json!({ "room": "spectator", "text": "hello" }), "ack"),
        (3, "talk", json!({ "text": "hello" }), "ack"),
        (4, "talk", json!({ "text": "hello" }), "anonymous"),
        (1, "draw", json!({ "answer": "yes" }), "ack"),
        (1, "draw", json!({ "answer": "yes" }), "tooSoon"),
        (0, "draw", json!({ "answer": "no" }), "ack"),
        (0, "move", json!({ "u": "g5-f5", "ply": 2 }), "ack"),
        (0, "move", json!({ "u": "f5-e5", "ply": 3 }), "notYourTurn"),
        (1, "resign", json!({}), "ack"),
        (0, "resign", json!({}), "over"),
        (0, "move", json!({ "u": "f5-e5", "ply": 3 }), "over"),
        (0, "draw", json!({ "answer": "yes" }), "over"),
    ] {
        let reply = send_command(&mut sockets[who], t, d.clone()).await;
        assert_eq!(reply, expected, "{t} {d} of the {}", ROLES[who]);
    }
    assert_eq!(scene.game().await["end"]["winner"], "first");
    scene.server.stop().await;
}

#[tokio::test]
async fn http_commands_are_authorized_by_role() {
    let mut scene = Scene::start().await;
    let before = scene.game().await;
    let board = format!("/api/board/game/{}", scene.id);
    let routes = [
        "move/g5-f5",
        "resign",
        "abort",
        "draw/yes",
        "draw/no",
        "rematch/yes",
        "rematch/no",
        "rematch/ask",
        "rematch/casual",
        "rematch/widen",
        "takeback/yes",
        "takeback/no",
        "claim-victory",
        "claim-draw",
        "chat",
    ];
    for route in routes {
        for (who, player) in scene.clients.iter_mut().enumerate().skip(2) {
            let text = json!({ "text": "hello" });
            let (status, body) = player.post(&format!("{board}/{route}"), text).await;
            let reply = (status, body["reason"].as_str());
            let refusals = [
                (400, Some("notAPlayer")),
                (400, Some("notOver")),
                (401, Some("anonymous")),
                (404, None),
            ];
            assert!(refusals.contains(&reply), "{route} of the {}: {body}", ROLES[who]);
        }
        // A token without the scope `board:play` cannot play, and a human account cannot use the
        // bot API.
        let mut program = scene.clients[0].api_client("challenge:read").await;
        let status = program.post(&format!("{board}/{route}"), json!({ "text": "hello" })).await.0;
        assert!([403, 404].contains(&status), "{route}: {status}");
        let as_bot = format!("/api/bot/game/{}/{route}", scene.id);
        let status = scene.clients[0].post(&as_bot, json!({ "text": "hello" })).await.0;
        assert!([403, 404].contains(&status), "{route}: {status}");
    }
    assert_eq!(scene.game().await["v"], before["v"], "expected no event");
    assert_eq!(scene.clients[0].post(&format!("{board}/move/g5-f5"), json!({})).await.0, 200);
    scene.server.stop().await;
}

#[tokio::test]
async fn ids_of_other_users_grant_no_access() {
    let mut scene = Scene::start().await;
    let eve = 2;
    let mut ann = scene.clients[0].clone();
    let challenge = ann.challenge(json!({ "variant": "hogga" })).await;
    let direct = ann.post("/api/challenge/bob", json!({ "variant": "hogga" })).await.1;
    let direct = direct["id"].as_str().expect("id").to_owned();
    ann.api_client("board:play").await;
    let (_, tokens) = ann.get("/api/token").await;
    let token = tokens.pointer("/tokens/0/id").or(tokens.pointer("/0/id")).expect("token");
    let (_, sessions) = ann.get("/api/account/sessions").await;
    let session = sessions["sessions"][0]["id"].as_str().expect("session").to_owned();
    let message = json!({ "text": "between us" });
    ann.post(&format!("/api/board/game/{}/chat", scene.id), message).await;
    let token = token.as_str().expect("id");
    for (method, path) in [
        (Method::DELETE, format!("/api/account/sessions/{session}")),
        (Method::POST, format!("/api/account/sessions/{session}/revoke")),
        (Method::DELETE, format!("/api/token/{token}")),
        (Method::DELETE, format!("/api/token?id={token}")),
        (Method::POST, format!("/api/challenge/{challenge}/cancel")),
        (Method::POST, format!("/api/challenge/{challenge}/ready")),
        (Method::POST, format!("/api/challenge/{direct}/accept")),
        (Method::POST, format!("/api/challenge/{direct}/decline")),
        (Method::POST, format!("/api/challenge/{direct}/cancel")),
        (Method::GET, format!("/api/board/game/stream/{}", scene.id)),
    ] {
        let as_json = |builder: reqwest::RequestBuilder| match method {
            Method::POST => builder.json(&json!({ "answer": "yes" })),
            _ => builder,
        };
        let (status, body) = scene.clients[eve].send(as_json, method.clone(), &path).await;
        assert!((400..410).contains(&status), "{method} {path}: {status} {body}");
    }
    // Nothing has changed, and the players' chat stays private.
    assert_eq!(ann.get("/api/account").await.0, 200);
    assert_eq!(ann.get(&format!("/api/challenge/{challenge}/show")).await.1["status"], "created");
    assert_eq!(ann.get(&format!("/api/challenge/{direct}/show")).await.1["status"], "created");
    assert_eq!(ann.get("/api/token").await.1.to_string().matches(token).count(), 1);
    for (who, lines) in [(0, 1), (1, 1), (2, 0), (3, 0), (4, 0)] {
        let (_, game) = scene.clients[who].get(&format!("/api/game/{}", scene.id)).await;
        assert_eq!(game["chat"].as_array().map(Vec::len), Some(lines), "{}", ROLES[who]);
        let (_, chat) = scene.clients[who].get(&format!("/api/board/game/{}/chat", scene.id)).await;
        assert_eq!(chat.as_array().map(Vec::len), Some(lines), "{}", ROLES[who]);
        let mut socket = scene.clients[who].socket(&format!("/ws/game/{}", scene.id)).await;
        let full = socket.until("full").await;
        assert_eq!(full["d"]["chat"].as_array().map(Vec::len), Some(lines), "{}", ROLES[who]);
    }
    scene.server.stop().await;
}
