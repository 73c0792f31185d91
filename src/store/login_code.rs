//! Codes of second factors in transactions.
//!
//! Each code is accepted once: the transaction that accepts it stores its step, and refuses this
//! step and earlier ones. The answer of a passkey has a counter in place of the step, and its
//! challenge is removed before. A recovery word replaces a code, and is used up. Callers:
//! `session`, `recovery`, `second_factor`, `passkey` and `erasure`.

use super::sql::Conn;
use super::{AccountKey, StoreError};
use std::fmt::{Debug, Formatter};

/// Code whose form and value were verified. The transaction that accepts it uses it up.
#[derive(Clone, PartialEq, Eq)]
pub enum CodeProof {
    /// Code of an authenticator app: the secret, and the step of the code.
    Totp { secret: Vec<u8>, step: i64 },
    /// Signature of a passkey, with its counter: the key as it is stored from now on.
    Passkey { id: String, credential: String, counter: i64, now_ms: i64 },
    /// Hash of a recovery word.
    Word([u8; 32]),
}

/// Shows no secret.
impl Debug for CodeProof {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            CodeProof::Totp { .. } => "Totp",
            CodeProof::Passkey { .. } => "Passkey",
            CodeProof::Word(_) => "Word",
        })
    }
}

/// Uses up the code of an account. Returns false, without a change, if the account has a second
/// factor in use and the code is missing, was used before, or is of an earlier secret or a removed
/// passkey.
pub(super) async fn use_code(
    tx: &mut Conn,
    account: AccountKey,
    code: Option<&CodeProof>,
) -> Result<bool, StoreError> {
    if !has_second_factor(tx, account).await? {
        return Ok(true);
    }
    let used = match code {
        None => 0,
        Some(CodeProof::Totp { secret, step }) => {
            let sql = "UPDATE totp SET last_step = $1
                       WHERE account = $2 AND secret = $3 AND last_step < $1
                           AND confirmed_ms IS NOT NULL";
            tx.query(sql).bind(*step).bind(account).bind(secret.as_slice()).execute().await?
        }
        Some(CodeProof::Passkey { id, credential, counter, now_ms }) => {
            let sql = "UPDATE passkey SET credential = $1, counter = $2, used_ms = $3
                       WHERE account = $4 AND id = $5
                           AND (counter < $2 OR (counter = 0 AND $2 = 0))";
            let query = tx.query(sql).bind(credential).bind(*counter).bind(*now_ms);
            query.bind(account).bind(id).execute().await?
        }
        Some(CodeProof::Word(hash)) => {
            let sql = "DELETE FROM recovery_word WHERE account = $1 AND hash = $2";
            tx.query(sql).bind(account).bind(hash.to_vec()).execute().await?
        }
    };
    Ok(used == 1)
}

/// Returns whether an account has a second factor in use.
pub(super) async fn has_second_factor(
    tx: &mut Conn,
    account: AccountKey,
) -> Result<bool, StoreError> {
    let sql = "SELECT 1 FROM totp WHERE account = $1 AND confirmed_ms IS NOT NULL
               UNION ALL SELECT 1 FROM passkey WHERE account = $1";
    Ok(tx.query(sql).bind(account).exists().await?)
}

/// Returns whether an account has a confirmed authenticator app.
pub(super) async fn has_app(tx: &mut Conn, account: AccountKey) -> Result<bool, StoreError> {
    let sql = "SELECT 1 FROM totp WHERE account = $1 AND confirmed_ms IS NOT NULL";
    Ok(tx.query(sql).bind(account).exists().await?)
}

/// Deletes the set-ups of second factors that were not finished: an unconfirmed app, and the
/// challenges of registrations. They may have begun without a code of the newest second factor.
pub(super) async fn delete_set_ups(tx: &mut Conn, account: AccountKey) -> Result<(), StoreError> {
    for sql in [
        "DELETE FROM totp WHERE account = $1 AND confirmed_ms IS NULL",
        "DELETE FROM passkey_challenge WHERE account = $1 AND length(session) > 0",
    ] {
        tx.query(sql).bind(account).execute().await?;
    }
    Ok(())
}

/// Deletes the authenticator app of an account.
pub(super) async fn delete_app(tx: &mut Conn, account: AccountKey) -> Result<(), StoreError> {
    let sql = "DELETE FROM totp WHERE account = $1";
    tx.query(sql).bind(account).execute().await?;
    Ok(())
}

/// Deletes all second factors of an account, and its challenges.
pub(super) async fn delete_second_factors(
    tx: &mut Conn,
    account: AccountKey,
) -> Result<(), StoreError> {
    delete_app(tx, account).await?;
    for sql in [
        "DELETE FROM passkey WHERE account = $1",
        "DELETE FROM passkey_challenge WHERE account = $1",
    ] {
        tx.query(sql).bind(account).execute().await?;
    }
    Ok(())
}
