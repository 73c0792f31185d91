//! Erasure of accounts at their request or by moderators, in the background. Each step can be
//! repeated: after a failure or a restart, the erasure goes on. Caller: [`Rooms::resume`], which
//! spawns it.

use super::renaming::RenamingRetries;
use super::retry::Retry;
use crate::play::name::ERASED_NAME_PREFIX;
use crate::rooms::{RoomError, Rooms, now_ms};
use crate::store::{AccountKey, Erasure, LogPosition, PublicId};
use std::collections::HashMap;
use std::time::Duration;

/// Interval at which requests are looked for.
const POLL_INTERVAL: Duration = Duration::from_secs(2);

/// Age of a request before it is executed, in milliseconds. Until then, the connections of the
/// account end.
const REQUEST_AGE_MS: i64 = 2_000;

/// Delay after each part of the logs, in which those of games are read.
const PART_DELAY: Duration = Duration::from_millis(10);

/// Erasure that is not complete, for example because it waits for the ends of games.
struct Attempt {
    retry: Retry,
    /// Whether all logs were read since the account has lost its name.
    has_read_logs: bool,
}

impl Rooms {
    /// Erases accounts, and replaces former names in chat lines, until the server stops.
    pub(in crate::rooms) async fn erasure_loop(self) {
        let mut attempts: HashMap<AccountKey, Attempt> = HashMap::new();
        let mut renaming_retries = RenamingRetries::new();
        while self.sleep_unless_stopped(POLL_INTERVAL).await {
            self.rename_in_chat(&mut renaming_retries).await;
            let requests = match self.store().erasures(now_ms() - REQUEST_AGE_MS).await {
                Ok(requests) => requests,
                Err(error) => {
                    tracing::error!(%error, "Failed to read the accounts to be erased");
                    continue;
                }
            };
            attempts.retain(|key, _| requests.iter().any(|request| request.account == *key));
            for request in requests {
                let attempt = attempts
                    .entry(request.account)
                    .or_insert_with(|| Attempt { retry: Retry::new(), has_read_logs: false });
                if !attempt.retry.is_due() {
                    continue;
                }
                match self.erase(&request, &mut attempt.has_read_logs).await {
                    Ok(true) => tracing::info!("Account erased"),
                    Ok(false) => attempt.retry.postpone(),
                    Err(error) => {
                        tracing::error!(%error, "Failed to erase an account");
                        attempt.retry.postpone_most();
                    }
                }
            }
        }
    }

    /// Erases an account as far as possible. Returns whether the erasure is complete: chat lines in
    /// games of others that are in progress wait for their ends, and logs that cannot be read for
    /// their repair. While the first do, the logs are read once.
    async fn erase(&self, request: &Erasure, has_read_logs: &mut bool) -> Result<bool, RoomError> {
        let Erasure { account, name, is_named } = request;
        if *is_named {
            self.leave_all_games(*account).await?;
            let number = PublicId::random().as_str().to_ascii_lowercase();
            let new_name = format!("{ERASED_NAME_PREFIX}{number}");
            if !self.store().remove_name(*account, new_name).await? {
                return Ok(false);
            }
        }
        // Lines that are packed from now on are in the logs that are read afterwards.
        let is_waiting = self.store().has_unpacked_chat(name).await?;
        if is_waiting && *has_read_logs {
            return Ok(false);
        }
        let mut is_read = true;
        for (game, side) in self.store().own_chat_logs(*account).await? {
            let removal = self.store().remove_chat(game, *account, name, Some(side));
            is_read &= self.change_log(game, removal).await?;
        }
        let mut position = Some(LogPosition::START);
        while let Some(from) = position {
            let part = self.store().logs_of_speaker(name, from).await?;
            for game in part.games {
                let removal = self.store().remove_chat(game, *account, name, None);
                is_read &= self.change_log(game, removal).await?;
            }
            position = part.next;
            if !self.sleep_unless_stopped(PART_DELAY).await {
                return Ok(false);
            }
        }
        *has_read_logs = is_read;
        let is_done = is_read && !is_waiting;
        if is_done {
            self.store().finish_erasure(*account).await?;
        }
        Ok(is_done)
    }
}
