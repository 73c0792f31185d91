//! Limits of moves over HTTP per account, and of guests behind one address.

use crate::support::client::{Player, Server, wait_until};
use reqwest::Method;
use serde_json::json;

/// Limits of the server that the other tests raise. All but that of logins are the defaults.
const LIMITS: [&str; 8] = [
    "--write-limit",
    "300",
    "--read-limit",
    "600",
    "--guest-limit",
    "100",
    "--login-limit",
    "1000",
];

/// Posts until the response is `tooFast`. Returns the number of requests before it.
async fn count_until_too_fast(player: &mut Player, path: &str, status: u16) -> usize {
    for count in 0..10_000 {
        let (code, body) = player.post(path, json!({})).await;
        if code == 429 {
            assert_eq!(body["reason"], "tooFast");
            return count;
        }
        assert_eq!(code, status, "{body}");
    }
    panic!("expected a limit: {path}");
}

/// Plays `moves` moves in turn, each the first legal one.
async fn play(players: [&mut Player; 2], id: &str, moves: usize) {
    for at in 0..moves {
        let mover = &mut *players[at % 2];
        let (_, full) = mover.get(&format!("/api/game/{id}")).await;
        let u = full["legal"][0].as_str().expect("a legal move").replace('/', "%2F");
        let path = format!("/api/board/game/{id}/move/{u}");
        let (status, body) = mover.post(&path, json!({})).await;
        assert_eq!(status, 200, "{body}");
    }
}

#[tokio::test]
async fn moves_count_against_the_account() {
    let server = Server::start_with(&[&LIMITS[..], &["--move-limit", "600"]].concat()).await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = ann.start_game(&mut bob, "hogga", json!({})).await;
    let mut program = ann.api_client("board:play").await;
    // More than the limit of the address: the game refuses each move, and none is `tooFast`.
    let path = format!("/api/board/game/{id}/move/nonsense");
    for _ in 0..320 {
        assert_eq!(program.post(&path, json!({})).await.0, 400);
    }
    // The request limit of the address is still available to others, until they use it up.
    let mut dan = server.player("Dan").await;
    assert_eq!(dan.post("/api/challenge", json!({ "variant": "hogga" })).await.0, 201);
    let accepted_count =
        count_until_too_fast(&mut dan, "/api/board/game/zzzzzzzz/resign", 404).await;
    assert!(accepted_count >= 200, "only {accepted_count} were left");
    // Moves still succeed, even of a player who has made none so far.
    play([&mut ann, &mut bob], &id, 8).await;
    server.stop().await;
}

#[tokio::test]
async fn moves_of_one_account_do_not_limit_another() {
    let server = Server::start_with(&[&LIMITS[..], &["--move-limit", "40"]].concat()).await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = ann.start_game(&mut bob, "hogga", json!({})).await;
    for api in ["board", "bot"] {
        let mut program = ann.api_client("board:play,bot:play").await;
        let path = format!("/api/{api}/game/{id}/move/nonsense");
        let refused = if api == "board" { 400 } else { 403 };
        // Both APIs and all tokens of an account share one limit.
        let accepted_count = count_until_too_fast(&mut program, &path, refused).await;
        assert!(api == "bot" || accepted_count >= 39, "only {accepted_count} were answered");
        assert!(api == "board" || accepted_count < 39, "{accepted_count} more were answered");
    }
    let path = format!("/api/board/game/{id}/move/nonsense");
    assert_eq!(bob.post(&path, json!({})).await.0, 400);
    server.stop().await;
}

#[tokio::test]
async fn moves_without_account_count_against_the_address() {
    for kind in ["nobody", "bad token", "bad cookie", "guest"] {
        let server = Server::start_with(&[&LIMITS[..], &["--write-limit", "20"]].concat()).await;
        let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
        let id = ann.start_game(&mut bob, "hogga", json!({})).await;
        let nobody = Player::anonymous(server.addr);
        let (mut eve, status) = match kind {
            "nobody" => (nobody, 401),
            "bad token" => (Player { token: Some("spr_0".to_owned()), ..nobody }, 401),
            "bad cookie" => (Player { cookie: Some("sprong=0".to_owned()), ..nobody }, 401),
            _ => (server.guest().await, 400),
        };
        let path = format!("/api/board/game/{id}/move/nonsense");
        wait_until(&format!("{kind}: expected no requests left"), async || {
            let accepted_count = count_until_too_fast(&mut eve, &path, status).await;
            assert!(accepted_count < 200, "{kind}: {accepted_count} were answered");
            // The moves used up the request limit of the address, apart from what it has regained
            // since.
            bob.post("/api/challenge/zzzzzzzz/accept", json!({})).await.0 == 429
        })
        .await;
        play([&mut ann, &mut bob], &id, 2).await;
        server.stop().await;
    }
}

#[tokio::test]
async fn burst_of_guests_of_one_address_is_allowed() {
    let server = Server::start_with(&[&LIMITS[..], &["--login-limit", "30"]].concat()).await;
    let mut guests = Vec::new();
    for _ in 0..45 {
        guests.push(server.guest().await);
    }
    for pair in guests.chunks_mut(2) {
        let [one, two] = pair else { continue };
        one.start_game(two, "hogga", json!({ "rated": false })).await;
    }
    // The burst is limited.
    let mut refused = None;
    for created in 45..400 {
        let (status, body) = Player::anonymous(server.addr).post("/api/guest", json!({})).await;
        if status != 201 {
            refused = Some((created, status, body["reason"].clone()));
            break;
        }
    }
    let (created, status, reason) = refused.expect("a limit of guests");
    assert!(created >= 100 && (status, &reason) == (429, &json!("tooFast")), "{created} {reason}");
    // Registration has a limit of its own.
    let who = json!({ "username": "Ann", "password": "correct-horse" });
    let build_request = |builder: reqwest::RequestBuilder| builder.json(&who);
    let mut ann = Player::anonymous(server.addr);
    assert_eq!(ann.send(build_request, Method::POST, "/api/register").await.0, 201);
    server.stop().await;
}
