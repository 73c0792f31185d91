//! Texts of statements, as each database takes them. Callers: `sql` and `statement_file`.

use super::value::Value;
use sqlx::{AssertSqlSafe, SqlSafeStr, SqlStr};
use std::borrow::Cow;
use std::fmt::Write;

/// Joins statements to one text for SQLite, in which each has parameters of its own.
pub(super) fn join(statements: Vec<(String, Vec<Value>)>) -> (String, Vec<Value>) {
    // Numbers of parameters may get longer.
    let length = statements.iter().map(|(sql, values)| sql.len() + 2 * values.len() + 1).sum();
    let (mut text, mut all) = (String::with_capacity(length), Vec::new());
    for (sql, values) in statements {
        add_statement(&mut text, &sql, values, &mut all);
        text.push(';');
    }
    (text, all)
}

/// Joins statements that change rows to one statement of PostgreSQL.
pub(super) fn join_changes(statements: Vec<(String, Vec<Value>)>) -> (String, Vec<Value>) {
    let (mut text, mut all) = (String::new(), Vec::new());
    for (at, (sql, values)) in statements.into_iter().enumerate() {
        let before = if at == 0 { "WITH" } else { "," };
        write!(text, "{before} part{at} AS (").expect("writing to a string succeeds");
        add_statement(&mut text, &sql, values, &mut all);
        text.push(')');
    }
    text.push_str(" SELECT 1");
    (text, all)
}

/// Adds a statement to a text whose statements have the values `all` so far, and its own to those.
fn add_statement(text: &mut String, sql: &str, values: Vec<Value>, all: &mut Vec<Value>) {
    let (mut parameters, bound) = (0, all.len());
    let mut parts = sql.split('$');
    text.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_digit());
        match part[..part.len() - rest.len()].parse::<usize>() {
            // The driver takes the numbers as those of the whole query.
            Ok(number) => {
                write!(text, "${}", bound + number).expect("writing to a string succeeds");
                text.push_str(rest);
                parameters = parameters.max(number);
            }
            // Part of a text, such as a JSON path.
            Err(_) => text.extend(["$", part]),
        }
    }
    debug_assert_eq!(values.len(), parameters, "parameters of {sql}");
    all.extend(values);
}

/// Leaves out the hints for the planner of SQLite, which PostgreSQL does not know.
pub(super) fn without_hints(sql: &str) -> Cow<'_, str> {
    if !sql.contains("INDEXED BY") && !sql.contains("CROSS JOIN") {
        return Cow::Borrowed(sql);
    }
    let mut parts = sql.split("INDEXED BY ");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        // The name of an index is one word.
        kept.push_str(part.trim_start_matches(|c: char| !c.is_whitespace()));
    }
    Cow::Owned(kept.replace("CROSS JOIN", "JOIN"))
}

/// Returns a statement as PostgreSQL takes it.
pub(super) fn for_postgres(sql: SqlStr) -> SqlStr {
    match without_hints(sql.as_str()) {
        Cow::Borrowed(_) => sql,
        Cow::Owned(text) => AssertSqlSafe(text).into_sql_str(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_statements_keep_their_parameters() {
        let values = |numbers: &[i64]| numbers.iter().map(|number| (*number).into()).collect();
        let statements = vec![
            ("SELECT $2, $1".to_owned(), values(&[1, 2])),
            ("SELECT a ->> '$[0].b'".to_owned(), values(&[])),
            ("SELECT $1, $1".to_owned(), values(&[3])),
        ];
        let (text, all) = join(statements);
        assert_eq!(text, "SELECT $2, $1;SELECT a ->> '$[0].b';SELECT $3, $3;");
        assert_eq!(all.len(), 3);
    }

    #[test]
    fn joined_changes_are_one_statement() {
        let statements = vec![
            ("DELETE FROM a WHERE b = $1".to_owned(), vec![1.into()]),
            ("UPDATE c SET d = $2, e = $1".to_owned(), vec![2.into(), 3.into()]),
        ];
        let (text, all) = join_changes(statements);
        let expected = "WITH part0 AS (DELETE FROM a WHERE b = $1), \
                        part1 AS (UPDATE c SET d = $3, e = $2) SELECT 1";
        assert_eq!(text, expected);
        assert_eq!(all.len(), 3);
    }

    #[test]
    fn hints_for_sqlite_are_left_out() {
        let text = "SELECT a FROM b INDEXED BY b_a\n    CROSS JOIN c ON c.a = b.a JOIN d ON TRUE";
        let expected = "SELECT a FROM b \n    JOIN c ON c.a = b.a JOIN d ON TRUE";
        assert_eq!(without_hints(text), expected);
        let text = "SELECT 1 FROM (SELECT a FROM b INDEXED BY b_a WHERE TRUE) AS part";
        let expected = "SELECT 1 FROM (SELECT a FROM b  WHERE TRUE) AS part";
        assert_eq!(without_hints(text), expected);
    }
}
