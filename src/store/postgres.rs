//! PostgreSQL: opens the connections to a database, and migrates it.
//!
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

/// Keys of the advisory locks of the server: of its connection for tasks, which only one server
/// has, and of its connections for appends, which share theirs. The numbers are the texts `sprong`
/// and `append`.
const SERVER_LOCK: i64 = 0x7370_726f_6e67;
const APPEND_LOCK: i64 = 0x6170_7065_6e64;

/// Time limit of opening the first connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Time for which a lock is awaited: longer than the database executes a statement of a server that
/// was killed.
const LOCK_TIMEOUT: Duration = Duration::from_secs(6);

/// Interval at which the lock is tried again.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Open database.
pub(super) struct Database {
    pub(super) readers: Readers,
    pub(super) list_readers: Readers,
    pub(super) connector: Connector,
    pub(super) connections: FirstConnections,
}

/// First connections for writes.
pub(super) struct FirstConnections {
    pub(super) tasks: PgConnection,
    /// `None` beside a server. Its lock keeps other servers away while one for tasks is replaced.
    pub(super) appends: Option<PgConnection>,
}

/// Opens connections for writes.
#[derive(Clone, Debug)]
pub(super) struct Connector {
    options: PgConnectOptions,
    /// Whether a connection for tasks takes the lock of the server.
    is_server: bool,
}

impl Connector {
    /// Opens a connection for appends. While one is open, no other server starts.
    pub(super) async fn connect_for_appends(&self) -> Result<PgConnection, StoreError> {
        let mut connection = self.options.connect().await?;
        lock(&mut connection, "SELECT pg_try_advisory_lock_shared($1)", APPEND_LOCK).await?;
        Ok(connection)
    }

    /// Opens a connection for tasks. That of the server has an advisory lock, which the database
    /// releases when the connection ends: two servers on one database would each keep their own
    /// rooms of the same games.
    pub(super) async fn connect_for_tasks(&self) -> Result<PgConnection, StoreError> {
        let mut connection = self.options.connect().await?;
        if self.is_server {
            lock(&mut connection, "SELECT pg_try_advisory_lock($1)", SERVER_LOCK).await?;
        }
        Ok(connection)
    }
}

/// Takes a lock. Waits for some time, because the database may still execute a statement of a
/// server that was killed.
async fn lock(
    connection: &mut PgConnection,
    sql: &'static str,
    key: i64,
) -> Result<(), StoreError> {
    let deadline = Instant::now() + LOCK_TIMEOUT;
    while !sqlx::query_scalar(sql).bind(key).fetch_one(&mut *connection).await? {
        if Instant::now() > deadline {
            return Err(StoreError::Served);
        }
        tokio::time::sleep(POLL_INTERVAL).await;
    }
    Ok(())
}

/// Takes the locks of the server. Then nothing of the server before is executed any more, so that
/// the logs are complete.
async fn lock_server(connection: &mut PgConnection) -> Result<(), StoreError> {
    lock(connection, "SELECT pg_try_advisory_lock($1)", APPEND_LOCK).await?;
    lock(connection, "SELECT pg_try_advisory_lock($1)", SERVER_LOCK).await?;
    sqlx::query("SELECT pg_advisory_unlock($1)").bind(APPEND_LOCK).execute(connection).await?;
    Ok(())
}

/// Deletes the events of games that were over before the server started.
async fn delete_old_rows(options: PgConnectOptions) -> Result<(), sqlx::Error> {
    let mut connection = options.connect().await?;
    sqlx::query(DELETE_OLD_ROWS).execute(&mut connection).await?;
    connection.close().await
}

/// Opens a database; as its server, takes the lock and applies migrations.
pub(super) async fn open(
    options: &PgConnectOptions,
    is_server: bool,
) -> Result<Database, StoreError> {
    let options = options.clone().application_name("sprong");
    let mut first = connect(&options).await?;
    if is_server {
        lock_server(&mut first).await?;
    }
    check_schema(&mut first, is_server).await?;
    if is_server {
        MIGRATOR.run(&mut first).await?;
        let deleting = delete_old_rows(options.clone());
        tokio::spawn(async move {
            if let Err(error) = deleting.await {
                tracing::warn!(%error, "Failed to delete the events of ended games");
            }
        });
    }
    first.close().await?;
    // A statement that exceeds its limit, and a transaction that waits for a stopped server, are
    // ended by the database.
    let options = options.options([
        ("statement_timeout", STATEMENT_TIMEOUT),
        ("idle_in_transaction_session_timeout", STATEMENT_TIMEOUT),
        ("tcp_keepalives_idle", "5"),
        ("tcp_keepalives_interval", "2"),
        ("tcp_keepalives_count", "2"),
    ]);
    let pool = |connections| {
        PgPoolOptions::new().max_connections(connections).acquire_timeout(ACQUIRE_TIMEOUT)
    };
    let reading = options.clone().options([("default_transaction_read_only", "on")]);
    let connector = Connector { options, is_server };
    Ok(Database {
        readers: Readers::Postgres(pool(READERS).connect_lazy_with(reading.clone())),
        list_readers: Readers::Postgres(pool(LIST_READERS).connect_lazy_with(reading)),
        connections: FirstConnections {
            tasks: connector.connect_for_tasks().await?,
            appends: match is_server {
                true => Some(connector.connect_for_appends().await?),
                false => None,
            },
        },
        connector,
    })
}

/// Returns whether a connection has failed, was ended, or is not accepted.
pub(super) fn is_unavailable(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_) | sqlx::Error::PoolTimedOut => true,
        // The administrator ends it, a crash, a start, too many connections.
        sqlx::Error::Database(error) => {
            let codes = ["57P01", "57P02", "57P03", "53300"];
            error.code().is_some_and(|code| codes.contains(&&*code))
        }
        _ => false,
    }
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
    let connected = tokio::time::timeout(CONNECT_TIMEOUT, options.connect()).await;
    let mut connection = connected.map_err(|_| StoreError::TimedOut)??;
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
