//! Erasure of accounts at their request or by moderators, in the background. Each step can be
//! repeated: after a failure or a restart, the erasure goes on. Spawned by [`Rooms::resume`].

use crate::play::name::ERASED_NAME_PREFIX;
use crate::rooms::{RoomError, Rooms};
use crate::store::{AccountKey, Erasure, LogPosition, NameRemoval, PublicId};
use std::collections::HashMap;
use std::time::Duration;
use tokio::time::Instant;

/// Interval at which requests are looked for.
const POLL_INTERVAL: Duration = Duration::from_secs(2);

/// Time after which an erasure is tried again that could not be completed.
const RETRY_DELAY: Duration = Duration::from_secs(10);

/// Time after which an erasure is tried again that has failed.
const FAILURE_DELAY: Duration = Duration::from_secs(600);

/// Delay after each part of the logs, in which those of games are read.
const PART_DELAY: Duration = Duration::from_millis(10);

impl Rooms {
    /// Erases accounts until the server stops.
    pub(in crate::rooms) async fn erasure_loop(self) {
        // Times of the next attempts.
        let mut waiting: HashMap<AccountKey, Instant> = HashMap::new();
        while self.sleep_unless_stopped(POLL_INTERVAL).await {
            let requests = match self.store().erasures().await {
                Ok(requests) => requests,
                Err(error) => {
                    tracing::error!(%error, "Failed to read the accounts to be erased");
                    continue;
                }
            };
            waiting.retain(|key, _| requests.iter().any(|request| request.account == *key));
            for request in requests {
                let (account, retry_at) = (request.account, waiting.get(&request.account));
                if retry_at.is_some_and(|at| *at > Instant::now()) {
                    continue;
                }
                let is_first = retry_at.is_none();
                let delay = match self.erase(request, is_first).await {
                    Ok(true) => {
                        tracing::info!("Account erased");
                        continue;
                    }
                    Ok(false) => RETRY_DELAY,
                    Err(error) => {
                        tracing::error!(%error, "Failed to erase an account");
                        FAILURE_DELAY
                    }
                };
                waiting.insert(account, Instant::now() + delay);
            }
        }
    }

    /// Erases an account as far as possible. Returns whether the erasure is complete: chat lines in
    /// games of others that are in progress wait for their ends. While they do, only the first
    /// attempt, and the one that removes the name, read all logs.
    async fn erase(&self, request: Erasure, is_first: bool) -> Result<bool, RoomError> {
        let Erasure { account, name, is_named } = request;
        if is_named {
            self.leave_all_games(account).await?;
            let number = PublicId::random().as_str().to_ascii_lowercase();
            let new_name = format!("{ERASED_NAME_PREFIX}{number}");
            if self.store().remove_name(account, new_name).await? != NameRemoval::Done {
                return Ok(false);
            }
        }
        // Lines that are packed from now on are in the logs that are read afterwards.
        let is_waiting = self.store().has_unpacked_chat(&name).await?;
        if is_waiting && !is_first && !is_named {
            return Ok(false);
        }
        let mut position = Some(LogPosition::START);
        while let Some(from) = position {
            let part = self.store().logs_of_speaker(&name, from).await?;
            for game in part.games {
                self.store().remove_chat(game, name.clone()).await?;
            }
            position = part.next;
            if !self.sleep_unless_stopped(PART_DELAY).await {
                return Ok(false);
            }
        }
        if !is_waiting {
            self.store().finish_erasure(account).await?;
        }
        Ok(!is_waiting)
    }
}
