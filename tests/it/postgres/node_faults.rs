//! Faults of several servers of one database while clients play: nothing acknowledged is lost or
//! executed twice, and play goes on.

use super::DATABASE;
use super::servers::{Play, Servers, at, fault_count};
use crate::support::client::{Player, wait_until};
use crate::support::database::Database;
use crate::support::database_audit::replay_games;
use crate::support::database_proxy::{DatabaseProxy, Network};
use crate::support::process::kill_process;
use serde_json::json;
use sprong::rooms::now_ms;
use sprong::rules::{Side, SplitMix};
use sprong::store::{DatabaseAddress, Store};
use std::time::{Duration, Instant};

/// Time between the start of a node and the next kill.
const UPTIME: Duration = Duration::from_millis(400);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kills_of_nodes_lose_nothing() {
    let mut play = Play::start().await;
    let kills = fault_count(12);
    for number in 0..kills as usize {
        play.servers.nodes[number % 3].kill();
        play.assert_all_play();
        play.servers.nodes[number % 3].restart().await;
        tokio::time::sleep(UPTIME).await;
    }
    // One is killed for good.
    play.servers.nodes[0].kill();
    play.end(&format!("{kills} kills")).await;
}

/// A player comes back to another node a second after the death of the own one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn death_of_a_node_is_not_charged_to_its_players() {
    const AWAY: Duration = Duration::from_secs(1);
    const INITIAL_MS: i64 = 60_000;
    let mut servers = Servers::start(3).await;
    let [one, two, three] = servers.addresses()[..] else { panic!("three nodes") };
    let mut ann = Player::register(one, "Ann").await;
    let mut bob = Player::register(two, "Bob").await;
    let id = ann.start_game(&mut bob, "caterpillarWar", json!({ "clock.limit": 60 })).await;
    let path = format!("/ws/game/{id}");
    let _connections = (ann.socket(&path).await, bob.socket(&path).await);
    let sql = format!("SELECT account FROM presence WHERE location = 'game:{id}'");
    wait_until("the presence is not stored", async || {
        servers.cluster.run(DATABASE, &sql).len() == 2
    })
    .await;
    ann.play_first_legal(&id).await;
    bob.play_first_legal(&id).await;
    let moved = Instant::now();
    servers.nodes[0].kill();
    let killed = Instant::now();
    wait_until("time stands still", async || killed.elapsed() >= AWAY).await;
    let mut ann = at(&ann, three);
    let mut socket = ann.socket(&path).await;
    socket.until("full").await;
    let excluded = socket.until("clock").await;
    let excluded_ms = excluded["d"]["lost"].as_i64().expect("milliseconds");
    ann.play_first_legal(&id).await;
    let elapsed_ms = moved.elapsed().as_millis() as i64;
    let (_, game) = bob.get(&format!("/api/game/{id}")).await;
    let charged_ms = INITIAL_MS - game["clocks"]["first"].as_i64().expect("clock");
    assert!(excluded_ms >= AWAY.as_millis() as i64, "{excluded_ms} ms excluded");
    // The move before was made on the way to its answer.
    assert!(charged_ms + excluded_ms <= elapsed_ms + 500, "{charged_ms} of {elapsed_ms} ms");
    assert_eq!(bob.post(&format!("/api/board/game/{id}/resign"), json!({})).await.0, 200);
    let address = DatabaseAddress::parse(servers.url.as_str().into()).expect("address");
    let store = Store::open_address(&address).await.expect("store");
    let games = replay_games(&store, &Database::open(&servers.url).await).await;
    let (total_ms, [start_ms, last_ms]) = games[0].excluded_downtime_ms();
    let clock = games[0].game.clock().expect("a clock");
    let left_ms = Side::BOTH.map(|side| clock.remaining_ms(side, last_ms));
    assert_eq!(total_ms, excluded_ms, "once");
    assert_eq!(2 * INITIAL_MS - left_ms[0] - left_ms[1] + total_ms, last_ms - start_ms);
    store.close().await;
}

/// A node that stops and goes on is behind the others, and may have a transaction open.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stops_of_nodes_lose_nothing() {
    let play = Play::start().await;
    let (stops, mut random) = (fault_count(6), SplitMix::new(now_ms().cast_unsigned()));
    for number in 0..stops as usize {
        let node = &play.servers.nodes[number % 3];
        node.signal("STOP");
        tokio::time::sleep(Duration::from_millis(1_000 + random.below(3_000) as u64)).await;
        node.signal("CONT");
        play.assert_all_play();
        tokio::time::sleep(UPTIME).await;
    }
    play.end(&format!("{stops} stops")).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lost_connections_and_crashes_of_three_nodes_lose_nothing() {
    let play = Play::start().await;
    let (faults, mut ended) = (fault_count(120), 0);
    for number in 1..=faults {
        tokio::time::sleep(Duration::from_millis(50)).await;
        match number % 40 {
            // All processes of the database end with one that is killed.
            20 => {
                let sql = "SELECT pid FROM pg_stat_activity WHERE application_name = 'sprong'
                           LIMIT 1";
                let victims = play.servers.cluster.try_run("postgres", sql);
                assert!(victims.iter().flatten().all(|pid| kill_process(pid)));
            }
            // The connections that listen to the other nodes.
            10 => ended += play.end_connections("query LIKE 'LISTEN%'"),
            _ => {
                let one = "pid = (SELECT pid FROM pg_stat_activity
                           WHERE application_name = 'sprong' ORDER BY random() LIMIT 1)";
                ended += play.end_connections(one);
            }
        }
        play.assert_all_play();
    }
    assert!(ended as u64 > faults / 2, "{ended} connections");
    play.end(&format!("{ended} connections and {} crashes", faults / 40)).await;
}

/// All nodes have the time of the database: wrong clocks of their machines do no harm.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn wrong_clocks_of_machines_do_no_harm() {
    let mut servers = Servers::start(1).await;
    for offset in ["+1h", "-1h"] {
        // The program `faketime` would be a process of its own, which a kill ends alone.
        let script = format!(
            "export LD_PRELOAD=$(ls /usr/lib/*/faketime/libfaketime.so.1) FAKETIME={offset}
             export FAKETIME_DONT_FAKE_MONOTONIC=1; exec \"$@\""
        );
        servers.start_with_script(&script, &[]).await;
    }
    let play = Play::start_on(servers).await;
    wait_until("play does not go on", async || play.records.ended_game_count() > 30).await;
    for addr in play.servers.addresses() {
        let mut socket = Player::anonymous(addr).socket("/ws/lobby").await;
        socket.send(json!({ "t": "ping", "d": { "c": 1.0 } })).await;
        let at_ms = socket.until("pong").await["d"]["at"].as_i64().expect("time");
        assert!((at_ms - now_ms()).abs() < 5_000, "{at_ms} at {addr}");
    }
    play.end("three clocks").await;
}

/// The network between one node and the database is slow, silent, and silent for the notifications
/// of the other nodes. The node finds out by itself and comes back.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn node_with_a_bad_network_loses_nothing() {
    let mut servers = Servers::start(2).await;
    let proxy = DatabaseProxy::start(&servers.cluster);
    servers.url = proxy.url(DATABASE);
    servers.start_another(&["--log", "off"]).await;
    servers.url = servers.cluster.url(DATABASE);
    let play = Play::start_on(servers).await;
    let node = Player::anonymous(play.servers.nodes[2].addr);
    let silences = fault_count(1);
    for _ in 0..silences {
        proxy.set(Network::Slow);
        let moves = play.records.move_count();
        wait_until("play stops", async || play.records.move_count() > moves + 2_000).await;
        // Reads wait for the connections that clients of the slow node use.
        wait_until("the slow node serves nobody", async || node.get("/api/lobby").await.0 == 200)
            .await;
        for silence in [Network::Silent, Network::SilentListener] {
            proxy.set(silence);
            wait_until("the node does not notice", async || node.get("/readyz").await.0 == 503)
                .await;
            play.assert_all_play();
            proxy.set(Network::Up);
            wait_until("the node does not come back", async || node.get("/readyz").await.0 == 200)
                .await;
        }
    }
    play.end(&format!("{silences} times a slow network and two silences")).await;
}
