//! Messages to a room, and its replies.

use super::around::{Stay, Told, Visitor};
use super::news::{News, Shown};
use crate::bus::Listener;
use crate::play::command::{Command, Refusal};
use crate::play::event::Room as ChatRoom;
use crate::rules::Side;
use crate::store::{AccountKey, PublicId};
use std::sync::Arc;
use tokio::sync::{oneshot, watch};
use uuid::Uuid;

/// Account that sends a message. The room determines its side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Asker {
    /// Account key.
    pub account: AccountKey,
    /// Account name.
    pub name: String,
}

/// Reason why a command was not executed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unheard {
    /// The game refused the command.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The events could not be stored; nothing has changed.
    #[error("This could not be stored. Try again in a moment.")]
    NotStored,
}

/// Number of the event of the executed command.
pub type Answer = Result<i64, Unheard>;

/// Message to a room.
#[derive(Debug)]
pub enum Ask {
    /// Command of a player.
    Command {
        /// Sender of the command.
        asker: Asker,
        /// Command to execute.
        command: Command,
        /// Command id of the client; a repeated command is executed once.
        cid: Option<Uuid>,
        /// Replied to after the commit.
        answer: oneshot::Sender<Answer>,
    },
    /// Chat message.
    Say {
        /// Sender of the message.
        asker: Asker,
        /// Chat of the players or of the spectators.
        room: ChatRoom,
        /// Text of the message.
        text: String,
        /// Command id of the client; a repeated message is posted once.
        cid: Option<Uuid>,
        /// Replied to after the commit.
        answer: oneshot::Sender<Answer>,
    },
    /// Subscription to all further events.
    Join {
        /// Client that joins.
        visitor: Visitor,
        /// Number of the last event that the client has, if any.
        since: Option<i64>,
        /// Replied to immediately.
        answer: oneshot::Sender<Joined>,
    },
    /// Announcement of the next game of the same players.
    Next(PublicId),
    /// Request for a snapshot.
    Look {
        /// Replied to immediately.
        answer: oneshot::Sender<Shown>,
    },
}

/// Subscription to a room.
#[derive(Debug)]
pub struct Joined {
    /// Side of a player; `None` for spectators.
    pub side: Option<Side>,
    /// Snapshot of the game, unless `missed` has all events since.
    pub shown: Option<Box<Shown>>,
    /// Events since the last one that the client has, in order.
    pub missed: Vec<Arc<News>>,
    /// Further events.
    pub news: Listener<Arc<News>>,
    /// Spectators and absent players, with further changes.
    pub told: watch::Receiver<Told>,
    /// Registration of the connection while it is held; `None` for uncounted clients.
    pub stay: Option<Stay>,
}
