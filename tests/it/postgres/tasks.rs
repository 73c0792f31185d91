//! Transactions of the server: tasks that wait for those of other servers share one for a moment,
//! up to the first end of a game.

use super::DATABASE;
use crate::support::client::Player;
use crate::support::postgres::Cluster;
use crate::support::process::Process;
use crate::support::store_fixtures::register_three;
use serde_json::json;
use sprong::store::{DatabaseAddress, NewSession, RegisterError, Store};
use sqlx::{Connection, Executor, PgConnection};
use std::path::Path;
use std::time::Duration;
use tokio::time::timeout;

/// Lock that each transaction of ordered tasks has.
const LOCK: &str = "SELECT pg_advisory_lock(x'7461736b'::bigint)";

const UNLOCK: &str = "SELECT pg_advisory_unlock(x'7461736b'::bigint)";

const WAITING: &str = "SELECT count(*) FROM pg_locks WHERE NOT granted";

/// Ends the connections that wait for a lock.
const END_WAITING: &str = "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE NOT granted";

/// Store on a new database, and another session.
struct Fixture {
    cluster: Cluster,
    store: Store,
    other: PgConnection,
}

impl Fixture {
    async fn start() -> Fixture {
        let cluster = Cluster::start();
        cluster.create_database(DATABASE);
        let url = cluster.url(DATABASE);
        let address = DatabaseAddress::parse(url.as_str().into()).expect("address");
        let store = Store::open_address(&address).await.expect("store");
        let other = PgConnection::connect(&url).await.expect("another session");
        Fixture { cluster, store, other }
    }

    /// Executes statements in the other session.
    async fn execute(&mut self, sql: &'static str) {
        self.other.execute(sql).await.expect("executed");
    }

    /// Waits until a transaction of the store waits for a lock.
    async fn wait_for_transaction(&mut self) {
        let waits = async {
            let mut count = 0;
            while count == 0 {
                count = sqlx::query_scalar::<_, i64>(WAITING)
                    .fetch_one(&mut self.other)
                    .await
                    .expect("locks");
            }
        };
        timeout(Duration::from_secs(5), waits).await.expect("a transaction that waits");
    }

    fn count(&self, sql: &str) -> String {
        self.cluster.run(DATABASE, sql).concat()
    }
}

/// Registers an account with a name that may be taken.
async fn register(store: &Store, name: &str) -> Result<(), RegisterError> {
    let session = NewSession {
        hash: name.as_bytes().to_vec(),
        id: String::new(),
        agent: String::new(),
        network: String::new(),
        device: Vec::new(),
        now_ms: 0,
    };
    store.register(None, (name.to_lowercase(), name.to_owned()), String::new(), session).await?;
    Ok(())
}

#[tokio::test]
async fn tasks_that_wait_share_a_transaction() {
    let mut fixture = Fixture::start().await;
    let [ann, bob, eve] = register_three(&fixture.store).await.map(|account| account.key);
    fixture.execute(LOCK).await;
    let store = fixture.store.clone();
    let first = tokio::spawn(async move { store.block(ann, bob, 0).await });
    fixture.wait_for_transaction().await;
    let store = fixture.store.clone();
    // All of them are queued before the first one ends.
    let others = tokio::spawn(async move {
        let next = (store.block(bob, eve, 0), register(&store, "ann"), store.block(eve, ann, 0));
        tokio::join!(next.0, next.1, next.2)
    });
    tokio::task::yield_now().await;
    fixture.execute(UNLOCK).await;
    first.await.expect("a task").expect("stored");
    let (second, refused, third) = others.await.expect("tasks");
    second.expect("stored");
    third.expect("stored");
    assert!(matches!(refused, Err(RegisterError::NameTaken)), "{refused:?}");
    assert_eq!(fixture.count("SELECT count(*) FROM block"), "3");
    let transactions = "SELECT count(*), count(DISTINCT xid) FROM change";
    assert_eq!(fixture.count(transactions), "3|2");
}

#[tokio::test]
async fn lost_connection_fails_the_tasks_of_its_transaction() {
    let mut fixture = Fixture::start().await;
    let [ann, bob, eve] = register_three(&fixture.store).await.map(|account| account.key);
    fixture.execute(LOCK).await;
    let store = fixture.store.clone();
    let first = tokio::spawn(async move { store.block(ann, bob, 0).await });
    fixture.wait_for_transaction().await;
    let store = fixture.store.clone();
    let others = tokio::spawn(async move {
        tokio::join!(store.block(bob, ann, 0), store.block(ann, eve, 0), store.block(bob, ann, 1))
    });
    tokio::task::yield_now().await;
    // A block refers to its accounts: the second of these tasks waits for this row.
    fixture.execute("BEGIN; SELECT key FROM account WHERE id = 'eve' FOR UPDATE").await;
    fixture.execute(UNLOCK).await;
    first.await.expect("a task").expect("stored");
    fixture.wait_for_transaction().await;
    fixture.execute(END_WAITING).await;
    let (rolled_back, failed, next) = others.await.expect("tasks");
    rolled_back.expect_err("the transaction was rolled back");
    failed.expect_err("the connection was lost");
    next.expect("stored on another connection");
    let sql = "SELECT created_ms FROM block ORDER BY created_ms";
    assert_eq!(fixture.count(sql), "01", "{}", fixture.count("SELECT * FROM block"));
}

#[tokio::test]
async fn slow_task_ends_its_transaction() {
    let mut fixture = Fixture::start().await;
    let [ann, bob, eve] = register_three(&fixture.store).await.map(|account| account.key);
    fixture.execute("BEGIN; SELECT key FROM account WHERE id = 'eve' FOR UPDATE").await;
    let store = fixture.store.clone();
    let tasks = tokio::spawn(async move {
        tokio::join!(store.block(ann, eve, 0), store.block(ann, bob, 0), store.block(bob, ann, 0))
    });
    fixture.wait_for_transaction().await;
    // Longer than tasks are added to a transaction.
    fixture.execute("SELECT pg_sleep(0.3); COMMIT").await;
    let (slow, second, third) = tasks.await.expect("tasks");
    for stored in [slow, second, third] {
        stored.expect("stored");
    }
    let transactions = "SELECT count(*), count(DISTINCT xid) FROM change";
    assert_eq!(fixture.count(transactions), "3|2");
}

/// A transaction with events of several games, and an append of another server, could wait for each
/// other.
#[tokio::test]
async fn each_end_of_a_game_ends_its_transaction() {
    let cluster = Cluster::start();
    cluster.create_database(DATABASE);
    let url = cluster.url(DATABASE);
    let server = Process::start(Path::new(&url), &["--log", "off"]).await;
    let mut other = PgConnection::connect(&url).await.expect("another session");
    let mut ann = Player::register(server.addr, "Ann").await;
    let mut bob = Player::register(server.addr, "Bob").await;
    let mut cat = Player::register(server.addr, "Cat").await;
    let mut dan = Player::register(server.addr, "Dan").await;
    let days = json!({ "days": 3 });
    let games = [
        ann.start_game(&mut bob, "hogga", days.clone()).await,
        cat.start_game(&mut dan, "hogga", days).await,
    ];
    other.execute(LOCK).await.expect("the lock");
    let block = json!({ "username": "Dan" });
    let first = bob.post("/api/rel/block/dan", block);
    let [one, two] = games.map(|game| format!("/api/board/game/{game}/abort"));
    let ends = async { tokio::join!(ann.post(&one, json!({})), cat.post(&two, json!({}))) };
    let unlock = async {
        // Both ends are queued behind the block.
        dan.get("/api/account").await;
        other.execute("SELECT pg_sleep(0.3)").await.expect("a pause");
        other.execute(UNLOCK).await.expect("unlocked");
    };
    let (first, (one, two), ()) = tokio::join!(first, ends, unlock);
    assert_eq!([first.0, one.0, two.0], [200; 3]);
    let transactions = "SELECT count(*), count(DISTINCT xid) FROM change
         WHERE body LIKE '%GameOver%'";
    assert_eq!(cluster.run(DATABASE, transactions).concat(), "2|2");
}
