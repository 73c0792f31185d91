//! Games as records: every move with the clock after it.

use super::{Error, Rooms, Shown, now_ms};
use crate::play::event::Logged;
use crate::play::game::{BadLog, Game};
use crate::play::transcript::Transcript;
use crate::store::GameRow;

/// A game's moves, in play or over.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// What it was made of, and its result.
    pub row: GameRow,
    /// The position text at the start.
    pub start: String,
    /// The notations played.
    pub moves: Vec<String>,
    /// What the mover had left after each, in milliseconds; none without a clock.
    pub clocks_ms: Vec<Option<i64>>,
    /// When each move was made, in epoch milliseconds.
    pub made_ms: Vec<i64>,
    /// When the last event was, in epoch milliseconds.
    pub last_ms: i64,
}

impl Recorded {
    /// Reads the log of a game. Moves are copied, not played again.
    ///
    /// # Errors
    /// When the log is not that of a game.
    pub fn read(row: GameRow, log: &[Logged]) -> Result<Recorded, BadLog> {
        let setup = &row.setup;
        let Transcript { moves, clocks_ms, made_ms, last_ms, .. } =
            Transcript::read(setup.pace, log)?;
        let start = setup.variant.start(&setup.options, setup.seed).text();
        let last_ms = last_ms.max(setup.created_ms);
        Ok(Recorded { row, start, moves, clocks_ms, made_ms, last_ms })
    }

    /// Keeps the first `plies` moves, and nothing that tells of a later one.
    pub fn hold_back(&mut self, plies: usize) {
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
    /// The record of a game, from its log.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn record(&self, row: GameRow) -> Result<Recorded, Error> {
        let log = self.log(&row).await?;
        Ok(Recorded::read(row, &log)?)
    }

    /// What there was to see of a game before the moves that are held back. `told_plies` says how many
    /// moves are told, from the times at which they were made.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub async fn look_back(
        &self,
        shown: Shown,
        told_plies: impl FnOnce(&[i64]) -> usize,
    ) -> Result<Shown, Error> {
        let log = self.log(&shown.row).await?;
        let Transcript { made_ms, seqs, .. } = Transcript::read(shown.row.setup.pace, &log)?;
        let Some(held) = seqs.get(told_plies(&made_ms)) else { return Ok(shown) };
        let mut game = Game::new(shown.row.setup.clone());
        for logged in log.iter().take_while(|logged| logged.seq < *held) {
            game.replay(logged)?;
        }
        Ok(Shown::of(&shown.row, &game, shown.told, now_ms()))
    }

    /// The log of a game, without the commands that caused its events.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn log(&self, row: &GameRow) -> Result<Vec<Logged>, Error> {
        let events = self.store().events(row.key).await?;
        Ok(events.into_iter().map(|(logged, _)| logged).collect())
    }
}
