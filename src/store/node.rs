//! Nodes: the processes that serve the database, with their heartbeats.
//!
//! A heartbeat is stored with the outages before it, so that after a crash either the outage is
//! there or the time since the heartbeat before it. Callers: `rooms::process`, and the challenges
//! that end with their node.

use super::batch::Batch;
use super::{NodeKey, Outage, Store, StoreError};

/// Time after its last heartbeat from which a node counts as gone, in milliseconds.
pub const NODE_TIMEOUT_MS: i64 = 3_000;

/// Time after its last heartbeat from which the row of a node is removed, in milliseconds. The
/// latest heartbeat is that of the last running node, which removes the rows of the others.
const NODE_KEPT_MS: i64 = 60_000;

impl Store {
    /// Returns the key of this node.
    pub fn node(&self) -> NodeKey {
        self.node
    }

    /// Returns a handle to the same database for another node.
    #[must_use]
    pub fn as_other_node(&self) -> Store {
        Store { node: NodeKey::new(), ..self.clone() }
    }

    /// Records that this node was alive at `now_ms`, and outages before that.
    pub async fn record_heartbeat(
        &self,
        now_ms: i64,
        outages: Vec<Outage>,
    ) -> Result<(), StoreError> {
        let node = self.node;
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let mut batch = Batch::default();
                    outages.iter().for_each(|outage| outage.add_to(&mut batch));
                    let sql = "INSERT INTO node (key, started_ms, alive_ms) VALUES ($1, $2, $2)
                               ON CONFLICT (key) DO UPDATE SET alive_ms = excluded.alive_ms";
                    batch.add(sql).bind(node).bind(now_ms);
                    batch.add("DELETE FROM node WHERE alive_ms < $1 AND key <> $2");
                    batch.bind(now_ms - NODE_KEPT_MS).bind(node);
                    batch.execute(tx).await
                })
            })
            .await
    }

    /// Returns the time of the latest heartbeat of all nodes, in epoch milliseconds; 0 if there is
    /// none.
    pub async fn last_heartbeat_ms(&self) -> Result<i64, StoreError> {
        let sql = "SELECT coalesce(max(alive_ms), 0) FROM node";
        Ok(self.readers.query(sql).value().await?)
    }

    /// Returns the other nodes with a heartbeat after `since_ms` (epoch milliseconds), and its
    /// time.
    pub async fn other_nodes(&self, since_ms: i64) -> Result<Vec<(NodeKey, i64)>, StoreError> {
        let sql = "SELECT key, alive_ms FROM node WHERE alive_ms > $1 AND key <> $2";
        Ok(self.readers.query(sql).bind(since_ms).bind(self.node).fetch_all().await?)
    }
}
