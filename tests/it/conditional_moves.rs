//! Conditional moves in games with days per move.

use crate::erasure::archive;
use crate::games_without_clock::{start_daily_game, state_of};
use crate::support::client::{Player, Server, refused, wait_until};
use serde_json::{Value, json};
use smol_str::SmolStr;
use sprong::play::conditional::ConditionalMoves;
use sprong::play::event::Event;
use sprong::play::played_line::PlayedLine;
use sprong::variants::by_key;

/// Moves with which [`start_daily_game`] begins a game.
const BEGINNING: [&str; 2] = ["h5-g5", "a4-b4"];

/// Returns moves after [`BEGINNING`]: in each position, the legal move at an index.
fn moves(choices: &[usize]) -> Vec<SmolStr> {
    let variant = by_key("caterpillarWar").expect("variant");
    let mut line = PlayedLine::new(variant.start(&variant.options(), 0));
    BEGINNING.iter().try_for_each(|u| line.play(u)).expect("legal moves");
    for choice in choices {
        let u = line.legal_moves()[*choice].clone();
        line.play(&u).expect("legal move");
    }
    line.moves()[BEGINNING.len()..].to_vec()
}

fn text(choices: &[usize]) -> String {
    moves(choices).join(" ")
}

async fn play(player: &mut Player, id: &str, u: &str) {
    let (status, body) = player.post(&format!("/api/board/game/{id}/move/{u}"), json!({})).await;
    assert_eq!(status, 200, "{body}");
}

/// Sends conditional moves; returns status and answer.
async fn send(player: &mut Player, id: &str, ply: usize, lines: &[String]) -> (u16, Value) {
    let body = json!({ "ply": ply, "lines": lines });
    player.post(&format!("/api/game/{id}/conditional"), body).await
}

fn reason_of(answer: (u16, Value)) -> String {
    let (status, reason) = refused(answer);
    assert!((400..500).contains(&status), "{status}");
    reason.as_str().expect("a reason").to_owned()
}

async fn set(player: &mut Player, id: &str, ply: usize, lines: &[String]) {
    let (status, body) = send(player, id, ply, lines).await;
    assert_eq!((status, &body["ply"]), (200, &json!(ply)), "{body}");
}

async fn lines(player: &Player, id: &str) -> Value {
    let (status, body) = player.get(&format!("/api/game/{id}/conditional")).await;
    assert_eq!(status, 200, "{body}");
    body["lines"].clone()
}

async fn played(player: &Player, id: &str) -> String {
    let moves = state_of(player, id).await["moves"].as_str().expect("moves").to_owned();
    moves.strip_prefix(&BEGINNING.join(" ")).expect("the beginning").trim().to_owned()
}

#[tokio::test]
async fn server_replies_with_conditional_moves_at_once() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = start_daily_game(&mut ann, &mut bob).await;
    let line = [0, 0, 1, 1, 0];
    // Bob's lines begin with a move of Ann.
    set(&mut bob, &id, 2, &[text(&line[..4]), text(&[1, 0])]).await;
    assert_eq!(lines(&bob, &id).await.as_array().expect("lines").len(), 2);
    assert_eq!(lines(&ann, &id).await, json!([]), "the lines of the opponent are secret");
    let mut socket = bob.socket(&format!("/ws/game/{id}")).await;
    socket.until("full").await;
    play(&mut ann, &id, &moves(&line)[0]).await;
    // The answer to the move comes after the reply.
    assert_eq!(played(&ann, &id).await, text(&line[..2]));
    for u in moves(&line[..2]) {
        assert_eq!(socket.until("move").await["d"]["u"], u.as_str());
    }
    assert_eq!(lines(&bob, &id).await, json!([moves(&line[..4])[2..].join(" ")]));
    let server = server.restart().await;
    (ann.addr, bob.addr) = (server.addr, server.addr);
    play(&mut ann, &id, &moves(&line)[2]).await;
    assert_eq!(played(&ann, &id).await, text(&line[..4]));
    assert_eq!(lines(&bob, &id).await, json!([]), "the whole line was played");
    play(&mut ann, &id, &moves(&line)[4]).await;
    assert_eq!(played(&ann, &id).await, text(&line), "no line is left");
    server.stop().await;
}

#[tokio::test]
async fn both_players_may_have_conditional_moves() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = start_daily_game(&mut ann, &mut bob).await;
    let line = moves(&[0, 0, 1, 1, 0, 2]);
    set(&mut bob, &id, 2, &[line.join(" ")]).await;
    play(&mut ann, &id, &line[0]).await;
    // Bob has replied; Ann's lines begin with his next move, which depends on hers.
    assert_eq!(reason_of(send(&mut ann, &id, 4, &[line[4..].join(" ")]).await), "yourTurn");
    play(&mut ann, &id, &line[2]).await;
    assert_eq!(played(&ann, &id).await, line[..4].join(" "));
    play(&mut ann, &id, &moves(&[0, 0, 1, 1, 1])[4]).await;
    let deviation = moves(&[0, 0, 1, 1, 1]).join(" ");
    assert_eq!(played(&ann, &id).await, deviation, "another move than the line has");
    assert_eq!(lines(&bob, &id).await, json!([]));
    set(&mut ann, &id, 7, &[moves(&[0, 0, 1, 1, 1, 0, 0])[5..].join(" ")]).await;
    play(&mut bob, &id, &moves(&[0, 0, 1, 1, 1, 0])[5]).await;
    assert_eq!(played(&bob, &id).await, moves(&[0, 0, 1, 1, 1, 0, 0]).join(" "));
    server.stop().await;
}

#[tokio::test]
async fn takebacks_and_draw_offers_stop_conditional_moves() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = start_daily_game(&mut ann, &mut bob).await;
    let line = moves(&[0, 0, 1, 1]);
    set(&mut bob, &id, 2, &[line.join(" ")]).await;
    // A draw that Ann offers with her move waits for Bob.
    assert_eq!(ann.post(&format!("/api/board/game/{id}/draw/yes"), json!({})).await.0, 200);
    play(&mut ann, &id, &line[0]).await;
    assert_eq!(played(&bob, &id).await, line[0]);
    assert_eq!(lines(&bob, &id).await, json!([line[1..].join(" ")]));
    assert_eq!(bob.post(&format!("/api/board/game/{id}/draw/no"), json!({})).await.0, 200);
    assert_eq!(played(&bob, &id).await, line[..2].join(" "), "the reply follows the answer");
    // Bob regrets his reply: the line does not make it again.
    assert_eq!(bob.post(&format!("/api/board/game/{id}/takeback/yes"), json!({})).await.0, 200);
    assert_eq!(ann.post(&format!("/api/board/game/{id}/takeback/yes"), json!({})).await.0, 200);
    assert_eq!(played(&bob, &id).await, line[0]);
    assert_eq!(lines(&bob, &id).await, json!([]));
    let server = server.restart().await;
    (ann.addr, bob.addr) = (server.addr, server.addr);
    play(&mut bob, &id, &line[1]).await;
    play(&mut ann, &id, &line[2]).await;
    assert_eq!(played(&bob, &id).await, line[..3].join(" "));
    assert!(!archive(&bob).await.contains_key("conditionalMoves"), "the lines are removed");
    server.stop().await;
}

/// The server stopped after it had stored the opponent's move, and before the reply.
#[tokio::test]
async fn reply_follows_after_a_restart() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = start_daily_game(&mut ann, &mut bob).await;
    let reply = &moves(&[0])[0];
    let store = server.rooms.store();
    let game = store.game(&id.parse().expect("id")).await.expect("read").expect("game");
    let stored =
        ConditionalMoves::from_texts(BEGINNING[0], 0, &format!("{} {reply}", BEGINNING[1]));
    let set = store.set_conditional_moves(game.key, game.players[0].account.key, stored);
    set.await.expect("stored");
    let server = server.restart().await;
    (ann.addr, bob.addr) = (server.addr, server.addr);
    // Requests for the game would open its room.
    wait_until("no reply", async || {
        let log = server.rooms.store().events(game.key).await.expect("log");
        log.iter().filter(|(logged, _)| matches!(logged.event, Event::Moved { .. })).count() == 3
    })
    .await;
    assert_eq!(played(&bob, &id).await, *reply);
    assert!(!archive(&ann).await.contains_key("conditionalMoves"), "the line is over");
    server.stop().await;
}

#[tokio::test]
async fn invalid_conditional_moves_are_refused_with_reasons() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut cas = server.player("Cas").await;
    let id = start_daily_game(&mut ann, &mut bob).await;
    let line = text(&[0, 0]);
    let one = |text: &str| vec![text.to_owned()];
    for (lines, reason) in [
        (one("z9-z9"), "illegal"),
        (one(&text(&[0])), "badField"),
        (one(""), "badField"),
        (vec![line.clone(); 21], "badField"),
        (one(&"a4-b4 ".repeat(21)), "badField"),
        (vec![line.clone(), text(&[0, 1])], "twoReplies"),
    ] {
        assert_eq!(reason_of(send(&mut bob, &id, 2, &lines).await), reason, "{lines:?}");
    }
    assert_eq!(reason_of(send(&mut bob, &id, 1, &one(&line)).await), "stale");
    assert_eq!(reason_of(send(&mut ann, &id, 2, &one(&line)).await), "yourTurn");
    assert_eq!(reason_of(send(&mut cas, &id, 2, &one(&line)).await), "notAPlayer");
    let read = cas.get(&format!("/api/game/{id}/conditional")).await;
    assert_eq!(reason_of(read), "notAPlayer");
    assert_eq!(send(&mut bob, "abcdefgh", 2, &one(&line)).await.0, 404);
    let path = format!("/api/game/{id}/conditional");
    for body in [
        json!({}),
        json!({ "ply": 2 }),
        json!({ "ply": -2, "lines": [] }),
        json!({ "ply": 2, "lines": line }),
        json!({ "ply": 2, "lines": [3] }),
    ] {
        assert_eq!(bob.post(&path, body.clone()).await.0, 400, "{body}");
    }
    let nobody = Player::anonymous(server.addr);
    assert_eq!(nobody.get(&path).await.0, 401);
    for terms in [json!({ "rated": false }), json!({ "clock.limit": 300, "clock.increment": 3 })] {
        let other = ann.start_game(&mut bob, "hogga", terms.clone()).await;
        assert_eq!(reason_of(send(&mut bob, &other, 0, &one(&line)).await), "noDays", "{terms}");
        assert_eq!(bob.post(&format!("/api/board/game/{other}/abort"), json!({})).await.0, 200);
        assert_eq!(reason_of(send(&mut bob, &other, 0, &one(&line)).await), "over", "{terms}");
    }
    assert_eq!(lines(&bob, &id).await, json!([]));
    server.stop().await;
}

#[tokio::test]
async fn conditional_moves_end_with_game_and_account() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = start_daily_game(&mut ann, &mut bob).await;
    let line = text(&[0, 0]);
    set(&mut bob, &id, 2, std::slice::from_ref(&line)).await;
    let stored = archive(&bob).await;
    let expected = json!({ "game": id, "played": BEGINNING.join(" "), "lines": line });
    assert_eq!(stored["conditionalMoves"], [expected]);
    set(&mut bob, &id, 2, &[]).await;
    assert!(!archive(&bob).await.contains_key("conditionalMoves"), "the lines are removed");
    set(&mut bob, &id, 2, &[line]).await;
    assert_eq!(ann.post(&format!("/api/board/game/{id}/resign"), json!({})).await.0, 200);
    assert_eq!(lines(&bob, &id).await, json!([]));
    assert!(!archive(&bob).await.contains_key("conditionalMoves"), "the game is over");
    server.stop().await;
}
