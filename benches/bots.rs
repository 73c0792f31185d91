//! Latency of two players' moves, alternately without load and while fifty bots play, so that other
//! load of the machine affects both alike. The opponents of the bots are guests who move at random,
//! in a separate process with idle priority, as a substitute for other machines.
//!
//! The environment variables `SECONDS` (5), `BOTS` (50) and `LEVEL` (3) set the duration of each
//! turn, and the number and the level of the bots.

#[path = "../tests/it/hostile_clients/client.rs"]
#[expect(dead_code, reason = "used by the latency_under_load bench")]
mod client;
mod common;

use client::{Client, play_game};
use common::{AnyResult, IdleProcess, compare, env_number, measure_for, quantiles, start_server};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use sprong::rules::SplitMix;
use sprong::variants::ALL;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tokio_tungstenite::tungstenite::Message;
use uuid::Uuid;

/// Time that a guest takes for a move.
const PAUSE: Duration = Duration::from_millis(10);

/// Number of turns of each kind.
const ROUNDS: usize = 10;

/// Time for pending work to end after a turn.
const RECOVERY_PAUSE: Duration = Duration::from_millis(500);

/// Plays a game against the computer with random moves, while `may` is true. Returns the time of
/// each reply.
async fn play_random_moves(
    client: &Client,
    id: &str,
    random: &mut SplitMix,
    may: &mut watch::Receiver<bool>,
) -> AnyResult<Vec<Duration>> {
    let mut socket = client.socket(&format!("/ws/game/{id}")).await?;
    let (mut durations, mut sent, mut ply) = (Vec::new(), Instant::now(), 0);
    while let Some(message) = socket.next().await {
        let Message::Text(text) = message? else { continue };
        let message: Value = serde_json::from_str(&text)?;
        if message["t"] == "end" {
            break;
        }
        ply = message["d"]["ply"].as_u64().unwrap_or(ply);
        let Some(legal) = message["d"]["legal"].as_array().filter(|legal| !legal.is_empty()) else {
            continue;
        };
        if ply > 0 {
            durations.push(sent.elapsed());
        }
        tokio::time::sleep(PAUSE).await;
        may.wait_for(|may| *may).await?;
        let u = &legal[random.below(legal.len())];
        let d = json!({ "u": u, "ply": ply, "cid": Uuid::now_v7() });
        sent = Instant::now();
        socket.send(Message::text(json!({ "t": "move", "d": d }).to_string())).await?;
    }
    Ok(durations)
}

/// Results of all guests so far.
#[derive(Default)]
struct GuestResults {
    durations: Mutex<Vec<Duration>>,
    games: AtomicU64,
}

/// Plays one game after another against the computer, while `may` is true.
async fn play_computer(
    client: Client,
    number: usize,
    level: u64,
    mut may: watch::Receiver<bool>,
    done: Arc<GuestResults>,
) -> AnyResult<()> {
    let variant = ALL[number % ALL.len()].info.key;
    let mut random = SplitMix::new(number as u64);
    loop {
        let fields = json!({ "variant": variant, "level": level, "color": "first" });
        may.wait_for(|may| *may).await?;
        let challenge = client.post("/api/challenge/ai", &fields).await?;
        let id = challenge["id"].as_str().ok_or_else(|| challenge.to_string())?;
        let took = play_random_moves(&client, id, &mut random, &mut may).await?;
        done.durations.lock().map_err(|_| "poisoned")?.extend(took);
        done.games.fetch_add(1, Ordering::Relaxed);
    }
}

/// Runs in the other process: guests who play after the line `on`, and pause after any other line.
/// Answers each line with the reply times so far.
async fn run_guests(server: SocketAddr) -> AnyResult<()> {
    let (level, bots) = (env_number("LEVEL", 3), env_number("BOTS", 50) as usize);
    let (let_play, may) = watch::channel(false);
    let done = Arc::new(GuestResults::default());
    let mut guests = tokio::task::JoinSet::new();
    for number in 0..bots {
        let client = Client::new(server, Ipv4Addr::LOCALHOST).await?;
        let (may, done) = (may.clone(), done.clone());
        guests.spawn(async move {
            if let Err(error) = play_computer(client, number, level, may, done).await {
                eprintln!("a game against the computer failed: {error}");
            }
        });
    }
    // The guests are tasks of the workers: this thread may block.
    for line in std::io::stdin().lines() {
        let_play.send(line? == "on")?;
        let durations = done.durations.lock().map_err(|_| "poisoned")?.clone();
        let games = done.games.load(Ordering::Relaxed);
        match quantiles(durations, [0.5, 0.99]) {
            Ok([p50, p99]) => {
                println!("replies of the bots in {games} games: p50 {p50:.0} ms, p99 {p99:.0} ms");
            }
            Err(_) => println!("no game has ended yet"),
        }
    }
    Ok(())
}

#[tokio::main]
async fn main() -> AnyResult<()> {
    if let Ok(server) = std::env::var("GUESTS_AT") {
        return run_guests(server.parse()?).await;
    }
    let lasts = Duration::from_secs(env_number("SECONDS", 5));
    let limits = [
        "--player-message-limit",
        "--login-limit",
        "--guest-limit",
        "--write-limit",
        "--ready-check-limit",
    ]
    .map(|limit| [limit, "100000"]);
    let (_server, addr, _folder) = start_server(limits.as_flattened()).await?;
    let guest = || Client::new(addr, Ipv4Addr::LOCALHOST);
    let two = [guest().await?, guest().await?];
    let mut guests = IdleProcess::start(&[("GUESTS_AT", addr.to_string())])?;
    guests.request("off")?;
    let mut measured = async || play_game(&two, |_| ()).await;
    measure_for(Duration::from_secs(1), &mut measured).await?;
    let (mut idle, mut loaded, mut replies) = (Vec::new(), Vec::new(), String::new());
    for _ in 0..ROUNDS {
        idle.extend(measure_for(lasts, &mut measured).await?);
        guests.request("on")?;
        loaded.extend(measure_for(lasts, &mut measured).await?);
        replies = guests.request("off")?;
        tokio::time::sleep(RECOVERY_PAUSE).await;
    }
    println!("{replies}");
    compare(idle, "bots", loaded)
}
