//! API tokens: their end, the password that a new one needs, and new passwords. Networks of
//! sessions.

use crate::support::client::{Player, Server, refused};
use reqwest::Method;
use serde_json::{Value, json};
use sprong::rooms::now_ms;

const PASSWORD: &str = "correct-horse";

const DAY_MS: i64 = 86_400_000;
const MINUTE_MS: i64 = 60_000;

async fn create(player: &mut Player, fields: Value) -> (u16, Value) {
    let mut form = json!({ "description": "test", "scopes": "challenge:read" });
    form.as_object_mut().expect("fields").append(&mut fields.as_object().expect("fields").clone());
    player.post("/api/token", form).await
}

/// Returns the listed tokens.
async fn tokens(player: &Player) -> Vec<Value> {
    let (status, body) = player.get("/api/token").await;
    assert_eq!(status, 200, "{body}");
    body["tokens"].as_array().expect("tokens").clone()
}

fn client_of(player: &Player, created: &Value) -> Player {
    let token = created["token"].as_str().expect("token").to_owned();
    Player { cookie: None, token: Some(token), ..player.clone() }
}

/// Moves the ends of all tokens into the past.
async fn expire_tokens(server: &Server) {
    let sql = format!("UPDATE token SET expires_ms = {}", now_ms() - 1);
    server.database().await.run(&sql).await;
}

/// Moves the opening of all sessions into the past.
async fn age_sessions(server: &Server, by_ms: i64) {
    let sql = format!("UPDATE session SET created_ms = created_ms - {by_ms}");
    server.database().await.run(&sql).await;
}

/// Returns the networks of the sessions of a player, that of the request first.
async fn networks(player: &Player) -> Vec<String> {
    let (status, body) = player.get("/api/account/sessions").await;
    assert_eq!(status, 200, "{body}");
    let mut sessions = body["sessions"].as_array().expect("sessions").clone();
    sessions.sort_by_key(|session| session["current"] != true);
    sessions.iter().map(|session| session["network"].as_str().expect("text").to_owned()).collect()
}

#[tokio::test]
async fn token_ends_after_its_days() {
    let server = Server::start().await;
    let mut ann = server.player("Ann").await;
    for days in [json!(0), json!(-1), json!(731), json!("soon"), json!(1.5)] {
        let answer = create(&mut ann, json!({ "days": days })).await;
        assert_eq!(refused(answer), (400, json!("badTime")), "{days}");
    }
    assert!(tokens(&ann).await.is_empty());
    for (fields, days) in
        [(json!({}), 365), (json!({ "days": 1 }), 1), (json!({ "days": 730 }), 730)]
    {
        let (status, body) = create(&mut ann, fields).await;
        assert_eq!(status, 201, "{body}");
        let [created, expires] = ["createdAt", "expiresAt"].map(|key| body[key].as_i64());
        assert_eq!(expires, created.map(|created| created + days * DAY_MS));
        let program = client_of(&ann, &body);
        assert_eq!(program.get("/api/challenge").await.0, 200);
        let text = body["token"].as_str().expect("token");
        let test = ann.send(|b| b.body(text.to_owned()), Method::POST, "/api/token/test").await;
        assert_eq!(test.1[text]["expires"].as_i64(), expires);
    }
    let listed = tokens(&ann).await;
    assert_eq!((listed.len(), listed.iter().all(|token| token["expiresAt"].is_i64())), (3, true));
    server.stop().await;
}

#[tokio::test]
async fn expired_token_permits_nothing() {
    let server = Server::start().await;
    let mut ann = server.player("Ann").await;
    let (_, body) = create(&mut ann, json!({ "days": 1 })).await;
    let program = client_of(&ann, &body);
    let mut socket = program.socket("/ws/lobby").await;
    socket.until("full").await;
    expire_tokens(&server).await;
    for path in ["/api/account", "/api/challenge", "/api/stream/event"] {
        assert_eq!(refused(program.get(path).await), (401, json!("badToken")), "{path}");
    }
    let text = body["token"].as_str().expect("token");
    let test = ann.send(|b| b.body(text.to_owned()), Method::POST, "/api/token/test").await;
    assert_eq!(test.1, json!({ text: null }));
    assert!(tokens(&ann).await.is_empty());

    // The connections that the token has opened end as well.
    assert_eq!(socket.until_closed().await, 4401);
    server.stop().await;
}

#[tokio::test]
async fn new_token_needs_the_password_in_an_old_session() {
    let server = Server::start_with(&["--account-login-limit", "100"]).await;
    let (mut ann, mut guest) = (server.player("Ann").await, server.guest().await);
    age_sessions(&server, 14 * MINUTE_MS).await;
    assert_eq!(create(&mut ann, json!({})).await.0, 201);
    age_sessions(&server, 2 * MINUTE_MS).await;
    assert_eq!(refused(create(&mut ann, json!({})).await), (403, json!("passwordNeeded")));
    let empty = create(&mut ann, json!({ "password": "" })).await;
    assert_eq!(refused(empty), (403, json!("passwordNeeded")));
    for wrong in ["correct-horsf", &"a".repeat(300)] {
        let answer = create(&mut ann, json!({ "password": wrong })).await;
        assert_eq!(refused(answer), (403, json!("badPassword")), "{wrong}");
    }
    assert_eq!(tokens(&ann).await.len(), 1);
    assert_eq!(create(&mut ann, json!({ "password": PASSWORD })).await.0, 201);
    // The password is asked for each time.
    assert_eq!(refused(create(&mut ann, json!({})).await), (403, json!("passwordNeeded")));
    let mut again = Player::anonymous(server.addr);
    let credentials = json!({ "username": "Ann", "password": PASSWORD });
    assert_eq!(again.post("/api/login", credentials).await.0, 200);
    assert_eq!(create(&mut again, json!({})).await.0, 201);
    let answer = create(&mut guest, json!({ "password": PASSWORD })).await;
    assert_eq!(refused(answer), (403, json!("anonymous")));
    server.stop().await;
}

#[tokio::test]
async fn guesses_of_the_password_for_a_token_are_limited() {
    let server = Server::start_with(&["--account-login-limit", "4"]).await;
    // The registration counts.
    let mut ann = server.player("Ann").await;
    for _ in 0..3 {
        let answer = create(&mut ann, json!({ "password": "a guess" })).await;
        assert_eq!(refused(answer), (403, json!("badPassword")));
    }
    let answer = create(&mut ann, json!({ "password": PASSWORD })).await;
    assert_eq!(answer.0, 429, "{}", answer.1);
    assert!(tokens(&ann).await.is_empty());
    server.stop().await;
}

#[tokio::test]
async fn new_password_ends_tokens_unless_they_are_kept() {
    let server = Server::start_with(&["--account-login-limit", "100"]).await;
    let (mut ann, bob) = (server.player("Ann").await, server.player("Bob").await);
    let (anns, bobs) =
        (ann.api_client("challenge:read").await, bob.api_client("challenge:read").await);
    let mut socket = anns.socket("/ws/lobby").await;
    socket.until("full").await;
    let change = |old: &str, new: &str| json!({ "old": old, "new": new });
    let mut kept = change(PASSWORD, "battery-staple");
    kept["keepTokens"] = json!(true);
    assert_eq!(ann.post("/api/account/password", kept).await.0, 200);
    assert_eq!(anns.get("/api/challenge").await.0, 200);
    let wrong = ann.post("/api/account/password", change(PASSWORD, "another-horse")).await;
    assert_eq!(refused(wrong), (403, json!("badPassword")));
    assert_eq!(anns.get("/api/challenge").await.0, 200);
    let new = change("battery-staple", "another-horse");
    assert_eq!(ann.post("/api/account/password", new).await.0, 200);
    assert_eq!(refused(anns.get("/api/challenge").await), (401, json!("badToken")));
    assert_eq!(socket.until_closed().await, 4401);
    assert!(tokens(&ann).await.is_empty());
    assert_eq!(ann.get("/api/account").await.0, 200);
    assert_eq!((bobs.get("/api/challenge").await.0, tokens(&bob).await.len()), (200, 1));
    server.stop().await;
}

#[tokio::test]
async fn sessions_have_the_network_of_their_last_use() {
    let server = Server::start_with(&["--trusted-proxy", "127.0.0.1"]).await;
    let mut ann = Player::anonymous_from(server.addr, "203.0.113.7");
    let credentials = json!({ "username": "Ann", "password": PASSWORD });
    assert_eq!(ann.post("/api/register", credentials.clone()).await.0, 201);
    let mut phone = Player::anonymous_from(server.addr, "2001:db8:1:2:3:4:5:6");
    assert_eq!(phone.post("/api/login", credentials).await.0, 200);
    assert_eq!(networks(&ann).await, ["203.0.113.7", "2001:db8:1:2::"]);

    // Within a minute, no use is recorded.
    let moved = Player {
        cookie: ann.cookie.clone(),
        ..Player::anonymous_from(server.addr, "198.51.100.9")
    };
    assert_eq!(networks(&moved).await[0], "203.0.113.7");
    let sql = format!("UPDATE session SET seen_ms = seen_ms - {}", 2 * MINUTE_MS);
    server.database().await.run(&sql).await;
    // The first page is the first use.
    assert_eq!(moved.get("/").await.0, 200);
    assert_eq!(networks(&moved).await, ["198.51.100.9", "2001:db8:1:2::"]);
    server.stop().await;
}
