//! One connection: frames in, frames out, and the limits of both.

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

/// The longest text from a client, in bytes.
const FRAME_MAX: usize = 4096;

/// Bytes the socket reads before it gives up on a message.
const READ_MAX: usize = 8 * 1024;

/// Bytes it holds of a message that it sends: the whole of the longest game fits, and the most legal
/// moves that a position can have (over a hundred thousand, where many penalties can be combined).
pub const WRITE_MAX: usize = 4 * 1024 * 1024;

/// Bytes read at one time: the default would cost every connection 128 KiB.
const READ_BUFFER: usize = 4 * 1024;

/// Message credits come back over this time.
const CREDIT_PERIOD: Duration = Duration::from_secs(20);

/// A client that says nothing for so long has gone.
const SILENCE_MAX: Duration = Duration::from_secs(30);

/// A client that takes nothing for so long is not waited for.
const SEND_TIMEOUT: Duration = Duration::from_secs(5);

/// How long the other end may take to answer a close.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);

/// Why the server ends a connection: the codes of RFC 6455, and one of our own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Close {
    /// A binary frame.
    Binary = 1003,
    /// Too many messages.
    Credits = 1008,
    /// A message over the limit.
    TooLarge = 1009,
    /// The server is going down: come back in a moment.
    Restart = 1012,
    /// The session has ended: do not come back with it.
    SignedOut = 4401,
    /// There is no such game: do not come back.
    Unknown = 4404,
}

impl Close {
    /// Whether it was the client's doing.
    fn is_refusal(self) -> bool {
        matches!(self, Close::Binary | Close::Credits | Close::TooLarge | Close::Unknown)
    }

    /// Its word among the reasons for which something is refused.
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

/// What clients send: a type, and what it needs of the fields.
#[derive(Debug, Deserialize)]
pub struct Frame {
    /// The type.
    pub t: String,
    /// The fields.
    #[serde(default)]
    pub d: Data,
}

/// The fields that any message may have.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Data {
    /// The command's id, made by the client.
    pub cid: Option<Uuid>,
    /// A notation.
    pub u: Option<String>,
    /// How many plies the player had seen.
    pub ply: Option<usize>,
    /// `yes` or `no`.
    pub answer: Option<String>,
    /// What is said.
    pub text: Option<String>,
    /// To whom.
    pub room: Option<String>,
    /// Which games.
    pub ids: Option<Vec<String>>,
    /// The client's time, given back in the pong.
    pub c: Option<f64>,
    /// How long its last ping was on the way and back, in milliseconds, as it says.
    pub lag: Option<f64>,
    /// Of a rematch: `same` or `changed`.
    pub sides: Option<String>,
    /// Of a rematch: `same` or `new`.
    pub board: Option<String>,
}

/// Somebody has gone, or was sent away.
#[derive(Debug)]
pub struct Gone;

/// What the other end did, before anybody has looked at it.
#[derive(Debug)]
pub struct Incoming(Option<Result<Message, axum::Error>>);

/// A socket with its limits.
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

    /// From now on so many messages may come in 20 s.
    pub fn set_credits(&mut self, credits: u32) {
        self.credits = limiter(credits);
    }

    /// How long a message is on the way there and back, in milliseconds, as the client says.
    pub fn lag_ms(&self) -> i64 {
        self.lag_ms
    }

    /// Waits for the other end. Nothing is lost when this is dropped half-way.
    pub async fn next(&mut self) -> Incoming {
        match tokio::time::timeout_at(self.heard + SILENCE_MAX, self.socket.recv()).await {
            Ok(received) => Incoming(received),
            Err(_) => Incoming(None),
        }
    }

    /// Looks at what came: a message to be answered by the caller, or nothing that is left to do.
    ///
    /// # Errors
    /// When the connection has ended or was ended for what came.
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
                self.refuse(None, "badFrame", &format!("Not a message: {error}.")).await?;
                Ok(None)
            }
        }
    }

    /// The socket gave up on what it read: too large, or not of the protocol.
    async fn broken(&mut self, error: axum::Error) -> Gone {
        let too_large = error.to_string().to_ascii_lowercase().contains("too long");
        if too_large {
            return self.close(Close::TooLarge).await;
        }
        Gone
    }

    /// Sends a frame, and waits until it is on its way.
    ///
    /// # Errors
    /// When the other end has gone, or takes nothing.
    pub async fn send(&mut self, frame: Bytes) -> Result<(), Gone> {
        let text = Utf8Bytes::try_from(frame).map_err(|_| Gone)?;
        let sent = self.socket.send(Message::Text(text));
        match tokio::time::timeout(SEND_TIMEOUT, sent).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(Gone),
        }
    }

    /// Says no to a message, with a machine word and a sentence.
    ///
    /// # Errors
    /// When the other end has gone.
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

    /// Says no with an error's word and sentence, and the rating if that is why.
    ///
    /// # Errors
    /// When the other end has gone.
    pub async fn refuse_with(&mut self, cid: Option<Uuid>, error: Error) -> Result<(), Gone> {
        let (reason, text) = (error.word(), error.to_string());
        count(reason);
        let rating = error.rating();
        let refused = json!({ "cid": cid, "reason": reason, "error": text, "rating": rating });
        self.send(wire::plain("refused", refused)).await
    }

    /// Ends the connection and says why.
    pub async fn close(&mut self, why: Close) -> Gone {
        if why.is_refusal() {
            count(why.word());
        }
        let frame = CloseFrame { code: why as u16, reason: why.reason().into() };
        let closing = async {
            if self.socket.send(Message::Close(Some(frame))).await.is_err() {
                return;
            }
            // What the other end has still sent is read, so that the close reaches it.
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
    let quota = Quota::with_period(each).expect("a period above nothing");
    DefaultDirectRateLimiter::direct(quota.allow_burst(credits))
}

/// A request that will become a socket: it comes from our own pages.
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
            let why = "This address speaks WebSocket alone.".to_owned();
            Error::BadField("badRequest", why)
        })?;
        Ok(Upgrade { ws, place })
    }
}

impl Upgrade {
    /// Answers the request, and runs the conversation once the socket is there.
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

/// Gives a socket the buffers and the limits of all sockets here.
pub fn tuned(ws: WebSocketUpgrade) -> WebSocketUpgrade {
    ws.read_buffer_size(READ_BUFFER)
        .write_buffer_size(0)
        .max_write_buffer_size(WRITE_MAX)
        .max_message_size(READ_MAX)
        .max_frame_size(READ_MAX)
}
