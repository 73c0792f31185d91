//! Rows of a table: pages of both databases in the order of the key, and their differences.
//! Caller: the parent module.

use super::table::{Table, quoted};
use super::{CopyError, StoreError};
use crate::store::sql::Conn;
use crate::store::value::Value;
use sqlx::AssertSqlSafe;
use std::cmp::Ordering;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Rows per page.
const PAGE: usize = 1_000;

/// Rows per statement that writes.
const WRITTEN_AT_ONCE: usize = 50;

type Row = Vec<Value>;

/// Rows of a table in the order of its key, page by page.
struct Rows<'t> {
    table: &'t Table,
    page: std::vec::IntoIter<Row>,
    last: Option<Row>,
    is_over: bool,
}

impl<'t> Rows<'t> {
    fn new(table: &'t Table) -> Rows<'t> {
        Rows { table, page: Vec::new().into_iter(), last: None, is_over: false }
    }

    async fn next(&mut self, connection: &mut Conn) -> Result<Option<Row>, StoreError> {
        if let Some(row) = self.page.next() {
            return Ok(Some(row));
        }
        if self.is_over {
            return Ok(None);
        }
        let rows = load_page(self.table, connection, self.last.as_ref()).await?;
        self.is_over = rows.len() < PAGE;
        self.last = rows.last().cloned();
        self.page = rows.into_iter();
        Ok(self.page.next())
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
    let mut all = Vec::with_capacity(rows.len());
    for row in rows {
        let values = table.columns.iter().enumerate().map(|(at, (_, kind))| row.value(at, *kind));
        all.push(values.collect::<Result<Row, sqlx::Error>>()?);
    }
    Ok(all)
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
    let (mut wanted, mut present) = (Rows::new(table), Rows::new(table));
    let mut own = wanted.next(source).await.map_err(CopyError::Read)?;
    let mut others = Vec::new();
    while let Some(row) = present.next(target).await.map_err(CopyError::Write)? {
        while own.as_ref().is_some_and(|own| compare_keys(table, own, &row).is_lt()) {
            own = wanted.next(source).await.map_err(CopyError::Read)?;
        }
        if !own.as_ref().is_some_and(|own| compare_keys(table, own, &row).is_eq()) {
            others.push(row);
        }
    }
    for row in &others {
        let condition: Vec<String> = table
            .key
            .iter()
            .enumerate()
            .map(|(number, at)| format!("{} = ${}", quoted(&table.columns[*at].0), number + 1))
            .collect();
        let sql = format!("DELETE FROM {} WHERE {}", quoted(&table.name), condition.join(" AND "));
        let key = table.key.iter().map(|at| row[*at].clone()).collect();
        let query = target.query(AssertSqlSafe(sql)).bind_all(key);
        query.execute().await.map_err(|error| CopyError::Write(error.into()))?;
    }
    Ok(others.len() as u64)
}

/// Writes the rows of the source that the target does not have, or has with other values. Returns
/// their number.
pub(super) async fn write_missing(
    table: &Table,
    source: &mut Conn,
    target: &mut Conn,
) -> Result<u64, CopyError> {
    let (mut wanted, mut present) = (Rows::new(table), Rows::new(table));
    let mut own = present.next(target).await.map_err(CopyError::Write)?;
    let (mut missing, mut written) = (Vec::new(), 0);
    execute(target, "BEGIN").await.map_err(CopyError::Write)?;
    while let Some(row) = wanted.next(source).await.map_err(CopyError::Read)? {
        while own.as_ref().is_some_and(|own| compare_keys(table, own, &row).is_lt()) {
            own = present.next(target).await.map_err(CopyError::Write)?;
        }
        if own.as_ref() == Some(&row) {
            continue;
        }
        missing.push(row);
        if missing.len() == WRITTEN_AT_ONCE {
            written += missing.len() as u64;
            let rows = std::mem::take(&mut missing);
            write(table, target, rows).await.map_err(CopyError::Write)?;
        }
    }
    written += missing.len() as u64;
    if !missing.is_empty() {
        write(table, target, missing).await.map_err(CopyError::Write)?;
    }
    execute(target, "COMMIT").await.map_err(CopyError::Write)?;
    if target.is_postgres() {
        continue_numbers(table, target).await.map_err(CopyError::Write)?;
    }
    Ok(written)
}

async fn execute(target: &mut Conn, sql: &'static str) -> Result<(), StoreError> {
    target.query(sql).execute().await?;
    Ok(())
}

async fn write(table: &Table, target: &mut Conn, rows: Vec<Row>) -> Result<(), StoreError> {
    let width = table.columns.len();
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
    target.query(AssertSqlSafe(sql)).bind_all(values).execute().await?;
    Ok(())
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
pub(super) async fn digest(table: &Table, connection: &mut Conn) -> Result<(u64, u64), StoreError> {
    let (mut rows, mut number, mut hasher) = (Rows::new(table), 0, DefaultHasher::new());
    while let Some(row) = rows.next(connection).await? {
        number += 1;
        format!("{row:?}").hash(&mut hasher);
    }
    Ok((number, hasher.finish()))
}
