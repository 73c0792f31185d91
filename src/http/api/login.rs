//! Login, and the appeal of a player whose account a moderator has closed. Caller: the router.

use crate::http::App;
use crate::http::api::account::{SignedInAccount, cookies, end_session, signed_in_response};
use crate::http::api::login_code::{FirstProof, GivenFactor, LoginForm, check_code, refused_code};
use crate::http::error::Error;
use crate::http::extract::auth::{Token, Viewer};
use crate::http::extract::device::DeviceId;
use crate::http::extract::form_fields::FormFields;
use crate::http::extract::password::{PASSWORD_LEN, verify_password};
use crate::http::limits::login_failures::limit_logins;
use crate::http::limits::rate_limiter::ClientNetwork;
use crate::http::messages::{DONE, Done, ErrorBody};
use crate::play::reason::Reason;
use crate::play::text::sanitize;
use crate::rooms::now_ms;
use crate::store::{APPEAL_CHARS_MAX, Account, ClosedAccount, SessionProof};
use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use std::net::IpAddr;
use utoipa::ToSchema;

/// Returns the id of the account with a name, which may be a former one, within the login limit of
/// the address.
async fn account_id(app: &App, address: IpAddr, username: &str) -> Result<String, Error> {
    let id = username.to_ascii_lowercase();
    app.login_limit.check(address)?;
    let present_id = app.rooms.store().id_of_former_name(&id, now_ms()).await?;
    Ok(present_id.unwrap_or(id))
}

/// Refuses passwords that no account can have, which would take long to hash.
fn check_length(password: &str) -> Result<(), Error> {
    if password.chars().count() > *PASSWORD_LEN.end() {
        return Err(Error::WrongCredentials);
    }
    Ok(())
}

fn account_closed(closed: &ClosedAccount) -> Error {
    Error::AccountClosed { until_ms: closed.reopen_ms, appeal: closed.appeal(now_ms()) }
}

/// Checks the password of an account and, if it has a second factor, the code or the passkey.
async fn authenticate(
    app: &App,
    headers: &HeaderMap,
    id: &str,
    password: String,
    given: GivenFactor,
) -> Result<(Account, SessionProof), Error> {
    check_length(&password)?;
    let store = app.rooms.store();
    let (account, hash) = store.credentials(id).await?.unzip();
    if account.is_none()
        && let Some(closed) = store.closed_by_moderator(id).await?
    {
        let refusal = account_closed(&closed);
        let is_valid = verify_password(password, Some(closed.password)).await?;
        return Err(if is_valid { refusal } else { Error::WrongCredentials });
    }
    let is_valid = verify_password(password, hash.clone()).await?;
    let (account, hash) = account.zip(hash).filter(|_| is_valid).ok_or(Error::WrongCredentials)?;
    let code = check_code(app, headers, account.key, given, FirstProof::Password).await?;
    let proof = match code {
        None => SessionProof::Password(hash),
        Some(code) => SessionProof::PasswordAndCode(hash, code),
    };
    Ok((account, proof))
}

/// Logs in with username, password and, if the account has a second factor, a code or a passkey.
/// Replaces the current session. A name that a moderator has replaced is accepted for 30 days.
#[utoipa::path(post, path = "/login", tag = "account", request_body = LoginForm,
    responses((status = 200, body = SignedInAccount), (status = "4XX", body = ErrorBody)))]
pub async fn login(
    State(app): State<App>,
    // Refuses an invalid token.
    _: Viewer,
    ClientNetwork(address): ClientNetwork,
    headers: HeaderMap,
    FormFields(LoginForm { username, password, code, passkey }): FormFields<LoginForm>,
) -> Result<Response, Error> {
    let id = account_id(&app, address, &username).await?;
    let given = GivenFactor { code, passkey };
    let attempt = authenticate(&app, &headers, &id, password, given);
    let (account, proof) = limit_logins(&app, &id, attempt).await?;
    let refusal = match &proof {
        SessionProof::PasswordAndCode(_, code) => refused_code(Some(code)),
        _ => Error::WrongCredentials,
    };
    let token = Token::random();
    let device = DeviceId::from_headers(&app.config, &headers);
    let session = token.new_session(&headers, address, device.hash());
    if !app.rooms.store().open_session(session, account.key, proof).await? {
        return Err(refusal);
    }
    end_session(&app, &headers).await?;
    Ok((cookies(&app, &token, &device), signed_in_response(account)).into_response())
}

/// Message of a player whose account a moderator has closed.
#[derive(Deserialize, ToSchema)]
pub struct AppealForm {
    #[serde(default)]
    pub username: String,
    #[serde(default)]
    pub password: String,
    /// 1 to 1000 characters.
    #[serde(default)]
    pub text: String,
}

/// Appeals against the closing of an account by a moderator, with its name and password. While the
/// appeal is open, and for 30 days after it is declined, another one is refused (`accountClosed`).
#[utoipa::path(post, path = "/appeal", tag = "account", request_body = AppealForm,
    responses((status = 200, body = Done), (status = "4XX", body = ErrorBody)))]
pub async fn appeal(
    State(app): State<App>,
    // Refuses an invalid token.
    _: Viewer,
    ClientNetwork(address): ClientNetwork,
    FormFields(AppealForm { username, password, text }): FormFields<AppealForm>,
) -> Result<Json<Done>, Error> {
    let text = sanitize(&text);
    if !(1..=APPEAL_CHARS_MAX).contains(&text.chars().count()) {
        let why = format!("`text` has 1 to {APPEAL_CHARS_MAX} characters.");
        return Err(Error::InvalidField(Reason::BadField, why));
    }
    let id = account_id(&app, address, &username).await?;
    let store = app.rooms.store();
    let attempt = async {
        check_length(&password)?;
        let closed = store.closed_by_moderator(&id).await?;
        let hash = closed.as_ref().map(|closed| closed.password.clone());
        let is_valid = verify_password(password, hash).await?;
        closed.filter(|_| is_valid).ok_or(Error::WrongCredentials)
    };
    let closed = limit_logins(&app, &id, attempt).await?;
    if store.appeal(closed.key, text, now_ms()).await? {
        return Ok(Json(DONE));
    }
    // The account is open again, or has an appeal.
    let closed = store.closed_by_moderator(&id).await?.ok_or(Error::WrongCredentials)?;
    Err(account_closed(&closed))
}
