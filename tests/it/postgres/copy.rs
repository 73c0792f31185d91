//! Copies between a file of SQLite and a database of PostgreSQL: begun during play, completed after
//! it, and back. Both are equal, and a server goes on with the copy.

use super::DATABASE;
use crate::kill::{IN_PLAY, audit_records, end_pairs, start_pairs, wait_for_games_in_play};
use crate::support::client::{Player, wait_until};
use crate::support::persistent_clients::ClientRecords;
use crate::support::postgres::Cluster;
use crate::support::process::{Process, run_subcommand};
use serde_json::json;
use sprong::rooms::now_ms;
use std::path::Path;
use std::slice;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tempfile::TempDir;

/// Copies a database, and returns the last line of the output.
fn copy(from: &str, to: &str) -> String {
    let (status, output) = run_subcommand(Path::new("unused.db"), &["copy", from, to]);
    assert_eq!(status, Some(0), "{output}");
    output.lines().last().unwrap_or_default().to_owned()
}

fn assert_copy_refused(from: &str, to: &str, reason: &str) {
    let (status, output) = run_subcommand(Path::new("unused.db"), &["copy", from, to]);
    assert_eq!(status, Some(1), "{output}");
    assert!(output.contains(reason), "{output}");
}

fn assert_sound(database: &str) {
    let (status, output) = run_subcommand(Path::new(database), &["check"]);
    assert_eq!(status, Some(0), "{output}");
    assert!(output.contains(": 0 mismatches"), "{output}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn copies_there_and_back_are_equal() {
    let folder = TempDir::new().expect("folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("path").to_owned();
    let (file, back, backup) = (path("sprong.db"), path("back.db"), path("backup.db"));
    let cluster = Cluster::start();
    cluster.create_database(DATABASE);
    let url = cluster.url(DATABASE);
    let mut server = Process::start(Path::new(&file), &[]).await;
    let (records, stop) = (ClientRecords::default(), Arc::new(AtomicBool::new(false)));
    let pairs = start_pairs(&[server.addr], &records, &stop).await;
    let mut ann = Player::register(server.addr, "Ann").await;
    ann.api_client("challenge:write").await;
    let mut bob = Player::register(server.addr, "Bob").await;
    let daily = ann.start_game(&mut bob, "hogga", json!({ "days": 3 })).await;
    ann.play_first_legal(&daily).await;
    let report = json!({ "username": "Bob", "reason": "abuse", "text": "Text", "game": daily });
    assert_eq!(ann.post("/api/report", report.clone()).await.0, 200);
    wait_for_games_in_play(&records, IN_PLAY / 2).await;
    let began_ms = now_ms();
    let first = copy(&file, &url);
    assert!(!first.contains("; 0 rows were changed"), "{first}");
    wait_until("play goes on", async || records.ended_game_count() > 30).await;
    stop.store(true, Ordering::Relaxed);
    end_pairs(pairs, &records, slice::from_mut(&mut server)).await;
    copy(&file, &url);
    assert!(copy(&file, &url).contains("; 0 rows were changed"));
    assert_sound(&url);
    copy(&url, &back);
    // Each row of the copy of the copy is that of the original.
    assert!(copy(&file, &back).contains("; 0 rows were changed"));
    assert_sound(&back);
    let (status, output) = run_subcommand(Path::new(&url), &["backup", &backup]);
    assert_eq!(status, Some(0), "{output}");
    assert!(copy(&url, &backup).contains("; 0 rows were changed"));
    assert_sound(&backup);
    let third = path("third.db");
    copy(&file, &third);
    assert_sound(&third);
    let files: Vec<String> = std::fs::read_dir(folder.path())
        .expect("folder")
        .map(|entry| entry.expect("entry").file_name().to_string_lossy().into_owned())
        .collect();
    assert!(files.iter().all(|name| !name.contains(".part")), "{files:?}");

    // Everything that was acknowledged is in the copy, and a server goes on with it.
    let found = audit_records(&url, &records, &[[began_ms, began_ms]]).await;
    println!("{found}");
    let server = Process::start(Path::new(&url), &[]).await;
    let there = Player { addr: server.addr, ..ann.clone() };
    assert_eq!(there.get("/api/account").await.0, 200, "the session is valid");
    let mut there = there;
    assert_eq!(there.post("/api/report", report).await.0, 200, "numbers continue");
    Player { addr: server.addr, ..bob }.play_first_legal(&daily).await;
    assert_copy_refused(&file, &url, "a server has used this database");
    assert_copy_refused(&file, &file, "a database cannot be copied to itself");
    assert_copy_refused(&path("missing.db"), &back, "there is no such database");
    assert_copy_refused(&file, "postgres://sprong@127.0.0.1:1/x", "Connection refused");
}
