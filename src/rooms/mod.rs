//! In-memory state: one actor task per game with connected users, and the lobby.
//!
//! On one node, a room is the only writer of its game's events; before rooms open at start,
//! [`Rooms::resume`] appends the downtime. Rooms of several nodes follow the log
//! (`room::replica`). A room publishes an event after the commit, and stops when a commit fails;
//! the next room of the game is rebuilt from the log. This module is independent of HTTP, JSON and
//! pages. Callers: `program`, and the handlers in `http`.

mod account_actions;
mod bots;
mod challenges;
mod changes;
mod conditional;
mod engine;
mod error;
mod fair_play;
mod lobby;
mod opponent_search;
mod presence;
mod process;
mod ready_check;
mod rematch;
mod room;
mod settings;
mod slow_mode;
mod vacation;
mod visibility;

pub use challenges::accept_request::AcceptRequest;
pub use challenges::acceptance::AcceptOutcome;
pub use challenges::seek::SeekOutcome;
pub use engine::engine_pool::EnginePool;
pub use engine::search_queue::{EngineError, Requester, SearchRequest};
pub use error::{RequestError, RoomError};
pub use lobby::live_game::LiveGame;
pub use lobby::{CreatorPresence, Lobby, LobbyEvent};
pub use opponent_search::{OpponentSearch, SearchAsk, SearchMiss, SearchProgress};
pub use presence::absence_news::{AbsenceEvent, AbsenceNews};
pub use presence::crowd::{Crowd, RoomStatus};
pub use presence::location::Location;
pub use presence::user_event::UserEvent;
pub use presence::user_hub::{AnonymousVisit, UserConnection, UserHub};
pub use process::process_clock::now_ms;
pub use process::retention::Removed;
pub use ready_check::{ReadyCheck, ReadyCheckError};
pub use rematch::terms::{AskError, OutsideRange, RematchFit, RematchObstacle, RematchTerms};
pub use rematch::{RematchError, RematchMode, RematchOptions, RematchOutcome, RematchRequest};
pub use room::game_record::GameRecord;
pub use room::message::{CommandError, CommandResult, Joined, RoomInbox, RoomMessage, command_id};
pub use room::replica::Hint;
pub use room::update::{
    ClockAdjustment, ClockState, EventForm, GameEvent, GameSnapshot, GameUpdate, PositionUpdate,
};
pub use settings::Settings;
pub use slow_mode::{SlowAction, SlowModeError, SlowSlot};
pub use visibility::broadcast_delay::{BroadcastDelay, ReleasedMove, released_plies};
pub use visibility::{
    BlockedNames, chat_room, has_legal_moves, has_rematch_terms, is_chat_visible,
};

use crate::bus::send;
use crate::store::{AccountKey, PublicId, Store, TurnChanges};
use challenges::aborts::Aborts;
use engine::rated_play::RatedPlay;
use opponent_search::types::Searches;
use process::downtime::DowntimeLog;
use process::hint_exchange::HINTS_MAX;
use process::nodes::ObservedNodes;
use process::retry::UnreadableLogs;
use ready_check::limits::ReadyCheckLimits;
use room::Room;
use room::loaded_game::LoadedGame;
use room::registry::{ReadStart, RoomRegistry};
use room::replica::Peers;
use slow_mode::SlowMode;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot, watch};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use uuid::Uuid;

/// Registry of all rooms, and the lobby. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Rooms {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    store: Store,
    lobby: Lobby,
    user_hub: UserHub,
    /// Held while stored settings of hidden presence are read and applied, in this order.
    hidden_reading: tokio::sync::Mutex<()>,
    observed_nodes: Mutex<ObservedNodes>,
    rated_play: RatedPlay,
    engine_pool: EnginePool,
    registry: Mutex<RoomRegistry>,
    /// Signal that a room was unregistered.
    room_ends: watch::Sender<()>,
    ready_checks: Mutex<HashMap<PublicId, Arc<ReadyCheck>>>,
    ready_check_limits: Mutex<ReadyCheckLimits>,
    ready_check_start: tokio::sync::Mutex<()>,
    unasked_checks: Mutex<HashSet<Uuid>>,
    searches: Searches,
    aborts: Aborts,
    slow_mode: SlowMode,
    settings: Settings,
    downtime: DowntimeLog,
    peers: Peers,
    /// Games whose room stopped after a failed commit.
    failed_rooms: Mutex<HashSet<PublicId>>,
    unreadable_logs: UnreadableLogs,
    turns: TurnChanges,
    tasks: TaskTracker,
    stop: CancellationToken,
}

impl Rooms {
    /// Creates the rooms of the only node of a file of SQLite, or of one of the nodes of a database
    /// of PostgreSQL. Needs a runtime.
    pub fn new(store: Store, settings: Settings) -> Rooms {
        let Some(sender) = store.hint_sender() else {
            return Rooms::create(store, settings, None, false);
        };
        let (hints, waiting) = mpsc::channel(HINTS_MAX);
        let rooms = Rooms::create(store, settings, Some(hints), false);
        rooms.send_hints(sender, waiting);
        rooms
    }

    /// Creates the rooms of one of several nodes of a store, which send their committed events and
    /// changes of presence to `hints`; the caller must pass the hints of other nodes to
    /// [`Rooms::handle_hint`].
    pub fn with_peers(store: &Store, settings: Settings, hints: mpsc::Sender<Hint>) -> Rooms {
        Rooms::create(store.as_other_node(), settings, Some(hints), true)
    }

    fn create(
        store: Store,
        settings: Settings,
        hints: Option<mpsc::Sender<Hint>>,
        sends_always: bool,
    ) -> Rooms {
        let changes = store.subscribe_to_changes();
        let inner = Inner {
            store,
            lobby: Lobby::new(settings.unattended_after_ms),
            user_hub: UserHub::new(hints.is_some()),
            hidden_reading: tokio::sync::Mutex::default(),
            observed_nodes: Mutex::default(),
            rated_play: RatedPlay::default(),
            engine_pool: EnginePool::new(
                settings.engine_threads,
                settings.engine_queue_max,
                settings.engine_niceness,
            ),
            registry: Mutex::default(),
            room_ends: watch::Sender::default(),
            ready_checks: Mutex::default(),
            ready_check_limits: Mutex::new(ReadyCheckLimits::new(settings.ready_checks_max)),
            ready_check_start: tokio::sync::Mutex::default(),
            unasked_checks: Mutex::default(),
            searches: Searches::default(),
            aborts: Aborts::new(settings.aborts_max),
            slow_mode: SlowMode::default(),
            settings,
            downtime: DowntimeLog::new(),
            peers: Peers::new(hints, sends_always),
            failed_rooms: Mutex::default(),
            unreadable_logs: UnreadableLogs::default(),
            turns: changes.turns.clone(),
            tasks: TaskTracker::new(),
            stop: CancellationToken::new(),
        };
        let rooms = Rooms { inner: Arc::new(inner) };
        rooms.follow_changes(changes);
        rooms
    }

    pub fn user_hub(&self) -> &UserHub {
        &self.inner.user_hub
    }

    pub fn engine_pool(&self) -> &EnginePool {
        &self.inner.engine_pool
    }

    fn ready_checks(&self) -> MutexGuard<'_, HashMap<PublicId, Arc<ReadyCheck>>> {
        self.inner.ready_checks.lock().expect("ready checks lock")
    }

    pub fn store(&self) -> &Store {
        &self.inner.store
    }

    pub fn lobby(&self) -> &Lobby {
        &self.inner.lobby
    }

    pub fn len(&self) -> usize {
        self.registry().len()
    }

    /// Returns whether no room is open.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn registry(&self) -> MutexGuard<'_, RoomRegistry> {
        self.inner.registry.lock().expect("room registry lock")
    }

    /// Returns the inbox of the room of a game, and opens the room if necessary.
    ///
    /// # Errors
    /// Returns an error if the game does not exist or cannot be read, or if the server is stopping.
    pub async fn room(&self, id: &PublicId) -> Result<RoomInbox, RoomError> {
        loop {
            let start = {
                let registry = self.registry();
                if let Some(inbox) = registry.get(id) {
                    return Ok(inbox.clone());
                }
                registry.read_start()
            };
            if self.inner.stop.is_cancelled() {
                return Err(RoomError::Stopping);
            }
            let loaded = self.load_by_id(id).await?;
            if let Some(inbox) = self.spawn_room(loaded, start) {
                return Ok(inbox);
            }
        }
    }

    /// Opens a room, unless one was opened in the meantime. Returns `None` if one was opened and
    /// closed since the log was read.
    fn spawn_room(&self, loaded: LoadedGame, start: ReadStart) -> Option<RoomInbox> {
        let mut open = self.registry();
        let id = loaded.row.id;
        if let Some(inbox) = open.get(&id) {
            return Some(inbox.clone());
        }
        if open.may_be_outdated(&id, start) {
            return None;
        }
        let (room, inbox) = Room::new(self.clone(), loaded);
        open.insert(id, inbox.clone());
        // A runtime that is shutting down drops the task immediately, and dropping a room takes
        // this lock.
        drop(open);
        bots::player::spawn_bots(self, &room.row, &room.game, &inbox);
        // On the heap: the future of a method that takes the value stores it twice.
        let mut room = Box::new(room);
        self.inner.tasks.spawn(async move { room.run().await });
        Some(inbox)
    }

    /// Unregisters a room and closes its inbox, unless messages have arrived in the meantime. With
    /// one that arrived just before the close, the room stays registered until its end: another
    /// room would not know of the event.
    fn close_if_unused(&self, id: &PublicId, inbox: &mut mpsc::Receiver<Box<RoomMessage>>) {
        let mut open = self.registry();
        if inbox.is_empty() {
            inbox.close();
            if inbox.is_empty() {
                open.remove(id);
                drop(open);
                self.inner.room_ends.send_replace(());
            }
        }
    }

    /// Unregisters a room that has ended, if it is still the registered one. The next request opens
    /// a new room from the store.
    fn unregister(&self, id: &PublicId, inbox: &mpsc::WeakSender<Box<RoomMessage>>) {
        let mut open = self.registry();
        let own = inbox.upgrade();
        if open
            .get(id)
            .is_some_and(|registered| own.is_some_and(|own| own.same_channel(registered)))
        {
            open.remove(id);
            drop(open);
            self.inner.room_ends.send_replace(());
        }
    }

    /// Waits until a room that accepts no more messages has handled its last ones and is
    /// unregistered.
    async fn room_end(&self, id: &PublicId, inbox: &RoomInbox) {
        let mut ends = self.inner.room_ends.subscribe();
        let is_registered =
            || self.registry().get(id).is_some_and(|registered| registered.same_channel(inbox));
        while is_registered() {
            // The sender is a field of this value.
            let _ = ends.changed().await;
        }
    }

    /// Returns a snapshot of a game, from its room if that is open, else from the log.
    ///
    /// # Errors
    /// Returns an error if the game does not exist or cannot be read.
    pub async fn snapshot(&self, id: &PublicId) -> Result<GameSnapshot, RoomError> {
        let inbox = self.registry().get(id).cloned();
        if let Some(inbox) = inbox {
            let (reply, response) = oneshot::channel();
            if inbox.send(Box::new(RoomMessage::Snapshot { reply })).await.is_ok()
                && let Ok(snapshot) = response.await
            {
                return Ok(snapshot);
            }
        }
        let loaded = self.load_by_id(id).await?;
        let (row, game) = (Arc::new(loaded.row), loaded.game);
        let mut snapshot = GameSnapshot::new(&row, &game, RoomStatus::default(), now_ms());
        if let Some(due_ms) = &mut snapshot.due_ms {
            // The room that opens next appends these outages.
            let outage_ms = self.inner.downtime.duration_after(game.last_ms());
            *due_ms += outage_ms;
            snapshot.outage_ms += outage_ms;
        }
        Ok(snapshot)
    }

    /// Joins the room of a game, and opens it if necessary. Returns the inbox of the room as well.
    ///
    /// # Errors
    /// Returns an error if the game does not exist or cannot be read, or if the server is stopping.
    pub async fn join(
        &self,
        id: &PublicId,
        account: Option<AccountKey>,
        since: Option<i64>,
    ) -> Result<(RoomInbox, Box<Joined>), RoomError> {
        loop {
            let (reply, response) = oneshot::channel();
            let join = RoomMessage::Join { account, last_seen: since, reply };
            let inbox = self.deliver(id, join).await?;
            if let Ok(joined) = response.await {
                return Ok((inbox, joined));
            }
        }
    }

    /// Sends a message of a player to the room of a game, and returns the reply, which follows the
    /// commit.
    ///
    /// # Errors
    /// Returns an error if the game does not exist or cannot be read, if the server is stopping, or
    /// if the room does not execute the command.
    pub async fn request(
        &self,
        id: &PublicId,
        message: impl FnOnce(oneshot::Sender<CommandResult>) -> RoomMessage,
    ) -> Result<i64, RequestError> {
        let (reply, response) = oneshot::channel();
        self.deliver(id, message(reply)).await?;
        Ok(response.await.unwrap_or(Err(CommandError::StoreFailed))?)
    }

    /// Sends a message to the room of a game, and returns its inbox. Sends it again to a new room
    /// if the room ended before it received the message.
    async fn deliver(&self, id: &PublicId, message: RoomMessage) -> Result<RoomInbox, RoomError> {
        let mut message = Box::new(message);
        loop {
            let inbox = self.room(id).await?;
            match send(&inbox, message).await {
                Ok(()) => return Ok(inbox),
                Err(mpsc::error::SendError(undelivered)) => {
                    message = undelivered;
                    self.room_end(id, &inbox).await;
                }
            }
        }
    }

    /// Registers a room that stopped after a failed commit; it reopens after the next successful
    /// one.
    fn room_failed(&self, id: PublicId) {
        self.inner.failed_rooms.lock().expect("stopped rooms lock").insert(id);
    }

    /// Records a successful commit, and reopens the stopped rooms if it ends a storage failure.
    fn storage_recovered(&self) {
        if self.inner.downtime.storage_recovered() {
            self.reopen_failed_rooms();
        }
    }

    /// Reopens the rooms that stopped after a failed commit.
    fn reopen_failed_rooms(&self) {
        let failed_rooms =
            std::mem::take(&mut *self.inner.failed_rooms.lock().expect("stopped rooms lock"));
        for id in failed_rooms {
            self.reopen(id);
        }
    }

    /// Opens a new room for a game whose room has stopped.
    fn reopen(&self, id: PublicId) {
        let rooms = self.clone();
        self.inner.tasks.spawn(async move {
            if let Err(error) = rooms.room(&id).await {
                tracing::error!(game.id = %id, %error, "Failed to reopen a room");
            }
        });
    }

    /// Sleeps, and returns whether `duration` passed before the server began to stop.
    async fn sleep_unless_stopped(&self, duration: Duration) -> bool {
        tokio::select! {
            () = tokio::time::sleep(duration) => true,
            () = self.inner.stop.cancelled() => false,
        }
    }
}
