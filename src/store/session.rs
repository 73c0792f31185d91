//! What stands for somebody: sessions of browsers, tokens of programs, links of guests.

use super::{Account, AccountKey, Error, Store};
use sqlx::SqliteConnection;

/// Sessions nobody has used for so long are over.
const SESSION_IDLE_MS: i64 = 30 * 86_400_000;

/// No session lasts longer.
const SESSION_MAX_MS: i64 = 365 * 86_400_000;

/// How exactly the last use of a session or a token is kept.
const SEEN_MS: i64 = 600_000;

/// Tokens one account may have.
const TOKENS_MAX: i64 = 50;

/// The scope of the link that brings a guest back.
const LINK: &str = "link";

/// A new session.
#[derive(Clone, Debug)]
pub struct Opening {
    /// The token's hash.
    pub hash: Vec<u8>,
    /// What names the session to its owner.
    pub id: String,
    /// What the browser calls itself.
    pub agent: String,
    /// When, in epoch milliseconds.
    pub now_ms: i64,
}

/// A session, as its owner sees it.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Session {
    /// The token's hash.
    pub hash: Vec<u8>,
    /// What names it.
    pub id: String,
    /// What the browser calls itself.
    pub agent: String,
    /// When it was opened, in epoch milliseconds.
    pub created_ms: i64,
    /// When it was last used, about.
    pub seen_ms: i64,
}

/// A token of a program, as its owner sees it.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct TokenRow {
    /// What names it.
    pub id: String,
    /// What it is for, in its owner's words.
    pub description: String,
    /// What it may do, separated by commas.
    pub scopes: String,
    /// When it was made, in epoch milliseconds.
    pub created_ms: i64,
    /// When it was last used, about.
    pub used_ms: Option<i64>,
}

/// There are too many tokens already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooManyTokens;

impl Store {
    /// Opens a session.
    ///
    /// # Errors
    /// When it could not be stored.
    pub async fn open_session(&self, opening: Opening, account: AccountKey) -> Result<(), Error> {
        self.writer.run(move |tx| Box::pin(async move { open(tx, &opening, account).await })).await
    }

    /// Ends a session.
    ///
    /// # Errors
    /// When it could not be stored.
    pub async fn close_session(&self, hash: Vec<u8>) -> Result<(), Error> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "DELETE FROM session WHERE hash = ?";
                    sqlx::query(sql).bind(hash).execute(tx).await?;
                    Ok(())
                })
            })
            .await
    }

    /// Ends all sessions and tokens of an account.
    ///
    /// # Errors
    /// When it could not be stored.
    pub async fn close_sessions(&self, account: AccountKey) -> Result<(), Error> {
        self.writer.run(move |tx| Box::pin(async move { close_all(tx, account).await })).await
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
            last_ms: i64,
        }
        let sql =
            "SELECT account.key, account.id, name, guest, bot, level, session.seen_ms AS last_ms
                   FROM session JOIN account ON account.key = session.account
                   WHERE hash = ? AND session.seen_ms > ? AND session.created_ms > ?
                       AND closed_ms IS NULL";
        let row: Option<Row> = sqlx::query_as(sql)
            .bind(hash)
            .bind(now_ms - SESSION_IDLE_MS)
            .bind(now_ms - SESSION_MAX_MS)
            .fetch_optional(&self.readers)
            .await?;
        let Some(row) = row else { return Ok(None) };
        if now_ms - row.last_ms > SEEN_MS {
            let sql = "UPDATE session SET seen_ms = ? WHERE hash = ?";
            self.touch(sql, hash.to_vec(), row.account.key, now_ms).await?;
        }
        Ok(Some(row.account))
    }

    /// The sessions of an account that are still good, the last used first.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn sessions(&self, account: AccountKey, now_ms: i64) -> Result<Vec<Session>, Error> {
        let sql = "SELECT hash, id, agent, created_ms, seen_ms FROM session
                   WHERE account = ? AND seen_ms > ? AND created_ms > ? ORDER BY seen_ms DESC";
        Ok(sqlx::query_as(sql)
            .bind(account)
            .bind(now_ms - SESSION_IDLE_MS)
            .bind(now_ms - SESSION_MAX_MS)
            .fetch_all(&self.readers)
            .await?)
    }

    /// Makes a token.
    ///
    /// # Errors
    /// When it could not be stored.
    pub async fn add_token(
        &self,
        account: AccountKey,
        hash: Vec<u8>,
        row: TokenRow,
    ) -> Result<Result<(), TooManyTokens>, Error> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "SELECT count(*) FROM token WHERE account = ? AND scopes <> 'link'";
                    let count: i64 =
                        sqlx::query_scalar(sql).bind(account).fetch_one(&mut *tx).await?;
                    if count >= TOKENS_MAX {
                        return Ok(Err(TooManyTokens));
                    }
                    insert_token(tx, account, &hash, &row).await?;
                    Ok(Ok(()))
                })
            })
            .await
    }

    /// Whose token that is, and what it may do.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn token(
        &self,
        hash: &[u8],
        now_ms: i64,
    ) -> Result<Option<(Account, String)>, Error> {
        #[derive(sqlx::FromRow)]
        struct Row {
            #[sqlx(flatten)]
            account: Account,
            scopes: String,
            used_ms: Option<i64>,
        }
        let sql = "SELECT account.key, account.id, name, guest, bot, level, scopes, used_ms
                   FROM token JOIN account ON account.key = token.account
                   WHERE hash = ? AND closed_ms IS NULL AND scopes <> 'link'";
        let row: Option<Row> = sqlx::query_as(sql).bind(hash).fetch_optional(&self.readers).await?;
        let Some(row) = row else { return Ok(None) };
        if row.used_ms.is_none_or(|used_ms| now_ms - used_ms > SEEN_MS) {
            let sql = "UPDATE token SET used_ms = ? WHERE hash = ?";
            self.touch(sql, hash.to_vec(), row.account.key, now_ms).await?;
        }
        Ok(Some((row.account, row.scopes)))
    }

    /// The tokens of an account, the newest first.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn tokens(&self, account: AccountKey) -> Result<Vec<TokenRow>, Error> {
        let sql = "SELECT id, description, scopes, created_ms, used_ms FROM token
                   WHERE account = ? AND scopes <> 'link' ORDER BY created_ms DESC";
        Ok(sqlx::query_as(sql).bind(account).fetch_all(&self.readers).await?)
    }

    /// Ends one token of an account; answers its hash, if it was there.
    ///
    /// # Errors
    /// When it could not be stored.
    pub async fn remove_token(
        &self,
        account: AccountKey,
        id: String,
    ) -> Result<Option<Vec<u8>>, Error> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "DELETE FROM token WHERE account = ? AND id = ? AND scopes <> 'link'
                               RETURNING hash";
                    Ok(sqlx::query_scalar(sql).bind(account).bind(id).fetch_optional(tx).await?)
                })
            })
            .await
    }

    /// Ends the token of that hash.
    ///
    /// # Errors
    /// When it could not be stored.
    pub async fn forget_token(&self, hash: Vec<u8>) -> Result<(), Error> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    sqlx::query("DELETE FROM token WHERE hash = ?").bind(hash).execute(tx).await?;
                    Ok(())
                })
            })
            .await
    }

    /// Makes the link that brings a guest back, in place of the one before.
    ///
    /// # Errors
    /// When it could not be stored.
    pub async fn set_link(
        &self,
        account: AccountKey,
        hash: Vec<u8>,
        id: String,
        now_ms: i64,
    ) -> Result<(), Error> {
        let row = TokenRow {
            id,
            description: String::new(),
            scopes: LINK.to_owned(),
            created_ms: now_ms,
            used_ms: None,
        };
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "DELETE FROM token WHERE account = ? AND scopes = 'link'";
                    sqlx::query(sql).bind(account).execute(&mut *tx).await?;
                    insert_token(tx, account, &hash, &row).await
                })
            })
            .await
    }

    /// The guest whom that link brings back.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn guest_of_link(&self, hash: &[u8]) -> Result<Option<Account>, Error> {
        let sql = "SELECT account.key, account.id, name, guest, bot, level
                   FROM token JOIN account ON account.key = token.account
                   WHERE hash = ? AND scopes = 'link' AND guest = 1 AND closed_ms IS NULL";
        Ok(sqlx::query_as(sql).bind(hash).fetch_optional(&self.readers).await?)
    }

    /// Notes that a session or a token, and with it the account, was in use.
    async fn touch(
        &self,
        sql: &'static str,
        hash: Vec<u8>,
        account: AccountKey,
        now_ms: i64,
    ) -> Result<(), Error> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    sqlx::query(sql).bind(now_ms).bind(hash).execute(&mut *tx).await?;
                    let sql = "UPDATE account SET seen_ms = ? WHERE key = ?";
                    sqlx::query(sql).bind(now_ms).bind(account).execute(tx).await?;
                    Ok(())
                })
            })
            .await
    }
}

/// Ends all sessions and tokens of an account.
pub(super) async fn close_all(tx: &mut SqliteConnection, account: AccountKey) -> Result<(), Error> {
    for sql in ["DELETE FROM session WHERE account = ?", "DELETE FROM token WHERE account = ?"] {
        sqlx::query(sql).bind(account).execute(&mut *tx).await?;
    }
    Ok(())
}

pub(super) async fn open(
    tx: &mut SqliteConnection,
    opening: &Opening,
    account: AccountKey,
) -> Result<(), Error> {
    let sql = "INSERT INTO session (hash, id, agent, account, created_ms, seen_ms)
               VALUES (?, ?, ?, ?, ?, ?)";
    sqlx::query(sql)
        .bind(&opening.hash)
        .bind(&opening.id)
        .bind(&opening.agent)
        .bind(account)
        .bind(opening.now_ms)
        .bind(opening.now_ms)
        .execute(&mut *tx)
        .await?;
    let sql = "UPDATE account SET seen_ms = ? WHERE key = ?";
    sqlx::query(sql).bind(opening.now_ms).bind(account).execute(tx).await?;
    Ok(())
}

async fn insert_token(
    tx: &mut SqliteConnection,
    account: AccountKey,
    hash: &[u8],
    row: &TokenRow,
) -> Result<(), Error> {
    let sql = "INSERT INTO token (hash, id, account, description, scopes, created_ms)
               VALUES (?, ?, ?, ?, ?, ?)";
    sqlx::query(sql)
        .bind(hash)
        .bind(&row.id)
        .bind(account)
        .bind(&row.description)
        .bind(&row.scopes)
        .bind(row.created_ms)
        .execute(tx)
        .await?;
    Ok(())
}
