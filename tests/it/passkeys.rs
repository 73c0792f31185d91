//! Tests of passkeys as second factors: registration, logins, removal and refusals.

mod refusals;
mod set_ups;

use crate::second_factor::{assert_refused, create_words, words_left};
use crate::support::client::{Player, Server, wait_until};
use crate::support::passkey::{Authenticator, SITE};
use crate::support::totp::AuthenticatorApp;
use serde_json::{Value, json};

const PASSWORD: &str = "correct-horse";
const NEW: &str = "battery-staple";
const CREATE: &str = "/api/account/passkeys";
const CONFIRM: &str = "/api/account/passkeys/confirm";

const REQUIRED: (u16, &str) = (403, "secondFactorRequired");
const WRONG: (u16, &str) = (403, "badPasskey");
const EXPIRED: (u16, &str) = (403, "expiredPasskey");
const INVALID: (u16, &str) = (400, "badField");

async fn start() -> Server {
    Server::start_with(&["--public-origin", SITE, "--account-login-limit", "1000"]).await
}

/// Logs in with a password and more fields, in another browser.
async fn log_in(server: &Server, name: &str, more: Value) -> (u16, Value) {
    let mut form = json!({ "username": name, "password": PASSWORD });
    for (key, value) in more.as_object().expect("fields") {
        form[key] = value.clone();
    }
    Player::anonymous(server.addr).post("/api/login", form).await
}

/// Returns the challenge of a refused login.
async fn request(server: &Server, name: &str) -> Value {
    let (status, body) = log_in(server, name, json!({})).await;
    assert_eq!((status, &body["reason"]), (403, &json!(REQUIRED.1)), "{body}");
    body["passkey"].clone()
}

async fn factors(player: &Player) -> Value {
    player.get("/api/account/second-factor").await.1
}

/// Returns the path that removes the only passkey.
async fn removal(player: &Player) -> String {
    let list = factors(player).await;
    format!("{CREATE}/{}/remove", list["passkeys"][0]["id"].as_str().expect("a passkey"))
}

fn form(name: &str) -> Value {
    json!({ "password": PASSWORD, "name": name })
}

#[tokio::test]
async fn login_needs_the_passkey_after_its_registration() {
    let server = start().await;
    let mut ann = server.player("Ann").await;
    let program = ann.api_client("challenge:read").await;
    assert_eq!(
        factors(&ann).await,
        json!({ "totpSince": null, "passkeys": [], "canUsePasskeys": true })
    );
    let (status, challenge) = ann.post(CREATE, form("  My phone ")).await;
    assert_eq!(status, 201, "{challenge}");
    let options = &challenge["options"];
    assert_eq!(options["rp"], json!({ "name": "Sprong", "id": "sprong.example" }));
    assert_eq!(options["user"]["name"], "Ann");
    assert_eq!(log_in(&server, "Ann", json!({})).await.0, 200, "it is not registered yet");
    let mut key = Authenticator::new(1);
    let answer = json!({ "passkey": key.create(&challenge) });
    let (status, list) = ann.post(CONFIRM, answer.clone()).await;
    assert_eq!((status, &list), (200, &factors(&ann).await));
    assert_eq!(list["passkeys"][0]["name"], "My phone");
    assert_eq!(list["passkeys"][0]["usedAt"], Value::Null);
    assert_refused(ann.post(CONFIRM, answer).await, EXPIRED);

    let (status, refusal) = log_in(&server, "Ann", json!({})).await;
    assert_eq!((status, &refusal["kinds"]), (403, &json!(["passkey"])), "{refusal}");
    let answer = json!({ "passkey": key.sign(&refusal["passkey"]) });
    let (status, body) = log_in(&server, "Ann", answer.clone()).await;
    assert_eq!((status, body), (200, json!({ "id": "ann", "username": "Ann" })));
    assert_refused(log_in(&server, "Ann", answer).await, EXPIRED);
    assert!(factors(&ann).await["passkeys"][0]["usedAt"].is_i64());
    assert_eq!(ann.get("/api/account").await.0, 200, "the session stays");
    assert_eq!(program.get("/api/challenge").await.0, 200, "the token stays");

    // Without the password, the answer does not tell that there is a passkey.
    let guess = json!({ "username": "Ann", "password": "a guess" });
    let (status, body) = Player::anonymous(server.addr).post("/api/login", guess).await;
    assert_eq!((status, &body["kinds"], &body["passkey"]), (401, &Value::Null, &Value::Null));
    server.stop().await;
}

#[tokio::test]
async fn wrong_answers_are_refused_and_use_up_the_challenge() {
    let server = start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut key = Authenticator::register(&mut ann, PASSWORD, 1).await;
    let mut bobs = Authenticator::register(&mut bob, PASSWORD, 2).await;
    let mut challenge = Value::Null;
    for change in [
        |key: &mut Authenticator| key.origin = "https://elsewhere.example".to_owned(),
        |key: &mut Authenticator| key.origin = "http://sprong.example".to_owned(),
        |key: &mut Authenticator| key.flags = 0x01,
        |key: &mut Authenticator| key.flags = 0,
    ] {
        let mut other = Authenticator::new(1);
        change(&mut other);
        challenge = request(&server, "Ann").await;
        let answer = json!({ "passkey": other.sign(&challenge) });
        assert_refused(log_in(&server, "Ann", answer).await, WRONG);
    }
    let answer = json!({ "passkey": key.sign(&challenge) });
    assert_refused(log_in(&server, "Ann", answer).await, EXPIRED);
    let (anns, other) = (request(&server, "Ann").await, request(&server, "Ann").await);
    // Another passkey, another challenge, and the challenge of another account.
    let answer = json!({ "passkey": bobs.sign(&anns) });
    assert_refused(log_in(&server, "Ann", answer).await, WRONG);
    let mixed = json!({ "challenge": other["challenge"], "options": anns["options"] });
    assert_refused(log_in(&server, "Ann", json!({ "passkey": key.sign(&mixed) })).await, WRONG);
    let challenge = request(&server, "Bob").await;
    assert_refused(
        log_in(&server, "Ann", json!({ "passkey": key.sign(&challenge) })).await,
        EXPIRED,
    );
    assert_eq!(log_in(&server, "Bob", json!({ "passkey": bobs.sign(&challenge) })).await.0, 200);
    // The challenge of a registration is none of a login.
    let mut form = form("Other");
    form["passkey"] = json!(key.sign(&request(&server, "Ann").await));
    let (_, registration) = ann.post(CREATE, form).await;
    let answer = json!({ "passkey": key.sign(&registration) });
    assert_refused(log_in(&server, "Ann", answer).await, EXPIRED);
    server.stop().await;
}

#[tokio::test]
async fn answers_are_accepted_for_five_minutes() {
    let server = start().await;
    let mut ann = server.player("Ann").await;
    let (_, challenge) = ann.post(CREATE, form("Late")).await;
    let age = async |ms: i64| {
        let sql = format!("UPDATE passkey_challenge SET created_ms = created_ms - {ms}");
        server.database().await.run(&sql).await;
    };
    age(300_001).await;
    let late = Authenticator::new(1).create(&challenge);
    assert_refused(ann.post(CONFIRM, json!({ "passkey": late })).await, EXPIRED);
    let mut key = Authenticator::register(&mut ann, PASSWORD, 1).await;
    let (early, late) = (request(&server, "Ann").await, request(&server, "Ann").await);
    age(200_000).await;
    assert_eq!(log_in(&server, "Ann", json!({ "passkey": key.sign(&early) })).await.0, 200);
    age(100_001).await;
    assert_refused(log_in(&server, "Ann", json!({ "passkey": key.sign(&late) })).await, EXPIRED);
    // Expired ones are removed with the next.
    request(&server, "Ann").await;
    let left = server.database().await.count("SELECT count(*) FROM passkey_challenge").await;
    assert_eq!(left, 1);
    server.stop().await;
}

#[tokio::test]
async fn counter_that_goes_backwards_is_refused() {
    let server = start().await;
    let mut ann = server.player("Ann").await;
    let mut key = Authenticator::register(&mut ann, PASSWORD, 1).await;
    // A counter of 0 is that of a passkey without one.
    for _ in 0..2 {
        let challenge = request(&server, "Ann").await;
        key.counter = u32::MAX;
        let answer = json!({ "passkey": key.sign(&challenge) });
        assert_eq!(log_in(&server, "Ann", answer).await.0, 200);
    }
    key.counter = 41;
    let challenge = request(&server, "Ann").await;
    assert_eq!(log_in(&server, "Ann", json!({ "passkey": key.sign(&challenge) })).await.0, 200);
    for counter in [0, 40, 41] {
        key.counter = counter;
        let challenge = request(&server, "Ann").await;
        let answer = json!({ "passkey": key.sign(&challenge) });
        assert_refused(log_in(&server, "Ann", answer).await, (403, "copiedPasskey"));
    }
    // Two challenges at a time: the counter of the first answer counts for the second.
    let (first, second) = (request(&server, "Ann").await, request(&server, "Ann").await);
    key.counter = 50;
    assert_eq!(log_in(&server, "Ann", json!({ "passkey": key.sign(&first) })).await.0, 200);
    key.counter = 50;
    let answer = json!({ "passkey": key.sign(&second) });
    assert_refused(log_in(&server, "Ann", answer).await, (403, "copiedPasskey"));
    server.stop().await;
}

#[tokio::test]
async fn registration_is_of_its_session_and_needs_a_new_key() {
    let server = start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut elsewhere = Player::anonymous(server.addr);
    let login = json!({ "username": "Ann", "password": PASSWORD });
    assert_eq!(elsewhere.post("/api/login", login).await.0, 200);
    let (_, challenge) = ann.post(CREATE, form("Phone")).await;
    let answer = json!({ "passkey": Authenticator::new(1).create(&challenge) });
    assert_refused(elsewhere.post(CONFIRM, answer.clone()).await, EXPIRED);
    assert_refused(bob.post(CONFIRM, answer.clone()).await, EXPIRED);
    assert_eq!(ann.post(CONFIRM, answer).await.0, 200);

    let (_, challenge) = bob.post(CREATE, form("Same")).await;
    let answer = json!({ "passkey": Authenticator::new(1).create(&challenge) });
    assert_refused(bob.post(CONFIRM, answer).await, (409, "knownPasskey"));
    let (_, challenge) = bob.post(CREATE, form("Foreign")).await;
    let mut other = Authenticator::new(3);
    other.origin = "https://elsewhere.example".to_owned();
    let answer = json!({ "passkey": other.create(&challenge) });
    assert_refused(bob.post(CONFIRM, answer).await, WRONG);
    let (_, challenge) = bob.post(CREATE, form("Answered for a login")).await;
    let answer = json!({ "passkey": other.sign(&challenge) });
    assert_refused(bob.post(CONFIRM, answer).await, INVALID);
    assert_eq!(factors(&bob).await["passkeys"], json!([]));
    server.stop().await;
}

#[tokio::test]
async fn an_account_has_ten_passkeys() {
    let server = start().await;
    let mut ann = server.player("Ann").await;
    let words = create_words(&mut ann).await;
    // Each one after the first needs a second factor.
    let mut key = Authenticator::register(&mut ann, PASSWORD, 1).await;
    for number in 2..=10 {
        let mut form = form(&format!("Key {number}"));
        assert_refused(ann.post(CREATE, form.clone()).await, REQUIRED);
        form["passkey"] = json!(key.sign(&request(&server, "Ann").await));
        let (status, challenge) = ann.post(CREATE, form).await;
        assert_eq!(status, 201, "{challenge}");
        let excluded = challenge["options"]["excludeCredentials"].as_array().expect("a list");
        assert_eq!(excluded.len(), usize::from(number) - 1);
        let answer = json!({ "passkey": Authenticator::new(number).create(&challenge) });
        assert_eq!(ann.post(CONFIRM, answer).await.0, 200);
    }
    let mut form = form("One too many");
    form["code"] = json!(words[0]);
    assert_refused(ann.post(CREATE, form).await, (409, "tooMany"));
    assert_eq!(words_left(&ann).await, 10, "the word is not used");
    let names: Vec<Value> = factors(&ann).await["passkeys"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|key| key["name"].clone())
        .collect();
    assert_eq!(names.len(), 10);
    assert_eq!((&names[0], &names[9]), (&json!("Key 1"), &json!("Key 10")));
    server.stop().await;
}

#[tokio::test]
async fn app_and_passkey_replace_each_other() {
    let server = start().await;
    let mut ann = server.player("Ann").await;
    let mut key = Authenticator::register(&mut ann, PASSWORD, 1).await;
    // The set-up of an app needs the passkey.
    let password = json!({ "password": PASSWORD });
    assert_refused(ann.post("/api/account/totp", password).await, REQUIRED);
    let answer = key.sign(&request(&server, "Ann").await);
    let fields = json!({ "password": PASSWORD, "passkey": answer });
    let (status, body) = ann.post("/api/account/totp", fields).await;
    assert_eq!(status, 201, "{body}");
    let app = AuthenticatorApp::new(body["secret"].as_str().expect("secret"));
    let (status, list) = ann.post("/api/account/totp/confirm", json!({ "code": app.code() })).await;
    assert_eq!((status, list["passkeys"].as_array().map(Vec::len)), (200, Some(1)));
    let (_, refusal) = log_in(&server, "Ann", json!({})).await;
    assert_eq!(refusal["kinds"], json!(["totp", "passkey"]));
    assert_eq!(log_in(&server, "Ann", json!({ "code": app.next_code() })).await.0, 200);
    let answer = key.sign(&refusal["passkey"]);
    assert_eq!(log_in(&server, "Ann", json!({ "passkey": answer })).await.0, 200);
    // The app is removed with the passkey, which stays.
    let answer = key.sign(&request(&server, "Ann").await);
    let fields = json!({ "password": PASSWORD, "passkey": answer });
    assert_eq!(ann.post("/api/account/totp/remove", fields.clone()).await.0, 200);
    assert_eq!(ann.post("/api/account/totp/remove", fields).await.0, 404);
    let (_, refusal) = log_in(&server, "Ann", json!({ "code": " " })).await;
    assert_eq!(refusal["kinds"], json!(["passkey"]));
    assert_refused(log_in(&server, "Ann", json!({ "code": "123456" })).await, (403, "badCode"));
    server.stop().await;
}

#[tokio::test]
async fn removal_needs_password_and_second_factor() {
    let server = start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let words = create_words(&mut ann).await;
    let mut key = Authenticator::register(&mut ann, PASSWORD, 1).await;
    Authenticator::register(&mut bob, PASSWORD, 2).await;
    let path = removal(&ann).await;
    let wrong = json!({ "password": "a guess", "code": words[0] });
    assert_refused(ann.post(&path, wrong).await, (403, "badPassword"));
    assert_refused(ann.post(&path, json!({})).await, (403, "badPassword"));
    let (status, refusal) = ann.post(&path, json!({ "password": PASSWORD })).await;
    assert_eq!((status, &refusal["kinds"]), (403, &json!(["passkey"])));
    let right = json!({ "password": PASSWORD, "code": words[0] });
    assert_eq!(ann.post(&removal(&bob).await, right.clone()).await.0, 404, "of another account");
    assert_eq!(ann.post(&format!("{CREATE}/none/remove"), right).await.0, 404);
    assert_eq!(words_left(&ann).await, 10);
    let fields = json!({ "password": PASSWORD, "passkey": key.sign(&refusal["passkey"]) });
    assert_eq!(ann.post(&path, fields).await, (200, json!({ "ok": true })));
    assert_eq!(factors(&ann).await["passkeys"], json!([]));
    assert_eq!(log_in(&server, "Ann", json!({})).await.0, 200);

    // A word replaces a lost key; one that was removed after the challenge is refused.
    let mut second = Authenticator::register(&mut ann, PASSWORD, 3).await;
    let challenge = request(&server, "Ann").await;
    let path = removal(&ann).await;
    assert_eq!(ann.post(&path, json!({ "password": PASSWORD, "code": words[0] })).await.0, 200);
    Authenticator::register(&mut ann, PASSWORD, 4).await;
    let answer = json!({ "passkey": second.sign(&challenge) });
    assert_refused(log_in(&server, "Ann", answer).await, WRONG);
    server.stop().await;
}

#[tokio::test]
async fn recovery_and_reset_need_the_passkey() {
    let server = start().await;
    let mut ann = server.player("Ann").await;
    let words = create_words(&mut ann).await;
    let mut key = Authenticator::register(&mut ann, PASSWORD, 1).await;
    assert_refused(
        ann.post("/api/account/recovery", json!({ "password": PASSWORD })).await,
        REQUIRED,
    );
    let form = |word: &str| json!({ "username": "Ann", "word": word, "password": NEW });
    let mut elsewhere = Player::anonymous(server.addr);
    let (status, refusal) = elsewhere.post("/api/recover", form(&words[0])).await;
    assert_eq!((status, &refusal["kinds"]), (403, &json!(["passkey"])), "{refusal}");
    let mut with_word = form(&words[0]);
    with_word["code"] = json!(words[1]);
    assert_refused(elsewhere.post("/api/recover", with_word).await, (403, "badCode"));
    let mut with_key = form(&words[0]);
    with_key["passkey"] = json!(key.sign(&refusal["passkey"]));
    let (status, body) = elsewhere.post("/api/recover", with_key).await;
    assert_eq!((status, &body["wordsLeft"]), (200, &json!(9)), "{body}");
    assert_eq!(factors(&elsewhere).await["passkeys"].as_array().map(Vec::len), Some(1));

    let (is_done, text) = server.admin(&["reset-link", "ann"]);
    assert!(is_done, "{text}");
    let (_, token) = text.trim().split_once('#').expect("a token");
    let form = json!({ "token": token, "password": PASSWORD });
    let (status, refusal) = elsewhere.post("/api/reset", form.clone()).await;
    assert_eq!(status, 403, "{refusal}");
    let mut with_key = form;
    with_key["passkey"] = json!(key.sign(&refusal["passkey"]));
    assert_eq!(elsewhere.post("/api/reset", with_key).await.0, 200);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn erasure_and_operator_remove_passkeys() {
    let server = start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    Authenticator::register(&mut ann, PASSWORD, 1).await;
    Authenticator::register(&mut bob, PASSWORD, 2).await;
    request(&server, "Ann").await;
    request(&server, "Bob").await;
    let counts = async || {
        let database = server.database().await;
        let keys = database.count("SELECT count(*) FROM passkey").await;
        (keys, database.count("SELECT count(*) FROM passkey_challenge").await)
    };
    assert_eq!(
        server.admin(&["remove-second-factor", "ann"]),
        (true, "Ann: remove-second-factor\n".to_owned())
    );
    assert_eq!(log_in(&server, "Ann", json!({})).await.0, 200);
    assert_eq!(counts().await, (1, 1));
    let erase = bob.post("/api/account/erase", json!({ "password": PASSWORD })).await;
    assert_eq!(erase.0, 200);
    wait_until("expected no passkey", async || counts().await == (0, 0)).await;
    server.stop().await;
}

#[tokio::test]
async fn archive_has_names_and_times_but_no_keys() {
    let server = start().await;
    let mut ann = server.player("Ann").await;
    Authenticator::register(&mut ann, PASSWORD, 1).await;
    let url = format!("http://{}/api/account/archive", server.addr);
    let cookie = ann.cookie.clone().expect("a session");
    let request = reqwest::Client::new().get(url).header("cookie", cookie);
    let text = request.send().await.expect("answer").text().await.expect("text");
    let line = text.lines().find(|line| line.contains(r#""type":"settings""#)).expect("settings");
    let settings: Value = serde_json::from_str(line).expect("JSON");
    assert_eq!(settings["data"]["passkeys"], factors(&ann).await["passkeys"]);
    assert!(!text.contains("credential") && !text.contains("counter"), "{text}");
    server.stop().await;
}
