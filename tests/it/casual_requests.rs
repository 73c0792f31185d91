//! Requests of guests for a casual game in place of a rated challenge by link: who may ask and
//! answer, what both see, and the limits. `challenge_routes` and `sequences` combine them with
//! ratings, ranges and blocks.

use crate::support::client::{Player, Server};
use crate::support::fault_injection::{Fault, FaultInjector};
use crate::support::socket::Socket;
use serde_json::{Value, json};

fn invitation() -> Value {
    json!({ "variant": "hogga", "rated": true, "days": 3, "listed": false })
}

async fn ask(guest: &mut Player, id: &str, choice: Value) -> (u16, Value) {
    guest.post(&format!("/api/challenge/{id}/casual"), choice).await
}

async fn answer(creator: &mut Player, id: &str, guest: &str, text: &str) -> (u16, Value) {
    let path = format!("/api/challenge/{id}/casual/{guest}");
    creator.post(&path, json!({ "answer": text })).await
}

/// Asks, and checks that the request is stored.
async fn ask_ok(guest: &mut Player, id: &str) -> Value {
    let (status, challenge) = ask(guest, id, json!({})).await;
    assert_eq!((status, &challenge["casualRequest"]), (200, &json!("asked")), "{challenge}");
    challenge
}

async fn show(viewer: &Player, id: &str) -> Value {
    let (status, challenge) = viewer.get(&format!("/api/challenge/{id}/show")).await;
    assert_eq!(status, 200, "{challenge}");
    challenge
}

fn assert_refused((status, body): (u16, Value), expected: (u16, &str)) {
    assert_eq!((status, &body["reason"]), (expected.0, &json!(expected.1)), "{body}");
    assert!(body["error"].as_str().is_some_and(|error| error.ends_with('.')), "{body}");
}

async fn open_page(player: &Player) -> Socket {
    let mut socket = player.socket("/ws/me").await;
    socket.until("hello").await;
    socket
}

#[tokio::test]
async fn granted_request_begins_casual_game() {
    let server = Server::start().await;
    let (mut ann, mut guest) = (server.player("Ann").await, server.guest().await);
    let other = server.guest().await;
    let id = ann.challenge(invitation()).await;
    assert_eq!(show(&ann, &id).await["casualRequests"], json!([]));
    let mut ann_page = open_page(&ann).await;
    let mut guest_page = open_page(&guest).await;
    let seen = ask_ok(&mut guest, &id).await;
    assert_eq!((&seen["eligible"], &seen["rated"]), (&json!(false), &json!(true)));
    assert_eq!(seen["casualRequests"], Value::Null, "only the creator sees the requests");

    let notice = ann_page.until("challenge").await;
    let request = &notice["d"]["casualRequests"][0];
    assert_eq!(request["by"]["id"], guest.id.as_str(), "{notice}");
    assert_eq!(request["variant"]["key"], "hogga");
    assert_eq!(request["timeControl"]["daysPerTurn"], 3);

    let (status, accepted) = answer(&mut ann, &id, &guest.id, "yes").await;
    assert_eq!((status, &accepted["id"]), (200, &json!(id)), "{accepted}");
    assert_eq!(accepted["waiting"], Value::Null);
    for page in [&mut ann_page, &mut guest_page] {
        assert_eq!(page.until("start").await["d"]["id"], id.as_str());
    }
    let (_, game) = guest.get(&format!("/api/game/{id}")).await;
    assert_eq!(game["rated"], false, "{game}");
    let mut players = [&game["first"]["id"], &game["second"]["id"]].map(|id| id.as_str());
    let mut expected = [Some(&*ann.id), Some(&*guest.id)];
    players.sort_unstable();
    expected.sort_unstable();
    assert_eq!(players, expected);
    assert_eq!(show(&other, &id).await["status"], "accepted");
    server.stop().await;
}

#[tokio::test]
async fn declined_request_leaves_challenge_rated() {
    let server = Server::start().await;
    let (mut ann, mut guest) = (server.player("Ann").await, server.guest().await);
    let mut bob = server.player("Bob").await;
    let id = ann.challenge(invitation()).await;
    ask_ok(&mut guest, &id).await;
    let mut guest_page = open_page(&guest).await;
    let (status, _) = answer(&mut ann, &id, &guest.id, "no").await;
    assert_eq!(status, 200);
    let notice = guest_page.until("challenge").await;
    assert_eq!(notice["d"]["casualRequest"], "declined", "{notice}");
    assert_eq!(show(&ann, &id).await["casualRequests"], json!([]));
    assert_refused(ask(&mut guest, &id, json!({})).await, (403, "alreadyDeclined"));
    assert_refused(guest.accept(&id).await, (403, "anonymous"));
    assert_refused(answer(&mut ann, &id, &guest.id, "yes").await, (400, "noOffer"));
    assert_eq!(bob.accept(&id).await.0, 200);
    let (_, game) = bob.get(&format!("/api/game/{id}")).await;
    assert_eq!(game["rated"], true);
    server.stop().await;
}

/// A request outlives the server process and is answered by a creator who was away.
#[tokio::test]
async fn request_waits_for_absent_creator() {
    let server = Server::start().await;
    let (mut ann, mut guest) = (server.player("Ann").await, server.guest().await);
    let id = ann.challenge(invitation()).await;
    ask_ok(&mut guest, &id).await;
    let server = server.restart().await;
    (ann.addr, guest.addr) = (server.addr, server.addr);
    let hello = ann.socket("/ws/me").await.until("hello").await;
    let challenge = &hello["d"]["challenges"][0];
    assert_eq!(challenge["id"], id.as_str(), "{hello}");
    assert_eq!(challenge["casualRequests"][0]["by"]["id"], guest.id.as_str());
    assert_eq!(show(&guest, &id).await["casualRequest"], "asked");
    assert_eq!(answer(&mut ann, &id, &guest.id, "yes").await.0, 200);
    let hello = ann.socket("/ws/me").await.until("hello").await;
    assert_eq!(hello["d"]["challenges"], json!([]), "{hello}");
    assert_eq!(guest.get(&format!("/api/game/{id}")).await.1["rated"], false);
    server.stop().await;
}

/// A game with a clock does not begin while the guest is elsewhere: the guest then accepts.
#[tokio::test]
async fn granted_clocked_game_waits_for_absent_guest() {
    let server = Server::start().await;
    let (mut ann, mut guest) = (server.player("Ann").await, server.guest().await);
    let mut other = server.guest().await;
    let mut terms = invitation();
    terms.as_object_mut().expect("fields").remove("days");
    terms["clock.limit"] = json!(600);
    let id = ann.challenge(terms).await;
    ask_ok(&mut guest, &id).await;
    let (status, body) = answer(&mut ann, &id, &guest.id, "yes").await;
    assert_eq!((status, &body["waiting"]), (200, &json!(true)), "{body}");
    let seen = show(&guest, &id).await;
    assert_eq!(seen["casualRequest"], "granted");
    assert_eq!((&seen["eligible"], &seen["rated"]), (&json!(true), &json!(false)), "{seen}");
    // The consent is for this guest only.
    let seen = show(&other, &id).await;
    assert_eq!((&seen["eligible"], &seen["rated"]), (&json!(false), &json!(true)), "{seen}");
    assert_refused(other.accept(&id).await, (403, "anonymous"));
    // Ann is elsewhere, so that the acceptance begins a ready check of a casual game.
    let mut ann_page = open_page(&ann).await;
    let (status, accepted) = guest.accept(&id).await;
    assert_eq!((status, &accepted["ready"]), (200, &json!(false)), "{accepted}");
    assert_eq!(ann_page.until("ring").await["d"]["challenge"]["rated"], false);
    let ready = json!({ "answer": "yes" });
    assert_eq!(ann.post(&format!("/api/challenge/{id}/ready"), ready).await.0, 200);
    assert_eq!(guest.get(&format!("/api/game/{id}")).await.1["rated"], false);
    server.stop().await;
}

#[tokio::test]
async fn present_guest_begins_granted_clocked_game() {
    let server = Server::start().await;
    let (mut ann, mut guest) = (server.player("Ann").await, server.guest().await);
    let mut bob = server.player("Bob").await;
    let terms = json!({
        "variants": "hogga,knightFight", "rated": true, "clocks": "600+5,300+3", "listed": false,
    });
    let id = ann.challenge(terms).await;
    let mut page = guest.socket("/ws/lobby").await;
    page.until("hello").await;
    let choice = json!({ "variant": "knightFight", "clock": "300+3" });
    assert_eq!(ask(&mut guest, &id, choice).await.0, 200);
    // Bob's ready check ends: Ann has chosen the guest.
    assert_eq!(bob.accept(&id).await.1["ready"], false);
    let mut bob_page = open_page(&bob).await;
    assert_eq!(answer(&mut ann, &id, &guest.id, "yes").await.1["id"], id.as_str());
    assert_eq!(page.until("start").await["d"]["id"], id.as_str());
    assert_eq!(bob_page.until("ringGone").await["d"]["reason"], "declined");
    let (_, game) = guest.get(&format!("/api/game/{id}")).await;
    assert_eq!(
        (&game["variant"]["key"], &game["clock"]["initial"], &game["rated"]),
        (&json!("knightFight"), &json!(300_000), &json!(false))
    );
    server.stop().await;
}

#[tokio::test]
async fn invalid_requests_are_refused() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let (mut guest, database) = (server.guest().await, server.database().await);
    let id = ann.challenge(invitation()).await;
    assert_eq!(ask(&mut guest, "unknown1", json!({})).await.0, 404);
    assert_eq!(ask(&mut guest, "no-id", json!({})).await.0, 404);
    let mut anonymous = Player::anonymous(server.addr);
    assert_refused(ask(&mut anonymous, &id, json!({})).await, (401, "anonymous"));
    assert_refused(ask(&mut ann, &id, json!({})).await, (403, "own"));
    assert_refused(ask(&mut bob, &id, json!({})).await, (403, "hasAccount"));
    for choice in [
        json!({ "variant": "knightFight" }),
        json!({ "variant": "chess" }),
        json!({ "clock": "600+5" }),
        json!({ "clock": "soon" }),
    ] {
        assert_refused(ask(&mut guest, &id, choice).await, (400, "badChoice"));
    }
    // Only a rated challenge by link for one game can be requested.
    let casual = json!({ "variant": "hogga", "days": 3, "listed": false });
    let listed = json!({ "variant": "hogga", "days": 3, "rated": true });
    let standing =
        json!({ "variant": "hogga", "days": 3, "rated": true, "listed": false, "standing": true });
    for terms in [casual, listed, standing] {
        let other = ann.challenge(terms.clone()).await;
        assert_refused(ask(&mut guest, &other, json!({})).await, (403, "notRated"));
        assert_eq!(show(&ann, &other).await["casualRequests"], Value::Null, "{terms}");
    }
    // A guest whom the terms exclude from a casual game, too.
    for (key, value, reason) in [
        ("ratingRange", "1600-1800", "ratingTooLow"),
        ("ratingRange", "-1400", "ratingTooHigh"),
        ("provisional", "deny", "anonymous"),
    ] {
        let mut terms = invitation();
        terms[key] = json!(value);
        let other = ann.challenge(terms).await;
        assert_refused(ask(&mut guest, &other, json!({})).await, (403, reason));
    }
    // Closed challenges.
    let canceled = ann.challenge(invitation()).await;
    ann.post(&format!("/api/challenge/{canceled}/cancel"), json!({})).await;
    assert_refused(ask(&mut guest, &canceled, json!({})).await, (409, "canceled"));
    let taken = ann.challenge(invitation()).await;
    assert_eq!(bob.accept(&taken).await.0, 200);
    assert_refused(ask(&mut guest, &taken, json!({})).await, (409, "taken"));
    database.expire(&id).await;
    assert_refused(ask(&mut guest, &id, json!({})).await, (409, "expired"));
    server.stop().await;
}

#[tokio::test]
async fn invalid_answers_are_refused() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let (mut guest, mut second) = (server.guest().await, server.guest().await);
    let database = server.database().await;
    let id = ann.challenge(invitation()).await;
    assert_refused(answer(&mut ann, &id, &guest.id, "yes").await, (400, "noOffer"));
    ask_ok(&mut guest, &id).await;
    assert_eq!(answer(&mut ann, "unknown1", &guest.id, "yes").await.0, 404);
    assert_refused(answer(&mut bob, &id, &guest.id, "yes").await, (403, "notForYou"));
    let guest_id = guest.id.clone();
    assert_refused(answer(&mut guest, &id, &guest_id, "yes").await, (403, "notForYou"));
    assert_refused(answer(&mut ann, &id, &second.id, "yes").await, (400, "noOffer"));
    assert_refused(answer(&mut ann, &id, &guest.id, "maybe").await, (400, "badField"));
    // A refused game leaves the request without an answer.
    database.set_rating(&guest, "hogga", 1500, 200.0).await;
    let narrow = ann.challenge(json!({
        "variant": "hogga", "rated": true, "days": 3, "listed": false, "ratingRange": "1400-1600",
    }));
    let narrow = narrow.await;
    ask_ok(&mut second, &narrow).await;
    database.set_rating(&second, "hogga", 1700, 60.0).await;
    assert_refused(answer(&mut ann, &narrow, &second.id, "yes").await, (403, "ratingTooHigh"));
    assert_eq!(show(&second, &narrow).await["casualRequest"], "asked");
    database.set_rating(&second, "hogga", 1600, 60.0).await;
    assert_eq!(answer(&mut ann, &narrow, &second.id, "yes").await.0, 200);
    // Closed challenges.
    assert_eq!(bob.accept(&id).await.0, 200);
    assert_refused(answer(&mut ann, &id, &guest.id, "yes").await, (409, "taken"));
    let expired = ann.challenge(invitation()).await;
    ask_ok(&mut guest, &expired).await;
    database.expire(&expired).await;
    assert_refused(answer(&mut ann, &expired, &guest.id, "yes").await, (409, "expired"));
    server.stop().await;
}

/// A guest who registers keeps the request; a block then refuses the game.
#[tokio::test]
async fn blocked_requester_is_refused_after_sign_up() {
    let server = Server::start().await;
    let (mut ann, mut guest) = (server.player("Ann").await, server.guest().await);
    let id = ann.challenge(invitation()).await;
    ask_ok(&mut guest, &id).await;
    let form = json!({ "username": "Guesty", "password": "correct-horse" });
    assert_eq!(guest.post("/api/register", form).await.0, 201);
    assert_eq!(show(&ann, &id).await["casualRequests"][0]["by"]["id"], "guesty");
    assert_eq!(ann.post("/api/rel/block/guesty", json!({})).await.0, 200);
    assert_refused(answer(&mut ann, &id, "Guesty", "yes").await, (403, "blocked"));
    assert_eq!(ann.post("/api/rel/unblock/guesty", json!({})).await.0, 200);
    assert_eq!(answer(&mut ann, &id, "Guesty", "yes").await.0, 200);
    assert_eq!(guest.get(&format!("/api/game/{id}")).await.1["rated"], false);
    server.stop().await;
}

#[tokio::test]
async fn requests_are_limited_per_network_and_challenge() {
    let server = Server::start_with(&["--trusted-proxy", "127.0.0.1"]).await;
    let mut ann = server.player("Ann").await;
    let id = ann.challenge(invitation()).await;
    for _ in 0..3 {
        ask_ok(&mut server.guest_from("10.0.0.1").await, &id).await;
    }
    let mut fourth = server.guest_from("10.0.0.1").await;
    assert_refused(ask(&mut fourth, &id, json!({})).await, (403, "tooManyCasualRequests"));
    let other = ann.challenge(invitation()).await;
    ask_ok(&mut fourth, &other).await;
    for number in 3..20 {
        ask_ok(&mut server.guest_from(&format!("10.0.1.{number}")).await, &id).await;
    }
    let mut last = server.guest_from("10.0.2.1").await;
    assert_refused(ask(&mut last, &id, json!({})).await, (403, "tooManyCasualRequests"));
    let seen = show(&ann, &id).await;
    assert_eq!(seen["casualRequests"].as_array().map(Vec::len), Some(20));
    server.stop().await;
}

/// Concurrent answers and acceptances make one game.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_grants_and_acceptance_make_one_game() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let database = server.database().await;
    for _ in 0..10 {
        let (mut one, mut two) = (server.guest().await, server.guest().await);
        let id = ann.challenge(invitation()).await;
        ask_ok(&mut one, &id).await;
        ask_ok(&mut two, &id).await;
        let before = database.games_of(&[&ann]).await;
        let (mut ann_again, first, second) = (ann.clone(), one.id.clone(), two.id.clone());
        let ((status_one, _), (status_two, _), (status_three, _)) = tokio::join!(
            answer(&mut ann, &id, &first, "yes"),
            answer(&mut ann_again, &id, &second, "yes"),
            bob.accept(&id),
        );
        let statuses = [status_one, status_two, status_three];
        assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
        assert_eq!(database.games_of(&[&ann]).await, before + 1);
    }
    server.stop().await;
}

#[tokio::test]
async fn open_seats_are_shown_as_outgoing_to_creator() {
    let server = Server::start().await;
    let (mut ann, guest) = (server.player("Ann").await, server.guest().await);
    let (_, made) = ann.post("/api/challenge/open", json!({ "variant": "hogga" })).await;
    let id = made["id"].as_str().expect("id").to_owned();
    assert_eq!(show(&ann, &id).await["direction"], "out");
    assert_eq!(show(&guest, &id).await["direction"], Value::Null);
    server.stop().await;
}

/// The consent is stored before the game, which fails: the guest learns of it, and can accept.
#[tokio::test]
async fn granted_request_is_announced_if_the_game_fails() {
    let server = Server::start().await;
    let (mut ann, mut guest) = (server.player("Ann").await, server.guest().await);
    let id = ann.challenge(invitation()).await;
    ask_ok(&mut guest, &id).await;
    let mut guest_page = open_page(&guest).await;
    let mut faults = FaultInjector::open(&server.path()).await;
    faults.inject(Fault::Before, "INSERT", "game").await;
    let (status, body) = answer(&mut ann, &id, &guest.id, "yes").await;
    assert_eq!((status, &body["waiting"]), (200, &json!(true)), "{body}");
    let notice = guest_page.until("challenge").await;
    assert_eq!(notice["d"]["casualRequest"], "granted", "{notice}");
    faults.clear().await;
    assert_eq!(guest.accept(&id).await.0, 200);
    assert_eq!(guest.get(&format!("/api/game/{id}")).await.1["rated"], false);
    server.stop().await;
}
