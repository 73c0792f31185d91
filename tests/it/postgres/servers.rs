//! Several servers of one database of PostgreSQL, and players on all of them.

use super::DATABASE;
use crate::kill::{IN_PLAY, audit_records, end_pairs, start_pairs, wait_for_games_in_play};
use crate::support::client::{Player, SITE_ORIGIN, env_number};
use crate::support::persistent_clients::ClientRecords;
use crate::support::postgres::Cluster;
use crate::support::process::{Process, RUN_SCRIPT};
use sprong::rooms::now_ms;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use tokio::task::JoinHandle;

/// Servers of one database, which end before it.
pub struct Servers {
    pub nodes: Vec<Process>,
    pub url: String,
    pub cluster: Cluster,
}

impl Servers {
    pub async fn start(number: usize) -> Servers {
        Servers::start_with(number, &[]).await
    }

    pub async fn start_with(number: usize, settings: &[&str]) -> Servers {
        let cluster = Cluster::start();
        cluster.create_database(DATABASE);
        let url = cluster.url(DATABASE);
        Servers::start_at(cluster, url, number, &[&["--log", "warn"], settings].concat()).await
    }

    /// Starts servers whose URL may name more than the cluster.
    pub async fn start_at(
        cluster: Cluster,
        url: String,
        number: usize,
        settings: &[&str],
    ) -> Servers {
        let mut servers = Servers { nodes: Vec::new(), url, cluster };
        for _ in 0..number {
            servers.start_another(settings).await;
        }
        servers
    }

    /// Starts one more server of the site.
    pub async fn start_another(&mut self, settings: &[&str]) {
        self.start_with_script(RUN_SCRIPT, settings).await;
    }

    /// Does the same through a shell script, which gets the command line as its arguments.
    pub async fn start_with_script(&mut self, script: &str, settings: &[&str]) {
        let settings = [&["--public-origin", SITE_ORIGIN], settings].concat();
        let node = Process::start_with_script(script, Path::new(&self.url), &settings).await;
        self.nodes.push(node);
    }

    pub fn addresses(&self) -> Vec<SocketAddr> {
        self.nodes.iter().map(|node| node.addr).collect()
    }
}

/// Returns a client of the same account for another node.
pub fn at(player: &Player, addr: SocketAddr) -> Player {
    Player { addr, ..player.clone() }
}

/// Games between many players on all nodes, and the records of the clients.
pub struct Play {
    pub servers: Servers,
    pairs: Vec<JoinHandle<u64>>,
    pub records: ClientRecords,
    stop: Arc<AtomicBool>,
    began: Instant,
    began_ms: i64,
}

impl Play {
    pub async fn start() -> Play {
        Play::start_on(Servers::start(3).await).await
    }

    pub async fn start_on(servers: Servers) -> Play {
        let (records, stop) = (ClientRecords::default(), Arc::new(AtomicBool::new(false)));
        let pairs = start_pairs(&servers.addresses(), &records, &stop).await;
        wait_for_games_in_play(&records, IN_PLAY / 2).await;
        let (began, began_ms) = (Instant::now(), now_ms());
        Play { servers, pairs, records, stop, began, began_ms }
    }

    pub fn assert_all_play(&self) {
        assert!(self.pairs.iter().all(|pair| !pair.is_finished()), "expected all to continue");
    }

    /// Ends the connections of the nodes that a condition selects, and returns how many.
    pub fn end_connections(&self, condition: &str) -> usize {
        let sql = format!(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE application_name = 'sprong' AND {condition}"
        );
        self.servers.cluster.try_run("postgres", &sql).map_or(0, |rows| rows.len())
    }

    /// Waits until play goes on after the last fault, and checks everything.
    pub async fn end(mut self, faults: &str) {
        let wall = self.began.elapsed();
        self.stop.store(true, Ordering::Relaxed);
        end_pairs(self.pairs, &self.records, &mut self.servers.nodes).await;
        let downs = [[self.began_ms, self.began_ms]];
        let found = audit_records(&self.servers.url, &self.records, &downs).await;
        println!("{faults} in {wall:.1?}; {found}");
    }
}

/// Returns the number of faults of a test: its default, or `SPRONG_NODE_FAULTS`.
pub fn fault_count(default: u64) -> u64 {
    env_number("SPRONG_NODE_FAULTS", default)
}
