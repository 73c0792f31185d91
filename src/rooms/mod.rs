//! In-memory state: one actor task per game with connected users, and the lobby.
//!
//! A room is the only writer of its game's events. It publishes an event after the commit, and
//! stops when a commit fails; the next room of the game is rebuilt from the log. This module is
//! independent of HTTP, JSON and pages.

mod aborts;
mod around;
mod ask;
mod bot;
mod challenges;
mod choice;
mod desk;
mod error;
mod gone;
mod heartbeat;
mod house;
mod leave;
mod lobby;
mod news;
mod people;
mod pulse;
mod rated_play;
mod ratings;
mod ready;
mod record;
mod rematch;
mod ring_limits;
mod room;
mod think;
mod time;
mod tv;

pub use around::{Crowd, Stay, Told, Visitor};
pub use ask::{Answer, Ask, Asker, Joined, Unheard};
pub use challenges::{Outcome, Sought, Taking};
pub use desk::{Desk, Held};
pub use error::Error;
pub use lobby::{Live, Lobby, Notice};
pub use news::{Clocks, News, Shift, Shown, Stand, What};
pub use people::{People, Place, Presence, Word};
pub use rated_play::{BoardKey, board_keys};
pub use ready::{NotReady, Ring, RingEnd};
pub use record::Recorded;
pub use rematch::{Again, NoRematch, Rematch};
pub use think::{Job, Requester, Thinkers, Thoughtless};
pub use time::now_ms;

use crate::play::game::Game;
use crate::store::{self, Append, Appended, GameRow, PublicId, Store};
use aborts::Aborts;
use pulse::Pulse;
use rated_play::RatedPlay;
use ring_limits::RingLimits;
use room::Room;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use uuid::Uuid;

/// Interval at which moderator actions are read, so that they take effect within a second.
const DEEDS_EVERY: Duration = Duration::from_millis(400);

/// Interval at which expired challenges and overdue correspondence moves are looked for.
const EXPIRE_EVERY: Duration = Duration::from_secs(5);

/// Settings of the operator.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Idle time after which a room without subscribers and without a running clock closes.
    pub idle: Duration,
    /// Time that the creator of a challenge has to answer a ready check.
    pub ready: Duration,
    /// Ready checks that one player may begin in a minute.
    pub ready_checks: usize,
    /// Rated games that a pair of players may begin in a day.
    pub pair_rated_max: i64,
    /// Rated or clocked games that an account may abort in a day before it has to wait; ten times
    /// as many for all players of a network together.
    pub aborts_max: usize,
    /// Absence after which a blitz game can be claimed; shorter for faster games, longer for slower
    /// ones.
    pub claim: Duration,
    /// Number of search threads.
    pub think_threads: usize,
    /// Maximum number of waiting searches.
    pub think_queue: usize,
    /// Nice value of the search threads on Linux, 1 to 19; 0 keeps that of the process.
    pub think_nice: i32,
    /// Whether bots accept rated challenges.
    pub bots_rated: bool,
    /// Whether bots resign lost games.
    pub bot_resigns: bool,
}

/// Registry of all rooms, and the lobby. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Rooms {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    store: Store,
    lobby: Lobby,
    people: People,
    desk: Desk,
    rated_play: RatedPlay,
    thinkers: Thinkers,
    open: Mutex<HashMap<PublicId, mpsc::Sender<Ask>>>,
    rings: Mutex<HashMap<PublicId, Arc<Ring>>>,
    ring_limits: Mutex<RingLimits>,
    aborts: Aborts,
    settings: Settings,
    pulse: Pulse,
    /// Games whose room stopped after a failed commit.
    fallen: Mutex<HashSet<PublicId>>,
    tasks: TaskTracker,
    stop: CancellationToken,
}

/// Game rebuilt from its log, with the event number of each executed command by its `cid`.
#[derive(Debug)]
struct Loaded {
    row: GameRow,
    game: Game,
    cids: HashMap<Uuid, i64>,
}

impl Rooms {
    /// Creates the registry without any open room.
    pub fn new(store: Store, settings: Settings) -> Rooms {
        let people = People::default();
        let inner = Inner {
            store,
            lobby: Lobby::default(),
            desk: Desk::new(people.clone()),
            people,
            rated_play: RatedPlay::default(),
            thinkers: Thinkers::new(
                settings.think_threads,
                settings.think_queue,
                settings.think_nice,
            ),
            open: Mutex::default(),
            rings: Mutex::default(),
            ring_limits: Mutex::new(RingLimits::new(settings.ready_checks)),
            aborts: Aborts::new(settings.aborts_max),
            settings,
            pulse: Pulse::new(),
            fallen: Mutex::default(),
            tasks: TaskTracker::new(),
            stop: CancellationToken::new(),
        };
        Rooms { inner: Arc::new(inner) }
    }

    /// Returns the connected accounts.
    pub fn people(&self) -> &People {
        &self.inner.people
    }

    /// Returns the search threads.
    pub fn thinkers(&self) -> &Thinkers {
        &self.inner.thinkers
    }

    /// Returns the games in progress by player.
    pub fn desk(&self) -> &Desk {
        &self.inner.desk
    }

    fn rings(&self) -> MutexGuard<'_, HashMap<PublicId, Arc<Ring>>> {
        self.inner.rings.lock().expect("ready checks lock")
    }

    /// Returns the store.
    pub fn store(&self) -> &Store {
        &self.inner.store
    }

    /// Returns the lobby.
    pub fn lobby(&self) -> &Lobby {
        &self.inner.lobby
    }

    /// Returns the number of open rooms.
    pub fn len(&self) -> usize {
        self.open_rooms().len()
    }

    /// Returns whether no room is open.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn open_rooms(&self) -> MutexGuard<'_, HashMap<PublicId, mpsc::Sender<Ask>>> {
        self.inner.open.lock().expect("room registry lock")
    }

    /// Resumes all games in progress from their logs, excluding the downtime of the server from
    /// their clocks, and starts the periodic tasks. Opens a room for each game that has a clock or
    /// awaits a bot; other games appear in the lobby and get a room on demand. Logs and skips a
    /// game that cannot be read.
    ///
    /// # Errors
    /// Returns an error if the store fails.
    pub async fn resume(&self) -> Result<(), Error> {
        // Must precede every reading of the time: the process clock continues from the latest
        // stored event.
        time::not_before(self.store().latest_ms().await?);
        self.inner.pulse.shut();
        self.store().add_bots(now_ms()).await?;
        let alive_ms = self.store().alive_ms().await?;
        let mut taken_up = 0;
        for row in self.store().live_games(i64::MAX).await? {
            let id = row.id;
            match self.take_up(row, alive_ms).await {
                Ok(()) => taken_up += 1,
                Err(error @ (Error::BadLog(_) | Error::Store(store::Error::BadRow(_)))) => {
                    tracing::error!(game.id = %id, %error, "Skipped a game with an invalid log");
                }
                Err(error) => return Err(error),
            }
        }
        if taken_up > 0 {
            tracing::info!(games = taken_up, "Games resumed");
        }
        self.store().cancel_seeks().await?;
        let deed = self.store().last_deed().await?;
        for account in self.store().closed_in_play().await? {
            self.leave_all(account).await?;
        }
        self.inner.tasks.spawn(self.clone().beat());
        self.inner.tasks.spawn(self.clone().stay_alive());
        self.inner.tasks.spawn(self.clone().moderate(deed));
        self.inner.tasks.spawn(self.clone().expire());
        self.inner.tasks.spawn(self.clone().expire_ratings());
        Ok(())
    }

    async fn take_up(&self, row: GameRow, alive_ms: i64) -> Result<(), Error> {
        let mut loaded = self.load(row).await?;
        for logged in loaded.game.resume(alive_ms, now_ms()) {
            let cid = Some(Uuid::now_v7());
            let append = Append { game: loaded.row.key, cid, logged };
            if self.store().append(append).await? != Appended::Accepted {
                return Err(Error::Store(store::Error::NotCommitted));
            }
        }
        let awaits_bot = house::awaits_bot(&loaded.row, &loaded.game);
        if loaded.row.setup.pace.clock().is_some() || awaits_bot {
            self.spawn(loaded);
        } else {
            let row = Arc::new(loaded.row);
            self.desk().put(&row, &loaded.game);
            self.inner.rated_play.put(&row, &loaded.game);
            self.lobby().show(Live::of(&row, &loaded.game, 0));
        }
        Ok(())
    }

    async fn load(&self, row: GameRow) -> Result<Loaded, Error> {
        let mut loaded = Loaded { game: Game::new(row.setup.clone()), row, cids: HashMap::new() };
        for (logged, cid) in self.store().events(loaded.row.key).await? {
            loaded.game.replay(&logged)?;
            loaded.cids.extend(cid.map(|cid| (cid, logged.seq)));
        }
        Ok(loaded)
    }

    async fn load_by_id(&self, id: &PublicId) -> Result<Loaded, Error> {
        let row = self.store().game(id).await?.ok_or(Error::Unknown)?;
        self.load(row).await
    }

    /// Opens the room of a game created from `challenge`, and notifies its players.
    fn begin(&self, row: GameRow, challenge: PublicId) {
        let told = Arc::new(row.clone());
        self.desk().put(&told, &Game::new(row.setup.clone()));
        self.spawn(Loaded { game: Game::new(row.setup.clone()), row, cids: HashMap::new() });
        for player in &told.players {
            self.people().tell(player.account.key, Word::Start(told.clone(), challenge));
        }
    }

    /// Returns the inbox of the room of a game, and opens the room if necessary.
    ///
    /// # Errors
    /// Returns an error if the game does not exist or cannot be read, or if the server is stopping.
    pub async fn room(&self, id: &PublicId) -> Result<mpsc::Sender<Ask>, Error> {
        if let Some(inbox) = self.open_rooms().get(id) {
            return Ok(inbox.clone());
        }
        if self.inner.stop.is_cancelled() {
            return Err(Error::Stopping);
        }
        let loaded = self.load_by_id(id).await?;
        Ok(self.spawn(loaded))
    }

    /// Opens a room, unless one was opened in the meantime.
    fn spawn(&self, loaded: Loaded) -> mpsc::Sender<Ask> {
        let mut open = self.open_rooms();
        let id = loaded.row.id;
        if let Some(inbox) = open.get(&id) {
            return inbox.clone();
        }
        let (room, inbox) = Room::new(self.clone(), loaded);
        open.insert(id, inbox.clone());
        // A runtime that is shutting down drops the task immediately, and dropping a room takes
        // this lock.
        drop(open);
        bot::sit_down(self, &room.row, &room.game, &inbox);
        self.inner.tasks.spawn(room.run());
        inbox
    }

    /// Unregisters a room and closes its inbox, unless messages have arrived in the meantime.
    fn close_if_unused(&self, id: &PublicId, inbox: &mut mpsc::Receiver<Ask>) {
        let mut open = self.open_rooms();
        if inbox.is_empty() {
            open.remove(id);
            inbox.close();
        }
    }

    /// Unregisters a room that has ended, if it is still the registered one. The next request opens
    /// a new room from the store.
    fn forget(&self, id: &PublicId, inbox: &mpsc::WeakSender<Ask>) {
        let mut open = self.open_rooms();
        let own = inbox.upgrade();
        if open.get(id).is_some_and(|known| own.is_some_and(|own| own.same_channel(known))) {
            open.remove(id);
        }
    }

    /// Returns a snapshot of a game, from its room if that is open, else from the log.
    ///
    /// # Errors
    /// Returns an error if the game does not exist or cannot be read.
    pub async fn look(&self, id: &PublicId) -> Result<Shown, Error> {
        let inbox = self.open_rooms().get(id).cloned();
        if let Some(inbox) = inbox {
            let (answer, answered) = oneshot::channel();
            if inbox.send(Ask::Look { answer }).await.is_ok()
                && let Ok(shown) = answered.await
            {
                return Ok(shown);
            }
        }
        let loaded = self.load_by_id(id).await?;
        Ok(Shown::of(&Arc::new(loaded.row), &loaded.game, Told::default(), now_ms()))
    }

    /// Stops all rooms and background tasks, and waits for their current work to end.
    pub async fn stop(&self) {
        self.inner.stop.cancel();
        self.inner.thinkers.stop();
        self.inner.tasks.close();
        self.inner.tasks.wait().await;
    }

    /// Joins the room of a game, and opens it if necessary. Returns the inbox of the room as well.
    ///
    /// # Errors
    /// Returns an error if the game does not exist or cannot be read, or if the server is stopping.
    pub async fn join(
        &self,
        id: &PublicId,
        visitor: Visitor,
        since: Option<i64>,
    ) -> Result<(mpsc::Sender<Ask>, Joined), Error> {
        loop {
            let (answer, answered) = oneshot::channel();
            let join = Ask::Join { visitor: visitor.clone(), since, answer };
            let inbox = self.send(id, join).await?;
            if let Ok(joined) = answered.await {
                return Ok((inbox, joined));
            }
        }
    }

    /// Sends a message of a player to the room of a game, and returns the reply, which follows the
    /// commit.
    ///
    /// # Errors
    /// Returns an error if the game does not exist or cannot be read, or if the server is stopping.
    pub async fn ask(
        &self,
        id: &PublicId,
        write: impl FnOnce(oneshot::Sender<Answer>) -> Ask,
    ) -> Result<Answer, Error> {
        let (answer, answered) = oneshot::channel();
        self.send(id, write(answer)).await?;
        Ok(answered.await.unwrap_or(Err(Unheard::NotStored)))
    }

    /// Sends a message to the room of a game, and returns its inbox. Sends it again to a new room
    /// if the room ended before it received the message.
    async fn send(&self, id: &PublicId, mut ask: Ask) -> Result<mpsc::Sender<Ask>, Error> {
        loop {
            let inbox = self.room(id).await?;
            match inbox.send(ask).await {
                Ok(()) => return Ok(inbox),
                Err(mpsc::error::SendError(unheard)) => ask = unheard,
            }
        }
    }

    /// Registers a room that stopped after a failed commit; it reopens after the next successful
    /// one.
    fn fallen(&self, id: PublicId) {
        self.inner.fallen.lock().expect("stopped rooms lock").insert(id);
    }

    /// Records a successful commit, and reopens the stopped rooms if it ends a storage failure.
    fn healed(&self) {
        if self.inner.pulse.healed() {
            self.reopen();
        }
    }

    /// Accepts connections from now on. The time since [`Rooms::resume`] began is excluded from all
    /// clocks.
    pub fn open(&self) {
        self.inner.pulse.open();
    }

    /// Announces the end of the process: no clock runs out from now on, while work in progress
    /// continues.
    pub fn shut(&self) {
        self.inner.pulse.shut();
    }

    /// Reopens the rooms that stopped after a failed commit.
    fn reopen(&self) {
        let fallen = std::mem::take(&mut *self.inner.fallen.lock().expect("stopped rooms lock"));
        for id in fallen {
            let rooms = self.clone();
            self.inner.tasks.spawn(async move {
                if let Err(error) = rooms.room(&id).await {
                    tracing::error!(game.id = %id, %error, "Failed to reopen a room");
                }
            });
        }
    }

    /// Reads the time periodically, so that a process stall is detected even without requests.
    async fn beat(self) {
        while self.sleep(pulse::BEAT_EVERY).await {
            self.inner.pulse.now_ms();
        }
    }

    /// Applies moderator actions periodically.
    async fn moderate(self, mut deed: i64) {
        while self.sleep(DEEDS_EVERY).await {
            deed = self.follow_deeds(deed).await;
        }
    }

    async fn expire(self) {
        while self.sleep(EXPIRE_EVERY).await {
            self.ring_limits().forget_old(now_ms());
            match self.store().expire_challenges(now_ms()).await {
                Ok(due) => due.into_iter().for_each(|challenge| self.gone(challenge)),
                Err(error) => tracing::error!(%error, "Failed to expire challenges"),
            }
            self.inner.aborts.forget_old(now_ms());
            // The room applies the timeout when it opens.
            for id in self.desk().overdue(now_ms()) {
                if let Err(error) = self.room(&id).await {
                    tracing::error!(game.id = %id, %error, "Failed to open an overdue game");
                }
            }
        }
    }

    /// Sleeps, and returns whether `duration` passed before the server began to stop.
    async fn sleep(&self, duration: Duration) -> bool {
        tokio::select! {
            () = tokio::time::sleep(duration) => true,
            () = self.inner.stop.cancelled() => false,
        }
    }
}
