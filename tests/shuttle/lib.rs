//! Store and rooms of the server, compiled with replacements for locks, tasks, channels and timers
//! that shuttle schedules.

// These replace the crates that `src` names; all others are the originals.
extern crate scheduled_std as std;

#[path = "../../src/bus/mod.rs"]
pub mod bus;
#[path = "../../src/play/mod.rs"]
pub mod play;
#[path = "../../src/rooms/mod.rs"]
pub mod rooms;
#[path = "../../src/rules/mod.rs"]
pub mod rules;
#[path = "../../src/search/mod.rs"]
pub mod search;
#[path = "../../src/store/mod.rs"]
pub mod store;
#[path = "../../src/turns.rs"]
mod turns;
#[path = "../../src/variants/mod.rs"]
pub mod variants;

/// Replacement for `src/background.rs`: the scheduler has no priorities.
mod background {
    pub(crate) fn set_thread_nice(_: i32) {}
}

/// Replacement for `src/wait.rs`: a wait for the database is one step of a schedule.
mod wait {
    pub(crate) use sqlx::for_database;
}
