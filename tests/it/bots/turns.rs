//! Scheduling of engine searches between networks, and their deadlines.

use super::super::client::{PATIENCE, Server};
use super::hurry::{endless, patient, start};
use sprong::rooms::{Job, Requester, Rooms, Thoughtless};
use sprong::search::Strength;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;

const HOUR: Duration = Duration::from_secs(3600);

/// Names of searches in the order of their results, and whether each was refused.
type Answers = Arc<Mutex<Vec<(&'static str, bool)>>>;

/// Starts a search in a background task, which records its result.
fn ask(
    rooms: &Rooms,
    requester: Requester,
    job: Job,
    name: &'static str,
    answers: &Answers,
) -> JoinHandle<()> {
    let (rooms, answers) = (rooms.clone(), answers.clone());
    tokio::spawn(async move {
        let answer = rooms.thinkers().think(requester, start(), job).await;
        let busy = answer == Err(Thoughtless::Busy);
        answers.lock().expect("answers").push((name, busy));
    })
}

async fn until(condition: impl Fn() -> bool) {
    let late = Instant::now() + PATIENCE;
    while !condition() {
        assert!(Instant::now() < late, "expected the condition to hold in time");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Starts a server with `threads` engine threads and a running search of network 1.
async fn occupied(threads: &str, queue: &str, answers: &Answers) -> (Server, JoinHandle<()>) {
    let settings = ["--think-threads", threads, "--think-queue", queue];
    let server = Server::start_with(&settings).await;
    let holder = ask(&server.rooms, patient(1), endless(HOUR), "holder", answers);
    // The search runs once the queue is empty.
    tokio::task::yield_now().await;
    let rooms = server.rooms.clone();
    until(|| rooms.thinkers().waiting() == 0).await;
    (server, holder)
}

#[tokio::test]
async fn other_network_is_served_next() {
    let answers = Answers::default();
    let (server, holder) = occupied("1", "256", &answers).await;
    let short = endless(Duration::from_millis(20));
    let crowd: Vec<_> =
        (0..19).map(|_| ask(&server.rooms, patient(1), short, "crowd", &answers)).collect();
    let queued = || server.rooms.thinkers().waiting() + answers.lock().expect("answers").len();
    until(|| queued() == 19).await;
    assert!(answers.lock().expect("answers").iter().all(|answer| *answer == ("crowd", true)));
    let refused = answers.lock().expect("answers").len();
    assert!(
        refused > 0 && refused < 19,
        "expected a bounded queue of a network: {refused} refused"
    );
    let other = ask(&server.rooms, patient(2), short, "other", &answers);
    futures_util::future::join_all(crowd.into_iter().chain([holder, other])).await;
    let answered: Vec<&str> =
        answers.lock().expect("answers").iter().filter(|a| !a.1).map(|a| a.0).collect();
    assert_eq!(answered[..3], ["holder", "other", "crowd"]);
    server.stop().await;
}

#[tokio::test]
async fn network_runs_one_search_at_a_time() {
    let answers = Answers::default();
    let (server, holder) = occupied("3", "256", &answers).await;
    let quick = Job { strength: Strength::Nodes(1_000), ..endless(HOUR) };
    let waits = ask(&server.rooms, patient(1), quick, "same network", &answers);
    until(|| server.rooms.thinkers().waiting() == 1).await;
    ask(&server.rooms, patient(2), quick, "other network", &answers).await.expect("an answer");
    assert_eq!(*answers.lock().expect("answers"), [("other network", false)]);
    assert_eq!(server.rooms.thinkers().waiting(), 1);
    holder.abort();
    waits.await.expect("an answer");
    assert_eq!(answers.lock().expect("answers")[1], ("same network", false));
    server.stop().await;
}

#[tokio::test]
async fn short_search_overtakes_long_one_of_its_network() {
    let answers = Answers::default();
    let (server, holder) = occupied("1", "256", &answers).await;
    let long = endless(HOUR);
    let quick = Job { strength: Strength::Nodes(1_000), ..long };
    let later = ask(&server.rooms, patient(1), long, "long", &answers);
    until(|| server.rooms.thinkers().waiting() == 1).await;
    let sooner = ask(&server.rooms, patient(1), quick, "quick", &answers);
    until(|| server.rooms.thinkers().waiting() == 2).await;
    holder.abort();
    sooner.await.expect("an answer");
    assert_eq!(*answers.lock().expect("answers"), [("quick", false)]);
    later.abort();
    server.stop().await;
}

#[tokio::test]
async fn search_that_misses_its_deadline_is_refused_immediately() {
    let answers = Answers::default();
    let (server, holder) = occupied("1", "256", &answers).await;
    let quick = Job { strength: Strength::Nodes(1_000), ..endless(HOUR) };
    let soon = |network| Requester { answer_by: Instant::now() + PATIENCE, ..patient(network) };
    // The search before it may take an hour.
    let asked = soon(1);
    let answer = server.rooms.thinkers().think(asked, start(), quick).await;
    assert_eq!(answer, Err(Thoughtless::Busy));
    assert!(Instant::now() < asked.answer_by, "expected a refusal before the deadline");
    // A search of another network does not wait for that one.
    let answer = server.rooms.thinkers().think(soon(2), start(), quick).await;
    assert!(answer.is_ok(), "{answer:?}");
    holder.await.expect("a finished search");
    // A search without time left is refused, even if a thread is free.
    let late = Requester { answer_by: Instant::now(), ..patient(3) };
    let answer = server.rooms.thinkers().think(late, start(), quick).await;
    assert_eq!(answer, Err(Thoughtless::Busy));
    // A search with a near deadline returns the result found so far.
    let asked = Requester { answer_by: Instant::now() + Duration::from_secs(3), ..patient(3) };
    let answer = server.rooms.thinkers().think(asked, start(), endless(HOUR)).await;
    assert!(matches!(answer, Ok(Some(_))), "{answer:?}");
    server.stop().await;
}

#[tokio::test]
async fn full_queue_yields_to_network_with_fewer_searches() {
    let answers = Answers::default();
    let (server, holder) = occupied("1", "3", &answers).await;
    let long = endless(HOUR);
    let crowd: Vec<_> =
        (0..3).map(|_| ask(&server.rooms, patient(1), long, "crowd", &answers)).collect();
    until(|| server.rooms.thinkers().waiting() == 3).await;
    let quick = Job { strength: Strength::Nodes(1_000), ..long };
    let answer = server.rooms.thinkers().think(patient(2), start(), quick).await;
    assert!(answer.is_ok(), "{answer:?}");
    let told = answers.lock().expect("answers").clone();
    assert!(told.contains(&("crowd", true)), "{told:?}");
    holder.abort();
    crowd.iter().for_each(JoinHandle::abort);
    server.stop().await;
}
