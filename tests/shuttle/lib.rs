//! The store and the rooms of the server, as they are, on parts that shuttle schedules.

// The names that `src` knows stand for these; the others are what they are.
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

/// The scheduler knows no priorities.
mod background {
    pub(crate) fn set_thread_nice(_: i32) {}
}

/// Every wait for the database is one step.
mod wait {
    pub(crate) use sqlx::for_database;
}
