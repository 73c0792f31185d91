//! Whole games: offers that are made, withdrawn, declined and accepted, takebacks, chat, a gift of
//! time, a refused command, and connections that end and resume. The engine plays the first side
//! and chance the second, so that each game soon ends by the goal of its variant.

use super::Transcript;
use crate::support::client::{Player, Server};
use crate::support::socket::Socket;
use serde_json::{Value, json};
use sprong::rules::{Side, SplitMix};
use sprong::search::{SearchParams, Strength};
use sprong::variants::{self, Position};

/// Nodes of each search of the first side.
const NODES: u64 = 400;

/// Connection of a player or a spectator, with all messages that it has received.
pub struct Recorder {
    player: Player,
    path: String,
    socket: Socket,
    name: &'static str,
    messages: Vec<Value>,
    legal: Vec<String>,
}

impl Recorder {
    pub async fn connect(player: Player, id: &str, name: &'static str) -> Recorder {
        let path = format!("/ws/game/{id}");
        let socket = player.socket(&path).await;
        let (messages, legal) = (Vec::new(), Vec::new());
        let mut recorder = Recorder { player, path, socket, name, messages, legal };
        recorder.until("full").await;
        recorder
    }

    /// Records messages up to the next one of type `t`.
    pub async fn until(&mut self, t: &str) -> Value {
        loop {
            let message = self.next().await;
            if message["t"] == t {
                return message;
            }
        }
    }

    /// Records the next message.
    async fn next(&mut self) -> Value {
        let message = self.socket.next().await.expect("open");
        if ["full", "move", "takeback"].iter().any(|position| message["t"] == *position) {
            let legal = message["d"]["legal"].as_array().into_iter().flatten();
            self.legal = legal.filter_map(|u| u.as_str().map(str::to_owned)).collect();
        }
        self.messages.push(message.clone());
        message
    }

    /// Records the messages up to the event `version`, and those that were sent before the reply to
    /// a ping.
    pub async fn catch_up(&mut self, version: i64) {
        while self.version() < version {
            self.next().await;
        }
        self.socket.send(json!({ "t": "ping", "d": { "c": 1 } })).await;
        self.until("pong").await;
        self.messages.pop();
    }

    pub async fn command(&mut self, t: &str, d: Value) {
        self.socket.command(t, d).await;
        self.until("ack").await;
    }

    /// Sends a command, and returns whether it is acknowledged instead of refused.
    pub async fn try_command(&mut self, t: &str, d: Value) -> bool {
        self.socket.command(t, d).await;
        loop {
            match self.next().await["t"].as_str() {
                Some("ack") => return true,
                Some("refused") => return false,
                _ => {}
            }
        }
    }

    /// Returns the end of the game.
    pub async fn end(&mut self) -> Value {
        let end = self.messages.iter().find(|message| message["t"] == "end").cloned();
        match end {
            Some(end) => end,
            None => self.until("end").await,
        }
    }

    /// Returns the number of the last recorded event.
    fn version(&self) -> i64 {
        self.messages.iter().filter_map(|message| message["v"].as_i64()).max().expect("version")
    }

    /// Returns the number of the last event that the server has acknowledged.
    pub fn acknowledged(&self) -> i64 {
        let acks = self.messages.iter().filter(|message| message["t"] == "ack");
        acks.filter_map(|ack| ack["d"]["v"].as_i64()).max().unwrap_or(0)
    }

    /// Connects again: with the number of the last event, the server sends only later ones.
    pub async fn reconnect(&mut self, resumes: bool) {
        let query = if resumes { format!("?v={}", self.version()) } else { String::new() };
        self.socket = self.player.socket(&format!("{}{query}", self.path)).await;
        if !resumes {
            self.until("full").await;
        }
        self.catch_up(0).await;
    }

    /// Returns the first legal move, if the player is to move.
    pub fn first_legal(&self) -> Option<&String> {
        self.legal.first()
    }

    /// Returns whether the game is over.
    pub fn is_over(&self) -> bool {
        self.messages.iter().any(|message| message["t"] == "end")
    }

    /// Returns the recording as a file.
    pub fn into_transcript(self, file: &str, variant: &str) -> Transcript {
        Transcript {
            file: format!("{file}-{}", self.name),
            head: vec![("variant", variant.to_owned()), ("viewer", self.name.to_owned())],
            messages: self.messages,
        }
    }
}

/// Game in which three viewers record.
struct RecordedGame {
    players: [Recorder; 2],
    spectator: Recorder,
    random: SplitMix,
    start: Box<dyn Position>,
    moves: Vec<String>,
    is_over: bool,
}

impl RecordedGame {
    async fn start(server: &Server, variant: &str) -> RecordedGame {
        let (mut ann, mut bob) = (server.guest().await, server.guest().await);
        let fields = json!({ "clock.limit": 600, "clock.increment": 5, "rated": false });
        let id = ann.start_game(&mut bob, variant, fields).await;
        let spectator = Recorder::connect(Player::anonymous(server.addr), &id, "spectator").await;
        let players = [
            Recorder::connect(ann, &id, "first").await,
            Recorder::connect(bob, &id, "second").await,
        ];
        let start = spectator.messages[0]["d"]["initialFen"].as_str().expect("position");
        let variant = variants::by_key(variant).expect("variant");
        let start = variant.read(start, &variant.options()).expect("start");
        let random = SplitMix::new(variant.info.key.bytes().map(u64::from).sum());
        RecordedGame { players, spectator, random, start, moves: Vec::new(), is_over: false }
    }

    /// Returns the move of the side to move.
    fn choose(&mut self) -> (Side, String) {
        let [first, second] = &self.players;
        if first.legal.is_empty() {
            let at = self.random.below(second.legal.len());
            return (Side::Second, second.legal[at].clone());
        }
        let params = SearchParams {
            strength: Strength::Nodes(NODES),
            seed: 1,
            lines: 1,
            should_stop: &|| false,
            on_info: &|_| {},
        };
        let found = self.start.search(&self.moves, &params).expect("legal moves");
        (Side::First, found.expect("a legal move").best)
    }

    async fn play(&mut self, moves: usize) {
        for _ in 0..moves {
            if self.is_over {
                return;
            }
            let (side, u) = self.choose();
            self.command(side, "move", json!({ "u": u })).await;
            self.moves.push(u);
        }
    }

    async fn catch_up(&mut self) {
        let version = self.players.iter().map(Recorder::acknowledged).max().expect("players");
        for recorder in self.players.iter_mut().chain([&mut self.spectator]) {
            recorder.catch_up(version).await;
            self.is_over |= recorder.is_over();
        }
    }

    /// Sends a command of a player on the current position.
    async fn command(&mut self, side: Side, t: &str, mut d: Value) {
        if !self.is_over {
            d["ply"] = json!(self.moves.len());
            self.players[side.index()].command(t, d).await;
            self.catch_up().await;
        }
    }

    async fn offer(&mut self, side: Side, t: &str, answer: &str) {
        self.command(side, t, json!({ "answer": answer })).await;
    }

    async fn offers_and_takebacks(&mut self) {
        self.offer(Side::First, "draw", "offer").await;
        self.offer(Side::Second, "draw", "no").await;
        self.offer(Side::Second, "draw", "offer").await;
        self.offer(Side::Second, "draw", "no").await;
        self.offer(Side::Second, "takeback", "offer").await;
        self.offer(Side::First, "takeback", "no").await;
        self.offer(Side::First, "takeback", "offer").await;
        self.offer(Side::Second, "takeback", "accept").await;
        let takeback = self
            .spectator
            .messages
            .iter()
            .rev()
            .find(|message| message["t"] == "takeback" && message["d"]["ply"].is_number());
        if let Some(takeback) = takeback {
            self.moves.truncate(takeback["d"]["ply"].as_u64().expect("ply") as usize);
        }
        // A move withdraws an offer of the opponent.
        self.offer(Side::First, "draw", "offer").await;
        self.play(2).await;
    }

    async fn other_messages(&mut self) {
        if self.is_over {
            return;
        }
        let [first, second] = &mut self.players;
        first.command("talk", json!({ "text": "Good luck!" })).await;
        second.command("moretime", json!({})).await;
        second.socket.command("move", json!({ "u": "z99", "ply": self.moves.len() })).await;
        second.until("refused").await;
        self.catch_up().await;
    }

    async fn reconnects(&mut self) {
        self.players[0].reconnect(false).await;
        self.catch_up().await;
        // The second player and the spectator miss what the first player does, and resume.
        self.players[0].command("talk", json!({ "text": "Are you there?" })).await;
        if let [u, ..] = &self.players[0].legal[..] {
            let u = u.clone();
            let d = json!({ "u": u, "ply": self.moves.len() });
            self.players[0].command("move", d).await;
            self.moves.push(u);
        }
        self.players[1].reconnect(true).await;
        self.spectator.reconnect(true).await;
        self.catch_up().await;
    }

    async fn finish(&mut self) {
        self.play(usize::MAX).await;
        let end = self.spectator.messages.iter().find(|message| message["t"] == "end");
        assert_eq!(end.expect("end")["d"]["status"], "variantEnd");
        for recorder in self.players.iter_mut().chain([&mut self.spectator]) {
            recorder.reconnect(false).await;
        }
    }
}

/// Plays a game of a variant, and returns the transcripts of both players and of a spectator.
pub async fn record(server: &Server, variant: &str) -> [Transcript; 3] {
    let mut game = RecordedGame::start(server, variant).await;
    game.play(4).await;
    game.offers_and_takebacks().await;
    game.other_messages().await;
    game.reconnects().await;
    game.finish().await;
    let [first, second] = game.players;
    [first, second, game.spectator].map(|recorder| recorder.into_transcript(variant, variant))
}
