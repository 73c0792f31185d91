//! Heartbeat: a row with the last time at which the server was alive. After a crash, only the time
//! since is excluded from the clocks. The write also detects storage failures.

use super::{Rooms, now_ms};
use std::time::Duration;

/// Interval of the heartbeat, and thus the error of the clocks after a crash.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(1);

impl Rooms {
    /// Returns whether a write failed and none has succeeded since.
    pub fn is_broken(&self) -> bool {
        self.inner.pulse.is_broken()
    }

    /// Stores a heartbeat, and returns whether that succeeded. During the start and stop of the
    /// server stores none, and returns whether the last write succeeded.
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
            // Correspondence games need no room, but their deadlines run as well.
            let unused = self.is_empty() && self.desk().is_empty() && !self.is_broken();
            if !unused {
                self.try_store().await;
            }
        }
        let last_ms = self.inner.pulse.shut_ms().unwrap_or_else(now_ms);
        if let Err(error) = self.store().alive(last_ms).await {
            tracing::error!(%error, "Failed to store the last heartbeat");
        }
    }
}
