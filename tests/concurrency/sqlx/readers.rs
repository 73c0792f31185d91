//! Pool of SQLite connections with the interface of sqlx that `src/store` uses. Each read is one
//! step of a schedule, in [`for_database`].

use crate::{enter, for_database};
use either::Either;
use futures_core::future::BoxFuture;
use futures_core::stream::BoxStream;
use futures_util::{StreamExt, stream};
use sqlx::pool::PoolConnectionMetadata;
use sqlx::sqlite::{
    Sqlite, SqliteConnectOptions, SqliteConnection, SqliteQueryResult, SqliteRow, SqliteStatement,
    SqliteTypeInfo,
};
use sqlx::{Describe, Error, Execute, Executor, SqlStr};

/// Pool of connections for reads, each of which is one step.
#[derive(Clone, Debug)]
pub struct SqlitePool(sqlx::sqlite::SqlitePool);

/// Options of [`SqlitePool`].
#[derive(Debug, Default)]
pub struct SqlitePoolOptions(sqlx::sqlite::SqlitePoolOptions);

impl SqlitePoolOptions {
    pub fn new() -> SqlitePoolOptions {
        SqlitePoolOptions::default()
    }

    pub fn max_connections(self, max: u32) -> SqlitePoolOptions {
        SqlitePoolOptions(self.0.max_connections(max))
    }

    pub fn test_before_acquire(self, is_tested: bool) -> SqlitePoolOptions {
        SqlitePoolOptions(self.0.test_before_acquire(is_tested))
    }

    pub fn after_connect<F>(self, callback: F) -> SqlitePoolOptions
    where
        F: for<'c> Fn(
                &'c mut SqliteConnection,
                PoolConnectionMetadata,
            ) -> BoxFuture<'c, Result<(), Error>>
            + Send
            + Sync
            + 'static,
    {
        SqlitePoolOptions(self.0.after_connect(callback))
    }

    pub fn connect_lazy_with(self, options: SqliteConnectOptions) -> SqlitePool {
        let _entered = enter();
        SqlitePool(self.0.connect_lazy_with(options))
    }

    pub async fn connect_with(self, options: SqliteConnectOptions) -> Result<SqlitePool, Error> {
        for_database(self.0.connect_with(options)).await.map(SqlitePool)
    }
}

impl SqlitePool {
    /// Acquires a connection. Its callers have to make each of its operations a step.
    pub async fn acquire(&self) -> Result<sqlx::pool::PoolConnection<Sqlite>, Error> {
        for_database(self.0.acquire()).await
    }

    pub async fn close(&self) {
        for_database(self.0.close()).await;
    }
}

impl<'c> Executor<'c> for &SqlitePool {
    type Database = Sqlite;

    fn fetch_many<'e, 'q: 'e, E>(
        self,
        query: E,
    ) -> BoxStream<'e, Result<Either<SqliteQueryResult, SqliteRow>, Error>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Sqlite>,
    {
        let pool = self.0.clone();
        let read = async move { for_database(pool.fetch_many(query).collect::<Vec<_>>()).await };
        stream::once(read).flat_map(stream::iter).boxed()
    }

    fn fetch_optional<'e, 'q: 'e, E>(
        self,
        query: E,
    ) -> BoxFuture<'e, Result<Option<SqliteRow>, Error>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Sqlite>,
    {
        let pool = self.0.clone();
        Box::pin(async move { for_database(pool.fetch_optional(query)).await })
    }

    fn prepare_with<'e>(
        self,
        sql: SqlStr,
        types: &'e [SqliteTypeInfo],
    ) -> BoxFuture<'e, Result<SqliteStatement, Error>>
    where
        'c: 'e,
    {
        let pool = self.0.clone();
        Box::pin(async move { for_database(pool.prepare_with(sql, types)).await })
    }
    fn describe<'e>(self, sql: SqlStr) -> BoxFuture<'e, Result<Describe<Sqlite>, Error>>
    where
        'c: 'e,
    {
        let pool = self.0.clone();
        Box::pin(async move { for_database(pool.describe(sql)).await })
    }
}
