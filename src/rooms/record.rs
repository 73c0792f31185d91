//! Games as records: every move with the clock after it.

use super::{Error, Rooms};
use crate::play::event::Event;
use crate::play::game::Game;
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
    /// When the last event was, in epoch milliseconds.
    pub last_ms: i64,
}

impl Rooms {
    /// The record of a game, from its log.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn record(&self, row: GameRow) -> Result<Recorded, Error> {
        let mut game = Game::new(row.setup.clone());
        let mut clocks_ms = Vec::new();
        let mut last_ms = row.setup.created_ms;
        for (logged, _) in self.store().events(row.key).await? {
            game.replay(&logged)?;
            last_ms = logged.at_ms;
            match logged.event {
                Event::Moved { .. } => {
                    let left = game.clock().zip(logged.side);
                    clocks_ms.push(left.map(|(clock, side)| clock.left_ms(side, logged.at_ms)));
                }
                Event::TakenBack { ply } => clocks_ms.truncate(ply),
                _ => {}
            }
        }
        let (start, moves) = (game.line().start().to_owned(), game.line().moves().to_vec());
        Ok(Recorded { row, start, moves, clocks_ms, last_ms })
    }
}
