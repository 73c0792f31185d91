//! Games between two players, with clocks, ratings and challenges.
//!
//! Pure: times and seeds are arguments. This folder does not know connections or storage.

#[cfg(feature = "search")]
pub mod arena;
/// Catalogue of variants as JSON.
pub mod catalogue;
pub mod challenge;
pub mod clock;
pub mod command;
pub mod event;
pub mod game;
pub mod name;
/// Draw and takeback offers.
pub mod offer;
pub mod pgn;
pub mod played_line;
pub mod rating_range;

pub mod commit_reveal;
pub mod query;
pub mod rating;
mod scan;
mod span;
mod tag;
pub mod text;
pub mod transcript;
pub mod verify;
