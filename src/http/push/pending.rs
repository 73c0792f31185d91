//! News that waits until a player has been absent for a while.
//!
//! All wait equally long, so that the queue is in the order of the times. The moves of several
//! games of one player make one entry: the first one begins the wait. Caller: the task of `push`.

use super::notice::NoticeKind;
use crate::rooms::{AbsenceEvent, AbsenceNews};
use crate::store::{AccountKey, Challenge, GameRow, PublicId};
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// Maximum of entries; news beyond it are dropped.
const PENDING_MAX: usize = 10_000;

/// Maximum of games of one entry. One that is among the waiting ones suffices.
const GAMES_MAX: usize = 200;

/// News whose wait is over.
#[derive(Debug)]
pub enum DueNews {
    /// The opponent has moved in one of these games, at least.
    Turns(HashSet<PublicId>),
    Challenge(Arc<Challenge>),
    Start(Arc<GameRow>),
}

impl DueNews {
    /// Returns the kind of the message about it.
    pub fn kind(&self) -> NoticeKind {
        match self {
            DueNews::Turns(_) => NoticeKind::MyTurn,
            DueNews::Challenge(_) => NoticeKind::Challenge,
            DueNews::Start(_) => NoticeKind::GameStart,
        }
    }
}

enum Entry {
    Turns,
    Challenge(Arc<Challenge>),
    Start(Arc<GameRow>),
}

/// News that waits.
pub struct PendingNews {
    delay: Duration,
    queue: VecDeque<(Instant, AccountKey, Entry)>,
    /// Games in which it is the turn of an account, of its entry in the queue.
    turns: HashMap<AccountKey, HashSet<PublicId>>,
}

impl PendingNews {
    /// Creates an empty queue in which news waits for `delay`.
    pub fn new(delay: Duration) -> PendingNews {
        PendingNews { delay, queue: VecDeque::new(), turns: HashMap::new() }
    }

    /// Adds news. Returns false if the queue is full.
    pub fn add(&mut self, news: AbsenceNews, now: Instant) -> bool {
        let account = news.account;
        if let AbsenceEvent::OpponentMoved(game) = news.event
            && let Some(games) = self.turns.get_mut(&account)
        {
            if games.len() < GAMES_MAX {
                games.insert(game);
            }
            return true;
        }
        if self.queue.len() >= PENDING_MAX {
            return false;
        }
        let entry = match news.event {
            AbsenceEvent::OpponentMoved(game) => {
                self.turns.insert(account, HashSet::from([game]));
                Entry::Turns
            }
            AbsenceEvent::Challenged(challenge) => Entry::Challenge(challenge),
            AbsenceEvent::GameStarted(row) => Entry::Start(row),
        };
        self.queue.push_back((now + self.delay, account, entry));
        true
    }

    /// Returns the time at which the wait of the next entry is over.
    pub fn next_at(&self) -> Option<Instant> {
        self.queue.front().map(|(at, ..)| *at)
    }

    /// Removes the next entry if its wait is over.
    pub fn pop_due(&mut self, now: Instant) -> Option<(AccountKey, DueNews)> {
        let (_, account, entry) = self.queue.pop_front_if(|(at, ..)| *at <= now)?;
        let due = match entry {
            Entry::Turns => DueNews::Turns(self.turns.remove(&account).unwrap_or_default()),
            Entry::Challenge(challenge) => DueNews::Challenge(challenge),
            Entry::Start(row) => DueNews::Start(row),
        };
        Some((account, due))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moved(account: AccountKey, game: &str) -> AbsenceNews {
        let event = AbsenceEvent::OpponentMoved(game.parse().expect("id"));
        AbsenceNews { account, event }
    }

    #[test]
    fn moves_of_one_player_wait_together() {
        let [ann, bob] = [AccountKey::new(), AccountKey::new()];
        let mut pending = PendingNews::new(Duration::from_secs(10));
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        assert!(pending.next_at().is_none());
        for (account, game, seconds) in
            [(ann, "aaaaaaaa", 0), (bob, "aaaaaaaa", 1), (ann, "bbbbbbbb", 2), (ann, "aaaaaaaa", 3)]
        {
            assert!(pending.add(moved(account, game), at(seconds)));
        }
        assert_eq!(pending.next_at(), Some(at(10)));
        assert!(pending.pop_due(at(9)).is_none());
        let (account, due) = pending.pop_due(at(10)).expect("news");
        assert!(matches!(due, DueNews::Turns(games) if account == ann && games.len() == 2));
        // The next move waits anew.
        pending.add(moved(ann, "aaaaaaaa"), at(10));
        assert_eq!(pending.pop_due(at(19)).map(|(account, _)| account), Some(bob));
        assert!(pending.pop_due(at(19)).is_none());
        assert_eq!(pending.pop_due(at(20)).map(|(account, _)| account), Some(ann));
    }

    #[test]
    fn full_queue_refuses_news() {
        let mut pending = PendingNews::new(Duration::from_secs(10));
        let now = Instant::now();
        let first = AccountKey::new();
        assert!(pending.add(moved(first, "aaaaaaaa"), now));
        for _ in 1..PENDING_MAX {
            assert!(pending.add(moved(AccountKey::new(), "aaaaaaaa"), now));
        }
        assert!(!pending.add(moved(AccountKey::new(), "aaaaaaaa"), now));
        assert!(pending.add(moved(first, "bbbbbbbb"), now));
    }
}
