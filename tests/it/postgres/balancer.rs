//! Three servers behind HAProxy with the configuration of `deploy`: a restart of one after the
//! other refuses nobody, and clients of a server that is killed or hangs go on elsewhere.

use super::servers::Servers;
use crate::kill::{IN_PLAY, audit_records, end_pairs, start_pairs, wait_for_games_in_play};
use crate::support::client::{Player, wait_until};
use crate::support::persistent_clients::ClientRecords;
use crate::support::process::{free_addr, run_subcommand};
use sprong::rooms::now_ms;
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Names of the servers in the configuration.
const NAMES: [&str; 3] = ["one", "two", "three"];

/// Running HAProxy.
struct Balancer {
    process: Child,
    addr: SocketAddr,
}

impl Balancer {
    async fn start(servers: &Servers) -> Balancer {
        let addr = free_addr();
        let mut command = Command::new("haproxy");
        command.args(["-db", "-q", "-f", "deploy/haproxy.cfg"]);
        command.env("SPRONG_BIND", addr.to_string());
        command.env("PATH", "/usr/sbin:/usr/bin:/bin");
        for (variable, node) in
            ["SPRONG_ONE", "SPRONG_TWO", "SPRONG_THREE"].into_iter().zip(servers.addresses())
        {
            command.env(variable, node.to_string());
        }
        let balancer = Balancer { process: command.spawn().expect("haproxy"), addr };
        for name in NAMES {
            balancer.wait_for(name).await;
        }
        balancer
    }

    /// Waits until a server gets requests.
    async fn wait_for(&self, name: &str) {
        wait_until(&format!("server {name} gets no requests"), async || {
            let response = reqwest::get(format!("http://{}/healthz", self.addr)).await;
            response.is_ok_and(|response| {
                response.headers().get("x-served-by").is_some_and(|served| served == name)
            })
        })
        .await;
    }
}

impl Drop for Balancer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn restart_of_all_servers_refuses_nobody() {
    // Long enough for the checks of a balancer on a slow machine.
    let settings = ["--trusted-proxy", "127.0.0.1", "--drain-ms", "6000"];
    let mut servers = Servers::start_with(3, &settings).await;
    let balancer = Balancer::start(&servers).await;
    let (records, stop) = (ClientRecords::default(), Arc::new(AtomicBool::new(false)));
    let pairs = start_pairs(&[balancer.addr], &records, &stop).await;
    wait_for_games_in_play(&records, IN_PLAY / 2).await;
    let (began, began_ms) = (Instant::now(), now_ms());
    let failures = records.failure_count();
    for (number, name) in NAMES.into_iter().enumerate() {
        let moves = records.move_count();
        servers.nodes[number].signal("TERM");
        wait_until("the server does not drain", async || {
            let (_, nodes) = run_subcommand(Path::new(&servers.url), &["nodes"]);
            nodes.contains("draining")
        })
        .await;
        assert_eq!(Player::anonymous(servers.nodes[number].addr).get("/readyz").await.0, 404);
        assert!(servers.nodes[number].wait().success());
        assert!(records.move_count() > moves, "play goes on meanwhile");
        servers.nodes[number].restart().await;
        balancer.wait_for(name).await;
    }
    let wall = began.elapsed();
    assert_eq!(records.failure_count(), failures, "requests were refused");
    // One server is killed, and another one hangs.
    servers.nodes[0].kill();
    servers.nodes[1].signal("STOP");
    let moves = records.move_count();
    wait_until("play stops with a server", async || records.move_count() > moves + 500).await;
    tokio::time::sleep(Duration::from_secs(5)).await;
    servers.nodes[1].signal("CONT");
    stop.store(true, Ordering::Relaxed);
    end_pairs(pairs, &records, &mut servers.nodes).await;
    let found = audit_records(&servers.url, &records, &[[began_ms, began_ms]]).await;
    println!("three restarts in {wall:.1?}; {found}");
}
