//! Time of the database, which the clocks of all its nodes follow. Callers: the start of the rooms,
//! and the periodic tasks.

use super::process_clock;
use crate::rooms::Rooms;
use crate::store::StoreError;
use std::time::Duration;

/// Readings of the time at the start.
const FIRST_SAMPLES: usize = 5;

/// Readings for each adjustment, of which the fastest counts.
const SAMPLES: usize = 8;

/// Interval between two readings.
const INTERVAL: Duration = Duration::from_secs(1);

/// Half of the duration of a reading from which it is not used, in microseconds.
const HALF_MAX_US: i64 = 100_000;

/// Reading of the time of the database.
#[derive(Clone, Copy, Debug)]
struct Sample {
    /// Half of the duration of the reading, in microseconds: the maximum error of the offset, as
    /// the time is taken to be read in the middle.
    half_us: i64,
    /// Time of the database less the uncorrected time of this process, in microseconds.
    offset_us: i64,
}

fn fastest(samples: &[Sample]) -> Option<&Sample> {
    samples.iter().min_by_key(|sample| sample.half_us)
}

impl Rooms {
    /// Sets the clock of the process to that of the database, if that is on another machine.
    pub(super) async fn set_clock(&self) -> Result<(), StoreError> {
        let mut samples = Vec::new();
        for _ in 0..FIRST_SAMPLES {
            samples.extend(self.read_clock().await?);
        }
        if let Some(best) = fastest(&samples) {
            process_clock::set((process_clock::uncorrected_us() + best.offset_us) / 1_000);
        }
        Ok(())
    }

    /// Returns `None` on SQLite, whose time is that of the process.
    async fn read_clock(&self) -> Result<Option<Sample>, StoreError> {
        let Some((database_us, round_trip)) = self.store().database_us().await? else {
            return Ok(None);
        };
        let half_us = round_trip.as_micros() as i64 / 2;
        let offset_us = database_us - (process_clock::uncorrected_us() - half_us);
        metrics::histogram!("sprong_database_rtt_seconds").record(round_trip);
        let error_us = database_us - half_us - 1_000 * process_clock::now_ms();
        metrics::gauge!("sprong_clock_offset_ms").set(error_us as f64 / 1_000.0);
        Ok(Some(Sample { half_us, offset_us }))
    }

    /// Lets the clock of the process follow that of the database until the server stops.
    pub(in crate::rooms) async fn clock_loop(self) {
        let mut samples = Vec::new();
        while self.sleep_unless_stopped(INTERVAL).await {
            match self.read_clock().await {
                Ok(Some(sample)) => samples.push(sample),
                Ok(None) => return,
                // The heartbeat reports the failure.
                Err(_) => {}
            }
            if samples.len() == SAMPLES {
                let best = fastest(&samples).filter(|best| best.half_us < HALF_MAX_US);
                best.into_iter().for_each(|best| self.follow_clock(best));
                samples.clear();
            }
        }
    }

    fn follow_clock(&self, sample: &Sample) {
        let before_ms = self.inner.downtime.now_ms();
        let jump_ms = process_clock::approach(sample.offset_us, sample.half_us);
        if jump_ms > 0 {
            tracing::warn!(jump_ms, "The clock of the database has jumped");
            self.inner.downtime.record_jump(before_ms);
        }
    }
}
