//! Authentication, cookies, token scopes, and the origin check.
//!
//! A request is authenticated by a session cookie or a bearer token. Both are random secrets of
//! which the store holds the SHA-256. [`guard`] is the middleware for all requests except static
//! files: it refuses changes from other sites and applies the rate limits of the address.

use super::App;
use super::error::Error;
use super::move_rate::is_move;
use super::rate::Address;
use crate::config::Config;
use crate::play::shuffle::hex;
use crate::rooms::now_ms;
use crate::store::{Account, Opening};
use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::Response;
use sha2::{Digest, Sha256};

/// Lifetime of the cookie: the maximum lifetime of a session.
const COOKIE_MAX_AGE_S: u32 = 365 * 86_400;

/// Prefix of API tokens, so that secret scanners recognize a leaked one.
const TOKEN_PREFIX: &str = "spr_";

/// Length to which a `User-Agent` is shortened before it is stored.
const AGENT_CHARS_MAX: usize = 200;

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
    pub fn for_program() -> Token {
        Token { text: format!("{TOKEN_PREFIX}{}", random_hex(32)) }
    }

    /// Returns the secret itself.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the hash that is stored.
    pub fn hash(&self) -> Vec<u8> {
        hash(&self.text)
    }

    /// Returns the session to store for this token, with the `User-Agent` of the request.
    pub fn opening(&self, headers: &HeaderMap) -> Opening {
        let agent = headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok());
        let agent = agent.unwrap_or_default().chars().take(AGENT_CHARS_MAX).collect();
        Opening { hash: self.hash(), id: random_hex(8), agent, now_ms: now_ms() }
    }

    /// Returns the value of the `Set-Cookie` header.
    pub fn cookie(&self, config: &Config) -> HeaderValue {
        cookie(config, &self.text, COOKIE_MAX_AGE_S)
    }
}

/// Returns `bytes` random bytes as hexadecimal digits.
pub fn random_hex(bytes: usize) -> String {
    let mut random = vec![0; bytes];
    getrandom::fill(&mut random).expect("random generator of the operating system");
    hex(&random)
}

/// Returns the value of a `Set-Cookie` header that deletes the session cookie.
pub fn no_cookie(config: &Config) -> HeaderValue {
    cookie(config, "", 0)
}

fn cookie(config: &Config, value: &str, max_age_s: u32) -> HeaderValue {
    let secure = if config.is_secure() { "; Secure" } else { "" };
    let name = cookie_name(config);
    let text =
        format!("{name}={value}; Path=/; Max-Age={max_age_s}; HttpOnly; SameSite=Lax{secure}");
    HeaderValue::from_str(&text).expect("cookie is ASCII")
}

/// Returns the cookie's name. Browsers accept a `__Host-` cookie only over TLS and from the host
/// itself.
fn cookie_name(config: &Config) -> &'static str {
    if config.is_secure() { "__Host-sprong" } else { "sprong" }
}

/// Returns the SHA-256 of a secret, which is what the store holds.
pub fn hash(token: &str) -> Vec<u8> {
    Sha256::digest(token.as_bytes()).to_vec()
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
        .map(hash)
}

/// Scope of an API token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// Play through the board API.
    BoardPlay,
    /// Play through the bot API.
    BotPlay,
    /// Read challenges.
    ChallengeRead,
    /// Create and answer challenges.
    ChallengeWrite,
}

impl Scope {
    const ALL: [Scope; 4] =
        [Scope::BoardPlay, Scope::BotPlay, Scope::ChallengeRead, Scope::ChallengeWrite];

    /// Scopes that allow answering challenges.
    pub const CHALLENGE: [Scope; 3] = [Scope::ChallengeWrite, Scope::BoardPlay, Scope::BotPlay];

    /// Scopes that allow playing.
    pub const PLAY: [Scope; 2] = [Scope::BoardPlay, Scope::BotPlay];

    /// Scopes that allow reading events of challenges and games.
    pub const EVENTS: [Scope; 3] = [Scope::ChallengeRead, Scope::BoardPlay, Scope::BotPlay];

    /// Returns the name of the scope in the API.
    pub fn word(self) -> &'static str {
        match self {
            Scope::BoardPlay => "board:play",
            Scope::BotPlay => "bot:play",
            Scope::ChallengeRead => "challenge:read",
            Scope::ChallengeWrite => "challenge:write",
        }
    }

    /// Parses the name of a scope.
    pub fn of_word(word: &str) -> Option<Scope> {
        Scope::ALL.into_iter().find(|scope| scope.word() == word)
    }
}

/// Credential of a request.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Means {
    Nothing,
    /// Session cookie; hash of its token.
    Session(Vec<u8>),
    /// API token: its hash and its scopes.
    Token(Vec<u8>, Vec<Scope>),
}

/// Requester: an account or guest with its credential, or an anonymous client.
#[derive(Clone, Debug)]
pub struct Viewer {
    pub account: Option<Account>,
    means: Means,
}

impl Viewer {
    /// Drops the account if a token has none of these scopes: the requester then counts as
    /// anonymous.
    pub fn only_with(mut self, scopes: &[Scope]) -> Viewer {
        if !self.may(scopes) {
            self.account = None;
        }
        self
    }

    /// Returns the account or guest.
    ///
    /// # Errors
    /// [`Error::NoSession`] if nobody is signed in.
    pub fn some(self) -> Result<Account, Error> {
        self.account.ok_or(Error::NoSession)
    }

    /// Checks that a token has one of these scopes. Sessions and anonymous requests pass.
    ///
    /// # Errors
    /// [`Error::MissingScope`] with the first scope.
    pub fn can(self, scopes: &[Scope]) -> Result<Viewer, Error> {
        if self.may(scopes) { Ok(self) } else { Err(Error::MissingScope(scopes[0].word())) }
    }

    /// Returns the account or guest; a token needs one of these scopes.
    ///
    /// # Errors
    /// [`Error::MissingScope`] or [`Error::NoSession`].
    pub fn with(self, scopes: &[Scope]) -> Result<Account, Error> {
        self.can(scopes)?.some()
    }

    /// Returns whether the requester may do what one of these scopes allows. Only tokens are
    /// restricted.
    pub fn may(&self, scopes: &[Scope]) -> bool {
        match &self.means {
            Means::Token(_, own) => own.iter().any(|scope| scopes.contains(scope)),
            Means::Session(_) | Means::Nothing => true,
        }
    }

    /// Returns the account or guest of a browser session, and the hash of the session.
    ///
    /// # Errors
    /// [`Error::NoSession`], or [`Error::SessionOnly`] for a token.
    pub fn by_hand(self) -> Result<(Account, Vec<u8>), Error> {
        match (self.account, self.means) {
            (Some(account), Means::Session(hash)) => Ok((account, hash)),
            (Some(_), Means::Token(..)) => Err(Error::SessionOnly),
            _ => Err(Error::NoSession),
        }
    }

    /// Returns the registered account of a browser session, and the hash of the session.
    ///
    /// # Errors
    /// Those of [`Viewer::by_hand`], and [`Error::NeedsAccount`] for a guest.
    pub fn account_by_hand(self) -> Result<(Account, Vec<u8>), Error> {
        let (account, session) = self.by_hand()?;
        if account.guest { Err(Error::NeedsAccount) } else { Ok((account, session)) }
    }

    /// Returns whether the request is authenticated by an API token.
    pub fn is_program(&self) -> bool {
        matches!(self.means, Means::Token(..))
    }

    /// Returns the hash of the API token, if there is one.
    pub fn token(&self) -> Option<&[u8]> {
        match &self.means {
            Means::Token(hash, _) => Some(hash),
            Means::Nothing | Means::Session(_) => None,
        }
    }

    /// Returns the hash of the session or token.
    pub fn known_by(&self) -> Option<Vec<u8>> {
        match &self.means {
            Means::Session(hash) | Means::Token(hash, _) => Some(hash.clone()),
            Means::Nothing => None,
        }
    }
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// Returns the hash of the session or token of a request, without checking that it is valid.
pub fn presented(config: &Config, headers: &HeaderMap) -> Option<Vec<u8>> {
    if headers.contains_key(header::AUTHORIZATION) {
        return bearer(headers).map(hash);
    }
    session_hash(config, headers)
}

impl FromRequestParts<App> for Viewer {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Viewer, Error> {
        Viewer::read(app, &parts.headers).await
    }
}

impl Viewer {
    /// Authenticates the headers of a request.
    ///
    /// # Errors
    /// [`Error::BadToken`], or a failure of the store. An invalid cookie is no error: the request
    /// is anonymous.
    pub async fn read(app: &App, headers: &HeaderMap) -> Result<Viewer, Error> {
        let store = app.rooms.store();
        if headers.contains_key(header::AUTHORIZATION) {
            let hash = hash(bearer(headers).ok_or(Error::BadToken)?);
            let (account, scopes) = store.token(&hash, now_ms()).await?.ok_or(Error::BadToken)?;
            let scopes = scopes.split(',').filter_map(Scope::of_word).collect();
            return Ok(Viewer { account: Some(account), means: Means::Token(hash, scopes) });
        }
        if let Some(hash) = session_hash(&app.config, headers)
            && let Some(account) = store.session(&hash, now_ms()).await?
        {
            return Ok(Viewer { account: Some(account), means: Means::Session(hash) });
        }
        Ok(Viewer { account: None, means: Means::Nothing })
    }
}

/// Returns whether the `Origin` header names this site. Without the header, returns `!strict`.
pub fn is_own_origin(config: &Config, headers: &HeaderMap, strict: bool) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else { return !strict };
    origin.to_str().is_ok_and(|origin| is_own(config, headers, origin))
}

/// Returns whether a request comes from a page of this site, by `Referer` or `Sec-Fetch-Site`. Read
/// requests have no `Origin`, and browsers omit `Sec-Fetch-Site` without TLS.
pub fn is_own_page(config: &Config, headers: &HeaderMap) -> bool {
    let referrer = headers.get(header::REFERER).and_then(|referrer| referrer.to_str().ok());
    let by_page = referrer.is_some_and(|referrer| {
        let path = referrer.match_indices('/').nth(2).map_or(referrer.len(), |(at, _)| at);
        is_own(config, headers, &referrer[..path])
    });
    by_page || says(headers, "sec-fetch-site", "same-origin")
}

fn is_own(config: &Config, headers: &HeaderMap, origin: &str) -> bool {
    if let Some(own) = &config.public_origin {
        return origin.eq_ignore_ascii_case(own);
    }
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let rest = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    matches!((host, rest), (Some(host), Some(rest)) if rest.eq_ignore_ascii_case(host))
}

fn says(headers: &HeaderMap, name: &str, word: &str) -> bool {
    headers.get(name).is_some_and(|value| value == word)
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
    Address(address): Address,
    request: Request,
    next: Next,
) -> Result<Response, Error> {
    let headers = request.headers();
    let changes = !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    // Another site must not use up the read limit of its visitors. Links to this site stay allowed.
    let followed = !changes && says(headers, "sec-fetch-mode", "navigate");
    let foreign = says(headers, "sec-fetch-site", "cross-site") && !followed;
    if foreign || (changes && !is_own_origin(&app.config, headers, false)) {
        return Err(Error::ForeignOrigin);
    }
    let path = request.uri().path();
    if changes && is_move(path) {
        app.moves.check(&app, address, headers).await?;
        return Ok(next.run(request).await);
    }
    let rate = match path {
        _ if !changes => &app.looks,
        // Position queries must not use up the limit for accepting, resigning and chat.
        "/position" => &app.questions,
        "/analysis" => &app.analyses.rate,
        _ => &app.requests,
    };
    rate.check(address)?;
    Ok(next.run(request).await)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    fn config(arguments: &[&str]) -> Config {
        crate::config::Cli::parse_from([&["sprong"], arguments].concat()).config
    }

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| {
                let value = HeaderValue::from_str(value).expect("header");
                (header::HeaderName::from_static(name), value)
            })
            .collect()
    }

    #[test]
    fn an_origin_is_ours_or_foreign() {
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
