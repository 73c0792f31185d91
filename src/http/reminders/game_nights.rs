//! Push messages at the start of game nights. They also go to players on a page of the site, whose
//! browsers show them there, too. Caller: the parent module.

use crate::http::push::Push;
use crate::http::push::notice::{Notice, NoticeKind};
use crate::rooms::{Rooms, now_ms};
use crate::store::{AccountKey, GameNight, StartRecipient, StoreError};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// Longest interval between two searches.
const INTERVAL_MAX: Duration = Duration::from_secs(5);

/// Maximum of accounts that one query returns.
const RECIPIENTS_MAX: i64 = 100;

/// Task that announces the starts of game nights.
#[derive(Debug)]
pub(super) struct GameNightTask {
    pub(super) rooms: Rooms,
    pub(super) push: Push,
    /// Ends the task between two messages: claimed messages are handed over.
    pub(super) stop: CancellationToken,
}

impl GameNightTask {
    /// Announces starts until the server stops.
    pub(super) async fn run(self, interval: Duration) {
        let interval = interval.min(INTERVAL_MAX);
        while self.stop.run_until_cancelled(tokio::time::sleep(interval)).await.is_some() {
            if let Err(error) = self.announce_due().await {
                tracing::warn!(%error, "Failed to search the game nights that begin");
            }
        }
        // The claimed messages are not sent after a restart.
        self.push.finish_bulk().await;
    }

    async fn announce_due(&self) -> Result<(), StoreError> {
        for night in self.rooms.store().running_game_nights(now_ms()).await? {
            self.announce(&night).await?;
        }
        Ok(())
    }

    /// Announces a start to all accounts to which it was not announced.
    async fn announce(&self, night: &GameNight) -> Result<(), StoreError> {
        let mut after = StartRecipient::BEFORE_ALL;
        loop {
            let store = self.rooms.store();
            let recipients = store.start_recipients(night, after, RECIPIENTS_MAX).await?;
            let Some(last) = recipients.last() else { return Ok(()) };
            after = *last;
            for recipient in recipients {
                if self.stop.is_cancelled() || night.ends_ms() <= now_ms() {
                    return Ok(());
                }
                // A failure for one account delays no message to others.
                if let Err(error) = self.announce_to(recipient.account, night).await {
                    tracing::warn!(%error, "Failed to announce a game night; trying again later");
                }
            }
        }
    }

    /// Announces a start to an account once, also if the account has no browser for it.
    async fn announce_to(&self, account: AccountKey, night: &GameNight) -> Result<(), StoreError> {
        let permit = self.stop.run_until_cancelled(self.push.reserve_bulk()).await.flatten();
        let Some(permit) = permit else { return Ok(()) };
        // The subscriptions are read before the claim: a failure after it would lose the message.
        let subscriptions = self.push.subscriptions(account, NoticeKind::EventStart).await?;
        if !self.rooms.store().claim_start_announcement(night, account).await? {
            return Ok(());
        }
        if let Some(variant) = night.known_variant() {
            let (event, ends_ms) = (night.seq, night.ends_ms());
            let notice = Notice::EventStart { event, variant: variant.info.names, ends_ms };
            self.push.send_reserved(permit, account, subscriptions, &notice);
        }
        Ok(())
    }
}
