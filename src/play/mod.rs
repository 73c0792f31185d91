//! Games between two players, with clocks, ratings and challenges.
//!
//! Pure: times and seeds are arguments. This folder does not know connections or storage.

/// Engine matches.
pub mod arena;

/// Catalogue of variants as JSON.
pub mod catalogue;

/// Challenges and eligibility to accept them.
pub mod challenge;

/// Time controls and clocks.
pub mod clock;

/// Events of games.
pub mod event;

/// Commands of players.
pub mod command;

/// Games.
pub mod game;

/// Start positions with the moves played from them.
pub mod line;

/// Draw and takeback offers.
pub mod offer;

/// Rating ranges.
pub mod range;

/// Account names.
pub mod name;

/// PGN-like game records.
pub mod pgn;

mod scan;
mod span;
mod tag;

/// Position queries.
pub mod query;

/// Ratings.
pub mod rating;

/// Commit–reveal scheme for random starts.
pub mod shuffle;

/// Sanitization of user-written text.
pub mod text;

/// Moves and clock times from logs.
pub mod transcript;

/// Verification of game records.
pub mod verify;
