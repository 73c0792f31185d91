//! Concurrent floods of a server, one kind for each source address.

use super::client::{AnyResult, Client};
use super::malformed::malformed_frames;
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
const SLOW_HEADS: usize = 100;
const LARGE_HEADS: usize = 200;

/// Size of the first part of a large head in bytes, and the interval of the bytes that follow. The
/// head never ends, so the server has to close the connection.
const HEAD_BYTES: usize = 300_000;
const DRIP_INTERVAL: Duration = Duration::from_millis(500);

/// Sockets that follow a game and never read.
const UNREAD_SOCKETS: usize = 20;

/// Tasks of each other kind, and their pause between two actions.
const TASKS_PER_KIND: usize = 8;
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
    fn add(&self, kind: usize, number: u64) {
        self.0[kind].fetch_add(number, Ordering::Relaxed);
    }
}

/// All kinds of flood at the same time, until this is dropped.
pub struct HostileLoad {
    /// Client of the sockets that never read.
    unread: Client,
    /// Id of the game that the floods use.
    game: Arc<Mutex<String>>,
    counts: Counts,
    tasks: Mutex<JoinSet<()>>,
}

impl HostileLoad {
    /// Starts the floods around a game, from addresses in `127.0.net.0/24`. A network that no
    /// earlier load has used has its full allowances.
    pub async fn start(server: SocketAddr, net: u8, id: &str) -> AnyResult<HostileLoad> {
        let game = Arc::new(Mutex::new(id.to_owned()));
        let (counts, mut tasks) = (Counts::default(), JoinSet::new());
        let mut clients = Vec::new();
        for kind in 0..KINDS.len() as u8 {
            clients.push(Client::new(server, Ipv4Addr::new(127, 0, net, 2 + kind)).await?);
        }
        let client = |kind: usize| (clients[kind].clone(), counts.clone());
        for _ in 0..SLOW_HEADS {
            tasks.spawn(flood_heads(client(0), 0, 0));
        }
        for _ in 0..LARGE_HEADS {
            tasks.spawn(flood_heads(client(1), 1, HEAD_BYTES));
        }
        for seed in 0..TASKS_PER_KIND {
            tasks.spawn(flood_messages(client(2)));
            tasks.spawn(flood_connections(client(3)));
            tasks.spawn(flood_challenges(client(4)));
            tasks.spawn(flood_reads(client(5), game.clone()));
            tasks.spawn(flood_malformed(client(6), game.clone(), SplitMix::new(seed as u64)));
        }
        let unread = clients.pop().ok_or("no client")?;
        Ok(HostileLoad { unread, game, counts, tasks: Mutex::new(tasks) })
    }

    /// Switches to another game.
    pub fn switch_game(&self, id: &str) {
        id.clone_into(&mut self.game.lock().expect("game"));
        let mut tasks = self.tasks.lock().expect("tasks");
        for _ in 0..UNREAD_SOCKETS {
            let (unread, counts, path) =
                (self.unread.clone(), self.counts.clone(), format!("/ws/game/{id}"));
            tasks.spawn(async move {
                let Ok(_socket) = unread.socket(&path).await else { return };
                counts.add(7, 1);
                std::future::pending().await
            });
        }
    }

    /// Returns the number of malformed frames so far.
    pub fn malformed_frames(&self) -> u64 {
        self.counts.0[6].load(Ordering::Relaxed)
    }

    /// Returns whether every kind has occurred.
    pub fn has_all_kinds(&self) -> bool {
        self.counts.0.iter().all(|count| count.load(Ordering::Relaxed) > 0)
    }
}

impl fmt::Display for HostileLoad {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        for (kind, count) in KINDS.iter().zip(&*self.counts.0) {
            write!(out, "{} {kind}, ", count.load(Ordering::Relaxed))?;
        }
        out.write_str("concurrently")
    }
}

/// Sends a head that never ends, and reconnects when the server closes the connection.
async fn flood_heads((client, counts): (Client, Counts), kind: usize, at_once: usize) {
    loop {
        if let Ok(mut stream) = client.connect().await {
            counts.add(kind, 1);
            let _ = stream.write_all(b"GET / HTTP/1.1\r\nX-Slow: ").await;
            let _ = stream.write_all(&vec![b'x'; at_once]).await;
            while stream.write_all(b"x").await.is_ok() {
                tokio::time::sleep(DRIP_INTERVAL).await;
            }
        }
        tokio::time::sleep(DRIP_INTERVAL).await;
    }
}

async fn flood_messages((client, counts): (Client, Counts)) {
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

async fn flood_connections((client, counts): (Client, Counts)) {
    loop {
        drop(client.connect().await);
        counts.add(3, 1);
        tokio::time::sleep(PAUSE).await;
    }
}

async fn flood_challenges((client, counts): (Client, Counts)) {
    loop {
        let _ = client.post("/api/challenge", &json!({ "variant": "knightFight" })).await;
        counts.add(4, 1);
        tokio::time::sleep(PAUSE).await;
    }
}

async fn flood_reads((client, counts): (Client, Counts), game: Arc<Mutex<String>>) {
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

async fn flood_malformed(
    (client, counts): (Client, Counts),
    game: Arc<Mutex<String>>,
    mut random: SplitMix,
) {
    loop {
        let id = game.lock().expect("game").clone();
        let (bytes, frames) = malformed_frames(&mut random, client.server, &id);
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
