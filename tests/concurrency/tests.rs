//! Tests of `src/store`, `src/rooms` and `src/bus`, without changes, under shuttle, which tries one
//! order of their steps after another.
//!
//! A commit or a read is one step, because shuttle cannot control the threads of SQLite. Time does
//! not pass: a sleep of any length ends when the scheduler ends it, so clocks and deadlines of
//! games are not tested.

mod fixture;
mod runner;
mod shutdown_order;
#[path = "../it/support/store_fixtures.rs"]
mod store_fixtures;
mod two_nodes;
