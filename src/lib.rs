//! Sprong: a server for five forgotten two-player abstract games.
//!
//! The modules stand in ring order; each sees only those above it. `rules`, `search`, `variants`,
//! `play` and `picture` are pure (no clock, no disk, no network, no global randomness); all but the
//! last together are the shared rules core: nothing else decides what is legal.

/// What a game must say of itself: the trait, and the small values it speaks in.
pub mod rules;

/// Players made of code: a search over any rules, and the levels of its strength.
pub mod search;

/// The games themselves, one file each, and the catalogue of them.
pub mod variants;

/// One match between two players: state machine, clock, ratings, who may accept a challenge.
pub mod play;

/// What a position looks like: SVG and PNG, icons, codes for cameras.
pub mod picture;

mod background;
mod turns;
mod wait;

/// Persistence: all SQL, and the writer that batches commits.
pub mod store;

/// Events between tasks.
pub mod bus;

/// What is alive: rooms of games in play, and the lobby.
pub mod rooms;

/// The outside: routes, messages, sockets, pages.
pub mod http;

/// Every setting: flag, environment variable, default, bound.
pub mod config;

/// The rules core on the command line.
pub mod cli;
