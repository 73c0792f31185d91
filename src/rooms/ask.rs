//! What may be asked of a room, and what comes back.

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

/// Who asks something of a room. On which side they sit is for the room to say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Asker {
    /// Their account.
    pub account: AccountKey,
    /// Their name.
    pub name: String,
}

/// Why a room's answer is not what was asked for.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unheard {
    /// The game says no.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// It could not be stored; nothing has happened.
    #[error("This could not be stored. Try again in a moment.")]
    NotStored,
}

/// The number of the event in which a command was obeyed.
pub type Answer = Result<i64, Unheard>;

/// What may be asked of a room.
#[derive(Debug)]
pub enum Ask {
    /// A player's command.
    Command {
        /// Who asks.
        asker: Asker,
        /// For what.
        command: Command,
        /// Made by whoever sends it: the same one is obeyed once.
        cid: Option<Uuid>,
        /// Answered after the commit.
        answer: oneshot::Sender<Answer>,
    },
    /// A line of chat.
    Say {
        /// Who speaks.
        asker: Asker,
        /// To whom.
        room: ChatRoom,
        /// What.
        text: String,
        /// Made by whoever sends it: the same one is said once.
        cid: Option<Uuid>,
        /// Answered after the commit.
        answer: oneshot::Sender<Answer>,
    },
    /// To hear of all that happens from now on.
    Join {
        /// Who.
        visitor: Visitor,
        /// The number of the last event known, if any is.
        since: Option<i64>,
        /// Answered at once.
        answer: oneshot::Sender<Joined>,
    },
    /// To tell those who watch of the next game of the same two.
    Next(PublicId),
    /// To see how the game stands.
    Look {
        /// Answered at once.
        answer: oneshot::Sender<Shown>,
    },
}

/// Somebody's place in a room.
#[derive(Debug)]
pub struct Joined {
    /// The side on which they sit; none for somebody who only watches.
    pub side: Option<Side>,
    /// The whole game, unless all that was missed is in `missed`.
    pub shown: Option<Box<Shown>>,
    /// What happened since, in order.
    pub missed: Vec<Arc<News>>,
    /// What happens from now on.
    pub news: Listener<Arc<News>>,
    /// Who is here, from now on.
    pub told: watch::Receiver<Told>,
    /// Held for as long as they stay; none for somebody who is not counted.
    pub stay: Option<Stay>,
}
