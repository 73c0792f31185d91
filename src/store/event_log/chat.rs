//! Removal of the chat lines of a name from event logs. The events stay, without name and text, as
//! their numbers have no gaps. Caller: `erasure`.

use super::packed::{self, PackedLog};
use super::{SELECT_PACKED, select_packed};
use crate::store::changes::Change;
use crate::store::sql::{Conn, Readers};
use crate::store::{GameKey, PublicId, StoreError};

/// Logs that one query reads.
const LOGS_MAX: i64 = 1_000;

const LOGS: &str = "SELECT id, game_id, instr(events, $2) > 0 FROM game_log
     WHERE id > $1 ORDER BY id LIMIT $3";

/// Chat lines that are rows, and whether a packed log has them as well.
const UNPACKED_LINES: &str = "SELECT id, game_id, EXISTS (SELECT 1 FROM game_log
         WHERE game_log.game_id = game_journal.game_id AND last_seq >= game_journal.seq)
     FROM game_journal WHERE id > 0 AND instr(payload, $1) > 0";

/// Position in the packed logs.
#[derive(Clone, Copy, Debug)]
pub struct LogPosition(i64);

impl LogPosition {
    /// Position before all logs.
    pub const START: LogPosition = LogPosition(0);
}

/// Games with chat lines of a name in a part of the packed logs.
#[derive(Debug)]
pub struct SpeakerLogs {
    pub games: Vec<GameKey>,
    /// Position of the next part; `None` after the last one.
    pub next: Option<LogPosition>,
}

/// Returns the name as it is in the payload of a chat line. Names need no escapes.
fn speaker(name: &str) -> String {
    format!("\"name\":\"{name}\"")
}

/// Returns the games with chat lines of a name in the next part of the packed logs.
pub(in crate::store) async fn logs_of_speaker(
    readers: &Readers,
    name: &str,
    LogPosition(from): LogPosition,
) -> Result<SpeakerLogs, StoreError> {
    let query = readers.query(LOGS).bind(from).bind(speaker(name)).bind(LOGS_MAX);
    let rows: Vec<(i64, GameKey, bool)> = query.fetch_all().await?;
    let next = rows.last().map(|(id, _, _)| LogPosition(*id));
    let games = rows.into_iter().filter(|(_, _, speaks)| *speaks).map(|(_, game, _)| game);
    Ok(SpeakerLogs { games: games.collect(), next })
}

/// Removes the chat lines of a name from the packed log of a game.
pub(in crate::store) async fn remove_chat(
    tx: &mut Conn,
    game: GameKey,
    name: &str,
) -> Result<(), StoreError> {
    let Some(text) = select_packed(tx.query(SELECT_PACKED), game).await? else { return Ok(()) };
    let mut log: PackedLog = packed::parse(Some(&text))?;
    log.remove_chat(name);
    // On PostgreSQL, a node may have packed more events meanwhile: they are looked at again later.
    let sql = "UPDATE game_log SET events = $2 WHERE game_id = $1 AND events = $3";
    tx.query(sql).bind(game).bind(log.to_text()?).bind(text).execute().await?;
    let sql = "SELECT id FROM game WHERE key = $1";
    let id: String = tx.query(sql).bind(game).value().await?;
    tx.announce(Change::ChatRemoved(PublicId::from_row(&id)?));
    Ok(())
}

/// Chat line that is a row.
#[derive(Clone, Copy, Debug)]
pub struct ChatRow {
    id: i64,
    game: GameKey,
    /// Whether a packed log has the line as well.
    pub is_packed: bool,
}

/// Returns the chat lines of a name that are rows.
pub(in crate::store) async fn chat_rows(
    readers: &Readers,
    name: &str,
) -> Result<Vec<ChatRow>, StoreError> {
    let rows: Vec<(i64, GameKey, bool)> =
        readers.query(UNPACKED_LINES).bind(speaker(name)).fetch_all().await?;
    Ok(rows.into_iter().map(|(id, game, is_packed)| ChatRow { id, game, is_packed }).collect())
}

/// Deletes a row with a chat line.
pub(in crate::store) async fn delete_chat_row(
    tx: &mut Conn,
    ChatRow { id, game, .. }: ChatRow,
) -> Result<(), StoreError> {
    let sql = "DELETE FROM game_journal WHERE id = $1 AND game_id = $2";
    tx.query(sql).bind(id).bind(game).execute().await?;
    Ok(())
}
