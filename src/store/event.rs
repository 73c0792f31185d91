//! Event logs of games.
//!
//! The log of a game is append-only and numbered by `seq` without gaps. Sequence numbers and
//! command ids are unique within a game: the first detects a second writer, the second a repeated
//! command. Callers: the room of a game, `Rooms::resume` before a room exists, and
//! `Store::finish_game` for the last events.

use super::{GameKey, Store, StoreError};
use crate::play::event::{Event, LoggedEvent};
use crate::rules::Side;
use futures_util::TryStreamExt;
use sqlx::query::Query;
use sqlx::sqlite::SqliteArguments;
use sqlx::{AssertSqlSafe, Executor, Sqlite, SqliteConnection};
use std::sync::LazyLock;
use uuid::Uuid;

/// Version of the event payload format. Older versions remain readable.
const SCHEMA: i64 = 1;

/// Maximum of rows per statement. Each number of rows is a prepared statement.
pub(super) const ROWS_MAX: usize = 64;

/// Event to be appended to the log of a game.
#[derive(Clone, Debug)]
pub struct Append {
    pub game: GameKey,
    /// Id of the command that caused it, chosen by the client. `None` for events that the server
    /// itself causes; those are not deduplicated.
    pub cid: Option<Uuid>,
    /// Event with its sequence number.
    pub logged: LoggedEvent,
}

/// Outcome of an append.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Appended {
    /// The event is in the log.
    Accepted,
    /// The command was executed before; its event has this sequence number.
    Repeated(i64),
    /// Another event has this sequence number; the caller has to reload the log.
    Conflict,
}

/// `INSERT` statements for 1 to [`ROWS_MAX`] rows.
static INSERTS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let insert = |rows| {
        let values = vec!["(?, ?, ?, ?, ?, ?, ?, ?)"; rows].join(", ");
        format!(
            "INSERT INTO game_event (game_id, seq, kind, side, cid, payload, at_ms, schema) \
             VALUES {values} ON CONFLICT DO NOTHING"
        )
    };
    (1..=ROWS_MAX).map(insert).collect()
});

/// The same statements, each in a transaction of its own. The connection gets the three statements
/// at once, and not one after the response to the other.
static TRANSACTIONS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let transaction = |insert: &String| format!("BEGIN IMMEDIATE; {insert}; COMMIT");
    INSERTS.iter().map(transaction).collect()
});

#[derive(sqlx::FromRow)]
struct Row {
    seq: i64,
    side: Option<String>,
    at_ms: i64,
    payload: String,
    cid: Option<Uuid>,
}

impl Store {
    /// Appends an event to the log of its game. Returns after the commit.
    pub async fn append(&self, append: Append) -> Result<Appended, StoreError> {
        self.writer.append(append).await
    }

    /// Returns the log of a game in order, with the id of the command that caused each event.
    pub async fn events(
        &self,
        game: GameKey,
    ) -> Result<Vec<(LoggedEvent, Option<Uuid>)>, StoreError> {
        load_log(&self.readers, game).await
    }
}

impl Row {
    fn into_event(self) -> Result<(LoggedEvent, Option<Uuid>), StoreError> {
        let event: Event = serde_json::from_str(&self.payload)
            .map_err(|error| StoreError::InvalidRow(format!("event {}: {error}", self.seq)))?;
        let side = parse_side(self.side.as_deref())?;
        Ok((LoggedEvent { seq: self.seq, side, at_ms: self.at_ms, event }, self.cid))
    }
}

/// Reads the log of a game on the given connection or transaction.
pub(super) async fn load_log(
    connection: impl Executor<'_, Database = Sqlite>,
    game: GameKey,
) -> Result<Vec<(LoggedEvent, Option<Uuid>)>, StoreError> {
    let sql = "SELECT seq, side, at_ms, payload, cid FROM game_event
               WHERE game_id = ? ORDER BY seq";
    let rows: Vec<Row> = sqlx::query_as(sql).bind(game).fetch_all(connection).await?;
    rows.into_iter().map(Row::into_event).collect()
}

/// Parses an optional side.
pub(super) fn parse_side(text: Option<&str>) -> Result<Option<Side>, StoreError> {
    text.map(|text| text.parse().map_err(|_| StoreError::InvalidRow(format!("side {text:?}"))))
        .transpose()
}

/// Returns the column value of a side.
pub(super) fn side_str(side: Side) -> &'static str {
    match side {
        Side::First => "first",
        Side::Second => "second",
    }
}

/// Appends events, several per statement. They must belong to different games.
pub(super) async fn append_all(
    tx: &mut SqliteConnection,
    rows: &[Append],
) -> Result<Vec<Appended>, StoreError> {
    let mut results = Vec::with_capacity(rows.len());
    for chunk in rows.chunks(ROWS_MAX) {
        let inserted = insert(tx, chunk).await?;
        results.extend(classify(tx, chunk, inserted).await?);
    }
    Ok(results)
}

/// Appends up to [`ROWS_MAX`] events in a transaction of their own. They must belong to different
/// games. After an error the connection may have an open transaction, and has to be closed.
pub(super) async fn append_alone(
    connection: &mut SqliteConnection,
    rows: &[Append],
) -> Result<Vec<Appended>, StoreError> {
    let sql = TRANSACTIONS[rows.len() - 1].as_str();
    let mut results = connection.fetch_many(insert_query(sql, rows)?);
    let mut inserted = Vec::with_capacity(3);
    while let Some(result) = results.try_next().await? {
        inserted.extend(result.left().map(|done| done.rows_affected() as usize));
    }
    drop(results);
    // `BEGIN` and `COMMIT` report the rows of an earlier statement.
    classify(connection, rows, inserted.get(1).copied().unwrap_or(0)).await
}

/// Returns the outcome of each append after `inserted` rows were inserted.
async fn classify(
    connection: &mut SqliteConnection,
    rows: &[Append],
    inserted: usize,
) -> Result<Vec<Appended>, StoreError> {
    if inserted == rows.len() {
        return Ok(vec![Appended::Accepted; rows.len()]);
    }
    // At least one row conflicts: its command id shows whether it was inserted, now or before.
    let mut results = Vec::with_capacity(rows.len());
    for row in rows {
        results.push(match classify_conflict(connection, row).await? {
            Appended::Repeated(seq) if seq == row.logged.seq => Appended::Accepted,
            other => other,
        });
    }
    Ok(results)
}

/// Appends an event, or finds the reason for the conflict.
pub(super) async fn append_one(
    tx: &mut SqliteConnection,
    append: &Append,
) -> Result<Appended, StoreError> {
    if insert(tx, std::slice::from_ref(append)).await? == 1 {
        return Ok(Appended::Accepted);
    }
    classify_conflict(tx, append).await
}

/// Classifies a conflict: [`Appended::Repeated`] if the log has an event of this command.
async fn classify_conflict(
    tx: &mut SqliteConnection,
    append: &Append,
) -> Result<Appended, StoreError> {
    let sql = "SELECT seq FROM game_event WHERE game_id = ? AND cid = ?";
    let found: Option<i64> =
        sqlx::query_scalar(sql).bind(append.game).bind(append.cid).fetch_optional(tx).await?;
    Ok(found.map_or(Appended::Conflict, Appended::Repeated))
}

async fn insert(tx: &mut SqliteConnection, rows: &[Append]) -> Result<usize, StoreError> {
    let query = insert_query(&INSERTS[rows.len() - 1], rows)?;
    Ok(query.execute(tx).await?.rows_affected() as usize)
}

/// Binds events to a statement.
fn insert_query<'a>(
    sql: &'static str,
    rows: &'a [Append],
) -> Result<Query<'a, Sqlite, SqliteArguments>, StoreError> {
    // The SQL text contains constants only.
    let mut query = sqlx::query(AssertSqlSafe(sql));
    for Append { game, cid, logged } in rows {
        let payload = serde_json::to_string(&logged.event)
            .map_err(|error| StoreError::InvalidRow(format!("event {}: {error}", logged.seq)))?;
        query = query
            .bind(game)
            .bind(logged.seq)
            .bind(logged.event.kind())
            .bind(logged.side.map(side_str))
            .bind(cid)
            .bind(payload)
            .bind(logged.at_ms)
            .bind(SCHEMA);
    }
    Ok(query)
}
