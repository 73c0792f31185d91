//! Games rebuilt from their logs.

use crate::play::game::Game;
use crate::rooms::{RoomError, Rooms};
use crate::store::{GameRow, PublicId};
use std::collections::HashMap;
use uuid::Uuid;

/// Game rebuilt from its log, with the event number of each executed command by its `cid`.
#[derive(Debug)]
pub(in crate::rooms) struct LoadedGame {
    pub(in crate::rooms) row: GameRow,
    pub(in crate::rooms) game: Game,
    pub(in crate::rooms) cids: HashMap<Uuid, i64>,
}

impl LoadedGame {
    /// Returns a game without events.
    pub(in crate::rooms) fn new(row: GameRow) -> LoadedGame {
        LoadedGame { game: Game::new(row.setup.clone()), row, cids: HashMap::new() }
    }
}

impl Rooms {
    pub(in crate::rooms) async fn load(&self, row: GameRow) -> Result<LoadedGame, RoomError> {
        let mut loaded = LoadedGame::new(row);
        for (logged, cid) in self.store().events_of(&loaded.row).await? {
            loaded.game.replay(&logged)?;
            loaded.cids.extend(cid.map(|cid| (cid, logged.seq)));
        }
        if loaded.game.end().is_some() && loaded.row.result.is_none() {
            // The game has ended between the reads of its row and of its log.
            let row = self.store().game(&loaded.row.id).await?;
            loaded.row = row.ok_or(RoomError::GameNotFound)?;
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
        let row = self.store().game(id).await?.ok_or(RoomError::GameNotFound)?;
        self.load(row).await
    }
}
