//! Periodic work on all rooms, until the server stops. Caller: [`Rooms::resume`], which spawns it.

use super::downtime;
use crate::rooms::{Rooms, now_ms};
use crate::store::PublicId;
use std::collections::HashSet;
use std::time::Duration;

/// Interval at which moderator actions are read, so that they take effect within a second.
const MOD_POLL_INTERVAL: Duration = Duration::from_millis(400);

/// Interval at which expired challenges, API tokens and moderator actions, weekly game nights that
/// have ended, overdue correspondence moves and games without players are looked for.
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

    /// Expires challenges, API tokens, moderator actions and the counts of limits, deletes chat
    /// lines, repeats weekly game nights, ends abandoned games, and opens the rooms of
    /// correspondence games with an overdue move.
    pub(in crate::rooms) async fn expiry_loop(self) {
        // Logged once.
        let mut broken = HashSet::new();
        while self.sleep_unless_stopped(EXPIRE_INTERVAL).await {
            self.ready_check_limits().remove_expired(now_ms());
            self.expire_challenges().await;
            self.expire_tokens().await;
            self.end_moderation().await;
            self.delete_chat_lines().await;
            self.repeat_game_nights().await;
            self.cancel_seeks_of_gone_nodes().await;
            self.inner.aborts.remove_expired(now_ms());
            self.inner.slow_mode.remove_expired(now_ms());
            self.update_attendance();
            self.end_abandoned_games(&mut broken).await;
            self.open_overdue_games(&mut broken).await;
        }
    }

    /// Removes expired API tokens, which ends their connections.
    async fn expire_tokens(&self) {
        if let Err(error) = self.store().remove_expired_tokens(now_ms()).await {
            tracing::error!(%error, "Failed to remove expired tokens");
        }
    }

    /// Ends expired mutes and closings.
    async fn end_moderation(&self) {
        if let Err(error) = self.store().end_moderation(now_ms()).await {
            tracing::error!(%error, "Failed to end moderator actions");
        }
    }

    /// Moves weekly game nights that have ended to their next start.
    async fn repeat_game_nights(&self) {
        if let Err(error) = self.store().repeat_game_nights(now_ms()).await {
            tracing::error!(%error, "Failed to move weekly game nights to their next start");
        }
    }

    /// Opens the rooms of games without a clock whose move is overdue; they apply the timeout.
    async fn open_overdue_games(&self, broken: &mut HashSet<PublicId>) {
        // Records a stall that ends now.
        let now_ms = self.inner.downtime.now_ms();
        // During an outage no move is overdue.
        if self.inner.downtime.is_stalled() {
            return;
        }
        let overdue = match self.overdue_games(now_ms).await {
            Ok(overdue) => overdue,
            Err(error) => {
                tracing::error!(%error, "Failed to look for overdue games");
                return;
            }
        };
        for id in overdue {
            if broken.contains(&id) {
                continue;
            }
            if let Err(error) = self.room(&id).await {
                tracing::error!(game.id = %id, %error, "Failed to open an overdue game");
                if error.is_invalid_log() {
                    broken.insert(id);
                }
            }
        }
    }

    /// Marks challenges past their expiry time.
    pub(in crate::rooms) async fn expire_challenges(&self) {
        if let Err(error) = self.store().expire_challenges(now_ms()).await {
            tracing::error!(%error, "Failed to expire challenges");
        }
    }
}
