//! Acceptance of challenges: ready checks, and creation of the game.
//!
//! The store decides in the transaction that creates the game, so that of several acceptors one
//! gets the game or seat. It runs to its end if the requester disconnects, so that the room of a
//! stored game opens. Callers: `api::challenge` in `http`, and in `rooms` the bots, seeks, searches
//! for an opponent, ready checks and requests for a casual game.

use super::accept_request::AcceptRequest;
use super::run_to_completion;
use crate::play::challenge::Ineligible;
use crate::rooms::presence::absence_news::AbsenceEvent;
use crate::rooms::ready_check::types::ReadyCheck;
use crate::rooms::room::loaded_game::LoadedGame;
use crate::rooms::room::registry::ReadStart;
use crate::rooms::{Rooms, now_ms};
use crate::rules::Side;
use crate::store::{
    AcceptAttempt, AcceptChoice, AcceptDecision, AcceptError, AcceptResult, Acceptance, Account,
    AccountKey, Challenge, GameRow, PublicId, ReadyCheckOutcome, SearchClaim,
};
use std::sync::Arc;
use uuid::Uuid;

/// Games in progress with which an account can still accept a challenge.
pub(super) const GAMES_MAX: i64 = 200;

/// Outcome of an acceptance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AcceptOutcome {
    /// The game was created.
    Game(PublicId),
    /// The first of two seats was taken.
    Seated,
    /// A ready check of the creator runs until this time (epoch milliseconds).
    ReadyCheck(i64),
    /// The ready check or the request for a casual game ended as requested, without a game.
    Ended,
    /// The request for a casual game is granted; the guest, who is elsewhere, can accept later.
    Granted,
}

/// Search and ready check that the game of an acceptance ends.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::rooms) struct AcceptEnds {
    pub(in crate::rooms) search: Option<SearchClaim>,
    /// Number of the check that was answered.
    pub(in crate::rooms) ready_check: Option<Uuid>,
}

/// Reservation of a challenge for an acceptor by a ready check.
enum Reservation {
    None,
    /// The same choice is reserved until this time (epoch milliseconds).
    Kept(i64),
    /// The acceptor has withdrawn from this check, which was for another choice.
    GivenUp(Arc<ReadyCheck>),
}

impl Rooms {
    /// Accepts a challenge: creates its game, or begins a ready check if the creator is elsewhere.
    /// If the game has a clock, it ends the search of the acceptor.
    pub async fn accept(&self, request: AcceptRequest) -> Result<AcceptOutcome, AcceptError> {
        self.accept_with(request, None).await
    }

    /// Accepts a challenge like [`Rooms::accept`], on behalf of a search if there is a claim.
    pub(in crate::rooms) async fn accept_with(
        &self,
        request: AcceptRequest,
        search: Option<SearchClaim>,
    ) -> Result<AcceptOutcome, AcceptError> {
        let rooms = self.clone();
        run_to_completion(async move {
            let start = rooms.registry().read_start();
            let mut acceptance = rooms.accept_now(&request);
            acceptance.search = search;
            let (id, deciding, acceptor) = (request.id, rooms.clone(), request.acceptor.clone());
            // The same time as in the transaction, which may have to wait.
            let at_ms = acceptance.now_ms;
            let decide = move |challenge: &Challenge, choice: &AcceptChoice| {
                deciding.decide(challenge, choice, &acceptor, search, at_ms)
            };
            let (challenge, choice) =
                match rooms.store().accept(id, acceptance, Box::new(decide)).await? {
                    AcceptAttempt::Held(challenge, choice) => (*challenge, choice),
                    AcceptAttempt::Accepted(accepted) => {
                        return Ok(rooms.open_accepted(&request, accepted, start));
                    }
                };
            let given_up = match rooms.existing_reservation(&request, &choice).await? {
                Reservation::Kept(ready_by_ms) => {
                    return Ok(AcceptOutcome::ReadyCheck(ready_by_ms));
                }
                Reservation::GivenUp(check) => Some(check),
                Reservation::None => None,
            };
            let search = search.or_else(|| rooms.search_ended_by(&request.acceptor, &choice));
            if let Some(waiting_player) = rooms.needs_ready_check(&challenge, &choice, now_ms()) {
                // The ready check must name the game that would begin.
                let acceptance = AcceptRequest { choice, ..request };
                let started =
                    rooms.start_ready_check(challenge, waiting_player, acceptance, search);
                let ready_by_ms = started.await?;
                // Each change reserves the challenge for the whole time again.
                if let Some(check) = given_up {
                    rooms.ready_check_limits().record_unsuccessful(&check, now_ms());
                }
                return Ok(AcceptOutcome::ReadyCheck(ready_by_ms));
            }
            // The player has come, or the acceptor has given up another choice.
            rooms.make_game_with(request, AcceptEnds { search, ready_check: None }).await
        })
        .await
    }

    /// Decides whether a game may begin at once.
    fn decide(
        &self,
        challenge: &Challenge,
        choice: &AcceptChoice,
        acceptor: &Account,
        search: Option<SearchClaim>,
        now_ms: i64,
    ) -> AcceptDecision {
        let rated = challenge.terms_for(acceptor.key).rated;
        if let Some(until_ms) =
            self.abort_wait_until_ms(acceptor.key, rated, choice.pace.as_slice())
        {
            return AcceptDecision::Refuse(AcceptError::TooManyAborts(until_ms));
        }
        let is_reserved = self.ready_checks().contains_key(&challenge.id);
        if is_reserved || self.needs_ready_check(challenge, choice, now_ms).is_some() {
            return AcceptDecision::Hold;
        }
        AcceptDecision::Accept(search.or_else(|| self.search_ended_by(acceptor, choice)))
    }

    /// Returns the reservation of a challenge for the acceptor. An acceptor with a different choice
    /// gives up the earlier one.
    ///
    /// # Errors
    /// Returns the refusal if it is reserved for another account, or if the acceptor may not begin
    /// another check.
    async fn existing_reservation(
        &self,
        request: &AcceptRequest,
        choice: &AcceptChoice,
    ) -> Result<Reservation, AcceptError> {
        let Some(check) = self.ready_checks().get(&request.id).cloned() else {
            return Ok(Reservation::None);
        };
        if check.acceptance.acceptor.key != request.acceptor.key {
            return Err(AcceptError::Ineligible(Ineligible::Taken, 0));
        }
        if check.acceptance.choice == *choice {
            return Ok(Reservation::Kept(check.ready_by_ms));
        }
        self.ready_check_limits().check(&check, now_ms()).map_err(AcceptError::TooManyChecks)?;
        let outcome = ReadyCheckOutcome::Withdrawn;
        let is_ended = self.store().end_ready_check(request.id, check.number, outcome).await?;
        Ok(if is_ended { Reservation::GivenUp(check) } else { Reservation::None })
    }

    /// Returns the request to the store for an acceptance now.
    pub(in crate::rooms) fn accept_now(&self, request: &AcceptRequest) -> Acceptance {
        self.accept_by(request.acceptor.clone(), request.choice.clone())
    }

    pub(super) fn accept_by(&self, acceptor: Account, choice: AcceptChoice) -> Acceptance {
        let is_heads = getrandom::u64().expect("system random bytes") & 1 == 0;
        let random_side = if is_heads { Side::First } else { Side::Second };
        let pair_rated_max = self.inner.settings.pair_rated_max;
        Acceptance {
            acceptor,
            choice,
            random_side,
            pair_rated_max,
            games_max: GAMES_MAX,
            search: None,
            ready_check: None,
            now_ms: now_ms(),
        }
    }

    /// Creates the game of an accepted challenge.
    pub(in crate::rooms) async fn make_game(
        &self,
        request: AcceptRequest,
    ) -> Result<AcceptOutcome, AcceptError> {
        self.make_game_with(request, AcceptEnds::default()).await
    }

    /// Creates the game of an accepted challenge, with what it ends.
    pub(in crate::rooms) async fn make_game_with(
        &self,
        request: AcceptRequest,
        ends: AcceptEnds,
    ) -> Result<AcceptOutcome, AcceptError> {
        let start = self.registry().read_start();
        let mut acceptance = self.accept_now(&request);
        (acceptance.search, acceptance.ready_check) = (ends.search, ends.ready_check);
        let accepted = self.store().accept_at_once(request.id, acceptance).await?;
        Ok(self.open_accepted(&request, accepted, start))
    }

    /// Opens the game of an acceptance, if there is one. `start` is from before the acceptance.
    fn open_accepted(
        &self,
        request: &AcceptRequest,
        accepted: AcceptResult,
        start: ReadStart,
    ) -> AcceptOutcome {
        match accepted {
            AcceptResult::Game(row) => {
                let id = row.id;
                self.open_new_game(*row, request.acceptor.key, start);
                AcceptOutcome::Game(id)
            }
            AcceptResult::Seated => AcceptOutcome::Seated,
        }
    }

    /// Opens the room of a game created by an acceptance, and informs the other player, who has
    /// waited for it, if they have no connection. `start` is from before the creation.
    pub(super) fn open_new_game(&self, row: GameRow, acceptor: AccountKey, start: ReadStart) {
        // The computer accepts at once.
        if !row.is_against_engine() {
            let event = AbsenceEvent::GameStarted(Arc::new(row.clone()));
            let [first, second] = row.player_keys();
            let waited = if first == acceptor { second } else { first };
            self.user_hub().notify_absent(waited, event);
        }
        self.spawn_room(LoadedGame::new(row, self.store().epoch()), start);
    }
}
