//! New names that moderators give to accounts.
//!
//! The former name is stored: other accounts cannot have it for some time, and its player can log
//! in with it. Chat lines with the name get the new one in the background. Callers:
//! `rooms::process` for the chat lines, `api::moderation` and `api::login` in `http`, and `cli`.

use super::account::check_name;
use super::changes::Change;
use super::event_log::{ChatChange, change_chat, chat_rows};
use super::mod_log::{LoggedAction, Moderator, log_action};
use super::moderation::is_protected;
use super::sql::Conn;
use super::{Account, AccountKey, GameKey, RegisterError, Store, StoreError, warning};
use crate::play::clock::DAY_MS;
use crate::play::name::name_skeleton;
use std::collections::BTreeSet;
use uuid::Uuid;

/// Time for which a former name is kept, in milliseconds.
const KEPT_MS: i64 = 30 * DAY_MS;

/// Time after which all connections of the account have the new name, in milliseconds.
const SETTLED_MS: i64 = 5_000;

/// Attempts to find a free name.
const TRIES: usize = 20;

/// Former name that chat lines may have.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct FormerName {
    /// Former name.
    pub name: String,
    /// Name of the account now.
    pub new_name: String,
}

impl Store {
    /// Gives an account another name, or one of the form `player-123456` if it is `None`; logs it,
    /// and adds a warning with the new name. Returns the name, or `None` if the account is a guest,
    /// is erased, or cannot be changed by the page.
    pub async fn rename(
        &self,
        account: AccountKey,
        new_name: Option<String>,
        moderator: Moderator,
        now_ms: i64,
    ) -> Result<Option<String>, RegisterError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "SELECT key, id, name, guest, bot, level FROM account
                               WHERE key = $1 AND NOT guest AND level IS NULL
                                   AND name NOT LIKE 'deleted-%'
                                   AND NOT EXISTS (SELECT 1 FROM erasure WHERE account = $1)";
                    let query = tx.query(sql).bind(account);
                    let Some(before) = query.fetch_optional::<Account>().await? else {
                        return Ok(None);
                    };
                    if is_protected(tx, account, &moderator).await? {
                        return Ok(None);
                    }
                    let name = match new_name {
                        Some(name) => {
                            check_name(tx, &with_name(&before, name.clone()), now_ms).await?;
                            name
                        }
                        None => draw_name(tx, &before, now_ms).await?,
                    };
                    replace_name(tx, before, &name, now_ms).await?;
                    warning::insert_new_name(tx, account, name.clone(), now_ms).await?;
                    // Chat lines are hidden by the names of their writers.
                    let sql = "SELECT account FROM block WHERE other = $1";
                    for blocker in tx.query(sql).bind(account).values().await? {
                        tx.announce(Change::BlocksChanged(blocker));
                    }
                    let logged = LoggedAction::new(account, "rename");
                    log_action(tx, logged, moderator, now_ms).await?;
                    Ok(Some(name))
                })
            })
            .await
    }

    /// Returns the id of the account that had a name until not long ago.
    pub async fn id_of_former_name(
        &self,
        former_id: &str,
        now_ms: i64,
    ) -> Result<Option<String>, StoreError> {
        let sql = "SELECT account.id FROM former_name
                   JOIN account ON account.key = former_name.account
                   WHERE former_name.id = $1 AND until_ms > $2";
        Ok(self.readers.query(sql).bind(former_id).bind(now_ms).optional_value().await?)
    }

    /// Returns the stored former names of an account, the one that was replaced last first.
    pub async fn former_names(&self, account: AccountKey) -> Result<Vec<String>, StoreError> {
        let sql = "SELECT name FROM former_name WHERE account = $1 ORDER BY until_ms DESC, id";
        Ok(self.readers.query(sql).bind(account).values().await?)
    }

    /// Returns the former names that chat lines may have, some seconds after the changes.
    pub async fn former_names_in_chat(&self, now_ms: i64) -> Result<Vec<FormerName>, StoreError> {
        let sql = "SELECT former_name.name, account.name AS new_name FROM former_name
                   JOIN account ON account.key = former_name.account
                   WHERE in_chat = TRUE AND until_ms <= $1";
        let until_ms = now_ms - SETTLED_MS + KEPT_MS;
        Ok(self.readers.query(sql).bind(until_ms).fetch_all().await?)
    }

    /// Returns the games with chat lines of a name that are rows.
    pub async fn games_with_chat_rows(&self, name: &str) -> Result<Vec<GameKey>, StoreError> {
        let rows = chat_rows(&self.list_readers, name).await?;
        let games: BTreeSet<GameKey> = rows.into_iter().map(|row| row.game).collect();
        Ok(games.into_iter().collect())
    }

    /// Replaces a former name in the chat lines of a game.
    pub async fn rename_in_chat(
        &self,
        game: GameKey,
        FormerName { name, new_name }: FormerName,
    ) -> Result<(), StoreError> {
        self.writer.pack(game).await?;
        loop {
            let (name, new_name) = (name.clone(), new_name.clone());
            let renaming = self.writer.run(move |tx| {
                Box::pin(async move {
                    change_chat(tx, game, ChatChange::Rename(&name, &new_name)).await
                })
            });
            if renaming.await? {
                return Ok(());
            }
        }
    }

    /// Notes that no chat line has a former name.
    pub async fn finish_renaming(&self, name: String) -> Result<(), StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "UPDATE former_name SET in_chat = FALSE WHERE id = $1";
                    tx.query(sql).bind(name.to_ascii_lowercase()).execute().await?;
                    Ok(())
                })
            })
            .await
    }

    /// Removes the former names that are free at `now_ms`. Returns their number.
    pub async fn remove_former_names(&self, now_ms: i64) -> Result<u64, StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "DELETE FROM former_name WHERE until_ms <= $1 AND NOT in_chat";
                    Ok(tx.query(sql).bind(now_ms).execute().await?)
                })
            })
            .await
    }
}

fn with_name(account: &Account, name: String) -> Account {
    Account { id: name.to_ascii_lowercase(), name, ..account.clone() }
}

/// Returns a free name.
async fn draw_name(tx: &mut Conn, account: &Account, now_ms: i64) -> Result<String, RegisterError> {
    let mut checked = Err(RegisterError::NameTaken);
    for _ in 0..TRIES {
        let name = format!("player-{:06}", Uuid::now_v7().as_u128() % 1_000_000);
        checked = check_name(tx, &with_name(account, name.clone()), now_ms).await.map(|()| name);
        if !matches!(checked, Err(RegisterError::NameTaken | RegisterError::NameConfusable)) {
            break;
        }
    }
    checked
}

/// Changes the name of an account, and stores the former one.
async fn replace_name(
    tx: &mut Conn,
    before: Account,
    name: &str,
    now_ms: i64,
) -> Result<(), StoreError> {
    // The account has the name again, or had got one that was free again.
    let sql = "DELETE FROM former_name WHERE id IN ($1, $2)";
    tx.query(sql).bind(name.to_ascii_lowercase()).bind(&before.id).execute().await?;
    let sql = "UPDATE account SET id = $2, name = $3, skeleton = $4 WHERE key = $1";
    let query = tx.query(sql).bind(before.key).bind(name.to_ascii_lowercase()).bind(name);
    query.bind(name_skeleton(name)).execute().await?;
    let sql = "INSERT INTO former_name (id, name, skeleton, account, until_ms, in_chat)
               VALUES ($1, $2, $3, $4, $5, TRUE)";
    let query = tx.query(sql).bind(before.id).bind(&before.name).bind(name_skeleton(&before.name));
    query.bind(before.key).bind(now_ms + KEPT_MS).execute().await?;
    Ok(())
}
