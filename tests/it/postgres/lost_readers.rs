//! Reads while the database ends their connections.

use super::DATABASE;
use crate::support::postgres::Cluster;
use sprong::store::{DatabaseAddress, Store};
use tokio::sync::watch;

/// Times at which the connections are ended.
const FAULTS: usize = 20;

/// Reads between them, at least.
const READS: usize = 1_000;

/// Readers at the same time: more than places in the pool.
const READERS: usize = 20;

/// Ends the connections that have read an account last.
const END_READERS: &str = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'sprong' AND query LIKE 'SELECT key, id, name%'";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn read_is_repeated_after_a_lost_connection() {
    let cluster = Cluster::start();
    cluster.create_database(DATABASE);
    let address = DatabaseAddress::parse(cluster.url(DATABASE).into()).expect("address");
    let store = Store::open_address(&address).await.expect("store");
    let (reads, mut read) = watch::channel(0);
    let read_on = |reader: Store, reads: watch::Sender<usize>| async move {
        while !reads.is_closed() {
            assert!(reader.account("missing").await.expect("a read").is_none());
            reads.send_modify(|reads| *reads += 1);
        }
    };
    let reading = (0..READERS).map(|_| tokio::spawn(read_on(store.clone(), reads.clone())));
    let reading: Vec<_> = reading.collect();
    let mut ended = 0;
    for _ in 0..FAULTS {
        // A new connection takes longer for its first read, and may be ended in it as well.
        let before = *read.borrow();
        read.wait_for(|reads| *reads > before + READS).await.expect("no failed read");
        ended += cluster.run("postgres", END_READERS).len();
    }
    drop(read);
    for reading in reading {
        reading.await.expect("no failed read");
    }
    assert!(ended >= FAULTS / 2, "{ended} connections");
    store.close().await;
}
