//! What a picture shows of a game, and what not yet.

use super::sent::{fetch, fetch_with};
use crate::client::{Player, Server};
use serde_json::json;
use sprong::picture::Scene;
use sprong::variants::find;

const CLOCK: &str = "clock.limit";

/// The picture of a game after so many of its moves.
async fn shows(server: &Server, id: &str, plies: usize) -> bool {
    let (_, full) = Player::nobody(server.addr).get(&format!("/api/game/{id}")).await;
    let variant = find(full["variant"]["key"].as_str().expect("key")).expect("variant");
    let moves = full["state"]["moves"].as_str().expect("moves").split_whitespace();
    let moves: Vec<String> = moves.map(str::to_owned).collect();
    let start = variant.start(&variant.options(), 0);
    assert_eq!(full["initialFen"], start.text(), "this test is for starts without chance");
    let scene = Scene::after(start, &moves[..plies]).expect("legal moves");
    fetch(server, &format!("/picture/game/{id}.svg")).await.text() == scene.svg()
}

/// Makes the first legal move.
async fn play(player: &mut Player, id: &str) {
    let (_, full) = player.get(&format!("/api/game/{id}")).await;
    let u = full["legal"][0].as_str().expect("a legal move");
    let path = format!("/api/board/game/{id}/move/{}", u.replace('/', "%2F"));
    let (status, body) = player.post(&path, json!({})).await;
    assert_eq!(status, 200, "{body}");
}

#[tokio::test]
async fn a_rated_game_in_play_shows_no_more_than_its_stream() {
    // No move's own time is over while this runs.
    let server = Server::start_with(&["--stream-delay-ms", "600000"]).await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = ann.begin(&mut bob, "hogga", json!({ CLOCK: 300 })).await;
    let path = format!("/picture/game/{id}.svg");
    assert!(shows(&server, &id, 0).await);
    for ply in 0..5 {
        let mover = if ply % 2 == 0 { &mut ann } else { &mut bob };
        play(mover, &id).await;
        let told = (ply + 1_usize).saturating_sub(3);
        assert!(shows(&server, &id, told).await, "after {} plies", ply + 1);
    }
    let sent = fetch(&server, &path).await;
    assert_eq!(sent.header("cache-control"), "public, max-age=10");
    // Pictures are one for all, so that a player's own eyes see no more either.
    let cookie = ann.cookie.clone().expect("cookie");
    let own = fetch_with(&server, &path, &[("cookie", &cookie)]).await;
    assert_eq!(own.text(), sent.text());
    let (status, _) = ann.post(&format!("/api/board/game/{id}/resign"), json!({})).await;
    assert_eq!(status, 200);
    assert!(shows(&server, &id, 5).await, "the end tells all");
    assert_eq!(fetch(&server, &path).await.header("cache-control"), "public, max-age=86400");

    let casual = ann.begin(&mut bob, "hogga", json!({ "rated": false, CLOCK: 300 })).await;
    play(&mut ann, &casual).await;
    assert!(shows(&server, &casual, 1).await, "a casual game is not held back");
    server.stop().await;
}

#[tokio::test]
async fn a_challenge_shows_how_its_game_begins_and_not_what_chance_will_say() {
    let server = Server::start().await;
    let mut ann = server.player("Ann").await;
    for key in ["wieNietWegIs", "knightFight"] {
        let id = ann.challenge(json!({ "variant": key, "rated": false, CLOCK: 300 })).await;
        let sent = fetch(&server, &format!("/picture/game/{id}.svg")).await;
        assert_eq!((sent.status, sent.header("cache-control")), (200, "public, max-age=10"));
        let usual = fetch(&server, &format!("/picture/variant/{key}.svg")).await;
        assert_eq!(sent.text(), usual.text());
    }
    server.stop().await;
}
