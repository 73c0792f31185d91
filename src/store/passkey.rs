//! Passkeys of accounts, which are second factors, and the challenges that they answer.
//!
//! The challenge of a request is removed by its first answer, right or wrong; that of a
//! registration by the new passkey, or by another second factor. `login_code` accepts the answers.
//! Callers: `http::api::passkey`, `http::api::login_code` and `http::api::archive`.

use super::login_code::{CodeProof, delete_set_ups, use_code};
use super::second_factor::SecondFactorChange;
use super::session;
use super::sql::Conn;
use super::{AccountKey, LimitError, Store, StoreError};

/// Maximum of passkeys per account.
const PASSKEYS_MAX: i64 = 10;

/// Time within which a challenge can be answered, in milliseconds.
const ANSWER_MS: i64 = 300_000;

/// Passkey of an account.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct PasskeyRow {
    /// Public id.
    pub id: String,
    /// Domain of the site at the registration, at which alone the passkey works.
    pub rp_id: String,
    /// Name by the user.
    pub name: String,
    /// Public key, as JSON.
    pub credential: String,
    /// Counter of the last signature; 0 before the first use, and if the passkey counts none.
    pub counter: i64,
    /// Time of the registration, in epoch milliseconds.
    pub created_ms: i64,
    /// Time of the last use, in epoch milliseconds.
    pub used_ms: Option<i64>,
}

/// Passkey to be added.
#[derive(Clone, Debug)]
pub struct NewPasskey {
    /// Id by which the authenticator knows it.
    pub credential_id: Vec<u8>,
    pub row: PasskeyRow,
}

/// Challenge to be stored, with the state that checks its answer.
#[derive(Clone, Debug)]
pub struct NewPasskeyChallenge {
    pub id: String,
    pub state: String,
    /// Time of its creation, in epoch milliseconds.
    pub now_ms: i64,
}

impl Store {
    /// Returns the passkeys of an account, the oldest first.
    pub async fn passkeys(&self, account: AccountKey) -> Result<Vec<PasskeyRow>, StoreError> {
        let sql = "SELECT id, rp_id, name, credential, counter, created_ms, used_ms FROM passkey
                   WHERE account = $1 ORDER BY created_ms, id";
        Ok(self.readers.query(sql).bind(account).fetch_all().await?)
    }

    /// Stores the challenge of a registration for a session, and uses up the code of the second
    /// factor that the account has already.
    pub async fn add_registration_challenge(
        &self,
        account: AccountKey,
        (session, code): (Vec<u8>, Option<CodeProof>),
        challenge: NewPasskeyChallenge,
    ) -> Result<SecondFactorChange, LimitError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    if !session::has_session(tx, account, &session).await? {
                        return Ok(SecondFactorChange::NoSession);
                    }
                    check_count(tx, account).await?;
                    if !use_code(tx, account, code.as_ref()).await? {
                        return Ok(SecondFactorChange::Refused);
                    }
                    insert_challenge(tx, account, session, challenge).await?;
                    Ok(SecondFactorChange::Done)
                })
            })
            .await
    }

    /// Stores the challenge of a request that needs a second factor.
    pub async fn add_passkey_challenge(
        &self,
        account: AccountKey,
        challenge: NewPasskeyChallenge,
    ) -> Result<(), StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move { insert_challenge(tx, account, Vec::new(), challenge).await })
            })
            .await
    }

    /// Returns the state of the challenge of a registration by a session that can be answered at
    /// `now_ms`.
    pub async fn registration_challenge(
        &self,
        account: AccountKey,
        id: &str,
        session: &[u8],
        now_ms: i64,
    ) -> Result<Option<String>, StoreError> {
        let sql = "SELECT state FROM passkey_challenge
                   WHERE id = $1 AND account = $2 AND session = $3 AND created_ms > $4";
        let query = self.readers.query(sql).bind(id).bind(account).bind(session);
        Ok(query.bind(now_ms - ANSWER_MS).optional_value().await?)
    }

    /// Removes the challenge of a request of an account that can be answered at `now_ms`, and
    /// returns its state.
    pub async fn take_passkey_challenge(
        &self,
        account: AccountKey,
        id: String,
        now_ms: i64,
    ) -> Result<Option<String>, StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "DELETE FROM passkey_challenge
                               WHERE id = $1 AND account = $2 AND length(session) = 0
                                   AND created_ms > $3
                               RETURNING state";
                    let query = tx.query(sql).bind(id).bind(account);
                    Ok(query.bind(now_ms - ANSWER_MS).optional_value().await?)
                })
            })
            .await
    }

    /// Adds a passkey in answer to the challenge of its registration, and ends the other set-ups of
    /// the account.
    pub async fn add_passkey(
        &self,
        account: AccountKey,
        (session, challenge): (Vec<u8>, String),
        passkey: NewPasskey,
    ) -> Result<SecondFactorChange, LimitError> {
        let sql = "INSERT INTO passkey
                       (id, account, credential_id, rp_id, name, credential, counter, created_ms)
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING";
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    if !session::has_session(tx, account, &session).await? {
                        return Ok(SecondFactorChange::NoSession);
                    }
                    if !remove_registration(tx, account, &session, &challenge).await? {
                        return Ok(SecondFactorChange::RegistrationEnded);
                    }
                    check_count(tx, account).await?;
                    let NewPasskey { credential_id, row } = passkey;
                    let query = tx.query(sql).bind(row.id).bind(account).bind(credential_id);
                    let query = query.bind(row.rp_id).bind(row.name).bind(row.credential);
                    let query = query.bind(row.counter).bind(row.created_ms);
                    if query.execute().await? == 0 {
                        return Ok(SecondFactorChange::PasskeyKnown);
                    }
                    delete_set_ups(tx, account).await?;
                    Ok(SecondFactorChange::Done)
                })
            })
            .await
    }

    /// Removes a passkey of an account, and uses up the code.
    pub async fn remove_passkey(
        &self,
        account: AccountKey,
        session: Vec<u8>,
        id: String,
        code: CodeProof,
    ) -> Result<SecondFactorChange, StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    if !session::has_session(tx, account, &session).await? {
                        return Ok(SecondFactorChange::NoSession);
                    }
                    let sql = "SELECT 1 FROM passkey WHERE account = $1 AND id = $2";
                    if !tx.query(sql).bind(account).bind(id.as_str()).exists().await? {
                        return Ok(SecondFactorChange::Missing);
                    }
                    if !use_code(tx, account, Some(&code)).await? {
                        return Ok(SecondFactorChange::Refused);
                    }
                    let sql = "DELETE FROM passkey WHERE account = $1 AND id = $2";
                    tx.query(sql).bind(account).bind(id).execute().await?;
                    Ok(SecondFactorChange::Done)
                })
            })
            .await
    }
}

/// Refuses a passkey beyond the maximum of an account.
async fn check_count(tx: &mut Conn, account: AccountKey) -> Result<(), LimitError> {
    let sql = "SELECT count(*) FROM passkey WHERE account = $1";
    let count: i64 = tx.query(sql).bind(account).value().await?;
    if count >= PASSKEYS_MAX { Err(LimitError::Reached) } else { Ok(()) }
}

/// Removes the challenge of a registration by a session. Returns false if it was removed before.
async fn remove_registration(
    tx: &mut Conn,
    account: AccountKey,
    session: &[u8],
    id: &str,
) -> Result<bool, StoreError> {
    let sql = "DELETE FROM passkey_challenge WHERE id = $1 AND account = $2 AND session = $3";
    Ok(tx.query(sql).bind(id).bind(account).bind(session).execute().await? == 1)
}

/// Adds a challenge, and removes those of all accounts that can no longer be answered.
async fn insert_challenge(
    tx: &mut Conn,
    account: AccountKey,
    session: Vec<u8>,
    challenge: NewPasskeyChallenge,
) -> Result<(), StoreError> {
    let sql = "DELETE FROM passkey_challenge WHERE created_ms <= $1";
    tx.query(sql).bind(challenge.now_ms - ANSWER_MS).execute().await?;
    let sql = "INSERT INTO passkey_challenge (id, account, session, state, created_ms)
               VALUES ($1, $2, $3, $4, $5)";
    let NewPasskeyChallenge { id, state, now_ms } = challenge;
    let query = tx.query(sql).bind(id).bind(account).bind(session).bind(state).bind(now_ms);
    query.execute().await?;
    Ok(())
}
