//! The process is killed at random instants while moves flow: nothing that was acknowledged is
//! lost, nothing is done twice, and the clients go on without beginning anew.

use super::client::{PATIENCE, Player, Socket};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use sprong::rules::SplitMix;
use std::collections::HashMap;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio_tungstenite::tungstenite::Message;
use uuid::Uuid;

/// How often the server is killed.
const KILLS: usize = 100;

/// Pairs of players who play game after game.
const PAIRS: usize = 6;

/// The server as a process of its own.
struct Process(Child);

impl Process {
    fn start(addr: SocketAddr, folder: &Path) -> Process {
        let child = Command::new(env!("CARGO_BIN_EXE_sprong"))
            .args(["--addr", &addr.to_string(), "--database"])
            .arg(folder.join("sprong.db"))
            .args(["--play-messages", "100000", "--logins", "100000", "--requests", "1000000"])
            .args(["--challenges-max", "100000", "--pair-rated-max", "1000000"])
            .args(["--log", "error"])
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the binary");
        Process(child)
    }

    fn kill(&mut self) {
        self.0.kill().expect("SIGKILL");
        self.0.wait().expect("its end");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn free_addr() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port")
}

async fn ready(addr: SocketAddr) {
    let until = Instant::now() + PATIENCE;
    while tokio::net::TcpStream::connect(addr).await.is_err() {
        assert!(Instant::now() < until, "the server does not come up");
        tokio::time::sleep(Duration::from_millis(3)).await;
    }
}

/// What clients were told is stored: for each game the moves by ply.
type Acknowledged = Arc<Mutex<HashMap<String, HashMap<usize, String>>>>;

/// A client that plays whatever is legal and never gives up. It begins once; after that it only
/// comes back with what it knows.
struct Client {
    player: Player,
    game: String,
    v: Option<i64>,
    moves: Vec<String>,
    legal: Vec<String>,
    waiting: Option<(Uuid, usize, String)>,
    over: bool,
    random: SplitMix,
    acknowledged: Acknowledged,
}

impl Client {
    fn new(player: Player, game: String, seed: u64, acknowledged: Acknowledged) -> Client {
        Client {
            player,
            game,
            v: None,
            moves: Vec::new(),
            legal: Vec::new(),
            waiting: None,
            over: false,
            random: SplitMix::new(seed),
            acknowledged,
        }
    }

    /// Plays to the end of the game, over as many connections as it takes.
    async fn play(mut self) -> Vec<String> {
        while !self.is_done() {
            let path = match self.v {
                Some(v) => format!("/ws/game/{}?v={v}", self.game),
                None => format!("/ws/game/{}", self.game),
            };
            match self.player.try_socket(&path).await {
                Ok(mut socket) => drop(self.talk(&mut socket).await),
                Err(_) => tokio::time::sleep(Duration::from_millis(5)).await,
            }
        }
        self.moves
    }

    /// The end of a game may come before the acknowledgement of its last move.
    fn is_done(&self) -> bool {
        self.over && self.waiting.is_none()
    }

    /// Talks until the connection breaks or the game is over. What waits to be acknowledged is
    /// sent again, as the same command.
    async fn talk(&mut self, socket: &mut Socket) -> Option<()> {
        self.send_waiting(socket).await?;
        while !self.is_done() {
            if self.waiting.is_none() && !self.legal.is_empty() {
                tokio::time::sleep(Duration::from_millis(2)).await;
                let u = self.legal[self.random.below(self.legal.len())].clone();
                self.waiting = Some((Uuid::now_v7(), self.moves.len(), u));
                self.send_waiting(socket).await?;
            }
            let received = tokio::time::timeout(PATIENCE, socket.0.next()).await;
            match received.expect("a sign of life")?.ok()? {
                Message::Text(text) => self.hear(serde_json::from_str(&text).expect("JSON")),
                _ => return None,
            }
        }
        Some(())
    }

    async fn send_waiting(&self, socket: &mut Socket) -> Option<()> {
        let Some((cid, ply, u)) = &self.waiting else { return Some(()) };
        let frame = json!({ "t": "move", "d": { "u": u, "ply": ply, "cid": cid } });
        socket.0.send(Message::text(frame.to_string())).await.ok()
    }

    fn hear(&mut self, message: Value) {
        let d = &message["d"];
        if let Some(v) = message["v"].as_i64() {
            let next = self.v.map(|known| known + 1);
            assert!(message["t"] == "full" || Some(v) == next, "{v} instead of {next:?}");
            self.v = Some(v);
        }
        match message["t"].as_str() {
            Some("full") => self.take_over(d),
            Some("move") => {
                self.moves.push(d["u"].as_str().expect("notation").to_owned());
                assert_eq!(d["ply"], self.moves.len(), "a move is missing or double");
                self.legal = texts(&d["legal"]);
            }
            Some("ack") => self.confirm(d),
            Some("end") => self.over = true,
            Some("refused") => panic!("{} of {:?}: {d}", self.game, self.waiting),
            _ => {}
        }
    }

    /// The whole game: all that was seen before is still in it.
    fn take_over(&mut self, d: &Value) {
        let text = d["state"]["moves"].as_str().expect("moves");
        let moves: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        assert!(moves.starts_with(&self.moves), "what was seen of {} is gone", self.game);
        self.moves = moves;
        self.legal = texts(&d["legal"]);
        self.over = !d["end"].is_null();
    }

    fn confirm(&mut self, d: &Value) {
        let (cid, ply, u) = self.waiting.take().expect("a move that waits");
        assert_eq!(d["cid"], json!(cid));
        if self.moves.len() == ply {
            // The move itself has yet to be told: what was legal before it is so no more.
            self.legal.clear();
        }
        let mut acknowledged = self.acknowledged.lock().expect("table");
        acknowledged.entry(self.game.clone()).or_default().insert(ply, u);
    }
}

fn texts(list: &Value) -> Vec<String> {
    let list = list.as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter().map(|text| text.as_str().expect("notation").to_owned()).collect()
}

/// A new game of the two, however often the server goes down meanwhile.
async fn begin(maker: &mut Player, acceptor: &mut Player, n: u64) -> String {
    let variants = &sprong::variants::ALL;
    let variant = variants[n as usize % variants.len()].info.key;
    let fields = json!({ "variant": variant, "rated": true, "clock.limit": 10_800 });
    loop {
        let made = maker.try_post("/api/challenge", &fields).await;
        let Some(id) = made.as_ref().and_then(|made| made["id"].as_str()) else {
            tokio::time::sleep(Duration::from_millis(5)).await;
            continue;
        };
        // The answer may be lost, and the game made all the same.
        for _ in 0..100 {
            acceptor.try_post(&format!("/api/challenge/{id}/accept"), &json!({})).await;
            // The maker has no page open, so it is asked to come.
            maker
                .try_post(&format!("/api/challenge/{id}/ready"), &json!({ "answer": "yes" }))
                .await;
            let game = acceptor.try_get(&format!("/api/game/{id}")).await;
            if game.is_some_and(|game| game["id"] == id) {
                return id.to_owned();
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

/// Two players who play one game after another until they are told to stop; answers how many
/// games they ended.
async fn pair(
    [mut one, mut two]: [Player; 2],
    seed: u64,
    acknowledged: Acknowledged,
    stop: Arc<AtomicBool>,
) -> u64 {
    let mut games = 0;
    while !stop.load(Ordering::Relaxed) {
        let id = begin(&mut one, &mut two, seed + games).await;
        let client = |player: &Player, seed| {
            let (player, id) = (player.clone(), id.clone());
            tokio::spawn(Client::new(player, id, seed, acknowledged.clone()).play())
        };
        let (first, second) = (client(&one, 2 * seed), client(&two, 2 * seed + 1));
        let (first, second) = (first.await.expect("player"), second.await.expect("player"));
        assert_eq!(first, second, "both saw the same game");
        games += 1;
    }
    games
}

/// Every acknowledged move stands where it was acknowledged, and every move once. What was checked
/// is asked no more, but for `again`: what waits there for the last check of all.
async fn check(anybody: &Player, acknowledged: &Acknowledged, again: &Acknowledged) -> usize {
    let told = std::mem::take(&mut *acknowledged.lock().expect("table"));
    let mut checked = 0;
    for (id, moves) in told {
        again.lock().expect("table").entry(id.clone()).or_default().extend(moves.clone());
        let game = anybody.try_get(&format!("/api/game/{id}")).await.expect("the game");
        let text = game["state"]["moves"].as_str().expect("moves");
        let stored: Vec<&str> = text.split_whitespace().collect();
        for (ply, u) in moves {
            assert_eq!(stored.get(ply).copied(), Some(u.as_str()), "ply {ply} of {id}");
            checked += 1;
        }
    }
    checked
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hundred_kills_lose_nothing_that_was_acknowledged() {
    let (folder, addr) = (TempDir::new().expect("folder"), free_addr());
    let mut server = Process::start(addr, folder.path());
    ready(addr).await;
    let (acknowledged, again) = (Acknowledged::default(), Acknowledged::default());
    let stop = Arc::new(AtomicBool::new(false));
    let mut pairs = Vec::new();
    for seed in 0..PAIRS {
        let one = Player::register(addr, &format!("One{seed}")).await;
        let two = Player::register(addr, &format!("Two{seed}")).await;
        let playing = pair([one, two], seed as u64, acknowledged.clone(), stop.clone());
        pairs.push(tokio::spawn(playing));
    }
    let anybody = Player::nobody(addr);
    let mut random = SplitMix::new(Uuid::now_v7().as_u128() as u64);
    for _ in 0..KILLS {
        tokio::time::sleep(Duration::from_millis(30 + random.below(120) as u64)).await;
        server.kill();
        server = Process::start(addr, folder.path());
        ready(addr).await;
        check(&anybody, &acknowledged, &again).await;
        assert!(pairs.iter().all(|pair| !pair.is_finished()), "a player gave up");
    }
    stop.store(true, Ordering::Relaxed);
    let mut games = 0;
    for pair in pairs {
        games += pair.await.expect("pair");
    }
    check(&anybody, &acknowledged, &again).await;
    let moves = check(&anybody, &again, &Acknowledged::default()).await;
    println!("{KILLS} kills, {games} games, {moves} acknowledged moves: all there");
    assert!(moves > 500 && games > 10, "{moves} moves in {games} games: too few to tell");
    server.kill();
}

#[tokio::test]
async fn the_time_the_server_was_down_is_charged_to_nobody() {
    let (folder, addr) = (TempDir::new().expect("folder"), free_addr());
    let mut server = Process::start(addr, folder.path());
    ready(addr).await;
    let mut ann = Player::register(addr, "Ann").await;
    let mut bob = Player::register(addr, "Bob").await;
    let id = ann.begin(&mut bob, "caterpillarWar", json!({ "clock.limit": 60 })).await;
    ann.post(&format!("/api/board/game/{id}/move/h5-g5"), json!({})).await;
    bob.post(&format!("/api/board/game/{id}/move/a4-b4"), json!({})).await;
    server.kill();
    tokio::time::sleep(Duration::from_secs(4)).await;
    server = Process::start(addr, folder.path());
    ready(addr).await;
    let (_, game) = ann.get(&format!("/api/game/{id}")).await;
    let left_ms = game["clocks"]["first"].as_i64().expect("clock");
    assert!(left_ms > 58_000, "{left_ms} ms are left of 60 s after 4 s in which nobody could play");
    assert_eq!((&game["clocks"]["running"], &game["v"]), (&json!("first"), &json!(3)));
    server.kill();
}
