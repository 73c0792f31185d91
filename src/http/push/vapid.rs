//! Identification of this server to push services (VAPID, RFC 8292): a token signed with ES256.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use ring::error::{KeyRejected, Unspecified};
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::json;

/// Validity of a token, in seconds; at most 24 h are allowed.
const TOKEN_VALID_S: i64 = 12 * 3600;

/// Key pair of the server, with the contact of its operator.
#[derive(Debug)]
pub struct Vapid {
    key_pair: EcdsaKeyPair,
    public_key: String,
    contact: Option<String>,
    random: SystemRandom,
}

impl Vapid {
    /// Generates a key pair, as PKCS #8.
    ///
    /// # Errors
    /// The random generator fails.
    pub fn generate_key() -> Result<Vec<u8>, Unspecified> {
        let random = SystemRandom::new();
        let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random)?;
        Ok(document.as_ref().to_vec())
    }

    /// Reads a key pair. The contact is a URL with `mailto:` or `https:`.
    ///
    /// # Errors
    /// The key pair is invalid.
    pub fn from_pkcs8(pkcs8: &[u8], contact: Option<String>) -> Result<Vapid, KeyRejected> {
        let random = SystemRandom::new();
        let key_pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, pkcs8, &random)?;
        let public_key = BASE64_URL_SAFE_NO_PAD.encode(key_pair.public_key());
        Ok(Vapid { key_pair, public_key, contact, random })
    }

    /// Returns the public key: an uncompressed point in base64url.
    pub fn public_key(&self) -> &str {
        &self.public_key
    }

    /// Returns the `Authorization` header of a request to the push service with this origin.
    ///
    /// # Errors
    /// The random generator fails.
    pub fn authorization(&self, origin: &str, now_ms: i64) -> Result<String, Unspecified> {
        let mut claims = json!({ "aud": origin, "exp": now_ms / 1000 + TOKEN_VALID_S });
        if let Some(contact) = &self.contact {
            claims["sub"] = json!(contact);
        }
        let encode = |part: &serde_json::Value| BASE64_URL_SAFE_NO_PAD.encode(part.to_string());
        let header = encode(&json!({ "typ": "JWT", "alg": "ES256" }));
        let signed = format!("{header}.{}", encode(&claims));
        let signature = self.key_pair.sign(&self.random, signed.as_bytes())?;
        let signature = BASE64_URL_SAFE_NO_PAD.encode(signature);
        Ok(format!("vapid t={signed}.{signature}, k={}", self.public_key))
    }
}
