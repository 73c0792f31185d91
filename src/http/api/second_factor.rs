//! Endpoints of the second factors: their list, and the set-up, confirmation and removal of an
//! authenticator app.
//!
//! They require a session of an account. The secret is shown once, in the response that creates
//! it, and in no URL of this site. Callers: the router, `passkey`, and `recovery`, which also
//! changes what replaces a code.

use crate::http::App;
use crate::http::api::account::verify_own_password;
use crate::http::api::login_code::{FirstProof, GivenFactor, check_code, refused_code};
use crate::http::error::Error;
use crate::http::extract::auth::Viewer;
use crate::http::extract::form_fields::FormFields;
use crate::http::extract::origin::origin;
use crate::http::extract::passkey::RelyingParty;
use crate::http::extract::totp;
use crate::http::limits::rate_limiter::ClientNetwork;
use crate::http::mail::message::MailContent;
use crate::http::messages::{DONE, Done, ErrorBody};
use crate::render;
use crate::rooms::now_ms;
use crate::store::{AccountKey, PasskeyRow, SecondFactorChange};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Passkey of an account.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PasskeyOut {
    id: String,
    /// Name by the owner.
    name: String,
    created_at: i64,
    /// Time of the last use; `null` if it was never used.
    #[schema(required)]
    used_at: Option<i64>,
}

impl From<PasskeyRow> for PasskeyOut {
    fn from(row: PasskeyRow) -> PasskeyOut {
        let PasskeyRow { id, name, created_ms, used_ms, .. } = row;
        PasskeyOut { id, name, created_at: created_ms, used_at: used_ms }
    }
}

/// Second factors of an account.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SecondFactorOut {
    /// Time since which logins need a code of the authenticator app, in epoch milliseconds; `null`
    /// if they need none.
    totp_since: Option<i64>,
    /// Passkeys, one of which can replace the code.
    passkeys: Vec<PasskeyOut>,
    /// Whether passkeys work at this address: they need a domain, and HTTPS or `localhost`.
    can_use_passkeys: bool,
}

/// Returns the second factors of an account.
pub(super) async fn load_factors(
    app: &App,
    headers: &HeaderMap,
    account: AccountKey,
) -> Result<SecondFactorOut, Error> {
    let store = app.rooms.store();
    Ok(SecondFactorOut {
        totp_since: store.totp(account).await?.and_then(|totp| totp.confirmed_ms),
        passkeys: store.passkeys(account).await?.into_iter().map(PasskeyOut::from).collect(),
        can_use_passkeys: RelyingParty::new(app, headers).is_some(),
    })
}

/// Returns the second factors of the account.
#[utoipa::path(get, path = "/account/second-factor", operation_id = "secondFactor", tag = "account",
    responses((status = 200, body = SecondFactorOut), (status = "4XX", body = ErrorBody)))]
pub async fn show(
    State(app): State<App>,
    viewer: Viewer,
    headers: HeaderMap,
) -> Result<Json<SecondFactorOut>, Error> {
    let (account, _) = viewer.require_session_account()?;
    Ok(Json(load_factors(&app, &headers, account.key).await?))
}

/// Password and, if the account has a second factor, a code or the answer of a passkey.
#[derive(Deserialize, ToSchema)]
pub struct FactorForm {
    /// The current password.
    #[serde(default)]
    pub password: String,
    /// Six digits of the authenticator app, or a recovery word, which is used up.
    pub code: Option<String>,
    /// Answer of a passkey, see `/api/login`.
    pub passkey: Option<String>,
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
/// it (`/api/account/totp/confirm`). An account with passkeys needs one of them.
#[utoipa::path(post, path = "/account/totp", operation_id = "createTotp", tag = "account",
    request_body = FactorForm,
    responses((status = 201, body = NewTotp), (status = "4XX", body = ErrorBody)))]
pub async fn create_totp(
    State(app): State<App>,
    viewer: Viewer,
    ClientNetwork(address): ClientNetwork,
    headers: HeaderMap,
    FormFields(FactorForm { password, code, passkey }): FormFields<FactorForm>,
) -> Result<Response, Error> {
    let (account, session) = viewer.require_session_account()?;
    verify_own_password(&app, &account, address, password).await?;
    let store = app.rooms.store();
    let totp = store.totp(account.key).await?;
    if totp.is_some_and(|totp| totp.confirmed_ms.is_some()) {
        return Err(Error::SecondFactorOn);
    }
    let given = GivenFactor { code, passkey };
    let code = check_code(&app, &headers, account.key, given, FirstProof::Session).await?;
    let refused = refused_code(code.as_ref());
    let (secret, proofs) = (totp::draw_secret(), (session, code));
    let stored = store.add_totp(account.key, proofs, secret.to_vec(), now_ms()).await?;
    check_change(stored, refused)?;
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
/// and API tokens stay; other set-ups of second factors end.
#[utoipa::path(post, path = "/account/totp/confirm", operation_id = "confirmTotp", tag = "account",
    request_body = TotpConfirmForm,
    responses((status = 200, body = SecondFactorOut), (status = "4XX", body = ErrorBody)))]
pub async fn confirm_totp(
    State(app): State<App>,
    viewer: Viewer,
    ClientNetwork(address): ClientNetwork,
    headers: HeaderMap,
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
    Ok(Json(load_factors(&app, &headers, account.key).await?))
}

/// Removes the authenticator app. Without a passkey, logins need the password only.
#[utoipa::path(post, path = "/account/totp/remove", operation_id = "removeTotp", tag = "account",
    request_body = FactorForm,
    responses((status = 200, body = Done), (status = "4XX", body = ErrorBody)))]
pub async fn remove_totp(
    State(app): State<App>,
    viewer: Viewer,
    ClientNetwork(address): ClientNetwork,
    headers: HeaderMap,
    FormFields(FactorForm { password, code, passkey }): FormFields<FactorForm>,
) -> Result<Json<Done>, Error> {
    let (account, session) = viewer.require_session_account()?;
    verify_own_password(&app, &account, address, password).await?;
    let store = app.rooms.store();
    if store.totp(account.key).await?.is_none_or(|totp| totp.confirmed_ms.is_none()) {
        return Err(Error::NotFound);
    }
    let given = GivenFactor { code, passkey };
    let code = check_code(&app, &headers, account.key, given, FirstProof::Session).await?;
    let code = code.ok_or(Error::NotFound)?;
    let refused = refused_code(Some(&code));
    check_change(store.remove_totp(account.key, session, code).await?, refused)?;
    app.send_mail_to(account.key, &MailContent::SecondFactorOff).await;
    Ok(Json(DONE))
}

/// Returns the error of a change that was not made: `refused` if its code is not valid any more.
pub(super) fn check_change(change: SecondFactorChange, refused: Error) -> Result<(), Error> {
    Err(match change {
        SecondFactorChange::Done => return Ok(()),
        SecondFactorChange::NoSession => Error::NoSession,
        SecondFactorChange::Refused => refused,
        SecondFactorChange::Missing => Error::NotFound,
        SecondFactorChange::AppInUse => Error::SecondFactorOn,
        SecondFactorChange::RegistrationEnded => Error::ExpiredPasskey,
        SecondFactorChange::PasskeyKnown => Error::KnownPasskey,
    })
}
