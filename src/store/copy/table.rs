//! Tables and their columns, as the databases describe them. Caller: the parent module.

use crate::store::StoreError;
use crate::store::row::ValueKind;
use crate::store::sql::Conn;

/// Tables of processes and of the schema, which are not copied, and those of events of games in
/// play, which differ.
const LEFT_OUT: [&str; 10] = [
    "_sqlx_migrations",
    "anonymous_presence",
    "change",
    "channel",
    "compatibility",
    "game_event",
    "game_journal",
    "node",
    "presence",
    "stored_states",
];

/// Table that both databases have.
pub(super) struct Table {
    pub(super) name: String,
    /// Names with the kinds of their values.
    pub(super) columns: Vec<(String, ValueKind)>,
    /// Indices of the columns of the primary key, in its order.
    pub(super) key: Vec<usize>,
    /// Column whose values the database can draw.
    pub(super) drawn: Option<String>,
}

#[derive(sqlx::FromRow)]
struct ColumnRow {
    table_name: String,
    column_name: String,
    kind: String,
    /// Position in the primary key, from 1.
    place: i64,
    drawn: bool,
}

const OF_SQLITE: &str = "SELECT part.name AS table_name, columns.name AS column_name,
         columns.type AS kind, columns.pk AS place, FALSE AS drawn
     FROM (SELECT name FROM sqlite_master
           WHERE type = 'table' AND name NOT LIKE 'sqlite%') AS part
     JOIN pragma_table_info(part.name) AS columns
     ORDER BY part.name, columns.cid";

const OF_POSTGRES: &str = "SELECT CAST(relname AS TEXT) AS table_name,
         CAST(attname AS TEXT) AS column_name,
         format_type(CASE typtype WHEN 'd' THEN typbasetype ELSE atttypid END, NULL) AS kind,
         CAST(coalesce(array_position(conkey, attnum), 0) AS BIGINT) AS place,
         attidentity <> '' AS drawn
     FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0
     JOIN pg_type ON pg_type.oid = atttypid
     LEFT JOIN pg_constraint ON conrelid = pg_class.oid AND contype = 'p'
     WHERE relkind = 'r' AND NOT attisdropped AND relnamespace =
         (SELECT relnamespace FROM pg_class WHERE oid = CAST('game' AS REGCLASS))
     ORDER BY relname, attnum";

const REFERENCES_OF_SQLITE: &str = "SELECT part.name AS referring, keys.\"table\" AS referred
     FROM (SELECT name FROM sqlite_master WHERE type = 'table') AS part
     JOIN pragma_foreign_key_list(part.name) AS keys";

const REFERENCES_OF_POSTGRES: &str = "SELECT CAST(one.relname AS TEXT) AS referring,
         CAST(two.relname AS TEXT) AS referred
     FROM pg_constraint JOIN pg_class one ON one.oid = conrelid
     JOIN pg_class two ON two.oid = confrelid WHERE contype = 'f'";

/// Returns the tables, those first that others refer to. The types are those of PostgreSQL if one
/// of both is such a database: it has more of them.
pub(super) async fn load_tables(
    source: &mut Conn,
    target: &mut Conn,
) -> Result<Vec<Table>, StoreError> {
    let (describing, sql, references) = match (source.is_postgres(), target.is_postgres()) {
        (true, _) => (source, OF_POSTGRES, REFERENCES_OF_POSTGRES),
        (false, true) => (target, OF_POSTGRES, REFERENCES_OF_POSTGRES),
        (false, false) => (source, OF_SQLITE, REFERENCES_OF_SQLITE),
    };
    let references: Vec<(String, String)> = describing.query(references).fetch_all().await?;
    let mut tables: Vec<Table> = Vec::new();
    let mut places: Vec<Vec<(i64, usize)>> = Vec::new();
    for row in describing.query(sql).fetch_all::<ColumnRow>().await? {
        if LEFT_OUT.contains(&row.table_name.as_str()) {
            continue;
        }
        if tables.last().is_none_or(|table| table.name != row.table_name) {
            let name = row.table_name.clone();
            tables.push(Table { name, columns: Vec::new(), key: Vec::new(), drawn: None });
            places.push(Vec::new());
        }
        let (table, key) = (tables.last_mut().expect("a table"), places.last_mut().expect("a key"));
        if row.place > 0 {
            key.push((row.place, table.columns.len()));
        }
        if row.drawn {
            table.drawn = Some(row.column_name.clone());
        }
        let kind = ValueKind::parse(&row.kind)
            .ok_or_else(|| StoreError::InvalidRow(format!("type {}", row.kind)))?;
        table.columns.push((row.column_name, kind));
    }
    for (table, mut key) in tables.iter_mut().zip(places) {
        key.sort_unstable();
        table.key = key.into_iter().map(|(_, column)| column).collect();
    }
    if tables.is_empty() {
        return Err(StoreError::InvalidRow("no tables".to_owned()));
    }
    Ok(in_order_of_references(tables, &references))
}

/// Sorts tables so that each follows those that it refers to.
fn in_order_of_references(mut tables: Vec<Table>, references: &[(String, String)]) -> Vec<Table> {
    let mut sorted: Vec<Table> = Vec::new();
    while !tables.is_empty() {
        let is_free = |table: &Table| {
            let mut own = references.iter().filter(|(referring, _)| *referring == table.name);
            own.all(|(_, referred)| !tables.iter().any(|other| other.name == *referred))
        };
        // A table of a circle would never be free; there is none.
        let at = tables.iter().position(is_free).unwrap_or(0);
        sorted.push(tables.remove(at));
    }
    sorted
}

impl Table {
    pub(super) fn column_list(&self) -> String {
        let names: Vec<String> = self.columns.iter().map(|(name, _)| quoted(name)).collect();
        names.join(", ")
    }

    pub(super) fn key_list(&self) -> String {
        let names: Vec<String> = self.key.iter().map(|at| quoted(&self.columns[*at].0)).collect();
        names.join(", ")
    }
}

/// Names such as `text` are words of SQL.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{name}\"")
}
