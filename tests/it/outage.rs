//! Outages: a full disk, a locked or read-only database, a stopped process. Moves are refused with
//! a reason and not acknowledged, clocks exclude the outage, and play continues afterwards.

use crate::support::client::{Player, wait_until};
use crate::support::fault_injection::FaultInjector;
use crate::support::game_fixture::{GameFixture, next_answer};
use crate::support::process::{Process, run_failing, run_failing_as_nobody};
use serde_json::json;
use sprong::store::Store;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use uuid::Uuid;

/// Scripts that start the server with `SIGXFSZ` ignored: a write beyond the file size limit is an
/// error and does not end the process. The log goes to `/dev/null`, or to a file on the same disk.
const SCRIPT_WITHOUT_LOG: &str = "trap '' XFSZ; exec \"$@\" 2>/dev/null";
const SCRIPT_WITH_LOG: &str = "trap '' XFSZ; exec \"$@\" 2>\"$5.log\"";

#[tokio::test]
async fn full_disk_refuses_moves_until_there_is_space() {
    check_full_disk(SCRIPT_WITHOUT_LOG).await;
}

#[tokio::test]
async fn full_disk_with_log_refuses_moves_until_there_is_space() {
    check_full_disk(SCRIPT_WITH_LOG).await;
}

async fn check_full_disk(script: &str) {
    let folder = TempDir::new().expect("folder");
    let path = folder.path().join("sprong.db");
    let mut server = Process::start_with_script(script, &path, &[]).await;
    let mut fixture = GameFixture::start(&server, 600).await;
    let cid = Uuid::now_v7();
    for _ in 0..3 {
        server.set_limit("--fsize=1:");
        for _ in 0..3 {
            fixture.expect_refused(cid).await;
        }
        let (status, refused) = fixture.players[0]
            .post(&format!("/api/board/game/{}/move/g5-f5", fixture.id), json!({}))
            .await;
        assert_eq!((status, &refused["reason"]), (503, &json!("notStored")));
        let who = json!({ "username": "Eve", "password": "correct-horse" });
        let (status, refused) = Player::anonymous(server.addr).post("/api/register", who).await;
        assert!((status == 500 || status == 503) && refused["reason"].is_string(), "{refused}");
        assert_eq!(Player::anonymous(server.addr).get("/readyz").await.0, 503);
        assert_eq!(Player::anonymous(server.addr).get("/healthz").await.0, 200);
        server.set_limit("--fsize=unlimited:");
        until_ready(&server, true).await;
    }
    fixture.expect_executed(cid).await;
    server.kill();
    fixture.expect_stored_once(&path, cid).await;
}

/// Waits until `/readyz` returns 200, or 503 if `ready` is false.
async fn until_ready(server: &Process, ready: bool) {
    let status = if ready { 200 } else { 503 };
    wait_until(&format!("expected {status} from /readyz"), async || {
        Player::anonymous(server.addr).get("/readyz").await.0 == status
    })
    .await;
}

#[tokio::test]
async fn idle_server_that_cannot_write_is_not_ready() {
    let folder = TempDir::new().expect("folder");
    let path = folder.path().join("sprong.db");
    let server = Process::start_with_script(SCRIPT_WITHOUT_LOG, &path, &[]).await;
    let health = || {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_sprong"));
        let command =
            command.args(["health", "--addr", &format!("0.0.0.0:{}", server.addr.port())]);
        let output = command.output().expect("the binary");
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let mut injector = FaultInjector::open(&path).await;
    until_ready(&server, true).await;
    assert!(health().0);
    server.set_limit("--fsize=1:");
    until_ready(&server, false).await;
    let (healthy, stderr) = health();
    assert!(!healthy && stderr.contains("nothing can be stored"), "{stderr}");
    server.set_limit("--fsize=unlimited:");
    until_ready(&server, true).await;
    injector.run("BEGIN EXCLUSIVE").await;
    until_ready(&server, false).await;
    assert_eq!(Player::anonymous(server.addr).get("/healthz").await.0, 200);
    injector.run("ROLLBACK").await;
    until_ready(&server, true).await;
    assert!(health().0);
    injector.close().await;
}

#[tokio::test]
async fn locked_database_refuses_moves_until_released() {
    let folder = TempDir::new().expect("folder");
    let path = folder.path().join("sprong.db");
    let server = Process::start(&path, &[]).await;
    let began = Instant::now();
    let mut fixture = GameFixture::start(&server, 600).await;
    let mut injector = FaultInjector::open(&path).await;
    let cid = Uuid::now_v7();
    injector.run("BEGIN EXCLUSIVE").await;
    let locked = Instant::now();
    // The refusal arrives while the database is still locked.
    fixture.expect_refused(cid).await;
    println!("refused after {:.1?}", locked.elapsed());
    let lost_ms = locked.elapsed().as_millis() as i64;
    injector.run("ROLLBACK").await;
    fixture.expect_executed(cid).await;
    let (_, game) = fixture.players[0].get(&format!("/api/game/{}", fixture.id)).await;
    let left_ms = |side: &str| game["clocks"][side].as_i64().expect("clock");
    let deducted_ms = 1_200_000 - left_ms("first") - left_ms("second");
    let well_ms = began.elapsed().as_millis() as i64 - lost_ms;
    assert!(lost_ms > 4_000, "expected a wait for the lock");
    // The outage begins with the command and not with the lock.
    let most_ms = well_ms + 2_000;
    assert!(deducted_ms < most_ms, "{deducted_ms} of {well_ms} ms, and {lost_ms} ms of outage");
    // A lock that is released soon only delays the move: within the busy timeout of the server,
    // which does not answer meanwhile.
    injector.run("BEGIN EXCLUSIVE").await;
    fixture.sockets[1].command("move", json!({ "u": "b4-c4", "ply": 3 })).await;
    tokio::time::sleep(Duration::from_millis(1500)).await;
    injector.run("ROLLBACK").await;
    assert_eq!(next_answer(&mut fixture.sockets[1]).await["t"], "ack");
    injector.close().await;
}

#[test]
fn unusable_database_is_reported_at_start() {
    let folder = TempDir::new().expect("folder");
    let inside = |name: &str| folder.path().join(name);
    fs::create_dir(inside("folder.db")).expect("folder");
    fs::create_dir_all(inside("locked.db.lock")).expect("folder");
    fs::write(inside("file"), "").expect("file");
    fs::write(inside("text.db"), "this is a letter, and no database at all\n".repeat(100))
        .expect("file");
    for name in ["folder.db", "locked.db", "file/sprong.db", "nowhere/sprong.db", "text.db"] {
        assert_start_error(run_failing(&inside(name)), &inside(name));
    }
}

#[tokio::test]
async fn read_only_database_is_reported_at_start() {
    let folder = TempDir::new().expect("folder");
    let path = folder.path().join("sprong.db");
    Store::open(&path).await.expect("store").close().await;
    let set_mode = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("permissions");
    };
    // A read-only file in a writable folder.
    set_mode(folder.path(), 0o777);
    fs::remove_file(folder.path().join("sprong.db.lock")).expect("lock");
    set_mode(&path, 0o444);
    assert_start_error(run_failing_as_nobody(&path), &path);
    // A writable file in a read-only folder.
    let _ = fs::remove_file(folder.path().join("sprong.db.lock"));
    set_mode(&path, 0o666);
    set_mode(folder.path(), 0o555);
    assert_start_error(run_failing_as_nobody(&path), &path);
    set_mode(folder.path(), 0o777);
}

fn assert_start_error((code, stderr): (Option<i32>, String), path: &Path) {
    let log_text = stderr.trim_end();
    assert_eq!(code, Some(1), "{log_text}");
    let last = log_text.lines().last().unwrap_or_default();
    assert!(last.starts_with("sprong: ") && last.contains(&*path.to_string_lossy()), "{log_text}");
    assert!(!log_text.contains("panicked"), "{log_text}");
}

#[tokio::test]
async fn stopped_process_is_deducted_from_neither_clock() {
    let folder = TempDir::new().expect("folder");
    let server = Process::start(&folder.path().join("sprong.db"), &[]).await;
    let mut fixture = GameFixture::start(&server, 60).await;
    let began = Instant::now();
    let before = fixture.clocks().await;
    server.signal("STOP");
    let stopped = Instant::now();
    // Duration of the stall: a stopped process has no state that could be awaited.
    tokio::time::sleep(Duration::from_secs(3)).await;
    let stopped = stopped.elapsed();
    server.signal("CONT");
    fixture.expect_executed(Uuid::now_v7()).await;
    let after = fixture.clocks().await;
    let ran_ms = (began.elapsed() - stopped).as_millis() as i64;
    let deducted_ms = before[0] + before[1] - after[0] - after[1];
    assert!(deducted_ms < ran_ms + 1_000, "{deducted_ms} ms deducted for {ran_ms} ms and a pause");
    // On a busy machine the process may have been stalled a second time.
    assert!(after[2] >= before[2] + 2, "expected the move and the outage in the log");
}
