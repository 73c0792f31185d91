//! Faults of PostgreSQL while clients play: connections that end at any moment, and crashes.
//! Nothing acknowledged is lost or executed twice, play goes on, and no read fails.

use super::DATABASE;
use crate::kill::{IN_PLAY, audit_records, end_pairs, start_pairs, wait_for_games_in_play};
use crate::support::client::env_number;
use crate::support::persistent_clients::ClientRecords;
use crate::support::postgres::Cluster;
use crate::support::process::{Process, kill_process};
use sprong::rooms::now_ms;
use sprong::store::{DatabaseAddress, Store};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// Default number of faults (`SPRONG_DATABASE_FAULTS`).
const FAULTS: u64 = 100;

/// Every so many faults, the database crashes; the others end a connection.
const CRASH_EACH: u64 = 25;

/// Time between two faults.
const PAUSE: Duration = Duration::from_millis(50);

/// Connections of the server, in a random order.
const CONNECTIONS: &str =
    "FROM pg_stat_activity WHERE application_name = 'sprong' ORDER BY random() LIMIT 1";

/// Times at which the connections of the readers are ended.
const READER_FAULTS: usize = 10;

/// Reads of each reader between them, at least.
const READS: usize = 10;

/// Readers at the same time: more than places in the pool.
const READERS: usize = 10;

/// Ends the connections that have read an account last.
const END_READERS: &str = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'sprong' AND query LIKE 'SELECT key, id, name%'";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lost_connections_and_crashes_lose_nothing() {
    let cluster = Cluster::start();
    cluster.create_database(DATABASE);
    let url = cluster.url(DATABASE);
    let mut server = Process::start(Path::new(&url), &["--log", "off"]).await;
    let (records, stop) = (ClientRecords::default(), Arc::new(AtomicBool::new(false)));
    let pairs = start_pairs(&[server.addr], &records, &stop).await;
    wait_for_games_in_play(&records, IN_PLAY / 2).await;
    let (faults, began, began_ms) =
        (env_number("SPRONG_DATABASE_FAULTS", FAULTS), Instant::now(), now_ms());
    let (mut ended, mut crashes) = (0, 0);
    for number in 1..=faults {
        tokio::time::sleep(PAUSE).await;
        // The last fault is none: the database must accept connections at the end.
        if number % CRASH_EACH == CRASH_EACH / 2 {
            // The other processes of the database end with one that is killed.
            let victims = cluster.try_run("postgres", &format!("SELECT pid {CONNECTIONS}"));
            crashes += victims.iter().flatten().filter(|pid| kill_process(pid)).count();
        } else {
            // After a crash, the database refuses connections for a moment.
            let sql = format!("SELECT pg_terminate_backend(pid) {CONNECTIONS}");
            ended += cluster.try_run("postgres", &sql).map_or(0, |rows| rows.len());
        }
        assert!(pairs.iter().all(|pair| !pair.is_finished()), "expected all players to continue");
    }
    let wall = began.elapsed();
    assert!(ended as u64 > faults / 2 && crashes > 0, "{ended} connections, {crashes} crashes");
    stop.store(true, Ordering::Relaxed);
    end_pairs(pairs, &records, std::slice::from_mut(&mut server)).await;
    let found = audit_records(&url, &records, &[[began_ms, began_ms]]).await;
    println!("{ended} connections and {crashes} crashes in {wall:.1?}; {found}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn read_is_repeated_after_a_lost_connection() {
    let cluster = Cluster::start();
    cluster.create_database(DATABASE);
    let address = DatabaseAddress::parse(cluster.url(DATABASE).into()).expect("address");
    let store = Store::open_address(&address).await.expect("store");
    let (mut reading, mut counts) = (Vec::new(), Vec::new());
    for _ in 0..READERS {
        let (reads, count) = watch::channel(0);
        counts.push(count);
        let reader = store.clone();
        reading.push(tokio::spawn(async move {
            while !reads.is_closed() {
                assert!(reader.account("missing").await.expect("a read").is_none());
                reads.send_modify(|reads| *reads += 1);
            }
        }));
    }
    let mut ended = 0;
    for _ in 0..READER_FAULTS {
        // A read is repeated once: all readers have to be past that.
        for count in &mut counts {
            let before = *count.borrow();
            count.wait_for(|reads| *reads > before + READS).await.expect("no failed read");
        }
        ended += cluster.run("postgres", END_READERS).len();
    }
    drop(counts);
    for reading in reading {
        reading.await.expect("no failed read");
    }
    assert!(ended >= READER_FAULTS / 2, "{ended} connections");
    store.close().await;
}
