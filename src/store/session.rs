//! Credentials: browser sessions, API tokens, and login links of guests.
//!
//! Only hashes of secrets are stored. A link is a row of the table `token` with the scope `link`,
//! and is no API token. Callers: `http::extract::auth` and `http::api::{account, token}`.

use super::changes::Change;
use super::sql::Conn;
use super::{Account, AccountKey, LimitError, Store, StoreError};

/// Time without use after which a session expires, in milliseconds.
const SESSION_IDLE_MS: i64 = 30 * 86_400_000;

/// Maximum lifetime of a session, in milliseconds.
const SESSION_MAX_MS: i64 = 365 * 86_400_000;

/// Granularity of last-use times, in milliseconds; limits writes.
const LAST_USE_GRANULARITY_MS: i64 = 600_000;

/// Maximum of API tokens per account.
const TOKENS_MAX: i64 = 50;

/// Scope of the login link of a guest.
const LINK_SCOPE: &str = "link";

/// Query that has a row if an account has a session or token of a hash. Sessions must have been
/// used and created after the times of [`oldest_session_ms`].
pub(super) const VALID_CREDENTIAL: &str =
    "SELECT 1 FROM session JOIN account ON account.key = session.account
     WHERE hash = $2 AND session.account = $1 AND session.seen_ms > $3 AND session.created_ms > $4
         AND closed_ms IS NULL
     UNION ALL
     SELECT 1 FROM token JOIN account ON account.key = token.account
     WHERE hash = $2 AND token.account = $1 AND closed_ms IS NULL AND scopes <> 'link'";

/// Returns the times after which a session must have been used and created to be valid.
pub(super) fn oldest_session_ms(now_ms: i64) -> [i64; 2] {
    [now_ms - SESSION_IDLE_MS, now_ms - SESSION_MAX_MS]
}

/// Session to be opened.
#[derive(Clone, Debug)]
pub struct NewSession {
    /// Hash of the session token.
    pub hash: Vec<u8>,
    /// Public id, by which the user can end the session.
    pub id: String,
    /// User-Agent header of the browser.
    pub agent: String,
    /// Opening time, in epoch milliseconds.
    pub now_ms: i64,
}

/// Credential that permits a new session. The transaction that opens the session checks it again.
#[derive(Clone, Debug)]
pub enum SessionProof {
    /// Hash of the password that was verified.
    Password(String),
    /// Hash of the token of a login link.
    Link(Vec<u8>),
}

/// Session as listed to its user.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Session {
    /// Hash of the session token.
    pub hash: Vec<u8>,
    /// Public id.
    pub id: String,
    /// User-Agent header of the browser.
    pub agent: String,
    /// Opening time, in epoch milliseconds.
    pub created_ms: i64,
    /// Approximate time of the last use, in epoch milliseconds.
    pub seen_ms: i64,
}

/// API token as listed to its user.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct TokenRow {
    /// Public id.
    pub id: String,
    /// Description by the user.
    pub description: String,
    /// Scopes, separated by commas.
    pub scopes: String,
    /// Creation time, in epoch milliseconds.
    pub created_ms: i64,
    /// Approximate time of the last use, in epoch milliseconds.
    pub used_ms: Option<i64>,
}

impl Store {
    /// Opens a session. Returns false, without a change, if the proof is not valid any more: the
    /// password or the link may have been replaced since it was verified.
    pub async fn open_session(
        &self,
        session: NewSession,
        account: AccountKey,
        proof: SessionProof,
    ) -> Result<bool, StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    if !is_proof_valid(tx, account, &proof).await? {
                        return Ok(false);
                    }
                    insert_session(tx, &session, account).await?;
                    Ok(true)
                })
            })
            .await
    }

    /// Ends a session.
    pub async fn close_session(&self, hash: Vec<u8>) -> Result<(), StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "DELETE FROM session WHERE hash = $1 RETURNING account";
                    let account = tx.query(sql).bind(hash.as_slice()).optional_value().await?;
                    announce_end(tx, account, hash);
                    Ok(())
                })
            })
            .await
    }

    /// Ends all sessions and tokens of an account.
    pub async fn close_sessions(&self, account: AccountKey) -> Result<(), StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    tx.announce(Change::SignedOut(account, None));
                    delete_credentials(tx, account).await
                })
            })
            .await
    }

    /// Returns the account of a session, unless the session has expired or the account is closed.
    /// Updates the last-use time.
    pub async fn session(&self, hash: &[u8], now_ms: i64) -> Result<Option<Account>, StoreError> {
        #[derive(sqlx::FromRow)]
        struct Row {
            #[sqlx(flatten)]
            account: Account,
            last_ms: i64,
        }
        let sql =
            "SELECT account.key, account.id, name, guest, bot, level, session.seen_ms AS last_ms
                   FROM session JOIN account ON account.key = session.account
                   WHERE hash = $1 AND session.seen_ms > $2 AND session.created_ms > $3
                       AND closed_ms IS NULL";
        let [used_ms, created_ms] = oldest_session_ms(now_ms);
        let row: Option<Row> = self
            .readers
            .query(sql)
            .bind(hash)
            .bind(used_ms)
            .bind(created_ms)
            .fetch_optional()
            .await?;
        let Some(row) = row else { return Ok(None) };
        if now_ms - row.last_ms > LAST_USE_GRANULARITY_MS {
            let sql = "UPDATE session SET seen_ms = $1 WHERE hash = $2";
            self.touch(sql, hash.to_vec(), row.account.key, now_ms).await?;
        }
        Ok(Some(row.account))
    }

    /// Returns the sessions of an account that have not expired, last used first.
    pub async fn sessions(
        &self,
        account: AccountKey,
        now_ms: i64,
    ) -> Result<Vec<Session>, StoreError> {
        let sql = "SELECT hash, id, agent, created_ms, seen_ms FROM session
                   WHERE account = $1 AND seen_ms > $2 AND created_ms > $3 ORDER BY seen_ms DESC";
        let [used_ms, created_ms] = oldest_session_ms(now_ms);
        Ok(self.readers.query(sql).bind(account).bind(used_ms).bind(created_ms).fetch_all().await?)
    }

    /// Creates an API token. Returns false, without a change, if the session of the request has
    /// ended.
    pub async fn add_token(
        &self,
        account: AccountKey,
        session: Vec<u8>,
        hash: Vec<u8>,
        row: TokenRow,
    ) -> Result<bool, LimitError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    if !has_session(tx, account, &session).await? {
                        return Ok(false);
                    }
                    let sql = "SELECT count(*) FROM token WHERE account = $1 AND scopes <> 'link'";
                    let count: i64 = tx.query(sql).bind(account).value().await?;
                    if count >= TOKENS_MAX {
                        return Err(LimitError::Reached);
                    }
                    insert_token(tx, account, &hash, &row).await?;
                    Ok(true)
                })
            })
            .await
    }

    /// Returns the account and the scopes of an API token. Updates the last-use time.
    pub async fn token(
        &self,
        hash: &[u8],
        now_ms: i64,
    ) -> Result<Option<(Account, String)>, StoreError> {
        #[derive(sqlx::FromRow)]
        struct Row {
            #[sqlx(flatten)]
            account: Account,
            scopes: String,
            used_ms: Option<i64>,
        }
        let sql = "SELECT account.key, account.id, name, guest, bot, level, scopes, used_ms
                   FROM token JOIN account ON account.key = token.account
                   WHERE hash = $1 AND closed_ms IS NULL AND scopes <> 'link'";
        let row: Option<Row> = self.readers.query(sql).bind(hash).fetch_optional().await?;
        let Some(row) = row else { return Ok(None) };
        if row.used_ms.is_none_or(|used_ms| now_ms - used_ms > LAST_USE_GRANULARITY_MS) {
            let sql = "UPDATE token SET used_ms = $1 WHERE hash = $2";
            self.touch(sql, hash.to_vec(), row.account.key, now_ms).await?;
        }
        Ok(Some((row.account, row.scopes)))
    }

    /// Returns the API tokens of an account, newest first.
    pub async fn tokens(&self, account: AccountKey) -> Result<Vec<TokenRow>, StoreError> {
        let sql = "SELECT id, description, scopes, created_ms, used_ms FROM token
                   WHERE account = $1 AND scopes <> 'link' ORDER BY created_ms DESC";
        Ok(self.readers.query(sql).bind(account).fetch_all().await?)
    }

    /// Revokes an API token by its public id. Returns false if there is none.
    pub async fn revoke_token(&self, account: AccountKey, id: String) -> Result<bool, StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql =
                        "DELETE FROM token WHERE account = $1 AND id = $2 AND scopes <> 'link'
                               RETURNING hash";
                    let Some(hash) = tx.query(sql).bind(account).bind(id).optional_value().await?
                    else {
                        return Ok(false);
                    };
                    announce_end(tx, Some(account), hash);
                    Ok(true)
                })
            })
            .await
    }

    /// Revokes the token with this hash.
    pub async fn revoke_token_by_hash(&self, hash: Vec<u8>) -> Result<(), StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "DELETE FROM token WHERE hash = $1 RETURNING account";
                    let account = tx.query(sql).bind(hash.as_slice()).optional_value().await?;
                    announce_end(tx, account, hash);
                    Ok(())
                })
            })
            .await
    }

    /// Creates the login link of a guest, replacing an earlier one. Returns false, without a
    /// change, if the session of the request has ended.
    pub async fn set_guest_link(
        &self,
        account: AccountKey,
        session: Vec<u8>,
        hash: Vec<u8>,
        id: String,
        now_ms: i64,
    ) -> Result<bool, StoreError> {
        let row = TokenRow {
            id,
            description: String::new(),
            scopes: LINK_SCOPE.to_owned(),
            created_ms: now_ms,
            used_ms: None,
        };
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    if !has_session(tx, account, &session).await? {
                        return Ok(false);
                    }
                    let sql = "DELETE FROM token WHERE account = $1 AND scopes = 'link'";
                    tx.query(sql).bind(account).execute().await?;
                    insert_token(tx, account, &hash, &row).await?;
                    Ok(true)
                })
            })
            .await
    }

    /// Returns the guest of a login link.
    pub async fn guest_by_link(&self, hash: &[u8]) -> Result<Option<Account>, StoreError> {
        let sql = "SELECT account.key, account.id, name, guest, bot, level
                   FROM token JOIN account ON account.key = token.account
                   WHERE hash = $1 AND scopes = 'link' AND guest AND closed_ms IS NULL";
        Ok(self.readers.query(sql).bind(hash).fetch_optional().await?)
    }

    /// Updates the last-use times of a session or token and of its account.
    async fn touch(
        &self,
        sql: &'static str,
        hash: Vec<u8>,
        account: AccountKey,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    tx.query(sql).bind(now_ms).bind(hash).execute().await?;
                    let sql = "UPDATE account SET seen_ms = $1 WHERE key = $2";
                    tx.query(sql).bind(now_ms).bind(account).execute().await?;
                    Ok(())
                })
            })
            .await
    }
}

/// Announces the end of a session or token, if it existed.
pub(super) fn announce_end(tx: &mut Conn, account: Option<AccountKey>, hash: Vec<u8>) {
    if let Some(account) = account {
        tx.announce(Change::SignedOut(account, Some(hash)));
    }
}

/// Ends all sessions and tokens of an account. The caller announces it.
pub(super) async fn delete_credentials(
    tx: &mut Conn,
    account: AccountKey,
) -> Result<(), StoreError> {
    for sql in [
        "DELETE FROM session WHERE account = $1",
        "DELETE FROM token WHERE account = $1",
        "DELETE FROM reset_link WHERE account = $1",
    ] {
        tx.query(sql).bind(account).execute().await?;
    }
    Ok(())
}

async fn is_proof_valid(
    tx: &mut Conn,
    account: AccountKey,
    proof: &SessionProof,
) -> Result<bool, StoreError> {
    let query = match proof {
        SessionProof::Password(hash) => {
            let sql =
                "SELECT 1 FROM account WHERE key = $1 AND password = $2 AND closed_ms IS NULL";
            tx.query(sql).bind(account).bind(hash)
        }
        SessionProof::Link(hash) => {
            let sql = "SELECT 1 FROM token JOIN account ON account.key = token.account
                       WHERE token.account = $1 AND hash = $2 AND scopes = 'link' AND guest
                           AND closed_ms IS NULL";
            tx.query(sql).bind(account).bind(hash.as_slice())
        }
    };
    Ok(query.exists().await?)
}

/// Returns whether a session of an account exists, by the hash of its token.
pub(super) async fn has_session(
    tx: &mut Conn,
    account: AccountKey,
    hash: &[u8],
) -> Result<bool, StoreError> {
    let sql = "SELECT 1 FROM session WHERE hash = $1 AND account = $2";
    Ok(tx.query(sql).bind(hash).bind(account).exists().await?)
}

pub(super) async fn insert_session(
    tx: &mut Conn,
    session: &NewSession,
    account: AccountKey,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO session (hash, id, agent, account, created_ms, seen_ms)
               VALUES ($1, $2, $3, $4, $5, $6)";
    tx.query(sql)
        .bind(session.hash.as_slice())
        .bind(&session.id)
        .bind(&session.agent)
        .bind(account)
        .bind(session.now_ms)
        .bind(session.now_ms)
        .execute()
        .await?;
    let sql = "UPDATE account SET seen_ms = $1 WHERE key = $2";
    tx.query(sql).bind(session.now_ms).bind(account).execute().await?;
    Ok(())
}

async fn insert_token(
    tx: &mut Conn,
    account: AccountKey,
    hash: &[u8],
    row: &TokenRow,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO token (hash, id, account, description, scopes, created_ms)
               VALUES ($1, $2, $3, $4, $5, $6)";
    tx.query(sql)
        .bind(hash)
        .bind(&row.id)
        .bind(account)
        .bind(&row.description)
        .bind(&row.scopes)
        .bind(row.created_ms)
        .execute()
        .await?;
    Ok(())
}
