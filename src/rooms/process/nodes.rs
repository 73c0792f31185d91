//! Other nodes of the same database, as this one learns of them from their heartbeats. Callers: the
//! start, the periodic tasks, the exchange of presence, and `node_deaths`.

use super::heartbeat::HEARTBEAT_INTERVAL;
use crate::rooms::room::replica::Member;
use crate::rooms::{Rooms, now_ms};
use crate::store::{NODE_TIMEOUT_MS, NodeKey, OtherNode, StoreError};
use std::collections::{HashMap, HashSet};
use std::sync::MutexGuard;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::time::Instant;

/// Interval at which a start looks for the next heartbeat of another node, and renews its own.
const CHECK_INTERVAL: Duration = Duration::from_millis(200);

/// Observations without a new heartbeat of a node, each after a heartbeat of this one, from which
/// the node is gone. Storage that fails or is slow for all nodes makes none of them seem gone.
const MISSED_MAX: u32 = 3;

/// The same from which all nodes have noticed that it is gone.
const NOTICED_MISSED_MAX: u32 = 6;

/// The same for the end of its seeks, which a node that returns cannot undo.
const SEEKS_MISSED_MAX: u32 = 10;

/// The other nodes at the last observation.
#[derive(Debug, Default)]
pub(in crate::rooms) struct ObservedNodes {
    /// Rows, each with the number of observations since its heartbeat has changed.
    rows: HashMap<NodeKey, (OtherNode, u32)>,
    /// Nodes that have died since the presence at them was last read.
    died: Vec<OtherNode>,
}

impl ObservedNodes {
    /// Adds an observation at `now_ms`. Returns whether a node has begun or ceased to run.
    fn observe(&mut self, nodes: Vec<OtherNode>, now_ms: i64) -> bool {
        let running: HashSet<NodeKey> = self.running().collect();
        let before = std::mem::take(&mut self.rows);
        for node in &nodes {
            if let Some((known, missed)) = before.get(&node.key) {
                let missed = if known.alive_ms == node.alive_ms { missed + 1 } else { 0 };
                self.rows.insert(node.key, (*node, missed));
                // One that stops is busy with its rooms, and is not cut off from its players.
                if missed == MISSED_MAX && !node.leaving {
                    self.died.push(*node);
                }
            }
        }
        self.add_new(nodes, now_ms);
        running != self.running().collect()
    }

    /// Adds the nodes that were not seen before. An old heartbeat is that of a node that is gone.
    fn add_new(&mut self, nodes: Vec<OtherNode>, now_ms: i64) {
        for node in nodes {
            let missed = if now_ms - node.alive_ms > NODE_TIMEOUT_MS { MISSED_MAX } else { 0 };
            self.rows.entry(node.key).or_insert((node, missed));
        }
    }

    fn running_rows(&self) -> impl Iterator<Item = &OtherNode> {
        let running = self.rows.values().filter(|(_, missed)| *missed < MISSED_MAX);
        running.map(|(node, _)| node)
    }

    fn running(&self) -> impl Iterator<Item = NodeKey> {
        self.running_rows().map(|node| node.key)
    }

    /// Returns the nodes whose seeks end.
    fn gone_for_long(&self) -> impl Iterator<Item = NodeKey> {
        let gone = self.rows.iter().filter(|(_, (_, missed))| *missed >= SEEKS_MISSED_MAX);
        gone.map(|(node, _)| *node)
    }

    /// Returns whether one of some nodes may have died before `at_ms`, or any has and another node
    /// may not have noticed it yet.
    pub(super) fn may_have_died(&self, nodes: &[NodeKey], at_ms: i64) -> bool {
        let is_dead = |(node, missed): &&(OtherNode, u32)| {
            *missed >= MISSED_MAX && (*missed < NOTICED_MISSED_MAX || self.died.contains(node))
        };
        let listed = nodes.iter().filter_map(|node| self.rows.get(node));
        let dead = self.rows.values().filter(is_dead);
        listed.chain(dead).any(|(node, _)| node.alive_ms < at_ms)
    }

    /// Returns the nodes that have died since the presence at them was last read.
    pub(super) fn died(&self) -> &[OtherNode] {
        &self.died
    }

    /// Removes those of these nodes for which the presence was read.
    pub(super) fn forget_died(&mut self, read: &[OtherNode]) {
        self.died.retain(|node| !read.contains(node));
    }
}

impl Rooms {
    /// Waits until no other node starts, and returns whether one runs. A recent heartbeat may be
    /// that of a node that was killed since: waits for a later one. The only node of a database
    /// has no others.
    ///
    /// # Errors
    /// The nodes belong to different installations, or do not name theirs; or the store fails.
    pub(super) async fn find_running_node(&self) -> Result<bool, StoreError> {
        if !self.inner.peers.is_shared() {
            return Ok(false);
        }
        while !self.store().record_start(now_ms()).await? {
            tokio::time::sleep(CHECK_INTERVAL).await;
        }
        let since_ms = now_ms() - NODE_TIMEOUT_MS;
        let mut seen = self.store().other_nodes().await?;
        seen.retain(|node| node.alive_ms > since_ms);
        let until = Instant::now() + Duration::from_millis(NODE_TIMEOUT_MS.cast_unsigned());
        while !seen.is_empty() && Instant::now() < until {
            tokio::time::sleep(CHECK_INTERVAL).await;
            self.store().record_start(now_ms()).await?;
            let is_alive = |node: &OtherNode| {
                let before = seen.iter().find(|before| before.key == node.key);
                before.is_some_and(|before| node.alive_ms > before.alive_ms)
            };
            if self.store().other_nodes().await?.iter().any(is_alive) {
                self.store().check_may_share_database().await?;
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

    /// Observes the heartbeats of the other nodes, at the start and after each periodic heartbeat
    /// of this node.
    pub(super) async fn observe_nodes(&self) -> Result<(), StoreError> {
        if !self.inner.peers.is_shared() {
            return Ok(());
        }
        if self.store().is_outdated().await? {
            self.inner.peers.outdated.cancel();
        }
        let nodes = self.store().other_nodes().await?;
        if self.observed_nodes().observe(nodes, now_ms()) {
            // A node may have ended before it told of its last events.
            self.catch_up();
        }
        self.update_membership();
        Ok(())
    }

    /// Announces which other nodes run and stay, if that has changed.
    fn update_membership(&self) {
        let mut staying: Vec<Member> = {
            let observed = self.observed_nodes();
            let has_other = observed.running().next().is_some();
            self.inner.peers.has_other.store(has_other, Ordering::Relaxed);
            let staying = observed.running_rows().filter(|node| !node.leaving);
            staying.map(|node| Member { node: node.key, has_engine: node.has_engine }).collect()
        };
        staying.sort_unstable();
        metrics::gauge!("sprong_nodes").set(staying.len() as f64 + 1.0);
        self.inner.peers.membership.send_if_modified(|known| {
            let has_changed = **known != *staying;
            if has_changed {
                *known = staying.into();
            }
            has_changed
        });
    }

    /// Observes the nodes within the time until the next heartbeat of this one, which a slow read
    /// must not delay.
    pub(super) async fn observe_nodes_in_time(&self) {
        match tokio::time::timeout(HEARTBEAT_INTERVAL, self.observe_nodes()).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::error!(%error, "Failed to read the rows of other nodes"),
            Err(_) => tracing::warn!("Failed to read the rows of other nodes in time"),
        }
    }

    /// Reads which nodes have begun to run since the last observation.
    pub(super) async fn add_new_nodes(&self) -> Result<(), StoreError> {
        let nodes = self.store().other_nodes().await?;
        self.observed_nodes().add_new(nodes, now_ms());
        self.update_membership();
        Ok(())
    }

    pub(super) fn observed_nodes(&self) -> MutexGuard<'_, ObservedNodes> {
        self.inner.observed_nodes.lock().expect("observed nodes lock")
    }

    /// Returns the other nodes that run.
    pub(super) fn running_nodes(&self) -> HashSet<NodeKey> {
        self.observed_nodes().running().collect()
    }

    /// Returns the nodes with a row: the others that have run, and this one.
    pub(super) fn known_nodes(&self) -> HashSet<NodeKey> {
        let mut known: HashSet<NodeKey> = self.observed_nodes().rows.keys().copied().collect();
        known.insert(self.store().node());
        known
    }

    /// Cancels the seeks of nodes that are gone.
    pub(super) async fn cancel_seeks_of_gone_nodes(&self) {
        if !self.inner.peers.is_shared() || self.is_storage_failing() {
            return;
        }
        let gone = self.observed_nodes().gone_for_long().collect();
        if let Err(error) = self.store().cancel_seeks_of(gone).await {
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
        let heartbeats =
            [(1, true), (1, true), (1, true), (1, false), (1, false), (2, true), (3, true)];
        for (alive_ms, runs) in heartbeats {
            other.record_heartbeat(alive_ms, 0, Vec::new()).await.expect("stored");
            let ran = observed.running().count() == 1;
            let has_changed = observed.observe(store.other_nodes().await.expect("read"), 1);
            assert_eq!(observed.running().count() == 1, runs);
            assert_eq!(has_changed, ran != runs);
        }
        let died = observed.died().to_vec();
        assert_eq!(died.len(), 1, "before it returned");
        observed.forget_died(&died);
        for missed in 1..=SEEKS_MISSED_MAX {
            observed.observe(store.other_nodes().await.expect("read"), 1);
            let died = observed.died().to_vec();
            assert_eq!(died.len() == 1, missed == MISSED_MAX);
            let is_recent = (MISSED_MAX..NOTICED_MISSED_MAX).contains(&missed);
            assert_eq!(observed.may_have_died(&[], 4), is_recent);
            observed.forget_died(&died);
            assert!(observed.may_have_died(&[other.node()], 4));
            assert!(!observed.may_have_died(&[other.node()], 3), "it was alive then");
            assert_eq!(observed.gone_for_long().count() == 1, missed == SEEKS_MISSED_MAX);
        }
        observed.observe(Vec::new(), 1);
        assert_eq!(observed.gone_for_long().count(), 0, "its row was removed");
        // Seen for the first time, with the heartbeat at 3 ms.
        for (now_ms, runs) in [(3 + NODE_TIMEOUT_MS, true), (4 + NODE_TIMEOUT_MS, false)] {
            let mut observed = ObservedNodes::default();
            observed.add_new(store.other_nodes().await.expect("read"), now_ms);
            assert_eq!(observed.running().count() == 1, runs);
        }
        store.close().await;
    }
}
