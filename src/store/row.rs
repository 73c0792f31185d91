//! Rows of either database. Callers: `sql`, and the modules that read several results at once.

use super::value::Value;
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use sqlx::{FromRow, Row};
use uuid::Uuid;

/// Row of a result.
#[derive(Debug)]
pub(super) enum SqlRow {
    Sqlite(SqliteRow),
    Postgres(PgRow),
}

impl From<SqliteRow> for SqlRow {
    fn from(row: SqliteRow) -> SqlRow {
        SqlRow::Sqlite(row)
    }
}

impl From<PgRow> for SqlRow {
    fn from(row: PgRow) -> SqlRow {
        SqlRow::Postgres(row)
    }
}

/// Value that can be read from a row.
pub(super) trait FromRows:
    Send + Unpin + for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow>
{
}

impl<T> FromRows for T where
    T: Send + Unpin + for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow>
{
}

impl SqlRow {
    pub(super) fn decode<T: FromRows>(&self) -> Result<T, sqlx::Error> {
        match self {
            SqlRow::Sqlite(row) => T::from_row(row),
            SqlRow::Postgres(row) => T::from_row(row),
        }
    }
}

/// Kind of the values of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ValueKind {
    Bool,
    Int,
    BigInt,
    Double,
    Text,
    Bytes,
    Uuid,
}

impl ValueKind {
    /// Returns the kind of a type of either database; `None` for one that no table has.
    pub(super) fn parse(name: &str) -> Option<ValueKind> {
        Some(match name {
            "boolean" => ValueKind::Bool,
            "integer" => ValueKind::Int,
            "bigint" | "INTEGER" => ValueKind::BigInt,
            "double precision" | "REAL" => ValueKind::Double,
            "text" | "TEXT" => ValueKind::Text,
            "bytea" | "BLOB" => ValueKind::Bytes,
            "uuid" => ValueKind::Uuid,
            _ => return None,
        })
    }

    /// Returns the value that no other one precedes.
    pub(super) fn least(self) -> Value {
        match self {
            ValueKind::Bool => false.into(),
            ValueKind::Int => i32::MIN.into(),
            ValueKind::BigInt => i64::MIN.into(),
            ValueKind::Double => f64::NEG_INFINITY.into(),
            ValueKind::Text => "".into(),
            ValueKind::Bytes => Value::from(Vec::new()),
            ValueKind::Uuid => Uuid::nil().into(),
        }
    }
}

/// Reads a column of a row of a driver as a value.
macro_rules! read_value {
    ($row:expr, $at:expr, $kind:expr) => {
        Ok(match $kind {
            ValueKind::Bool => Value::Bool($row.try_get_unchecked($at)?),
            ValueKind::Int => Value::Int($row.try_get_unchecked($at)?),
            ValueKind::BigInt => Value::BigInt($row.try_get_unchecked($at)?),
            ValueKind::Double => Value::Double($row.try_get_unchecked($at)?),
            ValueKind::Text => {
                let text: Option<String> = $row.try_get_unchecked($at)?;
                // PostgreSQL stores no NUL.
                Value::Text(text.map(|text| text.replace('\0', "\u{fffd}")))
            }
            ValueKind::Bytes => Value::Bytes($row.try_get_unchecked($at)?),
            ValueKind::Uuid => Value::Uuid($row.try_get_unchecked($at)?),
        })
    };
}

impl SqlRow {
    /// Returns the values of the columns, whose kinds are given in their order.
    pub(super) fn values(
        &self,
        kinds: impl Iterator<Item = ValueKind>,
    ) -> Result<Vec<Value>, sqlx::Error> {
        let value = |(at, kind)| match self {
            SqlRow::Sqlite(row) => read_value!(row, at, kind),
            SqlRow::Postgres(row) => read_value!(row, at, kind),
        };
        kinds.enumerate().map(value).collect()
    }
}

/// Returns the only row of a statement.
pub(super) fn one_row(rows: &[SqlRow]) -> Result<&SqlRow, sqlx::Error> {
    rows.first().ok_or(sqlx::Error::RowNotFound)
}
