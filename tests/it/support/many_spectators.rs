//! Helpers for tests with many clients: guests that share one HTTP client, and spectators that
//! follow a game only by the messages they receive.

use super::client::Player;
use super::socket::Socket;
use serde_json::{Value, json};
use sprong::play::played_line::PlayedLine;
use sprong::rules::Side;
use sprong::variants;

/// Raises the limit of open file descriptors of this process to its hard limit.
pub fn raise_descriptor_limit() {
    let own = std::process::id().to_string();
    let hard = std::process::Command::new("prlimit")
        .args(["--pid", &own, "--nofile", "--output", "HARD", "--noheadings"])
        .output()
        .expect("prlimit");
    let hard = String::from_utf8(hard.stdout).expect("text");
    let limit = format!("--nofile={}:", hard.trim());
    let set = std::process::Command::new("prlimit").args(["--pid", &own, &limit]).status();
    assert!(set.expect("prlimit").success());
}

/// Creates `number` guests, one after another.
pub async fn guests(nobody: &Player, number: usize) -> Vec<Player> {
    let mut guests = Vec::with_capacity(number);
    for _ in 0..number {
        let mut guest = nobody.clone();
        let (status, body) = guest.post("/api/guest", json!({})).await;
        assert_eq!(status, 201, "{body}");
        guests.push(guest);
    }
    guests
}

/// State of a game, built from the messages of a socket.
#[derive(Default)]
pub struct SpectatorState {
    pub start: String,
    pub moves: Vec<String>,
    /// Cells of the position in the last message.
    cells: String,
    turn: String,
    pub legal: Vec<String>,
    v: i64,
    pub end: Option<Value>,
    /// Number of `full` messages.
    pub full_messages: usize,
}

impl SpectatorState {
    /// Applies a message. Panics if an event is neither the next one nor a `full` message after a
    /// gap.
    pub fn apply(&mut self, message: &Value) {
        let (t, d) = (message["t"].as_str().unwrap_or_default(), &message["d"]);
        if let Some(v) = message["v"].as_i64().filter(|_| t != "ack") {
            let follows = v == self.v + 1 || (t == "full" && v >= self.v);
            assert!(follows, "{v} after {}", self.v);
            self.v = v;
        }
        let text = |value: &Value| value.as_str().expect("text").to_owned();
        match t {
            "full" => {
                let moves = text(&d["state"]["moves"]);
                let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
                assert!(moves.starts_with(&self.moves), "expected the earlier moves in {d}");
                self.moves = moves;
                self.start = text(&d["initialFen"]);
                let position = text(&d["position"]);
                self.cells = position.split(' ').next().expect("cells").to_owned();
                self.turn = text(&d["turn"]);
                self.end = d.get("end").filter(|end| !end.is_null()).cloned();
                self.full_messages += 1;
            }
            "move" => {
                self.moves.push(text(&d["u"]));
                assert_eq!(d["ply"], self.moves.len());
                (self.cells, self.turn) = (text(&d["cells"]), text(&d["turn"]));
            }
            "end" => self.end = Some(d.clone()),
            _ => return,
        }
        let legal = d["legal"].as_array().map(Vec::as_slice).unwrap_or_default();
        self.legal = legal.iter().map(text).collect();
    }

    /// Reads a socket to the end of its game.
    pub async fn follow(socket: &mut Socket) -> SpectatorState {
        let mut state = SpectatorState::default();
        while state.end.is_none() {
            state.apply(&socket.next().await.expect("a message"));
        }
        state
    }

    /// Asserts that the rules, applied to the received moves, lead to the received cells, turn and
    /// end.
    pub fn assert_matches_rules(&self, variant: &str) {
        let variant = variants::by_key(variant).expect("variant");
        let start = variant.read(&self.start, &variant.options()).expect("position");
        let mut line = PlayedLine::new(start);
        for u in &self.moves {
            line.play(u).expect("a legal move");
        }
        let (outcome, _) = line.outcome().expect("an end");
        let end = self.end.as_ref().expect("an end");
        assert_eq!(end["winner"], json!(outcome.winner()));
        assert_eq!(self.cells, line.position().cells());
        assert_eq!(self.turn.parse::<Side>().ok(), Some(line.turn()));
    }
}
