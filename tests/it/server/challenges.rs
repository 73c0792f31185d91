//! Challenges: their JSON, eligibility, validation and expiry.

use crate::support::client::{Player, Server, wait_until};
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;

#[tokio::test]
async fn rating_range_applies_to_list_and_acceptance() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = ann.start_game(&mut bob, "caterpillarWar", json!({})).await;
    // The winner of a shorter game gets no points.
    for _ in 0..6 {
        ann.play_first_legal(&id).await;
        bob.play_first_legal(&id).await;
    }
    bob.post(&format!("/api/board/game/{id}/resign"), json!({})).await;
    let rating = bob.rating("caterpillarWar").await;
    assert!(rating < 1400, "{rating}");
    let terms = json!({ "variant": "caterpillarWar", "rated": true, "days": 3, "ratingRange": "1400-1600" });
    let mut eve = server.player("Eve").await;
    let open_one = eve.challenge(terms).await;
    let (_, lobby) = bob.get("/api/lobby").await;
    assert_eq!(lobby["challenges"][0]["eligible"], false);
    assert_eq!(lobby["challenges"][0]["ineligibleReason"], "ratingTooLow");
    let (status, body) = bob.accept(&open_one).await;
    assert_eq!(
        (status, &body["reason"], &body["rating"]),
        (403, &json!("ratingTooLow"), &json!(rating))
    );
    assert_eq!(body["error"], format!("Your rating {rating} is below 1400."));
    let (status, body) = ann.accept(&open_one).await;
    assert_eq!((status, &body["reason"]), (403, &json!("ratingTooHigh")));
    let (status, body) = eve.accept(&open_one).await;
    assert_eq!((status, &body["reason"]), (403, &json!("own")));
    let (status, body) = server.guest().await.accept(&open_one).await;
    assert_eq!((status, &body["reason"]), (403, &json!("anonymous")));
    let (status, body) = Player::anonymous(server.addr).accept(&open_one).await;
    assert_eq!((status, &body["reason"]), (401, &json!("anonymous")));
    // In a variant that neither has played, both fit.
    let other =
        json!({ "variant": "knightFight", "rated": true, "days": 3, "ratingRange": "1400-1600" });
    let other = eve.challenge(other).await;
    assert_eq!(bob.accept(&other).await.0, 200);
    let (status, _) = Player::anonymous(server.addr).get(&format!("/api/game/{open_one}")).await;
    assert_eq!(status, 404, "a refused acceptance makes no game");
    server.stop().await;
}

#[tokio::test]
async fn fifty_concurrent_accepts_have_one_winner() {
    let server = Server::start().await;
    let mut creator = server.player("Creator").await;
    let id = creator.challenge(json!({ "variant": "knightFight" })).await;
    let mut guests = Vec::new();
    for _ in 0..50 {
        guests.push(server.guest().await);
    }
    let tries = guests.into_iter().map(|mut guest| {
        let id = id.clone();
        tokio::spawn(async move { guest.accept(&id).await })
    });
    let mut won = 0;
    for response in futures_util::future::join_all(tries).await {
        match response.expect("task") {
            (200, _) => won += 1,
            (status, body) => assert_eq!((status, &body["reason"]), (409, &json!("taken"))),
        }
    }
    assert_eq!(won, 1);
    server.stop().await;
}

#[tokio::test]
async fn invalid_challenge_is_refused_with_reason() {
    let server = Server::start().await;
    let mut ann = server.player("Ann").await;
    let past = 1_000_000;
    for (fields, reason) in [
        (json!({}), "badVariant"),
        (json!({ "variant": "chess" }), "badVariant"),
        (json!({ "ratingRange": "1600-1400" }), "badRange"),
        (json!({ "ratingRange": "+200..-100" }), "badRange"),
        (json!({ "ratingRange": "good players" }), "badRange"),
        (json!({ "ratingRange": "0-99999" }), "badRange"),
        (json!({ "options.step": "sideways" }), "badOption"),
        (json!({ "options.height": "3" }), "badOption"),
        (json!({ "clock.limit": 0, "clock.increment": 0 }), "badTime"),
        (json!({ "clock.limit": -5 }), "badTime"),
        (json!({ "clock.limit": 10_801 }), "badTime"),
        (json!({ "clock.limit": 60, "clock.increment": 181 }), "badTime"),
        (json!({ "clock.limit": i64::MAX }), "badTime"),
        (json!({ "clock.limit": "soon" }), "badTime"),
        (json!({ "days": 4 }), "badTime"),
        (json!({ "rated": true }), "badTime"),
        (json!({ "standing": true, "clock.limit": 60 }), "badTime"),
        (json!({ "clocks": "300+3,300+3" }), "badTime"),
        (json!({ "clocks": "soon" }), "badTime"),
        (json!({ "variant": null, "variants": "caterpillarWar,chess" }), "badVariant"),
        (json!({ "variants": "hogga,knightFight" }), "contradiction"),
        (json!({ "days": 3, "clock.limit": 300 }), "contradiction"),
        (json!({ "days": 3, "clock.increment": 3 }), "contradiction"),
        (json!({ "days": 3, "clock": { "limit": 300 } }), "contradiction"),
        (json!({ "clocks": "3d,300+3", "days": 3 }), "contradiction"),
        (json!({ "clocks": "3d,300+3", "clock.limit": 300 }), "contradiction"),
        (json!({ "clocks": "3d,300+3", "clock.increment": 3 }), "contradiction"),
        (json!({ "color": "purple" }), "badColor"),
        (json!({ "rated": "perhaps" }), "badField"),
        (json!({ "provisional": "maybe" }), "badField"),
        (json!({ "expiresAt": past }), "badExpiry"),
        (json!({ "expiresAt": i64::MAX }), "badExpiry"),
    ] {
        let mut form_fields = json!({ "variant": "caterpillarWar" });
        if fields == json!({}) {
            form_fields = json!({});
        }
        for (key, value) in fields.as_object().expect("fields") {
            form_fields[key] = value.clone();
        }
        let (status, body) = ann.post("/api/challenge", form_fields).await;
        assert_eq!((status, &body["reason"]), (400, &json!(reason)), "{fields}");
        assert!(body["error"].as_str().is_some_and(|error| error.ends_with('.')), "{body}");
    }
    let rated = json!({ "variant": "knightFight", "rated": true, "days": 3 });
    let (status, body) = server.guest().await.post("/api/challenge", rated).await;
    assert_eq!((status, &body["reason"]), (403, &json!("anonymous")));
    for _ in 0..10 {
        ann.challenge(json!({ "variant": "knightFight" })).await;
    }
    let (status, body) = ann.post("/api/challenge", json!({ "variant": "knightFight" })).await;
    assert_eq!((status, &body["reason"]), (409, &json!("tooMany")));
    server.stop().await;
}

#[tokio::test]
async fn bots_are_denied_by_default_in_rated_challenges_of_people() {
    let server = Server::start().await;
    let (mut ann, bob, robo) =
        (server.player("Ann").await, server.player("Bob").await, server.player("Robo").await);
    let mut bot = robo.api_client("bot:play,challenge:write").await;
    assert_eq!(bot.post("/api/bot/account/upgrade", json!({})).await.0, 200);
    let rated = json!({ "rated": true, "ratingRange": "1400-1600" });
    for (player, path, fields, bots) in [
        (&ann, "/api/challenge", &rated, "deny"),
        (&ann, "/api/challenge", &json!({ "rated": true, "bots": "allow" }), "allow"),
        (&ann, "/api/challenge", &json!({}), "allow"),
        (&ann, "/api/challenge", &json!({ "bots": "deny" }), "deny"),
        (&ann, "/api/challenge/open", &json!({ "rated": true }), "deny"),
        (&ann, "/api/challenge/robo", &json!({ "rated": true }), "allow"),
        (&bot, "/api/challenge", &rated, "allow"),
        (&bot, "/api/challenge", &json!({ "rated": true, "bots": "deny" }), "deny"),
    ] {
        let mut form = json!({ "variant": "hogga", "days": 3 });
        form.as_object_mut().expect("fields").extend(fields.as_object().expect("fields").clone());
        let (status, body) = player.clone().post(path, form).await;
        assert!(matches!(status, 200 | 201), "{body}");
        assert_eq!(body["bots"], bots, "{path} {fields}");
        let (_, shown) =
            bob.get(&format!("/api/challenge/{}/show", body["id"].as_str().expect("id"))).await;
        assert_eq!(shown["bots"], bots, "{path} {fields}");
    }
    let (status, body) =
        ann.post("/api/challenge", json!({ "variant": "hogga", "bots": "maybe" })).await;
    assert_eq!((status, &body["reason"]), (400, &json!("badField")));
    let to_bot = json!({ "variant": "hogga", "bots": "deny" });
    let (status, body) = ann.post("/api/challenge/robo", to_bot).await;
    assert_eq!((status, &body["reason"]), (400, &json!("contradiction")));
    server.stop().await;
}

/// The other player has seen a person, and may have excluded bots.
#[tokio::test]
async fn account_in_an_open_challenge_cannot_become_a_bot() {
    let server = Server::start().await;
    let (mut ann, bob) = (server.player("Ann").await, server.player("Bob").await);
    let upgrade = async |player: &Player| {
        let mut program = player.api_client("bot:play").await;
        let (status, body) = program.post("/api/bot/account/upgrade", json!({})).await;
        (status, body["reason"].clone())
    };
    let refused = (403, json!("hasChallenges"));
    let fields = json!({ "variant": "hogga", "rated": true, "clock.limit": 300 });
    // The creator, before and during the ready check, and the acceptor.
    let id = ann.challenge(fields.clone()).await;
    assert_eq!(upgrade(&ann).await, refused);
    let (status, body) = bob.clone().accept(&id).await;
    assert_eq!((status, &body["ready"]), (200, &json!(false)), "{body}");
    assert_eq!((upgrade(&ann).await, upgrade(&bob).await), (refused.clone(), refused.clone()));
    assert_eq!(ann.post(&format!("/api/challenge/{id}/cancel"), json!({})).await.0, 200);
    assert_eq!(upgrade(&bob).await.0, 200);

    // The addressee, the holder of a seat, and a guest who has asked and registered.
    let (mut cat, dan) = (server.player("Cat").await, server.player("Dan").await);
    let mut guest = server.guest().await;
    let direct = ann.post("/api/challenge/cat", fields.clone()).await.1;
    assert_eq!(upgrade(&cat).await, refused);
    let direct = direct["id"].as_str().expect("id");
    assert_eq!(cat.post(&format!("/api/challenge/{direct}/decline"), json!({})).await.0, 200);
    assert_eq!(upgrade(&cat).await.0, 200);
    let open = ann.post("/api/challenge/open", fields).await.1["id"].clone();
    assert_eq!(dan.clone().accept(open.as_str().expect("id")).await.0, 200);
    assert_eq!(upgrade(&dan).await, refused);
    let link = json!({ "variant": "hogga", "rated": true, "days": 3, "listed": false });
    let link = ann.challenge(link).await;
    assert_eq!(guest.post(&format!("/api/challenge/{link}/casual"), json!({})).await.0, 200);
    let credentials = json!({ "username": "Gast", "password": "correct-horse" });
    assert_eq!(guest.post("/api/register", credentials).await.0, 201);
    assert_eq!(upgrade(&guest).await, refused);
    assert_eq!(ann.post(&format!("/api/challenge/{link}/cancel"), json!({})).await.0, 200);
    assert_eq!(upgrade(&guest).await.0, 200);
    server.stop().await;
}

#[tokio::test]
async fn challenge_response_has_all_fields() {
    let server = Server::start().await;
    let mut ann = server.player("Ann").await;
    let body = "variant=knightFight&rated=true&color=black&clock.limit=300&clock.increment=3\
                &ratingRange=-100..%2B200&provisional=deny&options.doubles=must&keepAliveStream=true";
    let form = |builder: reqwest::RequestBuilder| {
        builder.header("content-type", "application/x-www-form-urlencoded").body(body)
    };
    let (status, challenge) = ann.send(form, Method::POST, "/api/challenge").await;
    assert_eq!(status, 201, "{challenge}");
    assert_eq!(
        challenge["timeControl"],
        json!({ "type": "clock", "limit": 300, "increment": 3, "show": "5+3" })
    );
    assert_eq!(challenge["ratingRange"], json!({ "min": 1400, "max": 1700, "rule": "-100..+200" }));
    assert_eq!(challenge["options"], json!({ "doubles": "must" }));
    assert_eq!((&challenge["color"], &challenge["finalColor"]), (&json!("black"), &Value::Null));
    assert_eq!(
        (&challenge["status"], &challenge["provisional"]),
        (&json!("created"), &json!("deny"))
    );
    assert_eq!(
        (&challenge["eligible"], &challenge["ineligibleReason"]),
        (&json!(false), &json!("own"))
    );
    assert_eq!((&challenge["speed"], &challenge["destUser"]), (&json!("blitz"), &Value::Null));
    let id = challenge["id"].as_str().expect("id");
    assert_eq!(challenge["url"], format!("http://{}/{id}", server.addr));
    let mut bob = server.player("Bob").await;
    let (_, challenge) = bob.get(&format!("/api/challenge/{id}/show")).await;
    assert_eq!(challenge["ineligibleReason"], "provisional");
    assert_eq!(bob.accept(id).await.1["reason"], "provisional");
    let (status, body) = bob.post(&format!("/api/challenge/{id}/cancel"), json!({})).await;
    assert_eq!((status, &body["reason"]), (403, &json!("notForYou")));
    assert_eq!(ann.post(&format!("/api/challenge/{id}/cancel"), json!({})).await.0, 200);
    let (status, body) = bob.accept(id).await;
    assert_eq!((status, &body["reason"]), (409, &json!("canceled")));
    let (_, challenge) = bob.get(&format!("/api/challenge/{id}/show")).await;
    assert_eq!(challenge["status"], "canceled");
    server.stop().await;
}

#[tokio::test]
async fn expired_challenge_is_refused_and_unlisted() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut lobby = bob.socket("/ws/lobby").await;
    lobby.until("full").await;
    let soon = sprong::rooms::now_ms() + 1_500;
    let id = ann.challenge(json!({ "variant": "knightFight", "expiresAt": soon })).await;
    assert_eq!(lobby.until("challenge").await["d"]["eligible"], true);
    wait_until("the time stands still", async || sprong::rooms::now_ms() > soon).await;
    let (status, body) = bob.accept(&id).await;
    assert_eq!((status, &body["reason"]), (409, &json!("expired")));
    let event = lobby.until("challengeGone").await;
    assert_eq!(event["d"], json!({ "id": id, "status": "expired" }));
    assert_eq!(bob.get("/api/lobby").await.1["challenges"], json!([]));
    server.stop().await;
}

/// Jumps to another time with the clock of the test's runtime.
async fn jump(ms: i64) {
    tokio::time::pause();
    tokio::time::advance(Duration::from_millis(ms.try_into().expect("a future time"))).await;
    tokio::time::resume();
}

#[tokio::test]
async fn challenge_by_link_expires_after_seven_days() {
    const DAY_MS: i64 = 86_400_000;
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let lifetime = async |ann: &mut Player, fields: Value| {
        let id = ann.challenge(fields).await;
        let shown = ann.get(&format!("/api/challenge/{id}/show")).await.1;
        let [created, expires] = ["createdAt", "expiresAt"].map(|key| shown[key].as_i64());
        (id, expires.expect("ms") - created.expect("ms"))
    };
    let invite = |pace: Value| {
        let mut fields = json!({ "variant": "hogga", "listed": false });
        fields.as_object_mut().expect("object").extend(pace.as_object().cloned().expect("object"));
        fields
    };
    for pace in [json!({}), json!({ "days": 3 }), json!({ "clock.limit": 600 })] {
        let (id, open_ms) = lifetime(&mut ann, invite(pace)).await;
        // The time of creation is read a little later.
        assert!((0..1_000).contains(&(7 * DAY_MS - open_ms)), "{open_ms}");
        assert_eq!(ann.post(&format!("/api/challenge/{id}/cancel"), json!({})).await.0, 200);
    }
    let listed = json!({ "variant": "hogga", "clock.limit": 600 });
    assert!(lifetime(&mut ann, listed).await.1 <= DAY_MS / 24);
    let (early, _) = lifetime(&mut ann, invite(json!({ "days": 3 }))).await;
    let (late, _) = lifetime(&mut ann, invite(json!({ "days": 3 }))).await;
    jump(7 * DAY_MS - 60_000).await;
    assert_eq!(bob.accept(&early).await.0, 200, "a minute before the end");
    jump(60_000).await;
    let (status, body) = bob.accept(&late).await;
    assert_eq!((status, &body["reason"]), (409, &json!("expired")));
    let path = format!("/api/challenge/{late}/show");
    wait_until("the page shows the expiry", async || bob.get(&path).await.1["status"] == "expired")
        .await;
    server.stop().await;
}
