//! Creation, acceptance and end of challenges and seeks, with notification of the participants.
//!
//! Each operation runs in its own task, so that a client that disconnects cannot prevent the
//! notifications that follow a commit.

pub mod aborts;
pub mod accept_request;
pub mod casual_requests;

use super::presence::user_event::UserEvent;
use super::ready_check::types::ReadyCheckOutcome;
use super::room::registry::ReadStart;
use super::{Rooms, now_ms};
use crate::play::challenge::{ChallengeStatus, DeclineReason, Ineligible};
use crate::rules::Side;
use crate::store::{
    AcceptChoice, AcceptError, AcceptResult, Acceptance, Account, AccountKey, Challenge,
    CloseChallengeError, CreateChallengeError, Draft, GameRow, OpenChallengeLimits, PublicId,
    SearchClaim, Seek, StoreError,
};
use accept_request::AcceptRequest;
use std::sync::Arc;

/// Games in progress with which an account can still accept a challenge.
pub(super) const GAMES_MAX: usize = 200;

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
            rooms.announce_challenge(&challenge);
            Ok(challenge)
        })
        .await
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

    /// Accepts a challenge: creates its game, or begins a ready check if the creator is elsewhere.
    /// If the game has a clock, it ends the search of the acceptor.
    pub async fn accept(&self, request: AcceptRequest) -> Result<AcceptOutcome, AcceptError> {
        self.accept_with(request, None).await
    }

    /// Accepts a challenge like [`Rooms::accept`], on behalf of a search if there is a claim.
    pub(super) async fn accept_with(
        &self,
        request: AcceptRequest,
        search: Option<SearchClaim>,
    ) -> Result<AcceptOutcome, AcceptError> {
        let rooms = self.clone();
        run_to_completion(async move {
            if rooms.active_games().count(request.acceptor.key) >= GAMES_MAX {
                return Err(AcceptError::TooManyGames);
            }
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
            if let Some(ready_by_ms) = rooms.existing_reservation(&request, &choice) {
                return ready_by_ms.map(AcceptOutcome::ReadyCheck);
            }
            if let Some(waiting_player) = rooms.needs_ready_check(&challenge, &choice) {
                // The ready check must name the game that would begin.
                let acceptance = AcceptRequest { choice, ..request };
                return rooms
                    .start_ready_check(challenge, waiting_player, acceptance, search)
                    .map(AcceptOutcome::ReadyCheck);
            }
            rooms.make_game_with(request, search, Arc::new(challenge)).await
        })
        .await
    }

    /// Returns until when (epoch milliseconds) a challenge is reserved for the acceptor, or the
    /// refusal if it is reserved for another account. An acceptor with a different choice gives up
    /// the earlier reservation.
    fn existing_reservation(
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
        self.end_ready_check(&request.id, ReadyCheckOutcome::Withdrawn, |current| {
            current.is_same(&check)
        });
        None
    }

    /// Returns the request to the store for an acceptance now.
    pub(super) fn accept_now(&self, request: &AcceptRequest) -> Acceptance {
        self.accept_by(request.acceptor.clone(), request.choice.clone())
    }

    fn accept_by(&self, acceptor: Account, choice: AcceptChoice) -> Acceptance {
        let is_heads = getrandom::u64().expect("system random bytes") & 1 == 0;
        let random_side = if is_heads { Side::First } else { Side::Second };
        let pair_rated_max = self.inner.settings.pair_rated_max;
        Acceptance { acceptor, choice, random_side, pair_rated_max, search: None, now_ms: now_ms() }
    }

    /// Creates the game of an accepted challenge, and notifies the participants.
    pub(super) async fn make_game(
        &self,
        request: AcceptRequest,
        challenge: Arc<Challenge>,
    ) -> Result<AcceptOutcome, AcceptError> {
        self.make_game_with(request, None, challenge).await
    }

    /// Creates the game of an accepted challenge, which ends the search of the acceptor, if any.
    pub(super) async fn make_game_with(
        &self,
        request: AcceptRequest,
        search: Option<SearchClaim>,
        challenge: Arc<Challenge>,
    ) -> Result<AcceptOutcome, AcceptError> {
        let start = self.registry().read_start();
        let mut acceptance = self.accept_now(&request);
        acceptance.search = search;
        let row = match self.store().accept(request.id, acceptance).await? {
            AcceptResult::Game(row) => *row,
            AcceptResult::Seated(seated, lost) => {
                self.announce_challenge(&seated);
                if let Some(lost) = lost {
                    self.user_hub().notify(lost, UserEvent::SeatLost(Arc::new(*seated)));
                }
                return Ok(AcceptOutcome::Seated);
            }
        };
        let id = row.id;
        self.announce_game(Arc::unwrap_or_clone(challenge), row, start).await;
        if let Some(claim) = search {
            self.announce_search_end(request.acceptor.key, |search| search.id() == claim.id);
        }
        Ok(AcceptOutcome::Game(id))
    }

    /// Opens the room of a game created from a challenge, and announces that the challenge is
    /// taken.
    async fn announce_game(&self, mut challenge: Challenge, row: GameRow, start: ReadStart) {
        if let Some(before) = challenge.draft.rematch_of {
            self.announce_next_game(&before, row.id);
        }
        let created = row.clone();
        self.end_rematches_before(&row, &challenge.id).await;
        self.open_new_game(row, challenge.id, start);
        self.announce_searches_ended_by(&created, &challenge.id);
        if !challenge.draft.standing {
            challenge.draft.terms.status = ChallengeStatus::Accepted;
            return self.announce_unavailable(challenge);
        }
        // A standing challenge stays open, with a new commitment for its next game.
        match self.store().challenge(&challenge.id).await {
            Ok(open) => open.iter().for_each(|open| self.announce_challenge(open)),
            Err(error) => tracing::error!(%error, "Failed to load a standing challenge"),
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

    /// Creates a seek, or a game with a waiting seek if both fit each other.
    pub async fn seek(
        &self,
        creator: Account,
        draft: Draft,
        open_max: OpenChallengeLimits,
    ) -> Result<SeekOutcome, CreateChallengeError> {
        let rooms = self.clone();
        run_to_completion(async move {
            let key = creator.key;
            if let Some(until_ms) = rooms.abort_wait_until_ms(key, draft.terms.rated, &draft.paces)
            {
                return Err(CreateChallengeError::TooManyAborts(until_ms));
            }
            let accept = rooms.accept_by(creator, AcceptChoice::default());
            let start = rooms.registry().read_start();
            Ok(match rooms.store().seek(Seek { draft, accept, open_max }).await? {
                (waiting, Some(row)) => {
                    let game = row.id;
                    rooms.announce_game(waiting, *row, start).await;
                    SeekOutcome::Game(game)
                }
                (challenge, None) => {
                    rooms.announce_challenge(&challenge);
                    SeekOutcome::Open(SeekGuard {
                        rooms: rooms.clone(),
                        id: challenge.id,
                        creator: key,
                    })
                }
            })
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
                    self.decline(challenge.id, account, DeclineReason::from_key("generic")).await
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

/// Outcome of a seek.
#[derive(Debug)]
pub enum SeekOutcome {
    /// The seek waits until the guard is dropped.
    Open(SeekGuard),
    /// A game was created with a waiting seek.
    Game(PublicId),
}

/// Guard of an open seek, which is canceled when the guard is dropped.
#[derive(Debug)]
pub struct SeekGuard {
    rooms: Rooms,
    /// Public id of the seek.
    pub id: PublicId,
    creator: AccountKey,
}

impl Drop for SeekGuard {
    fn drop(&mut self) {
        let (rooms, id, creator) = (self.rooms.clone(), self.id, self.creator);
        tokio::spawn(async move {
            if let Err(CloseChallengeError::Store(error)) = rooms.cancel(id, creator).await {
                tracing::error!(%error, "Failed to cancel a seek");
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
