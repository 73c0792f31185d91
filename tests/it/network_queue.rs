//! Tests of the network queue: requests of one network on expensive routes wait for each other, but
//! not for those of other networks.

use crate::support::client::{Player, Server, wait_until};
use reqwest::Method;
use serde_json::{Value, json};
use sqlx::Connection;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};

/// Requests of another network that are answered while a request waits.
const OTHER_REQUESTS: usize = 20;

/// Posts a challenge as a proxy forwards it for a client at `address`. Returns the status.
async fn challenge(player: &Player, address: &str, variant: &str) -> u16 {
    let body: Value = json!({ "variant": variant });
    let send =
        |request: reqwest::RequestBuilder| request.header("x-forwarded-for", address).json(&body);
    player.clone().send(send, Method::POST, "/api/challenge").await.0
}

#[tokio::test]
async fn changes_wait_only_for_their_own_network() {
    let server = Server::start_with(&["--trusted-proxy", "127.0.0.1"]).await;
    let ann = server.player("Ann").await;
    let database = SqliteConnectOptions::new().filename(server.path());
    let mut other = SqliteConnection::connect_with(&database).await.expect("database");
    // The first challenge waits for the writer, which waits for this transaction.
    let lock = other.begin_with("BEGIN IMMEDIATE").await.expect("write lock");
    let task = |variant: &'static str| {
        let ann = ann.clone();
        tokio::spawn(async move { challenge(&ann, "1.1.1.1", variant).await })
    };
    let first = task("hogga");
    let mut waiting = None;
    wait_until("expected a request to wait for the first", async || {
        // It is refused without the writer, so only the queue can delay it.
        let probe = task("chess");
        for _ in 0..OTHER_REQUESTS {
            assert_eq!(challenge(&ann, "2.2.2.2", "chess").await, 400);
        }
        let waits = !probe.is_finished();
        waiting = Some(probe);
        waits
    })
    .await;
    assert!(!first.is_finished());
    lock.rollback().await.expect("rollback");
    assert_eq!(first.await.expect("answer"), 201);
    assert_eq!(waiting.expect("a request").await.expect("answer"), 400);
    server.stop().await;
}
