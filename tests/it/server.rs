//! The server from outside: HTTP and sockets, as browsers and others use them, well and badly.

use super::client::{IDLE, Player, Server, Socket};
use reqwest::Method;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::{Error as WsError, Message};
use uuid::Uuid;

const CLOCK: &str = "clock.limit";

async fn open(player: &Player, id: &str) -> (Socket, Value) {
    let mut socket = player.socket(&format!("/ws/game/{id}")).await;
    let full = socket.until("full").await;
    (socket, full)
}

/// The state of a game in what every page sees of it.
async fn state(server: &Server, id: &str) -> Value {
    let (status, full) = Player::nobody(server.addr).get(&format!("/api/game/{id}")).await;
    assert_eq!(status, 200);
    full
}

#[tokio::test]
async fn two_play_to_the_end_while_others_watch() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id =
        ann.begin(&mut bob, "knightFight", json!({ CLOCK: 300, "ratingRange": "1400-1600" })).await;
    let (mut first, full) = open(&ann, &id).await;
    let (mut second, _) = open(&bob, &id).await;
    let mut watchers = Vec::new();
    for _ in 0..5 {
        watchers.push(open(&Player::nobody(server.addr), &id).await.0);
    }
    assert_eq!((&full["d"]["you"], &full["v"]), (&json!("first"), &json!(0)));
    while first.until("crowd").await["d"]["n"] != 5 {}
    let mut legal = full["d"]["legal"].clone();
    let (mut ply, mut seen) = (0, Vec::new());
    while let Some(u) = legal.as_array().and_then(|legal| legal.first()).cloned() {
        let (mover, other) =
            if ply % 2 == 0 { (&mut first, &mut second) } else { (&mut second, &mut first) };
        let cid = mover.command("move", json!({ "u": u, "ply": ply })).await;
        let ack = mover.until("ack").await;
        ply += 1;
        assert_eq!((&ack["d"]["cid"], &ack["d"]["v"]), (&json!(cid), &json!(ply)));
        let own = mover.until("move").await;
        let told = other.until("move").await;
        assert_eq!((&told["v"], &told["d"]["u"]), (&json!(ply), &u));
        assert_eq!(own["d"]["legal"], Value::Null, "legal moves are for the side to move alone");
        legal = told["d"]["legal"].clone();
        seen.push(u);
    }
    let end = first.until("end").await;
    assert_eq!(end["d"]["status"], "variantEnd");
    for watcher in &mut watchers {
        for u in &seen {
            let told = watcher.until("move").await;
            assert_eq!((&told["d"]["u"], &told["d"]["legal"]), (u, &Value::Null));
        }
        assert_eq!(watcher.until("end").await["d"], end["d"]);
    }
    let diff = end["d"]["ratingDiff"]["first"].as_i64().expect("diff");
    assert_eq!(ann.rating("knightFight").await, 1500 + diff);
    assert_eq!(state(&server, &id).await["end"]["status"], "variantEnd");
    server.stop().await;
}

#[tokio::test]
async fn a_range_is_kept_on_the_list_and_by_hand() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = ann.begin(&mut bob, "caterpillarWar", json!({})).await;
    for (player, u) in [(&mut ann, "h5-g5"), (&mut bob, "a4-b4")] {
        let (status, _) = player.post(&format!("/api/board/game/{id}/move/{u}"), json!({})).await;
        assert_eq!(status, 200);
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
    let (status, body) = Player::nobody(server.addr).accept(&open_one).await;
    assert_eq!((status, &body["reason"]), (401, &json!("anonymous")));
    // In another variant nobody has played yet: there both fit.
    let other =
        json!({ "variant": "knightFight", "rated": true, "days": 3, "ratingRange": "1400-1600" });
    let other = eve.challenge(other).await;
    assert_eq!(bob.accept(&other).await.0, 200);
    let (status, _) = Player::nobody(server.addr).get(&format!("/api/game/{open_one}")).await;
    assert_eq!(status, 404, "a refused acceptance makes no game");
    server.stop().await;
}

#[tokio::test]
async fn of_fifty_who_accept_at_once_one_wins() {
    let server = Server::start().await;
    let mut maker = server.player("Maker").await;
    let id = maker.challenge(json!({ "variant": "knightFight" })).await;
    let mut crowd = Vec::new();
    for _ in 0..50 {
        crowd.push(server.guest().await);
    }
    let tries = crowd.into_iter().map(|mut guest| {
        let id = id.clone();
        tokio::spawn(async move { guest.accept(&id).await })
    });
    let mut won = 0;
    for answer in futures_util::future::join_all(tries).await {
        match answer.expect("task") {
            (200, _) => won += 1,
            (status, body) => assert_eq!((status, &body["reason"]), (409, &json!("taken"))),
        }
    }
    assert_eq!(won, 1);
    server.stop().await;
}

#[tokio::test]
async fn a_challenge_that_cannot_be_is_refused_with_its_reason() {
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
        (json!({ "variants": "caterpillarWar,chess" }), "badVariant"),
        (json!({ "color": "purple" }), "badColor"),
        (json!({ "rated": "perhaps" }), "badField"),
        (json!({ "provisional": "maybe" }), "badField"),
        (json!({ "expiresAt": past }), "badExpiry"),
        (json!({ "expiresAt": i64::MAX }), "badExpiry"),
    ] {
        let mut whole = json!({ "variant": "caterpillarWar" });
        if fields == json!({}) {
            whole = json!({});
        }
        for (key, value) in fields.as_object().expect("fields") {
            whole[key] = value.clone();
        }
        let (status, body) = ann.post("/api/challenge", whole).await;
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
async fn a_challenge_is_told_in_full() {
    let server = Server::start().await;
    let mut ann = server.player("Ann").await;
    let body = "variant=knightFight&rated=true&color=black&clock.limit=300&clock.increment=3\
                &ratingRange=-100..%2B200&provisional=deny&options.doubles=must&keepAliveStream=true";
    let form = |builder: reqwest::RequestBuilder| {
        builder.header("content-type", "application/x-www-form-urlencoded").body(body)
    };
    let (status, made) = ann.ask(form, Method::POST, "/api/challenge").await;
    assert_eq!(status, 201, "{made}");
    assert_eq!(
        made["timeControl"],
        json!({ "type": "clock", "limit": 300, "increment": 3, "show": "5+3" })
    );
    assert_eq!(made["ratingRange"], json!({ "min": 1400, "max": 1700, "rule": "-100..+200" }));
    assert_eq!(made["options"], json!({ "doubles": "must" }));
    assert_eq!((&made["color"], &made["finalColor"]), (&json!("black"), &Value::Null));
    assert_eq!((&made["status"], &made["provisional"]), (&json!("created"), &json!("deny")));
    assert_eq!((&made["eligible"], &made["ineligibleReason"]), (&json!(false), &json!("own")));
    assert_eq!((&made["speed"], &made["destUser"]), (&json!("blitz"), &Value::Null));
    let id = made["id"].as_str().expect("id");
    assert_eq!(made["url"], format!("http://{}/{id}", server.addr));
    let mut bob = server.player("Bob").await;
    let (_, shown) = bob.get(&format!("/api/challenge/{id}/show")).await;
    assert_eq!(shown["ineligibleReason"], "provisional");
    assert_eq!(bob.accept(id).await.1["reason"], "provisional");
    let (status, body) = bob.post(&format!("/api/challenge/{id}/cancel"), json!({})).await;
    assert_eq!((status, &body["reason"]), (403, &json!("notForYou")));
    assert_eq!(ann.post(&format!("/api/challenge/{id}/cancel"), json!({})).await.0, 200);
    let (status, body) = bob.accept(id).await;
    assert_eq!((status, &body["reason"]), (409, &json!("canceled")));
    let (_, shown) = bob.get(&format!("/api/challenge/{id}/show")).await;
    assert_eq!(shown["status"], "canceled");
    server.stop().await;
}

#[tokio::test]
async fn an_expired_challenge_is_refused_and_leaves_the_list() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut lobby = bob.socket("/ws/lobby").await;
    lobby.until("full").await;
    let soon = sprong::rooms::now_ms() + 300;
    let id = ann.challenge(json!({ "variant": "knightFight", "expiresAt": soon })).await;
    assert_eq!(lobby.until("challenge").await["d"]["eligible"], true);
    tokio::time::sleep(std::time::Duration::from_millis(350)).await;
    let (status, body) = bob.accept(&id).await;
    assert_eq!((status, &body["reason"]), (409, &json!("expired")));
    let gone = lobby.until("challengeGone").await;
    assert_eq!(gone["d"], json!({ "id": id, "status": "expired" }));
    assert_eq!(bob.get("/api/lobby").await.1["challenges"], json!([]));
    server.stop().await;
}

#[tokio::test]
async fn bad_requests_are_refused_and_harm_nobody() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let eve = server.player("Eve").await;
    let id = ann.begin(&mut bob, "caterpillarWar", json!({})).await;
    let path = |rest: &str| format!("/api/board/game/{id}/{rest}");
    let mut people = [ann, bob, eve, Player::nobody(server.addr)];
    let (ann, bob, eve, nobody) = (0, 1, 2, 3);
    for (player, rest, status, reason) in [
        (eve, path("move/h5-g5"), 400, "notAPlayer"),
        (eve, path("resign"), 400, "notAPlayer"),
        (bob, path("move/a4-b4"), 400, "notYourTurn"),
        (ann, path("move/a4-b4"), 400, "illegal"),
        (ann, path("move/%F0%9F%90%9B"), 400, "illegal"),
        (ann, path("draw/no"), 400, "noOffer"),
        (ann, path("draw/yes"), 400, "tooSoon"),
        (nobody, path("resign"), 401, "anonymous"),
    ] {
        let (code, body) = people[player].post(&rest, json!({})).await;
        assert_eq!((code, &body["reason"]), (status, &json!(reason)), "{rest}");
    }
    for unknown in [
        "/api/board/game/zzzzzzzz/resign",
        "/api/board/game/x/resign",
        "/api/nothing",
        "/api/challenge/zzzzzzzz/accept",
        "/api/challenge/..%2F..%2F/accept",
        "/api/variants",
        &path("draw/perhaps"),
    ] {
        let (code, body) = people[ann].post(unknown, json!({})).await;
        assert_eq!((code, body), (404, json!({ "error": "Not found." })), "{unknown}");
    }
    let unreadable = people[ann].post("/api/board/game/abcdefgh/move/%ff", json!({})).await;
    assert_eq!((unreadable.0, &unreadable.1["reason"]), (400, &json!("badRequest")));
    let large = json!({ "variant": "x".repeat(1_000_000) });
    let large = people[ann].post("/api/position", large).await;
    assert_eq!((large.0, &large.1["reason"]), (413, &json!("tooLarge")));
    for (kind, body) in [
        ("application/json", "{\"variant\":".to_owned()),
        ("application/json", "[1,2]".to_owned()),
        ("application/json", "\u{0}".to_owned()),
        ("application/json", "[".repeat(20_000)),
        ("application/json", format!("{{\"variant\":\"{}\"}}", "x".repeat(1_000_000))),
    ] {
        let send =
            |builder: reqwest::RequestBuilder| builder.header("content-type", kind).body(body);
        let (code, answer) = people[ann].ask(send, Method::POST, "/api/challenge").await;
        assert_eq!(code, 400, "{answer}");
        assert!(answer["reason"].as_str().is_some_and(|r| r == "badBody" || r == "tooLarge"));
    }
    assert_eq!(people[ann].post(&path("move/h5-g5"), json!({})).await.0, 200);
    assert_eq!(state(&server, &id).await["state"]["moves"], "h5-g5");
    server.stop().await;
}

#[tokio::test]
async fn s4_bad_messages_are_refused_and_harm_nobody() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = ann.begin(&mut bob, "caterpillarWar", json!({})).await;
    let (first, _) = open(&ann, &id).await;
    let (second, _) = open(&bob, &id).await;
    let (eve, _) = open(&server.player("Eve").await, &id).await;
    let (nobody, _) = open(&Player::nobody(server.addr), &id).await;
    let cid = Uuid::now_v7();
    let mut sockets = [first, second, eve, nobody];
    let (first, second, eve, nobody) = (0, 1, 2, 3);
    for (socket, text, reason) in [
        (first, "nonsense".to_owned(), "badFrame"),
        (first, "{}".to_owned(), "badFrame"),
        (first, "{\"t\":7}".to_owned(), "badFrame"),
        (first, "{\"t\":\"move\",\"d\":{\"cid\":\"x\"}}".to_owned(), "badFrame"),
        (first, "{\"t\":\"move\",\"d\":{\"u\":\"h5-g5\",\"ply\":0}}".to_owned(), "badFrame"),
        (first, "{\"t\":\"move\",\"d\":{\"u\":\"h5-g5\",\"ply\":-1}}".to_owned(), "badFrame"),
        (first, json!({ "t": "move", "d": { "cid": cid, "ply": 0 } }).to_string(), "badFrame"),
        (first, json!({ "t": "castle", "d": { "cid": cid } }).to_string(), "unknown"),
        (
            first,
            json!({ "t": "move", "d": { "cid": cid, "u": "a4-b4", "ply": 0 } }).to_string(),
            "illegal",
        ),
        (
            first,
            json!({ "t": "move", "d": { "cid": cid, "u": "h5-g5", "ply": 1 } }).to_string(),
            "stale",
        ),
        (
            second,
            json!({ "t": "move", "d": { "cid": cid, "u": "a4-b4", "ply": 0 } }).to_string(),
            "notYourTurn",
        ),
        (
            second,
            json!({ "t": "draw", "d": { "cid": cid, "answer": "perhaps" } }).to_string(),
            "badFrame",
        ),
        (
            eve,
            json!({ "t": "move", "d": { "cid": cid, "u": "h5-g5", "ply": 0 } }).to_string(),
            "notAPlayer",
        ),
        (eve, json!({ "t": "resign", "d": { "cid": cid } }).to_string(), "notAPlayer"),
        (
            eve,
            json!({ "t": "talk", "d": { "cid": cid, "text": "hi", "room": "player" } }).to_string(),
            "notAPlayer",
        ),
        (first, json!({ "t": "talk", "d": { "cid": cid, "text": " \n" } }).to_string(), "empty"),
        (
            first,
            json!({ "t": "talk", "d": { "cid": cid, "text": "x".repeat(301) } }).to_string(),
            "tooLong",
        ),
        (
            nobody,
            json!({ "t": "talk", "d": { "cid": cid, "text": "hi" } }).to_string(),
            "anonymous",
        ),
    ] {
        sockets[socket].send_text(&text).await;
        let refused = sockets[socket].until("refused").await;
        assert_eq!(refused["d"]["reason"], reason, "{text}");
        assert!(refused["d"]["error"].as_str().is_some_and(|error| !error.is_empty()));
    }
    // The same frame twice is answered twice and done once.
    let frame = json!({ "t": "move", "d": { "cid": cid, "u": "h5-g5", "ply": 0 } });
    for _ in 0..2 {
        sockets[first].send(frame.clone()).await;
        assert_eq!(sockets[first].until("ack").await["d"], json!({ "cid": cid, "v": 1 }));
    }
    assert_eq!(state(&server, &id).await["state"]["moves"], "h5-g5");
    for (message, code) in [
        (Message::text("x".repeat(1_000_000)), 1009),
        (Message::text("x".repeat(5_000)), 1009),
        (Message::binary(vec![1, 2, 3]), 1003),
    ] {
        let (mut socket, _) = open(&ann, &id).await;
        use futures_util::SinkExt;
        socket.0.send(message).await.expect("sent");
        assert_eq!(socket.until_closed().await, code);
    }
    sockets[second].command("move", json!({ "u": "a4-b4", "ply": 1 })).await;
    assert_eq!(sockets[second].until("ack").await["d"]["v"], 2);
    server.stop().await;
}

#[tokio::test]
async fn s3_too_many_messages_end_the_connection_and_no_other() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = ann.begin(&mut bob, "knightFight", json!({})).await;
    let (mut flood, _) = open(&ann, &id).await;
    let (mut calm, _) = open(&ann, &id).await;
    for n in 0..130 {
        use futures_util::SinkExt;
        let ping = json!({ "t": "ping", "d": { "c": n } }).to_string();
        let _ = flood.0.send(Message::text(ping)).await;
    }
    assert_eq!(flood.until_closed().await, 1008);
    calm.send(json!({ "t": "ping", "d": { "c": 1.5 } })).await;
    assert_eq!(calm.until("pong").await["d"]["c"], 1.5);
    server.stop().await;
}

#[tokio::test]
async fn w2_sockets_are_for_our_own_pages() {
    let server = Server::start().await;
    let ann = server.player("Ann").await;
    let own = format!("http://{}", server.addr);
    for origin in [
        None,
        Some("null"),
        Some("http://evil.example"),
        Some(&*format!("{own}.evil.example")),
        Some(&*format!("{own}0")),
        Some("http://127.0.0.1"),
        Some(""),
    ] {
        match ann.socket_from("/ws/lobby", origin).await {
            Err(WsError::Http(response)) => assert_eq!(response.status(), 403, "{origin:?}"),
            Err(other) => panic!("{other}"),
            Ok(_) => panic!("{origin:?} was let in"),
        }
    }
    assert!(ann.socket_from("/ws/lobby", Some(&own)).await.is_ok());
    let foreign =
        |builder: reqwest::RequestBuilder| builder.header("origin", "http://evil.example");
    let (status, body) = ann.clone().ask(foreign, Method::POST, "/api/logout").await;
    assert_eq!((status, &body["reason"]), (403, &json!("foreignOrigin")));
    assert_eq!(ann.get("/api/account").await.0, 200);
    let mut stranger = ann.socket("/ws/game/zzzzzzzz").await;
    assert_eq!(stranger.until_closed().await, 4404);
    server.stop().await;
}

#[tokio::test]
async fn who_comes_back_gets_what_was_missed() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = ann.begin(&mut bob, "caterpillarWar", json!({})).await;
    let (mut first, _) = open(&ann, &id).await;
    let (mut second, _) = open(&bob, &id).await;
    first.command("move", json!({ "u": "h5-g5", "ply": 0 })).await;
    second.until("move").await;
    drop(second);
    first.command("talk", json!({ "text": "Are you there?" })).await;
    first.until("chat").await;
    let mut second = bob.socket(&format!("/ws/game/{id}?v=1")).await;
    let missed = second.next().await.expect("message");
    assert_eq!((&missed["t"], &missed["v"]), (&json!("chat"), &json!(2)));
    let mut watcher = Player::nobody(server.addr).socket(&format!("/ws/game/{id}?v=1")).await;
    assert_eq!(watcher.next().await, Ok(json!({ "v": 2 })), "players' chat is not for spectators");
    for gap in ["v=7", "v=-1", "v=x", ""] {
        let mut socket = bob.socket(&format!("/ws/game/{id}?{gap}")).await;
        let full = socket.next().await.expect("message");
        assert_eq!((&full["t"], &full["v"]), (&json!("full"), &json!(2)), "{gap}");
    }
    server.stop().await;
}

#[tokio::test]
async fn chats_are_kept_apart() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = ann.begin(&mut bob, "knightFight", json!({})).await;
    let (mut first, _) = open(&ann, &id).await;
    let (mut second, _) = open(&bob, &id).await;
    let (mut guest, _) = open(&server.guest().await, &id).await;
    first.command("talk", json!({ "text": "<b>good luck</b>" })).await;
    assert_eq!(second.until("chat").await["d"]["text"], "<b>good luck</b>");
    guest.command("talk", json!({ "text": "who wins?" })).await;
    assert_eq!(guest.until("chat").await["d"]["room"], "spectator");
    let (_, players) = ann.get(&format!("/api/game/{id}")).await;
    let watched = state(&server, &id).await;
    assert_eq!(players["chat"].as_array().map(Vec::len), Some(1));
    assert_eq!(watched["chat"][0]["text"], "who wins?");
    assert_eq!(watched["chat"].as_array().map(Vec::len), Some(1));
    server.stop().await;
}

#[tokio::test]
async fn offers_are_made_and_answered() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = ann.begin(&mut bob, "caterpillarWar", json!({ CLOCK: 60 })).await;
    let (mut first, _) = open(&ann, &id).await;
    let (mut second, _) = open(&bob, &id).await;
    first.command("move", json!({ "u": "h5-g5", "ply": 0 })).await;
    second.until("move").await;
    second.command("move", json!({ "u": "a4-b4", "ply": 1 })).await;
    let moved = first.until("move").await;
    assert_eq!(moved["v"], 1);
    let moved = first.until("move").await;
    assert_eq!(moved["d"]["clock"]["running"], "first");
    first.command("abort", json!({})).await;
    assert_eq!(first.until("refused").await["d"]["reason"], "tooLate");
    first.command("draw", json!({ "answer": "yes" })).await;
    assert_eq!(second.until("draw").await["d"]["by"], "first");
    second.command("draw", json!({ "answer": "no" })).await;
    assert_eq!(second.until("draw").await["d"]["by"], Value::Null);
    second.command("draw", json!({ "answer": "yes" })).await;
    first.until("draw").await;
    first.command("draw", json!({ "answer": "yes" })).await;
    let end = second.until("end").await;
    assert_eq!((&end["d"]["status"], &end["d"]["reason"]), (&json!("draw"), &json!("agreement")));
    assert_eq!(end["d"]["ratingDiff"], json!({ "first": 0, "second": 0 }));
    first.command("resign", json!({})).await;
    assert_eq!(first.until("refused").await["d"]["reason"], "over");
    server.stop().await;
}

#[tokio::test]
async fn a_flag_falls_by_itself_and_counts_once() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = ann.begin(&mut bob, "caterpillarWar", json!({ CLOCK: 1 })).await;
    let (mut first, _) = open(&ann, &id).await;
    let (mut second, _) = open(&bob, &id).await;
    first.command("move", json!({ "u": "h5-g5", "ply": 0 })).await;
    second.until("move").await;
    second.command("move", json!({ "u": "a4-b4", "ply": 1 })).await;
    let end = first.until("end").await;
    assert_eq!((&end["d"]["status"], &end["d"]["winner"]), (&json!("outoftime"), &json!("second")));
    assert_eq!(end["d"]["clock"]["first"], 0);
    let (_, account) = bob.get("/api/account").await;
    assert_eq!(account["perfs"]["caterpillarWar"]["games"], 1);
    server.stop().await;
}

#[tokio::test]
async fn a_game_called_off_is_not_rated() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = ann.begin(&mut bob, "knightFight", json!({})).await;
    let (status, _) = bob.post(&format!("/api/board/game/{id}/abort"), json!({})).await;
    assert_eq!(status, 200);
    let full = state(&server, &id).await;
    assert_eq!(
        (&full["end"]["status"], &full["end"]["ratingDiff"]),
        (&json!("aborted"), &Value::Null)
    );
    let (_, account) = ann.get("/api/account").await;
    assert_eq!(account["perfs"]["knightFight"]["games"], 0);
    server.stop().await;
}

#[tokio::test]
async fn accounts_and_guests() {
    let server = Server::start().await;
    for (name, reason) in [
        ("", "badName"),
        ("a", "badName"),
        ("1up", "badName"),
        ("no spaces", "badName"),
        ("аnn", "badName"),
        ("x123456789012345678901", "badName"),
        ("~quiet-heron-1", "badName"),
    ] {
        let who = json!({ "username": name, "password": "correct-horse" });
        let (status, body) = Player::nobody(server.addr).post("/api/register", who).await;
        assert_eq!((status, &body["reason"]), (400, &json!(reason)), "{name:?}");
    }
    let short = json!({ "username": "Ann", "password": "short" });
    let (status, body) = Player::nobody(server.addr).post("/api/register", short).await;
    assert_eq!((status, &body["reason"]), (400, &json!("badPassword")));

    let mut guest = server.guest().await;
    let mut bob = server.player("Bob").await;
    let id = guest.begin(&mut bob, "knightFight", json!({ "rated": false })).await;
    let old_cookie = guest.cookie.clone();
    let who = json!({ "username": "Ann", "password": "correct-horse" });
    assert_eq!(guest.post("/api/register", who.clone()).await.0, 201);
    assert_ne!(guest.cookie, old_cookie, "a new session for the new account");
    let (_, full) = guest.get(&format!("/api/game/{id}")).await;
    assert_eq!(full["you"], "first", "the seat stays with whoever was the guest");
    let (status, body) = Player::nobody(server.addr).post("/api/register", who).await;
    assert_eq!((status, &body["reason"]), (409, &json!("nameTaken")));
    let taken = json!({ "username": "ANN", "password": "correct-horse" });
    let (status, body) = server.guest().await.post("/api/register", taken).await;
    assert_eq!((status, &body["reason"]), (409, &json!("nameTaken")));

    let mut back = Player::nobody(server.addr);
    for (name, password) in [("ann", "wrong-horse"), ("nobody", "correct-horse"), ("ann", "")] {
        let (status, body) =
            back.post("/api/login", json!({ "username": name, "password": password })).await;
        assert_eq!((status, &body["reason"]), (401, &json!("badLogin")));
    }
    let (status, body) =
        back.post("/api/login", json!({ "username": "aNN", "password": "correct-horse" })).await;
    assert_eq!((status, body), (200, json!({ "id": "ann", "username": "Ann" })));
    assert_eq!(back.get("/api/account").await.1["guest"], false);
    let cookie = back.cookie.clone();
    back.post("/api/logout", json!({})).await;
    back.cookie = cookie;
    assert_eq!(back.get("/api/account").await.0, 401, "a session that was ended is over");
    server.stop().await;
}

#[tokio::test]
async fn s8_log_ins_are_not_for_guessing() {
    let server = Server::start_with(&["--logins", "5"]).await;
    let mut eve = Player::nobody(server.addr);
    let mut last = (0, Value::Null);
    for _ in 0..7 {
        last = eve.post("/api/login", json!({ "username": "ann", "password": "12345678" })).await;
    }
    assert_eq!((last.0, &last.1["reason"]), (429, &json!("tooFast")));
    server.stop().await;
}

#[tokio::test]
async fn a_graceful_stop_tells_every_socket_and_loses_nothing() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = ann.begin(&mut bob, "caterpillarWar", json!({ CLOCK: 300 })).await;
    let (mut first, _) = open(&ann, &id).await;
    let mut lobby = bob.socket("/ws/lobby").await;
    lobby.until("full").await;
    first.command("move", json!({ "u": "h5-g5", "ply": 0 })).await;
    first.until("ack").await;
    let (closed_game, closed_lobby, server) = tokio::join!(
        async { first.until_closed().await },
        async { lobby.until_closed().await },
        server.restart(),
    );
    assert_eq!((closed_game, closed_lobby), (1012, 1012));
    let full = state(&server, &id).await;
    assert_eq!(full["state"]["status"], "started");
    assert_eq!(full["state"]["moves"], "h5-g5");
    server.stop().await;
}

#[tokio::test]
async fn games_in_play_are_shown_while_they_are_played() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut lobby = Player::nobody(server.addr).socket("/ws/lobby").await;
    assert_eq!(lobby.until("full").await["d"]["games"], json!([]));
    let id = ann.begin(&mut bob, "caterpillarWar", json!({})).await;
    assert_eq!(lobby.until("game").await["d"]["id"], id);
    ann.post(&format!("/api/board/game/{id}/move/h5-g5"), json!({})).await;
    let shown = lobby.until("game").await;
    assert_eq!((&shown["d"]["ply"], &shown["d"]["first"]["name"]), (&json!(1), &json!("Ann")));
    // A game without a clock is there after a restart too.
    let server = server.restart().await;
    let anybody = Player::nobody(server.addr);
    let (_, live) = anybody.get("/api/games/live").await;
    assert_eq!((&live["games"][0]["id"], &live["games"][0]["ply"]), (&json!(id), &json!(1)));
    let mut lobby = anybody.socket("/ws/lobby").await;
    assert_eq!(lobby.until("full").await["d"]["games"][0]["id"], id);
    ann.addr = server.addr;
    assert_eq!(ann.post(&format!("/api/board/game/{id}/resign"), json!({})).await.0, 200);
    assert_eq!(lobby.until("gameGone").await["d"]["id"], id);
    assert_eq!(anybody.get("/api/games/live").await.1["games"], json!([]));
    server.stop().await;
}

#[tokio::test]
async fn a_room_nobody_is_in_is_closed_and_opens_again() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = ann.begin(&mut bob, "caterpillarWar", json!({})).await;
    let (first, _) = open(&ann, &id).await;
    let (second, _) = open(&bob, &id).await;
    ann.post(&format!("/api/board/game/{id}/move/h5-g5"), json!({})).await;
    tokio::time::sleep(2 * IDLE).await;
    assert_eq!(server.rooms.len(), 1, "somebody listens");
    drop((first, second));
    let until = std::time::Instant::now() + super::client::PATIENCE;
    while !server.rooms.is_empty() {
        assert!(std::time::Instant::now() < until, "the room stays open for ever");
        tokio::time::sleep(IDLE / 5).await;
    }
    let (_, full) = open(&bob, &id).await;
    assert_eq!(
        (&full["d"]["state"]["moves"], &full["d"]["you"]),
        (&json!("h5-g5"), &json!("second"))
    );
    server.stop().await;
}

#[tokio::test]
async fn r12_a_game_that_makes_no_sense_is_left_alone_and_hinders_no_other() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut ids = Vec::new();
    for _ in 0..3 {
        let id = ann.begin(&mut bob, "caterpillarWar", json!({ CLOCK: 300 })).await;
        ann.post(&format!("/api/board/game/{id}/move/h5-g5"), json!({})).await;
        ids.push(id);
    }
    let open_one = ann.challenge(json!({ "variant": "knightFight" })).await;
    let folder = server.stop().await;
    let damage = format!(
        "UPDATE game_event SET payload = '{{\"kind\":\"moved\",\"u\":\"a1-a2\"}}'
             WHERE game_id = (SELECT key FROM game WHERE id = '{}');
         UPDATE game_event SET payload = 'nonsense'
             WHERE game_id = (SELECT key FROM game WHERE id = '{}');
         UPDATE challenge SET range = 'nonsense' WHERE id = '{open_one}';",
        ids[0], ids[1]
    );
    let sqlite = std::process::Command::new("sqlite3")
        .arg(folder.path().join("sprong.db"))
        .arg(damage)
        .status();
    assert!(sqlite.expect("sqlite3").success());
    let server = Server::open(folder, &[]).await;
    ann.addr = server.addr;
    bob.addr = server.addr;
    assert_eq!(ann.get(&format!("/api/game/{}", ids[0])).await.0, 500);
    assert_eq!(ann.get(&format!("/api/game/{}", ids[1])).await.0, 500);
    assert_eq!(bob.post(&format!("/api/board/game/{}/move/a4-b4", ids[2]), json!({})).await.0, 200);
    assert_eq!(bob.get("/api/lobby").await.1["challenges"], json!([]));
    let mut socket = ann.socket(&format!("/ws/game/{}", ids[0])).await;
    assert_eq!(socket.until_closed().await, 4404);
    server.stop().await;
}

#[tokio::test]
async fn who_accepts_and_leaves_leaves_a_game_that_both_are_told_of() {
    let server = Server::start().await;
    let (mut ann, bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut lobby = ann.socket("/ws/lobby").await;
    lobby.until("full").await;
    for _ in 0..20 {
        let id = ann.challenge(json!({ "variant": "knightFight" })).await;
        // A request that is written, and then nobody there to read the answer.
        let mut stream = tokio::net::TcpStream::connect(server.addr).await.expect("connection");
        let request = format!(
            "POST /api/challenge/{id}/accept HTTP/1.1\r\nHost: x\r\nCookie: {}\r\nContent-Length: 0\r\n\r\n",
            bob.cookie.as_deref().expect("cookie")
        );
        tokio::io::AsyncWriteExt::write_all(&mut stream, request.as_bytes()).await.expect("sent");
        tokio::time::sleep(std::time::Duration::from_micros(300)).await;
        drop(stream);
        // Either it was accepted, and Ann is told, or it was not, and she can withdraw it.
        if ann.post(&format!("/api/challenge/{id}/cancel"), json!({})).await.0 == 409 {
            assert_eq!(lobby.until("start").await["d"]["id"], id);
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn the_rules_answer_over_http() {
    let server = Server::start().await;
    let mut nobody = Player::nobody(server.addr);
    let asked = json!({ "variant": "caterpillarWar", "moves": ["h5(d1)d5"] });
    let (status, body) = nobody.post("/api/position", asked).await;
    assert_eq!((status, &body["turn"]), (200, &json!("second")));
    let asked = json!({ "variant": "caterpillarWar", "moves": ["h5(d1)d5", "h5(d1)d5"] });
    let (status, body) = nobody.post("/api/position", asked).await;
    assert_eq!((status, &body["ply"]), (400, &json!(1)));
    let (_, catalogue) = nobody.get("/api/variants").await;
    assert_eq!(catalogue.as_array().map(Vec::len), Some(sprong::variants::ALL.len()));
    server.stop().await;
}

#[tokio::test]
async fn positions_can_be_stepped_through() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = ann.begin(&mut bob, "caterpillarWar", json!({})).await;
    ann.post(&format!("/api/board/game/{id}/move/h5-g5"), json!({})).await;
    let full = state(&server, &id).await;
    let asked = json!({
        "variant": "caterpillarWar", "start": full["initialFen"], "moves": ["h5-g5"], "replay": true,
    });
    let (_, body) = bob.post("/api/position", asked).await;
    let trace = json!({ "paths": [["h5", "g5"]] });
    assert_eq!(full["last"], trace);
    assert_eq!(body["replay"], json!([{ "position": full["position"], "trace": trace }]));
    server.stop().await;
}

fn other_options() -> sprong::rules::Options {
    sprong::variants::find("knightFight").expect("variant").options()
}

#[tokio::test]
async fn a_shuffle_is_promised_with_the_challenge_and_told_at_the_end() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let (_, made) = ann.post("/api/challenge", json!({ "variant": "knightFight" })).await;
    let id = made["id"].as_str().expect("id");
    let promise = made["shuffle"]["commitment"].as_str().expect("commitment").to_owned();
    assert_eq!((promise.len(), &made["shuffle"]["seed"]), (64, &Value::Null));
    let (_, lobby) = bob.get("/api/lobby").await;
    assert_eq!(lobby["challenges"][0]["shuffle"], json!({ "commitment": promise }));
    assert_eq!(bob.accept(id).await.0, 200);
    let playing = state(&server, id).await;
    assert_eq!(playing["shuffle"], json!({ "commitment": promise }));
    let early = sprong::cli::verify(playing.to_string().as_bytes(), None, std::io::sink());
    assert!(early.expect_err("too early").contains("when the game is over"));

    let (mut socket, full) = open(&ann, id).await;
    let mover = if full["d"]["you"] == full["d"]["turn"] { &mut ann } else { &mut bob };
    assert_eq!(mover.post(&format!("/api/board/game/{id}/move/c1"), json!({})).await.0, 200);
    ann.post(&format!("/api/board/game/{id}/resign"), json!({})).await;
    let told = socket.until("end").await["d"]["shuffle"].clone();
    let over = state(&server, id).await;
    assert_eq!((&over["shuffle"], &over["shuffle"]["commitment"]), (&told, &json!(promise)));
    let verify = |record: &Value, noted: Option<&str>| {
        let mut output = Vec::new();
        sprong::cli::verify(record.to_string().as_bytes(), noted, &mut output)
            .map(|()| String::from_utf8(output).expect("text"))
    };
    let found = verify(&over, Some(&promise)).expect("a fair game");
    assert_eq!(found.lines().count(), 4, "{found}");
    assert!(verify(&over, Some(&promise.to_uppercase())).is_ok());
    // Whatever is bent is found.
    let wrong = |path: &str, value: Value| {
        let mut bent = over.clone();
        *bent.pointer_mut(path).expect("field") = value;
        verify(&bent, None).expect_err("a bent record")
    };
    let seed = over["shuffle"]["seed"].as_u64().expect("seed");
    assert!(wrong("/shuffle/seed", json!(seed ^ 1)).starts_with("commitment"));
    assert!(wrong("/shuffle/salt", json!("00")).starts_with("commitment"));
    assert!(wrong("/shuffle/commitment", json!("00")).starts_with("commitment"));
    assert!(verify(&over, Some("00")).expect_err("another promise").starts_with("commitment"));
    let other = sprong::variants::find("knightFight").expect("variant");
    let other = other.start(&other.options(), seed ^ 1).text();
    assert!(wrong("/initialFen", json!(other)).starts_with("start"));
    assert!(wrong("/state/moves", json!("a5")).starts_with("move 1"));
    assert!(wrong("/position", json!("")).starts_with("moves"));
    assert!(wrong("/turn", json!("first")).starts_with("turn"));
    assert!(wrong("/end/status", json!("variantEnd")).starts_with("end"));
    assert!(wrong("/shuffle", Value::Null).starts_with("the record has no shuffle"));
    // A game that the rules ended tells its result, or is found out.
    let mut won = over.clone();
    let mut line = sprong::play::line::Line::new(
        sprong::variants::find("knightFight").expect("variant").start(&other_options(), seed),
    );
    while let Some(u) = line.legal().first() {
        line.play(u).expect("legal move");
    }
    let outcome = line.verdict().expect("an end").0.winner();
    won["state"]["moves"] = json!(line.moves().join(" "));
    won["position"] = json!(line.position().text());
    won["turn"] = json!(line.turn());
    won["end"] = json!({ "status": "variantEnd", "winner": outcome });
    won["state"]["status"] = json!("variantEnd");
    verify(&won, None).expect("a fair end");
    for winner in [Some("first"), Some("second"), None].map(|winner| json!(winner)) {
        let true_winner = winner == json!(outcome);
        won["end"]["winner"] = winner;
        assert_eq!(verify(&won, None).is_ok(), true_winner);
    }
    won["end"] = Value::Null;
    assert!(verify(&won, None).expect_err("no end").starts_with("end"));
    assert!(wrong("/end/winner", Value::Null).starts_with("end"));
    assert!(wrong("/state/status", json!("draw")).starts_with("end"));
    // Without chance the start is the variant's own.
    let plain = ann.begin(&mut bob, "hogga", json!({})).await;
    let mut bent = state(&server, &plain).await;
    verify(&bent, None).expect("a game in play");
    let text = bent["initialFen"].as_str().expect("text").replacen("b,.,b", "b,b,.", 1);
    bent["initialFen"] = json!(text);
    assert!(verify(&bent, None).expect_err("another start").starts_with("start"));
    // Where chance has no part nothing is promised.
    let (_, made) = ann.post("/api/challenge", json!({ "variant": "hogga" })).await;
    assert_eq!(made.get("shuffle"), None);
    server.stop().await;
}

#[tokio::test]
async fn pages_are_served_with_their_headers() {
    let server = Server::start().await;
    let page = async |path: &str| {
        let response = reqwest::get(format!("http://{}{path}", server.addr)).await.expect("answer");
        let policy = response.headers().get("content-security-policy").cloned().expect("policy");
        assert!(policy.to_str().expect("text").starts_with("default-src 'self'"));
        assert_eq!(response.headers()["x-content-type-options"], "nosniff");
        (response.status().as_u16(), response.text().await.expect("page"))
    };
    assert_eq!(page("/").await.0, 200);
    assert_eq!(page("/login").await.0, 200);
    let (status, room) = page("/k3f9Q2xZ").await;
    assert!(status == 200 && room.contains("<!doctype html"));
    assert_eq!(page("/rules").await.0, 200);
    assert_eq!(page("/rules/hogga").await.0, 200);
    for unknown in ["/rules/chess", "/rules/%ff", "/%ff"] {
        let (status, missing) = page(unknown).await;
        assert!(status == 404 && missing.contains("<!doctype html"), "{unknown}: {missing}");
    }
    assert_eq!(page("/no-such-page").await.0, 404);
    assert_eq!(page("/no/such/page").await.0, 404);
    assert_eq!(page("/healthz").await, (200, "ok".to_owned()));
    assert_eq!(page("/readyz").await, (200, "ready".to_owned()));
    server.stop().await;
}
