//! Queues that run one request per network at a time, on expensive routes.
//!
//! The rate limits let a client spend the allowance of a minute in one second. On these routes the
//! requests of one network wait for each other, so that they do not delay the moves of other
//! players. Each group of routes has its own queue, so that lists never delay a challenge. Caller:
//! `router`.

use crate::http::App;
use crate::http::error::Error;
use crate::http::extract::form_fields::read_body;
use crate::http::limits::keyed_queue::KeyedQueue;
use crate::http::limits::rate_limiter::ClientNetwork;
use axum::body::Body;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::Response;
use std::net::IpAddr;

/// Networks with running or waiting requests.
pub type NetworkQueue = KeyedQueue<IpAddr>;

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
