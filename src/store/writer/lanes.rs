//! Writes to PostgreSQL: one lane for appends, and two for tasks.
//!
//! All appends that wait share one statement; each task has a transaction of its own. The tasks of
//! all nodes are executed one after the other, but for those of the second lane. Each wait for the
//! database has a limit, after which the connection is closed: the caller is answered
//! [`StoreError::NotCommitted`], which means here that the outcome is unknown. The next write opens
//! a new connection. Caller: the parent module.

use super::{Order, Outcome, QUEUE_MAX, Task, ignore, publish, publish_turns, record_commit};
use crate::bus::send;
use crate::store::changes::{Change, ChangeFeed};
use crate::store::event_log::postgres::FinishedGames;
use crate::store::event_log::{Append, Appended, postgres};
use crate::store::primary::{Connected, Connector};
use crate::store::remote_changes::{OwnChanges, store_changes};
use crate::store::sql::Conn;
use crate::store::{NodeKey, StoreError};
use std::collections::HashSet;
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

/// Maximum of events per statement.
const BATCH_MAX: usize = 128;

/// Time limit of an append.
const APPEND_TIMEOUT: Duration = Duration::from_secs(3);

/// Time limit of a task.
const TASK_TIMEOUT: Duration = Duration::from_secs(5);

/// Key of the advisory lock of tasks: the text `task` as a number.
const TASK_LOCK: i64 = 0x7461_736b;

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

/// Lane of tasks: a connection, `None` before the first write and after a failure.
struct Lane {
    connection: Option<Conn>,
    connector: Connector,
    order: Order,
    node: NodeKey,
    own: OwnChanges,
}

impl Lane {
    /// Executes a task in a transaction. After the commit, publishes its changes and answers its
    /// caller. The connection is lost if the transaction does not end in time; if it was committed
    /// nevertheless, its changes are read like those of other nodes.
    async fn execute(&mut self, task: Task, feed: &ChangeFeed) {
        let started = Instant::now();
        let mut row = None;
        let connector = self.connector.clone();
        let epoch = connector.epoch();
        let done = connector.limit(epoch, TASK_TIMEOUT, self.try_execute(task, &mut row)).await;
        match done {
            // A refusal is no commit.
            Ok((outcome, _)) if !outcome.is_success => (outcome.reply)(),
            done => {
                let done = record_commit("task", started, 1, done);
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
        task: Task,
        row: &mut Option<i64>,
    ) -> Result<(Outcome, Vec<Change>), StoreError> {
        let mut connection = self.begin().await?;
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
        connection.query("BEGIN").execute().await?;
        if self.order == Order::Serial {
            let began = Instant::now();
            connection.query("SELECT pg_advisory_xact_lock($1)").bind(TASK_LOCK).execute().await?;
            metrics::histogram!("sprong_lock_wait_seconds").record(began.elapsed());
        }
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

    /// Adds a task, which has a transaction of its own.
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
    while let Some(job) = waiting.recv().await {
        match job {
            TaskJob::Task(task) => lane.execute(task, &feed).await,
            TaskJob::Close(reply) => {
                waiting.close();
                if let Some(connection) = lane.connection.take()
                    && let Err(error) = connection.close().await
                {
                    tracing::warn!(%error, "Failed to close a connection to the database");
                }
                drop(reply);
            }
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
