//! Health endpoints for operators and orchestrators.
//!
//! `/healthz` succeeds while the process responds. `/readyz` fails while the server is stopping,
//! while the database cannot be read and while it cannot be written. Status 404 lets a load
//! balancer send new connections elsewhere and keep the others, 503 also ends those. On an idle
//! server nothing else would detect that a full disk has space again, so a request itself causes a
//! trial write.

use crate::http::App;
use crate::rooms::Rooms;
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::get;
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

/// Age above which the outcome of a trial write is no longer valid.
const TRIAL_MAX_AGE: Duration = Duration::from_secs(1);

/// Timeout of a trial; shorter than that of `sprong health`.
const TRIAL_TIMEOUT: Duration = Duration::from_secs(2);

/// Outcome of the last trial write. At most one trial runs at a time.
#[derive(Debug, Default)]
pub struct Readiness {
    last: Mutex<Option<(Instant, bool)>>,
}

impl Readiness {
    /// Returns whether the database can be read and written, by a trial at most [`TRIAL_MAX_AGE`]
    /// old.
    async fn is_storing(&self, rooms: &Rooms) -> bool {
        let mut last = self.last.lock().await;
        if let Some((at, stored)) = *last
            && at.elapsed() < TRIAL_MAX_AGE
            // A room may have failed to store a move since a trial that succeeded.
            && !(stored && rooms.is_storage_failing())
        {
            return stored;
        }
        let trial = async { rooms.store().ping().await.is_ok() && rooms.store_heartbeat().await };
        let stored = timeout(TRIAL_TIMEOUT, trial).await.unwrap_or(false);
        *last = Some((Instant::now(), stored));
        stored
    }
}

async fn ready(State(app): State<App>) -> (StatusCode, &'static str) {
    if app.stop.is_cancelled() {
        return (StatusCode::SERVICE_UNAVAILABLE, "not ready: stopping");
    }
    if app.draining.is_cancelled() {
        return (StatusCode::NOT_FOUND, "not ready: draining");
    }
    if !app.rooms.is_receiving() {
        return (StatusCode::SERVICE_UNAVAILABLE, "not ready: no messages of servers are received");
    }
    if app.readiness.is_storing(&app.rooms).await {
        return (StatusCode::OK, "ready");
    }
    (StatusCode::SERVICE_UNAVAILABLE, "not ready: nothing can be stored")
}

/// Returns the routes of the health endpoints.
pub fn routes(app: &App) -> Router {
    Router::new()
        .route("/healthz", get(async || "ok"))
        .route("/readyz", get(ready))
        .with_state(app.clone())
}
