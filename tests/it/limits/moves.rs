//! Moves by the API, and guests: what one address may do for many players behind it.

use super::super::client::{PATIENCE, Player, Server};
use reqwest::Method;
use serde_json::json;
use std::time::Instant;

/// The server's own limits, which the other tests raise.
const LIMITS: [&str; 8] =
    ["--requests", "300", "--looks", "600", "--guests", "100", "--logins", "1000"];

/// Tries until the answer is that it is too often; answers how many were heard.
async fn until_too_fast(player: &mut Player, path: &str, status: u16) -> usize {
    for heard in 0..10_000 {
        let (answer, body) = player.post(path, json!({})).await;
        if answer == 429 {
            assert_eq!(body["reason"], "tooFast");
            return heard;
        }
        assert_eq!(answer, status, "{body}");
    }
    panic!("{path} has no limit");
}

/// Makes moves to and fro, each the first that is legal.
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
    let server = Server::start_with(&[&LIMITS[..], &["--moves", "600"]].concat()).await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = ann.begin(&mut bob, "hogga", json!({})).await;
    let mut program = ann.program("board:play").await;
    // More than the address may ask for: each is refused by the game, and none as too many.
    let path = format!("/api/board/game/{id}/move/nonsense");
    for _ in 0..320 {
        assert_eq!(program.post(&path, json!({})).await.0, 400);
    }
    // The requests of the address are still there for others, until they use them up.
    let mut dan = server.player("Dan").await;
    assert_eq!(dan.post("/api/challenge", json!({ "variant": "hogga" })).await.0, 201);
    let heard = until_too_fast(&mut dan, "/api/board/game/zzzzzzzz/resign", 404).await;
    assert!(heard >= 200, "only {heard} were left");
    // Moves of a player who has made none so far, too, go on.
    play([&mut ann, &mut bob], &id, 8).await;
    server.stop().await;
}

#[tokio::test]
async fn moves_of_one_account_do_not_use_up_those_of_another() {
    let server = Server::start_with(&[&LIMITS[..], &["--moves", "40"]].concat()).await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = ann.begin(&mut bob, "hogga", json!({})).await;
    for road in ["board", "bot"] {
        let mut program = ann.program("board:play,bot:play").await;
        let path = format!("/api/{road}/game/{id}/move/nonsense");
        let refused = if road == "board" { 400 } else { 403 };
        // Both roads and all tokens of an account have one number.
        let heard = until_too_fast(&mut program, &path, refused).await;
        assert!(road == "bot" || heard >= 39, "only {heard} were heard");
        assert!(road == "board" || heard < 39, "{heard} more were heard");
    }
    let path = format!("/api/board/game/{id}/move/nonsense");
    assert_eq!(bob.post(&path, json!({})).await.0, 400);
    server.stop().await;
}

#[tokio::test]
async fn moves_without_an_account_count_against_the_address() {
    for kind in ["nobody", "bad token", "bad cookie", "guest"] {
        let server = Server::start_with(&[&LIMITS[..], &["--requests", "20"]].concat()).await;
        let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
        let id = ann.begin(&mut bob, "hogga", json!({})).await;
        let nobody = Player::nobody(server.addr);
        let (mut eve, status) = match kind {
            "nobody" => (nobody, 401),
            "bad token" => (Player { token: Some("spr_0".to_owned()), ..nobody }, 401),
            "bad cookie" => (Player { cookie: Some("sprong=0".to_owned()), ..nobody }, 401),
            _ => (server.guest().await, 400),
        };
        let path = format!("/api/board/game/{id}/move/nonsense");
        let until = Instant::now() + PATIENCE;
        loop {
            let heard = until_too_fast(&mut eve, &path, status).await;
            assert!(heard < 200, "{kind}: {heard} were heard");
            // They were the requests of the address: nothing is left, or what has come back since.
            if bob.post("/api/challenge/zzzzzzzz/accept", json!({})).await.0 == 429 {
                break;
            }
            assert!(Instant::now() < until, "{kind}: the address has requests left");
        }
        play([&mut ann, &mut bob], &id, 2).await;
        server.stop().await;
    }
}

#[tokio::test]
async fn class_of_guests_comes_in_in_the_first_minute() {
    let server = Server::start_with(&[&LIMITS[..], &["--logins", "30"]].concat()).await;
    let mut guests = Vec::new();
    for _ in 0..45 {
        guests.push(server.guest().await);
    }
    for pair in guests.chunks_mut(2) {
        let [one, two] = pair else { continue };
        one.begin(two, "hogga", json!({ "rated": false })).await;
    }
    // The burst is bounded: some minutes' worth more, and no others.
    let mut refused = None;
    for made in 45..400 {
        let (status, body) = Player::nobody(server.addr).post("/api/guest", json!({})).await;
        if status != 201 {
            refused = Some((made, status, body["reason"].clone()));
            break;
        }
    }
    let (made, status, reason) = refused.expect("guests without end");
    assert!(made >= 100 && (status, &reason) == (429, &json!("tooFast")), "{made} {reason}");
    // Whoever has a name may still sign in.
    let who = json!({ "username": "Ann", "password": "correct-horse" });
    let asked = |builder: reqwest::RequestBuilder| builder.json(&who);
    let mut ann = Player::nobody(server.addr);
    assert_eq!(ann.ask(asked, Method::POST, "/api/register").await.0, 201);
    server.stop().await;
}
