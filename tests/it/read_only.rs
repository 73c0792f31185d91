//! Database that becomes read-only while the server runs, and writable again. Two methods:
//! `strace`, attached to the server, makes the kernel refuse writes (this needs the permission to
//! trace an own process: root, or `kernel.yama.ptrace_scope` 0), and `chattr` makes the files
//! immutable (this needs all capabilities of root and a file system that supports it; else the test
//! prints a line and skips this method).

use crate::support::client::{Player, wait_until};
use crate::support::game_fixture::{GameFixture, next_answer};
use crate::support::process::Process;
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use uuid::Uuid;

/// Duration of the outage.
const OUTAGE: Duration = Duration::from_secs(3);

/// System calls by which SQLite changes an open file.
const WRITES: &str = "write,writev,pwrite64,fsync,fdatasync,ftruncate,fallocate";

/// Returns the paths of the database and of its write-ahead log.
fn files(database: &Path) -> [PathBuf; 2] {
    [database.to_owned(), database.with_extension("db-wal")]
}

/// Server process whose writes to the database fail until this is dropped.
struct TracedServer {
    strace: Child,
    process: u32,
    log: PathBuf,
}

impl TracedServer {
    async fn start(process: u32, database: &Path) -> TracedServer {
        let log = database.with_file_name("traced");
        let mut strace = Command::new("strace");
        strace.args(["-f", "-p", &process.to_string(), "-e", &format!("trace={WRITES}")]);
        strace.args(["-e", &format!("inject={WRITES}:error=EROFS"), "-o"]).arg(&log);
        for file in files(database) {
            strace.arg("-P").arg(file);
        }
        let strace = strace.stderr(Stdio::piped()).spawn().expect("strace");
        let mut traced = TracedServer { strace, process, log };
        wait_until("expected strace to attach to all threads", async || {
            if traced.strace.try_wait().expect("strace").is_some() {
                let output = std::io::read_to_string(traced.strace.stderr.take().expect("output"));
                panic!("strace needs root to attach to the server: {}", output.expect("text"));
            }
            traced.has_all_threads()
        })
        .await;
        traced
    }

    fn has_all_threads(&self) -> bool {
        let threads = fs::read_dir(format!("/proc/{}/task", self.process)).expect("threads");
        threads.flatten().all(|thread| {
            // A thread that has just ended has no status and writes nothing.
            let status = fs::read_to_string(thread.path().join("status")).unwrap_or_default();
            !status.lines().any(|line| line == "TracerPid:\t0")
        })
    }
}

impl Drop for TracedServer {
    fn drop(&mut self) {
        let id = self.strace.id().to_string();
        let _ = Command::new("kill").args(["-INT", &id]).status();
        let _ = self.strace.wait();
    }
}

/// Files that are immutable, also for open descriptors, until this is dropped.
struct ImmutableFiles([PathBuf; 2]);

impl ImmutableFiles {
    /// Returns `None` if the attribute cannot be set.
    fn try_new(database: &Path) -> Option<ImmutableFiles> {
        let immutable = ImmutableFiles(files(database));
        immutable.change("+i").then_some(immutable)
    }

    fn change(&self, how: &str) -> bool {
        let output = Command::new("chattr").arg(how).args(&self.0).output().expect("chattr");
        output.status.success()
    }
}

impl Drop for ImmutableFiles {
    fn drop(&mut self) {
        self.change("-i");
    }
}

#[tokio::test]
async fn failing_writes_refuse_moves_until_writable() {
    let play = ServedGame::start().await;
    let traced = TracedServer::start(play.server.id(), &play.path).await;
    let log = traced.log.clone();
    let _folder = play.refuses_writes_during(traced).await;
    let refused = fs::read_to_string(log).expect("the trace");
    assert!(refused.contains("EROFS (Read-only file system) (INJECTED)"), "{refused}");
}

#[tokio::test]
async fn immutable_files_refuse_moves_until_writable() {
    let play = ServedGame::start().await;
    match ImmutableFiles::try_new(&play.path) {
        Some(immutable) => drop(play.refuses_writes_during(immutable).await),
        None => println!("skipped: files cannot be made immutable here"),
    }
}

struct ServedGame {
    server: Process,
    fixture: GameFixture,
    before: [i64; 3],
    /// Time before these clocks were read.
    read_at: Instant,
    path: PathBuf,
    folder: TempDir,
}

impl ServedGame {
    async fn start() -> ServedGame {
        let folder = TempDir::new().expect("folder");
        let path = folder.path().join("sprong.db");
        let server = Process::start(&path, &[]).await;
        let fixture = GameFixture::start(&server, 600).await;
        let taken = Instant::now();
        let before = fixture.clocks().await;
        ServedGame { server, fixture, before, read_at: taken, path, folder }
    }

    /// Checks that commands are refused until `outage_guard` is dropped, and then executed by
    /// the same process. Returns the folder with the written files.
    async fn refuses_writes_during<H>(self, outage_guard: H) -> TempDir {
        let ServedGame { mut server, mut fixture, before, read_at: taken, path, folder } = self;
        let (began, cid) = (Instant::now(), Uuid::now_v7());
        let mut broken = None;
        while began.elapsed() < OUTAGE {
            fixture.expect_refused(cid).await;
            broken.get_or_insert_with(Instant::now);
            fixture.expect_unannounced().await;
            let move_path = format!("/api/board/game/{}/move/g5-f5", fixture.id);
            let (status, refused) = fixture.players[0].post(&move_path, json!({})).await;
            assert_eq!((status, &refused["reason"]), (503, &json!("notStored")));
            let who = json!({ "username": "Eve", "password": "correct-horse" });
            let (status, refused) = Player::anonymous(server.addr).post("/api/register", who).await;
            assert!((status == 500 || status == 503) && refused["reason"].is_string(), "{refused}");
        }
        fixture.expect_unannounced().await;
        let outage = broken.expect("a refusal").elapsed();
        drop(outage_guard);
        // The first retry is executed, and its repetition is recognized.
        fixture.expect_executed(cid).await;
        fixture.send(cid).await;
        assert_eq!(next_answer(&mut fixture.sockets[0]).await["t"], "ack");
        let after = fixture.clocks().await;
        let deducted_ms = before[0] + before[1] - after[0] - after[1];
        let well_ms = (taken.elapsed() - outage).as_millis() as i64;
        assert!(deducted_ms <= well_ms, "{deducted_ms} of {well_ms} ms, and {outage:?} of outage");
        assert_eq!(after[2], before[2] + 2, "the log has the outage and one move");
        // Registration is stored again, too.
        let who = json!({ "username": "Dan", "password": "correct-horse" });
        assert_eq!(Player::anonymous(server.addr).post("/api/register", who).await.0, 201);
        server.kill();
        fixture.expect_stored_once(&path, cid).await;
        folder
    }
}
