//! Runs schedules of a test, each on its own database.

use super::fixture::BaseDatabase;
use shuttle::scheduler::{RandomScheduler, Scheduler};
use shuttle::{Config, Runner};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Schedules of each kind that every machine runs, and their time limit.
const SCHEDULES_MIN: usize = 200;
const SCHEDULES_TIMEOUT: Duration = Duration::from_secs(600);

/// Schedules of each kind on a fast machine, which runs as many as it can until this time.
const SCHEDULES_MAX: usize = 1_500;
const SCHEDULES_TIME: Duration = Duration::from_secs(20);

/// Maximum number of priority changes in a PCT schedule.
pub const PCT_DEPTH: usize = 4;

/// Runs schedules; `scheduler` creates a scheduler for a number of them.
pub fn run<S: Scheduler + 'static, F: Future<Output = ()> + 'static>(
    kind: &str,
    scheduler: impl Fn(usize) -> S,
    schedule: fn(Arc<BaseDatabase>) -> F,
) {
    let base = Arc::new(BaseDatabase::new());
    let _entered = sqlx::enter();
    let mut config = Config::new();
    config.stack_size = 1 << 20;
    config.silence_warnings = true;
    let making = base.clone();
    let make = move || shuttle::future::block_on(making.make());
    Runner::new(RandomScheduler::new(1), config.clone()).run(make);
    let began = Instant::now();
    let mut run = |schedules, until: Duration| {
        config.max_time = Some(until.saturating_sub(began.elapsed()));
        let ran = base.clone();
        Runner::new(scheduler(schedules), config.clone()).run(move || {
            tokio::time::forget();
            shuttle::future::block_on(schedule(ran.clone()));
        })
    };
    let mut schedules = run(SCHEDULES_MIN, SCHEDULES_TIMEOUT);
    let took = began.elapsed();
    assert_eq!(schedules, SCHEDULES_MIN, "schedules in {took:?}");
    schedules += run(SCHEDULES_MAX - SCHEDULES_MIN, SCHEDULES_TIME);
    println!("{kind}: {schedules} schedules, {} commands: all stored", base.acknowledged());
    println!("{kind}: the first {SCHEDULES_MIN} in {took:.1?}, all in {:.1?}", began.elapsed());
    assert!(base.acknowledged() > schedules, "{} commands", base.acknowledged());
}
