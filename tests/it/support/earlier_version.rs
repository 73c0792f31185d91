//! Databases with the schema of an earlier version of the program.

use sqlx::ConnectOptions;
use sqlx::migrate::Migrator;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use std::path::Path;

/// Opens a database, creates it if missing, and migrates it to a version of the schema.
pub async fn open_version(path: &Path, version: i64) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(path).create_if_missing(true);
    let mut database = options.connect().await.expect("database");
    let all = sqlx::migrate!("./migrations/sqlite");
    let until = all.iter().filter(|migration| migration.version <= version).cloned().collect();
    Migrator::with_migrations(until).run(&mut database).await.expect("migrations");
    database
}
