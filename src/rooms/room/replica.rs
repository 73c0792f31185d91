//! Rooms of one game on several nodes, which follow its log.
//!
//! The log decides: the rooms are equal, each may append an event, and one of them gets the next
//! number. Hints about events of other nodes are fast and may be lost, repeated, late or out of
//! order, because a room reads the log whenever it lacks an event. Callers: the actor of the room,
//! and `Rooms` for hints.

use super::Room;
use super::commit::CommitError;
use super::message::{RoomInbox, RoomMessage};
use super::update::GameEvent;
use crate::play::event::{Event, LoggedEvent};
use crate::play::game::Game;
use crate::rooms::{RoomError, Rooms};
use crate::store::{NodeKey, PresenceKey, PublicId, StoreError};
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use tokio::sync::{Notify, mpsc, watch};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// News for the other nodes.
#[derive(Clone, Debug)]
pub enum Hint {
    /// Committed event of a game, with the id of the command that caused it.
    Event { game: PublicId, logged: LoggedEvent, cid: Option<Uuid> },
    /// Game with events that no hint has.
    Behind(PublicId),
    /// Accounts and games whose rows of presence have changed.
    Presence(Arc<[PresenceKey]>),
    /// Changes were stored that are no events.
    Changes,
}

/// Time without an own message from which a node counts as cut off from messages.
const RECEIVE_TIMEOUT: Duration = Duration::from_secs(8);

/// Another node that runs and stays.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::rooms) struct Member {
    pub(in crate::rooms) node: NodeKey,
    /// Whether it moves for computer players.
    pub(in crate::rooms) has_engine: bool,
}

/// The other nodes that run and stay.
pub(in crate::rooms) type Membership = Arc<[Member]>;

/// Exchange with the other nodes.
#[derive(Debug)]
pub(in crate::rooms) struct Peers {
    /// Hints to the other nodes; `None` on the only node.
    hints: Option<mpsc::Sender<Hint>>,
    /// Whether hints are sent although no other node is known.
    sends_always: bool,
    /// Set while another node is known to run.
    pub(in crate::rooms) has_other: AtomicBool,
    /// Set when a hint was lost, because too many waited.
    pub(in crate::rooms) has_lost_hint: AtomicBool,
    /// Games whose rooms are to read the log and have a full inbox.
    waiting: Mutex<HashSet<PublicId>>,
    /// Games with news of other nodes and without a room.
    pub(in crate::rooms) unopened: watch::Sender<HashSet<PublicId>>,
    pub(in crate::rooms) membership: watch::Sender<Membership>,
    /// Set while this node starts and when it will end: it takes over nothing.
    pub(in crate::rooms) is_passive: AtomicBool,
    /// Time at which the last own message was received.
    own_received_at: Mutex<Instant>,
    /// Notified when this node seems cut off from the others: its clients should connect to them.
    pub(in crate::rooms) cut_off: Notify,
    /// Cancelled when this program cannot use the schema of the database any more.
    pub(in crate::rooms) outdated: CancellationToken,
    /// Counts the times at which changes of other nodes are to be read.
    pub(in crate::rooms) changes: watch::Sender<u64>,
}

impl Peers {
    pub(in crate::rooms) fn new(hints: Option<mpsc::Sender<Hint>>, sends_always: bool) -> Peers {
        Peers {
            hints,
            sends_always,
            has_other: AtomicBool::new(false),
            has_lost_hint: AtomicBool::new(false),
            waiting: Mutex::default(),
            unopened: watch::Sender::default(),
            membership: watch::Sender::new(Membership::default()),
            is_passive: AtomicBool::new(false),
            own_received_at: Mutex::new(Instant::now()),
            cut_off: Notify::new(),
            outdated: CancellationToken::new(),
            changes: watch::Sender::default(),
        }
    }

    /// Returns whether other nodes may serve the same games.
    pub(in crate::rooms) fn is_shared(&self) -> bool {
        self.hints.is_some()
    }

    /// Returns whether another node may listen. One that starts reads what it lacks later, too.
    fn has_listener(&self) -> bool {
        self.sends_always || self.has_other.load(Ordering::Relaxed)
    }

    /// Records that an own message was received.
    pub(in crate::rooms) fn record_own_message(&self) {
        *self.own_received_at.lock().expect("lock of the time") = Instant::now();
    }

    /// Returns whether this node receives messages: its own come back.
    pub(in crate::rooms) fn is_receiving(&self) -> bool {
        let own_received_at = *self.own_received_at.lock().expect("lock of the time");
        !self.is_shared() || own_received_at.elapsed() < RECEIVE_TIMEOUT
    }

    fn waiting(&self) -> MutexGuard<'_, HashSet<PublicId>> {
        self.waiting.lock().expect("lock of the waiting games")
    }

    /// Sends a hint, or loses it if too many wait: that delays the other nodes only.
    pub(in crate::rooms) fn send(&self, hint: impl FnOnce() -> Hint) {
        if let Some(hints) = self.hints.as_ref().filter(|_| self.has_listener())
            && hints.try_send(hint()).is_err()
        {
            self.has_lost_hint.store(true, Ordering::Relaxed);
        }
    }
}

impl Rooms {
    /// Handles a hint of another node: passes an event to the room of its game, if that is open
    /// here, and lets changed presence be read.
    pub fn handle_hint(&self, hint: Hint) {
        match hint {
            Hint::Event { game, logged, cid } => {
                let is_end = matches!(logged.event, Event::Ended(_));
                self.inform_room(game, is_end, RoomMessage::Followed(logged, cid));
            }
            Hint::Behind(game) => self.inform_room(game, false, RoomMessage::CatchUp(None)),
            Hint::Presence(keys) => {
                if let Some(pending) = self.user_hub().pending() {
                    pending.add_remote(keys.iter().copied());
                }
            }
            Hint::Changes => self.read_changes_soon(),
        }
    }

    /// Passes an event of another node to the room of its game. Without a room, one is opened
    /// unless the game has ended.
    fn inform_room(&self, game: PublicId, is_end: bool, message: RoomMessage) {
        let inbox = self.registry().get(&game).cloned();
        match inbox {
            Some(inbox) if inbox.try_send(Box::new(message)).is_err() => {
                self.request_catch_up(game, inbox);
            }
            None if !is_end => self.open_room_of_other_node(game),
            _ => {}
        }
    }

    /// Lets the changes of other nodes be read.
    pub(in crate::rooms) fn read_changes_soon(&self) {
        self.inner.peers.changes.send_modify(|count| *count = count.wrapping_add(1));
    }

    /// Lets a room read the log once its inbox has space. One request at a time waits.
    fn request_catch_up(&self, game: PublicId, inbox: RoomInbox) {
        if !self.inner.peers.waiting().insert(game) {
            return;
        }
        let rooms = self.clone();
        self.inner.tasks.spawn(async move {
            let _ = inbox.send(Box::new(RoomMessage::CatchUp(None))).await;
            rooms.inner.peers.waiting().remove(&game);
        });
    }

    /// Lets all open rooms read the events that they lack, and all presence and changes be read,
    /// after hints may have been lost.
    pub fn catch_up(&self) {
        self.read_changes_soon();
        if let Some(pending) = self.user_hub().pending() {
            pending.request_reload();
        }
        let rooms = self.clone();
        self.inner.tasks.spawn(async move {
            if let Err(error) = rooms.catch_up_rooms().await {
                tracing::warn!(%error, "Failed to read what rooms may lack");
            }
        });
    }

    /// Lets those rooms read their logs that lack events.
    async fn catch_up_rooms(&self) -> Result<(), StoreError> {
        let open = self.registry().inboxes();
        let last_seqs =
            self.store().last_seqs(open.iter().map(|(game, _)| *game).collect()).await?;
        let last_seqs: Option<HashMap<PublicId, i64>> =
            last_seqs.map(|last_seqs| last_seqs.into_iter().collect());
        for (game, inbox) in open {
            let last_seq = last_seqs.as_ref().and_then(|last_seqs| last_seqs.get(&game).copied());
            if inbox.try_send(Box::new(RoomMessage::CatchUp(last_seq))).is_err() {
                self.request_catch_up(game, inbox);
            }
        }
        Ok(())
    }
}

impl Room {
    /// Informs the other nodes of a committed event.
    pub(super) fn send_hint(&self, logged: &LoggedEvent, cid: Option<Uuid>) {
        let game = self.row.id;
        self.rooms.inner.peers.send(|| Hint::Event { game, logged: logged.clone(), cid });
    }

    /// Applies an event of another node. Reads the log instead if events before it are missing, or
    /// if it is the end, whose ratings are not part of it.
    pub(super) async fn follow(&mut self, logged: LoggedEvent, cid: Option<Uuid>) {
        if logged.seq <= self.published_seq {
            return;
        }
        let is_next = logged.seq == self.published_seq + 1 && self.is_of_epoch();
        let is_end = matches!(logged.event, Event::Ended(_));
        if !is_next || is_end || self.game.replay(&logged).is_err() {
            // A failure stops the room.
            let _ = self.catch_up("hint").await;
            return;
        }
        let age_ms = self.now_ms() - logged.at_ms;
        metrics::histogram!("sprong_hint_seconds").record(age_ms.max(0) as f64 / 1_000.0);
        self.cids.extend(cid.map(|cid| (cid, logged.seq)));
        self.publish_followed(&logged);
        self.schedule_status();
    }

    /// Announces to the players in how many games they are to move, after an event of another node.
    fn announce_turns(&self) {
        if self.row.setup.pace.clock().is_none() && !self.row.is_against_engine() {
            self.rooms.inner.turns.add(self.row.player_keys());
        }
    }

    fn publish_followed(&mut self, logged: &LoggedEvent) {
        // The player has acted on another node.
        logged.side.into_iter().for_each(|side| self.restart_absence(side));
        self.announce_turns();
        // The index must cover the board before it is published.
        self.rooms.inner.rated_play.update(&self.row, &self.game);
        self.publish(GameEvent::new(logged, &self.row, &self.game, self.row.result));
    }

    /// Catches up with the log if other nodes may have appended to it. Returns whether there were
    /// events that the room did not have.
    pub(super) async fn catch_up_if_behind(&mut self) -> Result<bool, CommitError> {
        if !self.is_of_epoch() {
            return self.catch_up("failover").await.map(|()| true);
        }
        match self.rooms.store().last_seq(self.row.key).await {
            Ok(last_seq) if last_seq <= self.published_seq => Ok(false),
            Ok(_) => {
                self.catch_up("behind").await?;
                Ok(true)
            }
            Err(error) => Err(self.log_read_error(&error.into())),
        }
    }

    /// Returns whether the log was read from the present primary of the database.
    pub(super) fn is_of_epoch(&self) -> bool {
        self.epoch == self.rooms.store().epoch()
    }

    /// Returns whether the room has all events of the log. A failure to read it stops the room.
    pub(super) async fn is_current(&mut self) -> bool {
        !self.rooms.inner.peers.is_shared() || Box::pin(self.catch_up_if_behind()).await.is_ok()
    }

    pub(super) fn log_read_error(&mut self, error: &RoomError) -> CommitError {
        self.is_ahead_of_log = true;
        tracing::error!(game.id = %self.row.id, %error, "Room stopped: failed to read the game");
        if matches!(error, RoomError::Store(_)) && !error.is_invalid_log() {
            // The room opens again when the storage works.
            self.rooms.inner.downtime.storage_failed(self.now_ms());
        }
        CommitError::Store
    }

    /// Rebuilds the game from its log, and publishes the events that the room did not have. A
    /// failure stops the room. The metrics have the cause.
    pub(super) async fn catch_up(&mut self, cause: &'static str) -> Result<(), CommitError> {
        metrics::counter!("sprong_log_pulls_total", "cause" => cause).increment(1);
        let had_ended = self.row.result.is_some();
        if let Err(error) = self.read_log().await {
            return Err(self.log_read_error(&error));
        }
        self.schedule_status();
        if !had_ended && self.row.result.is_some() {
            // An update of the lobby may have followed the announcement of the end.
            self.rooms.lobby().remove(self.row.id);
        }
        Ok(())
    }

    async fn read_log(&mut self) -> Result<(), RoomError> {
        let epoch = self.rooms.store().epoch();
        let mut row = self.rooms.read_row(&self.row.id).await?;
        let log = self.rooms.read_log(&mut row).await?;
        let last_seq = log.last().map_or(0, |(logged, _)| logged.seq);
        let cids: HashMap<Uuid, i64> =
            log.iter().filter_map(|(logged, cid)| Some(((*cid)?, logged.seq))).collect();
        let lacks = |(cid, seq): (&Uuid, &i64)| cids.get(cid) != Some(seq);
        let has_diverged = epoch != self.epoch && self.cids.iter().any(lacks);
        if last_seq < self.published_seq || has_diverged {
            // A primary that lacks events; the next room begins with its log.
            return Err(StoreError::Replaced.into());
        }
        self.game = Game::new(row.setup.clone());
        self.row = Arc::new(row);
        self.epoch = epoch;
        self.cids.extend(cids);
        for (logged, _) in log {
            self.game.replay(&logged)?;
            if logged.seq > self.published_seq {
                self.publish_followed(&logged);
            }
        }
        Ok(())
    }
}
