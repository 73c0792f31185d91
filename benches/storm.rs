//! The latency of two players' moves, first in the quiet and then under a storm from another
//! address: slow heads, floods of messages, connections and challenges, and spectators that never
//! read. Prints both and their ratio, which is to stay within 2.
//!
//! `SECONDS` (5) is read from the environment.

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::process::{Child, Command};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpSocket, TcpStream};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{WebSocketStream, client_async};
use uuid::Uuid;

type Anything<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// Where the players come from, and where the storm does.
const PLAYERS: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 1);
const STORM: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);

/// Connections that send their head a byte at a time.
const SLOW: usize = 100;

/// Sockets that watch and never read.
const DEAF: usize = 20;

/// Who flood, of each kind, and how long each waits between two deeds.
const FLOODERS: usize = 8;
const PAUSE: Duration = Duration::from_millis(4);

#[derive(Clone)]
struct Client {
    http: reqwest::Client,
    from: Ipv4Addr,
    server: SocketAddr,
    cookie: String,
}

impl Client {
    async fn new(server: SocketAddr, from: Ipv4Addr) -> Anything<Client> {
        let http = reqwest::Client::builder().local_address(Some(from.into())).build()?;
        let mut client = Client { http, from, server, cookie: String::new() };
        client.renew().await?;
        Ok(client)
    }

    /// Becomes a new guest, if the server lets it.
    async fn renew(&mut self) -> Anything<()> {
        let sent = self.http.post(format!("http://{}/api/guest", self.server)).send().await?;
        let cookie = sent.headers().get("set-cookie").ok_or("no new guest")?.to_str()?;
        self.cookie = cookie.split(';').next().unwrap_or_default().to_owned();
        Ok(())
    }

    async fn post(&self, path: &str, body: &Value) -> Anything<Value> {
        let url = format!("http://{}{path}", self.server);
        let sent = self.http.post(url).header("cookie", &self.cookie).json(body).send().await?;
        Ok(sent.json().await?)
    }

    async fn connect(&self) -> Anything<TcpStream> {
        let socket = TcpSocket::new_v4()?;
        socket.bind((self.from, 0).into())?;
        let stream = socket.connect(self.server).await?;
        stream.set_nodelay(true)?;
        Ok(stream)
    }

    async fn socket(&self, path: &str) -> Anything<WebSocketStream<TcpStream>> {
        let mut request = format!("ws://{}{path}", self.server).into_client_request()?;
        request.headers_mut().insert("origin", format!("http://{}", self.server).parse()?);
        request.headers_mut().insert("cookie", self.cookie.parse()?);
        Ok(client_async(request, self.connect().await?).await?.0)
    }

    /// Plays a game to its end; tells how long each move took to its acknowledgement.
    async fn play(&self, id: &str) -> Anything<Vec<Duration>> {
        let mut socket = self.socket(&format!("/ws/game/{id}")).await?;
        let (mut took, mut sent) = (Vec::new(), Instant::now());
        while let Some(message) = socket.next().await {
            let Message::Text(text) = message? else { continue };
            let message: Value = serde_json::from_str(&text)?;
            match message["t"].as_str() {
                Some("end") => break,
                Some("ack") => took.push(sent.elapsed()),
                _ => {}
            }
            if let Some(u) = message["d"]["legal"].get(0) {
                tokio::time::sleep(Duration::from_millis(10)).await;
                let ply = message["v"].as_u64().unwrap_or(0);
                let d = json!({ "u": u, "ply": ply, "cid": Uuid::now_v7() });
                sent = Instant::now();
                socket.send(Message::text(json!({ "t": "move", "d": d }).to_string())).await?;
            }
        }
        Ok(took)
    }
}

/// Two play until the time is over; `begun` is told each game.
async fn measure(two: &[Client; 2], lasts: Duration, begun: impl Fn(&str)) -> Anything<[f64; 2]> {
    let (until, mut took) = (Instant::now() + lasts, Vec::new());
    while Instant::now() < until {
        let fields = json!({ "variant": "knightFight", "color": "first" });
        let made = two[0].post("/api/challenge", &fields).await?;
        let id = made["id"].as_str().ok_or_else(|| made.to_string())?;
        two[1].post(&format!("/api/challenge/{id}/accept"), &json!({})).await?;
        begun(id);
        let (first, second) = tokio::try_join!(two[0].play(id), two[1].play(id))?;
        took.extend(first.into_iter().chain(second));
    }
    took.sort_unstable();
    let at = |share: f64| took[((took.len() - 1) as f64 * share) as usize].as_secs_f64() * 1000.0;
    if took.is_empty() { Err("no moves".into()) } else { Ok([at(0.5), at(0.99)]) }
}

/// A head that never ends, begun again when the server has had enough.
async fn slow_head(client: Client, deeds: Arc<AtomicU64>) {
    loop {
        if let Ok(mut stream) = client.connect().await {
            for byte in b"GET / HTTP/1.1\r\nX-Slow: ".iter().chain(std::iter::repeat(&b'x')) {
                if stream.write_all(&[*byte]).await.is_err() {
                    break;
                }
                deeds.fetch_add(1, Ordering::Relaxed);
                tokio::time::sleep(Duration::from_millis(500)).await;
            }
        }
        tokio::time::sleep(PAUSE).await;
    }
}

async fn flood(client: Client, path: String, deeds: Arc<AtomicU64>) {
    loop {
        if let Ok(mut socket) = client.socket(&path).await {
            let frame = json!({ "t": "talk", "d": { "text": "x".repeat(2_000) } }).to_string();
            while socket.send(Message::text(&frame)).await.is_ok() {
                deeds.fetch_add(1, Ordering::Relaxed);
                tokio::time::sleep(PAUSE).await;
            }
        }
        tokio::time::sleep(PAUSE).await;
    }
}

async fn knock(client: Client, deeds: Arc<AtomicU64>) {
    loop {
        drop(client.connect().await);
        deeds.fetch_add(1, Ordering::Relaxed);
        tokio::time::sleep(PAUSE).await;
    }
}

async fn challenge(client: Client, deeds: Arc<AtomicU64>) {
    loop {
        let fields = json!({ "variant": "knightFight" });
        let _ = client.post("/api/challenge", &fields).await;
        deeds.fetch_add(1, Ordering::Relaxed);
        tokio::time::sleep(PAUSE).await;
    }
}

struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[tokio::main]
async fn main() -> Anything<()> {
    let seconds = std::env::var("SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(5);
    let lasts = Duration::from_secs(seconds);
    let folder = tempfile::TempDir::new()?;
    let addr = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
    // The limits are those that the server has by itself, but for how fast the two may play.
    let child = Command::new(env!("CARGO_BIN_EXE_sprong"))
        .args(["--addr", &addr.to_string(), "--log", "error", "--play-messages", "100000"])
        .arg("--database")
        .arg(folder.path().join("sprong.db"))
        .spawn()?;
    let _server = Server(child);
    while TcpStream::connect(addr).await.is_err() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let two = [Client::new(addr, PLAYERS).await?, Client::new(addr, PLAYERS).await?];
    let quiet = measure(&two, lasts, |_| {}).await?;
    println!("quiet: p50 {:.2} ms, p99 {:.2} ms", quiet[0], quiet[1]);

    let stranger = Client::new(addr, STORM).await?;
    let counts: [Arc<AtomicU64>; 4] = Default::default();
    for _ in 0..SLOW {
        tokio::spawn(slow_head(stranger.clone(), counts[0].clone()));
    }
    for _ in 0..FLOODERS {
        tokio::spawn(flood(stranger.clone(), "/ws/lobby".to_owned(), counts[1].clone()));
        tokio::spawn(knock(stranger.clone(), counts[2].clone()));
        tokio::spawn(challenge(stranger.clone(), counts[3].clone()));
    }
    let watch = |id: &str| {
        for _ in 0..DEAF {
            let (stranger, path) = (stranger.clone(), format!("/ws/game/{id}"));
            tokio::spawn(async move {
                let socket = stranger.socket(&path).await;
                tokio::time::sleep(Duration::from_secs(3600)).await;
                drop(socket);
            });
        }
    };
    tokio::time::sleep(Duration::from_secs(1)).await;
    let storm = measure(&two, lasts, watch).await?;
    println!("storm: p50 {:.2} ms, p99 {:.2} ms", storm[0], storm[1]);
    let [heads, messages, knocks, challenges] = counts.map(|count| count.load(Ordering::Relaxed));
    println!(
        "{heads} bytes of slow heads, {messages} messages, {knocks} connections, {challenges} challenges"
    );
    println!("ratio: p50 {:.2}, p99 {:.2}", storm[0] / quiet[0], storm[1] / quiet[1]);
    Ok(())
}
