//! Announcements of the number of games in which an account is to move. Caller: `changes`.

use crate::rooms::Rooms;
use crate::rooms::presence::user_event::UserEvent;
use crate::store::AccountKey;
use std::sync::Arc;
use std::time::Duration;

/// Interval of the announcements.
const TURNS_INTERVAL: Duration = Duration::from_secs(1);

/// Accounts whose numbers one statement reads.
const ACCOUNTS_AT_ONCE: usize = 500;

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
        let connected = |account: &AccountKey| self.user_hub().is_connected_here(*account);
        let accounts: Vec<AccountKey> = changed.into_iter().filter(connected).collect();
        for accounts in accounts.chunks(ACCOUNTS_AT_ONCE) {
            match self.store().count_games_to_move_of(accounts).await {
                Ok(counts) => {
                    for (account, count) in counts {
                        self.notify(account, UserEvent::GamesToMove(count));
                    }
                }
                Err(error) => {
                    tracing::error!(%error, "Failed to count games to move");
                    if error.may_pass() {
                        self.inner.turns.add(accounts.iter().copied());
                    }
                }
            }
        }
    }
}
