//! Figures of servers that share a database, beside the cost of a move: whole games a second, CPU
//! time of idle players, and the longest pause of games while one of the servers is killed. Caller:
//! `main`.

use crate::common::{AnyResult, env_number, quantiles};
use crate::open_games;
use crate::peer::{Cookie, GameClient, Peer, PeerKind};
use crate::process::{Usage, resident_kib};
use futures_util::future::try_join_all;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Time in which whole games are counted, and idle players are observed.
const MEASURED: Duration = Duration::from_secs(10);

/// Pairs of players who create, accept and end games at the same time.
const PAIRS: usize = 16;

/// Games in progress while a server is killed, and the time between the moves of each.
const PLAYED: usize = 100;
const INTERVAL: Duration = Duration::from_millis(100);

/// Prints how many games are created, accepted and resigned per second.
pub async fn compare_whole_games() -> AnyResult<()> {
    println!("challenge, acceptance and resignation, {PAIRS} pairs:");
    for kind in PeerKind::all().into_iter().filter(|kind| *kind != PeerKind::Floor) {
        let peer = Peer::start(kind).await?;
        let pairs = try_join_all((0..PAIRS).map(|_| peer.guests())).await?;
        let before = Usage::measure(&peer.processes)?;
        let database_before = Usage::measure_postgres()?;
        let until = Instant::now() + MEASURED;
        let counts = pairs.iter().enumerate().map(async |(server, guests)| {
            let mut games = 0;
            while Instant::now() < until {
                let game = peer.start_game_at(server, guests).await?;
                peer.resign(server, &game, guests).await?;
                games += 1;
            }
            AnyResult::Ok(games)
        });
        let games = try_join_all(counts).await?.iter().sum::<u32>();
        let used = Usage::measure(&peer.processes)?.since(before);
        let database_used = Usage::measure_postgres()?.since(database_before);
        println!(
            "  {:6}  {:.0} games a second, CPU {:.2} ms a game, PostgreSQL {:.2} ms",
            kind.name(),
            f64::from(games) / MEASURED.as_secs_f64(),
            used.cpu_ms / f64::from(games),
            database_used.cpu_ms / f64::from(games),
        );
    }
    Ok(())
}

/// Prints the memory and CPU time of players who are connected and do nothing.
pub async fn compare_idle(pairs: usize) -> AnyResult<()> {
    println!("{} idle players:", 2 * pairs);
    for kind in PeerKind::all() {
        let peer = Peer::start(kind).await?;
        let empty = memory(&peer)?;
        let clients = open_games(&peer, pairs, 1).await?;
        let each = (memory(&peer)? - empty) / (2 * pairs) as f64;
        // Ends what the last connections have caused.
        tokio::time::sleep(Duration::from_secs(3)).await;
        let before = Usage::measure(&peer.processes)?;
        let database_before = Usage::measure_postgres()?;
        tokio::time::sleep(MEASURED).await;
        let percent = |used: Usage| used.cpu_ms / MEASURED.as_secs_f64() / 10.0;
        let used = Usage::measure(&peer.processes)?.since(before);
        let database_used = Usage::measure_postgres()?.since(database_before);
        println!(
            "  {:6}  {each:.1} KiB each, CPU {:.2} % of a core for each server, PostgreSQL {:.2} %",
            kind.name(),
            percent(used) / peer.processes.len() as f64,
            percent(database_used),
        );
        drop(clients);
    }
    Ok(())
}

/// Returns the memory of all servers, in KiB.
fn memory(peer: &Peer) -> AnyResult<f64> {
    peer.processes.iter().map(resident_kib).sum()
}

/// Prints the longest time between two moves of a game while one of several servers is killed: of
/// games with both players on other servers, and of games with a player on that one, who reconnects
/// to another server.
pub async fn measure_server_death() -> AnyResult<()> {
    let servers = env_number("NODES", 1) as usize;
    if servers < 2 || !PeerKind::all().contains(&PeerKind::Nodes) {
        return Ok(());
    }
    let peer = Arc::new(Peer::start(PeerKind::Nodes).await?);
    let killed = servers - 1;
    let is_killed = Arc::new(AtomicBool::new(false));
    let mut games = Vec::with_capacity(PLAYED);
    for _ in 0..PLAYED {
        let guests = peer.guests().await?;
        games.push((peer.start_game(&guests).await?, guests));
    }
    let mut players = Vec::with_capacity(PLAYED);
    for (game, guests) in games {
        let at = Peer::servers_of(&game).map(|server| server % servers);
        let client = peer.open_game(game, &guests).await?;
        let later = at.map(|server| if server == killed { 0 } else { server });
        let playing = longest_pause(client, peer.clone(), guests, later, is_killed.clone());
        let is_affected = at.contains(&killed);
        players.push(tokio::spawn(async move { AnyResult::Ok((is_affected, playing.await?)) }));
    }
    // Half of the shortest game.
    tokio::time::sleep(10 * INTERVAL).await;
    is_killed.store(true, Relaxed);
    let id = peer.processes[killed].0.id().to_string();
    Command::new("kill").args(["-9", &id]).status()?;
    let mut pauses = [Vec::new(), Vec::new()];
    for player in players {
        let (is_affected, pause) = player.await??;
        pauses[usize::from(is_affected)].push(pause);
    }
    println!("one of {servers} servers is killed, longest pause of a game in milliseconds:");
    for (name, pauses) in ["players elsewhere", "a player on it"].into_iter().zip(pauses) {
        let games = pauses.len();
        let [median, longest] = quantiles(pauses, [0.5, 1.0])?;
        println!("  {name}: median {median:.0}, longest {longest:.0}, of {games} games");
    }
    Ok(())
}

/// Plays a game to its end, reconnects to the servers `later` after failures, and returns the
/// longest time after the kill from a move that was due to its arrival.
async fn longest_pause(
    mut client: GameClient,
    peer: Arc<Peer>,
    guests: [Cookie; 2],
    later: [usize; 2],
    is_killed: Arc<AtomicBool>,
) -> AnyResult<Duration> {
    let mut longest = Duration::ZERO;
    let mut due = Instant::now();
    loop {
        match client.play(PeerKind::Nodes).await {
            Ok(None) => return Ok(longest),
            Ok(Some(_)) => {
                if is_killed.load(Relaxed) {
                    longest = longest.max(due.elapsed());
                }
                tokio::time::sleep(INTERVAL).await;
                due = Instant::now();
            }
            Err(error) if !is_killed.load(Relaxed) => return Err(error),
            Err(_) => client = peer.open_game_at(client.game, &guests, later).await?,
        }
    }
}
