//! Connections and statements: a thin layer over the drivers of both databases.
//!
//! All statements of the store pass through it, in the SQL that SQLite and PostgreSQL share
//! (decisions 0007 and 0013), with the parameters `$1`, `$2` and so on. `sqlite` and `postgres`
//! open the connections. Debug builds check the plan of each statement of SQLite (`plan_check`).
//! Callers: the other modules of the store.

use super::changes::Change;
use super::primary::{Connected, PostgresReaders, is_lost};
use super::reader_pool::sqlite::SqliteReaders;
use super::reader_pool::{Pooled, ReaderPool};
use super::row::{FromRows, SqlRow};
use super::sql_text::{for_postgres, join, join_changes};
use super::value::{Value, postgres_arguments, sqlite_arguments};
#[cfg(debug_assertions)]
use super::{plan_check, statement_file};
use crate::wait::for_database;
use futures_util::future::BoxFuture;
use futures_util::stream::BoxStream;
use futures_util::{StreamExt, TryStreamExt};
use sqlx::{
    AssertSqlSafe, Connection, Either, Executor, PgConnection, SqlSafeStr, SqlStr, SqliteConnection,
};
use std::io::ErrorKind;
use std::time::{Duration, Instant};

/// Time limit of a statement on a pooled connection to PostgreSQL, which applies if the database
/// does not end it itself after 5 seconds.
const STATEMENT_TIMEOUT: Duration = Duration::from_secs(7);

/// Connection to the database.
#[derive(Debug)]
pub(super) struct Conn {
    driver: Driver,
    /// Changes of the transaction in progress.
    announced: Vec<Change>,
    /// Epoch of the primary that it is connected to.
    epoch: u64,
}

#[derive(Debug)]
enum Driver {
    Sqlite(SqliteConnection),
    /// Connection that returns to its pool.
    PooledSqlite(Pooled<SqliteReaders>),
    Postgres(PgConnection),
    PooledPostgres(Pooled<PostgresReaders>),
}

impl From<Driver> for Conn {
    fn from(driver: Driver) -> Conn {
        Conn { driver, announced: Vec::new(), epoch: 0 }
    }
}

impl From<SqliteConnection> for Conn {
    fn from(connection: SqliteConnection) -> Conn {
        Driver::Sqlite(connection).into()
    }
}

impl From<PgConnection> for Conn {
    fn from(connection: PgConnection) -> Conn {
        Driver::Postgres(connection).into()
    }
}

impl Conn {
    /// Returns a connection to the primary of an epoch.
    pub(super) fn to_primary(connected: Connected) -> Conn {
        Conn { epoch: connected.epoch, ..connected.connection.into() }
    }

    pub(super) fn epoch(&self) -> u64 {
        self.epoch
    }

    /// Announces a change, of which the subscribers of the store are informed after the commit.
    pub(super) fn announce(&mut self, change: Change) {
        self.announced.push(change);
    }

    /// Returns the changes announced since the last call.
    pub(super) fn take_announced(&mut self) -> Vec<Change> {
        std::mem::take(&mut self.announced)
    }

    pub(super) fn is_postgres(&self) -> bool {
        matches!(self.driver, Driver::Postgres(_) | Driver::PooledPostgres(_))
    }

    /// Begins a statement, whose parameters are bound next.
    pub(super) fn query(&mut self, sql: impl SqlSafeStr) -> Query<'_> {
        Query::new(Source::Connection(self), sql)
    }

    /// Begins a transaction whose reads are those of one moment.
    pub(super) async fn begin_snapshot(&mut self) -> Result<(), sqlx::Error> {
        let sql = match self.driver {
            Driver::Sqlite(_) | Driver::PooledSqlite(_) => "BEGIN",
            Driver::Postgres(_) | Driver::PooledPostgres(_) => {
                "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
            }
        };
        self.query(sql).execute().await?;
        Ok(())
    }

    /// Executes several statements, and returns the rows of each, in the order of the statements.
    pub(super) async fn execute_all(
        &mut self,
        statements: Vec<(String, Vec<Value>)>,
    ) -> Result<Vec<Vec<SqlRow>>, sqlx::Error> {
        match &mut self.driver {
            Driver::Sqlite(connection) => execute_joined(connection, statements).await,
            Driver::PooledSqlite(pooled) => {
                let results = execute_joined(pooled.begin(), statements).await;
                pooled.end(results)
            }
            Driver::Postgres(_) | Driver::PooledPostgres(_) => {
                let mut all = Vec::new();
                for (sql, values) in statements {
                    all.push(self.query(AssertSqlSafe(sql)).bind_all(values).rows().await?);
                }
                Ok(all)
            }
        }
    }

    /// Executes statements that change rows, none of which depends on another or changes the same
    /// row: on PostgreSQL as one, because each one waits for the database.
    pub(super) async fn execute_together(
        &mut self,
        statements: Vec<(String, Vec<Value>)>,
    ) -> Result<(), sqlx::Error> {
        if self.is_postgres() && statements.len() > 1 {
            let (sql, values) = join_changes(statements);
            self.query(AssertSqlSafe(sql)).bind_all(values).execute().await?;
        } else {
            self.execute_all(statements).await?;
        }
        Ok(())
    }

    /// Returns the rows of a statement with one parameter one by one.
    pub(super) fn stream<'c, T: FromRows + 'c>(
        &'c mut self,
        sql: &'static str,
        argument: impl Into<Value>,
    ) -> BoxStream<'c, Result<T, sqlx::Error>> {
        #[cfg(debug_assertions)]
        statement_file::add(sql);
        let values = vec![argument.into()];
        let rows = match &mut self.driver {
            Driver::Sqlite(connection) => stream_sqlite(connection, sql, values),
            Driver::PooledSqlite(pooled) => stream_sqlite(pooled.begin(), sql, values),
            Driver::Postgres(connection) => stream_postgres(connection, sql, values),
            Driver::PooledPostgres(pooled) => stream_postgres(pooled.begin(), sql, values),
        };
        rows.map(|row| row?.decode()).boxed()
    }

    pub(super) async fn close(self) -> Result<(), sqlx::Error> {
        match self.driver {
            Driver::Sqlite(connection) => connection.close().await,
            Driver::Postgres(connection) => connection.close().await,
            // It returns to its pool.
            Driver::PooledSqlite(_) | Driver::PooledPostgres(_) => Ok(()),
        }
    }
}

/// Executes statements by one query of SQLite.
async fn execute_joined(
    connection: &mut SqliteConnection,
    statements: Vec<(String, Vec<Value>)>,
) -> Result<Vec<Vec<SqlRow>>, sqlx::Error> {
    let (sql, values) = join(statements);
    #[cfg(debug_assertions)]
    for statement in sql.split_terminator(';') {
        plan_check::check(&mut *connection, statement).await?;
    }
    // The text contains constants and the numbers of parameters.
    let query = sqlx::query_with(AssertSqlSafe(sql), sqlite_arguments(values));
    let mut results = connection.fetch_many(query);
    let (mut rows, mut all) = (Vec::new(), Vec::new());
    while let Some(result) = results.try_next().await? {
        match result {
            Either::Right(row) => rows.push(SqlRow::from(row)),
            Either::Left(_) => all.push(std::mem::take(&mut rows)),
        }
    }
    Ok(all)
}

fn stream_sqlite<'c>(
    connection: &'c mut SqliteConnection,
    sql: &'static str,
    values: Vec<Value>,
) -> BoxStream<'c, Result<SqlRow, sqlx::Error>> {
    let query = sqlx::query_with(sql, sqlite_arguments(values));
    query.fetch(connection).map_ok(SqlRow::from).boxed()
}

fn stream_postgres<'c>(
    connection: &'c mut PgConnection,
    sql: &'static str,
    values: Vec<Value>,
) -> BoxStream<'c, Result<SqlRow, sqlx::Error>> {
    let sql = for_postgres(sql.into_sql_str());
    let query = sqlx::query_with(sql, postgres_arguments(values));
    query.fetch(connection).map_ok(SqlRow::from).boxed()
}

/// Pool of connections that read.
#[derive(Clone, Debug)]
pub(super) enum Readers {
    Sqlite(ReaderPool<SqliteReaders>),
    Postgres(ReaderPool<PostgresReaders>),
}

impl Readers {
    /// Begins a statement on a connection of the pool.
    pub(super) fn query(&self, sql: impl SqlSafeStr) -> Query<'_> {
        Query::new(Source::Pool(self), sql)
    }

    /// Returns a connection for several statements.
    pub(super) async fn acquire(&self) -> Result<Conn, sqlx::Error> {
        Ok(match self {
            Readers::Sqlite(pool) => Driver::PooledSqlite(for_database(pool.get()).await?).into(),
            // None of its statements is repeated.
            Readers::Postgres(pool) => Driver::PooledPostgres(pool.get_tested().await?).into(),
        })
    }

    pub(super) async fn close(&self) {
        match self {
            Readers::Sqlite(pool) => pool.close().await,
            Readers::Postgres(pool) => pool.close().await,
        }
    }
}

/// Connection that executes a statement.
enum Source<'c> {
    Connection(&'c mut Conn),
    Pool(&'c Readers),
}

/// Statement with its values.
#[must_use]
pub(super) struct Query<'c> {
    source: Source<'c>,
    sql: SqlStr,
    values: Vec<Value>,
}

/// Executes a method of the driver's query on the connection or pool of a statement, and converts
/// its result.
macro_rules! run {
    ($query:expr, $method:ident, $convert:expr) => {{
        let Query { source, sql, values } = $query;
        match source {
            Source::Connection(Conn { driver: Driver::Sqlite(connection), .. }) => {
                run!(@sqlite sql, values, $method, $convert, &mut *connection)
            }
            Source::Connection(Conn { driver: Driver::PooledSqlite(pooled), .. }) => {
                let done = run!(@sqlite sql, values, $method, $convert, pooled.begin());
                pooled.end(done)
            }
            Source::Connection(Conn { driver: Driver::Postgres(connection), .. }) => {
                run!(@postgres sql, values, $method, $convert, &mut *connection)
            }
            Source::Connection(Conn { driver: Driver::PooledPostgres(pooled), .. }) => {
                run!(@pooled sql, values, $method, $convert, pooled)
            }
            Source::Pool(Readers::Sqlite(pool)) => {
                for_database(async {
                    let mut pooled = pool.get().await?;
                    let done = run!(@sqlite sql, values, $method, $convert, pooled.begin());
                    pooled.end(done)
                })
                .await
            }
            Source::Pool(Readers::Postgres(pool)) => {
                let (began, same_sql, same_values) = (Instant::now(), sql.clone(), values.clone());
                let mut pooled = pool.get().await?;
                let done = run!(@pooled sql, values, $method, $convert, pooled);
                if !done.as_ref().is_err_and(is_lost) {
                    return done;
                }
                // Lost since its last use, perhaps together with all others. It must not keep its
                // place while all wait for another one.
                pooled.set_lost();
                drop(pooled);
                let mut pooled = pool.get_opened_after(began).await?;
                run!(@pooled same_sql, same_values, $method, $convert, pooled)
            }
        }
    }};
    (@sqlite $sql:ident, $values:ident, $method:ident, $convert:expr, $executor:expr) => {{
        #[cfg(debug_assertions)]
        plan_check::check($executor, $sql.as_str()).await?;
        let query = sqlx::query_with($sql, sqlite_arguments($values));
        query.$method($executor).await.map($convert)
    }};
    (@postgres $sql:ident, $values:ident, $method:ident, $convert:expr, $executor:expr) => {{
        let query = sqlx::query_with(for_postgres($sql), postgres_arguments($values));
        query.$method($executor).await.map($convert)
    }};
    (@pooled $sql:ident, $values:ident, $method:ident, $convert:expr, $pooled:ident) => {{
        let work = async {
            let done = run!(@postgres $sql, $values, $method, $convert, $pooled.begin());
            $pooled.end(done)
        };
        match tokio::time::timeout(STATEMENT_TIMEOUT, work).await {
            Ok(done) => done,
            Err(_) => {
                $pooled.set_lost();
                Err(sqlx::Error::Io(ErrorKind::TimedOut.into()))
            }
        }
    }};
}

impl<'c> Query<'c> {
    fn new(source: Source<'c>, sql: impl SqlSafeStr) -> Query<'c> {
        let sql = sql.into_sql_str();
        #[cfg(debug_assertions)]
        statement_file::add(sql.as_str());
        Query { source, sql, values: Vec::new() }
    }

    /// Binds the next parameter.
    pub(super) fn bind(mut self, value: impl Into<Value>) -> Query<'c> {
        self.values.push(value.into());
        self
    }

    /// Binds all parameters.
    pub(super) fn bind_all(self, values: Vec<Value>) -> Query<'c> {
        Query { values, ..self }
    }

    /// Executes the statement, and returns the number of rows that it has changed.
    pub(super) fn execute(self) -> BoxFuture<'c, Result<u64, sqlx::Error>> {
        Box::pin(async move { run!(self, execute, |done| done.rows_affected()) })
    }

    /// Returns the rows undecoded.
    pub(super) fn rows(self) -> BoxFuture<'c, Result<Vec<SqlRow>, sqlx::Error>> {
        Box::pin(async move {
            run!(self, fetch_all, |rows| rows.into_iter().map(SqlRow::from).collect())
        })
    }

    /// Returns the first row undecoded, if there is one.
    fn optional_row(self) -> BoxFuture<'c, Result<Option<SqlRow>, sqlx::Error>> {
        Box::pin(async move { run!(self, fetch_optional, |row| row.map(SqlRow::from)) })
    }

    pub(super) async fn fetch_all<T: FromRows>(self) -> Result<Vec<T>, sqlx::Error> {
        self.rows().await?.iter().map(SqlRow::decode).collect()
    }

    /// Returns the first row, if there is one.
    pub(super) async fn fetch_optional<T: FromRows>(self) -> Result<Option<T>, sqlx::Error> {
        self.optional_row().await?.map(|row| row.decode()).transpose()
    }

    /// Returns the first row; fails if there is none.
    pub(super) async fn fetch_one<T: FromRows>(self) -> Result<T, sqlx::Error> {
        self.fetch_optional().await?.ok_or(sqlx::Error::RowNotFound)
    }

    /// Returns whether there is a row.
    pub(super) async fn exists(self) -> Result<bool, sqlx::Error> {
        Ok(self.optional_row().await?.is_some())
    }

    /// Returns the only column of all rows.
    pub(super) async fn values<T>(self) -> Result<Vec<T>, sqlx::Error>
    where
        (T,): FromRows,
    {
        Ok(self.fetch_all().await?.into_iter().map(|(value,)| value).collect())
    }

    /// Returns the only column of the first row, if there is one.
    pub(super) async fn optional_value<T>(self) -> Result<Option<T>, sqlx::Error>
    where
        (T,): FromRows,
    {
        Ok(self.fetch_optional().await?.map(|(value,)| value))
    }

    /// Returns the only column of the first row; fails if there is none.
    pub(super) async fn value<T>(self) -> Result<T, sqlx::Error>
    where
        (T,): FromRows,
    {
        Ok(self.fetch_one::<(T,)>().await?.0)
    }
}

#[cfg(test)]
mod tests {
    use crate::store::Store;
    use tempfile::TempDir;

    #[tokio::test]
    #[should_panic(expected = "the plan contains \"SCAN game")]
    async fn statement_that_reads_a_whole_large_table_fails() {
        let folder = TempDir::new().expect("folder");
        let store = Store::open(&folder.path().join("sprong.db")).await.expect("store");
        let query = store.readers.query("SELECT id FROM game WHERE plies = $1").bind(3);
        let _ = query.values::<String>().await;
    }
}
