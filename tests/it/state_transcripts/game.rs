//! Games: offers that are made, withdrawn, declined and accepted, takebacks, chat, a gift of time,
//! a refused command, and connections that end and resume. Moves are random.

use super::Transcript;
use crate::support::client::{Player, Server};
use crate::support::socket::Socket;
use serde_json::{Value, json};
use sprong::rules::{Side, SplitMix};

/// Number of plies after which a player resigns. Random games of some variants are long.
const PLIES_MAX: usize = 60;

/// Connection of a player or a spectator, with all messages that it has received.
struct Recorder {
    player: Player,
    path: String,
    socket: Socket,
    name: &'static str,
    messages: Vec<Value>,
    legal: Vec<String>,
}

impl Recorder {
    async fn connect(player: Player, id: &str, name: &'static str) -> Recorder {
        let path = format!("/ws/game/{id}");
        let socket = player.socket(&path).await;
        let (messages, legal) = (Vec::new(), Vec::new());
        let mut recorder = Recorder { player, path, socket, name, messages, legal };
        recorder.until("full").await;
        recorder
    }

    /// Records messages up to the next one of type `t`.
    async fn until(&mut self, t: &str) -> Value {
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
    async fn catch_up(&mut self, version: i64) {
        while self.version() < version {
            self.next().await;
        }
        self.socket.send(json!({ "t": "ping", "d": { "c": 1 } })).await;
        self.until("pong").await;
        self.messages.pop();
    }

    async fn command(&mut self, t: &str, d: Value) {
        self.socket.command(t, d).await;
        self.until("ack").await;
    }

    /// Returns the number of the last recorded event.
    fn version(&self) -> i64 {
        self.messages.iter().filter_map(|message| message["v"].as_i64()).max().expect("version")
    }

    /// Returns the number of the last event that the server has acknowledged.
    fn acknowledged(&self) -> i64 {
        let acks = self.messages.iter().filter(|message| message["t"] == "ack");
        acks.filter_map(|ack| ack["d"]["v"].as_i64()).max().unwrap_or(0)
    }

    /// Connects again: with the number of the last event, the server sends only later ones.
    async fn reconnect(&mut self, resumes: bool) {
        let query = if resumes { format!("?v={}", self.version()) } else { String::new() };
        self.socket = self.player.socket(&format!("{}{query}", self.path)).await;
        if !resumes {
            self.until("full").await;
        }
        self.catch_up(0).await;
    }
}

/// Game in which three viewers record.
struct RecordedGame {
    players: [Recorder; 2],
    spectator: Recorder,
    random: SplitMix,
    plies: usize,
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
        let seed = variant.bytes().map(u64::from).sum();
        RecordedGame { players, spectator, random: SplitMix::new(seed), plies: 0, is_over: false }
    }

    /// Lets the player to move make a random move.
    async fn play(&mut self, moves: usize) {
        for _ in 0..moves {
            if self.is_over {
                return;
            }
            let mover = usize::from(self.players[0].legal.is_empty());
            let recorder = &mut self.players[mover];
            let u = recorder.legal[self.random.below(recorder.legal.len())].clone();
            recorder.command("move", json!({ "u": u, "ply": self.plies })).await;
            self.plies += 1;
            self.catch_up().await;
        }
    }

    async fn catch_up(&mut self) {
        let version = self.players.iter().map(Recorder::acknowledged).max().expect("players");
        for recorder in self.players.iter_mut().chain([&mut self.spectator]) {
            recorder.catch_up(version).await;
            self.is_over |= recorder.messages.iter().any(|message| message["t"] == "end");
        }
    }

    /// Sends a command of a player on the current position.
    async fn command(&mut self, side: Side, t: &str, answer: &str) {
        if !self.is_over {
            let d = json!({ "answer": answer, "ply": self.plies });
            self.players[side.index()].command(t, d).await;
            self.catch_up().await;
        }
    }

    async fn offers_and_takebacks(&mut self) {
        self.command(Side::First, "draw", "offer").await;
        self.command(Side::Second, "draw", "no").await;
        self.command(Side::Second, "draw", "offer").await;
        self.command(Side::Second, "draw", "no").await;
        self.command(Side::Second, "takeback", "offer").await;
        self.command(Side::First, "takeback", "no").await;
        let before = self.plies;
        self.command(Side::First, "takeback", "offer").await;
        self.command(Side::Second, "takeback", "accept").await;
        let takeback = self
            .spectator
            .messages
            .iter()
            .rev()
            .find(|message| message["t"] == "takeback" && message["d"]["ply"].is_number());
        self.plies =
            takeback.map_or(before, |message| message["d"]["ply"].as_u64().expect("ply") as usize);
        // A move withdraws an offer of the opponent.
        self.command(Side::First, "draw", "offer").await;
        self.play(2).await;
    }

    async fn other_messages(&mut self) {
        if self.is_over {
            return;
        }
        let [first, second] = &mut self.players;
        first.command("talk", json!({ "text": "Good luck!" })).await;
        second.command("moretime", json!({})).await;
        second.socket.command("move", json!({ "u": "z99", "ply": self.plies })).await;
        second.until("refused").await;
        self.catch_up().await;
    }

    async fn reconnects(&mut self) {
        self.players[0].reconnect(false).await;
        self.catch_up().await;
        // The second player and the spectator miss what the first player does, and resume.
        self.players[0].command("talk", json!({ "text": "Are you there?" })).await;
        if let [u, ..] = &self.players[0].legal[..] {
            let d = json!({ "u": u, "ply": self.plies });
            self.players[0].command("move", d).await;
            self.plies += 1;
        }
        self.players[1].reconnect(true).await;
        self.spectator.reconnect(true).await;
        self.catch_up().await;
    }

    async fn finish(&mut self) {
        while !self.is_over && self.plies < PLIES_MAX {
            self.play(1).await;
        }
        if !self.is_over {
            self.players[1].command("resign", json!({})).await;
            self.catch_up().await;
        }
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
    [first, second, game.spectator].map(|Recorder { name, messages, .. }| Transcript {
        file: format!("{variant}-{name}"),
        head: vec![("variant", variant.to_owned()), ("viewer", name.to_owned())],
        messages,
    })
}
