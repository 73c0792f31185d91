//! Server of one schedule, without HTTP, and the database that it starts from.

use super::games::game_between;
use sprong::play::event::Event;
use sprong::play::game::Game;
use sprong::rooms::{Error, Rooms, Settings};
use sprong::store::{GameRow, Store};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;
use tempfile::TempDir;
use uuid::Uuid;

const GAMES: usize = 2;

const SETTINGS: Settings = Settings {
    idle: Duration::from_millis(1),
    ready: Duration::from_secs(1),
    ready_checks: 1_000_000,
    pair_rated_max: 9,
    aborts_max: 1000,
    claim: Duration::from_secs(1),
    // Searches run on threads of their own, which the scheduler cannot control.
    think_threads: 0,
    think_queue: 1,
    think_nice: 0,
    bots_rated: false,
    bot_resigns: true,
};

/// Database with which each schedule begins: games between two accounts.
pub struct Base {
    folder: TempDir,
    rows: OnceLock<Vec<GameRow>>,
    obeyed: Arc<AtomicUsize>,
}

impl Base {
    /// Creates the folder, in memory where the system has `/dev/shm`: disk behavior is not tested.
    pub fn new() -> Base {
        let memory = Path::new("/dev/shm");
        let folder = if memory.is_dir() { TempDir::new_in(memory) } else { TempDir::new() };
        Base { folder: folder.expect("folder"), rows: OnceLock::new(), obeyed: Arc::default() }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("base.db")
    }

    pub fn rows(&self) -> &[GameRow] {
        self.rows.get().expect("games")
    }

    /// Returns the number of acknowledged commands in all schedules.
    pub fn obeyed(&self) -> usize {
        self.obeyed.load(Ordering::Relaxed)
    }

    pub async fn make(&self) {
        let store = Store::open(&self.path()).await.expect("store");
        let rows = game_between(&store, ["Ann", "Bob"].map(str::to_owned), GAMES).await;
        store.close().await;
        self.rows.set(rows).expect("made once");
    }
}

/// Store and rooms on a separate copy of the database.
pub struct House {
    pub rooms: Rooms,
    pub store: Store,
    folder: Arc<TempDir>,
    stopping: AtomicBool,
    /// Acknowledged commands.
    obeyed: Arc<Mutex<Vec<(GameRow, Uuid)>>>,
    all_obeyed: Arc<AtomicUsize>,
}

impl House {
    pub async fn open(base: &Base) -> Arc<House> {
        let folder = Arc::new(TempDir::new_in(base.folder.path()).expect("folder"));
        fs::copy(base.path(), folder.path().join("sprong.db")).expect("copy");
        House::on(folder, Arc::default(), base.obeyed.clone()).await
    }

    async fn on(
        folder: Arc<TempDir>,
        obeyed: Arc<Mutex<Vec<(GameRow, Uuid)>>>,
        all_obeyed: Arc<AtomicUsize>,
    ) -> Arc<House> {
        let store = Store::open(&folder.path().join("sprong.db")).await.expect("store");
        let rooms = Rooms::new(store.clone(), SETTINGS);
        let stopping = AtomicBool::new(false);
        Arc::new(House { rooms, store, folder, stopping, obeyed, all_obeyed })
    }

    /// Opens the server that takes over after this one.
    pub async fn next(&self) -> Arc<House> {
        House::on(self.folder.clone(), self.obeyed.clone(), self.all_obeyed.clone()).await
    }

    /// Marks the begin of the shutdown, from which on refusals are allowed.
    pub fn stopping(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }

    pub fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }

    /// Checks that a refusal is due to the shutdown.
    pub fn refused<T>(&self, error: &Error) -> Option<T> {
        assert!(matches!(error, Error::Stopping | Error::Store(_)), "{error}");
        assert!(self.is_stopping(), "{error} without a shutdown");
        None
    }

    /// Records an acknowledged command, and checks that it is stored.
    pub async fn obeyed(&self, row: &GameRow, cid: Uuid) {
        self.obeyed.lock().expect("list").push((row.clone(), cid));
        self.all_obeyed.fetch_add(1, Ordering::Relaxed);
        // After the store has closed, the next server checks it in `audit`.
        if let Ok(log) = self.store.events(row.key).await {
            let stored = log.iter().any(|(_, known)| *known == Some(cid));
            assert!(stored, "an acknowledged command is stored");
        }
    }

    /// Checks that a published event is stored.
    pub async fn is_stored(&self, row: &GameRow, v: i64) {
        if let Ok(log) = self.store.events(row.key).await {
            let last = log.last().map_or(0, |(logged, _)| logged.seq);
            assert!(last >= v, "event {v} was published, but {last} is the last stored one");
        }
    }

    /// Checks that the logs follow the rules, and that each acknowledged command is stored once.
    pub async fn audit(&self, rows: &[GameRow]) {
        let obeyed = std::mem::take(&mut *self.obeyed.lock().expect("list"));
        for row in rows {
            let log = self.store.events(row.key).await.expect("log");
            let mut game = Game::new(row.setup.clone());
            for (logged, _) in &log {
                game.replay(logged).expect("a log that follows the rules");
            }
            for (_, cid) in obeyed.iter().filter(|(own, _)| own.key == row.key) {
                let own = log.iter().filter(|(_, known)| known == &Some(*cid));
                assert_eq!(own.count(), 1, "an acknowledged command is stored once");
            }
            let kept = self.store.game(&row.id).await.expect("read").expect("game").result;
            assert_eq!(kept.map(|kept| kept.end), game.end(), "the result agrees with the log");
            let ends = log.iter().filter(|(l, _)| matches!(l.event, Event::Ended(_)));
            assert_eq!(ends.count(), usize::from(kept.is_some()));
        }
    }
}
