//! Tests of set-ups of several second factors, of simultaneous requests, and of passkeys that
//! cannot be used.

use super::{
    CONFIRM, CREATE, EXPIRED, NEW, PASSWORD, REQUIRED, WRONG, factors, form, log_in, removal,
    request, start,
};
use crate::second_factor::{assert_refused, create_words, words_left};
use crate::support::client::{Player, Server};
use crate::support::passkey::Authenticator;
use crate::support::totp::AuthenticatorApp;
use serde_json::{Value, json};

const APP: &str = "/api/account/totp";
const CONFIRM_APP: &str = "/api/account/totp/confirm";

/// Domain of the site after a move.
const MOVED: &str = "moved.example";

fn app(body: &Value) -> AuthenticatorApp {
    AuthenticatorApp::new(body["secret"].as_str().expect("secret"))
}

fn password() -> Value {
    json!({ "password": PASSWORD })
}

/// Logs in with the password in another browser.
async fn second_browser(server: &Server, name: &str) -> Player {
    let mut player = Player::anonymous(server.addr);
    let form = json!({ "username": name, "password": PASSWORD });
    assert_eq!(player.post("/api/login", form).await.0, 200);
    player
}

/// Adds a passkey to an account, with a recovery word as the second factor.
async fn add(player: &mut Player, word: &str, key: &mut Authenticator, name: &str) {
    let mut form = form(name);
    form["code"] = json!(word);
    let (status, challenge) = player.post(CREATE, form).await;
    assert_eq!(status, 201, "{challenge}");
    let answer = json!({ "passkey": key.create(&challenge) });
    assert_eq!(player.post(CONFIRM, answer).await.0, 200);
}

/// Returns the sorted statuses of two answers.
fn statuses(answers: &((u16, Value), (u16, Value))) -> [u16; 2] {
    let mut statuses = [answers.0.0, answers.1.0];
    statuses.sort_unstable();
    statuses
}

/// Returns the reason of the one of two answers that has this status.
fn reason(answers: ((u16, Value), (u16, Value)), status: u16) -> Value {
    let (first, second) = answers;
    let body = if first.0 == status { first.1 } else { second.1 };
    body["reason"].clone()
}

#[tokio::test]
async fn set_up_of_an_app_ends_with_a_new_passkey() {
    let server = start().await;
    let mut ann = server.player("Ann").await;
    let (_, secret) = ann.post(APP, password()).await;
    Authenticator::register(&mut ann, PASSWORD, 1).await;
    let code = json!({ "code": app(&secret).code() });
    assert_eq!(ann.post(CONFIRM_APP, code).await.0, 404);
    assert_eq!(factors(&ann).await["totpSince"], Value::Null);
    assert_refused(ann.post(APP, password()).await, REQUIRED);
    server.stop().await;
}

#[tokio::test]
async fn registrations_end_with_another_second_factor() {
    let server = start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut elsewhere = second_browser(&server, "Ann").await;
    let (_, first) = ann.post(CREATE, form("First")).await;
    let (_, second) = elsewhere.post(CREATE, form("Second")).await;
    let (_, bobs) = bob.post(CREATE, form("Bob's")).await;
    AuthenticatorApp::set_up(&mut ann, PASSWORD).await;
    for (player, challenge) in [(&mut ann, &first), (&mut elsewhere, &second)] {
        let answer = json!({ "passkey": Authenticator::new(1).create(challenge) });
        assert_refused(player.post(CONFIRM, answer).await, EXPIRED);
    }
    assert_eq!(factors(&ann).await["passkeys"], json!([]));

    let (_, other) = bob.post(CREATE, form("Other")).await;
    let answer = json!({ "passkey": Authenticator::new(2).create(&bobs) });
    assert_eq!(bob.post(CONFIRM, answer).await.0, 200);
    let answer = json!({ "passkey": Authenticator::new(3).create(&other) });
    assert_refused(bob.post(CONFIRM, answer).await, EXPIRED);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_two_simultaneous_set_ups_is_finished() {
    let server = start().await;
    let mut ann = server.player("Ann").await;
    let mut elsewhere = second_browser(&server, "Ann").await;
    let (_, secret) = ann.post(APP, password()).await;
    let (_, challenge) = elsewhere.post(CREATE, form("Phone")).await;
    let code = json!({ "code": app(&secret).code() });
    let answer = json!({ "passkey": Authenticator::new(1).create(&challenge) });
    let (by_app, by_key) =
        tokio::join!(ann.post(CONFIRM_APP, code), elsewhere.post(CONFIRM, answer));
    let list = factors(&ann).await;
    let has_app = list["totpSince"].is_i64();
    assert_eq!(list["passkeys"].as_array().map(Vec::len), Some(usize::from(!has_app)));
    assert_eq!((by_app.0 == 200, by_key.0 == 200), (has_app, !has_app), "{by_app:?} {by_key:?}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_answer_that_is_sent_twice_logs_in_once() {
    let server = start().await;
    let mut ann = server.player("Ann").await;
    let mut key = Authenticator::register(&mut ann, PASSWORD, 1).await;
    let answer = json!({ "passkey": key.sign(&request(&server, "Ann").await) });
    let answers =
        tokio::join!(log_in(&server, "Ann", answer.clone()), log_in(&server, "Ann", answer));
    assert_eq!(statuses(&answers), [200, 403]);
    assert_eq!(reason(answers, 403), json!(EXPIRED.1));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn refused_changes_use_up_no_word() {
    let server = start().await;
    let mut ann = server.player("Ann").await;
    let mut elsewhere = second_browser(&server, "Ann").await;
    let words = create_words(&mut ann).await;
    Authenticator::register(&mut ann, PASSWORD, 1).await;
    let with = |word: usize| json!({ "password": PASSWORD, "code": words[word] });
    let answers = tokio::join!(ann.post(APP, with(0)), elsewhere.post(APP, with(0)));
    assert_eq!(statuses(&answers), [201, 403]);
    assert_eq!(reason(answers, 403), json!("badCode"));
    assert_eq!(words_left(&ann).await, 9);
    let path = removal(&ann).await;
    let answers = tokio::join!(ann.post(&path, with(1)), elsewhere.post(&path, with(2)));
    assert_eq!(statuses(&answers), [200, 404]);
    assert_eq!(words_left(&ann).await, 8);

    AuthenticatorApp::set_up(&mut ann, PASSWORD).await;
    let path = "/api/account/totp/remove";
    let answers = tokio::join!(ann.post(path, with(3)), elsewhere.post(path, with(4)));
    assert_eq!(statuses(&answers), [200, 404]);
    assert_eq!(words_left(&ann).await, 7);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn recovery_names_the_passkey_that_it_refuses() {
    let server = start().await;
    let mut ann = server.player("Ann").await;
    let words = create_words(&mut ann).await;
    let mut key = Authenticator::register(&mut ann, PASSWORD, 1).await;
    let (first, second) = (request(&server, "Ann").await, request(&server, "Ann").await);
    let mut form = |word: &str, challenge: &Value| {
        // The same counter in both answers.
        key.counter = 50;
        let answer = key.sign(challenge);
        json!({ "username": "Ann", "word": word, "password": NEW, "passkey": answer })
    };
    let (first, second) = (form(&words[0], &first), form(&words[1], &second));
    let (mut one, mut other) = (Player::anonymous(server.addr), Player::anonymous(server.addr));
    let answers = tokio::join!(one.post("/api/recover", first), other.post("/api/recover", second));
    assert_eq!(statuses(&answers), [200, 403]);
    let reason = reason(answers, 403);
    assert!([json!("badPasskey"), json!("copiedPasskey")].contains(&reason), "{reason}");
    server.stop().await;
}

#[tokio::test]
async fn passkeys_of_an_earlier_domain_are_not_offered() {
    let server = start().await;
    let mut ann = server.player("Ann").await;
    let words = create_words(&mut ann).await;
    let mut old = Authenticator::register(&mut ann, PASSWORD, 1).await;
    let origin = format!("https://{MOVED}");
    let server = Server::open(server.stop().await, &["--public-origin", &origin]).await;
    let (status, refusal) = log_in(&server, "Ann", json!({})).await;
    assert_eq!((status, &refusal["kinds"]), (403, &json!(["passkey"])), "{refusal}");
    assert_eq!(refusal["passkey"], Value::Null);

    let mut elsewhere = Player::anonymous(server.addr);
    let login = json!({ "username": "Ann", "password": PASSWORD, "code": words[0] });
    assert_eq!(elsewhere.post("/api/login", login).await.0, 200);
    let mut new = Authenticator::new(2);
    (new.origin, new.domain) = (origin.clone(), MOVED.to_owned());
    add(&mut elsewhere, &words[1], &mut new, "After the move").await;
    let challenge = request(&server, "Ann").await;
    let offered = challenge["options"]["allowCredentials"].as_array().map(Vec::len);
    assert_eq!(offered, Some(1), "{challenge}");
    (old.origin, old.domain) = (origin, MOVED.to_owned());
    let answer = json!({ "passkey": old.sign(&challenge) });
    assert_refused(log_in(&server, "Ann", answer).await, WRONG);
    let answer = json!({ "passkey": new.sign(&request(&server, "Ann").await) });
    assert_eq!(log_in(&server, "Ann", answer).await.0, 200);
    server.stop().await;
}

#[tokio::test]
async fn unreadable_passkey_does_not_block_the_login() {
    let server = start().await;
    let mut ann = server.player("Ann").await;
    let words = create_words(&mut ann).await;
    Authenticator::register(&mut ann, PASSWORD, 1).await;
    let mut second = Authenticator::new(2);
    add(&mut ann, &words[0], &mut second, "Second").await;
    let damage = "UPDATE passkey SET credential = '{' WHERE name = 'Key 1'";
    server.database().await.run(damage).await;
    let answer = json!({ "passkey": second.sign(&request(&server, "Ann").await) });
    assert_eq!(log_in(&server, "Ann", answer).await.0, 200);
    server.database().await.run("UPDATE passkey SET credential = '{'").await;
    let (status, refusal) = log_in(&server, "Ann", json!({})).await;
    assert_eq!((status, &refusal["kinds"]), (403, &json!(["passkey"])), "{refusal}");
    assert_eq!(refusal["passkey"], Value::Null);
    assert_eq!(log_in(&server, "Ann", json!({ "code": words[1] })).await.0, 200);
    server.stop().await;
}
