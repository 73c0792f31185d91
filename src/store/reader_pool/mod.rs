//! Pools of connections that read.
//!
//! The pool of sqlx asks the database after each use whether the connection is usable, which costs
//! as much as most reads, and waits for an answer without a limit. This one asks only after a
//! statement that has failed or was abandoned; on PostgreSQL also before a use after a pause, and
//! before several statements. Callers: `sql`, `sqlite`, `postgres` and `primary`.

pub(super) mod sqlite;

use crate::wait::for_database;
use deadpool::managed::{Manager, Object, Pool, PoolError, QueueMode};
use sqlx::{Connection, Error};
use std::fmt;
use std::time::{Duration, Instant};
use tokio::time::timeout;
use tokio_util::task::TaskTracker;
use tokio_util::task::task_tracker::TaskTrackerToken;

/// Time for which a pool that is closed waits for connections in use.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);

/// Opens and checks the connections of a pool.
pub(super) trait Connect: Manager<Type: Connection, Error = Error> + 'static {
    /// Time limit of the answer of a connection whose statement has failed or was abandoned.
    const ANSWER_TIMEOUT: Duration;
}

/// Pool of connections to a database. Cheap to clone.
pub(super) struct ReaderPool<M: Connect> {
    pool: Pool<M>,
    /// Time limit of the wait for a connection.
    limit: Duration,
    /// Connections in use.
    users: TaskTracker,
}

impl<M: Connect> Clone for ReaderPool<M> {
    fn clone(&self) -> ReaderPool<M> {
        ReaderPool { pool: self.pool.clone(), limit: self.limit, users: self.users.clone() }
    }
}

impl<M: Connect> fmt::Debug for ReaderPool<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReaderPool").field("status", &self.pool.status()).finish()
    }
}

impl<M: Connect> ReaderPool<M> {
    pub(super) fn new(manager: M, size: usize, limit: Duration) -> ReaderPool<M> {
        // The connection that was used last has the pages in memory that are read most.
        let pool = Pool::builder(manager).max_size(size).queue_mode(QueueMode::Lifo);
        let pool = pool.build().expect("a pool without hooks and time limits");
        ReaderPool { pool, limit, users: TaskTracker::new() }
    }

    /// Waits for a connection, which returns to the pool when it is dropped.
    pub(super) async fn get(&self) -> Result<Pooled<M>, Error> {
        match timeout(self.limit, self.pool.get()).await {
            Ok(Ok(object)) => {
                let token = self.users.token();
                Ok(Pooled { object: Some(object), state: State::Usable, token })
            }
            Ok(Err(PoolError::Backend(error))) => Err(error),
            Ok(Err(PoolError::Closed)) => Err(Error::PoolClosed),
            Ok(Err(_)) | Err(_) => {
                // Connections that do not answer would be tested one by one.
                self.pool.retain(|_, _| false);
                Err(Error::PoolTimedOut)
            }
        }
    }

    /// Waits for a connection that was opened after a moment; earlier ones leave the pool.
    pub(super) async fn get_opened_after(&self, at: Instant) -> Result<Pooled<M>, Error> {
        loop {
            let mut pooled = self.get().await?;
            if pooled.object.as_ref().is_some_and(|object| Object::metrics(object).created > at) {
                return Ok(pooled);
            }
            pooled.set_lost();
        }
    }

    /// Waits for a connection that answers.
    pub(super) async fn get_tested(&self) -> Result<Pooled<M>, Error> {
        loop {
            let mut pooled = self.get().await?;
            match timeout(self.limit, pooled.begin().ping()).await {
                Ok(Ok(())) => {
                    pooled.end(Ok(()))?;
                    return Ok(pooled);
                }
                Ok(Err(_)) | Err(_) => pooled.set_lost(),
            }
        }
    }

    /// Closes the connections, those in use after their use.
    pub(super) async fn close(&self) {
        self.users.close();
        if timeout(CLOSE_TIMEOUT, self.users.wait()).await.is_err() {
            tracing::warn!("Connections to the database are still in use");
        }
        for connection in self.pool.retain(|_, _| false).removed {
            if let Err(error) = for_database(connection.close()).await {
                tracing::debug!(%error, "Failed to close a connection");
            }
        }
        self.pool.close();
    }
}

/// Connection of a pool.
pub(super) struct Pooled<M: Connect> {
    /// `None` when it is dropped.
    object: Option<Object<M>>,
    state: State,
    /// Lets the end of the pool wait for it.
    token: TaskTrackerToken,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Usable,
    /// A statement is executed, was abandoned or has failed.
    Executing,
    /// It leaves the pool when it is dropped.
    Lost,
}

impl<M: Connect> fmt::Debug for Pooled<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pooled").field("state", &self.state).finish_non_exhaustive()
    }
}

impl<M: Connect> Pooled<M> {
    /// Returns the connection for a statement, whose result is passed to [`Pooled::end`].
    pub(super) fn begin(&mut self) -> &mut M::Type {
        if self.state == State::Usable {
            self.state = State::Executing;
        }
        self.object.as_mut().expect("a connection until it is dropped")
    }

    /// Records the result of a statement, and returns it.
    pub(super) fn end<T>(&mut self, result: Result<T, Error>) -> Result<T, Error> {
        if result.is_ok() && self.state == State::Executing {
            self.state = State::Usable;
        }
        result
    }

    /// Records that the connection does not answer.
    pub(super) fn set_lost(&mut self) {
        self.state = State::Lost;
    }
}

impl<M: Connect> Drop for Pooled<M> {
    fn drop(&mut self) {
        let Some(mut object) = self.object.take() else { return };
        match self.state {
            State::Usable => {}
            State::Lost => drop(Object::take(object)),
            // It keeps its place in the pool until the database is done with the statement, so that
            // abandoned statements count against the size of the pool.
            State::Executing => {
                let token = self.token.clone();
                tokio::spawn(async move {
                    let answer = for_database(timeout(M::ANSWER_TIMEOUT, object.ping())).await;
                    if !matches!(answer, Ok(Ok(()))) {
                        drop(Object::take(object));
                    }
                    drop(token);
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::sqlite::SqliteReaders;
    use super::*;
    use futures_util::FutureExt;
    use sqlx::sqlite::SqliteConnectOptions;

    fn pool_of_one() -> ReaderPool<SqliteReaders> {
        let options = SqliteConnectOptions::new().in_memory(true);
        ReaderPool::new(SqliteReaders::new(options), 1, Duration::from_secs(60))
    }

    #[tokio::test]
    async fn abandoned_statement_keeps_its_place_until_it_is_done() {
        let pool = pool_of_one();
        let mut pooled = pool.get().await.expect("a connection");
        let sql =
            "WITH RECURSIVE part (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM part LIMIT 1000000)
                   SELECT count(*) FROM part";
        let counting = sqlx::query(sql).execute(pooled.begin()).now_or_never();
        assert!(counting.is_none(), "the statement is being executed");
        drop(pooled);
        let status = pool.pool.status();
        assert_eq!((status.size, status.available), (1, 0));
        let mut again = pool.get().await.expect("the connection");
        let done = sqlx::query("SELECT 1").execute(again.begin()).await;
        again.end(done).expect("executed");
        drop(again);
        let status = pool.pool.status();
        assert_eq!((status.size, status.available), (1, 1), "returned without a test");
    }

    #[tokio::test]
    async fn connection_returns_after_a_failed_statement() {
        let pool = pool_of_one();
        let mut pooled = pool.get().await.expect("a connection");
        let failed = sqlx::query("SELECT missing").execute(pooled.begin()).await;
        pooled.end(failed).expect_err("no such column");
        drop(pooled);
        drop(pool.get().await.expect("the connection"));
        assert_eq!(pool.pool.status().size, 1);
    }

    #[tokio::test]
    async fn closed_pool_gives_no_connection() {
        let pool = pool_of_one();
        drop(pool.get().await.expect("a connection"));
        pool.close().await;
        assert!(matches!(pool.get().await, Err(Error::PoolClosed)));
    }
}
