//! Ready checks: somebody accepts a challenge with a clock while its maker is elsewhere.
//!
//! A check is only a reservation: it lives in memory, and the game is made, with all that has to
//! be looked at, when the maker says yes.

use super::challenges::{Outcome, Taking, whole};
use super::people::Word;
use super::ring_limits::RingLimits;
use super::{Rooms, now_ms};
use crate::play::challenge::{Ineligible, Kind};
use crate::play::clock::Pace;
use crate::store::{Account, AccountKey, Challenge, Error, NotAccepted, Pick, Plays, PublicId};
use std::sync::{Arc, MutexGuard};
use std::time::Duration;
use uuid::Uuid;

/// Somebody accepts a challenge, and its maker is asked to come.
#[derive(Clone, Debug)]
pub struct Ring {
    /// Tells this check from another of the same challenge.
    number: Uuid,
    /// The challenge.
    pub challenge: Arc<Challenge>,
    /// Who is asked.
    pub waiter: Account,
    /// Who accepts, and what of it.
    pub taking: Taking,
    /// Until when, in epoch milliseconds.
    pub ready_by_ms: i64,
}

/// How a ready check ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RingEnd {
    /// The maker came: the game begins.
    Ready,
    /// The maker said no.
    Declined,
    /// The maker did not come.
    Late,
    /// Whoever accepted has gone, or the challenge has.
    Withdrawn,
    /// The acceptance was no longer possible.
    Refused(NotAccepted),
}

impl RingEnd {
    /// Its word in the protocol.
    pub fn word(self) -> &'static str {
        match self {
            RingEnd::Ready => "ready",
            RingEnd::Declined => "declined",
            RingEnd::Late => "late",
            RingEnd::Withdrawn => "withdrawn",
            RingEnd::Refused(NotAccepted::Ineligible(why, _)) => why.word(),
            RingEnd::Refused(NotAccepted::DailyLimit(_)) => "dailyLimit",
            RingEnd::Refused(_) => "canceled",
        }
    }
}

/// Why an answer to a ready check did nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotReady {
    /// There is no check.
    NoCheck,
    /// The asker has no part in it.
    NotYours,
    /// The acceptance was no longer possible.
    NotAccepted(NotAccepted),
}

impl Ring {
    /// Returns the variant with its options and the time control of the game that would begin.
    pub fn bound(&self) -> (&Plays, Pace) {
        let (draft, pick) = (&self.challenge.draft, &self.taking.pick);
        let chosen = |plays: &&Plays| pick.variant.as_deref() == Some(plays.variant.info.key);
        let plays = draft.plays.iter().find(chosen).unwrap_or(&draft.plays[0]);
        (plays, pick.pace.unwrap_or(draft.paces[0]))
    }

    /// Returns whether both are the same check.
    pub(super) fn is(&self, other: &Ring) -> bool {
        self.number == other.number
    }
}

impl Rooms {
    /// Until when a challenge is held for somebody, if it is.
    pub fn ready_by_ms(&self, id: &PublicId) -> Option<i64> {
        self.rings().get(id).map(|ring| ring.ready_by_ms)
    }

    /// The checks in which an account is asked to come.
    pub fn rings_for(&self, account: AccountKey) -> Vec<Arc<Ring>> {
        self.rings().values().filter(|ring| ring.waiter.key == account).cloned().collect()
    }

    /// Returns the player who waits for an opponent if a ready check has to ask them to come: if the
    /// game has a clock and they are not connected where it could begin. The maker of a challenge
    /// made with a token counts as present; a player in one of two seats has not made it.
    pub(super) fn has_to_ring(&self, challenge: &Challenge, bound: &Pick) -> Option<Account> {
        let waiter = challenge.waiter(now_ms())?;
        let is_program = challenge.draft.program && challenge.draft.kind != Kind::Open;
        let game = challenge.draft.rematch_of.filter(|_| challenge.draft.kind == Kind::Rematch);
        let has_clock = bound.pace.is_some_and(|pace| pace.clock().is_some());
        let absent = has_clock && !is_program && !self.people().is_there(waiter.key, game);
        absent.then(|| waiter.clone())
    }

    /// Begins a ready check, and returns until when it runs (epoch milliseconds).
    ///
    /// # Errors
    /// When there is one already, or the acceptor, or their network, has begun too many.
    pub(super) fn ring(
        &self,
        challenge: Challenge,
        waiter: Account,
        taking: Taking,
    ) -> Result<i64, NotAccepted> {
        let taken = NotAccepted::Ineligible(Ineligible::Taken, 0);
        // Who has accepted in time is not to lose it to the challenge's end: the check ends before.
        let now_ms = now_ms();
        let ready_ms = self.inner.settings.ready.as_millis() as i64;
        let ready_by_ms = (now_ms + ready_ms).min(challenge.draft.terms.expires_ms);
        let wait = Duration::from_millis((ready_by_ms - now_ms).max(0).cast_unsigned());
        let (id, number) = (challenge.id, Uuid::now_v7());
        let challenge = Arc::new(challenge);
        let ring = Arc::new(Ring { number, challenge, waiter, taking, ready_by_ms });
        {
            let mut rings = self.rings();
            if rings.contains_key(&id) {
                return Err(taken);
            }
            self.ring_limits().begin(&ring, now_ms).map_err(NotAccepted::TooManyChecks)?;
            rings.insert(id, ring.clone());
        }
        self.end_other_rings(&ring);
        self.people().tell(ring.waiter.key, Word::Ring(ring.clone()));
        self.show_again(&ring.challenge);
        let rooms = self.clone();
        self.inner.tasks.spawn(async move {
            if rooms.sleep(wait).await
                && let Some(ring) = rooms.end_ring(&id, RingEnd::Late, |ring| ring.number == number)
            {
                rooms.ring_limits().ended_in_vain(&ring, super::now_ms());
            }
        });
        Ok(ready_by_ms)
    }

    pub(super) fn ring_limits(&self) -> MutexGuard<'_, RingLimits> {
        self.inner.ring_limits.lock().expect("ready check limits")
    }

    /// Whoever accepts another challenge lets go of the one before.
    fn end_other_rings(&self, ring: &Ring) {
        let acceptor = ring.taking.acceptor.key;
        let of_acceptor =
            |known: &&Arc<Ring>| known.taking.acceptor.key == acceptor && !known.is(ring);
        let others: Vec<Arc<Ring>> = self.rings().values().filter(of_acceptor).cloned().collect();
        for other in others {
            self.withdraw_ring(&other);
        }
    }

    /// Ends a check from which its acceptor withdraws, which is counted.
    pub(super) fn withdraw_ring(&self, ring: &Ring) {
        let ended = self.end_ring(&ring.challenge.id, RingEnd::Withdrawn, |known| known.is(ring));
        if ended.is_some() {
            self.ring_limits().withdrawn(ring, now_ms());
        }
    }

    /// Ends the checks in which an account has a part.
    pub(super) fn end_rings_of(&self, account: AccountKey) {
        let has_part =
            |ring: &&Arc<Ring>| [ring.waiter.key, ring.taking.acceptor.key].contains(&account);
        let rings: Vec<Arc<Ring>> = self.rings().values().filter(has_part).cloned().collect();
        for ring in rings {
            let id = &ring.challenge.id;
            self.end_ring(id, RingEnd::Withdrawn, |known| known.is(&ring));
        }
    }

    /// Ends the check of a challenge, if there is one that `which` means; both are told.
    pub(super) fn end_ring(
        &self,
        id: &PublicId,
        end: RingEnd,
        which: impl FnOnce(&Ring) -> bool,
    ) -> Option<Arc<Ring>> {
        let ring = {
            let mut rings = self.rings();
            if !rings.get(id).is_some_and(|ring| which(ring)) {
                return None;
            }
            rings.remove(id)?
        };
        for account in [ring.waiter.key, ring.taking.acceptor.key] {
            self.people().tell(account, Word::RingGone(*id, end));
        }
        if end != RingEnd::Ready {
            self.show_again(&ring.challenge);
        }
        Some(ring)
    }

    /// The maker comes or does not, or whoever accepted goes away.
    ///
    /// # Errors
    /// When the game could not be stored.
    pub async fn answer_ring(
        &self,
        id: PublicId,
        asker: AccountKey,
        yes: bool,
    ) -> Result<Result<Outcome, NotReady>, Error> {
        let Some(ring) = self.rings().get(&id).cloned() else { return Ok(Err(NotReady::NoCheck)) };
        let asked = ring.waiter.key == asker;
        if !asked && ring.taking.acceptor.key != asker {
            return Ok(Err(NotReady::NotYours));
        }
        if !yes {
            if asked {
                self.end_ring(&id, RingEnd::Declined, |known| known.is(&ring));
            } else {
                self.withdraw_ring(&ring);
            }
            return Ok(Ok(Outcome::Over));
        }
        if !asked {
            return Ok(Ok(Outcome::Ringing(ring.ready_by_ms)));
        }
        let rooms = self.clone();
        whole(async move {
            let (taking, challenge) = (ring.taking.clone(), ring.challenge.clone());
            let accepted = match rooms.make_game(taking, challenge).await? {
                // Who came to play had lost the seat, which is the acceptor's now.
                Ok(Outcome::Seated) => Err(NotAccepted::Ineligible(Ineligible::Taken, 0)),
                accepted => accepted,
            };
            let end = match &accepted {
                Ok(_) => RingEnd::Ready,
                Err(why) => RingEnd::Refused(*why),
            };
            rooms.end_ring(&id, end, |known| known.is(&ring));
            Ok(accepted.map_err(NotReady::NotAccepted))
        })
        .await
    }

    fn show_again(&self, challenge: &Arc<Challenge>) {
        if challenge.draft.kind.is_public() {
            self.lobby().challenged(Challenge::clone(challenge));
        } else {
            self.tell_concerned(challenge, Word::Challenge(challenge.clone()));
        }
    }
}
