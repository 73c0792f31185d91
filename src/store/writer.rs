use super::Error;
use super::event::{self, Append, Appended};
use super::lock::Lock;
use crate::wait::for_database;
use futures_util::future::BoxFuture;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, Sqlite, SqliteConnection, Transaction};
use std::time::Instant;
use tokio::sync::{mpsc, oneshot};

/// Jobs that may wait for the writer; who comes later waits before the queue.
const QUEUE_MAX: usize = 4096;

/// Jobs that go into one commit.
const BATCH_MAX: usize = 512;

/// Answers a caller once the commit is done; dropped unused, it tells them that there was none.
type Answer = Box<dyn FnOnce() + Send>;

/// Work in a savepoint; without an answer it has failed, is undone, and its caller knows.
type Task =
    Box<dyn for<'t> FnOnce(&'t mut SqliteConnection) -> BoxFuture<'t, Option<Answer>> + Send>;

enum Job {
    /// One event of one game: the common case, written many at a time.
    Append(Append, oneshot::Sender<Appended>),
    /// Anything else, in a savepoint of its own.
    Task(Task),
    /// Everything before this is stored; the writer ends.
    Close(oneshot::Sender<()>),
}

/// The one task that writes. It takes all who wait into one transaction, so that a hundred games
/// pay for one `fsync`; nobody is answered before it.
#[derive(Clone, Debug)]
pub(super) struct Writer {
    jobs: mpsc::Sender<Job>,
}

impl Writer {
    /// Starts the task on that connection, or on another with those options when it breaks; the
    /// lock, if there is one, is let go when it ends.
    pub(super) fn start(
        connection: SqliteConnection,
        options: SqliteConnectOptions,
        lock: Option<Lock>,
    ) -> Writer {
        let (jobs, waiting) = mpsc::channel(QUEUE_MAX);
        tokio::spawn(work(connection, options, waiting, lock));
        Writer { jobs }
    }

    /// Does a piece of work in the next transaction and answers after its commit. Work that fails
    /// leaves no trace, and does not hurt the others in the transaction.
    pub(super) async fn run<T, F>(&self, work: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: for<'t> FnOnce(&'t mut SqliteConnection) -> BoxFuture<'t, Result<T, Error>>
            + Send
            + 'static,
    {
        let (answer, answered) = oneshot::channel();
        let task: Task = Box::new(move |connection| {
            Box::pin(async move {
                match work(connection).await {
                    Ok(value) => Some(Box::new(move || ignore(answer.send(Ok(value)))) as Answer),
                    Err(error) => {
                        let _ = answer.send(Err(error));
                        None
                    }
                }
            })
        });
        self.jobs.send(Job::Task(task)).await.map_err(|_| Error::NotCommitted)?;
        answered.await.map_err(|_| Error::NotCommitted)?
    }

    /// Appends one event and answers after its commit.
    pub(super) async fn append(&self, append: Append) -> Result<Appended, Error> {
        let (answer, answered) = oneshot::channel();
        self.jobs.send(Job::Append(append, answer)).await.map_err(|_| Error::NotCommitted)?;
        answered.await.map_err(|_| Error::NotCommitted)
    }

    /// Ends the task after all that was asked before.
    pub(super) async fn close(&self) {
        let (answer, answered) = oneshot::channel();
        if self.jobs.send(Job::Close(answer)).await.is_ok() {
            let _ = answered.await;
        }
    }
}

async fn work(
    connection: SqliteConnection,
    options: SqliteConnectOptions,
    mut waiting: mpsc::Receiver<Job>,
    lock: Option<Lock>,
) {
    let mut hand = Hand { connection: Some(connection), options };
    let mut batch = Vec::new();
    let mut closing = None;
    while closing.is_none() && waiting.recv_many(&mut batch, BATCH_MAX).await > 0 {
        let started = Instant::now();
        let jobs = batch.len();
        match for_database(commit(&mut hand, &mut batch, &mut closing)).await {
            Ok(answers) => {
                metrics::histogram!("sprong_commit_seconds").record(started.elapsed());
                metrics::histogram!("sprong_commit_jobs").record(jobs as f64);
                answers.into_iter().for_each(|answer| answer());
            }
            Err(error) => {
                metrics::counter!("sprong_commit_failures_total").increment(1);
                tracing::error!(%error, jobs, "nothing of this commit was stored");
                // SQLite may have taken the whole transaction back by itself (a full disk does
                // that), and then this connection believes in it for ever.
                hand.connection = None;
            }
        }
        batch.clear();
    }
    waiting.close();
    if let Some(connection) = hand.connection
        && let Err(error) = for_database(connection.close()).await
    {
        tracing::error!(%error, "the database did not close");
    }
    drop(lock);
    drop(closing);
}

/// What the writer writes by.
struct Hand {
    /// None after a failure, until something is to be written again: a connection made at once would
    /// be made while the disk still fails.
    connection: Option<SqliteConnection>,
    options: SqliteConnectOptions,
}

impl Hand {
    /// A connection that can write.
    async fn connection(&mut self) -> Result<&mut SqliteConnection, Error> {
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None => {
                let mut new = self.options.connect().await?;
                // A file that may only be read at this moment is opened all the same, and the
                // connection stays so for ever: SQLite says it at the first write, and this is one
                // that changes nothing.
                sqlx::query("UPDATE server SET one = one WHERE FALSE").execute(&mut new).await?;
                new
            }
        };
        Ok(self.connection.insert(connection))
    }
}

/// Does all jobs of a batch in one transaction; the answers are for after it.
async fn commit(
    hand: &mut Hand,
    batch: &mut Vec<Job>,
    closing: &mut Option<oneshot::Sender<()>>,
) -> Result<Vec<Answer>, Error> {
    let mut answers: Vec<Answer> = Vec::with_capacity(batch.len());
    let mut appends = Vec::new();
    let mut tasks = Vec::new();
    for job in batch.drain(..) {
        match job {
            Job::Append(append, answer) => appends.push((append, answer)),
            Job::Task(task) => tasks.push(task),
            Job::Close(answer) => *closing = Some(answer),
        }
    }
    if appends.is_empty() && tasks.is_empty() {
        return Ok(answers);
    }
    // IMMEDIATE, so that no reader of a moment before can make the commit fail as busy.
    let mut tx = hand.connection().await?.begin_with("BEGIN IMMEDIATE").await?;
    let (rows, waiting): (Vec<Append>, Vec<_>) = appends.into_iter().unzip();
    for (appended, answer) in event::append_all(&mut tx, &rows).await?.into_iter().zip(waiting) {
        answers.push(Box::new(move || ignore(answer.send(appended))));
    }
    for task in tasks {
        answers.extend(savepoint(&mut tx, task).await?);
    }
    tx.commit().await?;
    Ok(answers)
}

/// A caller who has gone away needs no answer.
fn ignore<T>(_unheard: Result<(), T>) {}

async fn savepoint(
    tx: &mut Transaction<'_, Sqlite>,
    task: Task,
) -> Result<Option<Answer>, sqlx::Error> {
    let mut inner = tx.begin().await?;
    let answer = task(&mut inner).await;
    match answer {
        Some(_) => inner.commit().await?,
        None => inner.rollback().await?,
    }
    Ok(answer)
}
