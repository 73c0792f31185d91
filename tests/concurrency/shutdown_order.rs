//! Concurrency of writer, rooms and shutdown under shuttle. Two games are played and followed, and
//! everything stops at some moment, in hundreds of schedules, each on its own database: no task
//! waits forever (shuttle detects that), every published event and every acknowledged command is
//! stored exactly once, a spectator gets all events in order, and all requests after the end are
//! refused.

use super::fixture::{BaseDatabase, ServerFixture};
use super::runner::{PCT_DEPTH, run};
use shuttle::rand::{Rng, thread_rng};
use shuttle::scheduler::{PctScheduler, RandomScheduler};
use sprong::play::command::{Command, Refusal};
use sprong::play::event::Event;
use sprong::rooms::{CommandError, CommandResult, RequestError, RoomError, RoomMessage};
use sprong::rules::Side;
use sprong::store::{Append, GameRow};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use uuid::Uuid;

/// Commands in each game, and the number of times that a spectator joins it.
const COMMANDS: usize = 4;

/// Sleeps that end in a schedule.
const SLEEPS: usize = 8;

/// Command of a player, which may be repeated.
#[derive(Clone)]
struct PendingCommand {
    row: GameRow,
    side: usize,
    cid: Uuid,
    command: Command,
}

impl PendingCommand {
    fn to_message(&self, reply: oneshot::Sender<CommandResult>) -> RoomMessage {
        let PendingCommand { row, side, cid, command } = self.clone();
        let account = row.players[side].account.key;
        RoomMessage::Command { account, command, cid: Some(cid), reply }
    }
}

/// Plays both sides of a game, with a signal before each command. Returns an unacknowledged
/// command.
async fn play(
    fixture: Arc<ServerFixture>,
    row: GameRow,
    signal: mpsc::Sender<()>,
) -> Option<PendingCommand> {
    for at in 0..COMMANDS {
        let snapshot = match fixture.rooms.snapshot(&row.id).await {
            Ok(snapshot) if snapshot.legal.is_empty() => return None,
            Ok(snapshot) => snapshot,
            Err(error) => return fixture.refused(&error),
        };
        let (side, ply) = (snapshot.turn.index(), snapshot.moves.len());
        let command = if at + 1 == COMMANDS && thread_rng().gen_bool(0.5) {
            Command::Resign
        } else {
            let u = snapshot.legal[thread_rng().gen_range(0..snapshot.legal.len())].to_owned();
            Command::Move { u: u.into(), ply: Some(ply), lag_ms: 0 }
        };
        let pending = PendingCommand { row: row.clone(), side, cid: Uuid::now_v7(), command };
        signal.send(()).await.expect("a receiver of the signals");
        match fixture.rooms.request(&row.id, |reply| pending.to_message(reply)).await {
            Ok(_) => {
                fixture.acknowledged(&pending.row, Side::BOTH[pending.side], pending.cid).await
            }
            Err(RequestError::Command(CommandError::StoreFailed)) => {
                assert!(fixture.is_stopping(), "not stored without a shutdown");
                return Some(pending);
            }
            Err(RequestError::Command(why)) => panic!("{why}"),
            Err(RequestError::Room(error)) => return fixture.refused(&error),
        }
    }
    None
}

/// Joins a room, follows it for a short time, and leaves, several times.
async fn watch(fixture: Arc<ServerFixture>, row: GameRow) {
    for _ in 0..COMMANDS {
        let inbox = match fixture.rooms.room(&row.id).await {
            Ok(inbox) => inbox,
            Err(error) => return fixture.refused(&error).unwrap_or_default(),
        };
        let (reply, response) = oneshot::channel();
        let since = thread_rng().gen_bool(0.5).then(|| thread_rng().gen_range(0..3));
        let join = RoomMessage::Join { account: None, last_seen: since, reply };
        if inbox.send(Box::new(join)).await.is_err() {
            continue;
        }
        let Ok(mut joined) = response.await else {
            assert!(fixture.is_stopping(), "a room ended without a shutdown");
            continue;
        };
        let mut v =
            joined.snapshot.as_ref().map_or_else(|| since.expect("version"), |snapshot| snapshot.v);
        for event in std::mem::take(&mut joined.missed) {
            assert_eq!(event.v, v + 1, "events must have no gap and no duplicate");
            v = event.v;
        }
        fixture.is_stored(&row, v).await;
        for _ in 0..thread_rng().gen_range(0..3) {
            let event = tokio::select! {
                event = joined.events.next() => event,
                () = tokio::time::sleep(Duration::ZERO) => break,
            };
            let Ok(event) = event else { break };
            assert_eq!(event.v, v + 1, "events must have no gap and no duplicate");
            v = event.v;
            fixture.is_stored(&row, v).await;
        }
    }
}

/// Stops store and rooms in one order or the other.
async fn stop(fixture: &ServerFixture) {
    fixture.stopping();
    if thread_rng().gen_bool(0.3) {
        // The store closes before the rooms stop.
        let store = fixture.store.clone();
        let closed = tokio::spawn(async move { store.close().await });
        fixture.rooms.stop().await;
        closed.await.expect("closed");
    } else {
        fixture.rooms.stop().await;
        fixture.store.close().await;
    }
}

/// Checks that all requests after the shutdown are refused.
async fn expect_all_refused(fixture: &ServerFixture, row: &GameRow) {
    assert!(matches!(fixture.rooms.room(&row.id).await, Err(RoomError::Stopping)));
    assert!(matches!(fixture.rooms.snapshot(&row.id).await, Err(RoomError::Store(_))));
    let logged = sprong::play::event::LoggedEvent {
        seq: 1_000,
        side: None,
        at_ms: 0,
        event: Event::DrawOffered,
    };
    let append = Append { game: row.key, cid: None, logged, state: None, epoch: 0 };
    assert!(fixture.store.append(append).await.is_err(), "stored after the end");
}

async fn schedule(base: Arc<BaseDatabase>) {
    let fixture = ServerFixture::open(&base).await;
    fixture.rooms.resume().await.expect("resumed games");
    fixture.rooms.end_maintenance();
    tokio::spawn(tokio::time::pass(SLEEPS));
    let (signal, mut signs) = mpsc::channel(base.rows().len() * COMMANDS);
    let plays = |row: &GameRow| tokio::spawn(play(fixture.clone(), row.clone(), signal.clone()));
    let players: Vec<_> = base.rows().iter().map(plays).collect();
    drop(signal);
    let watchers: Vec<_> =
        base.rows().iter().map(|row| tokio::spawn(watch(fixture.clone(), row.clone()))).collect();
    // Stops after a random number of commands, or when no more follow.
    for _ in 0..thread_rng().gen_range(0..=base.rows().len() * COMMANDS) {
        if signs.recv().await.is_none() {
            break;
        }
    }
    stop(&fixture).await;
    for watcher in watchers {
        watcher.await.expect("a watcher");
    }
    let mut unsure = Vec::new();
    for player in players {
        unsure.extend(player.await.expect("a player"));
    }
    for row in base.rows() {
        expect_all_refused(&fixture, row).await;
    }
    // The next server gets each unacknowledged command again, as the same command.
    let next = fixture.next().await;
    for pending in unsure {
        match next.rooms.request(&pending.row.id, |reply| pending.to_message(reply)).await {
            Ok(_) => next.acknowledged(&pending.row, Side::BOTH[pending.side], pending.cid).await,
            Err(RequestError::Command(CommandError::Refused(Refusal::GameOver))) => {}
            Err(why) => panic!("{why}"),
        }
    }
    next.stopping();
    next.rooms.stop().await;
    next.audit(base.rows()).await;
    next.store.close().await;
}

#[test]
fn shutdown_in_random_schedules_loses_nothing() {
    run("random", RandomScheduler::new, schedule);
}

#[test]
fn shutdown_in_pct_schedules_loses_nothing() {
    run("PCT", |schedules| PctScheduler::new(PCT_DEPTH, schedules), schedule);
}
