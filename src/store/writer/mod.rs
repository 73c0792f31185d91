//! Writes: appends to the logs of games, and tasks, each with all or none of its effects.
//!
//! Callers are answered after the commit. On SQLite one thread writes (`thread`), on PostgreSQL
//! lanes do (`lanes`). Caller: `Store`.

pub(super) mod lanes;
pub(super) mod thread;

use super::changes::{Change, ChangeFeed, CommittedChanges, Handled, handled_signal};
use super::event_log::{Append, Appended};
use super::sql::Conn;
use super::task_lock::{TaskLock, lock_keys};
use super::{GameKey, StoreError};
use futures_util::future::BoxFuture;
use lanes::Lanes;
use std::error::Error;
use std::time::Instant;
use strum::IntoStaticStr;
use thread::WriterThread;
use tokio::sync::oneshot;

/// Capacity of a queue of writes; senders wait when it is full.
const QUEUE_MAX: usize = 4096;

/// Callback that completes a caller's request after the commit; dropped without a call, it reports
/// that there was none.
type Reply = Box<dyn FnOnce() + Send>;

/// Result of a task.
struct Outcome {
    /// Whether the task succeeded; else it is rolled back.
    is_success: bool,
    /// Text of the error if the database failed, as opposed to a refusal.
    sql_error: Option<String>,
    reply: Reply,
    /// Dropped when the changes of the task are handled.
    handled: Handled,
}

/// Order of a task among others, of all nodes.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Order {
    /// No other task at the same time, but for those in any order.
    Serial,
    /// No serial task at the same time, and none that locks one of the same keys.
    Locking(Vec<i64>),
    Any,
}

/// Work in a transaction.
type Task = Box<dyn for<'t> FnOnce(&'t mut Conn) -> BoxFuture<'t, Outcome> + Send>;

/// Handle to what writes to the database.
#[derive(Clone, Debug)]
pub(super) enum Writer {
    Sqlite(WriterThread),
    Postgres(Lanes),
}

impl Writer {
    /// Executes work in a transaction. Returns its result after the commit, because a refusal can
    /// depend on earlier writes in the transaction, and after its changes were handled. Refused and
    /// failed work is rolled back, without effect on other work.
    pub(super) async fn run<T, E, F>(&self, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Error + Send + 'static,
        F: for<'t> FnOnce(&'t mut Conn) -> BoxFuture<'t, Result<T, E>> + Send + 'static,
    {
        self.run_in(Order::Serial, work).await
    }

    /// Like [`Writer::run`], but locking tasks without a common lock are executed at the same time
    /// on PostgreSQL.
    pub(super) async fn run_locking<T, E, F>(
        &self,
        locks: impl IntoIterator<Item = TaskLock>,
        work: F,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Error + Send + 'static,
        F: for<'t> FnOnce(&'t mut Conn) -> BoxFuture<'t, Result<T, E>> + Send + 'static,
    {
        self.run_in(Order::Locking(lock_keys(locks)), work).await
    }

    /// Like [`Writer::run`], but other tasks are executed at the same time on PostgreSQL: for
    /// statements on rows that belong to one node, which must not wait for the tasks of others.
    pub(super) async fn run_unordered<T, E, F>(&self, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Error + Send + 'static,
        F: for<'t> FnOnce(&'t mut Conn) -> BoxFuture<'t, Result<T, E>> + Send + 'static,
    {
        self.run_in(Order::Any, work).await
    }

    async fn run_in<T, E, F>(&self, order: Order, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Error + Send + 'static,
        F: for<'t> FnOnce(&'t mut Conn) -> BoxFuture<'t, Result<T, E>> + Send + 'static,
    {
        let (handled, all_handled) = handled_signal();
        let result = self.submit(order, work, || (), handled).await;
        all_handled.await;
        result
    }

    /// Like [`Writer::run_locking`], but does not wait for the subscribers; calls `on_commit` after
    /// the commit of successful work, on SQLite before the next transaction.
    pub(super) async fn run_locking_then<T, E, F>(
        &self,
        locks: impl IntoIterator<Item = TaskLock>,
        work: F,
        on_commit: impl FnOnce() + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Error + Send + 'static,
        F: for<'t> FnOnce(&'t mut Conn) -> BoxFuture<'t, Result<T, E>> + Send + 'static,
    {
        self.submit(Order::Locking(lock_keys(locks)), work, on_commit, None).await
    }

    async fn submit<T, E, F>(
        &self,
        order: Order,
        work: F,
        on_commit: impl FnOnce() + Send + 'static,
        handled: Handled,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Error + Send + 'static,
        F: for<'t> FnOnce(&'t mut Conn) -> BoxFuture<'t, Result<T, E>> + Send + 'static,
    {
        let (reply, response) = oneshot::channel();
        let task: Task = Box::new(move |connection| {
            Box::pin(async move {
                let started = Instant::now();
                let result = work(connection).await;
                let name = task_name::<F>();
                metrics::histogram!("sprong_task_seconds", "task" => name)
                    .record(started.elapsed());
                Outcome {
                    is_success: result.is_ok(),
                    sql_error: result.as_ref().err().and_then(sql_error_text),
                    reply: Box::new(move || {
                        if result.is_ok() {
                            on_commit();
                        }
                        ignore(reply.send(result));
                    }),
                    handled,
                }
            })
        });
        match self {
            Writer::Sqlite(thread) => thread.execute(task).await?,
            Writer::Postgres(lanes) => lanes.execute(order, task).await?,
        }
        response.await.map_err(|_| StoreError::NotCommitted)?
    }

    /// Appends an event and returns after the commit.
    pub(super) async fn append(&self, append: Box<Append>) -> Result<Appended, StoreError> {
        match self {
            Writer::Sqlite(thread) => thread.append(append).await,
            Writer::Postgres(lanes) => lanes.append(append).await,
        }
    }

    /// Packs the log of a game in play on SQLite, so that its events are not in memory.
    pub(super) async fn pack(&self, game: GameKey) -> Result<(), StoreError> {
        match self {
            Writer::Sqlite(thread) => thread.pack(game).await,
            Writer::Postgres(_) => Ok(()),
        }
    }

    /// Ends after all earlier writes.
    pub(super) async fn close(&self) {
        match self {
            Writer::Sqlite(thread) => thread.close().await,
            Writer::Postgres(lanes) => lanes.close().await,
        }
    }
}

/// Returns the name of the function whose closure a task is, for the metrics: the compiler does not
/// guarantee its form.
fn task_name<F>() -> &'static str {
    let path = std::any::type_name::<F>();
    let function = path.split("::{{").next().unwrap_or(path);
    // Its generic arguments are paths as well.
    let mut depth = 0;
    let begin = function.rfind(|letter| {
        depth += i32::from(letter == '>') - i32::from(letter == '<');
        depth == 0 && letter == ':'
    });
    let name = &function[begin.map_or(0, |at| at + 1)..];
    name.split('<').next().unwrap_or(name)
}

fn publish(feed: &ChangeFeed, changes: Vec<Change>, handled: Handled) {
    if !changes.is_empty() {
        feed.publish(CommittedChanges::new(changes, handled));
    }
}

/// Publishes the players whose games without a clock have new events.
fn publish_turns(feed: &ChangeFeed, appends: &[Append], appended: &[Appended]) {
    let accepted = appends.iter().zip(appended).filter(|(_, to)| **to == Appended::Accepted);
    let people = accepted.filter_map(|(append, _)| append.state.as_ref()?.people());
    feed.add_turns(people.flatten());
}

/// Kind of the jobs of a commit.
#[derive(Clone, Copy, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
enum JobKind {
    Append,
    Task,
}

impl JobKind {
    /// Returns the durations and the sizes of commits. Labels that are constants allocate nothing.
    fn histograms(self) -> [metrics::Histogram; 2] {
        match self {
            JobKind::Append => [
                metrics::histogram!("sprong_commit_seconds", "jobs" => "append"),
                metrics::histogram!("sprong_commit_batch_size", "jobs" => "append"),
            ],
            JobKind::Task => [
                metrics::histogram!("sprong_commit_seconds", "jobs" => "task"),
                metrics::histogram!("sprong_commit_batch_size", "jobs" => "task"),
            ],
        }
    }
}

/// Records a commit of `jobs` jobs in the metrics; logs its failure.
fn record_commit<T>(
    kind: JobKind,
    started: Instant,
    jobs: usize,
    done: Result<T, StoreError>,
) -> Option<T> {
    match done {
        Ok(done) => {
            let [seconds, size] = kind.histograms();
            seconds.record(started.elapsed());
            size.record(jobs as f64);
            Some(done)
        }
        Err(error) => {
            metrics::counter!("sprong_commit_failures_total").increment(1);
            let kind: &str = kind.into();
            tracing::error!(%error, kind, jobs, "Failed to commit; nothing was stored");
            None
        }
    }
}

/// Returns the text of an error whose cause is an error of the database.
fn sql_error_text(error: &impl Error) -> Option<String> {
    error.source().filter(|cause| cause.is::<sqlx::Error>()).map(|_| error.to_string())
}

/// Ignores the failure to answer a caller that is gone.
fn ignore<T>(_result: Result<(), T>) {}
