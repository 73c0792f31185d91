//! Clients that join a room: they get the game, or the events that they have missed.
//!
//! A changed chat line of the log has no number. So the events that a client has missed are enough
//! only if it has an event that is newer than the chat of the room. Caller: the actor of the room.

use super::message::Joined;
use super::update::GameEvent;
use super::{BACKLOG_MAX, Room};
use crate::bus::Topic;
use crate::store::AccountKey;
use std::sync::Arc;

impl Room {
    pub(super) fn join(&mut self, account: Option<AccountKey>, since: Option<i64>) -> Joined {
        self.update_absence();
        let side = account.and_then(|account| self.row.side_of(account));
        let missed = since.and_then(|since| self.events_since(since));
        let snapshot = missed.is_none().then(|| Box::new(self.snapshot()));
        self.differs_in_snapshot |= snapshot
            .as_ref()
            .is_some_and(|snapshot| snapshot.status.crowd != self.status.current().crowd);
        Joined {
            side,
            snapshot,
            missed: missed.unwrap_or_default(),
            events: self.topic.subscribe(),
            status: self.status.current().clone(),
            status_changes: self.status.subscribe(),
        }
    }

    /// Returns all events after `since`, or `None` if they are no longer retained, or if chat lines
    /// may have changed since.
    fn events_since(&self, since: i64) -> Option<Vec<Arc<GameEvent>>> {
        let last = self.game.seq();
        let first_retained = last - self.recent.len() as i64;
        let has_same_chat = since > self.chat_read_seq || self.has_no_chat_until(since);
        let is_retained = since >= first_retained && since <= last && has_same_chat;
        is_retained.then(|| self.recent.iter().filter(|event| event.v > since).cloned().collect())
    }

    fn has_no_chat_until(&self, seq: i64) -> bool {
        self.game.chat().first().is_none_or(|line| line.seq > seq)
    }

    /// Reads the log again after chat lines have changed. Clients join again, and get the whole
    /// game, if the room does not have the changes. A failure stops the room.
    pub(super) async fn read_chat(&mut self) {
        let before = self.game.chat().to_vec();
        if self.catch_up("chat").await.is_err() || self.game.chat().starts_with(&before) {
            return;
        }
        self.send_snapshots();
    }

    /// Shows open pages that a moderator has voided the game.
    pub(super) fn show_void(&mut self) {
        if let Some(result) = &mut Arc::make_mut(&mut self.row).result
            && !result.is_voided
        {
            result.is_voided = true;
            self.send_snapshots();
        }
    }

    /// Lets connections get a snapshot in place of further events, as what they show has changed.
    pub(super) fn send_snapshots(&mut self) {
        self.recent.clear();
        self.chat_read_seq = self.published_seq;
        self.topic = Topic::with_backlog(BACKLOG_MAX);
    }
}
