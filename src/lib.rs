//! Sprong: a server for five two-player abstract board games.
//!
//! The modules are declared in dependency order; each uses only those above it. `rules`, `search`,
//! `variants`, `play` and `picture` are pure: no clock, no disk, no network, no global randomness.
//! The first four are the rules core, which alone decides which moves are legal.

/// Game rules: the trait `Rules` and its value types.
pub mod rules;

/// Computer players: game tree searches over any rules, and their strength levels.
pub mod search;

/// The rules of each game, one file per variant, and the catalogue of variants.
pub mod variants;

/// A game between two players: state machine, clock, ratings, and challenge eligibility.
pub mod play;

/// Images of positions: SVG, PNG, icons and QR codes.
pub mod picture;

mod background;
mod turns;
mod wait;

/// Persistence: all SQL, and the writer that batches commits.
pub mod store;

/// Publish–subscribe topics between tasks.
pub mod bus;

/// In-memory state: one actor task per open game, and the lobby.
pub mod rooms;

/// HTTP server: routes, messages, sockets and pages.
pub mod http;

/// Command line and settings: flags, environment variables, defaults and ranges.
pub mod config;

/// Subcommands other than the server.
pub mod cli;
