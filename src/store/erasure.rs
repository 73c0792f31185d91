//! Erasure of an account: its name, secrets, texts and chat lines go, its games stay.
//!
//! The request is a row, so that a restart continues what it has begun. First the account loses its
//! name and everything that refers to a person, then the packed logs lose its chat lines. Lines in
//! games in progress are removed after the games: until then the row keeps the name, which nobody
//! else can have. Callers: `rooms::process::erasure`, `account` and `moderation`.

use super::changes::Change;
use super::event_log::{self, ChatRow, LogPosition, SpeakerLogs};
use super::game_night::REMOVE_INTEREST;
use super::sql::Conn;
use super::{AccountKey, GameKey, Store, StoreError, login_code, recovery, session};
use crate::play::name::name_skeleton;
use crate::rules::Side;

/// Statements that remove the data of an account beside its own row and its credentials.
const DELETIONS: [&str; 24] = [
    "DELETE FROM block WHERE account = $1",
    "DELETE FROM block WHERE other = $1",
    "DELETE FROM follow WHERE account = $1",
    "DELETE FROM follow WHERE other = $1",
    "DELETE FROM game_note WHERE account = $1",
    "DELETE FROM conditional_moves WHERE account = $1",
    "DELETE FROM challenge_settings WHERE account = $1",
    REMOVE_INTEREST,
    "DELETE FROM hidden_presence WHERE account = $1",
    "DELETE FROM login_failure WHERE account = $1",
    "DELETE FROM push_kinds WHERE account = $1",
    "DELETE FROM reminder_times WHERE account = $1",
    "DELETE FROM vacation WHERE account = $1",
    "DELETE FROM warning WHERE account = $1",
    "DELETE FROM appeal WHERE account = $1",
    "DELETE FROM suspicion WHERE account = $1",
    "DELETE FROM suspicion WHERE other = $1",
    "DELETE FROM former_name WHERE account = $1",
    "UPDATE ban SET account = NULL WHERE account = $1",
    "UPDATE report SET text = '' WHERE reporter = $1",
    "UPDATE report SET text = '' WHERE about = $1",
    "UPDATE deed SET reason = '' WHERE account = $1",
    // The void of a game has an entry for each player, with the same reason.
    "UPDATE deed SET reason = '' WHERE seq IN
         (SELECT other.seq FROM deed AS own JOIN game ON game.id = own.game
          JOIN deed AS other ON other.account IN (game.first, game.second)
          WHERE own.account = $1 AND own.what = 'void-game' AND other.game = own.game)",
    "UPDATE deed SET moderator = '' WHERE moderator_account = $1",
];

/// Account that is to be erased.
#[derive(Clone, PartialEq, Eq, Debug, sqlx::FromRow)]
pub struct Erasure {
    pub account: AccountKey,
    /// Name that the account had at the request.
    pub name: String,
    /// Whether the account has this name.
    pub is_named: bool,
}

impl Store {
    /// Returns the accounts whose erasure was requested until `until_ms` and is not complete.
    pub async fn erasures(&self, until_ms: i64) -> Result<Vec<Erasure>, StoreError> {
        let sql = "SELECT account, name,
                       name = (SELECT name FROM account WHERE key = erasure.account) AS is_named
                   FROM erasure WHERE asked_ms <= $1 ORDER BY asked_ms";
        Ok(self.readers.query(sql).bind(until_ms).fetch_all().await?)
    }

    /// Replaces the name of an account, and removes everything that refers to a person, but for
    /// chat lines. Returns false, without a change, while the account has games in progress, while
    /// chat lines have a former name of it, if another account has the new name, or if another
    /// server has removed the name.
    pub async fn remove_name(
        &self,
        account: AccountKey,
        new_name: String,
    ) -> Result<bool, StoreError> {
        self.writer
            .run(move |tx| Box::pin(async move { remove_name(tx, account, &new_name).await }))
            .await
    }

    /// Returns the games with chat lines of a name in the next part of the packed logs.
    pub async fn logs_of_speaker(
        &self,
        name: &str,
        from: LogPosition,
    ) -> Result<SpeakerLogs, StoreError> {
        event_log::logs_of_speaker(&self.list_readers, name, from).await
    }

    /// Returns the games of an account with chat in their packed logs, with its sides.
    pub async fn own_chat_logs(
        &self,
        account: AccountKey,
    ) -> Result<Vec<(GameKey, Side)>, StoreError> {
        event_log::own_logs(&self.list_readers, account).await
    }

    /// Removes the chat lines of an account that is to be erased from the packed log of a game: the
    /// lines with its name and, if it has a side, those of the side.
    pub async fn remove_chat(
        &self,
        game: GameKey,
        account: AccountKey,
        name: &str,
        side: Option<Side>,
    ) -> Result<(), StoreError> {
        loop {
            let name = name.to_owned();
            let removal = self.writer.run(move |tx| {
                Box::pin(
                    async move { event_log::remove_chat(tx, game, account, (&name, side)).await },
                )
            });
            if removal.await? {
                return Ok(());
            }
        }
    }

    /// Deletes the rows with chat lines of a name of which packed logs have copies, and returns
    /// whether there are others.
    pub async fn has_unpacked_chat(&self, name: &str) -> Result<bool, StoreError> {
        let rows = event_log::chat_rows(&self.list_readers, name).await?;
        let (packed, unpacked): (Vec<ChatRow>, Vec<ChatRow>) =
            rows.into_iter().partition(|row| row.is_packed);
        for row in packed {
            self.writer
                .run(move |tx| Box::pin(async move { event_log::delete_chat_row(tx, row).await }))
                .await?;
        }
        Ok(!unpacked.is_empty())
    }

    /// Ends the erasure of an account.
    pub async fn finish_erasure(&self, account: AccountKey) -> Result<(), StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "DELETE FROM erasure WHERE account = $1";
                    tx.query(sql).bind(account).execute().await?;
                    Ok(())
                })
            })
            .await
    }
}

/// Adds the request to erase an account.
pub(super) async fn insert_request(
    tx: &mut Conn,
    account: AccountKey,
    now_ms: i64,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO erasure (account, name, asked_ms)
               SELECT key, name, $2 FROM account WHERE key = $1 ON CONFLICT DO NOTHING";
    tx.query(sql).bind(account).bind(now_ms).execute().await?;
    Ok(())
}

async fn remove_name(
    tx: &mut Conn,
    account: AccountKey,
    new_name: &str,
) -> Result<bool, StoreError> {
    let sql = "SELECT 1 FROM game WHERE first = $1 AND status = 20
               UNION ALL SELECT 1 FROM game WHERE second = $1 AND status = 20 LIMIT 1";
    if tx.query(sql).bind(account).exists().await? {
        return Ok(false);
    }
    let sql = "UPDATE account SET id = $2, name = $2, bio = '', location = '', admin = FALSE,
                   unmute_ms = NULL,
                   skeleton = CASE WHEN guest THEN NULL ELSE $3 END,
                   password = CASE WHEN guest THEN NULL ELSE '' END
               WHERE key = $1
                   AND name = (SELECT name FROM erasure WHERE erasure.account = $1)
                   AND NOT EXISTS (SELECT 1 FROM account WHERE id = $2 OR skeleton = $3)
                   AND NOT EXISTS (SELECT 1 FROM former_name WHERE account = $1 AND in_chat)";
    let skeleton = name_skeleton(new_name);
    if tx.query(sql).bind(account).bind(new_name).bind(skeleton).execute().await? != 1 {
        return Ok(false);
    }
    let sql = "SELECT other FROM block WHERE account = $1
               UNION SELECT account FROM block WHERE other = $1";
    for other in tx.query(sql).bind(account).values().await? {
        tx.announce(Change::BlocksChanged(other));
    }
    for sql in DELETIONS {
        tx.query(sql).bind(account).execute().await?;
    }
    recovery::delete_recovery(tx, account).await?;
    login_code::delete_second_factors(tx, account).await?;
    session::delete_credentials(tx, account).await?;
    tx.announce(Change::Renamed(account));
    Ok(true)
}
