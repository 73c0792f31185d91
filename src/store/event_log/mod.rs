//! Event logs of games.
//!
//! The log of a game is append-only and numbered by `seq` without gaps. It has two parts: its begin
//! is packed into one row of `game_log` (`packed`), its end are rows of `game_journal`, a table of
//! all games in the order of arrival (`journal`). `tails` holds the rows of the journal in memory;
//! they find the log of a game without an index, and refuse a sequence number that is taken (a
//! second writer) and a command id that is in the log (a repeated command). The end of a game packs
//! its log in the same transaction; logs of games that go on are packed when their rows get old.
//! On PostgreSQL, the end of a log are rows of `game_event` (`postgres`), which only the end of the
//! game packs. Callers: the room of a game, `Rooms::resume` before a room exists, and
//! `Store::finish_game`.

mod chat;
pub(super) mod journal;
mod packed;
pub(super) mod postgres;
mod row;
pub(super) mod tails;
#[cfg(test)]
mod tests;

use super::batch::Batch;
use super::columns::parse_side;
use super::row::SqlRow;
use super::sql::{Conn, Query};
use super::turn_state::TurnState;
use super::{GameKey, GameRow, PublicId, Store, StoreError};
use crate::play::event::{Event, LoggedEvent};
use crate::rules::Side;
pub(super) use chat::{
    ChatChange, change_chat, chat_rows, delete_chat_row, logs_of_speaker, own_logs, remove_chat,
};
pub use chat::{ChatRow, LogPosition, SpeakerLogs};
use packed::PackedLog;
use postgres::FinishedGames;
use row::JournalRow;
use serde_json::json;
use std::collections::HashMap;
use std::ops::RangeInclusive;
use tails::SharedTails;
use uuid::Uuid;

/// Version of the event payload format. Older versions remain readable.
const SCHEMA: i64 = 1;

// Statements that sqlx and the journal's own connection execute.

const SELECT_PACKED: &str = "SELECT events FROM game_log WHERE game_id = $1";

/// Games whose stored states are older than their events, on SQLite.
const WITH_OLD_STATES: &str = "SELECT key FROM game
     WHERE status = 20 AND initial_ms IS NULL AND key IN
         (SELECT game_id FROM game_journal WHERE id > (SELECT journal_id FROM stored_states)
          UNION ALL SELECT game_id FROM game_without_state)";

const STORE_PACKED: &str = "INSERT INTO game_log (game_id, last_seq, last_ms, schema, events)
     VALUES ($1, $2, $3, $4, $5) ON CONFLICT (game_id) DO UPDATE SET
         last_seq = excluded.last_seq, last_ms = excluded.last_ms, schema = excluded.schema,
         events = excluded.events";

/// Event to be appended to the log of a game.
#[derive(Clone, Debug)]
pub struct Append {
    pub game: GameKey,
    /// Id of the command that caused it, chosen by the client. `None` for events that the server
    /// itself causes; those are not deduplicated.
    pub cid: Option<Uuid>,
    /// Event with its sequence number.
    pub logged: LoggedEvent,
    /// State of the game after the event, if it has no clock.
    pub state: Option<TurnState>,
    /// Epoch of the store (`Store::epoch`) before the log was read. In a later one, the event is in
    /// conflict: the log may end earlier, or otherwise, than before.
    pub epoch: u64,
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

/// Log of a game, with the id of the command that caused each event.
pub type EventLog = Vec<(LoggedEvent, Option<Uuid>)>;

impl Store {
    /// Appends an event to the log of its game. Returns after the commit.
    pub fn append(
        &self,
        append: Append,
    ) -> impl Future<Output = Result<Appended, StoreError>> + Send + use<'_> {
        // Boxed: each future that passes it on would store it inline, in every room.
        self.writer.append(Box::new(append))
    }

    /// Returns the log of a game in order, with the id of the command that caused each event.
    pub async fn events(&self, game: GameKey) -> Result<EventLog, StoreError> {
        // Rows that are packed between the two reads are in both, and left out of the second.
        let tail = match &self.logs {
            Logs::Sqlite(tails) => tails.read().rows(game),
            Logs::Postgres(_) => {
                postgres::select_rows(self.readers.query(postgres::SELECT_ROWS), game).await?
            }
        };
        let text = select_packed(self.readers.query(SELECT_PACKED), game).await?;
        join(text.as_deref(), tail)
    }

    /// Returns the log like [`Store::events`], also if another process is the server: it reads the
    /// journal from the database.
    pub async fn events_beside_server(&self, game: GameKey) -> Result<EventLog, StoreError> {
        let mut connection = self.readers.acquire().await?;
        let mut rows = JournalRows::load(&mut connection, game..=game).await?;
        rows.take_log(&mut connection, game).await
    }

    /// Returns the log like [`Store::events`]. That of a game in play whose events are all in
    /// memory needs no read; at the end of a game they are removed after the commit only.
    pub async fn events_of(&self, game: &GameRow) -> Result<EventLog, StoreError> {
        let rows = match &self.logs {
            Logs::Sqlite(tails) => tails.read().whole_log(game.key),
            Logs::Postgres(_) => None,
        };
        match rows.filter(|_| game.result.is_none()) {
            Some(rows) => join(None, rows),
            None => self.events(game.key).await,
        }
    }

    /// Returns the number of the last event of a game; 0 if there is none.
    pub async fn last_seq(&self, game: GameKey) -> Result<i64, StoreError> {
        let unpacked = match &self.logs {
            Logs::Sqlite(tails) => tails.read().last_seq(game),
            Logs::Postgres(_) => self.readers.query(postgres::LAST_SEQ).bind(game).value().await?,
        };
        let sql = "SELECT last_seq FROM game_log WHERE game_id = $1";
        let packed: Option<i64> = self.readers.query(sql).bind(game).optional_value().await?;
        Ok(unpacked.unwrap_or(0).max(packed.unwrap_or(0)))
    }

    /// Returns the numbers of the last events of some games, by one read. `None` on SQLite.
    pub async fn last_seqs(
        &self,
        games: Vec<PublicId>,
    ) -> Result<Option<Vec<(PublicId, i64)>>, StoreError> {
        if matches!(self.logs, Logs::Sqlite(_)) {
            return Ok(None);
        }
        let ids: Vec<&str> = games.iter().map(PublicId::as_str).collect();
        let query = self.readers.query(postgres::LAST_SEQS).bind(json!(ids).to_string());
        let rows: Vec<(String, i64)> = query.fetch_all().await?;
        let parsed = rows.iter().map(|(id, seq)| Ok((PublicId::from_row(id)?, *seq)));
        parsed.collect::<Result<_, _>>().map(Some)
    }

    /// Returns the games without a clock whose last event was at or after `since_ms`, the latest
    /// first. On SQLite, the games whose events are not packed, also with a clock.
    pub(super) async fn games_with_events_since(
        &self,
        since_ms: i64,
    ) -> Result<Vec<GameKey>, StoreError> {
        match &self.logs {
            Logs::Sqlite(tails) => Ok(tails.read().games_since(since_ms)),
            Logs::Postgres(_) => {
                let sql = "SELECT game_id FROM turn_state WHERE last_ms >= $1
                           ORDER BY last_ms DESC";
                Ok(self.readers.query(sql).bind(since_ms).values().await?)
            }
        }
    }
}

/// Parts of the logs in memory.
#[derive(Clone, Debug)]
pub(super) enum Logs {
    /// Events that are not packed.
    Sqlite(SharedTails),
    /// Games whose rows are to be deleted.
    Postgres(FinishedGames),
}

impl Logs {
    /// Notes that the log of a game was packed at its end.
    pub(super) fn finish(&self, game: GameKey) {
        match self {
            Logs::Sqlite(tails) => tails.finish(game),
            Logs::Postgres(finished) => finished.add(game),
        }
    }
}

/// Returns the games without a clock whose stored states are older than their events.
pub(super) async fn games_with_old_states(
    connection: &mut Conn,
) -> Result<Vec<GameKey>, StoreError> {
    if connection.is_postgres() {
        return Ok(Vec::new());
    }
    Ok(connection.query(WITH_OLD_STATES).values().await?)
}

/// Rows of the journal by game, as a process that is not the writer reads them.
///
/// They are read for many games at once, as the journal has no index by game.
pub(super) struct JournalRows(HashMap<GameKey, Vec<SqlRow>>);

impl JournalRows {
    /// Reads the rows of the games with keys in a range.
    pub(super) async fn load(
        connection: &mut Conn,
        keys: RangeInclusive<GameKey>,
    ) -> Result<JournalRows, StoreError> {
        let sql = "SELECT game_id, seq, side, at_ms, payload, cid FROM game_journal
                   WHERE game_id BETWEEN $1 AND $2 ORDER BY id";
        let query = connection.query(sql).bind(*keys.start()).bind(*keys.end());
        let mut games: HashMap<GameKey, Vec<SqlRow>> = HashMap::new();
        for row in query.rows().await? {
            let (game,) = row.decode()?;
            games.entry(game).or_default().push(row);
        }
        Ok(JournalRows(games))
    }

    /// Takes the rows of a game, and reads the packed part of its log in the same transaction.
    pub(super) async fn take_log(
        &mut self,
        tx: &mut Conn,
        game: GameKey,
    ) -> Result<EventLog, StoreError> {
        let rows = self.0.remove(&game).unwrap_or_default();
        let read = |row: &SqlRow| row.decode::<RawRow>()?.into_journal_row();
        let rows: Result<Vec<_>, StoreError> = rows.iter().map(read).collect();
        let text = select_packed(tx.query(SELECT_PACKED), game).await?;
        join(text.as_deref(), rows?)
    }
}

/// Stores, with the batch, the whole log of a game that ends with `appends`, unless the first one
/// is in conflict.
pub(super) async fn finish_log(
    tx: &mut Conn,
    batch: &mut Batch,
    logs: &Logs,
    appends: &[Append],
) -> Result<Appended, StoreError> {
    let tails = match logs {
        Logs::Sqlite(tails) => tails,
        Logs::Postgres(_) => return postgres::finish(tx, batch, appends).await,
    };
    let game = appends[0].game;
    let rows = tails.read().rows(game);
    // Another end in this transaction is there, and not yet removed from the rows.
    let text = select_packed(tx.query(SELECT_PACKED), game).await?;
    let mut packed = packed::parse(text.as_deref())?;
    packed.extend(&rows);
    for (at, append) in appends.iter().enumerate() {
        let row = JournalRow::new(append)?;
        match packed.conflict(&row) {
            None => packed.extend(std::slice::from_ref(&row)),
            Some(conflict) if at == 0 => return Ok(conflict),
            // The first event was in no conflict: the caller's events contradict each other.
            Some(_) => return Err(StoreError::NotCommitted),
        }
    }
    store_packed(batch, game, packed)?;
    Ok(Appended::Accepted)
}

/// Stores the log of a game that is over with the batch.
fn store_packed(batch: &mut Batch, game: GameKey, mut log: PackedLog) -> Result<(), StoreError> {
    log.forget_old_commands();
    batch
        .add(STORE_PACKED)
        .bind(game)
        .bind(log.last_seq())
        .bind(log.last_ms())
        .bind(SCHEMA)
        .bind(log.to_text()?);
    Ok(())
}

async fn select_packed(query: Query<'_>, game: GameKey) -> Result<Option<String>, StoreError> {
    Ok(query.bind(game).optional_value().await?)
}

#[derive(sqlx::FromRow)]
struct RawRow {
    seq: i64,
    side: Option<String>,
    at_ms: i64,
    payload: String,
    cid: Option<Uuid>,
}

impl RawRow {
    fn into_journal_row(self) -> Result<JournalRow, StoreError> {
        let RawRow { seq, side, at_ms, payload, cid } = self;
        Ok(JournalRow { seq, side: parse_side(side.as_deref())?, at_ms, payload, cid })
    }
}

/// Joins the packed begin and the end of a log.
fn join(text: Option<&str>, tail: Vec<JournalRow>) -> Result<EventLog, StoreError> {
    let mut log = packed::parse(text)?.into_log()?;
    let packed_seq = log.len() as i64;
    for row in tail.into_iter().filter(|row| row.seq > packed_seq) {
        log.push(row.into_event()?);
    }
    Ok(log)
}

fn parse_event(seq: i64, payload: &str) -> Result<Event, StoreError> {
    serde_json::from_str(payload)
        .map_err(|error| StoreError::InvalidRow(format!("event {seq}: {error}")))
}

fn logged(seq: i64, side: Option<Side>, at_ms: i64, event: Event) -> LoggedEvent {
    LoggedEvent { seq, side, at_ms, event }
}
