//! Connections of the pools that read a file of SQLite. Callers: `sqlite` and `sql`.

use super::Connect;
use crate::background::set_thread_niceness;
use deadpool::managed::{Manager, Metrics, RecycleResult};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, SqliteConnection};
use std::time::Duration;

/// Nice value of the threads with a low priority.
const LIST_NICENESS: i32 = 10;

/// Opens the connections of a pool.
#[derive(Debug)]
pub(in crate::store) struct SqliteReaders {
    options: SqliteConnectOptions,
    /// Whether their threads have a low priority.
    has_low_priority: bool,
}

impl SqliteReaders {
    pub(in crate::store) fn new(options: SqliteConnectOptions) -> SqliteReaders {
        SqliteReaders { options, has_low_priority: false }
    }

    /// The threads of these connections have a low priority.
    pub(in crate::store) fn with_low_priority(options: SqliteConnectOptions) -> SqliteReaders {
        SqliteReaders { options, has_low_priority: true }
    }
}

impl Connect for SqliteReaders {
    /// A statement has no limit, and its thread answers once it is done.
    const ANSWER_TIMEOUT: Duration = Duration::MAX;
}

impl Manager for SqliteReaders {
    type Type = SqliteConnection;
    type Error = sqlx::Error;

    async fn create(&self) -> Result<SqliteConnection, sqlx::Error> {
        let mut connection = self.options.connect().await?;
        if self.has_low_priority {
            lower_priority(&mut connection).await?;
        }
        Ok(connection)
    }

    /// The file is local: a connection does not fail between two uses.
    async fn recycle(&self, _: &mut SqliteConnection, _: &Metrics) -> RecycleResult<sqlx::Error> {
        Ok(())
    }
}

/// Lowers the priority of the thread that runs the statements of a connection: SQLite calls a
/// progress handler on that thread.
async fn lower_priority(connection: &mut SqliteConnection) -> Result<(), sqlx::Error> {
    let handler = || {
        set_thread_niceness(LIST_NICENESS);
        true
    };
    connection.lock_handle().await?.set_progress_handler(1, handler);
    sqlx::query("SELECT 1").execute(&mut *connection).await?;
    connection.lock_handle().await?.remove_progress_handler();
    Ok(())
}
