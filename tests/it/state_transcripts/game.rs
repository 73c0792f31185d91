//! Whole games: offers that are made, withdrawn, declined and accepted, takebacks, chat, a gift of
//! time, a refused command, an outage, a player who leaves and returns, connections that end and
//! resume, and a rematch. The engine plays the first side and chance the second, so that each game
//! soon ends by the goal of its variant.

use super::Transcript;
use crate::support::client::Player;
use crate::support::process::Process;
use crate::support::socket::Socket;
use serde_json::{Value, json};
use smol_str::SmolStr;
use sprong::rules::{Side, SplitMix};
use sprong::search::{SearchParams, Strength};
use sprong::variants::{self, Position};
use std::time::Duration;

/// Nodes of each search of the first side.
const NODES: u64 = 400;

/// Time for which the process stands still, long enough to count as an outage.
const STALL: Duration = Duration::from_millis(2_500);

/// Connection of a player or a spectator, with all messages that it has received.
pub struct Recorder {
    player: Player,
    path: String,
    /// `None` while disconnected.
    socket: Option<Socket>,
    name: &'static str,
    messages: Vec<Value>,
    legal: Vec<String>,
}

impl Recorder {
    pub async fn connect(player: Player, id: &str, name: &'static str) -> Recorder {
        // One player gets the moves in the form that pages do not ask for.
        let query = if name == "second" { "" } else { "?frames=short" };
        let path = format!("/ws/game/{id}{query}");
        let socket = Some(player.socket(&path).await);
        let (messages, legal) = (Vec::new(), Vec::new());
        let mut recorder = Recorder { player, path, socket, name, messages, legal };
        recorder.until("full").await;
        recorder
    }

    /// Records messages up to the next one of type `t`.
    pub async fn until(&mut self, t: &str) -> Value {
        self.until_one(|message| message["t"] == t).await
    }

    /// Records messages up to the next one that `is_wanted`.
    async fn until_one(&mut self, is_wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.next().await;
            if is_wanted(&message) {
                return message;
            }
        }
    }

    /// Records messages until those after the first `from` contain one of type `t`.
    async fn until_after(&mut self, from: usize, t: &str) -> Value {
        loop {
            if let Some(message) = self.messages[from..].iter().find(|message| message["t"] == t) {
                return message.clone();
            }
            self.next().await;
        }
    }

    fn socket(&mut self) -> &mut Socket {
        self.socket.as_mut().expect("connected")
    }

    /// Records the next message.
    async fn next(&mut self) -> Value {
        let message = self.socket().next().await.expect("open");
        if ["full", "move", "shortMove", "takeback"]
            .iter()
            .any(|position| message["t"] == *position)
        {
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
        self.socket().send(json!({ "t": "ping", "d": { "c": 1 } })).await;
        self.until("pong").await;
        self.messages.pop();
    }

    pub async fn command(&mut self, t: &str, d: Value) {
        self.socket().command(t, d).await;
        self.until("ack").await;
    }

    /// Sends a command, and returns whether it is acknowledged instead of refused.
    pub async fn try_command(&mut self, t: &str, d: Value) -> bool {
        self.socket().command(t, d).await;
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

    /// Returns the path of a connection that gets the events after number `v`.
    fn path_from(&self, v: i64) -> String {
        let separator = if self.path.contains('?') { '&' } else { '?' };
        format!("{}{separator}v={v}", self.path)
    }

    fn disconnect(&mut self) {
        self.socket = None;
    }

    /// Connects again, and records the whole game.
    pub async fn reconnect(&mut self) {
        self.socket = Some(self.player.socket(&self.path).await);
        self.until("full").await;
        self.catch_up(0).await;
    }

    /// Connects again with the number of the last event, after which the server sends the missed
    /// ones. Records their number in front of them.
    async fn resume(&mut self) {
        let (at, v) = (self.messages.len(), self.version());
        self.socket = Some(self.player.socket(&self.path_from(v)).await);
        self.catch_up(0).await;
        assert!(self.messages[at..].iter().all(|message| message["t"] != "full"), "{}", self.name);
        let missed = self.version() - v;
        self.messages.insert(at, json!({ "request": "resume", "d": { "v": v, "missed": missed } }));
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
    moves: Vec<SmolStr>,
    is_over: bool,
}

impl RecordedGame {
    /// Starts a game of a variant between two players whose names end with `number`.
    async fn start(server: &Process, variant: &str, number: usize) -> RecordedGame {
        let mut ann = Player::register(server.addr, &format!("Ann{number}")).await;
        let mut bob = Player::register(server.addr, &format!("Bob{number}")).await;
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
            self.moves.push(u.into());
        }
    }

    fn recorders(&mut self) -> impl Iterator<Item = &mut Recorder> {
        self.players.iter_mut().chain([&mut self.spectator])
    }

    async fn catch_up(&mut self) {
        let version = self.players.iter().map(Recorder::acknowledged).max().expect("players");
        for recorder in self.recorders() {
            recorder.catch_up(version).await;
        }
        self.is_over |= self.spectator.is_over();
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
        second.socket().command("move", json!({ "u": "z99", "ply": self.moves.len() })).await;
        second.until("refused").await;
        self.catch_up().await;
    }

    /// Stops the process until it counts as an outage, which all viewers are told.
    async fn outage(&mut self, server: &Process) {
        if self.is_over {
            return;
        }
        server.signal("STOP");
        tokio::time::sleep(STALL).await;
        server.signal("CONT");
        for recorder in self.recorders() {
            let is_outage = |message: &Value| message["d"]["lost"].is_number();
            recorder.until_one(|message| message["t"] == "clock" && is_outage(message)).await;
        }
        self.catch_up().await;
    }

    /// Waits until the first player and the spectator are told that the second player has left or
    /// is back.
    async fn receive_absence(&mut self, is_absent: bool) {
        for recorder in [&mut self.players[0], &mut self.spectator] {
            let is_wanted =
                |d: &Value| d["side"] == "second" && d["claimInMs"].is_number() == is_absent;
            recorder.until_one(|message| message["t"] == "gone" && is_wanted(&message["d"])).await;
        }
    }

    /// Connects the viewers again, each of whom has missed events, and the first player once more
    /// without a known event.
    async fn reconnects(&mut self) {
        if self.is_over {
            return;
        }
        self.players[0].reconnect().await;
        self.catch_up().await;
        self.players[1].disconnect();
        self.receive_absence(true).await;
        self.players[0].command("talk", json!({ "text": "Are you there?" })).await;
        if let [u, ..] = &self.players[0].legal[..] {
            let u = u.clone();
            let d = json!({ "u": u, "ply": self.moves.len() });
            self.players[0].command("move", d).await;
            self.moves.push(u.into());
        }
        self.players[1].resume().await;
        self.receive_absence(false).await;
        self.catch_up().await;
        self.spectator.disconnect();
        self.players[1].command("moretime", json!({})).await;
        self.spectator.resume().await;
        self.catch_up().await;
        self.players[0].disconnect();
        self.players[1].command("moretime", json!({})).await;
        self.players[0].resume().await;
        self.catch_up().await;
    }

    /// Sends a rematch command of a player, and waits until both have a message of type `t`.
    async fn rematch(&mut self, player: usize, answer: &str, t: &str) -> Value {
        let from = self.players.each_ref().map(|recorder| recorder.messages.len());
        self.players[player].command("rematch", json!({ "answer": answer })).await;
        self.players[0].until_after(from[0], t).await;
        self.players[1].until_after(from[1], t).await
    }

    /// Offers of a rematch that are declined, withdrawn and accepted. The new game is aborted.
    async fn rematches(&mut self) {
        self.rematch(0, "yes", "rematch").await;
        self.rematch(1, "no", "rematch").await;
        self.rematch(1, "yes", "rematch").await;
        self.rematch(1, "no", "rematch").await;
        self.rematch(1, "yes", "rematch").await;
        let start = self.rematch(0, "yes", "start").await;
        self.spectator.until("next").await;
        let path = format!("/api/board/game/{}/abort", start["d"]["id"].as_str().expect("id"));
        let (status, body) = self.players[0].player.post(&path, json!({})).await;
        assert_eq!(status, 200, "{body}");
    }

    async fn finish(&mut self) {
        self.play(usize::MAX).await;
        let end = self.spectator.messages.iter().find(|message| message["t"] == "end");
        assert_eq!(end.expect("end")["d"]["status"], "variantEnd");
        self.rematches().await;
        for recorder in self.recorders() {
            recorder.reconnect().await;
        }
    }
}

/// Plays a game of a variant, and returns the transcripts of both players and of a spectator.
///
/// `number` distinguishes the players from those of other games.
pub async fn record(server: &Process, variant: &str, number: usize) -> [Transcript; 3] {
    let mut game = RecordedGame::start(server, variant, number).await;
    game.play(4).await;
    game.offers_and_takebacks().await;
    game.other_messages().await;
    game.outage(server).await;
    game.reconnects().await;
    game.finish().await;
    let [first, second] = game.players;
    [first, second, game.spectator].map(|recorder| recorder.into_transcript(variant, variant))
}
