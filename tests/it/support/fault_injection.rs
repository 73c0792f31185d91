//! Fault injection into the tables of a database, through a second connection.

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};
use std::path::{Path, PathBuf};

/// Point at which a write fails, and extent of the rollback.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Before the row is written: SQLite rolls the statement back.
    Before,
    /// After the row is written: the row stays until an explicit rollback.
    After,
    /// After the row is written: SQLite rolls the whole transaction back, as it does on a full
    /// disk.
    Rollback,
    /// Commit: all writes succeed, and the commit fails.
    Commit,
}

impl Fault {
    pub const ALL: [Fault; 4] = [Fault::Before, Fault::After, Fault::Rollback, Fault::Commit];
}

/// Second connection to the database of a running server.
pub struct FaultInjector {
    connection: SqliteConnection,
    path: PathBuf,
}

impl FaultInjector {
    pub async fn open(path: &Path) -> FaultInjector {
        let options = SqliteConnectOptions::new().filename(path).foreign_keys(false);
        let mut injector = FaultInjector {
            connection: options.connect().await.expect("database"),
            path: path.into(),
        };
        // The commit checks the foreign key of a row in this table, and fails.
        let table = "CREATE TABLE IF NOT EXISTS debt
            (owed BLOB REFERENCES account (key) DEFERRABLE INITIALLY DEFERRED)";
        injector.run(table).await;
        // Without this setting, references follow a renamed table.
        injector.run("PRAGMA legacy_alter_table = ON").await;
        injector
    }

    pub async fn run(&mut self, sql: &str) {
        let done = sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut self.connection).await;
        done.unwrap_or_else(|error| panic!("{sql}: {error}"));
    }

    /// Makes every write `verb` (`INSERT`, `UPDATE`, `DELETE`) to `table` fail until
    /// [`FaultInjector::clear`].
    pub async fn inject(&mut self, fault: Fault, verb: &str, table: &str) {
        let (when, what) = match fault {
            Fault::Before => ("BEFORE", "SELECT RAISE(ABORT, 'a fault')"),
            Fault::After => ("AFTER", "SELECT RAISE(FAIL, 'a fault')"),
            Fault::Rollback => ("AFTER", "SELECT RAISE(ROLLBACK, 'a fault')"),
            Fault::Commit => ("AFTER", "INSERT INTO debt VALUES (x'00')"),
        };
        self.run(&format!("CREATE TRIGGER fault {when} {verb} ON {table} BEGIN {what}; END")).await;
    }

    pub async fn clear(&mut self) {
        self.run("DROP TRIGGER fault").await;
    }

    /// Renames a table, so that it can be neither read nor written until
    /// [`FaultInjector::restore_table`].
    pub async fn hide_table(&mut self, table: &str) {
        self.run(&format!("ALTER TABLE {table} RENAME TO hidden")).await;
    }

    pub async fn restore_table(&mut self, table: &str) {
        self.run(&format!("ALTER TABLE hidden RENAME TO {table}")).await;
    }

    /// Dumps the database as SQL, without the heartbeat of the server.
    pub fn dump(&self) -> String {
        let output = std::process::Command::new("sqlite3").arg(&self.path).arg(".dump").output();
        let text = String::from_utf8(output.expect("sqlite3").stdout).expect("text");
        let lines = text.lines().filter(|line| !line.starts_with("INSERT INTO node "));
        lines.collect::<Vec<_>>().join("\n")
    }

    pub async fn close(self) {
        self.connection.close().await.expect("closed");
    }
}

/// Runs SQL on a database without a running server.
pub async fn run_sql(path: &Path, text: &str) {
    let options = SqliteConnectOptions::new().filename(path).foreign_keys(false);
    let mut alone = options.connect().await.expect("database");
    let done = sqlx::raw_sql(AssertSqlSafe(text)).execute(&mut alone).await;
    done.unwrap_or_else(|error| panic!("{text}: {error}"));
    alone.close().await.expect("closed");
}
