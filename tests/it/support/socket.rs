//! WebSocket client of the tests.

use super::client::WAIT_TIMEOUT;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};
use uuid::Uuid;

/// Interval of pings on a socket. The server closes a socket that is silent for 30 s.
const PING_INTERVAL: Duration = Duration::from_secs(10);

/// Value of `c` in these pings and their replies.
const PING_VALUE: f64 = -1.0;

/// WebSocket client, and the time of its last ping.
pub struct Socket(pub WebSocketStream<MaybeTlsStream<TcpStream>>, Instant);

impl Socket {
    pub fn new(stream: WebSocketStream<MaybeTlsStream<TcpStream>>) -> Socket {
        Socket(stream, Instant::now())
    }

    /// Sends a ping if the last one is older than [`PING_INTERVAL`]. [`Socket::next`] calls this. A
    /// socket that is not read for longer needs a call of its own.
    pub async fn ping_if_due(&mut self) {
        if self.1.elapsed() > PING_INTERVAL {
            self.1 = Instant::now();
            let ping = json!({ "t": "ping", "d": { "c": PING_VALUE } });
            // The next read reports a broken connection.
            let _ = self.0.send(Message::text(ping.to_string())).await;
        }
    }

    pub async fn send(&mut self, message: Value) {
        self.send_text(&message.to_string()).await;
    }

    pub async fn send_text(&mut self, text: &str) {
        self.0.send(Message::text(text)).await.expect("sent");
    }

    /// Sends a command with a new `cid`, so that it is acknowledged. Returns the `cid`.
    pub async fn command(&mut self, t: &str, mut d: Value) -> Uuid {
        let cid = Uuid::now_v7();
        d["cid"] = json!(cid);
        self.send(json!({ "t": t, "d": d })).await;
        cid
    }

    /// Returns the next message, or the close code (1006 for a broken connection). Skips the
    /// replies to the pings of [`Socket::ping_if_due`]. Cancel safe.
    pub async fn next(&mut self) -> Result<Value, u16> {
        let limit = Instant::now() + WAIT_TIMEOUT;
        loop {
            self.ping_if_due().await;
            let Ok(message) = tokio::time::timeout(PING_INTERVAL, self.0.next()).await else {
                assert!(Instant::now() < limit, "expected a message in time");
                continue;
            };
            match message {
                Some(Ok(Message::Text(text))) => {
                    let message: Value = serde_json::from_str(text.as_str()).expect("JSON");
                    if message["t"] != "pong" || message["d"]["c"] != PING_VALUE {
                        return Ok(message);
                    }
                }
                Some(Ok(Message::Close(frame))) => {
                    return Err(frame.map_or(1005, |frame| frame.code.into()));
                }
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return Err(1006),
            }
        }
    }

    /// Returns the next message of type `t` and skips the messages before it.
    pub async fn until(&mut self, t: &str) -> Value {
        loop {
            let message =
                self.next().await.unwrap_or_else(|code| panic!("closed {code} before {t}"));
            if message["t"] == t {
                return message;
            }
        }
    }

    pub async fn until_closed(&mut self) -> u16 {
        loop {
            if let Err(code) = self.next().await {
                return code;
            }
        }
    }
}
