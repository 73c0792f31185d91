use crate::play::game::BadLog;
use crate::store;

/// Reason why a game is not available.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The game does not exist.
    #[error("game not found")]
    Unknown,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// The log of the game contradicts the rules; the game is skipped.
    #[error(transparent)]
    BadLog(#[from] BadLog),
    /// The server is shutting down.
    #[error("the server is shutting down")]
    Stopping,
}
