//! Attempts of a search: the events that concern it, the time of the next attempt, and the attempts
//! that are not repeated.
//!
//! A refused challenge is tried again only after it was announced again, and an absent creator is
//! asked once. Times are arguments. Caller: `opponent_search`.

use super::types::OpponentSearch;
use crate::bus::{Subscriber, SubscriptionError};
use crate::rooms::LobbyEvent;
use crate::store::{AcceptChoice, Challenge, PublicId};
use std::collections::HashSet;
use std::time::Duration;
use tokio::time::Instant;

/// Minimum time between two attempts because of events. Events in between lead to one attempt.
pub(super) const TRY_INTERVAL: Duration = Duration::from_millis(250);

/// Time after which a failed attempt is repeated without an event.
pub(super) const RETRY_INTERVAL: Duration = Duration::from_secs(3);

/// Challenge that a search may accept.
pub(super) struct Candidate {
    pub(super) challenge: Challenge,
    pub(super) choice: AcceptChoice,
    pub(super) is_present: bool,
}

/// Schedule of a search, and the attempts that it does not repeat.
#[derive(Debug)]
pub(super) struct Attempts {
    /// Challenges and variants that were refused, until the challenge is announced again.
    refused: HashSet<(PublicId, Option<String>)>,
    /// Challenges whose absent creator was asked.
    asked: HashSet<PublicId>,
    /// Challenges that a busy player was offered.
    offered: HashSet<PublicId>,
    /// Challenges of the last query, of which the presence of the creators matters.
    known: HashSet<PublicId>,
    /// Time from which creators may be asked.
    ask_after: Instant,
    last: Option<Instant>,
    /// Time of the next attempt.
    next: Option<Instant>,
}

impl Attempts {
    /// Returns the schedule of a search that begins at `now`.
    pub(super) fn new(now: Instant) -> Attempts {
        Attempts {
            refused: HashSet::new(),
            asked: HashSet::new(),
            offered: HashSet::new(),
            known: HashSet::new(),
            ask_after: now,
            last: None,
            next: Some(now),
        }
    }

    /// Returns whether an attempt is due. If it is, it begins.
    pub(super) fn begin(&mut self, now: Instant) -> bool {
        let is_due = self.next.is_some_and(|next| next <= now);
        if is_due {
            (self.last, self.next) = (Some(now), None);
        }
        is_due
    }

    /// Waits until an attempt is due. Cancel safe.
    pub(super) async fn due(&self) {
        match self.next {
            Some(next) => tokio::time::sleep_until(next).await,
            None => std::future::pending().await,
        }
    }

    /// Schedules an attempt at a time, or keeps an earlier one.
    pub(super) fn schedule_at(&mut self, at: Instant) {
        self.next = Some(self.next.map_or(at, |next| next.min(at)));
    }

    /// Schedules an attempt because of an event that concerns the search; `None`: events were lost.
    /// A challenge that is announced has changed, so that it is tried again.
    pub(super) fn note(&mut self, event: Option<&LobbyEvent>, now: Instant) {
        if let Some(LobbyEvent::Challenge(challenge)) = event {
            self.refused.retain(|(id, _)| *id != challenge.id);
        }
        self.schedule_at(self.last.map_or(now, |last| now.max(last + TRY_INTERVAL)));
    }

    /// Returns whether an event may give the search a challenge to try.
    fn concerns(&self, search: &OpponentSearch, event: &LobbyEvent) -> bool {
        match event {
            LobbyEvent::Challenge(challenge) => {
                challenge.creator.key != search.account().key
                    && !search.choices(challenge).is_empty()
            }
            LobbyEvent::Presence(changed) => {
                changed.iter().any(|presence| self.known.contains(&presence.challenge))
            }
            _ => false,
        }
    }

    /// Records the challenges that fit the terms of the search, and forgets the attempts of others.
    pub(super) fn set_known(&mut self, candidates: &[Candidate]) {
        self.known = candidates.iter().map(|candidate| candidate.challenge.id).collect();
        self.refused.retain(|(id, _)| self.known.contains(id));
        self.asked.retain(|id| self.known.contains(id));
        self.offered.retain(|id| self.known.contains(id));
    }

    pub(super) fn excludes(&self, candidate: &Candidate) -> bool {
        let id = candidate.challenge.id;
        self.refused.contains(&(id, candidate.choice.variant.clone()))
            || (!candidate.is_present && self.asked.contains(&id))
    }

    pub(super) fn add_refused(&mut self, challenge: PublicId, variant: Option<String>) {
        self.refused.insert((challenge, variant));
    }

    pub(super) fn add_asked(&mut self, challenge: PublicId) {
        self.asked.insert(challenge);
    }

    pub(super) fn add_offered(&mut self, challenge: PublicId) {
        self.offered.insert(challenge);
    }

    pub(super) fn has_offered(&self, challenge: &PublicId) -> bool {
        self.offered.contains(challenge)
    }

    pub(super) fn may_ask(&self, now: Instant) -> bool {
        now >= self.ask_after
    }

    /// Asks no creator before a time, and then tries again.
    pub(super) fn ask_after(&mut self, at: Instant) {
        self.ask_after = at;
        self.schedule_at(at);
    }
}

/// Waits for an event that concerns a search. Returns `None` if events were lost. Cancel safe.
pub(super) async fn next_news(
    news: &mut Subscriber<LobbyEvent>,
    search: &OpponentSearch,
    attempts: &Attempts,
) -> Option<LobbyEvent> {
    loop {
        match news.next().await {
            Ok(event) if attempts.concerns(search, &event) => return Some(event),
            Ok(_) => {}
            Err(SubscriptionError::Lagged) => return None,
            Err(SubscriptionError::Closed) => std::future::pending().await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_after_events_keep_their_interval() {
        let start = Instant::now();
        let mut attempts = Attempts::new(start);
        assert!(attempts.begin(start), "the first attempt is immediate");
        let soon = start + TRY_INTERVAL / 5;
        for _ in 0..100 {
            attempts.note(None, soon);
            assert!(!attempts.begin(soon));
        }
        let next = start + TRY_INTERVAL;
        assert!(attempts.begin(next), "all events lead to one attempt");
        assert!(!attempts.begin(next + RETRY_INTERVAL), "no event, no attempt");
        let later = next + 2 * TRY_INTERVAL;
        attempts.note(None, later);
        assert!(attempts.begin(later), "an event after a pause is tried at once");
    }

    #[test]
    fn later_retry_does_not_delay_an_event() {
        let start = Instant::now();
        let mut attempts = Attempts::new(start);
        assert!(attempts.begin(start));
        attempts.ask_after(start + RETRY_INTERVAL);
        assert!(!attempts.may_ask(start));
        attempts.note(None, start + TRY_INTERVAL);
        assert!(attempts.begin(start + TRY_INTERVAL));
        attempts.schedule_at(start + RETRY_INTERVAL);
        assert!(!attempts.begin(start + 2 * TRY_INTERVAL));
        assert!(attempts.begin(start + RETRY_INTERVAL) && attempts.may_ask(start + RETRY_INTERVAL));
    }
}
