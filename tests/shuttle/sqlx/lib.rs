//! sqlx, with a pool of readers whose every read is one step. The database is the real one; its
//! answers come from threads that shuttle does not know, so a real runtime waits for them while no
//! other task runs.

pub use sqlx::*;

use std::sync::LazyLock;
use tokio::runtime::{Builder, EnterGuard, Runtime};

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("runtime")
});

/// For as long as this is held, what sqlx spawns on this thread runs on the real runtime.
pub fn enter() -> EnterGuard<'static> {
    RUNTIME.enter()
}

/// Does what only the database can end, as one step; before it another task may run.
pub async fn for_database<F: Future>(work: F) -> F::Output {
    scheduled_tokio::point();
    RUNTIME.block_on(work)
}

/// As in sqlx, but for the pool.
pub mod sqlite {
    pub use crate::readers::{SqlitePool, SqlitePoolOptions};
    pub use sqlx::sqlite::*;
}

mod readers;
