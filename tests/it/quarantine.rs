//! Logs that contradict the rules: each quarantines its own game and affects no other.

use crate::support::client::Server;
use crate::support::fault_injection::run_sql;
use serde_json::json;
use std::process::Command;

/// Damages to a game whose log is `h5-g5 a4-b4`.
const DAMAGES: [&str; 14] = [
    "SET payload = '{\"kind\":\"moved\",\"u\":\"a1-a2\"}' WHERE seq = 1",
    "SET payload = '{\"kind\":\"moved\",\"u\":\"a1-a2\"}' WHERE seq = 2",
    "SET payload = '{\"kind\":\"moved\",\"u\":\"\"}' WHERE seq = 2",
    "SET payload = '{\"kind\":\"moved\"}' WHERE seq = 2",
    "SET payload = '{\"kind\":\"castled\"}' WHERE seq = 2",
    "SET payload = 'nonsense' WHERE seq = 2",
    "SET payload = '' WHERE seq = 1",
    "SET payload = '[1, 2]' WHERE seq = 2",
    "SET payload = '{\"kind\":\"ended\",\"status\":\"resign\",\"winner\":\"second\"}' WHERE seq = 1",
    "SET payload = '{\"kind\":\"ended\",\"status\":\"lost\"}' WHERE seq = 2",
    "SET side = 'third' WHERE seq = 2",
    "SET cid = x'00' WHERE seq = 2",
    "SET seq = 7 WHERE seq = 2",
    "SET seq = 3 WHERE seq = 1",
];

/// Number of games without a damage.
const OTHER_GAMES: usize = 260;

#[tokio::test]
async fn damaged_log_quarantines_only_its_game() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut ids = Vec::new();
    // Each damage applies to a correspondence game and to a game with a clock; the last two games
    // stay intact.
    for at in 0..2 * DAMAGES.len() + 2 {
        let fields = if at % 2 == 0 { json!({}) } else { json!({ "clock.limit": 600 }) };
        let id = ann.start_game(&mut bob, "caterpillarWar", fields).await;
        for (player, u) in [(&mut ann, "h5-g5"), (&mut bob, "a4-b4")] {
            let path = format!("/api/board/game/{id}/move/{u}");
            assert_eq!(player.post(&path, json!({})).await.0, 200);
        }
        ids.push(id);
    }
    // More games than are resumed at the same time.
    let mut others = Vec::new();
    for names in [["Cas", "Dee"], ["Eve", "Flo"]] {
        let [mut one, mut two] = [server.player(names[0]).await, server.player(names[1]).await];
        for _ in 0..OTHER_GAMES / 2 {
            let fields = json!({ "rated": false });
            others.push(one.start_game(&mut two, "caterpillarWar", fields).await);
        }
    }
    let folder = server.stop().await;
    let path = folder.path().join("sprong.db");
    for (id, damage) in ids.iter().zip(DAMAGES.iter().flat_map(|damage| [damage; 2])) {
        let game = format!("game_id = (SELECT key FROM game WHERE id = '{id}')");
        run_sql(&path, &format!("UPDATE game_journal {damage} AND {game}")).await;
    }
    let mut check = Command::new(env!("CARGO_BIN_EXE_sprong"));
    let report = check.args(["check", "--database"]).arg(&path).output().expect("the binary");
    let report = String::from_utf8_lossy(&report.stdout).into_owned();
    for (at, id) in ids.iter().enumerate() {
        let is_damaged = at < 2 * DAMAGES.len();
        assert_eq!(report.contains(&format!("game {id}: ")), is_damaged, "{at}: {report}");
    }
    let server = Server::open(folder, &[]).await;
    (ann.addr, bob.addr) = (server.addr, server.addr);
    for (at, id) in ids.iter().enumerate() {
        let is_intact = at >= 2 * DAMAGES.len();
        let damage = DAMAGES.get(at / 2).unwrap_or(&"none");
        let (status, game) = ann.get(&format!("/api/game/{id}")).await;
        assert_eq!(status, if is_intact { 200 } else { 500 }, "{damage}: {game}");
        if is_intact {
            continue;
        }
        assert_eq!(game["reason"], "broken");
        for (rest, fields) in
            [("move/h5-g5", json!({})), ("resign", json!({})), ("chat", json!({ "text": "?" }))]
        {
            let (status, _) = ann.post(&format!("/api/board/game/{id}/{rest}"), fields).await;
            assert_eq!(status, 500, "{rest} after {damage}");
        }
        let mut socket = ann.socket(&format!("/ws/game/{id}")).await;
        assert_eq!(socket.until_closed().await, 4404, "{damage}");
    }
    // The players can go on with all other games, and lists omit the damaged ones.
    assert_eq!(server.rooms.lobby().live(1000).len(), OTHER_GAMES + 2);
    for id in &others {
        assert_eq!(ann.get(&format!("/api/game/{id}")).await.0, 200);
    }
    for id in &ids[2 * DAMAGES.len()..] {
        let path = format!("/api/board/game/{id}/move/g5-f5");
        assert_eq!(ann.post(&path, json!({})).await.0, 200);
    }
    for list in ["/api/games/live", "/api/lobby", "/api/account/playing", "/api/account"] {
        assert_eq!(ann.get(list).await.0, 200, "{list}");
    }
    let id = ann.start_game(&mut bob, "caterpillarWar", json!({})).await;
    assert_eq!(bob.post(&format!("/api/board/game/{id}/abort"), json!({})).await.0, 200);
    server.stop().await;
}
