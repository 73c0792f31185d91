//! API tokens of programs.
//!
//! The store holds only the hash of a token; its text is in the response that creates it. Creating
//! and listing tokens requires a browser session, and creating one the password unless the session
//! was opened recently, while a program can revoke its own token. The end or the revocation of a
//! token ends its connections. Caller: the router.

use crate::http::App;
use crate::http::api::account::verify_own_password;
use crate::http::error::Error;
use crate::http::extract::auth::{Scope, Token, Viewer};
use crate::http::extract::form_fields::FormFields;
use crate::http::extract::query_params::QueryParams;
use crate::http::extract::secret::{hash_secret, random_hex};
use crate::http::limits::rate_limiter::ClientNetwork;
use crate::http::messages::{DONE, Done, ErrorBody};
use crate::play::clock::DAY_MS;
use crate::play::reason::Reason;
use crate::rooms::now_ms;
use crate::store::{TokenAdded, TokenRow, ValidToken};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use strum::VariantNames;
use utoipa::{IntoParams, ToSchema};

const DESCRIPTION_CHARS_MAX: usize = 100;

/// Days for which a token may be valid, and number by default.
const DAYS: RangeInclusive<i64> = 1..=730;
const DAYS_DEFAULT: i64 = 365;

/// Maximum number of tokens in one test request.
const TESTED_TOKENS_MAX: usize = 1000;

/// Request for a new token.
#[derive(Deserialize, ToSchema)]
pub struct TokenForm {
    /// Description for the owner, at most 100 characters.
    pub description: Option<String>,
    /// Scopes, separated by commas: `board:play`, `bot:play`, `challenge:read`, `challenge:write`,
    /// `follow:read`, `follow:write`.
    pub scopes: Option<String>,
    /// Number of days for which the token is valid, 1 to 730; 365 by default.
    pub days: Option<i64>,
    /// The current password. Needed if the session was opened more than 15 minutes ago.
    pub password: Option<String>,
}

/// Token as shown to its owner.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TokenOut {
    id: String,
    description: String,
    scopes: Vec<String>,
    created_at: i64,
    used_at: Option<i64>,
    /// Time from which the token is invalid; `null` for one of an earlier version, without an end.
    expires_at: Option<i64>,
    /// The token itself; only in the response that creates it.
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<String>,
}

/// Tokens of an account.
#[derive(Serialize, ToSchema)]
pub struct Tokens {
    tokens: Vec<TokenOut>,
}

pub(super) fn token_out(row: TokenRow, token: Option<String>) -> TokenOut {
    TokenOut {
        id: row.id,
        description: row.description,
        scopes: row
            .scopes
            .split(',')
            .filter(|scope| !scope.is_empty())
            .map(str::to_owned)
            .collect(),
        created_at: row.created_ms,
        used_at: row.used_ms,
        expires_at: row.expires_ms,
        token,
    }
}

/// Returns the account's tokens.
#[utoipa::path(get, path = "/token", tag = "tokens",
    responses((status = 200, body = Tokens), (status = "4XX", body = ErrorBody)))]
pub async fn list(State(app): State<App>, viewer: Viewer) -> Result<Json<Tokens>, Error> {
    let (account, _) = viewer.require_session()?;
    let rows = app.rooms.store().tokens(account.key, now_ms()).await?;
    Ok(Json(Tokens { tokens: rows.into_iter().map(|row| token_out(row, None)).collect() }))
}

/// Creates a token.
#[utoipa::path(post, path = "/token", tag = "tokens", request_body = TokenForm,
    responses((status = 201, body = TokenOut), (status = "4XX", body = ErrorBody)))]
pub async fn create(
    State(app): State<App>,
    viewer: Viewer,
    ClientNetwork(address): ClientNetwork,
    FormFields(form): FormFields<TokenForm>,
) -> Result<Response, Error> {
    let (account, session) = viewer.require_session_account()?;
    let invalid_field = |why: String| Error::InvalidField(Reason::BadField, why);
    let description = form.description.unwrap_or_default().trim().to_owned();
    if description.chars().count() > DESCRIPTION_CHARS_MAX {
        return Err(invalid_field(format!(
            "`description` has at most {DESCRIPTION_CHARS_MAX} characters."
        )));
    }
    let scopes = parse_scopes(form.scopes.as_deref().unwrap_or_default())?;
    let days = form.days.unwrap_or(DAYS_DEFAULT);
    if !DAYS.contains(&days) {
        let why = format!("`days` is {} to {}.", DAYS.start(), DAYS.end());
        return Err(Error::InvalidField(Reason::BadTime, why));
    }
    let has_password = form.password.is_some();
    if let Some(password) = form.password {
        verify_own_password(&app, &account, address, password).await?;
    }
    let (token, created_ms) = (Token::random_api_token(), now_ms());
    let row = TokenRow {
        id: random_hex(8),
        description,
        scopes: scopes.join(","),
        created_ms,
        used_ms: None,
        expires_ms: Some(created_ms + days * DAY_MS),
    };
    let store = app.rooms.store();
    let added =
        store.add_token(account.key, session, has_password, token.hash(), row.clone()).await;
    match added.map_err(|why| Error::from_limit(why, "tokens"))? {
        TokenAdded::Added => {
            let body = Json(token_out(row, Some(token.text().to_owned())));
            Ok((StatusCode::CREATED, body).into_response())
        }
        TokenAdded::NoSession => Err(Error::NoSession),
        TokenAdded::PasswordNeeded => Err(Error::PasswordNeeded),
    }
}

/// Parses a list of scopes, and removes repetitions.
fn parse_scopes(text: &str) -> Result<Vec<&'static str>, Error> {
    let mut scopes = Vec::new();
    for name in text.split([',', ' ']).filter(|name| !name.is_empty()) {
        let scope: Scope = name.parse().map_err(|_| {
            let why = format!("`scopes` may be {}.", Scope::VARIANTS.join(", "));
            Error::InvalidField(Reason::BadField, why)
        })?;
        if !scopes.contains(&scope.as_str()) {
            scopes.push(scope.as_str());
        }
    }
    Ok(scopes)
}

/// Token to revoke.
#[derive(Deserialize, ToSchema, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct TokenId {
    /// Id of the token; absent if a program revokes its own token.
    pub id: Option<String>,
}

/// Revokes a token: with a token itself its own, with a browser session the one of the given id.
#[utoipa::path(delete, path = "/token", tag = "tokens", params(TokenId),
    request_body = Option<TokenId>,
    responses((status = 200, body = Done), (status = "4XX", body = ErrorBody)))]
pub async fn remove(
    State(app): State<App>,
    viewer: Viewer,
    QueryParams(query): QueryParams<TokenId>,
    FormFields(form): FormFields<TokenId>,
) -> Result<Json<Done>, Error> {
    if let (Some(_), Some(hash)) = (&viewer.account, viewer.api_token_hash()) {
        app.rooms.store().revoke_token_by_hash(hash.to_vec()).await?;
        return Ok(Json(DONE));
    }
    let (account, _) = viewer.require_session()?;
    let id = form.id.or(query.id).unwrap_or_default();
    let is_revoked = app.rooms.store().revoke_token(account.key, id).await?;
    if is_revoked { Ok(Json(DONE)) } else { Err(Error::NotFound) }
}

/// Owner and scopes of a token.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TokenInfo {
    user_id: String,
    scopes: String,
    expires: Option<i64>,
}

/// Tests tokens.
///
/// The body is a list of tokens, separated by commas. The result of an invalid token is null.
#[utoipa::path(post, path = "/token/test", tag = "tokens", request_body(content = String, content_type = "text/plain"),
    responses((status = 200, body = BTreeMap<String, serde_json::Value>), (status = "4XX", body = ErrorBody)))]
pub async fn test(
    State(app): State<App>,
    body: String,
) -> Result<Json<BTreeMap<String, Option<TokenInfo>>>, Error> {
    let mut results = BTreeMap::new();
    for token in body.split(',').map(str::trim).filter(|token| !token.is_empty()) {
        if results.len() >= TESTED_TOKENS_MAX {
            return Err(Error::TooMany("tokens"));
        }
        let owner = app.rooms.store().token(&hash_secret(token), now_ms()).await?;
        let info = owner.map(|ValidToken { account, scopes, expires_ms }| TokenInfo {
            user_id: account.id,
            scopes,
            expires: expires_ms,
        });
        results.insert(token.to_owned(), info);
    }
    Ok(Json(results))
}
