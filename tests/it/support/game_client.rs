//! Game client that follows the socket protocol of the browser (`static/lib/socket.js`,
//! `static/game/page.js`) for the tests of `proxy`. It counts events, requests the full state after
//! a gap, drops duplicates, and resends a command with the same `cid` until the server answers it.

use super::client_history::ClientHistory;
use futures_util::future::BoxFuture;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use sprong::rules::SplitMix;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::Instant;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use uuid::Uuid;

const PING_MS: u64 = 2_500;
const SILENCE_MS: u64 = 9_000;
const RECONNECT_DELAY_FIRST_MS: u64 = 500;
const RECONNECT_DELAY_MAX_MS: u64 = 10_000;

/// Maximum delay before a command, in milliseconds.
const COMMAND_DELAY_MAX_MS: usize = 60;

/// Byte stream of a connection.
pub trait ByteStream: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin + Send {}
impl<S: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin + Send> ByteStream for S {}
pub type Io = Box<dyn ByteStream>;

/// WebSocket, or `None` if the connection failed.
pub type ConnectFuture = BoxFuture<'static, Option<WebSocketStream<Io>>>;

/// Game state that a page displays.
#[derive(Clone, Default, Debug)]
pub struct View {
    pub v: Option<i64>,
    pub moves: Vec<String>,
    pub end: Option<Value>,
    pub pending: Option<(Uuid, String)>,
    /// Number of requests for the full state after a gap.
    pub gaps: usize,
    pub connections: usize,
    pub history: ClientHistory,
}

/// Outcome of a connection.
enum ConnectionEnd {
    /// Closed by the client, which reconnects immediately.
    Reconnect,
    /// Broken connection; the client waits before it reconnects.
    Broken,
}

/// Open game page with a player or a spectator.
pub struct GameClient {
    pub view: Arc<Mutex<View>>,
    legal: Vec<String>,
    random: SplitMix,
    /// Number of plies after which the player resigns.
    plies_max: usize,
    attempts: u32,
    /// Factor by which all delays are shorter than in a browser.
    speedup: u32,
}

impl GameClient {
    pub fn new(seed: u64, speedup: u32) -> GameClient {
        let mut random = SplitMix::new(seed);
        let plies_max = 4 + random.below(30);
        GameClient {
            view: Arc::default(),
            legal: Vec::new(),
            random,
            plies_max,
            attempts: 0,
            speedup,
        }
    }

    fn ms(&self, ms: u64) -> Duration {
        Duration::from_millis(ms) / self.speedup
    }

    /// Runs until the task is aborted, and reconnects after each connection.
    pub async fn run(mut self, id: &str, dial: impl Fn(String) -> ConnectFuture) {
        loop {
            let query = self.view().v.map_or(String::new(), |v| format!("?v={v}"));
            let end = match dial(format!("/ws/game/{id}{query}")).await {
                Some(socket) => self.run_connection(socket).await,
                None => ConnectionEnd::Broken,
            };
            if let ConnectionEnd::Broken = end {
                let longest =
                    RECONNECT_DELAY_MAX_MS.min(RECONNECT_DELAY_FIRST_MS << self.attempts.min(10));
                self.attempts += 1;
                let wait = longest / 2 + self.random.below(longest as usize / 2) as u64;
                tokio::time::sleep(self.ms(wait)).await;
            }
        }
    }

    fn view(&self) -> std::sync::MutexGuard<'_, View> {
        self.view.lock().expect("view")
    }

    async fn run_connection(&mut self, mut socket: WebSocketStream<Io>) -> ConnectionEnd {
        self.view().connections += 1;
        let waiting = self.view().pending.clone();
        if let Some((_, frame)) = waiting
            && socket.send(Message::text(frame)).await.is_err()
        {
            return ConnectionEnd::Broken;
        }
        let mut last_received = Instant::now();
        let mut pings = tokio::time::interval(self.ms(PING_MS));
        // Until the first versioned message of the connection.
        let mut is_new = true;
        loop {
            let frame = tokio::select! {
                received = socket.next() => match received {
                    Some(Ok(Message::Text(text))) => {
                        last_received = Instant::now();
                        self.attempts = 0;
                        let message = serde_json::from_str(&text).expect("JSON");
                        if self.handle_message(&message, &mut is_new).is_break() {
                            return ConnectionEnd::Reconnect;
                        }
                        continue;
                    }
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                    _ => return ConnectionEnd::Broken,
                },
                _ = pings.tick() => {
                    if last_received.elapsed() > self.ms(SILENCE_MS) {
                        return ConnectionEnd::Reconnect;
                    }
                    json!({ "t": "ping", "d": { "c": 1 } }).to_string()
                }
                frame = self.next_command() => frame,
            };
            if socket.send(Message::text(frame)).await.is_err() {
                return ConnectionEnd::Broken;
            }
        }
    }

    /// Returns the next command; pends if there is none.
    async fn next_command(&mut self) -> String {
        let busy = self.view().pending.is_some() || self.view().end.is_some();
        if busy || self.legal.is_empty() {
            std::future::pending::<()>().await;
        }
        let thinks_ms = self.random.below(COMMAND_DELAY_MAX_MS) as u64;
        tokio::time::sleep(self.ms(thinks_ms)).await;
        let ply = self.view().moves.len();
        let (t, mut d) = if ply >= self.plies_max {
            ("resign", json!({}))
        } else if self.random.below(8) == 0 {
            ("talk", json!({ "text": "a good move" }))
        } else {
            let u = self.legal.swap_remove(self.random.below(self.legal.len()));
            // These moves were legal in the old position only.
            self.legal.clear();
            ("move", json!({ "u": u, "ply": ply }))
        };
        let cid = Uuid::now_v7();
        d["cid"] = json!(cid);
        let frame = json!({ "t": t, "d": d }).to_string();
        let mut view = self.view();
        view.history.record_command(t, &d);
        view.pending = Some((cid, frame.clone()));
        drop(view);
        frame
    }

    /// Processes a message; breaks if the connection has to be renewed.
    fn handle_message(&mut self, message: &Value, is_new: &mut bool) -> ControlFlow<()> {
        let (t, d) = (message["t"].as_str().unwrap_or_default(), &message["d"]);
        let mut view = self.view.lock().expect("view");
        if t == "ack" || t == "refused" {
            view.history.record_message(message);
            view.pending.take_if(|(cid, _)| d["cid"] == json!(cid));
            if t == "refused" {
                let reason = d["reason"].as_str().unwrap_or_default();
                assert!(["stale", "notYourTurn", "over"].contains(&reason), "{message}");
            }
        }
        if let Some(v) = message["v"].as_i64().filter(|_| t != "ack") {
            match view.v {
                // A delayed full state is older than the known version and is dropped; the first
                // message of a connection always counts.
                Some(last_v) if t == "full" && v < last_v && !*is_new => {
                    return ControlFlow::Continue(());
                }
                Some(last_v) if t != "full" && v <= last_v => return ControlFlow::Continue(()),
                last_v if t != "full" && last_v.is_none_or(|last_v| v > last_v + 1) => {
                    view.v = None;
                    view.gaps += 1;
                    return ControlFlow::Break(());
                }
                _ => view.v = Some(v),
            }
            view.history.record_message(message);
            *is_new = false;
        }
        match t {
            "full" => {
                let moves = d["state"]["moves"].as_str().expect("moves");
                view.moves = moves.split_whitespace().map(str::to_owned).collect();
                view.end = d.get("end").filter(|end| !end.is_null()).cloned();
                self.legal = texts(&d["legal"]);
            }
            "move" => {
                view.moves.push(d["u"].as_str().expect("notation").to_owned());
                assert_eq!(d["ply"], view.moves.len(), "the client has every move exactly once");
                self.legal = texts(&d["legal"]);
            }
            "end" => view.end = Some(d.clone()),
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

fn texts(list: &Value) -> Vec<String> {
    let list = list.as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter().map(|text| text.as_str().expect("notation").to_owned()).collect()
}
