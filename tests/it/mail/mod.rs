//! E-mail over a real mail server: confirmation of addresses, reset links, digests, one-click
//! unsubscription, and failures of the mail server.

mod delivery;
mod digests;
mod links;

use crate::support::client::{Player, Server, refused};
use crate::support::mail_server::{MailServer, ReceivedMail};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use sprong::rooms::now_ms;
use sprong::store::{LimitedAction, ModAction, Moderator};

pub const ORIGIN: &str = "https://sprong.example";
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
pub async fn start(arguments: &[&str]) -> (Server, MailServer) {
    let mail = MailServer::start().await;
    (start_with(&mail, arguments).await, mail)
}

async fn set_address(player: &mut Player, address: &str) -> (u16, Value) {
    let fields = json!({ "password": PASSWORD, "address": address });
    player.post("/api/account/email", fields).await
}

pub async fn settings(player: &Player) -> Value {
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
pub async fn add_address(mail: &mut MailServer, player: &mut Player, address: &str) {
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
    let none = json!({ "enabled": true, "address": null, "pending": null, "digest": false,
        "reminders": true });
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
    let unsubscribe = server.database().await.unsubscribe_token().await;
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
    // Links in messages to the earlier address end nothing of the new one.
    let new_token = server.database().await.unsubscribe_token().await;
    assert_ne!(new_token, unsubscribe);
    let fields = json!({ "token": unsubscribe, "reminders": true });
    assert_eq!(ann.post("/api/email/unsubscribe", fields).await.0, 200);
    assert_eq!(settings(&ann).await["reminders"], true);
    assert_eq!(set_address(&mut ann, "new@mail.example").await.0, 200);
    let token = confirmation(&mail.next().await);
    assert_eq!(confirm(&mut ann, &token).await.0, 200);
    assert_eq!(server.database().await.unsubscribe_token().await, new_token, "the same address");
    server.stop().await;
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
    let late = store.confirm_email(key, hash, String::new(), now_ms() + 24 * HOUR_MS + 1).await;
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
    let none = json!({ "enabled": true, "address": null, "pending": null, "digest": false,
        "reminders": true });
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
