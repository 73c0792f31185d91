//! End-to-end tests of the server over HTTP and WebSocket, with valid and invalid requests.

mod challenges;
mod position_api;
mod refusals;

use crate::support::client::{Player, Server, wait_until};
use crate::support::socket::Socket;
use serde_json::{Value, json};

const CLOCK: &str = "clock.limit";

async fn open_game(player: &Player, id: &str) -> (Socket, Value) {
    let mut socket = player.socket(&format!("/ws/game/{id}")).await;
    let full = socket.until("full").await;
    (socket, full)
}

/// Returns the state of a game as spectators get it.
async fn spectator_state(server: &Server, id: &str) -> Value {
    let (status, full) = Player::anonymous(server.addr).get(&format!("/api/game/{id}")).await;
    assert_eq!(status, 200);
    full
}

#[tokio::test]
async fn game_is_played_to_the_end_with_spectators() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = ann
        .start_game(&mut bob, "knightFight", json!({ CLOCK: 300, "ratingRange": "1400-1600" }))
        .await;
    let (mut first, full) = open_game(&ann, &id).await;
    let (mut second, _) = open_game(&bob, &id).await;
    let mut watchers = Vec::new();
    for _ in 0..5 {
        watchers.push(open_game(&Player::anonymous(server.addr), &id).await.0);
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
        let event = other.until("move").await;
        assert_eq!((&event["v"], &event["d"]["u"]), (&json!(ply), &u));
        assert_eq!(own["d"]["legal"], Value::Null, "only the side to move gets legal moves");
        legal = event["d"]["legal"].clone();
        seen.push(u);
    }
    let end = first.until("end").await;
    assert_eq!(end["d"]["status"], "variantEnd");
    for watcher in &mut watchers {
        for u in &seen {
            let event = watcher.until("move").await;
            assert_eq!((&event["d"]["u"], &event["d"]["legal"]), (u, &Value::Null));
        }
        assert_eq!(watcher.until("end").await["d"], end["d"]);
    }
    let diff = end["d"]["ratingDiff"]["first"].as_i64().expect("diff");
    assert_eq!(ann.rating("knightFight").await, 1500 + diff);
    assert_eq!(spectator_state(&server, &id).await["end"]["status"], "variantEnd");
    server.stop().await;
}

#[tokio::test]
async fn reconnect_receives_missed_events() {
    let server = Server::start().await;
    let ([_, bob], [mut first, mut second], id) =
        server.start_game("caterpillarWar", json!({})).await;
    first.command("move", json!({ "u": "h5-g5", "ply": 0 })).await;
    second.until("move").await;
    drop(second);
    first.command("talk", json!({ "text": "Are you there?" })).await;
    first.until("chat").await;
    let mut second = bob.socket(&format!("/ws/game/{id}?v=1")).await;
    let missed = second.next().await.expect("message");
    assert_eq!((&missed["t"], &missed["v"]), (&json!("chat"), &json!(2)));
    let mut watcher = Player::anonymous(server.addr).socket(&format!("/ws/game/{id}?v=1")).await;
    assert_eq!(watcher.next().await, Ok(json!({ "v": 2 })), "spectators get no player chat");
    for gap in ["v=7", "v=-1", "v=x", ""] {
        let mut socket = bob.socket(&format!("/ws/game/{id}?{gap}")).await;
        let full = socket.next().await.expect("message");
        assert_eq!((&full["t"], &full["v"]), (&json!("full"), &json!(2)), "{gap}");
    }
    server.stop().await;
}

#[tokio::test]
async fn player_and_spectator_chats_are_separate() {
    let server = Server::start().await;
    let ([ann, _], [mut first, mut second], id) = server.start_game("knightFight", json!({})).await;
    let (mut guest, _) = open_game(&server.guest().await, &id).await;
    first.command("talk", json!({ "text": "<b>good luck</b>" })).await;
    assert_eq!(second.until("chat").await["d"]["text"], "<b>good luck</b>");
    guest.command("talk", json!({ "text": "who wins?" })).await;
    assert_eq!(guest.until("chat").await["d"]["room"], "spectator");
    let (_, players) = ann.get(&format!("/api/game/{id}")).await;
    let watched = spectator_state(&server, &id).await;
    assert_eq!(players["chat"].as_array().map(Vec::len), Some(1));
    assert_eq!(watched["chat"][0]["text"], "who wins?");
    assert_eq!(watched["chat"].as_array().map(Vec::len), Some(1));
    server.stop().await;
}

#[tokio::test]
async fn draw_offers_are_declined_and_accepted() {
    let server = Server::start().await;
    let (_, [mut first, mut second], _) =
        server.start_game("caterpillarWar", json!({ CLOCK: 60 })).await;
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
async fn flag_falls_without_request_and_is_rated_once() {
    let server = Server::start().await;
    let ([_, bob], [mut first, mut second], _) =
        server.start_game("caterpillarWar", json!({ CLOCK: 1 })).await;
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
async fn aborted_game_is_not_rated() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = ann.start_game(&mut bob, "knightFight", json!({})).await;
    let (status, _) = bob.post(&format!("/api/board/game/{id}/abort"), json!({})).await;
    assert_eq!(status, 200);
    let full = spectator_state(&server, &id).await;
    assert_eq!(
        (&full["end"]["status"], &full["end"]["ratingDiff"]),
        (&json!("aborted"), &Value::Null)
    );
    let (_, account) = ann.get("/api/account").await;
    assert_eq!(account["perfs"]["knightFight"]["games"], 0);
    server.stop().await;
}

#[tokio::test]
async fn registration_keeps_guest_games_and_login_validates() {
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
        let (status, body) = Player::anonymous(server.addr).post("/api/register", who).await;
        assert_eq!((status, &body["reason"]), (400, &json!(reason)), "{name:?}");
    }
    let short = json!({ "username": "Ann", "password": "short" });
    let (status, body) = Player::anonymous(server.addr).post("/api/register", short).await;
    assert_eq!((status, &body["reason"]), (400, &json!("badPassword")));
    for (name, password) in [("Ann", "password"), ("Rupsenkoning", "rupsenkoning")] {
        let common = json!({ "username": name, "password": password });
        let (status, body) = Player::anonymous(server.addr).post("/api/register", common).await;
        assert_eq!((status, &body["reason"]), (400, &json!("commonPassword")), "{name}");
    }

    let mut guest = server.guest().await;
    let mut bob = server.player("Bob").await;
    let id = guest.start_game(&mut bob, "knightFight", json!({ "rated": false })).await;
    let old_cookie = guest.cookie.clone();
    let who = json!({ "username": "Ann", "password": "correct-horse" });
    assert_eq!(guest.post("/api/register", who.clone()).await.0, 201);
    assert_ne!(guest.cookie, old_cookie, "registration starts a new session");
    let (_, full) = guest.get(&format!("/api/game/{id}")).await;
    assert_eq!(full["you"], "first", "the account keeps the guest's seat");
    let (status, body) = Player::anonymous(server.addr).post("/api/register", who).await;
    assert_eq!((status, &body["reason"]), (409, &json!("nameTaken")));
    let taken = json!({ "username": "ANN", "password": "correct-horse" });
    let (status, body) = server.guest().await.post("/api/register", taken).await;
    assert_eq!((status, &body["reason"]), (409, &json!("nameTaken")));

    let mut back = Player::anonymous(server.addr);
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
    assert_eq!(back.get("/api/account").await.0, 401, "logout ends the session");
    server.stop().await;
}

#[tokio::test]
async fn logins_per_address_are_limited() {
    let server = Server::start_with(&["--login-limit", "5"]).await;
    let mut eve = Player::anonymous(server.addr);
    let mut last = (0, Value::Null);
    for _ in 0..7 {
        last = eve.post("/api/login", json!({ "username": "ann", "password": "12345678" })).await;
    }
    assert_eq!((last.0, &last.1["reason"]), (429, &json!("tooFast")));
    server.stop().await;
}

#[tokio::test]
async fn graceful_stop_closes_sockets_and_keeps_moves() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = ann.start_game(&mut bob, "caterpillarWar", json!({ CLOCK: 300 })).await;
    let (mut first, _) = open_game(&ann, &id).await;
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
    let full = spectator_state(&server, &id).await;
    assert_eq!(full["state"]["status"], "started");
    assert_eq!(full["state"]["moves"], "h5-g5");
    server.stop().await;
}

#[tokio::test]
async fn lobby_lists_games_in_play() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut lobby = Player::anonymous(server.addr).socket("/ws/lobby").await;
    assert_eq!(lobby.until("full").await["d"]["games"], json!([]));
    let id = ann.start_game(&mut bob, "caterpillarWar", json!({})).await;
    assert_eq!(lobby.until("game").await["d"]["id"], id);
    ann.post(&format!("/api/board/game/{id}/move/h5-g5"), json!({})).await;
    let game = lobby.until("game").await;
    assert_eq!((&game["d"]["ply"], &game["d"]["first"]["name"]), (&json!(1), &json!("Ann")));
    // A game without a clock is listed after a restart, too.
    let server = server.restart().await;
    let anybody = Player::anonymous(server.addr);
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
async fn empty_room_closes_and_reopens() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = ann.start_game(&mut bob, "caterpillarWar", json!({})).await;
    let (first, _) = open_game(&ann, &id).await;
    let (second, _) = open_game(&bob, &id).await;
    ann.post(&format!("/api/board/game/{id}/move/h5-g5"), json!({})).await;
    // A room without connections that is opened later closes, and the other one stays open.
    let other = ann.start_game(&mut bob, "caterpillarWar", json!({})).await;
    ann.post(&format!("/api/board/game/{other}/move/h5-g5"), json!({})).await;
    wait_until("the other room closes", async || server.rooms.len() < 2).await;
    assert_eq!(server.rooms.len(), 1, "a room with connections stays open");
    drop((first, second));
    wait_until("the room stays open", async || server.rooms.is_empty()).await;
    let (_, full) = open_game(&bob, &id).await;
    assert_eq!(
        (&full["d"]["state"]["moves"], &full["d"]["you"]),
        (&json!("h5-g5"), &json!("second"))
    );
    server.stop().await;
}

#[tokio::test]
async fn damaged_records_affect_no_other_game() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut ids = Vec::new();
    for _ in 0..3 {
        let id = ann.start_game(&mut bob, "caterpillarWar", json!({ CLOCK: 300 })).await;
        ann.post(&format!("/api/board/game/{id}/move/h5-g5"), json!({})).await;
        ids.push(id);
    }
    let open_one = ann.challenge(json!({ "variant": "knightFight" })).await;
    let folder = server.stop().await;
    let damage = format!(
        "UPDATE game_journal SET payload = '{{\"kind\":\"moved\",\"u\":\"a1-a2\"}}'
             WHERE game_id = (SELECT key FROM game WHERE id = '{}');
         UPDATE game_journal SET payload = 'nonsense'
             WHERE game_id = (SELECT key FROM game WHERE id = '{}');
         UPDATE challenge SET acceptor_terms = '{{\"range\":\"nonsense\",\"provisional\":true}}'
             WHERE id = '{open_one}';",
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
async fn accepting_then_disconnecting_notifies_the_creator() {
    let server = Server::start().await;
    let (mut ann, bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut lobby = ann.socket("/ws/lobby").await;
    lobby.until("full").await;
    for attempt in 0..20 {
        let id = ann.challenge(json!({ "variant": "knightFight" })).await;
        // The connection is closed before the response arrives.
        let mut stream = tokio::net::TcpStream::connect(server.addr).await.expect("connection");
        let request = format!(
            "POST /api/challenge/{id}/accept HTTP/1.1\r\nHost: x\r\nCookie: {}\r\nContent-Length: 0\r\n\r\n",
            bob.cookie.as_deref().expect("cookie")
        );
        tokio::io::AsyncWriteExt::write_all(&mut stream, request.as_bytes()).await.expect("sent");
        // The server does nothing observable before the game starts: the attempts disconnect at
        // different moments, before, while and after the request is handled.
        tokio::time::sleep(std::time::Duration::from_micros(50 * attempt)).await;
        drop(stream);
        // Either the game started and Ann is notified, or she can still cancel the challenge.
        if ann.post(&format!("/api/challenge/{id}/cancel"), json!({})).await.0 == 409 {
            assert_eq!(lobby.until("start").await["d"]["id"], id);
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn pages_have_security_headers() {
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
    assert!(status == 404 && room.contains("<!doctype html"));
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
