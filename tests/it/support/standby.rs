//! Synchronous standby of a temporary cluster of PostgreSQL.

use super::client::wait_until;
use super::postgres::{Cluster, url_of};
use super::process::is_root;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Settings of a standby, with which it also runs as a primary. It connects to its primary soon.
const SETTINGS: &str = "-c listen_addresses='' -c fsync=off -c max_connections=500 \
                        -c synchronous_standby_names='' -c wal_retrieve_retry_interval=200ms";

/// Running standby, or primary after a failover. It stops when this is dropped.
pub struct Standby {
    folder: TempDir,
    programs: PathBuf,
}

impl Standby {
    /// Starts a standby. From then on, each commit of the primary waits for it.
    pub fn start(cluster: &Cluster) -> Standby {
        // In /tmp, because the path of a socket is limited.
        let folder = TempDir::with_prefix_in("sprong-standby.", "/tmp").expect("folder");
        let standby = Standby { folder, programs: cluster.programs().to_owned() };
        if is_root() {
            run(Command::new("chown").arg("postgres").arg(standby.folder.path()));
        }
        let from = ["-h", cluster.folder(), "-U", "sprong"];
        let how = ["--write-recovery-conf", "--no-sync", "--checkpoint=fast"];
        let mut copy = standby.program("pg_basebackup");
        run(copy.args(from).args(how).arg("-D").arg(standby.data()));
        let options = format!("{SETTINGS} -k {}", standby.socket_folder());
        let log = standby.folder.path().join("log");
        run(standby.control().args(["-w", "-o", &options, "-l"]).arg(log).arg("start"));
        cluster.run("postgres", "ALTER SYSTEM SET synchronous_standby_names = '*'");
        cluster.run("postgres", "SELECT pg_reload_conf()");
        standby
    }

    /// Lets the primary commit without it from now on, and receives nothing more.
    pub async fn detach(&self, cluster: &Cluster) {
        let path = self.data().join("postgresql.auto.conf");
        let mut settings = std::fs::OpenOptions::new().append(true).open(path).expect("settings");
        writeln!(settings, "primary_conninfo = ''").expect("written");
        run(self.control().arg("reload"));
        cluster.run("postgres", "ALTER SYSTEM SET synchronous_standby_names = ''");
        cluster.run("postgres", "SELECT pg_reload_conf()");
        wait_until("the standby stays connected", async || {
            cluster.run("postgres", "SELECT count(*) FROM pg_stat_replication")[0] == "0"
        })
        .await;
    }

    /// Makes it the primary.
    pub fn promote(&self) {
        run(self.control().args(["-w", "promote"]));
    }

    /// Returns the folder of the socket.
    pub fn socket_folder(&self) -> &str {
        self.folder.path().to_str().expect("path")
    }

    /// Returns the address of a database.
    pub fn url(&self, database: &str) -> String {
        url_of([self.socket_folder()], database)
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn control(&self) -> Command {
        let mut control = self.program("pg_ctl");
        control.arg("-D").arg(self.data());
        control
    }

    /// Returns the command of a program of PostgreSQL, which refuses to run as root.
    fn program(&self, name: &str) -> Command {
        let path = self.programs.join(name);
        if !is_root() {
            return Command::new(path);
        }
        let mut command = Command::new("setpriv");
        command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]).arg(path);
        command.current_dir("/");
        command
    }
}

impl Drop for Standby {
    fn drop(&mut self) {
        let _ = self.control().args(["-m", "immediate", "stop"]).output();
    }
}

fn run(command: &mut Command) {
    // The server inherits the outputs: they end with it.
    let status = command.stdout(Stdio::null()).status().expect("a program");
    assert!(status.success(), "{command:?}");
}
