//! Engine searches under pressure: little clock time, few threads, a full queue.

use super::{GameClient, game_id, start_bot_game};
use crate::support::client::{Server, WAIT_TIMEOUT, wait_until};
use futures_util::FutureExt;
use serde_json::json;
use sprong::play::played_line::PlayedLine;
use sprong::rooms::{EngineError, EnginePool, Requester, SearchRequest};
use sprong::search::{SearchResult, Strength};
use sprong::variants::ALL;
use std::net::IpAddr;
use std::pin::Pin;
use std::time::{Duration, Instant};

pub fn start_line() -> PlayedLine {
    PlayedLine::new(ALL[0].start(&ALL[0].options(), 0))
}

/// Result of a search.
type FoundMove = Result<Option<SearchResult>, EngineError>;

/// Time limit far longer than any wait of these tests.
const HOUR: Duration = Duration::from_secs(3600);

/// Returns a requester of network `network` with a deadline of a day.
pub fn patient_requester(network: u8) -> Requester {
    let answer_by = Instant::now() + Duration::from_secs(24 * 3600);
    Requester { network: IpAddr::from([10, 0, 0, network]), answer_by }
}

fn search_request(strength: Strength, time_max: Duration) -> SearchRequest {
    SearchRequest { strength, seed: 0, lines: 1, time_max }
}

/// Returns a search that only `time_max` ends.
pub fn endless_search(time_max: Duration) -> SearchRequest {
    search_request(Strength::Nodes(u64::MAX >> 1), time_max)
}

/// Starts an endless search and waits until a thread runs it.
async fn start_endless_search(thinkers: &EnginePool) -> Pin<Box<impl Future<Output = FoundMove>>> {
    let mut search =
        Box::pin(thinkers.search(patient_requester(1), start_line(), endless_search(HOUR)));
    // The first poll queues the search.
    assert_eq!((&mut search).now_or_never(), None);
    wait_until("expected a thread to take the search", async || thinkers.queue_len() == 0).await;
    search
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn level_8_does_not_lose_on_time_with_ten_seconds() {
    // A bot short of time moves faster than humans, so the message limit is raised.
    let server = Server::start_with(&["--player-message-limit", "1000000"]).await;
    let games = ALL.iter().map(|variant| {
        let server = &server;
        async move {
            let mut guest = server.guest().await;
            let key = variant.info.key;
            let id =
                game_id(&start_bot_game(&mut guest, 8, key, json!({ "clock.limit": 10 })).await);
            let end = GameClient::join(&guest, &id).await.play_out(8).await;
            let late = end["status"] == "outoftime" && end["winner"] == "first";
            assert!(!late, "{key}: {end}");
        }
    });
    futures_util::future::join_all(games).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn full_engine_queue_delays_bots_and_refuses_others() {
    let server = Server::start_with(&["--engine-threads", "1", "--engine-queue", "1"]).await;
    let mut guests = Vec::new();
    for _ in 0..8 {
        let mut guest = server.guest().await;
        let id = game_id(&start_bot_game(&mut guest, 5, "hogga", json!({})).await);
        guests.push((guest, id));
    }
    let games = guests.iter().map(async |(guest, id)| {
        let mut client = GameClient::join(guest, id).await;
        for _ in 0..3 {
            assert!(client.wait_for_turn().await);
            let u = client.legal[0].clone();
            client.play(&u).await;
        }
        assert!(client.wait_for_turn().await);
    });
    let busy = async {
        let (mut guest, id) = guests[0].clone();
        wait_until("expected a refused search", async || {
            let long = endless_search(Duration::from_secs(1));
            let thinkers = server.rooms.engine_pool();
            let (one, two, three) = tokio::join!(
                thinkers.search(patient_requester(1), start_line(), long),
                thinkers.search(patient_requester(1), start_line(), long),
                thinkers.search(patient_requester(1), start_line(), long)
            );
            let hint = guest.post(&format!("/api/game/{id}/hint"), json!({})).await;
            assert!([200, 403, 429, 503].contains(&hint.0), "{hint:?}");
            [one, two, three].contains(&Err(EngineError::Busy))
        })
        .await;
    };
    tokio::join!(futures_util::future::join_all(games), busy);
    server.stop().await;
}

#[tokio::test]
async fn search_ends_with_time_limit_requester_and_server() {
    let server = Server::start_with(&["--engine-threads", "1"]).await;
    let thinkers = server.rooms.engine_pool();
    let long = search_request(Strength::Nodes(u64::MAX >> 1), Duration::from_millis(300));
    let found = tokio::time::timeout(
        WAIT_TIMEOUT,
        thinkers.search(patient_requester(1), start_line(), long),
    )
    .await;
    assert!(found.expect("an end").expect("an answer").is_some());
    // A requester that stops waiting frees the thread.
    drop(start_endless_search(thinkers).await);
    let quick = search_request(Strength::Level(1), HOUR);
    let found = tokio::time::timeout(
        WAIT_TIMEOUT,
        thinkers.search(patient_requester(1), start_line(), quick),
    )
    .await;
    assert!(found.expect("a free thread").expect("an answer").is_some());
    // A search that panics returns an error, and its thread continues.
    let broken = thinkers
        .search(patient_requester(1), start_line(), search_request(Strength::Level(99), HOUR))
        .await;
    assert_eq!(broken, Err(EngineError::Panicked));
    assert!(
        thinkers
            .search(patient_requester(1), start_line(), quick)
            .await
            .expect("an answer")
            .is_some()
    );
    let rooms = server.rooms.clone();
    let search = start_endless_search(rooms.engine_pool()).await;
    server.stop().await;
    tokio::time::timeout(WAIT_TIMEOUT, search).await.expect("an end").ok();
}

#[tokio::test]
async fn long_analysis_gives_way_to_a_bots_move() {
    let server = Server::start_with(&["--engine-threads", "1"]).await;
    let mut ann = server.player("Ann").await;
    let id = game_id(&start_bot_game(&mut ann, 1, "hogga", json!({})).await);
    let mut client = GameClient::join(&ann, &id).await;
    let analysis = start_endless_search(server.rooms.engine_pool()).await;
    let u = client.legal[0].clone();
    client.play(&u).await;
    assert!(
        tokio::time::timeout(WAIT_TIMEOUT, client.wait_for_turn()).await.expect("a bot's move")
    );
    let result = tokio::time::timeout(WAIT_TIMEOUT, analysis).await.expect("an end");
    assert!(result.expect("an answer").is_some(), "expected the result found so far");
    server.stop().await;
}

#[tokio::test]
async fn bot_search_comes_before_queued_analyses() {
    let server = Server::start_with(&["--engine-threads", "1"]).await;
    let mut ann = server.player("Ann").await;
    let id = game_id(&start_bot_game(&mut ann, 1, "hogga", json!({})).await);
    let mut client = GameClient::join(&ann, &id).await;
    // One search may end before each search for the bot's move, and before the one after its pause.
    const FINISHED_MAX: usize = 5;
    let long = endless_search(Duration::from_millis(1500));
    let analyses = (0..20).map(|network| {
        let rooms = server.rooms.clone();
        tokio::spawn(async move {
            rooms.engine_pool().search(patient_requester(network), start_line(), long).await
        })
    });
    let looks: Vec<_> = analyses.collect();
    let waiting = async || server.rooms.engine_pool().queue_len() == looks.len() - 1;
    wait_until("expected all but one search in the queue", waiting).await;
    let u = client.legal[0].clone();
    client.play(&u).await;
    let began = Instant::now();
    assert!(client.wait_for_turn().await);
    println!("{:.1?} for a bot's move", began.elapsed());
    let finished = looks.iter().filter(|look| look.is_finished()).count();
    assert!(finished <= FINISHED_MAX, "{finished} of the others came before");
    looks.iter().for_each(tokio::task::JoinHandle::abort);
    server.stop().await;
}
