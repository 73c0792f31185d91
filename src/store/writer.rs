//! The only task that writes to the database.
//!
//! Queued jobs share one transaction and one `fsync` (group commit). Callers are answered after the
//! commit. A failed commit fails all its jobs ([`StoreError::NotCommitted`]); the next one opens a
//! new connection.

use super::StoreError;
use super::event::{self, Append, Appended};
use super::lock::Lock;
use crate::wait::for_database;
use futures_util::future::BoxFuture;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, Sqlite, SqliteConnection, Transaction};
use std::error::Error;
use std::time::Instant;
use tokio::sync::{mpsc, oneshot};

/// Capacity of the queue; senders wait when it is full.
const QUEUE_MAX: usize = 4096;

/// Maximum of jobs per commit.
const BATCH_MAX: usize = 512;

/// Callback that completes a caller's request after the commit; dropped without a call, it reports
/// that there was none.
type Reply = Box<dyn FnOnce() + Send>;

/// Result of work in a savepoint.
struct Outcome {
    /// Whether the work succeeded; else it is rolled back.
    is_success: bool,
    /// Text of the error if SQLite failed, as opposed to a refusal.
    sql_error: Option<String>,
    reply: Reply,
}

type WriteFn = Box<dyn for<'t> FnOnce(&'t mut SqliteConnection) -> BoxFuture<'t, Outcome> + Send>;

enum WriteJob {
    /// Event append: the most frequent job, several per statement.
    Append(Append, oneshot::Sender<Appended>),
    /// Other work, in its own savepoint.
    Task(WriteFn),
    /// Commits all earlier jobs and ends the writer.
    Close(oneshot::Sender<()>),
}

/// Handle to the writer task. The task commits all queued jobs in one transaction, so that they
/// share one `fsync`. Callers are answered after the commit.
#[derive(Clone, Debug)]
pub(super) struct Writer {
    jobs: mpsc::Sender<WriteJob>,
}

impl Writer {
    /// Starts the task on a connection; after a failure it opens another one with `options`. The
    /// task releases the lock when it ends.
    pub(super) fn start(
        connection: SqliteConnection,
        options: SqliteConnectOptions,
        lock: Option<Lock>,
    ) -> Writer {
        let (jobs, waiting) = mpsc::channel(QUEUE_MAX);
        tokio::spawn(run_loop(connection, options, waiting, lock));
        Writer { jobs }
    }

    /// Executes work in the next transaction. Returns its result after the commit, because a
    /// refusal can depend on writes of earlier jobs in the transaction. Rolls refused and failed
    /// work back to its savepoint, without effect on other jobs of the transaction.
    pub(super) async fn run<T, E, F>(&self, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Error + Send + 'static,
        F: for<'t> FnOnce(&'t mut SqliteConnection) -> BoxFuture<'t, Result<T, E>> + Send + 'static,
    {
        let (reply, response) = oneshot::channel();
        let task: WriteFn = Box::new(move |connection| {
            Box::pin(async move {
                let result = work(connection).await;
                Outcome {
                    is_success: result.is_ok(),
                    sql_error: result.as_ref().err().and_then(sql_error_text),
                    reply: Box::new(move || ignore(reply.send(result))),
                }
            })
        });
        self.jobs.send(WriteJob::Task(task)).await.map_err(|_| StoreError::NotCommitted)?;
        response.await.map_err(|_| StoreError::NotCommitted)?
    }

    /// Appends an event and returns after the commit.
    pub(super) async fn append(&self, append: Append) -> Result<Appended, StoreError> {
        let (reply, response) = oneshot::channel();
        self.jobs
            .send(WriteJob::Append(append, reply))
            .await
            .map_err(|_| StoreError::NotCommitted)?;
        response.await.map_err(|_| StoreError::NotCommitted)
    }

    /// Ends the task after all earlier jobs.
    pub(super) async fn close(&self) {
        let (reply, response) = oneshot::channel();
        if self.jobs.send(WriteJob::Close(reply)).await.is_ok() {
            let _ = response.await;
        }
    }
}

async fn run_loop(
    connection: SqliteConnection,
    options: SqliteConnectOptions,
    mut waiting: mpsc::Receiver<WriteJob>,
    lock: Option<Lock>,
) {
    let mut writer = WriterConnection { connection: Some(connection), options };
    let mut batch = Vec::new();
    let mut closing = None;
    while closing.is_none() && waiting.recv_many(&mut batch, BATCH_MAX).await > 0 {
        let started = Instant::now();
        let jobs = batch.len();
        match for_database(commit(&mut writer, &mut batch, &mut closing)).await {
            Ok(replies) => {
                metrics::histogram!("sprong_commit_seconds").record(started.elapsed());
                metrics::histogram!("sprong_commit_batch_size").record(jobs as f64);
                replies.into_iter().for_each(|reply| reply());
            }
            Err(error) => {
                metrics::counter!("sprong_commit_failures_total").increment(1);
                tracing::error!(%error, jobs, "Failed to commit; nothing was stored");
                // SQLite may have rolled back the transaction by itself, for example on a full
                // disk; sqlx does not know, and the connection is unusable.
                writer.connection = None;
            }
        }
        batch.clear();
    }
    waiting.close();
    if let Some(connection) = writer.connection
        && let Err(error) = for_database(connection.close()).await
    {
        tracing::error!(%error, "Failed to close the database");
    }
    drop(lock);
    drop(closing);
}

/// Connection of the writer, reopened after failures.
struct WriterConnection {
    /// `None` after a failure, until the next write: the disk may still be failing at the time of
    /// the failure.
    connection: Option<SqliteConnection>,
    options: SqliteConnectOptions,
}

impl WriterConnection {
    /// Returns a writable connection, opened if necessary.
    async fn connection(&mut self) -> Result<&mut SqliteConnection, StoreError> {
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None => {
                let mut new = self.options.connect().await?;
                // SQLite silently opens a read-only file and reports it at the first write, and the
                // connection stays read-only. This write without effect detects it.
                sqlx::query("UPDATE server SET one = one WHERE FALSE").execute(&mut new).await?;
                new
            }
        };
        Ok(self.connection.insert(connection))
    }
}

/// Executes a batch of jobs in one transaction. Returns the callbacks to run after the commit.
async fn commit(
    writer: &mut WriterConnection,
    batch: &mut Vec<WriteJob>,
    closing: &mut Option<oneshot::Sender<()>>,
) -> Result<Vec<Reply>, StoreError> {
    let mut appends = Vec::new();
    let mut tasks = Vec::new();
    for job in batch.drain(..) {
        match job {
            WriteJob::Append(append, reply) => appends.push((append, reply)),
            WriteJob::Task(task) => tasks.push(task),
            WriteJob::Close(reply) => *closing = Some(reply),
        }
    }
    if appends.is_empty() && tasks.is_empty() {
        return Ok(Vec::new());
    }
    let (rows, waiting): (Vec<Append>, Vec<_>) = appends.into_iter().unzip();
    let connection = writer.connection().await?;
    if tasks.is_empty() && rows.len() <= event::ROWS_MAX {
        let appended = event::append_alone(connection, &rows).await?;
        return Ok(append_replies(appended, waiting).collect());
    }
    // `BEGIN IMMEDIATE` takes the write lock first; a deferred transaction could fail as busy.
    let mut tx = connection.begin_with("BEGIN IMMEDIATE").await?;
    let appended = event::append_all(&mut tx, &rows).await?;
    let mut replies: Vec<Reply> = append_replies(appended, waiting).collect();
    for task in tasks {
        replies.push(run_in_savepoint(&mut tx, task).await?);
    }
    tx.commit().await?;
    Ok(replies)
}

/// Returns the callbacks that answer the callers of appends.
fn append_replies(
    appended: Vec<Appended>,
    waiting: Vec<oneshot::Sender<Appended>>,
) -> impl Iterator<Item = Reply> {
    let reply = |(appended, waiting): (Appended, oneshot::Sender<Appended>)| {
        Box::new(move || ignore(waiting.send(appended))) as Reply
    };
    appended.into_iter().zip(waiting).map(reply)
}

/// Ignores the failure to answer a caller that is gone.
fn ignore<T>(_result: Result<(), T>) {}

/// Returns the text of an error whose cause is an error of SQLite.
fn sql_error_text(error: &impl Error) -> Option<String> {
    error.source().filter(|cause| cause.is::<sqlx::Error>()).map(|_| error.to_string())
}

async fn run_in_savepoint(
    tx: &mut Transaction<'_, Sqlite>,
    task: WriteFn,
) -> Result<Reply, sqlx::Error> {
    let mut savepoint = tx.begin().await?;
    let Outcome { is_success, sql_error, reply } = task(&mut savepoint).await;
    if is_success {
        savepoint.commit().await?;
    } else if let Err(rollback_error) = savepoint.rollback().await {
        // After some errors, such as a full disk, SQLite rolls back the whole transaction, and the
        // savepoint is gone. This caller gets the error itself, those of other jobs `NotCommitted`.
        if let Some(error) = sql_error {
            tracing::error!(error, "Failed to execute a job; SQLite rolled back the transaction");
            reply();
        }
        return Err(rollback_error);
    }
    Ok(reply)
}
