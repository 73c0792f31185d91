//! Server of one schedule, without HTTP, and the database that it starts from.

use super::store_fixtures::{command_id, games_between};
use sprong::play::event::Event;
use sprong::play::game::Game;
use sprong::rooms::{Hint, RoomError, Rooms, Settings};
use sprong::rules::Side;
use sprong::store::{GameKey, GameRow, Store};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;
use tempfile::TempDir;
use tokio::sync::mpsc;
use uuid::Uuid;

const GAMES: usize = 2;

/// Hints that can wait.
const HINTS_MAX: usize = 64;

const SETTINGS: Settings = Settings {
    idle_timeout: Duration::from_millis(1),
    ready_timeout: Duration::from_secs(1),
    ready_checks_max: 1_000_000,
    rematch_timeout: Duration::from_secs(1),
    rematch_absence: Duration::from_secs(1),
    pair_rated_max: 9,
    aborts_max: 1000,
    claim_after: Duration::from_secs(1),
    unattended_after_ms: 60_000,
    abandoned_after_ms: 60_000,
    retention: Duration::from_secs(86_400),
    address_retention: Duration::from_secs(86_400),
    broadcast_delay_ms: 0,
    // Searches run on threads of their own, which the scheduler cannot control.
    engine_threads: 0,
    engine_queue_max: 1,
    engine_niceness: 0,
    bots_rated: false,
    bot_resigns: true,
};

/// Database with which each schedule begins: games between two accounts.
pub struct BaseDatabase {
    folder: TempDir,
    rows: OnceLock<Vec<GameRow>>,
    acknowledged: Arc<AtomicUsize>,
}

impl BaseDatabase {
    /// Creates the folder, in memory where the system has `/dev/shm`: disk behavior is not tested.
    pub fn new() -> BaseDatabase {
        let memory = Path::new("/dev/shm");
        let folder = if memory.is_dir() { TempDir::new_in(memory) } else { TempDir::new() };
        BaseDatabase {
            folder: folder.expect("folder"),
            rows: OnceLock::new(),
            acknowledged: Arc::default(),
        }
    }

    /// Copies the database into a new folder.
    fn copy(&self) -> Arc<TempDir> {
        let folder = TempDir::new_in(self.folder.path()).expect("folder");
        fs::copy(self.path(), folder.path().join("sprong.db")).expect("copy");
        Arc::new(folder)
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("base.db")
    }

    pub fn rows(&self) -> &[GameRow] {
        self.rows.get().expect("games")
    }

    /// Returns the number of acknowledged commands in all schedules.
    pub fn acknowledged(&self) -> usize {
        self.acknowledged.load(Ordering::Relaxed)
    }

    pub async fn make(&self) {
        let store = Store::open(&self.path()).await.expect("store");
        let rows = games_between(&store, ["Ann", "Bob"].map(str::to_owned), GAMES).await;
        store.close().await;
        self.rows.set(rows).expect("made once");
    }
}

/// Acknowledged command: its game, and the id under which it is logged.
type AcknowledgedCommand = (GameKey, Option<Uuid>);

/// Store and rooms on a separate copy of the database.
pub struct ServerFixture {
    pub rooms: Rooms,
    pub store: Store,
    folder: Arc<TempDir>,
    stopping: AtomicBool,
    /// Acknowledged commands.
    acknowledged: Arc<Mutex<Vec<AcknowledgedCommand>>>,
    acknowledged_count: Arc<AtomicUsize>,
}

impl ServerFixture {
    pub async fn open(base: &BaseDatabase) -> Arc<ServerFixture> {
        ServerFixture::on(base.copy(), Arc::default(), base.acknowledged.clone()).await
    }

    /// Opens two servers on one store, and returns the hints that each sends to the other.
    pub async fn open_two(base: &BaseDatabase) -> [(Arc<ServerFixture>, mpsc::Receiver<Hint>); 2] {
        let folder = base.copy();
        let store = Store::open(&folder.path().join("sprong.db")).await.expect("store");
        let acknowledged: Arc<Mutex<Vec<AcknowledgedCommand>>> = Arc::default();
        [0; 2].map(|_| {
            let (hints, received) = mpsc::channel(HINTS_MAX);
            let server = ServerFixture {
                rooms: Rooms::with_peers(&store, SETTINGS, hints),
                store: store.clone(),
                folder: folder.clone(),
                stopping: AtomicBool::new(false),
                acknowledged: acknowledged.clone(),
                acknowledged_count: base.acknowledged.clone(),
            };
            (Arc::new(server), received)
        })
    }

    async fn on(
        folder: Arc<TempDir>,
        acknowledged: Arc<Mutex<Vec<AcknowledgedCommand>>>,
        acknowledged_count: Arc<AtomicUsize>,
    ) -> Arc<ServerFixture> {
        let store = Store::open(&folder.path().join("sprong.db")).await.expect("store");
        let rooms = Rooms::new(store.clone(), SETTINGS);
        let stopping = AtomicBool::new(false);
        Arc::new(ServerFixture { rooms, store, folder, stopping, acknowledged, acknowledged_count })
    }

    /// Opens the server that takes over after this one.
    pub async fn next(&self) -> Arc<ServerFixture> {
        ServerFixture::on(
            self.folder.clone(),
            self.acknowledged.clone(),
            self.acknowledged_count.clone(),
        )
        .await
    }

    /// Marks the begin of the shutdown, from which on refusals are allowed.
    pub fn stopping(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }

    pub fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }

    /// Checks that a refusal is due to the shutdown.
    pub fn refused<T>(&self, error: &RoomError) -> Option<T> {
        assert!(matches!(error, RoomError::Stopping | RoomError::Store(_)), "{error}");
        assert!(self.is_stopping(), "{error} without a shutdown");
        None
    }

    /// Records an acknowledged command, and checks that it is stored.
    pub async fn acknowledged(&self, row: &GameRow, side: Side, cid: Uuid) {
        let id = command_id(row, side, cid);
        self.acknowledged.lock().expect("list").push((row.key, id));
        self.acknowledged_count.fetch_add(1, Ordering::Relaxed);
        // After the store has closed, the next server checks it in `audit`.
        if let Ok(log) = self.store.events(row.key).await {
            let stored = log.iter().any(|(_, logged_id)| *logged_id == id);
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
        let acknowledged = std::mem::take(&mut *self.acknowledged.lock().expect("list"));
        for row in rows {
            let log = self.store.events(row.key).await.expect("log");
            let mut game = Game::new(row.setup.clone());
            for (logged, _) in &log {
                game.replay(logged).expect("a log that follows the rules");
            }
            for (_, id) in acknowledged.iter().filter(|(game, _)| *game == row.key) {
                let own = log.iter().filter(|(_, logged_id)| logged_id == id);
                assert_eq!(own.count(), 1, "an acknowledged command is stored once");
            }
            let result = self.store.game(&row.id).await.expect("read").expect("game").result;
            assert_eq!(
                result.map(|result| result.end),
                game.end(),
                "the result agrees with the log"
            );
            let ends = log.iter().filter(|(l, _)| matches!(l.event, Event::Ended(_)));
            assert_eq!(ends.count(), usize::from(result.is_some()));
        }
    }
}
