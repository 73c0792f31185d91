//! Engine searches under pressure: little clock time, few threads, a full queue.

use super::super::client::{PATIENCE, Server, until};
use super::{Table, begin, id_of};
use futures_util::FutureExt;
use serde_json::json;
use sprong::play::line::Line;
use sprong::rooms::{Job, Requester, Thinkers, Thoughtless};
use sprong::search::{Strength, Thought};
use sprong::variants::ALL;
use std::net::IpAddr;
use std::pin::Pin;
use std::time::{Duration, Instant};

pub fn start() -> Line {
    Line::new(ALL[0].start(&ALL[0].options(), 0))
}

/// Result of a search.
type Found = Result<Option<Thought>, Thoughtless>;

/// Time limit far longer than any wait of these tests.
const HOUR: Duration = Duration::from_secs(3600);

/// Returns a requester of network `network` with a deadline of a day.
pub fn patient(network: u8) -> Requester {
    let answer_by = Instant::now() + Duration::from_secs(24 * 3600);
    Requester { network: IpAddr::from([10, 0, 0, network]), answer_by }
}

fn job(strength: Strength, time_max: Duration) -> Job {
    Job { strength, seed: 0, lines: 1, time_max }
}

/// Returns a search that only `time_max` ends.
pub fn endless(time_max: Duration) -> Job {
    job(Strength::Nodes(u64::MAX >> 1), time_max)
}

/// Starts an endless search and waits until a thread runs it.
async fn searching(thinkers: &Thinkers) -> Pin<Box<impl Future<Output = Found>>> {
    let mut search = Box::pin(thinkers.think(patient(1), start(), endless(HOUR)));
    // The first poll queues the search.
    assert_eq!((&mut search).now_or_never(), None);
    until("expected a thread to take the search", async || thinkers.waiting() == 0).await;
    search
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn level_8_does_not_lose_on_time_with_ten_seconds() {
    // A bot short of time moves faster than humans, so the message limit is raised.
    let server = Server::start_with(&["--play-messages", "1000000"]).await;
    let games = ALL.iter().map(|variant| {
        let server = &server;
        async move {
            let mut guest = server.guest().await;
            let key = variant.info.key;
            let id = id_of(&begin(&mut guest, 8, key, json!({ "clock.limit": 10 })).await);
            let end = Table::sit(&guest, &id).await.play_out(8).await;
            let late = end["status"] == "outoftime" && end["winner"] == "first";
            assert!(!late, "{key}: {end}");
        }
    });
    futures_util::future::join_all(games).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn full_engine_queue_delays_bots_and_refuses_others() {
    let server = Server::start_with(&["--think-threads", "1", "--think-queue", "1"]).await;
    let mut guests = Vec::new();
    for _ in 0..8 {
        let mut guest = server.guest().await;
        let id = id_of(&begin(&mut guest, 5, "hogga", json!({})).await);
        guests.push((guest, id));
    }
    let games = guests.iter().map(async |(guest, id)| {
        let mut table = Table::sit(guest, id).await;
        for _ in 0..3 {
            assert!(table.turn().await);
            let u = table.legal[0].clone();
            table.play(&u).await;
        }
        assert!(table.turn().await);
    });
    let busy = async {
        let limit = Instant::now() + PATIENCE;
        let (mut guest, id) = guests[0].clone();
        loop {
            let long = endless(Duration::from_secs(1));
            let thinkers = server.rooms.thinkers();
            let (one, two, three) = tokio::join!(
                thinkers.think(patient(1), start(), long),
                thinkers.think(patient(1), start(), long),
                thinkers.think(patient(1), start(), long)
            );
            let refused = [one, two, three].contains(&Err(Thoughtless::Busy));
            let told = guest.post(&format!("/api/game/{id}/hint"), json!({})).await;
            assert!([200, 403, 429, 503].contains(&told.0), "{told:?}");
            if refused {
                return;
            }
            assert!(Instant::now() < limit, "expected a refused search");
        }
    };
    tokio::join!(futures_util::future::join_all(games), busy);
    server.stop().await;
}

#[tokio::test]
async fn search_ends_with_time_limit_requester_and_server() {
    let server = Server::start_with(&["--think-threads", "1"]).await;
    let thinkers = server.rooms.thinkers();
    let long = job(Strength::Nodes(u64::MAX >> 1), Duration::from_millis(300));
    let found = tokio::time::timeout(PATIENCE, thinkers.think(patient(1), start(), long)).await;
    assert!(found.expect("an end").expect("an answer").is_some());
    // A requester that stops waiting frees the thread.
    drop(searching(thinkers).await);
    let quick = job(Strength::Level(1), HOUR);
    let found = tokio::time::timeout(PATIENCE, thinkers.think(patient(1), start(), quick)).await;
    assert!(found.expect("a free thread").expect("an answer").is_some());
    // A search that panics returns an error, and its thread continues.
    let broken = thinkers.think(patient(1), start(), job(Strength::Level(99), HOUR)).await;
    assert_eq!(broken, Err(Thoughtless::Broken));
    assert!(thinkers.think(patient(1), start(), quick).await.expect("an answer").is_some());
    let rooms = server.rooms.clone();
    let search = searching(rooms.thinkers()).await;
    server.stop().await;
    tokio::time::timeout(PATIENCE, search).await.expect("an end").ok();
}

#[tokio::test]
async fn long_analysis_gives_way_to_a_bots_move() {
    let server = Server::start_with(&["--think-threads", "1"]).await;
    let mut ann = server.player("Ann").await;
    let id = id_of(&begin(&mut ann, 1, "hogga", json!({})).await);
    let mut table = Table::sit(&ann, &id).await;
    let look = searching(server.rooms.thinkers()).await;
    let u = table.legal[0].clone();
    table.play(&u).await;
    assert!(tokio::time::timeout(PATIENCE, table.turn()).await.expect("a bot's move"));
    let known = tokio::time::timeout(PATIENCE, look).await.expect("an end");
    assert!(known.expect("an answer").is_some(), "expected the result found so far");
    server.stop().await;
}

#[tokio::test]
async fn bot_search_comes_before_queued_analyses() {
    let server = Server::start_with(&["--think-threads", "1"]).await;
    let mut ann = server.player("Ann").await;
    let id = id_of(&begin(&mut ann, 1, "hogga", json!({})).await);
    let mut table = Table::sit(&ann, &id).await;
    // One search may end before each search for the bot's move, and before the one after its pause.
    const FINISHED_MAX: usize = 5;
    let long = endless(Duration::from_millis(1500));
    let looks = (0..20).map(|network| {
        let rooms = server.rooms.clone();
        tokio::spawn(async move { rooms.thinkers().think(patient(network), start(), long).await })
    });
    let looks: Vec<_> = looks.collect();
    let waiting = async || server.rooms.thinkers().waiting() == looks.len() - 1;
    until("expected all but one search in the queue", waiting).await;
    let u = table.legal[0].clone();
    table.play(&u).await;
    let began = Instant::now();
    assert!(table.turn().await);
    println!("{:.1?} for a bot's move", began.elapsed());
    let finished = looks.iter().filter(|look| look.is_finished()).count();
    assert!(finished <= FINISHED_MAX, "{finished} of the others came before");
    looks.iter().for_each(tokio::task::JoinHandle::abort);
    server.stop().await;
}
