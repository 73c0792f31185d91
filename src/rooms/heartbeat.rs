//! The heartbeat: a row with the last moment at which the server was alive. It bounds what a crash
//! gives back of a player's time, and its write tells whether anything can be stored.

use super::{Rooms, now_ms};
use std::time::Duration;

/// How often it is stored: so much of a player's time a crash may give back.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(1);

impl Rooms {
    /// Whether something could not be stored, and nothing has been since.
    pub fn is_broken(&self) -> bool {
        self.inner.pulse.is_broken()
    }

    /// Stores a heartbeat, and returns whether that succeeded. While the server starts or stops there
    /// is none to store: nobody can play. Then returns whether the last write succeeded.
    pub async fn try_store(&self) -> bool {
        if self.inner.pulse.shut_ms().is_some() {
            return !self.is_broken();
        }
        let tried_ms = self.inner.pulse.now_ms();
        if let Err(error) = self.store().alive(tried_ms).await {
            tracing::error!(%error, "Failed to store the heartbeat");
            self.inner.pulse.broken(tried_ms);
            return false;
        }
        self.healed();
        true
    }

    /// Stores heartbeats until the server stops.
    pub(super) async fn stay_alive(self) {
        while self.sleep(HEARTBEAT_INTERVAL).await {
            // A move that is due in days needs no room, and its time runs all the same.
            let unused = self.is_empty() && self.desk().is_empty() && !self.is_broken();
            if !unused {
                self.try_store().await;
            }
        }
        let last_ms = self.inner.pulse.shut_ms().unwrap_or_else(now_ms);
        if let Err(error) = self.store().alive(last_ms).await {
            tracing::error!(%error, "Failed to store when the server stopped");
        }
    }
}
