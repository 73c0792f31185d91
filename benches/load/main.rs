//! Cost of a move on Sprong and on a bare relay with the same durability (`benches/floor`), in one
//! run in turns: CPU time of the server for a thousand moves, context switches, latency, fan-out to
//! spectators, idle players, and the death of a server. Ratios to the relay are printed behind the
//! figures.
//!
//! `BASELINE` is the path of another build of the server that is measured in the same turns. With
//! `WS_FULL`, a relay in Node (`benches/ws_full`) is measured too: it stores each move by itself.
//! `ROUNDS` (3) sets the turns; the lowest CPU time of all rounds counts. `PARTS` (all) lists the
//! parts to run, separated by commas: `plies`, `played`, `paced`, `fanout`, `idle`, `games`,
//! `death`. `CLOCK` (0) sets the initial time of the games in seconds; by default they have no
//! clock. With `DATABASE`, a database on a server of PostgreSQL, `NODES` (1) servers are measured
//! too, each on a new database there: the players of a game are connected to different ones. The
//! CPU time of PostgreSQL is printed apart.

#[expect(dead_code, reason = "used by the latency_under_load and bots benches")]
#[path = "../common/mod.rs"]
mod common;
#[path = "../common/limits.rs"]
mod limits;
mod peer;
mod process;
mod servers;

use common::{AnyResult, env_number, quantiles};
use futures_util::StreamExt;
use futures_util::future::try_join_all;
use peer::{GameClient, Peer, PeerKind};
use process::{Measurement, Usage};
use servers::{compare_idle, compare_whole_games, measure_server_death};
use std::sync::Arc;
use std::time::Duration;

/// Moves that are measured of each prepared game: fewer than a game has, so that no end is among
/// them.
const PREPARED_PLIES: usize = 16;

/// Cost of moves.
#[derive(Clone, Copy)]
struct Cost {
    /// CPU milliseconds per thousand moves.
    cpu: f64,
    /// CPU milliseconds of PostgreSQL per thousand moves.
    database_cpu: f64,
    /// Context switches per move.
    switches: f64,
    /// Median and 99th percentile of the latency, in milliseconds.
    latency: [f64; 2],
}

/// Way of playing moves.
#[derive(Clone, Copy)]
enum Play {
    /// The first [`PREPARED_PLIES`] moves of games that were created before the measurement.
    Prepared { pairs: usize, games_each: usize },
    /// In games that are created, ended and followed by others during the measurement.
    Whole { pairs: usize, games_each: usize },
    /// In games that were created before, one move per interval.
    Paced { pairs: usize, interval: Duration },
}

impl Play {
    fn pairs(self) -> usize {
        match self {
            Play::Prepared { pairs, .. }
            | Play::Whole { pairs, .. }
            | Play::Paced { pairs, .. } => pairs,
        }
    }
}

async fn open_games(
    peer: &Peer,
    pairs: usize,
    games_each: usize,
) -> AnyResult<Vec<Vec<GameClient>>> {
    let mut started = Vec::with_capacity(pairs);
    for _ in 0..pairs {
        let guests = peer.guests().await?;
        let mut games = Vec::with_capacity(games_each);
        for _ in 0..games_each {
            games.push(peer.start_game(&guests).await?);
        }
        started.push((guests, games));
    }
    // Connects last: the server closes connections that are silent for long.
    let mut clients = Vec::with_capacity(pairs);
    for (guests, games) in started {
        let mut own = Vec::with_capacity(games_each);
        for game in games {
            own.push(peer.open_game(game, &guests).await?);
        }
        clients.push(own);
    }
    Ok(clients)
}

/// Plays up to `plies` moves of a game, and returns their latencies.
async fn play_moves(
    client: &mut GameClient,
    kind: PeerKind,
    plies: usize,
    interval: Option<Duration>,
) -> AnyResult<Vec<Duration>> {
    let mut took = Vec::new();
    let mut pace = tokio::time::interval(interval.unwrap_or(Duration::from_secs(1)));
    while took.len() < plies {
        if interval.is_some() {
            pace.tick().await;
        }
        match client.play(kind).await? {
            Some(latency) => took.push(latency),
            None => break,
        }
    }
    Ok(took)
}

async fn measure(kind: PeerKind, play: Play) -> AnyResult<Cost> {
    let peer = Arc::new(Peer::start(kind).await?);
    let (prepared, guests) = match play {
        Play::Prepared { pairs, games_each } => {
            (open_games(&peer, pairs, games_each).await?, Vec::new())
        }
        Play::Paced { pairs, .. } => (open_games(&peer, pairs, 1).await?, Vec::new()),
        Play::Whole { pairs, .. } => {
            (Vec::new(), try_join_all((0..pairs).map(|_| peer.guests())).await?)
        }
    };
    let measurement = Measurement::start(&peer.processes)?;
    let mut players = Vec::new();
    for (index, clients) in prepared.into_iter().enumerate() {
        players.push(tokio::spawn(async move {
            let (mut clients, mut took) = (clients, Vec::new());
            let interval = match play {
                Play::Paced { pairs, interval } => {
                    // Spreads the games over the interval.
                    tokio::time::sleep(interval * index as u32 / pairs as u32).await;
                    Some(interval)
                }
                _ => None,
            };
            for client in &mut clients {
                took.extend(play_moves(client, kind, PREPARED_PLIES, interval).await?);
            }
            // The connections stay open until the end of the measurement.
            AnyResult::Ok((took, clients))
        }));
    }
    for own in guests {
        let peer = peer.clone();
        let Play::Whole { games_each, .. } = play else { continue };
        players.push(tokio::spawn(async move {
            let mut took = Vec::new();
            for _ in 0..games_each {
                let game = peer.start_game(&own).await?;
                let mut client = peer.open_game(game, &own).await?;
                took.extend(play_moves(&mut client, kind, usize::MAX, None).await?);
                client.close().await?;
            }
            AnyResult::Ok((took, Vec::new()))
        }));
    }
    let (mut took, mut open) = (Vec::new(), Vec::new());
    for player in players {
        let (latencies, clients) = player.await??;
        took.extend(latencies);
        open.extend(clients);
    }
    let [used, database_used] = measurement.used()?;
    let moves = took.len() as f64;
    Ok(Cost {
        cpu: 1000.0 * used.cpu_ms / moves,
        database_cpu: 1000.0 * database_used.cpu_ms / moves,
        switches: used.switches / moves,
        latency: quantiles(took, [0.5, 0.99])?,
    })
}

/// Measures all servers in turns, and prints the lowest costs and their ratios.
async fn compare(name: &str, rounds: u64, play: Play) -> AnyResult<()> {
    let kinds = PeerKind::all();
    let mut lowest: Vec<Option<Cost>> = vec![None; kinds.len()];
    for round in 0..rounds as usize {
        // In a fixed order, a server that is measured later seems slower by some percent.
        for index in (0..kinds.len()).map(|index| (index + round) % kinds.len()) {
            let cost = measure(kinds[index], play).await?;
            if lowest[index].is_none_or(|before: Cost| cost.cpu < before.cpu) {
                lowest[index] = Some(cost);
            }
        }
    }
    println!("{name}, {} games:", play.pairs());
    let floor = lowest[0].ok_or("no rounds")?;
    for (cost, kind) in lowest.iter().flatten().zip(&kinds) {
        let Cost { cpu, database_cpu, switches, latency: [p50, p99] } = cost;
        let database = match kind {
            PeerKind::Nodes => format!(", PostgreSQL {database_cpu:.1} ms"),
            _ => String::new(),
        };
        println!(
            "  {:7}  CPU {cpu:6.1} ms per 1,000 moves (× {:.2}), {switches:5.2} switches a move, \
             p50 {p50:.2} ms, p99 {p99:.2} ms{database}",
            kind.name(),
            cpu / floor.cpu,
        );
    }
    Ok(())
}

/// Measures the CPU time of a delivery to a spectator, in microseconds.
async fn fan_out(kind: PeerKind, spectators: usize) -> AnyResult<f64> {
    let peer = Peer::start(kind).await?;
    let guests = peer.guests().await?;
    let game = peer.start_game(&guests).await?;
    let mut client = peer.open_game(game, &guests).await?;
    let mut sockets = Vec::with_capacity(spectators);
    for _ in 0..spectators {
        let mut socket = peer.connect(&client.game, None).await?;
        if !kind.is_relay() {
            peer::read(&mut socket, "full", &mut 0).await?;
        }
        sockets.push(socket);
    }
    // Changes of the number of spectators are sent after a second.
    tokio::time::sleep(Duration::from_secs(2)).await;
    let readers: Vec<_> = sockets
        .into_iter()
        .map(|mut socket| {
            tokio::spawn(async move {
                let mut moves = 0u64;
                while let Some(Ok(message)) = socket.next().await {
                    moves += u64::from(message.to_text().is_ok_and(|text| text.contains("move")));
                }
                moves
            })
        })
        .collect();
    let before = Usage::measure(&peer.processes)?;
    let mut plies = 0;
    // All spectators have each move before the next one.
    let mut pace = tokio::time::interval(Duration::from_millis(spectators as u64 / 5));
    loop {
        pace.tick().await;
        if client.play(kind).await?.is_none() {
            break;
        }
        plies += 1;
    }
    pace.tick().await;
    let used = Usage::measure(&peer.processes)?.since(before);
    drop(peer);
    let mut delivered = 0;
    for reader in readers {
        delivered += reader.await?;
    }
    if delivered != plies * spectators as u64 {
        return Err(format!("{delivered} deliveries of {plies} moves").into());
    }
    Ok(1000.0 * used.cpu_ms / delivered as f64)
}

async fn compare_fan_out(rounds: u64, spectators: usize) -> AnyResult<()> {
    let kinds = PeerKind::all();
    let mut lowest = vec![f64::INFINITY; kinds.len()];
    for _ in 0..rounds {
        for (lowest, kind) in lowest.iter_mut().zip(&kinds) {
            *lowest = lowest.min(fan_out(*kind, spectators).await?);
        }
    }
    println!("{spectators} spectators:");
    for (cpu_us, kind) in lowest.iter().zip(&kinds) {
        let ratio = cpu_us / lowest[0];
        println!("  {:7}  CPU {cpu_us:.1} µs a delivery (× {ratio:.2})", kind.name());
    }
    Ok(())
}

#[tokio::main]
async fn main() -> AnyResult<()> {
    let rounds = env_number("ROUNDS", 3);
    let parts = std::env::var("PARTS").unwrap_or_default();
    let is_wanted = |part: &str| parts.is_empty() || parts.split(',').any(|name| name == part);
    if is_wanted("plies") {
        for (pairs, games_each) in [(1, 100), (100, 8), (1000, 1)] {
            compare("moves alone", rounds, Play::Prepared { pairs, games_each }).await?;
        }
    }
    if is_wanted("played") {
        for (pairs, games_each) in [(1, 100), (100, 8), (1000, 1)] {
            compare("as played", rounds, Play::Whole { pairs, games_each }).await?;
        }
    }
    if is_wanted("paced") {
        let interval = Duration::from_millis(500);
        compare("1,000 moves a second", rounds, Play::Paced { pairs: 500, interval }).await?;
    }
    if is_wanted("fanout") {
        for spectators in [1000, 5000] {
            compare_fan_out(rounds, spectators).await?;
        }
    }
    if is_wanted("idle") {
        compare_idle(2500).await?;
    }
    if is_wanted("games") {
        compare_whole_games().await?;
    }
    if is_wanted("death") {
        measure_server_death().await?;
    }
    Ok(())
}
