//! Operation of the server: backup, check, takeover, logs and metrics.

mod data;
mod metrics_and_logs;
mod schema;
mod takeover;

use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

fn sprong(arguments: &[&str], database: &Path, rest: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sprong"));
    command.args(arguments).arg("--database").arg(database).args(rest).output().expect("the binary")
}

/// Runs `sprong check`. Returns its success and output.
fn check(database: &Path) -> (bool, String) {
    let output = sprong(&["check"], database, &[]);
    let report = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(report).expect("text"))
}

fn run_sql(database: &Path, sql: &str) {
    let done = Command::new("sqlite3").arg(database).arg(sql).output().expect("sqlite3");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

/// Server process that is killed at the end of the test.
struct ServerProcess(Child);

impl ServerProcess {
    fn start(addr: SocketAddr, folder: &Path, rest: &[&str]) -> ServerProcess {
        let child = Command::new(env!("CARGO_BIN_EXE_sprong"))
            .args(["--addr", &addr.to_string(), "--database"])
            .arg(folder.join("sprong.db"))
            .args([
                "--player-message-limit",
                "100000",
                "--login-limit",
                "1000",
                "--write-limit",
                "100000",
            ])
            .args([
                "--guest-limit",
                "1000",
                "--read-limit",
                "100000",
                "--challenge-limit",
                "100000",
            ])
            .args(["--challenges-per-address", "100000", "--challenges-per-guest", "100000"])
            .args(["--ready-check-limit", "100000"])
            .args(rest)
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary");
        ServerProcess(child)
    }

    /// Returns the log lines up to the first one that contains `part`.
    fn read_log_until(&mut self, part: &str) -> Vec<String> {
        let log = BufReader::new(self.0.stderr.as_mut().expect("log"));
        let mut lines_read = Vec::new();
        for line in log.lines() {
            lines_read.push(line.expect("line"));
            if lines_read.last().is_some_and(|line| line.contains(part)) {
                return lines_read;
            }
        }
        panic!("expected {part:?} in {lines_read:?}");
    }

    fn wait_for_exit(&mut self) -> bool {
        let status = self.0.wait().expect("exit status");
        let mut rest = String::new();
        let _ = self.0.stderr.take().map(|mut log| log.read_to_string(&mut rest));
        assert!(!rest.contains("ERROR"), "{rest}");
        status.success()
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
