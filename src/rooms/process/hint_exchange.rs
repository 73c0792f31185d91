//! Exchange of hints with the other nodes of a database of PostgreSQL.
//!
//! A message consists of lines. The first one names its sender and counts the messages of that
//! sender; each further one is a hint. A node sends at least one message a second. Hints may have
//! been lost when a number is missing, when a connection was lost, and when the own messages do not
//! come back; then this node reads what it lacks, as it does periodically. Callers: `Rooms`, when
//! it is created and when it resumes.

use crate::play::event::{Event, LoggedEvent};
use crate::rooms::Rooms;
use crate::rooms::room::replica::Hint;
use crate::rules::Side;
use crate::store::{AccountKey, HintListener, HintSender, NodeKey, PresenceKey, PublicId};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout};
use uuid::Uuid;

/// Version of the format of messages. Lines of an unknown kind are skipped.
const FORMAT: u32 = 1;

/// Maximum length of a message, in bytes. PostgreSQL takes less than 8,000.
const MESSAGE_MAX: usize = 7_900;

/// Hints that wait for the message before theirs.
pub(in crate::rooms) const HINTS_MAX: usize = 4_096;

/// Interval at which a message is sent if there is nothing to say.
const SEND_INTERVAL: Duration = Duration::from_secs(1);

/// Time without an own message from which the listening connection counts as lost.
const SILENCE_MAX: Duration = Duration::from_secs(3);

/// Interval at which this node reads what it may lack, although no hint seems lost.
const CATCH_UP_INTERVAL: Duration = Duration::from_secs(15);

/// Interval at which old changes are removed.
const UPKEEP_INTERVAL: Duration = Duration::from_secs(60);

/// Time for which a node that stops waits for a last hint, once its other tasks have ended.
const LAST_WAIT: Duration = Duration::from_millis(50);

/// Time for which it waits for those at most.
const STOP_MAX: Duration = Duration::from_secs(5);

/// Pause after a failure.
const RETRY_DELAY: Duration = Duration::from_millis(500);

/// Hint as a line of a message.
#[derive(Serialize, Deserialize)]
enum Line {
    Event {
        game: PublicId,
        seq: i64,
        side: Option<Side>,
        at_ms: i64,
        cid: Option<Uuid>,
        event: Event,
    },
    Behind(PublicId),
    Account(AccountKey),
    Anonymous(PublicId),
    Changes,
}

impl Line {
    /// Returns the lines of a hint.
    fn from_hint(hint: Hint) -> Vec<Line> {
        match hint {
            // Other programs that use the database server can listen: not to messages of players.
            Hint::Event { game, logged: LoggedEvent { event: Event::Said { .. }, .. }, .. } => {
                vec![Line::Behind(game)]
            }
            Hint::Event { game, logged: LoggedEvent { seq, side, at_ms, event }, cid } => {
                vec![Line::Event { game, seq, side, at_ms, cid, event }]
            }
            Hint::Behind(game) => vec![Line::Behind(game)],
            Hint::Presence(keys) => keys.iter().map(Line::from_presence).collect(),
            Hint::Changes => vec![Line::Changes],
        }
    }

    fn from_presence(key: &PresenceKey) -> Line {
        match key {
            PresenceKey::Account(account) => Line::Account(*account),
            PresenceKey::Anonymous(game) => Line::Anonymous(*game),
        }
    }

    fn into_hint(self) -> Hint {
        match self {
            Line::Event { game, seq, side, at_ms, cid, event } => {
                Hint::Event { game, logged: LoggedEvent { seq, side, at_ms, event }, cid }
            }
            Line::Behind(game) => Hint::Behind(game),
            Line::Account(account) => Hint::Presence([PresenceKey::Account(account)].into()),
            Line::Anonymous(game) => Hint::Presence([PresenceKey::Anonymous(game)].into()),
            Line::Changes => Hint::Changes,
        }
    }

    /// Returns the text. A long event is left out: the other nodes read it.
    fn text(&self) -> String {
        let text = serde_json::to_string(self).expect("a hint is serializable");
        match self {
            Line::Event { game, .. } if text.len() > MESSAGE_MAX / 2 => Line::Behind(*game).text(),
            _ => text,
        }
    }
}

/// Begin of a message.
#[derive(Serialize, Deserialize)]
struct Header {
    format: u32,
    node: NodeKey,
    number: u64,
}

/// Messages that are written.
struct Outbox {
    node: NodeKey,
    number: u64,
}

impl Outbox {
    fn header(&mut self) -> String {
        self.number += 1;
        let header = Header { format: FORMAT, node: self.node, number: self.number };
        serde_json::to_string(&header).expect("a header is serializable")
    }

    /// Returns messages with these hints, at least one. The same line twice says nothing new.
    fn messages(&mut self, hints: impl IntoIterator<Item = Hint>) -> Vec<String> {
        let mut messages = vec![self.header()];
        let mut last = String::new();
        for line in hints.into_iter().flat_map(Line::from_hint) {
            let line = line.text();
            if line == last {
                continue;
            }
            if messages.last().is_some_and(|text| text.len() + 1 + line.len() > MESSAGE_MAX) {
                messages.push(self.header());
            }
            let text = messages.last_mut().expect("a message");
            text.push('\n');
            text.push_str(&line);
            last = line;
        }
        messages
    }
}

/// Messages received so far.
struct Inbox {
    own_node: NodeKey,
    /// Number of the last message of each sender.
    numbers: HashMap<NodeKey, u64>,
    /// Time from which a node whose first message is unknown has just started.
    complete_at: Instant,
}

/// Message that was received.
enum Received {
    /// From this node itself.
    Own,
    /// From another node; whether a message before it was lost.
    Hints(Vec<Hint>, bool),
}

impl Inbox {
    fn new(own_node: NodeKey) -> Inbox {
        let complete_at = Instant::now() + 2 * SEND_INTERVAL;
        Inbox { own_node, numbers: HashMap::new(), complete_at }
    }

    /// Returns `None` for a message that cannot be read, as one of a later version.
    fn receive(&mut self, message: &str) -> Option<Received> {
        let mut lines = message.lines();
        let Header { format, node, number } = serde_json::from_str(lines.next()?).ok()?;
        if format != FORMAT {
            return None;
        }
        if node == self.own_node {
            return Some(Received::Own);
        }
        let before = self.numbers.insert(node, number);
        let is_after_gap = match before {
            Some(before) => number != before + 1,
            None => number != 1 && Instant::now() > self.complete_at,
        };
        let hints = lines.filter_map(|line| serde_json::from_str::<Line>(line).ok());
        Some(Received::Hints(hints.map(Line::into_hint).collect(), is_after_gap))
    }
}

impl Rooms {
    /// Sends hints until the rooms are dropped or stopped.
    pub(in crate::rooms) fn send_hints(
        &self,
        mut sender: HintSender,
        mut hints: mpsc::Receiver<Hint>,
    ) {
        let (inner, stop) = (Arc::downgrade(&self.inner), self.inner.stop.clone());
        let mut outbox = Outbox { node: self.store().node(), number: 0 };
        let tasks = self.inner.tasks.clone();
        self.inner.tasks.spawn(async move {
            let (mut taken, mut stopping_at) = (Vec::new(), None);
            loop {
                let is_stopping = stop.is_cancelled();
                if is_stopping {
                    stopping_at.get_or_insert_with(Instant::now);
                }
                let received = tokio::select! {
                    received = hints.recv_many(&mut taken, HINTS_MAX) => Some(received),
                    () = tokio::time::sleep(LAST_WAIT), if is_stopping => None,
                    () = tokio::time::sleep(SEND_INTERVAL) => None,
                    () = stop.cancelled(), if !is_stopping => None,
                };
                let Some(inner) = inner.upgrade().filter(|_| received != Some(0)) else { return };
                if inner.peers.has_lost_hint.swap(false, Ordering::Relaxed) {
                    // The missing number lets the others read what they lack.
                    outbox.number += 1;
                }
                drop(inner);
                for message in outbox.messages(taken.drain(..)) {
                    if let Err(error) = sender.send(&message).await {
                        tracing::warn!(%error, "Failed to send hints to the other nodes");
                        // The missing numbers let the others read what they lack.
                        break;
                    }
                }
                let is_last = is_stopping && received.is_none() && tasks.len() == 1;
                if is_last || stopping_at.is_some_and(|at| at.elapsed() > STOP_MAX) {
                    return;
                }
            }
        });
    }

    /// Receives the hints of other nodes until the server stops.
    pub(in crate::rooms) async fn hint_listening_loop(self) {
        let listening = async {
            loop {
                match self.store().listen_to_hints().await {
                    Ok(listener) => self.listen(listener).await,
                    Err(error) => {
                        tracing::warn!(%error, "Failed to listen to the other nodes");
                    }
                }
                tokio::time::sleep(RETRY_DELAY).await;
            }
        };
        tokio::select! {
            () = listening => {}
            () = self.inner.stop.cancelled() => {}
        }
    }

    /// Handles hints until the connection is lost, or seems so.
    async fn listen(&self, mut listener: HintListener) {
        // Hints were sent before this node listened.
        self.catch_up();
        let mut inbox = Inbox::new(self.store().node());
        let mut own_received_at = Instant::now();
        // Soon for the first time: other nodes begin to send hints when they know of this one.
        let mut catch_up_at = Instant::now() + SILENCE_MAX;
        loop {
            let message = match timeout(SEND_INTERVAL, listener.next()).await {
                Ok(Some(message)) => inbox.receive(&message),
                Ok(None) => {
                    tracing::warn!("Lost the listening connection");
                    count_gap("connection");
                    return;
                }
                Err(_) => None,
            };
            match message {
                Some(Received::Own) => {
                    own_received_at = Instant::now();
                    self.inner.peers.record_own_message();
                }
                Some(Received::Hints(hints, is_after_gap)) => {
                    hints.into_iter().for_each(|hint| self.handle_hint(hint));
                    if is_after_gap {
                        count_gap("number");
                        self.catch_up();
                    }
                }
                None => {}
            }
            if own_received_at.elapsed() > SILENCE_MAX {
                tracing::warn!("Own messages are not received; listening on a new connection");
                count_gap("silence");
                return;
            }
            if catch_up_at < Instant::now() {
                catch_up_at = Instant::now() + CATCH_UP_INTERVAL;
                self.catch_up();
            }
        }
    }

    /// Reads the changes of other nodes until the server stops: after a hint, and at least once a
    /// second.
    pub(in crate::rooms) async fn remote_changes_loop(self) {
        let mut requested = self.inner.peers.changes.subscribe();
        loop {
            tokio::select! {
                _ = requested.changed() => {}
                () = tokio::time::sleep(SEND_INTERVAL) => {}
                () = self.inner.stop.cancelled() => return,
            }
            if let Err(error) = self.store().read_remote_changes().await {
                tracing::warn!(%error, "Failed to read the changes of other nodes");
                self.sleep_unless_stopped(RETRY_DELAY).await;
            }
        }
    }

    /// Removes old changes, and measures the queue of messages, until the server stops.
    pub(in crate::rooms) async fn change_removal_loop(self) {
        while self.sleep_unless_stopped(UPKEEP_INTERVAL).await {
            if let Err(error) = self.store().remove_old_changes().await {
                tracing::warn!(%error, "Failed to remove old changes");
            }
            match self.store().notify_queue_ratio().await {
                Ok(ratio) => metrics::gauge!("sprong_notify_queue_ratio").set(ratio),
                Err(error) => tracing::warn!(%error, "Failed to measure the queue of messages"),
            }
        }
    }
}

fn count_gap(cause: &'static str) {
    metrics::counter!("sprong_hint_gaps_total", "cause" => cause).increment(1);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::event::ChatRoom;

    fn hint_of(game: PublicId, seq: i64, event: Event) -> Hint {
        let logged = LoggedEvent { seq, side: Some(Side::First), at_ms: 7, event };
        Hint::Event { game, logged, cid: Some(Uuid::nil()) }
    }

    fn moved(game: PublicId, seq: i64, u: &str) -> Hint {
        hint_of(game, seq, Event::Moved { u: u.into(), lag_ms: 0 })
    }

    /// Returns the hints of a message of another node, and whether one before it was lost.
    fn receive_hints(inbox: &mut Inbox, message: &str) -> Option<(Vec<Hint>, bool)> {
        match inbox.receive(message)? {
            Received::Own => None,
            Received::Hints(hints, is_after_gap) => Some((hints, is_after_gap)),
        }
    }

    #[tokio::test]
    async fn messages_are_short_and_numbered() {
        let (game, node) = (PublicId::random(), NodeKey::new());
        let mut outbox = Outbox { node, number: 0 };
        let mut sent: Vec<Hint> = (1..=300).map(|seq| moved(game, seq, "a\nb")).collect();
        sent.extend([Hint::Changes, Hint::Behind(game)]);
        sent.push(Hint::Presence([PresenceKey::Account(AccountKey::new())].into()));
        sent.push(Hint::Presence([PresenceKey::Anonymous(game)].into()));
        let mut messages = outbox.messages(sent.clone());
        assert!(messages.len() > 1 && messages.iter().all(|text| text.len() <= MESSAGE_MAX));
        messages.extend(outbox.messages([]));
        messages.push("{\"format\":2}\nunknown".to_owned());
        let mut inbox = Inbox::new(NodeKey::new());
        let received: Vec<(Vec<Hint>, bool)> =
            messages.iter().filter_map(|text| receive_hints(&mut inbox, text)).collect();
        assert_eq!(received.len(), messages.len() - 1);
        assert!(received.iter().all(|(_, is_after_gap)| !is_after_gap));
        let hints: Vec<Hint> = received.into_iter().flat_map(|(hints, _)| hints).collect();
        assert_eq!(format!("{hints:?}"), format!("{sent:?}"));
        assert!(matches!(Inbox::new(node).receive(&messages[0]), Some(Received::Own)));
    }

    #[tokio::test(start_paused = true)]
    async fn lost_messages_are_noticed() {
        let mut outbox = Outbox { node: NodeKey::new(), number: 0 };
        let mut inbox = Inbox::new(NodeKey::new());
        let mut receive = |inbox: &mut Inbox| {
            let message = outbox.messages([Hint::Changes, Hint::Changes]).remove(0);
            let (hints, is_after_gap) = receive_hints(inbox, &message).expect("hints");
            assert_eq!(hints.len(), 1);
            is_after_gap
        };
        assert!(!receive(&mut inbox));
        receive(&mut Inbox::new(NodeKey::new()));
        assert!(receive(&mut inbox));
        assert!(!receive(&mut inbox));
        // A node whose first message was not received, although this one has listened for long.
        let mut inbox = Inbox::new(NodeKey::new());
        tokio::time::advance(3 * SEND_INTERVAL).await;
        assert!(receive(&mut inbox));
    }

    #[tokio::test]
    async fn long_and_private_events_are_left_out() {
        let game = PublicId::random();
        let (room, name, text) = (ChatRoom::Player, "Ann".to_owned(), "secret".to_owned());
        let said = hint_of(game, 1, Event::Said { room, name, text });
        for hint in [moved(game, 1, &"\u{1}".repeat(2_000)), said] {
            let mut outbox = Outbox { node: NodeKey::new(), number: 0 };
            let messages = outbox.messages([hint]);
            assert!(!messages[0].contains("secret"), "{}", messages[0]);
            let received = receive_hints(&mut Inbox::new(NodeKey::new()), &messages[0]);
            let (hints, _) = received.expect("hints");
            assert!(matches!(hints[..], [Hint::Behind(of)] if of == game));
        }
    }
}
