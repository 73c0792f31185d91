//! Tests of bots: challenges, moves, offers, resignation, engine queue and crash recovery. The
//! helpers here start a game against a bot and play it over a socket; other tests use them, too.

mod engine_load;
mod engine_scheduling;
mod offers;
mod terms;
mod whole_games;

pub use engine_load::patient_requester;

use crate::support::client::Player;
use crate::support::socket::Socket;
use serde_json::{Value, json};
use sprong::play::played_line::PlayedLine;
use sprong::rules::SplitMix;
use sprong::search::{SearchParams, Strength};
use sprong::variants::Position;

/// Starts a game against a bot. The human has the first side unless `fields` says otherwise.
/// Returns the response.
pub async fn start_bot_game(player: &mut Player, level: u8, variant: &str, fields: Value) -> Value {
    let mut form = json!({ "level": level, "variant": variant, "color": "first" });
    for (key, value) in fields.as_object().expect("fields") {
        form[key] = value.clone();
    }
    let (status, game) = player.post("/api/challenge/ai", form).await;
    assert_eq!(status, 201, "{game}");
    game
}

/// Returns the id in a response.
pub fn game_id(game: &Value) -> String {
    game["id"].as_str().unwrap_or_else(|| panic!("no id in {game}")).to_owned()
}

/// Client of a game, with the state built from the messages of its socket.
pub struct GameClient {
    pub socket: Socket,
    /// Version: number of the last event.
    pub v: i64,
    pub ply: u64,
    /// Legal moves of the own side, empty while the opponent is to move.
    pub legal: Vec<String>,
    /// Moves played, as received.
    pub moves: Vec<String>,
    pub end: Option<Value>,
}

fn texts(list: &Value) -> Vec<String> {
    let list = list.as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter().map(|u| u.as_str().expect("notation").to_owned()).collect()
}

impl GameClient {
    pub async fn join(player: &Player, id: &str) -> GameClient {
        let mut socket = player.socket(&format!("/ws/game/{id}")).await;
        let full = socket.until("full").await;
        let d = &full["d"];
        let moves = d["state"]["moves"].as_str().expect("moves");
        let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
        let end = (!d["end"].is_null()).then(|| d["end"].clone());
        let (v, ply) = (full["v"].as_i64().expect("number"), moves.len() as u64);
        GameClient { socket, v, ply, legal: texts(&d["legal"]), moves, end }
    }

    /// Returns the next message and applies it. Panics at a gap between events.
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
            // The own clock may have run out in the meantime.
            Some("refused") => assert!(self.end.is_some(), "{message}"),
            _ => {}
        }
        message
    }

    /// Returns the next message of type `t`.
    pub async fn until(&mut self, t: &str) -> Value {
        loop {
            let message = self.next().await;
            if message["t"] == t {
                return message;
            }
        }
    }

    /// Waits for the own turn or the end of the game. Returns true if the game continues.
    pub async fn wait_for_turn(&mut self) -> bool {
        while self.legal.is_empty() && self.end.is_none() {
            self.next().await;
        }
        self.end.is_none()
    }

    /// Plays a move and waits until it is broadcast, or the game is over.
    pub async fn play(&mut self, u: &str) {
        self.socket.command("move", json!({ "u": u, "ply": self.ply })).await;
        self.legal.clear();
        while self.end.is_none() && self.next().await["t"] != "move" {}
    }

    /// Plays random moves to the end of the game. Returns the end.
    pub async fn play_out(&mut self, seed: u64) -> Value {
        let mut random = SplitMix::new(seed);
        while self.wait_for_turn().await {
            let u = self.legal[random.below(self.legal.len())].clone();
            self.play(&u).await;
        }
        self.end.clone().expect("an end")
    }

    /// Replays the received moves from `start`.
    pub fn line_from(&self, start: Box<dyn Position>) -> PlayedLine {
        let mut line = PlayedLine::new(start);
        self.moves.iter().for_each(|u| line.play(u).expect("a legal move"));
        line
    }

    /// Returns the best move of a search with `strength` in the current position of a game from
    /// `start`.
    pub async fn best_move_from(&self, start: Box<dyn Position>, strength: Strength) -> String {
        let (line, seed) = (self.line_from(start), self.ply);
        let thinking = move || {
            let stop = || false;
            line.search(&SearchParams {
                strength,
                seed,
                lines: 1,
                should_stop: &stop,
                on_info: &|_| {},
            })
        };
        let found = tokio::task::spawn_blocking(thinking).await.expect("a finished search");
        found.expect("a move").best
    }
}
