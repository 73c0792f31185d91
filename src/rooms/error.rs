use crate::play::game::BadLog;
use crate::store;

/// Reason why a game is not available.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no such game.
    #[error("there is no such game")]
    Unknown,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// Its log contradicts the rules: it is left alone.
    #[error(transparent)]
    BadLog(#[from] BadLog),
    /// The server is going down.
    #[error("the server is going down")]
    Stopping,
}
