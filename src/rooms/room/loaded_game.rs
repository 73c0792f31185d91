//! Games rebuilt from their logs.

use crate::play::event::Event;
use crate::play::game::Game;
use crate::rooms::{RoomError, Rooms};
use crate::store::{EventLog, GameRow, PublicId};
use std::collections::HashMap;
use uuid::Uuid;

/// Game rebuilt from its log, with the event number of each executed command by its `cid`.
#[derive(Debug)]
pub(in crate::rooms) struct LoadedGame {
    pub(in crate::rooms) row: GameRow,
    pub(in crate::rooms) game: Game,
    pub(in crate::rooms) cids: HashMap<Uuid, i64>,
    /// Epoch of the store before the log was read.
    pub(in crate::rooms) epoch: u64,
}

impl LoadedGame {
    /// Returns a game without events, in an epoch of the store.
    pub(in crate::rooms) fn new(row: GameRow, epoch: u64) -> LoadedGame {
        LoadedGame { game: Game::new(row.setup.clone()), row, cids: HashMap::new(), epoch }
    }
}

impl Rooms {
    pub(in crate::rooms) async fn load(&self, row: GameRow) -> Result<LoadedGame, RoomError> {
        let mut loaded = LoadedGame::new(row, self.store().epoch());
        for (logged, cid) in self.read_log(&mut loaded.row).await? {
            loaded.game.replay(&logged)?;
            loaded.cids.extend(cid.map(|cid| (cid, logged.seq)));
        }
        // The rows of games that ended before endings were stored have none.
        if let Some(result) = &mut loaded.row.result {
            result.ending = result.ending.or_else(|| loaded.game.line().ending());
        }
        Ok(loaded)
    }

    pub(in crate::rooms) async fn load_by_id(
        &self,
        id: &PublicId,
    ) -> Result<LoadedGame, RoomError> {
        self.load(self.read_row(id).await?).await
    }

    pub(in crate::rooms) async fn read_row(&self, id: &PublicId) -> Result<GameRow, RoomError> {
        self.store().game(id).await?.ok_or(RoomError::GameNotFound)
    }

    /// Reads the log of a game, and the row again if the game has ended between the two reads.
    pub(in crate::rooms) async fn read_log(
        &self,
        row: &mut GameRow,
    ) -> Result<EventLog, RoomError> {
        let log = self.store().events_of(row).await?;
        let has_end = log.iter().any(|(logged, _)| matches!(logged.event, Event::Ended(_)));
        if has_end && row.result.is_none() {
            *row = self.read_row(&row.id).await?;
        }
        Ok(log)
    }
}
