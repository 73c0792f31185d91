//! Endpoints of accounts whose password is lost: recovery words, and reset links of the operator or
//! by e-mail.
//!
//! Caller: the router.

use crate::http::App;
use crate::http::api::account::{cookies, end_session, verify_own_password};
use crate::http::api::login_code::{FirstProof, GivenFactor, check_code, refused_code};
use crate::http::api::second_factor::check_change;
use crate::http::error::Error;
use crate::http::extract::auth::{Token, Viewer};
use crate::http::extract::device::DeviceId;
use crate::http::extract::form_fields::FormFields;
use crate::http::extract::password::{check_password, hash_password};
use crate::http::extract::recovery_word::{draw_words, hash_word, hash_words};
use crate::http::extract::secret::hash_secret;
use crate::http::limits::login_failures::limit_logins;
use crate::http::limits::rate_limiter::ClientNetwork;
use crate::http::mail::message::MailContent;
use crate::http::messages::ErrorBody;
use crate::rooms::now_ms;
use crate::store::{Account, AccountKey, CodeProof, RecoverError, RecoveryProof};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use std::net::IpAddr;
use utoipa::ToSchema;

/// The unused recovery words of an account, without the words themselves.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecoveryOut {
    /// Number of unused words.
    words_left: i64,
    /// Time at which the words were created, in epoch milliseconds; `null` without words.
    created_at: Option<i64>,
}

/// Returns how many recovery words the account has left.
#[utoipa::path(get, path = "/account/recovery", operation_id = "recovery", tag = "account",
    responses((status = 200, body = RecoveryOut), (status = "4XX", body = ErrorBody)))]
pub async fn show(State(app): State<App>, viewer: Viewer) -> Result<Json<RecoveryOut>, Error> {
    let (account, _) = viewer.require_session_account()?;
    let words = app.rooms.store().recovery_words(account.key).await?;
    Ok(Json(RecoveryOut { words_left: words.count, created_at: words.created_ms }))
}

/// New recovery words.
#[derive(Serialize, ToSchema)]
pub struct NewRecoveryWords {
    /// Ten words. The server does not store them and cannot show them again.
    words: Vec<String>,
}

/// Password and, if the account has a second factor, a code or the answer of a passkey.
#[derive(Deserialize, ToSchema)]
pub struct NewWordsForm {
    /// The current password.
    #[serde(default)]
    pub password: String,
    /// Six digits of the authenticator app, or an earlier recovery word. Required
    /// (`secondFactorRequired`) without `passkey` if the account has a second factor, which the
    /// words can replace.
    pub code: Option<String>,
    /// Answer of a passkey, see `/api/login`.
    pub passkey: Option<String>,
}

/// Creates ten recovery words, which replace the earlier ones. Each sets a new password once, or
/// replaces a code of the authenticator app or a passkey.
#[utoipa::path(post, path = "/account/recovery", operation_id = "createRecoveryWords", tag = "account",
    request_body = NewWordsForm,
    responses((status = 201, body = NewRecoveryWords), (status = "4XX", body = ErrorBody)))]
pub async fn create(
    State(app): State<App>,
    viewer: Viewer,
    ClientNetwork(address): ClientNetwork,
    headers: HeaderMap,
    FormFields(NewWordsForm { password, code, passkey }): FormFields<NewWordsForm>,
) -> Result<Response, Error> {
    let (account, session) = viewer.require_session_account()?;
    verify_own_password(&app, &account, address, password).await?;
    let given = GivenFactor { code, passkey };
    let code = check_code(&app, &headers, account.key, given, FirstProof::Session).await?;
    let refused = refused_code(code.as_ref());
    let words = draw_words();
    let hashes = hash_words(words.clone(), account.key).await?;
    let store = app.rooms.store();
    let stored = store.set_recovery_words(account.key, (session, code), hashes, now_ms()).await?;
    check_change(stored, refused)?;
    Ok((StatusCode::CREATED, Json(NewRecoveryWords { words })).into_response())
}

/// Account that has a new password and is signed in.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecoveredAccount {
    id: String,
    username: String,
    /// Number of recovery words that are left.
    words_left: i64,
    /// Confirmed e-mail address, which gets links that set a new password.
    #[schema(required)]
    email: Option<String>,
}

/// Name, recovery word, new password and, if the account has a second factor, a code or the answer
/// of a passkey.
#[derive(Deserialize, ToSchema)]
pub struct RecoverForm {
    #[serde(default)]
    pub username: String,
    /// One of the recovery words of the account. Case, spaces and hyphens do not matter.
    #[serde(default)]
    pub word: String,
    /// New password: 8 to 256 characters.
    #[serde(default)]
    pub password: String,
    /// Six digits of the authenticator app. Without it and `passkey`, the request is refused
    /// (`secondFactorRequired`) if the account has a second factor, and the word stays valid.
    pub code: Option<String>,
    /// Answer of a passkey, see `/api/login`.
    pub passkey: Option<String>,
}

/// Sets a new password with a recovery word, ends all sessions and tokens of the account, and opens
/// a session. The word is used up.
#[utoipa::path(post, path = "/recover", operation_id = "recover", tag = "account",
    request_body = RecoverForm,
    responses((status = 200, body = RecoveredAccount), (status = "4XX", body = ErrorBody)))]
pub async fn recover(
    State(app): State<App>,
    // Refuses an invalid token.
    _: Viewer,
    ClientNetwork(address): ClientNetwork,
    headers: HeaderMap,
    FormFields(RecoverForm { username, word, password, code, passkey }): FormFields<RecoverForm>,
) -> Result<Response, Error> {
    let id = username.trim().to_ascii_lowercase();
    app.login_limit.check(address)?;
    let attempt = async {
        check_password(&password, &id)?;
        let store = app.rooms.store();
        let account = store.credentials(&id).await?.map(|(account, _)| account);
        // An unknown name takes as long as a wrong word, but for the count of the failure.
        let key = account.as_ref().map_or_else(AccountKey::new, |account| account.key);
        let hash = hash_word(word, key).await?;
        let account = account.ok_or(Error::WrongRecoveryWord)?;
        if !store.has_recovery_word(account.key, hash).await? {
            return Err(Error::WrongRecoveryWord);
        }
        let given = GivenFactor { code, passkey };
        let code = check_code(&app, &headers, account.key, given, FirstProof::Word).await?;
        Ok((account, (RecoveryProof::Word(hash), code)))
    };
    let (account, proofs) = limit_logins(&app, &id, attempt).await?;
    finish(&app, account, proofs, password, &headers, address).await
}

/// Token of a reset link, new password and, if the account has a second factor, a code or the
/// answer of a passkey.
#[derive(Deserialize, ToSchema)]
pub struct ResetForm {
    /// The token, which is the fragment of the link.
    #[serde(default)]
    pub token: String,
    /// New password: 8 to 256 characters.
    #[serde(default)]
    pub password: String,
    /// Six digits of the authenticator app, or a recovery word. Without it and `passkey`, the
    /// request is refused (`secondFactorRequired`) if the account has a second factor, and the link
    /// stays valid.
    pub code: Option<String>,
    /// Answer of a passkey, see `/api/login`.
    pub passkey: Option<String>,
}

/// Sets a new password with a reset link of the operator or by e-mail, ends all sessions and tokens
/// of the account and, without a second factor, its recovery words, and opens a session. A link is
/// valid once, for an hour.
#[utoipa::path(post, path = "/reset", operation_id = "reset", tag = "account", request_body = ResetForm,
    responses((status = 200, body = RecoveredAccount), (status = "4XX", body = ErrorBody)))]
pub async fn reset(
    State(app): State<App>,
    // Refuses an invalid token.
    _: Viewer,
    ClientNetwork(address): ClientNetwork,
    headers: HeaderMap,
    FormFields(ResetForm { token, password, code, passkey }): FormFields<ResetForm>,
) -> Result<Response, Error> {
    app.login_limit.check(address)?;
    let store = app.rooms.store();
    let hash = hash_secret(&token);
    let account = store.account_by_reset_link(&hash, now_ms()).await?;
    let account = account.ok_or(Error::InvalidResetLink)?;
    check_password(&password, &account.name)?;
    let given = GivenFactor { code, passkey };
    let code = check_code(&app, &headers, account.key, given, FirstProof::Link).await?;
    let proofs = (RecoveryProof::Link(hash), code);
    finish(&app, account, proofs, password, &headers, address).await
}

/// Sets the new password, and replaces the session of the browser.
async fn finish(
    app: &App,
    account: Account,
    proofs: (RecoveryProof, Option<CodeProof>),
    password: String,
    headers: &HeaderMap,
    network: IpAddr,
) -> Result<Response, Error> {
    let password = hash_password(password).await?;
    let token = Token::random();
    let device = DeviceId::from_headers(&app.config, headers);
    let session = token.new_session(headers, network, device.hash());
    let refused = refused_code(proofs.1.as_ref());
    let recovered = app.rooms.store().recover(account.key, proofs, password, session).await;
    let words_left = recovered.map_err(|why| match why {
        RecoverError::WrongCode => refused,
        why => why.into(),
    })?;
    // The password is set already: a failure is logged, and the old session has no cookie any more.
    let _ = end_session(app, headers).await;
    let recipient = app.rooms.store().email_recipient(account.key).await?;
    app.send_mail(recipient.as_ref(), &MailContent::NewPassword);
    let email = recipient.map(|recipient| recipient.address);
    let body = RecoveredAccount { id: account.id, username: account.name, words_left, email };
    Ok((cookies(app, &token, &device), Json(body)).into_response())
}
