//! Databases of other versions of the program: earlier ones are updated by the server only, later
//! ones are refused and left as they are.

use super::{check, run_sql, sprong};
use crate::support::client::Player;
use crate::support::earlier_version::open_version;
use crate::support::process::Process;
use serde_json::json;
use sprong::store::Store;
use sqlx::Connection;
use std::process::Output;
use tempfile::TempDir;

/// Entry of a migration that this program does not know.
const LATER: &str = "INSERT INTO _sqlx_migrations (version, description, success, checksum, \
                     execution_time) VALUES (99, 'later', 1, x'00', 0)";

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
    let advice = "has schema 18, this program needs 46: start the server once to update it";
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
    run_sql(&database, LATER);
    run_sql(&database, "UPDATE compatibility SET compatible_from = 47");
    let advice = "has schema 99, this program knows 46: use a newer version of it";
    assert_refused(&sprong(&["--addr", "127.0.0.1:0"], &database, &[]), advice);
    assert_refused(&sprong(&["check"], &database, &[]), advice);
    assert_refused(&sprong(&["admin", "mute", "ann"], &database, &[]), advice);
    run_sql(&database, "DELETE FROM _sqlx_migrations WHERE version = 99");
    assert!(check(&database).0, "nothing was changed");
}

/// A later version that has only added what this one does not know: an update can be undone.
#[tokio::test]
async fn compatible_database_of_a_later_version_is_used() {
    let folder = TempDir::new().expect("folder");
    let database = folder.path().join("sprong.db");
    Store::open(&database).await.expect("created").close().await;
    run_sql(&database, LATER);
    run_sql(&database, "CREATE TABLE later (id INTEGER)");
    let mut server = Process::start(&database, &[]).await;
    let mut ann = Player::register(server.addr, "Ann").await;
    let mut bob = Player::register(server.addr, "Bob").await;
    let id = ann.start_game(&mut bob, "hogga", json!({ "days": 3 })).await;
    ann.play_first_legal(&id).await;
    assert!(server.terminate().success());
    assert!(check(&database).0);
    let copy = folder.path().join("copy.db");
    let paths = [&database, &copy].map(|path| path.to_str().expect("path"));
    let advice = "has schema 99, this program knows 46: use a newer version of it";
    assert_refused(&sprong(&["copy"], &database, &paths), advice);
}

/// The states of games in play move from the rows of the games to rows of their own.
#[tokio::test]
async fn states_of_version_22_become_rows() {
    let folder = TempDir::new().expect("folder");
    let path = folder.path().join("sprong.db");
    let mut old = open_version(&path, 22).await;
    let sql = "INSERT INTO account (key, id, name, guest, created_ms)
                   VALUES (x'0a', 'ann', 'Ann', 1, 0), (x'0b', 'bob', 'Bob', 1, 0);
               INSERT INTO game (key, id, variant, options, seed, rated, first, second,
                   first_rating, second_rating, first_provisional, second_provisional, created_ms,
                   status, initial_ms, to_move, last_ms, due_ms, board, awaits_engine, abandonable)
               SELECT unhex(column1), column1, 'hogga', '{}', 0, 0, x'0a', x'0b', 1500, 1500, 1, 1,
                   0, column2, column3, unhex(column4), column5, column6, column7, column8, column9
               FROM (VALUES ('01', 20, NULL, '0a', 7, 9, -3, 0, 1),
                            ('02', 20, NULL, '0b', 8, NULL, NULL, 1, 0),
                            ('03', 20, NULL, NULL, NULL, NULL, NULL, 0, 0),
                            ('04', 20, 1000, NULL, NULL, NULL, NULL, 0, 0),
                            ('05', 30, NULL, NULL, NULL, NULL, NULL, 0, 0))";
    sqlx::raw_sql(sql).execute(&mut old).await.expect("inserted");
    old.close().await.expect("closed");
    let mut new = open_version(&path, 23).await;
    type State = (String, String, i64, Option<i64>, Option<i64>, bool, bool);
    let sql = "SELECT hex(game_id), turn, last_ms, due_ms, board, awaits_engine, abandonable
               FROM turn_state ORDER BY game_id";
    let states: Vec<State> = sqlx::query_as(sql).fetch_all(&mut new).await.expect("states");
    let expected = [
        ("01".to_owned(), "first".to_owned(), 7, Some(9), Some(-3), false, true),
        ("02".to_owned(), "second".to_owned(), 8, None, None, true, false),
    ];
    assert_eq!(states, expected);
    let sql = "SELECT hex(game_id) FROM game_without_state";
    let without: Vec<String> = sqlx::query_scalar(sql).fetch_all(&mut new).await.expect("games");
    assert_eq!(without, ["03"]);
    let check = sqlx::query("PRAGMA foreign_key_check").fetch_all(&mut new).await.expect("check");
    assert!(check.is_empty(), "{} rows without what they refer to", check.len());
    new.close().await.expect("closed");
}

/// Tables that are created anew keep their rows, and the log continues its numbers.
#[tokio::test]
async fn settings_and_log_of_version_35_are_kept() {
    let folder = TempDir::new().expect("folder");
    let path = folder.path().join("sprong.db");
    let mut old = open_version(&path, 35).await;
    let sql = "INSERT INTO account (key, id, name, guest, created_ms)
                   VALUES (x'0a', 'ann', 'Ann', 1, 0), (x'0b', 'bob', 'Bob', 1, 0);
               INSERT INTO challenge_settings (account, audience, casual_only)
                   VALUES (x'0a', 'nearRating', 1), (x'0b', 'nobody', 0);
               INSERT INTO deed (seq, account, what, at_ms, report, moderator, reason, until_ms,
                   moderator_account)
                   VALUES (3, x'0a', 'mute', 5, NULL, 'root', 'Rude', 9, NULL),
                          (7, x'0b', 'resolve', 6, 2, 'Bob', '', NULL, x'0b')";
    sqlx::raw_sql(sql).execute(&mut old).await.expect("inserted");
    type Deed = (i64, String, String, i64, Option<i64>, String, String, Option<i64>, String);
    let deeds = "SELECT seq, hex(account), what, at_ms, report, moderator, reason, until_ms,
                     hex(moderator_account)
                 FROM deed ORDER BY seq";
    let before: Vec<Deed> = sqlx::query_as(deeds).fetch_all(&mut old).await.expect("log");
    assert_eq!(before.len(), 2);
    old.close().await.expect("closed");

    let mut new = open_version(&path, 38).await;
    let after: Vec<Deed> = sqlx::query_as(deeds).fetch_all(&mut new).await.expect("log");
    assert_eq!(after, before);
    let sql = "INSERT INTO deed (account, what, at_ms) VALUES (NULL, 'stop-guests', 0)
               RETURNING seq";
    let next: i64 = sqlx::query_scalar(sql).fetch_one(&mut new).await.expect("a number");
    assert_eq!(next, 8);
    let sql = "SELECT hex(account), audience, casual_only FROM challenge_settings ORDER BY account";
    let settings: Vec<(String, String, bool)> =
        sqlx::query_as(sql).fetch_all(&mut new).await.expect("settings");
    let expected = [("0A", "nearRating", true), ("0B", "nobody", false)];
    let text = |(account, audience, casual_only): (&str, &str, bool)| {
        (account.to_owned(), audience.to_owned(), casual_only)
    };
    assert_eq!(settings, expected.map(text));
    let sql = "UPDATE challenge_settings SET audience = 'followed'";
    sqlx::raw_sql(sql).execute(&mut new).await.expect("the new audience");
    let check = sqlx::query("PRAGMA foreign_key_check").fetch_all(&mut new).await.expect("check");
    assert!(check.is_empty(), "{} rows without what they refer to", check.len());
    new.close().await.expect("closed");
}
