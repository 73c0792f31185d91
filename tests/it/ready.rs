//! Ready check: if the creator of a challenge with a clock is absent, the server notifies them, and
//! the game starts when they confirm.

use crate::support::client::{Player, Server, wait_until};
use crate::support::fault_injection::{Fault, FaultInjector};
use crate::support::socket::Socket;
use serde_json::{Value, json};
use sprong::rooms::now_ms;

const SCOPES: &str = "board:play,challenge:read,challenge:write";

/// Default time in which the creator has to answer, in milliseconds.
const READY_MS: i64 = 30_000;

fn terms() -> Value {
    json!({
        "variant": "caterpillarWar", "rated": true, "clock.limit": 300, "clock.increment": 3,
        "ratingRange": "1400-1600",
    })
}

/// Opens the socket of a page other than the lobby.
async fn open_page(player: &Player) -> Socket {
    let mut socket = player.socket("/ws/me").await;
    socket.until("hello").await;
    socket
}

async fn answer_check(player: &mut Player, id: &str, value: &str) -> (u16, Value) {
    player.post(&format!("/api/challenge/{id}/ready"), json!({ "answer": value })).await
}

/// Ready check of Ann's challenge, which Bob accepted in her absence.
struct ReadyCheckFixture {
    server: Server,
    ann: Player,
    bob: Player,
    id: String,
    creator_socket: Socket,
    acceptor_socket: Socket,
}

impl ReadyCheckFixture {
    async fn new(arguments: &[&str]) -> ReadyCheckFixture {
        let server = Server::start_with(arguments).await;
        let (mut ann, bob) = (server.player("Ann").await, server.player("Bob").await);
        let id = ann.challenge(terms()).await;
        let (ann_page, bob_page) = (open_page(&ann).await, open_page(&bob).await);
        let mut fixture = ReadyCheckFixture {
            server,
            ann,
            bob,
            id,
            creator_socket: ann_page,
            acceptor_socket: bob_page,
        };
        fixture.accept_again().await;
        fixture
    }

    /// Lets Bob accept, and checks that Ann is notified.
    async fn accept_again(&mut self) {
        let before_ms = now_ms();
        let (status, response) = self.bob.accept(&self.id).await;
        assert_eq!((status, &response["ready"]), (200, &json!(false)), "{response}");
        assert_eq!((&response["ok"], &response["id"]), (&json!(true), &json!(self.id)));
        let by_ms = response["readyBy"].as_i64().expect("time");
        assert!(by_ms > before_ms && by_ms <= now_ms() + READY_MS, "{response}");
        let event = self.creator_socket.until("ring").await;
        assert_eq!(event["d"]["challenge"]["id"], self.id.as_str());
        assert_eq!(
            (&event["d"]["by"]["id"], &event["d"]["readyBy"]),
            (&json!("bob"), &json!(by_ms))
        );
        self.expect_no_game().await;
    }

    async fn expect_no_game(&self) {
        assert_eq!(self.ann.get(&format!("/api/game/{}", self.id)).await.0, 404);
    }

    /// Checks that both players receive the end of the check and its reason.
    async fn expect_check_end(&mut self, reason: &str) {
        for socket in [&mut self.creator_socket, &mut self.acceptor_socket] {
            let event = socket.until("ringGone").await;
            assert_eq!(event["d"], json!({ "id": self.id, "reason": reason }));
        }
    }

    /// Checks that the challenge is open as before, for a player who fits.
    async fn expect_open(&mut self) {
        self.expect_no_game().await;
        let eve = self.server.player("Eve").await;
        let (_, challenge) = eve.get(&format!("/api/challenge/{}/show", self.id)).await;
        assert_eq!(
            (&challenge["status"], &challenge["eligible"]),
            (&json!("created"), &json!(true))
        );
        assert_eq!(challenge["readyBy"], Value::Null, "{challenge}");
        let (status, body) = answer_check(&mut self.ann, &self.id, "yes").await;
        assert_eq!((status, &body["reason"]), (409, &json!("notReady")));
        self.start_with(eve).await;
    }

    /// Lets another player accept and Ann confirm.
    async fn start_with(&mut self, mut other: Player) {
        let (status, body) = other.accept(&self.id).await;
        assert_eq!((status, &body["ready"]), (200, &json!(false)), "{body}");
        let body = answer_check(&mut self.ann, &self.id, "yes").await;
        assert_eq!(body, (200, json!({ "ok": true, "id": self.id })));
        self.expect_game(&other.id).await;
    }

    async fn expect_game(&self, other: &str) {
        let (status, game) = self.ann.get(&format!("/api/game/{}", self.id)).await;
        assert_eq!(status, 200, "{game}");
        let mut seated = [&game["first"]["id"], &game["second"]["id"]].map(|id| id.as_str());
        seated.sort_unstable();
        assert_eq!(seated, [Some("ann"), Some(other)]);
    }
}

/// Waits for one message of each type, in any order.
async fn next_of_types(socket: &mut Socket, types: &[&str]) -> Vec<Value> {
    let mut found = vec![Value::Null; types.len()];
    while found.contains(&Value::Null) {
        let message = socket.next().await.expect("a message");
        if let Some(at) = types.iter().position(|t| message["t"] == *t) {
            found[at] = message["d"].clone();
        }
    }
    found
}

#[tokio::test]
async fn absent_creator_confirms_ready_check() {
    let mut fixture = ReadyCheckFixture::new(&[]).await;
    let mut eve = fixture.server.player("Eve").await;
    let (status, body) = eve.accept(&fixture.id).await;
    assert_eq!((status, &body["reason"]), (409, &json!("taken")), "the check is still running");
    let (_, challenge) = eve.get(&format!("/api/challenge/{}/show", fixture.id)).await;
    assert!(challenge["readyBy"].is_i64(), "{challenge}");
    // A page that Ann opens now receives the check, too.
    let hello = fixture.ann.socket("/ws/me").await.until("hello").await;
    assert_eq!(hello["d"]["rings"][0]["challenge"]["id"], fixture.id.as_str(), "{hello}");
    let (status, body) = answer_check(&mut eve, &fixture.id, "yes").await;
    assert_eq!((status, &body["reason"]), (403, &json!("notForYou")));
    fixture.expect_no_game().await;
    let body = answer_check(&mut fixture.ann, &fixture.id, "yes").await;
    assert_eq!(body, (200, json!({ "ok": true, "id": fixture.id })));
    for socket in [&mut fixture.creator_socket, &mut fixture.acceptor_socket] {
        let ends = next_of_types(socket, &["ringGone", "start"]).await;
        assert_eq!(ends[0], json!({ "id": fixture.id, "reason": "ready" }));
        assert_eq!(ends[1], json!({ "id": fixture.id, "challenge": fixture.id }));
    }
    fixture.expect_game("bob").await;
    let (status, body) = answer_check(&mut fixture.ann, &fixture.id, "yes").await;
    assert_eq!((status, &body["reason"]), (409, &json!("notReady")), "the check is over");
    fixture.server.stop().await;
}

#[tokio::test]
async fn creator_declines_ready_check() {
    let mut fixture = ReadyCheckFixture::new(&[]).await;
    assert_eq!(answer_check(&mut fixture.ann, &fixture.id, "no").await.0, 200);
    fixture.expect_check_end("declined").await;
    fixture.expect_open().await;
    fixture.server.stop().await;
}

#[tokio::test]
async fn acceptor_withdraws_from_ready_check() {
    let mut fixture = ReadyCheckFixture::new(&[]).await;
    assert_eq!(answer_check(&mut fixture.bob, &fixture.id, "no").await.0, 200);
    fixture.expect_check_end("withdrawn").await;
    fixture.expect_open().await;
    fixture.server.stop().await;
}

#[tokio::test]
async fn ready_check_expires_without_answer() {
    let mut fixture = ReadyCheckFixture::new(&["--ready-timeout-ms", "300"]).await;
    fixture.expect_check_end("late").await;
    let (status, body) = answer_check(&mut fixture.ann, &fixture.id, "yes").await;
    assert_eq!((status, &body["reason"]), (409, &json!("notReady")));
    let (_, challenge) = fixture.bob.get(&format!("/api/challenge/{}/show", fixture.id)).await;
    assert_eq!((&challenge["status"], &challenge["eligible"]), (&json!("created"), &json!(true)));
    // The same acceptor may try again.
    fixture.accept_again().await;
    fixture.expect_check_end("late").await;
    fixture.expect_no_game().await;
    fixture.server.stop().await;
}

/// A late check that cannot be ended begins no game, and ends when the storage works again.
#[tokio::test]
async fn late_check_ends_after_a_storage_failure() {
    let mut fixture = ReadyCheckFixture::new(&["--ready-timeout-ms", "300"]).await;
    let mut injector = FaultInjector::open(&fixture.server.path()).await;
    injector.inject(Fault::Before, "DELETE", "ready_check").await;
    wait_until("the check is not late", async || {
        let (status, body) = answer_check(&mut fixture.ann, &fixture.id, "yes").await;
        (status, &body["reason"]) == (409, &json!("notReady"))
    })
    .await;
    fixture.expect_no_game().await;
    injector.clear().await;
    fixture.expect_check_end("late").await;
    injector.close().await;
    fixture.expect_open().await;
    fixture.server.stop().await;
}

#[tokio::test]
async fn eligibility_is_rechecked_when_creator_confirms() {
    for (rating, rd, reason) in
        [(1399, 60.0, "ratingTooLow"), (1601, 60.0, "ratingTooHigh"), (1500, 200.0, "provisional")]
    {
        let mut fixture = ReadyCheckFixture::new(&[]).await;
        if reason == "provisional" {
            // This case needs a challenge that requires an established rating.
            answer_check(&mut fixture.ann, &fixture.id, "no").await;
            fixture.expect_check_end("declined").await;
            let database = fixture.server.database().await;
            database.set_rating(&fixture.bob, "caterpillarWar", 1500, 60.0).await;
            let mut fields = terms();
            fields["provisional"] = json!("deny");
            fixture.id = fixture.ann.challenge(fields).await;
            fixture.accept_again().await;
        }
        let database = fixture.server.database().await;
        database.set_rating(&fixture.bob, "caterpillarWar", rating, rd).await;
        let (status, body) = answer_check(&mut fixture.ann, &fixture.id, "yes").await;
        assert_eq!((status, &body["reason"]), (403, &json!(reason)), "{body}");
        fixture.expect_check_end(reason).await;
        fixture.expect_no_game().await;
        let eve = fixture.server.player("Eve").await;
        database.set_rating(&eve, "caterpillarWar", 1500, 60.0).await;
        fixture.start_with(eve).await;
        fixture.server.stop().await;
    }
}

#[tokio::test]
async fn present_creator_starts_game_without_ready_check() {
    let server = Server::start_with(&["--rated-games-per-pair", "1000"]).await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let at_once = async |bob: &mut Player, id: &str, choice: Value, why: &str| {
        let (status, body) = bob.post(&format!("/api/challenge/{id}/accept"), choice).await;
        assert_eq!((status, body), (200, json!({ "ok": true, "id": id })), "{why}");
        assert_eq!(bob.get(&format!("/api/game/{id}")).await.0, 200, "{why}");
    };
    let mut lobby = ann.socket("/ws/lobby").await;
    lobby.until("full").await;
    let id = ann.challenge(terms()).await;
    at_once(&mut bob, &id, json!({}), "the creator is in the lobby").await;
    assert_eq!(lobby.until("start").await["d"], json!({ "id": id, "challenge": id }));
    drop(lobby);

    let mut events = ann.api_client("challenge:read").await.open_event_stream().await;
    let id = ann.challenge(terms()).await;
    at_once(&mut bob, &id, json!({}), "the creator has an event stream").await;
    // The stream begins with the games in play.
    while events.until("gameStart").await["game"]["id"] != id.as_str() {}
    drop(events);

    let mut program = ann.api_client(SCOPES).await;
    let id = program.challenge(terms()).await;
    at_once(&mut bob, &id, json!({}), "a program made the challenge").await;
    for time in [json!({ "days": 3, "rated": true }), json!({})] {
        let mut fields = json!({ "variant": "hogga" });
        for (key, value) in time.as_object().expect("fields") {
            fields[key] = value.clone();
        }
        let id = ann.challenge(fields).await;
        at_once(&mut bob, &id, json!({}), "the game has no clock").await;
    }
    let card = json!({ "variant": "hogga", "clocks": "300+3,3d" });
    let id = ann.challenge(card).await;
    at_once(&mut bob, &id, json!({ "clock": "3d" }), "the choice has no clock").await;
    server.stop().await;
}

#[tokio::test]
async fn every_challenge_kind_with_clock_starts_ready_check() {
    let server = Server::start_with(&["--rated-games-per-pair", "1000"]).await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut ann_page = open_page(&ann).await;
    let with = |key: &str, value: Value| {
        let mut fields = terms();
        fields[key] = value;
        fields
    };
    let mut card = with("clocks", json!("300+3,3d"));
    card.as_object_mut().expect("fields").retain(|key, _| !key.starts_with("clock."));
    for (path, fields, choice) in [
        ("/api/challenge", terms(), json!({})),
        ("/api/challenge", with("listed", json!(false)), json!({})),
        ("/api/challenge/bob", terms(), json!({})),
        ("/api/challenge", card, json!({ "clock": "300+3" })),
    ] {
        let (status, body) = ann.post(path, fields.clone()).await;
        assert!(status == 200 || status == 201, "{body}");
        let id = body["id"].as_str().expect("id").to_owned();
        let accept = format!("/api/challenge/{id}/accept");
        let (status, body) = bob.post(&accept, choice).await;
        assert_eq!((status, &body["ready"]), (200, &json!(false)), "{path} {fields}: {body}");
        assert_eq!(ann_page.until("ring").await["d"]["challenge"]["id"], id.as_str());
        let body = answer_check(&mut ann, &id, "yes").await;
        assert_eq!(body, (200, json!({ "ok": true, "id": id })), "{path} {fields}");
    }
    // Without a ready check there is nothing to answer.
    let id = ann.challenge(terms()).await;
    let (status, body) = answer_check(&mut ann, &id, "yes").await;
    assert_eq!((status, &body["reason"]), (409, &json!("notReady")));
    assert_eq!(answer_check(&mut ann, "zzzzzzzz", "yes").await.0, 404);
    server.stop().await;
}

#[tokio::test]
async fn ready_check_names_and_binds_the_variant() {
    let server = Server::start().await;
    let database = server.database().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let rate = async |hogga: i64, knights: i64| {
        database.set_rating(&bob, "hogga", hogga, 60.0).await;
        database.set_rating(&bob, "knightFight", knights, 60.0).await;
    };
    rate(1300, 1650).await;
    let terms = json!({
        "variants": "hogga,knightFight", "rated": true, "clocks": "300+3,180+0",
        "ratingRange": "1600-1700",
    });
    let id = ann.challenge(terms).await;
    let mut ann_page = open_page(&ann).await;
    let (status, accepted) = bob.clone().accept(&id).await;
    assert_eq!((status, &accepted["ready"]), (200, &json!(false)), "{accepted}");
    let event = ann_page.until("ring").await;
    assert_eq!(event["d"]["variant"]["key"], "knightFight", "{event}");
    assert_eq!(event["d"]["timeControl"]["show"], "5+3", "{event}");
    assert_eq!(event["d"]["by"]["rating"], 1650, "{event}");
    // The other variant would fit now, but the check is for the first one.
    rate(1650, 1300).await;
    let (status, refused) = answer_check(&mut ann, &id, "yes").await;
    assert_eq!((status, &refused["reason"]), (403, &json!("ratingTooLow")), "{refused}");
    // Choosing another variant starts a new check.
    let (status, accepted) = bob.accept(&id).await;
    assert_eq!((status, &accepted["ready"]), (200, &json!(false)), "{accepted}");
    assert_eq!(ann_page.until("ring").await["d"]["variant"]["key"], "hogga");
    assert_eq!(answer_check(&mut ann, &id, "yes").await.0, 200);
    let (_, game) = ann.get(&format!("/api/game/{id}")).await;
    assert_eq!(game["variant"]["key"], "hogga", "{game}");
    server.stop().await;
}

#[tokio::test]
async fn ready_check_after_two_withdrawals_is_refused() {
    let mut fixture = ReadyCheckFixture::new(&["--ready-check-limit", "10"]).await;
    assert_eq!(answer_check(&mut fixture.bob, &fixture.id.clone(), "no").await.0, 200);
    fixture.accept_again().await;
    assert_eq!(answer_check(&mut fixture.bob, &fixture.id.clone(), "no").await.0, 200);
    let (status, refused) = fixture.bob.accept(&fixture.id).await;
    assert_eq!((status, &refused["reason"]), (429, &json!("tooManyReadyChecks")), "{refused}");
    // Another player can accept. Bob can, too, once Ann is present, because that needs no check.
    let mut cid = fixture.server.player("Cid").await;
    let (status, accepted) = cid.accept(&fixture.id).await;
    assert_eq!((status, &accepted["ready"]), (200, &json!(false)), "{accepted}");
    assert_eq!(answer_check(&mut cid, &fixture.id, "no").await.0, 200);
    let mut lobby = fixture.ann.socket("/ws/lobby").await;
    lobby.until("full").await;
    let (status, accepted) = fixture.bob.accept(&fixture.id).await;
    assert_eq!((status, &accepted["ready"]), (200, &Value::Null), "{accepted}");
    fixture.server.stop().await;
}

#[tokio::test]
async fn ready_checks_of_one_address_are_limited() {
    let server = Server::start_with(&["--ready-check-limit", "2"]).await;
    let mut ann = server.player("Ann").await;
    let mut ids = Vec::new();
    for _ in 0..7 {
        ids.push(ann.challenge(json!({ "variant": "hogga", "clock.limit": 300 })).await);
    }
    let mut responses = Vec::new();
    for id in &ids {
        let (status, body) = server.guest().await.accept(id).await;
        responses.push((status, body["reason"].as_str().unwrap_or_default().to_owned()));
    }
    let (rung, refused) = responses.split_at(6);
    assert!(rung.iter().all(|(status, _)| *status == 200), "{responses:?}");
    assert_eq!(refused, [(429, "tooManyReadyChecks".to_owned())], "{responses:?}");
    server.stop().await;
}

#[tokio::test]
async fn lost_seat_is_reported_to_its_player() {
    let server = Server::start().await;
    let database = server.database().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut cid = server.player("Cid").await;
    for player in [&bob, &cid] {
        database.set_rating(player, "hogga", 1500, 60.0).await;
    }
    let terms = json!({
        "variants": "hogga,knightFight", "rated": true, "clocks": "3d,7d",
        "ratingRange": "1400-1600",
    });
    let (_, open) = ann.post("/api/challenge/open", terms).await;
    let id = open["id"].as_str().expect("id");
    let accept = format!("/api/challenge/{id}/accept");
    let choice = json!({ "variant": "hogga", "clock": "7d", "color": "first" });
    assert_eq!(bob.post(&accept, choice).await.1["waiting"], true);
    let mut bob_page = open_page(&bob).await;
    // The second player is bound by the choice of the first.
    let (status, refused) = cid.post(&accept, json!({ "variant": "knightFight" })).await;
    assert_eq!((status, &refused["reason"]), (400, &json!("badChoice")), "{refused}");
    let (_, card) = cid.get(&format!("/api/challenge/{id}/show")).await;
    assert_eq!(card["choices"]["variants"].as_array().map(Vec::len), Some(1), "{card}");
    assert_eq!(card["choices"]["clocks"][0]["key"], "7d", "{card}");
    database.set_rating(&bob, "hogga", 1700, 60.0).await;
    assert_eq!(cid.post(&accept, json!({ "variant": "hogga" })).await.1["waiting"], true);
    let lost = bob_page.until("seatLost").await;
    assert_eq!((&lost["d"]["id"], &lost["d"]["eligible"]), (&json!(id), &json!(true)), "{lost}");
    server.stop().await;
}

#[tokio::test]
async fn taken_seat_is_refused_before_ready_check() {
    let server = Server::start().await;
    let mut ann = server.player("Ann").await;
    let (mut bob, mut cid) = (server.player("Bob").await, server.player("Cid").await);
    let terms = json!({ "variant": "hogga", "clock.limit": 300 });
    let (_, open) = ann.post("/api/challenge/open", terms).await;
    let accept = format!("/api/challenge/{}/accept", open["id"].as_str().expect("id"));
    let first = json!({ "color": "first" });
    assert_eq!(bob.post(&accept, first.clone()).await.1["waiting"], true);
    let (status, refused) = cid.post(&accept, first).await;
    assert_eq!((status, &refused["reason"]), (409, &json!("taken")), "{refused}");
    let (status, accepted) = cid.post(&accept, json!({ "color": "second" })).await;
    assert_eq!((status, &accepted["ready"]), (200, &json!(false)), "{accepted}");
    server.stop().await;
}

#[tokio::test]
async fn expired_ready_checks_are_limited_per_network() {
    let settings = ["--ready-check-limit", "10", "--ready-timeout-ms", "100"];
    let server = Server::start_with(&settings).await;
    let mut ann = server.player("Ann").await;
    let id = ann.challenge(json!({ "variant": "hogga", "clock.limit": 300, "rated": false })).await;
    let mut ann_page = open_page(&ann).await;
    for _ in 0..5 {
        let (status, accepted) = server.guest().await.accept(&id).await;
        assert_eq!((status, &accepted["ready"]), (200, &json!(false)), "{accepted}");
        assert_eq!(ann_page.until("ringGone").await["d"]["reason"], "late");
    }
    let (status, refused) = server.guest().await.accept(&id).await;
    assert_eq!((status, &refused["reason"]), (429, &json!("tooManyReadyChecks")), "{refused}");
    server.stop().await;
}

#[tokio::test]
async fn changed_choices_of_an_acceptor_are_limited() {
    let server = Server::start_with(&["--ready-check-limit", "10"]).await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let terms = json!({ "variants": "hogga,knightFight", "rated": false, "clock.limit": 300 });
    let id = ann.challenge(terms).await;
    // Each change of the variant begins another ready check, which reserves the challenge for Bob.
    let accept = format!("/api/challenge/{id}/accept");
    let variants = ["hogga", "knightFight"].into_iter().cycle();
    for variant in variants.take(6) {
        let (status, accepted) = bob.post(&accept, json!({ "variant": variant })).await;
        assert_eq!((status, &accepted["ready"]), (200, &json!(false)), "{accepted}");
    }
    let (status, refused) = bob.post(&accept, json!({ "variant": "hogga" })).await;
    assert_eq!((status, &refused["reason"]), (429, &json!("tooManyReadyChecks")), "{refused}");
    // The ready check for the last variant goes on.
    assert_eq!(answer_check(&mut ann, &id, "yes").await.0, 200);
    let (_, game) = ann.get(&format!("/api/game/{id}")).await;
    assert_eq!(game["variant"]["key"], "knightFight", "{game}");
    server.stop().await;
}
