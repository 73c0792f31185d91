//! Scheduling of engine searches between networks, and their deadlines.

use super::engine_load::{endless_search, patient_requester, start_line};
use crate::analysis::wait_for_queue_length;
use crate::support::client::{Server, WAIT_TIMEOUT, wait_until};
use sprong::rooms::{EngineError, Requester, Rooms, SearchRequest};
use sprong::search::Strength;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;

const HOUR: Duration = Duration::from_secs(3600);

/// Names of searches in the order of their results, and whether each was refused.
type SearchResults = Arc<Mutex<Vec<(&'static str, bool)>>>;

/// Starts a search in a background task, which records its result.
fn spawn_search(
    rooms: &Rooms,
    requester: Requester,
    job: SearchRequest,
    name: &'static str,
    results: &SearchResults,
) -> JoinHandle<()> {
    let (rooms, results) = (rooms.clone(), results.clone());
    tokio::spawn(async move {
        let result = rooms.engine_pool().search(requester, start_line(), job).await;
        let busy = result == Err(EngineError::Busy);
        results.lock().expect("answers").push((name, busy));
    })
}

/// Starts a server with `threads` engine threads and a running search of network 1.
async fn server_with_running_search(
    threads: &str,
    queue: &str,
    results: &SearchResults,
) -> (Server, JoinHandle<()>) {
    let settings = ["--engine-threads", threads, "--engine-queue", queue];
    let server = Server::start_with(&settings).await;
    let holder =
        spawn_search(&server.rooms, patient_requester(1), endless_search(HOUR), "holder", results);
    // The search runs once the queue is empty.
    tokio::task::yield_now().await;
    wait_for_queue_length(&server, 0).await;
    (server, holder)
}

#[tokio::test]
async fn other_network_is_served_next() {
    let outcomes = SearchResults::default();
    let (server, holder) = server_with_running_search("1", "256", &outcomes).await;
    let short = endless_search(Duration::from_millis(20));
    let searches: Vec<_> = (0..19)
        .map(|_| spawn_search(&server.rooms, patient_requester(1), short, "crowd", &outcomes))
        .collect();
    let queued =
        || server.rooms.engine_pool().queue_len() + outcomes.lock().expect("answers").len();
    wait_until("expected every search to be queued or refused", async || queued() == 19).await;
    assert!(outcomes.lock().expect("answers").iter().all(|outcome| *outcome == ("crowd", true)));
    let refused = outcomes.lock().expect("answers").len();
    assert!(
        refused > 0 && refused < 19,
        "expected a bounded queue of a network: {refused} refused"
    );
    let other = spawn_search(&server.rooms, patient_requester(2), short, "other", &outcomes);
    futures_util::future::join_all(searches.into_iter().chain([holder, other])).await;
    let finished: Vec<&str> =
        outcomes.lock().expect("answers").iter().filter(|a| !a.1).map(|a| a.0).collect();
    assert_eq!(finished[..3], ["holder", "other", "crowd"]);
    server.stop().await;
}

#[tokio::test]
async fn network_runs_one_search_at_a_time() {
    let outcomes = SearchResults::default();
    let (server, holder) = server_with_running_search("3", "256", &outcomes).await;
    let quick = SearchRequest { strength: Strength::Nodes(1_000), ..endless_search(HOUR) };
    let waits = spawn_search(&server.rooms, patient_requester(1), quick, "same network", &outcomes);
    wait_for_queue_length(&server, 1).await;
    spawn_search(&server.rooms, patient_requester(2), quick, "other network", &outcomes)
        .await
        .expect("an answer");
    assert_eq!(*outcomes.lock().expect("answers"), [("other network", false)]);
    assert_eq!(server.rooms.engine_pool().queue_len(), 1);
    holder.abort();
    waits.await.expect("an answer");
    assert_eq!(outcomes.lock().expect("answers")[1], ("same network", false));
    server.stop().await;
}

#[tokio::test]
async fn short_search_overtakes_long_one_of_its_network() {
    let outcomes = SearchResults::default();
    let (server, holder) = server_with_running_search("1", "256", &outcomes).await;
    let long = endless_search(HOUR);
    let quick = SearchRequest { strength: Strength::Nodes(1_000), ..long };
    let later = spawn_search(&server.rooms, patient_requester(1), long, "long", &outcomes);
    wait_for_queue_length(&server, 1).await;
    let sooner = spawn_search(&server.rooms, patient_requester(1), quick, "quick", &outcomes);
    wait_for_queue_length(&server, 2).await;
    holder.abort();
    sooner.await.expect("an answer");
    assert_eq!(*outcomes.lock().expect("answers"), [("quick", false)]);
    later.abort();
    server.stop().await;
}

#[tokio::test]
async fn search_that_misses_its_deadline_is_refused_immediately() {
    let outcomes = SearchResults::default();
    let (server, holder) = server_with_running_search("1", "256", &outcomes).await;
    let quick = SearchRequest { strength: Strength::Nodes(1_000), ..endless_search(HOUR) };
    let soon = |network| Requester {
        answer_by: Instant::now() + WAIT_TIMEOUT,
        ..patient_requester(network)
    };
    // The search before it may take an hour.
    let requester = soon(1);
    let outcome = server.rooms.engine_pool().search(requester, start_line(), quick).await;
    assert_eq!(outcome, Err(EngineError::Busy));
    assert!(Instant::now() < requester.answer_by, "expected a refusal before the deadline");
    // A search of another network does not wait for that one.
    let outcome = server.rooms.engine_pool().search(soon(2), start_line(), quick).await;
    assert!(outcome.is_ok(), "{outcome:?}");
    holder.await.expect("a finished search");
    // A search without time left is refused, even if a thread is free.
    let late = Requester { answer_by: Instant::now(), ..patient_requester(3) };
    let outcome = server.rooms.engine_pool().search(late, start_line(), quick).await;
    assert_eq!(outcome, Err(EngineError::Busy));
    // A search with a near deadline returns the result found so far.
    let requester =
        Requester { answer_by: Instant::now() + Duration::from_secs(3), ..patient_requester(3) };
    let outcome =
        server.rooms.engine_pool().search(requester, start_line(), endless_search(HOUR)).await;
    assert!(matches!(outcome, Ok(Some(_))), "{outcome:?}");
    server.stop().await;
}

#[tokio::test]
async fn full_queue_yields_to_network_with_fewer_searches() {
    let outcomes = SearchResults::default();
    let (server, holder) = server_with_running_search("1", "3", &outcomes).await;
    let long = endless_search(HOUR);
    let searches: Vec<_> = (0..3)
        .map(|_| spawn_search(&server.rooms, patient_requester(1), long, "crowd", &outcomes))
        .collect();
    wait_for_queue_length(&server, 3).await;
    let quick = SearchRequest { strength: Strength::Nodes(1_000), ..long };
    let outcome =
        server.rooms.engine_pool().search(patient_requester(2), start_line(), quick).await;
    assert!(outcome.is_ok(), "{outcome:?}");
    let results = outcomes.lock().expect("answers").clone();
    assert!(results.contains(&("crowd", true)), "{results:?}");
    holder.abort();
    searches.iter().for_each(JoinHandle::abort);
    server.stop().await;
}
