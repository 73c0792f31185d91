//! Reminders by e-mail, and their end.

use super::{HOUR_MS, days, set, set_time_left};
use crate::mail::{ORIGIN, add_address, settings, start};
use crate::support::client::{Player, refused};
use reqwest::Method;
use serde_json::json;

#[tokio::test]
async fn reminder_is_mailed_and_its_link_ends_reminders() {
    let (server, mut mail) = start(&["--reminder-interval-ms", "20"]).await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut cat = server.player("Cat").await;
    let id = ann.start_game(&mut bob, "hogga", days(3)).await;
    let [one, two] = [
        cat.start_game(&mut bob, "hogga", days(2)).await,
        cat.start_game(&mut ann, "kopfOderKnopf", days(2)).await,
    ];
    // No address is confirmed yet.
    set_time_left(&server, &[&id], 3 * HOUR_MS).await;
    add_address(&mut mail, &mut ann, "ann@mail.example").await;
    let reminder = mail.next().await;
    assert_eq!(reminder.header("to"), "ann@mail.example");
    assert_eq!(reminder.header("subject"), "Your move against Bob: 3 hours left");
    let lines: Vec<&str> = reminder.body.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(lines[1], "Your move against Bob in Hogga: 3 hours left.");
    assert_eq!(lines[2], format!("{ORIGIN}/{id}"));
    let answer = ann.post("/api/account/email/digest", json!({ "digest": true })).await;
    assert_eq!(answer.0, 200);
    assert_eq!(settings(&ann).await["reminders"], true);

    // The request of a mail program.
    let url = reminder.header("list-unsubscribe").trim_matches(['<', '>']).to_owned();
    assert_eq!(reminder.header("list-unsubscribe-post"), "List-Unsubscribe=One-Click");
    let path = url.strip_prefix(ORIGIN).expect("the public origin");
    let mut program = Player::anonymous(server.addr);
    let form = |builder: reqwest::RequestBuilder| {
        builder
            .header("content-type", "application/x-www-form-urlencoded")
            .body("List-Unsubscribe=One-Click")
    };
    assert_eq!(program.send(form, Method::POST, path).await, (200, json!({ "ok": true })));
    let state = settings(&ann).await;
    assert_eq!((&state["reminders"], &state["digest"]), (&json!(false), &json!(true)));
    let (_, token) = path.split_once("?reminders=true&token=").expect("a link of reminders");
    // A damaged link ends nothing, nor the other messages.
    for damaged in [path.replace('&', "&amp;"), "/unsubscribe?reminders=true".to_owned()] {
        let answer = refused(program.send(form, Method::POST, &damaged).await);
        assert_eq!(answer, (400, json!("badField")), "{damaged}");
    }
    assert_eq!(settings(&ann).await["digest"], true);
    let digests = &format!("/unsubscribe?token={token}");
    set(&mut ann, json!({ "email": true })).await;
    assert_eq!(program.send(form, Method::POST, digests).await.0, 200);
    let state = settings(&ann).await;
    assert_eq!((&state["reminders"], &state["digest"]), (&json!(true), &json!(false)));
    let fields = json!({ "token": token, "reminders": true });
    assert_eq!(program.post("/api/email/unsubscribe", fields).await.0, 200);
    assert_eq!(settings(&ann).await["reminders"], false);

    // Several games share a message. The search before it would have found Ann's game, too.
    set_time_left(&server, &[&id], 24 * HOUR_MS).await;
    set_time_left(&server, &[&one, &two], HOUR_MS).await;
    add_address(&mut mail, &mut cat, "cat@mail.example").await;
    let reminder = mail.next().await;
    assert_eq!(reminder.header("to"), "cat@mail.example");
    assert_eq!(reminder.header("subject"), "2 games: your time runs out");
    for (game, line) in [
        (&one, "Your move against Bob in Hogga: 1 hour left."),
        (&two, "Your move against Ann in Kopf oder Knopf: 1 hour left."),
    ] {
        assert!(reminder.body.contains(&format!("{line}\n{ORIGIN}/{game}\n")), "{}", reminder.body);
    }
    assert!(mail.is_empty());
    server.stop().await;
}

#[tokio::test]
async fn closed_account_gets_no_reminder() {
    let (server, mut mail) = start(&["--reminder-interval-ms", "20"]).await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = ann.start_game(&mut bob, "hogga", days(3)).await;
    let other = bob.start_game(&mut ann, "hogga", days(3)).await;
    add_address(&mut mail, &mut ann, "ann@mail.example").await;
    // A closed account whose games have not ended yet.
    let sql = "UPDATE account SET closed_ms = 1 WHERE id = 'ann'";
    server.database().await.run(sql).await;
    set_time_left(&server, &[&id], 3 * HOUR_MS).await;
    // Bob's message is of a later search.
    add_address(&mut mail, &mut bob, "bob@mail.example").await;
    set_time_left(&server, &[&other], 3 * HOUR_MS).await;
    assert_eq!(mail.next().await.header("to"), "bob@mail.example");
    set_time_left(&server, &[&other], HOUR_MS).await;
    set(&mut bob, json!({ "times": "1" })).await;
    assert_eq!(mail.next().await.header("to"), "bob@mail.example");
    assert!(mail.is_empty());
    server.stop().await;
}
