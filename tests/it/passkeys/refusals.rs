//! Tests of invalid requests about passkeys, and of limits.

use super::{
    CONFIRM, CREATE, INVALID, PASSWORD, WRONG, factors, form, log_in, removal, request, start,
};
use crate::second_factor::{assert_refused, create_words};
use crate::support::client::{Player, Server};
use crate::support::passkey::Authenticator;
use crate::support::totp::AuthenticatorApp;
use serde_json::{Value, json};

/// Returns an answer of a passkey of which a field has only so many characters.
fn shortened(answer: &str, field: &str, length: usize) -> String {
    let mut answer: Value = serde_json::from_str(answer).expect("JSON");
    let part = &mut answer["credential"]["response"][field];
    *part = json!(&part.as_str().expect("a text")[..length]);
    answer.to_string()
}

#[tokio::test]
async fn invalid_passkey_fields_are_refused() {
    let server = start().await;
    let mut ann = server.player("Ann").await;
    let long = "å".repeat(41);
    for name in ["", "  ", "\u{200b}", &long] {
        assert_refused(ann.post(CREATE, form(name)).await, INVALID);
    }
    assert_refused(ann.post(CREATE, json!({ "name": "Phone" })).await, (403, "badPassword"));
    assert_eq!(ann.post(CREATE, form(&"å".repeat(40))).await.0, 201);
    for value in [json!(7), json!(["x"]), json!({ "challenge": "x" }), json!(true)] {
        for path in [CONFIRM, "/api/login", "/api/recover", "/api/reset"] {
            let (status, body) = ann.post(path, json!({ "passkey": value })).await;
            assert_eq!((status, &body["reason"]), (400, &json!("badField")), "{path} {body}");
            let sentence = body["error"].as_str().expect("a sentence");
            assert!(sentence.contains("`passkey`"), "{path} {body}");
        }
    }
    let mut key = Authenticator::new(1);
    let (_, challenge) = ann.post(CREATE, form("Phone")).await;
    let whole = key.create(&challenge);
    for text in ["{}", "null", "[]", "\0", "{\"challenge\":7,\"credential\":{}}", ""] {
        assert_refused(ann.post(CONFIRM, json!({ "passkey": text })).await, INVALID);
    }
    let deep = format!("{{\"challenge\":\"x\",\"credential\":{}}}", "[".repeat(9000));
    assert_refused(ann.post(CONFIRM, json!({ "passkey": deep })).await, INVALID);
    for length in [0, 4, 40, 80, 160, 200] {
        let (_, challenge) = ann.post(CREATE, form("Damaged")).await;
        let answer = shortened(&key.create(&challenge), "attestationObject", length);
        assert_refused(ann.post(CONFIRM, json!({ "passkey": answer })).await, WRONG);
    }
    assert_eq!(ann.post(CONFIRM, json!({ "passkey": whole })).await.0, 200);
    for field in ["clientDataJSON", "authenticatorData", "signature"] {
        for length in [0, 32] {
            let answer = key.sign(&request(&server, "Ann").await);
            let answer = json!({ "passkey": shortened(&answer, field, length) });
            assert_refused(log_in(&server, "Ann", answer).await, WRONG);
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn passkeys_require_a_session_of_an_account() {
    let server = start().await;
    let (mut ann, mut guest) = (server.player("Ann").await, server.guest().await);
    let mut program = ann.api_client("board:play,challenge:write").await;
    let mut nobody = Player::anonymous(server.addr);
    Authenticator::register(&mut ann, PASSWORD, 1).await;
    for path in [CREATE, CONFIRM, &removal(&ann).await] {
        let fields = form("Phone");
        assert_refused(guest.post(path, fields.clone()).await, (403, "anonymous"));
        assert_refused(program.post(path, fields.clone()).await, (403, "sessionOnly"));
        assert_refused(nobody.post(path, fields).await, (401, "anonymous"));
    }
    server.stop().await;
}

#[tokio::test]
async fn passkeys_are_refused_at_an_ip_address() {
    let server = Server::start().await;
    let mut ann = server.player("Ann").await;
    assert_eq!(factors(&ann).await["canUsePasskeys"], false);
    assert_refused(ann.post(CREATE, form("Phone")).await, (400, "noPasskeys"));
    let answer = json!({ "passkey": "{\"challenge\":\"x\",\"credential\":{}}" });
    assert_refused(ann.post(CONFIRM, answer.clone()).await, (400, "noPasskeys"));
    server.stop().await;

    // One that was registered at the name of the site cannot be used; a word can.
    let server = start().await;
    let mut ann = server.player("Ann").await;
    let words = create_words(&mut ann).await;
    Authenticator::register(&mut ann, PASSWORD, 1).await;
    let server = Server::open(server.stop().await, &[]).await;
    let (status, refusal) = log_in(&server, "Ann", json!({})).await;
    assert_eq!((status, &refusal["kinds"]), (403, &json!(["passkey"])), "{refusal}");
    assert_eq!(refusal["passkey"], Value::Null);
    assert_refused(log_in(&server, "Ann", answer).await, (400, "noPasskeys"));
    assert_eq!(log_in(&server, "Ann", json!({ "code": words[0] })).await.0, 200);
    server.stop().await;
}

#[tokio::test]
async fn wrong_answers_do_not_use_up_the_limit_of_codes() {
    let server = start().await;
    let mut ann = server.player("Ann").await;
    let app = AuthenticatorApp::set_up(&mut ann, PASSWORD).await;
    let mut form = form("Phone");
    form["code"] = json!(app.next_code());
    let (_, challenge) = ann.post(CREATE, form).await;
    let mut key = Authenticator::new(1);
    let answer = json!({ "passkey": key.create(&challenge) });
    assert_eq!(ann.post(CONFIRM, answer).await.0, 200);
    for _ in 0..11 {
        assert_refused(log_in(&server, "Ann", json!({ "passkey": "x" })).await, INVALID);
    }
    for _ in 0..11 {
        let answer = json!({ "passkey": key.sign(&request(&server, "Ann").await) });
        assert_eq!(log_in(&server, "Ann", answer).await.0, 200);
    }
    server.database().await.run("UPDATE totp SET last_step = 0").await;
    assert_eq!(log_in(&server, "Ann", json!({ "code": app.next_code() })).await.0, 200);
    server.stop().await;
}
