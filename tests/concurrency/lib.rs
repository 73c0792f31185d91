//! Store and rooms of the server, compiled with replacements for locks, tasks, channels and timers
//! that shuttle schedules.

// These replace the crates that `src` names; all others are the originals.
extern crate scheduled_std as std;

pub use sprong_core::{play, rules, search, variants};

#[path = "../../src/bus/mod.rs"]
pub mod bus;
#[path = "../../src/rooms/mod.rs"]
pub mod rooms;
#[path = "../../src/round_robin.rs"]
mod round_robin;
#[path = "../../src/store/mod.rs"]
pub mod store;

/// Replacement for `src/background.rs`: the scheduler has no priorities.
mod background {
    pub(crate) fn set_thread_niceness(_: i32) {}

    /// A task: the scheduler has no threads.
    pub(crate) fn spawn_thread(
        _: &str,
        work: impl Future<Output = ()> + Send + 'static,
    ) -> std::io::Result<()> {
        tokio::spawn(work);
        Ok(())
    }
}

/// Replacement for `src/wait.rs`: a wait for the database is one step of a schedule.
mod wait {
    pub(crate) use sqlx::for_database;
}
