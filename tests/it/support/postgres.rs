//! Temporary cluster of PostgreSQL, from Debian's package `postgresql`.

use rustix::process::geteuid;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// Account of the operating system, from the package: `initdb` refuses to run as root.
const ACCOUNT: &str = "postgres";

/// Running cluster without a network port. It stops when it is dropped.
pub struct Cluster {
    folder: TempDir,
    programs: PathBuf,
}

impl Cluster {
    pub fn start() -> Cluster {
        // Short and open to all accounts, as the path of a socket and for root; only the owner may
        // enter the folder itself.
        let folder = tempfile::Builder::new().prefix("sprong-pg").tempdir_in("/tmp");
        let folder = folder.expect("folder");
        if geteuid().is_root() {
            succeed(Command::new("chown").arg(ACCOUNT).arg(folder.path()));
        }
        let cluster = Cluster { folder, programs: find_programs() };
        let data = cluster.data();
        let data = data.to_str().expect("path");
        let options = ["-U", "sprong", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C"];
        succeed(cluster.program("initdb").args(["-D", data]).args(options));
        let socket = cluster.folder.path().display();
        let options = format!("-c listen_addresses='' -c fsync=off -k {socket}");
        let log = cluster.folder.path().join("log");
        let mut start = cluster.program("pg_ctl");
        start.args(["-D", data, "-w", "-o", &options, "-l"]).arg(log).arg("start");
        // The server would keep a pipe of its starter open.
        start.stdout(Stdio::null()).stderr(Stdio::null());
        assert!(start.status().expect("pg_ctl").success(), "no cluster in {data}");
        cluster
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Returns the command of a program of the server, as a user who may run it.
    fn program(&self, name: &str) -> Command {
        let program = self.programs.join(name);
        if !geteuid().is_root() {
            return Command::new(program);
        }
        let mut command = Command::new("setpriv");
        command.args(["--reuid", ACCOUNT, "--regid", ACCOUNT, "--clear-groups"]).arg(program);
        command.current_dir("/");
        command
    }

    /// Creates a database.
    pub fn create_database(&self, name: &str) {
        self.run("postgres", &format!("CREATE DATABASE {name}"));
    }

    /// Runs statements in a database, and returns the rows as lines with `|` between the columns.
    pub fn run(&self, database: &str, sql: &str) -> Vec<String> {
        let output = self.psql(database, sql, &["-v", "ON_ERROR_STOP=1"]);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{errors}\n{sql}");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        text.lines().map(str::to_owned).collect()
    }

    /// Runs statements in a database, also those after one that fails, and returns the errors.
    pub fn errors(&self, database: &str, sql: &str) -> String {
        let output = self.psql(database, sql, &[]);
        String::from_utf8_lossy(&output.stderr).into_owned()
    }

    fn psql(&self, database: &str, sql: &str, options: &[&str]) -> Output {
        let mut psql = Command::new(self.programs.join("psql"));
        psql.arg("-h").arg(self.folder.path()).args(["-U", "sprong", "-d", database, "-XqAt"]);
        psql.args(options).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = psql.spawn().expect("psql");
        let mut input = child.stdin.take().expect("input");
        let sql = sql.to_owned();
        let writer = std::thread::spawn(move || input.write_all(sql.as_bytes()));
        let output = child.wait_with_output().expect("psql");
        writer.join().expect("writer").expect("written");
        output
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let data = self.data();
        let stopped =
            self.program("pg_ctl").arg("-D").arg(data).args(["-m", "immediate", "stop"]).output();
        if !std::thread::panicking() {
            assert!(stopped.expect("pg_ctl").status.success(), "the cluster does not stop");
        }
    }
}

/// Returns the folder with the programs of the newest installed version.
fn find_programs() -> PathBuf {
    let versions = std::fs::read_dir("/usr/lib/postgresql").expect("Debian's package postgresql");
    // Client packages have the folder, too, without the server.
    let is_server = |path: &&Path| path.join("bin/initdb").exists();
    let number =
        |path: &Path| Some(path).filter(is_server)?.file_name()?.to_str()?.parse::<u32>().ok();
    let newest =
        versions.flatten().filter_map(|entry| Some((number(&entry.path())?, entry.path())));
    newest.max().expect("a version of PostgreSQL").1.join("bin")
}

fn succeed(command: &mut Command) {
    let output = command.output().expect("a program");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {errors}");
}
