//! Authentication, cookies, token scopes, and the origin check.
//!
//! A request is authenticated by a session cookie or a bearer token. Both are random secrets of
//! which the store holds the SHA-256. [`guard`] is the middleware for all requests except static
//! files: it refuses changes from other sites and applies the rate limits of the address. Callers:
//! the handlers, and the router.

use crate::config::Config;
use crate::http::App;
use crate::http::error::Error;
use crate::http::extract::device::DeviceId;
use crate::http::extract::move_path::is_move_path;
use crate::http::extract::secret::{hash_secret, random_hex};
use crate::http::limits::rate_limiter::ClientNetwork;
use crate::rooms::now_ms;
use crate::store::{Account, NewSession};
use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::Response;
use headers::authorization::Bearer;
use headers::{Authorization, HeaderMapExt};
use std::net::IpAddr;
use strum::{EnumString, IntoStaticStr, VariantNames};

/// Lifetime of the cookie: the maximum lifetime of a session.
const COOKIE_MAX_AGE_S: u32 = 365 * 86_400;

/// Prefix of API tokens, so that secret scanners recognize a leaked one.
const TOKEN_PREFIX: &str = "spr_";

/// Length to which a `User-Agent` is shortened before it is stored.
const USER_AGENT_CHARS_MAX: usize = 200;

/// Secret of a session or an API token.
#[derive(Debug)]
pub struct Token {
    text: String,
}

impl Token {
    /// Draws 256 bits from the operating system's generator.
    pub fn random() -> Token {
        Token { text: random_hex(32) }
    }

    /// Draws the same number of bits for an API token, with its prefix.
    pub fn random_api_token() -> Token {
        Token { text: format!("{TOKEN_PREFIX}{}", random_hex(32)) }
    }

    /// Returns the secret itself.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the hash that is stored.
    pub fn hash(&self) -> Vec<u8> {
        hash_secret(&self.text)
    }

    /// Returns the session to store for this token, with the `User-Agent`, the network and the
    /// hashed device of the request.
    pub fn new_session(&self, headers: &HeaderMap, network: IpAddr, device: Vec<u8>) -> NewSession {
        let agent = headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok());
        let agent = agent.unwrap_or_default().chars().take(USER_AGENT_CHARS_MAX).collect();
        NewSession {
            hash: self.hash(),
            id: random_hex(8),
            agent,
            network: network.to_string(),
            device,
            now_ms: now_ms(),
        }
    }

    /// Returns the value of the `Set-Cookie` header.
    pub fn cookie(&self, config: &Config) -> HeaderValue {
        cookie(config, &self.text, COOKIE_MAX_AGE_S)
    }
}

/// Returns the value of a `Set-Cookie` header that deletes the session cookie.
pub fn expired_cookie(config: &Config) -> HeaderValue {
    cookie(config, "", 0)
}

fn cookie(config: &Config, value: &str, max_age_s: u32) -> HeaderValue {
    let secure = if config.is_https() { "; Secure" } else { "" };
    let name = cookie_name(config);
    let text =
        format!("{name}={value}; Path=/; Max-Age={max_age_s}; HttpOnly; SameSite=Lax{secure}");
    HeaderValue::from_str(&text).expect("cookie is ASCII")
}

/// Returns the cookie's name. Browsers accept a `__Host-` cookie only over TLS and from the host
/// itself.
fn cookie_name(config: &Config) -> &'static str {
    if config.is_https() { "__Host-sprong" } else { "sprong" }
}

/// Returns the hash of the session token in the request's cookie.
pub fn session_hash(config: &Config, headers: &HeaderMap) -> Option<Vec<u8>> {
    let name = cookie_name(config);
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split("; "))
        .find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))
        .map(hash_secret)
}

/// Scope of an API token.
#[derive(Clone, Copy, PartialEq, Eq, Debug, EnumString, IntoStaticStr, VariantNames)]
pub enum Scope {
    /// Play through the board API.
    #[strum(serialize = "board:play")]
    BoardPlay,
    /// Play through the bot API.
    #[strum(serialize = "bot:play")]
    BotPlay,
    /// Read challenges.
    #[strum(serialize = "challenge:read")]
    ChallengeRead,
    /// Create and answer challenges.
    #[strum(serialize = "challenge:write")]
    ChallengeWrite,
    /// Read the followed players.
    #[strum(serialize = "follow:read")]
    FollowRead,
    /// Follow players.
    #[strum(serialize = "follow:write")]
    FollowWrite,
}

impl Scope {
    /// Scopes that allow answering challenges.
    pub const CHALLENGE: [Scope; 3] = [Scope::ChallengeWrite, Scope::BoardPlay, Scope::BotPlay];

    /// Scopes that allow playing.
    pub const PLAY: [Scope; 2] = [Scope::BoardPlay, Scope::BotPlay];

    /// Scopes that allow reading events of challenges and games.
    pub const EVENTS: [Scope; 3] = [Scope::ChallengeRead, Scope::BoardPlay, Scope::BotPlay];

    /// Returns the name of the scope in the API.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// Credential of a request.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Credential {
    Anonymous,
    /// Session cookie; hash of its token.
    Session(Vec<u8>),
    /// API token: its hash and its scopes.
    Token(Vec<u8>, Vec<Scope>),
}

/// Requester: an account or guest with its credential, or an anonymous client.
#[derive(Clone, Debug)]
pub struct Viewer {
    pub account: Option<Account>,
    credential: Credential,
}

impl Viewer {
    /// Drops the account if a token has none of these scopes: the requester then counts as
    /// anonymous.
    pub fn restricted_to(mut self, scopes: &[Scope]) -> Viewer {
        if !self.has_scope(scopes) {
            self.account = None;
        }
        self
    }

    /// Returns the account or guest.
    ///
    /// # Errors
    /// [`Error::NoSession`] if the request is anonymous.
    pub fn require_signed_in(self) -> Result<Account, Error> {
        self.account.ok_or(Error::NoSession)
    }

    /// Checks that a token has one of these scopes. Sessions and anonymous requests pass.
    ///
    /// # Errors
    /// [`Error::MissingScope`] with the first scope.
    pub fn check_scope(self, scopes: &[Scope]) -> Result<Viewer, Error> {
        if self.has_scope(scopes) { Ok(self) } else { Err(Error::MissingScope(scopes[0].as_str())) }
    }

    /// Returns the account or guest; a token needs one of these scopes.
    ///
    /// # Errors
    /// [`Error::MissingScope`] or [`Error::NoSession`].
    pub fn require_scope(self, scopes: &[Scope]) -> Result<Account, Error> {
        self.check_scope(scopes)?.require_signed_in()
    }

    /// Returns whether the requester may do what one of these scopes allows. Only tokens are
    /// restricted.
    pub fn has_scope(&self, scopes: &[Scope]) -> bool {
        match &self.credential {
            Credential::Token(_, granted) => granted.iter().any(|scope| scopes.contains(scope)),
            Credential::Session(_) | Credential::Anonymous => true,
        }
    }

    /// Returns the account or guest of a browser session, and the hash of the session.
    ///
    /// # Errors
    /// [`Error::NoSession`], or [`Error::SessionOnly`] for a token.
    pub fn require_session(self) -> Result<(Account, Vec<u8>), Error> {
        match (self.account, self.credential) {
            (Some(account), Credential::Session(hash)) => Ok((account, hash)),
            (Some(_), Credential::Token(..)) => Err(Error::SessionOnly),
            _ => Err(Error::NoSession),
        }
    }

    /// Returns the registered account of a browser session, and the hash of the session.
    ///
    /// # Errors
    /// Those of [`Viewer::require_session`], and [`Error::NeedsAccount`] for a guest.
    pub fn require_session_account(self) -> Result<(Account, Vec<u8>), Error> {
        let (account, session) = self.require_session()?;
        if account.guest { Err(Error::NeedsAccount) } else { Ok((account, session)) }
    }

    /// Returns whether the request is authenticated by an API token.
    pub fn is_api_client(&self) -> bool {
        matches!(self.credential, Credential::Token(..))
    }

    /// Returns the hash of the API token, if there is one.
    pub fn api_token_hash(&self) -> Option<&[u8]> {
        match &self.credential {
            Credential::Token(hash, _) => Some(hash),
            Credential::Anonymous | Credential::Session(_) => None,
        }
    }

    /// Returns the hash of the session or token.
    pub fn credential_hash(&self) -> Option<Vec<u8>> {
        match &self.credential {
            Credential::Session(hash) | Credential::Token(hash, _) => Some(hash.clone()),
            Credential::Anonymous => None,
        }
    }
}

/// Returns the hash of the API token in the request's `Authorization` header.
fn bearer_hash(headers: &HeaderMap) -> Option<Vec<u8>> {
    let authorization: Authorization<Bearer> = headers.typed_get()?;
    Some(hash_secret(authorization.token()))
}

/// Returns the hash of the session or token of a request, without checking that it is valid.
pub fn presented_hash(config: &Config, headers: &HeaderMap) -> Option<Vec<u8>> {
    if headers.contains_key(header::AUTHORIZATION) {
        return bearer_hash(headers);
    }
    session_hash(config, headers)
}

impl FromRequestParts<App> for Viewer {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Viewer, Error> {
        let ClientNetwork(network) = ClientNetwork::from_request_parts(parts, app).await?;
        Viewer::authenticate(app, &parts.headers, network).await
    }
}

impl Viewer {
    /// Authenticates the headers of a request from a network.
    ///
    /// # Errors
    /// [`Error::InvalidToken`], or a failure of the store. An invalid cookie is no error: the
    /// request is anonymous.
    pub async fn authenticate(
        app: &App,
        headers: &HeaderMap,
        network: IpAddr,
    ) -> Result<Viewer, Error> {
        let store = app.rooms.store();
        if headers.contains_key(header::AUTHORIZATION) {
            let hash = bearer_hash(headers).ok_or(Error::InvalidToken)?;
            let token = store.token(&hash, now_ms()).await?.ok_or(Error::InvalidToken)?;
            let scopes = token.scopes.split(',').filter_map(|name| name.parse().ok()).collect();
            return Ok(Viewer {
                account: Some(token.account),
                credential: Credential::Token(hash, scopes),
            });
        }
        if let Some(hash) = session_hash(&app.config, headers) {
            let device = DeviceId::known(&app.config, headers).map(|device| device.hash());
            let origin = Some((network.to_string(), device));
            if let Some(account) = store.session(&hash, origin, now_ms()).await? {
                return Ok(Viewer {
                    account: Some(account),
                    credential: Credential::Session(hash),
                });
            }
        }
        Ok(Viewer { account: None, credential: Credential::Anonymous })
    }
}

/// Returns whether the `Origin` header names this site. Without the header, returns `!strict`.
pub fn is_own_origin(config: &Config, headers: &HeaderMap, strict: bool) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else { return !strict };
    origin.to_str().is_ok_and(|origin| is_own_origin_text(config, headers, origin))
}

/// Returns whether a request comes from a page of this site, by `Referer` or `Sec-Fetch-Site`. Read
/// requests have no `Origin`, and browsers omit `Sec-Fetch-Site` without TLS.
pub fn is_own_page(config: &Config, headers: &HeaderMap) -> bool {
    let referrer = headers.get(header::REFERER).and_then(|referrer| referrer.to_str().ok());
    let is_own_referrer = referrer.is_some_and(|referrer| {
        let path = referrer.match_indices('/').nth(2).map_or(referrer.len(), |(at, _)| at);
        is_own_origin_text(config, headers, &referrer[..path])
    });
    is_own_referrer || header_is(headers, "sec-fetch-site", "same-origin")
}

fn is_own_origin_text(config: &Config, headers: &HeaderMap, origin: &str) -> bool {
    if let Some(own_origin) = &config.public_origin {
        return origin.eq_ignore_ascii_case(own_origin);
    }
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let rest = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    matches!((host, rest), (Some(host), Some(rest)) if rest.eq_ignore_ascii_case(host))
}

fn header_is(headers: &HeaderMap, name: &str, expected: &str) -> bool {
    headers.get(name).is_some_and(|value| value == expected)
}

/// Middleware of all requests except static files: refuses requests from other sites and applies
/// the rate limits of the address.
///
/// Exceptions from the origin check are navigations (links from other sites) and requests without
/// the headers in question (clients that are not browsers).
///
/// # Errors
/// [`Error::ForeignOrigin`], or [`Error::TooFast`] above a limit.
pub async fn guard(
    State(app): State<App>,
    ClientNetwork(address): ClientNetwork,
    request: Request,
    next: Next,
) -> Result<Response, Error> {
    let headers = request.headers();
    let is_write = !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    // Another site must not use up the read limit of its visitors. Links to this site stay allowed.
    let is_navigation = !is_write && header_is(headers, "sec-fetch-mode", "navigate");
    let is_foreign = header_is(headers, "sec-fetch-site", "cross-site") && !is_navigation;
    if is_foreign || (is_write && !is_own_origin(&app.config, headers, false)) {
        return Err(Error::ForeignOrigin);
    }
    let path = request.uri().path();
    if is_write && is_move_path(path) {
        app.move_limit.check(&app, address, headers).await?;
        return Ok(next.run(request).await);
    }
    let rate = match path {
        _ if !is_write => &app.read_limit,
        // Position queries must not use up the limit for accepting, resigning and chat.
        "/position" => &app.position_limit,
        "/analysis" => &app.analysis.rate,
        _ => &app.write_limit,
    };
    rate.check(address)?;
    Ok(next.run(request).await)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::test_support::{config, headers};

    #[test]
    fn origin_and_page_checks_recognize_own_site() {
        let open = config(&[]);
        let fixed = config(&["--public-origin", "https://sprong.example"]);
        for (config, host, origin, own) in [
            (&open, "localhost:8080", "http://localhost:8080", true),
            (&open, "localhost:8080", "http://localhost:8081", false),
            (&open, "localhost:8080", "null", false),
            (&open, "sprong.example", "https://sprong.example.evil.example", false),
            (&fixed, "inside:8080", "https://sprong.example", true),
            (&fixed, "inside:8080", "https://sprong.example:444", false),
            (&fixed, "inside:8080", "http://sprong.example", false),
            (&fixed, "evil.example", "https://evil.example", false),
        ] {
            let headers = headers(&[("host", host), ("origin", origin)]);
            assert_eq!(is_own_origin(config, &headers, true), own, "{origin} at {host}");
        }
        for (config, name, value, own) in [
            (&open, "referer", "http://localhost:8080/abcdefgh?tv=1", true),
            (&open, "referer", "http://localhost:8080", true),
            (&open, "referer", "http://localhost:8081/", false),
            (&open, "referer", "http://evil.example/http://localhost:8080/", false),
            (&open, "referer", "nonsense", false),
            (&open, "sec-fetch-site", "same-origin", true),
            (&open, "sec-fetch-site", "cross-site", false),
            (&fixed, "referer", "https://sprong.example/abcdefgh", true),
            (&fixed, "referer", "http://localhost:8080/", false),
        ] {
            let headers = headers(&[("host", "localhost:8080"), (name, value)]);
            assert_eq!(is_own_page(config, &headers), own, "{name}: {value}");
        }
        assert!(!is_own_page(&open, &headers(&[("host", "a")])));
        assert!(!is_own_origin(&open, &headers(&[("host", "a")]), true));
        assert!(is_own_origin(&open, &headers(&[("host", "a")]), false));
    }
}
