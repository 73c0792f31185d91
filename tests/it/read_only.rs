//! The database turns read-only while it is served, and can be written again later. It is brought
//! about in two ways: `strace` attached to the server has the kernel refuse what is written (whoever
//! runs the tests must be allowed to trace a process of theirs: root, or `kernel.yama.ptrace_scope`
//! 0), and `chattr` makes the files immutable (root with all its capabilities, on a file system that
//! knows it; it is said, and left out, where that cannot be had).

use super::client::Player;
use super::process::Process;
use super::table::{Table, answer};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use uuid::Uuid;

/// How long nothing can be written.
const OUTAGE: Duration = Duration::from_secs(3);

/// Every way in which SQLite changes a file that it has open.
const WRITES: &str = "write,writev,pwrite64,fsync,fdatasync,ftruncate,fallocate";

/// The database and what is written before it is in there.
fn files(database: &Path) -> [PathBuf; 2] {
    [database.to_owned(), database.with_extension("db-wal")]
}

/// A server whose writes to its database are refused, until this is dropped.
struct Traced {
    strace: Child,
    process: u32,
    log: PathBuf,
}

impl Traced {
    async fn begin(process: u32, database: &Path) -> Traced {
        let log = database.with_file_name("traced");
        let mut strace = Command::new("strace");
        strace.args(["-f", "-p", &process.to_string(), "-e", &format!("trace={WRITES}")]);
        strace.args(["-e", &format!("inject={WRITES}:error=EROFS"), "-o"]).arg(&log);
        for file in files(database) {
            strace.arg("-P").arg(file);
        }
        let strace = strace.stderr(Stdio::piped()).spawn().expect("strace");
        let mut traced = Traced { strace, process, log };
        while !traced.has_all_threads() {
            if traced.strace.try_wait().expect("strace").is_some() {
                let said = std::io::read_to_string(traced.strace.stderr.take().expect("its words"));
                panic!("the server cannot be traced; root could: {}", said.expect("text"));
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        traced
    }

    fn has_all_threads(&self) -> bool {
        let threads = fs::read_dir(format!("/proc/{}/task", self.process)).expect("threads");
        threads.flatten().all(|thread| {
            // A thread that has just ended writes nothing.
            let status = fs::read_to_string(thread.path().join("status")).unwrap_or_default();
            !status.lines().any(|line| line == "TracerPid:\t0")
        })
    }
}

impl Drop for Traced {
    fn drop(&mut self) {
        let id = self.strace.id().to_string();
        let _ = Command::new("kill").args(["-INT", &id]).status();
        let _ = self.strace.wait();
    }
}

/// Files that nobody can write, whoever has them open, until this is dropped.
struct Immutable([PathBuf; 2]);

impl Immutable {
    /// None if whoever runs the tests cannot have it.
    fn begin(database: &Path) -> Option<Immutable> {
        let immutable = Immutable(files(database));
        immutable.change("+i").then_some(immutable)
    }

    fn change(&self, how: &str) -> bool {
        let output = Command::new("chattr").arg(how).args(&self.0).output().expect("chattr");
        output.status.success()
    }
}

impl Drop for Immutable {
    fn drop(&mut self) {
        self.change("-i");
    }
}

#[tokio::test]
async fn a_file_system_that_refuses_all_writes_refuses_moves_until_it_takes_them() {
    let play = Play::begin().await;
    let traced = Traced::begin(play.server.id(), &play.path).await;
    let log = traced.log.clone();
    let _folder = play.goes_on_after(traced).await;
    let refused = fs::read_to_string(log).expect("what was traced");
    assert!(refused.contains("EROFS (Read-only file system) (INJECTED)"), "{refused}");
}

#[tokio::test]
async fn files_that_become_immutable_refuse_moves_until_they_can_be_written() {
    let play = Play::begin().await;
    match Immutable::begin(&play.path) {
        Some(immutable) => drop(play.goes_on_after(immutable).await),
        None => println!("left out: nobody here can make files immutable"),
    }
}

struct Play {
    server: Process,
    table: Table,
    before: [i64; 3],
    /// Before these clocks were read.
    taken: Instant,
    path: PathBuf,
    folder: TempDir,
}

impl Play {
    async fn begin() -> Play {
        let folder = TempDir::new().expect("folder");
        let path = folder.path().join("sprong.db");
        let server = Process::start(&path, &[]).await;
        let table = Table::begin(&server, 600).await;
        let taken = Instant::now();
        let before = table.clocks().await;
        Play { server, table, before, taken, path, folder }
    }

    /// All is refused until that is dropped, and then obeyed by the same process. What was
    /// written lies in the folder that comes back.
    async fn goes_on_after<H>(self, harm: H) -> TempDir {
        let Play { mut server, mut table, before, taken, path, folder } = self;
        let (began, cid) = (Instant::now(), Uuid::now_v7());
        let mut broken = None;
        while began.elapsed() < OUTAGE {
            table.is_refused(cid).await;
            broken.get_or_insert_with(Instant::now);
            table.is_unheard().await;
            let road = format!("/api/board/game/{}/move/g5-f5", table.id);
            let (status, refused) = table.players[0].post(&road, json!({})).await;
            assert_eq!((status, &refused["reason"]), (503, &json!("notStored")));
            let who = json!({ "username": "Eve", "password": "correct-horse" });
            let (status, refused) = Player::nobody(server.addr).post("/api/register", who).await;
            assert!((status == 500 || status == 503) && refused["reason"].is_string(), "{refused}");
        }
        table.is_unheard().await;
        let outage = broken.expect("a refusal").elapsed();
        drop(harm);
        // The first try is obeyed, and what is tried again is known.
        table.is_obeyed(cid).await;
        table.send(cid).await;
        assert_eq!(answer(&mut table.sockets[0]).await["t"], "ack");
        let after = table.clocks().await;
        let charged_ms = before[0] + before[1] - after[0] - after[1];
        let well_ms = (taken.elapsed() - outage).as_millis() as i64;
        assert!(charged_ms <= well_ms, "{charged_ms} of {well_ms} ms, and {outage:?} of outage");
        assert_eq!(after[2], before[2] + 2, "the pause and one move stand in the log");
        // Whatever is not a move is stored again too.
        let who = json!({ "username": "Dan", "password": "correct-horse" });
        assert_eq!(Player::nobody(server.addr).post("/api/register", who).await.0, 201);
        server.kill();
        table.is_stored_once(&path, cid).await;
        folder
    }
}
