//! Figures of servers that share a database, beside the cost of a move: whole games a second, CPU
//! time of idle players, and the longest pause of games while one of the servers is killed. Caller:
//! `main`.

use crate::common::{AnyResult, env_number, quantiles};
use crate::open_games;
use crate::peer::{GameClient, Guest, Peer, PeerKind};
use crate::process::{Measurement, Usage, resident_kib};
use futures_util::future::try_join_all;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Time after which the rooms of games without players are closed, with some seconds more.
const ROOMS_CLOSED_TIME: Duration = Duration::from_secs(70);

/// Time in which whole games are counted, and idle players are observed.
const MEASURED_TIME: Duration = Duration::from_secs(10);

/// Pairs of players who create, accept and end games at the same time.
const PAIRS: usize = 16;

/// Games in progress while a server is killed.
const GAMES: usize = 100;

/// Time between the moves of each of these games.
const MOVE_INTERVAL: Duration = Duration::from_millis(100);

/// Prints how many games are created, accepted and, without moves, resigned per second.
pub async fn compare_whole_games() -> AnyResult<()> {
    println!("challenge, acceptance and resignation without moves, {PAIRS} pairs:");
    for kind in PeerKind::all().into_iter().filter(|kind| !kind.is_relay()) {
        let peer = Peer::start(kind).await?;
        let pairs = try_join_all((0..PAIRS).map(|_| peer.guests())).await?;
        let measurement = Measurement::start(&peer.processes)?;
        let started = Instant::now();
        let counts = pairs.iter().enumerate().map(async |(server, guests)| {
            let mut games = 0;
            while started.elapsed() < MEASURED_TIME {
                let game = peer.start_game_at(server, guests).await?;
                peer.resign(server, &game, guests).await?;
                games += 1;
            }
            AnyResult::Ok(games)
        });
        let games = try_join_all(counts).await?.iter().sum::<u32>();
        let seconds = started.elapsed().as_secs_f64();
        let [used, database_used] = measurement.used()?;
        println!(
            "  {:7}  {:.0} games a second, CPU {:.2} ms a game, PostgreSQL {:.2} ms",
            kind.name(),
            f64::from(games) / seconds,
            used.cpu_ms / f64::from(games),
            database_used.cpu_ms / f64::from(games),
        );
    }
    Ok(())
}

/// Prints the memory and CPU time of players who are connected and do nothing, and the memory that
/// is not given back after they have left.
pub async fn compare_idle(pairs: usize) -> AnyResult<()> {
    println!("{} idle players:", 2 * pairs);
    for kind in PeerKind::all() {
        let peer = Peer::start(kind).await?;
        let empty_kib = total_kib(&peer)?;
        let mut clients = open_games(&peer, pairs, 1).await?;
        let each_kib = (total_kib(&peer)? - empty_kib) / (2 * pairs) as f64;
        // Waits for the work that the last connections have caused.
        tokio::time::sleep(Duration::from_secs(3)).await;
        let measurement = Measurement::start(&peer.processes)?;
        tokio::time::sleep(MEASURED_TIME).await;
        let percent = |used: Usage| used.cpu_ms / MEASURED_TIME.as_secs_f64() / 10.0;
        let [used, database_used] = measurement.used()?;
        // A server closes connections that are silent for long: the first one must still be open.
        clients[0][0].play(kind).await?;
        drop(clients);
        tokio::time::sleep(ROOMS_CLOSED_TIME).await;
        let kept_kib = (total_kib(&peer)? - empty_kib) / (2 * pairs) as f64;
        println!(
            "  {:7}  {each_kib:.1} KiB each, {kept_kib:.1} KiB after they have left, CPU {:.2} % \
             of a core for each server, PostgreSQL {:.2} %",
            kind.name(),
            percent(used) / peer.processes.len() as f64,
            percent(database_used),
        );
    }
    Ok(())
}

/// Returns the memory of all servers, in KiB.
fn total_kib(peer: &Peer) -> AnyResult<f64> {
    peer.processes.iter().map(resident_kib).sum()
}

/// Prints the longest time between two moves of a game while one of several servers is killed: of
/// games with both players on other servers, and of games with a player on that one: both players
/// then connect to others.
pub async fn measure_server_death() -> AnyResult<()> {
    let servers = env_number("NODES", 1) as usize;
    if servers < 2 || !PeerKind::all().contains(&PeerKind::Nodes) {
        println!("death of a server: not measured without DATABASE and at least two NODES");
        return Ok(());
    }
    let peer = Arc::new(Peer::start(PeerKind::Nodes).await?);
    let killed = servers - 1;
    let is_killed = Arc::new(AtomicBool::new(false));
    let mut games = Vec::with_capacity(GAMES);
    for _ in 0..GAMES {
        let guests = peer.guests().await?;
        let client = peer.open_game(peer.start_game(&guests).await?, &guests).await?;
        games.push((client, guests));
    }
    let mut players = Vec::with_capacity(GAMES);
    for (client, guests) in games {
        let player_servers = Peer::servers_of(&client.game).map(|server| server % servers);
        let is_affected = player_servers.contains(&killed);
        let survivors = player_servers.map(|server| if server == killed { 0 } else { server });
        let playing = longest_pause(client, peer.clone(), guests, survivors, is_killed.clone());
        players.push(tokio::spawn(async move { AnyResult::Ok((is_affected, playing.await?)) }));
    }
    tokio::time::sleep(10 * MOVE_INTERVAL).await;
    is_killed.store(true, Relaxed);
    let id = peer.processes[killed].0.id().to_string();
    if !Command::new("kill").args(["-9", &id]).status()?.success() {
        return Err("the server was not killed".into());
    }
    let mut pauses = [Vec::new(), Vec::new()];
    for player in players {
        let (is_affected, pause) = player.await??;
        pauses[usize::from(is_affected)].extend(pause);
    }
    println!("one of {servers} servers is killed, longest pause of a game in milliseconds:");
    for (name, pauses) in ["players elsewhere", "a player on it"].into_iter().zip(pauses) {
        if pauses.is_empty() {
            continue;
        }
        let games = pauses.len();
        let [median, longest] = quantiles(pauses, [0.5, 1.0])?;
        println!("  {name}: median {median:.0}, longest {longest:.0}, of {games} games");
    }
    Ok(())
}

/// Plays a game to its end, connects both players to the servers `survivors` after failures, and
/// returns the longest time after the kill from a move that was due to its arrival; `None` if the
/// game was over before.
async fn longest_pause(
    mut client: GameClient,
    peer: Arc<Peer>,
    guests: [Guest; 2],
    survivors: [usize; 2],
    is_killed: Arc<AtomicBool>,
) -> AnyResult<Option<Duration>> {
    let (mut longest, mut is_in_doubt) = (None, false);
    let mut due = Instant::now();
    loop {
        let played = client.play(PeerKind::Nodes).await;
        match played {
            Err(error) if !is_killed.load(Relaxed) => return Err(error),
            Err(_) => {
                is_in_doubt = true;
                client = reopen(&peer, client.game, &guests, survivors).await?;
            }
            Ok(arrived) => {
                // A last move that was stored before the failure has no other one after it.
                if is_killed.load(Relaxed) && (arrived.is_some() || is_in_doubt) {
                    longest = longest.max(Some(due.elapsed()));
                }
                if arrived.is_none() {
                    return Ok(longest);
                }
                is_in_doubt = false;
                tokio::time::sleep(MOVE_INTERVAL).await;
                due = Instant::now();
            }
        }
    }
}

/// Connects both players of a game again, and repeats failed attempts for some seconds.
async fn reopen(
    peer: &Peer,
    game: String,
    guests: &[Guest; 2],
    servers: [usize; 2],
) -> AnyResult<GameClient> {
    let started = Instant::now();
    loop {
        match peer.open_game_at(game.clone(), guests, servers).await {
            Err(error) if started.elapsed() > MEASURED_TIME => return Err(error),
            Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
            Ok(client) => return Ok(client),
        }
    }
}
