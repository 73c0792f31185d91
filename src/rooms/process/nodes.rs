//! Other nodes of the same database, as this one learns of them from their heartbeats. Callers: the
//! start, and the periodic tasks.

use crate::rooms::{Rooms, now_ms};
use crate::store::{NODE_TIMEOUT_MS, NodeKey, StoreError};
use std::collections::HashMap;
use std::time::Duration;
use tokio::time::Instant;

/// Interval at which a start looks for the next heartbeat of another node.
const CHECK_INTERVAL: Duration = Duration::from_millis(200);

impl Rooms {
    /// Returns whether another node runs. A recent heartbeat may be that of a node that was killed
    /// since: waits for a later one.
    pub(super) async fn has_live_peer(&self) -> Result<bool, StoreError> {
        if !self.inner.peers.is_shared() {
            return Ok(false);
        }
        let since_ms = now_ms() - NODE_TIMEOUT_MS;
        let seen: HashMap<NodeKey, i64> =
            self.store().other_nodes(since_ms).await?.into_iter().collect();
        let until = Instant::now() + Duration::from_millis(NODE_TIMEOUT_MS.cast_unsigned());
        while !seen.is_empty() && Instant::now() < until {
            tokio::time::sleep(CHECK_INTERVAL).await;
            let nodes = self.store().other_nodes(since_ms).await?;
            let is_later = |(node, alive_ms)| seen.get(node).is_none_or(|seen| alive_ms > seen);
            if nodes.iter().any(|(node, alive_ms)| is_later((node, alive_ms))) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Cancels the seeks of nodes that are gone.
    pub(super) async fn cancel_orphaned_seeks(&self) {
        if !self.inner.peers.is_shared() {
            return;
        }
        let canceled = self.store().cancel_orphaned_seeks(now_ms() - NODE_TIMEOUT_MS).await;
        if let Err(error) = canceled {
            tracing::error!(%error, "Failed to cancel the seeks of nodes that are gone");
        }
    }
}
