//! Images of games and challenges: delayed moves and hidden starts.

use super::requests::{fetch, fetch_with};
use crate::support::client::{Player, Server};
use serde_json::json;
use sprong::render::BoardImage;
use sprong::variants::by_key;

const CLOCK: &str = "clock.limit";

/// Returns whether the image of a game shows the position after this many plies.
async fn shows_plies(server: &Server, id: &str, plies: usize) -> bool {
    let (_, full) = Player::anonymous(server.addr).get(&format!("/api/game/{id}")).await;
    let variant = by_key(full["variant"]["key"].as_str().expect("key")).expect("variant");
    let moves = full["state"]["moves"].as_str().expect("moves").split_whitespace();
    let moves: Vec<String> = moves.map(str::to_owned).collect();
    let start = variant.start(&variant.options(), 0);
    assert_eq!(full["initialFen"], start.text(), "the variant must have no random start");
    let scene = BoardImage::after_moves(start, &moves[..plies]).expect("legal moves");
    fetch(server, &format!("/picture/game/{id}.svg")).await.text() == scene.to_svg()
}

/// Plays the first legal move.
async fn play_first_legal(player: &mut Player, id: &str) {
    let (_, full) = player.get(&format!("/api/game/{id}")).await;
    let u = full["legal"][0].as_str().expect("a legal move");
    let path = format!("/api/board/game/{id}/move/{}", u.replace('/', "%2F"));
    let (status, body) = player.post(&path, json!({})).await;
    assert_eq!(status, 200, "{body}");
}

#[tokio::test]
async fn rated_game_image_shows_no_more_than_stream() {
    // The delay is longer than the test, so only the number of plies counts.
    let server = Server::start_with(&["--broadcast-delay-ms", "600000"]).await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = ann.start_game(&mut bob, "hogga", json!({ CLOCK: 300 })).await;
    let path = format!("/picture/game/{id}.svg");
    assert!(shows_plies(&server, &id, 0).await);
    for ply in 0..5 {
        let mover = if ply % 2 == 0 { &mut ann } else { &mut bob };
        play_first_legal(mover, &id).await;
        let visible_plies = (ply + 1_usize).saturating_sub(3);
        assert!(shows_plies(&server, &id, visible_plies).await, "after {} plies", ply + 1);
    }
    let sent = fetch(&server, &path).await;
    assert_eq!(sent.header("cache-control"), "public, max-age=10");
    // Images are cached for all requesters, so a player gets the same delayed one.
    let cookie = ann.cookie.clone().expect("cookie");
    let own = fetch_with(&server, &path, &[("cookie", &cookie)]).await;
    assert_eq!(own.text(), sent.text());
    let (status, _) = ann.post(&format!("/api/board/game/{id}/resign"), json!({})).await;
    assert_eq!(status, 200);
    assert!(shows_plies(&server, &id, 5).await, "the image of a finished game shows all moves");
    assert_eq!(fetch(&server, &path).await.header("cache-control"), "public, max-age=86400");

    let casual = ann.start_game(&mut bob, "hogga", json!({ "rated": false, CLOCK: 300 })).await;
    play_first_legal(&mut ann, &casual).await;
    assert!(shows_plies(&server, &casual, 1).await, "a casual game has no delay");
    server.stop().await;
}

#[tokio::test]
async fn challenge_image_hides_random_start() {
    let server = Server::start().await;
    let mut ann = server.player("Ann").await;
    for key in ["wieNietWegIs", "knightFight"] {
        let id = ann.challenge(json!({ "variant": key, "rated": false, CLOCK: 300 })).await;
        let sent = fetch(&server, &format!("/picture/game/{id}.svg")).await;
        assert_eq!((sent.status, sent.header("cache-control")), (200, "public, max-age=10"));
        let upright = fetch(&server, &format!("/picture/variant/{key}.svg")).await;
        assert_eq!(sent.text(), upright.text());
    }
    server.stop().await;
}
