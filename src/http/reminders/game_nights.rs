//! Push messages at the start of game nights. They also go to players on a page of the site, whose
//! browsers show them only while no page of it has the focus. Caller: the parent module.

use crate::http::push::Push;
use crate::http::push::notice::{Notice, NoticeKind};
use crate::rooms::{Rooms, now_ms};
use crate::store::{StartAnnouncement, StoreError};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// Longest interval between two searches.
const INTERVAL_MAX: Duration = Duration::from_secs(5);

/// Maximum of announcements that one query returns.
const ANNOUNCEMENTS_MAX: i64 = 100;

/// Task that announces the starts of game nights.
#[derive(Debug)]
pub(super) struct GameNightTask {
    pub(super) rooms: Rooms,
    pub(super) push: Push,
    /// Ends the task between two messages: what is claimed is handed over.
    pub(super) stop: CancellationToken,
}

impl GameNightTask {
    /// Announces starts until the server stops.
    pub(super) async fn run(self, interval: Duration) {
        let interval = interval.min(INTERVAL_MAX);
        while self.stop.run_until_cancelled(tokio::time::sleep(interval)).await.is_some() {
            if let Err(error) = self.announce_due().await {
                tracing::warn!(%error, "Failed to announce a game night; trying again later");
            }
        }
        // The claimed messages are not sent after a restart.
        self.push.finish_bulk().await;
    }

    async fn announce_due(&self) -> Result<(), StoreError> {
        loop {
            let due = self.rooms.store().start_announcements(now_ms(), ANNOUNCEMENTS_MAX).await?;
            if due.is_empty() {
                return Ok(());
            }
            for announcement in due {
                if self.stop.is_cancelled() {
                    return Ok(());
                }
                self.announce(&announcement).await?;
            }
        }
    }

    /// Announces a start to an account once, also if the account has no browser for it.
    async fn announce(&self, announcement: &StartAnnouncement) -> Result<(), StoreError> {
        let StartAnnouncement { night, account } = announcement;
        let permit = self.stop.run_until_cancelled(self.push.reserve_bulk()).await.flatten();
        let Some(permit) = permit else { return Ok(()) };
        // The subscriptions are read before the claim: a failure after it would lose the message.
        let subscriptions = self.push.subscriptions(*account, NoticeKind::EventStart).await?;
        if !self.rooms.store().claim_start_announcement(announcement).await? {
            return Ok(());
        }
        if let Some(variant) = night.known_variant() {
            let (event, ends_ms) = (night.seq, night.ends_ms());
            let notice = Notice::EventStart { event, variant: variant.info.names, ends_ms };
            self.push.send_reserved(permit, *account, subscriptions, &notice);
        }
        Ok(())
    }
}
