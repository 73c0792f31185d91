//! Events of games in play: rows of `game_journal` in SQLite, of `game_event` in PostgreSQL.
//! Caller: the parent module.

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
pub(super) async fn replace(source: &mut Conn, target: &mut Conn) -> Result<u64, StoreError> {
    let events = load(source).await?;
    if events == load(target).await? {
        return Ok(0);
    }
    let (delete, insert) = match target.is_postgres() {
        true => (
            "DELETE FROM game_event",
            "INSERT INTO game_event (game_id, seq, side, cid, payload, at_ms, schema)
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
        ),
        false => (
            "DELETE FROM game_journal",
            "INSERT INTO game_journal (game_id, seq, side, cid, payload, at_ms, schema)
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
        ),
    };
    target.query("BEGIN").execute().await?;
    target.query(delete).execute().await?;
    let number = events.len() as u64;
    for event in events {
        target.query(insert).bind_all(event).execute().await?;
    }
    target.query("COMMIT").execute().await?;
    Ok(number)
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
