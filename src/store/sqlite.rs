//! SQLite: opens the connections to a database file, and migrates it.
//!
//! Beside `sql`, `reader_pool` and `plan_check`, only this file names types of the driver. Callers:
//! `Store`, `writer`, and the subcommands `check` and `backup`.

use super::StoreError;
use super::reader_pool::ReaderPool;
use super::reader_pool::sqlite::SqliteReaders;
use super::schema::{COMPATIBLE_FROM, SchemaUse, check_version_of_schema, known_version};
use super::sql::{Conn, Readers};
use crate::wait::for_database;
use sqlx::migrate::Migrator;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection, SqliteConnection};
use std::path::Path;
use std::time::Duration;

/// Minimum version of SQLite: earlier ones can corrupt a database in WAL mode.
pub(super) const SQLITE_MIN: [u32; 3] = [3, 51, 3];

/// Versions of the schema, with the statements that lead to each.
static MIGRATOR: Migrator = sqlx::migrate!("./migrations/sqlite");

/// Connections of the read pool.
const READERS: usize = 4;

/// Connections of the pool for lists that may read many rows.
const LIST_READERS: usize = 2;

/// Time limit of the wait for a connection of a pool.
const READER_TIMEOUT: Duration = Duration::from_secs(30);

/// Memory for pages of a reading connection, in KiB. The operating system keeps more pages, for all
/// of them.
const READER_CACHE_KIB: u32 = 512;

pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Open database.
pub(super) struct Database {
    pub(super) readers: Readers,
    pub(super) list_readers: Readers,
    /// Connection of the writer.
    pub(super) connection: Conn,
    pub(super) connector: Connector,
}

/// Opens further connections of the writer.
#[derive(Debug)]
pub(super) struct Connector(SqliteConnectOptions);

impl Connector {
    pub(super) async fn connect(&self) -> Result<Conn, StoreError> {
        let mut new = Conn::from(self.0.connect().await?);
        // SQLite silently opens a read-only file and reports it at the first write, and the
        // connection stays read-only. This write without effect detects it.
        new.query("UPDATE node SET key = key WHERE FALSE").execute().await?;
        Ok(new)
    }
}

/// Opens a database file, creates it if missing, and applies migrations if `update` is set.
pub(super) async fn open(path: &Path, update: bool) -> Result<Database, StoreError> {
    let options = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(BUSY_TIMEOUT);
    // A statement of several rows that may fail keeps a journal of its own, which SQLite would
    // write to a temporary file. Deleted data, such as names and chat lines, are overwritten.
    let writer_options =
        options.clone().pragma("temp_store", "memory").pragma("secure_delete", "on");
    let connection = for_database(connect(&writer_options, update)).await?;
    let read_only = options
        .create_if_missing(false)
        .read_only(true)
        .pragma("cache_size", format!("-{READER_CACHE_KIB}"));
    let readers = SqliteReaders::new(read_only.clone());
    let readers = ReaderPool::new(readers, READERS, READER_TIMEOUT);
    // A file that cannot be read is reported at the start.
    drop(for_database(readers.get()).await?);
    let list_readers =
        SqliteReaders::with_low_priority(read_only.thread_name(|_| "list-reader".to_owned()));
    let list_readers = ReaderPool::new(list_readers, LIST_READERS, READER_TIMEOUT);
    Ok(Database {
        readers: Readers::Sqlite(readers),
        list_readers: Readers::Sqlite(list_readers),
        connection: connection.into(),
        connector: Connector(writer_options.create_if_missing(false)),
    })
}

/// Opens the writer's connection, and applies migrations if `update` is set.
async fn connect(
    options: &SqliteConnectOptions,
    update: bool,
) -> Result<SqliteConnection, StoreError> {
    let mut connection = options.connect().await?;
    check_version(&mut connection).await?;
    let purpose = if update { SchemaUse::Serve } else { SchemaUse::Share };
    let found = check_schema(&mut connection, purpose).await?;
    if update && found <= known_version(&MIGRATOR) {
        MIGRATOR.run(&mut connection).await?;
    }
    Ok(connection)
}

/// Opens a read-only connection to a database with a schema that this program can use, which a
/// server may have open.
pub(super) async fn read_only_current(path: &Path, purpose: SchemaUse) -> Result<Conn, StoreError> {
    let mut connection = connect_read_only(path).await?;
    check_schema(&mut connection, purpose).await?;
    Ok(connection.into())
}

/// Opens a read-only connection to a database that a server may have open.
pub(super) async fn read_only(path: &Path) -> Result<Conn, StoreError> {
    Ok(connect_read_only(path).await?.into())
}

async fn connect_read_only(path: &Path) -> Result<SqliteConnection, StoreError> {
    check_exists(path)?;
    let options = SqliteConnectOptions::new().filename(path).read_only(true);
    let mut connection = options.busy_timeout(BUSY_TIMEOUT).connect().await?;
    check_version(&mut connection).await?;
    Ok(connection)
}

pub(super) fn check_exists(path: &Path) -> Result<(), StoreError> {
    if path.exists() {
        return Ok(());
    }
    let path = path.to_string_lossy().into_owned();
    Err(StoreError::Lock(path, "there is no such database".to_owned()))
}

/// Checks that this program can use the schema, and returns its version.
async fn check_schema(
    connection: &mut SqliteConnection,
    purpose: SchemaUse,
) -> Result<i64, StoreError> {
    let sql = "SELECT count(*) FROM sqlite_master WHERE name = '_sqlx_migrations'";
    let tables: i64 = sqlx::query_scalar(sql).fetch_one(&mut *connection).await?;
    let found = match tables {
        0 => 0,
        _ => {
            let sql = "SELECT coalesce(max(version), 0) FROM _sqlx_migrations";
            sqlx::query_scalar(sql).fetch_one(&mut *connection).await?
        }
    };
    let is_later = found > known_version(&MIGRATOR);
    let sql = if is_later { COMPATIBLE_FROM } else { "SELECT NULL" };
    let compatible_from = sqlx::query_scalar(sql).fetch_one(&mut *connection).await?;
    check_version_of_schema(&MIGRATOR, found, compatible_from, purpose)?;
    Ok(found)
}

async fn check_version(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let version: String =
        sqlx::query_scalar("SELECT sqlite_version()").fetch_one(&mut *connection).await?;
    let numbers: Vec<u32> = version.split('.').flat_map(str::parse).collect();
    if numbers[..] < SQLITE_MIN[..] {
        return Err(StoreError::Version(version));
    }
    connection.ping().await?;
    Ok(())
}
