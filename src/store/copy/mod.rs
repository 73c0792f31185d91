//! Copy of all data from one database to another one, of either kind.
//!
//! Both are read in the order of keys, and rows that differ are written: a copy that is repeated
//! transfers what has changed since. The source is read in one snapshot, also while servers use it;
//! no server may have used the target. Events of games in play, which the databases store in
//! different tables, are replaced as a whole. Callers: the subcommands `copy` and `backup`.

mod events;
mod rows;
mod table;

use super::lock::Lock;
use super::schema::SchemaUse;
use super::sql::Conn;
use super::{DatabaseAddress, Store, StoreError, postgres, sqlite};
use std::fmt;
use table::{Table, load_tables};
use uuid::Uuid;

/// Result of a copy.
#[derive(Clone, Copy, Debug, Default)]
pub struct CopyReport {
    pub tables: u64,
    /// Number of rows in both databases.
    pub rows: u64,
    /// Number of rows that were written or removed.
    pub changed: u64,
}

#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// The source cannot be read.
    #[error("{}", .1.with_database(.0))]
    Source(String, #[source] StoreError),
    /// The target cannot be read or written.
    #[error("{}", .1.with_database(.0))]
    Target(String, #[source] StoreError),
    /// A row of the source cannot be read.
    #[error("the first database: {0}")]
    Read(#[source] StoreError),
    /// A row of the target cannot be read or written.
    #[error("the second database: {0}")]
    Write(#[source] StoreError),
    /// The target has data that are not from a copy.
    #[error("{0}: a server has used this database: copy to an empty one")]
    Used(String),
    /// A backup is to be written to a URL.
    #[error("a backup is a file: use sprong copy for another database")]
    NoFile,
    /// The source and the target are the same.
    #[error("a database cannot be copied to itself")]
    Same,
    /// A table differs after the copy.
    #[error("the table {0} differs after the copy")]
    Differs(String),
}

/// Key of the row of a copy in the table of nodes; it runs once the copy is complete.
const COPY_NODE: Uuid = Uuid::from_u128(0x636f_7079);

/// Copies all data. Calls `on_table` after each table with its name and number of rows.
///
/// # Errors
/// A database cannot be opened, a server has used the target, or a read or write fails. What was
/// written before remains; a repeated copy completes it.
pub async fn copy(
    source: &DatabaseAddress,
    target: &DatabaseAddress,
    mut on_table: impl FnMut(&str, u64),
) -> Result<CopyReport, CopyError> {
    let (from, to) = (source.to_string(), target.to_string());
    if from == to {
        return Err(CopyError::Same);
    }
    let source_error = |error| CopyError::Source(from.clone(), error);
    let target_error = |error| CopyError::Target(to.clone(), error);
    let mut reader = open_source(source).await.map_err(source_error)?;
    let (mut writer, _lock) = open_target(target).await.map_err(target_error)?;
    if was_used(&mut writer).await.map_err(target_error)? {
        return Err(CopyError::Used(to));
    }
    begin_copy(&mut writer).await.map_err(target_error)?;
    let tables = load_tables(&mut reader, &mut writer).await.map_err(source_error)?;
    let mut report = CopyReport { tables: tables.len() as u64, ..CopyReport::default() };
    // References must exist before the rows that have them.
    for table in tables.iter().rev() {
        report.changed += rows::remove_others(table, &mut reader, &mut writer).await?;
    }
    for table in &tables {
        report.changed += rows::write_missing(table, &mut reader, &mut writer).await?;
        let counted = compare(table, &mut reader, &mut writer).await?;
        report.rows += counted;
        on_table(&table.name, counted);
    }
    report.changed += events::replace(&mut reader, &mut writer).await?;
    end_copy(&mut reader, &mut writer).await?;
    reader.close().await.map_err(|error| CopyError::Source(from, error.into()))?;
    writer.close().await.map_err(|error| CopyError::Target(to, error.into()))?;
    Ok(report)
}

/// Compares the number of rows and a checksum of a table on both sides. Returns the number.
async fn compare(table: &Table, reader: &mut Conn, writer: &mut Conn) -> Result<u64, CopyError> {
    let read = rows::digest(table, reader, CopyError::Read).await?;
    let written = rows::digest(table, writer, CopyError::Write).await?;
    if read == written { Ok(read.0) } else { Err(CopyError::Differs(table.name.clone())) }
}

async fn open_source(address: &DatabaseAddress) -> Result<Conn, StoreError> {
    let mut connection = match address {
        DatabaseAddress::File(path) => sqlite::read_only_current(path, SchemaUse::Copy).await?,
        DatabaseAddress::Postgres(options) => {
            postgres::read_only_current(options, SchemaUse::Copy).await?
        }
    };
    connection.begin_snapshot().await?;
    Ok(connection)
}

/// Opens a database that no server uses, and creates its tables.
async fn open_target(address: &DatabaseAddress) -> Result<(Conn, Option<Lock>), StoreError> {
    match address {
        DatabaseAddress::File(path) => {
            let lock = Lock::take(path).await?;
            let database = sqlite::open(path, true).await?;
            database.readers.close().await;
            database.list_readers.close().await;
            Ok((database.connection, Some(lock)))
        }
        DatabaseAddress::Postgres(options) => {
            let database = postgres::open(options, true).await?;
            let mut connection = Conn::to_primary(database.first);
            for sql in ["SET statement_timeout = 0", "SET idle_in_transaction_session_timeout = 0"]
            {
                connection.query(sql).execute().await?;
            }
            Ok((connection, None))
        }
    }
}

/// Returns whether the target has been used by a server, or has players without being a copy.
async fn was_used(target: &mut Conn) -> Result<bool, StoreError> {
    let sql = "SELECT 1 FROM node WHERE key <> $1";
    if target.query(sql).bind(COPY_NODE).exists().await? {
        return Ok(true);
    }
    let sql = "SELECT 1 FROM node WHERE key = $1";
    let is_copy = target.query(sql).bind(COPY_NODE).exists().await?;
    let sql = "SELECT 1 FROM account WHERE level IS NULL AND key >= $1 LIMIT 1";
    Ok(!is_copy && target.query(sql).bind(Uuid::nil()).exists().await?)
}

/// Marks the target as an incomplete copy, which no server opens.
async fn begin_copy(target: &mut Conn) -> Result<(), StoreError> {
    let sql = "INSERT INTO node (key, running, alive_ms, name, ended)
               VALUES ($1, FALSE, 0, 'copy', TRUE)
               ON CONFLICT (key) DO UPDATE SET running = FALSE";
    target.query(sql).bind(COPY_NODE).execute().await?;
    Ok(())
}

/// Marks the target as complete, with the time of the last heartbeat: the time until the first
/// start does not count for any clock.
async fn end_copy(source: &mut Conn, target: &mut Conn) -> Result<(), CopyError> {
    let sql = "SELECT coalesce(max(alive_ms), 0) FROM node WHERE running";
    let read: Result<i64, sqlx::Error> = source.query(sql).value().await;
    let alive_ms = read.map_err(|error| CopyError::Read(error.into()))?;
    let sql = "UPDATE node SET running = TRUE, alive_ms = $2 WHERE key = $1";
    let written = target.query(sql).bind(COPY_NODE).bind(alive_ms).execute().await;
    written.map_err(|error| CopyError::Write(error.into()))?;
    Ok(())
}

impl Store {
    /// Checks that the database is no incomplete copy.
    pub(super) async fn check_copy(&self) -> Result<(), StoreError> {
        let sql = "SELECT 1 FROM node WHERE key = $1 AND NOT running";
        if self.readers.query(sql).bind(COPY_NODE).exists().await? {
            return Err(StoreError::IncompleteCopy);
        }
        Ok(())
    }
}

impl fmt::Display for CopyReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CopyReport { tables, rows, changed } = self;
        write!(f, "{tables} tables with {rows} rows are equal; {changed} rows were changed")
    }
}
