//! A ready check, its outcomes and errors. Callers: `ready_check`, and the routes and sockets in
//! `http`.

use crate::play::clock::Pace;
use crate::rooms::challenges::accept_request::AcceptRequest;
use crate::store::{
    AcceptError, Account, Challenge, GameChoice, NewReadyCheck, SearchClaim, StoreError,
    StoredReadyCheck,
};
use std::sync::Arc;
use uuid::Uuid;

/// Ready check of the player who waits for an opponent.
#[derive(Clone, Debug)]
pub struct ReadyCheck {
    /// Identifies this check among those of the same challenge.
    pub(in crate::rooms) number: Uuid,
    /// Accepted challenge.
    pub challenge: Arc<Challenge>,
    /// Player who has to answer.
    pub waiting_player: Account,
    /// Reserved acceptance.
    pub acceptance: AcceptRequest,
    /// Search of the acceptor that the game ends.
    pub(in crate::rooms) search: Option<SearchClaim>,
    /// Deadline in epoch milliseconds.
    pub ready_by_ms: i64,
}

/// Reason why an answer to a ready check had no effect.
#[derive(Debug, thiserror::Error)]
pub enum ReadyCheckError {
    /// There is no check.
    #[error("no ready check")]
    NoCheck,
    /// The requester has no part in it.
    #[error("not a participant")]
    NotParticipant,
    /// The acceptance was no longer possible.
    #[error(transparent)]
    NotAccepted(AcceptError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl ReadyCheck {
    /// Returns the variant with its options and the time control of the game that would begin.
    pub fn terms(&self) -> (&GameChoice, Pace) {
        let (draft, choice) = (&self.challenge.draft, &self.acceptance.choice);
        let chosen = |game_choice: &&GameChoice| {
            choice.variant.as_deref() == Some(game_choice.variant.info.key)
        };
        let game_choice = draft.plays.iter().find(chosen).unwrap_or(&draft.plays[0]);
        (game_choice, choice.pace.unwrap_or(draft.paces[0]))
    }

    /// Returns the check as it is stored.
    pub(super) fn to_store(&self) -> NewReadyCheck {
        NewReadyCheck {
            challenge: self.challenge.id,
            number: self.number,
            waiting_player: self.waiting_player.key,
            acceptor: self.acceptance.acceptor.key,
            choice: self.acceptance.choice.clone(),
            ready_by_ms: self.ready_by_ms,
            search: self.search,
            network: self.acceptance.network,
        }
    }

    pub(in crate::rooms) fn from_store(stored: StoredReadyCheck) -> ReadyCheck {
        let StoredReadyCheck { challenge, acceptor, choice, network, .. } = stored;
        let acceptance = AcceptRequest { id: challenge.id, acceptor, choice, network };
        ReadyCheck {
            number: stored.number,
            challenge: Arc::new(challenge),
            waiting_player: stored.waiting_player,
            acceptance,
            search: stored.search,
            ready_by_ms: stored.ready_by_ms,
        }
    }

    /// Returns whether both are the same check.
    pub(in crate::rooms) fn is_same(&self, other: &ReadyCheck) -> bool {
        self.number == other.number
    }
}
