//! Kinds of push messages that players switch off.

use super::{challenge, daily, start, state, subscribe};
use crate::events::{add_game_night, add_interest, set_start};
use crate::reminders::set_time_left;
use crate::support::client::{Player, Server, wait_until};
use serde_json::{Value, json};

/// Kinds of messages, in an order in which events can cause them.
const KINDS: [&str; 5] = ["myTurn", "deadline", "challenge", "gameStart", "eventStart"];

/// Returns the form that sets all kinds but one.
fn all_kinds_but(off: &str) -> Value {
    KINDS.iter().map(|kind| ((*kind).to_owned(), json!(*kind != off))).collect()
}

/// Causes a message of a kind to Bob, with Ann's move in a game between them.
async fn cause(server: &Server, kind: &str, ann: &mut Player, bob: &mut Player, game: &str) {
    match kind {
        "myTurn" => {
            ann.play_first_legal(game).await;
        }
        "deadline" => set_time_left(server, &[game], 3_600_000).await,
        "challenge" => {
            challenge(ann, bob, daily("hogga")).await;
        }
        "gameStart" => {
            let id = bob.challenge(daily("hogga")).await;
            assert_eq!(ann.accept(&id).await.0, 200);
        }
        _ => {
            let number = add_game_night(server, "hogga", &[]).await;
            add_interest(bob, number).await;
            set_start(server, number, sprong::rooms::now_ms() - 1000).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unwanted_kinds_are_not_sent() {
    let (server, mut service) = start(&["--reminder-interval-ms", "20"]).await;
    let mut ann = server.player("Ann").await;
    for (number, off) in (1..).zip(KINDS) {
        let mut bob = server.player(&format!("Bob{number}")).await;
        let id = ann.start_game(&mut bob, "hogga", json!({ "days": 3 })).await;
        let browser = subscribe(&mut bob, &service, number).await;
        assert_eq!(state(&bob).await["kinds"], all_kinds_but(""), "all by default");
        assert_eq!(bob.post("/api/push/kinds", all_kinds_but(off)).await.0, 200);
        assert_eq!(state(&bob).await["kinds"], all_kinds_but(off));
        for kind in KINDS {
            cause(&server, kind, &mut ann, &mut bob, &id).await;
            if kind != off {
                assert_eq!(browser.read(&service.next().await)["kind"], kind, "without {off}");
            }
        }
        if off == "eventStart" {
            let database = server.database().await;
            wait_until("the start is not handled", async || {
                let sql = "SELECT count(*) FROM event_interest WHERE announced_ms = 0";
                database.count(sql).await == 0
            })
            .await;
        }
        assert!(service.is_empty(), "without {off}");
        if off == "deadline" {
            // The reminder is still to be sent, if the player changes the setting.
            assert_eq!(bob.post("/api/push/kinds", all_kinds_but("")).await.0, 200);
            assert_eq!(browser.read(&service.next().await)["kind"], "deadline");
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn incomplete_kinds_are_refused() {
    let (server, _service) = start(&[]).await;
    let mut bob = server.player("Bob").await;
    let (status, body) = bob.post("/api/push/kinds", json!({ "myTurn": true })).await;
    assert_eq!((status, &body["reason"]), (400, &json!("badField")), "{body}");
    server.stop().await;
}
