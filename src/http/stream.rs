//! Streamed responses: newline-delimited JSON as in the lichess API, and exported text.
//!
//! Each response is written by a task of its own, which ends when the client disconnects, reads too
//! slowly, or the server stops. [`Streams`] limits the open streams per account and per network.

use super::App;
use super::error::Error;
use super::hold::{self, Holds};
use crate::config::Limits;
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
const KEEP_ALIVE: Duration = Duration::from_secs(5);

/// Number of chunks buffered for a slow reader.
const LINES_MAX: usize = 64;

/// Timeout of sending one chunk to a slow reader.
const SEND_TIMEOUT: Duration = Duration::from_secs(5);

/// End of a stream: the reader has disconnected, or the response was aborted.
#[derive(Debug)]
pub struct Closed;

/// Writing end of a stream.
#[derive(Clone, Debug)]
pub struct Lines(mpsc::Sender<Bytes>, Arc<AtomicBool>);

impl Lines {
    /// Sends a value as one line of JSON. Fails when the reader has disconnected or reads too
    /// slowly.
    pub async fn send(&self, value: &impl Serialize) -> Result<(), Closed> {
        let mut line = serde_json::to_vec(value).expect("serializable message");
        line.push(b'\n');
        self.text(Bytes::from(line)).await
    }

    /// Sends text as it is. Fails when the reader has disconnected or reads too slowly.
    pub async fn text(&self, text: Bytes) -> Result<(), Closed> {
        self.0.send_timeout(text, SEND_TIMEOUT).await.map_err(|_| self.broken())
    }

    /// Marks the response as incomplete: the body ends with an error, which the reader can detect.
    pub fn broken(&self) -> Closed {
        self.1.store(true, Ordering::Relaxed);
        Closed
    }

    async fn keep_alive(&self) {
        loop {
            tokio::select! {
                () = self.0.closed() => return,
                () = tokio::time::sleep(KEEP_ALIVE) => {}
            }
            if self.text(Bytes::from_static(b"\n")).await.is_err() {
                return;
            }
        }
    }
}

/// Maximum number of streams per guest; programs use accounts.
const GUEST_STREAMS_MAX: u32 = 8;

/// Counts of open streams by account and by network.
#[derive(Clone, Debug, Default)]
pub struct Streams {
    accounts: Holds<String>,
    networks: Holds<IpAddr>,
}

/// Permit for a stream of an account and of its network, released on drop.
#[derive(Debug)]
#[expect(dead_code, reason = "held, never read")]
pub struct Held(hold::Held<String>, hold::Held<IpAddr>);

impl Streams {
    /// Reserves a stream for an account, or for a network if there is none, and for the network as
    /// a whole. Returns [`Error::TooManyStreams`] if a limit is reached.
    pub fn hold(
        &self,
        account: Option<&Account>,
        network: IpAddr,
        limits: &Limits,
    ) -> Result<Held, Error> {
        let holder = account.map_or_else(|| network.to_string(), |account| account.id.clone());
        let is_guest = account.is_some_and(|account| account.guest);
        let max =
            if is_guest { limits.streams_max.min(GUEST_STREAMS_MAX) } else { limits.streams_max };
        let of_account = self.accounts.hold(holder, max).ok_or(Error::TooManyStreams(max))?;
        let max = limits.address_streams_max;
        let of_network = self.networks.hold(network, max);
        Ok(Held(of_account, of_network.ok_or(Error::TooManyStreams(max))?))
    }
}

/// Returns a streamed response written by `talk`. It ends when `talk` returns, the reader
/// disconnects, or the server stops. `held` is dropped before the reader sees the end, so that its
/// next request finds the permit released.
pub fn stream<H, F>(
    app: &App,
    held: H,
    content_type: &'static str,
    talk: impl FnOnce(Lines) -> F + Send + 'static,
) -> Response
where
    H: Send + 'static,
    F: Future<Output = Result<(), Closed>> + Send + 'static,
{
    let (sender, receiver) = mpsc::channel(LINES_MAX);
    let broken = Arc::new(AtomicBool::new(false));
    let lines = Lines(sender, broken.clone());
    let stop = app.stop.clone();
    let blank = content_type == NDJSON;
    app.sockets.spawn(async move {
        let (idle, end) = (lines.clone(), lines.clone());
        let keep_alive =
            async move { if blank { idle.keep_alive().await } else { idle.0.closed().await } };
        tokio::select! {
            _ = talk(lines) => {}
            () = keep_alive => {}
            () = stop.cancelled() => {}
        }
        drop(held);
        drop(end);
    });
    let body = unfold((receiver, broken), |(mut receiver, broken)| async {
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
