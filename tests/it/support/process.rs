//! Server as a separate process, which tests can kill, stop and limit.

use super::client::wait_until;
use super::limits::GENEROUS_LIMITS;
use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, TcpListener};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU16, Ordering};
use tempfile::TempDir;

/// Settings of processes in addition to the generous limits.
const SETTINGS: [&str; 8] = [
    "--player-message-limit",
    "1000000",
    "--challenges-max",
    "100000",
    "--rated-games-per-pair",
    "1000000",
    "--log",
    "error",
];

/// Shell script that only runs the server.
pub const RUN_SCRIPT: &str = "exec \"$@\"";

/// Server process that is killed when this is dropped.
pub struct Process {
    child: Child,
    pub addr: SocketAddr,
    database: PathBuf,
    settings: Vec<String>,
}

impl Process {
    /// Starts on a free port and waits until the port accepts connections.
    pub async fn start(database: &Path, settings: &[&str]) -> Process {
        Process::start_with_script(RUN_SCRIPT, database, settings).await
    }

    /// Does the same through a shell script, which gets the command line as its arguments.
    pub async fn start_with_script(script: &str, database: &Path, settings: &[&str]) -> Process {
        let addr = free_addr();
        let settings = settings.iter().map(|text| (*text).to_owned()).collect();
        let child = command(script, addr, database, &settings).spawn().expect("a server process");
        let mut process = Process { child, addr, database: database.to_owned(), settings };
        process.wait_until_listening().await;
        process
    }

    /// Starts a new process on the same address and waits until the port accepts connections.
    pub async fn restart(&mut self) {
        let mut command = command(RUN_SCRIPT, self.addr, &self.database, &self.settings);
        self.child = command.spawn().expect("a server process");
        self.wait_until_listening().await;
    }

    async fn wait_until_listening(&mut self) {
        wait_until("the server does not listen", async || {
            let ended = self.child.try_wait().expect("a child");
            assert!(ended.is_none(), "the server has ended: {ended:?}");
            tokio::net::TcpStream::connect(self.addr).await.is_ok()
        })
        .await;
    }

    pub fn kill(&mut self) {
        self.child.kill().expect("SIGKILL");
        self.child.wait().expect("the end of the server");
    }

    /// Stops the server with SIGTERM, as an operator would.
    pub fn terminate(&mut self) -> ExitStatus {
        self.signal("TERM");
        self.wait()
    }

    pub fn wait(&mut self) -> ExitStatus {
        self.child.wait().expect("the end of the server")
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    pub fn signal(&self, name: &str) {
        run("kill", [&format!("-{name}"), &self.id().to_string()]);
    }

    /// Sets a resource limit of the running process, in the syntax of `prlimit`.
    pub fn set_limit(&self, limit: &str) {
        run("prlimit", ["--pid", &self.id().to_string(), limit]);
    }
}

/// Returns an address that no server uses, and no other test gets: it stays free for a server that
/// starts again. The port is below the ones that the kernel gives to connections.
pub fn free_addr() -> SocketAddr {
    static NEXT: LazyLock<AtomicU16> =
        LazyLock::new(|| AtomicU16::new((getrandom::u32().expect("random bytes") % 20_000) as u16));
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let addr = SocketAddr::from(([127, 0, 0, 1], 10_000 + number % 20_000));
        if TcpListener::bind(addr).is_ok() {
            return addr;
        }
    }
}

fn command(script: &str, addr: SocketAddr, database: &Path, settings: &Vec<String>) -> Command {
    let mut command = Command::new("sh");
    command
        .args(["-c", script, "sh", env!("CARGO_BIN_EXE_sprong"), "--addr", &addr.to_string()])
        .arg("--database")
        .arg(database)
        .args(GENEROUS_LIMITS)
        .args(SETTINGS)
        .args(settings)
        .stderr(Stdio::inherit());
    command
}

/// Kills any process. Returns whether it was there.
pub fn kill_process(id: &str) -> bool {
    Command::new("kill").args(["-KILL", id]).status().expect("kill").success()
}

fn run(program: &str, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) {
    let status = Command::new(program).args(arguments).status();
    assert!(status.expect(program).success(), "{program}");
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs a server that is expected to fail. Returns its exit status and its output.
pub fn run_failing(database: &Path) -> (Option<i32>, String) {
    run_to_end(Command::new(env!("CARGO_BIN_EXE_sprong")), database)
}

/// Runs a subcommand, or a server that is expected to fail. Returns its exit status and output.
pub fn run_subcommand(database: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sprong"));
    command.args(["--addr", "127.0.0.1:0"]).args(arguments).arg("--database").arg(database);
    let output = command.output().expect("a process");
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).into_owned())
}

/// Runs a server like [`run_failing`] without the permissions of root: if root runs the tests,
/// copies the binary to a readable folder and runs it as the user `nobody`.
pub fn run_failing_as_nobody(database: &Path) -> (Option<i32>, String) {
    if !is_root() {
        return run_failing(database);
    }
    let folder = TempDir::new().expect("folder");
    let anybody = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(folder.path(), anybody).expect("permissions");
    let copy = folder.path().join("sprong");
    std::fs::copy(env!("CARGO_BIN_EXE_sprong"), &copy).expect("a copy of the binary");
    let mut command = Command::new("setpriv");
    command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(copy);
    run_to_end(command, database)
}

/// Returns whether root runs the tests.
pub fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output().expect("id");
    id.stdout.trim_ascii() == b"0"
}

fn run_to_end(mut command: Command, database: &Path) -> (Option<i32>, String) {
    let mut child = command
        .args(["--addr", "127.0.0.1:0", "--database"])
        .arg(database)
        .stderr(Stdio::piped())
        .spawn()
        .expect("a server process");
    let mut output = String::new();
    for line in BufReader::new(child.stderr.take().expect("the error output")).lines() {
        let line = line.expect("text");
        if line.contains("Listening on") {
            child.kill().expect("SIGKILL");
        }
        output += &format!("{line}\n");
    }
    (child.wait().expect("the end of the server").code(), output)
}
