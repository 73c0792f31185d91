//! sqlx with a wait for the database as one step of a schedule. The database is the real one; its
//! answers come from threads that shuttle cannot control, so a real runtime waits for them while no
//! other task runs.

pub use sqlx::*;

use std::sync::LazyLock;
use tokio::runtime::{Builder, EnterGuard, Runtime};

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("runtime")
});

/// Enters the real runtime: until the guard is dropped, tasks that sqlx spawns on this thread run
/// there.
pub fn enter() -> EnterGuard<'static> {
    RUNTIME.enter()
}

/// Runs database work as one step, before which another task may run.
pub async fn for_database<F: Future>(work: F) -> F::Output {
    scheduled_tokio::point();
    RUNTIME.block_on(work)
}
