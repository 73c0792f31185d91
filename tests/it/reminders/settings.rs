//! Settings of the reminders, their archive and their erasure.

use super::{PATH, set};
use crate::erasure::archive;
use crate::support::client::{Player, Server, refused, wait_until};
use serde_json::json;
use sprong::store::GuestPosition;

#[tokio::test]
async fn settings_of_reminders_are_stored() {
    let server = Server::start().await;
    let (mut ann, mut guest) = (server.player("Ann").await, server.guest().await);
    for player in [&mut ann, &mut guest] {
        assert_eq!(
            player.get(PATH).await,
            (200, json!({ "times": [24, 3], "enabled": true, "email": true }))
        );
        for (times, expected) in [
            ("1, 48,1", json!([48, 1])),
            ("none", json!([])),
            ("6", json!([6])),
            ("3,24", json!([24, 3])),
        ] {
            let answer = player.post(PATH, json!({ "times": times })).await;
            let settings = json!({ "times": expected, "enabled": true, "email": true });
            assert_eq!(answer, (200, settings), "{times}");
            assert_eq!(player.get(PATH).await, answer);
        }
    }
    set(&mut ann, json!({ "times": "12" })).await;
    // A missing field keeps its value, and an empty one counts as missing.
    for fields in [json!({}), json!({ "times": "" })] {
        assert_eq!(ann.post(PATH, fields).await.1["times"], json!([12]));
    }
    let settings = archive(&ann).await["settings"][0].clone();
    assert_eq!(settings["reminderTimes"], json!([12]));
    assert_eq!(
        (&settings["emailReminders"], &settings["push"]["deadline"]),
        (&json!(true), &json!(true))
    );
    server.stop().await;
    let server = Server::start_with(&["--no-push"]).await;
    let guest = server.guest().await;
    assert_eq!(guest.get(PATH).await.1["enabled"], false);
    server.stop().await;
}

#[tokio::test]
async fn settings_of_reminders_end_with_the_account() {
    let server = Server::start().await;
    let (mut ann, mut guest) = (server.player("Ann").await, server.guest().await);
    for player in [&mut ann, &mut guest] {
        set(player, json!({ "times": "12" })).await;
    }
    let database = server.database().await;
    let count = async || database.count("SELECT count(*) FROM reminder_times").await;
    assert_eq!(count().await, 2);
    assert_eq!(guest.post("/api/logout", json!({})).await.0, 200);
    let removal = server.rooms.store().remove_guests(GuestPosition::START, i64::MAX);
    assert_eq!(removal.await.expect("removed").0, 1);
    assert_eq!(count().await, 1);
    let password = json!({ "password": "correct-horse" });
    assert_eq!(ann.post("/api/account/erase", password).await.0, 200);
    wait_until("the settings remain", async || count().await == 0).await;
    server.stop().await;
}

#[tokio::test]
async fn invalid_settings_of_reminders_are_refused() {
    let server = Server::start().await;
    let (mut ann, mut anyone) = (server.player("Ann").await, Player::anonymous(server.addr));
    let mut program = ann.api_client("board:play").await;
    set(&mut ann, json!({ "times": "12" })).await;
    for times in ["2", "12,", "12 6", "0", "-1", "soon"] {
        let (status, body) = ann.post(PATH, json!({ "times": times })).await;
        assert_eq!((status, &body["reason"]), (400, &json!("badField")), "{times}");
        let why = "`times` must be hours of 48, 24, 12, 6, 3, 1, separated by commas, or `none`.";
        assert_eq!(body["error"], why);
    }
    let unreadable = ann.post(PATH, json!({ "email": "often" })).await;
    assert_eq!(refused(unreadable), (400, json!("badField")));
    let fields = json!({ "times": "6", "email": true });
    assert_eq!(refused(ann.post(PATH, fields.clone()).await), (409, json!("unconfirmedEmail")));
    for (client, answer) in
        [(&mut program, (403, json!("sessionOnly"))), (&mut anyone, (401, json!("anonymous")))]
    {
        assert_eq!(refused(client.get(PATH).await), answer);
        assert_eq!(refused(client.post(PATH, fields.clone()).await), answer);
    }
    assert_eq!(ann.get(PATH).await.1["times"], json!([12]), "nothing has changed");
    server.stop().await;
}

#[tokio::test]
async fn earlier_clients_keep_the_later_kinds() {
    let server = Server::start().await;
    let mut ann = server.player("Ann").await;
    let three = json!({ "myTurn": true, "challenge": false, "gameStart": true });
    let kinds = async |ann: &Player| ann.get("/api/push").await.1["kinds"].clone();
    for (deadline, event_start) in [(true, true), (true, false), (false, true)] {
        let mut all = three.clone();
        all["deadline"] = json!(deadline);
        all["eventStart"] = json!(event_start);
        assert_eq!(ann.post("/api/push/kinds", all.clone()).await.0, 200);
        assert_eq!(ann.post("/api/push/kinds", three.clone()).await.0, 200);
        assert_eq!(kinds(&ann).await, all);
    }
    server.stop().await;
}
