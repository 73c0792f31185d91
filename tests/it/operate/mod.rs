//! Operation of the server: backup, check, takeover, logs and metrics.

mod data;
mod takeover;
mod told;

use std::io::{BufRead, BufReader, Read};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

fn sprong(arguments: &[&str], database: &Path, rest: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sprong"));
    command.args(arguments).arg("--database").arg(database).args(rest).output().expect("the binary")
}

/// Runs `sprong check`. Returns its success and output.
fn check(database: &Path) -> (bool, String) {
    let output = sprong(&["check"], database, &[]);
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(said).expect("text"))
}

fn sql(database: &Path, sql: &str) {
    let done = Command::new("sqlite3").arg(database).arg(sql).output().expect("sqlite3");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

/// Server process that is killed at the end of the test.
struct Process(Child);

impl Process {
    fn start(addr: SocketAddr, folder: &Path, rest: &[&str]) -> Process {
        let child = Command::new(env!("CARGO_BIN_EXE_sprong"))
            .args(["--addr", &addr.to_string(), "--database"])
            .arg(folder.join("sprong.db"))
            .args(["--play-messages", "100000", "--logins", "1000", "--requests", "100000"])
            .args(["--guests", "1000", "--looks", "100000", "--challenges-limit", "100000"])
            .args(["--address-challenges-max", "100000", "--guest-challenges-max", "100000"])
            .args(["--ready-checks", "100000"])
            .args(rest)
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary");
        Process(child)
    }

    /// Returns the log lines up to the first one that contains `part`.
    fn until(&mut self, part: &str) -> Vec<String> {
        let log = BufReader::new(self.0.stderr.as_mut().expect("log"));
        let mut said = Vec::new();
        for line in log.lines() {
            said.push(line.expect("line"));
            if said.last().is_some_and(|line| line.contains(part)) {
                return said;
            }
        }
        panic!("expected {part:?} in {said:?}");
    }

    fn ended(&mut self) -> bool {
        let status = self.0.wait().expect("exit status");
        let mut rest = String::new();
        let _ = self.0.stderr.take().map(|mut log| log.read_to_string(&mut rest));
        assert!(!rest.contains("ERROR"), "{rest}");
        status.success()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn free_addr() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port")
}
