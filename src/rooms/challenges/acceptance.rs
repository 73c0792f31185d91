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
use crate::rooms::room::loaded_game::LoadedGame;
use crate::rooms::room::registry::ReadStart;
use crate::rooms::{Rooms, now_ms};
use crate::rules::Side;
use crate::store::{
    AcceptChoice, AcceptError, AcceptResult, Acceptance, Account, Challenge, GameRow, PublicId,
    ReadyCheckOutcome, SearchClaim,
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
            let mut acceptance = rooms.accept_now(&request);
            acceptance.search = search;
            let (challenge, choice) =
                rooms.store().check_acceptance(&request.id, &acceptance).await?;
            let search = search.or_else(|| rooms.search_ended_by(&request.acceptor, &choice));
            let acceptor = request.acceptor.key;
            let rated = challenge.terms_for(acceptor).rated;
            if let Some(until_ms) =
                rooms.abort_wait_until_ms(acceptor, rated, choice.pace.as_slice())
            {
                return Err(AcceptError::TooManyAborts(until_ms));
            }
            if let Some(ready_by_ms) = rooms.existing_reservation(&request, &choice).await {
                return ready_by_ms.map(AcceptOutcome::ReadyCheck);
            }
            if let Some(waiting_player) = rooms.needs_ready_check(&challenge, &choice) {
                // The ready check must name the game that would begin.
                let acceptance = AcceptRequest { choice, ..request };
                return rooms
                    .start_ready_check(challenge, waiting_player, acceptance, search)
                    .await
                    .map(AcceptOutcome::ReadyCheck);
            }
            let ends = AcceptEnds { search, ready_check: None };
            rooms.make_game_with(request, ends, Arc::new(challenge)).await
        })
        .await
    }

    /// Returns until when (epoch milliseconds) a challenge is reserved for the acceptor, or the
    /// refusal if it is reserved for another account. An acceptor with a different choice gives up
    /// the earlier reservation.
    async fn existing_reservation(
        &self,
        request: &AcceptRequest,
        choice: &AcceptChoice,
    ) -> Option<Result<i64, AcceptError>> {
        let check = self.ready_checks().get(&request.id).cloned()?;
        if check.acceptance.acceptor.key != request.acceptor.key {
            return Some(Err(AcceptError::Ineligible(Ineligible::Taken, 0)));
        }
        if check.acceptance.choice == *choice {
            return Some(Ok(check.ready_by_ms));
        }
        if let Err(wait_ms) = self.ready_check_limits().check(&check, now_ms()) {
            return Some(Err(AcceptError::TooManyChecks(wait_ms)));
        }
        let outcome = ReadyCheckOutcome::Withdrawn;
        let ended = self.store().end_ready_check(request.id, check.number, outcome).await;
        ended.err().map(|error| Err(error.into()))
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
        challenge: Arc<Challenge>,
    ) -> Result<AcceptOutcome, AcceptError> {
        self.make_game_with(request, AcceptEnds::default(), challenge).await
    }

    /// Creates the game of an accepted challenge, with what it ends.
    pub(in crate::rooms) async fn make_game_with(
        &self,
        request: AcceptRequest,
        ends: AcceptEnds,
        challenge: Arc<Challenge>,
    ) -> Result<AcceptOutcome, AcceptError> {
        let start = self.registry().read_start();
        let mut acceptance = self.accept_now(&request);
        (acceptance.search, acceptance.ready_check) = (ends.search, ends.ready_check);
        match self.store().accept(request.id, acceptance).await? {
            AcceptResult::Game(row) => {
                let id = row.id;
                self.open_new_game(&challenge, *row, start);
                Ok(AcceptOutcome::Game(id))
            }
            AcceptResult::Seated => Ok(AcceptOutcome::Seated),
        }
    }

    /// Opens the room of a game created from a challenge, and informs the player who has waited for
    /// it and has no connection. `start` is from before the creation.
    pub(super) fn open_new_game(&self, challenge: &Challenge, row: GameRow, start: ReadStart) {
        let waited = challenge.seated.as_ref().map_or(&challenge.creator, |seat| &seat.account);
        // The computer accepts at once.
        if !row.is_against_engine() && row.side_of(waited.key).is_some() {
            let event = AbsenceEvent::GameStarted(Arc::new(row.clone()));
            self.user_hub().notify_absent(waited.key, event);
        }
        self.spawn_room(LoadedGame::new(row, self.store().epoch()), start);
    }
}
