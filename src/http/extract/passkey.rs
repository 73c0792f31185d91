//! Challenges of passkeys and the check of their answers (Web Authentication, with `webauthn-rs`).
//!
//! A passkey belongs to the domain of the site at its registration. Browsers offer passkeys on
//! pages with HTTPS and on `localhost`, and for domains only. Callers: the handlers of `passkey`,
//! and `login_code`.

use crate::http::App;
use crate::http::error::Error;
use crate::http::extract::origin::origin;
use crate::http::extract::secret::random_hex;
use crate::play::reason::Reason;
use crate::rooms::now_ms;
use crate::store::{AccountKey, CodeProof, NewPasskey, NewPasskeyChallenge, PasskeyRow};
use axum::http::HeaderMap;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use webauthn_rs::prelude::{
    AuthenticationResult, Passkey, PasskeyAuthentication, PasskeyRegistration, PublicKeyCredential,
    RegisterPublicKeyCredential, Url, WebauthnError,
};
use webauthn_rs::{Webauthn, WebauthnBuilder};

/// Answer to a challenge, the JSON text of a field.
#[derive(Deserialize)]
pub struct PasskeyAnswer<'a> {
    /// Id of the challenge.
    pub challenge: String,
    /// Credential of the browser.
    #[serde(borrow)]
    credential: &'a RawValue,
}

/// State of a registration, as it is stored.
#[derive(Serialize, Deserialize)]
struct PendingRegistration {
    name: String,
    state: PasskeyRegistration,
}

/// Challenge to be stored, and the options of the browser for it.
pub struct StartedChallenge {
    pub stored: NewPasskeyChallenge,
    pub options: serde_json::Value,
}

/// This site, as passkeys know it.
pub struct RelyingParty {
    /// Domain.
    id: String,
    webauthn: Webauthn,
}

impl<'a> PasskeyAnswer<'a> {
    /// Parses the value of the field `passkey`.
    pub fn parse(text: &'a str) -> Result<PasskeyAnswer<'a>, Error> {
        parse_field(text)
    }
}

impl RelyingParty {
    /// Returns the site by the origin of its pages; `None` where browsers offer no passkeys.
    pub fn new(app: &App, headers: &HeaderMap) -> Option<RelyingParty> {
        RelyingParty::from_origin(&origin(app, headers))
    }

    fn from_origin(origin: &str) -> Option<RelyingParty> {
        let url = Url::parse(origin).ok()?;
        let domain = url.domain()?;
        let is_local = domain == "localhost" || domain.ends_with(".localhost");
        if url.scheme() != "https" && !is_local {
            return None;
        }
        let builder = WebauthnBuilder::new(domain, &url).ok()?.rp_name("Sprong");
        Some(RelyingParty { id: domain.to_owned(), webauthn: builder.build().ok()? })
    }

    /// Begins the registration of a passkey beside those of an account.
    pub fn start_registration(
        &self,
        (account, user): (AccountKey, &str),
        name: String,
        passkeys: &[PasskeyRow],
    ) -> Result<StartedChallenge, Error> {
        let known = self.keys(passkeys).map(|(key, _)| key.cred_id().clone()).collect();
        let (options, state) = self
            .webauthn
            .start_passkey_registration(account.into(), user, user, Some(known))
            .map_err(|error| log_failure(&error))?;
        StartedChallenge::new(&options.public_key, &PendingRegistration { name, state })
    }

    /// Returns the new passkey of an answer; `stored` is the state of its challenge.
    pub fn finish_registration(
        &self,
        answer: &PasskeyAnswer,
        stored: &str,
    ) -> Result<NewPasskey, Error> {
        let credential: RegisterPublicKeyCredential = parse_field(answer.credential.get())?;
        let PendingRegistration { name, state } = parse_stored(stored)?;
        let passkey =
            self.webauthn.finish_passkey_registration(&credential, &state).map_err(refuse)?;
        let row = PasskeyRow {
            id: random_hex(8),
            rp_id: self.id.clone(),
            name,
            credential: to_json(&passkey)?,
            counter: 0,
            created_ms: now_ms(),
            used_ms: None,
        };
        Ok(NewPasskey { credential_id: passkey.cred_id().to_vec(), row })
    }

    /// Begins a proof of one of the passkeys. Returns `None` if none of them is of this site.
    pub fn start_proof(&self, passkeys: &[PasskeyRow]) -> Result<Option<StartedChallenge>, Error> {
        let keys: Vec<Passkey> = self.keys(passkeys).map(|(key, _)| key).collect();
        if keys.is_empty() {
            return Ok(None);
        }
        let started = self.webauthn.start_passkey_authentication(&keys);
        let (options, state) = started.map_err(|error| log_failure(&error))?;
        StartedChallenge::new(&options.public_key, &state).map(Some)
    }

    /// Checks the signature and its counter; `stored` is the state of the challenge.
    pub fn finish_proof(
        &self,
        answer: &PasskeyAnswer,
        stored: &str,
        passkeys: &[PasskeyRow],
    ) -> Result<CodeProof, Error> {
        let credential: PublicKeyCredential = parse_field(answer.credential.get())?;
        let state: PasskeyAuthentication = parse_stored(stored)?;
        let proof =
            self.webauthn.finish_passkey_authentication(&credential, &state).map_err(refuse)?;
        // One that was removed after the challenge is in its state only.
        let key = self.keys(passkeys).find(|(key, _)| key.cred_id() == proof.cred_id());
        let (key, row) = key.ok_or(Error::WrongPasskey)?;
        update_key(key, row, &proof)
    }

    /// Returns the passkeys of this site with their keys, without those that cannot be read.
    fn keys<'a>(
        &'a self,
        passkeys: &'a [PasskeyRow],
    ) -> impl Iterator<Item = (Passkey, &'a PasskeyRow)> {
        passkeys.iter().filter(|row| row.rp_id == self.id).filter_map(|row| {
            match serde_json::from_str(&row.credential) {
                Ok(key) => Some((key, row)),
                Err(error) => {
                    tracing::error!(%error, passkey = row.id, "Failed to read a stored passkey");
                    None
                }
            }
        })
    }
}

/// Returns the proof with the passkey as it is after a signature.
fn update_key(
    mut key: Passkey,
    row: &PasskeyRow,
    proof: &AuthenticationResult,
) -> Result<CodeProof, Error> {
    let counter = i64::from(proof.counter());
    if counter <= row.counter && (counter, row.counter) != (0, 0) {
        return Err(Error::CopiedPasskey);
    }
    key.update_credential(proof);
    let (id, credential) = (row.id.clone(), to_json(&key)?);
    Ok(CodeProof::Passkey { id, credential, counter, now_ms: now_ms() })
}

impl StartedChallenge {
    fn new(options: &impl Serialize, state: &impl Serialize) -> Result<StartedChallenge, Error> {
        let stored =
            NewPasskeyChallenge { id: random_hex(16), state: to_json(state)?, now_ms: now_ms() };
        let options = serde_json::to_value(options).map_err(|error| log_failure(&error))?;
        Ok(StartedChallenge { stored, options })
    }
}

fn parse_field<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, Error> {
    serde_json::from_str(text).map_err(|_| {
        let why = "`passkey` must be JSON with `challenge` and the `credential` of the browser.";
        Error::InvalidField(Reason::BadField, why.to_owned())
    })
}

fn parse_stored<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    serde_json::from_str(text).map_err(|error| log_failure(&error))
}

fn to_json(value: &impl Serialize) -> Result<String, Error> {
    serde_json::to_string(value).map_err(|error| log_failure(&error))
}

fn refuse(error: WebauthnError) -> Error {
    tracing::debug!(%error, "Refused the answer of a passkey");
    match error {
        WebauthnError::CredentialPossibleCompromise => Error::CopiedPasskey,
        WebauthnError::CredentialExcludedFromRequest => Error::KnownPasskey,
        _ => Error::WrongPasskey,
    }
}

fn log_failure(error: &impl std::fmt::Display) -> Error {
    tracing::error!(%error, "Failed to handle the stored data of a passkey");
    Error::Internal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passkeys_need_a_domain_and_a_secure_page() {
        for (origin, is_possible) in [
            ("https://sprong.example", true),
            ("https://sprong.example:8443", true),
            ("http://localhost:8080", true),
            ("http://sprong.localhost", true),
            ("http://sprong.example", false),
            ("http://127.0.0.1:8080", false),
            ("https://192.0.2.7", false),
            ("https://[::1]:8080", false),
            ("http://", false),
            ("http://localhost.sprong.example", false),
        ] {
            assert_eq!(RelyingParty::from_origin(origin).is_some(), is_possible, "{origin}");
        }
    }
}
