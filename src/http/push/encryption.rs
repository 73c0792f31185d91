//! Encryption of push messages for a browser (RFC 8291): the content coding `aes128gcm` (RFC 8188)
//! in one record.
//!
//! `ring` computes all primitives; this module only composes their inputs. Callers: `delivery`, and
//! `api::push`, which checks the keys of a subscription.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use ring::aead::{self, AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral};
use ring::error::Unspecified;
use ring::hkdf::{HKDF_SHA256, KeyType, Prk, Salt};
use ring::rand::{SecureRandom, SystemRandom};

/// Length of the public key of a browser: an uncompressed point of P-256.
pub const PUBLIC_KEY_LEN: usize = 65;

/// Length of the authentication secret of a browser.
pub const AUTH_LEN: usize = 16;

const SALT_LEN: usize = 16;

/// Size of a record. All push services accept 4096 bytes (RFC 8030 §7.2).
const RECORD_SIZE: u32 = 4096;

/// Longest text that fits into one record, with the header, the delimiter and the tag.
const TEXT_BYTES_MAX: usize = RECORD_SIZE as usize - SALT_LEN - 4 - 1 - PUBLIC_KEY_LEN - 1 - 16;

/// Delimiter after the text of the last record.
const LAST_RECORD: u8 = 2;

/// Public key and secret of a browser, of which the key is a point of the curve.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BrowserKeys {
    /// Uncompressed point of P-256.
    pub p256dh: Vec<u8>,
    /// 16 bytes.
    pub auth: Vec<u8>,
}

/// Reason why keys are refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BrowserKeysError {
    #[error(
        "`p256dh` must be the public key of the browser's subscription, 65 bytes in base64url."
    )]
    PublicKey,
    #[error("`auth` must be the secret of the browser's subscription, 16 bytes in base64url.")]
    Auth,
}

impl BrowserKeys {
    /// Decodes the keys of a subscription from base64url, with or without padding.
    ///
    /// # Errors
    /// A key has another length, or is no point of the curve.
    pub fn decode(p256dh: &str, auth: &str) -> Result<BrowserKeys, BrowserKeysError> {
        let keys = BrowserKeys {
            p256dh: decode(p256dh, PUBLIC_KEY_LEN).ok_or(BrowserKeysError::PublicKey)?,
            auth: decode(auth, AUTH_LEN).ok_or(BrowserKeysError::Auth)?,
        };
        // Only the agreement checks that the point is on the curve.
        encrypt(&keys, &[]).map_err(|_| BrowserKeysError::PublicKey)?;
        Ok(keys)
    }
}

/// Decodes `len` bytes.
fn decode(text: &str, len: usize) -> Option<Vec<u8>> {
    if text.len() > 2 * len {
        return None;
    }
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).ok()?;
    Some(bytes).filter(|bytes| bytes.len() == len)
}

/// Length of output key material.
struct OutputLen(usize);

impl KeyType for OutputLen {
    fn len(&self) -> usize {
        self.0
    }
}

/// Encrypts a text for a browser. Returns the body of the message.
///
/// # Errors
/// The public key is invalid, the text is too long, or the random generator fails.
pub fn encrypt(keys: &BrowserKeys, text: &[u8]) -> Result<Vec<u8>, Unspecified> {
    if text.len() > TEXT_BYTES_MAX {
        return Err(Unspecified);
    }
    let random = SystemRandom::new();
    let mut salt = [0; SALT_LEN];
    random.fill(&mut salt)?;
    let own_private = EphemeralPrivateKey::generate(&ECDH_P256, &random)?;
    let own_public = own_private.compute_public_key()?;
    let peer = UnparsedPublicKey::new(&ECDH_P256, &keys.p256dh);
    let input = agree_ephemeral(own_private, &peer, |secret| {
        let prk = Salt::new(HKDF_SHA256, &keys.auth).extract(secret);
        let info = [b"WebPush: info\0", &keys.p256dh[..], own_public.as_ref()];
        expand::<32>(&prk, &info)
    })??;
    let prk = Salt::new(HKDF_SHA256, &salt).extract(&input);
    let key = UnboundKey::from(prk.expand(&[b"Content-Encoding: aes128gcm\0"], &AES_128_GCM)?);
    let nonce = expand::<{ aead::NONCE_LEN }>(&prk, &[b"Content-Encoding: nonce\0"])?;
    let mut record = [text, &[LAST_RECORD]].concat();
    let nonce = Nonce::assume_unique_for_key(nonce);
    LessSafeKey::new(key).seal_in_place_append_tag(nonce, Aad::empty(), &mut record)?;
    let mut body = salt.to_vec();
    body.extend(RECORD_SIZE.to_be_bytes());
    body.push(PUBLIC_KEY_LEN as u8);
    body.extend(own_public.as_ref());
    body.extend(record);
    Ok(body)
}

fn expand<const LEN: usize>(prk: &Prk, info: &[&[u8]]) -> Result<[u8; LEN], Unspecified> {
    let mut output = [0; LEN];
    prk.expand(info, OutputLen(LEN))?.fill(&mut output)?;
    Ok(output)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Public key and secret of RFC 8291, appendix A.
    const P256DH: &str =
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
    const AUTH: &str = "BTBZMqHH6r4Tts7J_aSIgg";

    #[test]
    fn keys_of_a_browser_are_checked() {
        assert!(BrowserKeys::decode(P256DH, AUTH).is_ok());
        assert!(BrowserKeys::decode(&format!("{P256DH}="), &format!("{AUTH}==")).is_ok());
        let off_curve = format!("{}5", &P256DH[..P256DH.len() - 2]) + "A";
        for p256dh in ["", "BCVxsr7N", &off_curve, &P256DH[1..], "no base64!", &"A".repeat(9000)] {
            let refused = BrowserKeys::decode(p256dh, AUTH);
            assert_eq!(refused, Err(BrowserKeysError::PublicKey), "{p256dh}");
        }
        for auth in ["", "BTBZ", &AUTH.repeat(2), "+/+/"] {
            let refused = BrowserKeys::decode(P256DH, auth);
            assert_eq!(refused, Err(BrowserKeysError::Auth), "{auth}");
        }
    }

    #[test]
    fn message_has_one_record_of_at_most_4096_bytes() {
        let keys = BrowserKeys::decode(P256DH, AUTH).expect("keys");
        let body = encrypt(&keys, &[b'a'; TEXT_BYTES_MAX]).expect("message");
        assert_eq!(body.len(), RECORD_SIZE as usize);
        assert!(encrypt(&keys, &[b'a'; TEXT_BYTES_MAX + 1]).is_err());
        let again = encrypt(&keys, &[b'a'; TEXT_BYTES_MAX]).expect("message");
        assert_ne!(body[..SALT_LEN], again[..SALT_LEN]);
    }
}
