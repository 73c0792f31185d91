//! Records the messages of whole games for the tests of the client's state (`tests/client`): one
//! file per variant and viewer in `tests/client/transcripts`. `SPRONG_REWRITE=1` writes them anew;
//! else the recorded messages must have the fields of those of a new game.
//!
//! Each game has offers that are made, withdrawn, declined and accepted, takebacks, chat, a gift of
//! time, a refused command, and connections that end and resume. Moves are random.

use crate::support::client::{Player, Server, Socket};
use serde_json::{Value, json};
use sprong::rules::{Side, SplitMix};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Number of plies after which a player resigns. Random games of some variants are long.
const PLIES_MAX: usize = 60;

const VARIANTS: [&str; 5] =
    ["caterpillarWar", "knightFight", "hogga", "kopfOderKnopf", "wieNietWegIs"];

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
            let message = self.socket.next().await.expect("open");
            if ["full", "move", "takeback"].iter().any(|position| message["t"] == *position) {
                let legal = message["d"]["legal"].as_array().into_iter().flatten();
                self.legal = legal.filter_map(|u| u.as_str().map(str::to_owned)).collect();
            }
            let is_last = message["t"] == t;
            self.messages.push(message.clone());
            if is_last {
                return message;
            }
        }
    }

    /// Records the messages that were sent before the reply to a ping.
    async fn catch_up(&mut self) {
        self.socket.send(json!({ "t": "ping", "d": { "c": 1 } })).await;
        self.until("pong").await;
        self.messages.pop();
    }

    async fn command(&mut self, t: &str, d: Value) {
        self.socket.command(t, d).await;
        self.until("ack").await;
    }

    fn version(&self) -> i64 {
        self.messages.iter().filter_map(|message| message["v"].as_i64()).max().expect("version")
    }

    /// Connects again: with the number of the last event, the server sends only later ones.
    async fn reconnect(&mut self, resumes: bool) {
        let query = if resumes { format!("?v={}", self.version()) } else { String::new() };
        self.socket = self.player.socket(&format!("{}{query}", self.path)).await;
        if !resumes {
            self.until("full").await;
        }
        self.catch_up().await;
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
        for recorder in self.players.iter_mut().chain([&mut self.spectator]) {
            recorder.catch_up().await;
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

async fn record(server: &Server, variant: &str) -> [Recorder; 3] {
    let mut game = RecordedGame::start(server, variant).await;
    game.play(4).await;
    game.offers_and_takebacks().await;
    game.other_messages().await;
    game.reconnects().await;
    game.finish().await;
    let [first, second] = game.players;
    [first, second, game.spectator]
}

/// Fields of the data of messages, by message type.
type Fields = BTreeMap<String, BTreeSet<String>>;

fn add_fields(messages: &[Value], fields: &mut Fields) {
    for message in messages {
        let t = message["t"].as_str().unwrap_or_default().to_owned();
        let data = message["d"].as_object().into_iter().flatten();
        fields.entry(t).or_default().extend(data.map(|(field, _)| field.clone()));
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/client/transcripts")
}

/// Returns the text of a transcript: one message per line.
fn text(variant: &str, recorder: &Recorder) -> String {
    let lines: Vec<String> = recorder.messages.iter().map(|message| format!("{message}")).collect();
    let (viewer, messages) = (recorder.name, lines.join(",\n"));
    format!("{{\"variant\":\"{variant}\",\"viewer\":\"{viewer}\",\"messages\":[\n{messages}\n]}}\n")
}

#[tokio::test]
async fn recorded_messages_have_current_fields() {
    let rewrites = std::env::var_os("SPRONG_REWRITE").is_some();
    let limits = ["--player-message-limit", "100000", "--spectator-message-limit", "100000"];
    let server = Server::start_with(&limits).await;
    let (mut current, mut recorded) = (Fields::new(), Fields::new());
    for variant in VARIANTS {
        for recorder in record(&server, variant).await {
            add_fields(&recorder.messages, &mut current);
            let path = folder().join(format!("{variant}-{}.json", recorder.name));
            if rewrites {
                std::fs::create_dir_all(folder()).expect("folder");
                std::fs::write(&path, text(variant, &recorder)).expect("written");
            }
            let file = std::fs::read_to_string(&path).expect("transcript");
            let file: Value = serde_json::from_str(&file).expect("JSON");
            add_fields(file["messages"].as_array().expect("messages"), &mut recorded);
        }
    }
    assert_eq!(recorded, current, "SPRONG_REWRITE=1 records the transcripts anew");
    for t in ["full", "move", "takeback", "draw", "clock", "chat", "refused", "crowd", "end"] {
        assert!(current.contains_key(t), "{t}");
    }
    server.stop().await;
}
