//! Messages to a room, and its replies. Callers: `Rooms`, sockets and streams in `http`, and
//! `bots`.

use super::update::{GameEvent, GameSnapshot};
use crate::bus::Subscriber;
use crate::play::command::{Command, Refusal};
use crate::play::conditional::ConditionalMoves;
use crate::play::event::{ChatRoom, LoggedEvent};
use crate::rooms::presence::crowd::RoomStatus;
use crate::rules::Side;
use crate::store::{AccountKey, PublicId};
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot};
use uuid::Uuid;

/// Returns the id under which a command of an account is logged. Ids that clients choose are unique
/// only per account.
pub fn command_id(account: AccountKey, cid: Uuid) -> Uuid {
    Uuid::new_v5(&account.uuid(), cid.as_bytes())
}

/// Reason why a command was not executed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CommandError {
    /// The game refused the command.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The events could not be stored; nothing has changed.
    #[error("the events could not be stored")]
    StoreFailed,
}

/// Number of the event of the executed command.
pub type CommandResult = Result<i64, CommandError>;

/// Inbox of a room. Messages are boxed, because the queue reserves memory for many.
pub type RoomInbox = mpsc::Sender<Box<RoomMessage>>;

#[derive(Debug)]
pub enum RoomMessage {
    /// Command of a player.
    Command {
        /// Sender of the command. The room determines its side.
        account: AccountKey,
        /// Command to execute.
        command: Command,
        /// Command id of the client; a repeated command is executed once.
        cid: Option<Uuid>,
        /// Replied to after the commit.
        reply: oneshot::Sender<CommandResult>,
    },
    Chat {
        /// Sender of the message.
        account: AccountKey,
        /// Name of the sender.
        name: String,
        /// Chat of the players or of the spectators.
        room: ChatRoom,
        text: String,
        /// Command id of the client; a repeated message is posted once.
        cid: Option<Uuid>,
        /// Replied to after the commit.
        reply: oneshot::Sender<CommandResult>,
    },
    /// Subscription to all further events.
    Join {
        /// Account of the client, if it has one.
        account: Option<AccountKey>,
        /// Number of the last event that the client has, if any.
        last_seen: Option<i64>,
        /// Replied to without a commit; dropped if the room has to stop.
        reply: oneshot::Sender<Box<Joined>>,
    },
    /// End of a game without a clock against a bot that the person to move has left.
    Abandon {
        /// Replied to after the commit.
        reply: oneshot::Sender<CommandResult>,
    },
    /// Event that another node has committed, with the id of its command.
    Followed(LoggedEvent, Option<Uuid>),
    /// Other nodes may have committed events without a hint, up to this number if it is known.
    CatchUp(Option<i64>),
    /// Announcement of the next game of the same players.
    NextGame(PublicId),
    /// The account, which may be that of a player, has another name.
    Renamed(AccountKey),
    /// A player has taken a vacation.
    VacationTaken,
    /// New conditional moves of a player, or `None` to remove them.
    SetConditionalMoves {
        account: AccountKey,
        moves: Option<ConditionalMoves>,
        /// Replied to after the moves are stored.
        reply: oneshot::Sender<Result<(), CommandError>>,
    },
    /// A server that stopped may have left a conditional move to this one.
    MakeMissedReply,
    /// A moderator has voided the game.
    Voided,
    /// Chat lines of the log have changed: the room has to read it again.
    ChatChanged,
    /// Request for a snapshot.
    Snapshot {
        /// Replied to without a commit; dropped if the room has to stop.
        reply: oneshot::Sender<GameSnapshot>,
    },
}

/// Subscription to a room.
#[derive(Debug)]
pub struct Joined {
    /// Side of a player; `None` for spectators.
    pub side: Option<Side>,
    /// Snapshot of the game, unless `missed` has all events since.
    pub snapshot: Option<Box<GameSnapshot>>,
    /// Events since the last one that the client has, in order.
    pub missed: Vec<Arc<GameEvent>>,
    /// Further events.
    pub events: Subscriber<Arc<GameEvent>>,
    /// Spectators and absent players. A snapshot includes them; a list of missed events does not.
    pub status: RoomStatus,
    /// Further changes of the status.
    pub status_changes: Subscriber<Arc<RoomStatus>>,
}
