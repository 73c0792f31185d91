//! Tests of challenges: concurrent acceptance, limits, declining, cancellation, seeks and
//! rematches.

use crate::support::client::{Player, Server, wait_until};
use reqwest::Method;
use serde_json::{Value, json};
use std::collections::HashSet;

/// Number of concurrent acceptors.
const ACCEPTORS: usize = 50;

const SCOPES: &str = "board:play,challenge:read,challenge:write";

/// Decline reasons of the lichess API.
const REASONS: [&str; 11] = [
    "generic",
    "later",
    "tooFast",
    "tooSlow",
    "timeControl",
    "rated",
    "casual",
    "standard",
    "variant",
    "noBot",
    "onlyBot",
];

async fn create_challenge(creator: &mut Player, path: &str, fields: Value) -> String {
    let (status, body) = creator.post(path, fields).await;
    assert!(status == 200 || status == 201, "{path}: {status} {body}");
    body["id"].as_str().expect("id").to_owned()
}

/// Lets every player of `guests` accept `times` times concurrently. Returns ids and responses of
/// the successful players. All others are refused as `taken`.
async fn accept_concurrently(
    guests: &[Player],
    times: usize,
    id: &str,
    choice: &Value,
) -> Vec<(String, Value)> {
    let tries = guests.iter().cycle().take(times * guests.len()).cloned().map(|mut player| {
        let (path, choice) = (format!("/api/challenge/{id}/accept"), choice.clone());
        tokio::spawn(async move {
            let (status, body) = player.post(&path, choice).await;
            (player.id, status, body)
        })
    });
    let mut won = Vec::new();
    for response in futures_util::future::join_all(tries).await {
        match response.expect("task") {
            (id, 200, body) => won.push((id, body)),
            (_, status, body) => assert_eq!((status, &body["reason"]), (409, &json!("taken"))),
        }
    }
    won
}

async fn create_guests(server: &Server) -> Vec<Player> {
    let mut guests = Vec::new();
    for _ in 0..ACCEPTORS {
        guests.push(server.guest().await);
    }
    guests
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_acceptance_of_challenge_has_one_winner() {
    let server = Server::start().await;
    let mut creator = server.player("Creator").await;
    let (guests, database) = (create_guests(&server).await, server.database().await);
    let one = json!({ "variant": "knightFight" });
    let link = json!({ "variant": "knightFight", "listed": false });
    let several = json!({ "variants": "hogga,knightFight", "clocks": "3d,unlimited" });
    let choice = json!({ "variant": "knightFight", "clock": "3d" });
    for (fields, choice) in [(&one, &json!({})), (&link, &json!({})), (&several, &choice)] {
        let before = database.games_of(&[&creator]).await;
        let id = create_challenge(&mut creator, "/api/challenge", fields.clone()).await;
        let won = accept_concurrently(&guests, 1, &id, choice).await;
        assert_eq!(won.len(), 1, "{fields}: {won:?}");
        assert_eq!(won[0].1["id"], id.as_str());
        assert_eq!(database.games_of(&[&creator]).await, before + 1, "{fields}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_acceptance_of_open_challenge_seats_two() {
    let server = Server::start().await;
    let mut creator = server.player("Creator").await;
    let (guests, database) = (create_guests(&server).await, server.database().await);
    let id =
        create_challenge(&mut creator, "/api/challenge/open", json!({ "variant": "hogga" })).await;
    let won = accept_concurrently(&guests, 1, &id, &json!({})).await;
    assert_eq!(won.len(), 2, "{won:?}");
    let waiting = won.iter().filter(|(_, body)| body["waiting"] == true).count();
    assert_eq!(waiting, 1, "{won:?}");
    let (_, game) = creator.get(&format!("/api/game/{id}")).await;
    let seated = [&game["first"]["id"], &game["second"]["id"]].map(|id| id.as_str().expect("id"));
    let winners: HashSet<&str> = won.iter().map(|(id, _)| &**id).collect();
    assert_eq!(HashSet::from(seated), winners);
    let everybody: Vec<&Player> = guests.iter().collect();
    assert_eq!(database.games_of(&everybody).await, 1);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_acceptance_of_standing_challenge_seats_all() {
    let server = Server::start().await;
    let mut creator = server.player("Creator").await;
    let (guests, database) = (create_guests(&server).await, server.database().await);
    let fields = json!({ "variant": "knightFight", "days": 2, "standing": true });
    let id = create_challenge(&mut creator, "/api/challenge", fields).await;
    // A player who accepts twice gets one game.
    let won = accept_concurrently(&guests, 2, &id, &json!({})).await;
    let players: HashSet<&str> = won.iter().map(|(id, _)| &**id).collect();
    let games: HashSet<String> = won.iter().map(|(_, body)| body["id"].to_string()).collect();
    assert_eq!((won.len(), players.len(), games.len()), (ACCEPTORS, ACCEPTORS, ACCEPTORS));
    assert_eq!(database.games_of(&[&creator]).await, ACCEPTORS);
    let (_, challenge) = creator.get(&format!("/api/challenge/{id}/show")).await;
    assert_eq!((&challenge["status"], &challenge["standing"]), (&json!("created"), &json!(true)));
    server.stop().await;
}

#[tokio::test]
async fn open_challenges_of_all_kinds_are_limited_to_ten() {
    let server = Server::start().await;
    let (mut ann, bob) = (server.player("Ann").await, server.player("Bob").await);
    let direct = format!("/api/challenge/{}", bob.id);
    let plain = json!({ "variant": "hogga" });
    let link = json!({ "variant": "hogga", "listed": false });
    let standing = json!({ "variant": "hogga", "days": 3, "standing": true });
    let kinds = [
        ("/api/challenge", &plain),
        (&*direct, &plain),
        ("/api/challenge", &link),
        ("/api/challenge", &standing),
    ];
    let mut last = String::new();
    for n in 0..10 {
        let (path, fields) = kinds[n % kinds.len()];
        last = create_challenge(&mut ann, path, fields.clone()).await;
    }
    for (path, fields) in kinds {
        let (status, body) = ann.post(path, fields.clone()).await;
        assert_eq!((status, &body["reason"]), (409, &json!("tooMany")), "{path} {fields}");
    }
    assert_eq!(ann.post(&format!("/api/challenge/{last}/cancel"), json!({})).await.0, 200);
    create_challenge(&mut ann, "/api/challenge", plain.clone()).await;
    assert_eq!(
        ann.post("/api/challenge", plain.clone()).await.0,
        409,
        "expected a refusal at ten challenges"
    );
    server.stop().await;
}

#[tokio::test]
async fn decline_reason_reaches_the_challenger() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut eve = server.player("Eve").await;
    let mut events = ann.api_client(SCOPES).await.open_event_stream().await;
    let mut sentences = HashSet::new();
    for reason in REASONS.into_iter().chain(["nonsense"]) {
        let id =
            create_challenge(&mut ann, "/api/challenge/bob", json!({ "variant": "hogga" })).await;
        let path = format!("/api/challenge/{id}/decline");
        for other in [&mut eve, &mut ann] {
            let (status, body) = other.post(&path, json!({ "reason": reason })).await;
            assert_eq!((status, &body["reason"]), (403, &json!("notForYou")), "{reason}");
        }
        assert_eq!(bob.post(&path, json!({ "reason": reason })).await.0, 200, "{reason}");
        let event = events.until("challengeDeclined").await;
        let key = if reason == "nonsense" { "generic" } else { reason };
        assert_eq!(event["challenge"]["id"], id.as_str(), "{reason}");
        let (_, challenge) = ann.get(&format!("/api/challenge/{id}/show")).await;
        assert_eq!(challenge["status"], "declined", "{reason}");
        for challenge in [&event["challenge"], &challenge] {
            let sent_key = challenge["declineReasonKey"].as_str().expect("key");
            assert!(sent_key.eq_ignore_ascii_case(key), "{sent_key} for {reason}");
            assert_eq!(challenge["declineReason"], event["challenge"]["declineReason"]);
        }
        sentences
            .insert(event["challenge"]["declineReason"].as_str().expect("sentence").to_owned());
        let (status, body) = bob.accept(&id).await;
        assert_eq!((status, &body["reason"]), (409, &json!("declined")), "{reason}");
    }
    assert_eq!(sentences.len(), REASONS.len(), "expected a sentence for each reason");
    let id = create_challenge(&mut ann, "/api/challenge", json!({ "variant": "hogga" })).await;
    let (status, body) = bob.post(&format!("/api/challenge/{id}/decline"), json!({})).await;
    assert_eq!(
        (status, &body["reason"]),
        (403, &json!("notForYou")),
        "expected a refusal without addressee"
    );
    server.stop().await;
}

#[tokio::test]
async fn challenge_is_canceled_only_by_its_creator() {
    let server = Server::start().await;
    let (mut ann, bob) = (server.player("Ann").await, server.player("Bob").await);
    let others = [bob.clone(), server.player("Eve").await, server.guest().await];
    let mut events = bob.api_client(SCOPES).await.open_event_stream().await;
    for (path, fields) in [
        ("/api/challenge", json!({ "variant": "hogga" })),
        ("/api/challenge", json!({ "variant": "hogga", "listed": false })),
        ("/api/challenge", json!({ "variant": "hogga", "days": 3, "standing": true })),
        ("/api/challenge/open", json!({ "variant": "hogga" })),
        ("/api/challenge/bob", json!({ "variant": "hogga" })),
    ] {
        let id = create_challenge(&mut ann, path, fields.clone()).await;
        let cancel = format!("/api/challenge/{id}/cancel");
        for mut other in others.clone() {
            let (status, body) = other.post(&cancel, json!({})).await;
            assert_eq!((status, &body["reason"]), (403, &json!("notForYou")), "{path} {fields}");
        }
        let (status, body) = Player::anonymous(server.addr).post(&cancel, json!({})).await;
        assert_eq!((status, &body["reason"]), (401, &json!("anonymous")), "{path} {fields}");
        assert_eq!(ann.post(&cancel, json!({})).await.0, 200, "{path} {fields}");
        let (status, body) = ann.post(&cancel, json!({})).await;
        assert_eq!((status, &body["reason"]), (409, &json!("canceled")), "{path} {fields}");
        if path.ends_with("bob") {
            assert_eq!(events.until("challenge").await["challenge"]["id"], id.as_str());
            assert_eq!(events.until("challengeCanceled").await["challenge"]["id"], id.as_str());
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn rated_games_of_a_pair_per_day_are_limited() {
    let server = Server::start_with(&["--rated-games-per-pair", "2"]).await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut eve = server.player("Eve").await;
    for _ in 0..2 {
        let id = ann.start_game(&mut bob, "caterpillarWar", json!({ "days": 3 })).await;
        for (player, u) in [(&mut ann, "h5-g5"), (&mut bob, "a4-b4")] {
            assert_eq!(
                player.post(&format!("/api/board/game/{id}/move/{u}"), json!({})).await.0,
                200
            );
        }
        ann.post(&format!("/api/board/game/{id}/resign"), json!({})).await;
    }
    let rated = json!({ "variant": "hogga", "rated": true, "days": 3 });
    // The limit holds for either creator and in every variant.
    let mut creators = [ann.clone(), bob.clone()];
    for (creator, acceptor) in creators.iter_mut().zip([&mut bob, &mut ann]) {
        let id = create_challenge(creator, "/api/challenge", rated.clone()).await;
        let (status, body) = acceptor.accept(&id).await;
        assert_eq!((status, &body["reason"]), (403, &json!("dailyLimit")), "{body}");
        assert_eq!(acceptor.get(&format!("/api/game/{id}")).await.0, 404);
        assert_eq!(eve.accept(&id).await.0, 200, "expected no limit for another opponent");
    }
    let casual =
        create_challenge(&mut ann, "/api/challenge", json!({ "variant": "hogga", "days": 3 }))
            .await;
    assert_eq!(bob.accept(&casual).await.0, 200, "expected no limit for casual games");
    server.stop().await;
}

/// Waits until the seek of a player is in the lobby. Returns its id.
async fn wait_for_seek(player: &Player) -> String {
    let mut seek = Value::Null;
    wait_until(&format!("expected a seek of {} in the lobby", player.id), async || {
        let (_, mut lobby) = player.get("/api/lobby").await;
        let mut challenges = lobby["challenges"].as_array_mut().expect("list").iter_mut();
        let own = challenges.find(|one| one["challenger"]["id"] == player.id.as_str());
        seek = own.map_or(Value::Null, Value::take);
        !seek.is_null()
    })
    .await;
    seek["id"].as_str().expect("id").to_owned()
}

#[tokio::test]
async fn seek_ends_with_its_connection() {
    let server = Server::start().await;
    let (ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let program = ann.api_client(SCOPES).await;
    let form = json!({ "variant": "hogga", "rated": true, "time": 5, "increment": 3 });
    let stream = program.open_stream(Method::POST, "/api/board/seek", form.clone()).await;
    let id = wait_for_seek(&ann).await;
    drop(stream);
    let path = format!("/api/challenge/{id}/show");
    let is_gone = async || bob.get(&path).await.1["status"] != "created";
    wait_until("expected the seek to end with its connection", is_gone).await;
    let (status, body) = bob.accept(&id).await;
    assert_eq!((status, &body["reason"]), (409, &json!("canceled")));
    // The stream of an accepted seek ends.
    let mut seek_stream = program.open_stream(Method::POST, "/api/board/seek", form).await;
    let id = wait_for_seek(&ann).await;
    assert_eq!(bob.accept(&id).await, (200, json!({ "ok": true, "id": id })));
    while seek_stream.next().await.is_some() {}
    server.stop().await;
}

/// Two concurrent matching seeks start one game. A rating range that excludes the other player
/// prevents it.
#[tokio::test]
async fn matching_seeks_start_one_game() {
    let server = Server::start().await;
    let seek = json!({ "variant": "hogga", "time": 5, "increment": 3 });
    for round in 0..10 {
        let (one, two) = (server.guest().await, server.guest().await);
        let tasks = [one.clone(), two.clone()].map(|player| {
            let seek = seek.clone();
            tokio::spawn(
                async move { player.open_stream(Method::POST, "/api/board/seek", seek).await },
            )
        });
        let mut lines = Vec::new();
        for task in tasks {
            lines.push(task.await.expect("seek"));
        }
        let database = server.database().await;
        wait_until("expected a game", async || database.games_of(&[&one]).await > 0).await;
        assert_eq!(database.games_of(&[&one, &two]).await, 1, "round {round}");
        let (_, lobby) = one.get("/api/lobby").await;
        assert_eq!(lobby["challenges"], json!([]), "round {round}");
    }
    let picky = json!({ "variant": "hogga", "time": 5, "increment": 3, "ratingRange": "1600-" });
    let (one, two) = (server.guest().await, server.guest().await);
    let _waiting = one.open_stream(Method::POST, "/api/board/seek", seek).await;
    let _picky = two.open_stream(Method::POST, "/api/board/seek", picky).await;
    let (_, lobby) = one.get("/api/lobby").await;
    assert_eq!(
        lobby["challenges"].as_array().expect("cards").len(),
        2,
        "expected both seeks in the lobby"
    );
    server.stop().await;
}

/// Two concurrent rematch requests start one game. The rating range stays with the player who set
/// it, on requests of either player.
#[tokio::test]
async fn concurrent_rematch_requests_start_one_game() {
    let server = Server::start().await;
    let database = server.database().await;
    for round in 0..5 {
        let mut ann = server.player(&format!("Ann{round}-a")).await;
        let mut bob = server.player(&format!("Bob{round}-b")).await;
        let fields = json!({ "ratingRange": "1400-1600", "days": 3 });
        let id = ann.start_game(&mut bob, "knightFight", fields).await;
        bob.post(&format!("/api/board/game/{id}/abort"), json!({})).await;
        let path = format!("/api/board/game/{id}/rematch/yes");
        // Bob's rating is outside the range: he cannot offer a rematch, and Ann cannot accept his
        // offer.
        database.set_rating(&bob, "knightFight", 1601, 60.0).await;
        let (status, body) = bob.post(&path, json!({})).await;
        assert_eq!((status, &body["reason"]), (403, &json!("ratingTooHigh")), "{body}");
        assert_eq!(body["error"], "Your rating 1601 is above 1600.");
        // The range does not apply to Ann, who set it.
        database.set_rating(&ann, "knightFight", 2000, 60.0).await;
        database.set_rating(&bob, "knightFight", 1600, 60.0).await;
        let (status, offered) = bob.post(&path, json!({})).await;
        assert_eq!(status, 200, "{offered}");
        database.set_rating(&bob, "knightFight", 1399, 60.0).await;
        let (status, body) = ann.post(&path, json!({})).await;
        assert_eq!((status, &body["reason"]), (403, &json!("ratingTooLow")));
        assert_eq!(body["error"], "The challenger's rating 1399 is below 1400.");
        database.set_rating(&bob, "knightFight", 1500, 60.0).await;
        bob.post(&path.replace("yes", "no"), json!({})).await;

        let (mut one, mut two) = (ann.clone(), bob.clone());
        let (own, other) = (path.clone(), path.clone());
        let both = [
            tokio::spawn(async move { one.post(&own, json!({})).await }),
            tokio::spawn(async move { two.post(&other, json!({})).await }),
        ];
        let mut ids = Vec::new();
        for task in both {
            let (status, body) = task.await.expect("task");
            assert_eq!(status, 200, "{body}");
            ids.push(body["id"].clone());
        }
        assert_eq!(ids[0], ids[1]);
        assert_eq!(database.games_of(&[&ann, &bob]).await, 2, "round {round}");
        let next = ids[0].as_str().expect("id");
        assert_eq!(
            bob.get(&format!("/api/game/{next}")).await.1["you"],
            "first",
            "expected swapped sides"
        );
        // A repeated request after the start returns the same game.
        assert_eq!(ann.post(&path, json!({})).await.1["id"], next);
    }
    server.stop().await;
}

/// Both players learn that the challenge is declined; only its creator is told so.
#[tokio::test]
async fn declined_challenge_has_a_direction_for_each_player() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let (mut ann_page, mut bob_page) = (ann.socket("/ws/me").await, bob.socket("/ws/me").await);
    ann_page.until("hello").await;
    bob_page.until("hello").await;
    let id = create_challenge(&mut ann, "/api/challenge/bob", json!({ "variant": "hogga" })).await;
    let path = format!("/api/challenge/{id}/decline");
    assert_eq!(bob.post(&path, json!({ "reason": "later" })).await.0, 200);
    for (page, direction) in [(&mut ann_page, "out"), (&mut bob_page, "in")] {
        let gone = page.until("challengeGone").await["d"].clone();
        let expected = json!({
            "id": id, "status": "declined", "reasonKey": "later", "direction": direction,
        });
        assert_eq!(gone, expected);
    }
    // A challenge to nobody has none.
    let id = create_challenge(&mut ann, "/api/challenge", json!({ "variant": "hogga" })).await;
    assert_eq!(ann.post(&format!("/api/challenge/{id}/cancel"), json!({})).await.0, 200);
    let gone = ann_page.until("challengeGone").await["d"].clone();
    assert_eq!(gone, json!({ "id": id, "status": "canceled", "reasonKey": null }));
    server.stop().await;
}
