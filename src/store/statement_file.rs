//! Statements that debug builds execute, as PostgreSQL takes them, in the file of
//! `SPRONG_STATEMENTS`: a JSON text per line.
//!
//! The tests prepare them on PostgreSQL. Callers: `sql` and `batch`.

use super::sql_text::without_hints;
use serde_json::json;
use std::cell::RefCell;
use std::collections::HashSet;
use std::fs::File;
use std::io::Write;
use std::sync::LazyLock;

/// A server that may not write the file adds nothing.
static FILE: LazyLock<Option<File>> = LazyLock::new(|| {
    let path = std::env::var_os("SPRONG_STATEMENTS")?;
    File::options().create(true).append(true).open(path).ok()
});

thread_local! {
    static ADDED: RefCell<HashSet<String>> = RefCell::default();
}

/// Adds a statement, unless this thread has done so. Unit tests have statements of their own, which
/// are left out.
pub(super) fn add(sql: &str) {
    let Some(mut file) = FILE.as_ref().filter(|_| !cfg!(test)) else { return };
    let is_new = ADDED.with_borrow_mut(|added| added.insert(sql.to_owned()));
    if is_new && is_data_statement(sql) {
        // One write, because several processes append. It fails in tests of a full disk.
        let _ = file.write_all(format!("{}\n", json!(without_hints(sql))).as_bytes());
    }
}

/// Returns whether a statement reads or writes rows, except those of the schema of SQLite.
pub(super) fn is_data_statement(sql: &str) -> bool {
    let words = ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH"];
    words.iter().any(|word| sql.trim_start().starts_with(word)) && !sql.contains("sqlite_master")
}
