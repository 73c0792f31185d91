//! Creation and end of challenges. `acceptance` makes games of them, `seek` challenges that end
//! with a connection.
//!
//! A creation runs in its own task, so that a client that disconnects cannot prevent what follows
//! its commit. Callers: `api::challenge` and `event_stream` in `http`; in `rooms`, bots, searches,
//! rematches and ready checks.

pub mod aborts;
pub mod accept_request;
pub mod acceptance;
pub mod casual_requests;
pub mod seek;

use super::presence::absence_news::AbsenceEvent;
use super::{Rooms, SlowAction, SlowModeError, SlowSlot, now_ms};
use crate::play::challenge::DeclineReason;
use crate::store::{
    AccountKey, Challenge, CloseChallengeError, CreateChallengeError, Draft, OpenChallengeLimits,
    PublicId, StoreError,
};
use std::net::IpAddr;
use std::sync::Arc;

impl Rooms {
    /// Creates a challenge. Refuses if the creator has as many open challenges as `open_max`
    /// allows, or has to wait after aborted games.
    pub async fn create_challenge(
        &self,
        creator: AccountKey,
        draft: Draft,
        open_max: impl Into<OpenChallengeLimits>,
    ) -> Result<Challenge, CreateChallengeError> {
        let (rooms, open_max) = (self.clone(), open_max.into());
        run_to_completion(async move {
            if draft.dest.as_ref().is_some_and(|dest| dest.level.is_some()) {
                return rooms.challenge_bot(creator, draft).await;
            }
            if let Some(until_ms) =
                rooms.abort_wait_until_ms(creator, draft.terms.rated, &draft.paces)
            {
                return Err(CreateChallengeError::TooManyAborts(until_ms));
            }
            let slot = rooms.count_slow_challenge(creator, open_max.network).await?;
            let challenge =
                rooms.store().create_challenge(creator, draft, open_max, now_ms()).await?;
            slot.keep();
            rooms.notify_absent_addressee(&challenge);
            Ok(challenge)
        })
        .await
    }

    /// Counts a new challenge in slow mode.
    ///
    /// # Errors
    /// The creator is a newcomer who has to wait.
    pub(super) async fn count_slow_challenge(
        &self,
        creator: AccountKey,
        network: Option<IpAddr>,
    ) -> Result<SlowSlot, CreateChallengeError> {
        let slot = self.count_slow_action(creator, network, SlowAction::NewChallenge).await;
        slot.map_err(|error| match error {
            SlowModeError::Wait(until_ms) => CreateChallengeError::SlowMode(until_ms),
            SlowModeError::Store(error) => error.into(),
        })
    }

    /// Informs the addressee of a new challenge who has no connection.
    pub(super) fn notify_absent_addressee(&self, challenge: &Challenge) {
        if let Some(dest) = &challenge.draft.dest {
            let event = AbsenceEvent::Challenged(Arc::new(challenge.clone()));
            self.user_hub().notify_absent(dest.key, event);
        }
    }

    /// Cancels a challenge of the requester.
    pub async fn cancel(
        &self,
        id: PublicId,
        requester: AccountKey,
    ) -> Result<(), CloseChallengeError> {
        self.store().cancel_challenge(id, requester, now_ms()).await
    }

    /// Declines a challenge to the requester.
    pub async fn decline(
        &self,
        id: PublicId,
        requester: AccountKey,
        reason: DeclineReason,
    ) -> Result<(), CloseChallengeError> {
        self.store().decline_challenge(id, requester, reason, now_ms()).await
    }

    /// Cancels all open challenges of a closed account, and declines those to it.
    pub(super) async fn end_challenges_of(&self, account: AccountKey) -> Result<(), StoreError> {
        loop {
            let open = self.store().open_challenges_of(account, now_ms()).await?;
            if open.is_empty() {
                return Ok(());
            }
            for challenge in open {
                let ended = if challenge.creator.key == account {
                    self.cancel(challenge.id, account).await
                } else {
                    self.decline(challenge.id, account, DeclineReason::Generic).await
                };
                if let Err(CloseChallengeError::Store(error)) = ended {
                    return Err(error);
                }
            }
        }
    }
}

/// Runs `work` to its end in a task of its own, even if the caller is dropped.
pub(super) async fn run_to_completion<T, E>(
    work: impl Future<Output = Result<T, E>> + Send + 'static,
) -> Result<T, E>
where
    T: Send + 'static,
    E: From<StoreError> + Send + 'static,
{
    tokio::spawn(work).await.map_err(|_| StoreError::NotCommitted)?
}
