//! Compatibility with clients of the lichess API: request forms, older paths and response fields.

use crate::support::client::{Player, Server};
use reqwest::Method;
use serde_json::{Value, json};

async fn load_game(player: &Player, id: &str) -> Value {
    player.get(&format!("/api/game/{id}")).await.1
}

#[tokio::test]
async fn move_with_offering_draw_offers_or_accepts_a_draw() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = ann.start_game(&mut bob, "caterpillarWar", json!({})).await;
    let path = |u: &str| format!("/api/board/game/{id}/move/{u}");
    // Player, move and query, body, response, side that then offers a draw, and plies played.
    let mut players = [ann.clone(), bob.clone()];
    for (mover, move_text, body, expected, offer, plies) in [
        // A draw cannot be offered yet; the move is played all the same.
        (0, "h5-g5?offeringDraw=true", "", (200, Value::Null), Value::Null, 1),
        (1, "a4-b4", "offeringDraw=True", (200, Value::Null), json!("second"), 2),
        (1, "b4-c4?offeringDraw=true", "", (400, json!("notYourTurn")), json!("second"), 2),
    ] {
        let send = |builder: reqwest::RequestBuilder| {
            builder.header("content-type", "application/x-www-form-urlencoded").body(body)
        };
        let (status, response) = players[mover].send(send, Method::POST, &path(move_text)).await;
        assert_eq!((status, response["reason"].clone()), expected, "{move_text}: {response}");
        let game = load_game(&ann, &id).await;
        assert_eq!(game["draw"], offer, "{move_text}");
        let moves = game["state"]["moves"].as_str().expect("moves").split(' ').count();
        assert_eq!(moves, plies, "{move_text}");
    }
    let (status, body) = ann.post(&path("g5-f5?offeringDraw=perhaps"), json!({})).await;
    assert_eq!((status, &body["reason"]), (400, &json!("badField")));
    assert_eq!(ann.post(&path("g5-f5?offeringDraw=false"), json!({})).await.0, 200);
    assert_eq!(
        load_game(&ann, &id).await["draw"],
        Value::Null,
        "expected the move to decline the offer"
    );
    assert_eq!(bob.post(&path("b4-c4?offeringDraw=true"), json!({})).await.0, 200);
    assert_eq!(ann.post(&path("f5-e5?offeringDraw=1"), json!({})).await.0, 200);
    let game = load_game(&ann, &id).await;
    assert_eq!(
        (&game["end"]["status"], &game["end"]["reason"]),
        (&json!("draw"), &json!("agreement"))
    );
    assert_eq!(game["state"]["moves"], "h5-g5 a4-b4 g5-f5 b4-c4");
    let (status, body) = bob.post(&path("c4-d4?offeringDraw=true"), json!({})).await;
    assert_eq!((status, &body["reason"]), (400, &json!("over")));
    server.stop().await;
}

#[tokio::test]
async fn older_paths_answer_like_the_new_ones() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = ann.start_game(&mut bob, "caterpillarWar", json!({})).await;
    let http = reqwest::Client::new();
    let fetch = async |method: Method, path: &str| {
        let request =
            http.request(method, format!("http://{}{path}", server.addr)).body(id.clone());
        let response = request.send().await.expect("answer");
        let headers =
            ["content-type", "cache-control"].map(|name| response.headers().get(name).cloned());
        (response.status().as_u16(), headers, response.text().await.expect("text"))
    };
    for (method, path, status) in [
        (Method::GET, "/player", 200),
        (Method::GET, "/player/top/10/hogga", 200),
        (Method::GET, "/player/top/10/chess", 404),
        (Method::GET, "/tv/channels", 200),
        (Method::POST, "/games/export/_ids", 200),
    ] {
        let old = fetch(method.clone(), path).await;
        assert_eq!(old, fetch(method, &format!("/api{path}")).await, "{path}");
        assert_eq!(old.0, status, "{path}");
    }
    let (_, _, text) = fetch(Method::POST, "/games/export/_ids").await;
    assert!(text.contains("[White \"") && text.contains("Ann"), "{text}");
    // `berserk` appends a slash to the path.
    let claim = format!("/api/board/game/{id}/claim-victory");
    let (status, body) = ann.post(&claim, json!({})).await;
    assert_eq!((status, &body["reason"]), (400, &json!("noClock")));
    assert_eq!(ann.post(&format!("{claim}/"), json!({})).await, (status, body));
    let claim = format!("/api/bot/game/{id}/claim-victory");
    assert_eq!(ann.post(&format!("{claim}/"), json!({})).await, ann.post(&claim, json!({})).await);
    server.stop().await;
}

#[tokio::test]
async fn responses_have_the_fields_of_lichess() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let (status, open) = ann.post("/api/challenge/open", json!({ "variant": "hogga" })).await;
    assert_eq!((status, &open["open"], &open["perf"]["icon"]), (200, &json!({}), &json!("")));
    let (_, listed) = ann.post("/api/challenge", json!({ "variant": "hogga" })).await;
    assert_eq!(listed.get("open"), None);
    let first = ann.start_game(&mut bob, "caterpillarWar", json!({})).await;
    ann.start_game(&mut bob, "caterpillarWar", json!({ "clock.limit": 300 })).await;
    let played = ann.start_game(&mut bob, "knightFight", json!({})).await;
    // A game counts once both have moved.
    for player in [&mut ann, &mut bob] {
        let legal = load_game(player, &played).await["legal"][0].clone();
        let u = legal.as_str().expect("a move");
        let path = format!("/api/board/game/{played}/move/{u}");
        assert_eq!(player.post(&path, json!({})).await.0, 200, "{u}");
    }
    bob.post(&format!("/api/board/game/{played}/resign"), json!({})).await;
    for (player, nb, listed, own) in [(&ann, 50, 2, 2), (&ann, 1, 1, 2), (&bob, 50, 2, 0)] {
        let (_, playing) = player.get(&format!("/api/account/playing?nb={nb}")).await;
        let games = playing["nowPlaying"].as_array().expect("games");
        assert_eq!((games.len(), &playing["nbMyTurn"]), (listed, &json!(own)), "{playing}");
        assert_eq!(games[0]["rating"], 1500);
    }
    ann.post(&format!("/api/board/game/{first}/move/h5-g5"), json!({})).await;
    assert_eq!(ann.get("/api/account/playing").await.1["nbMyTurn"], 1);
    assert_eq!(bob.get("/api/account/playing").await.1["nbMyTurn"], 1);
    for (player, expected) in [(&ann, 1), (&Player::anonymous(server.addr), 0)] {
        let count = player.get("/api/user/bob").await.1["count"].clone();
        assert_eq!(
            (&count["bookmark"], &count["import"], &count["me"]),
            (&json!(0), &json!(0), &json!(expected))
        );
    }
    server.stop().await;
}

#[tokio::test]
async fn contradictory_fields_are_refused() {
    let server = Server::start().await;
    let mut ann = server.player("Ann").await;
    server.player("Bob").await;
    for (path, fields, named) in [
        ("/api/challenge", json!({ "days": 3, "clock.limit": 300 }), ["days", "clock.limit"]),
        (
            "/api/challenge/bob",
            json!({ "days": 3, "clock.increment": 3 }),
            ["days", "clock.increment"],
        ),
        (
            "/api/challenge/ai",
            json!({ "level": 1, "days": 3, "clock.limit": 9 }),
            ["days", "clock.limit"],
        ),
        ("/api/challenge/open", json!({ "clocks": "3d", "days": 3 }), ["clocks", "days"]),
        ("/api/challenge/open", json!({ "color": "first" }), ["color", "seats"]),
        ("/api/challenge/open", json!({ "variants": "hogga" }), ["variants", "variant"]),
        ("/api/board/seek", json!({ "days": 3, "time": 5 }), ["days", "time"]),
        ("/api/board/seek", json!({ "days": 3, "increment": 3 }), ["days", "increment"]),
    ] {
        let mut form = json!({ "variant": "hogga" });
        form.as_object_mut().expect("object").extend(fields.as_object().expect("fields").clone());
        let (status, response) = ann.post(path, form).await;
        assert_eq!(
            (status, &response["reason"]),
            (400, &json!("contradiction")),
            "{path} {fields}"
        );
        let message = response["error"].as_str().expect("a sentence");
        assert!(named.iter().all(|field| message.contains(field)), "{message}");
    }
    // Two free seats already mean random sides, so `random` is accepted.
    let fields = json!({ "variant": "hogga", "color": "random" });
    assert_eq!(ann.post("/api/challenge/open", fields).await.0, 200);
    server.stop().await;
}

/// A game against the computer that its player has left awaits nobody.
#[tokio::test]
async fn game_against_the_computer_is_no_awaited_move() {
    let server = Server::start().await;
    let mut ann = server.player("Ann").await;
    let fields = json!({ "variant": "hogga", "level": 1, "color": "first" });
    let (status, body) = ann.post("/api/challenge/ai", fields).await;
    assert_eq!(status, 201, "{body}");
    let (_, playing) = ann.get("/api/account/playing").await;
    assert_eq!(playing["nowPlaying"][0]["isMyTurn"], true, "{playing}");
    assert_eq!(playing["nbMyTurn"], 0, "{playing}");
    server.stop().await;
}
