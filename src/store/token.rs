//! API tokens of programs. Only their hashes are stored.
//!
//! Callers: `http::extract::auth`, `http::api::token`, and `rooms::process::periodic`.

use super::batch::Batch;
use super::session::{LAST_USE_GRANULARITY_MS, announce_end, session_opened_ms};
use super::sql::Conn;
use super::{Account, AccountKey, LimitError, Store, StoreError};

/// Maximum of API tokens per account.
const TOKENS_MAX: i64 = 50;

/// Time after the opening of a session in which a token needs no password, in milliseconds: the
/// password, or a proof instead of it, opened the session.
const PASSWORD_VALID_MS: i64 = 15 * 60_000;

/// Maximum of expired tokens that one query reads.
const REMOVED_MAX: i64 = 20;

/// Tokens that have expired at `$1`.
pub(super) const EXPIRED: &str = "SELECT hash FROM token WHERE expires_ms <= $1 LIMIT $2";

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
    /// Time from which the token is invalid, in epoch milliseconds; `None` without an end.
    pub expires_ms: Option<i64>,
}

/// Result of the creation of an API token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenAdded {
    Added,
    /// The session of the request has ended.
    NoSession,
    /// The session was opened too long ago, and the request has no password.
    PasswordNeeded,
}

/// API token that is valid, with its owner.
#[derive(Clone, Debug)]
pub struct ValidToken {
    pub account: Account,
    /// Scopes, separated by commas.
    pub scopes: String,
    /// Time from which the token is invalid, in epoch milliseconds; `None` without an end.
    pub expires_ms: Option<i64>,
}

impl Store {
    /// Creates an API token, unless the session of the request has ended or was opened too long
    /// ago. `has_password` says that the request has the current password.
    pub async fn add_token(
        &self,
        account: AccountKey,
        session: Vec<u8>,
        has_password: bool,
        hash: Vec<u8>,
        row: TokenRow,
    ) -> Result<TokenAdded, LimitError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let Some(opened_ms) = session_opened_ms(tx, account, &session).await? else {
                        return Ok(TokenAdded::NoSession);
                    };
                    if !has_password && row.created_ms - opened_ms > PASSWORD_VALID_MS {
                        return Ok(TokenAdded::PasswordNeeded);
                    }
                    let sql = "SELECT count(*) FROM token WHERE account = $1 AND scopes <> 'link'
                                   AND (expires_ms IS NULL OR expires_ms > $2)";
                    let count: i64 =
                        tx.query(sql).bind(account).bind(row.created_ms).value().await?;
                    if count >= TOKENS_MAX {
                        return Err(LimitError::Reached);
                    }
                    insert_token(tx, account, &hash, &row).await?;
                    Ok(TokenAdded::Added)
                })
            })
            .await
    }

    /// Returns an API token that is valid at `now_ms`. Updates the last-use time.
    pub async fn token(&self, hash: &[u8], now_ms: i64) -> Result<Option<ValidToken>, StoreError> {
        #[derive(sqlx::FromRow)]
        struct Row {
            #[sqlx(flatten)]
            account: Account,
            scopes: String,
            used_ms: Option<i64>,
            expires_ms: Option<i64>,
        }
        let sql = "SELECT account.key, account.id, name, guest, bot, level, scopes, used_ms,
                       expires_ms
                   FROM token JOIN account ON account.key = token.account
                   WHERE hash = $1 AND closed_ms IS NULL AND scopes <> 'link'
                       AND (expires_ms IS NULL OR expires_ms > $2)";
        let query = self.readers.query(sql).bind(hash).bind(now_ms);
        let row: Option<Row> = query.fetch_optional().await?;
        let Some(row) = row else { return Ok(None) };
        if row.used_ms.is_none_or(|used_ms| now_ms - used_ms > LAST_USE_GRANULARITY_MS) {
            let mut use_batch = Batch::default();
            use_batch
                .add("UPDATE token SET used_ms = $1 WHERE hash = $2")
                .bind(now_ms)
                .bind(hash.to_vec());
            self.record_use(use_batch, row.account.key, now_ms).await?;
        }
        let Row { account, scopes, expires_ms, .. } = row;
        Ok(Some(ValidToken { account, scopes, expires_ms }))
    }

    /// Returns the API tokens of an account that are valid at `now_ms`, newest first.
    pub async fn tokens(
        &self,
        account: AccountKey,
        now_ms: i64,
    ) -> Result<Vec<TokenRow>, StoreError> {
        let sql = "SELECT id, description, scopes, created_ms, used_ms, expires_ms FROM token
                   WHERE account = $1 AND scopes <> 'link'
                       AND (expires_ms IS NULL OR expires_ms > $2)
                   ORDER BY created_ms DESC";
        Ok(self.readers.query(sql).bind(account).bind(now_ms).fetch_all().await?)
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

    /// Removes tokens that have expired at `now_ms`, which ends their connections.
    pub async fn remove_expired_tokens(&self, now_ms: i64) -> Result<(), StoreError> {
        loop {
            let query = self.readers.query(EXPIRED).bind(now_ms).bind(REMOVED_MAX);
            let expired: Vec<Vec<u8>> = query.values().await?;
            if expired.is_empty() {
                return Ok(());
            }
            for hash in expired {
                self.revoke_token_by_hash(hash).await?;
            }
        }
    }
}

/// Ends all API tokens of an account.
pub(super) async fn delete_tokens(tx: &mut Conn, account: AccountKey) -> Result<(), StoreError> {
    let sql = "DELETE FROM token WHERE account = $1 AND scopes <> 'link' RETURNING hash";
    for hash in tx.query(sql).bind(account).values().await? {
        announce_end(tx, Some(account), hash);
    }
    Ok(())
}

async fn insert_token(
    tx: &mut Conn,
    account: AccountKey,
    hash: &[u8],
    row: &TokenRow,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO token (hash, id, account, description, scopes, created_ms, expires_ms)
               VALUES ($1, $2, $3, $4, $5, $6, $7)";
    tx.query(sql)
        .bind(hash)
        .bind(&row.id)
        .bind(account)
        .bind(&row.description)
        .bind(&row.scopes)
        .bind(row.created_ms)
        .bind(row.expires_ms)
        .execute()
        .await?;
    Ok(())
}
