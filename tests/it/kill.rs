//! Crash tests: `kill -9` at random times while clients play. Acknowledged moves survive, no
//! command is executed twice, ratings are applied once, clocks exclude the downtime, and clients
//! continue their games.

use crate::support::checker::{
    GameHistory, assert_rejects_changes, can_be_control, find_contradictions,
};
use crate::support::client::{
    Player, WORK_TIMEOUT, database_address, env_number, wait_until, wait_within,
};
use crate::support::database::Database;
use crate::support::database_audit;
use crate::support::persistent_clients::{ClientRecords, Nodes, play_games};
use crate::support::process::Process;
use futures_util::StreamExt;
use serde_json::json;
use sprong::rooms::now_ms;
use sprong::rules::{Side, SplitMix};
use sprong::store::{DatabaseAddress, Store};
use std::fmt::{Display, Formatter};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::task::JoinHandle;
use uuid::Uuid;

/// Default number of kills (`SPRONG_KILLS`).
const KILLS: u64 = 40;

/// Minimum average number of games in play at a kill.
pub const IN_PLAY: usize = 50;

/// Pairs of players who play game after game. At any time some of them are between two games, more
/// of them if the machine is slow.
const PAIRS: usize = IN_PLAY + 14;

/// Minimum number of games in play, as the clients know, when the time to a kill begins. Some end
/// before the kill, and clients learn of ends late.
const IN_PLAY_BEFORE: usize = IN_PLAY + 3;

/// Time in ms from a start to the next kill: minimum, and range of the random part.
const UPTIME_MS: [usize; 2] = [30, 270];

/// Factor on that time after all kills, while there are too few moves or games.
const UPTIME_FACTOR: usize = 10;

/// Minimum numbers of acknowledged moves and rated games for a meaningful result.
const MOVES_MIN: usize = 2_000;
const RATED_MIN: usize = 21;

/// Finished games whose histories are changed as negative controls.
const CONTROLS: usize = 5;

/// Initial time of every game, in ms.
const INITIAL_MS: i64 = 10_800_000;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kill_nine_loses_nothing() {
    let kills = env_number("SPRONG_KILLS", KILLS) as usize;
    let folder = TempDir::new().expect("folder");
    let address = database_address(&folder);
    let mut server = Process::start(Path::new(&address), &[]).await;
    let (records, stop) = (ClientRecords::default(), Arc::new(AtomicBool::new(false)));
    let pairs = start_pairs(&[server.addr], &records, &stop).await;
    let mut random = SplitMix::new(Uuid::now_v7().as_u128() as u64);
    let (mut outages, mut downtime, began) = (Vec::new(), Duration::ZERO, Instant::now());
    while outages.len() < kills
        || records.move_count() < MOVES_MIN
        || records.ended_game_count() < RATED_MIN
    {
        let timeout = began.elapsed() > WORK_TIMEOUT;
        let (moves, games) = (records.move_count(), records.ended_game_count());
        assert!(!timeout, "{} kills, {moves} moves, {games} games", outages.len());
        let longer = if outages.len() < kills { 1 } else { UPTIME_FACTOR };
        wait_for_games_in_play(&records, IN_PLAY_BEFORE).await;
        // The process is killed at any moment of the games, not at a certain one.
        let lives_ms = longer * (UPTIME_MS[0] + random.below(UPTIME_MS[1]));
        tokio::time::sleep(Duration::from_millis(lives_ms as u64)).await;
        server.kill();
        let (dead_ms, killed) = (now_ms(), Instant::now());
        assert!(pairs.iter().all(|pair| !pair.is_finished()), "expected all players to continue");
        outages.push([dead_ms, now_ms()]);
        server.restart().await;
        downtime += killed.elapsed();
    }
    let wall = began.elapsed();
    stop.store(true, Ordering::Relaxed);
    end_pairs(pairs, &records, std::slice::from_mut(&mut server)).await;
    let found = audit_records(&address, &records, &outages).await;
    let in_play = found.in_play;
    assert!(in_play >= IN_PLAY, "expected {IN_PLAY} games in play on average, found {in_play}");
    println!("{} kills in {wall:.1?}, {downtime:.1?} of it down; {found}", outages.len());
}

/// Starts pairs of players who play one game after another, and waits for a move of each.
pub async fn start_pairs(
    nodes: &[SocketAddr],
    records: &ClientRecords,
    stop: &Arc<AtomicBool>,
) -> Vec<JoinHandle<u64>> {
    let players =
        (0..2 * PAIRS).map(async |n| Player::register(nodes[0], &format!("Player{n}")).await);
    // More registrations at once would wait for a core until the server closes their connections.
    let players: Vec<_> = futures_util::stream::iter(players).buffered(4).collect().await;
    let mut pairs = Vec::new();
    for (n, two) in players.chunks(2).enumerate() {
        let variant = sprong::variants::ALL[n % sprong::variants::ALL.len()].info.key;
        let two = [two[0].clone(), two[1].clone()];
        let (nodes, seed) = (Nodes::new(nodes), n as u64 * 1_000_000);
        let playing = play_games(two, nodes, variant, seed, records.clone(), stop.clone());
        pairs.push(tokio::spawn(playing));
    }
    wait_until("expected moves of every pair", async || records.moved_game_count() >= PAIRS).await;
    pairs
}

/// Waits until so many pairs play.
pub async fn wait_for_games_in_play(records: &ClientRecords, count: usize) {
    wait_until("expected enough games in play", async || {
        records.moved_game_count() >= records.ended_game_count() + count
    })
    .await;
}

/// Kills the servers after the last fault, once there are enough moves and games. The games in play
/// would take long to end, so they are checked unfinished. Before that, clients send the commands
/// again that the fault interrupted.
pub async fn end_pairs(
    pairs: Vec<JoinHandle<u64>>,
    records: &ClientRecords,
    servers: &mut [Process],
) {
    let moves = MOVES_MIN.max(records.move_count() + PAIRS);
    wait_within(WORK_TIMEOUT, "expected the clients to reconnect and play", async || {
        records.move_count() >= moves && records.ended_game_count() >= RATED_MIN
    })
    .await;
    servers.iter_mut().for_each(Process::kill);
    for pair in pairs {
        pair.abort();
        if let Err(error) = pair.await {
            assert!(error.is_cancelled(), "{error}");
        }
    }
}

/// Contents of the database after the last fault.
pub struct Found {
    /// Average number of games in play when a server went down.
    in_play: usize,
    games: usize,
    rated: usize,
    moves: usize,
}

impl Display for Found {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let Found { in_play, games, rated, moves } = self;
        write!(
            f,
            "{in_play} of {games} games in play each time, {rated} rated; {moves} moves: all stored"
        )
    }
}

/// Asserts that everything the clients received is in the database exactly once, that no clock
/// includes downtime, and that all derived data agrees with the logs.
pub async fn audit_records(address: &str, records: &ClientRecords, downs: &[[i64; 2]]) -> Found {
    let parsed = DatabaseAddress::parse(address.into()).expect("address");
    let store = Store::open_address(&parsed).await.expect("store");
    let games = database_audit::replay_games(&store, &Database::open(address).await).await;
    let rated = database_audit::assert_consistent(&store, &games).await;
    let mut acknowledged = std::mem::take(&mut *records.acknowledged.lock().expect("lock"));
    let mut clocks = std::mem::take(&mut *records.clocks.lock().expect("lock"));
    let mut histories = std::mem::take(&mut *records.histories.lock().expect("lock"));
    let (mut moves, mut controls) = (0, 0);
    for game in &games {
        let id = game.row.id.to_string();
        let mut history = GameHistory::default();
        for side in Side::BOTH {
            let account = game.row.players[side.index()].account.id.clone();
            let own = histories.remove(&(id.clone(), account)).unwrap_or_default();
            own.add_to(&mut history, &game.row, Some(side));
        }
        assert_eq!(
            find_contradictions(&game.row, &game.log, &history),
            Vec::<String>::new(),
            "{id}"
        );
        if controls < CONTROLS && can_be_control(&game.row, &game.log, &history) {
            assert_rejects_changes(&game.row, &game.log, &history);
            controls += 1;
        }
        for own in acknowledged.remove(&id).unwrap_or_default() {
            game.assert_stored_once(own.cid, own.ply, &own.u);
            moves += 1;
        }
        let (excluded_ms, [start_ms, last_ms]) = game.excluded_downtime_ms();
        let Some(clock) = game.game.clock() else {
            assert!(game.row.setup.pace.clock().is_none(), "expected a clock of {id}");
            continue;
        };
        let left_ms = Side::BOTH.map(|side| clock.remaining_ms(side, last_ms));
        let deducted_ms = 2 * INITIAL_MS - left_ms[0] - left_ms[1];
        assert_eq!(
            deducted_ms + excluded_ms,
            last_ms - start_ms,
            "expected all time of {id} on a clock or excluded"
        );
        let within = |down: &&[i64; 2]| down[0] >= start_ms && down[1] <= last_ms;
        let down_ms: i64 = downs.iter().filter(within).map(|[dead, up]| up - dead).sum();
        assert!(excluded_ms >= down_ms, "{id}: {excluded_ms} of {down_ms} ms were excluded");
        for shown_ms in clocks.remove(&id).unwrap_or_default() {
            assert_eq!(shown_ms, left_ms, "expected the stored clocks of {id} at its end");
        }
    }
    assert!(acknowledged.is_empty() && clocks.is_empty(), "expected every game of the clients");
    assert!(histories.is_empty(), "expected every game of the clients");
    assert_eq!(controls, CONTROLS, "expected negative controls");
    assert!(moves >= MOVES_MIN && rated >= RATED_MIN, "{moves} moves, {rated} games");
    let in_play = |dead_ms: i64| {
        let begun = games.iter().filter(|game| game.row.setup.created_ms <= dead_ms);
        begun.filter(|game| game.row.ended_ms.is_none_or(|ended_ms| ended_ms > dead_ms)).count()
    };
    let in_play = downs.iter().map(|down| in_play(down[0])).sum::<usize>() / downs.len();
    store.close().await;
    Found { in_play, games: games.len(), rated, moves }
}

#[tokio::test]
async fn downtime_is_deducted_from_neither_clock() {
    let folder = TempDir::new().expect("folder");
    let mut server = Process::start(&folder.path().join("sprong.db"), &[]).await;
    let mut ann = Player::register(server.addr, "Ann").await;
    let mut bob = Player::register(server.addr, "Bob").await;
    let id = ann.start_game(&mut bob, "caterpillarWar", json!({ "clock.limit": 60 })).await;
    ann.post(&format!("/api/board/game/{id}/move/h5-g5"), json!({})).await;
    // The clock of the first player starts with the second move.
    let before = Instant::now();
    bob.post(&format!("/api/board/game/{id}/move/a4-b4"), json!({})).await;
    server.kill();
    let before = before.elapsed();
    // Duration of the outage that must not be deducted: no process runs whose state could be
    // awaited.
    tokio::time::sleep(Duration::from_secs(4)).await;
    let after = Instant::now();
    server.restart().await;
    let (_, game) = ann.get(&format!("/api/game/{id}")).await;
    let up_ms = (before + after.elapsed()).as_millis() as i64;
    let deducted_ms = 60_000 - game["clocks"]["first"].as_i64().expect("clock");
    // The times are rounded to milliseconds.
    assert!(deducted_ms <= up_ms + 2, "{deducted_ms} ms deducted for {up_ms} ms of up time");
    assert_eq!(game["clocks"]["running"], "first");
    // The downtime is a `resumed` event, and a slow start adds another.
    assert!([3, 4].contains(&game["v"].as_i64().expect("v")), "{}", game["v"]);
    server.kill();
}

/// The process of a killed server keeps the lock of the database until it is gone.
#[tokio::test]
async fn server_starts_while_a_killed_one_is_ending() {
    let folder = TempDir::new().expect("folder");
    let path = folder.path().join("sprong.db");
    let mut server = Process::start(&path, &[]).await;
    for _ in 0..20 {
        server.signal("KILL");
        // Starts before the end of the killed process is awaited.
        let next = Process::start(&path, &[]).await;
        let (status, _) = Player::anonymous(next.addr).get("/api/variants").await;
        assert_eq!(status, 200);
        server = next;
    }
}
