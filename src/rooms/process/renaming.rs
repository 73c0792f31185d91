//! Replacement of former names in chat lines, after moderators have changed names. Each step can be
//! repeated: after a failure or a restart, it begins anew. Caller: the loop of the erasures.

use crate::rooms::{Rooms, now_ms};
use crate::store::{FormerName, LogPosition, StoreError};
use std::time::Duration;

/// Delay after each part of the logs, in which those of games are read.
const PART_DELAY: Duration = Duration::from_millis(10);

impl Rooms {
    /// Replaces the former names of accounts in all chat lines.
    pub(in crate::rooms) async fn rename_in_chat(&self) -> Result<(), StoreError> {
        for former in self.store().former_names_in_chat(now_ms()).await? {
            if self.rename_in_logs(&former).await? {
                self.store().finish_renaming(former.name).await?;
            }
        }
        Ok(())
    }

    /// Replaces a former name in all logs. Returns false if the server stops before the end.
    async fn rename_in_logs(&self, former: &FormerName) -> Result<bool, StoreError> {
        for game in self.store().games_with_chat_rows(&former.name).await? {
            self.store().rename_in_chat(game, former.clone()).await?;
        }
        let mut position = Some(LogPosition::START);
        while let Some(from) = position {
            let part = self.store().logs_of_speaker(&former.name, from).await?;
            for game in part.games {
                self.store().rename_in_chat(game, former.clone()).await?;
            }
            position = part.next;
            if !self.sleep_unless_stopped(PART_DELAY).await {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
