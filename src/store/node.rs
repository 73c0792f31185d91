//! Nodes: the processes that serve the database, with their heartbeats.
//!
//! A heartbeat is stored with the outages before it, so that after a crash either the outage is
//! there or the time since the heartbeat before it. Callers: `rooms::process`, and the challenges
//! that end with their node.

use super::batch::Batch;
use super::{NodeKey, Outage, Store, StoreError};

/// Time after its last heartbeat from which a node that starts or has started counts as gone, in
/// milliseconds.
pub const NODE_TIMEOUT_MS: i64 = 3_000;

/// Time after its last heartbeat from which the row of a node is removed, in milliseconds. The
/// latest heartbeat is that of the last running node, which removes the rows of the others.
const NODE_KEPT_MS: i64 = 60_000;

impl Store {
    /// Returns a handle to the same database for another node.
    #[must_use]
    pub fn as_other_node(&self) -> Store {
        Store { node: NodeKey::new(), ..self.clone() }
    }

    /// Records that this node was alive at `now_ms` and runs, and outages before that.
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
                    let sql = "INSERT INTO node (key, running, alive_ms) VALUES ($1, TRUE, $2)
                               ON CONFLICT (key) DO UPDATE SET running = TRUE,
                                   alive_ms = excluded.alive_ms";
                    batch.add(sql).bind(node).bind(now_ms);
                    batch.add("DELETE FROM node WHERE alive_ms < $1 AND key <> $2");
                    batch.bind(now_ms - NODE_KEPT_MS).bind(node);
                    batch.execute(tx).await
                })
            })
            .await
    }

    /// Records that this node starts and was alive at `now_ms`. Returns false, without a change,
    /// while another node starts: one at a time takes care of what the nodes before have left.
    pub async fn record_start(&self, now_ms: i64) -> Result<bool, StoreError> {
        let node = self.node;
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "SELECT 1 FROM node
                               WHERE NOT running AND alive_ms > $1 AND key <> $2";
                    let other = tx.query(sql).bind(now_ms - NODE_TIMEOUT_MS).bind(node);
                    if other.exists().await? {
                        return Ok(false);
                    }
                    // A last renewal may follow the first heartbeat of the running node.
                    let sql = "INSERT INTO node (key, running, alive_ms) VALUES ($1, FALSE, $2)
                               ON CONFLICT (key) DO UPDATE SET alive_ms = excluded.alive_ms";
                    tx.query(sql).bind(node).bind(now_ms).execute().await?;
                    Ok(true)
                })
            })
            .await
    }

    /// Returns the time of the latest heartbeat of all nodes that have run, in epoch milliseconds;
    /// 0 if there is none.
    pub async fn last_heartbeat_ms(&self) -> Result<i64, StoreError> {
        let sql = "SELECT coalesce(max(alive_ms), 0) FROM node WHERE running";
        Ok(self.readers.query(sql).value().await?)
    }

    /// Returns the other nodes that have run, with the times of their last heartbeats (epoch
    /// milliseconds).
    pub async fn other_nodes(&self) -> Result<Vec<(NodeKey, i64)>, StoreError> {
        let sql = "SELECT key, alive_ms FROM node WHERE running AND key <> $1";
        Ok(self.readers.query(sql).bind(self.node).fetch_all().await?)
    }
}
