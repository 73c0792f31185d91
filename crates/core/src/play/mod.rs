//! Games between two players, with clocks, ratings and challenges.
//!
//! Pure: times and seeds are arguments. This folder does not know connections or storage.

#[cfg(feature = "search")]
pub mod arena;
pub mod board_images;
pub mod catalog;
pub mod challenge;
pub mod challenge_settings;
mod chat;
pub mod clock;
pub mod command;
pub mod commit_reveal;
pub mod conditional;
pub mod event;
pub mod game;
pub mod name;
pub mod offer;
pub mod option_values;
pub mod pgn;
pub mod played_line;
pub mod query;
pub mod rating;
pub mod rating_range;
pub mod reason;
pub mod text;
pub mod transcript;
mod turn_time;
pub mod vacation;
pub mod verify;
