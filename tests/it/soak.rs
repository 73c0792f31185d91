//! Soak test: players connect and disconnect, and thousands of games begin and end; memory, file
//! descriptors and the write-ahead log stay bounded.

use crate::support::checker::{GameHistory, find_contradictions};
use crate::support::client::{Player, Server, wait_until};
use crate::support::client_history::ClientHistory;
use crate::support::socket::Socket;
use serde_json::{Value, json};
use sprong::rules::Side;
use sprong::store::Store;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use uuid::Uuid;

/// Concurrent pairs of players.
const CONCURRENT_PAIRS: usize = 8;

/// Games before the first measurement, and between it and each of the next two.
const WARMUP_GAMES: usize = 300;
const CHURN_GAMES: usize = 450;

/// Additional descriptors that the server may have after a period: connections to the database.
const DESCRIPTORS_MAX: usize = 20;

/// Runs the soak in a separate process, so that nothing else is measured.
#[test]
fn churn_keeps_memory_descriptors_and_log_bounded() {
    let own = std::env::current_exe().expect("the path of this program");
    let output = std::process::Command::new(own)
        .args(["soak::soak_in_own_process", "--exact", "--ignored", "--nocapture"])
        .output()
        .expect("the soak");
    let stdout = String::from_utf8_lossy(&output.stdout);
    println!(
        "{}",
        stdout
            .lines()
            .filter(|line| line.contains("KiB") || line.contains("games in"))
            .collect::<Vec<_>>()
            .join("\n")
    );
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && stdout.contains("1 passed"), "{stdout}\n{stderr}");
}

/// Resource usage of a process.
#[derive(Clone, Copy, Debug)]
struct ResourceUsage {
    memory_kib: u64,
    descriptors: usize,
    log_kib: u64,
}

fn resource_usage(server: &Server) -> ResourceUsage {
    let status = std::fs::read_to_string("/proc/self/status").expect("status");
    let memory = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("VmRSS");
    let log = server.path().with_extension("db-wal");
    ResourceUsage {
        memory_kib: memory.trim().trim_end_matches(" kB").parse().expect("a number"),
        descriptors: std::fs::read_dir("/proc/self/fd").expect("descriptors").count(),
        log_kib: std::fs::metadata(log).expect("log").len() / 1024,
    }
}

/// Returns the next message of a type, and records all messages until then.
async fn record_until(socket: &mut Socket, history: &mut ClientHistory, t: &str) -> Value {
    loop {
        let message = socket.next().await.expect("a message");
        history.record_message(&message);
        if message["t"] == t {
            return message;
        }
    }
}

/// Compares the messages of the first player with the log.
async fn check_history(store: &Store, id: &str, own: ClientHistory) {
    let row = store.game(&id.parse().expect("id")).await.expect("read").expect("game");
    let log = store.events(row.key).await.expect("log");
    let [before, after] = own.event_counts();
    assert_eq!(before + after, log.len(), "{id}");
    let mut history = GameHistory::default();
    own.add_to(&mut history, &row, Some(Side::First));
    assert_eq!(find_contradictions(&row, &log, &history), Vec::<String>::new(), "{id}");
}

/// Two new guests play a few short games and disconnect, one of them without a close frame. Repeats
/// until this number of games has begun.
async fn play_and_disconnect(
    store: Store,
    nobody: Player,
    games: Arc<AtomicUsize>,
    games_max: usize,
) {
    while games.load(Ordering::Relaxed) < games_max {
        let mut two = [nobody.clone(), nobody.clone()];
        for player in &mut two {
            assert_eq!(player.post("/api/guest", json!({})).await.0, 201);
        }
        let [mut one, mut other] = two;
        let lobby = one.socket("/ws/lobby").await;
        for variant in ["caterpillarWar", "knightFight", "caterpillarWar"] {
            if games.fetch_add(1, Ordering::Relaxed) >= games_max {
                break;
            }
            let id = one.start_game(&mut other, variant, json!({ "rated": false })).await;
            let path = format!("/ws/game/{id}");
            let (mut first, second) = (one.socket(&path).await, other.socket(&path).await);
            let watcher = nobody.socket(&path).await;
            let mut history = ClientHistory::default();
            let full = record_until(&mut first, &mut history, "full").await;
            let d = json!({ "u": full["d"]["legal"][0], "ply": 0, "cid": Uuid::now_v7() });
            history.record_command("move", &d);
            first.send(json!({ "t": "move", "d": d })).await;
            record_until(&mut first, &mut history, "ack").await;
            drop((second, watcher));
            other.post(&format!("/api/board/game/{id}/resign"), json!({})).await;
            let end = record_until(&mut first, &mut history, "end").await;
            assert_eq!(end["d"]["status"], "resign");
            let _ = first.0.close(None).await;
            check_history(&store, &id, history).await;
        }
        drop(lobby);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "run by the test above, in a separate process"]
async fn soak_in_own_process() {
    let server = Server::start_with(&["--connections-per-address", "100000"]).await;
    let descriptors_max = resource_usage(&server).descriptors + DESCRIPTORS_MAX;
    let mut measurements = Vec::new();
    for games_max in [WARMUP_GAMES, CHURN_GAMES, CHURN_GAMES] {
        let (games, began) = (Arc::new(AtomicUsize::new(0)), Instant::now());
        let nobody = Player::anonymous(server.addr);
        let comers: Vec<_> = (0..CONCURRENT_PAIRS)
            .map(|_| {
                let store = server.rooms.store().clone();
                tokio::spawn(play_and_disconnect(store, nobody.clone(), games.clone(), games_max))
            })
            .collect();
        drop(nobody);
        for comer in comers {
            comer.await.expect("a finished task");
        }
        let played = began.elapsed();
        wait_until("rooms stay open", async || server.rooms.is_empty()).await;
        let closed = async || resource_usage(&server).descriptors <= descriptors_max;
        wait_until("connections stay open", closed).await;
        println!("{games_max} games in {played:.1?}, {:.1?} with their end", began.elapsed());
        measurements.push(resource_usage(&server));
    }
    println!("{measurements:?} KiB");
    let [_, middle, end] = measurements[..] else { panic!("three measurements") };
    assert!(end.memory_kib < middle.memory_kib * 6 / 5 + 4_096, "{middle:?}, {end:?}");
    assert!(end.descriptors <= middle.descriptors + 10, "{middle:?}, {end:?}");
    assert!(end.log_kib <= middle.log_kib * 3 / 2 + 1_024, "{middle:?}, {end:?}");
    server.stop().await;
}
