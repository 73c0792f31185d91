//! R4: a fault before, within and after every read: a table that is gone for a while. Whoever asks is
//! told that something broke and not something untrue, and all is well when it is back.

use super::client::{Player, Server, until};
use super::fault::Beside;
use serde_json::json;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn r4_a_fault_in_any_read_of_a_request_is_told_as_one() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let open_one = ann.challenge(json!({ "variant": "knightFight" })).await;
    let over = ann.begin(&mut bob, "caterpillarWar", json!({})).await;
    let live = ann.begin(&mut bob, "caterpillarWar", json!({ "clock.limit": 600 })).await;
    for (player, u) in [(&mut ann, "h5-g5"), (&mut bob, "a4-b4")] {
        let path = format!("/api/board/game/{over}/move/{u}");
        assert_eq!(player.post(&path, json!({})).await.0, 200);
    }
    assert_eq!(bob.post(&format!("/api/board/game/{over}/resign"), json!({})).await.0, 200);
    let program = ann.program("board:play").await;
    // The room of the game that is over closes, and it is read anew each time.
    until("the room stays open", async || server.rooms.len() == 1).await;
    let over = format!("/api/game/{over}");
    let mut beside = Beside::open(&server.path()).await;
    let nobody = Player::nobody(server.addr);
    for (player, path, tables) in [
        (&ann, "/api/account", &["session", "account", "rating", "tally"][..]),
        (&program, "/api/account", &["token", "account"]),
        (&nobody, "/api/user/bob", &["account", "rating", "tally"]),
        (&nobody, "/api/user/bob/rating-history", &["rating_point"]),
        (&nobody, "/api/crosstable/ann/bob", &["pair"]),
        (&nobody, &over, &["game", "game_event", "account"]),
        (&nobody, &format!("/api/challenge/{open_one}/show"), &["challenge"]),
        (&nobody, "/api/player/top/10/knightFight", &["rating"]),
    ] {
        let (status, before) = player.get(path).await;
        assert_eq!(status, 200, "{path}: {before}");
        for table in tables {
            beside.hide(table).await;
            let (status, told) = player.get(path).await;
            beside.put_back(table).await;
            let clear = told["reason"] == "broken"
                && told["error"].as_str().is_some_and(|error| error.ends_with('.'));
            assert!(
                status == 500 && clear && !told.to_string().contains(table),
                "{path} without {table}: {status} {told}"
            );
            assert_eq!(player.get(path).await, (200, before.clone()), "{path} with {table} again");
        }
    }
    // A game whose room is open needs no table to be seen, and a socket comes back to it.
    beside.hide("game_event").await;
    assert_eq!(nobody.get(&format!("/api/game/{live}")).await.0, 200);
    let mut socket = ann.socket(&format!("/ws/game/{live}")).await;
    assert_eq!(socket.until("full").await["d"]["you"], "first");
    beside.put_back("game_event").await;
    socket.command("move", json!({ "u": "h5-g5", "ply": 0 })).await;
    assert_eq!(socket.until("ack").await["d"]["v"], 1);
    beside.close().await;
    server.stop().await;
}
