//! Challenges as they are made, accepted and ended: stored, and told to those whom they concern.
//!
//! Each runs as a task of its own, so that somebody who asks and leaves before the answer leaves
//! nothing half done: what is stored is told.

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

/// Games that somebody may have in play, and still accept another.
pub(super) const GAMES_MAX: usize = 200;

/// Somebody takes a challenge.
#[derive(Clone, Debug)]
pub struct Taking {
    /// Which.
    pub id: PublicId,
    /// Who.
    pub acceptor: Account,
    /// What of what it offers.
    pub pick: Pick,
    /// Network of the client; none for the server's own players.
    pub network: Option<IpAddr>,
}

/// What came of taking a challenge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// A game.
    Game(PublicId),
    /// The first of two seats.
    Seated,
    /// The maker is asked to come, until then (epoch milliseconds).
    Ringing(i64),
    /// Nothing, as was asked.
    Over,
}

impl Rooms {
    /// Makes a challenge, unless its maker has as many open ones as `open_max` allows, or has to wait
    /// after aborted games.
    ///
    /// # Errors
    /// When it could not be stored.
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

    /// Tells those who made a challenge, or for whom it is, or who sit at it.
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

    /// Takes a challenge, if the acceptor may: makes its game, or asks its maker to come first.
    ///
    /// # Errors
    /// When it could not be stored.
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
                // The game that begins is the one that the waiting player is asked about.
                let taking = Taking { pick: bound, ..taking };
                return Ok(rooms.ring(challenge, waiter, taking).map(Outcome::Ringing));
            }
            rooms.make_game(taking, Arc::new(challenge)).await
        })
        .await
    }

    /// Returns until when (epoch milliseconds) a challenge is held for the acceptor, or the refusal
    /// if it is held for another. An acceptor who chooses anew gives up the earlier choice.
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

    /// What the store is asked, for somebody who takes a challenge now.
    pub(super) fn accept_now(&self, taking: &Taking) -> Accept {
        self.accept_by(taking.acceptor.clone(), taking.pick.clone())
    }

    fn accept_by(&self, acceptor: Account, pick: Pick) -> Accept {
        let heads = getrandom::u64().expect("random bytes of the system") & 1 == 0;
        let lot = if heads { Side::First } else { Side::Second };
        let pair_rated_max = self.inner.settings.pair_rated_max;
        Accept { acceptor, pick, lot, pair_rated_max, now_ms: now_ms() }
    }

    /// Makes the game, and tells those whom it concerns.
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

    /// A challenge has become a game: its room opens, and all who looked at it are told.
    async fn started(&self, mut challenge: Challenge, row: GameRow) {
        if let Some(before) = challenge.draft.rematch_of {
            self.tell_next(&before, row.id);
        }
        self.begin(row, challenge.id);
        if !challenge.draft.standing {
            challenge.draft.terms.status = Status::Accepted;
            return self.gone(challenge);
        }
        // It is open still, with a seal of its own for the next.
        match self.store().challenge(&challenge.id).await {
            Ok(open) => open.iter().for_each(|open| self.tell_of(open)),
            Err(error) => tracing::error!(%error, "a standing challenge"),
        }
    }

    /// Tells that a challenge is no longer open.
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

    /// Withdraws a challenge.
    ///
    /// # Errors
    /// When it could not be stored.
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

    /// Declines a challenge that is for the asker.
    ///
    /// # Errors
    /// When it could not be stored.
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

    /// Makes a seek, or a game with one that waits and that fits it, as it fits that one.
    ///
    /// # Errors
    /// When it could not be stored.
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

    /// An account is closed: its challenges are withdrawn, those to it declined.
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

    /// Tells that two ratings have changed, and with them what the ranges that follow them mean.
    pub(super) fn rated(&self, players: [AccountKey; 2]) {
        let rooms = self.clone();
        self.inner.tasks.spawn(async move {
            for player in players {
                rooms.people().tell(player, Word::Changed);
                match rooms.store().open_challenges_of(player, now_ms()).await {
                    Ok(open) => open.iter().for_each(|open| rooms.tell_of(open)),
                    Err(error) => tracing::error!(%error, "open challenges of a rated player"),
                }
            }
        });
    }
}

/// What came of a seek.
#[derive(Debug)]
pub enum Sought {
    /// It waits, for as long as this is held.
    Open(HeldSeek),
    /// It found another.
    Game(PublicId),
}

/// A seek goes with whoever holds it.
#[derive(Debug)]
pub struct HeldSeek {
    rooms: Rooms,
    /// What the outside calls it.
    pub id: PublicId,
    maker: AccountKey,
}

impl Drop for HeldSeek {
    fn drop(&mut self) {
        let (rooms, id, maker) = (self.rooms.clone(), self.id, self.maker);
        tokio::spawn(async move {
            if let Err(error) = rooms.cancel(id, maker).await {
                tracing::error!(%error, "a seek that nobody holds");
            }
        });
    }
}

/// Does a piece of work to its end, whether or not anybody still waits for it.
pub(super) async fn whole<T: Send + 'static>(
    work: impl Future<Output = Result<T, Error>> + Send + 'static,
) -> Result<T, Error> {
    tokio::spawn(work).await.map_err(|_| Error::NotCommitted)?
}
