//! E-mail over a real mail server: confirmation of addresses, reset links, digests, one-click
//! unsubscription, and failures of the mail server.

use crate::support::client::{Player, Server, refused};
use crate::support::mail_server::{MailServer, ReceivedMail};
use crate::support::store_fixtures::{add_email, close_account, register_account};
use crate::support::totp::AuthenticatorApp;
use reqwest::Method;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use sprong::rooms::now_ms;
use sprong::store::{AccountKey, LimitedAction, ModAction, Moderator, Store};
use std::process::Command;
use tempfile::TempDir;

const ORIGIN: &str = "https://sprong.example";
const PASSWORD: &str = "correct-horse";
const NEW: &str = "battery-staple";
const HOUR_MS: i64 = 3_600_000;

/// Returns the arguments of a server that uses a mail server.
fn arguments(url: &str) -> [&str; 8] {
    let from = "Sprong <no-reply@sprong.example>";
    let origin = ["--public-origin", ORIGIN, "--account-login-limit", "1000"];
    ["--smtp", url, "--mail-from", from, origin[0], origin[1], origin[2], origin[3]]
}

async fn start_with(mail: &MailServer, more: &[&str]) -> Server {
    Server::start_with(&[&arguments(&mail.url())[..], more].concat()).await
}

/// Starts a mail server, and a server that uses it.
async fn start(arguments: &[&str]) -> (Server, MailServer) {
    let mail = MailServer::start().await;
    (start_with(&mail, arguments).await, mail)
}

async fn set_address(player: &mut Player, address: &str) -> (u16, Value) {
    let fields = json!({ "password": PASSWORD, "address": address });
    player.post("/api/account/email", fields).await
}

async fn settings(player: &Player) -> Value {
    player.get("/api/account/email").await.1
}

/// Returns the token of a message that confirms an address.
fn confirmation(mail: &ReceivedMail) -> String {
    mail.token(&format!("{ORIGIN}/confirm-email#"))
}

async fn confirm(player: &mut Player, token: &str) -> (u16, Value) {
    player.post("/api/email/confirm", json!({ "token": token })).await
}

/// Gives an account a confirmed address.
async fn add_address(mail: &mut MailServer, player: &mut Player, address: &str) {
    assert_eq!(set_address(player, address).await, (200, json!({ "ok": true })));
    let token = confirmation(&mail.next().await);
    assert_eq!(confirm(player, &token).await.0, 200);
}

async fn log_in(server: &Server, name: &str, password: &str) -> u16 {
    let credentials = json!({ "username": name, "password": password });
    Player::anonymous(server.addr).post("/api/login", credentials).await.0
}

async fn forget(server: &Server, user: &str) {
    let answer = Player::anonymous(server.addr).post("/api/forgot", json!({ "user": user })).await;
    assert_eq!(answer, (200, json!({ "ok": true })), "{user}");
}

#[tokio::test]
async fn address_is_confirmed_by_the_link_once() {
    let (server, mut mail) = start(&[]).await;
    let mut ann = server.player("Ann").await;
    let none = json!({ "enabled": true, "address": null, "pending": null, "digest": false });
    assert_eq!(settings(&ann).await, none);
    assert_eq!(set_address(&mut ann, " Ann@Mail.example ").await.0, 200);
    let received = mail.next().await;
    assert_eq!(received.header("subject"), "Confirm your e-mail address");
    assert_eq!(received.header("from"), "Sprong <no-reply@sprong.example>");
    assert_eq!(received.header("to"), "Ann@Mail.example");
    assert_eq!(received.header("auto-submitted"), "auto-generated");
    assert_eq!(received.header("list-unsubscribe"), "", "nothing was subscribed to");
    assert!(received.header("message-id").ends_with("@sprong.example>"), "{received:?}");
    assert_eq!(received.header("mime-version"), "1.0");
    assert!(!received.header("date").is_empty());
    assert!(received.body.starts_with("Hello,\n\nThis address was given for the account Ann on"));
    let pending = json!({ "pending": "Ann@Mail.example" });
    assert_eq!(settings(&ann).await["pending"], pending["pending"]);
    let token = confirmation(&received);
    let unconfirmed = ann.post("/api/account/email/digest", json!({ "digest": true })).await;
    assert_eq!(refused(unconfirmed), (409, json!("unconfirmedEmail")));

    let confirmed = json!({ "username": "Ann", "address": "Ann@Mail.example" });
    let (mut bob, mut guest) = (server.player("Bob").await, server.guest().await);
    let mut anyone = Player::anonymous(server.addr);
    assert_eq!(refused(confirm(&mut bob, &token).await), (401, json!("badEmailLink")));
    assert_eq!(refused(confirm(&mut guest, &token).await), (403, json!("anonymous")));
    assert_eq!(refused(confirm(&mut anyone, &token).await), (401, json!("anonymous")));
    assert_eq!(confirm(&mut ann, &token).await, (200, confirmed));
    assert_eq!(refused(confirm(&mut ann, &token).await), (401, json!("badEmailLink")));
    let server = Server::open(server.stop().await, &arguments(&mail.url())).await;
    let ann = Player { addr: server.addr, ..ann };
    let state = settings(&ann).await;
    assert_eq!((&state["address"], &state["pending"]), (&json!("Ann@Mail.example"), &Value::Null));
    let (_, profile) = Player::anonymous(server.addr).get("/api/user/Ann").await;
    assert!(!profile.to_string().to_lowercase().contains("mail.example"), "{profile}");
    server.stop().await;
}

#[tokio::test]
async fn new_address_replaces_the_old_one_when_confirmed() {
    let (server, mut mail) = start(&[]).await;
    let mut ann = server.player("Ann").await;
    add_address(&mut mail, &mut ann, "old@mail.example").await;
    assert_eq!(set_address(&mut ann, "first@mail.example").await.0, 200);
    let first = confirmation(&mail.next().await);
    assert_eq!(set_address(&mut ann, "new@mail.example").await.0, 200);
    let token = confirmation(&mail.next().await);
    assert_eq!(settings(&ann).await["address"], "old@mail.example");
    assert_eq!(refused(confirm(&mut ann, &first).await), (401, json!("badEmailLink")), "replaced");
    forget(&server, "Ann").await;
    let link = mail.next().await;
    assert_eq!(link.header("to"), "old@mail.example");
    assert_eq!(confirm(&mut ann, &token).await.0, 200);
    let notice = mail.next().await;
    assert_eq!(notice.header("to"), "old@mail.example");
    assert_eq!(notice.header("subject"), "The e-mail address of Ann was changed");
    forget(&server, "old@mail.example").await;
    forget(&server, "NEW@mail.example").await;
    assert_eq!(mail.next().await.header("to"), "new@mail.example");
    let token = link.token(&format!("{ORIGIN}/reset#"));
    let answer = ann.post("/api/reset", json!({ "token": token, "password": NEW })).await;
    assert_eq!(refused(answer), (401, json!("badResetLink")), "of the earlier address");
    server.stop().await;
}

#[tokio::test]
async fn forgotten_password_is_replaced_by_a_link() {
    let (server, mut mail) = start(&[]).await;
    let mut ann = server.player("Ann").await;
    let (_, ways) = Player::anonymous(server.addr).get("/api/recover").await;
    assert_eq!(ways, json!({ "words": true, "email": true }));
    add_address(&mut mail, &mut ann, "ann@mail.example").await;
    let mut bob = server.player("Bob").await;
    assert_eq!(set_address(&mut bob, "bob@mail.example").await.0, 200);
    mail.next().await;
    // None of these has a confirmed address.
    for user in ["Bob", "bob@mail.example", "Nobody", "", "a@b@c", &"x".repeat(5000)] {
        forget(&server, user).await;
    }
    // The host of a request does not get into the link.
    let evil = |builder: reqwest::RequestBuilder| {
        let json = json!({ "user": " ann@MAIL.example " });
        builder.header("host", "evil.example").json(&json)
    };
    let mut stranger = Player::anonymous(server.addr);
    assert_eq!(stranger.send(evil, Method::POST, "/api/forgot").await.0, 200);
    let received = mail.next().await;
    assert_eq!(received.header("subject"), "A new password for Ann");
    assert_eq!(received.header("to"), "ann@mail.example");
    assert!(!received.body.contains("evil"), "{}", received.body);
    let token = received.token(&format!("{ORIGIN}/reset#"));
    // Another request follows too early, and does not end the link.
    forget(&server, "ANN").await;

    let reset = json!({ "token": token, "password": NEW });
    let (status, body) = stranger.post("/api/reset", reset.clone()).await;
    assert_eq!((status, &body["username"]), (200, &json!("Ann")));
    assert_eq!(body["email"], "ann@mail.example");
    assert_eq!(mail.next().await.header("subject"), "Ann has a new password");
    let again = stranger.post("/api/reset", reset).await;
    assert_eq!(refused(again), (401, json!("badResetLink")), "used");
    assert_eq!(ann.get("/api/account").await.0, 401, "other sessions have ended");
    assert_eq!(log_in(&server, "Ann", PASSWORD).await, 401);
    assert_eq!(log_in(&server, "Ann", NEW).await, 200);
    assert!(mail.is_empty());
    server.stop().await;
}

#[tokio::test]
async fn address_of_several_accounts_gets_a_link_for_each() {
    let (server, mut mail) = start(&[]).await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    add_address(&mut mail, &mut ann, "both@mail.example").await;
    add_address(&mut mail, &mut bob, "Both@mail.example").await;
    forget(&server, "both@mail.example").await;
    let mut subjects: Vec<String> = mail.next_several(2).await.iter().map(subject).collect();
    subjects.sort();
    assert_eq!(subjects, ["A new password for Ann", "A new password for Bob"]);
    server.stop().await;
}

fn subject(mail: &ReceivedMail) -> String {
    mail.header("subject").to_owned()
}

#[tokio::test]
async fn absent_player_gets_a_digest_and_can_stop_it() {
    let (server, mut mail) = start(&["--digest-delay-ms", "200"]).await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut cat = server.player("Cat").await;
    add_address(&mut mail, &mut bob, "bob@mail.example").await;
    add_address(&mut mail, &mut cat, "cat@mail.example").await;
    let hogga = ann.start_game(&mut bob, "hogga", json!({ "days": 3 })).await;
    ann.play_first_legal(&hogga).await;
    let kopf = ann.start_game(&mut cat, "kopfOderKnopf", json!({ "days": 1 })).await;
    let more = ann.start_game(&mut cat, "hogga", json!({ "days": 7 })).await;
    ann.play_first_legal(&kopf).await;
    ann.play_first_legal(&more).await;
    // Bob is there, and is looked at before Cat.
    let socket = bob.socket_from("/ws/me", Some(ORIGIN)).await;
    let mut own_socket = socket.expect("a socket");
    own_socket.until("hello").await;
    for player in [&mut bob, &mut cat] {
        let answer = player.post("/api/account/email/digest", json!({ "digest": true })).await;
        assert_eq!(answer, (200, json!({ "ok": true })));
    }
    let digest = mail.next().await;
    assert_eq!(digest.header("to"), "cat@mail.example");
    assert_eq!(digest.header("subject"), "2 games wait for you");
    let lines: Vec<&str> = digest.body.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(lines[2], "Kopf oder Knopf against Ann. 23 h 59 min left.");
    assert_eq!(lines[3], format!("{ORIGIN}/{kopf}"));
    assert_eq!(lines[4], "Hogga against Ann. 6 d 23 h left.");
    assert_eq!(lines[5], format!("{ORIGIN}/{more}"));
    drop(own_socket);
    let digest_of_bob = mail.next().await;
    assert_eq!(digest_of_bob.header("to"), "bob@mail.example");
    assert_eq!(digest_of_bob.header("subject"), "One game waits for you");

    // The request of a mail program has no cookie, and a form as its body.
    let url = digest.header("list-unsubscribe").trim_matches(['<', '>']).to_owned();
    assert_eq!(digest.header("list-unsubscribe-post"), "List-Unsubscribe=One-Click");
    let path = url.strip_prefix(ORIGIN).expect("the public origin");
    let form = |builder: reqwest::RequestBuilder| {
        builder
            .header("content-type", "application/x-www-form-urlencoded")
            .body("List-Unsubscribe=One-Click")
    };
    let mut program = Player::anonymous(server.addr);
    assert_eq!(program.send(form, Method::POST, path).await, (200, json!({ "ok": true })));
    assert_eq!(settings(&cat).await["digest"], false);
    assert_eq!(settings(&bob).await["digest"], true);
    let (_, token) = path.split_once("token=").expect("a token");
    let own = digest_of_bob.header("list-unsubscribe").trim_end_matches('>');
    assert_ne!(own.split_once("token=").expect("a token").1, token);
    for path in ["/unsubscribe", "/unsubscribe?token=", "/unsubscribe?token=nothing"] {
        let answer = program.send(form, Method::POST, path).await;
        assert_eq!(answer, (200, json!({ "ok": true })), "{path}");
    }
    assert_eq!(settings(&bob).await["digest"], true);
    server.stop().await;
}

#[tokio::test]
async fn page_behind_the_unsubscribe_link_changes_nothing() {
    let (server, mut mail) = start(&[]).await;
    let mut ann = server.player("Ann").await;
    add_address(&mut mail, &mut ann, "ann@mail.example").await;
    ann.post("/api/account/email/digest", json!({ "digest": true })).await;
    let token = server.database().await.unsubscribe_token().await;
    let response = reqwest::get(format!("http://{}/unsubscribe?token={token}", server.addr));
    assert_eq!(response.await.expect("a page").status(), 200);
    assert_eq!(settings(&ann).await["digest"], true);
    let mut anyone = Player::anonymous(server.addr);
    let answer = anyone.post("/api/email/unsubscribe", json!({ "token": token })).await;
    assert_eq!(answer, (200, json!({ "ok": true })));
    assert_eq!(settings(&ann).await["digest"], false);
    server.stop().await;
}

#[tokio::test]
async fn digest_is_claimed_once_a_day() {
    let folder = TempDir::new().expect("folder");
    let store = Store::open(&folder.path().join("sprong.db")).await.expect("store");
    let ann = register_account(&store, "Ann").await;
    let now = now_ms();
    let candidates = async |now: i64| {
        let found = store.digest_candidates(AccountKey::NIL, i64::MAX, now, 9);
        found.await.expect("candidates").len()
    };
    assert!(!store.claim_digest(ann.key, now).await.expect("no address"));
    add_email(&store, ann.key, "ann@mail.example", now).await;
    assert_eq!(candidates(now).await, 0, "not wanted");
    assert!(store.set_digest(ann.key, true, "en".to_owned()).await.expect("set"));
    assert_eq!(candidates(now).await, 1);
    assert!(store.claim_digest(ann.key, now).await.expect("claimed"));
    assert!(!store.claim_digest(ann.key, now + 24 * HOUR_MS - 1).await.expect("too early"));
    assert_eq!(candidates(now + 24 * HOUR_MS - 1).await, 0);
    assert_eq!(candidates(now + 24 * HOUR_MS).await, 1);
    assert!(store.claim_digest(ann.key, now + 24 * HOUR_MS).await.expect("claimed"));
    close_account(&store, ann.key, now).await;
    assert_eq!(candidates(now + 72 * HOUR_MS).await, 0, "closed");
    store.close().await;
}

#[tokio::test]
async fn unconfirmed_address_expires_after_a_day() {
    let (server, mut mail) = start(&[]).await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    add_address(&mut mail, &mut ann, "ann@mail.example").await;
    assert_eq!(set_address(&mut ann, "other@mail.example").await.0, 200);
    mail.next().await;
    assert_eq!(set_address(&mut bob, "bob@mail.example").await.0, 200);
    let bobs = confirmation(&mail.next().await);
    let removed = async |after_ms: i64| {
        server.rooms.remove_old_rows(now_ms() + after_ms).await.expect("removed").emails
    };
    let store = server.rooms.store();
    let key = store.account("bob").await.expect("read").expect("an account").key;
    let late = store.email_settings(key, now_ms() + 24 * HOUR_MS + 1).await.expect("settings");
    assert_eq!(late.pending, None);
    let hash = Sha256::digest(&bobs).to_vec();
    let late = store.confirm_email(key, hash, now_ms() + 24 * HOUR_MS + 1).await;
    assert_eq!(late.expect("read"), None);
    assert_eq!(removed(23 * HOUR_MS).await, 0);
    assert_eq!(removed(24 * HOUR_MS + 1).await, 2);
    let state = settings(&ann).await;
    assert_eq!((&state["address"], &state["pending"]), (&json!("ann@mail.example"), &Value::Null));
    assert_eq!(settings(&bob).await["pending"], Value::Null);
    server.stop().await;
}

#[tokio::test]
async fn requests_about_email_are_refused_without_effect() {
    let (server, mail) = start(&[]).await;
    let mut ann = server.player("Ann").await;
    let (mut guest, mut program) = (server.guest().await, ann.api_client("board:play").await);
    for (fields, reason) in [
        (json!({ "password": PASSWORD }), "badEmail"),
        (json!({ "password": PASSWORD, "address": "ann" }), "badEmail"),
        (json!({ "password": PASSWORD, "address": "a@b.example\r\nBcc: c@d.example" }), "badEmail"),
        (json!({ "password": PASSWORD, "address": 7 }), "badField"),
        (json!({ "address": "ann@mail.example" }), "badPassword"),
        (json!({ "password": "wrong", "address": "ann@mail.example" }), "badPassword"),
    ] {
        let answer = ann.post("/api/account/email", fields.clone()).await;
        assert_eq!(refused(answer).1, json!(reason), "{fields}");
    }
    let fields = json!({ "password": PASSWORD, "address": "ann@mail.example" });
    let paths = ["/api/account/email", "/api/account/email/remove", "/api/account/email/digest"];
    for path in paths {
        let fields =
            if path.ends_with("digest") { json!({ "digest": true }) } else { fields.clone() };
        let answer = guest.post(path, fields.clone()).await;
        assert_eq!(refused(answer), (403, json!("anonymous")), "{path}");
        let answer = program.post(path, fields.clone()).await;
        assert_eq!(refused(answer), (403, json!("sessionOnly")), "{path}");
        let answer = Player::anonymous(server.addr).post(path, fields).await;
        assert_eq!(refused(answer), (401, json!("anonymous")), "{path}");
    }
    assert_eq!(refused(program.get(paths[0]).await), (403, json!("sessionOnly")));
    let wrong = ann.post("/api/account/email/remove", json!({ "password": "wrong" })).await;
    assert_eq!(refused(wrong), (403, json!("badPassword")));
    for fields in [json!({}), json!({ "digest": "often" })] {
        let answer = ann.post("/api/account/email/digest", fields.clone()).await;
        assert_eq!(answer.0, 400, "{fields}");
    }
    for token in ["", "nothing", &"a".repeat(9000)] {
        let answer = confirm(&mut ann, token).await;
        assert_eq!(refused(answer), (401, json!("badEmailLink")), "{token}");
    }
    let none = json!({ "enabled": true, "address": null, "pending": null, "digest": false });
    assert_eq!(settings(&ann).await, none);
    assert!(mail.is_empty());
    server.stop().await;
}

#[tokio::test]
async fn addresses_and_accounts_get_few_messages_an_hour() {
    let (server, mut mail) = start(&["--login-limit", "1000"]).await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut cat = server.player("Cat").await;
    for _ in 0..5 {
        for player in [&mut ann, &mut bob] {
            assert_eq!(set_address(player, "Victim@mail.example").await.0, 200);
            mail.next().await;
        }
    }
    let answer = set_address(&mut ann, "other@mail.example").await;
    assert_eq!(refused(answer), (429, json!("tooFast")), "of the account");
    let answer = set_address(&mut cat, "victim@mail.example").await;
    assert_eq!(refused(answer), (429, json!("tooFast")), "of the address");
    assert_eq!(set_address(&mut cat, "cat@mail.example").await.0, 200);
    mail.next().await;
    assert!(mail.is_empty());
    server.stop().await;
}

#[tokio::test]
async fn closed_and_erased_accounts_keep_no_address() {
    let (server, mut mail) = start(&[]).await;
    let mut ann = server.player("Ann").await;
    add_address(&mut mail, &mut ann, "ann@mail.example").await;
    let archive = reqwest::Client::new()
        .get(format!("http://{}/api/account/archive", server.addr))
        .header("cookie", ann.cookie.as_deref().expect("cookie"));
    let archive = archive.send().await.expect("archive").text().await.expect("text");
    assert!(archive.contains("\"email\":\"ann@mail.example\""), "{archive}");
    let mut bob = server.player("Bob").await;
    add_address(&mut mail, &mut bob, "bob@mail.example").await;
    let (cat, dan) = (&mut server.player("Cat").await, &mut server.player("Dan").await);
    add_address(&mut mail, cat, "cat@mail.example").await;
    add_address(&mut mail, dan, "dan@mail.example").await;
    assert_eq!(email_count(&server).await, 4);

    let password = json!({ "password": PASSWORD });
    let answer = bob.post("/api/account/email/remove", password.clone()).await;
    assert_eq!(answer, (200, json!({ "ok": true })));
    let notice = mail.next().await;
    assert_eq!(notice.header("to"), "bob@mail.example");
    assert_eq!(notice.header("subject"), "The e-mail address of Bob was removed");
    assert_eq!(email_count(&server).await, 3);
    forget(&server, "Ann").await;
    mail.next().await;
    assert_eq!(ann.post("/api/account/close", password).await.0, 200);
    assert_eq!(email_count(&server).await, 2);
    for (name, days, left) in [("cat", Some(1), 2), ("cat", None, 1), ("dan", None, 0)] {
        close(&server, name, days).await;
        assert_eq!(email_count(&server).await, left, "{name}");
    }
    server.stop().await;
}

/// Returns the number of rows with an address or a link.
async fn email_count(server: &Server) -> i64 {
    server.database().await.email_count().await
}

/// Closes an account as a moderator, for a number of days or for good.
async fn close(server: &Server, id: &str, days: Option<i64>) {
    let until_ms = days.map(|days| now_ms() + days * 24 * HOUR_MS);
    let action = LimitedAction { action: ModAction::Close, until_ms };
    let (store, moderator) = (server.rooms.store(), Moderator::default());
    let done = store.moderate(id.to_owned(), action, moderator, now_ms()).await;
    assert!(done.expect("stored"));
}

#[tokio::test]
async fn new_password_ends_an_unconfirmed_address_and_links() {
    let (server, mut mail) = start(&[]).await;
    for (name, by_word) in [("Ann", false), ("Bob", true)] {
        let mut player = server.player(name).await;
        add_address(&mut mail, &mut player, "first@mail.example").await;
        forget(&server, name).await;
        let link = mail.next().await.token(&format!("{ORIGIN}/reset#"));
        let form = json!({ "password": PASSWORD });
        let (_, body) = player.post("/api/account/recovery", form).await;
        let word = body["words"][0].as_str().expect("a word").to_owned();
        assert_eq!(set_address(&mut player, "second@mail.example").await.0, 200);
        let token = confirmation(&mail.next().await);
        let (status, body) = if by_word {
            let fields = json!({ "username": name, "word": word, "password": NEW });
            player.post("/api/recover", fields).await
        } else {
            let fields = json!({ "old": PASSWORD, "new": NEW });
            player.post("/api/account/password", fields).await
        };
        assert_eq!(status, 200, "{body}");
        let notice = mail.next().await;
        assert_eq!(notice.header("subject"), format!("{name} has a new password"));
        assert_eq!(notice.header("to"), "first@mail.example");
        assert_eq!(refused(confirm(&mut player, &token).await), (401, json!("badEmailLink")));
        let fields = json!({ "token": link, "password": PASSWORD });
        let answer = player.post("/api/reset", fields).await;
        assert_eq!(refused(answer), (401, json!("badResetLink")), "{name}");
        let state = settings(&player).await;
        assert_eq!(state["address"], "first@mail.example");
        assert_eq!(state["pending"], Value::Null);
    }
    server.stop().await;
}

#[tokio::test]
async fn links_stay_valid_beside_later_ones() {
    let folder = TempDir::new().expect("folder");
    let store = Store::open(&folder.path().join("sprong.db")).await.expect("store");
    let ann = register_account(&store, "Ann").await;
    let now = now_ms();
    add_email(&store, ann.key, "ann@mail.example", now).await;
    let recipient = store.email_recipient(ann.key).await.expect("read").expect("an address");
    let add = async |hash: u8, at_ms: i64| {
        store.add_email_reset_link(&recipient, vec![hash], at_ms).await.expect("stored")
    };
    let is_valid = async |hash: u8, at_ms: i64| {
        store.account_by_reset_link(&[hash], at_ms).await.expect("read").is_some()
    };
    assert!(add(1, now).await);
    assert!(!add(2, now + 299_999).await, "too early");
    assert!(add(3, now + 300_000).await);
    assert!(is_valid(1, now + HOUR_MS - 1).await && is_valid(3, now + HOUR_MS).await);
    assert!(!is_valid(2, now).await && !is_valid(1, now + HOUR_MS).await);
    // Expired ones are removed with the next.
    assert!(add(4, now + HOUR_MS).await);
    assert!(!is_valid(1, now).await && is_valid(3, now).await);
    store.close().await;
}

#[tokio::test]
async fn link_needs_the_code_of_a_second_factor() {
    let (server, mut mail) = start(&[]).await;
    let mut ann = server.player("Ann").await;
    add_address(&mut mail, &mut ann, "ann@mail.example").await;
    let app = AuthenticatorApp::set_up(&mut ann, PASSWORD).await;
    assert_eq!(mail.next().await.header("subject"), "Two-step login of Ann was turned on");
    forget(&server, "Ann").await;
    let token = mail.next().await.token(&format!("{ORIGIN}/reset#"));
    let mut elsewhere = Player::anonymous(server.addr);
    let form = |code: Option<String>| json!({ "token": token, "password": NEW, "code": code });
    let answer = elsewhere.post("/api/reset", form(None)).await;
    assert_eq!(refused(answer), (403, json!("secondFactorRequired")));
    let answer = elsewhere.post("/api/reset", form(Some(app.wrong_code()))).await;
    assert_eq!(refused(answer), (403, json!("badCode")));
    let code = app.next_code();
    assert_eq!(elsewhere.post("/api/reset", form(Some(code))).await.0, 200);
    assert_eq!(mail.next().await.header("subject"), "Ann has a new password");
    server.database().await.run("UPDATE totp SET last_step = 0").await;
    let fields = json!({ "password": NEW, "code": app.next_code() });
    assert_eq!(elsewhere.post("/api/account/totp/remove", fields).await.0, 200);
    assert_eq!(mail.next().await.header("subject"), "Two-step login of Ann was turned off");
    server.stop().await;
}

#[tokio::test]
async fn request_of_a_link_keeps_the_link_of_the_operator() {
    let (server, mut mail) = start(&[]).await;
    let mut ann = server.player("Ann").await;
    add_address(&mut mail, &mut ann, "ann@mail.example").await;
    let output = Command::new(env!("CARGO_BIN_EXE_sprong"))
        .args(["admin", "--database", &server.database_address(), "reset-link", "Ann"])
        .output()
        .expect("sprong admin");
    let text = String::from_utf8(output.stdout).expect("text");
    let (_, token) = text.trim().split_once('#').expect("a token");
    forget(&server, "Ann").await;
    mail.next().await;
    let fields = json!({ "token": token, "password": NEW });
    assert_eq!(Player::anonymous(server.addr).post("/api/reset", fields).await.0, 200);
    server.stop().await;
}

#[tokio::test]
async fn server_without_settings_sends_nothing() {
    let server = Server::start().await;
    let mut ann = server.player("Ann").await;
    assert_eq!(settings(&ann).await["enabled"], false);
    let (_, ways) = Player::anonymous(server.addr).get("/api/recover").await;
    assert_eq!(ways, json!({ "words": true, "email": false }));
    let answer = set_address(&mut ann, "ann@mail.example").await;
    assert_eq!(refused(answer), (400, json!("noEmail")));
    let answer = ann.post("/api/forgot", json!({ "user": "Ann" })).await;
    assert_eq!(refused(answer), (400, json!("noEmail")));
    server.stop().await;
}

#[tokio::test]
async fn message_is_sent_again_after_a_failure() {
    let mut mail = MailServer::stopped();
    let server = start_with(&mail, &[]).await;
    let mut ann = server.player("Ann").await;
    assert_eq!(set_address(&mut ann, "ann@mail.example").await.0, 200);
    mail.run(&[]).await;
    let token = confirmation(&mail.next().await);
    assert_eq!(confirm(&mut ann, &token).await.0, 200);
    server.stop().await;
}

#[tokio::test]
async fn messages_are_not_sent_without_the_required_encryption() {
    let mail = MailServer::start().await;
    let url = format!("{}?tls=required", mail.url());
    let arguments = ["--smtp", &url, "--mail-from", "a@sprong.example", "--public-origin", ORIGIN];
    let server = Server::start_with(&arguments).await;
    let mut ann = server.player("Ann").await;
    assert_eq!(set_address(&mut ann, "ann@mail.example").await.0, 200);
    // A connection without encryption shows that the mail server would have taken the message.
    let plain = start_with(&mail, &[]).await;
    let mut bob = plain.player("Bob").await;
    let mut mail = mail;
    add_address(&mut mail, &mut bob, "bob@mail.example").await;
    assert!(mail.is_empty());
    server.stop().await;
    plain.stop().await;
}

#[tokio::test]
async fn stop_does_not_wait_for_a_mail_server() {
    // Accepts connections and never answers.
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("listener");
    let url = format!("smtp://{}", listener.local_addr().expect("address"));
    let arguments = ["--smtp", &url, "--mail-from", "a@sprong.example", "--public-origin", ORIGIN];
    let server = Server::start_with(&arguments).await;
    let mut ann = server.player("Ann").await;
    assert_eq!(set_address(&mut ann, "ann@mail.example").await.0, 200);
    let _connection = listener.accept().await.expect("a connection");
    server.stop().await;
}

#[tokio::test]
async fn incomplete_settings_of_email_are_refused() {
    for (arguments, expected) in [
        (&["--smtp", "smtps://mail.example"][..], "--mail-from"),
        (&["--smtp", "smtps://mail.example", "--mail-from", "a@b.example"], "--public-origin"),
        (&["--smtp", "smtp://user:secret@mail.example"], "without encryption"),
        (&["--smtp", "mail.example"], "expected a URL"),
        (&["--mail-from", "nobody"], "--mail-from"),
    ] {
        let output =
            Command::new(env!("CARGO_BIN_EXE_sprong")).args(arguments).output().expect("sprong");
        let text = String::from_utf8(output.stderr).expect("text");
        assert!(
            output.status.code() == Some(2) && text.contains(expected),
            "{arguments:?}: {text}"
        );
    }
}
