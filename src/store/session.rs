//! Browser sessions, and login links of guests.
//!
//! Only hashes of secrets are stored. A link is a row of the table `token` with the scope `link`,
//! and is no API token. Callers: `http::extract::auth` and `http::api::account`.

use super::ban::ban_of;
use super::batch::Batch;
use super::changes::Change;
use super::login_code::{CodeProof, use_code};
use super::sql::Conn;
use super::{Account, AccountKey, Store, StoreError};

/// Time without use after which a session expires, in milliseconds.
const SESSION_IDLE_MS: i64 = 30 * 86_400_000;

/// Maximum lifetime of a session, in milliseconds.
const SESSION_MAX_MS: i64 = 365 * 86_400_000;

/// Granularity of last-use times, in milliseconds; limits writes.
pub(super) const LAST_USE_GRANULARITY_MS: i64 = 600_000;

/// The same for uses from another network.
const MOVED_GRANULARITY_MS: i64 = 60_000;

/// Query that has a row if an account has a session or token of a hash. Sessions must have been
/// used and created after the times of [`oldest_session_ms`], tokens expire after `$5`.
pub(super) const VALID_CREDENTIAL: &str =
    "SELECT 1 FROM session JOIN account ON account.key = session.account
     WHERE hash = $2 AND session.account = $1 AND session.seen_ms > $3 AND session.created_ms > $4
         AND closed_ms IS NULL
     UNION ALL
     SELECT 1 FROM token JOIN account ON account.key = token.account
     WHERE hash = $2 AND token.account = $1 AND closed_ms IS NULL AND scopes <> 'link'
         AND (expires_ms IS NULL OR expires_ms > $5)";

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
    /// Network of the browser: an IPv4 address, or the /64 of an IPv6 address.
    pub network: String,
    /// Hash of the id of the browser.
    pub device: Vec<u8>,
    /// Opening time, in epoch milliseconds.
    pub now_ms: i64,
}

/// Reason why a session was not opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenSessionError {
    /// A moderator has banned the network or the device, until a time in epoch milliseconds or for
    /// good.
    #[error("banned")]
    Banned(Option<i64>),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Credential that permits a new session. The transaction that opens the session checks it again.
#[derive(Clone, Debug)]
pub enum SessionProof {
    /// Hash of the password that was verified, of an account without a second factor.
    Password(String),
    /// Hash of the password, and the code of the second factor, which is used up.
    PasswordAndCode(String, CodeProof),
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
    /// Network of the last use; empty some time after it.
    pub network: String,
    /// Hash of the id of the browser; `None` some time after the last use.
    pub device: Option<Vec<u8>>,
    /// Opening time, in epoch milliseconds.
    pub created_ms: i64,
    /// Approximate time of the last use, in epoch milliseconds.
    pub seen_ms: i64,
}

impl Store {
    /// Opens a session. Returns false, without a change, if the proof is not valid any more: the
    /// password or the link may have been replaced since it was verified, the code may have been
    /// used.
    pub async fn open_session(
        &self,
        session: NewSession,
        account: AccountKey,
        proof: SessionProof,
    ) -> Result<bool, OpenSessionError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    if !use_proof(tx, account, &proof).await? {
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
    /// Records the time of the use, its network and the device, if it has one.
    pub async fn session(
        &self,
        hash: &[u8],
        origin: Option<(String, Option<Vec<u8>>)>,
        now_ms: i64,
    ) -> Result<Option<Account>, StoreError> {
        #[derive(sqlx::FromRow)]
        struct Row {
            #[sqlx(flatten)]
            account: Account,
            last_ms: i64,
            last_network: String,
        }
        let sql =
            "SELECT account.key, account.id, name, guest, bot, level, session.seen_ms AS last_ms,
                       session.network AS last_network
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
        let Some((network, device)) = origin else { return Ok(Some(row.account)) };
        let is_moved = network != row.last_network;
        let granularity_ms = if is_moved { MOVED_GRANULARITY_MS } else { LAST_USE_GRANULARITY_MS };
        if now_ms - row.last_ms > granularity_ms {
            let mut use_batch = Batch::default();
            use_batch
                .add(
                    "UPDATE session SET seen_ms = $1, network = $2, device = coalesce($3, device)
                     WHERE hash = $4",
                )
                .bind(now_ms)
                .bind(network)
                .bind(device)
                .bind(hash.to_vec());
            self.record_use(use_batch, row.account.key, now_ms).await?;
        }
        Ok(Some(row.account))
    }

    /// Returns the sessions of an account that have not expired, last used first.
    pub async fn sessions(
        &self,
        account: AccountKey,
        now_ms: i64,
    ) -> Result<Vec<Session>, StoreError> {
        let sql = "SELECT hash, id, agent, network, device, created_ms, seen_ms FROM session
                   WHERE account = $1 AND seen_ms > $2 AND created_ms > $3 ORDER BY seen_ms DESC";
        let [used_ms, created_ms] = oldest_session_ms(now_ms);
        Ok(self.readers.query(sql).bind(account).bind(used_ms).bind(created_ms).fetch_all().await?)
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
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    if !has_session(tx, account, &session).await? {
                        return Ok(false);
                    }
                    let sql = "DELETE FROM token WHERE account = $1 AND scopes = 'link'";
                    tx.query(sql).bind(account).execute().await?;
                    let sql =
                        "INSERT INTO token (hash, id, account, description, scopes, created_ms)
                               VALUES ($1, $2, $3, '', 'link', $4)";
                    tx.query(sql).bind(hash).bind(id).bind(account).bind(now_ms).execute().await?;
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

    /// Records a use of a session or token of an account with the batch that updates its row.
    pub(super) async fn record_use(
        &self,
        mut batch: Batch,
        account: AccountKey,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        batch.add("UPDATE account SET seen_ms = $1 WHERE key = $2").bind(now_ms).bind(account);
        self.writer.run(move |tx| Box::pin(async move { batch.execute(tx).await })).await
    }
}

/// Announces the end of a session or token, if it existed.
pub(super) fn announce_end(tx: &mut Conn, account: Option<AccountKey>, hash: Vec<u8>) {
    if let Some(account) = account {
        tx.announce(Change::SignedOut(account, Some(hash)));
    }
}

/// Ends all sessions of an account. The caller announces it.
pub(super) async fn delete_sessions(tx: &mut Conn, account: AccountKey) -> Result<(), StoreError> {
    let sql = "DELETE FROM session WHERE account = $1";
    tx.query(sql).bind(account).execute().await?;
    Ok(())
}

/// Ends all sessions and tokens of an account. The caller announces it.
pub(super) async fn delete_credentials(
    tx: &mut Conn,
    account: AccountKey,
) -> Result<(), StoreError> {
    delete_sessions(tx, account).await?;
    for sql in ["DELETE FROM token WHERE account = $1", "DELETE FROM reset_link WHERE account = $1"]
    {
        tx.query(sql).bind(account).execute().await?;
    }
    Ok(())
}

/// Returns whether a proof is valid, and uses up its code.
async fn use_proof(
    tx: &mut Conn,
    account: AccountKey,
    proof: &SessionProof,
) -> Result<bool, StoreError> {
    let query = match proof {
        SessionProof::Password(hash) | SessionProof::PasswordAndCode(hash, _) => {
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
    if !query.exists().await? {
        return Ok(false);
    }
    let code = match proof {
        SessionProof::PasswordAndCode(_, code) => Some(code),
        SessionProof::Password(_) | SessionProof::Link(_) => None,
    };
    use_code(tx, account, code).await
}

/// Returns whether a session of an account exists, by the hash of its token.
pub(super) async fn has_session(
    tx: &mut Conn,
    account: AccountKey,
    hash: &[u8],
) -> Result<bool, StoreError> {
    Ok(session_opened_ms(tx, account, hash).await?.is_some())
}

/// Returns the opening time of a session of an account, by the hash of its token.
pub(super) async fn session_opened_ms(
    tx: &mut Conn,
    account: AccountKey,
    hash: &[u8],
) -> Result<Option<i64>, StoreError> {
    let sql = "SELECT created_ms FROM session WHERE hash = $1 AND account = $2";
    Ok(tx.query(sql).bind(hash).bind(account).optional_value().await?)
}

/// Opens a session, unless its network or device is banned; bans do not concern moderators.
pub(super) async fn insert_session(
    tx: &mut Conn,
    session: &NewSession,
    account: AccountKey,
) -> Result<(), OpenSessionError> {
    match ban_of(tx, &session.network, &session.device, session.now_ms).await? {
        Some(until_ms) if !is_moderator(tx, account).await? => {
            Err(OpenSessionError::Banned(until_ms))
        }
        _ => Ok(insert(tx, session, account).await?),
    }
}

async fn is_moderator(tx: &mut Conn, account: AccountKey) -> Result<bool, StoreError> {
    let sql = "SELECT 1 FROM account WHERE key = $1 AND admin";
    Ok(tx.query(sql).bind(account).exists().await?)
}

async fn insert(
    tx: &mut Conn,
    session: &NewSession,
    account: AccountKey,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO session (hash, id, agent, network, device, account, created_ms, seen_ms)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    tx.query(sql)
        .bind(session.hash.as_slice())
        .bind(&session.id)
        .bind(&session.agent)
        .bind(&session.network)
        .bind(session.device.as_slice())
        .bind(account)
        .bind(session.now_ms)
        .bind(session.now_ms)
        .execute()
        .await?;
    let sql = "UPDATE account SET seen_ms = $1 WHERE key = $2";
    tx.query(sql).bind(session.now_ms).bind(account).execute().await?;
    Ok(())
}
