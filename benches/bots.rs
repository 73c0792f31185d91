//! The latency of two players' moves, in the quiet and while fifty bots of level 3 play against
//! guests who move by chance. Prints both and their ratio, which is to stay within 2.
//!
//! `SECONDS` (5), `BOTS` (50) and `LEVEL` (3) are read from the environment.

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::net::{SocketAddr, TcpListener};
use std::process::{Child, Command};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{WebSocketStream, client_async};
use uuid::Uuid;

type Anything<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// How long a person takes for a move.
const PAUSE: Duration = Duration::from_millis(10);

#[derive(Clone)]
struct Client {
    http: reqwest::Client,
    server: SocketAddr,
    cookie: String,
}

/// What a game was like.
#[derive(Default)]
struct Played {
    /// How long each own move took to its acknowledgement.
    took: Vec<Duration>,
    /// How long each answer took.
    answers: Vec<Duration>,
}

impl Client {
    async fn new(server: SocketAddr) -> Anything<Client> {
        let http = reqwest::Client::new();
        let sent = http.post(format!("http://{server}/api/guest")).send().await?;
        let cookie = sent.headers().get("set-cookie").ok_or("no new guest")?.to_str()?;
        let cookie = cookie.split(';').next().unwrap_or_default().to_owned();
        Ok(Client { http, server, cookie })
    }

    async fn post(&self, path: &str, body: &Value) -> Anything<Value> {
        let url = format!("http://{}{path}", self.server);
        let sent = self.http.post(url).header("cookie", &self.cookie).json(body).send().await?;
        Ok(sent.json().await?)
    }

    async fn socket(&self, path: &str) -> Anything<WebSocketStream<TcpStream>> {
        let mut request = format!("ws://{}{path}", self.server).into_client_request()?;
        request.headers_mut().insert("origin", format!("http://{}", self.server).parse()?);
        request.headers_mut().insert("cookie", self.cookie.parse()?);
        let stream = TcpStream::connect(self.server).await?;
        stream.set_nodelay(true)?;
        Ok(client_async(request, stream).await?.0)
    }

    /// Plays a game to its end, by chance or as `pick` says.
    async fn play(&self, id: &str, pick: impl Fn(usize) -> usize) -> Anything<Played> {
        let mut socket = self.socket(&format!("/ws/game/{id}")).await?;
        let (mut played, mut sent) = (Played::default(), Instant::now());
        let mut ply = 0;
        while let Some(message) = socket.next().await {
            let Message::Text(text) = message? else { continue };
            let message: Value = serde_json::from_str(&text)?;
            match message["t"].as_str() {
                Some("end") => break,
                Some("ack") => played.took.push(sent.elapsed()),
                _ => {}
            }
            ply = message["d"]["ply"].as_u64().unwrap_or(ply);
            let Some(legal) = message["d"]["legal"].as_array().filter(|legal| !legal.is_empty())
            else {
                continue;
            };
            if ply > 0 {
                played.answers.push(sent.elapsed());
            }
            tokio::time::sleep(PAUSE).await;
            let d = json!({ "u": legal[pick(legal.len())], "ply": ply, "cid": Uuid::now_v7() });
            sent = Instant::now();
            socket.send(Message::text(json!({ "t": "move", "d": d }).to_string())).await?;
        }
        Ok(played)
    }
}

/// Two play until the time is over; p50 and p99 in milliseconds.
async fn measure(two: &[Client; 2], lasts: Duration) -> Anything<[f64; 2]> {
    let (until, mut took) = (Instant::now() + lasts, Vec::new());
    while Instant::now() < until {
        let fields = json!({ "variant": "knightFight", "color": "first" });
        let made = two[0].post("/api/challenge", &fields).await?;
        let id = made["id"].as_str().ok_or_else(|| made.to_string())?;
        two[1].post(&format!("/api/challenge/{id}/accept"), &json!({})).await?;
        let first = |_| 0;
        let (one, other) = tokio::try_join!(two[0].play(id, first), two[1].play(id, first))?;
        took.extend(one.took.into_iter().chain(other.took));
    }
    shares(took)
}

fn shares(mut took: Vec<Duration>) -> Anything<[f64; 2]> {
    took.sort_unstable();
    let at = |share: f64| took[((took.len() - 1) as f64 * share) as usize].as_secs_f64() * 1000.0;
    if took.is_empty() { Err("no moves".into()) } else { Ok([at(0.5), at(0.99)]) }
}

/// Plays game after game against the computer.
async fn against(
    client: Client,
    number: usize,
    level: u64,
    answers: Arc<std::sync::Mutex<Vec<Duration>>>,
    games: Arc<AtomicU64>,
) -> Anything<()> {
    let variants: Value = client
        .http
        .get(format!("http://{}/api/variants", client.server))
        .send()
        .await?
        .json()
        .await?;
    let keys = variants.as_array().map_or(1, Vec::len);
    let variant = &variants[number % keys]["key"];
    let random = Arc::new(AtomicU64::new(number as u64));
    loop {
        let fields = json!({ "variant": variant, "level": level, "color": "first" });
        let made = client.post("/api/challenge/ai", &fields).await?;
        let id = made["id"].as_str().ok_or_else(|| made.to_string())?;
        let pick = |n: usize| {
            let next = random.load(Ordering::Relaxed).wrapping_mul(6_364_136_223_846_793_005) + 1;
            random.store(next, Ordering::Relaxed);
            (next >> 33) as usize % n
        };
        let played = client.play(id, pick).await?;
        answers.lock().map_err(|_| "poisoned")?.extend(played.answers);
        games.fetch_add(1, Ordering::Relaxed);
    }
}

struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn setting(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

#[tokio::main]
async fn main() -> Anything<()> {
    let lasts = Duration::from_secs(setting("SECONDS", 5));
    let folder = tempfile::TempDir::new()?;
    let addr = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
    let child = Command::new(env!("CARGO_BIN_EXE_sprong"))
        .args(["--addr", &addr.to_string(), "--log", "error", "--play-messages", "100000"])
        .args(["--logins", "100000", "--requests", "100000"])
        .arg("--database")
        .arg(folder.path().join("sprong.db"))
        .spawn()?;
    let _server = Server(child);
    while TcpStream::connect(addr).await.is_err() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let two = [Client::new(addr).await?, Client::new(addr).await?];
    measure(&two, Duration::from_secs(1)).await?;
    let quiet = measure(&two, lasts).await?;
    println!("quiet: p50 {:.2} ms, p99 {:.2} ms", quiet[0], quiet[1]);

    let (answers, games): (Arc<std::sync::Mutex<Vec<Duration>>>, Arc<AtomicU64>) =
        Default::default();
    let level = setting("LEVEL", 3);
    let bots = setting("BOTS", 50) as usize;
    let mut crowd = tokio::task::JoinSet::new();
    for number in 0..bots {
        let (client, answers, games) = (Client::new(addr).await?, answers.clone(), games.clone());
        crowd.spawn(async move {
            if let Err(error) = against(client, number, level, answers, games).await {
                eprintln!("a game with the computer: {error}");
            }
        });
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    let among = measure(&two, lasts).await?;
    println!("{bots} bots of level {level}: p50 {:.2} ms, p99 {:.2} ms", among[0], among[1]);
    // Other work of the machine is not to be taken for quiet: the better of before and after counts.
    crowd.shutdown().await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    let after = measure(&two, lasts).await?;
    println!("quiet again: p50 {:.2} ms, p99 {:.2} ms", after[0], after[1]);
    let answers = std::mem::take(&mut *answers.lock().map_err(|_| "poisoned")?);
    if let Ok([p50, p99]) = shares(answers) {
        let games = games.load(Ordering::Relaxed);
        println!("their answers in {games} games: p50 {p50:.0} ms, p99 {p99:.0} ms");
    }
    let ratio = |at: usize| among[at] / quiet[at].min(after[at]);
    println!("ratio: p50 {:.2}, p99 {:.2}", ratio(0), ratio(1));
    Ok(())
}
