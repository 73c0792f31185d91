//! Nodes: the processes that serve the database, with their heartbeats.
//!
//! A heartbeat is stored with the outages before it, so that after a crash either the outage is
//! there or the time since the heartbeat before it. Callers: `rooms::process`, and the challenges
//! that end with their node.

use super::batch::Batch;
use super::schema::COMPATIBLE_FROM;
use super::{NodeKey, Outage, Store, StoreError, postgres};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Time after its last heartbeat from which a node that starts or has started counts as gone, in
/// milliseconds.
pub const NODE_TIMEOUT_MS: i64 = 3_000;

/// Time after its last heartbeat from which the row of a node is removed, in milliseconds. The
/// latest heartbeat is that of the last running node, which removes the rows of the others.
const NODE_KEPT_MS: i64 = 60_000;

/// Description of a node for operators.
#[derive(Debug, Default)]
pub(super) struct NodeLabel {
    name: String,
    /// Public URL of the installation; empty if it has none.
    origin: String,
    /// Whether it has no threads for the engine.
    is_engineless: bool,
}

/// Another node of the same database.
#[derive(Clone, Copy, PartialEq, Eq, Debug, sqlx::FromRow)]
pub struct OtherNode {
    pub key: NodeKey,
    /// Time of its last heartbeat, in epoch milliseconds.
    pub alive_ms: i64,
    /// Whether it will end, and takes over nothing.
    pub leaving: bool,
    /// Whether it moves for computer players.
    pub has_engine: bool,
}

/// Node as an operator sees it.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct NodeRow {
    pub name: String,
    pub version: String,
    pub origin: String,
    /// Whether its start has ended.
    pub running: bool,
    pub leaving: bool,
    pub ended: bool,
    /// Time of its start, in epoch milliseconds.
    pub started_ms: i64,
    /// Time of its last heartbeat, in epoch milliseconds.
    pub alive_ms: i64,
    /// Number of open rooms.
    pub rooms: i64,
}

/// Stores the row of a node, or renews it. A node that starts has no number of rooms.
const STORE_NODE: &str = "INSERT INTO node (key, running, alive_ms, rooms, name, origin, version,
         has_engine, started_ms)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $3)
     ON CONFLICT (key) DO UPDATE SET alive_ms = excluded.alive_ms,
         running = node.running OR excluded.running,
         ended = node.ended AND NOT excluded.running,
         rooms = CASE WHEN excluded.running THEN excluded.rooms ELSE node.rooms END";

impl NodeLabel {
    /// Adds the row of a node to a batch; it starts if `rooms` is `None`.
    fn add_to(&self, batch: &mut Batch, node: NodeKey, now_ms: i64, rooms: Option<usize>) {
        batch.add(STORE_NODE);
        batch.bind(node).bind(rooms.is_some()).bind(now_ms).bind(rooms.unwrap_or(0) as i64);
        batch.bind(&self.name).bind(&self.origin).bind(env!("CARGO_PKG_VERSION"));
        batch.bind(!self.is_engineless);
    }
}

/// Returns a public URL, which may be empty, as errors show it.
pub(super) fn origin_text(origin: &str) -> String {
    match origin {
        "" => "no public origin".to_owned(),
        origin => format!("the public origin {origin:?}"),
    }
}

impl Store {
    /// Returns the time of the database, in epoch microseconds, and how long the reading has taken.
    /// `None` on SQLite, whose time is that of the process.
    pub async fn database_us(&self) -> Result<Option<(i64, Duration)>, StoreError> {
        if self.exchange.is_none() {
            return Ok(None);
        }
        let mut connection = self.readers.acquire().await?;
        let began = Instant::now();
        let sql = "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)";
        let now_us = connection.query(sql).value().await?;
        Ok(Some((now_us, began.elapsed())))
    }

    /// Names this node, and the installation that it belongs to by its public URL.
    #[must_use]
    pub fn with_label(self, name: &str, origin: Option<&str>, has_engine: bool) -> Store {
        let (name, origin) = (name.to_owned(), origin.unwrap_or_default().to_owned());
        let label = NodeLabel { name, origin, is_engineless: !has_engine };
        Store { label: Arc::new(label), ..self }
    }

    /// Returns a handle to the same database for another node.
    #[must_use]
    pub fn as_other_node(&self) -> Store {
        assert!(self.exchange.is_none(), "the writer of PostgreSQL knows its node");
        Store { node: NodeKey::new(), ..self.clone() }
    }

    /// Records that this node was alive at `now_ms` with this number of rooms, and outages before
    /// that.
    pub async fn record_heartbeat(
        &self,
        now_ms: i64,
        rooms: usize,
        outages: Vec<Outage>,
    ) -> Result<(), StoreError> {
        let (node, label) = (self.node, self.label.clone());
        self.writer
            .run_unordered(move |tx| {
                Box::pin(async move {
                    let mut batch = Batch::default();
                    outages.iter().for_each(|outage| outage.add_to(&mut batch));
                    label.add_to(&mut batch, node, now_ms, Some(rooms));
                    batch.add("DELETE FROM node WHERE alive_ms < $1 AND key <> $2");
                    batch.bind(now_ms - NODE_KEPT_MS).bind(node);
                    batch.execute(tx).await
                })
            })
            .await
    }

    /// Checks that this node, beside which another one runs, has a public URL: without one, they
    /// may belong to different installations.
    ///
    /// # Errors
    /// [`StoreError::OtherInstallation`] if it does not; then it has ended.
    pub async fn check_may_share_database(&self) -> Result<(), StoreError> {
        if self.label.origin.is_empty() && self.has_exchange() {
            self.record_end().await?;
            return Err(StoreError::OtherInstallation(String::new()));
        }
        Ok(())
    }

    /// Records that this node starts and was alive at `now_ms`. Returns false, without a change,
    /// while another node starts: one at a time takes care of what the nodes before have left.
    ///
    /// # Errors
    /// A node of another installation runs, or the store fails.
    pub async fn record_start(&self, now_ms: i64) -> Result<bool, StoreError> {
        let (node, label) = (self.node, self.label.clone());
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "SELECT origin FROM node
                               WHERE alive_ms > $1 AND NOT ended AND key <> $2 AND origin <> $3";
                    let query = tx.query(sql).bind(now_ms - NODE_TIMEOUT_MS).bind(node);
                    if let Some(other) = query.bind(&label.origin).optional_value().await? {
                        return Err(StoreError::OtherInstallation(other));
                    }
                    let sql = "SELECT 1 FROM node
                               WHERE NOT running AND NOT ended AND alive_ms > $1 AND key <> $2";
                    let other = tx.query(sql).bind(now_ms - NODE_TIMEOUT_MS).bind(node);
                    if other.exists().await? {
                        return Ok(false);
                    }
                    // A last renewal may follow the first heartbeat of the running node.
                    let mut batch = Batch::default();
                    label.add_to(&mut batch, node, now_ms, None);
                    batch.execute(tx).await?;
                    Ok(true)
                })
            })
            .await
    }

    /// Records that this node will end, and takes over nothing from now on.
    pub async fn record_leaving(&self) -> Result<(), StoreError> {
        self.update_node("UPDATE node SET leaving = TRUE WHERE key = $1").await
    }

    /// Records that this node has ended.
    pub async fn record_end(&self) -> Result<(), StoreError> {
        self.update_node("UPDATE node SET ended = TRUE WHERE key = $1").await
    }

    async fn update_node(&self, sql: &'static str) -> Result<(), StoreError> {
        let node = self.node;
        self.writer
            .run_unordered(move |tx| {
                Box::pin(async move {
                    tx.query(sql).bind(node).execute().await?;
                    Ok(())
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

    /// Returns the other nodes that have run, but those that have recorded their end.
    pub async fn other_nodes(&self) -> Result<Vec<OtherNode>, StoreError> {
        let sql = "SELECT key, alive_ms, leaving, has_engine FROM node
                   WHERE running AND NOT ended AND key <> $1";
        Ok(self.readers.query(sql).bind(self.node).fetch_all().await?)
    }

    /// Returns whether another server has updated the database to a schema that this program cannot
    /// use. A file of SQLite has no other server.
    pub async fn is_outdated(&self) -> Result<bool, StoreError> {
        if !self.has_exchange() {
            return Ok(false);
        }
        let compatible_from: i64 = self.readers.query(COMPATIBLE_FROM).value().await?;
        Ok(compatible_from > postgres::known_version_of_schema())
    }

    /// Returns all nodes with a row, by name, without the mark of a copy.
    pub async fn nodes(&self) -> Result<Vec<NodeRow>, StoreError> {
        let sql = "SELECT coalesce(name, '') AS name, coalesce(version, '') AS version,
                       coalesce(origin, '') AS origin, running, leaving, ended,
                       coalesce(started_ms, 0) AS started_ms, alive_ms, rooms
                   FROM node WHERE coalesce(name, '') <> 'copy' ORDER BY 1, started_ms";
        Ok(self.readers.query(sql).fetch_all().await?)
    }
}
