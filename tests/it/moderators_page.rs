//! Routes of the moderators' page: permissions, the queue, and the effects of the actions.

use crate::erasure::archive;
use crate::support::client::{Player, Server, refused, wait_until};
use crate::support::store_fixtures::make_moderator;
use serde_json::{Value, json};

const DAY_MS: i64 = 86_400_000;

/// Routes without effect.
const READS: [&str; 7] = [
    "/api/admin/reports",
    "/api/admin/user/bob",
    "/api/admin/appeals",
    "/api/admin/suspicions",
    "/api/admin/arrivals",
    "/api/admin/log",
    "/api/admin/game/nothing1/chat",
];

/// Actions on an account.
const ACTIONS: [&str; 10] = [
    "mute",
    "unmute",
    "close",
    "reopen",
    "decline-appeal",
    "clear-profile",
    "note",
    "resolve",
    "warn",
    "rename",
];

fn path(name: &str, action: &str) -> String {
    format!("/api/admin/user/{name}/{action}")
}

/// Returns a moderator.
async fn moderator(server: &Server, name: &str) -> Player {
    let player = server.player(name).await;
    make_moderator(server.rooms.store(), &player.id).await;
    player
}

async fn report(player: &mut Player, about: &str, text: &str) {
    let form = json!({ "username": about, "reason": "abuse", "text": text });
    assert_eq!(player.post("/api/report", form).await.0, 200);
}

fn names(queue: &Value) -> Vec<&str> {
    let people = queue["people"].as_array().expect("people");
    people.iter().map(|person| person["name"].as_str().expect("name")).collect()
}

#[tokio::test]
async fn only_moderators_can_use_their_routes() {
    let server = Server::start().await;
    let bob = server.player("Bob").await;
    let mo = moderator(&server, "Mo").await;
    let token = mo.api_client("board:play,challenge:write").await;
    let demoted = moderator(&server, "Cas").await;
    assert_eq!(demoted.get(READS[0]).await.0, 200);
    let revoke = sprong::store::ModAction::RevokeAdmin;
    let done = server.rooms.store().moderate("cas".to_owned(), revoke, Default::default(), 0).await;
    assert!(done.expect("stored"));
    let plain = server.player("Dee").await;
    let outsiders = [
        (Player::anonymous(server.addr), 401, "anonymous"),
        (server.guest().await, 403, "anonymous"),
        (plain, 403, "notAdmin"),
        (demoted, 403, "notAdmin"),
        (token, 403, "sessionOnly"),
    ];
    for (mut outsider, status, reason) in outsiders {
        let expected = (status, json!(reason));
        for read in READS {
            assert_eq!(refused(outsider.get(read).await), expected, "{read}");
        }
        for action in ACTIONS {
            let form = json!({ "reason": "because" });
            assert_eq!(refused(outsider.post(&path("bob", action), form).await), expected);
        }
    }
    assert_eq!(mo.get("/api/admin/log").await.1.as_array().map(Vec::len), Some(3));
    assert_eq!(bob.get("/api/account").await.0, 200);
    server.stop().await;
}

#[tokio::test]
async fn invalid_actions_change_nothing() {
    let server = Server::start().await;
    let bob = server.player("Bob").await;
    let mut mo = moderator(&server, "Mo").await;
    let bad = (400, json!("badField"));
    for (action, form) in [
        ("mute", json!({})),
        ("mute", json!({ "reason": " \u{200b} " })),
        ("note", json!({ "reason": "x".repeat(501) })),
        ("close", json!({ "reason": "spam", "days": 0 })),
        ("close", json!({ "reason": "spam", "days": 366 })),
        ("close", json!({ "reason": "spam", "days": -1 })),
        ("unmute", json!({ "reason": "sorry", "days": 7 })),
        ("resolve", json!({ "reason": "done", "days": 7 })),
        ("resolve", json!({ "reason": "" })),
        ("resolve", json!({ "reason": "without a number" })),
    ] {
        assert_eq!(refused(mo.post(&path("bob", action), form.clone()).await), bad, "{form}");
    }
    let form = json!({ "reason": "spam", "days": "soon" });
    assert_eq!(mo.post(&path("bob", "close"), form).await.0, 400);
    let form = || json!({ "reason": "because" });
    for unknown in ["admin", "plain", "erase", "Mute", "nothing"] {
        assert_eq!(mo.post(&path("bob", unknown), form()).await.0, 404, "{unknown}");
    }
    assert_eq!(mo.post(&path("nobody", "mute"), form()).await.0, 404);
    assert_eq!(mo.get("/api/admin/user/nobody").await.0, 404);
    assert_eq!(mo.get("/api/admin/game/nothing1/chat").await.0, 404);
    for query in ["page=0", "page=1001", "page=x", "guests=maybe"] {
        assert_eq!(mo.get(&format!("/api/admin/reports?{query}")).await.0, 400, "{query}");
    }
    // Moderators cannot lock out one another.
    moderator(&server, "Cas").await;
    for name in ["mo", "cas", "sprong-1"] {
        for action in ["mute", "unmute", "close", "reopen", "clear-profile"] {
            let expected = (403, json!("protectedAccount"));
            assert_eq!(refused(mo.post(&path(name, action), form()).await), expected, "{name}");
        }
        assert_eq!(mo.get(&format!("/api/admin/user/{name}")).await.1["canChange"], false);
        assert_eq!(mo.post(&path(name, "note"), form()).await.0, 200);
    }
    let log = mo.get("/api/admin/log").await.1;
    let actions = log.as_array().expect("log").iter().map(|entry| entry["action"].clone());
    assert!(actions.into_iter().all(|action| action == "note" || action == "admin"), "{log}");
    assert_eq!(bob.get("/api/account").await.0, 200);
    // Reports about oneself are resolved by others.
    let form = json!({ "reason": "all lies", "last": 1 });
    assert_eq!(refused(mo.post(&path("mo", "resolve"), form).await), (400, json!("own")));
    server.stop().await;
}

#[tokio::test]
async fn queue_groups_reports_by_player_and_keeps_guests_apart() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let (mut cas, mut guest) = (server.player("Cas").await, server.guest().await);
    let mut mo = moderator(&server, "Mo").await;
    for text in ["one", "two", "three"] {
        report(&mut ann, "Bob", text).await;
    }
    report(&mut ann, "Cas", "by one").await;
    report(&mut bob, "Cas", "by another").await;
    for name in ["Ann", "Bob"] {
        report(&mut guest, name, "a guest").await;
    }
    let queue = mo.get("/api/admin/reports").await.1;
    // Two players are more than three reports of one.
    assert_eq!(names(&queue), ["Cas", "Bob"]);
    assert_eq!(queue["people"][1]["reports"], 3);
    assert_eq!(queue["people"][1]["reporters"], 1);
    assert_eq!((&queue["page"], &queue["hasMore"]), (&json!(1), &json!(false)));
    assert_eq!(names(&mo.get("/api/admin/reports?page=2").await.1), [""; 0]);
    assert_eq!(names(&mo.get("/api/admin/reports?guests=true").await.1), ["Ann", "Bob"]);
    let user = mo.get("/api/admin/user/BOB").await.1;
    let reports = user["reports"].as_array().expect("reports");
    let texts: Vec<_> = reports.iter().map(|one| one["text"].as_str().expect("text")).collect();
    assert_eq!(texts, ["a guest", "three", "two", "one"]);
    assert_eq!(reports[0]["byGuest"], true);
    // Resolved reports follow the open ones.
    let form = |last: &Value| json!({ "reason": "nothing wrong", "last": last });
    // A report that has arrived since then stays open.
    report(&mut cas, "Bob", "meanwhile").await;
    let last = reports[0]["number"].clone();
    let user = mo.post(&path("bob", "resolve"), form(&last)).await.1;
    let reports = user["reports"].as_array().expect("reports");
    let is_done: Vec<_> = reports.iter().map(|one| one["done"] == true).collect();
    assert_eq!(is_done, [false, true, true, true, true], "{user}");
    assert_eq!(reports[0]["text"], "meanwhile");
    let log = user["log"].as_array().expect("log");
    let logged: Vec<_> = log.iter().map(|one| one["report"].as_i64().expect("number")).collect();
    assert_eq!((logged.len(), logged[0]), (4, last.as_i64().expect("number")));
    let again = mo.post(&path("bob", "resolve"), form(&last)).await.1;
    assert_eq!(again["log"], user["log"], "nothing was left");
    assert_eq!(names(&mo.get("/api/admin/reports").await.1), ["Cas", "Bob"]);
    server.stop().await;
}

#[tokio::test]
async fn queue_has_pages() {
    let server = Server::start().await;
    let mo = moderator(&server, "Mo").await;
    let mut ann = server.player("Ann").await;
    let mut bob = server.player("Bob").await;
    for number in 0..31 {
        let name = format!("P{number:02}");
        server.player(&name).await;
        let reporter = if number < 16 { &mut ann } else { &mut bob };
        report(reporter, &name, "").await;
    }
    let first = mo.get("/api/admin/reports").await.1;
    assert_eq!((names(&first).len(), &first["hasMore"]), (30, &json!(true)));
    let second = mo.get("/api/admin/reports?page=2").await.1;
    assert_eq!((names(&second), &second["hasMore"]), (vec!["P30"], &json!(false)));
    server.stop().await;
}

#[tokio::test]
async fn mute_for_a_time_ends() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut mo = moderator(&server, "Mo").await;
    let game = ann.start_game(&mut bob, "caterpillarWar", json!({})).await;
    let chat = format!("/api/board/game/{game}/chat");
    let form = json!({ "reason": "rude\nin game", "days": 3 });
    let user = mo.post(&path("bob", "mute"), form).await.1;
    let until_ms = user["unmutesAt"].as_i64().expect("an end");
    let left_ms = until_ms - sprong::rooms::now_ms();
    assert!((3 * DAY_MS - 60_000..=3 * DAY_MS).contains(&left_ms), "{user}");
    assert_eq!(user["log"][0]["until"], until_ms);
    assert_eq!(user["log"][0]["moderator"], "Mo");
    assert_eq!(user["log"][0]["reason"], "rude\nin game");
    let muted = (400, json!("muted"));
    assert_eq!(refused(bob.post(&chat, json!({ "text": "hello" })).await), muted);
    let store = server.rooms.store();
    store.end_moderation(until_ms - 1).await.expect("nothing to end");
    assert_eq!(refused(bob.post(&chat, json!({ "text": "hello" })).await), muted);
    store.end_moderation(until_ms).await.expect("ended");
    assert_eq!(bob.post(&chat, json!({ "text": "hello" })).await.0, 200);
    let user = mo.get("/api/admin/user/bob").await.1;
    assert_eq!((&user["muted"], &user["log"][0]["action"]), (&json!(false), &json!("unmute")));
    assert_eq!(user["log"][0]["moderator"], "sprong");
    // One for good has no end, also after one for a time.
    for form in [json!({ "reason": "rude", "days": 1 }), json!({ "reason": "rude" })] {
        assert_eq!(mo.post(&path("bob", "mute"), form).await.0, 200);
    }
    store.end_moderation(until_ms + 400 * DAY_MS).await.expect("nothing to end");
    assert_eq!(refused(bob.post(&chat, json!({ "text": "hello" })).await), muted);
    // Moderators read both chats, also what others do not see.
    let line = json!({ "text": "who plays?", "room": "spectator" });
    assert_eq!(server.player("Cas").await.post(&chat, line).await.0, 200);
    let lines = mo.get(&format!("/api/admin/game/{game}/chat")).await.1;
    let texts = lines.as_array().expect("lines").iter().map(|line| (&line["room"], &line["text"]));
    let expected = [("player", "hello"), ("spectator", "who plays?")];
    assert!(
        texts.eq(expected
            .map(|(room, text)| (json!(room), json!(text)))
            .iter()
            .map(|(room, text)| (room, text))),
        "{lines}"
    );
    server.stop().await;
}

#[tokio::test]
async fn closing_for_a_time_is_told_at_the_login_and_ends() {
    let server = Server::start().await;
    let bob = server.player("Bob").await;
    let mut mo = moderator(&server, "Mo").await;
    let mut socket = bob.socket("/ws/me").await;
    socket.until("hello").await;
    let form = json!({ "reason": "cheats", "days": 30 });
    let user = mo.post(&path("bob", "close"), form).await.1;
    let until_ms = user["reopensAt"].as_i64().expect("an end");
    assert_eq!(socket.until_closed().await, 4401);
    assert_eq!(bob.get("/api/account").await.0, 401);
    let login = async |password: &str| {
        let who = json!({ "username": "bob", "password": password });
        Player::anonymous(server.addr).post("/api/login", who).await
    };
    let (status, body) = login("correct-horse").await;
    assert_eq!(
        (status, &body["reason"], &body["until"]),
        (403, &json!("accountClosed"), &json!(until_ms))
    );
    assert!(!body.to_string().contains("cheats"), "{body}");
    // Others do not learn it.
    assert_eq!(refused(login("wrong-horse").await), (401, json!("badLogin")));
    server.rooms.store().end_moderation(until_ms).await.expect("ended");
    assert_eq!(login("correct-horse").await.0, 200);
    // For good: there is no end, and the moderators can undo it.
    assert_eq!(mo.post(&path("bob", "close"), json!({ "reason": "again" })).await.0, 200);
    server.rooms.store().end_moderation(until_ms + 400 * DAY_MS).await.expect("nothing to end");
    let (status, body) = login("correct-horse").await;
    assert_eq!(
        (status, &body["reason"], &body["until"]),
        (403, &json!("accountClosed"), &Value::Null)
    );
    assert_eq!(mo.post(&path("bob", "reopen"), json!({ "reason": "sorry" })).await.0, 200);
    assert_eq!(login("correct-horse").await.0, 200);
    server.stop().await;
}

/// An account that its player has closed is not reopened by the end of a moderator's time, and a
/// log-in does not name a moderator, also after an earlier action.
#[tokio::test]
async fn own_closing_does_not_end() {
    let server = Server::start().await;
    let mut bob = server.player("Bob").await;
    let mut mo = moderator(&server, "Mo").await;
    for action in ["close", "reopen"] {
        assert_eq!(mo.post(&path("bob", action), json!({ "reason": "a test" })).await.0, 200);
    }
    let who = json!({ "username": "bob", "password": "correct-horse" });
    assert_eq!(bob.post("/api/login", who.clone()).await.0, 200);
    assert_eq!(bob.post("/api/account/close", json!({ "password": "correct-horse" })).await.0, 200);
    let bad_login = (401, json!("badLogin"));
    assert_eq!(
        refused(Player::anonymous(server.addr).post("/api/login", who.clone()).await),
        bad_login
    );
    let form = json!({ "reason": "cheated", "days": 1 });
    let user = mo.post(&path("bob", "close"), form).await.1;
    assert_eq!((&user["reopensAt"], &user["log"][0]["until"]), (&Value::Null, &Value::Null));
    server.rooms.store().end_moderation(i64::MAX).await.expect("nothing to end");
    assert_eq!(mo.get("/api/user/bob").await.1["closed"], true);
    assert_eq!(refused(Player::anonymous(server.addr).post("/api/login", who).await), bad_login);
    server.stop().await;
}

/// A closing with an end keeps what its player needs afterwards, one without an end does not.
#[tokio::test]
async fn closing_with_an_end_keeps_tokens() {
    let server = Server::start().await;
    let bob = server.player("Bob").await;
    let mut mo = moderator(&server, "Mo").await;
    let token = bob.api_client("challenge:read").await;
    let close = async |mo: &mut Player, form: Value| {
        let user = mo.post(&path("bob", "close"), form).await.1;
        assert_eq!(refused(token.get("/api/account").await), (401, json!("badToken")));
        user["reopensAt"].as_i64()
    };
    let until_ms = close(&mut mo, json!({ "reason": "spam", "days": 1 })).await.expect("an end");
    server.rooms.store().end_moderation(until_ms).await.expect("ended");
    assert_eq!(token.get("/api/account").await.0, 200);
    // One without an end can get one.
    assert_eq!(close(&mut mo, json!({ "reason": "spam" })).await, None);
    let until_ms = close(&mut mo, json!({ "reason": "too hard", "days": 2 })).await;
    server.rooms.store().end_moderation(until_ms.expect("an end")).await.expect("ended");
    assert_eq!(token.get("/api/account").await.0, 401, "the token was ended before");
    let who = json!({ "username": "bob", "password": "correct-horse" });
    assert_eq!(Player::anonymous(server.addr).post("/api/login", who).await.0, 200);
    server.stop().await;
}

#[tokio::test]
async fn guests_are_moderated_by_id() {
    let server = Server::start().await;
    let mut ann = server.player("Ann").await;
    let mut mo = moderator(&server, "Mo").await;
    let guest = server.guest().await;
    report(&mut ann, &guest.id, "a guest").await;
    let queue = mo.get("/api/admin/reports").await.1;
    assert_eq!(queue["people"][0]["id"], guest.id.as_str());
    let user = mo.get(&format!("/api/admin/user/{}", guest.id)).await.1;
    assert_eq!((&user["guest"], &user["reports"][0]["text"]), (&json!(true), &json!("a guest")));
    // A guest could not return: the closing has no end.
    let form = json!({ "reason": "spam", "days": 1 });
    let user = mo.post(&path(&guest.id, "close"), form).await.1;
    assert_eq!((&user["reopensAt"], &user["log"][0]["until"]), (&Value::Null, &Value::Null));
    assert_eq!(user["log"][0]["aboutId"], guest.id.as_str());
    assert_eq!(guest.get("/api/account").await.0, 401);
    server.stop().await;
}

/// The server looks for ends by itself.
#[tokio::test]
async fn server_ends_what_is_due() {
    let server = Server::start().await;
    server.player("Bob").await;
    let mut mo = moderator(&server, "Mo").await;
    let mute = sprong::store::LimitedAction {
        action: sprong::store::ModAction::Mute,
        until_ms: Some(sprong::rooms::now_ms() - 1),
    };
    let store = server.rooms.store();
    let done = store.moderate("bob".to_owned(), mute, Default::default(), 0).await;
    assert!(done.expect("stored"));
    wait_until("the mute does not end", async || {
        mo.get("/api/admin/user/bob").await.1["muted"] == false
    })
    .await;
    let log = mo.post(&path("bob", "note"), json!({ "reason": "look" })).await.1["log"].clone();
    assert_eq!((&log[1]["action"], &log[1]["moderator"]), (&json!("unmute"), &json!("sprong")));
    server.stop().await;
}

/// An erased account gets no end that would be looked for again and again.
#[tokio::test]
async fn erased_account_is_not_closed_for_a_time() {
    let server = Server::start().await;
    let bob = server.player("Bob").await;
    let mut mo = moderator(&server, "Mo").await;
    let form = json!({ "reason": "spam", "days": 1 });
    assert_eq!(mo.post(&path("bob", "close"), form.clone()).await.0, 200);
    let store = server.rooms.store();
    let erase = sprong::store::ModAction::Erase;
    assert!(store.moderate("bob".to_owned(), erase, Default::default(), 0).await.expect("stored"));
    let user = mo.post(&path("bob", "close"), form).await.1;
    assert_eq!((&user["reopensAt"], &user["log"][0]["until"]), (&Value::Null, &Value::Null));
    store.end_moderation(i64::MAX).await.expect("nothing to end");
    assert_eq!(bob.get("/api/account").await.0, 401);
    server.stop().await;
}

/// The name of a moderator in the log goes with the account, and so does an end that is due later.
#[tokio::test]
async fn erasure_removes_the_name_of_a_moderator() {
    let server = Server::start().await;
    server.player("Bob").await;
    let mut mo = moderator(&server, "Mo").await;
    assert_eq!(mo.post(&path("bob", "note"), json!({ "reason": "look" })).await.0, 200);
    let (store, erase) = (server.rooms.store(), sprong::store::ModAction::Erase);
    let mute = json!({ "reason": "rude", "days": 1 });
    assert_eq!(mo.post(&path("bob", "mute"), mute).await.0, 200);
    for name in ["mo", "bob"] {
        let done = store.moderate(name.to_owned(), erase, Default::default(), 0).await;
        assert!(done.expect("stored"));
    }
    let log = async || store.mod_log(String::new()).await.expect("log");
    wait_until("the erasure does not end", async || {
        log()
            .await
            .iter()
            .all(|entry| entry.moderator != "Mo" && entry.about.as_deref() != Some("Bob"))
    })
    .await;
    store.end_moderation(i64::MAX).await.expect("nothing to end");
    let actions: Vec<_> = log().await.into_iter().map(|entry| entry.action).collect();
    assert_eq!(actions, ["erase", "erase", "mute", "note", "admin"]);
    server.stop().await;
}

/// Spectators could advise a moderator who plays.
#[tokio::test]
async fn playing_moderator_does_not_see_the_chat_of_spectators() {
    let server = Server::start().await;
    let (mut bob, mut cas) = (server.player("Bob").await, server.player("Cas").await);
    let mut mo = moderator(&server, "Mo").await;
    let game = mo.start_game(&mut bob, "caterpillarWar", json!({ "days": 3 })).await;
    let chat = format!("/api/board/game/{game}/chat");
    assert_eq!(bob.post(&chat, json!({ "text": "good luck" })).await.0, 200);
    let advice = json!({ "text": "move the other one", "room": "spectator" });
    assert_eq!(cas.post(&chat, advice).await.0, 200);
    let count = async |mo: &Player| {
        let lines = mo.get(&format!("/api/admin/game/{game}/chat")).await.1;
        lines.as_array().map(Vec::len)
    };
    assert_eq!(count(&mo).await, Some(1));
    assert_eq!(bob.post(&format!("/api/board/game/{game}/abort"), json!({})).await.0, 200);
    assert_eq!(count(&mo).await, Some(2));
    server.stop().await;
}

/// The archive has the actions that concern the player, without reasons, and no notes.
#[tokio::test]
async fn archive_has_no_notes_of_moderators() {
    let server = Server::start().await;
    let bob = server.player("Bob").await;
    let (mut ann, mut mo) = (server.player("Ann").await, moderator(&server, "Mo").await);
    report(&mut ann, "Bob", "he\u{202e} cheats\u{0}").await;
    let user = mo.post(&path("bob", "note"), json!({ "reason": "strange games" })).await.1;
    assert_eq!(user["reports"][0]["text"], "he cheats");
    let last = &user["reports"][0]["number"];
    for (action, form) in [
        ("resolve", json!({ "reason": "looked", "last": last })),
        ("mute", json!({ "reason": "rude", "days": 1 })),
    ] {
        assert_eq!(mo.post(&path("bob", action), form).await.0, 200);
    }
    let archive = archive(&bob).await;
    let actions = &archive["moderation"];
    assert_eq!((actions.len(), &actions[0]["action"]), (1, &json!("mute")), "{archive:?}");
    assert!(actions[0]["until"].is_i64(), "{archive:?}");
    assert!(!format!("{archive:?}").contains("rude"), "{archive:?}");
    server.stop().await;
}

#[tokio::test]
async fn profile_is_emptied() {
    let server = Server::start().await;
    let mut bob = server.player("Bob").await;
    let mut mo = moderator(&server, "Mo").await;
    let texts = json!({ "bio": "Buy my things", "location": "Here" });
    assert_eq!(bob.post("/api/account/profile", texts).await.0, 200);
    let user = mo.post(&path("bob", "clear-profile"), json!({ "reason": "advertising" })).await.1;
    assert_eq!((&user["bio"], &user["location"]), (&json!(""), &json!("")));
    let profile = bob.get("/api/user/bob").await.1["profile"].clone();
    assert_eq!(profile, json!({ "bio": "", "location": "" }));
    assert_eq!(user["log"][0]["action"], "clear-profile");
    server.stop().await;
}
