//! Takeover: a new process replaces the running one without refused connections or lost moves.

use super::{ServerProcess, check};
use crate::support::client::{Player, wait_until};
use crate::support::process::free_addr;
use serde_json::json;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tempfile::TempDir;
use tokio_tungstenite::tungstenite::Error as WsError;
use uuid::Uuid;

/// Number of acknowledged moves before each takeover, and after the last.
const MOVES_BETWEEN: usize = 20;

/// Record of the clients during takeovers.
#[derive(Clone, Default)]
struct ClientRecord {
    /// Game, ply and notation of the acknowledged moves.
    acknowledged: Arc<Mutex<Vec<(String, usize, String)>>>,
    connected: Arc<AtomicUsize>,
    refused: Arc<AtomicUsize>,
}

impl ClientRecord {
    /// Waits for [`MOVES_BETWEEN`] more acknowledged moves.
    async fn wait_for_moves(&self) {
        let moves = || self.acknowledged.lock().expect("list").len();
        let moves_min = moves() + MOVES_BETWEEN;
        wait_until("expected more moves of the clients", async || moves() >= moves_min).await;
    }
}

/// Plays one side of a game to its end and reconnects as often as necessary.
async fn play(player: Player, id: String, record: ClientRecord) {
    let mut waiting: Option<(Uuid, usize, String)> = None;
    loop {
        let mut socket = match player.try_socket(&format!("/ws/game/{id}")).await {
            Ok(socket) => socket,
            Err(WsError::Io(error)) if error.kind() == std::io::ErrorKind::ConnectionRefused => {
                record.refused.fetch_add(1, Ordering::Relaxed);
                continue;
            }
            Err(_) => {
                tokio::time::sleep(Duration::from_millis(5)).await;
                continue;
            }
        };
        record.connected.fetch_add(1, Ordering::Relaxed);
        let mut over = false;
        while let Ok(message) = socket.next().await {
            let d = &message["d"];
            let legal = match message["t"].as_str() {
                Some("full") => {
                    over |= d["state"]["status"] != "started";
                    if let Some((cid, ply, u)) = &waiting {
                        let d = json!({ "cid": cid, "ply": ply, "u": u });
                        socket.send(json!({ "t": "move", "d": d })).await;
                    }
                    let moves = d["state"]["moves"].as_str().expect("moves");
                    Some((moves.split_whitespace().count(), &d["legal"]))
                }
                Some("move") => Some((d["ply"].as_u64().expect("ply") as usize, &d["legal"])),
                Some("ack") => {
                    let (cid, ply, u) = waiting.take().expect("a command");
                    assert_eq!(d["cid"], json!(cid));
                    record.acknowledged.lock().expect("list").push((id.clone(), ply, u));
                    None
                }
                Some("refused") => panic!("{message}"),
                Some("end") => {
                    over = true;
                    None
                }
                _ => None,
            };
            if over && waiting.is_none() {
                return;
            }
            let Some((ply, legal)) = legal.filter(|_| waiting.is_none()) else { continue };
            let Some(u) =
                legal.as_array().and_then(|legal| legal.get(ply * 7 % legal.len().max(1)))
            else {
                continue;
            };
            tokio::time::sleep(Duration::from_millis(20)).await;
            let (cid, u) = (Uuid::now_v7(), u.as_str().expect("notation").to_owned());
            waiting = Some((cid, ply, u.clone()));
            use futures_util::SinkExt;
            let frame = json!({ "t": "move", "d": { "cid": cid, "ply": ply, "u": u } }).to_string();
            if socket.0.send(frame.into()).await.is_err() {
                break;
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn takeover_loses_no_moves_and_refuses_no_client() {
    let (folder, addr) = (TempDir::new().expect("folder"), free_addr());
    let mut server = ServerProcess::start(addr, folder.path(), &[]);
    server.read_log_until("Listening on");
    let mut ann = Player::register(addr, "Ann").await;
    let mut bob = Player::register(addr, "Bob").await;
    let (record, mut clients) = (ClientRecord::default(), Vec::new());
    for variant in ["hogga", "caterpillarWar", "kopfOderKnopf", "knightFight", "wieNietWegIs"] {
        let fields = json!({ "clock.limit": 600 });
        let id = ann.start_game(&mut bob, variant, fields).await;
        for player in [&ann, &bob] {
            clients.push(tokio::spawn(play(player.clone(), id.clone(), record.clone())));
        }
    }
    // A second server without `--takeover` fails and does not change the lock file of the first.
    let mut second = ServerProcess::start(addr, folder.path(), &[]);
    assert!(!second.wait_for_exit());
    let other = TempDir::new().expect("folder");
    for rest in [&[][..], &["--takeover"]] {
        let mut second = ServerProcess::start(addr, other.path(), rest);
        assert!(!second.wait_for_exit(), "expected the address to be taken");
    }
    for _ in 0..5 {
        record.wait_for_moves().await;
        let mut next = ServerProcess::start(addr, folder.path(), &["--takeover"]);
        assert!(server.wait_for_exit(), "expected a clean exit of the old server");
        next.read_log_until("Listening on");
        server = next;
    }
    record.wait_for_moves().await;
    for client in clients {
        client.abort();
        assert!(
            client.await.err().is_none_or(|error| error.is_cancelled()),
            "expected all clients to continue"
        );
    }
    let acknowledged = std::mem::take(&mut *record.acknowledged.lock().expect("list"));
    let anybody = Player::anonymous(addr);
    for (id, ply, u) in &acknowledged {
        let (_, game) = anybody.get(&format!("/api/game/{id}")).await;
        let moves = game["state"]["moves"].as_str().expect("moves");
        assert_eq!(moves.split_whitespace().nth(*ply), Some(u.as_str()), "ply {ply} of {id}");
    }
    let connected = record.connected.load(Ordering::Relaxed);
    println!("{} moves, {connected} connections", acknowledged.len());
    assert!(connected > 20, "{connected}");
    assert_eq!(record.refused.load(Ordering::Relaxed), 0, "expected connections to wait");
    drop(server);
    let (fine, report) = check(&folder.path().join("sprong.db"));
    assert!(fine, "{report}");
    // Without a running server, `--takeover` is a normal start.
    let mut server = ServerProcess::start(addr, folder.path(), &["--takeover"]);
    server.read_log_until("Listening on");
}
