//! Check of the query plans of all statements, in debug builds.
//!
//! Before the first execution of a statement on a thread, its plan must contain no scan of a table,
//! unless that is known to be short, so that all tests together check every statement that
//! they execute. Plans do not depend on the number of rows: the database has no statistics. The
//! streams of `check`, which read all ratings, are left out. Caller: `sql`.

use super::statement_file::is_data_statement;
use sqlx::{AssertSqlSafe, Executor, Row, Sqlite};
use std::cell::RefCell;
use std::collections::HashSet;

/// Tables with few rows: one row each, rows of the last minutes or of connections, long outages,
/// conditional moves, or games with old states, which a start removes when it has read their logs.
const SMALL: [&str; 11] = [
    "anonymous_presence",
    "conditional_moves",
    "erasure",
    "game_journal",
    "game_without_state",
    "node",
    "outage",
    "presence",
    "push_key",
    "ready_check",
    "stored_states",
];

/// Indices of the few rows that satisfy a condition. Scans of them are short. Games in progress are
/// many.
const PARTIAL: [&str; 8] = [
    "account_bot",
    "account_closed",
    "account_level",
    "account_without_skeleton",
    "challenge_expiry",
    "challenge_open",
    "challenge_public",
    "report_open",
];

/// Steps that read a limited result. Subqueries are called `part`.
const BOUNDED: [&str; 4] = ["SCAN (subquery", "SCAN part", "SCAN CONSTANT ROW", "SCAN json_each"];

/// Statements that read a whole table on purpose: the progress of `check`.
const WHOLE: [&str; 1] = ["SELECT count(*) FROM game"];

thread_local! {
    static CHECKED: RefCell<HashSet<String>> = RefCell::default();
}

/// Checks the plan of a statement, unless that happened before.
pub(super) async fn check(
    connection: impl Executor<'_, Database = Sqlite>,
    sql: &str,
) -> Result<(), sqlx::Error> {
    // The plan of an insertion of values names the tables that refer to it, which are read only
    // while a reference is missing.
    let has_plan = is_data_statement(sql)
        && (!sql.trim_start().starts_with("INSERT") || sql.contains("SELECT"));
    if !has_plan
        || WHOLE.contains(&sql)
        || !CHECKED.with_borrow_mut(|checked| checked.insert(sql.to_owned()))
    {
        return Ok(());
    }
    let query = sqlx::query(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {sql}")));
    for row in query.fetch_all(connection).await? {
        let step: String = row.get("detail");
        assert!(!is_full_scan(&step), "the plan contains {step:?}: {sql}");
    }
    Ok(())
}

/// Returns whether a step of a plan reads a whole table that may be large.
fn is_full_scan(step: &str) -> bool {
    let Some(scan) = step.strip_prefix("SCAN ") else { return false };
    let words: Vec<&str> = scan.split(' ').collect();
    let index = words.iter().position(|word| *word == "INDEX").map(|at| words[at + 1]);
    !SMALL.contains(&words[0])
        && !index.is_some_and(|index| PARTIAL.contains(&index))
        && !BOUNDED.iter().any(|bounded| step.starts_with(bounded))
}
