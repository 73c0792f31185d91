use super::App;
use super::error::Error;
use crate::config::Config;
use crate::rooms::now_ms;
use crate::store::Account;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use axum::extract::{ConnectInfo, FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::Response;
use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota};
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::net::{IpAddr, SocketAddr};
use std::num::NonZeroU32;
use std::sync::{Arc, LazyLock};
use tokio::sync::Semaphore;

/// Passwords hashed at one time: each takes 19 MiB and a core.
static HASHING: LazyLock<Arc<Semaphore>> = LazyLock::new(|| Arc::new(Semaphore::new(2)));

/// Cookies last as long as sessions can.
const COOKIE_MAX_AGE_S: u32 = 365 * 86_400;

/// A new session: what goes to the browser, and what goes to the store.
#[derive(Debug)]
pub struct Token {
    text: String,
}

impl Token {
    /// 256 bits from the operating system's generator.
    pub fn random() -> Token {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).expect("random bytes of the system");
        let mut text = String::with_capacity(64);
        for byte in bytes {
            write!(text, "{byte:02x}").expect("a string takes all");
        }
        Token { text }
    }

    /// What is stored of it.
    pub fn hash(&self) -> Vec<u8> {
        hash(&self.text)
    }

    /// The header that gives it to the browser.
    pub fn cookie(&self, config: &Config) -> HeaderValue {
        cookie(config, &self.text, COOKIE_MAX_AGE_S)
    }
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

fn hash(token: &str) -> Vec<u8> {
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

/// Who asks, if anybody is signed in.
#[derive(Clone, Debug)]
pub struct Viewer(pub Option<Account>);

impl Viewer {
    /// The account or guest.
    ///
    /// # Errors
    /// When nobody is signed in.
    pub fn some(self) -> Result<Account, Error> {
        self.0.ok_or(Error::NoSession)
    }
}

impl FromRequestParts<App> for Viewer {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Viewer, Error> {
        match session_hash(&app.config, &parts.headers) {
            Some(hash) => Ok(Viewer(app.rooms.store().session(&hash, now_ms()).await?)),
            None => Ok(Viewer(None)),
        }
    }
}

/// Hashes a password.
///
/// # Errors
/// When the server is going down.
pub async fn hash_password(password: String) -> Result<String, Error> {
    hashing(move || {
        let hash = argon2().hash_password(password.as_bytes());
        hash.expect("hash of a password").to_string()
    })
    .await
}

/// Whether a password belongs to a hash. Without a hash (there is no such account) it takes as
/// long to say no, so that the time does not tell which names exist.
///
/// # Errors
/// When the server is going down.
pub async fn verify_password(password: String, hash: Option<String>) -> Result<bool, Error> {
    static NOBODY: LazyLock<String> = LazyLock::new(|| {
        argon2().hash_password(b"nobody has this password").expect("hash of a password").to_string()
    });
    hashing(move || {
        let known = hash.is_some();
        let text = hash.unwrap_or_else(|| NOBODY.clone());
        let parsed = PasswordHash::new(&text);
        let fits = parsed
            .is_ok_and(|parsed| argon2().verify_password(password.as_bytes(), &parsed).is_ok());
        fits && known
    })
    .await
}

fn argon2() -> Argon2<'static> {
    let params = Params::new(19_456, 2, 1, None).expect("parameters of argon2");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

async fn hashing<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
    let turn = HASHING.clone().acquire_owned().await.map_err(|_| Error::Stopping)?;
    // The turn ends with the work: whoever asks and leaves does not make room for another.
    let work = move || {
        let done = work();
        drop(turn);
        done
    };
    tokio::task::spawn_blocking(work).await.map_err(|_| Error::Stopping)
}

/// How often each address may do something.
#[derive(Debug)]
pub struct Rate(DefaultKeyedRateLimiter<IpAddr>);

impl Rate {
    /// So often in a minute.
    pub fn per_minute(times: u32) -> Rate {
        Rate(DefaultKeyedRateLimiter::keyed(Quota::per_minute(
            NonZeroU32::new(times).unwrap_or(NonZeroU32::MIN),
        )))
    }

    /// Counts one more.
    ///
    /// # Errors
    /// When it is one too many.
    pub fn check(&self, address: IpAddr) -> Result<(), Error> {
        self.0.check_key(&address).map_err(|not_until| {
            let wait = not_until.wait_time_from(DefaultClock::default().now());
            Error::TooFast(wait.as_secs() + 1)
        })
    }

    /// Forgets the addresses that have been quiet.
    pub fn forget_quiet(&self) {
        self.0.retain_recent();
        self.0.shrink_to_fit();
    }
}

/// The address that a request comes from: the peer's, or what a trusted proxy says of it.
#[derive(Clone, Copy, Debug)]
pub struct Address(pub IpAddr);

impl FromRequestParts<App> for Address {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Address, Error> {
        let ConnectInfo(peer): ConnectInfo<SocketAddr> =
            ConnectInfo::from_request_parts(parts, app).await.map_err(|_| Error::Broken)?;
        Ok(Address(address(&app.config, peer.ip(), &parts.headers)))
    }
}

/// Right to left through what the proxies have noted, up to the first hop that is none of ours.
fn address(config: &Config, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
    let trusted = |address: &IpAddr| config.trusted_proxies.contains(address);
    if !trusted(&peer) {
        return peer;
    }
    let noted: Vec<&str> = headers
        .get_all("x-forwarded-for")
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .collect();
    let hops = noted.iter().rev().map_while(|hop| hop.trim().parse::<IpAddr>().ok());
    let mut last = peer;
    for hop in hops {
        last = hop;
        if !trusted(&hop) {
            break;
        }
    }
    last
}

/// Whether a request comes from our own pages, as far as it says. `strict` asks that it does say.
pub fn is_own_origin(config: &Config, headers: &HeaderMap, strict: bool) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else { return !strict };
    let Ok(origin) = origin.to_str() else { return false };
    if let Some(own) = &config.public_origin {
        return origin.eq_ignore_ascii_case(own);
    }
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let rest = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    matches!((host, rest), (Some(host), Some(rest)) if rest.eq_ignore_ascii_case(host))
}

/// Before every request that changes something: not from other sites, not too many.
///
/// # Errors
/// When it is one of those.
pub async fn guard(
    State(app): State<App>,
    Address(address): Address,
    request: Request,
    next: Next,
) -> Result<Response, Error> {
    if !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS) {
        let site = request.headers().get("sec-fetch-site");
        let foreign = site.is_some_and(|site| site == "cross-site");
        if foreign || !is_own_origin(&app.config, request.headers(), false) {
            return Err(Error::ForeignOrigin);
        }
        // Whoever looks at many moves may still accept, resign or speak.
        let asks = request.uri().path() == "/position";
        if asks { &app.questions } else { &app.requests }.check(address)?;
    }
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
        assert!(!is_own_origin(&open, &headers(&[("host", "a")]), true));
        assert!(is_own_origin(&open, &headers(&[("host", "a")]), false));
    }

    #[test]
    fn only_trusted_proxies_speak_for_others() {
        let ip = |text: &str| text.parse::<IpAddr>().expect("address");
        let noted = headers(&[("x-forwarded-for", "6.6.6.6, 1.2.3.4, 10.0.0.2")]);
        let proxied = config(&["--trusted-proxy", "10.0.0.1,10.0.0.2"]);
        assert_eq!(address(&proxied, ip("10.0.0.1"), &noted), ip("1.2.3.4"));
        assert_eq!(address(&proxied, ip("9.9.9.9"), &noted), ip("9.9.9.9"));
        assert_eq!(address(&config(&[]), ip("10.0.0.1"), &noted), ip("10.0.0.1"));
    }

    #[tokio::test]
    async fn a_password_fits_its_own_hash_alone() {
        let hash = hash_password("correct-horse".to_owned()).await.expect("hash");
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
        let verify = |password: &str, hash: Option<&String>| {
            verify_password(password.to_owned(), hash.cloned())
        };
        assert!(verify("correct-horse", Some(&hash)).await.expect("answer"));
        assert!(!verify("correct-horsf", Some(&hash)).await.expect("answer"));
        assert!(!verify("nobody has this password", None).await.expect("answer"));
    }
}
