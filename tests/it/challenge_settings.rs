//! Challenge settings of accounts.

use crate::support::client::{Player, Server, refused};
use serde_json::{Value, json};

const PATH: &str = "/api/account/challenges";

async fn set(player: &mut Player, fields: Value) {
    let (status, body) = player.post(PATH, fields).await;
    assert_eq!(status, 200, "{body}");
}

/// Challenges a player to a correspondence game.
async fn challenge(player: &mut Player, to: &Player, fields: Value) -> (u16, Value) {
    let mut form = json!({ "variant": "hogga", "days": 3 });
    form.as_object_mut().expect("fields").append(&mut fields.as_object().expect("fields").clone());
    player.post(&format!("/api/challenge/{}", to.id), form).await
}

#[tokio::test]
async fn account_decides_who_may_challenge_it() {
    let server = Server::start().await;
    let database = server.database().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut guest = server.guest().await;
    let rated = json!({ "rated": true });
    let default = json!({ "audience": "accounts", "casualOnly": false });
    assert_eq!(ann.get(PATH).await, (200, default));
    for (audience, from_guest, from_account) in [
        ("accounts", (403, json!("anonymous")), (200, Value::Null)),
        ("everyone", (200, Value::Null), (200, Value::Null)),
        ("nobody", (403, json!("noChallenges")), (403, json!("noChallenges"))),
        ("followed", (403, json!("noChallenges")), (403, json!("noChallenges"))),
        ("nearRating", (403, json!("anonymous")), (200, Value::Null)),
    ] {
        set(&mut ann, json!({ "audience": audience })).await;
        assert_eq!(refused(challenge(&mut guest, &ann, json!({})).await), from_guest, "{audience}");
        let answer = challenge(&mut bob, &ann, rated.clone()).await;
        assert_eq!(refused(answer), from_account, "{audience}");
    }
    for (rating, expected) in [(1199, 403), (1200, 200), (1800, 200), (1801, 403)] {
        database.set_rating(&bob, "hogga", rating, 60.0).await;
        let (status, body) = challenge(&mut bob, &ann, json!({})).await;
        assert_eq!(status, expected, "{rating}: {body}");
        if status == 403 {
            assert_eq!(body["reason"], "ratingTooFar");
        }
    }
    // Each of the offered variants counts.
    let both = json!({ "variants": "knightFight,hogga", "variant": null });
    assert_eq!(refused(challenge(&mut bob, &ann, both).await), (403, json!("ratingTooFar")));
    // Everyone may challenge a guest.
    let mut other = server.guest().await;
    assert_eq!(challenge(&mut other, &guest, json!({})).await.0, 200);
    // The settings do not limit the challenges that the account makes.
    assert_eq!(challenge(&mut ann, &bob, json!({})).await.0, 200);
    server.stop().await;
}

#[tokio::test]
async fn followed_players_may_challenge_an_account() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    set(&mut ann, json!({ "audience": "followed" })).await;
    // Following is no permission the other way round.
    assert_eq!(bob.post("/api/rel/follow/ann", json!({})).await.0, 200);
    assert_eq!(refused(challenge(&mut bob, &ann, json!({})).await), (403, json!("noChallenges")));
    assert_eq!(ann.post("/api/rel/follow/bob", json!({})).await.0, 200);
    assert_eq!(challenge(&mut bob, &ann, json!({ "rated": true })).await.0, 200);
    set(&mut ann, json!({ "casualOnly": true })).await;
    let rated = challenge(&mut bob, &ann, json!({ "rated": true })).await;
    assert_eq!(refused(rated), (403, json!("casualOnly")));
    assert_eq!(ann.post("/api/rel/unfollow/bob", json!({})).await.0, 200);
    // A refusal that does not depend on it comes first.
    let rated = challenge(&mut bob, &ann, json!({ "rated": true })).await;
    assert_eq!(refused(rated), (403, json!("casualOnly")));
    assert_eq!(refused(challenge(&mut bob, &ann, json!({})).await), (403, json!("noChallenges")));
    server.stop().await;
}

#[tokio::test]
async fn rated_challenges_can_be_refused() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    set(&mut ann, json!({ "casualOnly": true })).await;
    assert_eq!(ann.get(PATH).await.1, json!({ "audience": "accounts", "casualOnly": true }));
    let answer = challenge(&mut bob, &ann, json!({ "rated": true })).await;
    assert_eq!(refused(answer), (403, json!("casualOnly")));
    assert_eq!(challenge(&mut bob, &ann, json!({})).await.0, 200);
    // A new value leaves the other one.
    set(&mut ann, json!({ "audience": "everyone" })).await;
    assert_eq!(ann.get(PATH).await.1, json!({ "audience": "everyone", "casualOnly": true }));
    set(&mut ann, json!({ "casualOnly": false })).await;
    assert_eq!(ann.get(PATH).await.1, json!({ "audience": "everyone", "casualOnly": false }));
    assert_eq!(challenge(&mut bob, &ann, json!({ "rated": true })).await.0, 200);
    server.stop().await;
}

#[tokio::test]
async fn rematch_and_open_challenge_ignore_later_settings() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let (status, open) = challenge(&mut bob, &ann, json!({ "rated": true })).await;
    assert_eq!(status, 200, "{open}");
    set(&mut ann, json!({ "audience": "nobody", "casualOnly": true })).await;
    let id = open["id"].as_str().expect("id");
    assert_eq!(ann.accept(id).await.0, 200);
    assert_eq!(ann.post(&format!("/api/board/game/{id}/resign"), json!({})).await.0, 200);
    let path = format!("/api/board/game/{id}/rematch/yes");
    assert_eq!(bob.post(&path, json!({})).await.0, 200);
    // A guest offers one as well.
    let mut guest = server.guest().await;
    let id = ann.start_game(&mut guest, "hogga", json!({ "rated": false })).await;
    assert_eq!(ann.post(&format!("/api/board/game/{id}/resign"), json!({})).await.0, 200);
    let path = format!("/api/board/game/{id}/rematch/yes");
    assert_eq!(guest.post(&path, json!({})).await.0, 200);
    assert_eq!(refused(challenge(&mut bob, &ann, json!({})).await), (403, json!("noChallenges")));
    server.stop().await;
}

#[tokio::test]
async fn settings_need_a_session_of_an_account() {
    let server = Server::start().await;
    let (mut ann, mut guest) = (server.player("Ann").await, server.guest().await);
    let mut program = ann.api_client("challenge:read,challenge:write").await;
    let nobody = json!({ "audience": "nobody" });
    assert_eq!(refused(program.post(PATH, nobody.clone()).await), (403, json!("sessionOnly")));
    assert_eq!(refused(program.get(PATH).await), (403, json!("sessionOnly")));
    assert_eq!(refused(guest.post(PATH, nobody.clone()).await), (403, json!("anonymous")));
    let mut stranger = Player::anonymous(server.addr);
    assert_eq!(stranger.post(PATH, nobody).await.0, 401);
    for wrong in [json!({ "audience": "friends" }), json!({ "casualOnly": "perhaps" })] {
        assert_eq!(refused(ann.post(PATH, wrong).await), (400, json!("badField")));
    }
    let default = json!({ "audience": "accounts", "casualOnly": false });
    assert_eq!(ann.get(PATH).await.1, default);
    // The setting survives a restart.
    set(&mut ann, json!({ "audience": "everyone" })).await;
    let server = server.restart().await;
    let ann = Player { addr: server.addr, ..ann };
    assert_eq!(ann.get(PATH).await.1["audience"], "everyone");
    server.stop().await;
}
