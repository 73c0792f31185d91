//! Events of games in play: rows of `game_journal` in SQLite, of `game_event` in PostgreSQL.
//! Caller: the parent module.

use super::CopyError;
use crate::store::event_log::games_with_old_states;
use crate::store::row::ValueKind;
use crate::store::sql::Conn;
use crate::store::value::Value;
use crate::store::{GameKey, StoreError};
use sqlx::AssertSqlSafe;

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

/// Replaces the events of the target by those of the source. Returns their number if they differ,
/// else 0.
pub(super) async fn replace(source: &mut Conn, target: &mut Conn) -> Result<u64, CopyError> {
    let events = load(source).await.map_err(CopyError::Read)?;
    let old_states = games_with_old_states(source).await.map_err(CopyError::Read)?;
    let number = replace_in_target(target, events).await.map_err(CopyError::Write)?;
    mark_old_states(target, old_states).await.map_err(CopyError::Write)?;
    Ok(number)
}

/// Lets the first start on the target read the states of these games from their logs. Those of all
/// others are in the rows that were copied.
async fn mark_old_states(target: &mut Conn, games: Vec<GameKey>) -> Result<(), StoreError> {
    for game in games {
        let sql = "INSERT INTO game_without_state (game_id) VALUES ($1) ON CONFLICT DO NOTHING";
        target.query(sql).bind(game).execute().await?;
    }
    if !target.is_postgres() {
        let sql = "UPDATE stored_states
                   SET journal_id = (SELECT coalesce(max(id), 0) FROM game_journal)";
        target.query(sql).execute().await?;
    }
    Ok(())
}

async fn replace_in_target(target: &mut Conn, events: Vec<Vec<Value>>) -> Result<u64, StoreError> {
    let (table, number) = (events_table(target), events.len());
    // The target may have others, of games that are over meanwhile.
    let count = AssertSqlSafe(format!("SELECT count(*) FROM {table}"));
    let present: i64 = target.query(count).value().await?;
    if present == number as i64 && load(target).await? == events {
        return Ok(0);
    }
    target.query("BEGIN").execute().await?;
    target.query(AssertSqlSafe(format!("DELETE FROM {table}"))).execute().await?;
    let insert = format!(
        "INSERT INTO {table} (game_id, seq, side, cid, payload, at_ms, schema)
         VALUES ($1, $2, $3, $4, $5, $6, $7)"
    );
    for event in events {
        target.query(AssertSqlSafe(insert.clone())).bind_all(event).execute().await?;
    }
    target.query("COMMIT").execute().await?;
    Ok(number as u64)
}

fn events_table(connection: &Conn) -> &'static str {
    if connection.is_postgres() { "game_event" } else { "game_journal" }
}

/// Returns the events of games in play that are not packed, in their order.
async fn load(connection: &mut Conn) -> Result<Vec<Vec<Value>>, StoreError> {
    let table = events_table(connection);
    let sql = format!(
        "SELECT {table}.game_id, seq, side, cid, payload, at_ms, {table}.schema
         FROM {table} JOIN game ON game.key = {table}.game_id
         LEFT JOIN game_log ON game_log.game_id = {table}.game_id
         WHERE game.status = 20 AND seq > coalesce(game_log.last_seq, 0)
         ORDER BY {table}.game_id, seq"
    );
    let rows = connection.query(AssertSqlSafe(sql)).rows().await?;
    let read: Result<_, sqlx::Error> =
        rows.iter().map(|row| row.values(KINDS.into_iter())).collect();
    Ok(read?)
}
