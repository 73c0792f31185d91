//! Accounts: guests, registration, passwords, bot upgrades and closing.
//!
//! Names are unique by id and by skeleton, so that no two registered accounts look alike.
//! Callers: account and log-in routes in `http`.

use super::arrivals::{Arrivals, check_arrivals};
use super::changes::Change;
use super::columns::LevelColumn;
use super::game_night::REMOVE_INTEREST;
use super::row::SqlRow;
use super::row::one_row;
use super::session::{self, NewSession, OpenSessionError};
use super::sql::Conn;
use super::{AccountKey, Store, StoreError, erasure, push, rating, recovery, token};
use crate::play::name::name_skeleton;
use sqlx::FromRow;

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
    #[sqlx(try_from = "LevelColumn")]
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
    /// Moderators have stopped newcomers.
    #[error("no newcomers")]
    Stopped,
    /// A moderator has banned the network or the device, until a time in epoch milliseconds or for
    /// good.
    #[error("banned")]
    Banned(Option<i64>),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<OpenSessionError> for RegisterError {
    fn from(why: OpenSessionError) -> RegisterError {
        match why {
            OpenSessionError::Banned(until_ms) => RegisterError::Banned(until_ms),
            OpenSessionError::Store(error) => error.into(),
        }
    }
}

/// Ways in which a player ends an account.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AccountEnd {
    /// The account is closed.
    Close,
    /// It is closed and, in the background, erased.
    Erase,
}

/// Reason why an account was not upgraded to a bot account.
#[derive(Debug, thiserror::Error)]
pub enum UpgradeError {
    /// The account has played games.
    #[error("the account has played games")]
    HasGames,
    /// The account takes part in an open challenge, whose other player has seen a person.
    #[error("the account takes part in an open challenge")]
    HasChallenges,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Query that has a row if an account that is no bot takes part in a challenge which is open at
/// `$2`, or in a ready check.
const IN_OPEN_CHALLENGE: &str = "SELECT 1 FROM account person WHERE person.key = $1 AND NOT bot
     AND (EXISTS (SELECT 1 FROM challenge WHERE maker = $1 AND status = 10 AND expires_ms > $2)
         OR EXISTS (SELECT 1 FROM challenge WHERE dest = $1 AND status = 10 AND expires_ms > $2)
         OR EXISTS (SELECT 1 FROM challenge WHERE seated = $1 AND status = 10 AND expires_ms > $2)
         OR EXISTS (SELECT 1 FROM ready_check WHERE acceptor = $1)
         OR EXISTS (SELECT 1 FROM ready_check WHERE waiting_player = $1)
         OR EXISTS (SELECT 1 FROM casual_request JOIN challenge ON id = casual_request.challenge
                    WHERE account = $1 AND status = 10 AND expires_ms > $2))";

/// Query of an account.
pub(super) const ACCOUNT: &str =
    "SELECT key, id, name, guest, bot, level FROM account WHERE key = $1";

impl Account {
    /// Returns the account in the row of [`ACCOUNT`].
    pub(super) fn from_rows(rows: &[SqlRow]) -> Result<Account, StoreError> {
        Ok(one_row(rows)?.decode()?)
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
                    check_arrivals(tx, Arrivals::Guests).await?;
                    if !insert(tx, &account, None, session.now_ms).await? {
                        return Err(RegisterError::NameTaken);
                    }
                    session::insert_session(tx, &session, account.key).await?;
                    Ok(account)
                })
            })
            .await
    }

    /// Creates an account with a password, or upgrades a guest, who keeps games and challenges, and
    /// the push subscriptions of the session with the given hash. Opens a new session and ends all
    /// others.
    pub async fn register(
        &self,
        guest: Option<(AccountKey, Vec<u8>)>,
        (id, name): (String, String),
        password: String,
        session: NewSession,
    ) -> Result<Account, RegisterError> {
        let (guest, guest_session) = guest.unzip();
        let key = guest.unwrap_or_else(AccountKey::new);
        let account = Account { key, id, name, guest: false, bot: false, level: None };
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    check_arrivals(tx, Arrivals::Accounts).await?;
                    check_name(tx, &account, session.now_ms).await?;
                    let done = match guest {
                        None => insert(tx, &account, Some(&password), session.now_ms).await?,
                        Some(_) => upgrade_guest(tx, &account, &password).await?,
                    };
                    if !done {
                        return Err(RegisterError::NameTaken);
                    }
                    let subscriptions = match guest_session {
                        Some(hash) => push::subscriptions_of(tx, &hash).await?,
                        None => Vec::new(),
                    };
                    session::delete_credentials(tx, account.key).await?;
                    session::insert_session(tx, &session, account.key).await?;
                    for subscription in subscriptions {
                        let hash = session.hash.clone();
                        push::insert(tx, account.key, hash, subscription, session.now_ms).await?;
                    }
                    if guest.is_some() {
                        tx.announce(Change::Renamed(account.key));
                    }
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
                   WHERE id = $1 AND NOT guest AND level IS NULL AND closed_ms IS NULL";
        let row: Option<Row> = self.readers.query(sql).bind(id).fetch_optional().await?;
        Ok(row.map(|row| (row.account, row.password)))
    }

    /// Returns the account with this id, unless it is closed.
    pub async fn account(&self, id: &str) -> Result<Option<Account>, StoreError> {
        let sql = "SELECT key, id, name, guest, bot, level FROM account
                   WHERE id = $1 AND closed_ms IS NULL";
        Ok(self.readers.query(sql).bind(id).fetch_optional().await?)
    }

    /// Sets the password and ends all sessions except the one whose token has the hash
    /// `current_session`, the recovery words of an account without a second factor, the reset
    /// links, an unconfirmed e-mail address and, unless `keeps_tokens`, the API tokens. Returns
    /// false, without a change, if that session has ended.
    pub async fn set_password(
        &self,
        account: AccountKey,
        password: String,
        current_session: Vec<u8>,
        keeps_tokens: bool,
    ) -> Result<bool, StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    if !session::has_session(tx, account, &current_session).await? {
                        return Ok(false);
                    }
                    let sql = "UPDATE account SET password = $1 WHERE key = $2 AND NOT guest";
                    tx.query(sql).bind(password).bind(account).execute().await?;
                    recovery::delete_words_without_factor(tx, account).await?;
                    recovery::delete_after_new_password(tx, account).await?;
                    let sql =
                        "DELETE FROM session WHERE account = $1 AND hash <> $2 RETURNING hash";
                    let query = tx.query(sql).bind(account).bind(current_session);
                    for hash in query.values().await? {
                        session::announce_end(tx, Some(account), hash);
                    }
                    if !keeps_tokens {
                        token::delete_tokens(tx, account).await?;
                    }
                    Ok(true)
                })
            })
            .await
    }

    /// Upgrades an account to a bot account. Fails if the account has played games, or takes part
    /// in an open challenge.
    pub async fn upgrade_to_bot(
        &self,
        account: AccountKey,
        now_ms: i64,
    ) -> Result<(), UpgradeError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let open = tx.query(IN_OPEN_CHALLENGE).bind(account).bind(now_ms);
                    if open.exists().await? {
                        return Err(UpgradeError::HasChallenges);
                    }
                    let sql = "UPDATE account SET bot = TRUE
                               WHERE key = $1 AND NOT guest AND (bot OR NOT EXISTS
                                   (SELECT 1 FROM game WHERE first = $1 OR second = $1))";
                    if tx.query(sql).bind(account).execute().await? != 1 {
                        return Err(UpgradeError::HasGames);
                    }
                    tx.announce(Change::UpgradedToBot(account));
                    Ok(())
                })
            })
            .await
    }

    /// Closes an account: it cannot log in, its sessions and tokens end, its name stays taken until
    /// it is erased. Returns false, without a change, if the session of the request has ended.
    pub async fn close_account(
        &self,
        account: AccountKey,
        session: Vec<u8>,
        end: AccountEnd,
        now_ms: i64,
    ) -> Result<bool, StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    if !session::has_session(tx, account, &session).await? {
                        return Ok(false);
                    }
                    let sql = "UPDATE account SET closed_ms = $1, bio = '', location = '',
                                   closed_by_moderator = FALSE, reopen_ms = NULL
                               WHERE key = $2 AND closed_ms IS NULL";
                    tx.query(sql).bind(now_ms).bind(account).execute().await?;
                    tx.query(REMOVE_INTEREST).bind(account).execute().await?;
                    if end == AccountEnd::Erase {
                        erasure::insert_request(tx, account, now_ms).await?;
                    }
                    rating::refresh_leaderboards(tx, account).await?;
                    recovery::delete_recovery(tx, account).await?;
                    session::delete_credentials(tx, account).await?;
                    tx.announce(Change::SignedOut(account, None));
                    Ok(true)
                })
            })
            .await
    }

    /// Backfills the name skeletons of accounts that were created before the column existed.
    pub(super) async fn backfill_name_skeletons(&self) -> Result<(), StoreError> {
        let sql = "SELECT key, name FROM account WHERE NOT guest AND skeleton IS NULL";
        let missing: Vec<(AccountKey, String)> = self.readers.query(sql).fetch_all().await?;
        if missing.is_empty() {
            return Ok(());
        }
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    for (key, name) in missing {
                        // If two existing names look alike, the second one keeps its name without a
                        // skeleton.
                        let sql = "UPDATE account SET skeleton = $1 WHERE key = $2
                                   AND NOT EXISTS (SELECT 1 FROM account WHERE skeleton = $1)";
                        tx.query(sql).bind(name_skeleton(&name)).bind(key).execute().await?;
                    }
                    Ok(())
                })
            })
            .await
    }
}

/// Checks that no other account has the same or a confusable name; the same name takes precedence.
/// The name of an account that is being erased is taken: its chat lines are found by it. So is the
/// former name of another account for some time, or while chat lines have it.
pub(super) async fn check_name(
    tx: &mut Conn,
    account: &Account,
    now_ms: i64,
) -> Result<(), RegisterError> {
    let erased = tx.query("SELECT 1 FROM erasure WHERE lower(name) = $1").bind(&account.id);
    if erased.exists().await? {
        return Err(RegisterError::NameTaken);
    }
    let skeleton = name_skeleton(&account.name);
    let sql = "SELECT 1 FROM former_name
               WHERE (id = $1 OR skeleton = $2) AND account <> $3 AND (until_ms > $4 OR in_chat)";
    let query = tx.query(sql).bind(&account.id).bind(&skeleton).bind(account.key).bind(now_ms);
    if query.exists().await? {
        return Err(RegisterError::NameTaken);
    }
    let sql = "SELECT id FROM account WHERE (id = $1 OR skeleton = $2) AND key <> $3
               ORDER BY id = $1 DESC LIMIT 1";
    let query = tx.query(sql).bind(&account.id).bind(skeleton).bind(account.key);
    let found: Option<String> = query.optional_value().await?;
    match found {
        Some(id) if id == account.id => Err(RegisterError::NameTaken),
        Some(_) => Err(RegisterError::NameConfusable),
        None => Ok(()),
    }
}

/// Inserts an account. Returns false if the id is taken.
async fn insert(
    tx: &mut Conn,
    account: &Account,
    password: Option<&str>,
    now_ms: i64,
) -> Result<bool, StoreError> {
    let sql = "INSERT INTO account (key, id, name, guest, password, created_ms, seen_ms, skeleton)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (id) DO NOTHING";
    let done = tx
        .query(sql)
        .bind(account.key)
        .bind(&account.id)
        .bind(&account.name)
        .bind(account.guest)
        .bind(password)
        .bind(now_ms)
        .bind(now_ms)
        .bind((!account.guest).then(|| name_skeleton(&account.name)))
        .execute()
        .await?;
    Ok(done == 1)
}

/// Upgrades a guest to a registered account. Returns false if the name is taken.
async fn upgrade_guest(
    tx: &mut Conn,
    account: &Account,
    password: &str,
) -> Result<bool, StoreError> {
    let sql = "UPDATE account SET id = $1, name = $2, guest = FALSE, password = $3, skeleton = $4
               WHERE key = $5 AND guest AND closed_ms IS NULL AND NOT EXISTS
                   (SELECT 1 FROM account WHERE key <> $5 AND (id = $1 OR skeleton = $4))";
    let done = tx
        .query(sql)
        .bind(&account.id)
        .bind(&account.name)
        .bind(password)
        .bind(name_skeleton(&account.name))
        .bind(account.key)
        .execute()
        .await?;
    Ok(done == 1)
}
