//! Texts of statements, as each database takes them. Callers: `sql` and `statement_file`.

use super::value::Value;
use sqlx::{AssertSqlSafe, SqlSafeStr, SqlStr};
use std::borrow::Cow;

/// Joins statements to one text for SQLite, in which each has parameters of its own.
pub(super) fn join(statements: Vec<(String, Vec<Value>)>) -> (String, Vec<Value>) {
    let (mut text, mut all) = (String::new(), Vec::new());
    for (sql, values) in statements {
        let parameters = add_statement(&mut text, &sql, all.len());
        debug_assert_eq!(values.len(), parameters, "parameters of {sql}");
        all.extend(values);
    }
    (text, all)
}

/// Adds a statement to a text whose statements have `bound` parameters so far, and returns the
/// number of its own.
fn add_statement(text: &mut String, sql: &str, bound: usize) -> usize {
    let mut parameters = 0;
    let mut parts = sql.split('$');
    text.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_digit());
        match part[..part.len() - rest.len()].parse::<usize>() {
            // The driver takes the numbers as those of the whole query.
            Ok(number) => {
                text.push_str(&format!("${}{rest}", bound + number));
                parameters = parameters.max(number);
            }
            // Part of a text, such as a JSON path.
            Err(_) => text.push_str(&format!("${part}")),
        }
    }
    text.push(';');
    parameters
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
    fn hints_for_sqlite_are_left_out() {
        let text = "SELECT a FROM b INDEXED BY b_a\n    CROSS JOIN c ON c.a = b.a JOIN d ON TRUE";
        let expected = "SELECT a FROM b \n    JOIN c ON c.a = b.a JOIN d ON TRUE";
        assert_eq!(without_hints(text), expected);
        let text = "SELECT 1 FROM (SELECT a FROM b INDEXED BY b_a WHERE TRUE) AS part";
        let expected = "SELECT 1 FROM (SELECT a FROM b  WHERE TRUE) AS part";
        assert_eq!(without_hints(text), expected);
    }
}
