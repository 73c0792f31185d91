//! Races of a move against the flag in the same instant, repeated many times: exactly one of them
//! takes effect, in the game, in the log and for both players.

use super::store::{move_append, open_store};
use crate::support::client::{Player, Server, WAIT_TIMEOUT, env_number};
use crate::support::database::Database;
use crate::support::database_audit;
use crate::support::store_fixtures::games_between;
use serde_json::json;
use sprong::play::clock::{Pace, TimeControl};
use sprong::play::command::{Command, Refusal};
use sprong::play::event::{Event, GameEnd, GameStatus, LoggedEvent, LoggedEvents};
use sprong::play::game::{Game, Setup};
use sprong::rules::{Side, SplitMix};
use sprong::store::{Append, Appended, FinishError, GameFinish, GameRow, Store};
use sprong::variants;
use std::time::Duration;
use tempfile::TempDir;
use uuid::Uuid;

/// Races in the pure game.
const RACES: usize = 10_000;

/// Default number of races for the log (`SPRONG_RACES`), and of lanes that share them.
const LOG_RACES: u64 = 3_000;
const LANES: usize = 100;

/// Bounds of the head start of the end of a game over a move.
const HEAD_START_MIN: Duration = Duration::from_millis(1);
const HEAD_START_MAX: Duration = Duration::from_millis(100);

/// In the pure game the times alone decide: a move before the flag falls is played, and from then
/// on the game is lost on time.
#[test]
fn move_at_flag_time_is_played_or_lost_in_a_game() {
    let variant = variants::by_key("caterpillarWar").expect("variant");
    let mut random = SplitMix::new(19);
    let mut moved = 0;
    for _ in 0..RACES {
        let time = TimeControl::new(1_000, 0).expect("time");
        let (options, pace) = (variant.options(), Pace::Clock(time));
        let setup = Setup { variant, options, seed: 0, pace, created_ms: 0 };
        let mut game = Game::new(setup.clone());
        let play = |game: &mut Game, side, u: &str, now_ms| {
            game.command(side, &Command::Move { u: u.into(), ply: None, lag_ms: 0 }, now_ms)
        };
        let mut log = play(&mut game, Side::First, "h5-g5", 5).expect("a move");
        log.extend(play(&mut game, Side::Second, "a4-b4", 9).expect("a move"));
        // The flag falls at 1,009 ms; both times are within 2 ms of it.
        let [tick_ms, move_ms] = [0; 2].map(|_| 1_007 + random.below(5) as i64);
        let mut reply = Ok(LoggedEvents::new());
        for (at_ms, flags) in [(tick_ms, true), (move_ms, false)] {
            // A room advances the time before every command.
            log.extend(game.tick(at_ms));
            if !flags {
                reply = play(&mut game, Side::First, "g5-f5", at_ms);
            }
        }
        let in_time = tick_ms < 1_009 && move_ms < 1_009;
        match reply {
            Ok(events) => {
                assert!(in_time && game.end().is_none());
                log.extend(events);
                moved += 1;
            }
            Err(refusal) => {
                assert_eq!((refusal, in_time), (Refusal::GameOver, false));
                let end = game.end().expect("an end");
                assert_eq!((end.status, end.winner), (GameStatus::OutOfTime, Some(Side::Second)));
            }
        }
        let mut replayed = Game::new(setup);
        log.iter().for_each(|logged| replayed.replay(logged).expect("its own log"));
        assert_eq!((replayed.end(), replayed.line().ply()), (game.end(), game.line().ply()));
    }
    assert!(moved > RACES / 10 && moved < RACES * 9 / 10, "{moved} of {RACES} were in time");
}

/// Lets a move and the end of the same game compete for one sequence number in its log. The end has
/// a head start of `head_start`. Returns true if the move is stored.
async fn race_for_log(store: Store, row: GameRow, head_start: Option<Duration>) -> bool {
    for (seq, u) in [(1, "h5-g5"), (2, "a4-b4")] {
        let done = store.append(move_append(&row, seq, Some(Uuid::now_v7()), u)).await;
        assert_eq!(done.expect("stored"), Appended::Accepted);
    }
    let end = GameEnd { status: GameStatus::OutOfTime, winner: Some(Side::Second), reason: None };
    let logged = LoggedEvent { seq: 3, side: None, at_ms: 3, event: Event::Ended(end) };
    let events =
        vec![Append { game: row.key, cid: Some(Uuid::now_v7()), logged, state: None, epoch: 0 }];
    let finish =
        GameFinish { events, end, ending: None, plies: 2, has_both_moved: true, now_ms: 3 };
    let append = {
        let (store, append) = (store.clone(), move_append(&row, 3, Some(Uuid::now_v7()), "g5-f5"));
        async move { store.append(append).await }
    };
    let finish = {
        let (store, row) = (store.clone(), row.clone());
        async move { store.finish_game(row, finish).await }
    };
    // A commit writes moves before other jobs, so the end gets a head start. The outcome is open.
    let (append, finish) = if let Some(start) = head_start {
        let finish = tokio::spawn(finish);
        tokio::time::sleep(start).await;
        (tokio::spawn(append), finish)
    } else {
        (tokio::spawn(append), tokio::spawn(finish))
    };
    let (append, finish) = (append.await.expect("task"), finish.await.expect("task"));
    let append = append.expect("stored");
    let log = store.events(row.key).await.expect("log");
    let result = store.game(&row.id).await.expect("read").expect("game").result;
    assert_eq!(log.len(), 3);
    match append {
        Appended::Accepted => {
            assert!(matches!(finish, Err(FinishError::Conflict(Appended::Conflict))));
            assert!(matches!(log[2].0.event, Event::Moved { .. }) && result.is_none());
            true
        }
        Appended::Conflict => {
            assert_eq!(finish.expect("stored").end, end);
            assert!(log[2].0.event == Event::Ended(end) && result.is_some());
            false
        }
        Appended::Repeated(seq) => panic!("repeated as {seq}"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn move_and_flag_compete_for_one_sequence_number() {
    let races = env_number("SPRONG_RACES", LOG_RACES) as usize / LANES * LANES;
    let folder = TempDir::new().expect("folder");
    let store = open_store(folder.path()).await;
    let lanes = (0..LANES).map(|lane| {
        let store = store.clone();
        tokio::spawn(async move {
            let names = [format!("a{lane}"), format!("b{lane}")];
            let (mut moved, mut start) = (0, HEAD_START_MIN);
            for row in games_between(&store, names, races / LANES).await {
                let has_start = !lane.is_multiple_of(4);
                let has_moved = race_for_log(store.clone(), row, has_start.then_some(start)).await;
                moved += usize::from(has_moved);
                // The head start with an open outcome depends on the speed of the machine.
                start = if has_moved { 2 * start } else { start / 2 };
                start = start.clamp(HEAD_START_MIN, HEAD_START_MAX);
            }
            moved
        })
    });
    let mut moved = 0;
    for lane in lanes.collect::<Vec<_>>() {
        moved += lane.await.expect("a lane");
    }
    println!("{moved} moves and {} flags of {races}", races - moved);
    let few = races / 100;
    assert!(moved > few && moved < races - few, "expected both to win, {moved} moves did");
    let database = Database::open_file(&folder.path().join("sprong.db")).await;
    let agreed = database_audit::replay_games(&store, &database).await;
    assert_eq!(database_audit::assert_consistent(&store, &agreed).await, races - moved);
    store.close().await;
}

/// Runs the race through real rooms in real time, with one second on the clock.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn move_at_flag_time_is_played_or_lost_in_a_room() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut random = SplitMix::new(91);
    let mut tries = Vec::new();
    for _ in 0..60 {
        let clock = json!({ "rated": false, "clock.limit": 1 });
        let id = ann.start_game(&mut bob, "caterpillarWar", clock).await;
        let delay = Duration::from_micros(990_000 + random.below(14_000) as u64);
        let players = [ann.clone(), bob.clone()];
        tries.push(tokio::spawn(async move {
            let is_played = move_after(&players, &id, delay).await;
            (id, is_played)
        }));
    }
    let mut in_time = 0;
    for tried in tries {
        let (id, is_played) =
            tokio::time::timeout(WAIT_TIMEOUT, tried).await.expect("in time").expect("task");
        let game = Player::anonymous(server.addr).get(&format!("/api/game/{id}")).await.1;
        let moves = game["state"]["moves"].as_str().expect("moves").split_whitespace().count();
        assert_eq!(moves, if is_played { 3 } else { 2 }, "{id}");
        if !is_played {
            assert_eq!(game["end"]["winner"], "second", "{id}");
        }
        in_time += usize::from(is_played);
    }
    println!("{in_time} of 60 moved in time");
    server.stop().await;
}

/// Plays three moves of Caterpillar War, with one second on the clock, and the third after `delay`.
/// Returns true if it was played, and false if it was refused because the game was over.
pub async fn move_after([first, second]: &[Player; 2], id: &str, delay: Duration) -> bool {
    let path = format!("/ws/game/{id}");
    let (mut first, mut second) = (first.socket(&path).await, second.socket(&path).await);
    first.until("full").await;
    second.until("full").await;
    first.command("move", json!({ "u": "h5-g5", "ply": 0 })).await;
    second.until("move").await;
    second.command("move", json!({ "u": "a4-b4", "ply": 1 })).await;
    while first.until("move").await["d"]["ply"] != 2 {}
    // The move arrives a few milliseconds before or after the flag falls.
    tokio::time::sleep(delay).await;
    first.command("move", json!({ "u": "g5-f5", "ply": 2 })).await;
    loop {
        let reply = first.next().await.expect("a message");
        match reply["t"].as_str() {
            Some("ack") if reply["d"]["v"] == 3 => return true,
            Some("refused") => {
                assert_eq!(reply["d"]["reason"], "over", "{reply}");
                return false;
            }
            _ => {}
        }
    }
}
