//! Temporary cluster of PostgreSQL, from Debian's package `postgresql`.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

/// Prints the folders that `tests/with-postgres` appends, and ends with its input.
const PRINT_AND_WAIT: &str = "echo \"$0\"; echo \"$1\"; cat";

/// Running cluster. It stops when this is dropped, and at the end of the process.
pub struct Cluster {
    script: Child,
    /// Folder of the socket.
    folder: String,
    programs: PathBuf,
}

impl Cluster {
    pub fn start() -> Cluster {
        let mut script = Command::new("tests/with-postgres")
            .args(["sh", "-c", PRINT_AND_WAIT])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("tests/with-postgres");
        let output = BufReader::new(script.stdout.take().expect("output"));
        let mut lines = output.lines().map(|line| line.expect("a line"));
        let folder = lines.next().expect("a cluster");
        let programs = lines.next().expect("a folder of programs").into();
        Cluster { script, folder, programs }
    }

    /// Returns the folder of the socket.
    pub fn folder(&self) -> &str {
        &self.folder
    }

    /// Returns the folder of the programs.
    pub fn programs(&self) -> &Path {
        &self.programs
    }

    /// Sends a signal to all processes of the server.
    pub fn signal(&self, name: &str) {
        let file = std::fs::read_to_string(Path::new(&self.folder).join("data/postmaster.pid"));
        let parent = file.expect("file of the server").lines().next().expect("id").to_owned();
        let signal = |pids: &[&str]| {
            // A process may have ended meanwhile.
            let _ = Command::new("kill").arg(format!("-{name}")).args(pids).output();
        };
        let children = Command::new("pgrep").args(["-P", &parent]).output().expect("pgrep").stdout;
        let children = String::from_utf8(children).expect("ids");
        signal(&[&[&parent[..]], &children.lines().collect::<Vec<_>>()[..]].concat());
    }

    /// Returns the address of a database.
    pub fn url(&self, database: &str) -> String {
        url_of([self.folder()], database)
    }

    /// Creates a database.
    pub fn create_database(&self, name: &str) {
        self.run("postgres", &format!("CREATE DATABASE {name}"));
    }

    /// Runs statements in a database, and returns the rows as lines with `|` between the columns.
    pub fn run(&self, database: &str, sql: &str) -> Vec<String> {
        self.try_run(database, sql).unwrap_or_else(|errors| panic!("{errors}\n{sql}"))
    }

    /// Does the same; returns the errors if there are any.
    pub fn try_run(&self, database: &str, sql: &str) -> Result<Vec<String>, String> {
        let output = self.psql(database, sql, &["-v", "ON_ERROR_STOP=1"]);
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        Ok(text.lines().map(str::to_owned).collect())
    }

    /// Runs statements in a database, also those after one that fails, and returns the errors.
    pub fn errors(&self, database: &str, sql: &str) -> String {
        let output = self.psql(database, sql, &[]);
        String::from_utf8_lossy(&output.stderr).into_owned()
    }

    fn psql(&self, database: &str, sql: &str, options: &[&str]) -> Output {
        let mut psql = Command::new(self.programs.join("psql"));
        psql.args(["-h", &self.folder, "-U", "sprong", "-d", database, "-XqAt"]);
        psql.args(options).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = psql.spawn().expect("psql");
        let mut input = child.stdin.take().expect("input");
        let sql = sql.to_owned();
        let writer = std::thread::spawn(move || input.write_all(sql.as_bytes()));
        let output = child.wait_with_output().expect("psql");
        // It reads nothing while the cluster refuses connections.
        let _ = writer.join().expect("writer");
        output
    }
}

/// Returns the address of a database on servers with sockets in these folders.
pub fn url_of<const N: usize>(folders: [&str; N], database: &str) -> String {
    format!("postgres://sprong@{}/{database}", folders.join(",").replace('/', "%2F"))
}

impl Drop for Cluster {
    fn drop(&mut self) {
        drop(self.script.stdin.take());
        let ended = self.script.wait();
        if !std::thread::panicking() {
            assert!(ended.expect("tests/with-postgres").success(), "the cluster does not stop");
        }
    }
}
