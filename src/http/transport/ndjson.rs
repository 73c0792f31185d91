//! Streamed responses: newline-delimited JSON as in the lichess API, and exported text.
//!
//! Each response is written by a task of its own, which ends when the client disconnects, reads too
//! slowly, or the server stops. [`StreamLimiter`] limits the open streams per account and per
//! network. Callers: `api::streams`, `api::tv`, exports and reviews of games.

use crate::config::Limits;
use crate::http::App;
use crate::http::error::Error;
use crate::http::limits::keyed_semaphore::{self, KeyedSemaphore};
use crate::store::Account;
use axum::body::Body;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::stream::{StreamExt, unfold};
use serde::Serialize;
use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::mpsc;

/// Content type of newline-delimited JSON.
pub const NDJSON: &str = "application/x-ndjson";

/// Interval of blank lines, by which clients and proxies see that the connection is alive.
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(5);

/// Number of chunks buffered for a slow reader.
const QUEUED_CHUNKS_MAX: usize = 64;

/// Timeout of sending one chunk to a slow reader.
const SEND_TIMEOUT: Duration = Duration::from_secs(5);

/// End of a stream: the reader has disconnected, or the response was aborted.
#[derive(Debug)]
pub struct StreamClosed;

/// Writing end of a stream.
#[derive(Clone, Debug)]
pub struct StreamSender(mpsc::Sender<Bytes>, Arc<AtomicBool>);

impl StreamSender {
    /// Sends a value as one line of JSON. Fails when the reader has disconnected or reads too
    /// slowly.
    pub async fn send(&self, value: &impl Serialize) -> Result<(), StreamClosed> {
        let mut line = serde_json::to_vec(value).expect("serializable message");
        line.push(b'\n');
        self.send_text(Bytes::from(line)).await
    }

    /// Sends text as it is. Fails when the reader has disconnected or reads too slowly.
    pub async fn send_text(&self, text: Bytes) -> Result<(), StreamClosed> {
        self.0.send_timeout(text, SEND_TIMEOUT).await.map_err(|_| self.abort())
    }

    /// Marks the response as incomplete: the body ends with an error, which the reader can detect.
    pub fn abort(&self) -> StreamClosed {
        self.1.store(true, Ordering::Relaxed);
        StreamClosed
    }

    async fn keep_alive(&self) {
        loop {
            tokio::select! {
                () = self.0.closed() => return,
                () = tokio::time::sleep(KEEP_ALIVE_INTERVAL) => {}
            }
            if self.send_text(Bytes::from_static(b"\n")).await.is_err() {
                return;
            }
        }
    }
}

/// Maximum number of streams per guest; programs use accounts.
const GUEST_STREAMS_MAX: u32 = 8;

/// Counts of open streams by account and by network.
#[derive(Clone, Debug, Default)]
pub struct StreamLimiter {
    accounts: KeyedSemaphore<String>,
    networks: KeyedSemaphore<IpAddr>,
}

/// Permit for a stream of an account and of its network, released on drop.
#[derive(Debug)]
#[expect(dead_code, reason = "held, never read")]
pub struct StreamPermit(keyed_semaphore::KeyedPermit<String>, keyed_semaphore::KeyedPermit<IpAddr>);

impl StreamLimiter {
    /// Reserves a stream for an account, or for a network if there is none, and for the network as
    /// a whole. Returns [`Error::TooManyStreams`] if a limit is reached.
    pub fn acquire(
        &self,
        account: Option<&Account>,
        network: IpAddr,
        limits: &Limits,
    ) -> Result<StreamPermit, Error> {
        let owner = account.map_or_else(|| network.to_string(), |account| account.id.clone());
        let is_guest = account.is_some_and(|account| account.guest);
        let max =
            if is_guest { limits.streams_max.min(GUEST_STREAMS_MAX) } else { limits.streams_max };
        let account_permit =
            self.accounts.try_acquire(owner, max).ok_or(Error::TooManyStreams(max))?;
        let max = limits.streams_per_address;
        let network_permit = self.networks.try_acquire(network, max);
        Ok(StreamPermit(account_permit, network_permit.ok_or(Error::TooManyStreams(max))?))
    }
}

/// Returns a streamed response written by `write`. It ends when `write` returns, the reader
/// disconnects, or the server stops. `permit` is dropped before the reader sees the end, so that
/// its next request finds it released.
pub fn stream_response<H, F>(
    app: &App,
    permit: H,
    content_type: &'static str,
    write: impl FnOnce(StreamSender) -> F + Send + 'static,
) -> Response
where
    H: Send + 'static,
    F: Future<Output = Result<(), StreamClosed>> + Send + 'static,
{
    let (sender, receiver) = mpsc::channel(QUEUED_CHUNKS_MAX);
    let is_aborted = Arc::new(AtomicBool::new(false));
    let lines = StreamSender(sender, is_aborted.clone());
    let ended = app.end_signal.ended();
    let sends_keep_alive = content_type == NDJSON;
    app.sockets.spawn(async move {
        let (idle, end) = (lines.clone(), lines.clone());
        let keep_alive = async move {
            if sends_keep_alive { idle.keep_alive().await } else { idle.0.closed().await }
        };
        tokio::select! {
            _ = write(lines) => {}
            () = keep_alive => {}
            () = ended => {}
        }
        drop(permit);
        drop(end);
    });
    let body = unfold((receiver, is_aborted), |(mut receiver, broken)| async {
        match receiver.recv().await {
            Some(line) => Some((Ok(line), (receiver, broken))),
            None if broken.swap(false, Ordering::Relaxed) => {
                Some((Err(io::Error::other("stream aborted")), (receiver, broken)))
            }
            None => None,
        }
    });
    // The compression layer polls again after the end, which `unfold` does not allow.
    let body = body.fuse();
    ([(header::CONTENT_TYPE, content_type)], Body::from_stream(body)).into_response()
}
