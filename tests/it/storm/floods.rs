//! Concurrent floods of a server, one kind for each source address.

use super::broken::broken;
use super::client::{Anything, Client};
use futures_util::SinkExt;
use serde_json::json;
use sprong::rules::SplitMix;
use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::task::JoinSet;
use tokio_tungstenite::tungstenite::Message;

/// Connections that send a request head byte by byte, and connections that begin with a large head:
/// the maximum of one address.
const SLOW: usize = 100;
const LARGE: usize = 200;

/// Size of the first part of a large head in bytes, and the interval of the bytes that follow. The
/// head never ends, so the server has to close the connection.
const HEAD_BYTES: usize = 300_000;
const DRIP: Duration = Duration::from_millis(500);

/// Sockets that follow a game and never read.
const DEAF: usize = 20;

/// Tasks of each other kind, and their pause between two actions.
const FLOODERS: usize = 8;
const PAUSE: Duration = Duration::from_millis(4);

/// Names of the counters, by index.
const KINDS: [&str; 8] = [
    "slow request heads",
    "large request heads",
    "messages",
    "connections",
    "challenges",
    "reads",
    "broken frames",
    "sockets that never read",
];

/// Counters of all kinds.
#[derive(Clone, Default)]
struct Counts(Arc<[AtomicU64; KINDS.len()]>);

impl Counts {
    fn add(&self, kind: usize, deeds: u64) {
        self.0[kind].fetch_add(deeds, Ordering::Relaxed);
    }
}

/// All kinds of flood at the same time, until this is dropped.
pub struct Storm {
    /// Client of the sockets that never read.
    deaf: Client,
    /// Id of the game that the floods use.
    game: Arc<Mutex<String>>,
    counts: Counts,
    tasks: Mutex<JoinSet<()>>,
}

impl Storm {
    /// Starts the floods around a game, from addresses in `127.0.net.0/24`. A network that no
    /// earlier storm has used has its full allowances.
    pub async fn begin(server: SocketAddr, net: u8, id: &str) -> Anything<Storm> {
        let game = Arc::new(Mutex::new(id.to_owned()));
        let (counts, mut tasks) = (Counts::default(), JoinSet::new());
        let mut clients = Vec::new();
        for kind in 0..KINDS.len() as u8 {
            clients.push(Client::new(server, Ipv4Addr::new(127, 0, net, 2 + kind)).await?);
        }
        let client = |kind: usize| (clients[kind].clone(), counts.clone());
        for _ in 0..SLOW {
            tasks.spawn(head(client(0), 0, 0));
        }
        for _ in 0..LARGE {
            tasks.spawn(head(client(1), 1, HEAD_BYTES));
        }
        for seed in 0..FLOODERS {
            tasks.spawn(talk(client(2)));
            tasks.spawn(knock(client(3)));
            tasks.spawn(challenge(client(4)));
            tasks.spawn(look(client(5), game.clone()));
            tasks.spawn(shatter(client(6), game.clone(), SplitMix::new(seed as u64)));
        }
        let deaf = clients.pop().ok_or("no client")?;
        Ok(Storm { deaf, game, counts, tasks: Mutex::new(tasks) })
    }

    /// Switches to another game.
    pub fn turn_to(&self, id: &str) {
        id.clone_into(&mut self.game.lock().expect("game"));
        let mut tasks = self.tasks.lock().expect("tasks");
        for _ in 0..DEAF {
            let (deaf, counts, path) =
                (self.deaf.clone(), self.counts.clone(), format!("/ws/game/{id}"));
            tasks.spawn(async move {
                let Ok(_unread) = deaf.socket(&path).await else { return };
                counts.add(7, 1);
                std::future::pending().await
            });
        }
    }

    /// Returns the number of malformed frames so far.
    pub fn broken_frames(&self) -> u64 {
        self.counts.0[6].load(Ordering::Relaxed)
    }

    /// Returns whether every kind has occurred.
    pub fn is_whole(&self) -> bool {
        self.counts.0.iter().all(|count| count.load(Ordering::Relaxed) > 0)
    }
}

impl fmt::Display for Storm {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        for (kind, count) in KINDS.iter().zip(&*self.counts.0) {
            write!(out, "{} {kind}, ", count.load(Ordering::Relaxed))?;
        }
        out.write_str("concurrently")
    }
}

/// Sends a head that never ends, and reconnects when the server closes the connection.
async fn head((client, counts): (Client, Counts), kind: usize, at_once: usize) {
    loop {
        if let Ok(mut stream) = client.connect().await {
            counts.add(kind, 1);
            let _ = stream.write_all(b"GET / HTTP/1.1\r\nX-Slow: ").await;
            let _ = stream.write_all(&vec![b'x'; at_once]).await;
            while stream.write_all(b"x").await.is_ok() {
                tokio::time::sleep(DRIP).await;
            }
        }
        tokio::time::sleep(DRIP).await;
    }
}

async fn talk((client, counts): (Client, Counts)) {
    let frame = json!({ "t": "talk", "d": { "text": "x".repeat(2_000) } }).to_string();
    loop {
        if let Ok(mut socket) = client.socket("/ws/lobby").await {
            while socket.send(Message::text(&frame)).await.is_ok() {
                counts.add(2, 1);
                tokio::time::sleep(PAUSE).await;
            }
        }
        tokio::time::sleep(PAUSE).await;
    }
}

async fn knock((client, counts): (Client, Counts)) {
    loop {
        drop(client.connect().await);
        counts.add(3, 1);
        tokio::time::sleep(PAUSE).await;
    }
}

async fn challenge((client, counts): (Client, Counts)) {
    loop {
        let _ = client.post("/api/challenge", &json!({ "variant": "knightFight" })).await;
        counts.add(4, 1);
        tokio::time::sleep(PAUSE).await;
    }
}

async fn look((client, counts): (Client, Counts), game: Arc<Mutex<String>>) {
    loop {
        let id = game.lock().expect("game").clone();
        for path in ["/api/games/live?max=50".to_owned(), format!("/api/game/{id}")] {
            if client.get(&path).await.is_ok() {
                counts.add(5, 1);
            }
            tokio::time::sleep(PAUSE).await;
        }
    }
}

async fn shatter(
    (client, counts): (Client, Counts),
    game: Arc<Mutex<String>>,
    mut random: SplitMix,
) {
    loop {
        let id = game.lock().expect("game").clone();
        let (bytes, frames) = broken(&mut random, client.server, &id);
        if let Ok(mut stream) = client.connect().await
            && stream.write_all(&bytes).await.is_ok()
        {
            counts.add(6, frames);
            let _ = stream.shutdown().await;
            let _ = stream.read_to_end(&mut Vec::new()).await;
        }
        tokio::time::sleep(PAUSE).await;
    }
}
