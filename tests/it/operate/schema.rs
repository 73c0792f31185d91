//! Databases of other versions of the program: earlier ones are updated by the server only, later
//! ones are refused and left as they are.

use super::{check, run_sql, sprong};
use crate::support::earlier_version::open_version;
use sprong::store::Store;
use sqlx::Connection;
use std::process::Output;
use tempfile::TempDir;

fn assert_refused(output: &Output, sentence: &str) {
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains(sentence), "{text}");
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(!text.contains("panicked"), "{text}");
}

#[tokio::test]
async fn database_of_an_earlier_version_is_updated_by_the_server_only() {
    let folder = TempDir::new().expect("folder");
    let database = folder.path().join("sprong.db");
    open_version(&database, 18).await.close().await.expect("closed");
    let advice = "has schema 18, this program needs 23: start the server once to update it";
    assert_refused(&sprong(&["check"], &database, &[]), advice);
    assert_refused(&sprong(&["admin", "mute", "ann"], &database, &[]), advice);
    let copy = folder.path().join("copy.db");
    let backup = sprong(&["backup"], &database, &[copy.to_str().expect("path")]);
    assert!(backup.status.success(), "a backup before the update is possible");
    Store::open(&database).await.expect("updated").close().await;
    assert!(check(&database).0);
}

#[tokio::test]
async fn database_of_a_later_version_is_refused() {
    let folder = TempDir::new().expect("folder");
    let database = folder.path().join("sprong.db");
    Store::open(&database).await.expect("created").close().await;
    let later = "INSERT INTO _sqlx_migrations (version, description, success, checksum, \
                 execution_time) VALUES (99, 'later', 1, x'00', 0)";
    run_sql(&database, later);
    let advice = "has schema 99, this program knows 23: use a newer version of it";
    assert_refused(&sprong(&["--addr", "127.0.0.1:0"], &database, &[]), advice);
    assert_refused(&sprong(&["check"], &database, &[]), advice);
    assert_refused(&sprong(&["admin", "mute", "ann"], &database, &[]), advice);
    run_sql(&database, "DELETE FROM _sqlx_migrations WHERE version = 99");
    assert!(check(&database).0, "nothing was changed");
}
