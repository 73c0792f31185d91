//! Bot accounts, terms of games against bots, and hints.

use super::{GameClient, game_id, start_bot_game};
use crate::support::client::{Player, Server};
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use serde_json::{Value, json};

#[tokio::test]
async fn bot_accounts_refuse_login_and_registration() {
    let server = Server::start().await.restart().await;
    let nobody = Player::anonymous(server.addr);
    for level in 1..=8 {
        let (status, user) = nobody.get(&format!("/api/user/Sprong-{level}")).await;
        assert_eq!(status, 200);
        assert_eq!(
            json!([user["username"], user["title"], user["bot"], user["level"], user["online"]]),
            json!([format!("Sprong-{level}"), "BOT", true, level, true])
        );
    }
    assert_eq!(nobody.get("/api/user/sprong-9").await.0, 404);
    for password in ["!", "", "correct-horse", "12345678"] {
        let who = json!({ "username": "sprong-1", "password": password });
        assert_eq!(nobody.clone().post("/api/login", who).await.0, 401, "{password:?}");
    }
    for name in ["sprong-8", "Sprong-1", "SPR0NG-2"] {
        let who = json!({ "username": name, "password": "correct-horse" });
        let (status, refused) = nobody.clone().post("/api/register", who).await;
        assert_eq!((status, &refused["reason"]), (400, &json!("badName")), "{name}");
    }
    server.stop().await;
}

#[tokio::test]
async fn ai_challenge_response_matches_lichess() {
    let server = Server::start().await;
    let mut ann = server.player("Ann").await;
    let fields = json!({ "color": "second", "options.points": true, "clock.limit": 300, "clock.increment": 3 });
    let game = start_bot_game(&mut ann, 4, "hogga", fields).await;
    let id = game_id(&game);
    assert_eq!(game["url"], format!("http://{}/{id}", server.addr));
    assert_eq!(
        json!([
            game["variant"]["key"],
            game["speed"],
            game["rated"],
            game["player"],
            game["level"]
        ]),
        json!(["hogga", "blitz", false, "black", 4])
    );
    assert_eq!(game["status"], json!({ "id": 20, "name": "started" }));
    let (_, snapshot) = ann.get(&format!("/api/game/{id}")).await;
    assert_eq!((&snapshot["you"], &snapshot["initialFen"]), (&json!("second"), &game["fen"]));
    assert_eq!(snapshot["options"], json!({ "points": true }));
    for (fields, reason) in [
        (json!({ "level": 0 }), "badLevel"),
        (json!({ "level": 9 }), "badLevel"),
        (json!({ "level": "strong" }), "badLevel"),
        (json!({ "level": Value::Null }), "badLevel"),
        (json!({ "variant": "chess" }), "badVariant"),
        (json!({ "days": 4 }), "badTime"),
        (json!({ "color": "purple" }), "badColor"),
        (json!({ "options.points": "many" }), "badOption"),
    ] {
        let mut form = json!({ "level": 1, "variant": "hogga" });
        for (key, value) in fields.as_object().expect("fields") {
            form[key] = value.clone();
        }
        let (status, refused) = ann.post("/api/challenge/ai", form).await;
        assert_eq!((status, &refused["reason"]), (400, &json!(reason)), "{fields}");
    }
    let body = json!({ "level": 1, "variant": "hogga" });
    assert_eq!(Player::anonymous(server.addr).post("/api/challenge/ai", body).await.0, 401);
    let (_, document) = ann.get("/api/openapi.json").await;
    for route in ["/api/challenge/ai", "/api/game/{id}/hint"] {
        assert!(document["paths"][route]["post"].is_object(), "{route}");
    }
    server.stop().await;
}

#[tokio::test]
async fn terms_of_a_game_against_the_computer_apply() {
    let server = Server::start().await;
    let mut ann = server.player("Ann").await;
    let mut fields = json!({
        "level": 2, "variant": "hogga", "clocks": "180+0", "ratingRange": "3000-"
    });
    let (status, refused) = ann.post("/api/challenge/ai", fields.clone()).await;
    assert!((400..500).contains(&status), "{status} {refused}");
    assert_eq!(ann.get("/api/account/playing").await.1["nowPlaying"], json!([]));
    fields["ratingRange"] = json!("-3000");
    let (status, game) = ann.post("/api/challenge/ai", fields).await;
    assert_eq!(status, 201, "{game}");
    let game = ann.get(&format!("/api/game/{}", game_id(&game))).await.1;
    assert_eq!(game["timeControl"]["limit"], 180, "{game}");
    server.stop().await;
}

#[tokio::test]
async fn bot_plays_rated_games_only_if_allowed() {
    let rated = json!({ "level": 2, "variant": "hogga", "rated": true, "days": 1 });
    let casual = Server::start().await;
    let mut ann = casual.player("Ann").await;
    let (status, refused) = ann.post("/api/challenge/ai", rated.clone()).await;
    assert_eq!((status, &refused["reason"]), (403, &json!("botsCasual")));
    let (status, card) = ann.post("/api/challenge/sprong-2", rated.clone()).await;
    assert_eq!(status, 200);
    assert_eq!(json!([card["status"], card["declineReasonKey"]]), json!(["declined", "casual"]));
    let unrated = json!({ "variant": "hogga", "clock.limit": 60 });
    let (status, card) = ann.post("/api/challenge/Sprong-2", unrated).await;
    assert_eq!((status, &card["status"]), (200, &json!("accepted")));
    assert_eq!(ann.get(&format!("/api/game/{}", game_id(&card))).await.0, 200);
    casual.stop().await;

    let server = Server::start_with(&["--bots-rated"]).await;
    let (status, refused) = server.guest().await.post("/api/challenge/ai", rated.clone()).await;
    assert_eq!((status, &refused["reason"]), (403, &json!("anonymous")));
    let mut bob = server.player("Bob").await;
    let fields = json!({ "rated": true, "days": 1 });
    let id = game_id(&start_bot_game(&mut bob, 2, "hogga", fields).await);
    let mut client = GameClient::join(&bob, &id).await;
    // The winner of a shorter game gets no points.
    for _ in 0..5 {
        assert!(client.wait_for_turn().await);
        let u = client.legal[0].clone();
        client.play(&u).await;
    }
    assert!(client.wait_for_turn().await);
    let hint = bob.post(&format!("/api/game/{id}/hint"), json!({})).await;
    assert_eq!((hint.0, &hint.1["reason"]), (403, &json!("noHint")));
    bob.post(&format!("/api/board/game/{id}/resign"), json!({})).await;
    client.until("end").await;
    let lost = bob.rating("hogga").await;
    let (_, bot) = bob.get("/api/user/sprong-2").await;
    let won = bot["perfs"]["hogga"]["rating"].as_i64().expect("rating");
    assert!(lost < 1500 && won > 1500, "{lost} {won}");
    assert_eq!(bot["perfs"]["hogga"]["games"], 1);
    server.stop().await;
}

#[tokio::test]
async fn hint_is_given_only_on_own_turn_of_casual_bot_game() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let no_hint = async |player: &mut Player, id: &str| {
        let (status, refused) = player.post(&format!("/api/game/{id}/hint"), json!({})).await;
        assert_eq!((status, &refused["reason"]), (403, &json!("noHint")), "{}", player.id);
    };
    let between = ann.start_game(&mut bob, "knightFight", json!({ "rated": false })).await;
    no_hint(&mut ann, &between).await;
    let id = game_id(&start_bot_game(&mut ann, 1, "knightFight", json!({})).await);
    no_hint(&mut bob, &id).await;
    let path = format!("/api/game/{id}/hint");
    assert_eq!(Player::anonymous(server.addr).post(&path, json!({})).await.0, 401);
    assert_eq!(ann.post("/api/game/zzzzzzzz/hint", json!({})).await.0, 404);
    let mut client = GameClient::join(&ann, &id).await;
    let (status, hint) = ann.post(&path, json!({})).await;
    assert_eq!(status, 200, "{hint}");
    let u = hint["u"].as_str().expect("notation");
    assert!(client.legal.iter().any(|legal| legal == u), "{hint}");
    assert!(hint["chance"].as_f64().is_some_and(|chance| (0.0..=1.0).contains(&chance)), "{hint}");
    assert!(["points", "win", "loss"].iter().any(|key| hint["score"][key].is_i64()), "{hint}");
    client.play(u).await;
    no_hint(&mut ann, &id).await;
    assert!(client.wait_for_turn().await);
    let mut program = ann.api_client("challenge:read").await;
    assert_eq!(program.post(&path, json!({})).await.1["reason"], "missingScope");
    let requests = (0..40).map(|_| {
        let (mut ann, route) = (ann.clone(), &path);
        async move { ann.post(route, json!({})).await }
    });
    let mut responses: FuturesUnordered<_> = requests.collect();
    while let Some((status, response)) = responses.next().await {
        if response["reason"] == "tooFast" {
            assert_eq!(status, 429);
            break;
        }
    }
    assert!(!responses.is_empty(), "expected a refusal within forty hints");
    drop(responses);
    ann.post(&format!("/api/board/game/{id}/resign"), json!({})).await;
    no_hint(&mut ann, &id).await;
    server.stop().await;
}
