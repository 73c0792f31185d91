//! Everything that is tested from outside the library, in one binary.

#![allow(clippy::panic, reason = "a test that panics has failed")]

mod cli;
mod client;
mod fuzz;
mod grid;
mod guards;
mod kill;
mod laws;
mod limits;
mod live;
mod live_play;
mod naive;
mod offers;
mod operate;
mod perft;
mod pgn;
mod players;
mod ready;
mod roads;
mod scripts;
mod server;
mod store;
mod tidy;
mod transcripts;
mod vectors;
mod walk;
