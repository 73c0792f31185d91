//! Memory is bounded: what strangers can make the server hold, all floods at once.

use super::client::{WORK_TIMEOUT, until};
use super::process::Process;
use super::storm::client::{Client, play};
use super::storm::floods::Storm;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// What the server allows by itself: the storm's limits, and not those of the other tests.
const LIMITS: [&str; 20] = [
    "--address-connections",
    "200",
    "--requests",
    "300",
    "--looks",
    "600",
    "--questions",
    "600",
    "--challenges-max",
    "10",
    "--challenges-limit",
    "60",
    "--address-challenges-max",
    "20",
    "--guest-challenges-max",
    "2",
    "--aborts-max",
    "5",
    "--talks",
    "5",
];

/// How long it is quiet, and how long it storms at least.
const QUIET: Duration = Duration::from_secs(3);
const STORM: Duration = Duration::from_secs(8);

/// Moves and broken frames of the storm.
const MOVES_MIN: usize = 50;
const BROKEN_FRAMES_MIN: u64 = 1_000;

/// Connections that the storm can have at one time: two hundred heads of one address and a hundred of
/// another, two hundred sockets that watch, and eight of each of the other five kinds.
const CONNECTIONS: u64 = 200 + 100 + 200 + 5 * 8;

/// What a connection may hold: 32 KiB of a head, or a body of the same size in its place; 8 KiB that
/// a socket reads and as much that it writes.
const CONNECTION_KIB: u64 = 32 + 2 * 8;

/// What does not grow with connections: 2 MiB for each of SQLite's five caches, the writer's and the
/// rooms' queues, tables of rates, and what the allocator does not give back.
const SHARED_KIB: u64 = 5 * 2_048 + 6 * 1_024;

/// What may be left of it when it has gone.
const LEFT_KIB: u64 = SHARED_KIB;

fn resident_kib(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("status");
    let memory = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("VmRSS");
    memory.trim().trim_end_matches(" kB").parse().expect("a number")
}

/// Two play at least one game, and until the time is over: how many moves, and how long the slowest was on its way.
async fn play_for(two: &[Client; 2], lasts: Duration, storm: Option<&Storm>) -> (usize, Duration) {
    let (limit, mut took) = (Instant::now() + lasts, Vec::new());
    while took.is_empty() || Instant::now() < limit {
        let played = play(two, |id| storm.into_iter().for_each(|storm| storm.turn_to(id))).await;
        took.extend(played.expect("a game"));
    }
    (took.len(), took.into_iter().max().unwrap_or_default())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn memory_stays_bounded_while_everything_floods_and_two_play_on() {
    super::crowd::many_descriptors();
    let folder = TempDir::new().expect("folder");
    let server = Process::start(&folder.path().join("sprong.db"), &LIMITS).await;
    let here = async || Client::new(server.addr, Ipv4Addr::LOCALHOST).await.expect("a guest");
    let two = [here().await, here().await];
    let (calm, _) = play_for(&two, QUIET, None).await;
    let process = server.id();
    let quiet_kib = resident_kib(process);

    let peak_kib = Arc::new(AtomicU64::new(0));
    let highest = peak_kib.clone();
    let look = tokio::spawn(async move {
        loop {
            highest.fetch_max(resident_kib(process), Ordering::Relaxed);
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    });
    let storm = Storm::begin(server.addr, 1, "zzzzzzzz").await.expect("a storm");
    let began = Instant::now();
    let (mut moves, mut slowest) = (0, Duration::ZERO);
    let is_enough = |moves| {
        storm.is_whole() && storm.broken_frames() >= BROKEN_FRAMES_MIN && moves >= MOVES_MIN
    };
    while began.elapsed() < STORM || !is_enough(moves) {
        assert!(began.elapsed() < WORK_TIMEOUT, "{moves} moves, and not all of it: {storm}");
        let (more, most) = play_for(&two, Duration::ZERO, Some(&storm)).await;
        (moves, slowest) = (moves + more, slowest.max(most));
    }
    let all = storm.to_string();
    drop(storm);
    look.abort();
    let peak_kib = peak_kib.load(Ordering::Relaxed);

    // Whoever is gone is noticed at once, and what took nothing after half a minute at the most.
    let most_kib = quiet_kib + LEFT_KIB;
    until("memory stays in use", async || resident_kib(process) <= most_kib).await;
    let after_kib = resident_kib(process);
    println!("{quiet_kib} KiB quiet, {peak_kib} at the most, {after_kib} after; {all}");
    println!("{calm} moves in the quiet, {moves} in the storm, {slowest:?} the slowest");
    let bound_kib = quiet_kib + CONNECTIONS * CONNECTION_KIB + SHARED_KIB;
    assert!(peak_kib < bound_kib, "{peak_kib} KiB, the bound is {bound_kib}");
    let (again, _) = play_for(&two, Duration::from_secs(1), None).await;
    assert!(again > 0, "nobody plays on");
}
