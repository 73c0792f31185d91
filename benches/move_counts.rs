//! System calls, allocations and bytes of a move, on Sprong and on the relay of `benches/floor`.
//!
//! `strace` counts the system calls. This program counts the allocations, as the server: started
//! with the arguments of the server, it runs that with a counting allocator, and answers each line
//! on its standard input with the numbers of allocations and of their bytes.

#[expect(dead_code, reason = "used by other benches")]
#[path = "common/mod.rs"]
mod common;
#[path = "common/limits.rs"]
mod limits;
#[expect(dead_code, reason = "used by the load bench")]
#[path = "load/peer.rs"]
mod peer;

use common::{AnyResult, start_process};
use limits::raised_limits;
use peer::{GameClient, Peer, PeerKind};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};

#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;

/// Games at the same time.
const PAIRS: usize = 100;

/// Moves of each game, without its end.
const PLIES: usize = 16;

/// Runs the server, and answers lines on standard input.
fn serve() {
    let _profiler = dhat::Profiler::builder().testing().build();
    std::thread::spawn(|| {
        for _ in std::io::stdin().lines() {
            let stats = dhat::HeapStats::get();
            println!("{} {}", stats.total_blocks, stats.total_bytes);
        }
    });
    sprong::program::run();
}

async fn open_games(peer: &Peer) -> AnyResult<Vec<GameClient>> {
    let mut clients = Vec::with_capacity(PAIRS);
    for _ in 0..PAIRS {
        let guests = peer.guests().await?;
        let game = peer.start_game(&guests).await?;
        clients.push(peer.open_game(game, &guests).await?);
    }
    Ok(clients)
}

/// Plays all games at the same time. Returns the number of moves.
async fn play(kind: PeerKind, clients: &mut [GameClient]) -> AnyResult<f64> {
    let played = clients.iter_mut().map(async |client| {
        let mut moves = 0;
        while moves < PLIES && client.play(kind).await?.is_some() {
            moves += 1;
        }
        AnyResult::Ok(moves)
    });
    let played = futures_util::future::try_join_all(played).await?;
    Ok(played.into_iter().sum::<usize>() as f64)
}

/// Prints the system calls and the bytes of a move.
async fn count_calls(kind: PeerKind) -> AnyResult<()> {
    let peer = Peer::start(kind).await?;
    let mut clients = open_games(&peer).await?;
    let mut strace = Command::new("strace")
        .args(["-f", "-c", "-U", "calls,name", "-p", &peer.processes[0].0.id().to_string()])
        .stderr(Stdio::piped())
        .spawn()?;
    let mut report = BufReader::new(strace.stderr.take().ok_or("its output")?);
    let mut line = String::new();
    report.read_line(&mut line)?;
    let moves = play(kind, &mut clients).await?;
    Command::new("kill").args(["-INT", &strace.id().to_string()]).status()?;
    let mut calls: Vec<(f64, String)> = Vec::new();
    for line in report.lines() {
        let line = line?;
        if let Some((count, name)) = line.trim().split_once(' ')
            && let Ok(count) = count.parse::<f64>()
        {
            calls.push((count / moves, name.trim().to_owned()));
        }
    }
    strace.wait()?;
    println!("{}, system calls of a move:", kind.name());
    for (count, name) in calls.iter().filter(|(count, _)| *count >= 0.01) {
        println!("  {count:7.2}  {name}");
    }
    let bytes: usize = clients.iter().flat_map(|client| client.received).sum();
    println!("  {:.0} bytes to each player, acknowledgments included", bytes as f64 / moves / 2.0);
    Ok(())
}

/// Prints the allocations of a move, and their bytes.
async fn count_allocations() -> AnyResult<()> {
    let program = std::env::current_exe()?;
    let server = start_process(|addr, database| {
        let mut command = Command::new(program);
        command.args(["--addr", addr, "--log", "error", "--database"]).arg(database);
        command.args(raised_limits()).stdin(Stdio::piped()).stdout(Stdio::piped());
        command
    });
    let server = server.await?;
    let mut peer = Peer::from_processes(PeerKind::Sprong, vec![server]);
    let mut to = peer.processes[0].0.stdin.take().ok_or("its input")?;
    let mut from = BufReader::new(peer.processes[0].0.stdout.take().ok_or("its output")?);
    let mut read_counts = || -> AnyResult<[f64; 2]> {
        writeln!(to)?;
        for line in from.by_ref().lines() {
            // The server itself writes its address there.
            if let Some((blocks, bytes)) = line?.trim().split_once(' ')
                && let (Ok(blocks), Ok(bytes)) = (blocks.parse(), bytes.parse())
            {
                return Ok([blocks, bytes]);
            }
        }
        Err("no counts".into())
    };
    let mut clients = open_games(&peer).await?;
    let before = read_counts()?;
    let moves = play(PeerKind::Sprong, &mut clients).await?;
    let after = read_counts()?;
    let [blocks, bytes] = [0, 1].map(|at| (after[at] - before[at]) / moves);
    println!("sprong, {blocks:.1} allocations of {bytes:.0} bytes a move");
    Ok(())
}

#[tokio::main]
async fn main() -> AnyResult<()> {
    if std::env::args().any(|argument| argument == "--database") {
        // The server has a runtime of its own.
        std::thread::spawn(serve).join().map_err(|_| "the server panicked")?;
        return Ok(());
    }
    for kind in [PeerKind::Floor, PeerKind::Sprong] {
        count_calls(kind).await?;
    }
    count_allocations().await
}
