//! Endpoints of passkeys: registration and removal. Logins use them by `login_code`.
//!
//! They require a session of an account. Callers: the router, and `second_factor` and `archive`,
//! which list the passkeys.

use crate::http::App;
use crate::http::api::account::verify_own_password;
use crate::http::api::login_code::{FirstProof, GivenFactor, check_code, refused_code};
use crate::http::api::second_factor::{FactorForm, SecondFactorOut, check_change, load_factors};
use crate::http::error::Error;
use crate::http::extract::auth::Viewer;
use crate::http::extract::fields::check_length;
use crate::http::extract::form_fields::FormFields;
use crate::http::extract::passkey::{PasskeyAnswer, RelyingParty};
use crate::http::limits::rate_limiter::ClientNetwork;
use crate::http::mail::message::MailContent;
use crate::http::messages::{DONE, Done, ErrorBody, PasskeyRequest};
use crate::play::reason::Reason;
use crate::play::text::sanitize_line;
use crate::rooms::now_ms;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use utoipa::ToSchema;

const NAME_CHARS_MAX: usize = 40;

/// Name of a new passkey, password and, if the account has a second factor, a code or an answer of
/// a passkey.
#[derive(Deserialize, ToSchema)]
pub struct NewPasskeyForm {
    /// Name for the owner, 1 to 40 characters.
    #[serde(default)]
    pub name: String,
    /// The current password.
    #[serde(default)]
    pub password: String,
    /// Six digits of the authenticator app, or a recovery word, which is used up.
    pub code: Option<String>,
    /// Answer of an earlier passkey, see `/api/login`.
    pub passkey: Option<String>,
}

/// Begins the registration of a passkey: returns a challenge, which the browser answers by
/// `navigator.credentials.create` within five minutes (`/api/account/passkeys/confirm`).
#[utoipa::path(post, path = "/account/passkeys", operation_id = "createPasskey", tag = "account",
    request_body = NewPasskeyForm,
    responses((status = 201, body = PasskeyRequest), (status = "4XX", body = ErrorBody)))]
pub async fn create(
    State(app): State<App>,
    viewer: Viewer,
    ClientNetwork(address): ClientNetwork,
    headers: HeaderMap,
    FormFields(form): FormFields<NewPasskeyForm>,
) -> Result<Response, Error> {
    let (account, session) = viewer.require_session_account()?;
    let name = check_length(sanitize_line(&form.name), "name", NAME_CHARS_MAX)?;
    if name.is_empty() {
        return Err(Error::InvalidField(Reason::BadField, "`name` is required.".to_owned()));
    }
    let site = RelyingParty::new(&app, &headers).ok_or(Error::NoPasskeys)?;
    verify_own_password(&app, &account, address, form.password).await?;
    let given = GivenFactor { code: form.code, passkey: form.passkey };
    let code = check_code(&app, &headers, account.key, given, FirstProof::Session).await?;
    let refused = refused_code(code.as_ref());
    let store = app.rooms.store();
    let passkeys = store.passkeys(account.key).await?;
    let started = site.start_registration((account.key, &account.name), name, &passkeys)?;
    let challenge = started.stored.id.clone();
    let added =
        store.add_registration_challenge(account.key, (session, code), started.stored).await;
    check_change(added.map_err(|why| Error::from_limit(why, "passkeys"))?, refused)?;
    let body = PasskeyRequest { challenge, options: started.options };
    Ok((StatusCode::CREATED, Json(body)).into_response())
}

/// Answer of the browser to the challenge of a registration.
#[derive(Deserialize, ToSchema)]
pub struct PasskeyConfirmForm {
    /// JSON text with `challenge`, the id, and `credential`, the `toJSON()` of the credential.
    #[serde(default)]
    pub passkey: String,
}

/// Adds the passkey that has answered the challenge. From then on, logins need a second factor.
/// Sessions and API tokens stay; other set-ups of second factors end.
#[utoipa::path(post, path = "/account/passkeys/confirm", operation_id = "confirmPasskey", tag = "account",
    request_body = PasskeyConfirmForm,
    responses((status = 200, body = SecondFactorOut), (status = "4XX", body = ErrorBody)))]
pub async fn confirm(
    State(app): State<App>,
    viewer: Viewer,
    ClientNetwork(address): ClientNetwork,
    headers: HeaderMap,
    FormFields(PasskeyConfirmForm { passkey }): FormFields<PasskeyConfirmForm>,
) -> Result<Json<SecondFactorOut>, Error> {
    let (account, session) = viewer.require_session_account()?;
    app.login_limit.check(address)?;
    app.account_login_limit.check(account.id)?;
    let site = RelyingParty::new(&app, &headers).ok_or(Error::NoPasskeys)?;
    let answer = PasskeyAnswer::parse(&passkey)?;
    let (store, id) = (app.rooms.store(), &answer.challenge);
    let state = store.registration_challenge(account.key, id, &session, now_ms()).await?;
    let new = site.finish_registration(&answer, &state.ok_or(Error::ExpiredPasskey)?)?;
    let added = store.add_passkey(account.key, (session, answer.challenge), new).await;
    check_change(added.map_err(|why| Error::from_limit(why, "passkeys"))?, Error::WrongPasskey)?;
    app.send_mail_to(account.key, &MailContent::PasskeyAdded).await;
    Ok(Json(load_factors(&app, &headers, account.key).await?))
}

/// Removes a passkey. Without another second factor, logins need the password only.
#[utoipa::path(post, path = "/account/passkeys/{id}/remove", operation_id = "removePasskey", tag = "account",
    params(("id" = String, Path)), request_body = FactorForm,
    responses((status = 200, body = Done), (status = "4XX", body = ErrorBody)))]
pub async fn remove(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path<String>,
    ClientNetwork(address): ClientNetwork,
    headers: HeaderMap,
    FormFields(FactorForm { password, code, passkey }): FormFields<FactorForm>,
) -> Result<Json<Done>, Error> {
    let (account, session) = viewer.require_session_account()?;
    verify_own_password(&app, &account, address, password).await?;
    let store = app.rooms.store();
    if !store.passkeys(account.key).await?.iter().any(|passkey| passkey.id == id) {
        return Err(Error::NotFound);
    }
    let given = GivenFactor { code, passkey };
    let code = check_code(&app, &headers, account.key, given, FirstProof::Session).await?;
    let code = code.ok_or(Error::NotFound)?;
    let refused = refused_code(Some(&code));
    check_change(store.remove_passkey(account.key, session, id, code).await?, refused)?;
    app.send_mail_to(account.key, &MailContent::PasskeyRemoved).await;
    Ok(Json(DONE))
}
