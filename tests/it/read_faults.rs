//! Failure of each read: a table disappears for a while. The response is a server error, not a
//! wrong answer, and requests succeed again when the table is back.

use crate::support::client::{Player, Server, wait_until};
use crate::support::fault_injection::FaultInjector;
use serde_json::json;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn read_failure_is_reported_as_server_error() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let open_one = ann.challenge(json!({ "variant": "knightFight" })).await;
    let over = ann.start_game(&mut bob, "caterpillarWar", json!({})).await;
    let live = ann.start_game(&mut bob, "caterpillarWar", json!({ "clock.limit": 600 })).await;
    for (player, u) in [(&mut ann, "h5-g5"), (&mut bob, "a4-b4")] {
        let path = format!("/api/board/game/{over}/move/{u}");
        assert_eq!(player.post(&path, json!({})).await.0, 200);
    }
    assert_eq!(bob.post(&format!("/api/board/game/{over}/resign"), json!({})).await.0, 200);
    let program = ann.api_client("board:play").await;
    // With its room closed, the finished game is read from the database each time.
    wait_until("the room stays open", async || server.rooms.len() == 1).await;
    let over = format!("/api/game/{over}");
    let mut injector = FaultInjector::open(&server.path()).await;
    let nobody = Player::anonymous(server.addr);
    for (player, path, tables) in [
        (&ann, "/api/account", &["session", "account", "rating", "tally"][..]),
        (&program, "/api/account", &["token", "account"]),
        (&nobody, "/api/user/bob", &["account", "rating", "tally"]),
        (&nobody, "/api/user/bob/rating-history", &["rating_point"]),
        (&nobody, "/api/crosstable/ann/bob", &["pair"]),
        (&nobody, &over, &["game", "game_log", "account"]),
        (&nobody, &format!("/api/challenge/{open_one}/show"), &["challenge"]),
        (&nobody, "/api/player/top/10/knightFight", &["rating"]),
    ] {
        let (status, before) = player.get(path).await;
        assert_eq!(status, 200, "{path}: {before}");
        for table in tables {
            injector.hide_table(table).await;
            let (status, body) = player.get(path).await;
            injector.restore_table(table).await;
            let clear = body["reason"] == "broken"
                && body["error"].as_str().is_some_and(|error| error.ends_with('.'));
            assert!(
                status == 500 && clear && !body.to_string().contains(table),
                "{path} without {table}: {status} {body}"
            );
            assert_eq!(player.get(path).await, (200, before.clone()), "{path} with {table} again");
        }
    }
    // A game with an open room is served from memory, and a socket can reconnect to it.
    injector.hide_table("game_log").await;
    assert_eq!(nobody.get(&format!("/api/game/{live}")).await.0, 200);
    let mut socket = ann.socket(&format!("/ws/game/{live}")).await;
    assert_eq!(socket.until("full").await["d"]["you"], "first");
    injector.restore_table("game_log").await;
    socket.command("move", json!({ "u": "h5-g5", "ply": 0 })).await;
    assert_eq!(socket.until("ack").await["d"]["v"], 1);
    injector.close().await;
    server.stop().await;
}
