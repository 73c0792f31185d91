//! Authenticator with one passkey (Web Authentication level 2, §6), in software: keys of P-256
//! without attestation, with another implementation than the server.

use super::client::Player;
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64;
use p256::ecdsa::signature::Signer;
use p256::ecdsa::{Signature, SigningKey};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// Origin of the site in the tests, the value of `--public-origin`.
pub const SITE: &str = "https://sprong.example";

/// User present, user verified.
const PRESENT_AND_VERIFIED: u8 = 0x05;
/// The data contain a new key.
const WITH_KEY: u8 = 0x40;

pub struct Authenticator {
    key: SigningKey,
    id: [u8; 16],
    pub counter: u32,
    /// Origin of the page that asks.
    pub origin: String,
    /// Domain of the site that asks.
    pub domain: String,
    /// Flags of the user.
    pub flags: u8,
}

impl Authenticator {
    /// Returns the authenticator with this number.
    pub fn new(number: u8) -> Authenticator {
        let key = SigningKey::from_slice(&[number; 32]).expect("scalar");
        let domain = SITE.split_once("://").expect("an origin").1.to_owned();
        let (origin, flags) = (SITE.to_owned(), PRESENT_AND_VERIFIED);
        Authenticator { key, id: [number; 16], counter: 0, origin, domain, flags }
    }

    /// Registers a passkey by the routes of the account, and returns its authenticator.
    pub async fn register(player: &mut Player, password: &str, number: u8) -> Authenticator {
        let mut authenticator = Authenticator::new(number);
        let form = json!({ "password": password, "name": format!("Key {number}") });
        let (status, request) = player.post("/api/account/passkeys", form).await;
        assert_eq!(status, 201, "{request}");
        let form = json!({ "passkey": authenticator.create(&request) });
        let (status, body) = player.post("/api/account/passkeys/confirm", form).await;
        assert_eq!(status, 200, "{body}");
        authenticator
    }

    /// Returns the answer to the challenge of a registration.
    pub fn create(&mut self, request: &Value) -> String {
        let (client_data, mut data) = self.signed_data("webauthn.create", request, WITH_KEY);
        data.extend([&[0; 16][..], &[0, 16], &self.id].concat());
        data.extend(self.public_key());
        // The map of `fmt`, `attStmt` and `authData`.
        let mut object = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58".to_vec();
        object.push(u8::try_from(data.len()).expect("a short text"));
        object.extend(data);
        let response = json!({
            "clientDataJSON": BASE64.encode(client_data),
            "attestationObject": BASE64.encode(object),
        });
        self.answer(request, &response)
    }

    /// Returns the answer to the challenge of a request, with the next counter.
    pub fn sign(&mut self, request: &Value) -> String {
        self.counter = self.counter.wrapping_add(1);
        let (client_data, data) = self.signed_data("webauthn.get", request, 0);
        let text = [data.clone(), Sha256::digest(&client_data).to_vec()].concat();
        let signature: Signature = self.key.sign(&text);
        let response = json!({
            "clientDataJSON": BASE64.encode(client_data),
            "authenticatorData": BASE64.encode(data),
            "signature": BASE64.encode(signature.to_der().as_bytes()),
        });
        self.answer(request, &response)
    }

    fn signed_data(&self, kind: &str, request: &Value, flags: u8) -> (Vec<u8>, Vec<u8>) {
        let challenge = &request["options"]["challenge"];
        let client_data = json!({ "type": kind, "challenge": challenge, "origin": self.origin });
        let mut data = Sha256::digest(&self.domain).to_vec();
        data.push(self.flags | flags);
        data.extend(self.counter.to_be_bytes());
        (client_data.to_string().into_bytes(), data)
    }

    /// Returns the public key as a map of COSE (RFC 9052).
    fn public_key(&self) -> Vec<u8> {
        let point = self.key.verifying_key().to_sec1_point(false);
        let (x, y) = (point.x().expect("x"), point.y().expect("y"));
        [b"\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20", &x[..], b"\x22\x58\x20", &y[..]].concat()
    }

    fn answer(&self, request: &Value, response: &Value) -> String {
        let id = BASE64.encode(self.id);
        let credential =
            json!({ "id": id, "rawId": id, "type": "public-key", "response": response });
        json!({ "challenge": request["challenge"], "credential": credential }).to_string()
    }
}
