//! Concurrency of writer, rooms and shutdown. Rooms close and open while players move, and the
//! server stops at a random moment, repeatedly on one database: no task waits forever, and every
//! acknowledged move is stored exactly once.

use super::audit;
use super::client::{PATIENCE, WORK_TIMEOUT};
use super::games::game_between;
use super::store::open;
use sprong::play::command::{Command, Refusal};
use sprong::play::event::Event;
use sprong::rooms::{Ask, Asker, Error, Rooms, Settings, Unheard, Visitor};
use sprong::rules::SplitMix;
use sprong::store::{GameRow, PublicId};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::sync::oneshot;
use uuid::Uuid;

const ROUNDS: u64 = 120;

/// Factor by which the server runs longer in additional rounds, while there are too few moves.
const LONGER: u64 = 20;

/// Minimum number of acknowledged moves for a meaningful result.
const MOVES_MIN: usize = 300;

const GAMES: usize = 12;

/// Acknowledged moves: game, command id and notation.
type Obeyed = Arc<Mutex<Vec<(PublicId, Uuid, String)>>>;

/// Yields or sleeps at random.
async fn moment(random: &mut SplitMix) {
    match random.below(8) {
        0 => tokio::time::sleep(Duration::from_millis(1 + random.below(3) as u64)).await,
        1..4 => tokio::task::yield_now().await,
        _ => {}
    }
}

/// Plays both sides of a game until the server stops.
async fn play(rooms: Rooms, row: GameRow, seed: u64, obeyed: Obeyed) {
    let mut random = SplitMix::new(seed);
    let mut waiting: Option<(Uuid, usize, usize, String)> = None;
    loop {
        moment(&mut random).await;
        let shown = match rooms.look(&row.id).await {
            Ok(shown) if shown.legal.is_empty() => return,
            Ok(shown) => shown,
            Err(Error::Stopping | Error::Store(_)) => return,
            Err(error) => panic!("{error}"),
        };
        let (cid, side, ply, u) = waiting.take().unwrap_or_else(|| {
            let u = shown.legal[random.below(shown.legal.len())].clone();
            (Uuid::now_v7(), shown.turn.index(), shown.moves.len(), u)
        });
        let inbox = match rooms.room(&row.id).await {
            Ok(inbox) => inbox,
            Err(Error::Stopping | Error::Store(_)) => return,
            Err(error) => panic!("{error}"),
        };
        moment(&mut random).await;
        let account = &row.players[side].account;
        let asker = Asker { account: account.key, name: account.name.clone() };
        let (answer, answered) = oneshot::channel();
        let command = Command::Move { u: u.clone(), ply: Some(ply), lag_ms: 0 };
        let ask = Ask::Command { asker, command, cid: Some(cid), answer };
        let heard = match inbox.send(ask).await {
            Ok(()) => answered.await.ok(),
            Err(_) => None,
        };
        match heard {
            Some(Ok(_)) => obeyed.lock().expect("list").push((row.id, cid, u)),
            // A move with an unknown outcome is repeated as the same command.
            None | Some(Err(Unheard::NotStored)) => waiting = Some((cid, side, ply, u)),
            Some(Err(Unheard::Refused(Refusal::Stale { .. }))) => panic!("a move of somebody else"),
            Some(Err(why)) => panic!("{why}"),
        }
    }
}

/// Joins a room, follows it for a short time, and leaves, until the server stops.
async fn watch(rooms: Rooms, id: PublicId, seed: u64) {
    let mut random = SplitMix::new(seed);
    loop {
        moment(&mut random).await;
        let Ok(inbox) = rooms.room(&id).await else { return };
        let (answer, answered) = oneshot::channel();
        let since = (random.below(2) == 0).then(|| random.below(20) as i64);
        if inbox.send(Ask::Join { visitor: Visitor::unseen(), since, answer }).await.is_err() {
            continue;
        }
        let Ok(mut joined) = answered.await else { continue };
        let mut v = match &joined.shown {
            Some(shown) => shown.v,
            None => since.expect("the known version"),
        };
        let missed = std::mem::take(&mut joined.missed);
        let mut follow = |seen: i64| {
            assert_eq!(seen, v + 1, "events must have no gap and no duplicate");
            v = seen;
        };
        missed.iter().for_each(|news| follow(news.v));
        for _ in 0..random.below(6) {
            let news = tokio::time::timeout(Duration::from_millis(3), joined.news.next()).await;
            match news {
                Ok(Ok(news)) => follow(news.v),
                Ok(Err(_)) => break,
                Err(_) => {}
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn random_shutdown_loses_no_acknowledged_move() {
    let folder = TempDir::new().expect("folder");
    let store = open(folder.path()).await;
    let names = ["Ann".to_owned(), "Bob".to_owned()];
    let rows = game_between(&store, names, GAMES).await;
    store.close().await;
    let obeyed = Obeyed::default();
    let mut random = SplitMix::new(Uuid::now_v7().as_u128() as u64);
    let (mut round, began) = (0, Instant::now());
    while round < ROUNDS || obeyed.lock().expect("list").len() < MOVES_MIN {
        let moves = obeyed.lock().expect("list").len();
        assert!(began.elapsed() < WORK_TIMEOUT, "{round} rounds, {moves} moves");
        let store = open(folder.path()).await;
        let (idle, ready) = (Duration::from_millis(1), Duration::from_secs(1));
        let settings = Settings {
            idle,
            ready,
            ready_checks: 1_000_000,
            pair_rated_max: 9,
            aborts_max: 1000,
            claim: ready,
            think_threads: 1,
            think_queue: 8,
            think_nice: 0,
            bots_rated: false,
            bot_resigns: true,
        };
        let rooms = Rooms::new(store.clone(), settings);
        rooms.resume().await.expect("resumed games");
        let mut tasks = tokio::task::JoinSet::new();
        for row in &rows {
            tasks.spawn(play(rooms.clone(), row.clone(), random.next_u64(), obeyed.clone()));
            tasks.spawn(watch(rooms.clone(), row.id, random.next_u64()));
        }
        let longer = if round < ROUNDS { 1 } else { LONGER };
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
        let ended = tokio::time::timeout(PATIENCE, ended).await;
        assert!(ended.is_ok(), "a task waits forever in round {round}");
        round += 1;
    }
    let store = open(folder.path()).await;
    let games = audit::games(&store, &folder.path().join("sprong.db")).await;
    let obeyed = std::mem::take(&mut *obeyed.lock().expect("list"));
    for (id, cid, u) in &obeyed {
        let told = games.iter().find(|told| told.row.id == *id).expect("the game");
        assert_eq!(told.of_command(*cid), [&Event::Moved { u: u.clone(), lag_ms: 0 }]);
    }
    println!("{round} rounds, {} moves: all stored", obeyed.len());
    store.close().await;
}
