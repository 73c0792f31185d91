//! Searches for an opponent and the games beside them: ready checks that outlive a search, rated
//! and casual games, and games with a clock that are in progress already.

use crate::support::client::{Player, Server};
use crate::support::socket::Socket;
use serde_json::{Value, json};

fn terms(changes: Value) -> Value {
    let mut fields = json!({ "variants": "hogga,knightFight", "clocks": "300+3", "rated": true });
    for (key, value) in changes.as_object().expect("fields") {
        fields[key] = value.clone();
    }
    fields
}

fn challenge_terms(variant: &str, rated: bool) -> Value {
    json!({ "variant": variant, "rated": rated, "clock.limit": 300, "clock.increment": 3 })
}

async fn open_page(player: &Player, path: &str) -> Socket {
    let mut socket = player.socket(path).await;
    socket.until("hello").await;
    socket
}

async fn search(player: &mut Player, fields: Value) -> String {
    let (status, body) = player.post("/api/find", fields).await;
    assert_eq!(status, 201, "{body}");
    body["id"].as_str().expect("id").to_owned()
}

async fn status_of(viewer: &Player, id: &str) -> String {
    let (_, challenge) = viewer.get(&format!("/api/challenge/{id}/show")).await;
    challenge["status"].as_str().expect("status").to_owned()
}

async fn confirm(player: &mut Player, id: &str) -> (u16, Value) {
    player.post(&format!("/api/challenge/{id}/ready"), json!({ "answer": "yes" })).await
}

/// Lets Ann, who looks for an opponent, accept a challenge of absent Joris in a variant that she
/// does not look for. Returns the players, the seek and the challenge.
async fn asked_beside_a_search(server: &Server) -> (Player, Player, String, String) {
    let (mut ann, mut joris) = (server.player("Ann").await, server.player("Joris").await);
    let challenge = joris.challenge(challenge_terms("caterpillarWar", true)).await;
    let seek = search(&mut ann, terms(json!({}))).await;
    let (status, accepted) = ann.accept(&challenge).await;
    assert_eq!((status, &accepted["ready"]), (200, &json!(false)), "{accepted}");
    (ann, joris, seek, challenge)
}

#[tokio::test]
async fn ready_check_outlives_a_canceled_search() {
    let server = Server::start().await;
    let (mut ann, mut joris, seek, challenge) = asked_beside_a_search(&server).await;
    assert_eq!(ann.post("/api/find/cancel", json!({})).await.0, 200);
    assert_eq!(status_of(&ann, &seek).await, "canceled");
    let (status, body) = confirm(&mut joris, &challenge).await;
    assert_eq!((status, &body["id"]), (200, &json!(challenge)), "{body}");
    server.stop().await;
}

/// The game ends the search that has taken the place of the one at the beginning of the check.
#[tokio::test]
async fn ready_check_outlives_a_replaced_search() {
    let server = Server::start().await;
    let (mut ann, mut joris, _, challenge) = asked_beside_a_search(&server).await;
    let mut page = open_page(&ann, "/ws/me?find=aside").await;
    let next = search(&mut ann, terms(json!({ "variants": "kopfOderKnopf" }))).await;
    let (status, body) = confirm(&mut joris, &challenge).await;
    assert_eq!((status, &body["id"]), (200, &json!(challenge)), "{body}");
    assert_eq!(status_of(&ann, &next).await, "canceled");
    while page.until("find").await["d"]["search"] != Value::Null {}
    assert_eq!(server.database().await.games_of(&[&ann]).await, 1);
    server.stop().await;
}

/// The player who waits learns that the other one is gone, and nothing about a search.
#[tokio::test]
async fn ready_check_after_another_game_is_withdrawn() {
    let server = Server::start().await;
    let (ann, mut joris, seek, challenge) = asked_beside_a_search(&server).await;
    let mut bob = server.player("Bob").await;
    let mut joris_page = open_page(&joris, "/ws/me").await;
    let mut ann_page = open_page(&ann, "/ws/me?find=page").await;
    let (status, body) = bob.accept(&seek).await;
    assert_eq!((status, &body["id"]), (200, &json!(seek)), "{body}");
    ann_page.until("start").await;
    let (status, body) = confirm(&mut joris, &challenge).await;
    assert_eq!((status, &body["reason"]), (409, &json!("notReady")), "{body}");
    assert_eq!(body["error"], "This ready check has ended.");
    let end = joris_page.until("ringGone").await;
    assert_eq!(end["d"], json!({ "id": challenge, "reason": "withdrawn" }));
    assert_eq!(server.database().await.games_of(&[&ann]).await, 1);
    server.stop().await;
}

#[tokio::test]
async fn refused_confirmation_names_no_rating_of_the_other() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut fields = challenge_terms("hogga", true);
    fields["ratingRange"] = json!("1400-1600");
    let challenge = ann.challenge(fields).await;
    assert_eq!(bob.accept(&challenge).await.1["ready"], false);
    server.database().await.set_rating(&bob, "hogga", 1700, 60.0).await;
    let (status, body) = confirm(&mut ann, &challenge).await;
    assert_eq!((status, &body["reason"]), (403, &json!("ratingTooHigh")), "{body}");
    assert_eq!(body["error"], "The other player can no longer accept this challenge.");
    assert_eq!(body["rating"], Value::Null, "{body}");
    server.stop().await;
}

/// Lets a search meet a challenge of the other kind, and then one that fits. Returns the states of
/// both challenges.
async fn meet(server: &Server, name: &str, fields: Value, is_rated: bool) -> [String; 2] {
    let mut seeker = server.player(&format!("Ann-{name}")).await;
    let (mut one, mut two) =
        (server.player(&format!("One-{name}")).await, server.player(&format!("Two-{name}")).await);
    let (_one_page, _two_page) =
        (open_page(&one, "/ws/lobby").await, open_page(&two, "/ws/lobby").await);
    let first = one.challenge(challenge_terms("hogga", !is_rated)).await;
    let second = two.challenge(challenge_terms("hogga", is_rated)).await;
    let mut page = open_page(&seeker, "/ws/me?find=page").await;
    search(&mut seeker, fields).await;
    page.until("start").await;
    let mut states = [String::new(), String::new()];
    for (state, id) in states.iter_mut().zip([&first, &second]) {
        *state = status_of(&seeker, id).await;
    }
    for (player, id) in [(&mut one, &first), (&mut two, &second)] {
        player.post(&format!("/api/challenge/{id}/cancel"), json!({})).await;
    }
    states
}

#[tokio::test]
async fn search_accepts_only_games_of_its_kind() {
    let server = Server::start().await;
    let only_second = ["created", "accepted"];
    assert_eq!(meet(&server, "rated", terms(json!({})), true).await, only_second);
    let casual = terms(json!({ "rated": false }));
    assert_eq!(meet(&server, "casual", casual, false).await, only_second);
    // The terms of a casual search cannot allow rated games.
    let both = terms(json!({ "rated": false, "casual": true }));
    assert_eq!(meet(&server, "casual2", both, false).await, only_second);
    // A rated search may allow casual games: the older challenge is tried first.
    let both = terms(json!({ "casual": true }));
    assert_eq!(meet(&server, "both", both, true).await, ["accepted", "created"]);
    server.stop().await;
}

#[tokio::test]
async fn search_shows_whether_it_accepts_casual_games() {
    let server = Server::start().await;
    let mut ann = server.player("Ann").await;
    for (fields, expected) in [
        (json!({}), [true, false]),
        (json!({ "casual": true }), [true, true]),
        (json!({ "rated": false }), [false, true]),
    ] {
        let (status, body) = ann.post("/api/find", terms(fields)).await;
        assert_eq!(status, 201, "{body}");
        assert_eq!([&body["rated"], &body["casual"]], expected.map(|is| json!(is)).each_ref());
    }
    let (status, body) = ann.post("/api/find", terms(json!({ "casual": "often" }))).await;
    assert_eq!((status, &body["reason"]), (400, &json!("badField")), "{body}");
    server.stop().await;
}

#[tokio::test]
async fn search_with_a_clock_waits_for_the_end_of_a_game() {
    let server = Server::start().await;
    let ([mut ann, bob], [mut first, mut second], _) =
        server.start_game("hogga", json!({ "clock.limit": 300, "rated": false })).await;
    let daily = search(&mut ann, json!({ "variant": "hogga", "days": 3 })).await;
    for mut player in [ann.clone(), bob] {
        let (status, body) = player.post("/api/find", terms(json!({}))).await;
        assert_eq!((status, &body["reason"]), (409, &json!("alreadyPlaying")), "{body}");
        assert_eq!(body["error"], "You are playing a game with a clock. Finish it first.");
    }
    // The refusal changes nothing.
    assert_eq!(status_of(&ann, &daily).await, "created");
    first.command("resign", json!({})).await;
    second.until("end").await;
    search(&mut ann, terms(json!({}))).await;
    assert_eq!(status_of(&ann, &daily).await, "canceled");
    // The computer can wait.
    let fields = json!({ "variant": "hogga", "level": 1, "clock.limit": 600 });
    assert_eq!(ann.post("/api/challenge/ai", fields).await.0, 201);
    search(&mut ann, terms(json!({}))).await;
    server.stop().await;
}

/// Concurrent searches of one account: the last one that is stored is the one that goes on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_searches_leave_one_seek() {
    let server = Server::start_with(&["--challenges-per-address", "1000"]).await;
    let ann = server.player("Ann").await;
    let mut page = open_page(&ann, "/ws/me?find=page").await;
    let starts = (0..8).map(|_| {
        let mut ann = ann.clone();
        tokio::spawn(async move { search(&mut ann, terms(json!({}))).await })
    });
    let mut ids = Vec::new();
    for start in futures_util::future::join_all(starts).await {
        ids.push(start.expect("a search"));
    }
    let mut open = Vec::new();
    for id in &ids {
        if status_of(&ann, id).await == "created" {
            open.push(id.clone());
        }
    }
    assert_eq!(open.len(), 1, "{ids:?}");
    let mut ann_again = ann.clone();
    assert_eq!(ann_again.post("/api/find/cancel", json!({})).await.0, 200);
    assert_eq!(status_of(&ann, &open[0]).await, "canceled");
    while page.until("find").await["d"]["search"] != Value::Null {}
    server.stop().await;
}
