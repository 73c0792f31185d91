//! Comparison of the schemas of both databases.

use super::{DATABASE, MIGRATIONS, migration_texts, start_with_schema};
use crate::support::postgres::Cluster;
use sprong::store::Store;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions, Connection};
use std::collections::BTreeSet;
use tempfile::TempDir;

/// Tables of SQLite only: the events of games in play, which are rows of `game_event` in
/// PostgreSQL, and the last of them whose state is stored; tables of the driver and of SQLite
/// itself.
const SQLITE_ONLY: [&str; 4] =
    ["game_journal", "stored_states", "_sqlx_migrations", "sqlite_sequence"];

const POSTGRES_ONLY: [&str; 3] = ["change", "channel", "game_event"];

/// Columns, keys and references of SQLite, each as one line.
const SQLITE_LINES: &str = "
    WITH tables AS (SELECT name FROM sqlite_master WHERE type = 'table'
                    AND instr($1, ',' || name || ',') = 0)
    SELECT 'column ' || tables.name || '.' || columns.name
        || iif(columns.\"notnull\" OR pk > 0, ' NOT NULL', '')
        || ifnull(' DEFAULT ' || dflt_value, '')
    FROM tables JOIN pragma_table_info(tables.name) AS columns
    UNION ALL
    SELECT 'primary key ' || tables.name || ' ('
        || (SELECT group_concat(name ORDER BY pk) FROM pragma_table_info(tables.name) WHERE pk > 0)
        || ')'
    FROM tables
    UNION ALL
    SELECT 'unique ' || tables.name || ' ('
        || (SELECT group_concat(name ORDER BY seqno) FROM pragma_index_info(list.name)) || ')'
    FROM tables JOIN pragma_index_list(tables.name) AS list WHERE origin = 'u'
    UNION ALL
    SELECT 'reference ' || tables.name || '.' || \"from\" || ' to ' || \"table\" || '.' || \"to\"
        || ' ' || on_delete
    FROM tables JOIN pragma_foreign_key_list(tables.name)
    UNION ALL
    SELECT 'index ' || sqlite_master.name FROM tables
    JOIN sqlite_master ON tbl_name = tables.name AND type = 'index' AND sql IS NOT NULL";

/// The same lines of PostgreSQL.
const POSTGRES_LINES: &str = "
    WITH tables AS (SELECT oid, relname AS name FROM pg_class WHERE relkind = 'r'
                    AND relnamespace = 'public'::regnamespace
                    AND strpos(',LEFT_OUT,', ',' || relname || ',') = 0),
        keys AS (SELECT pg_constraint.*, tables.name,
                     (SELECT string_agg(attname, ',' ORDER BY place)
                      FROM unnest(conkey) WITH ORDINALITY AS part (number, place)
                      JOIN pg_attribute ON attrelid = conrelid AND attnum = number) AS parts
                 FROM pg_constraint JOIN tables ON tables.oid = conrelid)
    SELECT 'column ' || tables.name || '.' || attname
        || CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END
        || coalesce(' DEFAULT ' || CASE pg_get_expr(adbin, adrelid)
                        WHEN 'false' THEN '0' WHEN '''''::text' THEN ''''''
                        ELSE pg_get_expr(adbin, adrelid) END, '')
    FROM tables JOIN pg_attribute ON attrelid = tables.oid AND attnum > 0
    LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    UNION ALL
    SELECT CASE contype WHEN 'p' THEN 'primary key ' ELSE 'unique ' END || name
        || ' (' || parts || ')'
    FROM keys WHERE contype IN ('p', 'u')
    UNION ALL
    SELECT 'reference ' || name || '.' || parts || ' to ' || confrelid::regclass || '.'
        || (SELECT attname FROM pg_attribute WHERE attrelid = confrelid AND attnum = confkey[1])
        || CASE confdeltype WHEN 'c' THEN ' CASCADE' WHEN 'a' THEN ' NO ACTION' ELSE ' other' END
    FROM keys WHERE contype = 'f'
    UNION ALL
    SELECT 'index ' || indexrelid::regclass FROM pg_index JOIN tables ON tables.oid = indrelid
    WHERE NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid
                      AND contype IN ('p', 'u'))";

/// Types of PostgreSQL for the values of a type of SQLite.
const TYPES: [(&str, &[&str]); 4] = [
    ("INTEGER", &["bigint", "integer", "boolean"]),
    ("REAL", &["double precision"]),
    ("TEXT", &["text"]),
    ("BLOB", &["uuid", "bytea"]),
];

/// Opens a database of SQLite that a store has created.
async fn open_sqlite(folder: &TempDir) -> SqliteConnection {
    let path = folder.path().join("sprong.db");
    Store::open(&path).await.expect("created").close().await;
    SqliteConnectOptions::new().filename(&path).connect().await.expect("database")
}

async fn sqlite_lines(sqlite: &mut SqliteConnection) -> BTreeSet<String> {
    let query = sqlx::query_scalar(SQLITE_LINES).bind(format!(",{},", SQLITE_ONLY.join(",")));
    let lines: Vec<String> = query.fetch_all(sqlite).await.expect("schema");
    lines.into_iter().collect()
}

fn postgres_lines(cluster: &Cluster) -> BTreeSet<String> {
    let sql = POSTGRES_LINES.replace("LEFT_OUT", &POSTGRES_ONLY.join(","));
    cluster.run(DATABASE, &sql).into_iter().collect()
}

#[tokio::test]
async fn columns_keys_and_references_are_those_of_sqlite() {
    let folder = TempDir::new().expect("folder");
    let mut sqlite = open_sqlite(&folder).await;
    let (lines, in_postgres) =
        (sqlite_lines(&mut sqlite).await, postgres_lines(&start_with_schema()));
    assert!(lines.len() > 280, "{} lines", lines.len());
    let different: Vec<_> = lines.symmetric_difference(&in_postgres).collect();
    assert!(different.is_empty(), "in one of both only: {different:#?}");
    sqlite.close().await.expect("closed");
}

/// A time or a seed has 64 bits.
#[tokio::test]
async fn types_hold_the_values_of_sqlite() {
    let folder = TempDir::new().expect("folder");
    let mut sqlite = open_sqlite(&folder).await;
    let sql = "SELECT tables.name || '.' || columns.name, columns.type FROM sqlite_master AS tables
               JOIN pragma_table_info(tables.name) AS columns
               WHERE tables.type = 'table' AND instr($1, ',' || tables.name || ',') = 0";
    let query = sqlx::query_as(sql).bind(format!(",{},", SQLITE_ONLY.join(",")));
    let columns: Vec<(String, String)> = query.fetch_all(&mut sqlite).await.expect("columns");
    let cluster = start_with_schema();
    let sql = "SELECT table_name || '.' || column_name || ' ' || data_type
               FROM information_schema.columns WHERE table_schema = 'public'";
    let in_postgres: BTreeSet<String> = cluster.run(DATABASE, sql).into_iter().collect();
    assert!(columns.len() > 150, "{} columns", columns.len());
    for (column, kind) in columns {
        let (_, allowed) = TYPES.iter().find(|(name, _)| *name == kind).expect("a known type");
        let is_long = column.ends_with("_ms") || column.ends_with(".seed");
        let allowed = if is_long { &["bigint"][..] } else { allowed };
        let fits = allowed.iter().any(|name| in_postgres.contains(&format!("{column} {name}")));
        assert!(fits, "{column} {kind}: none of {allowed:?}");
    }
    sqlite.close().await.expect("closed");
}

/// Indices have the same columns, orders and conditions, because they have the same statements.
#[tokio::test]
async fn indices_are_created_by_the_statements_of_sqlite() {
    let folder = TempDir::new().expect("folder");
    let mut sqlite = open_sqlite(&folder).await;
    let sql = "SELECT sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL";
    let statements: Vec<String> =
        sqlx::query_scalar(sql).fetch_all(&mut sqlite).await.expect("sql");
    let on_one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let migrations = on_one_line(&migration_texts().join("\n"));
    assert!(statements.len() > 30, "{} indices", statements.len());
    for statement in statements {
        let statement = format!("{};", on_one_line(&statement));
        assert!(migrations.contains(&statement), "not in {MIGRATIONS}: {statement}");
    }
    sqlite.close().await.expect("closed");
}

/// From the first migration of PostgreSQL on, both have the same.
#[test]
fn migrations_have_the_same_numbers() {
    let numbers = |folder: &str| -> BTreeSet<String> {
        let files = std::fs::read_dir(folder).expect("migrations").flatten();
        let name = |file: std::fs::DirEntry| file.file_name().into_string().expect("a name");
        files.map(|file| name(file).split('_').next().expect("a number").to_owned()).collect()
    };
    let (sqlite, postgres) = (numbers("migrations/sqlite"), numbers(MIGRATIONS));
    let first = postgres.first().expect("a migration");
    let later: BTreeSet<String> = sqlite.into_iter().filter(|number| number >= first).collect();
    assert_eq!(later, postgres);
}
