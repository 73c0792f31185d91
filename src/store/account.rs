//! Accounts: guests, registration, passwords, bot upgrades and closing.
//!
//! Names are unique by id and by skeleton, so that no two registered accounts look alike.
//! Callers: account and log-in routes in `http`.

use super::batch::one_row;
use super::session::{self, NewSession};
use super::{AccountKey, Store, StoreError, rating, recovery};
use crate::play::name::name_skeleton;
use sqlx::sqlite::SqliteRow;
use sqlx::{FromRow, SqliteConnection};

/// Guest or registered account.
#[derive(Clone, PartialEq, Eq, Debug, FromRow)]
pub struct Account {
    /// Primary key.
    pub key: AccountKey,
    /// Unique id: the name in lower case.
    pub id: String,
    /// Display name.
    pub name: String,
    /// Whether the account is a guest, which has no password.
    pub guest: bool,
    /// Whether it is a bot account: a program plays its games.
    pub bot: bool,
    /// Level of the server's own computer player; `None` for all other accounts.
    pub level: Option<u8>,
}

/// Reason why an account was not created.
#[derive(Debug, thiserror::Error)]
pub enum RegisterError {
    /// An account has this name.
    #[error("name taken")]
    NameTaken,
    /// An account has a name that looks alike (Unicode confusables).
    #[error("name confusable")]
    NameConfusable,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Reason why an account was not upgraded to a bot account.
#[derive(Debug, thiserror::Error)]
pub enum UpgradeError {
    /// The account has played games.
    #[error("the account has played games")]
    HasGames,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Query of an account.
pub(super) const ACCOUNT: &str =
    "SELECT key, id, name, guest, bot, level FROM account WHERE key = ?";

impl Account {
    /// Returns the account in the row of [`ACCOUNT`].
    pub(super) fn from_rows(rows: &[SqliteRow]) -> Result<Account, StoreError> {
        Ok(Account::from_row(one_row(rows)?)?)
    }
}

impl Store {
    /// Creates a guest account with a session.
    pub async fn add_guest(
        &self,
        (id, name): (String, String),
        session: NewSession,
    ) -> Result<Account, RegisterError> {
        let account =
            Account { key: AccountKey::new(), id, name, guest: true, bot: false, level: None };
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    if !insert(tx, &account, None, session.now_ms).await? {
                        return Err(RegisterError::NameTaken);
                    }
                    session::insert_session(tx, &session, account.key).await?;
                    Ok(account)
                })
            })
            .await
    }

    /// Creates an account with a password, or upgrades a guest, who keeps games and challenges.
    /// Opens a new session and ends all others.
    pub async fn register(
        &self,
        guest: Option<AccountKey>,
        (id, name): (String, String),
        password: String,
        session: NewSession,
    ) -> Result<Account, RegisterError> {
        let key = guest.unwrap_or_else(AccountKey::new);
        let account = Account { key, id, name, guest: false, bot: false, level: None };
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    check_name(tx, &account).await?;
                    let done = match guest {
                        None => insert(tx, &account, Some(&password), session.now_ms).await?,
                        Some(_) => upgrade_guest(tx, &account, &password).await?,
                    };
                    if !done {
                        return Err(RegisterError::NameTaken);
                    }
                    session::delete_credentials(tx, account.key).await?;
                    session::insert_session(tx, &session, account.key).await?;
                    Ok(account)
                })
            })
            .await
    }

    /// Returns an account that can log in, with its password hash. Closed accounts are not found.
    pub async fn credentials(&self, id: &str) -> Result<Option<(Account, String)>, StoreError> {
        #[derive(sqlx::FromRow)]
        struct Row {
            #[sqlx(flatten)]
            account: Account,
            password: String,
        }
        let sql = "SELECT key, id, name, guest, bot, level, password FROM account
                   WHERE id = ? AND guest = 0 AND level IS NULL AND closed_ms IS NULL";
        let row: Option<Row> = sqlx::query_as(sql).bind(id).fetch_optional(&self.readers).await?;
        Ok(row.map(|row| (row.account, row.password)))
    }

    /// Returns the account with this id, unless it is closed.
    pub async fn account(&self, id: &str) -> Result<Option<Account>, StoreError> {
        let sql = "SELECT key, id, name, guest, bot, level FROM account
                   WHERE id = ? AND closed_ms IS NULL";
        Ok(sqlx::query_as(sql).bind(id).fetch_optional(&self.readers).await?)
    }

    /// Sets the password and ends all sessions except the one whose token has the hash
    /// `current_session`, the recovery words and the reset link. Returns false, without a change,
    /// if that session has ended.
    pub async fn set_password(
        &self,
        account: AccountKey,
        password: String,
        current_session: Vec<u8>,
    ) -> Result<bool, StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    if !session::has_session(tx, account, &current_session).await? {
                        return Ok(false);
                    }
                    let sql = "UPDATE account SET password = ? WHERE key = ? AND guest = 0";
                    sqlx::query(sql).bind(password).bind(account).execute(&mut *tx).await?;
                    recovery::delete_recovery(tx, account).await?;
                    let sql = "DELETE FROM session WHERE account = ? AND hash <> ?";
                    sqlx::query(sql).bind(account).bind(current_session).execute(tx).await?;
                    Ok(true)
                })
            })
            .await
    }

    /// Upgrades an account to a bot account. Fails if the account has played games.
    pub async fn upgrade_to_bot(&self, account: AccountKey) -> Result<(), UpgradeError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "UPDATE account SET bot = 1 WHERE key = ?1 AND guest = 0 AND (bot = 1 OR NOT EXISTS
                                   (SELECT 1 FROM game WHERE first = ?1 OR second = ?1))";
                    let done = sqlx::query(sql).bind(account).execute(tx).await?;
                    if done.rows_affected() == 1 { Ok(()) } else { Err(UpgradeError::HasGames) }
                })
            })
            .await
    }

    /// Closes an account: it cannot log in, its sessions and tokens end, its name stays taken.
    /// Returns false, without a change, if the session of the request has ended.
    pub async fn close_account(
        &self,
        account: AccountKey,
        session: Vec<u8>,
        now_ms: i64,
    ) -> Result<bool, StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    if !session::has_session(tx, account, &session).await? {
                        return Ok(false);
                    }
                    let sql = "UPDATE account SET closed_ms = ?, bio = '', location = ''
                               WHERE key = ? AND closed_ms IS NULL";
                    sqlx::query(sql).bind(now_ms).bind(account).execute(&mut *tx).await?;
                    rating::refresh_leaderboards(tx, account).await?;
                    recovery::delete_recovery(tx, account).await?;
                    session::delete_credentials(tx, account).await?;
                    Ok(true)
                })
            })
            .await
    }

    /// Backfills the name skeletons of accounts that were created before the column existed.
    pub(super) async fn backfill_name_skeletons(&self) -> Result<(), StoreError> {
        let sql = "SELECT key, name FROM account WHERE guest = 0 AND skeleton IS NULL";
        let missing: Vec<(AccountKey, String)> =
            sqlx::query_as(sql).fetch_all(&self.readers).await?;
        if missing.is_empty() {
            return Ok(());
        }
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    for (key, name) in missing {
                        // If two existing names look alike, the second one keeps its name without a
                        // skeleton.
                        let sql = "UPDATE OR IGNORE account SET skeleton = ? WHERE key = ?";
                        sqlx::query(sql)
                            .bind(name_skeleton(&name))
                            .bind(key)
                            .execute(&mut *tx)
                            .await?;
                    }
                    Ok(())
                })
            })
            .await
    }
}

/// Checks that no account has the same or a confusable name; the same name takes precedence.
async fn check_name(tx: &mut SqliteConnection, account: &Account) -> Result<(), RegisterError> {
    let sql = "SELECT id FROM account WHERE id = ? OR skeleton = ? ORDER BY id = ? DESC LIMIT 1";
    let found: Option<String> = sqlx::query_scalar(sql)
        .bind(&account.id)
        .bind(name_skeleton(&account.name))
        .bind(&account.id)
        .fetch_optional(tx)
        .await?;
    match found {
        Some(id) if id == account.id => Err(RegisterError::NameTaken),
        Some(_) => Err(RegisterError::NameConfusable),
        None => Ok(()),
    }
}

/// Inserts an account. Returns false if the id is taken.
async fn insert(
    tx: &mut SqliteConnection,
    account: &Account,
    password: Option<&str>,
    now_ms: i64,
) -> Result<bool, StoreError> {
    let sql = "INSERT INTO account (key, id, name, guest, password, created_ms, seen_ms, skeleton)
               VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING";
    let done = sqlx::query(sql)
        .bind(account.key)
        .bind(&account.id)
        .bind(&account.name)
        .bind(account.guest)
        .bind(password)
        .bind(now_ms)
        .bind(now_ms)
        .bind((!account.guest).then(|| name_skeleton(&account.name)))
        .execute(tx)
        .await?;
    Ok(done.rows_affected() == 1)
}

/// Upgrades a guest to a registered account. Returns false if the name is taken.
async fn upgrade_guest(
    tx: &mut SqliteConnection,
    account: &Account,
    password: &str,
) -> Result<bool, StoreError> {
    let sql = "UPDATE OR IGNORE account SET id = ?, name = ?, guest = 0, password = ?, skeleton = ?
               WHERE key = ? AND guest = 1";
    let done = sqlx::query(sql)
        .bind(&account.id)
        .bind(&account.name)
        .bind(password)
        .bind(name_skeleton(&account.name))
        .bind(account.key)
        .execute(tx)
        .await?;
    Ok(done.rows_affected() == 1)
}
