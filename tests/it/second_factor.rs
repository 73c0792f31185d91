//! Tests of two-step login: authenticator apps, and recovery words in place of their codes.

use crate::support::client::{Player, Server, wait_until};
use crate::support::totp::{AuthenticatorApp, code_of_step};
use serde_json::{Value, json};
use sprong::render::qr_code;

const PASSWORD: &str = "correct-horse";
const NEW: &str = "battery-staple";

const REQUIRED: (u16, &str) = (403, "secondFactorRequired");
const WRONG: (u16, &str) = (403, "badCode");

/// Asserts that a request was refused with this status and reason.
pub fn assert_refused((status, body): (u16, Value), (expected, reason): (u16, &str)) {
    assert_eq!((status, &body["reason"]), (expected, &json!(reason)), "{body}");
}

fn login_form(name: &str, code: &str) -> Value {
    json!({ "username": name, "password": PASSWORD, "code": code })
}

/// Logs in with a password and a code, in another browser.
async fn log_in(server: &Server, name: &str, code: &str) -> (u16, Value) {
    Player::anonymous(server.addr).post("/api/login", login_form(name, code)).await
}

async fn since(player: &Player) -> Value {
    player.get("/api/account/second-factor").await.1["totpSince"].clone()
}

pub async fn create_words(player: &mut Player) -> Vec<String> {
    let form = json!({ "password": PASSWORD });
    let (status, body) = player.post("/api/account/recovery", form).await;
    assert_eq!(status, 201, "{body}");
    serde_json::from_value(body["words"].clone()).expect("words")
}

pub async fn words_left(player: &Player) -> i64 {
    player.get("/api/account/recovery").await.1["wordsLeft"].as_i64().expect("number")
}

/// Lets the codes that were used be valid again.
async fn forget_used_codes(server: &Server) {
    server.database().await.run("UPDATE totp SET last_step = 0").await;
}

#[test]
fn codes_of_the_tests_are_those_of_the_rfc() {
    // RFC 6238, appendix B, without the first two of eight digits.
    for (at_s, code) in [(59, "287082"), (1_234_567_890, "005924"), (2_000_000_000, "279037")] {
        assert_eq!(code_of_step(b"12345678901234567890", at_s / 30), code);
    }
}

#[tokio::test]
async fn login_needs_a_code_after_the_confirmation() {
    let server = Server::start().await;
    let mut ann = server.player("Ann").await;
    let program = ann.api_client("challenge:read").await;
    assert_eq!(since(&ann).await, Value::Null);
    let (status, body) = ann.post("/api/account/totp", json!({ "password": PASSWORD })).await;
    assert_eq!(status, 201, "{body}");
    let secret = body["secret"].as_str().expect("secret");
    let host = server.addr.to_string().replace(':', "%3A");
    let uri = format!("otpauth://totp/Sprong:Ann@{host}?secret={secret}&issuer=Sprong");
    assert_eq!((&body["uri"], &body["qr"]), (&json!(uri), &json!(qr_code(&uri).expect("QR code"))));
    let app = AuthenticatorApp::new(secret);
    assert_eq!(app.secret().len(), 20);

    // Without the first code, the secret is not in use.
    let confirm = |code: &str| json!({ "code": code });
    let path = "/api/account/totp/confirm";
    assert_refused(ann.post(path, confirm(&app.wrong_code())).await, WRONG);
    assert_eq!(since(&ann).await, Value::Null);
    assert_eq!(log_in(&server, "Ann", "").await.0, 200);
    let (status, body) = ann.post(path, confirm(&app.code())).await;
    assert_eq!((status, &body["totpSince"]), (200, &since(&ann).await));
    assert!(body["totpSince"].as_i64().expect("a time") > 0);

    let mut stranger = Player::anonymous(server.addr);
    let credentials = json!({ "username": "Ann", "password": PASSWORD });
    let answer = stranger.post("/api/login", credentials).await;
    assert_eq!(answer.1["kinds"], json!(["totp"]));
    assert_refused(answer, REQUIRED);
    // Without the password, the answer does not tell that there is a second factor.
    let guess = json!({ "username": "Ann", "password": "a guess" });
    let (status, body) = stranger.post("/api/login", guess).await;
    assert_eq!(
        (status, body["reason"].as_str(), &body["kinds"]),
        (401, Some("badLogin"), &Value::Null)
    );
    let guess = json!({ "username": "Ann", "password": "a guess", "code": app.next_code() });
    assert_refused(stranger.post("/api/login", guess).await, (401, "badLogin"));
    assert_refused(log_in(&server, "Ann", " ").await, REQUIRED);
    for code in [app.wrong_code().as_str(), "1", "bakidofu-lemanoti", "1234567", "åäö"] {
        assert_refused(log_in(&server, "Ann", code).await, WRONG);
    }
    assert_eq!(stranger.get("/api/account").await.0, 401);

    let next = app.next_code();
    let spaced = format!(" {} {} ", &next[..3], &next[3..]);
    let (status, body) = stranger.post("/api/login", login_form("ann", &spaced)).await;
    assert_eq!((status, body), (200, json!({ "id": "ann", "username": "Ann" })));
    assert_eq!(stranger.get("/api/account").await.1["username"], "Ann");
    // The codes of the login and of the confirmation were used.
    assert_refused(log_in(&server, "Ann", &next).await, WRONG);
    forget_used_codes(&server).await;
    assert_eq!(log_in(&server, "Ann", &app.next_code()).await.0, 200);
    assert_refused(log_in(&server, "Ann", &app.code()).await, WRONG);

    assert_eq!(ann.get("/api/account").await.0, 200, "the session stays");
    assert_eq!(program.get("/api/challenge").await.0, 200, "the token stays");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn code_opens_one_of_two_sessions() {
    let server = Server::start().await;
    let mut ann = server.player("Ann").await;
    let words = create_words(&mut ann).await;
    let app = AuthenticatorApp::set_up(&mut ann, PASSWORD).await;
    for code in [app.next_code(), words[0].clone()] {
        let answers = tokio::join!(
            log_in(&server, "Ann", &code),
            log_in(&server, "Ann", &code),
            log_in(&server, "Ann", &code)
        );
        let mut statuses = [answers.0.0, answers.1.0, answers.2.0];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 403, 403], "{code}");
    }
    let (_, sessions) = ann.get("/api/account/sessions").await;
    assert_eq!(sessions["sessions"].as_array().expect("sessions").len(), 3);
    server.stop().await;
}

#[tokio::test]
async fn recovery_word_replaces_a_code_once() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let (words, bobs) = (create_words(&mut ann).await, create_words(&mut bob).await);
    AuthenticatorApp::set_up(&mut ann, PASSWORD).await;
    let typed = words[2].replace('-', " ").to_uppercase();
    assert_eq!(log_in(&server, "Ann", &typed).await.0, 200);
    assert_refused(log_in(&server, "Ann", &words[2]).await, WRONG);
    assert_refused(log_in(&server, "Ann", &bobs[0]).await, WRONG);
    assert_eq!(words_left(&ann).await, 9);
    // An account without a second factor keeps the words.
    assert_eq!(log_in(&server, "Bob", &bobs[0]).await.0, 200);
    assert_eq!(words_left(&bob).await, 10);
    server.stop().await;
}

#[tokio::test]
async fn recovery_needs_a_code_of_the_app() {
    let server = Server::start().await;
    let mut ann = server.player("Ann").await;
    let words = create_words(&mut ann).await;
    let app = AuthenticatorApp::set_up(&mut ann, PASSWORD).await;
    let form = |word: &str, code: Option<&str>| json!({ "username": "Ann", "word": word, "password": NEW, "code": code });
    let mut elsewhere = Player::anonymous(server.addr);
    assert_refused(
        elsewhere.post("/api/recover", form("bakidofu-lemanoti", None)).await,
        (401, "badRecoveryWord"),
    );
    assert_refused(elsewhere.post("/api/recover", form(&words[0], None)).await, REQUIRED);
    for code in [words[1].as_str(), words[0].as_str(), app.wrong_code().as_str()] {
        assert_refused(elsewhere.post("/api/recover", form(&words[0], Some(code))).await, WRONG);
    }
    assert_eq!(words_left(&ann).await, 10);
    let code = app.next_code();
    let answer = elsewhere.post("/api/recover", form(&words[0], Some(&code))).await;
    assert_eq!((answer.0, &answer.1["wordsLeft"]), (200, &json!(9)));
    assert_eq!(ann.get("/api/account").await.0, 401, "other sessions have ended");
    assert!(since(&elsewhere).await.is_i64(), "the second factor stays");
    // The code was used with the word.
    let answer = elsewhere.post("/api/recover", form(&words[1], Some(&code))).await;
    assert_refused(answer, WRONG);
    assert_eq!(words_left(&elsewhere).await, 9);
    server.stop().await;
}

#[tokio::test]
async fn reset_link_needs_a_code() {
    let server = Server::start().await;
    let mut ann = server.player("Ann").await;
    let words = create_words(&mut ann).await;
    let app = AuthenticatorApp::set_up(&mut ann, PASSWORD).await;
    let (is_done, text) = server.admin(&["reset-link", "ann"]);
    assert!(is_done, "{text}");
    let (_, token) = text.trim().split_once('#').expect("a token");
    let form = |code: Option<&str>| json!({ "token": token, "password": NEW, "code": code });
    let mut elsewhere = Player::anonymous(server.addr);
    assert_refused(elsewhere.post("/api/reset", form(None)).await, REQUIRED);
    assert_refused(elsewhere.post("/api/reset", form(Some(&app.wrong_code()))).await, WRONG);
    assert_eq!(words_left(&ann).await, 10);
    let answer = elsewhere.post("/api/reset", form(Some(&words[7]))).await;
    assert_eq!((answer.0, &answer.1["wordsLeft"]), (200, &json!(9)), "the others stay");
    assert!(since(&elsewhere).await.is_i64(), "the second factor stays");
    let credentials = json!({ "username": "Ann", "password": NEW });
    assert_refused(elsewhere.post("/api/login", credentials).await, REQUIRED);
    server.stop().await;
}

#[tokio::test]
async fn removal_needs_password_and_code() {
    let server = Server::start().await;
    let mut ann = server.player("Ann").await;
    let path = "/api/account/totp/remove";
    let form = |password: &str, code: &str| json!({ "password": password, "code": code });
    assert_eq!(ann.post(path, form(PASSWORD, "123456")).await.0, 404);
    assert_eq!(ann.post("/api/account/totp/confirm", json!({ "code": "123456" })).await.0, 404);
    let words = create_words(&mut ann).await;
    let app = AuthenticatorApp::set_up(&mut ann, PASSWORD).await;
    // A secret in use is not replaced.
    let again = ann.post("/api/account/totp", json!({ "password": PASSWORD })).await;
    assert_refused(again, (409, "secondFactorOn"));
    let again = ann.post("/api/account/totp/confirm", json!({ "code": app.next_code() })).await;
    assert_refused(again, (409, "secondFactorOn"));
    let code = app.next_code();
    for (password, code, refusal) in [
        ("a guess", code.as_str(), (403, "badPassword")),
        ("", &code, (403, "badPassword")),
        (PASSWORD, "", REQUIRED),
        (PASSWORD, &app.wrong_code(), WRONG),
        (PASSWORD, "bakidofu-lemanoti", WRONG),
    ] {
        assert_refused(ann.post(path, form(password, code)).await, refusal);
    }
    assert!(since(&ann).await.is_i64());
    assert_eq!(ann.post(path, form(PASSWORD, &code)).await, (200, json!({ "ok": true })));
    assert_eq!(since(&ann).await, Value::Null);
    assert_eq!(log_in(&server, "Ann", "").await.0, 200);

    // A new secret; the codes of the earlier one are wrong.
    let second = AuthenticatorApp::set_up(&mut ann, PASSWORD).await;
    assert_refused(log_in(&server, "Ann", &app.next_code()).await, WRONG);
    assert_eq!(log_in(&server, "Ann", &second.next_code()).await.0, 200);
    assert_eq!(ann.post(path, form(PASSWORD, &words[0])).await.0, 200);
    assert_eq!((since(&ann).await, words_left(&ann).await), (Value::Null, 9));
    server.stop().await;
}

#[tokio::test]
async fn secret_that_is_not_in_use_is_replaced() {
    let server = Server::start().await;
    let mut ann = server.player("Ann").await;
    let form = json!({ "password": PASSWORD });
    let mut create = async || {
        let (_, body) = ann.post("/api/account/totp", form.clone()).await;
        AuthenticatorApp::new(body["secret"].as_str().expect("secret"))
    };
    let (first, second) = (create().await, create().await);
    assert_ne!(first.secret(), second.secret());
    let confirm = |app: &AuthenticatorApp| json!({ "code": app.code() });
    let path = "/api/account/totp/confirm";
    assert_refused(ann.post(path, confirm(&first)).await, WRONG);
    assert_eq!(ann.post(path, confirm(&second)).await.0, 200);
    server.stop().await;
}

#[tokio::test]
async fn second_factor_requires_a_session_of_an_account() {
    let server = Server::start().await;
    let (mut ann, mut guest) = (server.player("Ann").await, server.guest().await);
    let mut program = ann.api_client("board:play,challenge:write").await;
    let mut nobody = Player::anonymous(server.addr);
    let app = AuthenticatorApp::set_up(&mut ann, PASSWORD).await;
    for (path, form) in [
        ("/api/account/totp", json!({ "password": PASSWORD })),
        ("/api/account/totp/confirm", json!({ "code": app.next_code() })),
        ("/api/account/totp/remove", json!({ "password": PASSWORD, "code": app.next_code() })),
    ] {
        assert_refused(guest.post(path, form.clone()).await, (403, "anonymous"));
        assert_refused(program.post(path, form.clone()).await, (403, "sessionOnly"));
        assert_refused(nobody.post(path, form).await, (401, "anonymous"));
    }
    let path = "/api/account/second-factor";
    assert_refused(guest.get(path).await, (403, "anonymous"));
    assert_refused(program.get(path).await, (403, "sessionOnly"));
    assert_refused(nobody.get(path).await, (401, "anonymous"));
    assert!(since(&ann).await.is_i64());
    let mut bob = server.player("Bob").await;
    let foreign = json!({ "password": PASSWORD, "code": app.next_code() });
    assert_eq!(bob.post("/api/account/totp/remove", foreign).await.0, 404);
    let wrong = json!({ "password": "a guess" });
    assert_refused(bob.post("/api/account/totp", wrong).await, (403, "badPassword"));
    server.stop().await;
}

#[tokio::test]
async fn invalid_fields_are_refused_with_their_names() {
    let server = Server::start().await;
    let mut ann = server.player("Ann").await;
    for (path, field) in [
        ("/api/login", "code"),
        ("/api/recover", "code"),
        ("/api/reset", "code"),
        ("/api/account/totp", "password"),
        ("/api/account/totp/confirm", "code"),
        ("/api/account/totp/remove", "password"),
        ("/api/account/totp/remove", "code"),
    ] {
        for value in [json!(123_456), json!(["123456"]), json!({ "a": 1 }), json!(true)] {
            let (status, body) = ann.post(path, json!({ field: value })).await;
            let sentence = body["error"].as_str().expect("a sentence");
            assert_eq!((status, &body["reason"]), (400, &json!("badField")), "{path} {body}");
            assert!(sentence.contains(&format!("`{field}`")), "{path} {body}");
        }
    }
    AuthenticatorApp::set_up(&mut ann, PASSWORD).await;
    for code in ["0".repeat(5000), "\0".to_owned(), "１２３４５６".to_owned()] {
        assert_refused(log_in(&server, "Ann", &code).await, WRONG);
    }
    server.stop().await;
}

#[tokio::test]
async fn guesses_at_codes_are_limited() {
    let server = Server::start_with(&["--account-login-limit", "1000"]).await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let words = create_words(&mut ann).await;
    let app = AuthenticatorApp::set_up(&mut ann, PASSWORD).await;
    let bobs = AuthenticatorApp::set_up(&mut bob, PASSWORD).await;
    for code in app.wrong_codes().take(10) {
        assert_refused(log_in(&server, "Ann", &code).await, WRONG);
    }
    assert_refused(log_in(&server, "Ann", &app.next_code()).await, (429, "tooFast"));
    assert_refused(log_in(&server, "Ann", "").await, REQUIRED);
    assert_eq!(log_in(&server, "Ann", &words[0]).await.0, 200, "words are not limited");
    assert_eq!(log_in(&server, "Bob", &bobs.next_code()).await.0, 200);
    // Codes beside a link, which only the owner has, and of the session have other limits.
    let (_, text) = server.admin(&["reset-link", "ann"]);
    let (_, token) = text.trim().split_once('#').expect("a token");
    let form = json!({ "token": token, "password": NEW, "code": app.next_code() });
    let mut elsewhere = Player::anonymous(server.addr);
    assert_eq!(elsewhere.post("/api/reset", form).await.0, 200);
    let path = "/api/account/totp/remove";
    for code in app.wrong_codes().take(9) {
        let form = json!({ "password": NEW, "code": code });
        assert_refused(elsewhere.post(path, form).await, WRONG);
    }
    let form = json!({ "password": NEW, "code": app.next_code() });
    assert_refused(elsewhere.post(path, form).await, (429, "tooFast"));
    server.stop().await;
}

#[tokio::test]
async fn guesses_at_the_password_for_an_app_are_limited() {
    let server = Server::start_with(&["--account-login-limit", "4"]).await;
    // The registration counts.
    let mut ann = server.player("Ann").await;
    let wrong = json!({ "password": "a guess" });
    assert_refused(ann.post("/api/account/totp", wrong).await, (403, "badPassword"));
    let form = json!({ "password": PASSWORD });
    assert_eq!(ann.post("/api/account/totp", form.clone()).await.0, 201);
    assert_refused(ann.post("/api/account/totp/confirm", json!({})).await, WRONG);
    let answers = [
        ann.post("/api/account/totp", form).await,
        ann.post("/api/account/totp/confirm", json!({})).await,
        ann.post("/api/account/totp/remove", json!({})).await,
    ];
    for answer in answers {
        assert_refused(answer, (429, "tooFast"));
    }
    server.stop().await;
}

/// Returns the number of secrets in the database.
async fn secrets(server: &Server) -> i64 {
    server.database().await.count("SELECT count(*) FROM totp").await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn erased_accounts_have_no_secret_closed_ones_keep_it() {
    let server = Server::start().await;
    let mut cat = server.player("Cat").await;
    let app = AuthenticatorApp::set_up(&mut cat, PASSWORD).await;
    // A closed account keeps it, because it can be reopened.
    for arguments in [&["close", "cat", "--days", "1"][..], &["close", "cat"]] {
        assert!(server.admin(arguments).0);
        assert_eq!(secrets(&server).await, 1);
        assert!(server.admin(&["reopen", "cat"]).0);
        assert_refused(log_in(&server, "Cat", "").await, REQUIRED);
    }
    assert_eq!(log_in(&server, "Cat", &app.next_code()).await.0, 200);
    let mut bob = server.player("Bob").await;
    AuthenticatorApp::set_up(&mut bob, PASSWORD).await;
    let erase = bob.post("/api/account/erase", json!({ "password": PASSWORD })).await;
    assert_eq!(erase.0, 200);
    wait_until("expected one secret", async || secrets(&server).await == 1).await;
    assert!(server.admin(&["erase", "cat"]).0);
    wait_until("expected no secret", async || secrets(&server).await == 0).await;
    server.stop().await;
}

#[tokio::test]
async fn recovery_words_need_a_code() {
    let server = Server::start().await;
    let mut ann = server.player("Ann").await;
    let words = create_words(&mut ann).await;
    let app = AuthenticatorApp::set_up(&mut ann, PASSWORD).await;
    let path = "/api/account/recovery";
    let form = |code: &str| json!({ "password": PASSWORD, "code": code });
    assert_refused(ann.post(path, json!({ "password": PASSWORD })).await, REQUIRED);
    assert_refused(ann.post(path, form(&app.wrong_code())).await, WRONG);
    let code = app.next_code();
    let (status, body) = ann.post(path, form(&code)).await;
    assert_eq!(status, 201, "{body}");
    assert_refused(ann.post(path, form(&code)).await, WRONG);
    assert_refused(ann.post(path, form(&words[0])).await, WRONG);
    let word = body["words"][0].as_str().expect("a word");
    assert_eq!(ann.post(path, form(word)).await.0, 201);
    // A new password keeps them: creating others requires the phone.
    let fields = json!({ "old": PASSWORD, "new": NEW });
    assert_eq!(ann.post("/api/account/password", fields).await.0, 200);
    assert_eq!(words_left(&ann).await, 10);
    server.stop().await;
}

#[tokio::test]
async fn unconfirmed_app_ends_with_a_new_password_and_after_an_hour() {
    let server = Server::start().await;
    let mut ann = server.player("Ann").await;
    let create = json!({ "password": PASSWORD });
    let confirm = |body: &Value| json!({ "code": AuthenticatorApp::new(body["secret"].as_str().expect("secret")).code() });
    let (_, first) = ann.post("/api/account/totp", create.clone()).await;
    server.database().await.run("UPDATE totp SET created_ms = created_ms - 3600001").await;
    assert_refused(ann.post("/api/account/totp/confirm", confirm(&first)).await, WRONG);
    let (_, second) = ann.post("/api/account/totp", create).await;
    let fields = json!({ "old": PASSWORD, "new": NEW });
    assert_eq!(ann.post("/api/account/password", fields).await.0, 200);
    assert_eq!(ann.post("/api/account/totp/confirm", confirm(&second)).await.0, 404);
    assert_eq!(since(&ann).await, Value::Null);
    server.stop().await;
}

#[tokio::test]
async fn archive_has_the_time_and_not_the_secret() {
    let server = Server::start().await;
    let mut ann = server.player("Ann").await;
    let (_, body) = ann.post("/api/account/totp", json!({ "password": PASSWORD })).await;
    let secret = body["secret"].as_str().expect("secret").to_owned();
    let archive = async |player: &Player| {
        let url = format!("http://{}/api/account/archive", server.addr);
        let cookie = player.cookie.clone().expect("a session");
        let request = reqwest::Client::new().get(url).header("cookie", cookie);
        let text = request.send().await.expect("answer").text().await.expect("text");
        let settings = text.lines().find(|line| line.contains(r#""type":"settings""#));
        let line: Value = serde_json::from_str(settings.expect("settings")).expect("JSON");
        (text.clone(), line["data"]["totpSince"].clone())
    };
    assert_eq!(archive(&ann).await.1, Value::Null);
    let code = json!({ "code": AuthenticatorApp::new(&secret).code() });
    assert_eq!(ann.post("/api/account/totp/confirm", code).await.0, 200);
    let (text, time) = archive(&ann).await;
    assert_eq!(time, since(&ann).await);
    assert!(!text.contains(&secret), "{text}");
    server.stop().await;
}

#[tokio::test]
async fn operator_removes_a_second_factor_and_it_is_logged() {
    let server = Server::start().await;
    let (mut ann, _bob) = (server.player("Ann").await, server.player("Bob").await);
    let command = |name: &str| {
        server.admin(&["remove-second-factor", name, "--by", "Mo", "--reason", "Lost phone"])
    };
    let form = json!({ "password": PASSWORD });
    assert_eq!(ann.post("/api/account/totp", form).await.0, 201);
    for (name, sentence) in
        [("ann", "Ann has no two-step login"), ("bob", "Bob has no"), ("nobody-here", "no player")]
    {
        let (is_done, text) = command(name);
        assert!(!is_done && text.contains(sentence), "{text}");
    }
    AuthenticatorApp::set_up(&mut ann, PASSWORD).await;
    assert_refused(log_in(&server, "Ann", "").await, REQUIRED);
    assert_eq!(command("ANN"), (true, "Ann: remove-second-factor\n".to_owned()));
    assert_eq!(log_in(&server, "Ann", "").await.0, 200);
    assert_eq!(since(&ann).await, Value::Null);
    let (_, log) = server.admin(&["log"]);
    assert_eq!(log.lines().count(), 1, "{log}");
    assert!(log.contains("\tremove-second-factor\tAnn\tby Mo\tLost phone"), "{log}");
    server.stop().await;
}
