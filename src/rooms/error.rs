use super::room::message::CommandError;
use crate::play::event::InvalidLog;
use crate::store;

/// Reason why a game is not available.
#[derive(Debug, thiserror::Error)]
pub enum RoomError {
    /// The game does not exist.
    #[error("game not found")]
    GameNotFound,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] store::StoreError),
    /// The log of the game contradicts the rules; the game is skipped.
    #[error(transparent)]
    BadLog(#[from] InvalidLog),
    /// The server is shutting down.
    #[error("the server is shutting down")]
    Stopping,
}

/// Reason why a request to the room of a game had no effect.
#[derive(Debug, thiserror::Error)]
pub enum RequestError {
    /// The game is not available.
    #[error(transparent)]
    Room(#[from] RoomError),
    /// The room did not execute the command.
    #[error(transparent)]
    Command(#[from] CommandError),
}

impl RoomError {
    /// Returns whether the stored game itself is invalid, as opposed to a failure of the store.
    pub fn is_invalid_log(&self) -> bool {
        matches!(self, RoomError::BadLog(_) | RoomError::Store(store::StoreError::InvalidRow(_)))
    }
}
