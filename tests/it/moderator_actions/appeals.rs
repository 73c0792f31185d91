//! Appeals of players against the closing of their accounts.

use super::{act, log_in, moderator, path};
use crate::support::client::{Player, Server, refused};
use serde_json::{Value, json};

const DAY_MS: i64 = 86_400_000;

async fn appeal(server: &Server, fields: Value) -> (u16, Value) {
    let mut form = json!({ "username": "Bob", "password": "correct-horse", "text": "Sorry" });
    for (key, value) in fields.as_object().expect("fields") {
        form[key] = value.clone();
    }
    Player::anonymous(server.addr).post("/api/appeal", form).await
}

#[tokio::test]
async fn appeal_is_declined_and_repeated_later() {
    let server = Server::start().await;
    server.player("Bob").await;
    let mut mo = moderator(&server).await;
    let bad_login = (401, json!("badLogin"));
    assert_eq!(refused(appeal(&server, json!({})).await), bad_login, "the account is open");
    act(&mut mo, "bob", "close", json!({ "days": 30 })).await;
    assert_eq!(log_in(&server, "Bob").await.1["appeal"], Value::Null);
    for wrong in [json!({ "password": "wrong-horse" }), json!({ "username": "nobody-here" })] {
        assert_eq!(refused(appeal(&server, wrong).await), bad_login);
    }
    for text in [String::new(), " \u{200b}".to_owned(), "x".repeat(1001)] {
        let bad = (400, json!("badField"));
        assert_eq!(refused(appeal(&server, json!({ "text": text })).await), bad);
    }
    assert_eq!(mo.get("/api/admin/appeals").await.1, json!([]));
    assert_eq!(appeal(&server, json!({ "text": "I will\nbe kind" })).await.0, 200);
    let (status, body) = log_in(&server, "Bob").await;
    assert_eq!((status, &body["reason"]), (403, &json!("accountClosed")));
    assert_eq!(body["appeal"], json!({ "state": "open" }));
    let closed = (403, json!("accountClosed"));
    assert_eq!(refused(appeal(&server, json!({})).await), closed, "one for each closing");
    let queue = mo.get("/api/admin/appeals").await.1;
    assert_eq!((&queue[0]["id"], &queue[0]["text"]), (&json!("bob"), &json!("I will\nbe kind")));
    let user = act(&mut mo, "bob", "decline-appeal", json!({})).await;
    assert!(user["appeal"]["declinedAt"].is_i64(), "{user}");
    assert_eq!(user["log"][0]["action"], "decline-appeal");
    let form = json!({ "reason": "again" });
    assert_eq!(mo.post(&path("bob", "decline-appeal"), form).await.0, 404, "there is no open one");
    assert_eq!(mo.get("/api/admin/appeals").await.1, json!([]));
    let answer = log_in(&server, "Bob").await.1["appeal"].clone();
    assert_eq!(answer["state"], "declined");
    let wait_ms = answer["again"].as_i64().expect("a time") - sprong::rooms::now_ms();
    assert!((30 * DAY_MS - 60_000..=30 * DAY_MS).contains(&wait_ms), "{answer}");
    assert_eq!(refused(appeal(&server, json!({})).await), closed);
    // After 30 days the player can write again.
    let (store, later_ms) = (server.rooms.store(), sprong::rooms::now_ms() + 31 * DAY_MS);
    let profile = store.profile("bob").await.expect("read").expect("an account");
    let key = profile.account.key;
    assert!(store.appeal(key, "Once more".to_owned(), later_ms).await.expect("stored"));
    assert_eq!(mo.get("/api/admin/appeals").await.1[0]["text"], "Once more");
    // An appeal ends with the closing: nothing of it is left when the player can log in, and so
    // there is nothing that the archive of the account could contain.
    let count = "SELECT count(*) FROM appeal";
    let user = act(&mut mo, "bob", "reopen", json!({})).await;
    assert_eq!(user["appeal"], Value::Null);
    assert_eq!(log_in(&server, "Bob").await.0, 200);
    assert_eq!(server.database().await.count(count).await, 0);
    let user = act(&mut mo, "bob", "close", json!({ "days": 1 })).await;
    assert_eq!(appeal(&server, json!({})).await.0, 200);
    store.end_moderation(user["reopensAt"].as_i64().expect("an end")).await.expect("ended");
    assert_eq!(log_in(&server, "Bob").await.0, 200);
    assert_eq!(server.database().await.count(count).await, 0);
    server.stop().await;
}

#[tokio::test]
async fn each_closing_has_its_own_appeal() {
    let server = Server::start().await;
    server.player("Bob").await;
    let mut mo = moderator(&server).await;
    for _ in 0..2 {
        let user = act(&mut mo, "bob", "close", json!({ "days": 30 })).await;
        assert_eq!(user["appeal"], Value::Null);
        assert_eq!(appeal(&server, json!({})).await.0, 200);
        act(&mut mo, "bob", "decline-appeal", json!({})).await;
    }
    server.stop().await;
}

/// The form has the limits of the login: it cannot be used to guess passwords.
#[tokio::test]
async fn appeals_count_as_attempts_to_log_in() {
    let server = Server::start_with(&["--account-login-limit", "4"]).await;
    server.player("Bob").await;
    let mut mo = moderator(&server).await;
    act(&mut mo, "bob", "close", json!({})).await;
    for _ in 0..3 {
        let wrong = json!({ "password": "wrong-horse" });
        assert_eq!(refused(appeal(&server, wrong).await), (401, json!("badLogin")));
    }
    let too_fast = (429, json!("tooFast"));
    assert_eq!(refused(appeal(&server, json!({})).await), too_fast);
    assert_eq!(refused(log_in(&server, "Bob").await), too_fast);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn subcommand_lists_and_declines_appeals() {
    let server = Server::start().await;
    server.player("Bob").await;
    assert!(server.admin(&["close", "bob"]).0);
    let (done, output) = server.admin(&["decline-appeal", "bob"]);
    assert!(!done && output.contains("bob has no open appeal"), "{output}");
    assert_eq!(appeal(&server, json!({ "text": "Please" })).await.0, 200);
    let (_, shown) = server.admin(&["show", "bob"]);
    assert!(shown.contains("Bob\tappeal ") && shown.contains("\n\tPlease\n"), "{shown}");
    assert_eq!(server.admin(&["appeals"]).1.matches("Bob\tappeal").count(), 1);
    assert!(server.admin(&["decline-appeal", "bob", "--reason", "no"]).0);
    assert_eq!(server.admin(&["appeals"]).1, "");
    let (_, shown) = server.admin(&["show", "bob"]);
    assert!(shown.contains("\tdeclined 20"), "{shown}");
    server.stop().await;
}
