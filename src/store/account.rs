use super::{AccountKey, Error, Store};
use sqlx::SqliteConnection;

/// Sessions nobody has used for so long are over.
const SESSION_IDLE_MS: i64 = 30 * 86_400_000;

/// No session lasts longer.
const SESSION_MAX_MS: i64 = 365 * 86_400_000;

/// How exactly the last use of a session is kept.
const SEEN_MS: i64 = 3_600_000;

/// Somebody who plays: a guest, or a player with name and password.
#[derive(Clone, PartialEq, Eq, Debug, sqlx::FromRow)]
pub struct Account {
    /// The row's key.
    pub key: AccountKey,
    /// The name in the form that is unique.
    pub id: String,
    /// The name as it was chosen.
    pub name: String,
    /// Whether it has no password.
    pub guest: bool,
}

/// Somebody has that name already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NameTaken;

impl Store {
    /// Makes a guest and opens a session; `hash` is the session token's.
    ///
    /// # Errors
    /// When it could not be stored.
    pub async fn add_guest(
        &self,
        (id, name): (String, String),
        hash: Vec<u8>,
        now_ms: i64,
    ) -> Result<Result<Account, NameTaken>, Error> {
        let account = Account { key: AccountKey::new(), id, name, guest: true };
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    if !insert(tx, &account, None, now_ms).await? {
                        return Ok(Err(NameTaken));
                    }
                    open_session(tx, &hash, account.key, now_ms).await?;
                    Ok(Ok(account))
                })
            })
            .await
    }

    /// Makes an account with a password, or makes a guest into one (its games and seats stay its
    /// own), and opens a new session for it.
    ///
    /// # Errors
    /// When it could not be stored.
    pub async fn register(
        &self,
        guest: Option<AccountKey>,
        (id, name): (String, String),
        password: String,
        hash: Vec<u8>,
        now_ms: i64,
    ) -> Result<Result<Account, NameTaken>, Error> {
        let key = guest.unwrap_or_else(AccountKey::new);
        let account = Account { key, id, name, guest: false };
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let done = match guest {
                        None => insert(tx, &account, Some(&password), now_ms).await?,
                        Some(_) => promote(tx, &account, &password).await?,
                    };
                    if !done {
                        return Ok(Err(NameTaken));
                    }
                    sqlx::query("DELETE FROM session WHERE account = ?")
                        .bind(account.key)
                        .execute(&mut *tx)
                        .await?;
                    open_session(tx, &hash, account.key, now_ms).await?;
                    Ok(Ok(account))
                })
            })
            .await
    }

    /// The account of that id and the hash of its password.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn credentials(&self, id: &str) -> Result<Option<(Account, String)>, Error> {
        #[derive(sqlx::FromRow)]
        struct Row {
            #[sqlx(flatten)]
            account: Account,
            password: String,
        }
        let sql = "SELECT key, id, name, guest, password FROM account WHERE id = ? AND guest = 0";
        let row: Option<Row> = sqlx::query_as(sql).bind(id).fetch_optional(&self.readers).await?;
        Ok(row.map(|row| (row.account, row.password)))
    }

    /// Opens a session.
    ///
    /// # Errors
    /// When it could not be stored.
    pub async fn open_session(
        &self,
        hash: Vec<u8>,
        account: AccountKey,
        now_ms: i64,
    ) -> Result<(), Error> {
        self.writer
            .run(move |tx| Box::pin(async move { open_session(tx, &hash, account, now_ms).await }))
            .await
    }

    /// Ends a session.
    ///
    /// # Errors
    /// When it could not be stored.
    pub async fn close_session(&self, hash: Vec<u8>) -> Result<(), Error> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    sqlx::query("DELETE FROM session WHERE hash = ?")
                        .bind(hash)
                        .execute(tx)
                        .await?;
                    Ok(())
                })
            })
            .await
    }

    /// Whose session that is, if it is still good.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn session(&self, hash: &[u8], now_ms: i64) -> Result<Option<Account>, Error> {
        #[derive(sqlx::FromRow)]
        struct Row {
            #[sqlx(flatten)]
            account: Account,
            seen_ms: i64,
        }
        let sql = "SELECT account.key, id, name, guest, seen_ms
                   FROM session JOIN account ON account.key = session.account
                   WHERE hash = ? AND seen_ms > ? AND session.created_ms > ?";
        let row: Option<Row> = sqlx::query_as(sql)
            .bind(hash)
            .bind(now_ms - SESSION_IDLE_MS)
            .bind(now_ms - SESSION_MAX_MS)
            .fetch_optional(&self.readers)
            .await?;
        let Some(row) = row else { return Ok(None) };
        if now_ms - row.seen_ms > SEEN_MS {
            self.touch_session(hash.to_vec(), now_ms).await?;
        }
        Ok(Some(row.account))
    }

    async fn touch_session(&self, hash: Vec<u8>, now_ms: i64) -> Result<(), Error> {
        let sql = "UPDATE session SET seen_ms = ? WHERE hash = ?";
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    sqlx::query(sql).bind(now_ms).bind(hash).execute(tx).await?;
                    Ok(())
                })
            })
            .await
    }
}

/// Whether the account was new and is now there.
async fn insert(
    tx: &mut SqliteConnection,
    account: &Account,
    password: Option<&str>,
    now_ms: i64,
) -> Result<bool, Error> {
    let sql = "INSERT INTO account (key, id, name, guest, password, created_ms)
               VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING";
    let done = sqlx::query(sql)
        .bind(account.key)
        .bind(&account.id)
        .bind(&account.name)
        .bind(account.guest)
        .bind(password)
        .bind(now_ms)
        .execute(tx)
        .await?;
    Ok(done.rows_affected() == 1)
}

/// Whether the guest could take that name.
async fn promote(
    tx: &mut SqliteConnection,
    account: &Account,
    password: &str,
) -> Result<bool, Error> {
    let sql = "UPDATE OR IGNORE account SET id = ?, name = ?, guest = 0, password = ?
               WHERE key = ? AND guest = 1";
    let done = sqlx::query(sql)
        .bind(&account.id)
        .bind(&account.name)
        .bind(password)
        .bind(account.key)
        .execute(tx)
        .await?;
    Ok(done.rows_affected() == 1)
}

async fn open_session(
    tx: &mut SqliteConnection,
    hash: &[u8],
    account: AccountKey,
    now_ms: i64,
) -> Result<(), Error> {
    let sql = "INSERT INTO session (hash, account, created_ms, seen_ms) VALUES (?, ?, ?, ?)";
    sqlx::query(sql).bind(hash).bind(account).bind(now_ms).bind(now_ms).execute(tx).await?;
    Ok(())
}
