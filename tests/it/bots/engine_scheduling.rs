//! Scheduling of engine searches between networks, and their deadlines.

use super::engine_load::{endless_search, patient_requester, start_line};
use crate::support::client::{Server, WAIT_TIMEOUT};
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
    answers: &SearchResults,
) -> JoinHandle<()> {
    let (rooms, answers) = (rooms.clone(), answers.clone());
    tokio::spawn(async move {
        let answer = rooms.engine_pool().search(requester, start_line(), job).await;
        let busy = answer == Err(EngineError::Busy);
        answers.lock().expect("answers").push((name, busy));
    })
}

async fn wait_until(condition: impl Fn() -> bool) {
    let deadline = Instant::now() + WAIT_TIMEOUT;
    while !condition() {
        assert!(Instant::now() < deadline, "expected the condition to hold in time");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Starts a server with `threads` engine threads and a running search of network 1.
async fn server_with_running_search(
    threads: &str,
    queue: &str,
    answers: &SearchResults,
) -> (Server, JoinHandle<()>) {
    let settings = ["--engine-threads", threads, "--engine-queue", queue];
    let server = Server::start_with(&settings).await;
    let holder =
        spawn_search(&server.rooms, patient_requester(1), endless_search(HOUR), "holder", answers);
    // The search runs once the queue is empty.
    tokio::task::yield_now().await;
    let rooms = server.rooms.clone();
    wait_until(|| rooms.engine_pool().queue_len() == 0).await;
    (server, holder)
}

#[tokio::test]
async fn other_network_is_served_next() {
    let answers = SearchResults::default();
    let (server, holder) = server_with_running_search("1", "256", &answers).await;
    let short = endless_search(Duration::from_millis(20));
    let crowd: Vec<_> = (0..19)
        .map(|_| spawn_search(&server.rooms, patient_requester(1), short, "crowd", &answers))
        .collect();
    let queued = || server.rooms.engine_pool().queue_len() + answers.lock().expect("answers").len();
    wait_until(|| queued() == 19).await;
    assert!(answers.lock().expect("answers").iter().all(|answer| *answer == ("crowd", true)));
    let refused = answers.lock().expect("answers").len();
    assert!(
        refused > 0 && refused < 19,
        "expected a bounded queue of a network: {refused} refused"
    );
    let other = spawn_search(&server.rooms, patient_requester(2), short, "other", &answers);
    futures_util::future::join_all(crowd.into_iter().chain([holder, other])).await;
    let answered: Vec<&str> =
        answers.lock().expect("answers").iter().filter(|a| !a.1).map(|a| a.0).collect();
    assert_eq!(answered[..3], ["holder", "other", "crowd"]);
    server.stop().await;
}

#[tokio::test]
async fn network_runs_one_search_at_a_time() {
    let answers = SearchResults::default();
    let (server, holder) = server_with_running_search("3", "256", &answers).await;
    let quick = SearchRequest { strength: Strength::Nodes(1_000), ..endless_search(HOUR) };
    let waits = spawn_search(&server.rooms, patient_requester(1), quick, "same network", &answers);
    wait_until(|| server.rooms.engine_pool().queue_len() == 1).await;
    spawn_search(&server.rooms, patient_requester(2), quick, "other network", &answers)
        .await
        .expect("an answer");
    assert_eq!(*answers.lock().expect("answers"), [("other network", false)]);
    assert_eq!(server.rooms.engine_pool().queue_len(), 1);
    holder.abort();
    waits.await.expect("an answer");
    assert_eq!(answers.lock().expect("answers")[1], ("same network", false));
    server.stop().await;
}

#[tokio::test]
async fn short_search_overtakes_long_one_of_its_network() {
    let answers = SearchResults::default();
    let (server, holder) = server_with_running_search("1", "256", &answers).await;
    let long = endless_search(HOUR);
    let quick = SearchRequest { strength: Strength::Nodes(1_000), ..long };
    let later = spawn_search(&server.rooms, patient_requester(1), long, "long", &answers);
    wait_until(|| server.rooms.engine_pool().queue_len() == 1).await;
    let sooner = spawn_search(&server.rooms, patient_requester(1), quick, "quick", &answers);
    wait_until(|| server.rooms.engine_pool().queue_len() == 2).await;
    holder.abort();
    sooner.await.expect("an answer");
    assert_eq!(*answers.lock().expect("answers"), [("quick", false)]);
    later.abort();
    server.stop().await;
}

#[tokio::test]
async fn search_that_misses_its_deadline_is_refused_immediately() {
    let answers = SearchResults::default();
    let (server, holder) = server_with_running_search("1", "256", &answers).await;
    let quick = SearchRequest { strength: Strength::Nodes(1_000), ..endless_search(HOUR) };
    let soon = |network| Requester {
        answer_by: Instant::now() + WAIT_TIMEOUT,
        ..patient_requester(network)
    };
    // The search before it may take an hour.
    let requester = soon(1);
    let answer = server.rooms.engine_pool().search(requester, start_line(), quick).await;
    assert_eq!(answer, Err(EngineError::Busy));
    assert!(Instant::now() < requester.answer_by, "expected a refusal before the deadline");
    // A search of another network does not wait for that one.
    let answer = server.rooms.engine_pool().search(soon(2), start_line(), quick).await;
    assert!(answer.is_ok(), "{answer:?}");
    holder.await.expect("a finished search");
    // A search without time left is refused, even if a thread is free.
    let late = Requester { answer_by: Instant::now(), ..patient_requester(3) };
    let answer = server.rooms.engine_pool().search(late, start_line(), quick).await;
    assert_eq!(answer, Err(EngineError::Busy));
    // A search with a near deadline returns the result found so far.
    let asked =
        Requester { answer_by: Instant::now() + Duration::from_secs(3), ..patient_requester(3) };
    let answer = server.rooms.engine_pool().search(asked, start_line(), endless_search(HOUR)).await;
    assert!(matches!(answer, Ok(Some(_))), "{answer:?}");
    server.stop().await;
}

#[tokio::test]
async fn full_queue_yields_to_network_with_fewer_searches() {
    let answers = SearchResults::default();
    let (server, holder) = server_with_running_search("1", "3", &answers).await;
    let long = endless_search(HOUR);
    let crowd: Vec<_> = (0..3)
        .map(|_| spawn_search(&server.rooms, patient_requester(1), long, "crowd", &answers))
        .collect();
    wait_until(|| server.rooms.engine_pool().queue_len() == 3).await;
    let quick = SearchRequest { strength: Strength::Nodes(1_000), ..long };
    let answer = server.rooms.engine_pool().search(patient_requester(2), start_line(), quick).await;
    assert!(answer.is_ok(), "{answer:?}");
    let results = answers.lock().expect("answers").clone();
    assert!(results.contains(&("crowd", true)), "{results:?}");
    holder.abort();
    crowd.iter().for_each(JoinHandle::abort);
    server.stop().await;
}
