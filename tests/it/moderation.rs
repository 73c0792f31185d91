//! Tests of blocks, reports, closed accounts, and moderation by `sprong admin`.

use super::players::win;
use crate::support::client::{Player, Server, wait_until};
use serde_json::json;

const KNIGHTS: &str = "knightFight";

#[tokio::test]
async fn closing_account_ends_its_games_and_challenges() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let over = win(&mut ann, &mut bob).await;
    let begun = bob.start_game(&mut ann, "caterpillarWar", json!({})).await;
    for (player, u) in [(&mut bob, "h5-g5"), (&mut ann, "a4-b4")] {
        player.post(&format!("/api/board/game/{begun}/move/{u}"), json!({})).await;
    }
    let new_game = ann.start_game(&mut bob, KNIGHTS, json!({})).await;
    let open = ann.challenge(json!({ "variant": KNIGHTS })).await;
    let mut socket = ann.socket("/ws/lobby").await;
    socket.until("full").await;
    let (status, body) = ann.post("/api/account/close", json!({ "password": "wrong" })).await;
    assert_eq!((status, &body["reason"]), (403, &json!("badPassword")));
    assert_eq!(ann.post("/api/account/close", json!({ "password": "correct-horse" })).await.0, 200);
    assert_eq!(socket.until_closed().await, 4401);
    let end = async |id: &str| bob.get(&format!("/api/game/{id}")).await.1["end"].clone();
    assert_eq!(
        (&end(&begun).await["status"], &end(&begun).await["winner"]),
        (&json!("resign"), &json!("first"))
    );
    assert_eq!(end(&new_game).await["status"], "aborted");
    assert_eq!(bob.get(&format!("/api/challenge/{open}/show")).await.1["status"], "canceled");
    let credentials = json!({ "username": "Ann", "password": "correct-horse" });
    assert_eq!(Player::anonymous(server.addr).post("/api/login", credentials.clone()).await.0, 401);
    assert_eq!(Player::anonymous(server.addr).post("/api/register", credentials).await.0, 409);
    let (_, page) = bob.get("/api/user/ann").await;
    assert_eq!((&page["closed"], &page["profile"]["bio"]), (&json!(true), &json!("")));
    let games = bob.get("/api/user/ann/games").await.1;
    assert!(
        games["games"].as_array().expect("games").iter().any(|game| game["id"] == over.as_str())
    );
    assert_eq!(bob.post("/api/challenge/ann", json!({ "variant": KNIGHTS })).await.0, 404);
    server.stop().await;
}

#[tokio::test]
async fn block_hides_challenges_and_chat() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let game = ann.start_game(&mut bob, "caterpillarWar", json!({})).await;
    let open = bob.challenge(json!({ "variant": KNIGHTS })).await;
    let direct = bob.post("/api/challenge/ann", json!({ "variant": KNIGHTS })).await.1;
    assert_eq!(ann.post("/api/rel/block/BOB", json!({})).await.0, 200);
    let ids = async |player: &Player| {
        let (_, lobby) = player.get("/api/lobby").await;
        let cards = lobby["challenges"].as_array().expect("cards").clone();
        cards.iter().map(|card| card["id"].as_str().expect("id").to_owned()).collect::<Vec<_>>()
    };
    assert!(ids(&ann).await.is_empty(), "expected no card of Bob for Ann");
    let challenge_id = ann.challenge(json!({ "variant": KNIGHTS })).await;
    assert!(!ids(&bob).await.contains(&challenge_id), "expected no card of Ann for Bob");
    for (player, id) in [(&mut ann, &open), (&mut bob, &challenge_id)] {
        let (status, body) = player.accept(id).await;
        assert_eq!((status, &body["reason"]), (403, &json!("blocked")));
    }
    let (status, body) = ann.accept(direct["id"].as_str().expect("id")).await;
    assert_eq!((status, &body["reason"]), (403, &json!("blocked")));
    for (player, name) in [(&mut ann, "bob"), (&mut bob, "ann")] {
        let (status, body) =
            player.post(&format!("/api/challenge/{name}"), json!({ "variant": KNIGHTS })).await;
        assert_eq!((status, &body["reason"]), (403, &json!("blocked")));
        let message = json!({ "text": "hello" });
        let (status, body) = player.post(&format!("/api/board/game/{game}/chat"), message).await;
        assert_eq!((status, &body["reason"]), (400, &json!("blocked")));
    }
    assert_eq!(ann.get("/api/rel/blocking").await.1["blocked"][0]["id"], "bob");
    assert_eq!(ann.get("/api/user/bob").await.1["blocking"], true);
    assert_eq!(bob.get("/api/rel/blocking").await.1["blocked"], json!([]));
    assert_eq!(ann.post("/api/rel/block/ann", json!({})).await.0, 400);
    assert_eq!(ann.post("/api/rel/unblock/bob", json!({})).await.0, 200);
    // A block hides earlier chat lines, too, in every way to read them.
    let message = json!({ "text": "You again" });
    assert_eq!(bob.post(&format!("/api/board/game/{game}/chat"), message).await.0, 200);
    let visible_lines = async |ann: &Player| {
        let mut socket = ann.socket(&format!("/ws/game/{game}")).await;
        let full = socket.until("full").await["d"]["chat"].clone();
        let player_chat = ann.get(&format!("/api/game/{game}")).await.1["chat"].clone();
        let read = ann.get(&format!("/api/board/game/{game}/chat")).await.1;
        [full, player_chat, read].map(|chat| chat.as_array().expect("chat").len())
    };
    assert_eq!(visible_lines(&ann).await, [1, 1, 1]);
    assert_eq!(ann.post("/api/rel/block/bob", json!({})).await.0, 200);
    assert_eq!(visible_lines(&ann).await, [0, 0, 0]);
    assert_eq!(ann.post("/api/rel/unblock/bob", json!({})).await.0, 200);
    assert_eq!(ann.accept(&open).await.0, 200);
    server.stop().await;
}

// The command blocks this thread. The server needs another one, or it would hold its transaction
// open meanwhile.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn admin_commands_take_effect_on_running_server() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let game = ann.start_game(&mut bob, "caterpillarWar", json!({})).await;
    let report = |reason: &str, text: &str| json!({ "username": "Bob", "reason": reason, "text": text, "game": game });
    assert_eq!(ann.post("/api/report", report("dislike", "")).await.0, 400);
    assert_eq!(ann.post("/api/report", report("abuse", &"x".repeat(1001))).await.0, 400);
    assert_eq!(ann.post("/api/report", report("abuse", "He said \u{1b}[31mthings")).await.0, 200);
    let (done, text) = server.admin(&["reports"]);
    assert!(done && text.contains("Bob\tabuse") && text.contains(&game), "{text}");
    assert!(!text.contains('\u{1b}'), "expected no control characters in the output");

    assert_eq!(ann.get("/api/report").await.0, 403);
    assert_eq!(server.admin(&["grant-admin", "Ann"]), (true, "Ann: admin\n".to_owned()));
    assert_eq!(ann.get("/api/report").await.1[0]["about"], "Bob");
    assert_eq!(ann.get("/api/account").await.1["admin"], true);
    assert!(server.admin(&["resolve", "1"]).0);
    assert!(!server.admin(&["resolve", "1"]).0);
    assert_eq!(ann.get("/api/report").await.1, json!([]));

    assert!(server.admin(&["mute", "bob"]).0);
    let message = json!({ "text": "hello\u{7}" });
    let chat = format!("/api/board/game/{game}/chat");
    let (status, body) = bob.post(&chat, message.clone()).await;
    assert_eq!((status, &body["reason"]), (400, &json!("muted")));
    assert!(server.admin(&["unmute", "bob"]).0);
    assert_eq!(bob.post(&chat, message).await.0, 200);
    let (done, lines) = server.admin(&["chat", &game]);
    assert!(done && lines.ends_with("\tplayers\tBob\thello\n"), "{lines}");
    assert!(!server.admin(&["chat", "nothing1"]).0);

    let mut socket = bob.socket("/ws/me").await;
    socket.until("hello").await;
    assert!(server.admin(&["close", "bob"]).0);
    assert_eq!(socket.until_closed().await, 4401);
    assert_eq!(bob.get("/api/account").await.0, 401);
    let path = format!("/api/game/{game}");
    wait_until("expected the game to end", async || !ann.get(&path).await.1["end"].is_null()).await;
    assert_eq!(server.admin(&["reopen", "bob"]), (true, "bob: reopen\n".to_owned()));
    let who = json!({ "username": "bob", "password": "correct-horse" });
    assert_eq!(Player::anonymous(server.addr).post("/api/login", who).await.0, 200);
    let (done, text) = server.admin(&["mute", "nobody-here"]);
    assert!(!done && text.contains("there is no player"), "{text}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_moderator_action_is_logged() {
    let server = Server::start().await;
    let (mut ann, _bob) = (server.player("Ann").await, server.player("Bob").await);
    let report = json!({ "username": "Bob", "reason": "abuse", "text": "" });
    assert_eq!(ann.post("/api/report", report).await.0, 200);
    let actions = [
        ("mute bob", "mute\tBob"),
        ("unmute bob", "unmute\tBob"),
        ("resolve 1", "resolve 1\tBob"),
        ("grant-admin ann", "admin\tAnn"),
        ("revoke-admin ann", "plain\tAnn"),
        ("reset-link ann", "reset-link\tAnn"),
        ("clear-profile bob", "clear-profile\tBob"),
        ("note bob", "note\tBob"),
        ("close bob", "close\tBob"),
        ("reopen bob", "reopen\tBob"),
    ];
    for (at, (command, _)) in actions.iter().enumerate() {
        let reason = format!("reason {at}\u{1b}[31m");
        let mut arguments: Vec<&str> = command.split(' ').collect();
        arguments.extend(["--by", "Mo", "--reason", &reason]);
        let (done, text) = server.admin(&arguments);
        assert!(done, "{command}: {text}");
    }
    // Actions without an effect are not logged.
    assert!(!server.admin(&["resolve", "1"]).0);
    assert!(!server.admin(&["mute", "nobody-here"]).0);
    let (done, log) = server.admin(&["log"]);
    assert!(done, "{log}");
    assert!(!log.contains('\u{1b}'), "expected no control characters in the output");
    let lines: Vec<&str> = log.lines().rev().collect();
    assert_eq!(lines.len(), actions.len(), "{log}");
    for (at, (line, (_, expected))) in lines.iter().zip(actions).enumerate() {
        let end = format!("\t{expected}\tby Mo\treason {at}\\u{{1b}}[31m");
        assert!(line.starts_with(&format!("{}\t20", at + 1)) && line.ends_with(&end), "{line}");
    }
    let (_, log) = server.admin(&["log", "ANN"]);
    assert_eq!(log.lines().count(), 3, "{log}");
    assert_eq!(server.admin(&["log", "nobody-here"]), (true, String::new()));
    let (done, text) = server.admin(&["mute", "bob", "--days", "7"]);
    assert!(done, "{text}");
    let (_, log) = server.admin(&["log", "bob"]);
    assert!(log.lines().next().is_some_and(|line| line.contains("mute until 20")), "{log}");
    for days in ["0", "366", "-1", "seven"] {
        assert!(!server.admin(&["close", "bob", "--days", days]).0, "{days}");
    }
    assert!(!server.admin(&["unmute", "bob", "--days", "7"]).0);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_reports_about_a_player_are_resolved_together() {
    let server = Server::start().await;
    let (mut ann, _bob) = (server.player("Ann").await, server.player("Bob").await);
    for text in ["one", "two"] {
        let report = json!({ "username": "Bob", "reason": "abuse", "text": text });
        assert_eq!(ann.post("/api/report", report).await.0, 200);
    }
    let guest = server.guest().await;
    let report = json!({ "username": "Bob", "reason": "other", "text": "a guest\u{1b}[31m" });
    assert_eq!(guest.clone().post("/api/report", report).await.0, 200);
    let (done, queue) = server.admin(&["queue"]);
    assert!(done && queue.starts_with("Bob\t2 by 1\tfirst 20"), "{queue}");
    let (done, queue) = server.admin(&["queue", "--guests"]);
    assert!(done && queue.starts_with("Bob\t1 by 1\tfirst 20"), "{queue}");
    assert_eq!(server.admin(&["queue", "--page", "2"]), (true, String::new()));
    assert!(!server.admin(&["queue", "--page", "0"]).0);
    assert!(server.admin(&["mute", "bob", "--days", "2"]).0);
    let (done, shown) = server.admin(&["show", "BOB"]);
    assert!(done && shown.starts_with("Bob\tsince 20"), "{shown}");
    for part in ["\nmuted until 20", "\tby guest ", "\ta guest[31m", "\tmute until 20"] {
        assert!(shown.contains(part), "{part:?}: {shown}");
    }
    assert!(!server.admin(&["show", "nobody-here"]).0);
    let resolved = (true, "BOB: 3 reports resolved\n".to_owned());
    assert_eq!(server.admin(&["resolve-all", "BOB"]), resolved);
    assert_eq!(server.admin(&["reports"]), (true, String::new()));
    assert_eq!(server.admin(&["log"]).1.lines().count(), 4);
    assert!(!server.admin(&["resolve-all", "nobody-here"]).0);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn show_has_games_last_visit_and_mark_of_bots() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let (_, shown) = server.admin(&["show", "ann"]);
    let first: Vec<&str> = shown.lines().next().expect("a line").split('\t').collect();
    assert!(first[1].starts_with("since 20") && first[2].starts_with("seen 20"), "{shown}");
    assert!(!shown.contains("\ngame "), "{shown}");
    let voided = win(&mut ann, &mut bob).await;
    let won = win(&mut ann, &mut bob).await;
    ann.start_game(&mut bob, KNIGHTS, json!({ "rated": false })).await;
    let begun = ann.start_game(&mut bob, KNIGHTS, json!({})).await;
    assert!(server.admin(&["void-game", &voided]).0);
    let (_, shown) = server.admin(&["show", "bob"]);
    let games: Vec<Vec<&str>> = shown
        .lines()
        .filter_map(|line| line.strip_prefix("game "))
        .map(|line| line.split('\t').collect())
        .collect();
    let ids: Vec<&str> = games.iter().map(|game| game[0]).collect();
    assert_eq!(ids, [&*begun, &*won, &*voided], "rated games, newest first: {shown}");
    assert_eq!(games[0][2..], [KNIGHTS, "Ann : Bob", "in progress"]);
    assert!(games[1][3].starts_with("Ann ") && games[1][3].contains(" : Bob -"), "{shown}");
    assert_eq!(games[1][4], "resign, won by Ann");
    assert_eq!(games[2][3..], ["Ann : Bob", "resign, won by Ann, voided"]);
    let mut bot = server.player("Robot").await.api_client("bot:play").await;
    assert_eq!(bot.post("/api/bot/account/upgrade", json!({})).await.0, 200);
    let (_, shown) = server.admin(&["show", "robot"]);
    assert!(shown.starts_with("Robot\tBOT\tsince 20"), "{shown}");
    server.stop().await;
}
