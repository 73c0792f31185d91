//! Ready checks: a clocked challenge is accepted while its creator is elsewhere.
//!
//! A check is a reservation in memory. The game is created, and all conditions are verified, when
//! the creator answers.

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

/// Ready check of the player who waits for an opponent.
#[derive(Clone, Debug)]
pub struct Ring {
    /// Identifies this check among those of the same challenge.
    number: Uuid,
    /// Accepted challenge.
    pub challenge: Arc<Challenge>,
    /// Player who has to answer.
    pub waiter: Account,
    /// Reserved acceptance.
    pub taking: Taking,
    /// Deadline in epoch milliseconds.
    pub ready_by_ms: i64,
}

/// Outcome of a ready check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RingEnd {
    /// The player answered: the game begins.
    Ready,
    /// The player declined.
    Declined,
    /// The player did not answer in time.
    Late,
    /// The acceptor withdrew, or the challenge ended.
    Withdrawn,
    /// The acceptance was no longer possible.
    Refused(NotAccepted),
}

impl RingEnd {
    /// Returns the reason code of the protocol.
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

/// Reason why an answer to a ready check had no effect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotReady {
    /// There is no check.
    NoCheck,
    /// The requester has no part in it.
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
    /// Returns until when (epoch milliseconds) a challenge is reserved, if it is.
    pub fn ready_by_ms(&self, id: &PublicId) -> Option<i64> {
        self.rings().get(id).map(|ring| ring.ready_by_ms)
    }

    /// Returns the checks that an account has to answer.
    pub fn rings_for(&self, account: AccountKey) -> Vec<Arc<Ring>> {
        self.rings().values().filter(|ring| ring.waiter.key == account).cloned().collect()
    }

    /// Returns the player who waits for an opponent if they need a ready check: if the game has a
    /// clock and they are not connected where it could begin. The creator of a challenge created
    /// with an API token counts as present; a player in one of two seats did not create it.
    pub(super) fn has_to_ring(&self, challenge: &Challenge, bound: &Pick) -> Option<Account> {
        let waiter = challenge.waiter(now_ms())?;
        let is_program = challenge.draft.program && challenge.draft.kind != Kind::Open;
        let game = challenge.draft.rematch_of.filter(|_| challenge.draft.kind == Kind::Rematch);
        let has_clock = bound.pace.is_some_and(|pace| pace.clock().is_some());
        let absent = has_clock && !is_program && !self.people().is_there(waiter.key, game);
        absent.then(|| waiter.clone())
    }

    /// Begins a ready check, and returns its deadline (epoch milliseconds).
    ///
    /// # Errors
    /// Returns the refusal if the challenge is reserved already, or if the acceptor or their
    /// network has begun too many checks.
    pub(super) fn ring(
        &self,
        challenge: Challenge,
        waiter: Account,
        taking: Taking,
    ) -> Result<i64, NotAccepted> {
        let taken = NotAccepted::Ineligible(Ineligible::Taken, 0);
        // The check ends no later than the challenge, so that a timely acceptance is not lost.
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
        self.inner.ring_limits.lock().expect("ready check limits lock")
    }

    /// Withdraws the other checks of an acceptor, who can have only one at a time.
    fn end_other_rings(&self, ring: &Ring) {
        let acceptor = ring.taking.acceptor.key;
        let of_acceptor =
            |known: &&Arc<Ring>| known.taking.acceptor.key == acceptor && !known.is(ring);
        let others: Vec<Arc<Ring>> = self.rings().values().filter(of_acceptor).cloned().collect();
        for other in others {
            self.withdraw_ring(&other);
        }
    }

    /// Ends a check from which its acceptor withdraws, and counts the withdrawal.
    pub(super) fn withdraw_ring(&self, ring: &Ring) {
        let ended = self.end_ring(&ring.challenge.id, RingEnd::Withdrawn, |known| known.is(ring));
        if ended.is_some() {
            self.ring_limits().withdrawn(ring, now_ms());
        }
    }

    /// Ends the checks in which an account takes part.
    pub(super) fn end_rings_of(&self, account: AccountKey) {
        let has_part =
            |ring: &&Arc<Ring>| [ring.waiter.key, ring.taking.acceptor.key].contains(&account);
        let rings: Vec<Arc<Ring>> = self.rings().values().filter(has_part).cloned().collect();
        for ring in rings {
            let id = &ring.challenge.id;
            self.end_ring(id, RingEnd::Withdrawn, |known| known.is(&ring));
        }
    }

    /// Ends the check of a challenge if it satisfies `which`, and notifies both players.
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

    /// Answers a ready check: the waiting player is ready or declines, or the acceptor withdraws.
    ///
    /// # Errors
    /// Returns an error if the game is not stored.
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
                // The waiting player has lost the seat, and the acceptor has taken it.
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
