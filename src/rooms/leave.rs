//! Accounts that end, by their owner or by a moderator: nobody waits for them any more.

use super::ask::{Ask, Asker};
use super::people::Word;
use super::{Error, Rooms, now_ms};
use crate::play::command::Command;
use crate::store::{AccountKey, Enough, PublicId};
use std::sync::Arc;

impl Rooms {
    /// Ends a session's connections, or all of an account's.
    pub fn sign_out(&self, account: AccountKey, session: Option<Vec<u8>>) {
        self.people().tell(account, Word::SignedOut(session.map(Arc::new)));
    }

    /// A guest has become an account: its connections come back as that one.
    pub fn renamed(&self, account: AccountKey) {
        self.people().tell(account, Word::Renamed);
    }

    /// Blocks an account for another. Both are told, so that the cards between them disappear.
    ///
    /// # Errors
    /// When it could not be stored.
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

    /// Takes a block back.
    ///
    /// # Errors
    /// When it could not be stored.
    pub async fn unblock(&self, account: AccountKey, other: AccountKey) -> Result<(), Error> {
        self.store().unblock(account, other).await?;
        self.tell_block(account, other);
        Ok(())
    }

    /// Closes an account: its challenges are withdrawn, its games in play called off or resigned,
    /// its connections end.
    ///
    /// # Errors
    /// When it could not be stored.
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
                tracing::error!(game.id = %held.row.id, %error, "a game of a closed account");
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

    /// Whether a game obeyed a command.
    async fn command(&self, id: PublicId, asker: Asker, command: Command) -> Result<bool, Error> {
        let ask = |answer| Ask::Command { asker, command, cid: None, answer };
        Ok(self.ask(&id, ask).await?.is_ok())
    }

    /// Does what moderators' deeds after that number ask of a running server; answers the last.
    pub(super) async fn follow_deeds(&self, after: i64) -> i64 {
        let deeds = match self.store().deeds(after).await {
            Ok(deeds) => deeds,
            Err(error) => {
                tracing::error!(%error, "what moderators did could not be read");
                return after;
            }
        };
        let mut last = after;
        for (seq, account, what) in deeds {
            last = seq;
            tracing::info!(what, "a moderator's deed");
            if what != "close" {
                continue;
            }
            self.sign_out(account, None);
            if let Err(error) = self.leave_all(account).await {
                tracing::error!(%error, "games of a closed account");
            }
        }
        last
    }
}
