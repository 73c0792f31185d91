//! Game clients behind a proxy that delays, cuts, duplicates and swaps messages: each one must end
//! in the state of the server. The schedules run in memory with a simulated clock, and over TCP.

use crate::support::checker::{
    GameHistory, assert_rejects_changes, can_be_control, find_contradictions,
};
use crate::support::client::{Player, Server, env_number, wait_until};
use crate::support::game_client::{GameClient, Io, View};
use crate::support::many_spectators::guests;
use crate::support::relay::{FaultRates, relay};
use serde_json::json;
use sprong::rooms::{Rooms, now_ms};
use sprong::rules::{Side, SplitMix};
use sprong::store::GameRow;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{WebSocketStream, client_async};

/// Default number of schedules in memory (`SPRONG_SCHEDULES`), and of concurrent ones.
const SCHEDULES_IN_MEMORY: u64 = 100;
const CONCURRENT_SCHEDULES: u64 = 100;

/// Pairs of players that share the schedules.
const PAIRS: usize = 50;

/// Default number of schedules over TCP (`SPRONG_TCP_SCHEDULES`).
const SCHEDULES_OVER_TCP: u64 = 24;

/// Factors by which delays over TCP are shorter than in a browser. If the machine is too slow for
/// one of them, the test tries the next.
const SPEEDUPS: [u32; 4] = [30, 10, 3, 1];

/// Time limit of all schedules over TCP at factor 1; it is divided by the factor.
const TCP_TIMEOUT: Duration = Duration::from_secs(1_800);

/// Maximum number of concurrent connections over TCP. With short delays, clients reconnect faster
/// than a slow machine answers; without a limit, their old connections exhaust the file descriptors
/// of the process.
const TCP_CONNECTIONS_MAX: usize = 600;

/// Buffer size of a connection in memory, in bytes.
const BUFFER_BYTES: usize = 64 * 1024;

/// Step of the simulated clock, and the real time between two steps. The clock must not advance
/// whenever all tasks wait: the database answers from a thread of its own.
const TICK: Duration = Duration::from_millis(20);
const TICK_PAUSE: Duration = Duration::from_micros(150);

/// Times that all tasks may run before the clock advances.
const YIELDS_PER_TICK: usize = 8;

/// Ticks after which the clock waits for the database to answer: on a slow machine the timeouts of
/// the server would expire otherwise.
const TICKS_PER_SYNC: u32 = 100;

/// Time limit of a schedule, by the clock of its runtime.
const SCHEDULE_TIMEOUT: Duration = Duration::from_secs(3_600);

#[derive(Clone, Copy)]
enum Transport {
    Memory,
    Tcp,
}

/// Clients of one schedule.
struct Schedule {
    seed: u64,
    game: String,
    views: Vec<Arc<Mutex<View>>>,
    tasks: tokio::task::JoinSet<()>,
}

/// Starts the game of a schedule.
async fn begin([one, two]: [&mut Player; 2], seed: u64) -> String {
    let variants = ["knightFight", "kopfOderKnopf", "wieNietWegIs"];
    let fields = json!({ "rated": false });
    one.start_game(two, variants[seed as usize % 3], fields).await
}

/// Opens a client for each player of a game, and one for a spectator.
fn open_clients(
    server: &Arc<Server>,
    [one, two]: [&mut Player; 2],
    game: String,
    seed: u64,
    transport: Transport,
    speedup: u32,
) -> Schedule {
    let mut random = SplitMix::new(seed);
    let rates = FaultRates::random(&mut random, speedup);
    let mut schedule = Schedule { seed, game, views: Vec::new(), tasks: Default::default() };
    let nobody = &mut Player { cookie: None, ..one.clone() };
    for player in [one, two, nobody] {
        let page = GameClient::new(random.next_u64(), speedup);
        schedule.views.push(page.view.clone());
        let seed = AtomicU64::new(random.next_u64());
        let (server, cookie, id) = (server.clone(), player.cookie.clone(), schedule.game.clone());
        let line = Arc::new(Dialer { server, transport, rates, cookie, seed });
        schedule.tasks.spawn(async move {
            page.run(&id, |path| Box::pin(line.clone().dial(path))).await;
        });
    }
    schedule
}

/// Route of one client to the server.
struct Dialer {
    server: Arc<Server>,
    transport: Transport,
    rates: FaultRates,
    cookie: Option<String>,
    /// Seed of the next connection.
    seed: AtomicU64,
}

impl Dialer {
    async fn dial(self: Arc<Dialer>, path: String) -> Option<WebSocketStream<Io>> {
        let seed = self.seed.fetch_add(1, Ordering::Relaxed);
        let io = open_stream(self.server.clone(), self.transport, self.rates, seed).await?;
        let address = format!("ws://{}{path}", self.server.addr);
        let mut request = address.into_client_request().expect("address");
        let origin = format!("http://{}", self.server.addr).parse().expect("origin");
        request.headers_mut().insert("origin", origin);
        if let Some(cookie) = &self.cookie {
            request.headers_mut().insert("cookie", cookie.parse().expect("cookie"));
        }
        Some(client_async(request, io).await.ok()?.0)
    }
}

/// Connects to the server through a relay.
async fn open_stream(
    server: Arc<Server>,
    transport: Transport,
    rates: FaultRates,
    seed: u64,
) -> Option<Io> {
    match transport {
        Transport::Memory => {
            let (page, down) = tokio::io::duplex(BUFFER_BYTES);
            let dial = async move || {
                let (up, end) = tokio::io::duplex(BUFFER_BYTES);
                server.serve_connection(end, SocketAddr::from(([127, 0, 0, 1], 9)));
                Some(Box::new(up) as Io)
            };
            tokio::spawn(relay(Box::new(down), dial, rates, seed));
            Some(Box::new(page))
        }
        Transport::Tcp => {
            static PLACES: Semaphore = Semaphore::const_new(TCP_CONNECTIONS_MAX);
            let permit = PLACES.acquire().await.expect("never closed");
            let listener = TcpListener::bind("127.0.0.1:0").await.ok()?;
            let addr = listener.local_addr().ok()?;
            let dial = async move || {
                let up = TcpStream::connect(server.addr).await.ok()?;
                Some(Box::new(up) as Io)
            };
            let page = TcpStream::connect(addr).await.ok()?;
            tokio::spawn(async move {
                let _held = permit;
                let Ok((down, _)) = listener.accept().await else { return };
                relay(Box::new(down), dial, rates, seed).await;
            });
            Some(Box::new(page))
        }
    }
}

impl Schedule {
    /// Waits until all clients have the end of the game and no pending command, and compares them.
    /// Returns the numbers of moves, connections, gaps and negative controls.
    async fn finish(mut self, server: &Server) -> [usize; 4] {
        let began = tokio::time::Instant::now();
        let id = self.game.parse().expect("id");
        let views = loop {
            if let Some(broken) = self.tasks.try_join_next() {
                broken.unwrap_or_else(|error| panic!("schedule {}: {error}", self.seed));
            }
            let seen = self.views.iter().map(|view| view.lock().expect("view").clone());
            let seen: Vec<View> = seen.collect();
            if seen.iter().all(|view| view.end.is_some() && view.pending.is_none()) {
                let snapshot = server.rooms.snapshot(&id).await.expect("the game");
                if seen.iter().all(|view| view.v == Some(snapshot.v)) {
                    break seen;
                }
            }
            let late = began.elapsed() > SCHEDULE_TIMEOUT;
            assert!(!late, "schedule {} does not end: {seen:?}", self.seed);
            tokio::time::sleep(Duration::from_millis(100)).await;
        };
        let snapshot = server.rooms.snapshot(&id).await.expect("the game");
        let ended = snapshot.row.result.expect("an end");
        for view in &views {
            assert_eq!(*view.moves, *snapshot.moves, "schedule {}", self.seed);
            let end = view.end.as_ref().expect("an end");
            assert_eq!(end["status"], json!(ended.end.status), "schedule {}", self.seed);
            assert_eq!(end["winner"], json!(ended.end.winner), "schedule {}", self.seed);
        }
        let is_control = self.check_histories(server, &snapshot.row, &views).await;
        let sum = |of: fn(&View) -> usize| views.iter().map(of).sum();
        let connections = sum(|view| view.connections);
        [snapshot.moves.len(), connections, sum(|view| view.gaps), usize::from(is_control)]
    }
}

impl Schedule {
    /// Compares all messages of the clients with the log. Returns whether the checker was tried
    /// with changes of them.
    async fn check_histories(&self, server: &Server, row: &GameRow, views: &[View]) -> bool {
        let log = server.rooms.store().events(row.key).await.expect("log");
        let mut history = GameHistory::default();
        for (view, side) in views.iter().zip([Some(Side::First), Some(Side::Second), None]) {
            view.history.clone().add_to(&mut history, row, side);
        }
        let found = find_contradictions(row, &log, &history);
        assert_eq!(found, Vec::<String>::new(), "schedule {}", self.seed);
        let is_control = can_be_control(row, &log, &history);
        if is_control {
            assert_rejects_changes(row, &log, &history);
        }
        is_control
    }
}

/// Runs schedules in batches. Returns whether enough connections and gaps occurred.
async fn run(server: &Arc<Server>, seeds: u64, transport: Transport, speedup: u32) -> bool {
    let mut players = guests(&Player::anonymous(server.addr), 2 * PAIRS).await;
    let mut sums = [0; 4];
    for first in (0..seeds).step_by(CONCURRENT_SCHEDULES as usize) {
        // All games start before the first client connects: the simulated clock leaves no time for
        // requests.
        let mut games = Vec::new();
        for seed in first..seeds.min(first + CONCURRENT_SCHEDULES) {
            let pair = seed as usize % PAIRS;
            let [one, two] = &mut players[2 * pair..][..2] else { panic!("two players") };
            games.push((seed, begin([one, two], seed).await));
        }
        let mut schedules = Vec::new();
        for (seed, game) in games {
            let pair = seed as usize % PAIRS;
            let [one, two] = &mut players[2 * pair..][..2] else { panic!("two players") };
            schedules.push(open_clients(server, [one, two], game, seed, transport, speedup));
        }
        let driver =
            matches!(transport, Transport::Memory).then(|| run_paused_clock(server.rooms.clone()));
        // Clients of a finished schedule disconnect immediately.
        let ended = schedules.into_iter().map(|schedule| schedule.finish(server));
        for one in futures_util::future::join_all(ended).await {
            sums = [0, 1, 2, 3].map(|at| sums[at] + one[at]);
        }
        if let Some(driver) = driver {
            driver.abort();
            assert!(driver.await.expect_err("aborted").is_cancelled());
            tokio::time::resume();
        }
    }
    let [moves, connections, gaps, controls] = sums;
    assert!(controls > 0, "no negative control");
    println!("{seeds} schedules: {moves} moves, {connections} connections, {gaps} gaps");
    connections > 4 * seeds as usize && gaps > seeds as usize / 8
}

const SERVER_SETTINGS: [&str; 6] = [
    "--connections-per-address",
    "100000",
    "--player-message-limit",
    "1000000",
    "--spectator-message-limit",
    "1000000",
];

#[tokio::test]
async fn clients_converge_behind_faulty_proxy_in_memory() {
    let server = Arc::new(Server::start_with(&SERVER_SETTINGS).await);
    let schedules = env_number("SPRONG_SCHEDULES", SCHEDULES_IN_MEMORY);
    assert!(run(&server, schedules, Transport::Memory, 1).await, "too few faults occurred");
}

/// Pauses the clock of the runtime, and advances it in steps.
fn run_paused_clock(rooms: Rooms) -> tokio::task::JoinHandle<()> {
    tokio::time::pause();
    tokio::spawn(async move {
        for tick in 0_u32.. {
            // A paused clock does not advance by itself while such a thread runs.
            let moment = tokio::task::spawn_blocking(|| std::thread::sleep(TICK_PAUSE));
            moment.await.expect("a moment");
            // All tasks may run before time advances.
            for _ in 0..YIELDS_PER_TICK {
                tokio::task::yield_now().await;
            }
            if tick.is_multiple_of(TICKS_PER_SYNC) {
                let (done, wait) = std::sync::mpsc::channel::<()>();
                let blocking_task = tokio::task::spawn_blocking(move || wait.recv().is_ok());
                rooms.store().record_heartbeat(now_ms(), 0, Vec::new()).await.expect("stored");
                rooms.store().ping().await.expect("read");
                drop(done);
                blocking_task.await.expect("an end");
            }
            tokio::time::advance(TICK).await;
        }
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clients_converge_behind_faulty_proxy_over_tcp() {
    let server = Arc::new(Server::start_with(&SERVER_SETTINGS).await);
    let schedules = env_number("SPRONG_TCP_SCHEDULES", SCHEDULES_OVER_TCP);
    for speedup in SPEEDUPS {
        let running = run(&server, schedules, Transport::Tcp, speedup);
        if let Ok(true) = tokio::time::timeout(TCP_TIMEOUT / speedup, running).await {
            return;
        }
        println!("delays {speedup} times as short as in a browser are too short for this machine");
        wait_until("rooms stay open", async || server.rooms.is_empty()).await;
    }
    panic!("too few faults occurred, or the schedules did not end in time");
}
