//! Long outages, which move the deadlines of games without a clock. Callers: `rooms::process`, and
//! heartbeats.

use super::batch::Batch;
use super::{Store, StoreError};
use crate::play::clock::DAY_MS;
use crate::play::vacation::VACATION_DAYS_PER_YEAR;

/// Longest time from the last event of a game to its deadline, in milliseconds: the days for a move
/// and the vacations of two years.
const MOVE_MAX_MS: i64 = (15 + 2 * VACATION_DAYS_PER_YEAR) * DAY_MS;

/// Outage of the server, in epoch milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outage {
    /// Last moment before the outage.
    pub from_ms: i64,
    /// First moment after the outage.
    pub to_ms: i64,
}

impl Store {
    /// Records the time before a start in which no server ran, removes the outages that move no
    /// deadline and end no game, and returns the others. Needed are those after the last events of
    /// games with days per move, and of games that end once their player has left.
    pub async fn record_downtime(&self, downtime: Outage) -> Result<Vec<Outage>, StoreError> {
        let sql = "DELETE FROM outage WHERE to_ms <= coalesce(
                       (SELECT min(due_ms) FROM turn_state WHERE due_ms >= 0) - $1, to_ms)
                   AND to_ms <= coalesce(
                       (SELECT min(last_ms) FROM turn_state WHERE last_ms >= 0 AND abandonable),
                       to_ms)";
        self.store_states().await;
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let mut batch = Batch::default();
                    if downtime.from_ms < downtime.to_ms {
                        downtime.add_to(&mut batch);
                    }
                    batch.add(sql).bind(MOVE_MAX_MS);
                    batch.execute(tx).await
                })
            })
            .await?;
        self.outages().await
    }

    /// Returns the recorded outages in the order of their beginnings.
    pub async fn outages(&self) -> Result<Vec<Outage>, StoreError> {
        let sql = "SELECT from_ms, to_ms FROM outage ORDER BY from_ms";
        let rows: Vec<(i64, i64)> = self.readers.query(sql).fetch_all().await?;
        Ok(rows.into_iter().map(|(from_ms, to_ms)| Outage { from_ms, to_ms }).collect())
    }
}

impl Outage {
    pub(super) fn add_to(self, batch: &mut Batch) {
        batch.add(
            "INSERT INTO outage (from_ms, to_ms) VALUES ($1, $2)
             ON CONFLICT (from_ms) DO UPDATE SET to_ms = excluded.to_ms",
        );
        batch.bind(self.from_ms).bind(self.to_ms);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    /// A start that is killed before its first heartbeat is followed by one with the same start of
    /// the downtime.
    #[tokio::test]
    async fn outage_with_the_same_start_is_extended() {
        let folder = TempDir::new().expect("folder");
        let store = Store::open(&folder.path().join("sprong.db")).await.expect("store");
        for to_ms in [200, 300] {
            let outages = vec![Outage { from_ms: 100, to_ms }, Outage { from_ms: 400, to_ms: 450 }];
            store.record_heartbeat(500, 0, outages).await.expect("stored");
        }
        let expected = [(100, 300), (400, 450)].map(|(from_ms, to_ms)| Outage { from_ms, to_ms });
        assert_eq!(store.outages().await.expect("read"), expected);
        assert_eq!(store.last_heartbeat_ms().await.expect("read"), 500);
        // Without a game, no outage is needed.
        let downtime = Outage { from_ms: 500, to_ms: 600 };
        assert!(store.record_downtime(downtime).await.expect("stored").is_empty());
        assert!(store.outages().await.expect("read").is_empty());
        store.close().await;
    }
}
