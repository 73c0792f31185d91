//! Starts of a node beside another one that runs, or that has just been killed.

use super::{Node, blitz, new_game, serve};
use crate::store::open_store;
use crate::support::client::wait_until;
use crate::support::earlier_version::open_version;
use crate::support::store_fixtures::{rated_draft, register_account, register_three};
use sprong::play::challenge::{ChallengeKind, ChallengeStatus};
use sprong::play::event::Event;
use sprong::rooms::{Rooms, SeekOutcome, now_ms};
use sprong::store::{Account, Draft, GameRow, NODE_TIMEOUT_MS, PublicId, Store};
use sqlx::Connection;
use tempfile::TempDir;

/// Begins a seek on a node.
async fn seek(rooms: &Rooms, creator: &Account, variant: &str) -> SeekOutcome {
    let mut draft =
        Draft { program: true, paces: vec![blitz()], ..rated_draft(variant, ChallengeKind::Seek) };
    draft.terms.expires_ms = now_ms() + 600_000;
    rooms.seek(creator.clone(), draft, 10.into()).await.expect("stored")
}

fn seek_id(outcome: &SeekOutcome) -> PublicId {
    match outcome {
        SeekOutcome::Open(guard) => guard.id,
        SeekOutcome::Game(id) => panic!("the game {id} in place of a seek"),
    }
}

async fn status(store: &Store, id: PublicId) -> ChallengeStatus {
    store.challenge(&id).await.expect("read").expect("challenge").draft.terms.status
}

/// Returns the times that the `resumed` events of a game exclude, in milliseconds.
pub async fn excluded_ms(store: &Store, row: &GameRow) -> Vec<i64> {
    let log = store.events(row.key).await.expect("log");
    let resumed = log.iter().filter_map(|(logged, _)| match logged.event {
        Event::Resumed { lost_ms, .. } => Some(lost_ms),
        _ => None,
    });
    resumed.collect()
}

#[tokio::test]
async fn start_beside_a_running_node_takes_nothing_from_it() {
    let folder = TempDir::new().expect("folder");
    let store = open_store(folder.path()).await;
    let [ann, bob, eve] = register_three(&store).await;
    let running = Node::new(&store).rooms;
    serve(&running).await;
    let gone = Node::new(&store).rooms;
    let (own, orphaned) =
        (seek(&running, &ann, "hogga").await, seek(&gone, &eve, "knightFight").await);
    let row = new_game(&store, &[ann, bob], blitz()).await;
    running.snapshot(&row.id).await.expect("snapshot");
    let started = Node::new(&store).rooms;
    serve(&started).await;
    assert_eq!(excluded_ms(&store, &row).await, [] as [i64; 0], "no time was lost");
    let [one, other] = [running.snapshot(&row.id).await, started.snapshot(&row.id).await]
        .map(|snapshot| snapshot.expect("snapshot"));
    assert_eq!((one.v, one.outage_ms), (other.v, other.outage_ms));
    assert_eq!(status(&store, seek_id(&own)).await, ChallengeStatus::Created);
    assert_eq!(status(&store, seek_id(&orphaned)).await, ChallengeStatus::Canceled);
    for rooms in [&running, &started, &gone] {
        rooms.stop().await;
    }
    store.close().await;
}

#[tokio::test]
async fn start_after_a_killed_node_excludes_the_time_since() {
    let folder = TempDir::new().expect("folder");
    let store = open_store(folder.path()).await;
    let [ann, bob] = [register_account(&store, "Ann").await, register_account(&store, "Bob").await];
    let killed = Node::new(&store).rooms;
    let orphaned = seek(&killed, &ann, "hogga").await;
    let id = seek_id(&orphaned);
    let row = new_game(&store, &[ann, bob], blitz()).await;
    let alive_ms = now_ms();
    killed.store().record_heartbeat(alive_ms, 0, Vec::new()).await.expect("stored");
    // Both nodes find only this heartbeat, which is recent. One starts after the other.
    let [one, other] = [Node::new(&store).rooms, Node::new(&store).rooms];
    tokio::join!(serve(&one), serve(&other));
    let excluded = excluded_ms(&store, &row).await;
    assert_eq!(excluded.len(), 1, "once: {excluded:?}");
    assert!(excluded[0] >= NODE_TIMEOUT_MS && excluded[0] <= now_ms() - alive_ms, "{excluded:?}");
    let outages = [one.snapshot(&row.id).await, other.snapshot(&row.id).await]
        .map(|snapshot| snapshot.expect("snapshot").outage_ms);
    assert_eq!(outages, [excluded[0]; 2], "no node excludes its own start");
    // Its row is there for a minute; its heartbeats are missed earlier.
    wait_until("the seek of the killed node stays", async || {
        status(&store, id).await == ChallengeStatus::Canceled
    })
    .await;
    for rooms in [&one, &other, &killed] {
        rooms.stop().await;
    }
    store.close().await;
}

/// The twentieth version had one row for the only server.
#[tokio::test]
async fn heartbeat_of_an_earlier_version_counts() {
    let folder = TempDir::new().expect("folder");
    let mut old = open_version(&folder.path().join("sprong.db"), 20).await;
    let alive = sqlx::query("INSERT INTO server (one, alive_ms) VALUES (1, 1000)");
    alive.execute(&mut old).await.expect("a heartbeat");
    old.close().await.expect("closed");
    let store = open_store(folder.path()).await;
    assert_eq!(store.last_heartbeat_ms().await.expect("read"), 1_000);
    // Rows of nodes that have been gone for long are removed.
    for (now_ms, others) in [(60_000, 1), (61_001, 0)] {
        store.record_heartbeat(now_ms, 0, Vec::new()).await.expect("stored");
        assert_eq!(store.other_nodes().await.expect("read").len(), others);
        assert_eq!(store.last_heartbeat_ms().await.expect("read"), now_ms);
    }
    store.close().await;
}
