//! Logs of games on PostgreSQL: events of games in play are rows of `game_event`.
//!
//! Any node may append; the primary key lets one event take a number. The end of a game packs its
//! log in the same transaction. Its rows are deleted a minute later or after the next start: until
//! then, an append that was sent before the end meets them. Callers: `writer::lanes`, and the
//! parent module.

use super::packed::PackedLog;
use super::row::JournalRow;
use super::{Append, Appended, RawRow, SCHEMA, SELECT_PACKED, packed, select_packed};
use crate::store::batch::Batch;
use crate::store::columns::side_str;
use crate::store::sql::{Conn, Query};
use crate::store::turn_state::{StateColumns, store_states};
use crate::store::{GameKey, StoreError};
use sqlx::PgConnection;
use std::collections::{HashSet, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use uuid::Uuid;

/// Time for which the rows of a game that is over are kept: longer than an append can take.
const KEPT_TIME: Duration = Duration::from_secs(60);

/// Surrounds the insertion of events of several games whose numbers follow the last ones.
macro_rules! insert_events {
    ($before:literal, $after:expr) => {
        concat!(
            $before,
            "INSERT INTO game_event (game_id, seq, side, cid, payload, at_ms, schema)
             SELECT game_id, seq, side, cid, payload, at_ms, $7
             FROM UNNEST($1::uuid[], $2::bigint[], $3::text[], $4::uuid[], $5::text[],
                     $6::bigint[])
                 AS part (game_id, seq, side, cid, payload, at_ms)
             WHERE seq = 1 + greatest(
                 (SELECT max(event.seq) FROM game_event event WHERE event.game_id = part.game_id),
                 (SELECT last_seq FROM game_log WHERE game_log.game_id = part.game_id), 0)
             ON CONFLICT DO NOTHING RETURNING game_id",
            $after
        )
    };
}

const APPEND: &str = insert_events!("", "");

/// Also stores the states of those games that have no clock.
const APPEND_WITH_STATES: &str = insert_events!(
    "WITH accepted AS (",
    concat!(
        "), stored AS (",
        store_states!(
            "SELECT game_id, turn, last_ms, due_ms, board, awaits_engine, abandonable
             FROM UNNEST($8::uuid[], $9::text[], $10::bigint[], $11::bigint[], $12::bigint[],
                     $13::boolean[], $14::boolean[])
                 AS state (game_id, turn, last_ms, due_ms, board, awaits_engine, abandonable)
                 JOIN accepted USING (game_id)"
        ),
        ") SELECT game_id FROM accepted"
    )
);

/// Appends an event whose number follows the last one.
const APPEND_ONE: &str = "INSERT INTO game_event (game_id, seq, side, cid, payload, at_ms, schema)
     SELECT $1, $2, $3, $4, $5, $6, $7
     WHERE $2 = 1 + greatest((SELECT max(seq) FROM game_event WHERE game_id = $1),
         (SELECT last_seq FROM game_log WHERE game_id = $1), 0)
     ON CONFLICT DO NOTHING";

pub(super) const SELECT_ROWS: &str = "SELECT seq, side, at_ms, payload, cid FROM game_event
     WHERE game_id = $1 ORDER BY seq";

/// Number of the last event of a game that is a row.
pub(super) const LAST_SEQ: &str = "SELECT max(seq) FROM game_event WHERE game_id = $1";

/// Numbers of the last events of the games of a list of ids.
pub(super) const LAST_SEQS: &str = "SELECT game.id, greatest(
         (SELECT max(seq) FROM game_event WHERE game_event.game_id = game.key),
         (SELECT last_seq FROM game_log WHERE game_log.game_id = game.key), 0)
     FROM json_each($1) AS open JOIN game ON game.id = open.value";

/// Deletes the rows of games that were over before the server started.
pub(in crate::store) const DELETE_OLD_ROWS: &str = "DELETE FROM game_event USING game
     WHERE game.key = game_event.game_id AND game.status <> 20
         AND game.ended_ms < extract(epoch FROM now()) * 1000 - 60000";

/// Games that are over and whose rows are to be deleted.
#[derive(Clone, Debug, Default)]
pub(in crate::store) struct FinishedGames(Arc<Mutex<VecDeque<(Instant, GameKey)>>>);

impl FinishedGames {
    pub(in crate::store) fn add(&self, game: GameKey) {
        let mut games = self.0.lock().expect("lock of the finished games");
        games.push_back((Instant::now(), game));
    }

    /// Returns the games that were over a minute ago.
    pub(in crate::store) fn old(&self) -> Vec<GameKey> {
        let games = self.0.lock().expect("lock of the finished games");
        let old = games.iter().take_while(|(at, _)| at.elapsed() > KEPT_TIME);
        old.map(|(_, game)| *game).collect()
    }

    /// Removes the first games.
    pub(in crate::store) fn remove_first(&self, count: usize) {
        self.0.lock().expect("lock of the finished games").drain(..count);
    }
}

/// Appends at most one event to each game. Events that an attempt before has stored are accepted.
pub(in crate::store) async fn append(
    connection: &mut PgConnection,
    appends: &[Append],
    is_second_attempt: bool,
) -> Result<Vec<Appended>, StoreError> {
    let mut sorted: Vec<&Append> = appends.iter().collect();
    // Two nodes that insert in different orders would wait for each other.
    sorted.sort_unstable_by_key(|append| append.game);
    let accepted = insert(connection, &sorted).await?;
    let mut all = Vec::with_capacity(appends.len());
    for append in appends {
        let is_stored = accepted.contains(&append.game)
            || is_second_attempt && is_stored(connection, append).await?;
        all.push(match append.cid {
            _ if is_stored => Appended::Accepted,
            Some(cid) => find_command(connection, append.game, cid).await?,
            None => Appended::Conflict,
        });
    }
    Ok(all)
}

/// Returns the games whose event was inserted.
async fn insert(
    connection: &mut PgConnection,
    appends: &[&Append],
) -> Result<HashSet<GameKey>, StoreError> {
    let games: Vec<Uuid> = appends.iter().map(|append| append.game.into()).collect();
    let rows: Result<Vec<_>, StoreError> = appends.iter().map(|one| JournalRow::new(one)).collect();
    let rows = rows?;
    let states = appends.iter().filter_map(|append| Some((append.game, append.state.as_ref()?)));
    let (state_games, states): (Vec<Uuid>, Vec<StateColumns>) =
        states.map(|(game, state)| (Uuid::from(game), StateColumns::new(Some(state)))).unzip();
    let sql = if states.is_empty() { APPEND } else { APPEND_WITH_STATES };
    let mut query = sqlx::query_scalar(sql)
        .bind(games)
        .bind(rows.iter().map(|row| row.seq).collect::<Vec<_>>())
        .bind(rows.iter().map(|row| row.side.map(side_str)).collect::<Vec<_>>())
        .bind(rows.iter().map(|row| row.cid).collect::<Vec<_>>())
        .bind(rows.iter().map(|row| row.payload.as_str()).collect::<Vec<_>>())
        .bind(rows.iter().map(|row| row.at_ms).collect::<Vec<_>>())
        .bind(SCHEMA);
    if !states.is_empty() {
        query = query
            .bind(state_games)
            .bind(states.iter().map(|state| state.turn.as_deref()).collect::<Vec<_>>())
            .bind(states.iter().map(|state| state.last_ms).collect::<Vec<_>>())
            .bind(states.iter().map(|state| state.due_ms).collect::<Vec<_>>())
            .bind(states.iter().map(|state| state.board).collect::<Vec<_>>())
            .bind(states.iter().map(|state| state.awaits_engine).collect::<Vec<_>>())
            .bind(states.iter().map(|state| state.abandonable).collect::<Vec<_>>());
    }
    let accepted: Vec<GameKey> = query.fetch_all(connection).await?;
    Ok(accepted.into_iter().collect())
}

/// Returns whether exactly this event has its number.
async fn is_stored(connection: &mut PgConnection, append: &Append) -> Result<bool, StoreError> {
    let row = JournalRow::new(append)?;
    let sql = "SELECT EXISTS (SELECT 1 FROM game_event
                   WHERE game_id = $1 AND seq = $2 AND at_ms = $3 AND payload = $4
                       AND cid IS NOT DISTINCT FROM $5 AND side IS NOT DISTINCT FROM $6)";
    let query = sqlx::query_scalar(sql).bind(append.game).bind(row.seq).bind(row.at_ms);
    let query = query.bind(row.payload).bind(row.cid).bind(row.side.map(side_str));
    Ok(query.fetch_one(connection).await?)
}

/// Returns whether a command is in the log of a game, whose event number is taken.
async fn find_command(
    connection: &mut PgConnection,
    game: GameKey,
    cid: Uuid,
) -> Result<Appended, StoreError> {
    let sql = "SELECT seq FROM game_event WHERE game_id = $1 AND cid = $2";
    let query = sqlx::query_scalar(sql).bind(game).bind(cid);
    if let Some(seq) = query.fetch_optional(&mut *connection).await? {
        return Ok(Appended::Repeated(seq));
    }
    let query = sqlx::query_scalar(SELECT_PACKED).bind(game);
    let text: Option<String> = query.fetch_optional(connection).await?;
    let packed = packed::parse_or_keep(text.as_deref());
    let seq = packed.commands().find(|(own, _)| *own == cid).map(|(_, seq)| seq);
    Ok(seq.map_or(Appended::Conflict, Appended::Repeated))
}

/// Deletes the rows of games that are over.
pub(in crate::store) async fn delete_rows(
    connection: &mut PgConnection,
    games: &[GameKey],
) -> Result<(), StoreError> {
    let games: Vec<Uuid> = games.iter().copied().map(Uuid::from).collect();
    let sql = "DELETE FROM game_event WHERE game_id = ANY ($1)";
    sqlx::query(sql).bind(games).execute(connection).await?;
    Ok(())
}

/// Appends the last events of a game, and stores its whole log with the batch, unless the first
/// event is in conflict.
pub(super) async fn finish(
    tx: &mut Conn,
    batch: &mut Batch,
    appends: &[Append],
) -> Result<Appended, StoreError> {
    let game = appends[0].game;
    if appends[0].epoch != tx.epoch() {
        return Ok(Appended::Conflict);
    }
    for (at, append) in appends.iter().enumerate() {
        if !append_one(tx, append).await? {
            // The first event was in no conflict: the caller's events contradict each other.
            return if at == 0 {
                conflict(tx, append).await
            } else {
                Err(StoreError::NotCommitted)
            };
        }
    }
    super::store_packed(batch, game, load(tx, game).await?)?;
    Ok(Appended::Accepted)
}

async fn append_one(tx: &mut Conn, append: &Append) -> Result<bool, StoreError> {
    let row = JournalRow::new(append)?;
    let query = tx.query(APPEND_ONE).bind(append.game).bind(row.seq).bind(row.side.map(side_str));
    let query = query.bind(row.cid).bind(row.payload).bind(row.at_ms).bind(SCHEMA);
    Ok(query.execute().await? == 1)
}

/// Returns the conflict of an event whose number is taken.
async fn conflict(tx: &mut Conn, append: &Append) -> Result<Appended, StoreError> {
    let log = load(tx, append.game).await?;
    Ok(log.conflict(&JournalRow::new(append)?).unwrap_or(Appended::Conflict))
}

/// Returns the whole log of a game.
async fn load(tx: &mut Conn, game: GameKey) -> Result<PackedLog, StoreError> {
    let text = select_packed(tx.query(SELECT_PACKED), game).await?;
    let mut log = packed::parse(text.as_deref())?;
    log.extend(&select_rows(tx.query(SELECT_ROWS), game).await?);
    Ok(log)
}

/// Returns the rows of a game in order; the query is that of [`SELECT_ROWS`].
pub(super) async fn select_rows(
    query: Query<'_>,
    game: GameKey,
) -> Result<Vec<JournalRow>, StoreError> {
    let rows: Vec<RawRow> = query.bind(game).fetch_all().await?;
    rows.into_iter().map(RawRow::into_journal_row).collect()
}
