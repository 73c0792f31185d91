//! Registry of open rooms: at most one per game, opened from the whole log.
//!
//! Reading a log takes time, during which another task may open a room of the same game, commit
//! moves and close it again. A room opened from the log read before would lack those moves, so the
//! registry remembers the last closed rooms. Caller: `Rooms`.

use super::message::RoomInbox;
use crate::store::PublicId;
use std::collections::{HashMap, VecDeque};

/// Maximum number of closed rooms remembered.
const CLOSED_MAX: usize = 1024;

/// Number of rooms that had closed when a log was about to be read.
#[derive(Clone, Copy, Debug)]
pub(in crate::rooms) struct ReadStart(u64);

#[derive(Debug, Default)]
pub(in crate::rooms) struct RoomRegistry {
    inboxes: HashMap<PublicId, RoomInbox>,
    /// Games of the rooms closed last, latest at the back.
    closed: VecDeque<PublicId>,
    closed_total: u64,
}

impl RoomRegistry {
    /// Returns the inbox of the open room of a game.
    pub(in crate::rooms) fn get(&self, id: &PublicId) -> Option<&RoomInbox> {
        self.inboxes.get(id)
    }

    pub(in crate::rooms) fn inboxes(&self) -> Vec<(PublicId, RoomInbox)> {
        self.inboxes.iter().map(|(game, inbox)| (*game, inbox.clone())).collect()
    }

    /// Returns the games with an open room.
    pub(in crate::rooms) fn games(&self) -> impl Iterator<Item = &PublicId> {
        self.inboxes.keys()
    }

    pub(in crate::rooms) fn len(&self) -> usize {
        self.inboxes.len()
    }

    pub(in crate::rooms) fn insert(&mut self, id: PublicId, inbox: RoomInbox) {
        self.inboxes.insert(id, inbox);
    }

    pub(in crate::rooms) fn remove(&mut self, id: &PublicId) {
        if self.inboxes.remove(id).is_none() {
            return;
        }
        self.closed_total += 1;
        self.closed.push_back(*id);
        if self.closed.len() > CLOSED_MAX {
            self.closed.pop_front();
        }
    }

    /// Marks the start of reading a log.
    pub(in crate::rooms) fn read_start(&self) -> ReadStart {
        ReadStart(self.closed_total)
    }

    /// Returns whether a room of the game may have closed since the log was read.
    pub(in crate::rooms) fn may_be_outdated(&self, id: &PublicId, start: ReadStart) -> bool {
        let closed_since = (self.closed_total - start.0) as usize;
        closed_since > self.closed.len()
            || self.closed.iter().rev().take(closed_since).any(|closed| closed == id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open_and_close(registry: &mut RoomRegistry, id: PublicId) {
        registry.insert(id, tokio::sync::mpsc::channel(1).0);
        registry.remove(&id);
    }

    #[test]
    fn log_is_outdated_if_a_room_of_the_game_closed_since() {
        let mut registry = RoomRegistry::default();
        let [game, other] = [PublicId::random(), PublicId::random()];
        open_and_close(&mut registry, game);
        let start = registry.read_start();
        assert!(!registry.may_be_outdated(&game, start), "the room closed before");
        open_and_close(&mut registry, other);
        assert!(!registry.may_be_outdated(&game, start), "another game");
        assert!(registry.may_be_outdated(&other, start));
        registry.remove(&game);
        assert!(!registry.may_be_outdated(&game, start), "no room of the game was open");
        open_and_close(&mut registry, game);
        assert!(registry.may_be_outdated(&game, start));
        assert!(!registry.may_be_outdated(&game, registry.read_start()));
    }

    #[test]
    fn log_is_outdated_after_more_closings_than_are_remembered() {
        let mut registry = RoomRegistry::default();
        let (game, start) = (PublicId::random(), registry.read_start());
        for _ in 0..CLOSED_MAX {
            open_and_close(&mut registry, PublicId::random());
        }
        assert!(!registry.may_be_outdated(&game, start));
        open_and_close(&mut registry, PublicId::random());
        assert!(registry.may_be_outdated(&game, start));
    }
}
