//! Backups under load: a backup is consistent, contains every move that was acknowledged before it
//! began, and a server can start on it.

use crate::support::client::{Player, wait_until};
use crate::support::database::Database;
use crate::support::database_audit;
use crate::support::fault_injection::run_sql;
use crate::support::persistent_clients::{ClientRecords, Nodes, play_games};
use crate::support::process::Process;
use serde_json::json;
use sprong::store::Store;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tempfile::TempDir;

/// Number of pairs that play meanwhile.
const PAIRS: usize = 10;

/// Number of backups, one after another.
const BACKUPS: usize = 4;

/// Number of acknowledged moves before each backup.
const MOVES_BETWEEN: usize = 200;

fn sprong(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sprong")).args(arguments).output().expect("the binary")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("path")
}

/// Runs `sprong check` on a database. Returns its success and output.
fn check(path: &Path) -> (bool, String) {
    let output = sprong(&["check", "--database", text(path)]);
    let output_text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(output_text).expect("text"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn backup_under_load_restores() {
    let folder = TempDir::new().expect("folder");
    let path = folder.path().join("sprong.db");
    let mut server = Process::start(&path, &[]).await;
    let (records, stop) = (ClientRecords::default(), Arc::new(AtomicBool::new(false)));
    let mut pairs = Vec::new();
    for n in 0..PAIRS {
        let one = Player::register(server.addr, &format!("One{n}")).await;
        let two = Player::register(server.addr, &format!("Two{n}")).await;
        let variant = ["knightFight", "kopfOderKnopf", "caterpillarWar"][n % 3];
        let (nodes, seed) = (Nodes::new(&[server.addr]), n as u64 * 1_000_000);
        let playing = play_games([one, two], nodes, variant, seed, records.clone(), stop.clone());
        pairs.push(tokio::spawn(playing));
    }
    let mut moves = 0;
    for n in 0..BACKUPS {
        let moves_min = records.move_count() + MOVES_BETWEEN;
        wait_until("expected more acknowledged moves", async || records.move_count() >= moves_min)
            .await;
        let before: Vec<(String, Vec<_>)> = {
            let acknowledged = records.acknowledged.lock().expect("lock");
            acknowledged.iter().map(|(id, of)| (id.clone(), of.clone())).collect()
        };
        let copy = folder.path().join(format!("copy{n}.db"));
        let (from, to) = (path.clone(), copy.clone());
        let output = tokio::task::spawn_blocking(move || {
            sprong(&["backup", "--database", text(&from), text(&to)])
        });
        let output = output.await.expect("task");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let (agrees, report) = check(&copy);
        assert!(agrees, "{report}");
        let store = Store::open(&copy).await.expect("store");
        let games = database_audit::replay_games(&store, &Database::open_file(&copy).await).await;
        database_audit::assert_consistent(&store, &games).await;
        for (id, commands) in before {
            let game = games.iter().find(|game| game.row.id.to_string() == id).expect("the game");
            for own in commands {
                game.assert_stored_once(own.cid, own.ply, &own.u);
                moves += 1;
            }
        }
        store.close().await;
    }
    assert!(pairs.iter().all(|pair| !pair.is_finished()), "expected all players to continue");
    stop.store(true, Ordering::Relaxed);
    pairs.iter().for_each(tokio::task::JoinHandle::abort);
    server.kill();
    // A server that is started on the last backup continues its games.
    let copy = folder.path().join(format!("copy{}.db", BACKUPS - 1));
    let store = Store::open(&copy).await.expect("store");
    let live = store.games_for_rooms().await.expect("games").remove(0);
    store.close().await;
    let server = Process::start(&copy, &[]).await;
    let mut player = Player::anonymous(server.addr);
    let who = json!({ "username": live.players[0].account.name, "password": "correct-horse" });
    assert_eq!(player.post("/api/login", who).await.0, 200);
    assert_eq!(player.post(&format!("/api/board/game/{}/resign", live.id), json!({})).await.0, 200);
    println!("{BACKUPS} backups, {moves} acknowledged moves: all stored");
    assert!(moves >= BACKUPS * MOVES_BETWEEN, "{moves} moves");
}

/// `sprong check` finds every kind of contradiction between a row and a log, and names the game.
#[tokio::test]
async fn check_finds_contradictions_to_the_log() {
    let folder = TempDir::new().expect("folder");
    let path = folder.path().join("sprong.db");
    let mut server = Process::start(&path, &[]).await;
    let mut ann = Player::register(server.addr, "Ann").await;
    let mut bob = Player::register(server.addr, "Bob").await;
    let id = ann.start_game(&mut bob, "caterpillarWar", json!({})).await;
    for (player, u) in [(&mut ann, "h5-g5"), (&mut bob, "a4-b4")] {
        player.post(&format!("/api/board/game/{id}/move/{u}"), json!({})).await;
    }
    assert_eq!(ann.post(&format!("/api/board/game/{id}/resign"), json!({})).await.0, 200);
    assert!(server.terminate().success());
    assert!(check(&path).0, "expected no contradiction before the damage");
    for damage in [
        "UPDATE game SET winner = 'first'",
        "UPDATE game SET status = 34, winner = NULL, reason = 'agreement'",
        "UPDATE game SET status = 20, winner = NULL, ended_ms = NULL",
        "INSERT INTO turn_state SELECT key, 'first', 4, 5, NULL, 0, 0 FROM game",
        "UPDATE game_log SET events = json_set(events, '$[1][0]', 'a1-a2')",
        "UPDATE game_log SET events = 'nonsense'",
        "UPDATE game_log SET events = json_remove(events, '$[1]')",
        "UPDATE game_log SET events = json_remove(events, '$[2]')",
    ] {
        let damaged = folder.path().join("bent.db");
        std::fs::copy(&path, &damaged).expect("a copy");
        run_sql(&damaged, damage).await;
        let (agrees, report) = check(&damaged);
        assert!(!agrees && report.contains(&id), "{damage}: {report}");
    }
}
