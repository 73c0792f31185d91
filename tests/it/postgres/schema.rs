//! Comparison of the schemas of both databases.

use super::{DATABASE, MIGRATIONS, start_with_schema};
use crate::support::postgres::Cluster;
use sprong::store::Store;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions, Row};
use std::collections::BTreeSet;
use tempfile::TempDir;

/// Tables of SQLite only: the events of games in play, which are rows of `game_event` in
/// PostgreSQL, and tables of the driver and of SQLite itself.
const SQLITE_ONLY: [&str; 3] = ["game_journal", "_sqlx_migrations", "sqlite_sequence"];

const POSTGRES_ONLY: [&str; 1] = ["game_event"];

/// Types of PostgreSQL for the values of a type of SQLite.
const TYPES: [(&str, &[&str]); 4] = [
    ("INTEGER", &["bigint", "integer", "boolean"]),
    ("REAL", &["double precision"]),
    ("TEXT", &["text"]),
    ("BLOB", &["uuid", "bytea"]),
];

/// Column of a table, as a line.
type Line = String;

/// Returns the columns of a database of SQLite with their types, and its indices.
async fn sqlite_schema(database: &mut SqliteConnection) -> (Vec<(Line, String)>, BTreeSet<Line>) {
    let sql = "SELECT tables.name || '.' || columns.name
                   || iif(columns.\"notnull\" OR pk > 0, ' NOT NULL', ''), columns.type
               FROM sqlite_master AS tables JOIN pragma_table_info(tables.name) AS columns
               WHERE tables.type = 'table' AND instr($1, ',' || tables.name || ',') = 0";
    let left_out = format!(",{},", SQLITE_ONLY.join(","));
    let columns = sqlx::query_as(sql).bind(left_out).fetch_all(&mut *database);
    let columns = columns.await.expect("columns");
    let sql = "SELECT list.name, tables.name AS of, list.\"unique\", partial, origin,
                   (SELECT group_concat(parts.name ORDER BY seqno)
                    FROM pragma_index_info(list.name) AS parts) AS parts
               FROM sqlite_master AS tables JOIN pragma_index_list(tables.name) AS list
               WHERE tables.type = 'table'";
    let rows = sqlx::query(sql).fetch_all(&mut *database).await.expect("indices");
    let mut indices = BTreeSet::new();
    for row in rows {
        let table: String = row.get("of");
        if SQLITE_ONLY.contains(&&*table) {
            continue;
        }
        let named = row.get::<String, _>("origin") == "c";
        let name = if named { row.get("name") } else { String::new() };
        indices.insert(format!(
            "{table} {name} ({}) unique {} partial {}",
            row.get::<String, _>("parts"),
            row.get::<bool, _>("unique"),
            row.get::<bool, _>("partial"),
        ));
    }
    (columns, indices)
}

/// Returns the same of a database of PostgreSQL.
fn postgres_schema(cluster: &Cluster) -> (Vec<(Line, String)>, BTreeSet<Line>) {
    let left_out = POSTGRES_ONLY.map(|table| format!("'{table}'")).join(",");
    let sql = format!(
        "SELECT table_name || '.' || column_name
             || CASE is_nullable WHEN 'NO' THEN ' NOT NULL' ELSE '' END, data_type
         FROM information_schema.columns
         WHERE table_schema = 'public' AND table_name NOT IN ({left_out})"
    );
    let split = |line: String| {
        let (column, kind) = line.split_once('|').expect("two columns");
        (column.to_owned(), kind.to_owned())
    };
    let columns = cluster.run(DATABASE, &sql).into_iter().map(split).collect();
    let sql = format!(
        "SELECT format('%s %s (%s) unique %s partial %s', tables.relname,
             CASE WHEN EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid
                               AND contype IN ('p', 'u')) THEN '' ELSE indices.relname END,
             (SELECT string_agg(attname, ',' ORDER BY place)
              FROM unnest(indkey) WITH ORDINALITY AS part (number, place)
              JOIN pg_attribute ON attrelid = indrelid AND attnum = number),
             CASE WHEN indisunique THEN 'true' ELSE 'false' END,
             CASE WHEN indpred IS NOT NULL THEN 'true' ELSE 'false' END)
         FROM pg_index JOIN pg_class tables ON tables.oid = indrelid
             JOIN pg_class indices ON indices.oid = indexrelid
         WHERE tables.relnamespace = 'public'::regnamespace AND tables.relname NOT IN ({left_out})"
    );
    (columns, cluster.run(DATABASE, &sql).into_iter().collect())
}

#[tokio::test]
async fn schema_is_that_of_sqlite() {
    let folder = TempDir::new().expect("folder");
    let path = folder.path().join("sprong.db");
    Store::open(&path).await.expect("created").close().await;
    let options = SqliteConnectOptions::new().filename(&path);
    let mut database = options.connect().await.expect("database");
    let cluster = start_with_schema();
    let (columns, indices) = sqlite_schema(&mut database).await;
    let (postgres_columns, postgres_indices) = postgres_schema(&cluster);
    let lines = |columns: &[(Line, String)]| -> BTreeSet<Line> {
        columns.iter().map(|(line, _)| line.clone()).collect()
    };
    assert!(columns.len() > 150, "{} columns", columns.len());
    assert_same(&lines(&columns), &lines(&postgres_columns));
    for (column, kind) in &columns {
        let (_, in_postgres) =
            postgres_columns.iter().find(|(other, _)| other == column).expect("the column");
        let (_, allowed) = TYPES.iter().find(|(name, _)| name == kind).expect("a known type");
        assert!(allowed.contains(&&**in_postgres), "{column}: {kind}, {in_postgres}");
    }
    // The table of a rowid has no index of its primary key.
    let without_rowid_keys = |indices: &BTreeSet<Line>, other: &BTreeSet<Line>| {
        let is_rowid = |line: &Line| line.contains("  (") && !other.contains(line);
        let kept = indices.iter().filter(|line| !is_rowid(line)).cloned();
        kept.collect::<BTreeSet<Line>>()
    };
    assert_same(&indices, &without_rowid_keys(&postgres_indices, &indices));
}

/// Fails with the lines that are in one of two sets only.
fn assert_same(sqlite: &BTreeSet<Line>, postgres: &BTreeSet<Line>) {
    let different: Vec<_> = sqlite.symmetric_difference(postgres).collect();
    assert!(different.is_empty(), "in one of both only: {different:#?}");
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
