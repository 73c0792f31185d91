//! Games in progress: of an account, due, with a clock, and without a stored state.
//!
//! All queries search partial indices of the games in progress, so that their cost depends on the
//! result alone. Callers: `rooms`, and the lists of `http`.

use super::batch::Batch;
use super::columns::parse_side;
use super::event_log::Logs;
use super::game_row::{GameRow, RawGameRow, select_games};
use super::id::key_list;
use super::row::{SqlRow, one_row};
use super::turn_state::TurnState;
use super::writer::Writer;
use super::{AccountKey, GameKey, Outage, PublicId, Store, StoreError, skip_unreadable};
use crate::rules::Side;
use serde_json::json;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use uuid::Uuid;

/// Game in progress of a player.
#[derive(Clone, Debug)]
pub struct GameInProgress {
    /// Properties of the game.
    pub row: Arc<GameRow>,
    /// Side to move; `None` with a clock.
    pub turn: Option<Side>,
    /// Deadline of the move without the outages after the last event, in epoch milliseconds.
    pub stored_due_ms: Option<i64>,
    /// Time of the last event, in epoch milliseconds; `None` with a clock.
    pub last_ms: Option<i64>,
}

impl GameInProgress {
    /// Returns whether it is an account's turn in a game without a clock against a person.
    pub fn awaits(&self, account: AccountKey) -> bool {
        !self.row.is_against_engine()
            && self.turn.is_some()
            && self.turn == self.row.side_of(account)
    }
}

/// Game whose move may be due.
#[derive(Clone, Copy, Debug)]
pub struct DueGame {
    pub id: PublicId,
    /// Deadline of the move without the outages after the last event, in epoch milliseconds.
    pub stored_due_ms: i64,
    /// Time of the last event, in epoch milliseconds.
    pub last_ms: i64,
}

/// Games in progress of an account.
#[derive(Clone, Copy, Debug)]
pub struct InProgressCounts {
    pub games: usize,
    /// Games without a clock against people in which the account is to move.
    pub to_move: usize,
    /// Any one of the games.
    pub any: Option<PublicId>,
}

#[derive(sqlx::FromRow)]
struct RawGameInProgress {
    #[sqlx(flatten)]
    game: RawGameRow,
    turn: Option<String>,
    due_ms: Option<i64>,
    last_ms: Option<i64>,
}

impl RawGameInProgress {
    fn into_game(self) -> Result<GameInProgress, StoreError> {
        let row = self.game.into_game()?;
        Ok(GameInProgress {
            turn: parse_side(self.turn.as_deref())?,
            row: Arc::new(row),
            stored_due_ms: self.due_ms,
            last_ms: self.last_ms,
        })
    }
}

/// Number of games in progress of an account, up to a maximum.
pub(super) const GAMES_IN_PROGRESS: &str = "SELECT count(*) FROM
    (SELECT 1 FROM game WHERE first = $1 AND status = 20
     UNION ALL SELECT 1 FROM game WHERE second = $1 AND status = 20
     LIMIT $2) AS part";

/// Games in progress of an account.
pub(super) const OF_ACCOUNT: &str = select_games!(
    "turn, due_ms, last_ms,",
    "LEFT JOIN turn_state ON game_id = game.key
     WHERE game.key IN (SELECT key FROM game WHERE first = $1 AND status = 20
                        UNION ALL SELECT key FROM game WHERE second = $1 AND status = 20)"
);

/// Number of games in progress of an account against the computer.
pub(super) const AGAINST_ENGINE_COUNT: &str = "SELECT count(*) FROM game
         JOIN account one ON one.key = first JOIN account two ON two.key = second
     WHERE game.key IN (SELECT key FROM game WHERE first = $1 AND status = 20
                        UNION ALL SELECT key FROM game WHERE second = $1 AND status = 20)
         AND (one.level IS NOT NULL OR two.level IS NOT NULL)";

/// Numbers of games without a clock against people in which the people in a list are to move.
pub(super) const TO_MOVE_COUNTS: &str = "SELECT player.key,
        (SELECT count(*) FROM game JOIN turn_state ON game_id = game.key
             JOIN account other ON other.key = second
         WHERE first = player.key AND status = 20 AND turn = 'first' AND other.level IS NULL)
        + (SELECT count(*) FROM game JOIN turn_state ON game_id = game.key
             JOIN account other ON other.key = first
         WHERE second = player.key AND status = 20 AND turn = 'second' AND other.level IS NULL)
    FROM account player
    WHERE player.key IN (SELECT unhex(value) FROM json_each($1)) AND player.level IS NULL";

/// Any one game in progress of an account.
pub(super) const ANY_OF_ACCOUNT: &str = "SELECT id FROM
    (SELECT id FROM game WHERE first = $1 AND status = 20
     UNION ALL SELECT id FROM game WHERE second = $1 AND status = 20
     LIMIT 1) AS part";

/// Any one game in progress of each account in a list that has one.
pub(super) const ANY_OF_ACCOUNTS: &str = "SELECT key, game_id FROM
    (SELECT key, (SELECT id FROM (SELECT id FROM game WHERE first = player.key AND status = 20
                                  UNION ALL
                                  SELECT id FROM game WHERE second = player.key AND status = 20
                                  LIMIT 1) AS part) AS game_id
     FROM account player
     WHERE player.key IN (SELECT unhex(value) FROM json_each($1))) AS found
    WHERE game_id IS NOT NULL";

/// A game in progress. The parameter is less than all keys.
pub(super) const ANY: &str = "SELECT 1 FROM game WHERE first > $1 AND status = 20 LIMIT 1";

/// Games with a clock.
pub(super) const WITH_CLOCK: &str =
    select_games!("WHERE status = 20 AND initial_ms IS NOT NULL ORDER BY game.created_ms");

/// Games without a clock in which a computer player has to act.
pub(super) const AWAITING_ENGINE: &str =
    select_games!("JOIN turn_state ON game_id = game.key WHERE awaits_engine = TRUE");

/// Games without a clock whose states are missing or old: after a crash, or of an earlier version.
pub(super) const WITHOUT_STATE: &str =
    "SELECT id FROM game WHERE key IN (SELECT game_id FROM game_without_state) AND status = 20";

/// Game without a clock and a room.
const WITHOUT_ROOM: &str = select_games!(
    "JOIN turn_state ON game_id = game.key WHERE game.key = $1 AND NOT awaits_engine"
);

/// Games without a clock that have begun recently.
pub(super) const CREATED_SINCE: &str =
    "SELECT key FROM game WHERE created_ms >= $1 AND status = 20 AND initial_ms IS NULL";

/// Games that may be overdue: the deadline has passed. If the last event precedes `$2`, the start
/// of an outage, it has also passed `$3`, the time less that outage.
pub(super) const DUE: &str = "SELECT id, due_ms, last_ms
     FROM turn_state JOIN game ON game.key = game_id
     WHERE due_ms <= $1 AND (last_ms >= $2 OR due_ms <= $3)";

/// Games that end once the player to move has left them.
pub(super) const ABANDONABLE: &str = select_games!(
    "turn, due_ms, last_ms,",
    "JOIN turn_state ON game_id = game.key WHERE last_ms <= $1 AND abandonable"
);

/// Boards of rated games without a clock.
pub(super) const RATED_BOARDS: &str = "SELECT board
    FROM turn_state JOIN game ON game.key = game_id
    WHERE board IN (SELECT CAST(value AS BIGINT) FROM json_each($1)) AND created_ms <= $2";

impl Store {
    /// Stores the states of games after all earlier events, if that is not done with each event:
    /// precedes all reads of the states.
    pub(super) async fn store_states(&self) {
        if let (Logs::Sqlite(tails), Writer::Sqlite(writer)) = (&self.logs, &self.writer)
            && tails.read().has_unstored_states()
        {
            writer.store_states().await;
        }
    }

    /// Returns the games in progress of an account, in no particular order.
    pub async fn games_in_progress(
        &self,
        account: AccountKey,
    ) -> Result<Vec<GameInProgress>, StoreError> {
        self.store_states().await;
        let rows: Vec<RawGameInProgress> =
            self.readers.query(OF_ACCOUNT).bind(account).fetch_all().await?;
        Ok(skip_unreadable(rows.into_iter().map(RawGameInProgress::into_game)))
    }

    /// Returns the number of games in progress of an account, up to a maximum.
    pub async fn count_games_in_progress(
        &self,
        account: AccountKey,
        max: i64,
    ) -> Result<i64, StoreError> {
        let query = self.readers.query(GAMES_IN_PROGRESS).bind(account).bind(max);
        Ok(query.value().await?)
    }

    /// Returns the number of games in progress of an account against the computer.
    pub async fn count_games_against_engine(
        &self,
        account: AccountKey,
    ) -> Result<usize, StoreError> {
        let count: i64 = self.readers.query(AGAINST_ENGINE_COUNT).bind(account).value().await?;
        Ok(count as usize)
    }

    /// Returns any one game in progress of each account that has one.
    pub async fn any_games_in_progress(
        &self,
        accounts: &[AccountKey],
    ) -> Result<HashMap<AccountKey, String>, StoreError> {
        let query = self.readers.query(ANY_OF_ACCOUNTS).bind(key_list(accounts));
        let games: Vec<(AccountKey, String)> = query.fetch_all().await?;
        Ok(games.into_iter().collect())
    }

    /// Returns the numbers of games in progress of an account.
    pub async fn in_progress_counts(
        &self,
        account: AccountKey,
    ) -> Result<InProgressCounts, StoreError> {
        self.store_states().await;
        let mut batch = Batch::default();
        batch.add(GAMES_IN_PROGRESS).bind(account).bind(i64::MAX);
        batch.add(TO_MOVE_COUNTS).bind(key_list(&[account])).add(ANY_OF_ACCOUNT).bind(account);
        let rows = batch.fetch(&mut self.readers.acquire().await?).await?;
        let (games,): (i64,) = one_row(&rows[0])?.decode()?;
        let to_move = rows[1].first().map(SqlRow::decode::<(AccountKey, i64)>).transpose()?;
        let to_move = to_move.map_or(0, |(_, count)| count as usize);
        let any = rows[2].first().map(SqlRow::decode::<(String,)>).transpose()?;
        let any = any.map(|(id,)| PublicId::from_row(&id)).transpose()?;
        Ok(InProgressCounts { games: games as usize, to_move, any })
    }

    /// Returns the number of games without a clock against people in which an account is to move.
    pub async fn count_games_to_move(&self, account: AccountKey) -> Result<usize, StoreError> {
        let counts = self.count_games_to_move_of(&[account]).await?;
        Ok(counts.first().map_or(0, |(_, count)| *count))
    }

    /// Returns these numbers for several people. Computer players are left out.
    pub async fn count_games_to_move_of(
        &self,
        accounts: &[AccountKey],
    ) -> Result<Vec<(AccountKey, usize)>, StoreError> {
        self.store_states().await;
        let query = self.readers.query(TO_MOVE_COUNTS).bind(key_list(accounts));
        let counts: Vec<(AccountKey, i64)> = query.fetch_all().await?;
        Ok(counts.into_iter().map(|(account, count)| (account, count as usize)).collect())
    }

    /// Returns whether any game is in progress.
    pub async fn has_games_in_progress(&self) -> Result<bool, StoreError> {
        Ok(self.readers.query(ANY).bind(Uuid::nil()).exists().await?)
    }

    /// Returns the games in progress that need a room: with a clock, or awaiting a computer player.
    pub async fn games_for_rooms(&self) -> Result<Vec<GameRow>, StoreError> {
        self.store_states().await;
        let mut games = Vec::new();
        for sql in [WITH_CLOCK, AWAITING_ENGINE] {
            let rows: Vec<RawGameRow> = self.readers.query(sql).fetch_all().await?;
            games.extend(skip_unreadable(rows.into_iter().map(RawGameRow::into_game)));
        }
        Ok(games)
    }

    /// Returns the games without a clock and a room whose last events were at or after `since_ms`,
    /// at most `limit`. They are among those that have just begun and those whose events are not
    /// packed: a game whose log was packed in between is missing.
    pub async fn recent_games_without_clock(
        &self,
        since_ms: i64,
        limit: usize,
    ) -> Result<Vec<GameRow>, StoreError> {
        self.store_states().await;
        let mut recent = self.games_with_events_since(since_ms).await?;
        let created = self.readers.query(CREATED_SINCE).bind(since_ms);
        recent.extend(created.values::<GameKey>().await?);
        let mut seen = HashSet::new();
        recent.retain(|game| seen.insert(*game));
        let mut rows: Vec<RawGameRow> = Vec::new();
        for game in recent {
            if rows.len() == limit {
                break;
            }
            rows.extend(self.readers.query(WITHOUT_ROOM).bind(game).fetch_optional().await?);
        }
        Ok(skip_unreadable(rows.into_iter().map(RawGameRow::into_game)))
    }

    /// Returns the games whose deadline is at or before `now_ms` if there was no outage but one.
    pub async fn due_games(
        &self,
        now_ms: i64,
        outage: Option<Outage>,
    ) -> Result<Vec<DueGame>, StoreError> {
        self.store_states().await;
        let (from_ms, duration_ms) =
            outage.map_or((0, 0), |outage| (outage.from_ms, outage.to_ms - outage.from_ms));
        let query = self.readers.query(DUE).bind(now_ms).bind(from_ms);
        let rows: Vec<(String, i64, i64)> = query.bind(now_ms - duration_ms).fetch_all().await?;
        let due = |(id, stored_due_ms, last_ms): (String, _, _)| {
            Ok(DueGame { id: PublicId::from_row(&id)?, stored_due_ms, last_ms })
        };
        Ok(skip_unreadable(rows.into_iter().map(due)))
    }

    /// Returns the games that end once the player to move has left them, and whose last event was
    /// at or before `last_ms`.
    pub async fn abandonable_games(&self, last_ms: i64) -> Result<Vec<GameInProgress>, StoreError> {
        self.store_states().await;
        let rows: Vec<RawGameInProgress> =
            self.readers.query(ABANDONABLE).bind(last_ms).fetch_all().await?;
        Ok(skip_unreadable(rows.into_iter().map(RawGameInProgress::into_game)))
    }

    /// Returns those of the hashes of boards that occur in rated games in progress without a clock,
    /// created at or before `created_by_ms`.
    pub async fn boards_in_rated_play(
        &self,
        hashes: impl Iterator<Item = &i64>,
        created_by_ms: i64,
    ) -> Result<Vec<i64>, StoreError> {
        self.store_states().await;
        let hashes = json!(hashes.collect::<Vec<_>>()).to_string();
        let query = self.readers.query(RATED_BOARDS).bind(hashes).bind(created_by_ms);
        Ok(query.values().await?)
    }

    /// Returns the ids of all games in progress without a clock whose states are missing or old.
    pub async fn games_without_state(&self) -> Result<Vec<PublicId>, StoreError> {
        let ids: Vec<String> = self.readers.query(WITHOUT_STATE).values().await?;
        Ok(skip_unreadable(ids.iter().map(|id| PublicId::from_row(id))))
    }

    /// Stores the states of games whose states are missing or old.
    pub async fn add_states(&self, states: Vec<(GameKey, TurnState)>) -> Result<(), StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let mut batch = Batch::default();
                    for (game, state) in &states {
                        state.add_to(&mut batch, *game);
                        batch.add("DELETE FROM game_without_state WHERE game_id = $1").bind(*game);
                    }
                    batch.execute(tx).await
                })
            })
            .await
    }
}
