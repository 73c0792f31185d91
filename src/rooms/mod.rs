//! What is alive: a room for every game somebody is interested in, and the lobby.
//!
//! A room is the only task that changes its game; it shows nothing that is not stored. Nothing here
//! knows HTTP, JSON or pages.

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

/// How often moderators' deeds are looked for: their connections end within a second.
const DEEDS_EVERY: Duration = Duration::from_millis(400);

/// How often challenges whose time is over are looked for.
const EXPIRE_EVERY: Duration = Duration::from_secs(5);

/// What whoever runs the server may set.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// A room nobody listens to, and in which no clock runs, is closed after so long.
    pub idle: Duration,
    /// How long a maker who is elsewhere may take to come.
    pub ready: Duration,
    /// Ready checks that one player may begin in a minute.
    pub ready_checks: usize,
    /// How many rated games two players may begin in a day.
    pub pair_rated_max: i64,
    /// Rated or clocked games that an account may abort in a day before it waits; ten times as many for
    /// all players of a network together.
    pub aborts_max: usize,
    /// How long an opponent must be away before a blitz game can be claimed; faster games sooner,
    /// slower ones later.
    pub claim: Duration,
    /// How many threads search for bots and for whoever asks.
    pub think_threads: usize,
    /// How many searches may wait for them.
    pub think_queue: usize,
    /// The nice value of these threads on Linux, 1 to 19; 0 leaves them as the process is.
    pub think_nice: i32,
    /// Whether players of the house play rated games.
    pub bots_rated: bool,
    /// Whether they resign what is lost beyond doubt.
    pub bot_resigns: bool,
}

/// All rooms and the lobby. Cheap to clone.
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
    /// Games with a clock whose room stopped because nothing could be stored.
    fallen: Mutex<HashSet<PublicId>>,
    tasks: TaskTracker,
    stop: CancellationToken,
}

/// A game as its log leaves it, and the commands it has obeyed.
#[derive(Debug)]
struct Loaded {
    row: GameRow,
    game: Game,
    cids: HashMap<Uuid, i64>,
}

impl Rooms {
    /// No room is open yet.
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

    /// Who is here.
    pub fn people(&self) -> &People {
        &self.inner.people
    }

    /// Those who search.
    pub fn thinkers(&self) -> &Thinkers {
        &self.inner.thinkers
    }

    /// Who plays what.
    pub fn desk(&self) -> &Desk {
        &self.inner.desk
    }

    fn rings(&self) -> MutexGuard<'_, HashMap<PublicId, Arc<Ring>>> {
        self.inner.rings.lock().expect("table of ready checks")
    }

    /// Where everything is kept.
    pub fn store(&self) -> &Store {
        &self.inner.store
    }

    /// The lobby.
    pub fn lobby(&self) -> &Lobby {
        &self.inner.lobby
    }

    /// How many rooms are open.
    pub fn len(&self) -> usize {
        self.open_rooms().len()
    }

    /// Whether no room is open.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn open_rooms(&self) -> MutexGuard<'_, HashMap<PublicId, mpsc::Sender<Ask>>> {
        self.inner.open.lock().expect("table of rooms")
    }

    /// Takes up the games in play from their logs; the time the server was away is charged to
    /// nobody. A clocked game gets its room at once, another is shown in the lobby and gets it
    /// when somebody comes. Then begins to note that the server is alive. A game that cannot be
    /// read is left alone and does not hinder the others.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn resume(&self) -> Result<(), Error> {
        // Before anything reads the time: it goes on from the latest that is stored.
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
                    tracing::error!(game.id = %id, %error, "a game is left alone");
                }
                Err(error) => return Err(error),
            }
        }
        if taken_up > 0 {
            tracing::info!(games = taken_up, "taken up again");
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

    /// Opens the room of a game that has just been made by that challenge, and tells its players.
    fn begin(&self, row: GameRow, challenge: PublicId) {
        let told = Arc::new(row.clone());
        self.desk().put(&told, &Game::new(row.setup.clone()));
        self.spawn(Loaded { game: Game::new(row.setup.clone()), row, cids: HashMap::new() });
        for player in &told.players {
            self.people().tell(player.account.key, Word::Start(told.clone(), challenge));
        }
    }

    /// The inbox of a game's room, which is opened if it is not open.
    ///
    /// # Errors
    /// When there is no such game, or it cannot be read.
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

    /// Opens a room, unless somebody has opened it meanwhile.
    fn spawn(&self, loaded: Loaded) -> mpsc::Sender<Ask> {
        let mut open = self.open_rooms();
        let id = loaded.row.id;
        if let Some(inbox) = open.get(&id) {
            return inbox.clone();
        }
        let (room, inbox) = Room::new(self.clone(), loaded);
        open.insert(id, inbox.clone());
        // A runtime that is shutting down drops the task at once, and a dropped room takes this lock.
        drop(open);
        bot::sit_down(self, &room.row, &room.game, &inbox);
        self.inner.tasks.spawn(room.run());
        inbox
    }

    /// Takes a room off the table and closes its inbox, if nobody has written to it meanwhile.
    fn close_if_unused(&self, id: &PublicId, inbox: &mut mpsc::Receiver<Ask>) {
        let mut open = self.open_rooms();
        if inbox.is_empty() {
            open.remove(id);
            inbox.close();
        }
    }

    /// Takes a room off the table that has ended for whatever reason, if it is still there: the
    /// next who asks opens a new one from the store.
    fn forget(&self, id: &PublicId, inbox: &mpsc::WeakSender<Ask>) {
        let mut open = self.open_rooms();
        let own = inbox.upgrade();
        if open.get(id).is_some_and(|known| own.is_some_and(|own| own.same_channel(known))) {
            open.remove(id);
        }
    }

    /// What there is to see of a game now.
    ///
    /// # Errors
    /// When there is no such game, or it cannot be read.
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

    /// Lets every room finish what it is doing; none takes anything new.
    pub async fn stop(&self) {
        self.inner.stop.cancel();
        self.inner.thinkers.stop();
        self.inner.tasks.close();
        self.inner.tasks.wait().await;
    }

    /// Joins a game's room, which is opened if it is not open; answers its inbox too.
    ///
    /// # Errors
    /// When there is no such game, or it cannot be read.
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

    /// Asks something of a game as one of its players would; the answer comes after the commit.
    ///
    /// # Errors
    /// When there is no such game, or it cannot be read.
    pub async fn ask(
        &self,
        id: &PublicId,
        write: impl FnOnce(oneshot::Sender<Answer>) -> Ask,
    ) -> Result<Answer, Error> {
        let (answer, answered) = oneshot::channel();
        self.send(id, write(answer)).await?;
        Ok(answered.await.unwrap_or(Err(Unheard::NotStored)))
    }

    /// Puts something into the inbox of a game's room, and answers the inbox. A room that ends just
    /// now has not heard it, and is opened again.
    async fn send(&self, id: &PublicId, mut ask: Ask) -> Result<mpsc::Sender<Ask>, Error> {
        loop {
            let inbox = self.room(id).await?;
            match inbox.send(ask).await {
                Ok(()) => return Ok(inbox),
                Err(mpsc::error::SendError(unheard)) => ask = unheard,
            }
        }
    }

    /// A room stops because nothing could be stored: it is opened again when that can be done.
    fn fallen(&self, id: PublicId) {
        self.inner.fallen.lock().expect("fallen rooms").insert(id);
    }

    /// Something was stored: whatever stopped because that could not be done goes on.
    fn healed(&self) {
        if self.inner.pulse.healed() {
            self.reopen();
        }
    }

    /// Everybody can connect from now on; what has passed since [`Rooms::resume`] began is charged
    /// to nobody.
    pub fn open(&self) {
        self.inner.pulse.open();
    }

    /// Nobody can play on from now on, though what is under way is still done: time runs out for
    /// nobody any more.
    pub fn shut(&self) {
        self.inner.pulse.shut();
    }

    /// Opens the rooms that have stopped because nothing could be stored.
    fn reopen(&self) {
        let fallen = std::mem::take(&mut *self.inner.fallen.lock().expect("fallen rooms"));
        for id in fallen {
            let rooms = self.clone();
            self.inner.tasks.spawn(async move {
                if let Err(error) = rooms.room(&id).await {
                    tracing::error!(game.id = %id, %error, "a room could not be opened again");
                }
            });
        }
    }

    /// Looks at the time, so that a pause is known from one in which nobody asked for it.
    async fn beat(self) {
        while self.sleep(pulse::BEAT_EVERY).await {
            self.inner.pulse.now_ms();
        }
    }

    /// Does what moderators ask of a running server, soon enough that nobody plays on.
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
                Err(error) => tracing::error!(%error, "could not look for expired challenges"),
            }
            self.inner.aborts.forget_old(now_ms());
            // Whoever let a move's days pass: the room that is opened sees it.
            for id in self.desk().overdue(now_ms()) {
                if let Err(error) = self.room(&id).await {
                    tracing::error!(game.id = %id, %error, "a game whose time is over");
                }
            }
        }
    }

    /// Whether the time passed before the server was told to stop.
    async fn sleep(&self, duration: Duration) -> bool {
        tokio::select! {
            () = tokio::time::sleep(duration) => true,
            () = self.inner.stop.cancelled() => false,
        }
    }
}
