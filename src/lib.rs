//! Sprong: a server for five two-player abstract board games.
//!
//! The modules are declared in the order of the layers; each uses only those above it
//! (`tests/it/tidy.rs`). `rules`, `search`, `variants` and `play` are the crate `sprong-core`, and
//! `render` is as pure as they are: no clock, no disk, no network, no global randomness.

pub use sprong_core::{play, rules, search, variants};

pub mod render;

mod round_robin;

mod background;

mod wait;

pub mod bus;

pub mod store;

pub mod rooms;

pub mod config;

pub mod http;

pub mod cli;

pub mod program;
