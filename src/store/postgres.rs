//! PostgreSQL: opens the connections to a database, and migrates it.
//!
//! Callers: `Store`, `writer`, and the subcommand `check`.

use super::StoreError;
use super::event_log::postgres::DELETE_OLD_ROWS;
use super::schema::check_version_of_schema;
use super::sql::{Conn, Readers};
use sqlx::migrate::Migrator;
use sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions};
use sqlx::{ConnectOptions, Connection, PgConnection};
use std::time::Duration;

/// Minimum version of PostgreSQL, in the form of `server_version_num`.
const VERSION_MIN: i32 = 150_000;

/// Versions of the schema, with the statements that lead to each.
static MIGRATOR: Migrator = sqlx::migrate!("./migrations/postgres");

/// Connections of the pools for reads.
const READERS: u32 = 8;

/// Connections of the pool for lists that may read many rows.
const LIST_READERS: u32 = 2;

/// Limits that the database applies: of a statement, and of a transaction that waits for a server
/// that was stopped. The tasks of the other nodes wait for that one.
const LIMITS: [(&str, &str); 2] =
    [("statement_timeout", "5s"), ("idle_in_transaction_session_timeout", "2s")];

/// Time limit of the wait for a connection of a pool.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(2);

/// Time limit of opening the first connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Open database.
pub(super) struct Database {
    pub(super) readers: Readers,
    pub(super) list_readers: Readers,
    pub(super) connector: Connector,
    /// First connection for writes.
    pub(super) first: PgConnection,
}

/// Opens connections that no pool has.
#[derive(Clone, Debug)]
pub(super) struct Connector {
    options: PgConnectOptions,
}

impl Connector {
    /// Opens a connection for writes.
    pub(super) async fn connect(&self) -> Result<PgConnection, StoreError> {
        Ok(self.options.connect().await?)
    }

    /// Opens a connection for messages between nodes, which need not reach the disk.
    pub(super) async fn connect_for_hints(&self) -> Result<PgConnection, StoreError> {
        let options = self.options.clone().options([("synchronous_commit", "off")]);
        Ok(options.connect().await?)
    }

    /// Listens to a channel of messages.
    pub(super) async fn listen(&self, channel: &str) -> Result<PgListener, StoreError> {
        // A pool of its own: one with a connection that is lost silently would wait for it.
        let pool = PgPoolOptions::new().max_connections(1).acquire_timeout(ACQUIRE_TIMEOUT);
        let pool = pool.connect_with(self.options.clone()).await?;
        let mut listener = PgListener::connect_with(&pool).await?;
        listener.eager_reconnect(false);
        listener.listen(channel).await?;
        Ok(listener)
    }
}

/// Opens a database; as one of its servers, applies migrations.
pub(super) async fn open(
    options: &PgConnectOptions,
    is_server: bool,
) -> Result<Database, StoreError> {
    let options = with_keepalives(options).application_name("sprong");
    let mut first = connect(&options).await?;
    check_schema(&mut first, is_server).await?;
    if is_server {
        MIGRATOR.run(&mut first).await?;
        spawn_deletion(options.clone());
    }
    for (name, value) in LIMITS {
        let sql = "SELECT set_config($1, $2, FALSE)";
        sqlx::query(sql).bind(name).bind(value).execute(&mut first).await?;
    }
    let options = options.options(LIMITS);
    let pool = |connections| {
        PgPoolOptions::new().max_connections(connections).acquire_timeout(ACQUIRE_TIMEOUT)
    };
    let reading = options.clone().options([("default_transaction_read_only", "on")]);
    Ok(Database {
        readers: Readers::Postgres(pool(READERS).connect_lazy_with(reading.clone())),
        list_readers: Readers::Postgres(pool(LIST_READERS).connect_lazy_with(reading)),
        connector: Connector { options },
        first,
    })
}

/// Lets the database notice a lost machine, whose transactions it then ends.
fn with_keepalives(options: &PgConnectOptions) -> PgConnectOptions {
    options.clone().options([
        ("tcp_keepalives_idle", "5"),
        ("tcp_keepalives_interval", "2"),
        ("tcp_keepalives_count", "2"),
        ("tcp_user_timeout", "9000"),
    ])
}

/// Deletes the events of games that were over before the server started.
fn spawn_deletion(options: PgConnectOptions) {
    let deletion = async move {
        let mut connection = options.connect().await?;
        sqlx::query(DELETE_OLD_ROWS).execute(&mut connection).await?;
        connection.close().await
    };
    tokio::spawn(async move {
        if let Err(error) = deletion.await {
            let error: sqlx::Error = error;
            tracing::warn!(%error, "Failed to delete the events of ended games");
        }
    });
}

/// Returns whether a connection has failed, was ended, or is not accepted.
pub(super) fn is_unavailable(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_) | sqlx::Error::PoolTimedOut => true,
        // The administrator ends it, a crash, a start, too many connections, the limits.
        sqlx::Error::Database(error) => {
            let codes = ["57P01", "57P02", "57P03", "53300", "57014", "25P03"];
            error.code().is_some_and(|code| codes.contains(&&*code))
        }
        _ => false,
    }
}

/// Opens a connection for reads without a time limit, beside a server.
pub(super) async fn read_only_current(options: &PgConnectOptions) -> Result<Conn, StoreError> {
    let options = with_keepalives(options).application_name("sprong check");
    let mut connection =
        connect(&options.options([("default_transaction_read_only", "on")])).await?;
    check_schema(&mut connection, false).await?;
    Ok(connection.into())
}

/// Connects, and checks the version and the encoding of the database.
async fn connect(options: &PgConnectOptions) -> Result<PgConnection, StoreError> {
    let checked = tokio::time::timeout(CONNECT_TIMEOUT, connect_and_check(options)).await;
    checked.unwrap_or(Err(StoreError::TimedOut))
}

async fn connect_and_check(options: &PgConnectOptions) -> Result<PgConnection, StoreError> {
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
