//! Announcements of the number of games in which an account is to move. Caller: `changes`.

use crate::rooms::Rooms;
use crate::rooms::presence::user_event::UserEvent;
use std::sync::Arc;
use std::time::Duration;

/// Interval of the announcements.
const TURNS_INTERVAL: Duration = Duration::from_secs(1);

impl Rooms {
    /// Announces changed numbers from now on, until the rooms are stopped or dropped.
    pub(super) fn follow_turns(&self) {
        let (inner, stop) = (Arc::downgrade(&self.inner), self.inner.stop.clone());
        tokio::spawn(async move {
            loop {
                tokio::select! {
                    () = tokio::time::sleep(TURNS_INTERVAL) => {}
                    () = stop.cancelled() => return,
                }
                let Some(inner) = inner.upgrade() else { return };
                Rooms { inner }.announce_turns().await;
            }
        });
    }

    async fn announce_turns(&self) {
        let changed = self.inner.turns.take();
        for account in
            changed.into_iter().filter(|account| self.user_hub().is_connected_here(*account))
        {
            match self.store().count_games_to_move(account).await {
                Ok(count) => self.notify(account, UserEvent::GamesToMove(count)),
                Err(error) => {
                    tracing::error!(%error, "Failed to count games to move");
                    if error.may_pass() {
                        self.inner.turns.add([account]);
                    }
                }
            }
        }
    }
}
