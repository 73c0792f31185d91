//! Streams of NDJSON: events of an account, games of a player, games for spectators.

pub mod board_stream;
pub mod event_stream;
pub mod game_stream;
