//! Periodic work on all rooms, until the server stops. Spawned by [`Rooms::resume`].

use super::downtime;
use crate::rooms::{Rooms, now_ms};
use std::time::Duration;

/// Interval at which moderator actions are read, so that they take effect within a second.
const MOD_POLL_INTERVAL: Duration = Duration::from_millis(400);

/// Interval at which expired challenges, overdue correspondence moves and games without players are
/// looked for.
const EXPIRE_INTERVAL: Duration = Duration::from_secs(5);

impl Rooms {
    /// Reads the time periodically, so that a process stall is detected even without requests.
    pub(in crate::rooms) async fn stall_check_loop(self) {
        while self.sleep_unless_stopped(downtime::STALL_CHECK_INTERVAL).await {
            self.inner.downtime.now_ms();
        }
    }

    /// Applies moderator actions periodically.
    pub(in crate::rooms) async fn mod_action_loop(self, mut last_action: i64) {
        while self.sleep_unless_stopped(MOD_POLL_INTERVAL).await {
            last_action = self.apply_mod_actions(last_action).await;
        }
    }

    /// Expires challenges and the counts of limits, ends abandoned games, and opens the rooms of
    /// correspondence games with an overdue move.
    pub(in crate::rooms) async fn expiry_loop(self) {
        while self.sleep_unless_stopped(EXPIRE_INTERVAL).await {
            self.ready_check_limits().remove_expired(now_ms());
            self.expire_challenges().await;
            self.inner.aborts.remove_expired(now_ms());
            self.update_attendance().await;
            // The room applies the timeout when it opens.
            for id in self.active_games().overdue(now_ms()) {
                if let Err(error) = self.room(&id).await {
                    tracing::error!(game.id = %id, %error, "Failed to open an overdue game");
                }
            }
        }
    }

    /// Marks challenges past their expiry time, and announces them.
    pub(in crate::rooms) async fn expire_challenges(&self) {
        match self.store().expire_challenges(now_ms()).await {
            Ok(due) => due.into_iter().for_each(|challenge| self.announce_unavailable(challenge)),
            Err(error) => tracing::error!(%error, "Failed to expire challenges"),
        }
    }
}
