//! Rate limits that operators change while the server runs.

use crate::support::client::{Player, Server, refused, wait_until};
use serde_json::json;
use std::net::SocketAddr;

/// Returns how many of `max` position queries are allowed.
async fn allowed_queries(addr: SocketAddr, max: usize) -> usize {
    let mut player = Player::anonymous(addr);
    for allowed in 0..max {
        match refused(player.post("/api/position", json!({})).await) {
            (429, reason) => {
                assert_eq!(reason, "tooFast");
                return allowed;
            }
            (status, _) => assert_eq!(status, 400),
        }
    }
    max
}

/// Returns the line of a limit in the output of a command.
fn line_of<'a>(output: &'a str, name: &str) -> &'a str {
    output.lines().find(|line| line.starts_with(&format!("{name}\t"))).expect("limit")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn limit_changes_without_restart_until_reset() {
    let server = Server::start_with(&["--position-limit", "1000000"]).await;
    let (done, text) = server.admin(&["limits"]);
    assert!(done && text.lines().count() == 11, "{text}");
    assert_eq!(line_of(&text, "position"), "position\t-");
    let (done, text) = server.admin(&["--reason", "Scraper", "set-limit", "position", "3"]);
    assert!(done, "{text}");
    assert_eq!(line_of(&text, "position"), "position\t3");
    assert_eq!(line_of(&text, "write"), "write\t-");
    wait_until("the limit is in force", async || allowed_queries(server.addr, 20).await < 20).await;

    let server = server.restart().await;
    assert_eq!(allowed_queries(server.addr, 20).await, 3);
    assert!(server.admin(&["set-limit", "position", "3"]).0);
    assert!(server.admin(&["reset-limit", "position", "--reason", "Over"]).0);
    assert!(server.admin(&["reset-limit", "position"]).0);
    wait_until("the limit is reset", async || allowed_queries(server.addr, 20).await == 20).await;
    let (_, log) = server.admin(&["log"]);
    let actions: Vec<Vec<&str>> = log.lines().map(|line| line.split('\t').collect()).collect();
    let shown: Vec<[&str; 3]> = actions.iter().map(|line| [line[2], line[3], line[5]]).collect();
    assert_eq!(
        shown,
        [["reset-limit", "-", "position: Over"], ["set-limit", "-", "position 3: Scraper"]]
    );
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn invalid_limits_are_refused() {
    let server = Server::start().await;
    for (name, value, why) in [
        ("position", "0", "0 is not in 1..=4294967295"),
        ("position", "4294967296", "4294967296 is not in 1..=4294967295"),
        ("position", "many", "invalid digit found in string"),
        ("position", "-1", "unexpected argument '-1'"),
        ("hint", "5", "possible values: write, read,"),
    ] {
        let (done, text) = server.admin(&["set-limit", name, value]);
        assert!(!done && text.contains(why), "{name} {value}: {text}");
    }
    let (done, text) = server.admin(&["reset-limit", "hint"]);
    assert!(!done && text.contains("possible values: write, read,"), "{text}");
    let (_, text) = server.admin(&["limits"]);
    assert!(text.lines().all(|line| line.ends_with("\t-")), "{text}");
    assert_eq!(server.admin(&["log"]).1, "");
    server.stop().await;
}
