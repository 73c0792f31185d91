//! Events of games in play: rows of `game_journal` in SQLite, of `game_event` in PostgreSQL.
//! Caller: the parent module.

use super::CopyError;
use crate::store::StoreError;
use crate::store::row::ValueKind;
use crate::store::sql::Conn;
use crate::store::value::Value;

/// Columns of both tables, with the kinds of their values.
const KINDS: [ValueKind; 7] = [
    ValueKind::Uuid,
    ValueKind::BigInt,
    ValueKind::Text,
    ValueKind::Uuid,
    ValueKind::Text,
    ValueKind::BigInt,
    ValueKind::BigInt,
];

/// Expands to the events of games in play that are not packed, in their order.
macro_rules! select_events {
    ($table:literal) => {
        concat!(
            "SELECT ",
            $table,
            ".game_id, seq, side, cid, payload, at_ms, ",
            $table,
            ".schema
             FROM ",
            $table,
            " JOIN game ON game.key = ",
            $table,
            ".game_id
             LEFT JOIN game_log ON game_log.game_id = ",
            $table,
            ".game_id
             WHERE game.status = 20 AND seq > coalesce(game_log.last_seq, 0)
             ORDER BY ",
            $table,
            ".game_id, seq"
        )
    };
}

/// Replaces the events of the target by those of the source. Returns their number if they differ,
/// else 0.
pub(super) async fn replace(source: &mut Conn, target: &mut Conn) -> Result<u64, CopyError> {
    let (count, delete, insert) = match target.is_postgres() {
        true => (
            "SELECT count(*) FROM game_event",
            "DELETE FROM game_event",
            "INSERT INTO game_event (game_id, seq, side, cid, payload, at_ms, schema)
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
        ),
        false => (
            "SELECT count(*) FROM game_journal",
            "DELETE FROM game_journal",
            "INSERT INTO game_journal (game_id, seq, side, cid, payload, at_ms, schema)
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
        ),
    };
    let events = load(source).await.map_err(CopyError::Read)?;
    // The target may have others, of games that are over meanwhile.
    let is_equal = load(target).await.map_err(CopyError::Write)? == events
        && count_rows(target, count).await.map_err(CopyError::Write)? == events.len() as i64;
    if is_equal {
        return Ok(0);
    }
    let number = events.len() as u64;
    insert_all(target, delete, insert, events).await.map_err(CopyError::Write)?;
    Ok(number)
}

async fn count_rows(target: &mut Conn, sql: &'static str) -> Result<i64, StoreError> {
    Ok(target.query(sql).value().await?)
}

async fn insert_all(
    target: &mut Conn,
    delete: &'static str,
    insert: &'static str,
    events: Vec<Vec<Value>>,
) -> Result<(), StoreError> {
    target.query("BEGIN").execute().await?;
    target.query(delete).execute().await?;
    for event in events {
        target.query(insert).bind_all(event).execute().await?;
    }
    target.query("COMMIT").execute().await?;
    Ok(())
}

async fn load(connection: &mut Conn) -> Result<Vec<Vec<Value>>, StoreError> {
    let sql = match connection.is_postgres() {
        true => select_events!("game_event"),
        false => select_events!("game_journal"),
    };
    let rows = connection.query(sql).rows().await?;
    let read = rows.iter().map(|row| {
        let values = KINDS.iter().enumerate().map(|(at, kind)| row.value(at, *kind));
        values.collect::<Result<Vec<Value>, sqlx::Error>>()
    });
    Ok(read.collect::<Result<_, _>>()?)
}
