//! Rooms of the same games on two nodes, which share a store and send each other hints of events,
//! which are lost, repeated, late and out of order.
//!
//! Each schedule is drawn from a seed. Players act on either node or on both at once; the checker
//! compares their answers and the events of spectators with the log. They run on threads, and on a
//! paused clock (`paused`).

mod absence;
mod changes;
mod deaths;
mod paused;
mod presence;
mod starts;

use super::store::open_store;
use crate::support::checker::{
    Acknowledged, Frame, GameHistory, assert_rejects_changes, describe_event, describe_update,
    find_contradictions,
};
use crate::support::client::env_number;
use crate::support::server_config::server_config;
use crate::support::store_fixtures::{
    accept_challenge_at, command_id, rated_draft, register_account,
};
use paused::{PausedClock, check_end_by_time};
use sprong::play::challenge::ChallengeKind;
use sprong::play::clock::{Pace, TimeControl};
use sprong::play::command::{Command, OfferAction};
use sprong::play::event::{ChatRoom, Event, GameEnd, GameStatus};
use sprong::rooms::{
    CommandError, CommandResult, GameSnapshot, Hint, RequestError, RoomMessage, Rooms, Settings,
    now_ms,
};
use sprong::rules::{Side, SplitMix};
use sprong::store::{Account, DatabaseAddress, EventLog, GameRow, Store, check};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::sync::{mpsc, oneshot};
use uuid::Uuid;

/// Default number of schedules (`SPRONG_NODE_SCHEDULES`).
const SCHEDULES: u64 = 1_000;

/// Games with a flag.
const FLAGS: usize = 20;

/// Steps of a schedule.
const STEPS: usize = 8;

/// Schedules after which the nodes are replaced.
const GAMES_PER_NODE: u64 = 25;

/// Time that a condition may take, and interval at which it is checked.
const WAIT_MAX: Duration = Duration::from_secs(30);
const CHECK_INTERVAL: Duration = Duration::from_micros(200);

/// Waits for a condition in real time, also on a paused clock.
async fn until(message: &str, mut holds: impl AsyncFnMut() -> bool) {
    let began = Instant::now();
    while !holds().await {
        assert!(began.elapsed() < WAIT_MAX, "{message}");
        let pause = tokio::task::spawn_blocking(|| std::thread::sleep(CHECK_INTERVAL));
        pause.await.expect("a pause");
    }
}

/// Passage of time in a schedule: by itself, or by its steps.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Time {
    Passes,
    Paused,
}

/// Rooms of one node, and the hints that they send.
struct Node {
    rooms: Rooms,
    hints: mpsc::Receiver<Hint>,
    /// Hints to the other node that are not delivered yet.
    held: Vec<Hint>,
}

impl Node {
    fn new(store: &Store) -> Node {
        Node::with_flags(store, &[])
    }

    fn with_flags(store: &Store, flags: &[&str]) -> Node {
        Node::with_settings(store, server_config(flags).room_settings())
    }

    fn with_settings(store: &Store, settings: Settings) -> Node {
        let (sender, hints) = mpsc::channel(1024);
        let rooms = Rooms::with_peers(store, settings, sender);
        Node { rooms, hints, held: Vec::new() }
    }
}

fn blitz() -> Pace {
    Pace::Clock(TimeControl::new(300_000, 0).expect("time"))
}

/// Resumes the games, and lets the clocks run.
async fn serve(rooms: &Rooms) {
    rooms.resume().await.expect("resumed");
    rooms.end_maintenance();
}

/// Delivers hints of one node to the other: some are lost, repeated, held back, or swapped.
fn deliver(from: &mut Node, to: &Rooms, random: &mut SplitMix) {
    while let Ok(hint) = from.hints.try_recv() {
        match random.below(8) {
            0 | 1 => {}
            2 | 3 => from.held.push(hint),
            4 => [hint.clone(), hint].into_iter().for_each(|hint| to.handle_hint(hint)),
            _ => to.handle_hint(hint),
        }
    }
    random.shuffle(&mut from.held);
    if random.below(2) == 0 {
        from.held.drain(..).for_each(|hint| to.handle_hint(hint));
    }
}

/// Game of one schedule, with what its clients were told.
struct Schedule {
    row: GameRow,
    history: GameHistory,
}

impl Schedule {
    /// Sends a command to a node. Returns its acknowledgment, or the id of the refused command.
    async fn send(
        &self,
        rooms: &Rooms,
        side: Side,
        cid: Uuid,
        command: Command,
    ) -> Result<Acknowledged, Uuid> {
        let content = match &command {
            Command::Move { u, .. } => format!("move {u}"),
            Command::Draw { .. } => describe_event(&Event::DrawOffered),
            _ => {
                let winner = Some(side.other());
                let end = GameEnd { status: GameStatus::Resign, winner, reason: None };
                describe_event(&Event::Ended(end))
            }
        };
        let account = self.row.players[side.index()].account.key;
        let message = |reply| RoomMessage::Command { account, command, cid: Some(cid), reply };
        let answer = rooms.request(&self.row.id, message).await;
        self.answer(answer, side, cid, content)
    }

    async fn chat(&self, rooms: &Rooms, side: Side, text: &str) -> Result<Acknowledged, Uuid> {
        let account = &self.row.players[side.index()].account;
        let cid = Uuid::now_v7();
        let message = |reply: oneshot::Sender<CommandResult>| RoomMessage::Chat {
            account: account.key,
            name: account.name.clone(),
            room: ChatRoom::Player,
            text: text.to_owned(),
            cid: Some(cid),
            reply,
        };
        let answer = rooms.request(&self.row.id, message).await;
        self.answer(answer, side, cid, format!("chat {text}"))
    }

    fn answer(
        &self,
        answer: Result<i64, RequestError>,
        side: Side,
        cid: Uuid,
        content: String,
    ) -> Result<Acknowledged, Uuid> {
        let cid = command_id(&self.row, side, cid).expect("id");
        match answer {
            Ok(seq) => Ok(Acknowledged { cid, seq, content }),
            Err(RequestError::Command(CommandError::Refused(_))) => Err(cid),
            Err(error) => panic!("a conflict was not resolved: {error}"),
        }
    }

    /// One step: a player acts on a node, or both players or both nodes act at once.
    async fn step(&mut self, nodes: [&Rooms; 2], random: &mut SplitMix) {
        let at = random.below(2);
        let (one, two) = (nodes[at], nodes[1 - at]);
        let snapshot = one.snapshot(&self.row.id).await.expect("snapshot");
        if snapshot.legal.is_empty() {
            return;
        }
        let (mover, other) = (snapshot.turn, snapshot.turn.other());
        let cids = [Uuid::now_v7(), Uuid::now_v7()];
        let [first, second] = [0; 2].map(|_| random_move(&snapshot, random));
        let done = match random.below(12) {
            0..=4 => {
                let sent = self.send(one, mover, cids[0], first).await;
                sent.as_ref().expect("a legal move");
                vec![sent]
            }
            // Two moves for one turn: one of them is made.
            5 | 6 => {
                let sent = tokio::join!(
                    self.send(one, mover, cids[0], first),
                    self.send(two, mover, cids[1], second)
                );
                assert_eq!([&sent.0, &sent.1].iter().filter(|done| done.is_ok()).count(), 1);
                vec![sent.0, sent.1]
            }
            // The same command on both nodes: it is executed once.
            7 | 8 => {
                let sent = tokio::join!(
                    self.send(one, mover, cids[0], first.clone()),
                    self.send(two, mover, cids[0], first)
                );
                let [one, two] = [sent.0.expect("a move"), sent.1.expect("the same move")];
                assert_eq!(one.seq, two.seq);
                vec![Ok(one)]
            }
            // Commands that do not exclude each other: both are executed.
            9 | 10 => {
                let offer = Command::Draw { action: OfferAction::Offer, ply: None };
                let sent = tokio::join!(
                    self.send(one, mover, cids[0], first),
                    self.chat(two, other, "well played"),
                    self.send(two, other, cids[1], offer),
                );
                sent.0.as_ref().expect("a move");
                sent.1.as_ref().expect("a message");
                vec![sent.0, sent.1, sent.2]
            }
            // Two ends: one of them counts.
            _ => {
                let sent = tokio::join!(
                    self.send(one, mover, cids[0], Command::Resign),
                    self.send(two, other, cids[1], Command::Resign)
                );
                assert_eq!([&sent.0, &sent.1].iter().filter(|done| done.is_ok()).count(), 1);
                vec![sent.0, sent.1]
            }
        };
        for result in done {
            match result {
                Ok(acknowledged) => self.history.acknowledged.push(acknowledged),
                Err(cid) => self.history.refused.push(cid),
            }
        }
    }
}

fn random_move(snapshot: &GameSnapshot, random: &mut SplitMix) -> Command {
    let u = snapshot.legal[random.below(snapshot.legal.len())].to_owned();
    Command::Move { u: u.into(), ply: Some(snapshot.moves.len()), lag_ms: 0 }
}

/// Follows a game that has no events yet on a node. Returns the events.
async fn follow(rooms: &Rooms, row: &GameRow) -> Arc<Mutex<Vec<Frame>>> {
    let (_, mut joined) = rooms.join(&row.id, None, Some(0)).await.expect("joined");
    assert!(joined.missed.is_empty());
    let seen = Arc::new(Mutex::new(Vec::new()));
    let all = seen.clone();
    tokio::spawn(async move {
        while let Ok(event) = joined.events.next().await {
            all.lock().expect("events").push((event.v, describe_update(&event.update)));
        }
    });
    seen
}

fn last_of(frames: &Mutex<Vec<Frame>>) -> Option<i64> {
    frames.lock().expect("events").last().map(|(v, _)| *v)
}

/// Runs a schedule. Returns the row and the log at its end, and what the clients were told.
async fn run(
    nodes: &mut [Node; 2],
    row: GameRow,
    seed: u64,
    time: Time,
) -> (GameRow, EventLog, GameHistory) {
    let mut random = SplitMix::new(seed);
    let rooms = nodes.each_ref().map(|node| node.rooms.clone());
    let mut schedule = Schedule { row, history: GameHistory::default() };
    let frames = [follow(&rooms[0], &schedule.row).await, follow(&rooms[1], &schedule.row).await];
    for _ in 0..STEPS {
        schedule.step([&rooms[0], &rooms[1]], &mut random).await;
        let [one, two] = nodes;
        deliver(one, &rooms[1], &mut random);
        deliver(two, &rooms[0], &mut random);
        if time == Time::Paused {
            schedule.pass_time([&rooms[0], &rooms[1]], &mut random).await;
        }
    }
    if time == Time::Paused {
        schedule.end(&rooms[random.below(2)]).await;
    }
    let store = rooms[0].store();
    let log = store.events(schedule.row.key).await.expect("log");
    let last = log.last().expect("events").0.seq;
    for (rooms, frames) in rooms.iter().zip(&frames) {
        rooms.catch_up();
        let snapshot = rooms.snapshot(&schedule.row.id).await.expect("snapshot");
        assert_eq!(snapshot.v, last);
        until("a client has not received all events", async || last_of(frames) == Some(last)).await;
    }
    let frames = frames.iter().map(|frames| frames.lock().expect("events").clone());
    schedule.history.frames = frames.collect();
    let row = store.game(&schedule.row.id).await.expect("read").expect("game");
    (row, log, schedule.history)
}

/// Creates a rated game that has just begun.
async fn new_game(store: &Store, [creator, acceptor]: &[Account; 2], pace: Pace) -> GameRow {
    let now_ms = now_ms();
    let mut draft = rated_draft("caterpillarWar", ChallengeKind::List);
    draft.terms.expires_ms = now_ms + 60_000;
    draft.paces = vec![pace];
    draft.side = Some(Side::First);
    let challenge = store.create_challenge(creator.key, draft, 10, now_ms).await.expect("stored");
    accept_challenge_at(store, &challenge, acceptor.clone(), now_ms).await
}

async fn check_database(path: &Path) {
    let mut mismatches = Vec::new();
    let report = check(
        &DatabaseAddress::File(path.to_owned()),
        |mismatch| mismatches.push(mismatch.to_owned()),
        |_, _| {},
    )
    .await;
    assert!(report.expect("report").games > 0);
    assert_eq!(mismatches, Vec::<String>::new());
}

/// Runs schedules of games on two nodes that share a store. Returns the number of games that time
/// has ended.
async fn run_schedules(time: Time) -> usize {
    let schedules = env_number("SPRONG_NODE_SCHEDULES", SCHEDULES);
    let folder = TempDir::new().expect("folder");
    let store = open_store(folder.path()).await;
    let players = [register_account(&store, "Ann").await, register_account(&store, "Bob").await];
    let mut nodes = [Node::new(&store), Node::new(&store)];
    let (mut controls, mut timeouts) = (0, 0);
    for seed in 0..schedules {
        // Both nodes keep the rooms of all their games open.
        if seed % GAMES_PER_NODE == 0 {
            for node in std::mem::replace(&mut nodes, [Node::new(&store), Node::new(&store)]) {
                node.rooms.stop().await;
            }
        }
        let pace = match (time, seed % 4) {
            (Time::Passes, _) | (_, 0) => Pace::Days(3),
            (Time::Paused, increment) => {
                Pace::Clock(TimeControl::new(20_000, 1_000 * increment as i64).expect("time"))
            }
        };
        let row = new_game(&store, &players, pace).await;
        let (row, log, history) = run(&mut nodes, row, seed, time).await;
        let found = find_contradictions(&row, &log, &history);
        assert_eq!(found, Vec::<String>::new(), "seed {seed}");
        if time == Time::Paused && check_end_by_time(&row, &log) {
            timeouts += 1;
        }
        if row.result.is_some() && log.len() > 5 && controls < 20 {
            assert_rejects_changes(&row, &log, &history);
            controls += 1;
        }
    }
    assert!(schedules < SCHEDULES || controls == 20, "{controls} games for negative controls");
    for node in &nodes {
        node.rooms.stop().await;
    }
    store.close().await;
    check_database(&folder.path().join("sprong.db")).await;
    timeouts
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_nodes_agree_in_schedules_with_faulty_hints() {
    run_schedules(Time::Passes).await;
}

#[tokio::test(start_paused = true)]
async fn two_nodes_agree_in_schedules_on_a_paused_clock() {
    let _clock = PausedClock::hold();
    let timeouts = run_schedules(Time::Paused).await;
    let expected = env_number("SPRONG_NODE_SCHEDULES", SCHEDULES) as usize / 10;
    assert!(timeouts >= expected, "{timeouts} games ended by time");
}

/// The rooms of both nodes see the flag at the same time, without hints; one of them ends the game.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn flag_seen_by_two_nodes_ends_the_game_once() {
    let folder = TempDir::new().expect("folder");
    let store = open_store(folder.path()).await;
    let players = [register_account(&store, "Ann").await, register_account(&store, "Bob").await];
    let nodes = [Node::new(&store), Node::new(&store)];
    let mut games = Vec::new();
    for _ in 0..FLAGS {
        let pace = Pace::Clock(TimeControl::new(3_000, 0).expect("time"));
        let row = new_game(&store, &players, pace).await;
        let rooms = nodes.each_ref().map(|node| &node.rooms);
        let frames = [follow(rooms[0], &row).await, follow(rooms[1], &row).await];
        let schedule = Schedule { row: row.clone(), history: GameHistory::default() };
        let mut acknowledged = Vec::new();
        for (rooms, side, u) in
            [(rooms[0], Side::First, "h5-g5"), (rooms[1], Side::Second, "a4-b4")]
        {
            let command = Command::Move { u: u.into(), ply: None, lag_ms: 0 };
            acknowledged.push(schedule.send(rooms, side, Uuid::now_v7(), command).await);
        }
        let acknowledged: Result<Vec<_>, _> = acknowledged.into_iter().collect();
        games.push((row, frames, acknowledged.expect("moves")));
    }
    for (row, frames, acknowledged) in games {
        until("the game does not end for both nodes", async || {
            let is_over = store.game(&row.id).await.expect("read").expect("game").result.is_some();
            if is_over {
                nodes.iter().for_each(|node| node.rooms.catch_up());
            }
            let last_seq = store.last_seq(row.key).await.expect("log");
            is_over && frames.iter().all(|frames| last_of(frames) == Some(last_seq))
        })
        .await;
        let row = store.game(&row.id).await.expect("read").expect("game");
        let end = row.result.expect("result").end;
        assert_eq!((end.status, end.winner), (GameStatus::OutOfTime, Some(Side::Second)));
        let frames = frames.iter().map(|frames| frames.lock().expect("events").clone()).collect();
        let log = store.events(row.key).await.expect("log");
        let history = GameHistory { acknowledged, frames, refused: Vec::new() };
        assert_eq!(find_contradictions(&row, &log, &history), Vec::<String>::new());
    }
    for node in &nodes {
        node.rooms.stop().await;
    }
    store.close().await;
    check_database(&folder.path().join("sprong.db")).await;
}
