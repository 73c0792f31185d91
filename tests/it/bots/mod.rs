//! Players of the house: they take a seat, play, answer and resign as the contract has it, whatever
//! is killed, full or in a hurry around them.

mod hurry;
mod offers;
mod terms;
mod turns;
mod whole;

pub use hurry::patient;

use super::client::{Player, Socket};
use serde_json::{Value, json};
use sprong::play::line::Line;
use sprong::rules::SplitMix;
use sprong::search::{Order, Strength};
use sprong::variants::Position;

/// Begins a game with the computer, in which the person is first; answers what was answered.
pub async fn begin(player: &mut Player, level: u8, variant: &str, fields: Value) -> Value {
    let mut whole = json!({ "level": level, "variant": variant, "color": "first" });
    for (key, value) in fields.as_object().expect("fields") {
        whole[key] = value.clone();
    }
    let (status, game) = player.post("/api/challenge/ai", whole).await;
    assert_eq!(status, 201, "{game}");
    game
}

/// The id of a game that was told.
pub fn id_of(game: &Value) -> String {
    game["id"].as_str().unwrap_or_else(|| panic!("no id in {game}")).to_owned()
}

/// Somebody at a game, who follows it by the socket.
pub struct Table {
    pub socket: Socket,
    /// The last number of an event.
    pub v: i64,
    pub ply: u64,
    /// What the own side may play now; none while it is the other's turn.
    pub legal: Vec<String>,
    /// All that was played, as it was told.
    pub moves: Vec<String>,
    pub end: Option<Value>,
}

fn texts(list: &Value) -> Vec<String> {
    let list = list.as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter().map(|u| u.as_str().expect("notation").to_owned()).collect()
}

impl Table {
    pub async fn sit(player: &Player, id: &str) -> Table {
        let mut socket = player.socket(&format!("/ws/game/{id}")).await;
        let full = socket.until("full").await;
        let d = &full["d"];
        let moves = d["state"]["moves"].as_str().expect("moves");
        let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
        let end = (!d["end"].is_null()).then(|| d["end"].clone());
        let (v, ply) = (full["v"].as_i64().expect("number"), moves.len() as u64);
        Table { socket, v, ply, legal: texts(&d["legal"]), moves, end }
    }

    /// The next message; events come without gaps.
    pub async fn next(&mut self) -> Value {
        let message = self.socket.next().await.expect("a message");
        if let Some(v) = message["v"].as_i64() {
            assert_eq!(v, self.v + 1, "a gap before {message}");
            self.v = v;
        }
        let d = &message["d"];
        match message["t"].as_str() {
            Some("move") => {
                self.ply = d["ply"].as_u64().expect("ply");
                self.moves.push(d["u"].as_str().expect("notation").to_owned());
                self.legal = texts(&d["legal"]);
            }
            Some("takeback") if d["ply"].is_u64() => {
                self.ply = d["ply"].as_u64().expect("ply");
                self.moves.truncate(self.ply as usize);
                self.legal = texts(&d["legal"]);
            }
            Some("end") => self.end = Some(d.clone()),
            // The own clock may have run out on the way.
            Some("refused") => assert!(self.end.is_some(), "{message}"),
            _ => {}
        }
        message
    }

    /// Waits for a message of that type.
    pub async fn until(&mut self, t: &str) -> Value {
        loop {
            let message = self.next().await;
            if message["t"] == t {
                return message;
            }
        }
    }

    /// Waits until it is the own turn, or the game is over; says whether it goes on.
    pub async fn turn(&mut self) -> bool {
        while self.legal.is_empty() && self.end.is_none() {
            self.next().await;
        }
        self.end.is_none()
    }

    /// Makes a move, and waits until all have seen it, or the game was over before.
    pub async fn play(&mut self, u: &str) {
        self.socket.command("move", json!({ "u": u, "ply": self.ply })).await;
        self.legal.clear();
        while self.end.is_none() && self.next().await["t"] != "move" {}
    }

    /// Plays by chance to the end of the game, and answers how it ended.
    pub async fn play_out(&mut self, seed: u64) -> Value {
        let mut random = SplitMix::new(seed);
        while self.turn().await {
            let u = self.legal[random.below(self.legal.len())].clone();
            self.play(&u).await;
        }
        self.end.clone().expect("an end")
    }

    /// What was played, in a game from that start.
    pub fn line_from(&self, start: Box<dyn Position>) -> Line {
        let mut line = Line::new(start);
        self.moves.iter().for_each(|u| line.play(u).expect("a legal move"));
        line
    }

    /// The move that a player of that strength would make now, in a game from that start.
    pub async fn think_from(&self, start: Box<dyn Position>, strength: Strength) -> String {
        let (line, seed) = (self.line_from(start), self.ply);
        let thinking = move || {
            let stop = || false;
            line.think(&Order { strength, seed, lines: 1, stop: &stop, tell: &|_| {} })
        };
        let found = tokio::task::spawn_blocking(thinking).await.expect("a thought");
        found.expect("a move").best
    }
}
