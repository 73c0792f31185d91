//! Closed accounts, and moderator actions on a running server.
//!
//! Closing an account also ends its challenges and its games in progress. Callers: `api::account`
//! in `http`, the start, and `process::periodic` for moderator actions.

use super::room::message::RoomMessage;
use super::{RequestError, RoomError, Rooms, now_ms};
use crate::play::command::Command;
use crate::store::{AccountEnd, AccountKey, ModLogEntry, PublicId};

impl Rooms {
    /// Closes an account: ends its sessions, cancels its challenges, and aborts or resigns its
    /// games in progress; its erasure follows in the background. Returns false, without a change,
    /// if the session of the request has ended.
    ///
    /// # Errors
    /// Returns an error if the change is not stored.
    pub async fn close_account(
        &self,
        account: AccountKey,
        session: Vec<u8>,
        end: AccountEnd,
    ) -> Result<bool, RoomError> {
        if !self.store().close_account(account, session, end, now_ms()).await? {
            return Ok(false);
        }
        self.leave_all_games(account).await?;
        Ok(true)
    }

    pub(super) async fn leave_all_games(&self, account: AccountKey) -> Result<(), RoomError> {
        self.end_ready_checks_of(account).await;
        self.end_challenges_of(account).await?;
        for game in self.store().games_in_progress(account).await? {
            if let Err(error) = self.abort_or_resign(game.row.id, account).await {
                tracing::error!(
                    game.id = %game.row.id, %error,
                    "Failed to end a game of a closed account"
                );
            }
        }
        Ok(())
    }

    async fn abort_or_resign(&self, id: PublicId, account: AccountKey) -> Result<(), RoomError> {
        if !self.execute(id, account, Command::Abort).await? {
            self.execute(id, account, Command::Resign).await?;
        }
        Ok(())
    }

    /// Returns whether a command was executed.
    async fn execute(
        &self,
        id: PublicId,
        account: AccountKey,
        command: Command,
    ) -> Result<bool, RoomError> {
        let message = |reply| RoomMessage::Command { account, command, cid: None, reply };
        match self.request(&id, message).await {
            Ok(_) => Ok(true),
            Err(RequestError::Command(_)) => Ok(false),
            Err(RequestError::Room(error)) => Err(error),
        }
    }

    /// Applies the moderator actions after number `after`, and returns the number of the last one
    /// that was applied.
    pub(super) async fn apply_mod_actions(&self, after: i64) -> i64 {
        let actions = match self.store().mod_actions(after).await {
            Ok(actions) => actions,
            Err(error) => {
                tracing::error!(%error, "Failed to read moderator actions");
                return after;
            }
        };
        let mut last = after;
        // A void has an entry for each player.
        let mut voided = None;
        for entry in actions {
            let is_repeated = entry.action == "void-game" && entry.game == voided;
            if !is_repeated && let Err(error) = self.apply_mod_action(&entry).await {
                tracing::error!(
                    what = entry.action,
                    %error,
                    "Failed to apply a moderator action; it is tried again"
                );
                return last;
            }
            last = entry.seq;
            log_mod_action(&entry);
            if entry.action == "void-game" {
                voided = entry.game;
            }
        }
        last
    }

    /// Applies a moderator action. The subcommand that has stored it may run in another process.
    async fn apply_mod_action(&self, entry: &ModLogEntry) -> Result<(), RoomError> {
        match (entry.action.as_str(), entry.account) {
            ("delete-chat", _) => self.delete_chat_lines().await,
            ("void-game", _) => {
                let game = entry.game.as_deref().map(str::parse);
                if let Some(Ok(game)) = game {
                    self.announce_void(&game).await?;
                }
            }
            ("slow-mode-on" | "slow-mode-off", _) => self.read_slow_mode().await?,
            ("warn", Some(account)) => self.announce_warning(account),
            ("rename", Some(account)) => self.announce_name(account),
            ("close" | "erase", Some(account)) => {
                self.announce_sign_out(account, None);
                self.leave_all_games(account).await?;
            }
            _ => {}
        }
        Ok(())
    }
}

fn log_mod_action(entry: &ModLogEntry) {
    let ModLogEntry { about, action, report, game, ban, until_ms, moderator, reason, .. } = entry;
    if action == "erase" {
        // The log of the server would keep the name.
        tracing::info!(what = action, moderator, "Moderator action received");
        return;
    }
    tracing::info!(
        what = action,
        about,
        report,
        game,
        ban,
        until_ms,
        moderator,
        reason,
        "Moderator action received"
    );
}
