//! Changes that other nodes commit, from a table of PostgreSQL.
//!
//! A task stores its changes in its transaction. The other nodes read them when they are told of
//! them, and periodically: a lost message costs one query. Rows become visible in another order
//! than that of their numbers, so a read begins with the transactions that had not ended before the
//! last one. Callers: `writer::lanes`, and `rooms::process`.

use super::changes::{Change, CommittedChanges};
use super::sql::{Conn, Readers};
use super::{NodeKey, Store, StoreError};
use std::collections::HashSet;
use tokio::sync::Mutex;

/// First transaction that may not have ended.
const FIRST_OPEN: &str = "SELECT CAST(pg_snapshot_xmin(pg_current_snapshot()) AS TEXT)";

/// Place up to which this node has read the changes.
#[derive(Debug)]
pub(super) struct RemoteChanges(Mutex<Place>);

#[derive(Debug)]
struct Place {
    /// First transaction that is read next, in decimal digits.
    since: String,
    /// Numbers from it on that were read.
    read: HashSet<i64>,
}

#[derive(sqlx::FromRow)]
struct ChangeRow {
    seq: i64,
    node: NodeKey,
    body: String,
}

impl RemoteChanges {
    /// Begins with the changes that are committed from now on.
    pub(super) async fn from_now_on(readers: &Readers) -> Result<RemoteChanges, StoreError> {
        let since = readers.query(FIRST_OPEN).value().await?;
        Ok(RemoteChanges(Mutex::new(Place { since, read: HashSet::new() })))
    }
}

/// Stores the changes of a transaction for the other nodes.
pub(super) async fn store_changes(
    tx: &mut Conn,
    node: NodeKey,
    changes: &[Change],
) -> Result<(), StoreError> {
    let body = serde_json::to_string(changes)
        .map_err(|error| StoreError::InvalidRow(format!("changes: {error}")))?;
    let sql = "INSERT INTO change (node, body) VALUES ($1, $2)";
    tx.query(sql).bind(node).bind(body).execute().await?;
    Ok(())
}

impl Store {
    /// Passes the changes that other nodes have committed to the subscribers. Others of the same
    /// file of SQLite do not exist.
    pub async fn read_remote_changes(&self) -> Result<(), StoreError> {
        let Some(exchange) = &self.exchange else { return Ok(()) };
        let mut place = exchange.remote_changes.0.lock().await;
        // Before the rows: what is not visible to them is in the next read.
        let next = self.readers.query(FIRST_OPEN).value().await?;
        let sql = "SELECT seq, node, body FROM change WHERE xid >= CAST($1 AS XID8) ORDER BY seq";
        let rows: Vec<ChangeRow> = self.readers.query(sql).bind(&place.since).fetch_all().await?;
        for row in &rows {
            if row.node != self.node && !place.read.contains(&row.seq) {
                self.publish_row(row);
            }
        }
        *place = Place { since: next, read: rows.iter().map(|row| row.seq).collect() };
        Ok(())
    }

    fn publish_row(&self, row: &ChangeRow) {
        match serde_json::from_str(&row.body) {
            Ok(changes) => self.changes.publish(CommittedChanges::of_other_node(changes)),
            // A later version of the server may have other changes.
            Err(error) => tracing::warn!(row.seq, %error, "Skipped changes of another node"),
        }
    }

    /// Removes changes from long ago: a node that has not read them cannot have served meanwhile.
    pub async fn remove_old_changes(&self) -> Result<(), StoreError> {
        if self.exchange.is_none() {
            return Ok(());
        }
        self.writer
            .run_unordered(|tx| {
                Box::pin(async move {
                    let sql = "DELETE FROM change
                               WHERE at_ms < extract(epoch FROM now()) * 1000 - 600000";
                    tx.query(sql).execute().await?;
                    Ok(())
                })
            })
            .await
    }
}
