//! Digests of games that wait, and their end.

use super::{HOUR_MS, ORIGIN, add_address, settings, start};
use crate::support::client::{Player, refused};
use crate::support::store_fixtures::{add_email, close_account, register_account};
use reqwest::Method;
use serde_json::json;
use sprong::rooms::now_ms;
use sprong::store::{AccountKey, MailKind, Store};
use tempfile::TempDir;

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
    // The answer does not tell whether there is such a token.
    let answer = program.send(form, Method::POST, "/unsubscribe?token=nothing").await;
    assert_eq!(answer, (200, json!({ "ok": true })));
    for path in ["/unsubscribe", "/unsubscribe?token="] {
        let answer = refused(program.send(form, Method::POST, path).await);
        assert_eq!(answer, (400, json!("badField")), "{path}");
    }
    assert_eq!(refused(program.post("/api/email/unsubscribe", json!({})).await).0, 400);
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
    assert!(
        store.set_mail_kind(ann.key, MailKind::Digest, true, "en".to_owned()).await.expect("set")
    );
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
