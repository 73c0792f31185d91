//! Appends to the journal, the most frequent statement of the server.
//!
//! The writer runs them on its own thread through rusqlite: its statements stay prepared and need
//! no hops between threads. All other SQL uses sqlx. After an error the connection is dropped, as a
//! transaction may be open, and the next append opens a new one. Caller: `writer`.

use super::row::JournalRow;
use super::tails::SharedTails;
use super::{Append, Appended, SCHEMA, SELECT_PACKED, STORE_PACKED, WITH_OLD_STATES, packed};
use crate::store::columns::{parse_side, side_str};
use crate::store::sqlite::BUSY_TIMEOUT;
use crate::store::{GameKey, StoreError};
use rusqlite::{CachedStatement, Connection, OpenFlags, OptionalExtension, params};
use std::path::{Path, PathBuf};
use uuid::Uuid;

const INSERT: &str =
    "INSERT INTO game_journal (id, game_id, seq, side, cid, payload, at_ms, schema)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)";

/// Rows with the name of a player. The pages that they leave empty are overwritten.
const CHAT_ROWS: &str =
    "SELECT 1 FROM game_journal WHERE id >= ? AND id < ? AND instr(payload, '\"name\"') > 0";

/// Notes the last row whose event is a part of the stored states.
const SET_STORED: &str = "UPDATE stored_states SET journal_id = ?";

/// Games that one transaction packs.
const PACKED_MAX: usize = 16;

/// Packed rows that one transaction deletes at least, if there are any.
const DELETED_MIN: i64 = 64;

/// Connection for appends, and the end of the journal.
#[derive(Debug)]
pub(in crate::store) struct Journal {
    path: PathBuf,
    connection: Option<Connection>,
    tails: SharedTails,
    /// Ids below it are deleted.
    first_id: i64,
    last_id: i64,
    /// Last row whose event is a part of the stored states.
    stored_id: i64,
}

impl Journal {
    /// Opens the journal of a database and reads the rows that are not packed.
    pub(in crate::store) fn open(path: &Path, tails: SharedTails) -> Result<Journal, StoreError> {
        let connection = connect(path)?;
        let stored_id =
            connection.query_row("SELECT journal_id FROM stored_states", [], |row| row.get(0))?;
        // The rows may be deleted; new ones follow them.
        let (first_id, last_id) = (stored_id + 1, stored_id);
        let path = path.into();
        let mut journal = Journal { path, connection: None, tails, first_id, last_id, stored_id };
        journal.read_rows(&connection)?;
        journal.connection = Some(connection);
        journal.mark_old_states()?;
        Ok(journal)
    }

    /// Marks the games whose states are older than their events: the start of the server reads
    /// their logs.
    fn mark_old_states(&mut self) -> Result<(), StoreError> {
        self.transaction(|journal, connection| {
            let mark = format!("INSERT OR IGNORE INTO game_without_state {WITH_OLD_STATES}");
            connection.execute(&mark, [])?;
            connection.execute(SET_STORED, [journal.last_id])?;
            Ok(())
        })?;
        self.stored_id = self.last_id;
        Ok(())
    }

    fn read_rows(&mut self, connection: &Connection) -> Result<(), StoreError> {
        let sql =
            "SELECT id, game_id, seq, side, at_ms, payload, cid FROM game_journal ORDER BY id";
        let mut statement = connection.prepare(sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let (id, game): (i64, [u8; 16]) = (row.get(0)?, row.get(1)?);
            let game = GameKey::from_bytes(game);
            let side = parse_side(row.get::<_, Option<String>>(3)?.as_deref());
            let cid = row.get::<_, Option<Vec<u8>>>(6)?;
            let cid = cid.map(|bytes| Uuid::from_slice(&bytes)).transpose();
            let (seq, at_ms, payload) = (row.get(2)?, row.get(4)?, row.get::<_, String>(5)?);
            let journal_row = match (side, cid) {
                (Ok(side), Ok(cid)) => JournalRow { seq, side, at_ms, payload, cid },
                // No event is read from this payload: the log of the game is invalid.
                _ => {
                    let payload = format!("invalid row: {payload}");
                    JournalRow { seq, side: None, at_ms, payload, cid: None }
                }
            };
            self.first_id = self.first_id.min(id);
            self.last_id = self.last_id.max(id);
            self.restore(connection, game, id, journal_row)?;
        }
        Ok(())
    }

    /// Adds a row at the start, unless it is packed.
    fn restore(
        &self,
        connection: &Connection,
        game: GameKey,
        id: i64,
        row: JournalRow,
    ) -> Result<(), StoreError> {
        if !self.tails.read().contains(game) {
            let last_seq: Option<i64> = connection
                .prepare_cached("SELECT last_seq FROM game_log WHERE game_id = ?")?
                .query_row([game.bytes()], |row| row.get(0))
                .optional()?;
            if row.seq <= last_seq.unwrap_or(0) {
                return Ok(());
            }
            let text = select_packed(connection, game)?;
            self.tails.write().add(game, &packed::parse_or_keep(text.as_deref()));
        }
        let mut tails = self.tails.write();
        tails.push(game, id, row);
        tails.commit(game);
        Ok(())
    }

    /// Appends events in one transaction. A sequence number that is taken is a conflict.
    pub(in crate::store) fn append(
        &mut self,
        appends: &[Append],
    ) -> Result<Vec<Appended>, StoreError> {
        let appended = self.transaction(|journal, connection| {
            let mut outcomes = Vec::with_capacity(appends.len());
            // Once for all: the lookup of a statement allocates.
            let mut insert = connection.prepare_cached(INSERT)?;
            for append in appends {
                outcomes.push(journal.insert(connection, &mut insert, append)?);
            }
            journal.delete_packed(connection, 2 * appends.len() as i64)?;
            Ok(outcomes)
        });
        let mut tails = self.tails.write();
        for append in appends {
            match appended {
                Ok(_) => tails.commit(append.game),
                Err(_) => tails.roll_back(append.game),
            }
        }
        for (append, outcome) in appends.iter().zip(appended.iter().flatten()) {
            if let (Some(state), Appended::Accepted) = (&append.state, outcome) {
                tails.set_state(append.game, *state);
            }
        }
        drop(tails);
        appended
    }

    /// Returns whether so many states are in memory that they are to be stored.
    pub(in crate::store) fn has_many_unstored_states(&self) -> bool {
        self.tails.read().has_many_unstored_states()
    }

    /// Stores the states of games without a clock after their events up to now.
    pub(in crate::store) fn store_states(&mut self) -> Result<(), StoreError> {
        if !self.tails.read().has_unstored_states() {
            return Ok(());
        }
        self.transaction(|journal, connection| {
            for (game, state) in journal.tails.read().unstored_states() {
                state.store_in(connection, *game)?;
            }
            connection.prepare_cached(SET_STORED)?.execute([journal.last_id])?;
            Ok(())
        })?;
        self.stored_id = self.last_id;
        self.tails.write().forget_states();
        Ok(())
    }

    /// Packs logs whose rows are old. Returns whether there were any.
    pub(in crate::store) fn pack_aged(&mut self) -> Result<bool, StoreError> {
        let games = self.tails.read().aged(self.last_id, PACKED_MAX);
        self.pack_games(&games)?;
        Ok(!games.is_empty())
    }

    /// Packs the log of a game in play that has rows.
    pub(in crate::store) fn pack_game(&mut self, game: GameKey) -> Result<(), StoreError> {
        let has_rows = self.tails.read().contains(game);
        if has_rows { self.pack_games(&[game]) } else { Ok(()) }
    }

    pub(super) fn pack_games(&mut self, games: &[GameKey]) -> Result<(), StoreError> {
        if games.is_empty() {
            return Ok(());
        }
        self.transaction(|journal, connection| {
            // The pages of the row that a longer log leaves may have chat.
            connection.pragma_update(None, "secure_delete", "on")?;
            games.iter().try_for_each(|game| journal.pack(connection, *game))?;
            Ok(connection.pragma_update(None, "secure_delete", "fast")?)
        })?;
        let mut tails = self.tails.write();
        games.iter().for_each(|game| tails.remove(*game));
        Ok(())
    }

    /// Runs work in a transaction. The connection is lost after an error.
    fn transaction<T>(
        &mut self,
        work: impl FnOnce(&mut Journal, &Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None => {
                let new = connect(&self.path)?;
                // SQLite silently opens a read-only file and reports it at the first write, and the
                // connection stays read-only. This write without effect detects it.
                new.execute("UPDATE node SET key = key WHERE FALSE", [])?;
                new
            }
        };
        // The write lock is taken first; a deferred transaction could fail as busy.
        connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
        let done = work(self, &connection)?;
        connection.prepare_cached("COMMIT")?.execute([])?;
        self.connection = Some(connection);
        Ok(done)
    }

    /// Appends an event by the statement [`INSERT`].
    fn insert(
        &mut self,
        connection: &Connection,
        insert: &mut CachedStatement<'_>,
        append: &Append,
    ) -> Result<Appended, StoreError> {
        let Append { game, .. } = *append;
        let row = JournalRow::new(append)?;
        if !self.tails.read().contains(game) {
            let text = select_packed(connection, game)?;
            // An invalid log concerns this game only, and not the other appends.
            let Ok(packed) = packed::parse(text.as_deref()) else { return Ok(Appended::Conflict) };
            self.tails.write().add(game, &packed);
        }
        if let Some(conflict) = self.tails.read().conflict(game, &row) {
            return Ok(conflict);
        }
        // Ids increase even if all rows before are deleted or rolled back.
        self.last_id += 1;
        insert.execute(params![
            self.last_id,
            game.bytes(),
            row.seq,
            row.side.map(side_str),
            row.cid.as_ref().map(Uuid::as_bytes),
            row.payload,
            row.at_ms,
            SCHEMA,
        ])?;
        self.tails.write().push(game, self.last_id, row);
        Ok(Appended::Accepted)
    }

    fn pack(&mut self, connection: &Connection, game: GameKey) -> Result<(), StoreError> {
        let mut packed = packed::parse_or_keep(select_packed(connection, game)?.as_deref());
        packed.extend(&self.tails.read().rows(game));
        let (last_seq, last_ms) = (packed.last_seq(), packed.last_ms());
        let values = params![game.bytes(), last_seq, last_ms, SCHEMA, packed.to_text()?];
        connection.prepare_cached(STORE_PACKED)?.execute(values)?;
        Ok(())
    }

    /// Deletes up to `limit` of the oldest rows, as far as they are packed.
    fn delete_packed(&mut self, connection: &Connection, limit: i64) -> Result<(), StoreError> {
        let tails = self.tails.read();
        let unpacked_id = tails.first_id().unwrap_or(self.last_id + 1);
        // A start looks in the journal for the games whose states are not stored.
        let unstored_id = if tails.has_unstored_states() { self.stored_id } else { self.last_id };
        drop(tails);
        let kept_id = unpacked_id.min(unstored_id + 1);
        if kept_id - self.first_id < DELETED_MIN {
            return Ok(());
        }
        let first_id = kept_id.min(self.first_id + limit.max(DELETED_MIN));
        let rows = params![self.first_id, first_id];
        let has_chat = connection.prepare_cached(CHAT_ROWS)?.exists(rows)?;
        if has_chat {
            connection.pragma_update(None, "secure_delete", "on")?;
        }
        connection.prepare_cached("DELETE FROM game_journal WHERE id < ?")?.execute([first_id])?;
        if has_chat {
            connection.pragma_update(None, "secure_delete", "fast")?;
        }
        self.first_id = first_id;
        Ok(())
    }
}

fn connect(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    // Overwrites deleted rows, but no pages that they leave empty: that would cost as much as their
    // insertion, and moves name nobody.
    connection.pragma_update(None, "secure_delete", "fast")?;
    Ok(connection)
}

fn select_packed(connection: &Connection, game: GameKey) -> Result<Option<String>, StoreError> {
    let mut statement = connection.prepare_cached(SELECT_PACKED)?;
    Ok(statement.query_row([game.bytes()], |row| row.get(0)).optional()?)
}
