//! Codes of second factors in transactions.
//!
//! Each code is accepted once: the transaction that accepts it stores its step, and refuses this
//! step and earlier ones. A recovery word replaces a code, and is used up. Callers: `session`,
//! `recovery`, `second_factor` and `erasure`.

use super::sql::Conn;
use super::{AccountKey, StoreError};
use std::fmt::{Debug, Formatter};

/// Code whose form and value were verified. The transaction that accepts it uses it up.
#[derive(Clone, PartialEq, Eq)]
pub enum CodeProof {
    /// Code of an authenticator app: the secret, and the step of the code.
    Totp { secret: Vec<u8>, step: i64 },
    /// Hash of a recovery word.
    Word([u8; 32]),
}

/// Shows no secret.
impl Debug for CodeProof {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            CodeProof::Totp { .. } => "Totp",
            CodeProof::Word(_) => "Word",
        })
    }
}

/// Uses up the code of an account. Returns false, without a change, if the account has a second
/// factor in use and the code is missing, was used before, or is of an earlier secret.
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
    let sql = "SELECT 1 FROM totp WHERE account = $1 AND confirmed_ms IS NOT NULL";
    Ok(tx.query(sql).bind(account).exists().await?)
}

/// Deletes the secret of an app that was not confirmed.
pub(super) async fn delete_unconfirmed_app(
    tx: &mut Conn,
    account: AccountKey,
) -> Result<(), StoreError> {
    let sql = "DELETE FROM totp WHERE account = $1 AND confirmed_ms IS NULL";
    tx.query(sql).bind(account).execute().await?;
    Ok(())
}

/// Deletes the second factor of an account.
pub(super) async fn delete_second_factor(
    tx: &mut Conn,
    account: AccountKey,
) -> Result<(), StoreError> {
    let sql = "DELETE FROM totp WHERE account = $1";
    tx.query(sql).bind(account).execute().await?;
    Ok(())
}
