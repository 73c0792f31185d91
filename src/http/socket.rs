//! WebSocket connections: parsing of client messages, sending of frames, and limits of both.
//!
//! All WebSocket routes accept an [`Upgrade`] and then own a [`Connection`]. A message over the
//! size or rate limit closes the connection; an invalid one is answered with `refused`.

use super::App;
use super::auth::is_own_origin;
use super::error::Error;
use super::gate::Place;
use super::wire;
use crate::rooms::now_ms;
use axum::extract::FromRequestParts;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use axum::response::Response;
use bytes::Bytes;
use futures_util::SinkExt;
use governor::{DefaultDirectRateLimiter, Quota};
use serde::Deserialize;
use serde_json::json;
use std::num::NonZeroU32;
use std::time::Duration;
use tokio::time::Instant;
use uuid::Uuid;

/// Maximum size of a client message, in bytes.
const FRAME_MAX: usize = 4096;

/// Bytes of a message that are read before the WebSocket layer gives up.
const READ_MAX: usize = 8 * 1024;

/// Maximum bytes buffered of an outgoing message. The full state of the longest game fits, and so
/// do the legal moves of any position (over a hundred thousand, where many penalties can be
/// combined).
pub const WRITE_MAX: usize = 4 * 1024 * 1024;

/// Size of the read buffer, in bytes. The default would cost 128 KiB per connection.
const READ_BUFFER: usize = 4 * 1024;

/// Period in which message credits are restored.
const CREDIT_PERIOD: Duration = Duration::from_secs(20);

/// A client that sends nothing for this time is disconnected.
const SILENCE_MAX: Duration = Duration::from_secs(30);

/// Timeout of sending one frame.
const SEND_TIMEOUT: Duration = Duration::from_secs(5);

/// Timeout of the closing handshake.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);

/// Close codes: registered ones, and two of the private range (RFC 6455 §7.4.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Close {
    /// Binary frame.
    Binary = 1003,
    /// Too many messages.
    Credits = 1008,
    /// Message over the size limit.
    TooLarge = 1009,
    /// Reconnect soon: the server is shutting down, or the cookie belongs to another account now.
    Restart = 1012,
    /// Session has ended; do not reconnect with it.
    SignedOut = 4401,
    /// No such game; do not reconnect.
    Unknown = 4404,
}

impl Close {
    /// Returns whether the client caused the close.
    fn is_refusal(self) -> bool {
        matches!(self, Close::Binary | Close::Credits | Close::TooLarge | Close::Unknown)
    }

    /// Returns the `reason` code.
    fn word(self) -> &'static str {
        match self {
            Close::Binary => "binary",
            Close::Credits => "tooManyMessages",
            Close::TooLarge => "tooLarge",
            Close::Restart => "stopping",
            Close::SignedOut => "signedOut",
            Close::Unknown => "notFound",
        }
    }

    fn reason(self) -> &'static str {
        match self {
            Close::Binary => "text frames only",
            Close::Credits => "too many messages",
            Close::TooLarge => "message over 4096 bytes",
            Close::Restart => "back in a moment",
            Close::SignedOut => "signed out",
            Close::Unknown => "no such game",
        }
    }
}

/// Message of a client: a type and the fields that it needs.
#[derive(Debug, Deserialize)]
pub struct Frame {
    /// Type.
    pub t: String,
    /// Fields.
    #[serde(default)]
    pub d: Data,
}

/// Fields of all message types.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Data {
    /// Command id, made by the client.
    pub cid: Option<Uuid>,
    /// Move notation.
    pub u: Option<String>,
    /// Number of plies that the player has seen.
    pub ply: Option<usize>,
    /// `yes`, `no` or another answer that the type allows.
    pub answer: Option<String>,
    /// Text of a chat message.
    pub text: Option<String>,
    /// Chat room: `player` or `spectator`.
    pub room: Option<String>,
    /// Ids of the games to follow.
    pub ids: Option<Vec<String>>,
    /// Client time, returned in the pong.
    pub c: Option<f64>,
    /// Round-trip time of the last ping as measured by the client, in milliseconds.
    pub lag: Option<f64>,
    /// Sides of a rematch: `same` or `changed`.
    pub sides: Option<String>,
    /// Start position of a rematch: `same` or `new`.
    pub board: Option<String>,
}

/// End of a connection, by the client or by the server.
#[derive(Debug)]
pub struct Gone;

/// Result of a read, not yet checked.
#[derive(Debug)]
pub struct Incoming(Option<Result<Message, axum::Error>>);

/// WebSocket with its limits.
#[derive(Debug)]
pub struct Connection {
    socket: WebSocket,
    credits: DefaultDirectRateLimiter,
    heard: Instant,
    lag_ms: i64,
}

impl Connection {
    fn new(socket: WebSocket, credits: u32) -> Connection {
        Connection { socket, credits: limiter(credits), heard: Instant::now(), lag_ms: 0 }
    }

    /// Sets the number of messages allowed in 20 s.
    pub fn set_credits(&mut self, credits: u32) {
        self.credits = limiter(credits);
    }

    /// Returns the round-trip time reported by the client, in milliseconds.
    pub fn lag_ms(&self) -> i64 {
        self.lag_ms
    }

    /// Waits for the next message. Cancel safe.
    pub async fn next(&mut self) -> Incoming {
        match tokio::time::timeout_at(self.heard + SILENCE_MAX, self.socket.recv()).await {
            Ok(received) => Incoming(received),
            Err(_) => Incoming(None),
        }
    }

    /// Checks a message. Returns a frame for the caller to handle, or `None` if nothing is left to
    /// do.
    ///
    /// # Errors
    /// The connection has ended, or was closed because of the message.
    pub async fn take(&mut self, incoming: Incoming) -> Result<Option<Frame>, Gone> {
        let message = match incoming.0 {
            Some(Ok(message)) => message,
            Some(Err(error)) => return Err(self.broken(error).await),
            None => return Err(Gone),
        };
        self.heard = Instant::now();
        if self.credits.check().is_err() {
            return Err(self.close(Close::Credits).await);
        }
        match message {
            Message::Text(text) if text.len() > FRAME_MAX => Err(self.close(Close::TooLarge).await),
            Message::Text(text) => self.read(&text).await,
            Message::Binary(_) => Err(self.close(Close::Binary).await),
            Message::Ping(_) | Message::Pong(_) => Ok(None),
            Message::Close(_) => Err(Gone),
        }
    }

    async fn read(&mut self, text: &str) -> Result<Option<Frame>, Gone> {
        match serde_json::from_str::<Frame>(text) {
            Ok(frame) if frame.t == "ping" => {
                self.lag_ms = frame.d.lag.map_or(0, |ms| ms as i64);
                self.send(wire::plain("pong", json!({ "at": now_ms(), "c": frame.d.c }))).await?;
                Ok(None)
            }
            Ok(frame) => Ok(Some(frame)),
            Err(error) => {
                self.refuse(None, "badFrame", &format!("Invalid message: {error}.")).await?;
                Ok(None)
            }
        }
    }

    /// Handles a read error of the WebSocket layer: a message that is too large, or a protocol
    /// error.
    async fn broken(&mut self, error: axum::Error) -> Gone {
        let too_large = error.to_string().to_ascii_lowercase().contains("too long");
        if too_large {
            return self.close(Close::TooLarge).await;
        }
        Gone
    }

    /// Sends a frame. Fails when the client has disconnected or reads too slowly.
    pub async fn send(&mut self, frame: Bytes) -> Result<(), Gone> {
        let text = Utf8Bytes::try_from(frame).map_err(|_| Gone)?;
        let sent = self.socket.send(Message::Text(text));
        match tokio::time::timeout(SEND_TIMEOUT, sent).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(Gone),
        }
    }

    /// Sends `refused` with a reason code and a sentence.
    pub async fn refuse(
        &mut self,
        cid: Option<Uuid>,
        reason: &'static str,
        error: &str,
    ) -> Result<(), Gone> {
        count(reason);
        let refused = json!({ "cid": cid, "reason": reason, "error": error });
        self.send(wire::plain("refused", refused)).await
    }

    /// Sends `refused` with the reason code and the sentence of an error, and the rating if it is
    /// the reason.
    pub async fn refuse_with(&mut self, cid: Option<Uuid>, error: Error) -> Result<(), Gone> {
        let (reason, text) = (error.word(), error.to_string());
        count(reason);
        let rating = error.rating();
        let refused = json!({ "cid": cid, "reason": reason, "error": text, "rating": rating });
        self.send(wire::plain("refused", refused)).await
    }

    /// Closes the connection with a code and reason.
    pub async fn close(&mut self, why: Close) -> Gone {
        if why.is_refusal() {
            count(why.word());
        }
        let frame = CloseFrame { code: why as u16, reason: why.reason().into() };
        let closing = async {
            if self.socket.send(Message::Close(Some(frame))).await.is_err() {
                return;
            }
            // Messages that were already sent are read, so that the client receives the close
            // frame.
            while let Some(Ok(_)) = self.socket.recv().await {}
            let _ = SinkExt::close(&mut self.socket).await;
        };
        let _ = tokio::time::timeout(CLOSE_TIMEOUT, closing).await;
        Gone
    }
}

fn count(reason: &'static str) {
    metrics::counter!("sprong_refusals_total", "road" => "socket", "reason" => reason).increment(1);
}

fn limiter(credits: u32) -> DefaultDirectRateLimiter {
    let credits = NonZeroU32::new(credits).unwrap_or(NonZeroU32::MIN);
    let each = (CREDIT_PERIOD / credits.get()).max(Duration::from_nanos(1));
    let quota = Quota::with_period(each).expect("non-zero period");
    DefaultDirectRateLimiter::direct(quota.allow_burst(credits))
}

/// WebSocket upgrade request from a page of this site.
#[derive(Debug)]
pub struct Upgrade {
    ws: WebSocketUpgrade,
    place: Option<Place>,
}

impl FromRequestParts<App> for Upgrade {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Upgrade, Error> {
        let headers: &HeaderMap = &parts.headers;
        if !is_own_origin(&app.config, headers, true) {
            return Err(Error::ForeignOrigin);
        }
        let place = parts.extensions.get::<Place>().cloned();
        let ws: Result<WebSocketUpgrade, WebSocketUpgradeRejection> =
            WebSocketUpgrade::from_request_parts(parts, app).await;
        let ws = ws.map_err(|_| {
            let why = "This endpoint requires a WebSocket upgrade.".to_owned();
            Error::BadField("badRequest", why)
        })?;
        Ok(Upgrade { ws, place })
    }
}

impl Upgrade {
    /// Accepts the upgrade and runs `talk` on the connection.
    pub fn run<F>(
        self,
        app: &App,
        credits: u32,
        talk: impl FnOnce(Connection) -> F + Send + 'static,
    ) -> Response
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let sockets = app.sockets.clone();
        let place = self.place;
        tuned(self.ws).on_upgrade(move |socket| async move {
            metrics::gauge!("sprong_sockets").increment(1.0);
            sockets.track_future(talk(Connection::new(socket, credits))).await;
            metrics::gauge!("sprong_sockets").decrement(1.0);
            drop(place);
        })
    }
}

/// Applies the buffer sizes and message limits of all WebSockets.
pub fn tuned(ws: WebSocketUpgrade) -> WebSocketUpgrade {
    ws.read_buffer_size(READ_BUFFER)
        .write_buffer_size(0)
        .max_write_buffer_size(WRITE_MAX)
        .max_message_size(READ_MAX)
        .max_frame_size(READ_MAX)
}
