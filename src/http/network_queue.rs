//! One request at a time for each network, on routes whose requests cost the server much.
//!
//! The rate limits let a client spend the allowance of a minute in one second. On these routes the
//! requests of one network then wait for each other, so that the moves of everybody else do not wait
//! for them.

use super::App;
use super::error::Error;
use super::rate::Address;
use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard};

type Turn = Arc<tokio::sync::Mutex<()>>;

/// The networks that have requests under way. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct NetworkQueue(Arc<Mutex<HashMap<IpAddr, Turn>>>);

/// A request of a network, which is under way or waits.
struct Entry {
    queue: NetworkQueue,
    network: IpAddr,
    turn: Turn,
}

impl NetworkQueue {
    fn table(&self) -> MutexGuard<'_, HashMap<IpAddr, Turn>> {
        self.0.lock().expect("table of networks")
    }

    /// Runs `work` when the earlier work of the same network is done.
    async fn run<T>(&self, network: IpAddr, work: impl Future<Output = T>) -> T {
        let turn = self.table().entry(network).or_default().clone();
        let entry = Entry { queue: self.clone(), network, turn };
        let _turn = entry.turn.lock().await;
        work.await
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        let mut table = self.queue.table();
        // The table and this entry hold the turn; any further request would hold it as well.
        if Arc::strong_count(&self.turn) == 2 {
            table.remove(&self.network);
        }
    }
}

/// Handles a request when it is the turn of its network's request.
pub async fn in_turn(
    State(app): State<App>,
    Address(network): Address,
    request: Request,
    next: Next,
) -> Result<Response, Error> {
    let (parts, body) = request.into_parts();
    let head = parts.clone();
    // A body that comes slowly must not keep the others waiting.
    let body = match Bytes::from_request(Request::from_parts(parts, body), &app).await {
        Ok(body) => body,
        Err(refused) => return Ok(refused.into_response()),
    };
    let request = Request::from_parts(head, Body::from(body));
    Ok(app.queue.run(network, next.run(request)).await)
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::{FutureExt, poll};
    use tokio::sync::oneshot;

    #[tokio::test]
    async fn requests_of_one_network_run_one_after_another_and_none_is_remembered() {
        let queue = NetworkQueue::default();
        let [here, there] = [IpAddr::from([1, 2, 3, 4]), IpAddr::from([1, 2, 3, 5])];
        let (end, ended) = oneshot::channel::<()>();
        let mut first = Box::pin(queue.run(here, ended));
        let mut second = Box::pin(queue.run(here, async { 2 }));
        let mut third = Box::pin(queue.run(here, async { 3 }));
        assert!(poll!(&mut first).is_pending());
        assert!(poll!(&mut second).is_pending());
        assert!(poll!(&mut third).is_pending());
        assert_eq!(queue.run(there, async { 1 }).now_or_never(), Some(1));
        // Its client does not wait any more.
        drop(second);
        end.send(()).expect("the first request");
        assert_eq!(first.await, Ok(()));
        assert_eq!(third.await, 3);
        assert!(queue.table().is_empty());
        let mut dropped = Box::pin(queue.run(here, std::future::pending::<()>()));
        assert!(poll!(&mut dropped).is_pending());
        drop(dropped);
        assert!(queue.table().is_empty());
    }
}
