//! Latency of two players' moves, alternately without load and under floods from other addresses:
//! slow and large request heads, messages, connections, challenges, reads, 10,000 malformed frames,
//! and spectators that never read. Prints both and their ratio, which should be at most 2.
//!
//! The floods come from a separate process with idle priority, as a substitute for other machines.
//! The environment variable `SECONDS` (5) sets the duration of each turn.

#[expect(dead_code, reason = "used by the abuse and bots benches")]
mod common;
#[path = "../tests/it/hostile_clients/mod.rs"]
mod hostile_clients;

use common::{IdleProcess, compare, env_number, start_server};
use hostile_clients::client::{AnyResult, Client, play_game};
use hostile_clients::floods::HostileLoad;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

/// Malformed frames of all rounds together.
const MALFORMED_FRAMES: u64 = 10_000;

/// Number of turns of each kind: temporary slowness of the disk affects both.
const ROUNDS: usize = 10;

/// Pause after the floods, in which the server recovers.
const RECOVERY_PAUSE: Duration = Duration::from_secs(2);

/// Plays games until the time is over and `begun`, which gets the id of each game, returns true.
/// Returns the latencies.
async fn measure(
    two: &[Client; 2],
    lasts: Duration,
    mut begun: impl FnMut(&str) -> AnyResult<bool>,
) -> AnyResult<Vec<Duration>> {
    let (until, mut took, mut enough) = (Instant::now() + lasts, Vec::new(), true);
    while Instant::now() < until || !enough {
        let mut notified = Ok(true);
        took.extend(play_game(two, |id| notified = begun(id)).await?);
        enough = notified?;
    }
    Ok(took)
}

/// Directs the floods of the other process to this game. Returns the number of malformed frames,
/// and all counts as text.
fn switch_game(idle_process: &mut IdleProcess, id: &str) -> AnyResult<(u64, String)> {
    let reply = idle_process.request(id)?;
    let (broken, all) = reply.split_once(' ').ok_or("incomplete counts")?;
    Ok((broken.parse()?, all.to_owned()))
}

/// Runs the floods in the other process until its input ends.
async fn run_floods(server: SocketAddr, net: u8) -> AnyResult<()> {
    let mut running = None;
    for line in std::io::stdin().lines() {
        let id = line?;
        let load = match &mut running {
            Some(load) => load,
            none => none.insert(HostileLoad::start(server, net, &id).await?),
        };
        load.switch_game(&id);
        println!("{} {load}", if load.has_all_kinds() { load.malformed_frames() } else { 0 });
    }
    Ok(())
}

#[tokio::main]
async fn main() -> AnyResult<()> {
    if let Ok(server) = std::env::var("FLOODED_SERVER") {
        return run_floods(server.parse()?, std::env::var("FLOODS_NETWORK")?.parse()?).await;
    }
    let lasts = Duration::from_secs(env_number("SECONDS", 5));
    // All limits have their defaults, except for the moves of the two players.
    let (_server, addr, _folder) = start_server(&["--player-message-limit", "100000"]).await?;
    let two = [
        Client::new(addr, Ipv4Addr::LOCALHOST).await?,
        Client::new(addr, Ipv4Addr::LOCALHOST).await?,
    ];
    let (mut idle, mut loaded) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        idle.extend(measure(&two, lasts, |_| Ok(true)).await?);
        let net = (1 + round).to_string();
        let variables = [("FLOODED_SERVER", addr.to_string()), ("FLOODS_NETWORK", net)];
        let (mut idle_process, mut all) = (IdleProcess::start(&variables)?, String::new());
        let enough = |id: &str| {
            let (broken, so_far) = switch_game(&mut idle_process, id)?;
            all = so_far;
            Ok(broken >= MALFORMED_FRAMES / ROUNDS as u64)
        };
        loaded.extend(measure(&two, lasts, enough).await?);
        println!("{all}");
        drop(idle_process);
        // Hundreds of connections close now, which is a load of its own.
        tokio::time::sleep(RECOVERY_PAUSE).await;
    }
    compare(idle, "floods", loaded)
}
