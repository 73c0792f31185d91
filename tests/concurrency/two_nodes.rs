//! Two servers on one store under shuttle, which send each other hints of events; these are lost,
//! repeated, late and out of order. Players act on either server, at the same time. Each
//! acknowledged command is stored once, both servers have the same state in the end, and a
//! spectator of each gets all events in order.

use super::fixture::{BaseDatabase, ServerFixture};
use super::runner::{PCT_DEPTH, run};
use shuttle::rand::{Rng, thread_rng};
use shuttle::scheduler::{PctScheduler, RandomScheduler};
use sprong::play::command::{Command, OfferAction};
use sprong::rooms::{CommandError, GameSnapshot, Hint, RequestError, RoomMessage, Rooms};
use sprong::rules::Side;
use sprong::store::GameRow;
use std::sync::Arc;
use tokio::sync::mpsc;
use uuid::Uuid;

type Servers = [Arc<ServerFixture>; 2];

/// Commands of each player of a game. The log of a finished game keeps the ids of the last four.
const COMMANDS: usize = 2;

/// Passes hints of one server to the other. Ends when the first one is dropped.
async fn pass_hints(mut hints: mpsc::Receiver<Hint>, to: Rooms) {
    let mut held = Vec::new();
    while let Some(hint) = hints.recv().await {
        match thread_rng().gen_range(0..6) {
            0 => {}
            1 => held.push(hint),
            2 => [hint.clone(), hint].into_iter().for_each(|hint| to.handle_hint(hint)),
            _ => to.handle_hint(hint),
        }
        if thread_rng().gen_bool(0.3) {
            held.drain(..).rev().for_each(|hint| to.handle_hint(hint));
        }
    }
}

/// Plays one side of a game, each command on one of the servers or on both.
async fn play(servers: Servers, row: GameRow, side: Side) {
    for _ in 0..COMMANDS {
        let at = thread_rng().gen_range(0..2);
        let snapshot = servers[at].rooms.snapshot(&row.id).await.expect("snapshot");
        let moves = &snapshot.legal;
        let command = match thread_rng().gen_range(0..8) {
            0 => Command::Resign,
            1 => Command::Draw { action: OfferAction::Offer, ply: None },
            _ if moves.is_empty() => return,
            _ => {
                let u = moves[thread_rng().gen_range(0..moves.len())].to_owned();
                Command::Move { u: u.into(), ply: Some(snapshot.moves.len()), lag_ms: 0 }
            }
        };
        let cid = Uuid::now_v7();
        let first = send(&servers[at], &row, side, cid, command.clone()).await;
        if thread_rng().gen_bool(0.3) {
            // The same command is answered the same way on the other server.
            let again = send(&servers[1 - at], &row, side, cid, command).await;
            if let Some(seq) = first {
                assert_eq!(again, Some(seq));
            }
        }
    }
}

/// Returns the part of a snapshot that does not depend on the server.
fn shared_state(snapshot: &GameSnapshot) -> String {
    let GameSnapshot { v, position, moves, chat, draw_offer, takeback_offer, row, .. } = snapshot;
    let end = row.result.map(|result| result.end);
    format!("{v} {position} {moves:?} {chat:?} {draw_offer:?} {takeback_offer:?} {end:?}")
}

/// Sends a command. Returns the number of its event unless it is refused.
async fn send(
    server: &ServerFixture,
    row: &GameRow,
    side: Side,
    cid: Uuid,
    command: Command,
) -> Option<i64> {
    let account = row.players[side.index()].account.key;
    let message = |reply| RoomMessage::Command { account, command, cid: Some(cid), reply };
    match server.rooms.request(&row.id, message).await {
        Ok(seq) => {
            server.acknowledged(row, side, cid).await;
            Some(seq)
        }
        Err(RequestError::Command(CommandError::Refused(_))) => None,
        Err(error) => panic!("{error}"),
    }
}

/// Follows a game on a server until its rooms stop.
async fn follow(server: Arc<ServerFixture>, row: GameRow, ready: mpsc::Sender<()>) -> i64 {
    let (_, mut joined) = server.rooms.join(&row.id, None, None).await.expect("joined");
    let mut v = joined.snapshot.as_ref().expect("snapshot").v;
    drop(ready);
    while let Ok(event) = joined.events.next().await {
        assert_eq!(event.v, v + 1, "events must have no gap and no duplicate");
        v = event.v;
    }
    v
}

async fn schedule(base: Arc<BaseDatabase>) {
    let [(one, to_two), (two, to_one)] = ServerFixture::open_two(&base).await;
    let servers = [one.clone(), two.clone()];
    // Excludes the time since the games were created.
    one.rooms.resume().await.expect("resumed games");
    one.rooms.end_maintenance();
    tokio::spawn(pass_hints(to_two, two.rooms.clone()));
    tokio::spawn(pass_hints(to_one, one.rooms.clone()));
    let row = base.rows()[0].clone();
    let (ready, mut joined) = mpsc::channel(1);
    let followers = servers
        .each_ref()
        .map(|server| tokio::spawn(follow(server.clone(), row.clone(), ready.clone())));
    drop(ready);
    assert!(joined.recv().await.is_none());
    let players = Side::BOTH.map(|side| tokio::spawn(play(servers.clone(), row.clone(), side)));
    for player in players {
        player.await.expect("a player");
    }
    let last = one.store.last_seq(row.key).await.expect("log");
    let mut states = Vec::new();
    for server in &servers {
        server.rooms.catch_up();
        let snapshot = server.rooms.snapshot(&row.id).await.expect("snapshot");
        assert_eq!(snapshot.v, last);
        states.push(shared_state(&snapshot));
    }
    assert_eq!(states[0], states[1]);
    for server in &servers {
        server.stopping();
        server.rooms.stop().await;
    }
    for follower in followers {
        assert_eq!(follower.await.expect("a follower"), last);
    }
    one.audit(&[row]).await;
    one.store.close().await;
}

#[test]
fn two_nodes_in_random_schedules_agree() {
    run("random", RandomScheduler::new, schedule);
}

#[test]
fn two_nodes_in_pct_schedules_agree() {
    run("PCT", |schedules| PctScheduler::new(PCT_DEPTH, schedules), schedule);
}
