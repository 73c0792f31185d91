//! Replacement of former names in chat lines, after moderators have changed names. Each step can be
//! repeated: after a failure or a restart, it begins anew. Caller: the loop of the erasures.

use super::retry::Retry;
use crate::rooms::{Rooms, now_ms};
use crate::store::{FormerName, LogPosition, StoreError};
use std::collections::HashMap;
use std::time::Duration;

/// Delay after each part of the logs, in which those of games are read.
const PART_DELAY: Duration = Duration::from_millis(10);

/// Former names that logs still have after an attempt.
pub(super) type RenamingRetries = HashMap<String, Retry>;

impl Rooms {
    /// Replaces the former names of accounts in all chat lines. A failure is logged, and the
    /// replacement of that name repeated.
    pub(super) async fn rename_in_chat(&self, retries: &mut RenamingRetries) {
        let former_names = match self.store().former_names_in_chat(now_ms()).await {
            Ok(former_names) => former_names,
            Err(error) => {
                tracing::error!(%error, "Failed to read the former names in chat lines");
                return;
            }
        };
        retries.retain(|name, _| former_names.iter().any(|former| former.name == *name));
        for former in former_names {
            let retry = retries.entry(former.name.clone()).or_insert_with(Retry::new);
            if !retry.is_due() {
                continue;
            }
            retry.postpone();
            if let Err(error) = self.rename_in_logs(former).await {
                tracing::error!(%error, "Failed to replace a former name in chat lines");
            }
        }
    }

    /// Replaces a former name in all logs. It stays noted if a log cannot be read, or if the server
    /// stops before the end.
    async fn rename_in_logs(&self, former: FormerName) -> Result<(), StoreError> {
        let mut is_done = true;
        for game in self.store().games_with_chat_rows(&former.name).await? {
            let renaming = self.store().rename_in_chat(game, former.clone());
            is_done &= self.change_log(game, renaming).await?;
        }
        let mut position = Some(LogPosition::START);
        while let Some(from) = position {
            let part = self.store().logs_of_speaker(&former.name, from).await?;
            for game in part.games {
                let renaming = self.store().rename_in_chat(game, former.clone());
                is_done &= self.change_log(game, renaming).await?;
            }
            position = part.next;
            if !self.sleep_unless_stopped(PART_DELAY).await {
                return Ok(());
            }
        }
        if is_done {
            self.store().finish_renaming(former.name).await?;
        }
        Ok(())
    }
}
