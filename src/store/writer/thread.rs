//! The only thread that writes to SQLite.
//!
//! Queued appends share one transaction and one `fsync` (group commit), and so do other jobs after
//! them. Callers are answered after the commit. A failed commit fails all its jobs
//! ([`StoreError::NotCommitted`]); the next one opens a new connection. Caller: the parent module.

use super::{
    JobKind, Outcome, QUEUE_MAX, Reply, Task, ignore, publish, publish_turns, record_commit,
};
use crate::background::spawn_thread;
use crate::bus::send;
use crate::store::changes::{Change, ChangeFeed, Handled};
use crate::store::event_log::journal::Journal;
use crate::store::event_log::{Append, Appended};
use crate::store::lock::Lock;
use crate::store::sql::Conn;
use crate::store::sqlite::Connector;
use crate::store::{GameKey, StoreError};
use crate::wait::for_database;
use std::io;
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, oneshot};

/// Maximum of jobs per commit.
const BATCH_MAX: usize = 512;

/// Number of appends in a commit after which the writer waits for [`BUSY_PAUSE`], so that more
/// share the next commit: a commit costs as much as several moves.
const BUSY_BATCH_MIN: usize = 3;

const BUSY_PAUSE: Duration = Duration::from_micros(500);

/// Work in a savepoint that is to be committed.
struct Executed {
    reply: Reply,
    changes: Vec<Change>,
    handled: Handled,
}

enum WriteJob {
    /// Event append: the most frequent job.
    Append(Box<Append>, oneshot::Sender<Appended>),
    /// Other work, in its own savepoint.
    Task(Task),
    /// Stores the states of games after all earlier events.
    StoreStates(oneshot::Sender<()>),
    /// Packs the log of a game after all earlier events.
    Pack(GameKey, oneshot::Sender<()>),
    /// Commits all earlier jobs and ends the writer.
    Close(oneshot::Sender<()>),
}

/// Handle to the thread.
#[derive(Clone, Debug)]
pub(in crate::store) struct WriterThread {
    jobs: mpsc::Sender<WriteJob>,
}

impl WriterThread {
    /// Starts the thread on a connection and the journal, which is `None` beside a server: events
    /// cannot be appended then. After a failure it opens another connection. The thread
    /// releases the lock when it ends.
    pub(in crate::store) fn start(
        connection: Conn,
        connector: Connector,
        journal: Option<Journal>,
        feed: ChangeFeed,
        lock: Option<Lock>,
    ) -> io::Result<WriterThread> {
        let (jobs, waiting) = mpsc::channel(QUEUE_MAX);
        let writer = WriterConnection { connection: Some(connection), connector };
        spawn_thread("writer", run_loop(writer, journal, waiting, feed, lock))?;
        Ok(WriterThread { jobs })
    }

    /// Adds a task to the next transaction. Rolled back to its savepoint, it has no effect on other
    /// jobs of the transaction.
    pub(super) async fn execute(&self, task: Task) -> Result<(), StoreError> {
        self.jobs.send(WriteJob::Task(task)).await.map_err(|_| StoreError::NotCommitted)
    }

    /// Appends an event and returns after the commit.
    pub(super) async fn append(&self, append: Box<Append>) -> Result<Appended, StoreError> {
        let (reply, response) = oneshot::channel();
        send(&self.jobs, WriteJob::Append(append, reply))
            .await
            .map_err(|_| StoreError::NotCommitted)?;
        response.await.map_err(|_| StoreError::NotCommitted)
    }

    /// Stores the states of games after all earlier events. A failure is logged; the database keeps
    /// the states that it has.
    pub(in crate::store) async fn store_states(&self) {
        let (reply, response) = oneshot::channel();
        if self.jobs.send(WriteJob::StoreStates(reply)).await.is_ok() {
            let _ = response.await;
        }
    }

    /// Packs the log of a game in play after all earlier events.
    pub(super) async fn pack(&self, game: GameKey) -> Result<(), StoreError> {
        let (reply, response) = oneshot::channel();
        self.jobs.send(WriteJob::Pack(game, reply)).await.map_err(|_| StoreError::NotCommitted)?;
        response.await.map_err(|_| StoreError::NotCommitted)
    }

    /// Ends the thread after all earlier jobs.
    pub(super) async fn close(&self) {
        let (reply, response) = oneshot::channel();
        if self.jobs.send(WriteJob::Close(reply)).await.is_ok() {
            let _ = response.await;
        }
    }
}

async fn run_loop(
    mut writer: WriterConnection,
    mut journal: Option<Journal>,
    mut waiting: mpsc::Receiver<WriteJob>,
    feed: ChangeFeed,
    lock: Option<Lock>,
) {
    let mut batch = Vec::new();
    // Kept from one batch to the next.
    let (mut appends, mut replies) = (Vec::new(), Vec::new());
    let mut closing = None;
    while closing.is_none() && waiting.recv_many(&mut batch, BATCH_MAX).await > 0 {
        let (mut tasks, mut state_replies, mut packs) = (Vec::new(), Vec::new(), Vec::new());
        for job in batch.drain(..) {
            match job {
                WriteJob::Append(append, reply) => {
                    appends.push(*append);
                    replies.push(reply);
                }
                WriteJob::Task(task) => tasks.push(task),
                WriteJob::StoreStates(reply) => state_replies.push(reply),
                WriteJob::Pack(game, reply) => packs.push((game, reply)),
                WriteJob::Close(reply) => closing = Some(reply),
            }
        }
        if let Some(journal) = &mut journal {
            commit_appends(journal, &appends, &mut replies, &feed).await;
            let must_store = !state_replies.is_empty() || closing.is_some();
            if must_store || journal.has_many_unstored_states() {
                store_states(journal).await;
            }
            for (game, reply) in packs.drain(..) {
                pack(journal, game, reply).await;
            }
        }
        // The callers of what was not stored are answered by the end of their channels.
        replies.clear();
        drop((state_replies, packs));
        commit_tasks(&mut writer, tasks, &feed).await;
        let is_busy = appends.len() >= BUSY_BATCH_MIN;
        appends.clear();
        if is_busy && closing.is_none() {
            std::thread::sleep(BUSY_PAUSE);
        }
    }
    waiting.close();
    drop(journal);
    if let Some(connection) = writer.connection
        && let Err(error) = for_database(connection.close()).await
    {
        tracing::error!(%error, "Failed to close the database");
    }
    drop(lock);
    drop(closing);
}

/// Commits appends, publishes their changes, answers their callers, and packs logs whose rows are
/// old.
async fn commit_appends(
    journal: &mut Journal,
    appends: &[Append],
    replies: &mut Vec<oneshot::Sender<Appended>>,
    feed: &ChangeFeed,
) {
    if !appends.is_empty() {
        let started = Instant::now();
        let appended = for_database(async { journal.append(appends) }).await;
        if let Some(appended) = record_commit(JobKind::Append, started, appends.len(), appended) {
            publish_turns(feed, appends, &appended);
            for (reply, appended) in replies.drain(..).zip(appended) {
                ignore(reply.send(appended));
            }
        }
    }
    if let Err(error) = for_database(async { journal.pack_aged() }).await {
        tracing::error!(%error, "Failed to pack event logs");
    }
}

async fn store_states(journal: &mut Journal) {
    if let Err(error) = for_database(async { journal.store_states() }).await {
        tracing::error!(%error, "Failed to store the states of games without a clock");
    }
}

async fn pack(journal: &mut Journal, game: GameKey, reply: oneshot::Sender<()>) {
    match for_database(async { journal.pack_game(game) }).await {
        Ok(()) => ignore(reply.send(())),
        Err(error) => tracing::error!(%error, "Failed to pack the log of a game"),
    }
}

/// Executes tasks in one transaction. After the commit, publishes their changes and answers their
/// callers.
async fn commit_tasks(writer: &mut WriterConnection, tasks: Vec<Task>, feed: &ChangeFeed) {
    if tasks.is_empty() {
        return;
    }
    let (started, jobs) = (Instant::now(), tasks.len());
    let done = for_database(execute_tasks(writer, tasks)).await;
    match record_commit(JobKind::Task, started, jobs, done) {
        Some(executed) => {
            for Executed { reply, changes, handled } in executed {
                publish(feed, changes, handled);
                reply();
            }
        }
        // A transaction may be open.
        None => writer.connection = None,
    }
}

/// Connection of the writer, reopened after failures.
struct WriterConnection {
    /// `None` after a failure, until the next write: the disk may still be failing at the time of
    /// the failure.
    connection: Option<Conn>,
    connector: Connector,
}

impl WriterConnection {
    /// Returns a writable connection, opened if necessary.
    async fn connection(&mut self) -> Result<&mut Conn, StoreError> {
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.connector.connect().await?,
        };
        Ok(self.connection.insert(connection))
    }
}

/// Executes tasks in one transaction, each in a savepoint. The statements between two tasks are one
/// query, because each query of sqlx waits for another thread.
async fn execute_tasks(
    writer: &mut WriterConnection,
    tasks: Vec<Task>,
) -> Result<Vec<Executed>, StoreError> {
    let connection = writer.connection().await?;
    let mut executed = Vec::with_capacity(tasks.len());
    // `BEGIN IMMEDIATE` takes the write lock first; a deferred transaction could fail as busy.
    let mut begin = "BEGIN IMMEDIATE; SAVEPOINT task";
    for task in tasks {
        connection.query(begin).execute().await?;
        executed.push(execute_task(connection, task).await?);
        begin = "RELEASE task; SAVEPOINT task";
    }
    connection.query("RELEASE task; COMMIT").execute().await?;
    Ok(executed)
}

/// Executes a task, and rolls it back to the savepoint if it has no success.
async fn execute_task(connection: &mut Conn, task: Task) -> Result<Executed, sqlx::Error> {
    let Outcome { is_success, sql_error, reply, handled } = task(connection).await;
    let mut changes = connection.take_announced();
    if !is_success {
        changes.clear();
    }
    if !is_success && let Err(rollback_error) = connection.query("ROLLBACK TO task").execute().await
    {
        // After some errors, such as a full disk, SQLite rolls back the whole transaction, and the
        // savepoint is gone. This caller gets the error itself, those of other jobs `NotCommitted`.
        if let Some(error) = sql_error {
            tracing::error!(error, "Failed to execute a job; SQLite rolled back the transaction");
            reply();
        }
        return Err(rollback_error);
    }
    Ok(Executed { reply, changes, handled })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;
    use tempfile::TempDir;

    #[tokio::test]
    async fn refused_task_does_not_affect_others_of_its_transaction() {
        let folder = TempDir::new().expect("folder");
        let store = Store::open(&folder.path().join("sprong.db")).await.expect("store");
        let (release, released) = std::sync::mpsc::channel();
        let first = store.writer.run(move |tx| {
            Box::pin(async move {
                tx.query("CREATE TABLE part (name TEXT)").execute().await?;
                // The next three tasks wait together.
                released.recv().expect("released");
                Ok::<_, StoreError>(())
            })
        });
        let insert = |name: &'static str| {
            store.writer.run(move |tx| {
                Box::pin(async move {
                    tx.query("INSERT INTO part VALUES ($1)").bind(name).execute().await?;
                    match name {
                        "two" => Err(StoreError::InvalidRow("refused".to_owned())),
                        _ => Ok(()),
                    }
                })
            })
        };
        let queued = async { release.send(()).expect("a task that waits") };
        let (first, one, two, three, ()) =
            tokio::join!(first, insert("one"), insert("two"), insert("three"), queued);
        for done in [first, one, three] {
            done.expect("stored");
        }
        assert!(matches!(two, Err(StoreError::InvalidRow(_))), "{two:?}");
        let names: Vec<String> = store
            .readers
            .query("SELECT name FROM part ORDER BY rowid")
            .values()
            .await
            .expect("names");
        assert_eq!(names, ["one", "three"]);
        store.close().await;
    }
}
