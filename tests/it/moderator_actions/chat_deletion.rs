//! Chat lines that moderators delete.

use super::moderator;
use crate::erasure::{archive, count_in_database};
use crate::support::client::{Player, Server, refused, wait_until};
use crate::support::store_fixtures::make_moderator;
use reqwest::Method;
use serde_json::{Value, json};

/// Text that occurs nowhere else.
const SECRET: &str = "wombats";

async fn say(player: &mut Player, game: &str, text: &str, room: &str) {
    let path = format!("/api/board/game/{game}/chat");
    let (status, body) = player.post(&path, json!({ "text": text, "room": room })).await;
    assert_eq!(status, 200, "{body}");
}

/// Returns the number of the line with a text.
async fn line_number(moderator: &Player, game: &str, text: &str) -> i64 {
    let lines = moderator.get(&format!("/api/admin/game/{game}/chat")).await.1;
    let lines = lines.as_array().expect("lines");
    let line = lines.iter().find(|line| line["text"] == text).expect("the line");
    line["number"].as_i64().expect("a number")
}

async fn delete(moderator: &mut Player, game: &str, number: i64) -> (u16, Value) {
    let path = format!("/api/admin/game/{game}/chat/{number}/delete");
    moderator.post(&path, json!({ "reason": "rude" })).await
}

/// Returns names, texts and marks of the lines that a player sees.
async fn lines(player: &Player, game: &str) -> Vec<(Value, Value, Value)> {
    let game = player.get(&format!("/api/game/{game}")).await.1;
    let lines = game["chat"].as_array().expect("chat").clone();
    let parts = |line: Value| (line["name"].clone(), line["text"].clone(), line["deleted"].clone());
    lines.into_iter().map(parts).collect()
}

fn deleted(name: &str) -> (Value, Value, Value) {
    (json!(name), json!(""), json!(true))
}

fn kept(name: &str, text: &str) -> (Value, Value, Value) {
    (json!(name), json!(text), Value::Null)
}

#[tokio::test]
async fn moderator_who_plays_deletes_no_hidden_line() {
    let server = Server::start().await;
    let (mut ann, mut cat) = (server.player("Ann").await, server.player("Cat").await);
    let mut mo = moderator(&server).await;
    let game = ann.start_game(&mut mo, "hogga", json!({})).await;
    say(&mut cat, &game, "nice", "spectator").await;
    say(&mut ann, &game, "hello", "player").await;
    let number = line_number(&mo, &game, "hello").await;
    assert_eq!(delete(&mut mo, &game, number - 1).await.0, 404);
    assert_eq!(delete(&mut mo, &game, number).await.0, 200);
    assert_eq!(lines(&cat, &game).await, [kept("Cat", "nice")]);
    server.stop().await;
}

#[tokio::test]
async fn tv_goes_on_with_its_game_after_a_deletion() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut mo = moderator(&server).await;
    let game = ann.start_game(&mut bob, "hogga", json!({})).await;
    say(&mut ann, &game, "hello", "player").await;
    let mut tv = mo.open_stream(Method::GET, "/api/tv/feed", Value::Null).await;
    assert_eq!(tv.next().await.expect("a line")["d"]["id"], game);
    let u = ann.play_first_legal(&game).await;
    let number = line_number(&mo, &game, "hello").await;
    assert_eq!(delete(&mut mo, &game, number).await.0, 200);
    // A move is sent at the latest when the game ends.
    bob.post(&format!("/api/board/game/{game}/resign"), json!({})).await;
    let line = tv.next().await.expect("a line");
    assert_eq!((&line["t"], &line["d"]["lm"]), (&json!("fen"), &json!(u)));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn deleted_line_of_a_game_in_play_is_gone_at_once() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut mo = moderator(&server).await;
    let game = ann.start_game(&mut bob, "caterpillarWar", json!({})).await;
    let text = format!("you are {SECRET}");
    say(&mut ann, &game, "hello", "player").await;
    say(&mut bob, &game, &text, "player").await;
    let mut socket = ann.socket(&format!("/ws/game/{game}")).await;
    let full = socket.until("full").await;
    assert_eq!(full["d"]["chat"][1]["text"], text.as_str());
    let number = line_number(&mo, &game, &text).await;
    assert_eq!(delete(&mut mo, &game, number).await.0, 200);
    // The open page gets the whole game again.
    let full = socket.until("full").await;
    let chat = &full["d"]["chat"];
    assert_eq!((&chat[0]["text"], &chat[0]["deleted"]), (&json!("hello"), &Value::Null));
    assert_eq!((&chat[1]["name"], &chat[1]["text"]), (&json!("Bob"), &json!("")));
    assert_eq!(chat[1]["deleted"], true);
    assert_eq!(lines(&ann, &game).await, [kept("Ann", "hello"), deleted("Bob")]);
    let read = bob.get(&format!("/api/board/game/{game}/chat")).await.1;
    assert_eq!(read, json!([{ "user": "Ann", "text": "hello" }]));
    assert_eq!(archive(&bob).await.get("chat"), None);
    // The game goes on.
    ann.play_first_legal(&game).await;
    say(&mut bob, &game, "sorry", "player").await;
    let log = mo.get("/api/admin/log").await.1[0].clone();
    assert_eq!(
        (&log["action"], &log["about"], &log["game"], &log["moderator"], &log["reason"]),
        (&json!("delete-chat"), &json!("Bob"), &json!(game), &json!("Mo"), &json!("rude"))
    );
    let admin_lines = mo.get(&format!("/api/admin/game/{game}/chat")).await.1;
    assert_eq!((&admin_lines[1]["deleted"], &admin_lines[1]["text"]), (&json!(true), &json!("")));
    // Each line is deleted once, and only chat lines are.
    let not_found = (404, Value::Null);
    for number in [number, 1_000, -1] {
        assert_eq!(refused(delete(&mut mo, &game, number).await), not_found, "{number}");
    }
    let server = server.restart().await;
    let expected = [kept("Ann", "hello"), deleted("Bob"), kept("Bob", "sorry")];
    assert_eq!(lines(&ann_again(&server).await, &game).await, expected);
    let address = server.database_address();
    let _folder = server.stop().await;
    assert_eq!(count_in_database(&address, SECRET), 0);
    assert!(count_in_database(&address, "sorry") > 0, "the search finds what is there");
}

async fn ann_again(server: &Server) -> Player {
    let mut ann = Player::anonymous(server.addr);
    let form = json!({ "username": "Ann", "password": "correct-horse" });
    assert_eq!(ann.post("/api/login", form).await.0, 200);
    ann
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lines_of_a_finished_game_are_deleted_by_the_subcommand() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let (mut cat, mut guest) = (server.player("Cat").await, server.guest().await);
    let mo = moderator(&server).await;
    let game = ann.start_game(&mut bob, "caterpillarWar", json!({})).await;
    let text = |name: &str| format!("{SECRET} of {name}");
    for (player, name, room) in [
        (&mut ann, "Ann", "player"),
        (&mut cat, "Cat", "spectator"),
        (&mut guest, "guest", "spectator"),
    ] {
        say(player, &game, &text(name), room).await;
    }
    assert_eq!(bob.post(&format!("/api/board/game/{game}/resign"), json!({})).await.0, 200);
    let mut socket = bob.socket(&format!("/ws/game/{game}")).await;
    socket.until("full").await;
    for name in ["Ann", "Cat", "guest"] {
        let number = line_number(&mo, &game, &text(name)).await.to_string();
        let (done, output) =
            server.admin(&["delete-chat", &game, &number, "--reason", "rude", "--by", "Op"]);
        assert!(done, "{output}");
    }
    wait_until("expected the texts to go", async || {
        !mo.get(&format!("/api/admin/game/{game}/chat")).await.1.to_string().contains(SECRET)
    })
    .await;
    socket.until("full").await;
    assert_eq!(lines(&bob, &game).await, [deleted("Ann")]);
    let (done, output) = server.admin(&["chat", &game]);
    assert!(done && output.contains("\tplayers\tAnn\t(deleted)\n"), "{output}");
    let (done, output) = server.admin(&["log"]);
    for name in ["Ann", "Cat"] {
        let entry = format!("delete-chat {game}\t{name}\tby Op\trude");
        assert!(done && output.contains(&entry), "{output}");
    }
    let (_, about_guest) = server.admin(&["log", &guest.id]);
    assert!(about_guest.contains("delete-chat"), "the writer of the line is found: {about_guest}");
    assert!(!output.contains(SECRET), "{output}");
    let (done, output) = server.admin(&["delete-chat", &game, "999"]);
    assert!(!done && output.contains("has no chat line 999"), "{output}");
    assert!(!server.admin(&["delete-chat", "nothing1", "1"]).0);
    let address = server.database_address();
    let _folder = server.stop().await;
    assert_eq!(count_in_database(&address, SECRET), 0);
}

/// A deletion has no number by which a page that was offline could ask for it.
#[tokio::test]
async fn offline_page_gets_the_game_after_a_deletion() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut mo = moderator(&server).await;
    let game = ann.start_game(&mut bob, "caterpillarWar", json!({ "days": 3 })).await;
    let silent = ann.start_game(&mut bob, "caterpillarWar", json!({ "days": 3 })).await;
    say(&mut bob, &game, SECRET, "player").await;
    let mut socket = ann.socket(&format!("/ws/game/{game}")).await;
    let last = socket.until("full").await["v"].clone();
    drop(socket);
    let number = line_number(&mo, &game, SECRET).await;
    assert_eq!(delete(&mut mo, &game, number).await.0, 200);
    let path = format!("/ws/game/{game}?v={last}");
    // The open room gets the change soon.
    let full = ann.socket(&path).await.until("full").await;
    assert_eq!(full["d"]["chat"][0]["text"], "");
    let full = ann.socket(&path).await.next().await.expect("message");
    assert_eq!((&full["t"], &full["v"]), (&json!("full"), &last));
    let server = server.restart().await;
    let ann = ann_again(&server).await;
    let full = ann.socket(&path).await.next().await.expect("message");
    assert_eq!((&full["t"], &full["d"]["chat"][0]["text"]), (&json!("full"), &json!("")));
    // A game without chat is not sent again.
    let last = ann.socket(&format!("/ws/game/{silent}")).await.until("full").await["v"].clone();
    let mut socket = ann.socket(&format!("/ws/game/{silent}?v={last}")).await;
    assert_ne!(socket.next().await.expect("message")["t"], "full");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn deletion_refuses_no_move() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut mo = moderator(&server).await;
    let game = ann.start_game(&mut bob, "caterpillarWar", json!({})).await;
    for (number, text) in ["one", "two", "three", "four"].into_iter().enumerate() {
        say(&mut bob, &game, text, "player").await;
        let line = line_number(&mo, &game, text).await;
        let player = if number % 2 == 0 { &mut ann } else { &mut bob };
        let (answer, _) =
            tokio::join!(delete(&mut mo, &game, line), player.play_first_legal(&game));
        assert_eq!(answer.0, 200);
    }
    assert_eq!(lines(&ann, &game).await, ["Bob"; 4].map(deleted));
    server.stop().await;
}

/// The subcommand beside no server stores the request, which the next start carries out.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn deletion_without_a_server_follows_at_the_start() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let mo = moderator(&server).await;
    let game = ann.start_game(&mut bob, "hogga", json!({ "days": 3 })).await;
    say(&mut ann, &game, SECRET, "player").await;
    let number = line_number(&mo, &game, SECRET).await.to_string();
    let address = server.database_address();
    let folder = server.stop().await;
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_sprong"))
        .args(["admin", "--database", &address, "delete-chat", &game, &number])
        .output()
        .expect("sprong");
    assert!(output.status.success(), "{output:?}");
    let server = Server::open(folder, &[]).await;
    let ann = ann_again(&server).await;
    wait_until("expected the text to go", async || lines(&ann, &game).await == [deleted("Ann")])
        .await;
    server.stop().await;
}

#[tokio::test]
async fn line_of_a_moderator_is_protected() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut mo = moderator(&server).await;
    let game = ann.start_game(&mut bob, "caterpillarWar", json!({})).await;
    say(&mut ann, &game, "hello", "player").await;
    let number = line_number(&mo, &game, "hello").await;
    let path = format!("/api/admin/game/{game}/chat/{number}/delete");
    assert_eq!(refused(mo.post(&path, json!({})).await), (400, json!("badField")));
    assert_eq!(refused(bob.post(&path, json!({ "reason": "x" })).await), (403, json!("notAdmin")));
    make_moderator(server.rooms.store(), "ann").await;
    let protected = (403, json!("protectedAccount"));
    assert_eq!(refused(delete(&mut mo, &game, number).await), protected);
    assert_eq!(lines(&bob, &game).await, [kept("Ann", "hello")]);
    server.stop().await;
}
