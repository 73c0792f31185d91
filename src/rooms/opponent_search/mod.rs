//! Searches for an opponent: a public seek, and at the same time attempts to accept the open
//! challenges of others.
//!
//! An account has at most one search. Its seek is listed in the lobby as long as a page of the
//! account shows the search ([`Location::Find`], [`Location::FindAside`]), and for the time of a
//! ready check after that, so that a reload or a reconnect does not end it. Present creators are
//! tried before absent ones, who get a ready check while the seek remains open. Each acceptance
//! ends the seek in the same transaction ([`SearchClaim`]), so that a search leads to at most one
//! game.
//!
//! Events of the lobby are compared with the terms of a search in memory; only those that concern
//! it lead to a query, and to at most one per `TRY_INTERVAL`. With S searches, E events
//! per second of which a search matches M, this costs S·E comparisons and S·min(M, 4) queries per
//! second. Callers: `api::challenge::find`, the sockets of users, and the acceptance of challenges.
//!
//! [`Location::Find`]: super::presence::user_hub::Location::Find
//! [`Location::FindAside`]: super::presence::user_hub::Location::FindAside

mod attempts;
pub(super) mod types;

pub use types::{OpponentSearch, SearchAsk, SearchMiss, SearchProgress};

use super::challenges::accept_request::AcceptRequest;
use super::challenges::acceptance::AcceptOutcome;
use super::challenges::run_to_completion;
use super::presence::location::SearchPlace;
use super::{ReadyCheck, Rooms, SlowSlot, now_ms};
use crate::play::challenge::{ChallengeStatus, Ineligible};
use crate::play::clock::Pace;
use crate::store::{
    AcceptChoice, AcceptError, Account, AccountKey, Challenge, Change, CloseChallengeError,
    CreateChallengeError, Draft, LobbyQuery, OpenChallengeLimits, PublicId, SearchClaim,
    StoreError,
};
use attempts::{Attempts, Candidate, RETRY_INTERVAL, next_news};
use std::collections::HashMap;
use std::sync::{Arc, MutexGuard};
use std::time::Duration;
use tokio::time::Instant;

/// Interval at which a search looks whether its page is still open.
const CHECK_INTERVAL: Duration = Duration::from_millis(500);

/// Number of open challenges that a search considers, and how many of one network precede the
/// surplus of all networks.
const CHALLENGES_MAX: i64 = 200;
const NETWORK_FRONT_MAX: i64 = 5;

/// Time for which a player who is busy is offered an opponent, in milliseconds.
const OPPONENT_OFFER_MS: i64 = 20_000;

impl Rooms {
    fn searches(&self) -> MutexGuard<'_, HashMap<AccountKey, Arc<OpponentSearch>>> {
        self.inner.searches.table.lock().expect("searches lock")
    }

    /// Returns the search of an account.
    pub fn search_of(&self, account: AccountKey) -> Option<Arc<OpponentSearch>> {
        self.searches().get(&account).cloned()
    }

    /// Returns whether a challenge is the seek of a rated search that also accepts the casual
    /// challenges of others.
    pub fn also_seeks_casual(&self, challenge: &Challenge) -> bool {
        let is_search = challenge.is_search() && challenge.draft.terms.rated;
        let search = is_search.then(|| self.search_of(challenge.creator.key)).flatten();
        search.is_some_and(|search| search.id() == challenge.id && search.allows_casual)
    }

    /// Begins a search; it replaces an earlier one of the account. `allows_casual`: whether a rated
    /// search also accepts challenges of casual games.
    pub async fn start_search(
        &self,
        creator: &Account,
        draft: Draft,
        allows_casual: bool,
        open_max: OpenChallengeLimits,
    ) -> Result<Arc<OpponentSearch>, CreateChallengeError> {
        let (rooms, account) = (self.clone(), creator.key);
        run_to_completion(async move {
            if let Some(until_ms) =
                rooms.abort_wait_until_ms(account, draft.terms.rated, &draft.paces)
            {
                return Err(CreateChallengeError::TooManyAborts(until_ms));
            }
            // Searches of an account are registered in the order in which they are stored.
            let _changing = rooms.inner.searches.changes.lock().await;
            let network = open_max.network;
            let slot = match rooms.search_of(account) {
                Some(_) => None,
                None => Some(rooms.count_slow_challenge(account, network).await?),
            };
            let challenge = rooms.store().create_search(account, draft, open_max, now_ms()).await?;
            slot.into_iter().for_each(SlowSlot::keep);
            let search = Arc::new(OpponentSearch::new(challenge, allows_casual, network));
            // Before the registration, from which on its end is announced.
            rooms.announce_search(&search);
            rooms.register_search(&search);
            if allows_casual {
                // The announcement of the seek has not yet said so.
                rooms.store().announce(Change::Challenge(search.id(), None));
            }
            // Another search may have accepted the seek before this one was registered.
            match rooms.store().challenge(&search.id()).await {
                Ok(Some(stored)) if stored.draft.terms.status == ChallengeStatus::Created => {}
                Ok(_) => rooms.announce_search_over(&search.challenge),
                Err(error) => tracing::error!(%error, "Failed to load a new search"),
            }
            Ok(search)
        })
        .await
    }

    /// Registers a search of which the seek is stored, and runs it until its end.
    fn register_search(&self, search: &Arc<OpponentSearch>) {
        let earlier = self.searches().insert(search.account().key, search.clone());
        // The store has ended it.
        earlier.into_iter().for_each(|earlier| self.end_search(earlier));
        self.inner.tasks.spawn(self.clone().search_loop(search.clone()));
    }

    /// Cancels the search of an account, if there is one.
    pub async fn cancel_search(&self, account: AccountKey) -> Result<(), StoreError> {
        let _changing = self.inner.searches.changes.lock().await;
        match self.search_of(account) {
            Some(search) => self.cancel_seek(search.id(), account).await,
            None => Ok(()),
        }
    }

    async fn cancel_seek(&self, id: PublicId, account: AccountKey) -> Result<(), StoreError> {
        match self.cancel(id, account).await {
            Err(CloseChallengeError::Store(error)) => Err(error),
            Ok(()) => Ok(()),
            // A search that has just found its game is over, too.
            Err(_) => {
                if let Some(search) = self.search_of(account).filter(|search| search.id() == id) {
                    self.announce_search_over(&search.challenge);
                }
                Ok(())
            }
        }
    }

    /// Returns the claim of the search that an acceptance by its player ends: a game with a clock
    /// ends a search for one.
    pub(super) fn search_ended_by(
        &self,
        acceptor: &Account,
        choice: &AcceptChoice,
    ) -> Option<SearchClaim> {
        choice.pace.and_then(Pace::clock)?;
        let search = self.search_of(acceptor.key).filter(|search| search.has_clock())?;
        Some(SearchClaim { id: search.id(), must_match: false })
    }

    /// Ends the search whose seek is closed, and withdraws its ready check. Returns false if the
    /// challenge is not the seek of a search here.
    pub(super) fn forget_search(&self, challenge: &Challenge) -> bool {
        if !challenge.is_search() {
            return false;
        }
        let account = challenge.creator.key;
        let search = {
            let mut searches = self.searches();
            if searches.get(&account).is_none_or(|search| search.id() != challenge.id) {
                return false;
            }
            searches.remove(&account)
        };
        let Some(search) = search else { return false };
        self.end_search(search);
        true
    }

    /// Ends the task of a search, and withdraws its ready check.
    fn end_search(&self, search: Arc<OpponentSearch>) {
        search.over.cancel();
        let rooms = self.clone();
        self.inner.tasks.spawn(async move {
            rooms.withdraw_pending_ready_check(&search).await;
        });
    }

    /// Changes the progress of a search, and announces it.
    fn change_progress(
        &self,
        search: &Arc<OpponentSearch>,
        change: impl FnOnce(&mut SearchProgress),
    ) {
        change(&mut search.lock_progress());
        if !search.over.is_cancelled() {
            self.announce_search(search);
        }
    }

    /// Looks for an opponent until the search is over.
    async fn search_loop(self, search: Arc<OpponentSearch>) {
        let mut news = self.lobby().subscribe();
        let mut attempts = Attempts::new(Instant::now());
        let (mut last_place, mut away_since_ms) = (None, None);
        loop {
            let place = self.user_hub().search_place_here(search.account().key);
            if place.is_some() {
                away_since_ms = None;
            } else if now_ms() - *away_since_ms.get_or_insert_with(now_ms) >= self.away_max_ms() {
                let _changing = self.inner.searches.changes.lock().await;
                // By its id: the account may have begun another search in the meantime.
                match self.cancel_seek(search.id(), search.account().key).await {
                    Ok(()) => return,
                    Err(error) => tracing::error!(%error, "Failed to cancel a search"),
                }
            }
            if place != last_place {
                last_place = place;
                attempts.schedule_at(Instant::now());
            }
            if attempts.begin(Instant::now())
                && let Err(error) = self.try_challenges(&search, &mut attempts, place).await
            {
                tracing::error!(%error, "Failed to look for an opponent");
                attempts.schedule_at(Instant::now() + RETRY_INTERVAL);
            }
            tokio::select! {
                () = search.over.cancelled() => return,
                () = self.inner.stop.cancelled() => return,
                () = tokio::time::sleep(CHECK_INTERVAL) => {}
                () = attempts.due() => {}
                event = next_news(&mut news, &search, &attempts) => {
                    attempts.note(event.as_ref(), Instant::now());
                }
            }
        }
    }

    /// Returns for how long a search goes on without a page, in milliseconds.
    fn away_max_ms(&self) -> i64 {
        self.inner.settings.ready_timeout.as_millis() as i64
    }

    /// Tries the open challenges, those of present creators first, each group in the order of
    /// creation. A busy player is only notified of a present creator.
    async fn try_challenges(
        &self,
        search: &Arc<OpponentSearch>,
        attempts: &mut Attempts,
        place: Option<SearchPlace>,
    ) -> Result<(), StoreError> {
        self.record_unanswered_ready_check(search, attempts);
        let Some(place) = place else { return Ok(()) };
        if place == SearchPlace::Aside && search.progress().asking.is_some() {
            // The creator could confirm while the player is busy.
            if !self.withdraw_pending_ready_check(search).await {
                return Err(StoreError::NotCommitted);
            }
            self.change_progress(search, |progress| progress.asking = None);
        }
        let candidates = self.candidates(search).await?;
        attempts.set_known(&candidates);
        for candidate in candidates {
            if search.over.is_cancelled() {
                return Ok(());
            }
            if attempts.excludes(&candidate) || self.is_reserved(&candidate) {
                continue;
            }
            if place == SearchPlace::Aside {
                self.offer(search, attempts, &candidate).await;
                continue;
            }
            let is_asking = search.progress().asking.is_some();
            if candidate.is_present || (!is_asking && attempts.may_ask(Instant::now())) {
                self.attempt(search, attempts, candidate).await;
            }
        }
        Ok(())
    }

    async fn candidates(&self, search: &OpponentSearch) -> Result<Vec<Candidate>, StoreError> {
        let query = LobbyQuery {
            viewer: Some(search.account().key),
            network_front_max: NETWORK_FRONT_MAX,
            offset: 0,
            limit: CHALLENGES_MAX,
            now_ms: now_ms(),
        };
        let mut candidates = Vec::new();
        for challenge in self.store().lobby_page(query).await?.challenges {
            for choice in search.choices(&challenge) {
                let is_present = self.needs_ready_check(&challenge, &choice, now_ms()).is_none();
                candidates.push(Candidate { challenge: challenge.clone(), choice, is_present });
            }
        }
        candidates.sort_by_key(|candidate| (!candidate.is_present, candidate.challenge.created_ms));
        Ok(candidates)
    }

    fn is_reserved(&self, candidate: &Candidate) -> bool {
        self.reserved_until_ms(&candidate.challenge.id).is_some()
    }

    /// Notifies a busy player of a present creator, once per challenge.
    async fn offer(
        &self,
        search: &Arc<OpponentSearch>,
        attempts: &mut Attempts,
        candidate: &Candidate,
    ) {
        let challenge = candidate.challenge.id;
        if !candidate.is_present || attempts.has_offered(&challenge) {
            return;
        }
        let left_ms = search.progress().here.map_or(0, |here| here.until_ms - now_ms());
        if left_ms > 0 {
            // The next creator is offered after this one.
            attempts.schedule_at(Instant::now() + Duration::from_millis(left_ms as u64));
            return;
        }
        let mut acceptance = self.accept_now(&search_request(search, candidate));
        acceptance.search = Some(SearchClaim { id: search.id(), must_match: true });
        if self.store().check_acceptance(&challenge, &acceptance).await.is_ok() {
            attempts.add_offered(challenge);
            let (name, until_ms) =
                (candidate.challenge.creator.name.clone(), now_ms() + OPPONENT_OFFER_MS);
            let here = SearchAsk { name, until_ms, challenge };
            self.change_progress(search, |progress| progress.here = Some(here));
        }
    }

    /// Accepts a challenge, or asks its absent creator.
    async fn attempt(
        &self,
        search: &Arc<OpponentSearch>,
        attempts: &mut Attempts,
        candidate: Candidate,
    ) {
        let request = search_request(search, &candidate);
        let claim = SearchClaim { id: search.id(), must_match: true };
        let Candidate { challenge, choice, .. } = candidate;
        match self.accept_with(request, Some(claim)).await {
            Ok(AcceptOutcome::ReadyCheck(until_ms)) => {
                let asking =
                    SearchAsk { name: challenge.creator.name, until_ms, challenge: challenge.id };
                self.change_progress(search, |progress| {
                    *progress = SearchProgress { asking: Some(asking), ..Default::default() };
                });
                if search.over.is_cancelled() {
                    // The search was over before the ready check could be withdrawn.
                    self.withdraw_pending_ready_check(search).await;
                }
            }
            Ok(_) => {}
            Err(AcceptError::TooManyChecks(wait_ms)) => {
                attempts.ask_after(Instant::now() + wait(wait_ms));
            }
            Err(AcceptError::TooManyAborts(until_ms)) => {
                attempts.schedule_at(Instant::now() + wait(until_ms - now_ms()));
            }
            // These may succeed later.
            Err(AcceptError::TooManyGames) => {
                attempts.schedule_at(Instant::now() + RETRY_INTERVAL);
            }
            Err(AcceptError::Store(error)) => {
                tracing::error!(%error, "Failed to accept a challenge for a search");
                attempts.schedule_at(Instant::now() + RETRY_INTERVAL);
            }
            Err(error) => {
                attempts.add_refused(challenge.id, choice.variant);
                if matches!(error, AcceptError::Ineligible(Ineligible::Taken, _)) {
                    self.change_progress(search, |progress| {
                        progress.missed = Some(SearchMiss::Taken);
                    });
                }
            }
        }
    }

    /// Returns the ready check in which the search waits for a creator.
    fn pending_ready_check(&self, search: &OpponentSearch) -> Option<Arc<ReadyCheck>> {
        let id = search.progress().asking?.challenge;
        let own = SearchClaim { id: search.id(), must_match: true };
        self.ready_checks().get(&id).filter(|check| check.search == Some(own)).cloned()
    }

    /// Withdraws the ready check in which the search waits. Returns whether it is over.
    async fn withdraw_pending_ready_check(&self, search: &OpponentSearch) -> bool {
        match self.pending_ready_check(search) {
            Some(check) => self.withdraw_ready_check(&check).await,
            None => true,
        }
    }

    /// Records that the creator who was asked has not come.
    fn record_unanswered_ready_check(&self, search: &Arc<OpponentSearch>, attempts: &mut Attempts) {
        let asking = search.progress().asking;
        let Some(ask) = asking.filter(|_| self.pending_ready_check(search).is_none()) else {
            return;
        };
        attempts.add_asked(ask.challenge);
        self.change_progress(search, |progress| {
            *progress = SearchProgress { missed: Some(SearchMiss::Absent), ..Default::default() };
        });
    }
}

fn search_request(search: &OpponentSearch, candidate: &Candidate) -> AcceptRequest {
    AcceptRequest {
        id: candidate.challenge.id,
        acceptor: search.account().clone(),
        choice: candidate.choice.clone(),
        network: search.network,
    }
}

fn wait(ms: i64) -> Duration {
    Duration::from_millis(ms.max(0).cast_unsigned())
}
