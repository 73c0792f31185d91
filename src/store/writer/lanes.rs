//! Writes to PostgreSQL: one lane for appends, and two for tasks.
//!
//! All appends that wait share one statement, and tasks that wait share a transaction. The tasks of
//! all nodes are executed one after the other, but for those of the second lane: each of these has
//! a transaction of its own, because two that lock the same rows in different orders would wait for
//! each other. Each wait for the database has a limit, after which the connection is closed: the
//! caller is answered [`StoreError::NotCommitted`], which means here that the outcome is unknown.
//! The next write opens a new connection. Caller: the parent module.

use super::{
    Executed, Order, QUEUE_MAX, Task, execute_task, ignore, publish, publish_turns, record_commit,
};
use crate::bus::send;
use crate::store::changes::{Change, ChangeFeed};
use crate::store::event_log::postgres::FinishedGames;
use crate::store::event_log::{Append, Appended, postgres};
use crate::store::primary::{Connected, Connector};
use crate::store::remote_changes::{OwnChanges, store_changes};
use crate::store::sql::Conn;
use crate::store::{NodeKey, StoreError};
use std::collections::{HashSet, VecDeque};
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

/// Maximum of events per statement.
const BATCH_MAX: usize = 128;

/// Time limit of an append.
const APPEND_TIMEOUT: Duration = Duration::from_secs(3);

/// Time limit of a task.
const TASK_TIMEOUT: Duration = Duration::from_secs(5);

/// Maximum of ordered tasks per transaction. Those of the other nodes wait for it.
const TASKS_MAX: usize = 32;

/// Time after which no other task is added to a transaction: slow tasks keep a limit of their own.
const BATCH_TIME: Duration = Duration::from_millis(200);

/// Begins a transaction after those of all nodes, by a lock whose key is the text `task` as a
/// number.
const BEGIN_SERIAL: &str =
    "BEGIN; SELECT pg_advisory_xact_lock(x'7461736b'::bigint); SAVEPOINT task";

type AppendJob = (Append, oneshot::Sender<Appended>);

enum TaskJob {
    Task(Task),
    /// Ends the lane after all earlier tasks.
    Close(oneshot::Sender<()>),
}

/// Handle to the lanes.
#[derive(Clone, Debug)]
pub(in crate::store) struct Lanes {
    appends: mpsc::Sender<AppendJob>,
    tasks: mpsc::Sender<TaskJob>,
    unordered: mpsc::Sender<TaskJob>,
}

impl Order {
    /// Returns the maximum of tasks per transaction.
    fn tasks_max(self) -> usize {
        match self {
            Order::Serial => TASKS_MAX,
            Order::Any => 1,
        }
    }
}

/// Lane of tasks: a connection, `None` before the first write and after a failure.
struct Lane {
    connection: Option<Conn>,
    connector: Connector,
    order: Order,
    node: NodeKey,
    own: OwnChanges,
}

impl Lane {
    /// Executes the first of the waiting tasks in one transaction. After the commit, publishes
    /// their changes and answers their callers. The connection is lost if the transaction does not
    /// end in time; if it was committed nevertheless, its changes are read like those of other
    /// nodes.
    async fn execute(&mut self, waiting: &mut VecDeque<Task>, feed: &ChangeFeed) {
        let (started, before) = (Instant::now(), waiting.len());
        let mut rows = Vec::new();
        let connector = self.connector.clone();
        let epoch = connector.epoch();
        let done = connector.limit(epoch, TASK_TIMEOUT, self.try_execute(waiting, &mut rows)).await;
        if done.is_err() && waiting.len() == before {
            // No connection: the next attempt would only delay the answer.
            waiting.pop_front();
        }
        let done = record_commit("task", started, before - waiting.len(), done);
        rows.into_iter().for_each(|seq| self.own.end(seq, done.is_some()));
        for Executed { reply, changes, handled } in done.into_iter().flatten() {
            publish(feed, changes, handled);
            reply();
        }
    }

    /// Executes tasks, each in a savepoint, and commits. Sets the numbers of the rows of their
    /// changes before the commit.
    async fn try_execute(
        &mut self,
        waiting: &mut VecDeque<Task>,
        rows: &mut Vec<i64>,
    ) -> Result<Vec<Executed>, StoreError> {
        let mut connection = self.begin().await?;
        let began = Instant::now();
        let mut executed: Vec<Executed> = Vec::new();
        while executed.len() < self.order.tasks_max()
            && (executed.is_empty() || began.elapsed() < BATCH_TIME)
            && let Some(task) = waiting.pop_front()
        {
            if !executed.is_empty() {
                connection.execute_script("RELEASE task; SAVEPOINT task").await?;
            }
            executed.push(execute_task(&mut connection, task).await?);
            if connection.take_must_commit() {
                break;
            }
        }
        let changes = executed.iter().map(|task| task.changes.as_slice());
        let changes: Vec<&[Change]> = changes.filter(|changes| !changes.is_empty()).collect();
        if !changes.is_empty() {
            *rows = store_changes(&mut connection, self.node, &changes).await?;
            rows.iter().for_each(|seq| self.own.begin(*seq));
        }
        // Fails after the error of a statement, whereas `COMMIT` alone would roll back silently.
        connection.execute_script("RELEASE task; COMMIT").await?;
        self.connection = Some(connection);
        Ok(executed)
    }

    /// Begins a transaction, on a new connection if there is none or it was lost meanwhile.
    async fn begin(&mut self) -> Result<Conn, StoreError> {
        let epoch = self.connector.epoch();
        let old = self.connection.take().filter(|connection| connection.epoch() == epoch);
        if let Some(mut connection) = old
            && self.begin_on(&mut connection).await.is_ok()
        {
            return Ok(connection);
        }
        let lane = if self.order == Order::Serial { "task" } else { "node" };
        let mut connection = Conn::to_primary(self.connector.connect_again(lane).await?);
        self.begin_on(&mut connection).await?;
        Ok(connection)
    }

    /// Begins a transaction, after the tasks of all nodes if it is ordered.
    async fn begin_on(&self, connection: &mut Conn) -> Result<(), StoreError> {
        if self.order == Order::Any {
            return Ok(connection.execute_script("BEGIN; SAVEPOINT task").await?);
        }
        let began = Instant::now();
        connection.execute_script(BEGIN_SERIAL).await?;
        metrics::histogram!("sprong_lock_wait_seconds").record(began.elapsed());
        Ok(())
    }
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
        let start = |order, connection| {
            let (tasks, waiting) = mpsc::channel(QUEUE_MAX);
            let (connector, own) = (connector.clone(), own.clone());
            let lane = Lane { connection, connector, order, node, own };
            tokio::spawn(task_loop(lane, waiting, feed.clone()));
            tasks
        };
        let tasks = start(Order::Serial, Some(Conn::to_primary(first)));
        Lanes { appends, tasks, unordered: start(Order::Any, None) }
    }

    /// Adds a task.
    pub(super) async fn execute(&self, order: Order, task: Task) -> Result<(), StoreError> {
        let tasks = match order {
            Order::Serial => &self.tasks,
            Order::Any => &self.unordered,
        };
        tasks.send(TaskJob::Task(task)).await.map_err(|_| StoreError::NotCommitted)
    }

    pub(super) async fn append(&self, append: Append) -> Result<Appended, StoreError> {
        let (reply, response) = oneshot::channel();
        send(&self.appends, (append, reply)).await.map_err(|_| StoreError::NotCommitted)?;
        response.await.map_err(|_| StoreError::NotCommitted)
    }

    /// Ends the lanes of tasks after all earlier ones. The rooms have stopped before, so that no
    /// append waits.
    pub(super) async fn close(&self) {
        for tasks in [&self.tasks, &self.unordered] {
            let (reply, response) = oneshot::channel();
            if tasks.send(TaskJob::Close(reply)).await.is_ok() {
                let _ = response.await;
            }
        }
    }
}

async fn task_loop(mut lane: Lane, mut waiting: mpsc::Receiver<TaskJob>, feed: ChangeFeed) {
    let (mut jobs, mut tasks) = (Vec::new(), VecDeque::new());
    let mut closing = None;
    while closing.is_none() && waiting.recv_many(&mut jobs, TASKS_MAX).await > 0 {
        for job in jobs.drain(..) {
            match job {
                TaskJob::Task(task) => tasks.push_back(task),
                TaskJob::Close(reply) => closing = Some(reply),
            }
        }
        while !tasks.is_empty() {
            lane.execute(&mut tasks, &feed).await;
        }
    }
    waiting.close();
    if let Some(connection) = lane.connection.take()
        && let Err(error) = connection.close().await
    {
        tracing::warn!(%error, "Failed to close a connection to the database");
    }
    drop(closing);
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
        let (appends, replies): (Vec<Append>, Vec<_>) = jobs.into_iter().unzip();
        let done = connector.limit(epoch, APPEND_TIMEOUT, lane.append(&appends)).await;
        if let Some(appended) = record_commit("append", started, appends.len(), done) {
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
