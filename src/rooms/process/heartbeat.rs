//! Heartbeat: a row with the last time at which the server was alive. After a crash, only the time
//! since is excluded from the clocks. The write also detects storage failures.

use crate::rooms::{Rooms, now_ms};
use std::time::Duration;

/// Interval of the heartbeat, and thus the error of the clocks after a crash.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(1);

impl Rooms {
    /// Returns whether a write failed and none has succeeded since.
    pub fn is_storage_failing(&self) -> bool {
        self.inner.downtime.is_storage_failing()
    }

    /// Stores a heartbeat, and returns whether that succeeded. During the start and stop of the
    /// server stores none, and returns whether the last write succeeded.
    pub async fn store_heartbeat(&self) -> bool {
        if self.inner.downtime.maintenance_since_ms().is_some() {
            return !self.is_storage_failing();
        }
        let tried_ms = self.inner.downtime.now_ms();
        if let Err(error) = self.store().record_heartbeat(tried_ms).await {
            tracing::error!(%error, "Failed to store the heartbeat");
            self.inner.downtime.storage_failed(tried_ms);
            return false;
        }
        self.storage_recovered();
        true
    }

    /// Stores heartbeats until the server stops.
    pub(in crate::rooms) async fn heartbeat_loop(self) {
        while self.sleep_unless_stopped(HEARTBEAT_INTERVAL).await {
            // Correspondence games need no room, but their deadlines run as well.
            let unused =
                self.is_empty() && self.active_games().is_empty() && !self.is_storage_failing();
            if !unused {
                self.store_heartbeat().await;
            }
        }
        let last_ms = self.inner.downtime.maintenance_since_ms().unwrap_or_else(now_ms);
        if let Err(error) = self.store().record_heartbeat(last_ms).await {
            tracing::error!(%error, "Failed to store the last heartbeat");
        }
    }
}
