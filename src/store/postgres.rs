//! PostgreSQL: opens the connections to a database, and migrates it.
//!
//! Beside `sql`, `value`, `row` and the logs of games, only this file names types of its driver.
//! Callers: `Store`, `writer`, and the subcommand `check`.

use super::StoreError;
use super::event_log::postgres::DELETE_OLD_ROWS;
use super::schema::check_version_of_schema;
use super::sql::{Conn, Readers};
use sqlx::migrate::Migrator;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{ConnectOptions, Connection, PgConnection};
use std::time::Duration;
use tokio::time::Instant;

/// Minimum version of PostgreSQL, in the form of `server_version_num`.
const VERSION_MIN: i32 = 150_000;

/// Versions of the schema, with the statements that lead to each.
static MIGRATOR: Migrator = sqlx::migrate!("./migrations/postgres");

/// Connections of the pools for reads.
const READERS: u32 = 8;

/// Connections of the pool for lists that may read many rows.
const LIST_READERS: u32 = 2;

/// Time limit of a statement, which the database server itself applies.
const STATEMENT_TIMEOUT: &str = "5s";

/// Time limit of the wait for a connection of a pool.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(2);

/// Key of the advisory lock of the server: the text `sprong` as a number.
const SERVER_LOCK: i64 = 0x7370_726f_6e67;

/// Time that the connection of a killed server may take to end.
const DYING_MAX: Duration = Duration::from_secs(1);

/// Interval at which the lock is tried again.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Open database.
pub(super) struct Database {
    pub(super) readers: Readers,
    pub(super) list_readers: Readers,
    pub(super) connector: Connector,
    /// First connection for tasks.
    pub(super) connection: PgConnection,
}

/// Opens connections for writes.
#[derive(Clone, Debug)]
pub(super) struct Connector {
    options: PgConnectOptions,
    /// Whether a connection for tasks takes the lock of the server.
    is_server: bool,
}

impl Connector {
    pub(super) async fn connect(&self) -> Result<PgConnection, StoreError> {
        Ok(self.options.connect().await?)
    }

    /// Opens a connection for tasks. That of the server has an advisory lock, which the database
    /// releases when the connection ends: two servers on one database would each keep their own
    /// rooms of the same games.
    pub(super) async fn connect_for_tasks(&self) -> Result<PgConnection, StoreError> {
        let mut connection = self.connect().await?;
        if self.is_server {
            lock(&mut connection).await?;
        }
        Ok(connection)
    }
}

/// Takes the lock of the server. Waits for a short time, because the database may not have noticed
/// that a server was killed.
async fn lock(connection: &mut PgConnection) -> Result<(), StoreError> {
    let deadline = Instant::now() + DYING_MAX;
    while !is_locked(connection).await? {
        if Instant::now() > deadline {
            return Err(StoreError::Served);
        }
        tokio::time::sleep(POLL_INTERVAL).await;
    }
    Ok(())
}

async fn is_locked(connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
    let query = sqlx::query_scalar("SELECT pg_try_advisory_lock($1)").bind(SERVER_LOCK);
    query.fetch_one(connection).await
}

/// Opens a database; as its server, takes the lock and applies migrations.
pub(super) async fn open(
    options: &PgConnectOptions,
    is_server: bool,
) -> Result<Database, StoreError> {
    let options = options.clone().application_name("sprong");
    let mut first = connect(&options).await?;
    if is_server {
        lock(&mut first).await?;
    }
    check_schema(&mut first, is_server).await?;
    if is_server {
        MIGRATOR.run(&mut first).await?;
        sqlx::query(DELETE_OLD_ROWS).execute(&mut first).await?;
    }
    first.close().await?;
    // A statement that exceeds its limit, and a transaction that waits for a stopped server, are
    // ended by the database.
    let options = options.options([
        ("statement_timeout", STATEMENT_TIMEOUT),
        ("idle_in_transaction_session_timeout", STATEMENT_TIMEOUT),
    ]);
    let pool = |connections| {
        PgPoolOptions::new().max_connections(connections).acquire_timeout(ACQUIRE_TIMEOUT)
    };
    let reading = options.clone().options([("default_transaction_read_only", "on")]);
    let connector = Connector { options, is_server };
    Ok(Database {
        readers: Readers::Postgres(pool(READERS).connect_lazy_with(reading.clone())),
        list_readers: Readers::Postgres(pool(LIST_READERS).connect_lazy_with(reading)),
        connection: connector.connect_for_tasks().await?,
        connector,
    })
}

/// Opens a connection for reads without a time limit, beside a server.
pub(super) async fn read_only_current(options: &PgConnectOptions) -> Result<Conn, StoreError> {
    let options = options.clone().application_name("sprong check");
    let mut connection =
        connect(&options.options([("default_transaction_read_only", "on")])).await?;
    check_schema(&mut connection, false).await?;
    Ok(connection.into())
}

/// Connects, and checks the version and the encoding of the database.
async fn connect(options: &PgConnectOptions) -> Result<PgConnection, StoreError> {
    let mut connection = options.connect().await?;
    let sql = "SELECT current_setting('server_version_num')::integer,
                   current_setting('server_version'), current_setting('server_encoding')";
    let (number, version, encoding): (i32, String, String) =
        sqlx::query_as(sql).fetch_one(&mut connection).await?;
    if number < VERSION_MIN {
        return Err(StoreError::PostgresVersion(version));
    }
    if encoding != "UTF8" {
        return Err(StoreError::Encoding(encoding));
    }
    Ok(connection)
}

/// Checks that the schema is that of this program, or an earlier one if that `may_be_old`.
async fn check_schema(connection: &mut PgConnection, may_be_old: bool) -> Result<(), StoreError> {
    let sql = "SELECT to_regclass('_sqlx_migrations') IS NOT NULL";
    let is_migrated: bool = sqlx::query_scalar(sql).fetch_one(&mut *connection).await?;
    let found = if is_migrated {
        let sql = "SELECT coalesce(max(version), 0) FROM _sqlx_migrations";
        sqlx::query_scalar(sql).fetch_one(&mut *connection).await?
    } else {
        0
    };
    check_version_of_schema(&MIGRATOR, found, may_be_old)
}
