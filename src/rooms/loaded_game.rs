//! Games rebuilt from their logs.

use super::{RoomError, Rooms};
use crate::play::game::Game;
use crate::store::{GameRow, PublicId};
use std::collections::HashMap;
use uuid::Uuid;

/// Game rebuilt from its log, with the event number of each executed command by its `cid`.
#[derive(Debug)]
pub(super) struct LoadedGame {
    pub(super) row: GameRow,
    pub(super) game: Game,
    pub(super) cids: HashMap<Uuid, i64>,
}

impl LoadedGame {
    /// Returns a game without events.
    pub(super) fn new(row: GameRow) -> LoadedGame {
        LoadedGame { game: Game::new(row.setup.clone()), row, cids: HashMap::new() }
    }
}

impl Rooms {
    pub(super) async fn load(&self, row: GameRow) -> Result<LoadedGame, RoomError> {
        let mut loaded = LoadedGame::new(row);
        for (logged, cid) in self.store().events(loaded.row.key).await? {
            loaded.game.replay(&logged)?;
            loaded.cids.extend(cid.map(|cid| (cid, logged.seq)));
        }
        // The rows of games that ended before endings were stored have none.
        if let Some(result) = &mut loaded.row.result {
            result.ending = result.ending.or_else(|| loaded.game.line().ending());
        }
        Ok(loaded)
    }

    pub(super) async fn load_by_id(&self, id: &PublicId) -> Result<LoadedGame, RoomError> {
        let row = self.store().game(id).await?.ok_or(RoomError::GameNotFound)?;
        self.load(row).await
    }
}
