//! Creation, acceptance and end of challenges and seeks, with notification of the participants.
//!
//! Each operation runs in its own task, so that a client that disconnects cannot prevent the
//! notifications that follow a commit.

use super::people::Word;
use super::ready::RingEnd;
use super::{Rooms, now_ms};
use crate::play::challenge::{Decline, Ineligible, Status};
use crate::rules::Side;
use crate::store::{
    Accept, Accepted, Account, AccountKey, Challenge, Draft, Error, GameRow, NotAccepted,
    NotCreated, NotEnded, OpenLimits, Pick, PublicId, Seek,
};
use std::net::IpAddr;
use std::sync::Arc;

/// Games in progress with which an account can still accept a challenge.
pub(super) const GAMES_MAX: usize = 200;

/// Request to accept a challenge.
#[derive(Clone, Debug)]
pub struct Taking {
    /// Challenge to accept.
    pub id: PublicId,
    /// Account that accepts.
    pub acceptor: Account,
    /// Choice among the variants and time controls of the challenge.
    pub pick: Pick,
    /// Network of the client; `None` for bots and rematches.
    pub network: Option<IpAddr>,
}

/// Outcome of an acceptance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The game was created.
    Game(PublicId),
    /// The first of two seats was taken.
    Seated,
    /// A ready check of the creator runs until this time (epoch milliseconds).
    Ringing(i64),
    /// The ready check ended as requested, without a game.
    Over,
}

impl Rooms {
    /// Creates a challenge. Refuses if the creator has as many open challenges as `open_max`
    /// allows, or has to wait after aborted games.
    pub async fn challenge(
        &self,
        maker: AccountKey,
        draft: Draft,
        open_max: impl Into<OpenLimits>,
    ) -> Result<Result<Challenge, NotCreated>, Error> {
        let (rooms, open_max) = (self.clone(), open_max.into());
        whole(async move {
            if draft.dest.as_ref().is_some_and(|dest| dest.level.is_some()) {
                return rooms.challenge_bot(maker, draft).await;
            }
            if let Some(until_ms) = rooms.abort_wait(maker, draft.terms.rated, &draft.paces) {
                return Ok(Err(NotCreated::TooManyAborts(until_ms)));
            }
            let made = rooms.store().add_challenge(maker, draft, open_max, now_ms()).await?;
            if let Ok(challenge) = &made {
                rooms.tell_of(challenge);
            }
            Ok(made)
        })
        .await
    }

    pub(super) fn tell_of(&self, challenge: &Challenge) {
        if challenge.draft.kind.is_public() {
            self.lobby().challenged(challenge.clone());
        } else {
            self.tell_concerned(challenge, Word::Challenge(Arc::new(challenge.clone())));
        }
    }

    /// Notifies the creator, the recipient and the seated player of a challenge.
    pub(super) fn tell_concerned(&self, challenge: &Challenge, word: Word) {
        let dest = challenge.draft.dest.as_ref().map(|dest| dest.key);
        let seated = challenge.seated.as_ref().map(|seated| seated.account.key);
        let mut told = vec![challenge.maker.key];
        for key in dest.into_iter().chain(seated) {
            if !told.contains(&key) {
                told.push(key);
            }
        }
        for key in told {
            self.people().tell(key, word.clone());
        }
    }

    /// Accepts a challenge: creates its game, or begins a ready check if the creator is elsewhere.
    pub async fn accept(&self, taking: Taking) -> Result<Result<Outcome, NotAccepted>, Error> {
        let rooms = self.clone();
        whole(async move {
            if rooms.desk().count(taking.acceptor.key) >= GAMES_MAX {
                return Ok(Err(NotAccepted::TooManyGames));
            }
            let seen = rooms.store().may_accept(&taking.id, &rooms.accept_now(&taking)).await?;
            let (challenge, bound) = match seen {
                Ok(seen) => seen,
                Err(why) => return Ok(Err(why)),
            };
            let (acceptor, rated) = (taking.acceptor.key, challenge.draft.terms.rated);
            if let Some(until_ms) = rooms.abort_wait(acceptor, rated, bound.pace.as_slice()) {
                return Ok(Err(NotAccepted::TooManyAborts(until_ms)));
            }
            if let Some(ready_by_ms) = rooms.is_held_for(&taking, &bound) {
                return Ok(ready_by_ms.map(Outcome::Ringing));
            }
            if let Some(waiter) = rooms.has_to_ring(&challenge, &bound) {
                // The ready check must name the game that would begin.
                let taking = Taking { pick: bound, ..taking };
                return Ok(rooms.ring(challenge, waiter, taking).map(Outcome::Ringing));
            }
            rooms.make_game(taking, Arc::new(challenge)).await
        })
        .await
    }

    /// Returns until when (epoch milliseconds) a challenge is reserved for the acceptor, or the
    /// refusal if it is reserved for another account. An acceptor with a different choice gives up
    /// the earlier reservation.
    fn is_held_for(&self, taking: &Taking, bound: &Pick) -> Option<Result<i64, NotAccepted>> {
        let ring = self.rings().get(&taking.id).cloned()?;
        if ring.taking.acceptor.key != taking.acceptor.key {
            return Some(Err(NotAccepted::Ineligible(Ineligible::Taken, 0)));
        }
        if ring.taking.pick == *bound {
            return Some(Ok(ring.ready_by_ms));
        }
        if let Err(wait_ms) = self.ring_limits().check(&ring, now_ms()) {
            return Some(Err(NotAccepted::TooManyChecks(wait_ms)));
        }
        self.end_ring(&taking.id, RingEnd::Withdrawn, |known| known.is(&ring));
        None
    }

    /// Returns the request to the store for an acceptance now.
    pub(super) fn accept_now(&self, taking: &Taking) -> Accept {
        self.accept_by(taking.acceptor.clone(), taking.pick.clone())
    }

    fn accept_by(&self, acceptor: Account, pick: Pick) -> Accept {
        let heads = getrandom::u64().expect("system random bytes") & 1 == 0;
        let lot = if heads { Side::First } else { Side::Second };
        let pair_rated_max = self.inner.settings.pair_rated_max;
        Accept { acceptor, pick, lot, pair_rated_max, now_ms: now_ms() }
    }

    /// Creates the game of an accepted challenge, and notifies the participants.
    pub(super) async fn make_game(
        &self,
        taking: Taking,
        challenge: Arc<Challenge>,
    ) -> Result<Result<Outcome, NotAccepted>, Error> {
        let made = match self.store().accept(taking.id, self.accept_now(&taking)).await? {
            Ok(made) => made,
            Err(why) => return Ok(Err(why)),
        };
        let row = match made {
            Accepted::Game(row) => *row,
            Accepted::Seated(seated, lost) => {
                self.tell_of(&seated);
                if let Some(lost) = lost {
                    self.people().tell(lost, Word::SeatLost(Arc::new(*seated)));
                }
                return Ok(Ok(Outcome::Seated));
            }
        };
        let id = row.id;
        self.started(Arc::unwrap_or_clone(challenge), row).await;
        Ok(Ok(Outcome::Game(id)))
    }

    /// Opens the room of a game created from a challenge, and announces that the challenge is
    /// taken.
    async fn started(&self, mut challenge: Challenge, row: GameRow) {
        if let Some(before) = challenge.draft.rematch_of {
            self.tell_next(&before, row.id);
        }
        self.begin(row, challenge.id);
        if !challenge.draft.standing {
            challenge.draft.terms.status = Status::Accepted;
            return self.gone(challenge);
        }
        // A standing challenge stays open, with a new commitment for its next game.
        match self.store().challenge(&challenge.id).await {
            Ok(open) => open.iter().for_each(|open| self.tell_of(open)),
            Err(error) => tracing::error!(%error, "Failed to load a standing challenge"),
        }
    }

    /// Announces that a challenge is no longer open.
    pub(super) fn gone(&self, challenge: Challenge) {
        self.end_ring(&challenge.id, RingEnd::Withdrawn, |_| {
            challenge.draft.terms.status != Status::Accepted
        });
        if challenge.draft.kind.is_public() {
            self.lobby().gone(challenge.id, challenge.draft.terms.status);
        }
        let challenge = Arc::new(challenge);
        self.tell_concerned(&challenge, Word::Gone(challenge.clone()));
    }

    /// Cancels a challenge of the requester.
    pub async fn cancel(
        &self,
        id: PublicId,
        asker: AccountKey,
    ) -> Result<Result<(), NotEnded>, Error> {
        let rooms = self.clone();
        whole(async move {
            let canceled = rooms.store().cancel(id, asker, now_ms()).await?;
            Ok(canceled.map(|challenge| rooms.gone(challenge)))
        })
        .await
    }

    /// Declines a challenge to the requester.
    pub async fn decline(
        &self,
        id: PublicId,
        asker: AccountKey,
        reason: Decline,
    ) -> Result<Result<(), NotEnded>, Error> {
        let rooms = self.clone();
        whole(async move {
            let declined = rooms.store().decline(id, asker, reason, now_ms()).await?;
            Ok(declined.map(|challenge| rooms.gone(challenge)))
        })
        .await
    }

    /// Creates a seek, or a game with a waiting seek if both fit each other.
    pub async fn seek(
        &self,
        maker: Account,
        draft: Draft,
        open_max: OpenLimits,
    ) -> Result<Result<Sought, NotCreated>, Error> {
        let rooms = self.clone();
        whole(async move {
            let key = maker.key;
            if let Some(until_ms) = rooms.abort_wait(key, draft.terms.rated, &draft.paces) {
                return Ok(Err(NotCreated::TooManyAborts(until_ms)));
            }
            let accept = rooms.accept_by(maker, Pick::default());
            let made = match rooms.store().seek(Seek { draft, accept, open_max }).await? {
                Ok(made) => made,
                Err(why) => return Ok(Err(why)),
            };
            Ok(Ok(match made {
                (waiting, Some(row)) => {
                    let game = row.id;
                    rooms.started(waiting, *row).await;
                    Sought::Game(game)
                }
                (made, None) => {
                    rooms.tell_of(&made);
                    Sought::Open(HeldSeek { rooms: rooms.clone(), id: made.id, maker: key })
                }
            }))
        })
        .await
    }

    /// Cancels all open challenges of a closed account, and declines those to it.
    pub(super) async fn end_challenges_of(&self, account: AccountKey) -> Result<(), Error> {
        loop {
            let open = self.store().open_challenges_of(account, now_ms()).await?;
            if open.is_empty() {
                return Ok(());
            }
            for challenge in open {
                let _ = if challenge.maker.key == account {
                    self.cancel(challenge.id, account).await?
                } else {
                    self.decline(challenge.id, account, Decline::of("generic")).await?
                };
            }
        }
    }

    /// Announces changed ratings: notifies both players, and announces their open challenges again,
    /// because relative rating ranges depend on them.
    pub(super) fn rated(&self, players: [AccountKey; 2]) {
        let rooms = self.clone();
        self.inner.tasks.spawn(async move {
            for player in players {
                rooms.people().tell(player, Word::Changed);
                match rooms.store().open_challenges_of(player, now_ms()).await {
                    Ok(open) => open.iter().for_each(|open| rooms.tell_of(open)),
                    Err(error) => tracing::error!(%error, "Failed to load open challenges"),
                }
            }
        });
    }
}

/// Outcome of a seek.
#[derive(Debug)]
pub enum Sought {
    /// The seek waits until the guard is dropped.
    Open(HeldSeek),
    /// A game was created with a waiting seek.
    Game(PublicId),
}

/// Guard of an open seek, which is canceled when the guard is dropped.
#[derive(Debug)]
pub struct HeldSeek {
    rooms: Rooms,
    /// Public id of the seek.
    pub id: PublicId,
    maker: AccountKey,
}

impl Drop for HeldSeek {
    fn drop(&mut self) {
        let (rooms, id, maker) = (self.rooms.clone(), self.id, self.maker);
        tokio::spawn(async move {
            if let Err(error) = rooms.cancel(id, maker).await {
                tracing::error!(%error, "Failed to cancel a seek");
            }
        });
    }
}

/// Runs `work` to its end in a task of its own, even if the caller is dropped.
pub(super) async fn whole<T: Send + 'static>(
    work: impl Future<Output = Result<T, Error>> + Send + 'static,
) -> Result<T, Error> {
    tokio::spawn(work).await.map_err(|_| Error::NotCommitted)?
}
