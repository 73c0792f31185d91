//! All statements of the store, on PostgreSQL.

use super::{DATABASE, start_with_schema};
use std::collections::BTreeSet;

/// Fewest statements that are expected: the tests of `it` execute more.
const STATEMENTS_MIN: usize = 150;

/// Table of SQLite only, of which each statement has another form in PostgreSQL.
const SQLITE_TABLE: &str = "game_journal";

/// `tests/run` names the file, to which debug builds of the server write their statements.
#[test]
#[ignore = "needs the statements of all other tests"]
fn statements_are_accepted() {
    let file = std::env::var("SPRONG_STATEMENTS").expect("SPRONG_STATEMENTS names a file");
    let text = std::fs::read_to_string(&file).expect("statements");
    let read = |line| serde_json::from_str::<String>(line).expect("a JSON text");
    let is_common = |sql: &String| !sql.contains(SQLITE_TABLE);
    let statements: BTreeSet<String> = text.lines().map(read).filter(is_common).collect();
    assert!(statements.len() >= STATEMENTS_MIN, "{} statements in {file}", statements.len());
    let cluster = start_with_schema();
    let failures: Vec<String> = statements
        .iter()
        .map(|sql| cluster.errors(DATABASE, &prepare(sql)))
        .zip(&statements)
        .filter(|(errors, _)| !errors.is_empty())
        .map(|(errors, sql)| format!("{errors}{sql}\n"))
        .collect();
    assert!(failures.is_empty(), "{} failed:\n{}", failures.len(), failures.join("\n"));
}

/// Returns the statement that prepares a statement. A parameter that it leaves out, as other forms
/// of the statement have it, gets a type; the types of the others follow from their places.
fn prepare(sql: &str) -> String {
    let numbers: BTreeSet<usize> = sql
        .split('$')
        .skip(1)
        .filter_map(|part| {
            part[..part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len())].parse().ok()
        })
        .collect();
    let kind = |number| if numbers.contains(&number) { "unknown" } else { "text" };
    let kinds: Vec<&str> = (1..=numbers.last().copied().unwrap_or(0)).map(kind).collect();
    let kinds = if kinds.is_empty() { String::new() } else { format!("({})", kinds.join(",")) };
    format!("PREPARE part {kinds} AS {sql}")
}
