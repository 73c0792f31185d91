//! Limits of the chat of a game. Caller: `Game`.

use super::command::{CHAT_CHARS_MAX, Refusal};
use super::event::{ChatMessage, ChatRoom};
use super::text::sanitize_line;
use crate::rules::Side;

/// Maximum number of messages in each of the two chat rooms of a game.
const CHAT_MESSAGES_MAX: usize = 500;

/// Returns the text of a new message as it is stored; `side` is `None` for a spectator.
///
/// # Errors
/// The text is empty, too long, beyond the limit of the room, or for the other room.
pub(super) fn check_message(
    messages: &[ChatMessage],
    side: Option<Side>,
    room: ChatRoom,
    text: &str,
) -> Result<String, Refusal> {
    let text = sanitize_line(text);
    if side.is_some() != (room == ChatRoom::Player) {
        return Err(Refusal::NotAPlayer);
    }
    if text.is_empty() {
        return Err(Refusal::Empty);
    }
    if text.chars().count() > CHAT_CHARS_MAX {
        return Err(Refusal::TooLong);
    }
    if messages.iter().filter(|message| message.room == room).count() >= CHAT_MESSAGES_MAX {
        return Err(Refusal::Full);
    }
    Ok(text)
}
