//! Endpoints of the second factor: set-up, confirmation and removal of an authenticator app.
//!
//! They require a session of an account. The secret is shown once, in the response that creates
//! it, and in no URL of this site. Callers: the router, and `recovery`, which also changes what
//! replaces a code.

use crate::http::App;
use crate::http::api::account::{ConfirmForm, verify_own_password};
use crate::http::api::login_code::{FirstProof, check_code};
use crate::http::error::Error;
use crate::http::extract::auth::Viewer;
use crate::http::extract::form_fields::FormFields;
use crate::http::extract::origin::origin;
use crate::http::extract::totp;
use crate::http::limits::rate_limiter::ClientNetwork;
use crate::http::mail::message::MailContent;
use crate::http::messages::{DONE, Done, ErrorBody};
use crate::render;
use crate::rooms::now_ms;
use crate::store::SecondFactorChange;
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Second factor of an account.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SecondFactorOut {
    /// Time since which logins need a code of the authenticator app, in epoch milliseconds; `null`
    /// if they need none.
    totp_since: Option<i64>,
}

/// Returns the second factor of the account.
#[utoipa::path(get, path = "/account/second-factor", operation_id = "secondFactor", tag = "account",
    responses((status = 200, body = SecondFactorOut), (status = "4XX", body = ErrorBody)))]
pub async fn show(State(app): State<App>, viewer: Viewer) -> Result<Json<SecondFactorOut>, Error> {
    let (account, _) = viewer.require_session_account()?;
    let totp = app.rooms.store().totp(account.key).await?;
    Ok(Json(SecondFactorOut { totp_since: totp.and_then(|totp| totp.confirmed_ms) }))
}

/// Secret of an authenticator app, which is not in use yet.
#[derive(Serialize, ToSchema)]
pub struct NewTotp {
    /// Secret in base32, for typing.
    secret: String,
    /// Address that apps read, with the secret.
    uri: String,
    /// QR code of the address, as an SVG document.
    qr: String,
}

/// Creates the secret of an authenticator app. Logins need its codes after the first code confirms
/// it (`/api/account/totp/confirm`).
#[utoipa::path(post, path = "/account/totp", operation_id = "createTotp", tag = "account",
    request_body = ConfirmForm,
    responses((status = 201, body = NewTotp), (status = "4XX", body = ErrorBody)))]
pub async fn create_totp(
    State(app): State<App>,
    viewer: Viewer,
    ClientNetwork(address): ClientNetwork,
    headers: HeaderMap,
    FormFields(ConfirmForm { password }): FormFields<ConfirmForm>,
) -> Result<Response, Error> {
    let (account, session) = viewer.require_session_account()?;
    verify_own_password(&app, &account, address, password).await?;
    let secret = totp::draw_secret();
    let store = app.rooms.store();
    let stored = store.add_totp(account.key, session, secret.to_vec(), now_ms()).await?;
    check_change(stored, Error::SecondFactorOn)?;
    let origin = origin(&app, &headers);
    let host = origin.split_once("://").map_or("", |(_, host)| host);
    let uri = totp::setup_address(&secret, &account.name, host);
    let qr = render::qr_code(&uri).map_err(|_| Error::Internal)?;
    let body = NewTotp { secret: totp::to_base32(&secret), uri, qr };
    Ok((StatusCode::CREATED, Json(body)).into_response())
}

/// First code of an authenticator app.
#[derive(Deserialize, ToSchema)]
pub struct TotpConfirmForm {
    /// Six digits.
    #[serde(default)]
    pub code: String,
}

/// Confirms the authenticator app with its first code. From then on, logins need a code. Sessions
/// and API tokens stay.
#[utoipa::path(post, path = "/account/totp/confirm", operation_id = "confirmTotp", tag = "account",
    request_body = TotpConfirmForm,
    responses((status = 200, body = SecondFactorOut), (status = "4XX", body = ErrorBody)))]
pub async fn confirm_totp(
    State(app): State<App>,
    viewer: Viewer,
    ClientNetwork(address): ClientNetwork,
    FormFields(TotpConfirmForm { code }): FormFields<TotpConfirmForm>,
) -> Result<Json<SecondFactorOut>, Error> {
    let (account, session) = viewer.require_session_account()?;
    app.login_limit.check(address)?;
    app.account_login_limit.check(account.id)?;
    app.code_limit.check((account.key, FirstProof::Session))?;
    let (store, now_ms) = (app.rooms.store(), now_ms());
    let totp = store.totp(account.key).await?.ok_or(Error::NotFound)?;
    if totp.confirmed_ms.is_some() {
        return Err(Error::SecondFactorOn);
    }
    let step = totp::step_of_code(&totp.secret, &code, now_ms).ok_or(Error::WrongCode)?;
    let confirmed = store.confirm_totp(account.key, session, (totp.secret, step), now_ms).await?;
    check_change(confirmed, Error::WrongCode)?;
    app.send_mail_to(account.key, &MailContent::SecondFactorOn).await;
    Ok(Json(SecondFactorOut { totp_since: Some(now_ms) }))
}

/// Password and code.
#[derive(Deserialize, ToSchema)]
pub struct TotpRemoveForm {
    /// The current password.
    #[serde(default)]
    pub password: String,
    /// Six digits of the authenticator app, or a recovery word, which is used up.
    #[serde(default)]
    pub code: String,
}

/// Removes the authenticator app. Logins need no code any more.
#[utoipa::path(post, path = "/account/totp/remove", operation_id = "removeTotp", tag = "account",
    request_body = TotpRemoveForm,
    responses((status = 200, body = Done), (status = "4XX", body = ErrorBody)))]
pub async fn remove_totp(
    State(app): State<App>,
    viewer: Viewer,
    ClientNetwork(address): ClientNetwork,
    FormFields(TotpRemoveForm { password, code }): FormFields<TotpRemoveForm>,
) -> Result<Json<Done>, Error> {
    let (account, session) = viewer.require_session_account()?;
    verify_own_password(&app, &account, address, password).await?;
    let code = check_code(&app, account.key, Some(code), FirstProof::Session).await?;
    let code = code.ok_or(Error::NotFound)?;
    let removed = app.rooms.store().remove_totp(account.key, session, code).await?;
    check_change(removed, Error::WrongCode)?;
    app.send_mail_to(account.key, &MailContent::SecondFactorOff).await;
    Ok(Json(DONE))
}

/// Returns `refused` or [`Error::NoSession`] for a change that was not made.
pub(super) fn check_change(change: SecondFactorChange, refused: Error) -> Result<(), Error> {
    match change {
        SecondFactorChange::Done => Ok(()),
        SecondFactorChange::NoSession => Err(Error::NoSession),
        SecondFactorChange::Refused => Err(refused),
    }
}
