//! The order in which searches for requesters of several networks are served.

use super::super::client::{PATIENCE, Server};
use super::hurry::{endless, patient, start};
use sprong::rooms::{Job, Requester, Rooms, Thoughtless};
use sprong::search::Strength;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;

const HOUR: Duration = Duration::from_secs(3600);

/// The names of searches in the order in which they were answered, and whether they were refused.
type Answers = Arc<Mutex<Vec<(&'static str, bool)>>>;

/// Asks for a search in the background.
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
        assert!(Instant::now() < late, "it did not happen");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// A server with so many threads, on which a search of network 1 is under way.
async fn occupied(threads: &str, queue: &str, answers: &Answers) -> (Server, JoinHandle<()>) {
    let settings = ["--think-threads", threads, "--think-queue", queue];
    let server = Server::start_with(&settings).await;
    let holder = ask(&server.rooms, patient(1), endless(HOUR), "holder", answers);
    // It has begun once a second one waits for nothing but it.
    tokio::task::yield_now().await;
    let rooms = server.rooms.clone();
    until(|| rooms.thinkers().waiting() == 0).await;
    (server, holder)
}

#[tokio::test]
async fn another_network_is_served_second_at_the_latest() {
    let answers = Answers::default();
    let (server, holder) = occupied("1", "256", &answers).await;
    let short = endless(Duration::from_millis(20));
    let crowd: Vec<_> =
        (0..19).map(|_| ask(&server.rooms, patient(1), short, "crowd", &answers)).collect();
    let queued = || server.rooms.thinkers().waiting() + answers.lock().expect("answers").len();
    until(|| queued() == 19).await;
    assert!(answers.lock().expect("answers").iter().all(|answer| *answer == ("crowd", true)));
    let refused = answers.lock().expect("answers").len();
    assert!(refused > 0 && refused < 19, "{refused} refused: the queue of a network is bounded");
    let other = ask(&server.rooms, patient(2), short, "other", &answers);
    futures_util::future::join_all(crowd.into_iter().chain([holder, other])).await;
    let answered: Vec<&str> =
        answers.lock().expect("answers").iter().filter(|a| !a.1).map(|a| a.0).collect();
    assert_eq!(answered[..3], ["holder", "other", "crowd"]);
    server.stop().await;
}

#[tokio::test]
async fn a_network_has_one_search_under_way() {
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
async fn a_short_search_overtakes_a_long_one_of_its_network() {
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
async fn a_search_that_cannot_begin_in_time_is_refused_at_once() {
    let answers = Answers::default();
    let (server, holder) = occupied("1", "256", &answers).await;
    let quick = Job { strength: Strength::Nodes(1_000), ..endless(HOUR) };
    let soon = |network| Requester { answer_by: Instant::now() + PATIENCE, ..patient(network) };
    // The search before it may take an hour.
    let asked = soon(1);
    let answer = server.rooms.thinkers().think(asked, start(), quick).await;
    assert_eq!(answer, Err(Thoughtless::Busy));
    assert!(Instant::now() < asked.answer_by, "it waited for its deadline");
    // Another network is not behind that one.
    let answer = server.rooms.thinkers().think(soon(2), start(), quick).await;
    assert!(answer.is_ok(), "{answer:?}");
    holder.await.expect("it gave way");
    // What has no time left is not begun, be the thread free.
    let late = Requester { answer_by: Instant::now(), ..patient(3) };
    let answer = server.rooms.thinkers().think(late, start(), quick).await;
    assert_eq!(answer, Err(Thoughtless::Busy));
    // What has some is told what is known by then.
    let asked = Requester { answer_by: Instant::now() + Duration::from_secs(3), ..patient(3) };
    let answer = server.rooms.thinkers().think(asked, start(), endless(HOUR)).await;
    assert!(matches!(answer, Ok(Some(_))), "{answer:?}");
    server.stop().await;
}

#[tokio::test]
async fn a_full_queue_gives_place_to_a_network_that_has_less_of_it() {
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
