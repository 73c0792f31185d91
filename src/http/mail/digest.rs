//! Digests of the games that wait for a player: at most one a day, to players who want it, and have
//! neither a connection nor made a request since.
//!
//! The database keeps the time of the last digest, so that a restart and other servers send none a
//! second time. Caller: `mail`.

use super::Mail;
use super::message::{MailContent, WaitingGame};
use crate::rooms::{Rooms, now_ms};
use crate::store::{AccountKey, EmailRecipient, GameInProgress, StoreError};
use std::time::Duration;

/// Longest time between two searches for players whose games wait.
const SEARCH_INTERVAL_MAX: Duration = Duration::from_secs(600);

/// Maximum of accounts that one query returns.
const ACCOUNTS_MAX: i64 = 50;

/// Delay after each query, in which other work is done.
const QUERY_DELAY: Duration = Duration::from_millis(20);

/// Task that sends the digests.
#[derive(Debug)]
pub struct Digests {
    rooms: Rooms,
    mail: Mail,
    /// Time that a game waits before it is in a digest, in milliseconds.
    delay_ms: i64,
}

impl Digests {
    pub fn new(rooms: Rooms, mail: Mail, delay_ms: i64) -> Digests {
        Digests { rooms, mail, delay_ms }
    }

    /// Sends digests until the server stops.
    pub async fn run(self) {
        let interval = SEARCH_INTERVAL_MAX.min(Duration::from_millis(self.delay_ms as u64));
        loop {
            tokio::time::sleep(interval).await;
            if let Err(error) = self.send_due().await {
                tracing::warn!(%error, "Failed to send digests by e-mail");
            }
        }
    }

    /// Sends the digests that are due.
    async fn send_due(&self) -> Result<(), StoreError> {
        let store = self.rooms.store();
        let mut after = AccountKey::NIL;
        loop {
            let now_ms = now_ms();
            let since_ms = now_ms - self.delay_ms;
            let candidates = store.digest_candidates(after, since_ms, now_ms, ACCOUNTS_MAX).await?;
            let Some(last) = candidates.last() else { return Ok(()) };
            after = last.account;
            let keys: Vec<AccountKey> = candidates.iter().map(|one| one.account).collect();
            let counts = store.count_games_to_move_of(&keys).await?;
            for recipient in candidates {
                let has_games = counts.iter().any(|(key, n)| *key == recipient.account && *n > 0);
                if has_games && !self.rooms.user_hub().is_online(recipient.account) {
                    self.send(&recipient, now_ms).await?;
                }
            }
            tokio::time::sleep(QUERY_DELAY).await;
        }
    }

    /// Sends the digest of an account, if a game has waited for long enough.
    async fn send(&self, recipient: &EmailRecipient, now_ms: i64) -> Result<(), StoreError> {
        let store = self.rooms.store();
        let mut games = store.games_in_progress(recipient.account).await?;
        games.retain(|game| game.awaits(recipient.account));
        let has_waited = |game: &GameInProgress| {
            game.last_ms.is_some_and(|last_ms| last_ms <= now_ms - self.delay_ms)
        };
        if !games.iter().any(has_waited) {
            return Ok(());
        }
        let Some(permit) = self.mail.reserve_bulk().await else { return Ok(()) };
        if !store.claim_digest(recipient.account, now_ms).await? {
            return Ok(());
        }
        let waiting = |game: &GameInProgress| {
            let left_ms = self.rooms.due_ms(game).map(|due_ms| due_ms - now_ms);
            WaitingGame::new(game, recipient.account, left_ms)
        };
        let mut waiting: Vec<WaitingGame> = games.iter().filter_map(waiting).collect();
        waiting.sort_by_key(|game| game.left_ms.unwrap_or(i64::MAX));
        self.mail.send_reserved(permit, recipient, &MailContent::Digest(waiting));
        Ok(())
    }
}
