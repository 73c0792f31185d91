//! Persistent clients: they play random legal moves, reconnect after every broken connection with
//! their last version, to any node, and resend commands that were not acknowledged.

use super::client::{Player, WAIT_TIMEOUT};
use super::client_history::ClientHistory;
use super::socket::Socket;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use sprong::rules::SplitMix;
use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio_tungstenite::tungstenite::Message;
use uuid::Uuid;

/// Maximum delay before a move, in milliseconds.
const MOVE_DELAY_MAX_MS: usize = 30;

/// Pauses between connection attempts, long enough to leave a slow machine to the server.
const RECONNECT_DELAY_MIN: Duration = Duration::from_millis(10);
const RECONNECT_DELAY_MAX: Duration = Duration::from_millis(40);

/// Silence after which a client tries another node, if there are several. It doubles with each
/// connection without a message, as slow servers would only get slower by more connections.
const PATIENCE_MIN: Duration = Duration::from_secs(2);
const PATIENCE_MAX: Duration = Duration::from_secs(32);

/// Acknowledged command, with the ply and the notation of its move.
#[derive(Clone)]
pub struct AcknowledgedCommand {
    pub cid: Uuid,
    pub ply: usize,
    pub u: String,
}

/// Records of all clients, by game.
#[derive(Clone, Default)]
pub struct ClientRecords {
    pub acknowledged: Arc<Mutex<HashMap<String, Vec<AcknowledgedCommand>>>>,
    /// Messages that each player has received, by game and account.
    pub histories: Arc<Mutex<HashMap<(String, String), ClientHistory>>>,
    /// Both clocks at the end, as each of the two players received them.
    pub clocks: Arc<Mutex<HashMap<String, Vec<[i64; 2]>>>>,
    /// Number of requests without an answer, or with one that says that the server is down.
    failures: Arc<AtomicUsize>,
}

impl ClientRecords {
    /// Returns the number of acknowledged moves.
    pub fn move_count(&self) -> usize {
        self.acknowledged.lock().expect("lock").values().map(Vec::len).sum()
    }

    /// Returns the number of games with an acknowledged move.
    pub fn moved_game_count(&self) -> usize {
        self.acknowledged.lock().expect("lock").len()
    }

    /// Returns the number of requests and connections that no server has answered.
    pub fn failure_count(&self) -> usize {
        self.failures.load(Ordering::Relaxed)
    }

    fn add_failure(&self) {
        self.failures.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns the number of games of which both players have received the end.
    pub fn ended_game_count(&self) -> usize {
        self.clocks.lock().expect("lock").values().filter(|seen| seen.len() == 2).count()
    }
}

/// Addresses of the nodes that clients connect to.
#[derive(Clone)]
pub struct Nodes(Arc<[SocketAddr]>);

impl Nodes {
    pub fn new(nodes: &[SocketAddr]) -> Nodes {
        Nodes(nodes.into())
    }

    /// Returns the silence after which a client tries another node first, as a balancer does with
    /// a node that hangs.
    fn first_patience(&self) -> Duration {
        if self.0.len() > 1 { PATIENCE_MIN } else { WAIT_TIMEOUT }
    }

    /// Returns a client of the same account for any of the nodes.
    fn client(&self, player: &Player, random: &mut SplitMix) -> Player {
        Player { addr: self.0[random.below(self.0.len())], ..player.clone() }
    }
}

/// Player in one game, who loads the full state once and then reconnects with the last version.
struct PersistentClient {
    player: Player,
    game: String,
    v: Option<i64>,
    moves: Vec<String>,
    legal: Vec<String>,
    pending: Option<(Uuid, usize, String)>,
    over: Option<[i64; 2]>,
    random: SplitMix,
    nodes: Nodes,
    patience: Duration,
    records: ClientRecords,
}

impl PersistentClient {
    fn new(
        player: Player,
        nodes: Nodes,
        game: String,
        seed: u64,
        records: ClientRecords,
    ) -> PersistentClient {
        PersistentClient {
            patience: nodes.first_patience(),
            nodes,
            player,
            game,
            v: None,
            moves: Vec::new(),
            legal: Vec::new(),
            pending: None,
            over: None,
            random: SplitMix::new(seed),
            records,
        }
    }

    /// Plays to the end of the game over any number of connections. Returns the moves.
    async fn play(mut self) -> Vec<String> {
        let mut pause = RECONNECT_DELAY_MIN;
        while !self.is_done() {
            let path = match self.v {
                Some(v) => format!("/ws/game/{}?v={v}", self.game),
                None => format!("/ws/game/{}", self.game),
            };
            let client = self.nodes.client(&self.player, &mut self.random);
            match client.try_socket(&path).await {
                Ok(mut socket) => {
                    pause = RECONNECT_DELAY_MIN;
                    self.play_connection(&mut socket).await;
                }
                Err(_) => {
                    self.records.add_failure();
                    tokio::time::sleep(pause).await;
                    pause = RECONNECT_DELAY_MAX.min(2 * pause);
                }
            }
        }
        let clocks = self.over.expect("the end of the game");
        self.records.clocks.lock().expect("lock").entry(self.game).or_default().push(clocks);
        self.moves
    }

    /// The end of a game may come before the acknowledgement of its last move.
    fn is_done(&self) -> bool {
        self.over.is_some() && self.pending.is_none()
    }

    /// Plays until the connection breaks or the game is over. Begins with the unacknowledged
    /// command, if there is one.
    async fn play_connection(&mut self, socket: &mut Socket) -> Option<()> {
        self.send_pending(socket).await?;
        while !self.is_done() {
            if self.pending.is_none() && !self.legal.is_empty() {
                let thinks_ms = self.random.below(MOVE_DELAY_MAX_MS) as u64;
                tokio::time::sleep(Duration::from_millis(thinks_ms)).await;
                let u = self.legal[self.random.below(self.legal.len())].clone();
                let cid = Uuid::now_v7();
                self.record(|own| own.record_command("move", &json!({ "u": u, "cid": cid })));
                self.pending = Some((cid, self.moves.len(), u));
                self.send_pending(socket).await?;
            }
            let received = self.receive(socket).await?;
            self.patience = self.nodes.first_patience();
            match received {
                Message::Text(text) => {
                    let message: Value = serde_json::from_str(&text).expect("JSON");
                    // The command is sent again with the next connection.
                    if message["d"]["reason"] == "notStored" {
                        tokio::time::sleep(RECONNECT_DELAY_MAX).await;
                        return None;
                    }
                    self.handle_message(&message);
                }
                _ => return None,
            }
        }
        Some(())
    }

    /// Returns the next message, or nothing if the connection has ended or is silent for too long.
    async fn receive(&mut self, socket: &mut Socket) -> Option<Message> {
        match tokio::time::timeout(self.patience, socket.0.next()).await {
            Ok(received) => received?.ok(),
            Err(_) => {
                assert!(self.patience < WAIT_TIMEOUT, "expected a message in time");
                self.patience = PATIENCE_MAX.min(2 * self.patience);
                None
            }
        }
    }

    /// Changes the history of this client.
    fn record(&self, change: impl FnOnce(&mut ClientHistory)) {
        let mut histories = self.records.histories.lock().expect("lock");
        let key = (self.game.clone(), self.player.id.clone());
        change(histories.entry(key).or_default());
    }

    async fn send_pending(&self, socket: &mut Socket) -> Option<()> {
        let Some((cid, ply, u)) = &self.pending else { return Some(()) };
        let frame = json!({ "t": "move", "d": { "u": u, "ply": ply, "cid": cid } });
        socket.0.send(Message::text(frame.to_string())).await.ok()
    }

    fn handle_message(&mut self, message: &Value) {
        let d = &message["d"];
        if let Some(v) = message["v"].as_i64() {
            let next = self.v.map(|last_v| last_v + 1);
            assert!(message["t"] == "full" || Some(v) == next, "{v} instead of {next:?}");
            self.v = Some(v);
        }
        self.record(|own| own.record_message(message));
        match message["t"].as_str() {
            Some("full") => self.replace_state(d),
            Some("move") => {
                self.moves.push(d["u"].as_str().expect("notation").to_owned());
                assert_eq!(d["ply"], self.moves.len(), "the client has every move exactly once");
                self.legal = texts(&d["legal"]);
            }
            Some("ack") => self.handle_ack(d),
            Some("end") => self.over = Some(clocks(&d["clock"])),
            Some("refused") => panic!("{} of {:?}: {d}", self.game, self.pending),
            _ => {}
        }
    }

    /// Replaces the state. All moves received before must still be in it.
    fn replace_state(&mut self, d: &Value) {
        let text = d["state"]["moves"].as_str().expect("moves");
        let moves: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        assert!(moves.starts_with(&self.moves), "{} has lost a move", self.game);
        self.moves = moves;
        self.legal = texts(&d["legal"]);
        self.over = (!d["end"].is_null()).then(|| clocks(&d["clocks"]));
    }

    fn handle_ack(&mut self, d: &Value) {
        let (cid, ply, u) = self.pending.take().expect("an unacknowledged move");
        assert_eq!(d["cid"], json!(cid));
        if self.moves.len() == ply {
            // The move itself has not arrived yet, and these moves were legal before it.
            self.legal.clear();
        }
        let mut acknowledged = self.records.acknowledged.lock().expect("lock");
        acknowledged.entry(self.game.clone()).or_default().push(AcknowledgedCommand {
            cid,
            ply,
            u,
        });
    }
}

fn texts(list: &Value) -> Vec<String> {
    let list = list.as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter().map(|text| text.as_str().expect("notation").to_owned()).collect()
}

fn clocks(object: &Value) -> [i64; 2] {
    ["first", "second"].map(|side| object[side].as_i64().unwrap_or_else(|| panic!("{object}")))
}

/// Starts a new game between two players, with retries while the server is down.
async fn begin(
    [creator, acceptor]: [&Player; 2],
    nodes: &Nodes,
    random: &mut SplitMix,
    variant: &str,
    records: &ClientRecords,
) -> String {
    let fields = json!({ "variant": variant, "rated": true, "clock.limit": 10_800 });
    loop {
        let creating = nodes.client(creator, random);
        let challenge = creating.try_post("/api/challenge", &fields).await;
        let Some(id) = challenge.as_ref().and_then(|challenge| challenge["id"].as_str()) else {
            records.add_failure();
            tokio::time::sleep(Duration::from_millis(10)).await;
            continue;
        };
        // The response may be lost although the game has started.
        for _ in 0..100 {
            let [creator, acceptor] = [creator, acceptor].map(|one| nodes.client(one, random));
            let path = format!("/api/challenge/{id}/accept");
            if acceptor.try_post(&path, &json!({})).await.is_none() {
                records.add_failure();
            }
            // The creator has no page open, so a ready check runs.
            let confirmation = json!({ "answer": "yes" });
            creator.try_post(&format!("/api/challenge/{id}/ready"), &confirmation).await;
            let game = acceptor.try_get(&format!("/api/game/{id}")).await;
            if game.is_some_and(|game| game["id"] == id) {
                return id.to_owned();
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

/// Plays one game after another until `stop` is set. Returns the number of finished games.
pub async fn play_games(
    [one, two]: [Player; 2],
    nodes: Nodes,
    variant: &'static str,
    seed: u64,
    records: ClientRecords,
    stop: Arc<AtomicBool>,
) -> u64 {
    let (mut games, mut random) = (0, SplitMix::new(seed));
    while !stop.load(Ordering::Relaxed) {
        let id = begin([&one, &two], &nodes, &mut random, variant, &records).await;
        let client = |player: &Player, seed| {
            let (player, nodes, id) = (player.clone(), nodes.clone(), id.clone());
            tokio::spawn(PersistentClient::new(player, nodes, id, seed, records.clone()).play())
        };
        let (first, second) = (client(&one, seed + 2 * games), client(&two, seed + 2 * games + 1));
        let (first, second) = (first.await.expect("player"), second.await.expect("player"));
        assert_eq!(first, second, "both clients must have the same moves");
        games += 1;
    }
    games
}
