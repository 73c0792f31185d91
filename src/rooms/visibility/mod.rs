//! Visibility of a game for each kind of reader: its players, or spectators (`None`).
//!
//! [`broadcast_delay`] decides when spectators see a move of a rated game.

pub mod broadcast_delay;

use crate::play::event::{ChatMessage, ChatRoom};
use crate::rules::Side;
use std::collections::HashSet;

/// Names of the users whom a reader has blocked. The reader does not see their chat messages.
#[derive(Clone, Debug, Default)]
pub struct BlockedNames(HashSet<String>);

impl BlockedNames {
    pub fn new(names: impl IntoIterator<Item = String>) -> BlockedNames {
        BlockedNames(names.into_iter().collect())
    }

    /// Returns whether the reader has blocked the writer of a chat message.
    fn hides(&self, message: &ChatMessage) -> bool {
        self.0.contains(&message.name)
    }
}

/// Returns the chat that a reader sees: players have one, spectators another.
pub fn chat_room(reader: Option<Side>) -> ChatRoom {
    if reader.is_some() { ChatRoom::Player } else { ChatRoom::Spectator }
}

/// Returns whether a reader sees a chat message. A reader without an account has blocked nobody.
/// Messages of erased accounts have no name; those that a moderator has deleted have no text.
pub fn is_chat_visible(
    message: &ChatMessage,
    reader: Option<Side>,
    blocked_names: Option<&BlockedNames>,
) -> bool {
    message.room == chat_room(reader)
        && !message.name.is_empty()
        && !blocked_names.is_some_and(|blocked| blocked.hides(message))
}

/// Returns whether a reader gets the terms of a rematch of a finished game: its players do.
pub fn has_rematch_terms(reader: Option<Side>) -> bool {
    reader.is_some()
}

/// Returns whether a reader gets the legal moves: the player whose turn it is.
pub fn has_legal_moves(reader: Option<Side>, turn: Side) -> bool {
    reader == Some(turn)
}
