//! Connections and statements: a thin layer over the driver of the database.
//!
//! All statements of the store pass through it, mostly in the SQL that SQLite and PostgreSQL share
//! (decision 0007), with the parameters `$1`, `$2` and so on. `sqlite` opens the connections. Debug
//! builds check the plan of each statement (`plan_check`). Callers: the other modules of `store`.

use super::changes::Change;
#[cfg(debug_assertions)]
use super::{plan_check, statement_file};
use futures_util::TryStreamExt;
use futures_util::stream::BoxStream;
use sqlx::pool::PoolConnection;
use sqlx::sqlite::{SqliteArguments, SqlitePool, SqliteRow};
use sqlx::{
    Arguments, AssertSqlSafe, Connection, Either, Encode, Executor, FromRow, SqlSafeStr, SqlStr,
    Sqlite, SqliteConnection, Type,
};

/// Row of a result.
pub(super) type SqlRow = SqliteRow;

/// Arguments of statements.
pub(super) type SqlArguments = SqliteArguments;

/// Value that can be bound to a parameter.
pub(super) trait Bind<'t>: Encode<'t, Sqlite> + Type<Sqlite> {}

impl<'t, T: Encode<'t, Sqlite> + Type<Sqlite>> Bind<'t> for T {}

/// Value that can be read from a row.
pub(super) trait FromRows: Send + Unpin + for<'r> FromRow<'r, SqlRow> {}

impl<T: Send + Unpin + for<'r> FromRow<'r, SqlRow>> FromRows for T {}

/// Connection to the database.
#[derive(Debug)]
pub(super) struct Conn {
    driver: Driver,
    /// Changes of the transaction in progress.
    announced: Vec<Change>,
}

#[derive(Debug)]
enum Driver {
    Own(SqliteConnection),
    /// Connection that returns to its pool.
    Pooled(PoolConnection<Sqlite>),
}

impl From<SqliteConnection> for Conn {
    fn from(connection: SqliteConnection) -> Conn {
        Conn { driver: Driver::Own(connection), announced: Vec::new() }
    }
}

impl Conn {
    pub(super) fn driver(&mut self) -> &mut SqliteConnection {
        match &mut self.driver {
            Driver::Own(connection) => connection,
            Driver::Pooled(connection) => connection,
        }
    }

    /// Announces a change, of which the subscribers of the store are informed after the commit.
    pub(super) fn announce(&mut self, change: Change) {
        self.announced.push(change);
    }

    /// Returns the changes announced since the last call.
    pub(super) fn take_announced(&mut self) -> Vec<Change> {
        std::mem::take(&mut self.announced)
    }

    /// Begins a statement, whose parameters are bound next.
    pub(super) fn query(&mut self, sql: impl SqlSafeStr) -> Query<'_> {
        Query::new(Source::Connection(self), sql)
    }

    /// Executes several statements with common arguments, and returns the rows of each, in the
    /// order of the statements.
    pub(super) async fn execute_all(
        &mut self,
        sql: String,
        arguments: SqlArguments,
    ) -> Result<Vec<Vec<SqlRow>>, sqlx::Error> {
        #[cfg(debug_assertions)]
        for statement in sql.split_terminator(';') {
            plan_check::check(self.driver(), statement).await?;
        }
        // The text contains constants and the numbers of parameters.
        let query = sqlx::query_with(AssertSqlSafe(sql), arguments);
        let mut results = self.driver().fetch_many(query);
        let (mut rows, mut all) = (Vec::new(), Vec::new());
        while let Some(result) = results.try_next().await? {
            match result {
                Either::Right(row) => rows.push(row),
                Either::Left(_) => all.push(std::mem::take(&mut rows)),
            }
        }
        Ok(all)
    }

    /// Returns the rows of a statement with one parameter one by one.
    pub(super) fn stream<'c, T: FromRows + 'c>(
        &'c mut self,
        sql: &'static str,
        argument: impl Bind<'c>,
    ) -> BoxStream<'c, Result<T, sqlx::Error>> {
        let mut arguments = SqlArguments::default();
        arguments.add(argument).expect("a value that can be encoded");
        #[cfg(debug_assertions)]
        statement_file::add(sql);
        sqlx::query_as_with(sql, arguments).fetch(self.driver())
    }

    pub(super) async fn close(self) -> Result<(), sqlx::Error> {
        match self.driver {
            Driver::Own(connection) => connection.close().await,
            Driver::Pooled(connection) => connection.close().await,
        }
    }
}

/// Pool of connections that read.
#[derive(Clone, Debug)]
pub(super) struct Readers(SqlitePool);

impl Readers {
    pub(super) fn new(pool: SqlitePool) -> Readers {
        Readers(pool)
    }

    /// Begins a statement on a connection of the pool.
    pub(super) fn query(&self, sql: impl SqlSafeStr) -> Query<'_> {
        Query::new(Source::Pool(self), sql)
    }

    /// Returns a connection for several statements.
    pub(super) async fn acquire(&self) -> Result<Conn, sqlx::Error> {
        let driver = Driver::Pooled(self.0.acquire().await?);
        Ok(Conn { driver, announced: Vec::new() })
    }

    pub(super) async fn close(&self) {
        self.0.close().await;
    }
}

/// Connection that executes a statement.
enum Source<'c> {
    Connection(&'c mut Conn),
    Pool(&'c Readers),
}

/// Statement with its arguments.
#[must_use]
pub(super) struct Query<'c> {
    source: Source<'c>,
    sql: SqlStr,
    arguments: SqlArguments,
}

/// Executes a method of the driver's query on the connection or pool of a statement.
macro_rules! run {
    ($query:expr, $constructor:ident, $method:ident) => {{
        let Query { source, sql, arguments } = $query;
        match source {
            Source::Connection(connection) => {
                let connection = connection.driver();
                #[cfg(debug_assertions)]
                plan_check::check(&mut *connection, sql.as_str()).await?;
                sqlx::$constructor(sql, arguments).$method(connection).await
            }
            Source::Pool(Readers(pool)) => {
                #[cfg(debug_assertions)]
                plan_check::check(pool, sql.as_str()).await?;
                sqlx::$constructor(sql, arguments).$method(pool).await
            }
        }
    }};
}

impl<'c> Query<'c> {
    fn new(source: Source<'c>, sql: impl SqlSafeStr) -> Query<'c> {
        let sql = sql.into_sql_str();
        #[cfg(debug_assertions)]
        statement_file::add(sql.as_str());
        Query { source, sql, arguments: SqlArguments::default() }
    }

    /// Binds the next parameter.
    pub(super) fn bind<'t>(mut self, value: impl Bind<'t>) -> Query<'c> {
        self.arguments.add(value).expect("values that can be encoded");
        self
    }

    /// Binds all parameters.
    pub(super) fn bind_all(self, arguments: SqlArguments) -> Query<'c> {
        Query { arguments, ..self }
    }

    /// Executes the statement, and returns the number of rows that it has changed.
    pub(super) async fn execute(self) -> Result<u64, sqlx::Error> {
        Ok(run!(self, query_with, execute)?.rows_affected())
    }

    /// Returns the rows undecoded.
    pub(super) async fn rows(self) -> Result<Vec<SqlRow>, sqlx::Error> {
        run!(self, query_with, fetch_all)
    }

    pub(super) async fn fetch_all<T: FromRows>(self) -> Result<Vec<T>, sqlx::Error> {
        run!(self, query_as_with, fetch_all)
    }

    /// Returns the first row, if there is one.
    pub(super) async fn fetch_optional<T: FromRows>(self) -> Result<Option<T>, sqlx::Error> {
        run!(self, query_as_with, fetch_optional)
    }

    /// Returns the first row; fails if there is none.
    pub(super) async fn fetch_one<T: FromRows>(self) -> Result<T, sqlx::Error> {
        self.fetch_optional().await?.ok_or(sqlx::Error::RowNotFound)
    }

    /// Returns whether there is a row.
    pub(super) async fn exists(self) -> Result<bool, sqlx::Error> {
        Ok(!self.rows().await?.is_empty())
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
