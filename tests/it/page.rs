//! A client of a game's socket as the browser's is (static/lib/socket.js, static/game/page.js): it counts
//! events, asks anew where one is missing, drops what comes twice, and sends a command again with
//! the same id until it is answered.

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
const BACK_FIRST_MS: u64 = 500;
const BACK_MAX_MS: u64 = 10_000;

/// How long somebody thinks at the most.
const THINKS_MS: usize = 60;

/// Anything that bytes go through.
pub trait Stream: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin + Send {}
impl<S: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin + Send> Stream for S {}
pub type Io = Box<dyn Stream>;

/// A socket, if it could be had.
pub type Dialled = BoxFuture<'static, Option<WebSocketStream<Io>>>;

/// What a page shows.
#[derive(Clone, Default, Debug)]
pub struct View {
    pub v: Option<i64>,
    pub moves: Vec<String>,
    pub end: Option<Value>,
    pub waiting: Option<(Uuid, String)>,
    /// How often it had to ask for the whole.
    pub gaps: usize,
    pub connections: usize,
}

/// How a connection was left.
enum Left {
    /// For a new one at once.
    Renewed,
    /// It broke.
    Closed,
}

/// A page that is open.
pub struct Page {
    pub view: Arc<Mutex<View>>,
    legal: Vec<String>,
    random: SplitMix,
    /// Plies after which this player gives up.
    plies_max: usize,
    tries: u32,
    /// How much faster than a browser all waiting is.
    hurry: u32,
}

impl Page {
    pub fn new(seed: u64, hurry: u32) -> Page {
        let mut random = SplitMix::new(seed);
        let plies_max = 4 + random.below(30);
        Page { view: Arc::default(), legal: Vec::new(), random, plies_max, tries: 0, hurry }
    }

    fn ms(&self, ms: u64) -> Duration {
        Duration::from_millis(ms) / self.hurry
    }

    /// Stays, over as many connections as it takes.
    pub async fn stay(mut self, id: &str, dial: impl Fn(String) -> Dialled) {
        loop {
            let known = self.view().v.map_or(String::new(), |v| format!("?v={v}"));
            let left = match dial(format!("/ws/game/{id}{known}")).await {
                Some(socket) => self.talk(socket).await,
                None => Left::Closed,
            };
            if let Left::Closed = left {
                let longest = BACK_MAX_MS.min(BACK_FIRST_MS << self.tries.min(10));
                self.tries += 1;
                let wait = longest / 2 + self.random.below(longest as usize / 2) as u64;
                tokio::time::sleep(self.ms(wait)).await;
            }
        }
    }

    fn view(&self) -> std::sync::MutexGuard<'_, View> {
        self.view.lock().expect("view")
    }

    async fn talk(&mut self, mut socket: WebSocketStream<Io>) -> Left {
        self.view().connections += 1;
        let waiting = self.view().waiting.clone();
        if let Some((_, frame)) = waiting
            && socket.send(Message::text(frame)).await.is_err()
        {
            return Left::Closed;
        }
        let mut heard = Instant::now();
        let mut beat = tokio::time::interval(self.ms(PING_MS));
        // Nothing versioned has come by this connection yet.
        let mut fresh = true;
        loop {
            let frame = tokio::select! {
                received = socket.next() => match received {
                    Some(Ok(Message::Text(text))) => {
                        heard = Instant::now();
                        self.tries = 0;
                        let message = serde_json::from_str(&text).expect("JSON");
                        if self.take(&message, &mut fresh).is_break() {
                            return Left::Renewed;
                        }
                        continue;
                    }
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                    _ => return Left::Closed,
                },
                _ = beat.tick() => {
                    if heard.elapsed() > self.ms(SILENCE_MS) {
                        return Left::Renewed;
                    }
                    json!({ "t": "ping", "d": { "c": 1 } }).to_string()
                }
                frame = self.think() => frame,
            };
            if socket.send(Message::text(frame)).await.is_err() {
                return Left::Closed;
            }
        }
    }

    /// The next command, if there is one to give.
    async fn think(&mut self) -> String {
        let busy = self.view().waiting.is_some() || self.view().end.is_some();
        if busy || self.legal.is_empty() {
            std::future::pending::<()>().await;
        }
        let thinks_ms = self.random.below(THINKS_MS) as u64;
        tokio::time::sleep(self.ms(thinks_ms)).await;
        let ply = self.view().moves.len();
        let (t, mut d) = if ply >= self.plies_max {
            ("resign", json!({}))
        } else if self.random.below(8) == 0 {
            ("talk", json!({ "text": "a good move" }))
        } else {
            let u = self.legal.swap_remove(self.random.below(self.legal.len()));
            // What was legal before a move is so no more.
            self.legal.clear();
            ("move", json!({ "u": u, "ply": ply }))
        };
        let cid = Uuid::now_v7();
        d["cid"] = json!(cid);
        let frame = json!({ "t": t, "d": d }).to_string();
        self.view().waiting = Some((cid, frame.clone()));
        frame
    }

    /// Takes a message; breaks where the connection is to be renewed.
    fn take(&mut self, message: &Value, fresh: &mut bool) -> ControlFlow<()> {
        let (t, d) = (message["t"].as_str().unwrap_or_default(), &message["d"]);
        let mut view = self.view.lock().expect("view");
        if t == "ack" || t == "refused" {
            view.waiting.take_if(|(cid, _)| d["cid"] == json!(cid));
            if t == "refused" {
                let reason = d["reason"].as_str().unwrap_or_default();
                assert!(["stale", "notYourTurn", "over"].contains(&reason), "{message}");
            }
        }
        if let Some(v) = message["v"].as_i64().filter(|_| t != "ack") {
            match view.v {
                // The whole may come late, too: only what a connection begins with counts for more
                // than what is known.
                Some(known) if t == "full" && v < known && !*fresh => {
                    return ControlFlow::Continue(());
                }
                Some(known) if t != "full" && v <= known => return ControlFlow::Continue(()),
                known if t != "full" && known.is_none_or(|known| v > known + 1) => {
                    view.v = None;
                    view.gaps += 1;
                    return ControlFlow::Break(());
                }
                _ => view.v = Some(v),
            }
            *fresh = false;
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
                assert_eq!(d["ply"], view.moves.len(), "a move is missing or double");
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
