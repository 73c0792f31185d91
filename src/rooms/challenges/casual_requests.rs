//! Requests of guests for a casual game in place of a rated one, and the answers of the creators.
//!
//! Requests are stored (`store::challenge`), so that the creator can answer at any time until the
//! challenge ends. The consent of the creator takes the place of a ready check. Caller:
//! `api::challenge`.

use super::accept_request::AcceptRequest;
use super::acceptance::{AcceptOutcome, GAMES_MAX};
use super::run_to_completion;
use crate::play::challenge::Ineligible;
use crate::rooms::{Rooms, now_ms};
use crate::store::{
    AcceptError, AccountKey, CasualAnswerError, CasualRequest, CasualRequestError, Challenge,
    Change, PublicId, ReadyCheckOutcome,
};

impl Rooms {
    /// Asks the creator of a rated challenge for a casual game with the requester. Returns the
    /// challenge.
    ///
    /// # Errors
    /// Returns the refusal of a requester who could not accept the casual game either, or has to
    /// wait after aborted games.
    pub async fn request_casual_game(
        &self,
        request: AcceptRequest,
    ) -> Result<Challenge, CasualRequestError> {
        let (rooms, requester) = (self.clone(), request.acceptor.key);
        let check_pace = move |pace| match rooms.abort_wait_until_ms(requester, false, &[pace]) {
            Some(until_ms) => Err(AcceptError::TooManyAborts(until_ms)),
            None => Ok(()),
        };
        let accept = self.accept_now(&request);
        self.store().request_casual_game(request.id, accept, request.network, check_pace).await
    }

    /// Answers the request of the account with the id `requester`. A granted request becomes a game
    /// at once, unless the game has a clock and the guest is elsewhere: the guest then accepts.
    ///
    /// # Errors
    /// Returns an error if the answer is not stored, or the game cannot begin.
    pub async fn answer_casual_request(
        &self,
        id: PublicId,
        creator: AccountKey,
        requester: String,
        is_granted: bool,
    ) -> Result<AcceptOutcome, CasualAnswerError> {
        let rooms = self.clone();
        run_to_completion(async move {
            let store = rooms.store();
            let request =
                store.answer_casual_request(id, creator, requester, is_granted, now_ms()).await?;
            if !is_granted {
                return Ok(AcceptOutcome::Ended);
            }
            let mut begun = Ok(None);
            if rooms.can_begin(&request).await {
                begun = rooms.begin_casual_game(id, request).await;
            }
            if let Ok(Some(outcome)) = begun {
                return Ok(outcome);
            }
            // The guest can accept, unless the challenge has ended.
            rooms.store().announce(Change::Challenge(id, None));
            rooms.store().changes_handled().await;
            begun?;
            Ok(AcceptOutcome::Granted)
        })
        .await
    }

    /// Creates the game of a granted request. Returns `None` if that fails for now: the consent is
    /// stored, and the guest can accept later.
    ///
    /// # Errors
    /// Returns the refusal if the challenge is closed.
    async fn begin_casual_game(
        &self,
        id: PublicId,
        request: CasualRequest,
    ) -> Result<Option<AcceptOutcome>, AcceptError> {
        let choice = request.choice();
        let accept = AcceptRequest { id, acceptor: request.account, choice, network: None };
        let mut begun = self.begin_without_check(&accept).await;
        if matches!(begun, Err(AcceptError::Ineligible(Ineligible::Taken, _))) {
            // A ready check may have begun at the same time.
            self.store().changes_handled().await;
            begun = self.begin_without_check(&accept).await;
        }
        match begun {
            Ok(begun) => Ok(Some(begun)),
            Err(AcceptError::Ineligible(why, rating)) if why.is_closed() => {
                Err(AcceptError::Ineligible(why, rating))
            }
            Err(error) => {
                tracing::warn!(%error, "Failed to begin a casual game; the guest can accept later");
                Ok(None)
            }
        }
    }

    /// Creates a game, and ends the ready check of its challenge before that: the creator prefers
    /// this guest to the acceptor.
    async fn begin_without_check(
        &self,
        accept: &AcceptRequest,
    ) -> Result<AcceptOutcome, AcceptError> {
        let check = self.ready_checks().get(&accept.id).cloned();
        if let Some(check) = check {
            self.end_ready_check(&check, ReadyCheckOutcome::Declined).await;
        }
        self.make_game(accept.clone()).await
    }

    /// Returns whether a requested game can begin without a further action of the guest.
    async fn can_begin(&self, request: &CasualRequest) -> bool {
        let guest = request.account.key;
        let has_clock = request.pace.clock().is_some();
        if (has_clock && !self.user_hub().is_available_for(guest, None))
            || self.abort_wait_until_ms(guest, false, &[request.pace]).is_some()
        {
            return false;
        }
        match self.store().count_games_in_progress(guest, GAMES_MAX).await {
            Ok(games) => games < GAMES_MAX,
            // The consent is stored, and the guest can accept later.
            Err(error) => {
                tracing::error!(%error, "Failed to count the games of a guest");
                false
            }
        }
    }
}
