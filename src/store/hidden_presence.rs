//! Accounts that hide from others whether they are online: rows of `hidden_presence`. Callers:
//! `rooms`, which keeps all of them in memory, and `api::presence` in `http`.

use super::changes::Change;
use super::{AccountKey, Store, StoreError};
use std::collections::HashSet;

const HIDE: &str = "INSERT INTO hidden_presence (account) VALUES ($1) ON CONFLICT DO NOTHING";
const SHOW: &str = "DELETE FROM hidden_presence WHERE account = $1";

impl Store {
    /// Returns all accounts that hide their presence.
    pub async fn hidden_presences(&self) -> Result<HashSet<AccountKey>, StoreError> {
        let sql = "SELECT account FROM hidden_presence WHERE account > $1";
        let accounts: Vec<AccountKey> =
            self.readers.query(sql).bind(AccountKey::NIL).values().await?;
        Ok(accounts.into_iter().collect())
    }

    /// Returns whether an account hides its presence.
    pub async fn hides_presence(&self, account: AccountKey) -> Result<bool, StoreError> {
        let sql = "SELECT 1 FROM hidden_presence WHERE account = $1";
        Ok(self.readers.query(sql).bind(account).exists().await?)
    }

    /// Hides or shows the presence of an account.
    pub async fn set_presence_hidden(
        &self,
        account: AccountKey,
        is_hidden: bool,
    ) -> Result<(), StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = if is_hidden { HIDE } else { SHOW };
                    if tx.query(sql).bind(account).execute().await? == 1 {
                        tx.announce(Change::PresenceHidden(account));
                    }
                    Ok(())
                })
            })
            .await
    }
}
