//! Codes of the second factor: the form of a login, and the check of the code that logins,
//! recoveries and resets have in common. Callers: `account`, `recovery` and `second_factor`.

use crate::http::App;
use crate::http::error::Error;
use crate::http::extract::recovery_word::hash_word;
use crate::http::extract::totp;
use crate::rooms::now_ms;
use crate::store::{AccountKey, CodeProof};
use serde::Deserialize;
use utoipa::ToSchema;

/// Username, password and, if the account has a second factor, a code.
#[derive(Deserialize, ToSchema)]
pub struct LoginForm {
    #[serde(default)]
    pub username: String,
    #[serde(default)]
    pub password: String,
    /// Six digits of the authenticator app, or a recovery word, which is used up. Without it the
    /// login to an account with a second factor is refused (`secondFactorRequired`).
    pub code: Option<String>,
}

/// Proof beside which a request has a code. The codes beside each have a limit of their own, so
/// that an attacker with one proof cannot use up the limit beside another.
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

/// Checks the code of an account. Returns `None` if it has no second factor.
///
/// # Errors
/// [`Error::SecondFactorRequired`] without a code, [`Error::WrongCode`] if it is wrong or was used.
pub(super) async fn check_code(
    app: &App,
    account: AccountKey,
    code: Option<String>,
    first: FirstProof,
) -> Result<Option<CodeProof>, Error> {
    let store = app.rooms.store();
    let totp = store.totp(account).await?.filter(|totp| totp.confirmed_ms.is_some());
    let Some(totp) = totp else { return Ok(None) };
    let code = code.filter(|code| !code.trim().is_empty()).ok_or(Error::SecondFactorRequired)?;
    if totp::is_code(&code) {
        app.code_limit.check((account, first))?;
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
