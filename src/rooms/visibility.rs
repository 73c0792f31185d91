//! Visibility of a game for each kind of reader: its players, or spectators (`None`).
//!
//! [`broadcast_delay`](super::broadcast_delay) decides when spectators see a move of a rated game.

use crate::play::event::ChatRoom;
use crate::rules::Side;

/// Returns whether a reader sees the messages of a chat: players have one, spectators another.
pub fn is_chat_visible(room: ChatRoom, reader: Option<Side>) -> bool {
    (room == ChatRoom::Player) == reader.is_some()
}

/// Returns whether a reader gets the legal moves: the player whose turn it is.
pub fn has_legal_moves(reader: Option<Side>, turn: Side) -> bool {
    reader == Some(turn)
}
