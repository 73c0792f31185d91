//! Memory tests: resident memory stays within a bound under all kinds of hostile traffic at once,
//! and after many sign-ups.

use super::hostile_clients::client::{Client, play_game};
use super::hostile_clients::floods::HostileLoad;
use crate::support::client::{Player, WORK_TIMEOUT, wait_until};
use crate::support::process::Process;
use futures_util::StreamExt;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Default limits of the server, which the other tests raise.
const LIMITS: [&str; 20] = [
    "--connections-per-address",
    "200",
    "--write-limit",
    "300",
    "--read-limit",
    "600",
    "--position-limit",
    "600",
    "--challenges-max",
    "10",
    "--challenge-limit",
    "60",
    "--challenges-per-address",
    "20",
    "--challenges-per-guest",
    "2",
    "--aborts-max",
    "5",
    "--chat-limit",
    "5",
];

/// Duration of the baseline, and minimum duration of the hostile traffic.
const BASELINE_DURATION: Duration = Duration::from_secs(3);
const LOAD_DURATION_MIN: Duration = Duration::from_secs(8);

/// Minimum numbers of moves and broken frames during the hostile traffic.
const MOVES_MIN: usize = 50;
const BROKEN_FRAMES_MIN: u64 = 1_000;

/// Maximum number of concurrent hostile connections: 200 unfinished request heads from one address
/// and 100 from another, 200 spectator sockets, and 8 connections of each of the other five kinds.
const CONNECTIONS: u64 = 200 + 100 + 200 + 5 * 8;

/// Memory of a connection: 32 KiB for a request head, or for a body in its place, and 8 KiB each
/// for the read and write buffers of a socket.
const CONNECTION_KIB: u64 = 32 + 2 * 8;

/// Memory that does not grow with connections: 2 MiB for each of SQLite's five caches, the queues
/// of the writer and the rooms, rate limiter tables, and memory that the allocator does not return.
const SHARED_KIB: u64 = 5 * 2_048 + 6 * 1_024;

/// Growth that may remain after the hostile traffic.
const RESIDUE_KIB: u64 = SHARED_KIB;

/// Number of sign-ups, and how many are sent at once: more than the server hashes at once.
const SIGN_UPS: usize = 48;
const CONCURRENT_SIGN_UPS: usize = 6;

fn resident_kib(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("status");
    let memory = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("VmRSS");
    memory.trim().trim_end_matches(" kB").parse().expect("a number")
}

/// Plays at least one game, and further games for `lasts`. Returns the number of moves and the
/// latency of the slowest.
async fn play_for(
    two: &[Client; 2],
    lasts: Duration,
    load: Option<&HostileLoad>,
) -> (usize, Duration) {
    let (limit, mut latencies) = (Instant::now() + lasts, Vec::new());
    while latencies.is_empty() || Instant::now() < limit {
        let played =
            play_game(two, |id| load.into_iter().for_each(|load| load.switch_game(id))).await;
        latencies.extend(played.expect("a game"));
    }
    (latencies.len(), latencies.into_iter().max().unwrap_or_default())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn memory_stays_bounded_under_hostile_traffic() {
    crate::support::many_spectators::raise_descriptor_limit();
    let folder = TempDir::new().expect("folder");
    let server = Process::start(&folder.path().join("sprong.db"), &LIMITS).await;
    let local_client =
        async || Client::new(server.addr, Ipv4Addr::LOCALHOST).await.expect("a guest");
    let two = [local_client().await, local_client().await];
    let (calm, _) = play_for(&two, BASELINE_DURATION, None).await;
    let process = server.id();
    let idle_kib = resident_kib(process);

    let peak_kib = Arc::new(AtomicU64::new(0));
    let highest = peak_kib.clone();
    let sampler = tokio::spawn(async move {
        loop {
            highest.fetch_max(resident_kib(process), Ordering::Relaxed);
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    });
    let load = HostileLoad::start(server.addr, 1, "zzzzzzzz").await.expect("hostile traffic");
    let began = Instant::now();
    let (mut moves, mut slowest) = (0, Duration::ZERO);
    let is_enough = |moves| {
        load.has_all_kinds() && load.malformed_frames() >= BROKEN_FRAMES_MIN && moves >= MOVES_MIN
    };
    while began.elapsed() < LOAD_DURATION_MIN || !is_enough(moves) {
        assert!(
            began.elapsed() < WORK_TIMEOUT,
            "expected all kinds of traffic: {moves} moves, {load}"
        );
        let (more, most) = play_for(&two, Duration::ZERO, Some(&load)).await;
        (moves, slowest) = (moves + more, slowest.max(most));
    }
    let all = load.to_string();
    drop(load);
    sampler.abort();
    let peak_kib = peak_kib.load(Ordering::Relaxed);

    // Closed connections are released immediately, and unresponsive ones after 30 s at most.
    let most_kib = idle_kib + RESIDUE_KIB;
    wait_until("expected the memory to be released", async || resident_kib(process) <= most_kib)
        .await;
    let after_kib = resident_kib(process);
    println!("{idle_kib} KiB before, {peak_kib} at the peak, {after_kib} after; {all}");
    println!("{calm} moves before, {moves} under load, {slowest:?} the slowest");
    let bound_kib = idle_kib + CONNECTIONS * CONNECTION_KIB + SHARED_KIB;
    assert!(peak_kib < bound_kib, "{peak_kib} KiB, the bound is {bound_kib}");
    let (again, _) = play_for(&two, Duration::from_secs(1), None).await;
    assert!(again > 0, "expected moves after the traffic");
}

/// Each hash of a password takes 19 MiB, in any thread of the blocking pool.
#[tokio::test]
async fn memory_of_password_hashes_is_released() {
    let folder = TempDir::new().expect("folder");
    let server = Process::start(&folder.path().join("sprong.db"), &[]).await;
    // The first sign-up allocates what remains for the others.
    Player::register(server.addr, "Ann").await;
    let first_kib = resident_kib(server.id());
    let signing_up =
        (0..SIGN_UPS).map(async |n| Player::register(server.addr, &format!("Player{n}")).await);
    let players: Vec<_> =
        futures_util::stream::iter(signing_up).buffered(CONCURRENT_SIGN_UPS).collect().await;
    assert_eq!(players.len(), SIGN_UPS);
    let bound_kib = first_kib + RESIDUE_KIB;
    wait_until("expected the memory to be released", async || {
        resident_kib(server.id()) <= bound_kib
    })
    .await;
}
