//! Signal that ends sockets and streams.
//!
//! Each connection polls it with every message, so that it is a topic: a poll uses no lock of other
//! connections. Callers: sockets, streams, and `server::listener`.

use crate::bus::Topic;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// Signal of one server.
#[derive(Clone, Debug, Default)]
pub struct EndSignal {
    open: Arc<Mutex<OpenConnections>>,
    stop: CancellationToken,
}

#[derive(Debug, Default)]
struct OpenConnections {
    /// Topic without events, which is dropped when they have to end.
    end: Topic<()>,
    /// Period over which the last connections that were ended are closed.
    period: Duration,
}

impl EndSignal {
    /// Creates a signal that `stop` ends for good.
    pub fn new(stop: CancellationToken) -> EndSignal {
        EndSignal { open: Arc::default(), stop }
    }

    fn open(&self) -> MutexGuard<'_, OpenConnections> {
        self.open.lock().expect("lock of the open connections")
    }

    /// Ends the connections that are open now, each at a random time within a period, so that
    /// their clients do not connect to other servers all at once.
    pub fn end_open(&self, period: Duration) {
        let mut open = self.open();
        open.period = period;
        open.end = Topic::default();
    }

    /// Waits until a connection that is open now has to end.
    pub fn ended(&self) -> impl Future<Output = ()> + Send + use<> {
        let (signal, mut end) = (self.clone(), self.open().end.subscribe());
        async move {
            if signal.stop.is_cancelled() {
                return;
            }
            let _ = end.next().await;
            let period = signal.open().period;
            // Boxed: each connection keeps this future.
            let wait = Box::pin(tokio::time::timeout(random_part(period), signal.stop.cancelled()));
            let _ = wait.await;
        }
    }
}

/// Returns a random duration up to `whole`.
fn random_part(whole: Duration) -> Duration {
    let random = getrandom::u32().expect("system random bytes");
    whole.mul_f64(f64::from(random) / f64::from(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    #[tokio::test(start_paused = true)]
    async fn open_connections_end_within_the_period() {
        let stop = CancellationToken::new();
        let signal = EndSignal::new(stop.clone());
        let mut before = std::pin::pin!(signal.ended());
        assert!(before.as_mut().now_or_never().is_none());
        signal.end_open(Duration::from_secs(5));
        let mut after = std::pin::pin!(signal.ended());
        tokio::time::timeout(Duration::from_secs(6), before).await.expect("ended");
        // A connection that was opened later goes on until the stop, which ends it at once.
        assert!(after.as_mut().now_or_never().is_none());
        stop.cancel();
        signal.end_open(Duration::from_secs(5));
        assert!(after.now_or_never().is_some());
        assert!(signal.ended().now_or_never().is_some());
    }
}
