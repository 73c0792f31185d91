//! Ready checks: a clocked challenge is accepted while its creator is elsewhere.
//!
//! A check is a reservation. It is a row; the table in memory follows the changes of the store. It
//! goes on after a restart unless it belongs to a search for an opponent, which ends with the
//! process. The game is created, and all conditions are verified, when the creator answers.
//! Callers: `acceptance`, `opponent_search`, `Rooms::resume`, and `api::challenge`.

pub(super) mod limits;
pub(super) mod types;

pub use types::{ReadyCheck, ReadyCheckError};

use super::challenges::accept_request::AcceptRequest;
use super::challenges::acceptance::{AcceptEnds, AcceptOutcome};
use super::challenges::run_to_completion;
use super::presence::location::SearchPlace;
use super::{Rooms, now_ms};
use crate::play::challenge::{ChallengeKind, ChallengeStatus, Ineligible};
use crate::store::{
    AcceptChoice, AcceptError, Account, AccountKey, Challenge, PublicId, ReadyCheckOutcome,
    SearchClaim, StoreError,
};
use limits::ReadyCheckLimits;
use std::collections::HashSet;
use std::sync::{Arc, MutexGuard};
use std::time::Duration;
use uuid::Uuid;

/// Interval of the attempts to end a late check while the storage fails.
const RETRY_INTERVAL: Duration = Duration::from_secs(1);

impl Rooms {
    /// Returns until when (epoch milliseconds) a challenge is reserved, if it is.
    pub fn reserved_until_ms(&self, id: &PublicId) -> Option<i64> {
        self.ready_checks().get(id).map(|check| check.ready_by_ms)
    }

    /// Returns the checks that an account has to answer.
    pub fn pending_ready_checks(&self, account: AccountKey) -> Vec<Arc<ReadyCheck>> {
        self.ready_checks()
            .values()
            .filter(|check| check.waiting_player.key == account)
            .cloned()
            .collect()
    }

    /// Returns the player who waits for an opponent if they need a ready check: if the game has a
    /// clock and they are not connected where it could begin. The creator of a challenge created
    /// with an API token counts as present; a player in one of two seats did not create it.
    pub(super) fn needs_ready_check(
        &self,
        challenge: &Challenge,
        choice: &AcceptChoice,
        now_ms: i64,
    ) -> Option<Account> {
        let waiting_player = challenge.waiting_player(now_ms)?;
        let is_program = challenge.draft.program && challenge.draft.kind != ChallengeKind::Open;
        let game =
            challenge.draft.rematch_of.filter(|_| challenge.draft.kind == ChallengeKind::Rematch);
        let has_clock = choice.pace.is_some_and(|pace| pace.clock().is_some());
        let absent = has_clock && !is_program && !self.is_here(challenge, waiting_player.key, game);
        absent.then(|| waiting_player.clone())
    }

    /// Returns whether a game of a challenge can begin immediately for the player who waits. A
    /// player who searches for an opponent may do something else meanwhile.
    fn is_here(
        &self,
        challenge: &Challenge,
        waiting_player: AccountKey,
        game: Option<PublicId>,
    ) -> bool {
        if challenge.is_search() {
            return self.user_hub().search_place(waiting_player) == Some(SearchPlace::Page);
        }
        self.user_hub().is_available_for(waiting_player, game)
    }

    /// Returns whether the creator of a challenge is present: for a game with a clock, whether it
    /// could begin at once, otherwise whether the creator is online.
    pub fn is_creator_present(&self, challenge: &Challenge) -> bool {
        let Some(waiting_player) = challenge.waiting_player(now_ms()) else { return false };
        let has_clock = challenge.draft.paces.iter().any(|pace| pace.clock().is_some());
        match has_clock || challenge.is_search() {
            true if challenge.draft.program && challenge.draft.kind != ChallengeKind::Open => true,
            true => self.is_here(challenge, waiting_player.key, None),
            false => self.user_hub().is_online(waiting_player.key),
        }
    }

    /// Begins a ready check, and returns its deadline (epoch milliseconds).
    ///
    /// # Errors
    /// Returns the refusal if the challenge is reserved already, or if the acceptor or their
    /// network has begun too many checks; an error if the check is not stored.
    pub(super) async fn start_ready_check(
        &self,
        challenge: Challenge,
        waiting_player: Account,
        acceptance: AcceptRequest,
        search: Option<SearchClaim>,
    ) -> Result<i64, AcceptError> {
        let taken = AcceptError::Ineligible(Ineligible::Taken, 0);
        // The check ends no later than the challenge, so that a timely acceptance is not lost.
        let now_ms = now_ms();
        let ready_ms = self.inner.settings.ready_timeout.as_millis() as i64;
        let ready_by_ms = (now_ms + ready_ms).min(challenge.draft.terms.expires_ms);
        let (id, challenge) = (challenge.id, Arc::new(challenge));
        // One at a time, so that an acceptor has one check, and a challenge has one.
        let _guard = self.inner.ready_check_start.lock().await;
        if self.ready_checks().contains_key(&id) {
            return Err(taken);
        }
        let number = Uuid::now_v7();
        let check =
            ReadyCheck { number, challenge, waiting_player, acceptance, search, ready_by_ms };
        self.ready_check_limits().check(&check, now_ms).map_err(AcceptError::TooManyChecks)?;
        let others = self.ready_checks_by(check.acceptance.acceptor.key);
        let unasked = UnaskedCheck::new(self, number);
        let withdrawn = self.store().begin_ready_check(check.to_store(), now_ms).await?;
        let is_asked = !unasked.is_unasked();
        {
            let mut limits = self.ready_check_limits();
            for other in others.iter().filter(|other| withdrawn.contains(&other.number)) {
                limits.record_withdrawal(other, now_ms);
            }
            if is_asked {
                limits.record(&check, now_ms);
            }
        }
        if self.ready_checks().get(&id).is_some_and(|current| current.is_same(&check)) {
            return Ok(ready_by_ms);
        }
        if !is_asked && self.end_ready_check(&check, ReadyCheckOutcome::Withdrawn).await {
            // A read has failed, so that the player was not asked.
            return Err(StoreError::NotCommitted.into());
        }
        // The check has ended at once, with a game or without one.
        let ended = self.store().challenge(&id).await?;
        let has_game =
            ended.is_some_and(|ended| ended.draft.terms.status == ChallengeStatus::Accepted);
        if is_asked && has_game { Ok(ready_by_ms) } else { Err(taken) }
    }

    /// Returns the checks that an account has begun by accepting.
    fn ready_checks_by(&self, acceptor: AccountKey) -> Vec<Arc<ReadyCheck>> {
        let is_by = |check: &&Arc<ReadyCheck>| check.acceptance.acceptor.key == acceptor;
        self.ready_checks().values().filter(is_by).cloned().collect()
    }

    /// Ends a check that is not answered in time.
    pub(super) fn watch_ready_check(&self, check: &Arc<ReadyCheck>) {
        let (rooms, check) = (self.clone(), check.clone());
        let wait = Duration::from_millis((check.ready_by_ms - now_ms()).max(0).cast_unsigned());
        self.inner.tasks.spawn(async move {
            let mut wait = wait;
            while rooms.sleep_unless_stopped(wait).await {
                let (id, outcome) = (check.challenge.id, ReadyCheckOutcome::TimedOut);
                match rooms.store().end_ready_check(id, check.number, outcome).await {
                    Ok(true) => {
                        rooms.ready_check_limits().record_unsuccessful(&check, now_ms());
                        return;
                    }
                    // It has ended before, and maybe this node could not read that.
                    Ok(false) => return rooms.forget_ready_check(&check),
                    Err(error) => {
                        tracing::error!(challenge.id = %id, %error, "Failed to end a ready check");
                        wait = RETRY_INTERVAL;
                    }
                }
            }
        });
    }

    /// Ends a check. Returns false if it has ended before, or if its end is not stored; it then
    /// goes on until its deadline.
    pub(super) async fn end_ready_check(
        &self,
        check: &ReadyCheck,
        outcome: ReadyCheckOutcome,
    ) -> bool {
        let id = check.challenge.id;
        let ended = self.store().end_ready_check(id, check.number, outcome).await;
        ended.unwrap_or_else(|error| {
            tracing::error!(challenge.id = %id, %error, "Failed to end a ready check");
            false
        })
    }

    /// Ends a check from which its acceptor withdraws, and counts the withdrawal. Returns whether
    /// it is over.
    pub(super) async fn withdraw_ready_check(&self, check: &ReadyCheck) -> bool {
        if self.end_ready_check(check, ReadyCheckOutcome::Withdrawn).await {
            self.ready_check_limits().record_withdrawal(check, now_ms());
        }
        let checks = self.ready_checks();
        checks.get(&check.challenge.id).is_none_or(|current| !current.is_same(check))
    }

    /// Returns the numbers of the checks that begin here and whose players are not asked yet.
    pub(super) fn unasked_checks(&self) -> MutexGuard<'_, HashSet<Uuid>> {
        self.inner.unasked_checks.lock().expect("lock of the unasked checks")
    }

    pub(super) fn ready_check_limits(&self) -> MutexGuard<'_, ReadyCheckLimits> {
        self.inner.ready_check_limits.lock().expect("ready check limits lock")
    }

    /// Ends the checks in which an account takes part.
    pub(super) async fn end_ready_checks_of(&self, account: AccountKey) {
        let has_part = |check: &&Arc<ReadyCheck>| {
            [check.waiting_player.key, check.acceptance.acceptor.key].contains(&account)
        };
        let checks: Vec<Arc<ReadyCheck>> =
            self.ready_checks().values().filter(has_part).cloned().collect();
        for check in checks {
            self.end_ready_check(&check, ReadyCheckOutcome::Withdrawn).await;
        }
    }

    /// Answers a ready check: the waiting player is ready or declines, or the acceptor withdraws.
    ///
    /// # Errors
    /// Returns an error if the game is not stored.
    pub async fn answer_ready_check(
        &self,
        id: PublicId,
        requester: AccountKey,
        is_ready: bool,
    ) -> Result<AcceptOutcome, ReadyCheckError> {
        let Some(check) = self.find_ready_check(&id).await? else {
            return Err(ReadyCheckError::NoCheck);
        };
        let is_waiting_player = check.waiting_player.key == requester;
        if !is_waiting_player && check.acceptance.acceptor.key != requester {
            return Err(ReadyCheckError::NotParticipant);
        }
        let rooms = self.clone();
        if !is_ready {
            return run_to_completion(async move {
                let outcome = match is_waiting_player {
                    true => ReadyCheckOutcome::Declined,
                    false => ReadyCheckOutcome::Withdrawn,
                };
                if !rooms.store().end_ready_check(id, check.number, outcome).await? {
                    return Err(ReadyCheckError::NoCheck);
                }
                if !is_waiting_player {
                    rooms.ready_check_limits().record_withdrawal(&check, now_ms());
                }
                Ok(AcceptOutcome::Ended)
            })
            .await;
        }
        if !is_waiting_player {
            return Ok(AcceptOutcome::ReadyCheck(check.ready_by_ms));
        }
        run_to_completion(async move {
            let ends = AcceptEnds { search: check.search, ready_check: Some(check.number) };
            let game = rooms.make_game_with(check.acceptance.clone(), ends).await;
            let accepted = match game {
                // The waiting player has lost the seat, and the acceptor has taken it.
                Ok(AcceptOutcome::Seated) => Err(AcceptError::Ineligible(Ineligible::Taken, 0)),
                // The check goes on: the player can answer again.
                Err(AcceptError::Store(error)) => return Err(error.into()),
                // The games are those of the acceptor, not of the player who has answered.
                Err(AcceptError::TooManyGames) => Err(AcceptError::SearchOver),
                accepted => accepted,
            };
            let outcome = match &accepted {
                // The transaction that creates the game ends the check.
                Ok(_) => None,
                // Another answer came first, and is announced.
                Err(AcceptError::ReadyCheckOver) => return Err(ReadyCheckError::NoCheck),
                // The acceptor has begun another game, or too many.
                Err(AcceptError::SearchOver) => Some(ReadyCheckOutcome::Withdrawn),
                Err(why) => Some(ReadyCheckOutcome::Refused(why.ready_check_code())),
            };
            if let Some(outcome) = outcome {
                rooms.end_ready_check(&check, outcome).await;
            }
            accepted.map_err(ReadyCheckError::NotAccepted)
        })
        .await
    }

    /// Returns the check of a challenge, which may have begun on another node.
    async fn find_ready_check(&self, id: &PublicId) -> Result<Option<Arc<ReadyCheck>>, StoreError> {
        let known = self.ready_checks().get(id).cloned();
        if known.is_some() {
            return Ok(known);
        }
        self.store().catch_up_with_changes().await?;
        Ok(self.ready_checks().get(id).cloned())
    }
}

/// Number of a check that begins here, from its begin until its player is asked or this is dropped.
struct UnaskedCheck<'a> {
    rooms: &'a Rooms,
    number: Uuid,
}

impl UnaskedCheck<'_> {
    fn new(rooms: &Rooms, number: Uuid) -> UnaskedCheck<'_> {
        rooms.unasked_checks().insert(number);
        UnaskedCheck { rooms, number }
    }

    fn is_unasked(&self) -> bool {
        self.rooms.unasked_checks().contains(&self.number)
    }
}

impl Drop for UnaskedCheck<'_> {
    fn drop(&mut self) {
        self.rooms.unasked_checks().remove(&self.number);
    }
}
