//! Published state of a room besides the game itself: spectators, absent players, the next game.

use crate::bus::{Subscriber, Topic};
use crate::rules::Side;
use crate::store::PublicId;
use std::sync::Arc;

/// Number of spectators up to which their names are published; above it, only their number is.
const NAMED_SPECTATORS_MAX: usize = 20;

/// Spectators of a game.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Crowd {
    /// Number of spectators. Several connections of one account count once.
    pub n: usize,
    /// Sorted names of the spectators who have one; `None` if there are too many.
    pub names: Option<Arc<[String]>>,
}

impl Crowd {
    /// Returns the crowd of `n` spectators, of whom some have a name.
    pub(super) fn new(n: usize, names: impl IntoIterator<Item = String>) -> Crowd {
        let names = (n <= NAMED_SPECTATORS_MAX).then(|| {
            let mut names: Vec<String> = names.into_iter().collect();
            names.sort();
            names.into()
        });
        Crowd { n, names }
    }
}

/// Published state of a room besides the game itself.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct RoomStatus {
    /// Spectators of the game.
    pub crowd: Crowd,
    /// Time from which the game of each absent player can be claimed, in epoch milliseconds.
    pub claim_ms: [Option<i64>; 2],
    /// Whether each player hides the presence, also as absence, from spectators.
    pub is_hidden: [bool; 2],
    /// Next game of the same players, once it has begun.
    pub next_game: Option<PublicId>,
}

impl RoomStatus {
    /// Returns the time from which the game of each absent player can be claimed, as far as a
    /// viewer may learn of it; `viewer` is `None` for spectators.
    pub fn claim_ms_for(&self, viewer: Option<Side>) -> [Option<i64>; 2] {
        let is_shown = |side: Side| viewer.is_some() || !self.is_hidden[side.index()];
        Side::BOTH.map(|side| self.claim_ms[side.index()].filter(|_| is_shown(side)))
    }
}

/// Status of a room, and its subscribers.
#[derive(Debug)]
pub(in crate::rooms) struct PublishedStatus {
    current: RoomStatus,
    topic: Topic<Arc<RoomStatus>>,
}

impl Default for PublishedStatus {
    fn default() -> PublishedStatus {
        // Only the last status matters.
        PublishedStatus { current: RoomStatus::default(), topic: Topic::with_backlog(1) }
    }
}

impl PublishedStatus {
    pub(in crate::rooms) fn current(&self) -> &RoomStatus {
        &self.current
    }

    /// Subscribes to further changes.
    pub(in crate::rooms) fn subscribe(&self) -> Subscriber<Arc<RoomStatus>> {
        self.topic.subscribe()
    }

    /// Changes the status. Publishes it if `change` returns that it has changed.
    pub(in crate::rooms) fn change(&mut self, change: impl FnOnce(&mut RoomStatus) -> bool) {
        if change(&mut self.current) {
            self.topic.publish(Arc::new(self.current.clone()));
        }
    }
}
