//! Id of a browser in a cookie, by which moderators can ban it. Callers: the handlers that open
//! sessions.

use super::secret::{hash_secret, random_hex};
use crate::config::Config;
use axum::http::{HeaderMap, HeaderValue, header};

/// Bytes of an id.
const ID_LEN: usize = 16;

/// Lifetime of the cookie, in seconds: the longest that browsers allow.
const MAX_AGE_S: u32 = 400 * 86_400;

/// Random id of a browser.
#[derive(Debug)]
pub struct DeviceId(String);

impl DeviceId {
    /// Returns the id in the cookie of a request, or a new one.
    pub fn from_headers(config: &Config, headers: &HeaderMap) -> DeviceId {
        DeviceId::known(config, headers).unwrap_or_else(|| DeviceId(random_hex(ID_LEN)))
    }

    /// Returns the id in the cookie of a request.
    pub fn known(config: &Config, headers: &HeaderMap) -> Option<DeviceId> {
        let name = cookie_name(config);
        let is_id = |value: &&str| {
            value.len() == 2 * ID_LEN && value.bytes().all(|byte| byte.is_ascii_hexdigit())
        };
        let known = headers
            .get_all(header::COOKIE)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split("; "))
            .filter_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))
            .find(is_id)?;
        Some(DeviceId(known.to_owned()))
    }

    /// Returns the hash that is stored.
    pub fn hash(&self) -> Vec<u8> {
        hash_secret(&self.0)
    }

    /// Returns the value of the `Set-Cookie` header.
    pub fn cookie(&self, config: &Config) -> HeaderValue {
        let secure = if config.is_https() { "; Secure" } else { "" };
        let (name, id) = (cookie_name(config), &self.0);
        let text =
            format!("{name}={id}; Path=/; Max-Age={MAX_AGE_S}; HttpOnly; SameSite=Lax{secure}");
        HeaderValue::from_str(&text).expect("cookie is ASCII")
    }
}

/// Returns the cookie's name, as that of sessions.
fn cookie_name(config: &Config) -> &'static str {
    if config.is_https() { "__Host-sprong-device" } else { "sprong-device" }
}
