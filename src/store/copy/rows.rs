//! Rows of a table: pages of both databases in the order of the key, and their differences.
//! Caller: the parent module.

use super::table::{Table, quoted};
use super::{CopyError, StoreError};
use crate::store::sql::Conn;
use crate::store::value::Value;
use sqlx::AssertSqlSafe;
use std::cmp::Ordering;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::iter::Peekable;

/// Rows per page.
const PAGE: usize = 1_000;

/// Rows per statement that writes.
const WRITTEN_AT_ONCE: usize = 50;

type Row = Vec<Value>;

/// Rows of a table of one database in the order of its key, page by page.
struct Rows<'a> {
    table: &'a Table,
    connection: &'a mut Conn,
    /// Error of the source or of the target.
    error: fn(StoreError) -> CopyError,
    page: Peekable<std::vec::IntoIter<Row>>,
    last: Option<Row>,
    is_over: bool,
}

impl<'a> Rows<'a> {
    fn new(
        table: &'a Table,
        connection: &'a mut Conn,
        error: fn(StoreError) -> CopyError,
    ) -> Rows<'a> {
        let page = Vec::new().into_iter().peekable();
        Rows { table, connection, error, page, last: None, is_over: false }
    }

    /// Loads the next page if there is no row before it.
    async fn fill(&mut self) -> Result<(), CopyError> {
        if self.page.peek().is_some() || self.is_over {
            return Ok(());
        }
        let loaded = load_page(self.table, self.connection, self.last.as_ref()).await;
        let rows = loaded.map_err(self.error)?;
        self.is_over = rows.len() < PAGE;
        self.last = rows.last().cloned();
        self.page = rows.into_iter().peekable();
        Ok(())
    }

    async fn next(&mut self) -> Result<Option<Row>, CopyError> {
        self.fill().await?;
        Ok(self.page.next())
    }

    /// Skips the rows before the key of a row, and returns the one that has this key.
    async fn find(&mut self, row: &Row) -> Result<Option<&Row>, CopyError> {
        loop {
            self.fill().await?;
            let Some(next) = self.page.peek() else { return Ok(None) };
            match compare_keys(self.table, next, row) {
                Ordering::Less => drop(self.page.next()),
                Ordering::Equal => break,
                Ordering::Greater => return Ok(None),
            }
        }
        Ok(self.page.peek())
    }
}

async fn load_page(
    table: &Table,
    connection: &mut Conn,
    last: Option<&Row>,
) -> Result<Vec<Row>, StoreError> {
    let comparison = if last.is_some() { ">" } else { ">=" };
    let marks: Vec<String> = (1..=table.key.len()).map(|number| format!("${number}")).collect();
    let sql = format!(
        "SELECT {} FROM {} WHERE ({}) {comparison} ({}) ORDER BY {} LIMIT {PAGE}",
        table.column_list(),
        quoted(&table.name),
        table.key_list(),
        marks.join(", "),
        table.key_list(),
    );
    let least = |at: &usize| match last {
        Some(row) => row[*at].clone(),
        None => table.columns[*at].1.least(),
    };
    let key: Vec<Value> = table.key.iter().map(least).collect();
    let rows = connection.query(AssertSqlSafe(sql)).bind_all(key).rows().await?;
    let kinds = || table.columns.iter().map(|(_, kind)| *kind);
    let read: Result<Vec<Row>, sqlx::Error> = rows.iter().map(|row| row.values(kinds())).collect();
    Ok(read?)
}

/// Compares the keys of two rows in the order of the databases.
fn compare_keys(table: &Table, one: &Row, other: &Row) -> Ordering {
    let parts = table.key.iter().map(|at| one[*at].compare(&other[*at]));
    parts.fold(Ordering::Equal, Ordering::then)
}

/// Removes the rows of the target that the source does not have. Returns their number.
pub(super) async fn remove_others(
    table: &Table,
    source: &mut Conn,
    target: &mut Conn,
) -> Result<u64, CopyError> {
    let mut wanted = Rows::new(table, source, CopyError::Read);
    let mut present = Rows::new(table, target, CopyError::Write);
    let mut others = Vec::new();
    while let Some(row) = present.next().await? {
        if wanted.find(&row).await?.is_none() {
            others.push(row);
        }
    }
    for row in &others {
        remove(table, target, row).await.map_err(CopyError::Write)?;
    }
    Ok(others.len() as u64)
}

async fn remove(table: &Table, target: &mut Conn, row: &Row) -> Result<(), StoreError> {
    let names = table.key.iter().map(|at| quoted(&table.columns[*at].0));
    let condition: Vec<String> =
        names.zip(1..).map(|(name, number)| format!("{name} = ${number}")).collect();
    let sql = format!("DELETE FROM {} WHERE {}", quoted(&table.name), condition.join(" AND "));
    let key = table.key.iter().map(|at| row[*at].clone()).collect();
    target.query(AssertSqlSafe(sql)).bind_all(key).execute().await?;
    Ok(())
}

/// Writes the rows of the source that the target does not have, or has with other values. Returns
/// their number.
pub(super) async fn write_missing(
    table: &Table,
    source: &mut Conn,
    target: &mut Conn,
) -> Result<u64, CopyError> {
    let (mut wanted, mut written) = (Rows::new(table, source, CopyError::Read), 0);
    let mut present = Rows::new(table, target, CopyError::Write);
    let mut missing = Vec::new();
    execute(present.connection, "BEGIN").await?;
    while let Some(row) = wanted.next().await? {
        if present.find(&row).await? == Some(&row) {
            continue;
        }
        missing.push(row);
        if missing.len() == WRITTEN_AT_ONCE {
            written += write(table, present.connection, std::mem::take(&mut missing)).await?;
        }
    }
    written += write(table, present.connection, missing).await?;
    execute(target, "COMMIT").await?;
    if target.is_postgres() {
        continue_numbers(table, target).await.map_err(CopyError::Write)?;
    }
    Ok(written)
}

async fn execute(target: &mut Conn, sql: &'static str) -> Result<(), CopyError> {
    let executed = target.query(sql).execute().await;
    executed.map(drop).map_err(|error| CopyError::Write(error.into()))
}

/// Inserts or replaces rows. Returns their number.
async fn write(table: &Table, target: &mut Conn, rows: Vec<Row>) -> Result<u64, CopyError> {
    if rows.is_empty() {
        return Ok(0);
    }
    let (width, number) = (table.columns.len(), rows.len() as u64);
    let tuples: Vec<String> = (0..rows.len())
        .map(|number| {
            let marks: Vec<String> =
                (1..=width).map(|at| format!("${}", number * width + at)).collect();
            format!("({})", marks.join(", "))
        })
        .collect();
    let changes: Vec<String> = (0..width)
        .filter(|at| !table.key.contains(at))
        .map(|at| quoted(&table.columns[at].0))
        .map(|name| format!("{name} = excluded.{name}"))
        .collect();
    let update = match changes.as_slice() {
        [] => "NOTHING".to_owned(),
        changes => format!("UPDATE SET {}", changes.join(", ")),
    };
    let sql = format!(
        "INSERT INTO {} ({}) VALUES {} ON CONFLICT ({}) DO {update}",
        quoted(&table.name),
        table.column_list(),
        tuples.join(", "),
        table.key_list(),
    );
    let values = rows.into_iter().flatten().collect();
    let written = target.query(AssertSqlSafe(sql)).bind_all(values).execute().await;
    written.map_err(|error| CopyError::Write(error.into()))?;
    Ok(number)
}

/// Lets PostgreSQL draw numbers after those that were copied.
async fn continue_numbers(table: &Table, target: &mut Conn) -> Result<(), StoreError> {
    let Some(column) = &table.drawn else { return Ok(()) };
    let sql = format!(
        "SELECT setval(pg_get_serial_sequence('{0}', '{1}'), greatest(max({1}), 1)) FROM {0}",
        table.name, column
    );
    target.query(AssertSqlSafe(sql)).execute().await?;
    Ok(())
}

/// Returns the number of rows of a table and a checksum of their values.
pub(super) async fn digest(
    table: &Table,
    connection: &mut Conn,
    error: fn(StoreError) -> CopyError,
) -> Result<(u64, u64), CopyError> {
    let mut rows = Rows::new(table, connection, error);
    let (mut number, mut hasher) = (0, DefaultHasher::new());
    while let Some(row) = rows.next().await? {
        number += 1;
        format!("{row:?}").hash(&mut hasher);
    }
    Ok((number, hasher.finish()))
}
