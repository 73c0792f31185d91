//! Time of the database, which the clocks of all its nodes follow. Callers: the start of the rooms,
//! and the periodic tasks.

use super::process_clock;
use crate::rooms::{Rooms, now_ms};
use crate::store::StoreError;
use std::time::Duration;

/// Readings of the time at the start.
const FIRST_SAMPLES: usize = 5;

/// Readings for each adjustment, of which the fastest counts.
const SAMPLES: usize = 8;

/// Interval between two readings.
const INTERVAL: Duration = Duration::from_secs(1);

/// Reading of the time of the database.
#[derive(Clone, Copy, Debug)]
struct Sample {
    /// Duration of the reading, at whose middle the time is taken to be read.
    round_trip: Duration,
    /// Time of the database less that of this process, in milliseconds.
    ahead_ms: i64,
}

impl Rooms {
    /// Sets the clock of the process to that of the database, if that is on another machine.
    pub(super) async fn set_clock(&self) -> Result<(), StoreError> {
        let mut samples = Vec::new();
        for _ in 0..FIRST_SAMPLES {
            samples.extend(self.read_clock().await?);
        }
        if let Some(best) = samples.iter().min_by_key(|sample| sample.round_trip) {
            process_clock::set(now_ms() + best.ahead_ms);
        }
        Ok(())
    }

    /// Returns `None` on SQLite, whose time is that of the process.
    async fn read_clock(&self) -> Result<Option<Sample>, StoreError> {
        let Some((database_ms, round_trip)) = self.store().database_ms().await? else {
            return Ok(None);
        };
        let middle_ms = now_ms() - round_trip.as_millis() as i64 / 2;
        Ok(Some(Sample { round_trip, ahead_ms: database_ms - middle_ms }))
    }

    /// Lets the clock of the process follow that of the database until the server stops.
    pub(in crate::rooms) async fn clock_loop(self) {
        let mut samples = Vec::new();
        while self.sleep_unless_stopped(INTERVAL).await {
            match self.read_clock().await {
                Ok(Some(sample)) => samples.push(sample),
                Ok(None) => return,
                // The heartbeat reports the failure.
                Err(_) => continue,
            }
            if samples.len() < SAMPLES {
                continue;
            }
            let best = samples.iter().min_by_key(|sample| sample.round_trip);
            let ahead_ms = best.map_or(0, |best| best.ahead_ms);
            // The next readings count from the adjusted clock.
            samples.clear();
            let before_ms = now_ms();
            if process_clock::approach(ahead_ms) > 0 {
                tracing::warn!(ahead_ms, "The clock of the database has jumped");
                self.inner.downtime.record_since(before_ms);
            }
        }
    }
}
