//! Soak test: players connect and disconnect, and thousands of games begin and end; memory, file
//! descriptors and the write-ahead log stay bounded.

use super::client::{Player, Server, until};
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Concurrent pairs of players.
const COMERS: usize = 8;

/// Games before the first measurement, and between it and each of the next two.
const WARM_GAMES: usize = 300;
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
    let said = String::from_utf8_lossy(&output.stdout);
    println!(
        "{}",
        said.lines()
            .filter(|line| line.contains("KiB") || line.contains("games in"))
            .collect::<Vec<_>>()
            .join("\n")
    );
    let failed = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("1 passed"), "{said}\n{failed}");
}

/// Resource usage of a process.
#[derive(Clone, Copy, Debug)]
struct Use {
    memory_kib: u64,
    descriptors: usize,
    log_kib: u64,
}

fn used(server: &Server) -> Use {
    let status = std::fs::read_to_string("/proc/self/status").expect("status");
    let memory = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("VmRSS");
    let log = server.path().with_extension("db-wal");
    Use {
        memory_kib: memory.trim().trim_end_matches(" kB").parse().expect("a number"),
        descriptors: std::fs::read_dir("/proc/self/fd").expect("descriptors").count(),
        log_kib: std::fs::metadata(log).expect("log").len() / 1024,
    }
}

/// Two new guests play a few short games and disconnect, one of them without a close frame. Repeats
/// until this number of games has begun.
async fn come_and_go(nobody: Player, games: Arc<AtomicUsize>, games_max: usize) {
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
            let id = one.begin(&mut other, variant, json!({ "rated": false })).await;
            let path = format!("/ws/game/{id}");
            let (mut first, second) = (one.socket(&path).await, other.socket(&path).await);
            let watcher = nobody.socket(&path).await;
            let full = first.until("full").await;
            let d = json!({ "u": full["d"]["legal"][0], "ply": 0 });
            first.command("move", d).await;
            first.until("ack").await;
            drop((second, watcher));
            other.post(&format!("/api/board/game/{id}/resign"), json!({})).await;
            assert_eq!(first.until("end").await["d"]["status"], "resign");
            let _ = first.0.close(None).await;
        }
        drop(lobby);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "run by the test above, in a separate process"]
async fn soak_in_own_process() {
    let server = Server::start_with(&["--address-connections", "100000"]).await;
    let descriptors_max = used(&server).descriptors + DESCRIPTORS_MAX;
    let mut looks = Vec::new();
    for games_max in [WARM_GAMES, CHURN_GAMES, CHURN_GAMES] {
        let (games, began) = (Arc::new(AtomicUsize::new(0)), Instant::now());
        let nobody = Player::nobody(server.addr);
        let comers: Vec<_> = (0..COMERS)
            .map(|_| tokio::spawn(come_and_go(nobody.clone(), games.clone(), games_max)))
            .collect();
        drop(nobody);
        for comer in comers {
            comer.await.expect("a finished task");
        }
        let played = began.elapsed();
        until("rooms stay open", async || server.rooms.is_empty()).await;
        let closed = async || used(&server).descriptors <= descriptors_max;
        until("connections stay open", closed).await;
        println!("{games_max} games in {played:.1?}, {:.1?} with their end", began.elapsed());
        looks.push(used(&server));
    }
    println!("{looks:?} KiB");
    let [_, middle, end] = looks[..] else { panic!("three measurements") };
    assert!(end.memory_kib < middle.memory_kib * 6 / 5 + 4_096, "{middle:?}, {end:?}");
    assert!(end.descriptors <= middle.descriptors + 10, "{middle:?}, {end:?}");
    assert!(end.log_kib <= middle.log_kib * 3 / 2 + 1_024, "{middle:?}, {end:?}");
    server.stop().await;
}
