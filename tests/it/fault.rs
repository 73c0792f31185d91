//! Faults put into the tables of a live database, from a connection of the tests' own.

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};
use std::path::{Path, PathBuf};

/// When a write goes wrong, and how much of what was done before goes with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Before the row is written: SQLite takes the statement back.
    Before,
    /// After the row was written: the row stays until somebody rolls back.
    After,
    /// After the row was written, and SQLite itself takes the whole transaction back, as it does on
    /// a full disk.
    Whole,
    /// All is written, and the commit fails.
    Commit,
}

impl Fault {
    pub const ALL: [Fault; 4] = [Fault::Before, Fault::After, Fault::Whole, Fault::Commit];
}

/// A second connection to a database that a server serves.
pub struct Beside {
    connection: SqliteConnection,
    path: PathBuf,
}

impl Beside {
    pub async fn open(path: &Path) -> Beside {
        let options = SqliteConnectOptions::new().filename(path).foreign_keys(false);
        let mut beside =
            Beside { connection: options.connect().await.expect("database"), path: path.into() };
        // What is wrong with a row here is found by the commit.
        let table = "CREATE TABLE IF NOT EXISTS debt
            (owed BLOB REFERENCES account (key) DEFERRABLE INITIALLY DEFERRED)";
        beside.run(table).await;
        // A table that is renamed takes no references to it along.
        beside.run("PRAGMA legacy_alter_table = ON").await;
        beside
    }

    pub async fn run(&mut self, sql: &str) {
        let done = sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut self.connection).await;
        done.unwrap_or_else(|error| panic!("{sql}: {error}"));
    }

    /// From now on that write goes wrong, in such a table.
    pub async fn break_down(&mut self, fault: Fault, verb: &str, table: &str) {
        let (when, what) = match fault {
            Fault::Before => ("BEFORE", "SELECT RAISE(ABORT, 'a fault')"),
            Fault::After => ("AFTER", "SELECT RAISE(FAIL, 'a fault')"),
            Fault::Whole => ("AFTER", "SELECT RAISE(ROLLBACK, 'a fault')"),
            Fault::Commit => ("AFTER", "INSERT INTO debt VALUES (x'00')"),
        };
        self.run(&format!("CREATE TRIGGER fault {when} {verb} ON {table} BEGIN {what}; END")).await;
    }

    pub async fn heal(&mut self) {
        self.run("DROP TRIGGER fault").await;
    }

    /// Takes a table away, so that it cannot be read either; or puts it back.
    pub async fn hide(&mut self, table: &str) {
        self.run(&format!("ALTER TABLE {table} RENAME TO hidden")).await;
    }

    pub async fn put_back(&mut self, table: &str) {
        self.run(&format!("ALTER TABLE hidden RENAME TO {table}")).await;
    }

    /// All that is kept, but for when the server was last alive.
    pub fn all(&self) -> String {
        let output = std::process::Command::new("sqlite3").arg(&self.path).arg(".dump").output();
        let text = String::from_utf8(output.expect("sqlite3").stdout).expect("text");
        let lines = text.lines().filter(|line| !line.starts_with("INSERT INTO server "));
        lines.collect::<Vec<_>>().join("\n")
    }

    pub async fn close(self) {
        self.connection.close().await.expect("closed");
    }
}

/// Changes a database that nobody serves.
pub async fn sql(path: &Path, text: &str) {
    let options = SqliteConnectOptions::new().filename(path).foreign_keys(false);
    let mut alone = options.connect().await.expect("database");
    let done = sqlx::raw_sql(AssertSqlSafe(text)).execute(&mut alone).await;
    done.unwrap_or_else(|error| panic!("{text}: {error}"));
    alone.close().await.expect("closed");
}
