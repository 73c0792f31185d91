//! News for accounts without a connection.

use crate::store::{AccountKey, Challenge, GameRow, PublicId};
use std::sync::Arc;

/// News for an account that had no connection at that moment.
#[derive(Clone, Debug)]
pub struct AbsenceNews {
    pub account: AccountKey,
    pub event: AbsenceEvent,
}

/// Event of which an account is also informed without a connection.
#[derive(Clone, Debug)]
pub enum AbsenceEvent {
    /// The opponent has moved in a game without a clock between people.
    OpponentMoved(PublicId),
    /// A challenge to the account was created.
    Challenged(Arc<Challenge>),
    /// A challenge of the account was accepted.
    GameStarted(Arc<GameRow>),
}
