//! Rows of a server on SQLite, and what statements do with them, in both databases.

use super::{DATABASE, start_with_schema};
use crate::bots::start_bot_game;
use crate::support::client::Server;
use crate::support::fault_injection::run_sql;
use crate::support::postgres::Cluster;
use serde_json::json;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, ConnectOptions};
use std::path::Path;

/// Queries with a text as their result, for the functions that the statements use.
const QUERIES: [&str; 6] = [
    "SELECT string_agg(plays ->> '$[0].variant', ',' ORDER BY id) FROM challenge",
    "SELECT string_agg(value ->> 1, ',') FROM json_each('[[\"a\", 1], [\"b\", 2]]')",
    "SELECT string_agg(value, ',') FROM json_each('[\"a\", 1]')",
    "SELECT CAST(instr('a,b', ',b') AS TEXT)",
    "SELECT string_agg(id, ',' ORDER BY id) FROM account WHERE key IN
         (SELECT unhex(value) FROM json_each('[\"00000000000000000000000000000a0a\"]'))",
    "SELECT string_agg(name, ',' ORDER BY name) FROM account WHERE NOT guest",
];

/// Queries of what a challenge leaves when it ends.
const AFTER_THE_END: [&str; 3] = [
    "SELECT CAST(count(network) AS TEXT) FROM challenge",
    "SELECT CAST(count(network) AS TEXT) FROM casual_request",
    "SELECT CAST(count(*) AS TEXT) FROM ready_check",
];

/// Plays games of each kind on a server, and leaves challenges open.
async fn fill() -> Server {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut guest = server.guest().await;
    let over = ann.start_game(&mut bob, "caterpillarWar", json!({ "rated": true })).await;
    let daily = ann.start_game(&mut bob, "hogga", json!({ "days": 1 })).await;
    for id in [&over, &daily] {
        ann.play_first_legal(id).await;
        bob.play_first_legal(id).await;
    }
    assert_eq!(ann.post(&format!("/api/board/game/{over}/resign"), json!({})).await.0, 200);
    start_bot_game(&mut guest, 1, "wieNietWegIs", json!({})).await;
    ann.start_game(&mut bob, "knightFight", json!({ "clock.limit": 600 })).await;
    ann.challenge(json!({ "variant": "kopfOderKnopf" })).await;
    let cat = server.player("Cat").await;
    assert_eq!(ann.post(&format!("/api/rel/follow/{}", cat.id), json!({})).await.0, 200);
    let note = json!({ "text": "Watch h5" });
    assert_eq!(ann.post(&format!("/api/game/{over}/note"), note).await.0, 200);
    let followed = json!({ "audience": "followed" });
    assert_eq!(ann.post("/api/account/challenges", followed).await.0, 200);
    assert_eq!(ann.post("/api/rel/block/bob", json!({})).await.0, 200);
    ann.api_client("challenge:write").await;
    server
}

#[tokio::test]
async fn rows_of_a_server_fit() {
    let folder = fill().await.stop().await;
    let path = folder.path().join("sprong.db");
    let ending = "INSERT INTO account (key, id, name, guest, created_ms)
             VALUES (x'00000000000000000000000000000a0a', 'key', 'Key', 1, 0);
         UPDATE challenge SET network = '127.0.0.1' WHERE status = 10;
         INSERT INTO casual_request (challenge, account, variant, pace, network, created_ms)
             SELECT id, maker, 'hogga', '', '127.0.0.1', 0 FROM challenge WHERE status = 10;
         INSERT INTO ready_check
                 (challenge, number, waiting_player, acceptor, of_search, ready_by_ms)
             SELECT id, key, maker, maker, 0, 0 FROM challenge WHERE status = 10";
    run_sql(&path, ending).await;
    let cluster = start_with_schema();
    let mut sqlite = open(&path).await;
    let copied = copy_rows(&mut sqlite, &cluster).await;
    assert!(copied > 12, "rows in {copied} tables");
    for sql in QUERIES {
        let text = value(&mut sqlite, sql).await;
        assert!(text.is_some(), "no result: {sql}");
        assert_eq!(cluster.run(DATABASE, sql).first(), text.as_ref(), "{sql}");
    }
    let end = "UPDATE challenge SET status = 30 WHERE status = 10";
    for expected in ["1", "0"] {
        for sql in AFTER_THE_END {
            assert_eq!(value(&mut sqlite, sql).await.as_deref(), Some(expected), "SQLite: {sql}");
            assert_eq!(cluster.run(DATABASE, sql), [expected], "PostgreSQL: {sql}");
        }
        sqlx::query(end).execute(&mut sqlite).await.expect("ended");
        cluster.run(DATABASE, end);
    }
}

async fn open(path: &Path) -> SqliteConnection {
    SqliteConnectOptions::new().filename(path).connect().await.expect("database")
}

async fn value(sqlite: &mut SqliteConnection, sql: &'static str) -> Option<String> {
    sqlx::query_scalar(sql).fetch_one(sqlite).await.expect("a row")
}

/// Copies the rows of all tables, and returns the number of tables that have any.
async fn copy_rows(sqlite: &mut SqliteConnection, cluster: &Cluster) -> usize {
    // Tables in the order of their creation, so that references exist.
    let tables = cluster.run(
        DATABASE,
        "SELECT relname, string_agg(attname || ':' || format_type(atttypid, NULL), ',')
         FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0
         WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
         GROUP BY pg_class.oid, relname ORDER BY pg_class.oid",
    );
    let mut copied = 0;
    for line in tables {
        let (table, columns) = line.split_once('|').expect("two columns");
        let columns: Vec<(&str, &str)> =
            columns.split(',').map(|column| column.split_once(':').expect("a type")).collect();
        let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
        let literals: Vec<String> =
            columns.iter().map(|(name, kind)| literal_of(name, kind)).collect();
        if ["change", "channel", "compatibility", "fair_play_report"].contains(&table) {
            continue;
        }
        let source = if table == "game_event" { "game_journal" } else { table };
        let sql = format!("SELECT {} FROM {source}", literals.join(" || ',' || "));
        let rows: Vec<String> =
            sqlx::query_scalar(AssertSqlSafe(sql)).fetch_all(&mut *sqlite).await.expect("rows");
        for row in &rows {
            let names = names.join(",");
            cluster.run(DATABASE, &format!("INSERT INTO {table} ({names}) VALUES ({row})"));
        }
        assert_eq!(
            cluster.run(DATABASE, &format!("SELECT count(*) FROM {table}")),
            [rows.len().to_string()]
        );
        copied += usize::from(!rows.is_empty());
    }
    copied
}

/// Returns the expression of SQLite for a value of a column as a literal of PostgreSQL.
fn literal_of(column: &str, kind: &str) -> String {
    let literal = match kind {
        "uuid" => format!("'''' || hex({column}) || ''''"),
        "bytea" => format!("'''\\x' || hex({column}) || ''''"),
        "boolean" => format!("iif({column}, 'TRUE', 'FALSE')"),
        _ => format!("quote({column})"),
    };
    format!("iif({column} IS NULL, 'NULL', {literal})")
}
