//! Conditional moves of players. Callers: `api::game::conditional` in `http`, and `process`.

use super::room::message::{CommandError, RoomMessage};
use super::{RequestError, Rooms};
use crate::play::conditional::ConditionalMoves;
use crate::store::{AccountKey, PublicId, StoreError};
use tokio::sync::oneshot;

impl Rooms {
    /// Replaces the conditional moves of a player, or removes them.
    ///
    /// # Errors
    /// Returns an error if the game has gone on since the lines were checked, or if they are not
    /// stored.
    pub async fn set_conditional_moves(
        &self,
        game: &PublicId,
        account: AccountKey,
        moves: Option<ConditionalMoves>,
    ) -> Result<(), RequestError> {
        let (reply, response) = oneshot::channel();
        self.deliver(game, RoomMessage::SetConditionalMoves { account, moves, reply }).await?;
        Ok(response.await.unwrap_or(Err(CommandError::StoreFailed))?)
    }

    /// Lets the rooms make the conditional moves that a server that stopped did not make. Of
    /// several nodes, the one with the duty for a game does it.
    pub(in crate::rooms) async fn make_missed_replies(&self) -> Result<(), StoreError> {
        for game in self.store().games_awaiting_reply().await? {
            if !self.has_duty(&game) {
                continue;
            }
            if let Err(error) = self.deliver(&game, RoomMessage::MakeMissedReply).await {
                tracing::warn!(game.id = %game, %error, "Failed to look for a conditional move");
            }
        }
        Ok(())
    }
}
