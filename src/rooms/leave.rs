//! Closed accounts, ended sessions, blocks, and moderator actions on a running server.

use super::ask::{Ask, Asker};
use super::people::Word;
use super::{Error, Rooms, now_ms};
use crate::play::command::Command;
use crate::store::{AccountKey, Enough, PublicId};
use std::sync::Arc;

impl Rooms {
    /// Ends the connections of a session, or all connections of the account if `session` is `None`.
    pub fn sign_out(&self, account: AccountKey, session: Option<Vec<u8>>) {
        self.people().tell(account, Word::SignedOut(session.map(Arc::new)));
    }

    /// Makes the connections of a guest that has registered reconnect as the new account.
    pub fn renamed(&self, account: AccountKey) {
        self.people().tell(account, Word::Renamed);
    }

    /// Blocks `other` for `account`. Notifies both, so that challenges between them disappear.
    ///
    /// # Errors
    /// Returns an error if the block is not stored.
    pub async fn block(
        &self,
        account: AccountKey,
        other: AccountKey,
    ) -> Result<Result<(), Enough>, Error> {
        let done = self.store().block(account, other, now_ms()).await?;
        if done.is_ok() {
            self.tell_block(account, other);
        }
        Ok(done)
    }

    fn tell_block(&self, account: AccountKey, other: AccountKey) {
        for account in [account, other] {
            self.people().tell(account, Word::Blocked);
        }
    }

    /// Removes a block.
    ///
    /// # Errors
    /// Returns an error if the change is not stored.
    pub async fn unblock(&self, account: AccountKey, other: AccountKey) -> Result<(), Error> {
        self.store().unblock(account, other).await?;
        self.tell_block(account, other);
        Ok(())
    }

    /// Closes an account: ends its sessions, cancels its challenges, and aborts or resigns its
    /// games in progress.
    ///
    /// # Errors
    /// Returns an error if the change is not stored.
    pub async fn close_account(&self, account: AccountKey) -> Result<(), Error> {
        self.store().close_account(account, now_ms()).await?;
        self.sign_out(account, None);
        self.leave_all(account).await
    }

    pub(super) async fn leave_all(&self, account: AccountKey) -> Result<(), Error> {
        self.end_rings_of(account);
        self.end_challenges_of(account).await?;
        for held in self.desk().of(account) {
            let name = held.row.players.iter().find(|player| player.account.key == account);
            let name = name.map(|player| player.account.name.clone()).unwrap_or_default();
            let asker = Asker { account, name };
            if let Err(error) = self.give_up(held.row.id, asker).await {
                tracing::error!(
                    game.id = %held.row.id, %error,
                    "Failed to end a game of a closed account"
                );
            }
        }
        Ok(())
    }

    async fn give_up(&self, id: PublicId, asker: Asker) -> Result<(), Error> {
        if !self.command(id, asker.clone(), Command::Abort).await? {
            self.command(id, asker, Command::Resign).await?;
        }
        Ok(())
    }

    /// Returns whether a command was executed.
    async fn command(&self, id: PublicId, asker: Asker, command: Command) -> Result<bool, Error> {
        let ask = |answer| Ask::Command { asker, command, cid: None, answer };
        Ok(self.ask(&id, ask).await?.is_ok())
    }

    /// Applies the moderator actions after number `after`, and returns the number of the last one.
    pub(super) async fn follow_deeds(&self, after: i64) -> i64 {
        let deeds = match self.store().deeds(after).await {
            Ok(deeds) => deeds,
            Err(error) => {
                tracing::error!(%error, "Failed to read moderator actions");
                return after;
            }
        };
        let mut last = after;
        for (seq, account, what) in deeds {
            last = seq;
            tracing::info!(what, "Moderator action received");
            if what != "close" {
                continue;
            }
            self.sign_out(account, None);
            if let Err(error) = self.leave_all(account).await {
                tracing::error!(%error, "Failed to end games of a closed account");
            }
        }
        last
    }
}
