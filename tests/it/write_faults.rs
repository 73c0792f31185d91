//! Write faults: for every kind of request, each of its writes fails before or after the row is
//! written, or at the commit. The request is refused with a clear reason, changes nothing, affects
//! no other client, and succeeds once the fault is gone.

use crate::support::client::{Player, Server, wait_until};
use crate::support::fault_injection::{Fault, FaultInjector};
use crate::support::game_fixture::next_answer;
use crate::support::process::Process;
use crate::support::socket::Socket;
use crate::support::totp::AuthenticatorApp;
use reqwest::Method;
use serde_json::{Value, json};
use tempfile::TempDir;
use uuid::Uuid;

/// Request, and the writes it makes.
struct Case {
    player: Player,
    method: Method,
    path: String,
    body: Value,
    writes: &'static [&'static str],
}

fn post(player: &Player, path: &str, body: Value, writes: &'static [&'static str]) -> Case {
    let path = format!("/api/{path}");
    Case { player: player.clone(), method: Method::POST, path, body, writes }
}

/// Returns a request of every kind that writes, in an order in which each of them is valid.
async fn cases(server: &Server) -> Vec<Case> {
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let (mut eve, mut gus) = (server.player("Eve").await, server.guest().await);
    let own = json!({ "variant": "knightFight", "days": 3, "rated": true });
    let first = ann.challenge(own.clone()).await;
    let second = ann.challenge(own.clone()).await;
    let game = ann.start_game(&mut bob, "caterpillarWar", json!({})).await;
    for (player, u) in [(&mut ann, "h5-g5"), (&mut bob, "a4-b4")] {
        let (status, _) = player.post(&format!("/api/board/game/{game}/move/{u}"), json!({})).await;
        assert_eq!(status, 200);
    }
    let early = ann.start_game(&mut bob, "caterpillarWar", json!({})).await;
    let casual = gus.start_game(&mut bob, "caterpillarWar", json!({ "rated": false })).await;
    let to = |rest: &str| format!("board/game/{game}/{rest}");
    let ends = &["INSERT game_log", "UPDATE game", "INSERT tally", "INSERT pair"];
    let name = |name: &str| json!({ "username": name, "password": "correct-horse" });
    let nobody = Player::anonymous(server.addr);
    let mut kim = server.player("Kim").await;
    let words = async |player: &mut Player| {
        let form = json!({ "password": "correct-horse" });
        player.post("/api/account/recovery", form).await.1["words"][0].clone()
    };
    let (_, word) = (words(&mut eve).await, words(&mut kim).await);
    let mut leo = server.player("Leo").await;
    let leos = words(&mut leo).await;
    AuthenticatorApp::set_up(&mut leo, "correct-horse").await;
    vec![
        post(&nobody, "guest", json!({}), &["INSERT account", "INSERT session"]),
        post(&nobody, "register", name("Flo"), &["INSERT account", "INSERT session"]),
        post(&nobody, "login", name("Ann"), &["INSERT session"]),
        post(
            &nobody,
            "login",
            json!({ "username": "Leo", "password": "correct-horse", "code": leos }),
            &["DELETE recovery_word", "INSERT session"],
        ),
        post(&eve, "account/totp", json!({ "password": "correct-horse" }), &["INSERT totp"]),
        post(&gus, "account/link", json!({}), &["INSERT token"]),
        post(
            &gus,
            "register",
            name("Gus"),
            &["UPDATE account", "INSERT session", "DELETE session"],
        ),
        post(&ann, "account/profile", json!({ "bio": "I play." }), &["UPDATE account"]),
        post(
            &ann,
            "token",
            json!({ "description": "x", "scopes": "board:play" }),
            &["INSERT token"],
        ),
        post(&eve, "rel/block/bob", json!({}), &["INSERT block"]),
        post(&eve, "rel/unblock/bob", json!({}), &["DELETE block"]),
        post(&eve, "rel/follow/bob", json!({}), &["INSERT follow"]),
        post(&eve, "rel/unfollow/bob", json!({}), &["DELETE follow"]),
        post(
            &eve,
            "report",
            json!({ "username": "Bob", "reason": "abuse", "text": "rude" }),
            &["INSERT report"],
        ),
        post(&ann, "challenge", own.clone(), &["INSERT challenge"]),
        post(&ann, "challenge/bob", own, &["INSERT challenge"]),
        post(&ann, &format!("challenge/{first}/cancel"), json!({}), &["UPDATE challenge"]),
        post(
            &bob,
            &format!("challenge/{second}/accept"),
            json!({}),
            &["INSERT game", "UPDATE challenge"],
        ),
        post(&ann, &to("move/g5-f5"), json!({}), &["INSERT game_journal"]),
        post(&bob, &to("chat"), json!({ "text": "well done" }), &["INSERT game_journal"]),
        post(&ann, &to("draw/yes"), json!({}), &["INSERT game_journal"]),
        post(&bob, &to("draw/no"), json!({}), &["INSERT game_journal"]),
        post(
            &bob,
            &to("resign"),
            json!({}),
            &[
                "INSERT game_log",
                "INSERT rating",
                "INSERT rating_point",
                "UPDATE game",
                "INSERT tally",
                "INSERT pair",
            ],
        ),
        post(&ann, &to("rematch/yes"), json!({}), &["INSERT challenge"]),
        post(
            &ann,
            &format!("board/game/{early}/abort"),
            json!({}),
            &["INSERT game_log", "UPDATE game"],
        ),
        post(&bob, &format!("board/game/{casual}/resign"), json!({}), ends),
        post(
            &ann,
            "account/password",
            json!({ "old": "correct-horse", "new": "correct-zebra" }),
            &["UPDATE account", "DELETE session"],
        ),
        post(
            &eve,
            "account/recovery",
            json!({ "password": "correct-horse" }),
            &["DELETE recovery_word", "INSERT recovery_word"],
        ),
        post(
            &nobody,
            "recover",
            json!({ "username": "Kim", "word": word, "password": "battery-staple" }),
            &["DELETE recovery_word", "UPDATE account", "DELETE session", "INSERT session"],
        ),
        post(&eve, "logout", json!({}), &["DELETE session"]),
        post(&ann, "account/logout-everywhere", json!({}), &["DELETE session"]),
    ]
}

/// Whether the room of a game executes the request.
fn is_command(path: &str) -> bool {
    path.starts_with("/api/board/game/") && !path.contains("/rematch/")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn write_fault_in_any_request_is_refused_without_trace() {
    let server = Server::start().await;
    // The server stores the time of the first fair play report some seconds after its start.
    let database = server.database().await;
    wait_until("no time of the report", async || {
        database.count("SELECT count(*) FROM fair_play_report WHERE next_ms > 0").await == 1
    })
    .await;
    let mut injector = FaultInjector::open(&server.path()).await;
    let mut faults = 0;
    for Case { mut player, method, path, body, writes } in cases(&server).await {
        let before = injector.dump();
        let cookie = player.cookie.clone();
        for write in writes {
            let (verb, table) = write.split_once(' ').expect("verb and table");
            for fault in Fault::ALL {
                injector.inject(fault, verb, table).await;
                let request = |builder: reqwest::RequestBuilder| builder.json(&body);
                let (status, refused) = player.send(request, method.clone(), &path).await;
                injector.clear().await;
                let context = format!("{path}: {fault:?} {write}: {status} {refused}");
                // Rooms answer all failures alike, other requests with the error of their job.
                let is_not_stored = fault == Fault::Commit || is_command(&path);
                let expected = if is_not_stored { (503, "notStored") } else { (500, "broken") };
                assert_eq!(
                    (status, refused["reason"].as_str()),
                    (expected.0, Some(expected.1)),
                    "{context}"
                );
                let sentence = refused["error"].as_str().is_some_and(|error| error.ends_with('.'));
                assert!(sentence && !refused.to_string().contains("fault"), "{context}");
                assert_eq!(player.cookie, cookie, "{context}");
                assert_eq!(injector.dump(), before, "{context}");
                faults += 1;
            }
        }
        let request = |builder: reqwest::RequestBuilder| builder.json(&body);
        let (status, done) = player.send(request, method, &path).await;
        assert!(status == 200 || status == 201, "{path} without a fault: {status} {done}");
        assert_ne!(injector.dump(), before, "expected {path} to write");
    }
    println!("{faults} faults");
    injector.close().await;
    server.stop().await;
}

#[tokio::test]
async fn rollback_by_sqlite_is_logged_with_its_cause() {
    let folder = TempDir::new().expect("folder");
    let path = folder.path().join("sprong.db");
    let server = Process::start_with_script("exec \"$@\" 2>\"$5.log\"", &path, &[]).await;
    let mut eve = Player::register(server.addr, "Eve").await;
    Player::register(server.addr, "Ann").await;
    let mut injector = FaultInjector::open(&path).await;
    injector.inject(Fault::Rollback, "INSERT", "block").await;
    let (status, refused) = eve.post("/api/rel/block/ann", json!({})).await;
    assert_eq!((status, &refused["reason"]), (500, &json!("broken")));
    injector.clear().await;
    assert_eq!(eve.post("/api/rel/block/ann", json!({})).await.0, 200);
    let log = std::fs::read_to_string(folder.path().join("sprong.db.log")).expect("log");
    let mut lines = log.lines().filter(|line| line.contains("SQLite rolled back"));
    assert!(lines.any(|line| line.contains("a fault")), "{log}");
    injector.close().await;
}

/// Sends a command under a fault. Asserts that it is refused as `notStored`, and that no event
/// after version `v` arrives before.
async fn assert_not_stored(socket: &mut Socket, t: &str, d: &Value, v: i64) {
    socket.send(json!({ "t": t, "d": d })).await;
    loop {
        let message = socket.next().await.expect("a message");
        let kind = message["t"].as_str().unwrap_or_default();
        // Earlier events may still arrive.
        let is_old = message["v"].as_i64().is_some_and(|seen| seen <= v);
        let is_event = ["ack", "move", "chat", "draw", "end"].contains(&kind);
        assert!(is_old || !is_event, "{message}");
        if kind == "refused" {
            assert_eq!(message["d"]["reason"], "notStored", "{message}");
            assert_eq!(message["d"]["cid"], d["cid"]);
            return;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn command_not_stored_is_refused_then_executed_once() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = ann.start_game(&mut bob, "caterpillarWar", json!({ "clock.limit": 600 })).await;
    let path = format!("/ws/game/{id}");
    let mut sockets = [ann.socket(&path).await, bob.socket(&path).await];
    let mut watcher = Player::anonymous(server.addr).socket(&path).await;
    assert_eq!(watcher.until("full").await["v"], 0);
    let mut injector = FaultInjector::open(&server.path()).await;
    let steps = [
        (0, "move", json!({ "u": "h5-g5", "ply": 0 }), "move"),
        (1, "talk", json!({ "text": "hello" }), "chat"),
        (1, "move", json!({ "u": "a4-b4", "ply": 1 }), "move"),
        (0, "draw", json!({ "answer": "yes" }), "draw"),
        (1, "draw", json!({ "answer": "no" }), "draw"),
        (1, "resign", json!({}), "end"),
    ];
    // The version may rise by more than one: an outage of the storage adds a `resumed` event.
    let mut v = 0;
    for (player, t, mut d, event) in steps {
        d["cid"] = json!(Uuid::now_v7());
        for fault in Fault::ALL {
            let table = if t == "resign" { "game_log" } else { "game_journal" };
            injector.inject(fault, "INSERT", table).await;
            assert_not_stored(&mut sockets[player], t, &d, v).await;
            injector.clear().await;
        }
        // Without the fault the same command is executed once, however often it is sent.
        let command = json!({ "t": t, "d": d });
        for _ in 0..3 {
            sockets[player].send(command.clone()).await;
        }
        let (before, mut acknowledged, mut refused) = (v, 0, 0);
        while acknowledged < 3 {
            let answer = next_answer(&mut sockets[player]).await;
            assert_eq!(answer["d"]["cid"], d["cid"]);
            if answer["t"] == "refused" {
                // The command reached the room that the last fault has stopped.
                assert_eq!(answer["d"]["reason"], "notStored", "{answer}");
                refused += 1;
                assert!(refused <= 3, "{refused} refusals without a fault");
                sockets[player].send(command.clone()).await;
                continue;
            }
            let stored = answer["d"]["v"].as_i64().expect("a version");
            let is_first = acknowledged == 0;
            assert!(if is_first { stored > before } else { stored == v }, "{answer} after {v}");
            (v, acknowledged) = (stored, acknowledged + 1);
        }
        // Listeners have received no event that was not stored. The next event is the stored one,
        // apart from the `full` message of a new room.
        let listeners = [&mut sockets[1 - player], &mut watcher];
        for (at, listener) in listeners.into_iter().enumerate() {
            if at == 1 && t == "talk" {
                continue;
            }
            let received = loop {
                let message = listener.next().await.expect("a message");
                let seen = message["v"].as_i64().unwrap_or(0);
                let expected = ["full", "clock", event].map(Value::from).contains(&message["t"]);
                assert!(seen <= before || expected, "{message}");
                // The listener's own event of the step before may still arrive.
                if seen >= v && (message["t"] == "full" || message["t"] == event) {
                    break message;
                }
            };
            assert_ne!(received["d"], Value::Null);
        }
    }
    let full = ann.get(&format!("/api/game/{id}")).await.1;
    assert_eq!(full["end"]["status"], "resign");
    assert_eq!(full["state"]["moves"], "h5-g5 a4-b4");
    assert!(full["v"].as_i64() >= Some(v), "{full}");
    assert_eq!(full["chat"].as_array().map(Vec::len), Some(1));
    injector.close().await;
    server.stop().await;
}

/// Moves share commits with writes that fail: a refused move is not stored, and an accepted one is.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn shared_commit_with_fault_reports_true_status() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut ids = Vec::new();
    for _ in 0..40 {
        ids.push(ann.start_game(&mut bob, "caterpillarWar", json!({})).await);
    }
    let mut injector = FaultInjector::open(&server.path()).await;
    for fault in Fault::ALL {
        // The failing requests are of another kind, and their writes go into the same transactions.
        injector.inject(fault, "INSERT", "block").await;
        let eve = server.player(&format!("Eve{fault:?}")).await;
        let moves = ids.iter().map(async |id| {
            let path = format!("/api/board/game/{id}/move/h5-g5");
            ann.clone().post(&path, json!({})).await.0
        });
        let blocks =
            (0..40).map(async |_| eve.clone().post("/api/rel/block/ann", json!({})).await.0);
        let (moves, blocks) = tokio::join!(
            futures_util::future::join_all(moves),
            futures_util::future::join_all(blocks)
        );
        injector.clear().await;
        assert!(blocks.iter().all(|status| [500, 503].contains(status)), "{blocks:?}");
        let mut again = Vec::new();
        for (id, status) in ids.drain(..).zip(moves) {
            let (_, game) = ann.get(&format!("/api/game/{id}")).await;
            let stored = game["state"]["moves"] == "h5-g5";
            assert!(stored == (status == 200) && [200, 503].contains(&status), "{id}: {status}");
            if stored {
                let cancelled = bob.post(&format!("/api/board/game/{id}/abort"), json!({})).await;
                assert_eq!(cancelled.0, 200);
                again.push(ann.start_game(&mut bob, "caterpillarWar", json!({})).await);
            } else {
                again.push(id);
            }
        }
        ids = again;
    }
    injector.close().await;
    server.stop().await;
}
