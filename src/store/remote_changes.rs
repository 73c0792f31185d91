//! Changes that other nodes commit, from a table of PostgreSQL.
//!
//! A task stores its changes in its transaction. The other nodes read them after a message about
//! them, and periodically: a lost message costs one query. Rows become visible in another order
//! than that of their numbers, so a read begins with the transactions that had not ended before the
//! last one. Callers: `writer::lanes`, and `rooms::process`.

use super::changes::{Change, handled_signal};
use super::sql::{Conn, Readers};
use super::{NodeKey, Store, StoreError};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Mutex;

/// Time for which published rows are marked: longer than a read can be late.
const KEPT_TIME: Duration = Duration::from_secs(600);

/// Age from which changes are removed: a node that has not read them cannot have served meanwhile.
const KEPT_MS: i64 = 600_000;

/// Age of changes that may have been committed on a new primary before this node has found it.
const FAILOVER_MS: i64 = 10_000;

/// First transaction that may not have ended.
const FIRST_OPEN: &str =
    "SELECT CAST(CAST(pg_snapshot_xmin(pg_current_snapshot()) AS TEXT) AS BIGINT)";

/// Changes of all nodes, as this one knows them.
#[derive(Debug)]
pub(super) struct RemoteChanges {
    place: Mutex<Place>,
    own: OwnChanges,
}

/// Rows that this node has stored. It publishes them itself, but for those whose commit has an
/// unknown outcome.
#[derive(Clone, Debug, Default)]
pub(super) struct OwnChanges(Arc<std::sync::Mutex<HashMap<i64, OwnState>>>);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum OwnState {
    /// The commit is under way.
    Pending,
    Published(Instant),
}

impl OwnChanges {
    fn states(&self) -> std::sync::MutexGuard<'_, HashMap<i64, OwnState>> {
        self.0.lock().expect("lock of the own changes")
    }

    /// Marks a row whose commit is about to begin.
    pub(super) fn begin(&self, seq: i64) {
        self.states().insert(seq, OwnState::Pending);
    }

    /// Marks a row as published, or leaves it to the next read if its commit may have failed.
    pub(super) fn end(&self, seq: i64, is_published: bool) {
        let mut states = self.states();
        if is_published {
            states.insert(seq, OwnState::Published(Instant::now()));
        } else {
            states.remove(&seq);
        }
    }

    fn remove_old(&self) {
        self.states().retain(|_, state| match state {
            OwnState::Pending => true,
            OwnState::Published(at) => at.elapsed() < KEPT_TIME,
        });
    }

    fn state(&self, seq: i64) -> Option<OwnState> {
        self.states().get(&seq).copied()
    }
}

/// Place up to which this node has read the changes.
#[derive(Debug)]
struct Place {
    /// First transaction that is read next.
    since: i64,
    /// Numbers from it on that were read.
    read: HashSet<i64>,
    /// Epoch of the primary.
    epoch: u64,
}

#[derive(sqlx::FromRow)]
struct ChangeRow {
    seq: i64,
    body: String,
    /// Time since it was stored.
    age_ms: i64,
}

impl RemoteChanges {
    /// Begins with the changes that are committed from now on.
    pub(super) async fn from_now_on(readers: &Readers) -> Result<RemoteChanges, StoreError> {
        let since = readers.query(FIRST_OPEN).value().await?;
        let place = Mutex::new(Place { since, read: HashSet::new(), epoch: 0 });
        Ok(RemoteChanges { place, own: OwnChanges::default() })
    }

    pub(super) fn own(&self) -> OwnChanges {
        self.own.clone()
    }
}

/// Stores the changes of a transaction for the other nodes. Returns the number of their row.
pub(super) async fn store_changes(
    tx: &mut Conn,
    node: NodeKey,
    changes: &[Change],
) -> Result<i64, StoreError> {
    let body = serde_json::to_string(changes)
        .map_err(|error| StoreError::InvalidRow(format!("changes: {error}")))?;
    let sql = "INSERT INTO change (node, body) VALUES ($1, $2) RETURNING seq";
    Ok(tx.query(sql).bind(node).bind(body).value().await?)
}

impl Store {
    /// Reads the changes that other nodes have committed before, and waits until the subscribers
    /// have handled them: before something is refused that they may have made possible.
    pub async fn catch_up_with_changes(&self) -> Result<(), StoreError> {
        if self.exchange.is_none() {
            return Ok(());
        }
        self.read_remote_changes().await?;
        let (handled, all_handled) = handled_signal();
        self.changes.publish_remote(Vec::new(), handled);
        all_handled.await;
        Ok(())
    }

    /// Passes the changes that other nodes have committed to the subscribers. Others of the same
    /// file of SQLite do not exist.
    pub async fn read_remote_changes(&self) -> Result<(), StoreError> {
        let Some(exchange) = &self.exchange else { return Ok(()) };
        let mut place = exchange.remote_changes.place.lock().await;
        // Before the rows: what is not visible to them is in the next read.
        let epoch = exchange.connector.epoch();
        let mut next: i64 = self.readers.query(FIRST_OPEN).value().await?;
        if place.epoch != epoch {
            // Transactions of the new primary may have lower numbers than those of the last one.
            place.since = 0;
        }
        let sql = "SELECT seq, body,
                       CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT) - at_ms AS age_ms
                   FROM change
                   WHERE xid >= CAST(CAST($1 AS TEXT) AS XID8)
                       AND at_ms > extract(epoch FROM clock_timestamp()) * 1000 - $2
                   ORDER BY seq";
        let age_max_ms = if place.epoch == epoch { KEPT_MS } else { FAILOVER_MS };
        let query = self.readers.query(sql).bind(place.since.to_string()).bind(age_max_ms);
        let rows: Vec<ChangeRow> = query.fetch_all().await?;
        let mut read = HashSet::new();
        for row in rows {
            let own = exchange.remote_changes.own.state(row.seq);
            if own == Some(OwnState::Pending) {
                // Its outcome is not known here: it is read again.
                next = place.since;
                continue;
            }
            if own.is_none() && !place.read.contains(&row.seq) {
                let age_s = row.age_ms.max(0) as f64 / 1_000.0;
                metrics::histogram!("sprong_change_lag_seconds").record(age_s);
                self.publish_row(&row);
            }
            read.insert(row.seq);
        }
        *place = Place { since: next, read, epoch };
        exchange.remote_changes.own.remove_old();
        Ok(())
    }

    fn publish_row(&self, row: &ChangeRow) {
        match serde_json::from_str(&row.body) {
            Ok(changes) => self.changes.publish_remote(changes, None),
            // A later version of the server may have other changes.
            Err(error) => tracing::warn!(row.seq, %error, "Skipped changes of another node"),
        }
    }

    /// Removes changes from long ago.
    pub async fn remove_old_changes(&self) -> Result<(), StoreError> {
        if self.exchange.is_none() {
            return Ok(());
        }
        self.writer
            .run_unordered(|tx| {
                Box::pin(async move {
                    let sql = "DELETE FROM change
                               WHERE at_ms < extract(epoch FROM now()) * 1000 - $1";
                    tx.query(sql).bind(KEPT_MS).execute().await?;
                    Ok(())
                })
            })
            .await
    }
}
