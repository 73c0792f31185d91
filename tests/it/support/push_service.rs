//! Push service and browser of the push tests. The browser decrypts messages with another
//! implementation of the primitives than the server.

use super::client::WAIT_TIMEOUT;
use aes_gcm::aead::{Aead, KeyInit};
use aes_gcm::{Aes128Gcm, Nonce};
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64;
use hkdf::Hkdf;
use p256::ecdsa::signature::Verifier;
use p256::ecdsa::{Signature, VerifyingKey};
use p256::{PublicKey, SecretKey};
use serde_json::{Value, json};
use sha2::Sha256;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use tokio::net::TcpListener;
use tokio::sync::mpsc;

/// Response of the push service to one message.
#[derive(Clone, Copy)]
pub enum PushAnswer {
    Status(u16),
    /// Status and value of `Retry-After`.
    RetryAfter(u16, &'static str),
    /// Status 307 with this address.
    Redirect(&'static str),
    /// No response.
    Never,
}

/// Message as the push service received it.
#[derive(Debug)]
pub struct ReceivedPush {
    pub method: Method,
    pub path: String,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl ReceivedPush {
    pub fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name).unwrap_or_else(|| panic!("no header {name}"));
        value.to_str().expect("text")
    }

    /// Checks the signature of the token with the public key of the server. Returns its claims.
    pub fn verified_claims(&self, public_key: &str) -> Value {
        let token = self.header("authorization").strip_prefix("vapid t=").expect("scheme");
        let (token, key) = token.split_once(", k=").expect("key");
        assert_eq!(key, public_key);
        let (signed, signature) = token.rsplit_once('.').expect("signature");
        let (header, claims) = signed.split_once('.').expect("claims");
        let decode = |text: &str| BASE64.decode(text).expect("base64url");
        let header: Value = serde_json::from_slice(&decode(header)).expect("JSON");
        assert_eq!(header, json!({ "typ": "JWT", "alg": "ES256" }));
        let key = VerifyingKey::from_sec1_bytes(&decode(public_key)).expect("point");
        let signature = Signature::from_slice(&decode(signature)).expect("signature");
        key.verify(signed.as_bytes(), &signature).expect("valid signature");
        serde_json::from_slice(&decode(claims)).expect("JSON")
    }
}

#[derive(Clone)]
struct ServiceState {
    received: mpsc::UnboundedSender<ReceivedPush>,
    answers: Arc<Mutex<VecDeque<PushAnswer>>>,
}

/// Push service on a free port. Without an answer in the queue, it accepts a message.
pub struct PushService {
    pub origin: String,
    received: mpsc::UnboundedReceiver<ReceivedPush>,
    answers: Arc<Mutex<VecDeque<PushAnswer>>>,
}

impl PushService {
    pub async fn start() -> PushService {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("address");
        let origin = format!("http://{}", listener.local_addr().expect("address"));
        let (sender, received) = mpsc::unbounded_channel();
        let answers = Arc::default();
        let state = ServiceState { received: sender, answers: Arc::clone(&answers) };
        let router = Router::new().fallback(receive).with_state(state);
        tokio::spawn(async move { axum::serve(listener, router).await });
        PushService { origin, received, answers }
    }

    /// Adds answers to the next messages.
    pub fn answer(&self, answers: &[PushAnswer]) {
        self.answers.lock().expect("answers").extend(answers);
    }

    /// Returns the next message.
    pub async fn next(&mut self) -> ReceivedPush {
        let next = tokio::time::timeout(WAIT_TIMEOUT, self.received.recv()).await;
        next.expect("a message in time").expect("message")
    }

    /// Returns the next message, if it has arrived.
    pub fn try_next(&mut self) -> Option<ReceivedPush> {
        self.received.try_recv().ok()
    }

    /// Returns whether no other message has arrived.
    pub fn is_empty(&mut self) -> bool {
        self.try_next().is_none()
    }
}

async fn receive(
    State(state): State<ServiceState>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let answer = state.answers.lock().expect("answers").pop_front();
    let path = uri.path().to_owned();
    let _ = state.received.send(ReceivedPush { method, path, headers, body });
    let status = |code| StatusCode::from_u16(code).expect("status");
    let with_header = |code, name, value| {
        let header = (HeaderName::from_static(name), HeaderValue::from_static(value));
        (status(code), [header]).into_response()
    };
    match answer.unwrap_or(PushAnswer::Status(201)) {
        PushAnswer::Status(code) => status(code).into_response(),
        PushAnswer::RetryAfter(code, seconds) => with_header(code, "retry-after", seconds),
        PushAnswer::Redirect(address) => with_header(307, "location", address),
        PushAnswer::Never => std::future::pending().await,
    }
}

/// Browser with a subscription.
pub struct Browser {
    secret: SecretKey,
    auth: [u8; 16],
    pub endpoint: String,
}

impl Browser {
    /// Creates a browser whose endpoint at the push service is `/NUMBER`.
    pub fn new(service: &PushService, number: u8) -> Browser {
        let secret = SecretKey::from_slice(&[number; 32]).expect("scalar");
        let endpoint = format!("{}/{number}", service.origin);
        Browser { secret, auth: [number; 16], endpoint }
    }

    fn public_key(&self) -> Box<[u8]> {
        self.secret.public_key().to_sec1_bytes()
    }

    /// Returns the form that subscribes this browser.
    pub fn form(&self) -> Value {
        let (p256dh, auth) = (BASE64.encode(self.public_key()), BASE64.encode(self.auth));
        json!({ "endpoint": self.endpoint, "p256dh": p256dh, "auth": auth, "language": "en" })
    }

    /// Decrypts the body of a message (RFC 8188 and RFC 8291).
    fn decrypt(&self, body: &[u8]) -> Vec<u8> {
        let (salt, rest) = body.split_at(16);
        let (record_size, rest) = rest.split_at(4);
        let record_size = u32::from_be_bytes(record_size.try_into().expect("4 bytes"));
        let (id, record) = rest[1..].split_at(rest[0].into());
        assert!(record.len() <= record_size as usize, "one record");
        let sender = PublicKey::from_sec1_bytes(id).expect("point");
        let scalar = self.secret.to_nonzero_scalar();
        let shared = p256::ecdh::diffie_hellman(scalar, sender.as_affine());
        let expand = |salt: &[u8], secret: &[u8], info: &[u8], output: &mut [u8]| {
            let key = Hkdf::<Sha256>::new(Some(salt), secret);
            key.expand(info, output).expect("length");
        };
        let mut input = [0; 32];
        let info = [b"WebPush: info\0", &*self.public_key(), id].concat();
        expand(&self.auth, shared.raw_secret_bytes(), &info, &mut input);
        let (mut key, mut nonce) = ([0; 16], [0; 12]);
        expand(salt, &input, b"Content-Encoding: aes128gcm\0", &mut key);
        expand(salt, &input, b"Content-Encoding: nonce\0", &mut nonce);
        let cipher = Aes128Gcm::new_from_slice(&key).expect("key");
        let mut text = cipher.decrypt(&Nonce::from(nonce), record).expect("valid tag");
        let end = text.iter().rposition(|byte| *byte != 0).expect("delimiter");
        assert_eq!(text[end], 2, "delimiter of the last record");
        text.truncate(end);
        text
    }

    /// Checks that a message is for this browser, and returns its text.
    pub fn read(&self, message: &ReceivedPush) -> Value {
        assert!(self.endpoint.ends_with(&message.path), "{} {}", self.endpoint, message.path);
        assert_eq!(message.method, Method::POST);
        assert_eq!(message.header("content-encoding"), "aes128gcm");
        serde_json::from_slice(&self.decrypt(&message.body)).expect("JSON")
    }
}

/// Appendix A of RFC 8291.
#[test]
fn browser_decrypts_the_example_of_the_standard() {
    let decode = |text: &str| BASE64.decode(text).expect("base64url");
    let secret = decode("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94");
    let auth = decode("BTBZMqHH6r4Tts7J_aSIgg").try_into().expect("16 bytes");
    let secret = SecretKey::from_slice(&secret).expect("scalar");
    let body = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLoc\
                InmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLV\
                WGNWQexSgSxsj_Qulcy4a-fN";
    let text = Browser { secret, auth, endpoint: String::new() }.decrypt(&decode(body));
    assert_eq!(String::from_utf8_lossy(&text), "When I grow up, I want to be a watermelon");
}
