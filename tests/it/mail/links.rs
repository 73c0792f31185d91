//! Links by e-mail that set a new password.

use super::{
    HOUR_MS, NEW, ORIGIN, PASSWORD, add_address, confirm, confirmation, forget, log_in,
    set_address, settings, start,
};
use crate::support::client::{Player, refused};
use crate::support::mail_server::ReceivedMail;
use crate::support::passkey::Authenticator;
use crate::support::store_fixtures::{add_email, register_account};
use crate::support::totp::AuthenticatorApp;
use reqwest::Method;
use serde_json::{Value, json};
use sprong::rooms::now_ms;
use sprong::store::Store;
use tempfile::TempDir;

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
    assert_eq!(mail.next().await.header("subject"), "The authenticator app of Ann was turned off");
    server.stop().await;
}

#[tokio::test]
async fn owner_is_told_of_new_and_removed_passkeys() {
    let (server, mut mail) = start(&[]).await;
    let mut ann = server.player("Ann").await;
    add_address(&mut mail, &mut ann, "ann@mail.example").await;
    let mut key = Authenticator::register(&mut ann, PASSWORD, 1).await;
    assert_eq!(mail.next().await.header("subject"), "A passkey was added to Ann");
    let (_, factors) = ann.get("/api/account/second-factor").await;
    let id = factors["passkeys"][0]["id"].as_str().expect("a passkey");
    let path = format!("/api/account/passkeys/{id}/remove");
    let (_, refusal) = ann.post(&path, json!({ "password": PASSWORD })).await;
    let fields = json!({ "password": PASSWORD, "passkey": key.sign(&refusal["passkey"]) });
    assert_eq!(ann.post(&path, fields).await.0, 200);
    assert_eq!(mail.next().await.header("subject"), "A passkey of Ann was removed");
    server.stop().await;
}

#[tokio::test]
async fn request_of_a_link_keeps_the_link_of_the_operator() {
    let (server, mut mail) = start(&[]).await;
    let mut ann = server.player("Ann").await;
    add_address(&mut mail, &mut ann, "ann@mail.example").await;
    let (_, text) = server.admin(&["reset-link", "Ann"]);
    let (_, token) = text.trim().split_once('#').expect("a token");
    forget(&server, "Ann").await;
    mail.next().await;
    let fields = json!({ "token": token, "password": NEW });
    assert_eq!(Player::anonymous(server.addr).post("/api/reset", fields).await.0, 200);
    server.stop().await;
}
