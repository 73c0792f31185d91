//! Relay between a game client and the server that delays, cuts, duplicates and swaps messages,
//! with random parameters for each schedule. Used by `proxy`.

use super::game_client::Io;
use futures_util::{Sink, SinkExt, Stream, StreamExt};
use sprong::rules::SplitMix;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{Instant, sleep_until, timeout};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::handshake::server::{Request, Response};
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{accept_hdr_async, client_async};
use tokio_util::sync::CancellationToken;

/// Maximum wait for the second message of a swap, in milliseconds.
const SWAP_MS: u64 = 300;

/// Fault rates of a schedule, each in messages per thousand.
#[derive(Clone, Copy, Debug)]
pub struct FaultRates {
    delayed: usize,
    duplicated: usize,
    swapped: usize,
    cut: usize,
    /// Connections per thousand that are refused.
    refused: usize,
    /// Maximum delay, in milliseconds.
    delay_max_ms: usize,
    /// Factor by which all delays are shorter than in a browser.
    speedup: u32,
}

impl FaultRates {
    /// Draws random rates.
    pub fn random(random: &mut SplitMix, speedup: u32) -> FaultRates {
        // Only the longest delay exceeds the timeout after which a client gives up a connection.
        let delay_max_ms = [20, 20, 200, 200, 200, 2_000, 2_000, 12_000][random.below(8)];
        FaultRates {
            delayed: random.below(400),
            duplicated: random.below(200),
            swapped: random.below(200),
            cut: random.below(80),
            refused: random.below(300),
            delay_max_ms,
            speedup,
        }
    }

    fn ms(&self, ms: u64) -> Duration {
        Duration::from_millis(ms) / self.speedup
    }
}

/// Forwards messages until one end closes or the connection is cut.
pub async fn relay(down: Io, dial: impl AsyncFnOnce() -> Option<Io>, rates: FaultRates, seed: u64) {
    let mut random = SplitMix::new(seed);
    if random.below(1000) < rates.refused {
        return;
    }
    let mut upgrade_request = None;
    #[expect(clippy::result_large_err, reason = "the library's own type")]
    let callback = |request: &Request, response: Response| {
        upgrade_request = Some(request.clone());
        Ok(response)
    };
    let Ok(down) = accept_hdr_async(down, callback).await else { return };
    let upgrade_request = upgrade_request.expect("a request");
    let host = upgrade_request.headers()["host"].to_str().expect("host");
    let mut request =
        format!("ws://{host}{}", upgrade_request.uri()).into_client_request().expect("address");
    for name in ["cookie", "origin"] {
        if let Some(value) = upgrade_request.headers().get(name) {
            request.headers_mut().insert(name, value.clone());
        }
    }
    let Some(up) = dial().await else { return };
    let Ok((up, _)) = client_async(request, up).await else { return };
    let (to_page, from_page) = down.split();
    let (to_server, from_server) = up.split();
    let cut = CancellationToken::new();
    let (one, two) = (SplitMix::new(random.next_u64()), SplitMix::new(random.next_u64()));
    tokio::select! {
        () = forward(from_page, to_server, rates, one, cut.clone()) => {}
        () = forward(from_server, to_page, rates, two, cut.clone()) => {}
        () = cut.cancelled() => {}
    }
}

/// Forwards one direction; each message is sent when its delay has passed.
async fn forward(
    from: impl Stream<Item = Result<Message, Error>> + Unpin,
    to: impl Sink<Message, Error = Error> + Unpin,
    rates: FaultRates,
    random: SplitMix,
    cut: CancellationToken,
) {
    let (queue, due) = unbounded_channel();
    tokio::join!(enqueue(from, queue, rates, random, cut), deliver(to, due));
}

type Due = (Instant, Message);

async fn enqueue(
    mut from: impl Stream<Item = Result<Message, Error>> + Unpin,
    queue: UnboundedSender<Due>,
    rates: FaultRates,
    mut random: SplitMix,
    cut: CancellationToken,
) {
    let mut at = Instant::now();
    while let Some(Ok(message)) = from.next().await {
        let mut of_a_thousand = |share| random.below(1000) < share;
        if of_a_thousand(rates.cut) {
            return cut.cancel();
        }
        let (late, double) = (of_a_thousand(rates.delayed), of_a_thousand(rates.duplicated));
        let mut messages = vec![message];
        if of_a_thousand(rates.swapped)
            && let Ok(Some(Ok(next))) = timeout(rates.ms(SWAP_MS), from.next()).await
        {
            messages.insert(0, next);
        }
        if double {
            messages.push(messages[0].clone());
        }
        if late {
            let ms = 1 + random.below(rates.delay_max_ms) as u64;
            at = at.max(Instant::now() + rates.ms(ms));
        }
        for message in messages {
            if queue.send((at, message)).is_err() {
                return;
            }
        }
    }
}

async fn deliver(
    mut to: impl Sink<Message, Error = Error> + Unpin,
    mut due: UnboundedReceiver<Due>,
) {
    while let Some((at, message)) = due.recv().await {
        sleep_until(at).await;
        if to.send(message).await.is_err() {
            return;
        }
    }
}
