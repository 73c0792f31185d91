//! One match between two players, and what surrounds it: clock, ratings, challenges.
//!
//! Pure: time and seeds are arguments. This folder must never know who is connected, nor where
//! anything is kept.

/// Players made of code against each other.
pub mod arena;

/// The variants as JSON tells of them.
pub mod catalogue;

/// Who may accept a challenge.
pub mod challenge;

/// Time to think.
pub mod clock;

/// What happened to a game, and how it is written in the log.
pub mod event;

/// What players ask of a game, and why it may say no.
pub mod command;

/// The match itself.
pub mod game;

/// A line of play, and the rules that need its history.
pub mod line;

/// What one player asks the other for.
pub mod offer;

/// Which ratings a challenge is for.
pub mod range;

/// What players may be called.
pub mod name;

/// A game as a text.
pub mod pgn;

mod scan;
mod span;
mod tag;

/// Questions to the rules, and their answers, as JSON.
pub mod query;

/// How strong a player is.
pub mod rating;

/// Chance that nobody can bend.
pub mod shuffle;

/// What players write for others to read.
pub mod text;
/// Moves and clocks of a game, read from its log.
pub mod transcript;

/// Whether a game's record is what it says.
pub mod verify;
