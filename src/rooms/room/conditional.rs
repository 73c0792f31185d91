//! Replies that players have chosen in advance, in games with days per move. Caller: the actor of
//! the room.

use super::Room;
use super::message::CommandError;
use crate::play::command::{Command, Refusal};
use crate::play::conditional::ConditionalMoves;
use crate::store::AccountKey;
use smol_str::SmolStr;

impl Room {
    /// Replaces or removes the conditional moves of a player, unless the game has gone on since
    /// they were checked.
    pub(super) async fn set_conditional_moves(
        &mut self,
        account: AccountKey,
        moves: Option<ConditionalMoves>,
    ) -> Result<(), CommandError> {
        if !self.is_current().await {
            return Err(CommandError::StoreFailed);
        }
        let (store, game) = (self.rooms.store().clone(), self.row.key);
        let stored = match moves {
            None => store.remove_conditional_moves(game, account).await,
            Some(moves) => {
                self.check_current(&moves)?;
                store.set_conditional_moves(game, account, moves).await
            }
        };
        if let Err(error) = stored {
            tracing::error!(game.id = %self.row.id, %error, "Failed to store conditional moves");
            return Err(CommandError::StoreFailed);
        }
        // The opponent may have moved on another node before they were stored.
        if self.is_current().await {
            self.play_conditional_moves().await;
        }
        Ok(())
    }

    fn check_current(&self, moves: &ConditionalMoves) -> Result<(), Refusal> {
        let (played, takebacks) = (self.game.line().moves(), self.game.takebacks());
        if self.game.end().is_some() {
            return Err(Refusal::GameOver);
        }
        if !moves.begin_after(played, takebacks) {
            return Err(Refusal::Stale { seen: moves.ply(), played: played.len() });
        }
        Ok(())
    }

    /// Makes the conditional moves of the players until one of them has to choose a move. A draw
    /// offer waits for the player, because a move would decline it.
    pub(super) async fn play_conditional_moves(&mut self) {
        while self.game.move_deadline_ms().is_some() {
            let side = self.game.line().turn();
            if self.game.draw_offer() == Some(side.other()) {
                return;
            }
            let player = self.player_keys()[side.index()];
            let store = self.rooms.store().clone();
            let stored = match store.conditional_moves(self.row.key, player).await {
                Ok(Some(stored)) => stored,
                Ok(None) => return,
                Err(error) => {
                    // Stops the room; the next one makes the reply.
                    self.log_read_error(&error.into());
                    return;
                }
            };
            let reply = self.remaining(&stored).first().map(|moves| moves[0].clone());
            let has_reply = reply.is_some();
            if let Some(u) = reply {
                let ply = Some(self.game.line().ply());
                let command = Command::Move { u, ply, lag_ms: 0 };
                let made =
                    self.execute(None, |game, now_ms, _| game.command(side, &command, now_ms));
                // The time was over, another node has made the move, or a failure stops the room.
                if made.await.is_err() {
                    return;
                }
            }
            // Lines that the game does not follow, and those that are over.
            if self.remaining(&stored).is_empty()
                && let Err(error) = store.remove_conditional_moves(self.row.key, player).await
            {
                tracing::warn!(game.id = %self.row.id, %error, "Failed to remove old lines");
            }
            if !has_reply {
                return;
            }
        }
    }

    fn remaining<'a>(&self, moves: &'a ConditionalMoves) -> Vec<&'a [SmolStr]> {
        moves.remaining(self.game.line().moves(), self.game.takebacks())
    }
}
