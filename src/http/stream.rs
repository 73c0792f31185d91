//! Streams of lines of JSON, as lichess' clients hold them.

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

/// The type of a stream.
pub const NDJSON: &str = "application/x-ndjson";

/// A blank line goes out at least so often, so that nobody takes the connection for dead.
const KEEP_ALIVE: Duration = Duration::from_secs(5);

/// Lines that may wait for a slow reader.
const LINES_MAX: usize = 64;

/// A reader that takes nothing for so long is not waited for.
const SEND_TIMEOUT: Duration = Duration::from_secs(5);

/// Nobody reads any more.
#[derive(Debug)]
pub struct Closed;

/// The writing end of a stream.
#[derive(Clone, Debug)]
pub struct Lines(mpsc::Sender<Bytes>, Arc<AtomicBool>);

impl Lines {
    /// Writes a value and ends the line.
    ///
    /// # Errors
    /// When nobody reads any more.
    pub async fn send(&self, value: &impl Serialize) -> Result<(), Closed> {
        let mut line = serde_json::to_vec(value).expect("message of plain values");
        line.push(b'\n');
        self.text(Bytes::from(line)).await
    }

    /// Writes text as it is.
    ///
    /// # Errors
    /// When nobody reads any more.
    pub async fn text(&self, text: Bytes) -> Result<(), Closed> {
        self.0.send_timeout(text, SEND_TIMEOUT).await.map_err(|_| self.broken())
    }

    /// What was to be written is not whole: whoever reads is not to take it for that.
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

/// Streams that one guest may hold; programs play with accounts.
const GUEST_STREAMS_MAX: u32 = 8;

/// Counts of the open streams of each account and of each network.
#[derive(Clone, Debug, Default)]
pub struct Streams {
    accounts: Holds<String>,
    networks: Holds<IpAddr>,
}

/// A place among the streams of an account and of its network, held until this is dropped.
#[derive(Debug)]
#[expect(dead_code, reason = "held, never read")]
pub struct Held(hold::Held<String>, hold::Held<IpAddr>);

impl Streams {
    /// Takes a place among the streams of an account, or of a network without one; and among all of
    /// that network.
    ///
    /// # Errors
    /// `tooMany` when either has no place left.
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

/// Answers with a stream that `talk` writes, of that type; it ends when `talk` does, when nobody
/// reads any more, or when the server stops. `held` is dropped before the reader sees the end, who may
/// then ask for the next one.
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
                Some((Err(io::Error::other("cut off")), (receiver, broken)))
            }
            None => None,
        }
    });
    // Whoever compresses asks once more after the end.
    let body = body.fuse();
    ([(header::CONTENT_TYPE, content_type)], Body::from_stream(body)).into_response()
}
