//! Closed accounts, ended sessions, blocks, and moderator actions on a running server.
//!
//! A change is stored first, and then announced to the connections of the accounts. Closing an
//! account also ends its challenges and its games in progress. Callers: `api::account`,
//! `api::block`, `api::recovery` and `api::token` in `http`; `process::periodic` for moderator
//! actions.

use super::challenges::run_to_completion;
use super::presence::user_event::UserEvent;
use super::room::message::RoomMessage;
use super::{RequestError, RoomError, Rooms, now_ms};
use crate::play::command::Command;
use crate::store::{
    AccountKey, LimitError, NewSession, PublicId, RecoverError, RecoveryProof, UpgradeError,
};
use std::sync::Arc;

impl Rooms {
    /// Ends the connections of a session, or all connections of the account if `session` is `None`.
    pub fn sign_out(&self, account: AccountKey, session: Option<Vec<u8>>) {
        self.user_hub().notify(account, UserEvent::SignedOut(session.map(Arc::new)));
    }

    /// Sets a new password of an account whose password is lost, and ends all its connections.
    /// Returns the number of recovery words that are left.
    ///
    /// # Errors
    /// The proof is not valid, or the change is not stored.
    pub async fn recover(
        &self,
        account: AccountKey,
        proof: RecoveryProof,
        password: String,
        session: NewSession,
    ) -> Result<i64, RecoverError> {
        let rooms = self.clone();
        run_to_completion(async move {
            let words_left = rooms.store().recover(account, proof, password, session).await?;
            rooms.sign_out(account, None);
            Ok(words_left)
        })
        .await
    }

    /// Makes the connections of a guest that has registered reconnect as the new account.
    pub fn announce_registration(&self, account: AccountKey) {
        self.user_hub().notify(account, UserEvent::Renamed);
    }

    /// Upgrades an account to a bot account, also in its connections.
    ///
    /// # Errors
    /// Returns an error if the account has played games, or the change is not stored.
    pub async fn upgrade_to_bot(&self, account: AccountKey) -> Result<(), UpgradeError> {
        self.store().upgrade_to_bot(account).await?;
        self.user_hub().mark_as_bot(account);
        Ok(())
    }

    /// Blocks `other` for `account`. Notifies both, so that challenges between them disappear.
    ///
    /// # Errors
    /// Returns an error if the block is not stored.
    pub async fn block(&self, account: AccountKey, other: AccountKey) -> Result<(), LimitError> {
        self.store().block(account, other, now_ms()).await?;
        self.notify_blocks_changed(account, other);
        Ok(())
    }

    fn notify_blocks_changed(&self, account: AccountKey, other: AccountKey) {
        for account in [account, other] {
            self.user_hub().notify(account, UserEvent::BlocksChanged);
        }
    }

    /// Removes a block.
    ///
    /// # Errors
    /// Returns an error if the change is not stored.
    pub async fn unblock(&self, account: AccountKey, other: AccountKey) -> Result<(), RoomError> {
        self.store().unblock(account, other).await?;
        self.notify_blocks_changed(account, other);
        Ok(())
    }

    /// Closes an account: ends its sessions, cancels its challenges, and aborts or resigns its
    /// games in progress. Returns false, without a change, if the session of the request has ended.
    ///
    /// # Errors
    /// Returns an error if the change is not stored.
    pub async fn close_account(
        &self,
        account: AccountKey,
        session: Vec<u8>,
    ) -> Result<bool, RoomError> {
        if !self.store().close_account(account, session, now_ms()).await? {
            return Ok(false);
        }
        self.sign_out(account, None);
        self.leave_all_games(account).await?;
        Ok(true)
    }

    pub(super) async fn leave_all_games(&self, account: AccountKey) -> Result<(), RoomError> {
        self.end_ready_checks_of(account);
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

    /// Applies the moderator actions after number `after`, and returns the number of the last one.
    pub(super) async fn apply_mod_actions(&self, after: i64) -> i64 {
        let actions = match self.store().mod_actions(after).await {
            Ok(actions) => actions,
            Err(error) => {
                tracing::error!(%error, "Failed to read moderator actions");
                return after;
            }
        };
        let mut last = after;
        for (seq, account, action) in actions {
            last = seq;
            tracing::info!(what = action, "Moderator action received");
            if action != "close" {
                continue;
            }
            self.sign_out(account, None);
            if let Err(error) = self.leave_all_games(account).await {
                tracing::error!(%error, "Failed to end games of a closed account");
            }
        }
        last
    }
}
