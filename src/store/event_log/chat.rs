//! Changes of chat lines in event logs: those of an erased account lose name and text, one that a
//! moderator deletes loses its text, those of a renamed account get its name. The events stay, as
//! their numbers have no gaps. Callers: `erasure`, `chat_deletion` and `rename`.

use super::packed::{self, PackedLog};
use super::{SELECT_PACKED, select_packed};
use crate::play::event::Event;
use crate::rules::Side;
use crate::store::changes::Change;
use crate::store::columns::parse_side;
use crate::store::sql::{Conn, Readers};
use crate::store::{AccountKey, GameKey, PublicId, StoreError};

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

/// Packed logs with chat of the games of an account, with its side in each.
const OWN_LOGS: &str = "SELECT game_log.game_id, 'first' FROM game
         JOIN game_log ON game_log.game_id = game.key
     WHERE first = $1 AND instr(events, '\"name\"') > 0
     UNION ALL SELECT game_log.game_id, 'second' FROM game
         JOIN game_log ON game_log.game_id = game.key
     WHERE second = $1 AND instr(events, '\"name\"') > 0";

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

/// Returns the games of an account with chat in their packed logs, with its sides. As a guest, it
/// may have had another name.
pub(in crate::store) async fn own_logs(
    readers: &Readers,
    account: AccountKey,
) -> Result<Vec<(GameKey, Side)>, StoreError> {
    let rows: Vec<(GameKey, String)> = readers.query(OWN_LOGS).bind(account).fetch_all().await?;
    let parse =
        |(game, side): (GameKey, String)| Ok(parse_side(Some(&side))?.map(|side| (game, side)));
    rows.into_iter().filter_map(|row| parse(row).transpose()).collect()
}

/// Removes the chat lines of an account that is to be erased from the packed log of a game: the
/// lines with its name and, if it has a side, those of the side. Returns false if another server
/// has changed the log meanwhile, so that the removal has to be repeated.
pub(in crate::store) async fn remove_chat(
    tx: &mut Conn,
    game: GameKey,
    account: AccountKey,
    (name, side): (&str, Option<Side>),
) -> Result<bool, StoreError> {
    // Later, another account may have the name.
    let sql = "SELECT 1 FROM erasure WHERE account = $1";
    if !tx.query(sql).bind(account).exists().await? {
        return Ok(true);
    }
    let Some(text) = select_packed(tx.query(SELECT_PACKED), game).await? else { return Ok(true) };
    let mut log: PackedLog = packed::parse(Some(&text))?;
    if !log.remove_chat(name, side) {
        return Ok(true);
    }
    if !replace_packed(tx, game, &log, text).await? {
        return Ok(false);
    }
    announce_change(tx, game).await?;
    Ok(true)
}

/// Chat lines of a game that are rows.
const ROWS_OF_GAME: &str = "SELECT seq, payload FROM game_journal
     WHERE id > 0 AND game_id = $1 AND instr(payload, '\"name\"') > 0";
const UPDATE_ROW: &str =
    "UPDATE game_journal SET payload = $3 WHERE id > 0 AND game_id = $1 AND seq = $2";

/// Change of a chat line.
#[derive(Clone, Copy, Debug)]
pub(in crate::store) enum ChatChange<'a> {
    /// The line with this number loses its text.
    Delete(i64),
    /// The lines with the first name get the second one.
    Rename(&'a str, &'a str),
}

impl ChatChange<'_> {
    /// Returns the changed payload of the event with this number; `None` if it does not change.
    fn apply(self, seq: i64, payload: &str) -> Option<String> {
        let Ok(Event::Said { room, name, text }) = serde_json::from_str(payload) else {
            return None;
        };
        let changed = match self {
            ChatChange::Delete(of) if seq == of && !text.is_empty() => {
                Event::Said { room, name, text: String::new() }
            }
            ChatChange::Rename(old, new) if name == old => {
                Event::Said { room, name: new.to_owned(), text }
            }
            _ => return None,
        };
        Some(serde_json::to_string(&changed).expect("JSON text"))
    }
}

/// Changes chat lines of a game, both in the packed log and in the rows. On SQLite, the packed log
/// must have the whole log: the journal keeps other rows in memory. Returns false like
/// [`remove_chat`].
pub(in crate::store) async fn change_chat(
    tx: &mut Conn,
    game: GameKey,
    change: ChatChange<'_>,
) -> Result<bool, StoreError> {
    let mut is_changed = false;
    if let Some(text) = select_packed(tx.query(SELECT_PACKED), game).await? {
        let mut log: PackedLog = packed::parse(Some(&text))?;
        if log.change_payloads(|seq, payload| change.apply(seq, payload)) {
            if !replace_packed(tx, game, &log, text).await? {
                return Ok(false);
            }
            is_changed = true;
        }
    }
    let rows: Vec<(i64, String)> = tx.query(ROWS_OF_GAME).bind(game).fetch_all().await?;
    for (seq, payload) in rows {
        if let Some(changed) = change.apply(seq, &payload) {
            tx.query(UPDATE_ROW).bind(game).bind(seq).bind(changed).execute().await?;
            is_changed = true;
        }
    }
    if is_changed {
        announce_change(tx, game).await?;
    }
    Ok(true)
}

/// Stores a changed log. Returns false if another server has changed it meanwhile.
async fn replace_packed(
    tx: &mut Conn,
    game: GameKey,
    log: &PackedLog,
    before: String,
) -> Result<bool, StoreError> {
    let sql = "UPDATE game_log SET events = $2 WHERE game_id = $1 AND events = $3";
    Ok(tx.query(sql).bind(game).bind(log.to_text()?).bind(before).execute().await? == 1)
}

async fn announce_change(tx: &mut Conn, game: GameKey) -> Result<(), StoreError> {
    let id: String = tx.query("SELECT id FROM game WHERE key = $1").bind(game).value().await?;
    tx.announce(Change::ChatRemoved(PublicId::from_row(&id)?));
    Ok(())
}

/// Chat line that is a row.
#[derive(Clone, Copy, Debug)]
pub struct ChatRow {
    id: i64,
    pub game: GameKey,
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
