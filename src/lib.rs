//! Sprong: a server for five two-player abstract board games.
//!
//! The modules are declared in dependency order; each uses only those above it. `rules`, `search`,
//! `variants`, `play` and `picture` are pure: no clock, no disk, no network, no global randomness.
//! The first four are the rules core, which alone decides which moves are legal.

pub mod rules;

pub mod search;

pub mod variants;

pub mod play;

pub mod render;

mod background;
mod round_robin;
mod wait;

pub mod store;

pub mod bus;

pub mod rooms;

pub mod http;

pub mod config;

pub mod cli;
