//! Concurrency of writer, rooms and shutdown. Rooms close and open while players move, and the
//! server stops at a random moment, repeatedly on one database: no task waits forever, and every
//! acknowledged move is stored exactly once.

use super::store::open_store;
use crate::support::client::{WAIT_TIMEOUT, WORK_TIMEOUT};
use crate::support::database::Database;
use crate::support::database_audit;
use crate::support::server_config::server_config;
use crate::support::store_fixtures::games_between;
use sprong::play::command::{Command, Refusal};
use sprong::play::event::Event;
use sprong::rooms::{CommandError, RoomError, RoomMessage, Rooms, Settings};
use sprong::rules::SplitMix;
use sprong::store::{GameRow, PublicId};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::sync::oneshot;
use uuid::Uuid;

const ROUNDS: u64 = 120;

/// Factor by which the server runs longer in additional rounds, while there are too few moves.
const LONGER_FACTOR: u64 = 20;

/// Minimum number of acknowledged moves for a meaningful result.
const MOVES_MIN: usize = 300;

const GAMES: usize = 12;

/// Acknowledged moves: game, command id and notation.
type AcknowledgedMoves = Arc<Mutex<Vec<(PublicId, Uuid, String)>>>;

/// Yields or sleeps at random.
async fn random_pause(random: &mut SplitMix) {
    match random.below(8) {
        0 => tokio::time::sleep(Duration::from_millis(1 + random.below(3) as u64)).await,
        1..4 => tokio::task::yield_now().await,
        _ => {}
    }
}

/// Plays both sides of a game until the server stops.
async fn play(rooms: Rooms, row: GameRow, seed: u64, acknowledged: AcknowledgedMoves) {
    let mut random = SplitMix::new(seed);
    let mut waiting: Option<(Uuid, usize, usize, String)> = None;
    loop {
        random_pause(&mut random).await;
        let snapshot = match rooms.snapshot(&row.id).await {
            Ok(snapshot) if snapshot.legal.is_empty() => return,
            Ok(snapshot) => snapshot,
            Err(RoomError::Stopping | RoomError::Store(_)) => return,
            Err(error) => panic!("{error}"),
        };
        let (cid, side, ply, u) = waiting.take().unwrap_or_else(|| {
            let u = snapshot.legal[random.below(snapshot.legal.len())].to_owned();
            (Uuid::now_v7(), snapshot.turn.index(), snapshot.moves.len(), u)
        });
        let inbox = match rooms.room(&row.id).await {
            Ok(inbox) => inbox,
            Err(RoomError::Stopping | RoomError::Store(_)) => return,
            Err(error) => panic!("{error}"),
        };
        random_pause(&mut random).await;
        let account = row.players[side].account.key;
        let (reply, response) = oneshot::channel();
        let command = Command::Move { u: u.as_str().into(), ply: Some(ply), lag_ms: 0 };
        let message = RoomMessage::Command { account, command, cid: Some(cid), reply };
        let result = match inbox.send(Box::new(message)).await {
            Ok(()) => response.await.ok(),
            Err(_) => None,
        };
        match result {
            Some(Ok(_)) => acknowledged.lock().expect("list").push((row.id, cid, u)),
            // A move with an unknown outcome is repeated as the same command.
            None | Some(Err(CommandError::StoreFailed)) => waiting = Some((cid, side, ply, u)),
            Some(Err(CommandError::Refused(Refusal::Stale { .. }))) => {
                panic!("a move of somebody else")
            }
            Some(Err(why)) => panic!("{why}"),
        }
    }
}

/// Joins a room, follows it for a short time, and leaves, until the server stops.
async fn follow_game(rooms: Rooms, id: PublicId, seed: u64) {
    let mut random = SplitMix::new(seed);
    loop {
        random_pause(&mut random).await;
        let Ok(inbox) = rooms.room(&id).await else { return };
        let (reply, response) = oneshot::channel();
        let since = (random.below(2) == 0).then(|| random.below(20) as i64);
        let join = RoomMessage::Join { account: None, last_seen: since, reply };
        if inbox.send(Box::new(join)).await.is_err() {
            continue;
        }
        let Ok(mut joined) = response.await else { continue };
        let mut v = match &joined.snapshot {
            Some(snapshot) => snapshot.v,
            None => since.expect("the known version"),
        };
        let missed = std::mem::take(&mut joined.missed);
        let mut follow = |seen: i64| {
            assert_eq!(seen, v + 1, "events must have no gap and no duplicate");
            v = seen;
        };
        missed.iter().for_each(|event| follow(event.v));
        for _ in 0..random.below(6) {
            let event = tokio::time::timeout(Duration::from_millis(3), joined.events.next()).await;
            match event {
                Ok(Ok(event)) => follow(event.v),
                Ok(Err(_)) => break,
                Err(_) => {}
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn random_shutdown_loses_no_acknowledged_move() {
    let folder = TempDir::new().expect("folder");
    let store = open_store(folder.path()).await;
    let names = ["Ann".to_owned(), "Bob".to_owned()];
    let rows = games_between(&store, names, GAMES).await;
    store.close().await;
    let acknowledged = AcknowledgedMoves::default();
    let mut random = SplitMix::new(Uuid::now_v7().as_u128() as u64);
    let (mut round, began) = (0, Instant::now());
    while round < ROUNDS || acknowledged.lock().expect("list").len() < MOVES_MIN {
        let moves = acknowledged.lock().expect("list").len();
        assert!(began.elapsed() < WORK_TIMEOUT, "{round} rounds, {moves} moves");
        let store = open_store(folder.path()).await;
        let config = server_config(&["--engine-nice", "0"]);
        let idle_timeout = Duration::from_millis(1);
        let settings = Settings { idle_timeout, ..config.room_settings() };
        let rooms = Rooms::new(store.clone(), settings);
        rooms.resume().await.expect("resumed games");
        let mut tasks = tokio::task::JoinSet::new();
        for row in &rows {
            tasks.spawn(play(rooms.clone(), row.clone(), random.next_u64(), acknowledged.clone()));
            tasks.spawn(follow_game(rooms.clone(), row.id, random.next_u64()));
        }
        let longer = if round < ROUNDS { 1 } else { LONGER_FACTOR };
        let lives = Duration::from_micros(longer * random.below(40_000) as u64);
        tokio::time::sleep(lives).await;
        let ended = async {
            // Either in the order of the server, or with a store that closes before the rooms stop.
            if random.below(3) == 0 {
                tokio::join!(store.close(), rooms.stop());
            } else {
                rooms.stop().await;
                store.close().await;
            }
            while let Some(done) = tasks.join_next().await {
                done.expect("a player");
            }
        };
        let ended = tokio::time::timeout(WAIT_TIMEOUT, ended).await;
        assert!(ended.is_ok(), "a task waits forever in round {round}");
        round += 1;
    }
    let store = open_store(folder.path()).await;
    let path = folder.path().join("sprong.db");
    let games = database_audit::replay_games(&store, &Database::open_file(&path).await).await;
    let acknowledged = std::mem::take(&mut *acknowledged.lock().expect("list"));
    for (id, cid, u) in &acknowledged {
        let game = games.iter().find(|game| game.row.id == *id).expect("the game");
        assert_eq!(
            game.events_of_command(*cid),
            [&Event::Moved { u: u.as_str().into(), lag_ms: 0 }]
        );
    }
    println!("{round} rounds, {} moves: all stored", acknowledged.len());
    store.close().await;
}
