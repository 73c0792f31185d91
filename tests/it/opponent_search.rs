//! Searches for an opponent: which challenges they accept and in which order, ready checks of
//! absent creators, the end with the page, and that a search never leads to two games.

use crate::support::client::{Player, Server, wait_until};
use crate::support::socket::Socket;
use serde_json::{Value, json};

/// Rounds of the race for one search.
const ROUNDS: usize = 25;

const ESTABLISHED_DEVIATION: f64 = 60.0;

/// Arguments with which ready checks, and searches without a page, end soon.
const SHORT: [&str; 2] = ["--ready-timeout-ms", "400"];

fn terms() -> Value {
    json!({ "variants": "hogga,knightFight", "clocks": "300+3,600+5", "rated": true })
}

fn challenge_terms(variant: &str) -> Value {
    json!({ "variant": variant, "rated": true, "clock.limit": 300, "clock.increment": 3 })
}

/// Opens the socket of a page, and waits until the account is registered there.
async fn open_page(player: &Player, path: &str) -> Socket {
    let mut socket = player.socket(path).await;
    socket.until("hello").await;
    socket
}

async fn open_search_page(player: &Player) -> Socket {
    let mut page = open_page(player, "/ws/me?find=page").await;
    page.until("find").await;
    page
}

async fn search(player: &mut Player, fields: Value) -> String {
    let (status, body) = player.post("/api/find", fields).await;
    assert_eq!(status, 201, "{body}");
    body["id"].as_str().expect("id").to_owned()
}

/// Waits for the progress of a search that satisfies the condition.
async fn until_progress(page: &mut Socket, holds: impl Fn(&Value) -> bool) -> Value {
    loop {
        let message = page.until("find").await;
        if holds(&message["d"]["search"]) {
            return message["d"]["search"].clone();
        }
    }
}

async fn until_start(page: &mut Socket) -> String {
    page.until("start").await["d"]["id"].as_str().expect("id").to_owned()
}

async fn status_of(viewer: &Player, id: &str) -> String {
    let (_, challenge) = viewer.get(&format!("/api/challenge/{id}/show")).await;
    challenge["status"].as_str().expect("status").to_owned()
}

async fn players_of(viewer: &Player, id: &str) -> Vec<String> {
    let (status, game) = viewer.get(&format!("/api/game/{id}")).await;
    assert_eq!(status, 200, "{game}");
    let mut names = ["first", "second"].map(|side| game[side]["id"].to_string());
    names.sort_unstable();
    names.map(|name| name.trim_matches('"').to_owned()).to_vec()
}

#[tokio::test]
async fn two_searches_with_a_common_game_meet() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.guest().await);
    let (mut ann_page, mut bob_page) = (open_search_page(&ann).await, open_search_page(&bob).await);
    let mut fields = terms();
    fields["casual"] = json!(true);
    let seek = search(&mut ann, fields).await;
    let listed = bob.get("/api/lobby").await.1["challenges"][0].clone();
    assert_eq!((&listed["id"], &listed["kind"]), (&json!(seek), &json!("seek")), "{listed}");
    assert_eq!(listed["creatorPresent"], true, "{listed}");
    assert_eq!((&listed["rated"], &listed["alsoCasual"]), (&json!(true), &json!(true)), "{listed}");
    // A guest cannot accept the rated seek; Ann's search also accepts a casual one.
    let fields = json!({ "variants": "kopfOderKnopf,knightFight", "clocks": "600+5" });
    let other = search(&mut bob, fields).await;
    let game = until_start(&mut ann_page).await;
    assert_eq!(until_start(&mut bob_page).await, game);
    assert_eq!(game, other, "the game has the id of the accepted seek");
    let (_, full) = ann.get(&format!("/api/game/{game}")).await;
    assert_eq!((&full["variant"]["key"], &full["rated"]), (&json!("knightFight"), &json!(false)));
    assert_eq!(full["clock"]["initial"], 600_000);
    assert_eq!(status_of(&ann, &seek).await, "canceled");
    assert_eq!(ann.get("/api/lobby").await.1["challenges"], json!([]));
    assert_eq!(until_progress(&mut ann_page, Value::is_null).await, Value::Null);
    server.stop().await;
}

#[tokio::test]
async fn search_without_common_terms_waits() {
    let server = Server::start().await;
    let (mut ann, mut bob, mut eve) =
        (server.player("Ann").await, server.player("Bob").await, server.player("Eve").await);
    let _lobby = open_page(&bob, "/ws/lobby").await;
    let mut other_terms = challenge_terms("caterpillarWar");
    let other_game = bob.challenge(other_terms.clone()).await;
    other_terms["variant"] = json!("hogga");
    other_terms["clock.limit"] = json!(180);
    let other_clock = bob.challenge(other_terms).await;
    let mut page = open_search_page(&ann).await;
    search(&mut ann, terms()).await;
    let _eve_lobby = open_page(&eve, "/ws/lobby").await;
    let fitting = eve.challenge(challenge_terms("hogga")).await;
    assert_eq!(until_start(&mut page).await, fitting);
    for id in [other_game, other_clock] {
        assert_eq!(status_of(&ann, &id).await, "created");
    }
    server.stop().await;
}

#[tokio::test]
async fn present_creator_is_tried_before_absent_one() {
    let server = Server::start().await;
    let (mut ann, mut absent, mut present) =
        (server.player("Ann").await, server.player("Joris").await, server.player("Mats").await);
    let older = absent.challenge(challenge_terms("hogga")).await;
    let _lobby = open_page(&present, "/ws/lobby").await;
    let newer = present.challenge(challenge_terms("hogga")).await;
    let (_, lobby) = ann.get("/api/lobby").await;
    let presence = [&lobby["challenges"][0], &lobby["challenges"][1]]
        .map(|challenge| (challenge["id"].clone(), challenge["creatorPresent"].clone()));
    assert_eq!(presence[0], (json!(newer), json!(true)));
    assert_eq!(presence[1], (json!(older), json!(false)));
    let mut page = open_search_page(&ann).await;
    search(&mut ann, terms()).await;
    let game = until_start(&mut page).await;
    assert_eq!(players_of(&ann, &game).await, ["ann", "mats"]);
    let (_, open) = ann.get(&format!("/api/challenge/{older}/show")).await;
    assert_eq!((&open["status"], &open["readyBy"]), (&json!("created"), &Value::Null), "{open}");
    server.stop().await;
}

#[tokio::test]
async fn seek_stays_open_while_absent_creator_is_asked() {
    let server = Server::start().await;
    let (mut ann, mut joris, mut bob) =
        (server.player("Ann").await, server.player("Joris").await, server.player("Bob").await);
    let challenge = joris.challenge(challenge_terms("hogga")).await;
    let mut joris_page = open_page(&joris, "/ws/me").await;
    let mut page = open_search_page(&ann).await;
    let seek = search(&mut ann, terms()).await;
    let asked = until_progress(&mut page, |search| search["asking"].is_object()).await;
    assert_eq!(asked["asking"]["name"], "Joris");
    let ring = joris_page.until("ring").await;
    assert_eq!(ring["d"]["by"]["id"], "ann", "{ring}");
    assert_eq!(status_of(&bob, &seek).await, "created");
    let (status, accepted) = bob.accept(&seek).await;
    assert_eq!((status, &accepted["ready"]), (200, &Value::Null), "{accepted}");
    assert_eq!(until_start(&mut page).await, seek);
    let end = joris_page.until("ringGone").await;
    assert_eq!(end["d"], json!({ "id": challenge, "reason": "withdrawn" }));
    let path = format!("/api/challenge/{challenge}/ready");
    let (status, body) = joris.post(&path, json!({ "answer": "yes" })).await;
    assert_eq!((status, &body["reason"]), (409, &json!("notReady")), "{body}");
    assert_eq!(server.database().await.games_of(&[&ann]).await, 1);
    server.stop().await;
}

#[tokio::test]
async fn absent_creator_who_does_not_come_is_followed_by_the_next() {
    let server = Server::start_with(&SHORT).await;
    let (mut ann, mut joris, mut kim) =
        (server.player("Ann").await, server.player("Joris").await, server.player("Kim").await);
    let first = joris.challenge(challenge_terms("hogga")).await;
    let second = kim.challenge(challenge_terms("knightFight")).await;
    let mut kim_page = open_page(&kim, "/ws/me").await;
    let mut page = open_search_page(&ann).await;
    search(&mut ann, terms()).await;
    let missed = until_progress(&mut page, |search| search["missed"] == "absent").await;
    assert_eq!(missed["asking"], Value::Null);
    kim_page.until("ring").await;
    let path = format!("/api/challenge/{second}/ready");
    let (status, body) = kim.post(&path, json!({ "answer": "yes" })).await;
    assert_eq!((status, &body["id"]), (200, &json!(second)), "{body}");
    assert_eq!(until_start(&mut page).await, second);
    assert_eq!(status_of(&ann, &first).await, "created");
    server.stop().await;
}

#[tokio::test]
async fn ranges_of_both_players_apply() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let (mut cleo, mut dan) = (server.player("Cleo").await, server.player("Dan").await);
    let database = server.database().await;
    for (player, rating) in [(&ann, 1500), (&bob, 1500), (&cleo, 1300), (&dan, 1550)] {
        database.set_rating(player, "hogga", rating, ESTABLISHED_DEVIATION).await;
    }
    let mut lobbies = Vec::new();
    for player in [&bob, &cleo, &dan] {
        lobbies.push(open_page(player, "/ws/lobby").await);
    }
    // Bob's range excludes Ann, Ann's range excludes Cleo.
    let with_range = |range: &str| {
        let mut fields = challenge_terms("hogga");
        fields["ratingRange"] = json!(range);
        fields
    };
    let excludes_ann = bob.challenge(with_range("1600-1800")).await;
    let excluded_by_ann = cleo.challenge(with_range("")).await;
    let mut page = open_search_page(&ann).await;
    let mut fields = terms();
    fields["ratingRange"] = json!("1400-1600");
    fields["variants"] = json!("hogga");
    let seek = search(&mut ann, fields).await;
    let (status, refused) = cleo.accept(&seek).await;
    assert_eq!((status, &refused["reason"]), (403, &json!("ratingTooLow")), "{refused}");
    let fitting = dan.challenge(with_range("1450-1550")).await;
    assert_eq!(until_start(&mut page).await, fitting);
    for id in [excludes_ann, excluded_by_ann] {
        assert_eq!(status_of(&ann, &id).await, "created");
    }
    assert_eq!(database.games_of(&[&ann]).await, 1);
    server.stop().await;
}

/// Lets Bob accept Ann's seek while Ann's search accepts a challenge, or its creator confirms a
/// ready check for it. Returns the number of games of Ann.
async fn race(server: &Server, round: usize, is_absent: bool) -> usize {
    let mut ann = server.guest().await;
    let (mut bob, mut cleo) = (server.guest().await, server.guest().await);
    let fields =
        json!({ "variant": "hogga", "clock.limit": 300, "clock.increment": 3, "rated": false });
    let path = if is_absent { "/ws/me" } else { "/ws/lobby" };
    let mut creator_page = open_page(&cleo, path).await;
    let mut page = open_search_page(&ann).await;
    let seek = search(&mut ann, fields.clone()).await;
    let accept_path = format!("/api/challenge/{seek}/accept");
    let accept = async { bob.post(&accept_path, json!({})).await };
    let (accepted, other) = if is_absent {
        let id = cleo.challenge(fields).await;
        creator_page.until("ring").await;
        let path = format!("/api/challenge/{id}/ready");
        let confirm = async { cleo.post(&path, json!({ "answer": "yes" })).await };
        let (accepted, (status, body)) = tokio::join!(accept, confirm);
        assert!(status == 200 || body["reason"].is_string(), "{round}: {body}");
        (accepted, (status, json!({ "id": id })))
    } else {
        tokio::join!(accept, async { cleo.post("/api/challenge", fields).await })
    };
    let game = until_start(&mut page).await;
    // The winner's game is the only one: the loser of the race is refused, or still waits.
    let has_seek = accepted.0 == 200;
    assert!(has_seek || accepted.1["reason"] == "canceled", "{round}: {accepted:?}");
    assert_eq!(game == seek, has_seek, "{round}: {accepted:?} {other:?}");
    if is_absent {
        assert_eq!(other.0 == 200, !has_seek, "{round}: {other:?}");
    }
    // The next search must not ask this creator.
    if let Some(id) = other.1["id"].as_str() {
        cleo.post(&format!("/api/challenge/{id}/cancel"), json!({})).await;
    }
    server.database().await.games_of(&[&ann]).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn search_and_acceptance_at_once_make_one_game() {
    let server = Server::start_with(&["--challenges-per-address", "1000"]).await;
    for round in 0..ROUNDS {
        assert_eq!(race(&server, round, round % 2 == 0).await, 1, "round {round}");
    }
    server.stop().await;
}

#[tokio::test]
async fn search_ends_when_its_page_is_closed_for_good() {
    let server = Server::start_with(&SHORT).await;
    let mut ann = server.player("Ann").await;
    let page = open_search_page(&ann).await;
    let seek = search(&mut ann, terms()).await;
    drop(page);
    wait_until("the seek is canceled", async || status_of(&ann, &seek).await == "canceled").await;
    assert_eq!(ann.get("/api/lobby").await.1["challenges"], json!([]));
    let mut again = ann.socket("/ws/me?find=page").await;
    assert_eq!(again.until("find").await["d"]["search"], Value::Null);
    server.stop().await;
}

#[tokio::test]
async fn reloaded_page_finds_its_search() {
    let server = Server::start().await;
    let mut ann = server.player("Ann").await;
    let page = open_search_page(&ann).await;
    let seek = search(&mut ann, terms()).await;
    drop(page);
    let mut again = ann.socket("/ws/me?find=page").await;
    let found = again.until("find").await["d"]["search"].clone();
    assert_eq!(found["id"], seek.as_str(), "{found}");
    let keys: Vec<&str> = found["variants"]
        .as_array()
        .expect("variants")
        .iter()
        .filter_map(|variant| variant["key"].as_str())
        .collect();
    assert_eq!(keys, ["hogga", "knightFight"]);
    assert_eq!(found["clocks"][1]["timeControl"]["show"], "10+5");
    let (status, _) = ann.post("/api/find/cancel", json!({})).await;
    assert_eq!(status, 200);
    until_progress(&mut again, Value::is_null).await;
    assert_eq!(status_of(&ann, &seek).await, "canceled");
    assert_eq!(ann.post("/api/find/cancel", json!({})).await.0, 200, "there is nothing to cancel");
    server.stop().await;
}

#[tokio::test]
async fn second_search_replaces_the_first() {
    let server = Server::start().await;
    let mut ann = server.player("Ann").await;
    let mut page = open_search_page(&ann).await;
    let first = search(&mut ann, terms()).await;
    let second = search(&mut ann, json!({ "variant": "hogga", "days": 3 })).await;
    let shown = until_progress(&mut page, |search| search["id"] == second.as_str()).await;
    assert_eq!(shown["clocks"][0]["key"], "3d");
    assert_eq!(status_of(&ann, &first).await, "canceled");
    let (status, body) = server.guest().await.post("/api/find", terms()).await;
    assert_eq!((status, &body["reason"]), (403, &json!("anonymous")), "rated search of a guest");
    server.stop().await;
}

#[tokio::test]
async fn busy_player_is_asked_before_the_game() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let page = open_search_page(&ann).await;
    let seek = search(&mut ann, terms()).await;
    let (status, game) = ann
        .post("/api/challenge/ai", json!({ "variant": "hogga", "level": 1, "clock.limit": 600 }))
        .await;
    assert_eq!(status, 201, "{game}");
    let mut aside = open_page(&ann, "/ws/me?find=aside").await;
    drop(page);
    // Ann has the lobby open in another tab, too.
    let mut lobby = open_page(&ann, "/ws/lobby").await;
    wait_until("the page is closed", async || {
        bob.get(&format!("/api/challenge/{seek}/show")).await.1["creatorPresent"] == false
    })
    .await;
    let (status, accepted) = bob.accept(&seek).await;
    assert_eq!((status, &accepted["ready"]), (200, &json!(false)), "{accepted}");
    assert_eq!(aside.until("ring").await["d"]["by"]["id"], "bob");
    let path = format!("/api/challenge/{seek}/ready");
    assert_eq!(ann.post(&path, json!({ "answer": "no" })).await.0, 200);
    aside.until("ringGone").await;
    assert_eq!(status_of(&bob, &seek).await, "created", "the search goes on");
    bob.accept(&seek).await;
    aside.until("ring").await;
    assert_eq!(ann.post(&path, json!({ "answer": "yes" })).await.0, 200);
    assert_eq!(until_start(&mut aside).await, seek);
    // The page of the lobby does not ask as well.
    loop {
        let message = lobby.next().await.expect("a message");
        assert_ne!(message["t"], "ring", "{message}");
        if message["t"] == "start" {
            break;
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn busy_player_is_told_of_a_present_creator() {
    let server = Server::start().await;
    let (mut ann, mut mats) = (server.player("Ann").await, server.player("Mats").await);
    let mut aside = open_page(&ann, "/ws/me?find=aside").await;
    search(&mut ann, terms()).await;
    let _lobby = open_page(&mats, "/ws/lobby").await;
    let challenge = mats.challenge(challenge_terms("hogga")).await;
    let shown = until_progress(&mut aside, |search| search["here"].is_object()).await;
    assert_eq!(shown["here"]["name"], "Mats");
    assert_eq!(status_of(&ann, &challenge).await, "created");
    let mut page = open_page(&ann, "/ws/me?find=page").await;
    assert_eq!(until_start(&mut page).await, challenge);
    server.stop().await;
}

#[tokio::test]
async fn game_from_another_challenge_ends_the_search() {
    let server = Server::start().await;
    let (mut ann, mut bob, mut cleo) =
        (server.player("Ann").await, server.player("Bob").await, server.player("Cleo").await);
    let own = ann.challenge(challenge_terms("caterpillarWar")).await;
    let _page = open_search_page(&ann).await;
    let _bob_page = open_search_page(&bob).await;
    let seek = search(&mut ann, terms()).await;
    let other_seek =
        search(&mut bob, json!({ "variant": "kopfOderKnopf", "clocks": "300+3" })).await;
    // Bob accepts by himself while his search goes on.
    assert_eq!(bob.accept(&own).await.0, 200);
    for id in [&seek, &other_seek] {
        assert_eq!(status_of(&cleo, id).await, "canceled");
        let (status, body) = cleo.accept(id).await;
        assert_eq!((status, &body["reason"]), (409, &json!("canceled")), "{body}");
    }
    server.stop().await;
}

#[tokio::test]
async fn correspondence_game_leaves_a_live_search_open() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let daily = ann.challenge(json!({ "variant": "hogga", "days": 3 })).await;
    let mut page = open_search_page(&ann).await;
    let seek = search(&mut ann, terms()).await;
    assert_eq!(bob.accept(&daily).await.0, 200);
    assert_eq!(until_start(&mut page).await, daily);
    assert_eq!(status_of(&ann, &seek).await, "created");
    // A search for a game with days does not depend on presence.
    let standing = json!({ "variant": "hogga", "days": 3, "standing": true });
    let absent = bob.challenge(standing).await;
    search(&mut ann, json!({ "variant": "hogga", "days": 3 })).await;
    let game = until_start(&mut page).await;
    assert_eq!(players_of(&ann, &game).await, ["ann", "bob"]);
    assert_eq!(status_of(&ann, &absent).await, "created");
    until_progress(&mut page, Value::is_null).await;
    server.stop().await;
}

#[tokio::test]
async fn lobby_reports_presence_of_creators() {
    let server = Server::start().await;
    let (mut ann, bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = ann.challenge(challenge_terms("hogga")).await;
    let mut viewer = bob.socket("/ws/lobby").await;
    let full = viewer.until("full").await;
    assert_eq!(full["d"]["challenges"][0]["creatorPresent"], false, "{full}");
    let lobby = open_page(&ann, "/ws/lobby").await;
    assert_eq!(viewer.until("presence").await["d"], json!({ "here": [id], "away": [] }));
    drop(lobby);
    assert_eq!(viewer.until("presence").await["d"], json!({ "here": [], "away": [id] }));
    server.stop().await;
}
