//! Endpoints of the own account: guests, registration, sessions, profile.
//!
//! A session is a random token in a cookie; the store holds only its hash. Changing the account or
//! listing its sessions requires a session cookie: API tokens are refused (`sessionOnly`). Callers:
//! the router; `user` and `sockets::lobby` also load users with [`load_user_view`], `recovery` and
//! `login` check passwords and open sessions.

use crate::http::App;
use crate::http::api::guest_name::guest_name;
use crate::http::error::Error;
use crate::http::extract::auth::{Token, Viewer, expired_cookie, session_hash};
use crate::http::extract::device::DeviceId;
use crate::http::extract::fields::check_length;
use crate::http::extract::form_fields::FormFields;
use crate::http::extract::origin::origin;
use crate::http::extract::password::{self, PASSWORD_LEN, hash_password, verify_password};
use crate::http::extract::secret::random_hex;
use crate::http::limits::login_failures::limit_logins;
use crate::http::limits::rate_limiter::ClientNetwork;
use crate::http::mail::message::MailContent;
use crate::http::messages::{self, AccountOut, DONE, Done, ErrorBody, UserView};
use crate::play::commit_reveal::to_hex;
use crate::play::name;
use crate::play::reason::Reason;
use crate::play::text::{sanitize, sanitize_line};
use crate::rooms::now_ms;
use crate::store::{Account, AccountEnd, Arrivals, RegisterError, Session, SessionProof};
use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{AppendHeaders, IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Attempts to find a free guest name.
const GUEST_TRIES: u32 = 20;

const BIO_CHARS_MAX: usize = 400;
const BIO_LINES_MAX: usize = 5;
const LOCATION_CHARS_MAX: usize = 40;

/// Loads the public data of the account with that public id.
pub async fn load_user_view(app: &App, id: &str) -> Result<Option<UserView>, Error> {
    let store = app.rooms.store();
    let Some(profile) = store.profile(id).await? else { return Ok(None) };
    let key = profile.account.key;
    let ratings = store.ratings(key).await?;
    let progress = store.progress(key, &ratings).await?;
    let tallies = store.result_counts(key).await?;
    let in_progress = store.in_progress_counts(key).await?;
    Ok(Some(UserView { profile, ratings, progress, result_counts: tallies, in_progress }))
}

pub(super) async fn load_own_account(
    app: &App,
    account: &Account,
    headers: &HeaderMap,
) -> Result<AccountOut, Error> {
    let user_view = load_user_view(app, &account.id).await?.ok_or(Error::NoSession)?;
    Ok(messages::account(app, &user_view, &origin(app, headers)))
}

/// Returns the account or guest of the session or token.
#[utoipa::path(get, path = "/account", tag = "account",
    responses((status = 200, body = AccountOut), (status = "4XX", body = ErrorBody)))]
pub async fn show(
    State(app): State<App>,
    viewer: Viewer,
    headers: HeaderMap,
) -> Result<Json<AccountOut>, Error> {
    Ok(Json(load_own_account(&app, &viewer.require_signed_in()?, &headers).await?))
}

/// Creates a guest and opens a session. A client that is already signed in gets its current
/// account.
#[utoipa::path(post, path = "/guest", tag = "account",
    responses((status = "2XX", body = AccountOut), (status = "4XX", body = ErrorBody)))]
pub async fn guest(
    State(app): State<App>,
    viewer: Viewer,
    ClientNetwork(address): ClientNetwork,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let store = app.rooms.store();
    if let Some(account) = viewer.account {
        return Ok(Json(load_own_account(&app, &account, &headers).await?).into_response());
    }
    app.guest_limit.check(address)?;
    // A flood of refused guests must not keep the writer busy.
    if store.is_stopped(Arrivals::Guests).await? {
        return Err(Error::NoNewGuests);
    }
    let device = DeviceId::from_headers(&app.config, &headers);
    for tries in 0..GUEST_TRIES {
        let token = Token::random();
        let new_session = token.new_session(&headers, address, device.hash());
        let account = match store.add_guest(guest_name(tries), new_session).await {
            Ok(account) => account,
            Err(RegisterError::Store(error)) => return Err(error.into()),
            Err(RegisterError::Stopped) => return Err(Error::NoNewGuests),
            Err(RegisterError::Banned(until_ms)) => return Err(Error::Banned(until_ms)),
            Err(RegisterError::NameTaken | RegisterError::NameConfusable) => continue,
        };
        let body = Json(load_own_account(&app, &account, &headers).await?);
        return Ok((StatusCode::CREATED, cookies(&app, &token, &device), body).into_response());
    }
    Err(Error::Internal)
}

/// Username and password.
#[derive(Deserialize, ToSchema)]
pub struct Credentials {
    /// 2 to 20 letters, digits, hyphens and underscores; the first is a letter.
    #[serde(default)]
    pub username: String,
    /// 8 to 256 characters.
    #[serde(default)]
    pub password: String,
}

/// The account that is now signed in.
#[derive(Serialize, ToSchema)]
pub struct SignedInAccount {
    id: String,
    username: String,
}

pub(super) fn signed_in_response(account: Account) -> Json<SignedInAccount> {
    Json(SignedInAccount { id: account.id, username: account.name })
}

/// Registers an account and opens a session. A guest becomes that account and keeps its games.
#[utoipa::path(post, path = "/register", tag = "account", request_body = Credentials,
    responses((status = 201, body = SignedInAccount), (status = "4XX", body = ErrorBody)))]
pub async fn register(
    State(app): State<App>,
    viewer: Viewer,
    ClientNetwork(address): ClientNetwork,
    headers: HeaderMap,
    FormFields(Credentials { username, password }): FormFields<Credentials>,
) -> Result<Response, Error> {
    name::validate(&username)?;
    app.login_limit.check(address)?;
    app.account_login_limit.check(username.to_ascii_lowercase())?;
    password::check_password(&password, &username)?;
    if app.rooms.store().is_stopped(Arrivals::Accounts).await? {
        return Err(Error::NoNewAccounts);
    }
    let password = hash_password(password).await?;
    let session = viewer.credential_hash();
    let guest = viewer.account.filter(|account| account.guest).map(|account| account.key);
    let token = Token::random();
    let names = (username.to_ascii_lowercase(), username);
    let device = DeviceId::from_headers(&app.config, &headers);
    let (guest, opened) = (guest.zip(session), token.new_session(&headers, address, device.hash()));
    let account = app.rooms.store().register(guest, names, password, opened).await?;
    let cookies = cookies(&app, &token, &device);
    Ok((StatusCode::CREATED, cookies, signed_in_response(account)).into_response())
}

/// Ends the session of the request's cookie, with its sockets and streams.
pub(super) async fn end_session(app: &App, headers: &HeaderMap) -> Result<(), Error> {
    let Some(hash) = session_hash(&app.config, headers) else { return Ok(()) };
    app.rooms.store().close_session(hash).await?;
    Ok(())
}

/// Logs out: ends the current session.
#[utoipa::path(post, path = "/logout", tag = "account", responses((status = 200, body = Done)))]
pub async fn logout(
    State(app): State<App>,
    // Refuses an invalid token.
    _: Viewer,
    headers: HeaderMap,
) -> Result<Response, Error> {
    end_session(&app, &headers).await?;
    let clear_cookie = [(header::SET_COOKIE, expired_cookie(&app.config))];
    Ok((clear_cookie, Json(DONE)).into_response())
}

/// Returns the `Set-Cookie` headers of a session and of the device.
pub fn cookies(
    app: &App,
    token: &Token,
    device: &DeviceId,
) -> AppendHeaders<[(header::HeaderName, header::HeaderValue); 2]> {
    let (session, device) = (token.cookie(&app.config), device.cookie(&app.config));
    AppendHeaders([(header::SET_COOKIE, session), (header::SET_COOKIE, device)])
}

/// Public profile of an account.
#[derive(Deserialize, ToSchema)]
pub struct ProfileForm {
    /// At most 400 characters in 5 lines.
    pub bio: Option<String>,
    /// At most 40 characters.
    pub location: Option<String>,
}

/// Replaces the public profile of the account. A missing field becomes empty.
#[utoipa::path(post, path = "/account/profile", tag = "account", request_body = ProfileForm,
    responses((status = 200, body = Done), (status = "4XX", body = ErrorBody)))]
pub async fn profile(
    State(app): State<App>,
    viewer: Viewer,
    FormFields(form): FormFields<ProfileForm>,
) -> Result<Json<Done>, Error> {
    let (account, _) = viewer.require_session_account()?;
    let bio = check_length(sanitize(&form.bio.unwrap_or_default()), "bio", BIO_CHARS_MAX)?;
    if bio.lines().count() > BIO_LINES_MAX {
        let why = format!("`bio` can have at most {BIO_LINES_MAX} lines.");
        return Err(Error::InvalidField(Reason::TooManyLines, why));
    }
    let location = sanitize_line(&form.location.unwrap_or_default());
    let location = check_length(location, "location", LOCATION_CHARS_MAX)?;
    app.rooms.store().set_profile(account.key, bio, location).await?;
    Ok(Json(DONE))
}

/// Current and new password.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PasswordForm {
    /// The current password.
    #[serde(default)]
    pub old: String,
    /// 8 to 256 characters.
    #[serde(default)]
    pub new: String,
    /// `true` keeps the API tokens, which end otherwise.
    pub keep_tokens: Option<bool>,
}

/// Changes the password and ends all other sessions, the recovery words of an account without a
/// second factor and, without `keepTokens`, the API tokens.
#[utoipa::path(post, path = "/account/password", tag = "account", request_body = PasswordForm,
    responses((status = 200, body = Done), (status = "4XX", body = ErrorBody)))]
pub async fn password(
    State(app): State<App>,
    viewer: Viewer,
    ClientNetwork(address): ClientNetwork,
    FormFields(form): FormFields<PasswordForm>,
) -> Result<Json<Done>, Error> {
    let (account, session) = viewer.require_session_account()?;
    let PasswordForm { old, new, keep_tokens } = form;
    verify_own_password(&app, &account, address, old).await?;
    password::check_password(&new, &account.name)?;
    let hash = hash_password(new).await?;
    let (store, keeps_tokens) = (app.rooms.store(), keep_tokens.unwrap_or(false));
    if !store.set_password(account.key, hash, session, keeps_tokens).await? {
        return Err(Error::NoSession);
    }
    app.send_mail_to(account.key, &MailContent::NewPassword).await;
    Ok(Json(DONE))
}

/// Checks the current password of an account, within the login limits of address and account.
pub(super) async fn verify_own_password(
    app: &App,
    account: &Account,
    address: std::net::IpAddr,
    password: String,
) -> Result<(), Error> {
    app.login_limit.check(address)?;
    let attempt = async {
        if password.chars().count() > *PASSWORD_LEN.end() {
            return Err(Error::WrongPassword);
        }
        let hash = app.rooms.store().credentials(&account.id).await?.map(|(_, hash)| hash);
        if verify_password(password, hash).await? { Ok(()) } else { Err(Error::WrongPassword) }
    };
    limit_logins(app, &account.id, attempt).await
}

/// Ends the account of the requester, who confirms it by the password.
async fn end_account(
    app: &App,
    viewer: Viewer,
    address: std::net::IpAddr,
    password: String,
    end: AccountEnd,
) -> Result<Response, Error> {
    let (account, session) = viewer.require_session_account()?;
    verify_own_password(app, &account, address, password).await?;
    if !app.rooms.close_account(account.key, session, end).await? {
        return Err(Error::NoSession);
    }
    let clear_cookie = [(header::SET_COOKIE, expired_cookie(&app.config))];
    Ok((clear_cookie, Json(DONE)).into_response())
}

/// Confirmation by password.
#[derive(Deserialize, ToSchema)]
pub struct ConfirmForm {
    /// The current password.
    #[serde(default)]
    pub password: String,
}

/// Closes the account permanently. Logging in becomes impossible, games in progress are resigned,
/// and the username stays taken.
#[utoipa::path(post, path = "/account/close", tag = "account", request_body = ConfirmForm,
    responses((status = 200, body = Done), (status = "4XX", body = ErrorBody)))]
pub async fn close(
    State(app): State<App>,
    viewer: Viewer,
    ClientNetwork(address): ClientNetwork,
    FormFields(ConfirmForm { password }): FormFields<ConfirmForm>,
) -> Result<Response, Error> {
    end_account(&app, viewer, address, password, AccountEnd::Close).await
}

/// Closes the account permanently and erases it: the name becomes `deleted-…`; the password,
/// sessions, tokens, profile, settings, chat lines and the texts of reports are removed within
/// minutes, chat lines in games of others after these games. Then the name is free again. Games and
/// their ratings stay.
#[utoipa::path(post, path = "/account/erase", tag = "account", request_body = ConfirmForm,
    responses((status = 200, body = Done), (status = "4XX", body = ErrorBody)))]
pub async fn erase(
    State(app): State<App>,
    viewer: Viewer,
    ClientNetwork(address): ClientNetwork,
    FormFields(ConfirmForm { password }): FormFields<ConfirmForm>,
) -> Result<Response, Error> {
    end_account(&app, viewer, address, password, AccountEnd::Erase).await
}

/// A session of the account.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionOut {
    id: String,
    created_at: i64,
    seen_at: i64,
    /// The `User-Agent` of the browser, shortened to 200 characters.
    agent: String,
    /// Network of the last use: an IPv4 address, or the /64 of an IPv6 address. Empty some time
    /// after it.
    network: String,
    /// Hash of the id of the browser, which sessions of the same browser share. Absent some time
    /// after the last use.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    device: Option<String>,
    /// Whether this is the session of the request.
    current: bool,
}

/// Returns a session as listed; `own` is the hash of that of the request.
pub(super) fn session_out(session: Session, own: &[u8]) -> SessionOut {
    SessionOut {
        id: session.id,
        created_at: session.created_ms,
        seen_at: session.seen_ms,
        agent: session.agent,
        network: session.network,
        device: session.device.map(|hash| to_hex(&hash)),
        current: session.hash == own,
    }
}

/// The sessions of the account.
#[derive(Serialize, ToSchema)]
pub struct Sessions {
    sessions: Vec<SessionOut>,
}

/// Lists the sessions of the account.
#[utoipa::path(get, path = "/account/sessions", tag = "account",
    responses((status = 200, body = Sessions), (status = "4XX", body = ErrorBody)))]
pub async fn sessions(State(app): State<App>, viewer: Viewer) -> Result<Json<Sessions>, Error> {
    let (account, own) = viewer.require_session()?;
    let sessions = app.rooms.store().sessions(account.key, now_ms()).await?;
    let out = sessions.into_iter().map(|session| session_out(session, &own));
    Ok(Json(Sessions { sessions: out.collect() }))
}

/// Ends a session of the account.
#[utoipa::path(delete, path = "/account/sessions/{id}", tag = "account", params(("id" = String, Path)),
    responses((status = 200, body = Done), (status = "4XX", body = ErrorBody)))]
pub async fn revoke(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path<String>,
) -> Result<Json<Done>, Error> {
    let (account, _) = viewer.require_session()?;
    let sessions = app.rooms.store().sessions(account.key, now_ms()).await?;
    let found = sessions.into_iter().find(|session| session.id == id).ok_or(Error::NotFound)?;
    app.rooms.store().close_session(found.hash).await?;
    Ok(Json(DONE))
}

/// Ends all sessions and revokes all tokens of the account, including the session of the request.
#[utoipa::path(post, path = "/account/logout-everywhere", tag = "account",
    responses((status = 200, body = Done), (status = "4XX", body = ErrorBody)))]
pub async fn logout_everywhere(State(app): State<App>, viewer: Viewer) -> Result<Response, Error> {
    let (account, _) = viewer.require_session_account()?;
    app.rooms.store().close_sessions(account.key).await?;
    let clear_cookie = [(header::SET_COOKIE, expired_cookie(&app.config))];
    Ok((clear_cookie, Json(DONE)).into_response())
}

/// A login link.
#[derive(Serialize, ToSchema)]
pub struct LinkOut {
    url: String,
}

/// Creates a link with which a guest can log in from another browser. It replaces the previous
/// link.
#[utoipa::path(post, path = "/account/link", tag = "account",
    responses((status = 200, body = LinkOut), (status = "4XX", body = ErrorBody)))]
pub async fn link(
    State(app): State<App>,
    viewer: Viewer,
    headers: HeaderMap,
) -> Result<Json<LinkOut>, Error> {
    let (account, session) = viewer.require_session()?;
    if !account.guest {
        let why = "Only guests have login links. Log in with username and password.".to_owned();
        return Err(Error::InvalidField(Reason::BadField, why));
    }
    let token = Token::random();
    let (store, id) = (app.rooms.store(), random_hex(8));
    if !store.set_guest_link(account.key, session, token.hash(), id, now_ms()).await? {
        return Err(Error::NoSession);
    }
    // Browsers do not send the fragment, so the token appears in no server log.
    Ok(Json(LinkOut { url: format!("{}/come#{}", origin(&app, &headers), token.text()) }))
}

/// Token of a login link.
#[derive(Deserialize, ToSchema)]
pub struct LinkLoginForm {
    /// The token, which is the fragment of the link.
    #[serde(default)]
    pub token: String,
    /// `true` replaces the session of another account. Without it the request is refused
    /// (`replacesSession`) if another account is signed in.
    pub replace: Option<bool>,
}

/// Logs in the guest of a link. Anyone may have sent the link, so it replaces the session of
/// another account or guest only with `replace=true`.
#[utoipa::path(post, path = "/come", operation_id = "come", tag = "account", request_body = LinkLoginForm,
    responses((status = 200, body = AccountOut), (status = "4XX", body = ErrorBody)))]
pub async fn login_with_link(
    State(app): State<App>,
    viewer: Viewer,
    ClientNetwork(address): ClientNetwork,
    headers: HeaderMap,
    FormFields(LinkLoginForm { token, replace }): FormFields<LinkLoginForm>,
) -> Result<Response, Error> {
    app.login_limit.check(address)?;
    let store = app.rooms.store();
    let hash = crate::http::extract::secret::hash_secret(&token);
    let account = store.guest_by_link(&hash).await?.ok_or(Error::InvalidLink)?;
    if let Some(current) = &viewer.account
        && current.key != account.key
        && replace != Some(true)
    {
        let (current, guest) = (current.name.clone(), account.name);
        return Err(Error::ReplacesSession { current, guest });
    }
    let (token, proof) = (Token::random(), SessionProof::Link(hash));
    let device = DeviceId::from_headers(&app.config, &headers);
    let session = token.new_session(&headers, address, device.hash());
    if !store.open_session(session, account.key, proof).await? {
        return Err(Error::InvalidLink);
    }
    end_session(&app, &headers).await?;
    let body = Json(load_own_account(&app, &account, &headers).await?);
    Ok((cookies(&app, &token, &device), body).into_response())
}
