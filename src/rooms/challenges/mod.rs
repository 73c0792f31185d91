//! Creation and end of challenges, with notification of the participants. `acceptance` makes games
//! of them, `seek` challenges that end with a connection.
//!
//! Each operation runs in its own task, so that a client that disconnects cannot prevent the
//! notifications that follow a commit. Callers: `api::challenge` and `event_stream` in `http`; in
//! `rooms`, bots, searches, rematches and ready checks.

pub mod aborts;
pub mod accept_request;
pub mod acceptance;
pub mod casual_requests;
pub mod seek;

use super::presence::absence_news::AbsenceEvent;
use super::presence::user_event::UserEvent;
use super::ready_check::types::ReadyCheckOutcome;
use super::{Rooms, now_ms};
use crate::play::challenge::{ChallengeStatus, DeclineReason};
use crate::store::{
    AccountKey, Challenge, CloseChallengeError, CreateChallengeError, Draft, OpenChallengeLimits,
    PublicId, StoreError,
};
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
            let challenge =
                rooms.store().create_challenge(creator, draft, open_max, now_ms()).await?;
            rooms.announce_new_challenge(&challenge);
            Ok(challenge)
        })
        .await
    }

    /// Announces a challenge that was created, also to an addressee without a connection.
    pub(super) fn announce_new_challenge(&self, challenge: &Challenge) {
        self.announce_challenge(challenge);
        if let Some(dest) = &challenge.draft.dest {
            let event = AbsenceEvent::Challenged(Arc::new(challenge.clone()));
            self.user_hub().notify_absent(dest.key, event);
        }
    }

    pub(super) fn announce_challenge(&self, challenge: &Challenge) {
        if challenge.draft.kind.is_public() {
            self.lobby().announce_challenge(challenge.clone());
        } else {
            self.notify_participants(challenge, UserEvent::Challenge(Arc::new(challenge.clone())));
        }
    }

    /// Notifies the creator, the recipient and the seated player of a challenge, and the guests who
    /// have asked for a casual game.
    pub(super) fn notify_participants(&self, challenge: &Challenge, event: UserEvent) {
        let dest = challenge.draft.dest.as_ref().map(|dest| dest.key);
        let seated = challenge.seated.as_ref().map(|seated| seated.account.key);
        let mut recipients = vec![challenge.creator.key];
        let guests = challenge.casual_requests.iter().map(|request| request.account.key);
        for key in dest.into_iter().chain(seated).chain(guests) {
            if !recipients.contains(&key) {
                recipients.push(key);
            }
        }
        for key in recipients {
            self.user_hub().notify(key, event.clone());
        }
    }

    /// Announces that a challenge is no longer open.
    pub(super) fn announce_unavailable(&self, challenge: Challenge) {
        self.end_ready_check(&challenge.id, ReadyCheckOutcome::Withdrawn, |_| {
            challenge.draft.terms.status != ChallengeStatus::Accepted
        });
        self.forget_search(&challenge);
        if challenge.draft.kind.is_public() {
            self.lobby().announce_unavailable(challenge.id, challenge.draft.terms.status);
        }
        let challenge = Arc::new(challenge);
        self.notify_participants(&challenge, UserEvent::ChallengeGone(challenge.clone()));
    }

    /// Cancels a challenge of the requester.
    pub async fn cancel(
        &self,
        id: PublicId,
        requester: AccountKey,
    ) -> Result<(), CloseChallengeError> {
        let rooms = self.clone();
        run_to_completion(async move {
            let canceled = rooms.store().cancel_challenge(id, requester, now_ms()).await?;
            rooms.announce_unavailable(canceled);
            Ok(())
        })
        .await
    }

    /// Declines a challenge to the requester.
    pub async fn decline(
        &self,
        id: PublicId,
        requester: AccountKey,
        reason: DeclineReason,
    ) -> Result<(), CloseChallengeError> {
        let rooms = self.clone();
        run_to_completion(async move {
            let declined = rooms.store().decline_challenge(id, requester, reason, now_ms()).await?;
            rooms.announce_unavailable(declined);
            Ok(())
        })
        .await
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

    /// Announces changed ratings: notifies both players, and announces their open challenges again,
    /// because relative rating ranges depend on them.
    pub(super) fn announce_ratings(&self, players: [AccountKey; 2]) {
        let rooms = self.clone();
        self.inner.tasks.spawn(async move {
            for player in players {
                rooms.user_hub().notify(player, UserEvent::RatingsChanged);
                match rooms.store().open_challenges_of(player, now_ms()).await {
                    Ok(open) => open.iter().for_each(|open| rooms.announce_challenge(open)),
                    Err(error) => tracing::error!(%error, "Failed to load open challenges"),
                }
            }
        });
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
