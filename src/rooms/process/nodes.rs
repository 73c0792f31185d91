//! Other nodes of the same database, as this one learns of them from their heartbeats. Callers: the
//! start, and the periodic tasks.

use crate::rooms::{Rooms, now_ms};
use crate::store::{NODE_TIMEOUT_MS, NodeKey, StoreError};
use std::collections::HashMap;
use std::time::Duration;
use tokio::time::Instant;

/// Interval at which a start looks for the next heartbeat of another node, and renews its own.
const CHECK_INTERVAL: Duration = Duration::from_millis(200);

/// Observations without a new heartbeat after which the seeks of a node are canceled. Storage that
/// fails for all nodes makes none of them seem gone: observations are counted while it works.
const MISSED_MAX: u32 = 2;

/// Heartbeats of the other nodes at the last observation: each with its time, and the number of
/// observations since it has changed.
#[derive(Debug, Default)]
pub(super) struct ObservedNodes(HashMap<NodeKey, (i64, u32)>);

impl ObservedNodes {
    /// Adds an observation. Returns the nodes that are gone.
    fn observe(&mut self, nodes: Vec<(NodeKey, i64)>) -> Vec<NodeKey> {
        let before = std::mem::take(&mut self.0);
        for (node, alive_ms) in nodes {
            let missed = match before.get(&node) {
                Some((before_ms, missed)) if *before_ms == alive_ms => missed + 1,
                _ => 0,
            };
            self.0.insert(node, (alive_ms, missed));
        }
        let gone = self.0.iter().filter(|(_, (_, missed))| *missed >= MISSED_MAX);
        gone.map(|(node, _)| *node).collect()
    }
}

impl Rooms {
    /// Waits until no other node starts, and returns whether one runs. A recent heartbeat may be
    /// that of a node that was killed since: waits for a later one. The only node of a database
    /// has no others.
    pub(super) async fn find_running_node(&self) -> Result<bool, StoreError> {
        if !self.inner.peers.is_shared() {
            return Ok(false);
        }
        while !self.store().record_start(now_ms()).await? {
            tokio::time::sleep(CHECK_INTERVAL).await;
        }
        let since_ms = now_ms() - NODE_TIMEOUT_MS;
        let mut seen: HashMap<NodeKey, i64> =
            self.store().other_nodes().await?.into_iter().collect();
        seen.retain(|_, alive_ms| *alive_ms > since_ms);
        let until = Instant::now() + Duration::from_millis(NODE_TIMEOUT_MS.cast_unsigned());
        while !seen.is_empty() && Instant::now() < until {
            tokio::time::sleep(CHECK_INTERVAL).await;
            self.store().record_start(now_ms()).await?;
            let nodes = self.store().other_nodes().await?;
            if nodes.iter().any(|(node, alive_ms)| seen.get(node).is_some_and(|at| alive_ms > at)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Renews the row of this node until `start` ends, so that no other node starts meanwhile.
    pub(super) async fn while_starting<T>(&self, start: impl Future<Output = T>) -> T {
        if !self.inner.peers.is_shared() {
            return start.await;
        }
        let renewal = async {
            loop {
                tokio::time::sleep(CHECK_INTERVAL).await;
                if let Err(error) = self.store().record_start(now_ms()).await {
                    tracing::error!(%error, "Failed to renew the row of this node");
                }
            }
        };
        tokio::select! {
            done = start => done,
            () = renewal => unreachable!("the renewal has no end"),
        }
    }

    /// Cancels the seeks of nodes that are gone.
    pub(super) async fn cancel_seeks_of_gone_nodes(&self, observed: &mut ObservedNodes) {
        if !self.inner.peers.is_shared() {
            return;
        }
        if self.is_storage_failing() {
            *observed = ObservedNodes::default();
            return;
        }
        let canceled = async {
            let gone = observed.observe(self.store().other_nodes().await?);
            self.store().cancel_seeks_of(gone).await
        };
        if let Err(error) = canceled.await {
            tracing::error!(%error, "Failed to cancel the seeks of nodes that are gone");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;
    use tempfile::TempDir;

    #[tokio::test]
    async fn node_without_new_heartbeats_is_gone() {
        let folder = TempDir::new().expect("folder");
        let store = Store::open(&folder.path().join("sprong.db")).await.expect("store");
        let other = store.as_other_node();
        let mut observed = ObservedNodes::default();
        for (alive_ms, is_gone) in [(1, false), (1, false), (2, false), (2, false), (2, true)] {
            other.record_heartbeat(alive_ms, Vec::new()).await.expect("stored");
            let nodes = store.other_nodes().await.expect("read");
            assert_eq!(!observed.observe(nodes).is_empty(), is_gone);
        }
        assert_eq!(observed.observe(Vec::new()), [], "its row was removed");
        store.close().await;
    }
}
