//! Events for all connections of an account.

use crate::rooms::opponent_search::types::OpponentSearch;
use crate::rooms::ready_check::types::ReadyCheck;
use crate::store::{Challenge, GameRow, PublicId, ReadyCheckOutcome, RematchEnd};
use std::sync::Arc;

/// Event for an account.
#[derive(Clone, Debug)]
pub enum UserEvent {
    /// A challenge to or by the account was created or has changed.
    Challenge(Arc<Challenge>),
    /// Such a challenge is no longer open.
    ChallengeGone(Arc<Challenge>),
    /// A rematch offer by or to the account has ended by itself; `ChallengeGone` follows.
    RematchEnded(Arc<Challenge>, RematchEnd),
    /// The rating of the account no longer fits, and another player has taken its seat.
    SeatLost(Arc<Challenge>),
    /// A ready check of the account's challenge has begun.
    ReadyCheck(Arc<ReadyCheck>),
    ReadyCheckEnded(PublicId, ReadyCheckOutcome),
    /// The search of the account for an opponent has begun or changed; `None` if it is over.
    Search(Option<Arc<OpponentSearch>>),
    /// A game of the account has begun; the id is that of its challenge.
    GameStarted(Arc<GameRow>, PublicId),
    /// A game of the account has ended.
    GameFinished(Arc<GameRow>),
    /// Number of games without a clock against people in which the account is to move.
    GamesToMove(usize),
    /// Ratings of the account have changed.
    RatingsChanged,
    /// A block by or of the account was added or removed.
    BlocksChanged,
    /// A moderator has warned the account.
    Warned,
    /// The guest has registered, or the account has another name.
    Renamed,
    /// A session has ended, identified by its hash; all sessions if `None`.
    SignedOut(Option<Arc<Vec<u8>>>),
}
