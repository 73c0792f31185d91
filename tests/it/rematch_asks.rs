//! Tests of asks: requests for a rematch to the owner of a rating range that a player has left.

use super::rematch::{
    ESTABLISHED, Pair, VARIANT, id_of, pair_outside, rematch, rematch_over, terms,
};
use crate::support::client::{Player, Server};
use serde_json::{Value, json};

async fn assert_refused(player: &Player, game: &str, answer: &str, reason: &str) -> Value {
    let (status, body) = rematch(player, game, answer).await;
    assert_eq!((status, &body["reason"]), (403, &json!(reason)), "{answer}: {body}");
    body
}

#[tokio::test]
async fn ask_after_a_decline_is_refused() {
    let Pair { server, database, ann, bob, game } = pair_outside(json!({ "days": 3 })).await;
    assert_eq!(rematch(&bob, &game, "ask").await.0, 200);
    assert_eq!(rematch(&ann, &game, "no").await.0, 200);
    assert_refused(&bob, &game, "ask", "alreadyDeclined").await;
    assert_eq!(terms(&bob, &game).await["fit"], "declined");
    // It stays refused after an offer that the player has declined.
    assert_eq!(rematch(&ann, &game, "widen").await.0, 200);
    assert_eq!(rematch(&bob, &game, "no").await.0, 200);
    assert_refused(&bob, &game, "ask", "alreadyDeclined").await;
    assert_eq!(terms(&bob, &game).await["fit"], "declined");
    // The owner of the range can still offer a game, which an ask accepts.
    let (status, body) = rematch(&ann, &game, "widen").await;
    assert_eq!(status, 200, "{body}");
    let offer = id_of(&body);
    let (status, body) = rematch(&bob, &game, "ask").await;
    assert_eq!((status, id_of(&body)), (200, offer.clone()), "{body}");
    // The next game has a rematch of its own.
    rematch_over(&ann, &offer).await;
    assert_eq!(rematch(&bob, &offer, "ask").await.0, 200);
    assert_eq!(database.games_of(&[&ann, &bob]).await, 2);
    server.stop().await;
}

#[tokio::test]
async fn canceled_ask_can_be_repeated() {
    let Pair { server, ann, bob, game, .. } = pair_outside(json!({ "days": 3 })).await;
    for _ in 0..2 {
        assert_eq!(rematch(&bob, &game, "ask").await.0, 200);
        assert_eq!(rematch(&bob, &game, "no").await.0, 200);
    }
    let ask = id_of(&rematch(&bob, &game, "ask").await.1);
    assert_eq!(id_of(&rematch(&ann, &game, "widen").await.1), ask);
    server.stop().await;
}

#[tokio::test]
async fn ask_without_an_owner_of_the_range_is_refused() {
    let server = Server::start().await;
    let database = server.database().await;
    let [mut ann, mut bob, mut cleo] =
        [server.player("Ann").await, server.player("Bob").await, server.player("Cleo").await];
    let fields =
        json!({ "variant": VARIANT, "rated": true, "days": 3, "ratingRange": "1400-1700" });
    let (status, body) = cleo.post("/api/challenge/open", fields).await;
    assert_eq!(status, 200, "{body}");
    let game = id_of(&body);
    for player in [&mut ann, &mut bob] {
        assert_eq!(player.accept(&game).await.0, 200);
    }
    rematch_over(&bob, &game).await;
    database.set_rating(&bob, VARIANT, 1741, ESTABLISHED).await;
    assert_eq!(terms(&bob, &game).await["outside"]["owner"], Value::Null);
    let body = assert_refused(&bob, &game, "ask", "noRangeOwner").await;
    assert_eq!(body["error"], "Neither of you can widen the rating range of this game.");
    assert_refused(&ann, &game, "ask", "noRangeOwner").await;
    // Inside the range, an ask is a plain offer.
    database.set_rating(&bob, VARIANT, 1600, ESTABLISHED).await;
    let offer = id_of(&rematch(&bob, &game, "ask").await.1);
    assert_eq!(id_of(&rematch(&ann, &game, "yes").await.1), offer);
    server.stop().await;
}

#[tokio::test]
async fn ask_by_the_owner_of_the_range_is_refused() {
    let Pair { server, ann, bob, game, .. } = pair_outside(json!({ "days": 3 })).await;
    let body = assert_refused(&ann, &game, "ask", "ownRange").await;
    assert_eq!(body["error"], "The rating range is your own. Use `widen`.");
    // As an answer, too: the ask of the opponent stays open.
    let ask = id_of(&rematch(&bob, &game, "ask").await.1);
    assert_refused(&ann, &game, "ask", "ownRange").await;
    let (status, body) = rematch(&ann, &game, "widen").await;
    assert_eq!((status, id_of(&body)), (200, ask), "{body}");
    server.stop().await;
}
