//! Failover of the database to a synchronous standby while clients play on three servers: they
//! follow the primary with the highest timeline, and nothing acknowledged is lost.

use super::DATABASE;
use super::servers::{Play, Servers};
use crate::support::client::{Player, wait_until};
use crate::support::postgres::{Cluster, url_of};
use crate::support::process::{Process, run_failing, run_subcommand};
use crate::support::standby::Standby;
use serde_json::json;
use sprong::rooms::now_ms;
use std::path::Path;
use std::time::{Duration, Instant};

/// Longest time without a move after the standby became the primary: two seconds until a
/// connection that hangs is given up, and what a busy machine needs for the rest.
const STALL_MAX: Duration = Duration::from_secs(10);

/// Starts play on three servers whose URL names a primary and its standby.
async fn start_play() -> (Play, Standby) {
    let cluster = Cluster::start();
    cluster.create_database(DATABASE);
    let standby = Standby::start(&cluster);
    // The standby first: at the start, the servers look for the primary.
    let url = url_of([standby.socket_folder(), cluster.folder()], DATABASE);
    let servers = Servers::start_at(cluster, url, 3, &["--log", "off"]).await;
    (Play::start_on(servers).await, standby)
}

/// Promotes the standby, and waits until play goes on at all servers. Returns how long that takes.
async fn fail_over(play: &Play, standby: &Standby) -> Duration {
    let began = Instant::now();
    standby.promote();
    let moves = play.records.move_count();
    wait_until("play does not go on", async || play.records.move_count() > moves + 100).await;
    let stall = began.elapsed();
    for node in &play.servers.nodes {
        let visitor = Player::anonymous(node.addr);
        wait_until("a node is not ready", async || visitor.get("/readyz").await.0 == 200).await;
    }
    play.assert_all_play();
    stall
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn failover_after_a_kill_loses_nothing() {
    let (mut play, standby) = start_play().await;
    play.servers.cluster.signal("KILL");
    let killed_ms = now_ms();
    let stall = fail_over(&play, &standby).await;
    assert!(stall < STALL_MAX, "{stall:?}");
    println!("play went on after {} ms", now_ms() - killed_ms);
    play.servers.url = standby.url(DATABASE);
    play.end("failover").await;
}

/// A primary that hangs while its standby replaces it, and goes on afterwards, gets no connection
/// any more, even once it could commit without a standby.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_primaries_lose_nothing() {
    let (mut play, standby) = start_play().await;
    play.servers.cluster.signal("STOP");
    let stall = fail_over(&play, &standby).await;
    play.servers.cluster.signal("CONT");
    assert!(stall < STALL_MAX, "{stall:?}");
    // From now on, it could commit again.
    let old = &play.servers.cluster;
    old.run("postgres", "ALTER SYSTEM SET synchronous_standby_names = ''");
    old.run("postgres", "SELECT pg_reload_conf()");
    let (allowed, moves) = (Instant::now(), play.records.move_count());
    // Long enough for several heartbeats of each server, wherever they go.
    wait_until("play stops", async || {
        play.records.move_count() > moves + 1_000 && allowed.elapsed() > Duration::from_secs(4)
    })
    .await;
    // A server that starts now finds both.
    play.servers.start_another(&["--log", "off"]).await;
    let node = play.servers.nodes.last().expect("the server");
    assert_eq!(Player::anonymous(node.addr).get("/readyz").await.0, 200);
    let last = "SELECT max(alive_ms) FROM node";
    let newest = play.servers.cluster.run(DATABASE, last).remove(0);
    assert!(newest.parse::<i64>().expect("time") < now_ms() - 2_000, "{newest}: a late heartbeat");
    println!("play went on {stall:?} after the promotion");
    play.servers.url = standby.url(DATABASE);
    play.end("two primaries").await;
}

/// A standby that lacks events becomes the primary: rooms that have them begin anew with its log.
#[tokio::test]
async fn standby_that_lacks_moves_leaves_no_gap() {
    let cluster = Cluster::start();
    cluster.create_database(DATABASE);
    let standby = Standby::start(&cluster);
    let url = url_of([cluster.folder(), standby.socket_folder()], DATABASE);
    let node = Process::start(Path::new(&url), &["--log", "off"]).await;
    let mut ann = Player::register(node.addr, "Ann").await;
    let mut bob = Player::register(node.addr, "Bob").await;
    let id = ann.start_game(&mut bob, "caterpillarWar", json!({ "clock.limit": 600 })).await;
    ann.play_first_legal(&id).await;
    bob.play_first_legal(&id).await;
    ann.play_first_legal(&id).await;
    standby.detach(&cluster).await;
    for _ in 0..2 {
        bob.play_first_legal(&id).await;
        ann.play_first_legal(&id).await;
    }
    let mut socket = ann.socket(&format!("/ws/game/{id}")).await;
    assert_eq!(socket.until("full").await["d"]["v"], 7);
    cluster.signal("KILL");
    standby.promote();
    wait_until("the server has not found it", async || {
        ann.get("/readyz").await.0 == 200 && ann.get(&format!("/api/game/{id}")).await.1["v"] == 3
    })
    .await;
    let u = bob.play_first_legal(&id).await;
    let game = ann.get(&format!("/api/game/{id}")).await.1;
    let moves = game["state"]["moves"].as_str().expect("moves");
    assert_eq!((moves.split_whitespace().count(), moves.split_whitespace().last()), (4, Some(&*u)));
    // The page of a client that has seen more gets the whole game.
    let mut again = ann.socket(&format!("/ws/game/{id}?v=7")).await;
    assert_eq!(again.until("full").await["d"]["v"], game["v"]);
    let (status, output) = run_subcommand(Path::new(&standby.url(DATABASE)), &["check"]);
    assert_eq!(status, Some(0), "{output}");
}

#[test]
fn standby_without_its_primary_is_refused() {
    let cluster = Cluster::start();
    cluster.create_database(DATABASE);
    let standby = Standby::start(&cluster);
    let (status, output) = run_failing(Path::new(&standby.url(DATABASE)));
    assert_eq!(status, Some(1), "{output}");
    assert!(output.contains("the database is a standby: add the host of its primary"), "{output}");
}
