//! Tests of the game socket: moves, takebacks, clocks, disconnects, claims, chat, spectators and
//! rematches.

use crate::support::client::{Player, Server, WAIT_TIMEOUT, wait_until};
use crate::support::socket::Socket;
use reqwest::Method;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const CLAIM: &[&str] = &["--claim-after-ms", "2400"];
const CLAIM_MS: i64 = 2_400;

/// Plays the first move of both sides.
async fn play_first_moves(sockets: &mut [Socket; 2]) {
    for (ply, u) in ["h5-g5", "a4-b4"].into_iter().enumerate() {
        sockets[ply].command("move", json!({ "u": u, "ply": ply })).await;
        for socket in sockets.iter_mut() {
            socket.until("move").await;
        }
    }
}

/// Starts a game of two other players, who make the first moves; then the first player leaves.
/// Returns the socket of the second.
async fn start_game_and_leave(server: &Server) -> Socket {
    let (mut carl, mut dora) = (server.player("Carl").await, server.player("Dora").await);
    let id = carl.start_game(&mut dora, "caterpillarWar", json!({ "clock.limit": 300 })).await;
    let path = format!("/ws/game/{id}");
    let mut sockets = [carl.socket(&path).await, dora.socket(&path).await];
    play_first_moves(&mut sockets).await;
    let [_, second] = sockets;
    second
}

/// Repeats a claim until it succeeds, slowly enough for the message limit of the socket.
async fn repeat_claim(mut claim: impl AsyncFnMut() -> bool) {
    let limit = Instant::now() + WAIT_TIMEOUT;
    while !claim().await {
        assert!(Instant::now() < limit, "expected the claim to succeed");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Sends a command. Returns the reason of its refusal, or `None` if it is executed.
async fn refusal(socket: &mut Socket, t: &str, d: Value) -> Option<String> {
    let cid = socket.command(t, d).await;
    loop {
        let message = socket.next().await.expect("an answer");
        let own = message["d"]["cid"] == json!(cid);
        match message["t"].as_str() {
            Some("ack") if own => return None,
            Some("refused") if own => {
                return Some(message["d"]["reason"].as_str().expect("reason").to_owned());
            }
            _ => {}
        }
    }
}

#[tokio::test]
async fn takeback_reaches_all_clients() {
    let server = Server::start().await;
    let (players, mut sockets, id) =
        server.start_game("caterpillarWar", json!({ "clock.limit": 300 })).await;
    let mut watcher = Player::anonymous(server.addr).socket(&format!("/ws/game/{id}")).await;
    watcher.until("full").await;
    play_first_moves(&mut sockets).await;
    let [mut first, mut second] = sockets;
    assert_eq!(refusal(&mut second, "takeback", json!({ "answer": "offer" })).await, None);
    let offer = first.until("takeback").await;
    assert_eq!((&offer["d"]["by"], &offer["v"]), (&json!("second"), &json!(3)));
    let again = refusal(&mut second, "takeback", json!({ "answer": "offer" })).await;
    assert_eq!(again.as_deref(), Some("tooSoon"));
    assert_eq!(refusal(&mut first, "takeback", json!({ "answer": "accept" })).await, None);
    // Connected clients and a client that resumes at an earlier version receive the same takeback.
    let mut late = players[0].socket(&format!("/ws/game/{id}?v=3")).await;
    let mut u = Value::Null;
    for (socket, legal) in [(&mut second, true), (&mut watcher, false), (&mut late, false)] {
        let takeback = loop {
            let event = socket.until("takeback").await;
            if event["v"] == 4 {
                break event["d"].clone();
            }
        };
        assert_eq!(
            (&takeback["ply"], &takeback["turn"], &takeback["by"]),
            (&json!(1), &json!("second"), &Value::Null)
        );
        assert_eq!(takeback["legal"].is_array(), legal, "{takeback}");
        if legal {
            let others = takeback["legal"].as_array().expect("legal moves");
            u = others.iter().find(|u| *u != "a4-b4").expect("another move").clone();
        }
        assert_eq!(takeback["clock"]["running"], "second");
    }
    // A move with the ply from before the takeback is stale.
    let stale = refusal(&mut second, "move", json!({ "u": "a4-b4", "ply": 2 })).await;
    assert_eq!(stale.as_deref(), Some("stale"));
    assert_eq!(refusal(&mut second, "move", json!({ "u": u, "ply": 1 })).await, None);
    let moves = format!("h5-g5 {}", u.as_str().expect("notation"));
    let (_, game) = players[1].get(&format!("/api/game/{id}")).await;
    assert_eq!((&game["state"]["moves"], &game["v"]), (&json!(moves), &json!(5)));
    assert_eq!((&game["takeback"], &game["abortable"]), (&Value::Null, &json!(false)));
    // Over HTTP, a player without an offer to answer is refused.
    let (mut ann, mut bob) = (players[0].clone(), players[1].clone());
    let path = |answer: &str| format!("/api/board/game/{id}/takeback/{answer}");
    assert_eq!(ann.post(&path("no"), json!({})).await.1["reason"], "noOffer");
    assert_eq!(bob.post(&path("yes"), json!({})).await.0, 200);
    let (_, game) = ann.get(&format!("/api/game/{id}")).await;
    assert_eq!((&game["takeback"], &game["state"]["wtakeback"]), (&json!("second"), &Value::Null));
    assert_eq!(game["state"]["btakeback"], true);
    assert_eq!(ann.post(&path("no"), json!({})).await.0, 200);
    // A restart replays the log to the same position.
    let server = server.restart().await;
    let (_, game) = Player::anonymous(server.addr).get(&format!("/api/game/{id}")).await;
    assert_eq!(game["state"]["moves"], moves);
    server.stop().await;
}

#[tokio::test]
async fn short_frames_have_only_what_a_move_changes() {
    let server = Server::start().await;
    let (_, mut sockets, id) = server.start_game("caterpillarWar", json!({})).await;
    let watcher = Player::anonymous(server.addr);
    let path = |query: &str| format!("/ws/game/{id}{query}");
    let mut short = watcher.socket(&path("?frames=short")).await;
    let mut unknown = watcher.socket(&path("?frames=tiny")).await;
    for socket in [&mut short, &mut unknown] {
        socket.until("full").await;
    }
    play_first_moves(&mut sockets).await;
    let expected = json!({ "u": "h5-g5", "by": "first", "ply": 1, "turn": "second",
        "trace": { "paths": [["h5", "g5"]] }, "changed": { "g5": "w", "h5": "." },
        "abortable": true });
    let moved = short.until("shortMove").await;
    let d = moved["d"].as_object().expect("data");
    let others: Vec<&String> = d.keys().filter(|key| expected.get(*key).is_none()).collect();
    assert_eq!(others, ["dueBy"], "{moved}");
    for key in ["u", "by", "ply", "turn", "trace", "changed", "abortable"] {
        assert_eq!(d[key], expected[key], "{key} of {moved}");
    }
    assert!(unknown.until("move").await["d"]["cells"].is_string());
    // The missed moves have the same form, and the second move nothing but its changes.
    let mut late = watcher.socket(&path("?frames=short&v=1")).await;
    let moved = late.next().await.expect("the second move");
    assert_eq!((&moved["t"], &moved["v"]), (&json!("shortMove"), &json!(2)));
    let keys: Vec<&String> = moved["d"].as_object().expect("data").keys().collect();
    assert_eq!(keys, ["by", "changed", "dueBy", "ply", "trace", "turn", "u"], "{moved}");
    server.stop().await;
}

#[tokio::test]
async fn added_time_is_limited() {
    let server = Server::start().await;
    let ([mut ann, _], mut sockets, id) =
        server.start_game("caterpillarWar", json!({ "clock.limit": 10_800 })).await;
    let early = refusal(&mut sockets[0], "moretime", json!({})).await;
    assert_eq!(early.as_deref(), Some("tooSoon"));
    play_first_moves(&mut sockets).await;
    let [mut first, mut second] = sockets;
    // A clock holds at most three hours.
    assert_eq!(refusal(&mut first, "moretime", json!({})).await.as_deref(), Some("clockFull"));
    for (seconds, reason) in
        [("0", "badTime"), ("61", "badTime"), ("x", "badTime"), ("60", "clockFull")]
    {
        let (status, body) =
            ann.post(&format!("/api/round/{id}/add-time/{seconds}"), json!({})).await;
        assert_eq!((status, &body["reason"]), (400, &json!(reason)), "{seconds}");
    }
    second.command("resign", json!({})).await;
    first.until("end").await;
    let mut bob = server.player("Bert").await;
    let id = ann.start_game(&mut bob, "caterpillarWar", json!({ "clock.limit": 60 })).await;
    let path = format!("/ws/game/{id}");
    let mut sockets = [ann.socket(&path).await, bob.socket(&path).await];
    play_first_moves(&mut sockets).await;
    let [mut first, mut second] = sockets;
    assert_eq!(refusal(&mut first, "moretime", json!({})).await, None);
    let update = second.until("clock").await["d"].clone();
    assert_eq!(update["given"], json!({ "to": "second", "ms": 15_000 }));
    assert_eq!(update["clocks"]["second"], 75_000);
    let (status, _) = ann.post(&format!("/api/round/{id}/add-time/5"), json!({})).await;
    assert_eq!(status, 200);
    assert_eq!(second.until("clock").await["d"]["clocks"]["second"], 80_000);
    server.stop().await;
}

#[tokio::test]
async fn player_who_leaves_can_return_or_lose_by_claim() {
    let server = Server::start_with(CLAIM).await;
    let (players, mut sockets, id) =
        server.start_game("caterpillarWar", json!({ "clock.limit": 300 })).await;
    let early = refusal(&mut sockets[0], "claim", json!({})).await;
    assert_eq!(early.as_deref(), Some("notGone"));
    play_first_moves(&mut sockets).await;
    let [mut first, second] = sockets;
    assert_eq!(refusal(&mut first, "claim", json!({})).await.as_deref(), Some("notGone"));
    // A player who closes one of two connections has not left.
    let other = players[1].socket(&format!("/ws/game/{id}")).await;
    drop(second);
    let (_, game) = players[0].get(&format!("/api/game/{id}")).await;
    assert_eq!(game["gone"], json!([]));
    let left = Instant::now();
    drop(other);
    let gone = first.until("gone").await["d"].clone();
    assert_eq!(gone["side"], "second");
    let wait = gone["claimInMs"].as_i64().expect("time");
    let passed_ms = left.elapsed().as_millis() as i64;
    assert!((CLAIM_MS - passed_ms..=CLAIM_MS).contains(&wait), "{wait} after {passed_ms}");
    assert_eq!(refusal(&mut first, "claim", json!({})).await.as_deref(), Some("notGone"));
    // After the return nothing can be claimed.
    let mut second = players[1].socket(&format!("/ws/game/{id}")).await;
    assert_eq!(second.until("full").await["d"]["gone"], json!([]));
    assert_eq!(first.until("gone").await["d"], json!({ "side": "second", "claimInMs": null }));
    drop(second);
    first.until("gone").await;
    let draw = refusal(&mut first, "claim", json!({ "answer": "maybe" })).await;
    assert_eq!(draw.as_deref(), Some("badFrame"));
    repeat_claim(async || refusal(&mut first, "claim", json!({})).await.is_none()).await;
    let end = first.until("end").await["d"].clone();
    assert_eq!((&end["status"], &end["winner"]), (&json!("timeout"), &json!("first")));
    assert!(end["ratingDiff"]["second"].as_i64().expect("rated") < 0);
    let record = reqwest::get(format!("http://{}/game/export/{id}", server.addr)).await;
    let record = record.expect("answer").text().await.expect("text");
    assert!(record.contains("[Termination \"timeout\"]"), "{record}");
    record.parse::<sprong::play::pgn::GameText>().expect("a game record that parses");
    server.stop().await;
}

#[tokio::test]
async fn player_with_open_stream_has_not_left() {
    let server = Server::start_with(CLAIM).await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = ann.start_game(&mut bob, "caterpillarWar", json!({ "clock.limit": 300 })).await;
    let mut first = ann.socket(&format!("/ws/game/{id}")).await;
    first.command("move", json!({ "u": "h5-g5", "ply": 0 })).await;
    first.until("move").await;
    bob.post(&format!("/api/board/game/{id}/move/a4-b4"), json!({})).await;
    // An open stream counts as a connection.
    let path = format!("/api/board/game/stream/{id}");
    let mut lines = bob.open_stream(Method::GET, &path, Value::Null).await;
    assert_eq!(lines.next().await.expect("a line")["type"], "gameFull");
    // A player who leaves another game after that can be claimed, and Bob cannot.
    let mut other = start_game_and_leave(&server).await;
    let draw = json!({ "answer": "draw" });
    repeat_claim(async || refusal(&mut other, "claim", draw.clone()).await.is_none()).await;
    let claim = ann.post(&format!("/api/board/game/{id}/claim-draw"), json!({})).await;
    assert_eq!((claim.0, &claim.1["reason"]), (400, &json!("notGone")));
    drop(lines);
    first.until("gone").await;
    let path = format!("/api/board/game/{id}/claim-draw");
    repeat_claim(async || ann.post(&path, json!({})).await.0 == 200).await;
    let end = first.until("end").await["d"].clone();
    assert_eq!((&end["status"], &end["reason"]), (&json!("draw"), &json!("claim")));
    server.stop().await;
}

#[tokio::test]
async fn crowd_has_spectator_names_up_to_twenty() {
    let server = Server::start().await;
    let (_, [mut first, _second], id) =
        server.start_game("caterpillarWar", json!({ "clock.limit": 300 })).await;
    let path = format!("/ws/game/{id}");
    let (eve, zoe) = (server.player("Eve").await, server.player("Zoe").await);
    let mut spectators =
        vec![zoe.socket(&path).await, eve.socket(&path).await, eve.socket(&path).await];
    // Two pages of the same guest count once.
    let guest = server.guest().await;
    spectators.extend([guest.socket(&path).await, guest.socket(&path).await]);
    let named = loop {
        let crowd = first.until("crowd").await["d"].clone();
        if crowd["n"] == 3 {
            break crowd;
        }
    };
    assert_eq!(named["names"], json!(["Eve", "Zoe"]));
    let full = Player::anonymous(server.addr).get(&format!("/api/game/{id}")).await.1;
    assert_eq!(full["crowd"], 3, "all connections are registered by now");
    for _ in 0..18 {
        spectators.push(Player::anonymous(server.addr).socket(&path).await);
    }
    let many = loop {
        let crowd = first.until("crowd").await["d"].clone();
        if crowd["n"] == 21 {
            break crowd;
        }
    };
    assert_eq!(many["names"], Value::Null);
    drop(spectators);
    while first.until("crowd").await["d"]["n"] != 0 {}
    server.stop().await;
}

#[tokio::test]
async fn chat_has_its_ply_and_lag_is_compensated() {
    let server = Server::start().await;
    let (players, mut sockets, id) =
        server.start_game("caterpillarWar", json!({ "clock.limit": 300 })).await;
    play_first_moves(&mut sockets).await;
    let [mut first, mut second] = sockets;
    first.command("talk", json!({ "text": "now" })).await;
    assert_eq!(second.until("chat").await["d"]["ply"], 2);
    first.send(json!({ "t": "ping", "d": { "c": 1.5, "lag": 120.7 } })).await;
    assert_eq!(first.until("pong").await["d"]["c"], 1.5);
    // Lag is compensated up to the time that the move took.
    wait_until("the running clock passes the lag", async || {
        let (_, game) = players[0].get(&format!("/api/game/{id}")).await;
        game["clocks"]["first"].as_i64().is_some_and(|left_ms| left_ms < 300_000 - 120)
    })
    .await;
    first.command("move", json!({ "u": "g5-f5", "ply": 2 })).await;
    let update = second.until("move").await["d"].clone();
    assert_eq!((&update["lag"], &update["clock"]["quota"]["first"]), (&json!(120), &json!(1_980)));
    for lag in [json!(-5), json!(1e300), json!("x"), json!(null)] {
        first.send(json!({ "t": "ping", "d": { "c": 1, "lag": lag } })).await;
        let t = first.next().await.expect("an answer")["t"].clone();
        assert!(["pong", "refused", "ack", "move"].contains(&t.as_str().expect("type")));
    }
    server.stop().await;
}

#[tokio::test]
async fn rematch_can_keep_sides_and_board() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = ann.start_game(&mut bob, "knightFight", json!({ "rated": false })).await;
    let path = format!("/ws/game/{id}");
    let (mut first, mut second) = (ann.socket(&path).await, bob.socket(&path).await);
    let start = first.until("full").await["d"]["initialFen"].clone();
    let mut watching = Player::anonymous(server.addr).socket(&path).await;
    assert_eq!(watching.until("full").await["d"]["next"], Value::Null);
    first.command("resign", json!({})).await;
    second.until("end").await;
    second.command("rematch", json!({ "answer": "yes", "sides": "same", "board": "same" })).await;
    let offer = first.until("rematch").await["d"].clone();
    assert_eq!(
        (&offer["by"], &offer["sides"], &offer["board"]),
        (&json!("second"), &json!("same"), &json!("same"))
    );
    first.command("rematch", json!({ "answer": "yes" })).await;
    let next = second.until("start").await["d"]["id"].as_str().expect("id").to_owned();
    // Current and later spectators learn of the next game, over socket and HTTP.
    assert_eq!(watching.until("next").await["d"]["id"], json!(next));
    let mut late = Player::anonymous(server.addr).socket(&path).await;
    assert_eq!(late.until("full").await["d"]["next"], json!(next));
    let (_, before) = bob.get(&format!("/api/game/{id}")).await;
    assert_eq!(before["next"], json!(next));
    let (_, game) = bob.get(&format!("/api/game/{next}")).await;
    assert_eq!((&game["you"], &game["initialFen"]), (&json!("second"), &start));
    assert_ne!(game["shuffle"]["commitment"], Value::Null);
    // A rematch without options swaps the sides and draws a new board.
    ann.post(&format!("/api/board/game/{next}/resign"), json!({})).await;
    ann.post(&format!("/api/board/game/{next}/rematch/yes"), json!({})).await;
    let (_, body) = bob.post(&format!("/api/board/game/{next}/rematch/yes"), json!({})).await;
    let last = body["id"].as_str().expect("id");
    let (_, game) = bob.get(&format!("/api/game/{last}")).await;
    assert_eq!(game["you"], "first");
    assert_ne!(game["initialFen"], start);
    server.stop().await;
}

/// A player who leaves before the opponent's first move is reported as gone after that move.
#[tokio::test]
async fn player_who_left_before_first_moves_can_be_claimed() {
    let server = Server::start_with(CLAIM).await;
    let (_, [mut first, mut second], _) =
        server.start_game("caterpillarWar", json!({ "clock.limit": 300 })).await;
    first.command("move", json!({ "u": "h5-g5", "ply": 0 })).await;
    second.until("move").await;
    drop(first);
    // The absence of a player who leaves another game after that is announced.
    start_game_and_leave(&server).await.until("gone").await;
    second.command("move", json!({ "u": "a4-b4", "ply": 1 })).await;
    assert_eq!(second.until("gone").await["d"]["side"], "first");
    let draw = json!({ "answer": "draw" });
    repeat_claim(async || refusal(&mut second, "claim", draw.clone()).await.is_none()).await;
    assert_eq!(second.until("end").await["d"]["reason"], "claim");
    server.stop().await;
}

/// A rematch request with other options than the offer is refused.
#[tokio::test]
async fn rematch_with_other_options_is_refused() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = ann.start_game(&mut bob, "knightFight", json!({ "rated": false })).await;
    let path = format!("/ws/game/{id}");
    let (mut first, mut second) = (ann.socket(&path).await, bob.socket(&path).await);
    first.command("resign", json!({})).await;
    second.until("end").await;
    let other = json!({ "answer": "yes", "sides": "same" });
    assert_eq!(refusal(&mut first, "rematch", json!({ "answer": "yes" })).await, None);
    assert_eq!(refusal(&mut second, "rematch", other).await.as_deref(), Some("offered"));
    assert_eq!(refusal(&mut second, "rematch", json!({ "answer": "yes" })).await, None);
    second.until("start").await;
    server.stop().await;
}
