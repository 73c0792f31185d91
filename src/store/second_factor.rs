//! Second factors of accounts: secrets of authenticator apps (TOTP). Passkeys are in `passkey`.
//!
//! A secret is used from its confirmation on; `login_code` checks the codes. Callers:
//! `http::api::second_factor`, `http::api::login_code`, `http::api::archive` and the subcommand
//! `admin`.

use super::login_code::{
    CodeProof, delete_app, delete_second_factors, delete_set_ups, has_app, has_second_factor,
    use_code,
};
use super::mod_log::{LoggedAction, Moderator, log_action};
use super::session;
use super::{AccountKey, Store, StoreError};
use std::fmt::{Debug, Formatter};

/// Secret of an authenticator app.
#[derive(Clone, sqlx::FromRow)]
pub struct TotpRow {
    pub secret: Vec<u8>,
    /// Time of the confirmation, in epoch milliseconds; `None` if the secret is not in use.
    pub confirmed_ms: Option<i64>,
    /// Step of the last code that was accepted.
    pub last_step: i64,
}

/// Shows no secret.
impl Debug for TotpRow {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TotpRow").field("confirmed_ms", &self.confirmed_ms).finish_non_exhaustive()
    }
}

/// Time within which a new secret can be confirmed, in milliseconds.
const CONFIRM_MS: i64 = 3_600_000;

/// Result of a change of the second factor, or of what replaces it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SecondFactorChange {
    Done,
    /// The session of the request has ended.
    NoSession,
    /// The code has been used, or is of a secret or passkey that was replaced or removed.
    Refused,
    /// The account does not have the authenticator app or passkey.
    Missing,
    /// The account has an authenticator app in use.
    AppInUse,
    /// The challenge of the registration was answered, or another second factor was added after it.
    RegistrationEnded,
    /// An account has the passkey already.
    PasskeyKnown,
}

impl Store {
    /// Returns the secret of the authenticator app of an account, confirmed or not.
    pub async fn totp(&self, account: AccountKey) -> Result<Option<TotpRow>, StoreError> {
        let sql = "SELECT secret, confirmed_ms, last_step FROM totp WHERE account = $1";
        Ok(self.readers.query(sql).bind(account).fetch_optional().await?)
    }

    /// Stores a secret that is to be confirmed, in place of an earlier one that is not in use, and
    /// uses up the code of the second factor that the account has already.
    pub async fn add_totp(
        &self,
        account: AccountKey,
        (session, code): (Vec<u8>, Option<CodeProof>),
        secret: Vec<u8>,
        now_ms: i64,
    ) -> Result<SecondFactorChange, StoreError> {
        let sql = "INSERT INTO totp (account, secret, created_ms, last_step) VALUES ($1, $2, $3, 0)
                   ON CONFLICT (account) DO UPDATE
                       SET secret = excluded.secret, created_ms = excluded.created_ms";
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    if !session::has_session(tx, account, &session).await? {
                        return Ok(SecondFactorChange::NoSession);
                    }
                    if has_app(tx, account).await? {
                        return Ok(SecondFactorChange::AppInUse);
                    }
                    if !use_code(tx, account, code.as_ref()).await? {
                        return Ok(SecondFactorChange::Refused);
                    }
                    tx.query(sql).bind(account).bind(secret).bind(now_ms).execute().await?;
                    Ok(SecondFactorChange::Done)
                })
            })
            .await
    }

    /// Begins to use a secret of at most an hour of which a code with this step was given, and ends
    /// the other set-ups of the account.
    pub async fn confirm_totp(
        &self,
        account: AccountKey,
        session: Vec<u8>,
        (secret, step): (Vec<u8>, i64),
        now_ms: i64,
    ) -> Result<SecondFactorChange, StoreError> {
        let sql = "UPDATE totp SET confirmed_ms = $1, last_step = $2
                   WHERE account = $3 AND secret = $4 AND confirmed_ms IS NULL
                       AND created_ms > $5";
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    if !session::has_session(tx, account, &session).await? {
                        return Ok(SecondFactorChange::NoSession);
                    }
                    let query = tx.query(sql).bind(now_ms).bind(step).bind(account).bind(secret);
                    let query = query.bind(now_ms - CONFIRM_MS);
                    if query.execute().await? == 0 {
                        return Ok(SecondFactorChange::Refused);
                    }
                    delete_set_ups(tx, account).await?;
                    Ok(SecondFactorChange::Done)
                })
            })
            .await
    }

    /// Removes the authenticator app of an account, and uses up the code.
    pub async fn remove_totp(
        &self,
        account: AccountKey,
        session: Vec<u8>,
        code: CodeProof,
    ) -> Result<SecondFactorChange, StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    if !session::has_session(tx, account, &session).await? {
                        return Ok(SecondFactorChange::NoSession);
                    }
                    if !has_app(tx, account).await? {
                        return Ok(SecondFactorChange::Missing);
                    }
                    if !use_code(tx, account, Some(&code)).await? {
                        return Ok(SecondFactorChange::Refused);
                    }
                    delete_app(tx, account).await?;
                    Ok(SecondFactorChange::Done)
                })
            })
            .await
    }

    /// Removes the second factors of an account for its owner, and logs it. Returns false, without
    /// a change, if it has none in use.
    pub async fn remove_second_factor(
        &self,
        account: AccountKey,
        moderator: Moderator,
        now_ms: i64,
    ) -> Result<bool, StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    if !has_second_factor(tx, account).await? {
                        return Ok(false);
                    }
                    delete_second_factors(tx, account).await?;
                    let action = LoggedAction::new(account, "remove-second-factor");
                    log_action(tx, action, moderator, now_ms).await?;
                    Ok(true)
                })
            })
            .await
    }
}
