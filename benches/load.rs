//! Throughput of pairs of players who reply immediately, over real sockets to a server in a
//! separate process: moves a second, latency, and CPU time of the server for a thousand moves.
//!
//! The environment variables `GAMES` (100) and `SECONDS` (5) set the number of concurrent games and
//! the duration.

#[expect(dead_code, reason = "used by the storm and bots benches")]
mod common;

use common::{AnyResult, ChildGuard, env_number, quantiles, start_server};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use uuid::Uuid;

/// Clock ticks a second in `/proc`, which Linux fixes at this value.
const TICKS_PER_S: f64 = 100.0;

#[derive(Default)]
struct Counts {
    moves: AtomicU64,
    measuring: AtomicBool,
}

#[derive(Clone)]
struct Player {
    http: reqwest::Client,
    addr: String,
    cookie: String,
}

impl Player {
    async fn new(http: reqwest::Client, addr: &str) -> AnyResult<Player> {
        let response = http.post(format!("http://{addr}/api/guest")).send().await?;
        let cookie = response.headers()["set-cookie"].to_str()?;
        let cookie = cookie.split(';').next().unwrap_or_default().to_owned();
        Ok(Player { http, addr: addr.to_owned(), cookie })
    }

    async fn post(&self, path: &str, body: &Value) -> AnyResult<Value> {
        let url = format!("http://{}{path}", self.addr);
        let sent = self.http.post(url).header("cookie", &self.cookie).json(body).send().await?;
        Ok(sent.json().await?)
    }

    /// Plays one game to its end with the first legal moves. Returns the time from each move to its
    /// acknowledgement.
    async fn play(&self, id: &str, counts: &Counts) -> AnyResult<Vec<Duration>> {
        let mut request = format!("ws://{}/ws/game/{id}", self.addr).into_client_request()?;
        request.headers_mut().insert("origin", format!("http://{}", self.addr).parse()?);
        request.headers_mut().insert("cookie", self.cookie.parse()?);
        let (mut socket, _) = connect_async(request).await?;
        let (mut took, mut sent) = (Vec::new(), Instant::now());
        while let Some(message) = socket.next().await {
            let Message::Text(text) = message? else { continue };
            let message: Value = serde_json::from_str(&text)?;
            match message["t"].as_str() {
                Some("end") => break,
                Some("ack") if counts.measuring.load(Ordering::Relaxed) => {
                    took.push(sent.elapsed());
                    counts.moves.fetch_add(1, Ordering::Relaxed);
                }
                _ => {}
            }
            if let Some(u) = message["d"]["legal"].get(0) {
                // These games have no other events, so the version is the ply.
                let ply = message["v"].as_u64().unwrap_or(0);
                let d = json!({ "u": u, "ply": ply, "cid": Uuid::now_v7() });
                sent = Instant::now();
                socket.send(Message::text(json!({ "t": "move", "d": d }).to_string())).await?;
            }
        }
        Ok(took)
    }
}

/// Plays one game after another until the time is over.
async fn play_games(
    one: Player,
    two: Player,
    counts: Arc<Counts>,
    until: Instant,
) -> AnyResult<Vec<Duration>> {
    let mut took = Vec::new();
    while Instant::now() < until {
        let challenge = one
            .post("/api/challenge", &json!({ "variant": "knightFight", "color": "first" }))
            .await?;
        let id = challenge["id"].as_str().ok_or_else(|| challenge.to_string())?;
        two.post(&format!("/api/challenge/{id}/accept"), &json!({})).await?;
        one.post(&format!("/api/challenge/{id}/ready"), &json!({ "answer": "yes" })).await?;
        let (first, second) = tokio::join!(one.play(id, &counts), two.play(id, &counts));
        took.extend(first?);
        took.extend(second?);
    }
    Ok(took)
}

/// Returns user and system time of a process so far, in seconds.
fn cpu_s(process: &ChildGuard) -> AnyResult<f64> {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", process.0.id()))?;
    let fields: Vec<&str> =
        stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    Ok((fields[11].parse::<f64>()? + fields[12].parse::<f64>()?) / TICKS_PER_S)
}

#[tokio::main]
async fn main() -> AnyResult<()> {
    let (games, seconds) = (env_number("GAMES", 100), env_number("SECONDS", 5));
    let limits = [
        "--player-message-limit",
        "--login-limit",
        "--guest-limit",
        "--write-limit",
        "--read-limit",
        "--challenges-max",
        "--ready-check-limit",
        "--challenge-limit",
        "--challenges-per-address",
        "--challenges-per-guest",
        "--connections-per-address",
    ];
    let limits: Vec<&str> = limits.into_iter().flat_map(|limit| [limit, "1000000000"]).collect();
    let (server, addr, _folder) = start_server(&limits).await?;
    let addr = addr.to_string();
    let http = reqwest::Client::new();
    let counts = Arc::new(Counts::default());
    let mut players = Vec::new();
    for _ in 0..games {
        players.push((
            Player::new(http.clone(), &addr).await?,
            Player::new(http.clone(), &addr).await?,
        ));
    }
    let until = Instant::now() + Duration::from_secs(seconds + 1);
    let pairs: Vec<_> = players
        .into_iter()
        .map(|(one, two)| tokio::spawn(play_games(one, two, counts.clone(), until)))
        .collect();
    tokio::time::sleep(Duration::from_secs(1)).await;
    let (before_s, started) = (cpu_s(&server)?, Instant::now());
    counts.measuring.store(true, Ordering::Relaxed);
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    counts.measuring.store(false, Ordering::Relaxed);
    let (spent_s, wall_s) = (cpu_s(&server)? - before_s, started.elapsed().as_secs_f64());
    let moves = counts.moves.load(Ordering::Relaxed) as f64;
    let mut took = Vec::new();
    for pair in pairs {
        took.extend(pair.await??);
    }
    let [p50, p99] = quantiles(took, [0.5, 0.99])?;
    println!("{games} games, {moves:.0} moves in {wall_s:.1} s");
    println!("moves a second: {:.0}", moves / wall_s);
    println!("CPU ms per 1,000 moves: {:.1}", 1e6 * spent_s / moves);
    println!("acknowledged after p50 {p50:.2} ms, p99 {p99:.2} ms");
    Ok(())
}
