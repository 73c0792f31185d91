//! Writes to PostgreSQL: one lane for appends, and several for tasks.
//!
//! All appends that wait share one statement; each task has a transaction of its own. A serial task
//! waits for the serial and the locking tasks of all nodes, and they for it. A locking task also
//! waits for those with a common lock. Tasks in any order wait for none. Each wait for the database
//! has a limit, after which the connection is closed: the caller is answered
//! [`StoreError::NotCommitted`], which means here that the outcome is unknown. The next write opens
//! a new connection. Caller: the parent module.

use super::{
    JobKind, Order, Outcome, QUEUE_MAX, Task, ignore, publish, publish_turns, record_commit,
};
use crate::bus::send;
use crate::store::changes::{Change, ChangeFeed};
use crate::store::event_log::postgres::FinishedGames;
use crate::store::event_log::{Append, Appended, postgres};
use crate::store::primary::{Connected, Connector};
use crate::store::remote_changes::{OwnChanges, store_changes};
use crate::store::sql::Conn;
use crate::store::task_lock::LOCKS_MAX;
use crate::store::{NodeKey, StoreError};
use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio::time::timeout;
use tokio_util::task::TaskTracker;

/// Maximum of events per statement.
const BATCH_MAX: usize = 128;

/// Time limit of an append.
const APPEND_TIMEOUT: Duration = Duration::from_secs(3);

/// Time limit of a task.
const TASK_TIMEOUT: Duration = Duration::from_secs(5);

/// Key of the advisory lock of tasks: the text `task` as a number.
const TASK_LOCK: i64 = 0x7461_736b;

/// Lanes of locking tasks.
const LOCKING_LANES: usize = 4;

/// Statements that take the lock of all tasks, shared, and those of 0 to [`LOCKS_MAX`] keys.
const LOCK_KEYS: [&str; LOCKS_MAX + 1] = [
    "SELECT pg_advisory_xact_lock_shared($1)",
    "SELECT pg_advisory_xact_lock_shared($1), pg_advisory_xact_lock($2)",
    "SELECT pg_advisory_xact_lock_shared($1), pg_advisory_xact_lock($2), pg_advisory_xact_lock($3)",
    "SELECT pg_advisory_xact_lock_shared($1), pg_advisory_xact_lock($2), pg_advisory_xact_lock($3),
         pg_advisory_xact_lock($4)",
];

type AppendJob = (Box<Append>, oneshot::Sender<Appended>);

enum TaskJob {
    Task(Order, Task),
    /// Ends the lanes of a queue after all earlier tasks.
    Close,
}

/// Handle to the lanes.
#[derive(Clone, Debug)]
pub(in crate::store) struct Lanes {
    appends: mpsc::Sender<AppendJob>,
    serial: mpsc::Sender<TaskJob>,
    locking: mpsc::Sender<TaskJob>,
    unordered: mpsc::Sender<TaskJob>,
    /// Lanes of tasks that have not ended.
    running: TaskTracker,
}

/// Lane of tasks: a connection, `None` before the first write and after a failure.
struct Lane {
    name: &'static str,
    connection: Option<Conn>,
    connector: Connector,
    node: NodeKey,
    own: OwnChanges,
}

impl Lane {
    /// Executes a task in a transaction. After the commit, publishes its changes and answers its
    /// caller. The connection is lost if the transaction does not end in time; if it was committed
    /// nevertheless, its changes are read like those of other nodes.
    async fn execute(&mut self, order: Order, task: Task, feed: &ChangeFeed) {
        let started = Instant::now();
        let mut row = None;
        let connector = self.connector.clone();
        let epoch = connector.epoch();
        let done =
            connector.limit(epoch, TASK_TIMEOUT, self.try_execute(&order, task, &mut row)).await;
        match done {
            // A refusal is no commit.
            Ok((outcome, _)) if !outcome.is_success => (outcome.reply)(),
            done => {
                let done = record_commit(JobKind::Task, started, 1, done);
                row.into_iter().for_each(|seq| self.own.end(seq, done.is_some()));
                if let Some((outcome, changes)) = done {
                    publish(feed, changes, outcome.handled);
                    (outcome.reply)();
                }
            }
        }
    }

    /// Returns the outcome and the changes of a task whose transaction has ended. Sets the number
    /// of the row of its changes before the commit.
    async fn try_execute(
        &mut self,
        order: &Order,
        task: Task,
        row: &mut Option<i64>,
    ) -> Result<(Outcome, Vec<Change>), StoreError> {
        let mut connection = self.begin(order).await?;
        let outcome = task(&mut connection).await;
        let changes = connection.take_announced();
        if outcome.is_success && !changes.is_empty() {
            let seq = store_changes(&mut connection, self.node, &changes).await?;
            self.own.begin(seq);
            *row = Some(seq);
        }
        let end = if outcome.is_success { "COMMIT" } else { "ROLLBACK" };
        match connection.query(end).execute().await {
            Ok(_) => self.connection = Some(connection),
            Err(error) if outcome.is_success => return Err(error.into()),
            // The end of the connection rolls back.
            Err(_) => {}
        }
        Ok((outcome, changes))
    }

    /// Begins a transaction, on a new connection if there is none or it was lost meanwhile.
    async fn begin(&mut self, order: &Order) -> Result<Conn, StoreError> {
        let epoch = self.connector.epoch();
        let old = self.connection.take().filter(|connection| connection.epoch() == epoch);
        if let Some(mut connection) = old
            && begin_on(&mut connection, order).await.is_ok()
        {
            return Ok(connection);
        }
        let mut connection = Conn::to_primary(self.connector.connect_again(self.name).await?);
        begin_on(&mut connection, order).await?;
        Ok(connection)
    }
}

/// Begins a transaction, after the tasks of all nodes for which its task has to wait.
async fn begin_on(connection: &mut Conn, order: &Order) -> Result<(), StoreError> {
    connection.query("BEGIN").execute().await?;
    let (sql, keys): (_, &[i64]) = match order {
        Order::Serial => ("SELECT pg_advisory_xact_lock($1)", &[]),
        Order::Locking(keys) => (LOCK_KEYS[keys.len()], keys),
        Order::Any => return Ok(()),
    };
    let began = Instant::now();
    let lock = connection.query(sql).bind(TASK_LOCK);
    keys.iter().fold(lock, |lock, key| lock.bind(*key)).execute().await?;
    metrics::histogram!("sprong_lock_wait_seconds").record(began.elapsed());
    Ok(())
}

/// Lane of appends: a connection, `None` after a failure until the next write.
struct AppendLane {
    connection: Option<Connected>,
    connector: Connector,
    finished: FinishedGames,
}

impl AppendLane {
    /// Appends events. The connection is lost after an error; if it was lost before, the events are
    /// appended on a new one.
    async fn append(&mut self, appends: &[Append]) -> Result<Vec<Appended>, StoreError> {
        let epoch = self.connector.epoch();
        let old = self.connection.take().filter(|old| old.epoch == epoch);
        let is_second_attempt = old.is_some();
        if let Some(mut old) = old {
            match postgres::append(&mut old.connection, appends, false).await {
                Ok(appended) => {
                    self.connection = Some(old);
                    return Ok(appended);
                }
                Err(error) => tracing::warn!(%error, "Failed to append events; trying again"),
            }
        }
        let mut new = self.connector.connect_again("append").await?;
        if appends.iter().any(|append| append.epoch != new.epoch) {
            self.connection = Some(new);
            return Err(StoreError::Replaced);
        }
        let appended = postgres::append(&mut new.connection, appends, is_second_attempt).await?;
        self.connection = Some(new);
        Ok(appended)
    }

    /// Deletes the rows of games that were over a minute ago.
    async fn delete_finished(&mut self) {
        let old = self.finished.old();
        let Some(held) = self.connection.as_mut().filter(|_| !old.is_empty()) else { return };
        match timeout(APPEND_TIMEOUT, postgres::delete_rows(&mut held.connection, &old)).await {
            Ok(Ok(())) => self.finished.remove_first(old.len()),
            _ => {
                tracing::warn!("Failed to delete the events of ended games");
                self.connection = None;
            }
        }
    }
}

impl Lanes {
    /// Starts the lanes.
    pub(in crate::store) fn start(
        first: Connected,
        connector: Connector,
        finished: FinishedGames,
        feed: ChangeFeed,
        node: NodeKey,
        own: OwnChanges,
    ) -> Lanes {
        let (appends, waiting) = mpsc::channel(QUEUE_MAX);
        let lane = AppendLane { connection: None, connector: connector.clone(), finished };
        tokio::spawn(append_loop(lane, waiting, feed.clone()));
        let running = TaskTracker::new();
        let start = |name, lanes, mut first: Option<Conn>| {
            let (tasks, waiting) = mpsc::channel(QUEUE_MAX);
            let waiting = Arc::new(Mutex::new(waiting));
            for _ in 0..lanes {
                let (connection, own) = (first.take(), own.clone());
                let lane = Lane { name, connection, connector: connector.clone(), node, own };
                running.spawn(task_loop(lane, waiting.clone(), feed.clone()));
            }
            tasks
        };
        let serial = start("task", 1, Some(Conn::to_primary(first)));
        let locking = start("locking", LOCKING_LANES, None);
        let unordered = start("node", 1, None);
        Lanes { appends, serial, locking, unordered, running }
    }

    /// Adds a task, which has a transaction of its own.
    pub(super) async fn execute(&self, order: Order, task: Task) -> Result<(), StoreError> {
        let tasks = match order {
            Order::Serial => &self.serial,
            Order::Locking(_) => &self.locking,
            Order::Any => &self.unordered,
        };
        tasks.send(TaskJob::Task(order, task)).await.map_err(|_| StoreError::NotCommitted)
    }

    pub(super) async fn append(&self, append: Box<Append>) -> Result<Appended, StoreError> {
        let (reply, response) = oneshot::channel();
        send(&self.appends, (append, reply)).await.map_err(|_| StoreError::NotCommitted)?;
        response.await.map_err(|_| StoreError::NotCommitted)
    }

    /// Ends the lanes of tasks after all earlier ones. The rooms have stopped before, so that no
    /// append waits.
    pub(super) async fn close(&self) {
        for tasks in [&self.serial, &self.locking, &self.unordered] {
            // Fails if they have ended.
            let _ = tasks.send(TaskJob::Close).await;
        }
        self.running.close();
        self.running.wait().await;
    }
}

/// Executes the tasks of a queue, which several lanes may share.
async fn task_loop(mut lane: Lane, waiting: Arc<Mutex<mpsc::Receiver<TaskJob>>>, feed: ChangeFeed) {
    while let Some((order, task)) = next_task(&waiting).await {
        lane.execute(order, task, &feed).await;
    }
    if let Some(connection) = lane.connection.take()
        && let Err(error) = connection.close().await
    {
        tracing::warn!(%error, "Failed to close a connection to the database");
    }
}

async fn next_task(waiting: &Mutex<mpsc::Receiver<TaskJob>>) -> Option<(Order, Task)> {
    let mut waiting = waiting.lock().await;
    loop {
        match waiting.recv().await? {
            TaskJob::Task(order, task) => return Some((order, task)),
            TaskJob::Close => waiting.close(),
        }
    }
}

async fn append_loop(
    mut lane: AppendLane,
    mut waiting: mpsc::Receiver<AppendJob>,
    feed: ChangeFeed,
) {
    let (mut held, connector) = (Vec::new(), lane.connector.clone());
    while !held.is_empty() || waiting.recv_many(&mut held, BATCH_MAX).await > 0 {
        let jobs = take_batch(&mut held);
        let started = Instant::now();
        let epoch = connector.epoch();
        let jobs = refuse_earlier(jobs, epoch);
        if jobs.is_empty() {
            continue;
        }
        let jobs = jobs.into_iter().map(|(append, reply)| (*append, reply));
        let (appends, replies): (Vec<Append>, Vec<_>) = jobs.unzip();
        let done = connector.limit(epoch, APPEND_TIMEOUT, lane.append(&appends)).await;
        if let Some(appended) = record_commit(JobKind::Append, started, appends.len(), done) {
            publish_turns(&feed, &appends, &appended);
            for (reply, appended) in replies.into_iter().zip(appended) {
                ignore(reply.send(appended));
            }
        }
        lane.delete_finished().await;
    }
}

/// Answers the jobs of earlier epochs, and returns the others.
fn refuse_earlier(jobs: Vec<AppendJob>, epoch: u64) -> Vec<AppendJob> {
    let (jobs, earlier): (Vec<_>, Vec<_>) =
        jobs.into_iter().partition(|(append, _)| append.epoch == epoch);
    for (_, reply) in earlier {
        ignore(reply.send(Appended::Conflict));
    }
    jobs
}

/// Takes the jobs of the next statement, which has one event of each game at most. Those that
/// remain keep their order.
fn take_batch(held: &mut Vec<AppendJob>) -> Vec<AppendJob> {
    let mut games = HashSet::new();
    let (batch, rest) = held.drain(..).partition(|(append, _)| games.insert(append.game));
    *held = rest;
    batch
}
