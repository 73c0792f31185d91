//! Reminders before the deadlines of games without a clock: when and to which players they are
//! sent, by push messages and by e-mail, and their settings.

mod mails;
mod settings;

use crate::support::client::{Player, Server};
use crate::support::push_service::{Browser, PushService};
use serde_json::{Value, json};
use sprong::rooms::now_ms;
use sprong::rules::Side;
use sprong::store::{ReminderChannel, ReminderClaim, ReminderTime};

const HOUR_MS: i64 = 3_600_000;
const MINUTE_MS: i64 = 60_000;
const PATH: &str = "/api/account/reminders";

/// Path of the browser of [`Scene::finish_searches`] at the push service.
const MARKER: u8 = 99;

/// Server that searches all the time, and its push service.
struct Scene {
    server: Server,
    service: PushService,
    /// Game whose reminders show that searches have ended.
    marker: String,
}

fn arguments(service: &PushService) -> [&str; 4] {
    ["--reminder-interval-ms", "20", "--push-service", &service.origin]
}

impl Scene {
    async fn start() -> Scene {
        let service = PushService::start().await;
        let server = Server::start_with(&arguments(&service)).await;
        let (mut one, mut two) = (server.player("One").await, server.player("Two").await);
        let marker = one.start_game(&mut two, "hogga", json!({ "days": 3 })).await;
        subscribe(&mut one, &service, MARKER).await;
        set_time_left(&server, &[&marker], HOUR_MS).await;
        let mut scene = Scene { server, service, marker };
        assert_eq!(scene.service.next().await.path, format!("/{MARKER}"));
        scene
    }

    async fn restart(mut self) -> Scene {
        let arguments = arguments(&self.service);
        self.server = Server::open(self.server.stop().await, &arguments).await;
        self
    }

    /// Waits until a search that begins now has sent its messages, and checks that the marker gets
    /// all. The first message may be that of an earlier search; the third follows all messages of
    /// the second search.
    async fn finish_searches(&mut self) {
        let sql = format!(
            "DELETE FROM reminder WHERE game_id = (SELECT key FROM game WHERE id = '{}')",
            self.marker
        );
        for _ in 0..3 {
            self.server.database().await.run(&sql).await;
            assert_eq!(self.service.next().await.path, format!("/{MARKER}"));
        }
        assert!(self.service.is_empty());
    }
}

/// Subscribes a new browser of a player.
async fn subscribe(player: &mut Player, service: &PushService, number: u8) -> Browser {
    let browser = Browser::new(service, number);
    let (status, body) = player.post("/api/push/subscribe", browser.form()).await;
    assert_eq!(status, 200, "{body}");
    browser
}

/// Changes the settings of reminders.
async fn set(player: &mut Player, fields: Value) {
    let (status, body) = player.post(PATH, fields).await;
    assert_eq!(status, 200, "{body}");
}

/// Sets the time until the deadlines of games, at once.
pub async fn set_time_left(server: &Server, games: &[&str], left_ms: i64) {
    server.rooms.store().due_games(0, None).await.expect("a read, before which states are stored");
    let (due_ms, ids) = (now_ms() + left_ms, games.join("','"));
    let sql = format!(
        "UPDATE turn_state SET due_ms = {due_ms}
         WHERE game_id IN (SELECT key FROM game WHERE id IN ('{ids}'))"
    );
    server.database().await.run(&sql).await;
}

fn days(days: i64) -> Value {
    json!({ "days": days })
}

#[tokio::test]
async fn reminder_is_pushed_once_also_to_an_open_page() {
    let mut scene = Scene::start().await;
    let (mut ann, mut bob) = (scene.server.player("Ann").await, scene.server.player("Bob").await);
    let id = ann.start_game(&mut bob, "hogga", days(3)).await;
    let browser = subscribe(&mut ann, &scene.service, 1).await;
    let mut socket = ann.socket("/ws/me").await;
    socket.until("hello").await;
    scene.finish_searches().await;
    set_time_left(&scene.server, &[&id], 3 * HOUR_MS).await;
    let message = scene.service.next().await;
    let expected = json!({
        "kind": "deadline", "title": "Your turn",
        "body": "Your move against Bob in Hogga: 3 hours left.",
        "path": format!("/{id}"), "tag": format!("deadline-{id}"),
    });
    assert_eq!(browser.read(&message), expected);
    assert_eq!(message.header("urgency"), "high");
    let ttl_s: i64 = message.header("ttl").parse().expect("seconds");
    assert!((3 * 3600 - 120..=3 * 3600).contains(&ttl_s), "{ttl_s}");
    scene.finish_searches().await;
    drop(socket);
    let mut scene = scene.restart().await;
    (ann.addr, bob.addr) = (scene.server.addr, scene.server.addr);
    scene.finish_searches().await;
    // The next turn has reminders of its own.
    ann.play_first_legal(&id).await;
    bob.play_first_legal(&id).await;
    scene.finish_searches().await;
    set_time_left(&scene.server, &[&id], 24 * HOUR_MS).await;
    let text = browser.read(&scene.service.next().await);
    assert_eq!(text["body"], "Your move against Bob in Hogga: 24 hours left.");
    scene.finish_searches().await;
    scene.server.stop().await;
}

#[tokio::test]
async fn reminder_is_not_sent_after_the_move() {
    let mut scene = Scene::start().await;
    let (mut ann, mut bob) = (scene.server.player("Ann").await, scene.server.player("Bob").await);
    let moved = ann.start_game(&mut bob, "hogga", days(3)).await;
    let ended = ann.start_game(&mut bob, "hogga", days(3)).await;
    ann.play_first_legal(&ended).await;
    bob.play_first_legal(&ended).await;
    set_time_left(&scene.server, &[&moved, &ended], 2 * HOUR_MS).await;
    ann.play_first_legal(&moved).await;
    let path = format!("/api/board/game/{ended}/resign");
    assert_eq!(ann.post(&path, json!({})).await.0, 200);
    subscribe(&mut ann, &scene.service, 1).await;
    scene.finish_searches().await;
    scene.server.stop().await;
}

#[tokio::test]
async fn latest_of_several_reminders_is_sent() {
    let mut scene = Scene::start().await;
    let (mut ann, mut bob) = (scene.server.player("Ann").await, scene.server.player("Bob").await);
    let id = ann.start_game(&mut bob, "hogga", days(3)).await;
    set(&mut ann, json!({ "times": "48,24,12,6,3,1" })).await;
    set_time_left(&scene.server, &[&id], 5 * HOUR_MS).await;
    let browser = subscribe(&mut ann, &scene.service, 1).await;
    let text = browser.read(&scene.service.next().await);
    assert_eq!(text["body"], "Your move against Bob in Hogga: 5 hours left.");
    scene.finish_searches().await;
    // Earlier ones count as sent, also if the player chooses them now.
    set(&mut ann, json!({ "times": "48,12" })).await;
    scene.finish_searches().await;
    set(&mut ann, json!({ "times": "1" })).await;
    set_time_left(&scene.server, &[&id], 40 * MINUTE_MS + 30_000).await;
    let text = browser.read(&scene.service.next().await);
    assert_eq!(text["body"], "Your move against Bob in Hogga: 40 min left.");
    scene.finish_searches().await;
    scene.server.stop().await;
}

#[tokio::test]
async fn only_chosen_times_and_kinds_are_sent() {
    let mut scene = Scene::start().await;
    let (mut ann, mut bob) = (scene.server.player("Ann").await, scene.server.player("Bob").await);
    let id = ann.start_game(&mut bob, "hogga", days(3)).await;
    let daily = ann.start_game(&mut bob, "hogga", days(1)).await;
    let browser = subscribe(&mut ann, &scene.service, 1).await;
    // The turn of the game with a day per move has begun just now.
    set_time_left(&scene.server, &[&id], 30 * HOUR_MS).await;
    scene.finish_searches().await;
    set(&mut ann, json!({ "times": "none" })).await;
    set_time_left(&scene.server, &[&id, &daily], HOUR_MS).await;
    scene.finish_searches().await;
    let kinds = json!({ "myTurn": true, "challenge": true, "gameStart": true, "deadline": false });
    assert_eq!(ann.post("/api/push/kinds", kinds).await.0, 200);
    set(&mut ann, json!({ "times": "6" })).await;
    scene.finish_searches().await;
    // Two games share a message.
    let kinds =
        json!({ "myTurn": false, "challenge": false, "gameStart": false, "deadline": true });
    assert_eq!(ann.post("/api/push/kinds", kinds).await.0, 200);
    let message = scene.service.next().await;
    let text = browser.read(&message);
    assert_eq!(text["body"], "2 games: your time runs out");
    let expected = (&json!("deadline"), &json!("/"), &json!("deadlines"));
    assert_eq!((&text["kind"], &text["path"], &text["tag"]), expected);
    assert_eq!(message.header("urgency"), "high");
    scene.finish_searches().await;
    scene.server.stop().await;
}

#[tokio::test]
async fn player_at_the_game_gets_no_reminder() {
    let mut scene = Scene::start().await;
    let (mut ann, mut bob) = (scene.server.player("Ann").await, scene.server.player("Bob").await);
    let seen = ann.start_game(&mut bob, "hogga", days(3)).await;
    let other = ann.start_game(&mut bob, "hogga", days(3)).await;
    let mut socket = ann.socket(&format!("/ws/game/{seen}")).await;
    socket.until("full").await;
    set_time_left(&scene.server, &[&seen, &other], 2 * HOUR_MS).await;
    let browser = subscribe(&mut ann, &scene.service, 1).await;
    assert_eq!(browser.read(&scene.service.next().await)["path"], format!("/{other}"));
    scene.finish_searches().await;
    drop(socket);
    assert_eq!(browser.read(&scene.service.next().await)["path"], format!("/{seen}"));
    scene.finish_searches().await;
    scene.server.stop().await;
}

#[tokio::test]
async fn outage_counts_for_the_time_of_a_reminder() {
    let scene = Scene::start().await;
    let (mut ann, mut bob) = (scene.server.player("Ann").await, scene.server.player("Bob").await);
    let id = ann.start_game(&mut bob, "hogga", days(3)).await;
    set(&mut ann, json!({ "times": "12,1" })).await;
    set_time_left(&scene.server, &[&id], 2 * HOUR_MS).await;
    // Ten hours after the last event, in which no server ran.
    let now = now_ms();
    let sql = format!(
        "UPDATE turn_state SET last_ms = {} WHERE game_id = (SELECT key FROM game WHERE id = '{id}');
         INSERT INTO outage (from_ms, to_ms) VALUES ({}, {})",
        now - 20 * HOUR_MS,
        now - 11 * HOUR_MS,
        now - HOUR_MS
    );
    scene.server.database().await.run(&sql).await;
    let mut scene = scene.restart().await;
    ann.addr = scene.server.addr;
    let browser = subscribe(&mut ann, &scene.service, 1).await;
    let text = browser.read(&scene.service.next().await);
    assert_eq!(text["body"], "Your move against Bob in Hogga: 12 hours left.");
    scene.finish_searches().await;
    scene.server.stop().await;
}

#[tokio::test]
async fn reminder_is_claimed_once_per_deadline() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = ann.start_game(&mut bob, "hogga", days(3)).await;
    let store = server.rooms.store();
    let row = store.game(&id.parse().expect("id")).await.expect("read").expect("game");
    let games = store.games_in_progress(row.players[0].account.key).await.expect("read");
    let due_ms = games[0].stored_due_ms.expect("a deadline");
    let claim = ReminderClaim {
        game: row.key,
        side: Side::First,
        stored_due_ms: due_ms,
        due_ms,
        time: ReminderTime::Hours3,
    };
    let push = ReminderChannel::Push;
    for (channel, claim, expected) in [
        (push, ReminderClaim { side: Side::Second, ..claim }, 0),
        (push, ReminderClaim { stored_due_ms: due_ms + 1, ..claim }, 0),
        (push, claim, 1),
        (push, claim, 0),
        (ReminderChannel::Email, claim, 1),
        (push, ReminderClaim { time: ReminderTime::Hours24, ..claim }, 0),
        (push, ReminderClaim { time: ReminderTime::Hours1, ..claim }, 1),
        (push, ReminderClaim { due_ms: due_ms + HOUR_MS - 1, ..claim }, 0),
        (push, ReminderClaim { due_ms: due_ms + HOUR_MS, ..claim }, 1),
    ] {
        let claimed = store.claim_reminders(channel, vec![claim]).await.expect("stored");
        assert_eq!(claimed, vec![row.key; expected], "{channel:?} {claim:?}");
    }
    for (now_ms, expected) in [(due_ms, 0), (due_ms + HOUR_MS, 1), (due_ms + 2 * HOUR_MS, 1)] {
        assert_eq!(store.remove_past_reminders(now_ms).await.expect("removed"), expected);
    }
    assert_eq!(server.database().await.count("SELECT count(*) FROM reminder").await, 0);
    server.stop().await;
}
