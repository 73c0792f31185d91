//! Warnings of moderators.

use super::{act, moderator, path};
use crate::erasure::archive;
use crate::support::client::{Player, Server, refused, wait_until};
use crate::support::store_fixtures::make_moderator;
use serde_json::{Value, json};

async fn unread(player: &Player) -> Vec<Value> {
    let (status, warnings) = player.get("/api/account/warnings").await;
    assert_eq!(status, 200, "{warnings}");
    warnings.as_array().expect("warnings").clone()
}

async fn confirm(player: &mut Player, number: &Value) -> (u16, Value) {
    player.post(&format!("/api/account/warnings/{number}/read"), json!({})).await
}

#[tokio::test]
async fn warning_is_shown_until_it_is_confirmed() {
    let server = Server::start().await;
    let (mut bob, mut cat) = (server.player("Bob").await, server.player("Cat").await);
    let mut mo = moderator(&server).await;
    let mut socket = bob.socket("/ws/me").await;
    assert_eq!(socket.until("hello").await["d"]["warnings"], Value::Null);
    let user = act(&mut mo, "bob", "warn", json!({ "text": "Be kind.\nAlways." })).await;
    assert_eq!(user["warnings"][0]["text"], "Be kind.\nAlways.");
    assert_eq!(user["warnings"][0]["readAt"], Value::Null);
    assert_eq!(
        (&user["log"][0]["action"], &user["log"][0]["reason"]),
        (&json!("warn"), &json!("because"))
    );
    // An open page learns it at once, others when they connect.
    assert_eq!(socket.until("hello").await["d"]["warnings"], 1);
    assert_eq!(bob.socket("/ws/lobby").await.until("hello").await["d"]["warnings"], 1);
    let warnings = unread(&bob).await;
    assert_eq!(warnings[0]["text"], "Be kind.\nAlways.");
    assert!(!warnings[0].to_string().contains("because"), "the reason is for moderators");
    let number = &warnings[0]["number"];
    assert_eq!(refused(confirm(&mut cat, number).await), (404, Value::Null));
    assert_eq!(confirm(&mut bob, number).await.0, 200);
    assert!(unread(&bob).await.is_empty());
    let user = mo.get("/api/admin/user/bob").await.1;
    let read_at = user["warnings"][0]["readAt"].clone();
    assert!(read_at.is_i64(), "{user}");
    // Another tab confirms it as well.
    assert_eq!(confirm(&mut bob, number).await.0, 200);
    assert_eq!(refused(confirm(&mut bob, &json!(1_000)).await), (404, Value::Null));
    assert_eq!(mo.get("/api/admin/user/bob").await.1["warnings"][0]["readAt"], read_at);
    assert_eq!(bob.socket("/ws/me").await.until("hello").await["d"]["warnings"], Value::Null);
    let archived = archive(&bob).await;
    assert_eq!(archived["warning"][0]["text"], "Be kind.\nAlways.");
    server.stop().await;
}

#[tokio::test]
async fn five_warnings_can_be_unread() {
    let server = Server::start().await;
    let mut guest = server.guest().await;
    let mut mo = moderator(&server).await;
    let guest_id = guest.id.clone();
    for number in 0..5 {
        act(&mut mo, &guest_id, "warn", json!({ "text": format!("number {number}") })).await;
    }
    let form = json!({ "text": "more", "reason": "rude" });
    let too_many = (409, json!("tooMany"));
    assert_eq!(refused(mo.post(&path(&guest_id, "warn"), form.clone()).await), too_many);
    let warnings = unread(&guest).await;
    assert_eq!((warnings.len(), &warnings[0]["text"]), (5, &json!("number 0")));
    assert_eq!(confirm(&mut guest, &warnings[0]["number"]).await.0, 200);
    assert_eq!(mo.post(&path(&guest_id, "warn"), form).await.0, 200);
    server.stop().await;
}

#[tokio::test]
async fn new_name_replaces_the_unread_notice_of_another() {
    let server = Server::start().await;
    let bob = server.player("Bob").await;
    let mut mo = moderator(&server).await;
    for number in 0..5 {
        act(&mut mo, "bob", "warn", json!({ "text": format!("number {number}") })).await;
    }
    act(&mut mo, "bob", "rename", json!({ "name": "Zebra" })).await;
    act(&mut mo, "zebra", "rename", json!({ "name": "Okapi" })).await;
    let warnings = unread(&bob).await;
    assert_eq!(warnings.len(), 6, "{warnings:?}");
    let notice = (&warnings[5]["kind"], &warnings[5]["text"]);
    assert_eq!(notice, (&json!("renamed"), &json!("Okapi")));
    assert_eq!(warnings[4]["kind"], "message");
    server.stop().await;
}

#[tokio::test]
async fn invalid_warnings_are_refused() {
    let server = Server::start().await;
    let bob = server.player("Bob").await;
    let mut mo = moderator(&server).await;
    let bad = (400, json!("badField"));
    for form in [
        json!({ "text": "be kind" }),
        json!({ "reason": "rude" }),
        json!({ "reason": "rude", "text": " \u{200b} " }),
        json!({ "reason": "rude", "text": "x".repeat(501) }),
    ] {
        assert_eq!(refused(mo.post(&path("bob", "warn"), form).await), bad);
    }
    let form = json!({ "reason": "rude", "text": "be kind" });
    let protected = (403, json!("protectedAccount"));
    for name in ["mo", "sprong-3"] {
        assert_eq!(refused(mo.post(&path(name, "warn"), form.clone()).await), protected, "{name}");
    }
    make_moderator(server.rooms.store(), "bob").await;
    assert_eq!(refused(mo.post(&path("bob", "warn"), form.clone()).await), protected);
    assert_eq!(refused(mo.post(&path("nobody-here", "warn"), form).await), (404, Value::Null));
    assert!(unread(&bob).await.is_empty());
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn warning_of_the_subcommand_reaches_open_pages() {
    let server = Server::start().await;
    let mut bob = server.player("Bob").await;
    let mut socket = bob.socket("/ws/me").await;
    socket.until("hello").await;
    let (done, output) = server.admin(&["warn", "bob", "Be \u{1b}[31mkind", "--reason", "rude"]);
    assert!(done, "{output}");
    assert_eq!(socket.until("hello").await["d"]["warnings"], 1);
    let warnings = unread(&bob).await;
    assert_eq!(warnings[0]["text"], "Be [31mkind");
    let (_, shown) = server.admin(&["show", "bob"]);
    assert!(shown.contains("\tunread\n\tBe [31mkind"), "{shown}");
    assert_eq!(confirm(&mut bob, &warnings[0]["number"]).await.0, 200);
    let (_, shown) = server.admin(&["show", "bob"]);
    assert!(shown.contains("\tread 20"), "{shown}");
    assert!(!server.admin(&["warn", "bob", &"x".repeat(501)]).0);
    assert!(!server.admin(&["warn", "sprong-3", "hello"]).0);
    // Erased with the account.
    let store = server.rooms.store();
    let key = store.profile("bob").await.expect("read").expect("an account").account.key;
    assert!(server.admin(&["erase", "bob"]).0);
    wait_until("expected the warning to go", async || {
        store.warnings(key).await.expect("warnings").is_empty()
    })
    .await;
    server.stop().await;
}
