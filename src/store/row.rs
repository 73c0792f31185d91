//! Rows of either database. Callers: `sql`, and the modules that read several results at once.

use sqlx::FromRow;
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;

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

/// Returns the only row of a statement.
pub(super) fn one_row(rows: &[SqlRow]) -> Result<&SqlRow, sqlx::Error> {
    rows.first().ok_or(sqlx::Error::RowNotFound)
}
