//! Authenticator app of the tests: codes by RFC 6238, with another implementation than the server.

use super::client::Player;
use ring::hmac;
use serde_json::json;
use std::time::SystemTime;

const ALPHABET: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// Returns the code of a secret in a step of 30 seconds, counted from the epoch.
pub fn code_of_step(secret: &[u8], step: u64) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, secret);
    let tag = hmac::sign(&key, &step.to_be_bytes());
    let tag = tag.as_ref();
    let offset = usize::from(tag[19] & 15);
    let number = tag[offset..offset + 4].iter().fold(0, |sum, byte| sum << 8 | u32::from(*byte));
    format!("{:06}", (number & 0x7FFF_FFFF) % 1_000_000)
}

/// App with a secret in base32.
pub struct AuthenticatorApp(Vec<u8>);

impl AuthenticatorApp {
    pub fn new(secret: &str) -> AuthenticatorApp {
        let (mut bytes, mut bits, mut count) = (Vec::new(), 0_u32, 0);
        for letter in secret.chars() {
            let value = ALPHABET.find(letter).expect("base32");
            bits = bits << 5 | u32::try_from(value).expect("five bits");
            count += 5;
            if count >= 8 {
                count -= 8;
                bytes.push(u8::try_from(bits >> count & 255).expect("eight bits"));
            }
        }
        AuthenticatorApp(bytes)
    }

    /// Sets up an app for an account with this password, and confirms it.
    pub async fn set_up(player: &mut Player, password: &str) -> AuthenticatorApp {
        let form = json!({ "password": password });
        let (status, body) = player.post("/api/account/totp", form).await;
        assert_eq!(status, 201, "{body}");
        let app = AuthenticatorApp::new(body["secret"].as_str().expect("secret"));
        let code = json!({ "code": app.code() });
        let (status, body) = player.post("/api/account/totp/confirm", code).await;
        assert_eq!(status, 200, "{body}");
        app
    }

    pub fn secret(&self) -> &[u8] {
        &self.0
    }

    fn step() -> u64 {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("after 1970");
        now.as_secs() / 30
    }

    /// Returns the code of now, which is valid for at least 30 s.
    pub fn code(&self) -> String {
        code_of_step(&self.0, AuthenticatorApp::step())
    }

    /// Returns the next code, which is valid for at least 60 s.
    pub fn next_code(&self) -> String {
        code_of_step(&self.0, AuthenticatorApp::step() + 1)
    }

    /// Returns codes that are not valid within the next minutes.
    pub fn wrong_codes(&self) -> impl Iterator<Item = String> {
        let step = AuthenticatorApp::step();
        let valid: Vec<String> =
            (step - 2..step + 20).map(|step| code_of_step(&self.0, step)).collect();
        (0..).map(|number| format!("{number:06}")).filter(move |code| !valid.contains(code))
    }

    /// Returns a code that is not valid.
    pub fn wrong_code(&self) -> String {
        self.wrong_codes().next().expect("a code")
    }
}
