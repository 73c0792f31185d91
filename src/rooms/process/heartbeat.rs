//! Heartbeat: the last time at which this node was alive, in its row. After a crash, only the time
//! since is excluded from the clocks. The write also detects storage failures, and stores long
//! outages.

use crate::rooms::{Rooms, now_ms};
use crate::store::StoreError;
use std::time::Duration;
use tokio::time::Instant;

/// Interval of the heartbeat, and thus the error of the clocks after a crash.
pub(super) const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(1);

/// Time without a heartbeat from which the clients should connect to other nodes.
const CUT_OFF_AFTER: Duration = Duration::from_secs(10);

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
        if let Err(error) = self.record_heartbeat(tried_ms).await {
            tracing::error!(%error, "Failed to store the heartbeat");
            self.inner.downtime.storage_failed(tried_ms);
            return false;
        }
        self.storage_recovered();
        true
    }

    /// Stores a heartbeat with the long outages before it.
    pub(in crate::rooms) async fn record_heartbeat(&self, at_ms: i64) -> Result<(), StoreError> {
        let outages = self.inner.downtime.unsaved(at_ms);
        self.store().record_heartbeat(at_ms, self.len(), outages.clone()).await?;
        self.inner.downtime.mark_saved(&outages);
        Ok(())
    }

    /// Stores heartbeats until the server stops.
    pub(in crate::rooms) async fn heartbeat_loop(self) {
        let mut stored_at = Instant::now();
        while self.sleep_unless_stopped(HEARTBEAT_INTERVAL).await {
            let is_serving = self.inner.downtime.maintenance_since_ms().is_none();
            if !self.is_used().await || self.store_heartbeat().await {
                stored_at = Instant::now();
                if is_serving {
                    self.observe_nodes_in_time().await;
                }
            } else if stored_at.elapsed() > CUT_OFF_AFTER && self.has_peers() {
                // Again after the same time, for those who have come back here.
                stored_at = Instant::now();
                self.inner.peers.cut_off.notify_one();
            }
        }
        let last_ms = self.inner.downtime.maintenance_since_ms().unwrap_or_else(now_ms);
        if let Err(error) = self.record_heartbeat(last_ms).await {
            tracing::error!(%error, "Failed to store the last heartbeat");
        } else if let Err(error) = self.store().record_end().await {
            tracing::error!(%error, "Failed to store the end of this node");
        }
    }

    /// Returns whether a game is in progress, also without a room: its deadline runs as well. One
    /// of several nodes has to be seen by the others.
    async fn is_used(&self) -> bool {
        if !self.is_empty() || self.is_storage_failing() || self.inner.peers.is_shared() {
            return true;
        }
        self.store().has_games_in_progress().await.unwrap_or(true)
    }
}
