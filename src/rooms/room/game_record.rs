//! Records of games: all moves with clock and time.
//!
//! A record is read from the log, not from the room, and can be truncated for spectators of a live
//! rated game: it then has no trace of the later moves. Callers: `api::classic` and `api::game` in
//! `http`.

use crate::play::event::InvalidLog;
use crate::play::event::LoggedEvent;
use crate::play::game::Game;
use crate::play::transcript::Transcript;
use crate::rooms::{GameSnapshot, RoomError, Rooms, now_ms};
use crate::store::GameRow;

/// Record of a game that is in progress or over.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// Properties and result of the game.
    pub row: GameRow,
    /// Position text of the start.
    pub start: String,
    /// Notations of the moves played.
    pub moves: Vec<String>,
    /// Remaining time of the player after each move, in milliseconds; `None` without a clock.
    pub clocks_ms: Vec<Option<i64>>,
    /// Time of each move, in epoch milliseconds.
    pub made_ms: Vec<i64>,
    /// Time of the last event, in epoch milliseconds.
    pub last_ms: i64,
}

impl GameRecord {
    /// Reads the log of a game. Copies the moves without replaying them.
    ///
    /// # Errors
    /// Returns an error if the log is inconsistent.
    pub fn from_log(row: GameRow, log: &[LoggedEvent]) -> Result<GameRecord, InvalidLog> {
        let setup = &row.setup;
        let Transcript { moves, clocks_ms, moved_at_ms: made_ms, last_event_ms: last_ms, .. } =
            Transcript::from_log(setup.pace, log)?;
        let start = setup.variant.start(&setup.options, setup.seed).text();
        let last_ms = last_ms.max(setup.created_ms);
        Ok(GameRecord { row, start, moves, clocks_ms, made_ms, last_ms })
    }

    /// Truncates the record to its first `plies` moves, without any trace of later ones.
    pub fn truncate(&mut self, plies: usize) {
        if plies >= self.moves.len() {
            return;
        }
        self.moves.truncate(plies);
        self.clocks_ms.truncate(plies);
        self.made_ms.truncate(plies);
        self.last_ms = self.made_ms.last().copied().unwrap_or(self.row.setup.created_ms);
    }
}

impl Rooms {
    /// Returns the record of a game from its log.
    ///
    /// # Errors
    /// Returns an error if the log cannot be read.
    pub async fn record(&self, row: GameRow) -> Result<GameRecord, RoomError> {
        let log = self.log(&row).await?;
        Ok(GameRecord::from_log(row, &log)?)
    }

    /// Returns the record of a game from its log, after replaying the log.
    ///
    /// # Errors
    /// Returns an error if the log cannot be read or contradicts the rules.
    pub async fn verified_record(&self, row: GameRow) -> Result<GameRecord, RoomError> {
        let log = self.log(&row).await?;
        let mut game = Game::new(row.setup.clone());
        for logged in &log {
            game.replay(logged)?;
        }
        Ok(GameRecord::from_log(row, &log)?)
    }

    /// Returns the snapshot of a game before its withheld moves. `visible_plies` maps the times of
    /// the moves (epoch milliseconds) to the number of moves to publish.
    ///
    /// # Errors
    /// Returns an error if the log cannot be read.
    pub async fn delayed_snapshot(
        &self,
        snapshot: GameSnapshot,
        visible_plies: impl FnOnce(&[i64]) -> usize,
    ) -> Result<GameSnapshot, RoomError> {
        let log = self.log(&snapshot.row).await?;
        let Transcript { moved_at_ms: made_ms, seqs, .. } =
            Transcript::from_log(snapshot.row.setup.pace, &log)?;
        let Some(first_withheld) = seqs.get(visible_plies(&made_ms)) else { return Ok(snapshot) };
        let mut game = Game::new(snapshot.row.setup.clone());
        for logged in log.iter().take_while(|logged| logged.seq < *first_withheld) {
            game.replay(logged)?;
        }
        Ok(GameSnapshot::new(&snapshot.row, &game, snapshot.status, now_ms()))
    }

    /// Returns the log of a game, without command ids.
    ///
    /// # Errors
    /// Returns an error if the log cannot be read.
    pub async fn log(&self, row: &GameRow) -> Result<Vec<LoggedEvent>, RoomError> {
        let events = self.store().events(row.key).await?;
        Ok(events.into_iter().map(|(logged, _)| logged).collect())
    }
}
