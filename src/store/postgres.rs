//! PostgreSQL: opens the connections to a database, and migrates it.
//!
//! Callers: `Store`, `writer`, and the subcommand `check`.

use super::StoreError;
use super::event_log::postgres::DELETE_OLD_ROWS;
use super::primary::{Connected, Connector, has_code};
use super::schema::{COMPATIBLE_FROM, SchemaUse, check_version_of_schema, known_version};
use super::sql::{Conn, Readers};
use sqlx::migrate::Migrator;
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, Connection, PgConnection};
use std::time::Duration;

/// Minimum version of PostgreSQL, in the form of `server_version_num`.
const VERSION_MIN: i32 = 150_000;

/// Versions of the schema, with the statements that lead to each.
static MIGRATOR: Migrator = sqlx::migrate!("./migrations/postgres");

/// Connections of the pools for reads.
const READERS: usize = 8;

/// Connections of the pool for lists that may read many rows.
const LIST_READERS: usize = 2;

/// Limits that the database applies: of a statement, and of a transaction that waits for a server
/// that was stopped. The tasks of the other nodes wait for that one.
const LIMITS: [(&str, &str); 2] =
    [("statement_timeout", "5s"), ("idle_in_transaction_session_timeout", "2s")];

/// Time limit of opening the first connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Open database.
pub(super) struct Database {
    pub(super) readers: Readers,
    pub(super) list_readers: Readers,
    pub(super) connector: Connector,
    /// First connection for writes.
    pub(super) first: Connected,
}

/// Opens a database; as one of its servers, applies migrations.
pub(super) async fn open(
    hosts: &[PgConnectOptions],
    is_server: bool,
) -> Result<Database, StoreError> {
    let with_limits =
        |host: &PgConnectOptions| with_keepalives(host).application_name("sprong").options(LIMITS);
    let connector = Connector::new(hosts.iter().map(with_limits).collect());
    let connected = within_limit(async {
        let Connected { connection, epoch } = connector.connect().await?;
        Ok((check_server(connection).await?, epoch))
    });
    let (mut first, epoch) = connected.await?;
    let (readers, list_readers) =
        (connector.create_pool(READERS), connector.create_pool(LIST_READERS));
    // Migrations, which may take longer, and checks.
    for (name, _) in LIMITS {
        set_limit(&mut first, name, "0").await?;
    }
    let purpose = if is_server { SchemaUse::Serve } else { SchemaUse::Share };
    let found = check_schema(&mut first, purpose).await?;
    if is_server {
        if found <= known_version_of_schema() {
            MIGRATOR.run(&mut first).await?;
        }
        connector.watch_hosts();
        spawn_deletion(connector.clone());
    }
    for (name, value) in LIMITS {
        set_limit(&mut first, name, value).await?;
    }
    Ok(Database {
        readers: Readers::Postgres(readers),
        list_readers: Readers::Postgres(list_readers),
        connector,
        first: Connected { connection: first, epoch },
    })
}

async fn set_limit(
    connection: &mut PgConnection,
    name: &str,
    value: &str,
) -> Result<(), StoreError> {
    let sql = "SELECT set_config($1, $2, FALSE)";
    sqlx::query(sql).bind(name).bind(value).execute(connection).await?;
    Ok(())
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
fn spawn_deletion(connector: Connector) {
    let deletion = async move {
        let mut connection = connector.connect().await?.connection;
        set_limit(&mut connection, "statement_timeout", "0").await?;
        sqlx::query(DELETE_OLD_ROWS).execute(&mut connection).await?;
        connection.close().await?;
        Ok(())
    };
    tokio::spawn(async move {
        if let Err(error) = deletion.await {
            let error: StoreError = error;
            tracing::warn!(%error, "Failed to delete the events of ended games");
        }
    });
}

/// Returns whether a connection has failed, was ended, or is not accepted.
pub(super) fn is_unavailable(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_) | sqlx::Error::PoolTimedOut => true,
        // The administrator ends it, a crash, a start, too many connections, the limits, a standby.
        _ => has_code(error, &["57P01", "57P02", "57P03", "53300", "57014", "25P03", "25006"]),
    }
}

/// Opens a connection for reads without a time limit, beside a server. The only host may be a
/// standby.
pub(super) async fn read_only_current(
    hosts: &[PgConnectOptions],
    purpose: SchemaUse,
) -> Result<Conn, StoreError> {
    let reading = |host: &PgConnectOptions| {
        let host = with_keepalives(host).application_name("sprong check");
        host.options([("default_transaction_read_only", "on")])
    };
    let hosts: Vec<PgConnectOptions> = hosts.iter().map(reading).collect();
    let mut connection = match &hosts[..] {
        [host] => within_limit(async { check_server(host.connect().await?).await }).await?,
        _ => {
            let connector = Connector::new(hosts);
            let connecting = async { check_server(connector.connect().await?.connection).await };
            within_limit(connecting).await?
        }
    };
    check_schema(&mut connection, purpose).await?;
    Ok(connection.into())
}

async fn within_limit<T>(
    connecting: impl Future<Output = Result<T, StoreError>>,
) -> Result<T, StoreError> {
    let connected = tokio::time::timeout(CONNECT_TIMEOUT, connecting).await;
    connected.unwrap_or(Err(StoreError::TimedOut))
}

/// Checks the version and the encoding of the database.
async fn check_server(mut connection: PgConnection) -> Result<PgConnection, StoreError> {
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

/// Returns the latest version of the schema that this program knows.
pub(super) fn known_version_of_schema() -> i64 {
    known_version(&MIGRATOR)
}

/// Checks that this program can use the schema, and returns its version.
async fn check_schema(
    connection: &mut PgConnection,
    purpose: SchemaUse,
) -> Result<i64, StoreError> {
    let sql = "SELECT to_regclass('_sqlx_migrations') IS NOT NULL";
    let is_migrated: bool = sqlx::query_scalar(sql).fetch_one(&mut *connection).await?;
    let found = if is_migrated {
        let sql = "SELECT coalesce(max(version), 0) FROM _sqlx_migrations";
        sqlx::query_scalar(sql).fetch_one(&mut *connection).await?
    } else {
        0
    };
    let is_later = found > known_version_of_schema();
    let sql = if is_later { COMPATIBLE_FROM } else { "SELECT NULL::bigint" };
    let compatible_from = sqlx::query_scalar(sql).fetch_one(&mut *connection).await?;
    check_version_of_schema(&MIGRATOR, found, compatible_from, purpose)?;
    Ok(found)
}
