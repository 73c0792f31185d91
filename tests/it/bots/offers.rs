//! Replies of bots to draw, takeback and rematch offers, and their resignation.

use super::{GameClient, game_id, start_bot_game};
use crate::support::client::Server;
use serde_json::{Value, json};
use sprong::search::Strength;
use sprong::variants;

/// Strength that beats level 1.
const STRONG: Strength = Strength::Level(4);

#[tokio::test]
async fn bot_accepts_takeback_and_declines_early_draw() {
    let server = Server::start().await;
    let mut ann = server.player("Ann").await;
    let id = game_id(&start_bot_game(&mut ann, 1, "hogga", json!({})).await);
    let mut client = GameClient::join(&ann, &id).await;
    for _ in 0..2 {
        assert!(client.wait_for_turn().await);
        let u = client.legal[0].clone();
        client.play(&u).await;
    }
    assert!(client.wait_for_turn().await);
    client.socket.command("draw", json!({ "answer": "yes" })).await;
    assert_eq!(client.until("draw").await["d"]["by"], "first");
    assert_eq!(client.until("draw").await["d"]["by"], json!(null), "expected the bot to decline");
    client.socket.command("takeback", json!({ "answer": "yes" })).await;
    while client.ply != 2 {
        client.next().await;
    }
    assert!(client.wait_for_turn().await);
    let u = client.legal[1].clone();
    client.play(&u).await;
    // A takeback during the bot's search makes it search the new position.
    client.socket.command("takeback", json!({ "answer": "yes" })).await;
    while client.ply != 2 {
        client.next().await;
    }
    assert!(client.wait_for_turn().await);
    let u = client.legal[2].clone();
    client.play(&u).await;
    assert!(client.wait_for_turn().await);
    assert_eq!(client.ply, 4);
    server.stop().await;
}

#[tokio::test]
async fn bot_in_bad_position_accepts_draw() {
    let server = Server::start_with(&["--bot-resigns", "false"]).await;
    let mut ann = server.player("Ann").await;
    let hogga = variants::by_key("hogga").expect("variant");
    let game = start_bot_game(&mut ann, 1, "hogga", json!({ "clock.limit": 60 })).await;
    let start = game["fen"].as_str().expect("position").to_owned();
    let mut client = GameClient::join(&ann, &game_id(&game)).await;
    while client.wait_for_turn().await {
        if client.ply >= 20 {
            client.socket.command("draw", json!({ "answer": "yes" })).await;
            client.until("draw").await;
            while client.end.is_none() && client.next().await["t"] != "draw" {}
        }
        if client.end.is_none() {
            let start = hogga.read(&start, &hogga.options()).expect("start");
            let u = client.best_move_from(start, STRONG).await;
            client.play(&u).await;
        }
    }
    let end = client.end.expect("an end");
    assert_eq!(json!([end["status"], end["reason"]]), json!(["draw", "agreement"]));
    assert!(client.ply >= 20);
    server.stop().await;
}

/// Plays strong moves against a level that searches deep enough to recognize a lost position.
/// Returns the end and the number of plies.
async fn play_strongly(server: &Server) -> (Value, u64) {
    let mut guest = server.guest().await;
    let variant = variants::by_key("wieNietWegIs").expect("variant");
    let game = start_bot_game(&mut guest, 7, "wieNietWegIs", json!({ "clock.limit": 300 })).await;
    let mut client = GameClient::join(&guest, &game_id(&game)).await;
    while client.wait_for_turn().await {
        let start = game["fen"].as_str().expect("position");
        let start = variant.read(start, &variant.options()).expect("start");
        let u = client.best_move_from(start, Strength::Nodes(300_000)).await;
        client.play(&u).await;
    }
    (client.end.expect("an end"), client.ply)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bot_resigns_lost_game_if_allowed() {
    for resigns in [true, false] {
        let server = Server::start_with(&["--bot-resigns", &resigns.to_string()]).await;
        let mut resigned = 0;
        // Some bots recognize a loss too late to resign. At least one of these resigns.
        for _ in 0..6 {
            let ends = futures_util::future::join_all((0..3).map(|_| play_strongly(&server))).await;
            for (end, ply) in ends {
                assert!(
                    end["status"] != "resign" || (end["winner"] == "first" && ply >= 10),
                    "{end}"
                );
                resigned += u32::from(end["status"] == "resign");
            }
            if resigned > 0 || !resigns {
                break;
            }
        }
        assert_eq!(resigned > 0, resigns);
        server.stop().await;
    }
}

#[tokio::test]
async fn bot_accepts_rematch_immediately() {
    let server = Server::start().await;
    let mut ann = server.player("Ann").await;
    let id =
        game_id(&start_bot_game(&mut ann, 2, "knightFight", json!({ "clock.limit": 60 })).await);
    let mut client = GameClient::join(&ann, &id).await;
    let u = client.legal[0].clone();
    client.play(&u).await;
    assert!(client.wait_for_turn().await);
    ann.post(&format!("/api/board/game/{id}/resign"), json!({})).await;
    client.until("end").await;
    let path = format!("/api/board/game/{id}/rematch/yes");
    let (status, response) = ann.post(&path, json!({})).await;
    assert_eq!((status, &response["ok"]), (200, &json!(true)));
    let next = game_id(&response);
    assert_ne!(next, id);
    let (status, game) = ann.get(&format!("/api/game/{next}")).await;
    assert_eq!(status, 200);
    assert_eq!(json!([game["you"], game["first"]["level"]]), json!(["second", 2]));
    // The bot is to move, and moves.
    let mut client = GameClient::join(&ann, &next).await;
    assert!(client.wait_for_turn().await);
    assert_eq!(client.ply, 1);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bot_interrupted_in_its_search_accepts_rematch() {
    let server = Server::start().await;
    let mut ann = server.player("Ann").await;
    let mut id = game_id(
        &start_bot_game(&mut ann, 8, "caterpillarWar", json!({ "clock.limit": 300 })).await,
    );
    // The bot searches both times, once as the second side and once as the first.
    for side in ["first", "second"] {
        let mut client = GameClient::join(&ann, &id).await;
        if side == "first" {
            let u = client.legal[0].clone();
            client.play(&u).await;
        }
        assert!(client.legal.is_empty(), "expected the bot to be on move");
        ann.post(&format!("/api/board/game/{id}/resign"), json!({})).await;
        client.until("end").await;
        let (status, response) =
            ann.post(&format!("/api/board/game/{id}/rematch/yes"), json!({})).await;
        assert_eq!((status, &response["ok"]), (200, &json!(true)));
        let next = game_id(&response);
        assert_ne!(next, id);
        id = next;
    }
    let mut client = GameClient::join(&ann, &id).await;
    assert!(client.wait_for_turn().await);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bot_that_lost_plays_on_solo_where_points_are_counted() {
    let server = Server::start().await;
    let mut ann = server.player("Ann").await;
    let hogga = variants::by_key("hogga").expect("variant");
    let mut options = hogga.options();
    options.set("points", "true").expect("option");
    // The weaker side may win a game, but hardly all of them.
    for _ in 0..5 {
        let game = start_bot_game(&mut ann, 5, "hogga", json!({ "options.points": "true" })).await;
        let mut client = GameClient::join(&ann, &game_id(&game)).await;
        let start = || hogga.start(&options, 0);
        while client.wait_for_turn().await {
            let u = client.best_move_from(start(), Strength::Level(7)).await;
            client.play(&u).await;
        }
        let final_text = client.line_from(start()).position().text();
        let end = client.end.expect("an end");
        // The bot may resign before a side is home; afterwards it plays on.
        let home = final_text.rsplit_once(" 1+");
        if end["winner"] != "first" || home.is_none() && end["status"] == "resign" {
            continue;
        }
        assert_eq!(end["status"], "variantEnd", "{end}");
        let (_, counted) = home.expect("the count after the first side was home");
        assert!(counted.parse::<u32>().expect("a count") > 0, "{final_text}");
        server.stop().await;
        return;
    }
    panic!("expected level 5 to lose one of five games");
}
