//! Who asks, and whether the request is ours.

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

/// Cookies last as long as sessions can.
const COOKIE_MAX_AGE_S: u32 = 365 * 86_400;

/// What programs' tokens begin with, so that one is known when it lies about.
const TOKEN_PREFIX: &str = "spr_";

/// As much of what a browser calls itself as is kept.
const AGENT_CHARS_MAX: usize = 200;

/// A secret that stands for somebody: what goes out, and what goes to the store.
#[derive(Debug)]
pub struct Token {
    text: String,
}

impl Token {
    /// 256 bits from the operating system's generator.
    pub fn random() -> Token {
        Token { text: random_hex(32) }
    }

    /// The same, in the form of a program's token.
    pub fn for_program() -> Token {
        Token { text: format!("{TOKEN_PREFIX}{}", random_hex(32)) }
    }

    /// The secret itself.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What is stored of it.
    pub fn hash(&self) -> Vec<u8> {
        hash(&self.text)
    }

    /// The session that it opens.
    pub fn opening(&self, headers: &HeaderMap) -> Opening {
        let agent = headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok());
        let agent = agent.unwrap_or_default().chars().take(AGENT_CHARS_MAX).collect();
        Opening { hash: self.hash(), id: random_hex(8), agent, now_ms: now_ms() }
    }

    /// The header that gives it to the browser.
    pub fn cookie(&self, config: &Config) -> HeaderValue {
        cookie(config, &self.text, COOKIE_MAX_AGE_S)
    }
}

/// So many random bytes, in hexadecimal digits.
pub fn random_hex(bytes: usize) -> String {
    let mut random = vec![0; bytes];
    getrandom::fill(&mut random).expect("random bytes of the system");
    hex(&random)
}

/// The header that takes a session away from the browser.
pub fn no_cookie(config: &Config) -> HeaderValue {
    cookie(config, "", 0)
}

fn cookie(config: &Config, value: &str, max_age_s: u32) -> HeaderValue {
    let secure = if config.is_secure() { "; Secure" } else { "" };
    let name = cookie_name(config);
    let text =
        format!("{name}={value}; Path=/; Max-Age={max_age_s}; HttpOnly; SameSite=Lax{secure}");
    HeaderValue::from_str(&text).expect("cookie of letters and digits")
}

/// Browsers take a `__Host-` cookie over TLS alone, from the very host.
fn cookie_name(config: &Config) -> &'static str {
    if config.is_secure() { "__Host-sprong" } else { "sprong" }
}

/// What is stored of a secret.
pub fn hash(token: &str) -> Vec<u8> {
    Sha256::digest(token.as_bytes()).to_vec()
}

/// The hash of the session token a request bears.
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

/// What a program's token may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// Play as a person.
    BoardPlay,
    /// Play as a bot.
    BotPlay,
    /// See challenges.
    ChallengeRead,
    /// Make and answer challenges.
    ChallengeWrite,
}

impl Scope {
    const ALL: [Scope; 4] =
        [Scope::BoardPlay, Scope::BotPlay, Scope::ChallengeRead, Scope::ChallengeWrite];

    /// Those that may answer challenges.
    pub const CHALLENGE: [Scope; 3] = [Scope::ChallengeWrite, Scope::BoardPlay, Scope::BotPlay];

    /// Those that may play.
    pub const PLAY: [Scope; 2] = [Scope::BoardPlay, Scope::BotPlay];

    /// Those that may hear of challenges and games.
    pub const EVENTS: [Scope; 3] = [Scope::ChallengeRead, Scope::BoardPlay, Scope::BotPlay];

    /// How it is written.
    pub fn word(self) -> &'static str {
        match self {
            Scope::BoardPlay => "board:play",
            Scope::BotPlay => "bot:play",
            Scope::ChallengeRead => "challenge:read",
            Scope::ChallengeWrite => "challenge:write",
        }
    }

    /// The one that is written so.
    pub fn of_word(word: &str) -> Option<Scope> {
        Scope::ALL.into_iter().find(|scope| scope.word() == word)
    }
}

/// By what somebody is known.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Means {
    /// By nothing.
    Nothing,
    /// By the cookie of a browser; its hash.
    Session(Vec<u8>),
    /// By a program's token: its hash, and what it may do.
    Token(Vec<u8>, Vec<Scope>),
}

/// Who asks, if anybody is signed in.
#[derive(Clone, Debug)]
pub struct Viewer {
    /// The account or guest.
    pub account: Option<Account>,
    means: Means,
}

impl Viewer {
    /// The account, as far as these scopes go: a token without them is nobody's.
    pub fn only_with(mut self, scopes: &[Scope]) -> Viewer {
        if !self.may(scopes) {
            self.account = None;
        }
        self
    }

    /// The account or guest.
    ///
    /// # Errors
    /// When nobody is signed in.
    pub fn some(self) -> Result<Account, Error> {
        self.account.ok_or(Error::NoSession)
    }

    /// The same, unless it is a token without one of these scopes.
    ///
    /// # Errors
    /// When it is.
    pub fn can(self, scopes: &[Scope]) -> Result<Viewer, Error> {
        if self.may(scopes) { Ok(self) } else { Err(Error::MissingScope(scopes[0].word())) }
    }

    /// The account or guest, if by a token then by one with one of these scopes.
    ///
    /// # Errors
    /// When nobody is signed in, or the token may not do that.
    pub fn with(self, scopes: &[Scope]) -> Result<Account, Error> {
        self.can(scopes)?.some()
    }

    /// Whether whoever asks may do what one of these scopes is for.
    pub fn may(&self, scopes: &[Scope]) -> bool {
        match &self.means {
            Means::Token(_, own) => own.iter().any(|scope| scopes.contains(scope)),
            Means::Session(_) | Means::Nothing => true,
        }
    }

    /// The account or guest at a browser, and the hash of its session.
    ///
    /// # Errors
    /// When nobody is signed in, or it is a program.
    pub fn by_hand(self) -> Result<(Account, Vec<u8>), Error> {
        match (self.account, self.means) {
            (Some(account), Means::Session(hash)) => Ok((account, hash)),
            (Some(_), Means::Token(..)) => Err(Error::SessionOnly),
            _ => Err(Error::NoSession),
        }
    }

    /// The account at a browser, no guest, and the hash of its session.
    ///
    /// # Errors
    /// When nobody is signed in, or it is a guest or a program.
    pub fn account_by_hand(self) -> Result<(Account, Vec<u8>), Error> {
        let (account, session) = self.by_hand()?;
        if account.guest { Err(Error::NeedsAccount) } else { Ok((account, session)) }
    }

    /// Whether it is a program.
    pub fn is_program(&self) -> bool {
        matches!(self.means, Means::Token(..))
    }

    /// The hash of the token, if it is a program.
    pub fn token(&self) -> Option<&[u8]> {
        match &self.means {
            Means::Token(hash, _) => Some(hash),
            Means::Nothing | Means::Session(_) => None,
        }
    }

    /// The hash of the session or token by which whoever asks is known.
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

/// The hash of the session or token that a request presents, good or not.
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
    /// Returns the account that the headers of a request authenticate.
    ///
    /// # Errors
    /// When the token is not good, or the store fails.
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

/// Whether a request comes from our own pages, as far as it says. `strict` asks that it does say.
pub fn is_own_origin(config: &Config, headers: &HeaderMap, strict: bool) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else { return !strict };
    origin.to_str().is_ok_and(|origin| is_own(config, headers, origin))
}

/// Whether a request comes from a page of ours, as far as the browser says. Requests that read bear no
/// `Origin`; where a browser leaves out `Sec-Fetch-Site` (without TLS), it names the page.
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

/// Before every request but those for the files of pages: not too many, and nothing is changed from
/// other sites.
///
/// # Errors
/// When it is one of those.
pub async fn guard(
    State(app): State<App>,
    Address(address): Address,
    request: Request,
    next: Next,
) -> Result<Response, Error> {
    let headers = request.headers();
    let changes = !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    // Another site must not use up the looks of whoever visits it; a link to us is followed.
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
        // Whoever looks at many moves may still accept, resign or speak.
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
