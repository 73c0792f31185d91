//! Queues that run one request per network at a time, on expensive routes.
//!
//! The rate limits let a client spend the allowance of a minute in one second. On these routes the
//! requests of one network wait for each other, so that they do not delay the moves of other
//! players. Each group of routes has its own queue, so that lists never delay a challenge. Caller:
//! `router`.

use crate::http::App;
use crate::http::error::Error;
use crate::http::extract::form_fields::read_body;
use crate::http::limits::rate_limiter::ClientNetwork;
use axum::body::Body;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::Response;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard};
use tokio::sync::OwnedMutexGuard;

type NetworkLock = Arc<tokio::sync::Mutex<()>>;

/// Networks with running or waiting requests. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct NetworkQueue(Arc<Mutex<HashMap<IpAddr, NetworkLock>>>);

/// Request of a network. It holds the network's lock when its turn has come.
struct QueueEntry {
    queue: NetworkQueue,
    network: IpAddr,
    lock: Option<NetworkLock>,
    guard: Option<OwnedMutexGuard<()>>,
}

impl NetworkQueue {
    fn table(&self) -> MutexGuard<'_, HashMap<IpAddr, NetworkLock>> {
        self.0.lock().expect("table is not poisoned")
    }

    /// Waits until no other request of the network runs. The next one waits until the entry is
    /// dropped. Cancel safe.
    async fn enter(&self, network: IpAddr) -> QueueEntry {
        let lock = self.table().entry(network).or_default().clone();
        let queue = self.clone();
        let mut entry = QueueEntry { queue, network, lock: Some(lock.clone()), guard: None };
        entry.guard = Some(lock.lock_owned().await);
        entry
    }
}

impl Drop for QueueEntry {
    fn drop(&mut self) {
        self.guard = None;
        let mut table = self.queue.table();
        self.lock = None;
        // If no other request exists, only the table holds the lock.
        if table.get(&self.network).is_some_and(|lock| Arc::strong_count(lock) == 1) {
            table.remove(&self.network);
        }
    }
}

/// Middleware that runs a request when the queue of its network reaches it.
pub async fn run_in_turn(
    State((app, queue)): State<(App, NetworkQueue)>,
    request: Request,
    next: Next,
) -> Result<Response, Error> {
    let (mut head, body) = request.into_parts();
    let ClientNetwork(network) = ClientNetwork::from_request_parts(&mut head, &app).await?;
    let mut request = Request::from_parts(head.clone(), body);
    if head.method == Method::POST {
        // A body that arrives slowly must not delay the other requests.
        let body = read_body(request, &app).await?;
        request = Request::from_parts(head, Body::from(body));
    }
    let entry = queue.enter(network).await;
    // The handler continues after the client disconnects, and keeps its turn until it ends.
    let work = tokio::spawn(async move {
        let response = next.run(request).await;
        drop(entry);
        response
    });
    Ok(work.await?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::{FutureExt, poll};

    #[tokio::test]
    async fn requests_of_one_network_run_one_after_another() {
        let queue = NetworkQueue::default();
        let [network, other_network] = [IpAddr::from([1, 2, 3, 4]), IpAddr::from([1, 2, 3, 5])];
        let first = queue.enter(network).await;
        let mut second = Box::pin(queue.enter(network));
        let mut third = Box::pin(queue.enter(network));
        assert!(poll!(&mut second).is_pending());
        assert!(poll!(&mut third).is_pending());
        assert!(queue.enter(other_network).now_or_never().is_some());
        // The client of the second request disconnects.
        drop(second);
        drop(first);
        let third = third.await;
        assert_eq!(queue.table().len(), 1);
        drop(third);
        assert!(queue.table().is_empty());
    }

    #[tokio::test]
    async fn canceled_requests_leave_no_entry() {
        let queue = NetworkQueue::default();
        let network = IpAddr::from([1, 2, 3, 4]);
        let first = queue.enter(network).await;
        let mut second = Box::pin(queue.enter(network));
        assert!(poll!(&mut second).is_pending());
        drop(first);
        drop(second);
        assert!(queue.table().is_empty());
    }
}
