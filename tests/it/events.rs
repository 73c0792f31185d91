//! Game nights: commands of operators, interest of players, announcements of starts by push
//! messages and on pages, weekly ones, and their removal.

use crate::erasure::archive;
use crate::support::client::{Player, Server, refused, wait_until};
use crate::support::database::Database;
use crate::support::push_service::{Browser, PushService};
use reqwest::Method;
use serde_json::{Value, json};
use sprong::rooms::now_ms;
use sprong::store::{GameNight, StartRecipient};
use std::collections::BTreeSet;

const MINUTE_MS: i64 = 60_000;
const HOUR_MS: i64 = 60 * MINUTE_MS;
const DAY_MS: i64 = 24 * HOUR_MS;

/// Returns a time in the form of the command.
fn time_text(at_ms: i64) -> String {
    let at = jiff::Timestamp::from_millisecond(at_ms).expect("a time");
    format!("{at:.0}")
}

/// Adds a game night of an hour that begins tomorrow. Returns its number.
pub async fn add_game_night(server: &Server, variant: &str, options: &[&str]) -> i64 {
    let start = time_text(now_ms() + DAY_MS);
    let (done, text) = server.admin(&[&["add-event", variant, &start][..], options].concat());
    assert!(done, "{text}");
    text.split(' ').nth(1).and_then(|number| number.parse().ok()).expect("a number")
}

/// Moves the start of a game night.
pub async fn set_start(server: &Server, number: i64, starts_ms: i64) {
    let sql = format!("UPDATE event SET starts_ms = {starts_ms} WHERE seq = {number}");
    server.database().await.run(&sql).await;
}

/// Lets a player be interested in a game night.
pub async fn add_interest(player: &mut Player, number: i64) {
    let (status, body) = player.post(&format!("/api/event/{number}/interest"), json!({})).await;
    assert_eq!((status, body), (200, json!({ "ok": true })));
}

async fn remove_interest(player: &mut Player, number: i64) -> (u16, Value) {
    let path = format!("/api/event/{number}/interest");
    player.send(|request| request, Method::DELETE, &path).await
}

async fn list(player: &Player) -> Vec<Value> {
    let (status, body) = player.get("/api/event").await;
    assert_eq!(status, 200, "{body}");
    body.as_array().expect("game nights").clone()
}

/// Returns number, count and interest of the listed game nights.
async fn interests(player: &Player) -> Vec<[Value; 3]> {
    let nights = list(player).await.into_iter();
    nights
        .map(|night| ["id", "interestedCount", "interested"].map(|key| night[key].clone()))
        .collect()
}

async fn subscribe(player: &mut Player, service: &PushService, number: u8) -> Browser {
    let browser = Browser::new(service, number);
    assert_eq!(player.post("/api/push/subscribe", browser.form()).await.0, 200);
    browser
}

fn arguments(service: &PushService) -> [&str; 4] {
    ["--reminder-interval-ms", "20", "--push-service", &service.origin]
}

/// Waits until the start of a game night is claimed for all its accounts.
async fn wait_for_claims(server: &Server) {
    let database = server.database().await;
    wait_until("a start is not announced", async || {
        let sql = "SELECT count(*) FROM event_interest JOIN event ON seq = event
                   WHERE announced_ms < starts_ms";
        database.count(sql).await == 0
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn operator_adds_lists_and_removes_game_nights() {
    let server = Server::start().await;
    let start = time_text(now_ms() + DAY_MS);
    let (done, text) = server.admin(&["add-event", "hogga", &start, "--reason", "Friday"]);
    assert!(done && text == format!("event 1 at {start}\n"), "{text}");
    let later = time_text(now_ms() + 365 * DAY_MS);
    let (done, text) =
        server.admin(&["add-event", "knightFight", &later, "--minutes", "90", "--weekly"]);
    assert!(done, "{text}");
    let (_, text) = server.admin(&["events"]);
    let expected = format!(
        "1\t{start}\thogga\t60 min\t0 interested\n\
         2\t{later}\tknightFight\t90 min\t0 interested\tweekly\n"
    );
    assert_eq!(text, expected);
    // A running server lists them at once.
    let night = list(&Player::anonymous(server.addr)).await[0].clone();
    let starts_at = night["startsAt"].as_i64().expect("start");
    assert_eq!(time_text(starts_at), start);
    let expected = json!({
        "id": 1, "variant": { "key": "hogga", "name": "Hogga", "short": "Hogga" },
        "startsAt": starts_at, "endsAt": starts_at + HOUR_MS, "weekly": false,
        "interestedCount": 0, "interested": false,
    });
    assert_eq!(night, expected);
    assert!(server.admin(&["remove-event", "1"]).0);
    let (done, text) = server.admin(&["remove-event", "1"]);
    assert!(!done && text.contains("there is no event 1"), "{text}");
    let nights = list(&Player::anonymous(server.addr)).await;
    assert_eq!(nights.iter().map(|night| &night["id"]).collect::<Vec<_>>(), [2]);
    let (_, log) = server.admin(&["log"]);
    let actions: Vec<Vec<&str>> = log.lines().map(|line| line.split('\t').collect()).collect();
    let shown: Vec<[&str; 3]> = actions.iter().map(|line| [line[2], line[3], line[5]]).collect();
    let expected = [
        ["remove-event", "-", "1 hogga"],
        ["add-event", "-", "2 knightFight"],
        ["add-event", "-", "1 hogga: Friday"],
    ];
    assert_eq!(shown, expected);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn invalid_game_nights_are_refused() {
    let server = Server::start().await;
    let start = time_text(now_ms() + DAY_MS);
    let [past, far] = [-MINUTE_MS, 367 * DAY_MS].map(|ms| time_text(now_ms() + ms));
    let local = start.trim_end_matches('Z');
    for (arguments, why) in [
        (vec!["chess", &start], "possible values: "),
        (vec!["hogga"], "<START>"),
        (vec!["hogga", "tomorrow"], "invalid value 'tomorrow'"),
        (vec!["hogga", local], "invalid value"),
        (vec!["hogga", "-9999-01-01T00:00:00Z"], "-9"),
        (vec!["hogga", &past], "is in the past or more than a year ahead"),
        (vec!["hogga", &far], "is in the past or more than a year ahead"),
        (vec!["hogga", "9999-12-30T00:00:00Z"], "is in the past or more than a year ahead"),
        (vec!["hogga", &start, "--minutes", "9"], "9 is not in 10..=720"),
        (vec!["hogga", &start, "--minutes", "721"], "721 is not in 10..=720"),
    ] {
        let (done, text) = server.admin(&[&["add-event"][..], &arguments].concat());
        assert!(!done && text.contains(why), "{arguments:?}: {text}");
    }
    let (done, text) = server.admin(&["remove-event", "first"]);
    assert!(!done && text.contains("invalid digit"), "{text}");
    assert_eq!(server.admin(&["log"]).1, "");
    let rows = vec![format!("('hogga', {}, 60, FALSE)", now_ms() + HOUR_MS); 20].join(", ");
    let sql = format!("INSERT INTO event (variant, starts_ms, minutes, weekly) VALUES {rows}");
    server.database().await.run(&sql).await;
    let (done, text) = server.admin(&["add-event", "hogga", &start]);
    assert!(!done && text.contains("there are 20 events: remove one first"), "{text}");
    // Game nights that have ended do not count.
    set_start(&server, 20, now_ms() - 2 * HOUR_MS).await;
    assert_eq!(add_game_night(&server, "hogga", &[]).await, 21);
    assert!(server.admin(&["events"]).1.lines().any(|line| line.ends_with("\tended")));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn interest_is_counted_and_told_to_its_account() {
    let server = Server::start().await;
    let (first, second) =
        (add_game_night(&server, "hogga", &[]).await, add_game_night(&server, "hogga", &[]).await);
    let (mut ann, mut guest) = (server.player("Ann").await, server.guest().await);
    for player in [&mut ann, &mut guest] {
        add_interest(player, first).await;
    }
    // A repeated one is the same.
    add_interest(&mut ann, first).await;
    let anonymous = Player::anonymous(server.addr);
    let others = [json!(second), json!(0), json!(false)];
    let of_first = |count: i64, is_own: bool| [json!(first), json!(count), json!(is_own)];
    assert_eq!(interests(&ann).await, [of_first(2, true), others.clone()]);
    assert_eq!(interests(&anonymous).await, [of_first(2, false), others.clone()]);
    assert!(server.admin(&["events"]).1.contains("\t2 interested"));
    let stored = archive(&ann).await["gameNight"].clone();
    assert_eq!((stored.len(), &stored[0]["id"]), (1, &json!(first)));
    assert_eq!(remove_interest(&mut guest, first).await.0, 200);
    assert_eq!(remove_interest(&mut guest, first).await.0, 200);
    assert_eq!(interests(&guest).await, [of_first(1, false), others]);
    // Others than browsers with a session are refused, as are other numbers.
    let mut program = ann.api_client("board:play").await;
    for (client, status) in [(&mut program, 403), (&mut anonymous.clone(), 401)] {
        let path = format!("/api/event/{first}/interest");
        assert_eq!(client.post(&path, json!({})).await.0, status);
        assert_eq!(remove_interest(client, first).await.0, status);
    }
    for id in ["99", "-1", "x", "9223372036854775808", "1%20", "%00"] {
        let path = format!("/api/event/{id}/interest");
        let (status, body) = refused(ann.post(&path, json!({})).await);
        assert_eq!(status, 404, "{id} {body}");
        let answer = ann.send(|request| request, Method::DELETE, &path).await;
        assert_eq!(answer.0, 404, "{id} {}", answer.1);
    }
    let (mut cat, password) = (server.player("Cat").await, json!({ "password": "correct-horse" }));
    add_interest(&mut cat, first).await;
    assert_eq!(cat.post("/api/account/close", password).await.0, 200);
    assert_eq!(interests(&ann).await[0], of_first(1, true));
    // One that has ended is not listed, and interest in it is refused.
    set_start(&server, second, now_ms() - HOUR_MS).await;
    assert_eq!(interests(&ann).await, [of_first(1, true)]);
    assert_eq!(ann.post(&format!("/api/event/{second}/interest"), json!({})).await.0, 404);
    let erase = json!({ "password": "correct-horse" });
    assert_eq!(ann.post("/api/account/erase", erase).await.0, 200);
    let database = server.database().await;
    wait_until("the interest of an erased account stays", async || {
        database.count("SELECT count(*) FROM event_interest").await == 0
    })
    .await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn start_is_pushed_once_to_the_interested() {
    let mut service = PushService::start().await;
    let server = Server::start_with(&arguments(&service)).await;
    let number = add_game_night(&server, "hogga", &[]).await;
    let other = add_game_night(&server, "knightFight", &[]).await;
    let [mut ann, mut bob, mut cat] =
        [server.player("Ann").await, server.player("Bob").await, server.player("Cat").await];
    let mut guest = server.guest().await;
    let browser = subscribe(&mut ann, &service, 1).await;
    let of_guest = Browser::new(&service, 2);
    let mut form = of_guest.form();
    form["language"] = json!("sv");
    assert_eq!(guest.post("/api/push/subscribe", form).await.0, 200);
    subscribe(&mut bob, &service, 3).await;
    subscribe(&mut cat, &service, 4).await;
    for player in [&mut ann, &mut bob, &mut guest] {
        add_interest(player, number).await;
    }
    let off = json!({ "myTurn": true, "challenge": true, "gameStart": true, "eventStart": false });
    assert_eq!(bob.post("/api/push/kinds", off).await.0, 200);
    // Players on a page get the message as well.
    let mut socket = ann.socket("/ws/me").await;
    socket.until("hello").await;
    set_start(&server, number, now_ms() - 1000).await;
    wait_for_claims(&server).await;
    let mut messages = [service.next().await, service.next().await];
    messages.sort_by(|one, two| one.path.cmp(&two.path));
    let expected = json!({
        "kind": "eventStart", "title": "Game night", "body": "Hogga: on now.",
        "path": "/events", "tag": format!("event-{number}"),
    });
    assert_eq!(browser.read(&messages[0]), expected);
    assert_eq!(of_guest.read(&messages[1])["body"], "Hogga: pågår nu.");
    let ttl_s: i64 = messages[0].header("ttl").parse().expect("seconds");
    assert!((3500..3600).contains(&ttl_s), "{ttl_s}");
    assert_eq!(messages[0].header("urgency"), "high");
    // After a restart only the next one is announced; interest during a game night comes too late.
    let folder = server.stop().await;
    assert!(service.is_empty());
    let server = Server::open(folder, &arguments(&service)).await;
    for player in [&mut ann, &mut cat] {
        player.addr = server.addr;
    }
    add_interest(&mut cat, number).await;
    add_interest(&mut cat, other).await;
    set_start(&server, other, now_ms() - 1000).await;
    wait_for_claims(&server).await;
    assert_eq!(service.next().await.path, "/4");
    server.stop().await;
    assert!(service.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn restart_during_a_start_loses_and_repeats_nothing() {
    let mut service = PushService::start().await;
    let server = Server::start_with(&arguments(&service)).await;
    let number = add_game_night(&server, "hogga", &[]).await;
    let guests = 1..=40;
    for own in guests.clone() {
        let mut guest = server.guest().await;
        subscribe(&mut guest, &service, own).await;
        add_interest(&mut guest, number).await;
    }
    set_start(&server, number, now_ms() - 1000).await;
    let mut paths = BTreeSet::from([service.next().await.path]);
    let server = Server::open(server.stop().await, &arguments(&service)).await;
    wait_for_claims(&server).await;
    // A stop waits for the messages under way.
    server.stop().await;
    while let Some(message) = service.try_next() {
        assert!(paths.insert(message.path), "a repeated message");
    }
    assert_eq!(paths.len(), guests.count());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn start_while_no_server_runs_is_announced_until_the_end() {
    let mut service = PushService::start().await;
    let server = Server::start_with(&arguments(&service)).await;
    let [missed, running] = [
        add_game_night(&server, "hogga", &[]).await,
        add_game_night(&server, "knightFight", &["--minutes", "10"]).await,
    ];
    let mut ann = server.player("Ann").await;
    let browser = subscribe(&mut ann, &service, 1).await;
    for number in [missed, running] {
        add_interest(&mut ann, number).await;
    }
    let address = server.database_address();
    let folder = server.stop().await;
    for (number, starts_ms) in [(missed, now_ms() - HOUR_MS), (running, now_ms() - 9 * MINUTE_MS)] {
        let sql = format!("UPDATE event SET starts_ms = {starts_ms} WHERE seq = {number}");
        Database::open(&address).await.run(&sql).await;
    }
    let server = Server::open(folder, &arguments(&service)).await;
    let text = browser.read(&service.next().await);
    assert_eq!(text["body"], "Knight Fight: on now.");
    let claimed = server.database().await;
    let sql = "SELECT count(*) FROM event_interest WHERE announced_ms > 0";
    assert_eq!(claimed.count(sql).await, 1);
    server.stop().await;
    assert!(service.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn weekly_game_night_keeps_its_interest() {
    let mut service = PushService::start().await;
    let server = Server::start_with(&arguments(&service)).await;
    let number = add_game_night(&server, "hogga", &["--weekly"]).await;
    let mut ann = server.player("Ann").await;
    subscribe(&mut ann, &service, 1).await;
    add_interest(&mut ann, number).await;
    for weeks in [1, 3] {
        set_start(&server, number, now_ms() - 1000).await;
        assert_eq!(service.next().await.path, "/1");
        // Its end is in the past, also by some weeks.
        let starts_ms = now_ms() - (weeks - 1) * 7 * DAY_MS - HOUR_MS;
        set_start(&server, number, starts_ms).await;
        wait_until("the game night has no next start", async || {
            let nights = list(&ann).await;
            nights.first().is_some_and(|night| {
                night["startsAt"] == starts_ms + weeks * 7 * DAY_MS && night["interested"] == true
            })
        })
        .await;
    }
    server.stop().await;
    assert!(service.is_empty());
}

/// Replaces the language of the subscription `/1` by a value that the server cannot read.
async fn damage_subscription(server: &Server) {
    let database = server.database().await;
    let sql = match &database {
        Database::Sqlite(_) => "UPDATE push_subscription SET language = CAST(x'ff' AS TEXT)",
        Database::Postgres(_) => {
            "ALTER TABLE push_subscription ALTER COLUMN language DROP NOT NULL;
             UPDATE push_subscription SET language = NULL"
        }
    };
    database.run(&format!("{sql} WHERE endpoint LIKE '%/1'")).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn account_that_fails_delays_no_start_for_others() {
    let mut service = PushService::start().await;
    let server = Server::start_with(&arguments(&service)).await;
    let number = add_game_night(&server, "hogga", &[]).await;
    for own in 1..=3 {
        let mut guest = server.guest().await;
        subscribe(&mut guest, &service, own).await;
        add_interest(&mut guest, number).await;
    }
    damage_subscription(&server).await;
    set_start(&server, number, now_ms() - 1000).await;
    let paths = BTreeSet::from([service.next().await.path, service.next().await.path]);
    assert_eq!(paths, BTreeSet::from(["/2".to_owned(), "/3".to_owned()]));
    // It gets its message once it can be read.
    server.database().await.run("UPDATE push_subscription SET language = 'nl'").await;
    assert_eq!(service.next().await.path, "/1");
    server.stop().await;
    assert!(service.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn start_is_claimed_once() {
    let server = Server::start_with(&["--no-push"]).await;
    let number = add_game_night(&server, "hogga", &[]).await;
    let mut ann = server.player("Ann").await;
    add_interest(&mut ann, number).await;
    let (store, before_all) = (server.rooms.store(), StartRecipient::BEFORE_ALL);
    let running = async || store.running_game_nights(now_ms()).await.expect("read").pop();
    let recipients = async |night: &GameNight, after: StartRecipient| {
        store.start_recipients(night, after, 1).await.expect("read")
    };
    assert_eq!(running().await, None);
    set_start(&server, number, now_ms() - 1000).await;
    let night = running().await.expect("a game night");
    let recipient = recipients(&night, before_all).await[0];
    assert_eq!(recipients(&night, recipient).await, []);
    let claim = async |night: &GameNight| {
        store.claim_start_announcement(night, recipient.account).await.expect("stored")
    };
    let claims = tokio::join!(claim(&night), claim(&night), claim(&night));
    assert_eq!([claims.0, claims.1, claims.2].iter().filter(|done| **done).count(), 1);
    assert_eq!(recipients(&night, before_all).await, []);
    // The next start has a claim of its own, unless the operator moves it, or the player leaves.
    set_start(&server, number, now_ms() - 500).await;
    let mut next = running().await.expect("a game night");
    assert_eq!(recipients(&next, before_all).await[0].account, recipient.account);
    assert!(!claim(&night).await);
    assert_eq!(remove_interest(&mut ann, number).await.0, 200);
    assert!(!claim(&next).await);
    add_interest(&mut ann, number).await;
    assert_eq!(recipients(&next, before_all).await, [], "interest during a game night");
    next.starts_ms += 1;
    assert!(!claim(&next).await);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn game_nights_are_news_of_the_interested() {
    let server = Server::start().await;
    let [running, later, ended] = [
        add_game_night(&server, "hogga", &[]).await,
        add_game_night(&server, "hogga", &[]).await,
        add_game_night(&server, "hogga", &[]).await,
    ];
    let (mut ann, bob) = (server.player("Ann").await, server.player("Bob").await);
    for number in [running, later, ended] {
        add_interest(&mut ann, number).await;
    }
    set_start(&server, running, now_ms() - 1000).await;
    set_start(&server, later, now_ms() + 300 * DAY_MS).await;
    set_start(&server, ended, now_ms() - HOUR_MS).await;
    for path in ["/ws/me", "/ws/lobby"] {
        let hello = ann.socket(path).await.until("hello").await;
        let events = hello["d"]["events"].as_array().expect("game nights").clone();
        let ids: BTreeSet<_> = events.iter().map(|night| night["id"].as_i64()).collect();
        assert_eq!(ids, BTreeSet::from([Some(running), Some(later)]), "{path}");
        let hello = bob.socket(path).await.until("hello").await;
        assert_eq!(hello["d"].get("events"), None, "{path}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ended_game_nights_are_removed_after_a_week() {
    let server = Server::start().await;
    let [ended, weekly] = [
        add_game_night(&server, "hogga", &[]).await,
        add_game_night(&server, "hogga", &["--weekly"]).await,
    ];
    let mut ann = server.player("Ann").await;
    for number in [ended, weekly] {
        add_interest(&mut ann, number).await;
        set_start(&server, number, now_ms() - HOUR_MS).await;
    }
    for (after_ms, count) in [(6 * DAY_MS, 0), (8 * DAY_MS, 1)] {
        let removed = server.rooms.remove_old_rows(now_ms() + after_ms).await.expect("removed");
        assert_eq!(removed.game_nights, count);
    }
    let database = server.database().await;
    assert_eq!(database.count("SELECT count(*) FROM event").await, 1);
    assert_eq!(database.count("SELECT count(*) FROM event_interest").await, 1);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn page_lists_the_game_nights_in_each_language() {
    let server = Server::start().await;
    let page = async |language: &str| {
        let url = format!("http://{}/events", server.addr);
        let request = reqwest::Client::new().get(url).header("accept-language", language);
        request.send().await.expect("response").text().await.expect("page")
    };
    for (language, none) in [
        ("en", "No game night is planned"),
        ("nl", "Er is geen spelavond gepland"),
        ("sv", "Ingen spelkväll är planerad"),
    ] {
        assert!(page(language).await.contains(none), "{language}");
    }
    let number = add_game_night(&server, "knightFight", &["--minutes", "45", "--weekly"]).await;
    let starts_ms = 4_102_513_200_000;
    set_start(&server, number, starts_ms).await;
    for (language, words) in [
        ("en", ["Knight Fight", "45 minutes", "every week"]),
        ("nl", ["Paardengevecht", "45 minuten", "elke week"]),
        ("sv", ["Springarkampen", "45 minuter", "varje vecka"]),
    ] {
        let text = page(language).await;
        let known = [
            &format!("data-starts-at=\"{starts_ms}\"") as &str,
            "2100-01-01 19:00 UTC",
            "href=\"/find?variant=knightFight\"",
        ];
        for word in words.iter().chain(&known) {
            assert!(text.contains(word), "{language}: {word}");
        }
    }
    server.stop().await;
}
