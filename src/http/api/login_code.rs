//! Codes and passkeys of the second factor: the form of a login, and the check that logins,
//! recoveries and resets have in common. Callers: `account`, `recovery`, `second_factor` and
//! `passkey`.

use crate::http::App;
use crate::http::error::Error;
use crate::http::extract::passkey::{PasskeyAnswer, RelyingParty, StartedChallenge};
use crate::http::extract::recovery_word::hash_word;
use crate::http::extract::totp;
use crate::http::messages::{PasskeyRequest, SecondFactorKind};
use crate::rooms::now_ms;
use crate::store::{AccountKey, CodeProof, PasskeyRow};
use axum::http::HeaderMap;
use serde::Deserialize;
use utoipa::ToSchema;

/// Username, password and, if the account has a second factor, a code or the answer of a passkey.
#[derive(Deserialize, ToSchema)]
pub struct LoginForm {
    #[serde(default)]
    pub username: String,
    #[serde(default)]
    pub password: String,
    /// Six digits of the authenticator app, or a recovery word, which is used up. Without it and
    /// `passkey`, the login to an account with a second factor is refused (`secondFactorRequired`).
    pub code: Option<String>,
    /// Answer of a passkey: JSON text with `challenge`, the id in the refusal, and `credential`,
    /// the `toJSON()` of what `navigator.credentials.get` returns for the options there.
    pub passkey: Option<String>,
}

/// Proof beside which a request has a code. The codes beside each have a limit of their own, so
/// that an attacker with one proof cannot use up the limit beside another. Answers of passkeys have
/// none, as a signature cannot be guessed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FirstProof {
    Password,
    /// Recovery word, beside which another one is no second factor.
    Word,
    /// Reset link.
    Link,
    /// Session, with or without the password.
    Session,
}

/// Second factor in a request.
pub(super) struct GivenFactor {
    pub code: Option<String>,
    /// Answer of a passkey, as JSON.
    pub passkey: Option<String>,
}

/// Checks the second factor of an account. Returns `None` if it has none.
///
/// # Errors
/// [`Error::SecondFactorRequired`] without a code and an answer, [`Error::WrongCode`] if the code
/// is wrong or was used, and those of [`check_passkey`].
pub(super) async fn check_code(
    app: &App,
    headers: &HeaderMap,
    account: AccountKey,
    given: GivenFactor,
    first: FirstProof,
) -> Result<Option<CodeProof>, Error> {
    let store = app.rooms.store();
    let totp = store.totp(account).await?.filter(|totp| totp.confirmed_ms.is_some());
    let passkeys = store.passkeys(account).await?;
    if totp.is_none() && passkeys.is_empty() {
        return Ok(None);
    }
    if let Some(answer) = given.passkey {
        return check_passkey(app, headers, account, &passkeys, &answer).await.map(Some);
    }
    let Some(code) = given.code.filter(|code| !code.trim().is_empty()) else {
        let mut kinds = Vec::new();
        kinds.extend(totp.map(|_| SecondFactorKind::Totp));
        kinds.extend((!passkeys.is_empty()).then_some(SecondFactorKind::Passkey));
        let request = request_passkey(app, headers, account, &passkeys).await?;
        return Err(Error::SecondFactorRequired(kinds, request));
    };
    if totp::is_code(&code) {
        app.code_limit.check((account, first))?;
        let totp = totp.ok_or(Error::WrongCode)?;
        let step = totp::step_of_code(&totp.secret, &code, now_ms());
        let step = step.filter(|step| *step > totp.last_step).ok_or(Error::WrongCode)?;
        return Ok(Some(CodeProof::Totp { secret: totp.secret, step }));
    }
    if first == FirstProof::Word {
        return Err(Error::WrongCode);
    }
    let hash = hash_word(code, account).await?;
    if !store.has_recovery_word(account, hash).await? {
        return Err(Error::WrongCode);
    }
    Ok(Some(CodeProof::Word(hash)))
}

/// Returns a new challenge for the passkeys of an account, if it has some that work here.
async fn request_passkey(
    app: &App,
    headers: &HeaderMap,
    account: AccountKey,
    passkeys: &[PasskeyRow],
) -> Result<Option<PasskeyRequest>, Error> {
    let Some(site) = RelyingParty::new(app, headers) else { return Ok(None) };
    let started = site.start_proof(passkeys)?;
    let Some(StartedChallenge { stored, options }) = started else { return Ok(None) };
    let challenge = stored.id.clone();
    app.rooms.store().add_passkey_challenge(account, stored).await?;
    Ok(Some(PasskeyRequest { challenge, options }))
}

/// Checks the answer of a passkey, and uses up its challenge.
///
/// # Errors
/// [`Error::NoPasskeys`] where browsers offer none, [`Error::ExpiredPasskey`] if the challenge was
/// answered, is too old or is not of the account, [`Error::WrongPasskey`] if the answer is wrong,
/// and [`Error::CopiedPasskey`] if its counter goes backwards.
async fn check_passkey(
    app: &App,
    headers: &HeaderMap,
    account: AccountKey,
    passkeys: &[PasskeyRow],
    answer: &str,
) -> Result<CodeProof, Error> {
    let site = RelyingParty::new(app, headers).ok_or(Error::NoPasskeys)?;
    let answer = PasskeyAnswer::parse(answer)?;
    let (store, id) = (app.rooms.store(), answer.challenge.clone());
    let state = store.take_passkey_challenge(account, id, now_ms()).await?;
    site.finish_proof(&answer, &state.ok_or(Error::ExpiredPasskey)?, passkeys)
}

/// Returns the error if a code is not valid any more when it is used up.
pub(super) fn refused_code(code: Option<&CodeProof>) -> Error {
    match code {
        Some(CodeProof::Passkey { .. }) => Error::WrongPasskey,
        _ => Error::WrongCode,
    }
}
