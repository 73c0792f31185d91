//! Deletion of chat lines by moderators. Callers: the moderators' page, the log of their actions,
//! and the periodic tasks, which repeat it.

use crate::rooms::{RoomError, Rooms, now_ms};
use crate::store::{ChatDeletion, ChatDeletionRequest, Moderator, PublicId};

impl Rooms {
    /// Deletes the text of a chat line of a game at the request of a moderator.
    ///
    /// # Errors
    /// Returns an error if there is no such game, or if the store fails.
    pub async fn delete_chat(
        &self,
        game: &PublicId,
        seq: i64,
        moderator: Moderator,
    ) -> Result<ChatDeletion, RoomError> {
        let mut row = self.read_row(game).await?;
        let log = self.read_log(&mut row).await?;
        let store = self.store();
        let done = store.request_chat_deletion(&row, &log, seq, moderator, now_ms()).await?;
        if let ChatDeletion::Requested(request) = done {
            self.delete_chat_line(request).await;
        }
        Ok(done)
    }

    /// Deletes the texts of all chat lines whose deletion is requested.
    pub(in crate::rooms) async fn delete_chat_lines(&self) {
        match self.store().chat_deletions().await {
            Ok(requests) => {
                for request in requests {
                    self.delete_chat_line(request).await;
                }
            }
            Err(error) => tracing::error!(%error, "Failed to read the chat lines to be deleted"),
        }
    }

    /// Deletes the text of a chat line. A failure is logged, and the deletion repeated.
    async fn delete_chat_line(&self, request: ChatDeletionRequest) {
        let deletion = self.store().delete_chat_line(request, now_ms());
        if let Err(error) = self.change_log(request.game_id, deletion).await {
            tracing::error!(game = ?request.game_id, %error, "Failed to delete a chat line");
        }
    }
}
