//! WebSocket connections: parsing of client messages, sending of frames, and limits of both.
//!
//! All WebSocket routes accept an [`SocketUpgrade`] and then own a [`Connection`]. A message over
//! the size or rate limit closes the connection; an invalid one is answered with `refused`.
//! Callers: the modules of `sockets`.

use crate::http::App;
use crate::http::error::Error;
use crate::http::extract::auth::is_own_origin;
use crate::http::messages;
use crate::http::messages::socket::client::{self, ClientMessage, Ping};
use crate::http::messages::socket::server::ReplyMessage;
use crate::http::server::connection::ConnectionPermit;
use crate::play::reason::Reason;
use crate::rooms::now_ms;
use axum::extract::FromRequestParts;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use axum::response::Response;
use bytes::Bytes;
use futures_util::{SinkExt, poll};
use governor::{DefaultDirectRateLimiter, Quota};
use serde::Serialize;
use std::any::type_name;
use std::num::NonZeroU32;
use std::pin::{Pin, pin};
use std::task::Poll;
use std::time::Duration;
use strum::IntoStaticStr;
use tokio::time::{Instant, Sleep};
use uuid::Uuid;

/// Maximum size of a client message, in bytes.
const MESSAGE_MAX_BYTES: usize = 4096;

/// Bytes of a message that are read before the WebSocket layer gives up.
const READ_MAX_BYTES: usize = 8 * 1024;

/// Maximum bytes buffered of an outgoing message. The full state of the longest game fits, and so
/// do the legal moves of any position (over a hundred thousand, where many penalties can be
/// combined).
pub const WRITE_BUFFER_MAX_BYTES: usize = 4 * 1024 * 1024;

/// Bytes of queued messages from which they are written before the flush.
const WRITE_BUFFER_BYTES: usize = 4 * 1024;

/// Size of the read buffer, in bytes: enough for a command. The default would cost 128 KiB per
/// connection.
const READ_BUFFER_BYTES: usize = 512;

/// Maximum size of the future of a connection, which an idle client keeps in memory: large
/// futures that are rarely awaited must be boxed.
const FUTURE_MAX_BYTES: usize = 2 * 1024;

/// Period in which message credits are restored.
const CREDIT_PERIOD: Duration = Duration::from_secs(20);

/// Time without messages after which a client is disconnected.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);

/// Timeout of sending one frame.
const SEND_TIMEOUT: Duration = Duration::from_secs(5);

/// Timeout of the closing handshake.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);

/// Close codes: registered ones, and two of the private range (RFC 6455 §7.4.2). The names are
/// labels of the metric of rejections.
#[derive(Clone, Copy, PartialEq, Eq, Debug, IntoStaticStr)]
#[strum(serialize_all = "camelCase")]
pub enum CloseReason {
    /// Binary frame.
    Binary = 1003,
    /// Too many messages.
    #[strum(serialize = "tooManyMessages")]
    RateLimited = 1008,
    /// Message over the size limit.
    TooLarge = 1009,
    /// Reconnect soon: the server is shutting down, or the cookie belongs to another account now.
    Reconnect = 1012,
    /// Session has ended; do not reconnect with it.
    SignedOut = 4401,
    /// No such game; do not reconnect.
    NotFound = 4404,
}

impl CloseReason {
    /// Returns whether the client caused the close.
    fn is_client_error(self) -> bool {
        matches!(
            self,
            CloseReason::Binary
                | CloseReason::RateLimited
                | CloseReason::TooLarge
                | CloseReason::NotFound
        )
    }

    fn reason(self) -> &'static str {
        match self {
            CloseReason::Binary => "text frames only",
            CloseReason::RateLimited => "too many messages",
            CloseReason::TooLarge => "message over 4096 bytes",
            CloseReason::Reconnect => "back in a moment",
            CloseReason::SignedOut => "signed out",
            CloseReason::NotFound => "no such game",
        }
    }
}

/// End of a connection, by the client or by the server.
#[derive(Debug)]
pub struct Disconnected;

/// Result of a read, not yet checked.
#[derive(Debug)]
pub struct Received(Option<Result<Message, axum::Error>>);

/// WebSocket with its limits.
#[derive(Debug)]
pub struct Connection {
    socket: WebSocket,
    credits: DefaultDirectRateLimiter,
    last_received_at: Instant,
    /// Timer of the idle timeout. It stays registered, and is set again when it has elapsed.
    idle: Pin<Box<Sleep>>,
    lag_ms: i64,
    /// Whether one of both sides has closed the connection.
    is_closed: bool,
}

impl Connection {
    fn new(socket: WebSocket, credits: u32) -> Connection {
        Connection {
            socket,
            credits: credit_limiter(credits),
            last_received_at: Instant::now(),
            idle: Box::pin(tokio::time::sleep(IDLE_TIMEOUT)),
            lag_ms: 0,
            is_closed: false,
        }
    }

    /// Sets the number of messages allowed in 20 s.
    pub fn set_credits(&mut self, credits: u32) {
        self.credits = credit_limiter(credits);
    }

    /// Returns the time of the last message, if the connection was lost after it without being
    /// closed.
    pub fn lost_since(&self) -> Option<Instant> {
        (!self.is_closed).then_some(self.last_received_at)
    }

    /// Returns the round-trip time reported by the client, in milliseconds.
    pub fn lag_ms(&self) -> i64 {
        self.lag_ms
    }

    /// Waits for the next message. Cancel safe.
    pub async fn next(&mut self) -> Received {
        loop {
            tokio::select! {
                biased;
                received = self.socket.recv() => return Received(received),
                () = &mut self.idle => {
                    let idle_at = self.last_received_at + IDLE_TIMEOUT;
                    if idle_at <= Instant::now() {
                        return Received(None);
                    }
                    self.idle.as_mut().reset(idle_at);
                }
            }
        }
    }

    /// Checks and parses a message. Returns the message for the caller to handle, or `None` if
    /// nothing is left to do.
    ///
    /// # Errors
    /// The connection has ended, or was closed because of the message.
    pub async fn process<M: ClientMessage>(
        &mut self,
        incoming: Received,
    ) -> Result<Option<M>, Disconnected> {
        let message = match incoming.0 {
            Some(Ok(message)) => message,
            Some(Err(error)) => return Err(self.handle_read_error(error).await),
            None => return Err(Disconnected),
        };
        self.last_received_at = Instant::now();
        if self.credits.check().is_err() {
            return Err(self.close(CloseReason::RateLimited).await);
        }
        match message {
            Message::Text(text) if text.len() > MESSAGE_MAX_BYTES => {
                Err(self.close(CloseReason::TooLarge).await)
            }
            Message::Text(text) => self.parse_message(&text).await,
            Message::Binary(_) => Err(self.close(CloseReason::Binary).await),
            Message::Ping(_) | Message::Pong(_) => Ok(None),
            Message::Close(_) => {
                self.is_closed = true;
                Err(Disconnected)
            }
        }
    }

    /// Parses a message, and answers it if it is invalid.
    async fn parse_message<M: ClientMessage>(
        &mut self,
        text: &str,
    ) -> Result<Option<M>, Disconnected> {
        match client::parse(text) {
            Ok(message) => Ok(Some(message)),
            Err(error) => {
                let text = error.to_string();
                Box::pin(self.send_refused(error.cid(), error.code(), &text)).await?;
                Ok(None)
            }
        }
    }

    /// Answers a ping.
    pub async fn pong(&mut self, Ping { c, lag }: Ping) -> Result<(), Disconnected> {
        self.lag_ms = lag.map_or(0, |ms| ms as i64);
        let pong = messages::frame(&ReplyMessage::Pong { at: now_ms(), c });
        self.send(pong).await
    }

    /// Handles a read error of the WebSocket layer: a message that is too large, or a protocol
    /// error.
    async fn handle_read_error(&mut self, error: axum::Error) -> Disconnected {
        let too_large = error.to_string().to_ascii_lowercase().contains("too long");
        if too_large {
            return self.close(CloseReason::TooLarge).await;
        }
        Disconnected
    }

    /// Sends a message. Fails when the client has disconnected or reads too slowly.
    pub async fn send_message(&mut self, message: &impl Serialize) -> Result<(), Disconnected> {
        self.send(messages::frame(message)).await
    }

    /// Sends a frame. Fails when the client has disconnected or reads too slowly.
    pub async fn send(&mut self, frame: Bytes) -> Result<(), Disconnected> {
        self.queue(frame).await?;
        self.flush().await
    }

    /// Adds a frame to those that the next [`flush`](Connection::flush) sends in one packet. Fails
    /// when the client has disconnected or reads too slowly.
    pub async fn queue(&mut self, frame: Bytes) -> Result<(), Disconnected> {
        let text = Utf8Bytes::try_from(frame).map_err(|_| Disconnected)?;
        in_time(self.socket.feed(Message::Text(text))).await
    }

    /// Sends the frames that were added since the last flush.
    pub async fn flush(&mut self) -> Result<(), Disconnected> {
        in_time(self.socket.flush()).await
    }

    /// Sends `refused` with a reason code and a sentence.
    pub async fn send_refused(
        &mut self,
        cid: Option<Uuid>,
        reason: Reason,
        error: &str,
    ) -> Result<(), Disconnected> {
        count_rejection(reason.as_str());
        self.send_message(&ReplyMessage::Refused { cid, reason, error, rule: None, rating: None })
            .await
    }

    /// Sends `refused` with the reason code and the sentence of an error, and the rating if it is
    /// the reason.
    pub async fn send_error(
        &mut self,
        cid: Option<Uuid>,
        error: Error,
    ) -> Result<(), Disconnected> {
        let (reason, text) = (error.reason(), error.to_string());
        count_rejection(reason.as_str());
        let (rule, rating) = (error.rule(), error.rating());
        self.send_message(&ReplyMessage::Refused { cid, reason, error: &text, rule, rating }).await
    }

    /// Closes the connection with a code and reason.
    pub async fn close(&mut self, reason: CloseReason) -> Disconnected {
        self.is_closed = true;
        if reason.is_client_error() {
            count_rejection(reason.into());
        }
        let frame = CloseFrame { code: reason as u16, reason: reason.reason().into() };
        let closing = async {
            if self.socket.send(Message::Close(Some(frame))).await.is_err() {
                return;
            }
            // Messages that were already sent are read, so that the client receives the close
            // frame.
            while let Some(Ok(_)) = self.socket.recv().await {}
            let _ = SinkExt::close(&mut self.socket).await;
        };
        // On the heap, as other rare work: the future of a connection has room for all of it.
        let _ = Box::pin(tokio::time::timeout(CLOSE_TIMEOUT, closing)).await;
        Disconnected
    }
}

/// Waits for a write. Fails when the client has disconnected or reads too slowly.
async fn in_time(write: impl Future<Output = Result<(), axum::Error>>) -> Result<(), Disconnected> {
    let mut write = pin!(write);
    // Most writes are done at once and need no timer, which is boxed because it is rare.
    let done = match poll!(&mut write) {
        Poll::Ready(done) => Ok(done),
        Poll::Pending => Box::pin(tokio::time::timeout(SEND_TIMEOUT, write)).await,
    };
    match done {
        Ok(Ok(())) => Ok(()),
        _ => Err(Disconnected),
    }
}

fn count_rejection(reason: &'static str) {
    metrics::counter!("sprong_rejections_total", "transport" => "socket", "reason" => reason)
        .increment(1);
}

fn credit_limiter(credits: u32) -> DefaultDirectRateLimiter {
    let credits = NonZeroU32::new(credits).unwrap_or(NonZeroU32::MIN);
    let each = (CREDIT_PERIOD / credits.get()).max(Duration::from_nanos(1));
    let quota = Quota::with_period(each).expect("non-zero period");
    DefaultDirectRateLimiter::direct(quota.allow_burst(credits))
}

/// WebSocket upgrade request from a page of this site.
#[derive(Debug)]
pub struct SocketUpgrade {
    ws: WebSocketUpgrade,
    permit: Option<ConnectionPermit>,
}

impl FromRequestParts<App> for SocketUpgrade {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<SocketUpgrade, Error> {
        let headers: &HeaderMap = &parts.headers;
        if !is_own_origin(&app.config, headers, true) {
            return Err(Error::ForeignOrigin);
        }
        let permit = parts.extensions.get::<ConnectionPermit>().cloned();
        let ws: Result<WebSocketUpgrade, WebSocketUpgradeRejection> =
            WebSocketUpgrade::from_request_parts(parts, app).await;
        let ws = ws.map_err(|_| {
            let message = "This endpoint requires a WebSocket upgrade.".to_owned();
            Error::InvalidField(Reason::BadRequest, message)
        })?;
        Ok(SocketUpgrade { ws, permit })
    }
}

impl SocketUpgrade {
    /// Accepts the upgrade and runs `handler` on the connection.
    pub fn run<F>(
        self,
        app: &App,
        credits: u32,
        handler: impl FnOnce(Connection) -> F + Send + 'static,
    ) -> Response
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let bytes = size_of::<F>();
        debug_assert!(bytes <= FUTURE_MAX_BYTES, "{bytes} bytes: {}", type_name::<F>());
        let sockets = app.sockets.clone();
        let permit = self.permit;
        // On the heap: a task stores the handler, its future, and the future that it awaits.
        let handler = Box::new(handler);
        configure_websocket(self.ws).on_upgrade(move |socket| {
            let handled = Box::pin(handler(Connection::new(socket, credits)));
            let handled = sockets.track_future(handled);

            async move {
                metrics::gauge!("sprong_sockets").increment(1.0);
                handled.await;
                metrics::gauge!("sprong_sockets").decrement(1.0);
                drop(permit);
            }
        })
    }
}

/// Applies the buffer sizes and message limits of all WebSockets.
pub fn configure_websocket(ws: WebSocketUpgrade) -> WebSocketUpgrade {
    ws.read_buffer_size(READ_BUFFER_BYTES)
        .write_buffer_size(WRITE_BUFFER_BYTES)
        .max_write_buffer_size(WRITE_BUFFER_MAX_BYTES)
        .max_message_size(READ_MAX_BYTES)
        .max_frame_size(READ_MAX_BYTES)
}
