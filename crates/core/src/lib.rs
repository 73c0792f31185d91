//! Rules, engine and game state of Sprong's five variants.
//!
//! Pure: no clock, disk, network, task or global randomness; times and seeds are arguments. The
//! modules are declared in dependency order, and each uses only those above it. The server and the
//! offline pages (`crates/wasm`) are built on this crate, which alone decides which moves are
//! legal.

pub mod rules;

pub mod search;

pub mod variants;

pub mod play;
