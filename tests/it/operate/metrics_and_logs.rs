//! Logs and metrics.

use super::{ServerProcess, run_sql};
use crate::support::client::{Player, Server};
use crate::support::process::{free_addr, run_subcommand};
use serde_json::{Value, json};
use tempfile::TempDir;

#[tokio::test]
async fn log_lines_of_a_game_have_its_id() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = ann.start_game(&mut bob, "hogga", json!({ "clock.limit": 300 })).await;
    let folder = server.stop().await;
    run_sql(
        &folder.path().join("sprong.db"),
        "INSERT INTO game_journal VALUES (1, (SELECT key FROM game), 1, 'first', NULL, 'x', 1, 1)",
    );
    let mut server = ServerProcess::start(free_addr(), folder.path(), &["--log-format", "json"]);
    let lines = server.read_log_until("Listening on");
    let lines: Vec<Value> =
        lines.iter().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let of_game = lines.iter().find(|line| line["fields"]["game.id"] == id);
    assert_eq!(of_game.expect("a line of the game")["level"], "ERROR");
}

#[tokio::test]
async fn trusted_proxy_without_origin_logs_a_warning() {
    let (proxy, origin) =
        (["--trusted-proxy", "10.0.0.0/8"], ["--public-origin", "https://a.example"]);
    for (settings, warned) in [
        (&proxy[..], true),
        (&[proxy, origin].concat()[..], false),
        (&origin[..], false),
        (&[][..], false),
    ] {
        let folder = TempDir::new().expect("folder");
        let mut server = ServerProcess::start(free_addr(), folder.path(), settings);
        let lines = server.read_log_until("Listening on");
        let has_warning =
            lines.iter().any(|line| line.contains("WARN") && line.contains("--public-origin"));
        assert_eq!(has_warning, warned, "{settings:?}: {lines:?}");
    }
}

#[tokio::test]
async fn metrics_count_events() {
    let (folder, addr) = (TempDir::new().expect("folder"), free_addr());
    let settings = ["--admin-addr", "127.0.0.1:0", "--position-limit", "1"];
    let mut server = ServerProcess::start(addr, folder.path(), &settings);
    let lines = server.read_log_until("Listening on").join("\n");
    let admin = lines.split("addr=").nth(1).and_then(|rest| rest.split_whitespace().next());
    let admin = admin.expect("address").to_owned();
    let (mut ann, mut bob) =
        (Player::register(addr, "Ann").await, Player::register(addr, "Bob").await);
    let id = ann.start_game(&mut bob, "caterpillarWar", json!({})).await;
    let mut socket = bob.socket(&format!("/ws/game/{id}")).await;
    socket.until("full").await;
    let path = |u: &str| format!("/api/board/game/{id}/move/{u}");
    assert_eq!(ann.post(&path("a1"), json!({})).await.0, 400);
    assert_eq!(ann.post(&path("h5-g5"), json!({})).await.0, 200);
    socket.until("move").await;
    socket.command("move", json!({ "u": "a4-b4", "ply": 7 })).await;
    socket.until("refused").await;
    assert_eq!(ann.post("/api/position", json!({})).await.0, 400);
    assert_eq!(ann.post("/api/position", json!({})).await.0, 429);
    let metrics = reqwest::get(format!("http://{admin}/metrics")).await.expect("answer");
    let metrics = metrics.text().await.expect("text");
    for line in [
        "sprong_rooms 1",
        "sprong_sockets 1",
        "sprong_moves_total 1",
        "sprong_connections ",
        "sprong_commit_seconds_bucket{jobs=\"append\",le=\"0.01\"}",
        "sprong_commit_batch_size_bucket{jobs=\"task\",le=\"1\"}",
        "sprong_task_seconds_count{task=\"accept\"} 1",
        "sprong_task_seconds_count{task=\"create_challenge\"} 1",
        "sprong_publish_seconds_bucket{le=\"1\"}",
        "sprong_rejections_total{transport=\"http\",reason=\"illegal\"} 1",
        "sprong_rejections_total{transport=\"socket\",reason=\"stale\"} 1",
        "sprong_rate_limited_total{limit=\"position\"} 1",
    ] {
        assert!(metrics.contains(line), "{line}: {metrics}");
    }
}

/// Each name changes its own limit: a second change finds the number of the first one.
#[tokio::test]
async fn changed_rate_limits_are_logged() {
    let folder = TempDir::new().expect("folder");
    let mut server = ServerProcess::start(free_addr(), folder.path(), &["--log-format", "json"]);
    server.read_log_until("Listening on");
    let database = folder.path().join("sprong.db");
    let (status, text) = run_subcommand(&database, &["admin", "limits"]);
    assert_eq!(status, Some(0), "{text}");
    let names: Vec<&str> = text.lines().filter_map(|line| line.split('\t').next()).collect();
    assert_eq!(names.len(), 11, "{text}");
    let number_of = |name: &str| names.iter().position(|one| *one == name).expect("limit");
    for first in [2_000, 3_000] {
        for name in &names {
            let value = (first + number_of(name)).to_string();
            let (status, text) = run_subcommand(&database, &["admin", "set-limit", name, &value]);
            assert_eq!(status, Some(0), "{text}");
        }
        // The last one is applied at last.
        let lines = server.read_log_until(&format!("\"times\":{}", first + names.len() - 1));
        let lines = lines.iter().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        let mut changed: Vec<(usize, Value)> = lines
            .map(|line| line["fields"].clone())
            .filter(|fields| fields["message"] == "Changed a rate limit")
            .map(|fields| (number_of(fields["limit"].as_str().expect("name")), fields))
            .collect();
        changed.sort_by_key(|(number, _)| *number);
        assert_eq!(changed.len(), names.len(), "{changed:?}");
        for (number, fields) in changed {
            assert_eq!(fields["times"], first + number, "{fields}");
            let previous =
                if first == 2_000 { &fields["configured"] } else { &json!(2_000 + number) };
            assert_eq!(fields["previous"], *previous, "{fields}");
        }
    }
}

/// The log of the server has no names that an erasure has removed.
#[tokio::test]
async fn moderator_actions_are_in_the_log_of_the_server() {
    let (folder, addr) = (TempDir::new().expect("folder"), free_addr());
    let mut server = ServerProcess::start(addr, folder.path(), &["--log-format", "json"]);
    server.read_log_until("Listening on");
    Player::register(addr, "Bob").await;
    let database = folder.path().join("sprong.db");
    for (command, about, reason) in
        [("mute", json!("Bob"), json!("rude")), ("erase", Value::Null, Value::Null)]
    {
        let arguments = ["admin", "--by", "Op", "--reason", "rude", command, "bob"];
        let (status, text) = run_subcommand(&database, &arguments);
        assert_eq!(status, Some(0), "{text}");
        let lines = server.read_log_until("Moderator action received");
        let line: Value = serde_json::from_str(lines.last().expect("a line")).expect("JSON");
        let fields = &line["fields"];
        assert_eq!(
            json!([fields["what"], fields["moderator"], fields["about"], fields["reason"]]),
            json!([command, "Op", about, reason]),
            "{line}"
        );
    }
}
