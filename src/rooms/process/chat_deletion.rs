//! Deletion of chat lines by moderators. Callers: the moderators' page, the log of their actions,
//! and the periodic tasks, which repeat it.

use crate::rooms::{RoomError, Rooms, now_ms};
use crate::store::{ChatDeletion, Moderator, PublicId, StoreError};

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
        if done == ChatDeletion::Requested {
            self.delete_chat_lines().await;
        }
        Ok(done)
    }

    /// Deletes the texts of all chat lines whose deletion is requested. A failure is logged, and
    /// the deletion repeated.
    pub(in crate::rooms) async fn delete_chat_lines(&self) {
        let deleting = async {
            for request in self.store().chat_deletions().await? {
                self.store().delete_chat_line(request, now_ms()).await?;
            }
            Ok::<_, StoreError>(())
        };
        if let Err(error) = deleting.await {
            tracing::error!(%error, "Failed to delete chat lines");
        }
    }
}
