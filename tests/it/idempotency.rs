//! Idempotency of commands and requests. Five tabs and two sockets of another device of one player
//! send the same command, and then competing ones: one command is executed, and all clients see the
//! same game.

use crate::support::client::{Player, Server};
use crate::support::socket::Socket;
use serde_json::{Value, json};
use uuid::Uuid;

/// Tabs of one browser, and sockets of another device.
const TABS: usize = 5;
const DEVICES: usize = 2;

/// Reads messages until this number of answers and this version have arrived. Returns answers and
/// events.
async fn read_answers(socket: &mut Socket, answers: usize, v: i64) -> (Vec<Value>, Vec<Value>) {
    let (mut received, mut events, mut version) = (Vec::new(), Vec::new(), 0);
    while received.len() < answers || version < v {
        let message = socket.next().await.expect("a message");
        match message["t"].as_str() {
            Some("ack" | "refused") => received.push(message),
            _ => {
                if let Some(seen) = message["v"].as_i64() {
                    version = seen;
                    events.push(message);
                }
            }
        }
    }
    (received, events)
}

struct ConnectedPlayers {
    id: String,
    /// All sockets of the first player, and the one of the second.
    first_sockets: Vec<Socket>,
    second_socket: Socket,
}

async fn connect_players(server: &Server) -> ConnectedPlayers {
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut other_device = Player::anonymous(server.addr);
    let who = json!({ "username": "Ann", "password": "correct-horse" });
    assert_eq!(other_device.post("/api/login", who).await.0, 200);
    let id = ann.start_game(&mut bob, "caterpillarWar", json!({ "clock.limit": 600 })).await;
    let path = format!("/ws/game/{id}");
    let mut many = Vec::new();
    for at in 0..TABS + DEVICES {
        let device = if at < TABS { &ann } else { &other_device };
        let mut socket = device.socket(&path).await;
        assert_eq!(socket.until("full").await["d"]["you"], "first");
        many.push(socket);
    }
    let mut one = bob.socket(&path).await;
    one.until("full").await;
    ConnectedPlayers { id, first_sockets: many, second_socket: one }
}

#[tokio::test]
async fn repeated_command_is_executed_once_and_answered_to_each() {
    let server = Server::start_with(&["--player-message-limit", "10000"]).await;
    let mut players = connect_players(&server).await;
    let mut reply = json!("a4-b4");
    let mut legal = json!(["h5-g5"]);
    for turn in 0..8 {
        let v = 2 * turn + 1;
        let d = json!({ "u": legal[0], "ply": v - 1, "cid": Uuid::now_v7() });
        let frame = json!({ "t": "move", "d": d }).to_string();
        // Each socket sends it twice.
        for socket in &mut players.first_sockets {
            socket.send_text(&frame).await;
            socket.send_text(&frame).await;
        }
        for socket in &mut players.first_sockets {
            let (answers, events) = read_answers(socket, 2, v).await;
            let ack = json!({ "t": "ack", "d": { "cid": d["cid"], "v": v } });
            assert_eq!(answers, [ack.clone(), ack]);
            let moves: Vec<_> = events.iter().filter(|event| event["t"] == "move").collect();
            assert_eq!((moves.len(), &moves[0]["d"]["u"]), (1, &d["u"]));
        }
        let message = players.second_socket.until("move").await;
        if turn > 0 {
            reply = message["d"]["legal"][0].clone();
        }
        players.second_socket.command("move", json!({ "u": reply, "ply": v })).await;
        players.second_socket.until("move").await;
        for socket in &mut players.first_sockets {
            legal = socket.until("move").await["d"]["legal"].clone();
        }
    }
    let game = Player::anonymous(server.addr).get(&format!("/api/game/{}", players.id)).await.1;
    assert_eq!(game["v"], 16);
    server.stop().await;
}

#[tokio::test]
async fn one_of_competing_commands_is_executed() {
    let server = Server::start_with(&["--player-message-limit", "10000"]).await;
    let mut players = connect_players(&server).await;
    let full = Player::anonymous(server.addr).get(&format!("/api/game/{}", players.id)).await.1;
    let start = full["initialFen"].as_str().expect("position").to_owned();
    let mut moves: Vec<String> = Vec::new();
    for turn in 0..8 {
        let v = 2 * turn + 1;
        let legal = legal_moves(&start, &moves);
        for (at, socket) in players.first_sockets.iter_mut().enumerate() {
            let u = &legal[(at * 37) % legal.len()];
            socket.command("move", json!({ "u": u, "ply": v - 1 })).await;
        }
        let (mut acknowledged, mut seen) = (0, Vec::new());
        for socket in &mut players.first_sockets {
            let (answers, events) = read_answers(socket, 1, v).await;
            match answers[0]["t"].as_str() {
                Some("ack") => acknowledged += 1,
                _ => assert_eq!(answers[0]["d"]["reason"], "stale", "{}", answers[0]),
            }
            let first_move = events.iter().find(|event| event["t"] == "move").expect("a move");
            seen.push(first_move["d"]["u"].as_str().expect("notation").to_owned());
        }
        assert_eq!(acknowledged, 1);
        seen.push(
            players.second_socket.until("move").await["d"]["u"]
                .as_str()
                .expect("notation")
                .to_owned(),
        );
        seen.dedup();
        assert_eq!(seen.len(), 1, "all tabs must see the same move");
        moves.extend(seen);
        let reply = self::legal_moves(&start, &moves)[0].clone();
        players.second_socket.command("move", json!({ "u": reply, "ply": v })).await;
        players.second_socket.until("move").await;
        for socket in &mut players.first_sockets {
            socket.until("move").await;
        }
        moves.push(reply);
    }
    // All sockets of both players resign at the same moment.
    for socket in players.first_sockets.iter_mut().chain([&mut players.second_socket]) {
        socket.command("resign", json!({})).await;
    }
    let mut ends = Vec::new();
    for socket in players.first_sockets.iter_mut().chain([&mut players.second_socket]) {
        let (answers, events) = read_answers(socket, 1, 17).await;
        ends.push((answers[0]["t"] == "ack", events.last().expect("an end")["d"].clone()));
    }
    assert_eq!(ends.iter().filter(|(is_acknowledged, _)| *is_acknowledged).count(), 1, "{ends:?}");
    assert!(ends.iter().all(|(_, end)| *end == ends[0].1 && end["status"] == "resign"));
    server.stop().await;
}

/// The ids of commands are those of their sender: other players and spectators do not get its
/// acknowledgements, and a restart changes nothing.
#[tokio::test]
async fn same_command_id_of_another_player_is_another_command() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut eve = server.player("Eve").await;
    let id = ann.start_game(&mut bob, "caterpillarWar", json!({ "clock.limit": 600 })).await;
    let path = format!("/ws/game/{id}");
    let cid = Uuid::now_v7();
    let first_move =
        json!({ "t": "move", "d": { "u": "h5-g5", "ply": 0, "cid": cid } }).to_string();
    let resign = json!({ "t": "resign", "d": { "cid": cid } }).to_string();
    let reply = json!({ "t": "move", "d": { "u": "a4-b4", "ply": 1, "cid": cid } }).to_string();
    let answer = async |player: &Player, text: &str| {
        let mut socket = player.socket(&path).await;
        socket.until("full").await;
        socket.send_text(text).await;
        read_answers(&mut socket, 1, 0).await.0[0].clone()
    };
    let ack = |v: i64| json!({ "t": "ack", "d": { "cid": cid, "v": v } });
    assert_eq!(answer(&ann, &first_move).await, ack(1));
    let refused = answer(&eve, &resign).await;
    assert_eq!((&refused["t"], &refused["d"]["reason"]), (&json!("refused"), &json!("notAPlayer")));
    assert_eq!(answer(&bob, &reply).await, ack(2));
    let server = Server::open(server.stop().await, &[]).await;
    for player in [&mut ann, &mut bob, &mut eve] {
        player.addr = server.addr;
    }
    assert_eq!(answer(&ann, &first_move).await, ack(1));
    assert_eq!(answer(&bob, &reply).await, ack(2));
    assert_eq!(answer(&eve, &resign).await["d"]["reason"], "notAPlayer");
    server.stop().await;
}

fn legal_moves(start: &str, moves: &[String]) -> Vec<String> {
    let variant = sprong::variants::by_key("caterpillarWar").expect("variant");
    let start = variant.read(start, &variant.options()).expect("position");
    let mut line = sprong::play::played_line::PlayedLine::new(start);
    moves.iter().for_each(|u| line.play(u).expect("a legal move"));
    line.legal_moves()
}

#[tokio::test]
async fn concurrent_identical_requests_are_executed_once() {
    let server = Server::start().await;
    let (mut ann, bob) = (server.player("Ann").await, server.player("Bob").await);
    let eve = server.player("Eve").await;
    let twice = async |player: &Player, path: &str| {
        let all = (0..4).map(async |_| player.clone().post(path, json!({})).await.0);
        let mut statuses = futures_util::future::join_all(all).await;
        statuses.sort_unstable();
        statuses
    };
    for round in 0..10 {
        let fields =
            json!({ "variant": "caterpillarWar", "color": "first", "rated": true, "days": 3 });
        let id = ann.challenge(fields).await;
        let accepted = twice(&bob, &format!("/api/challenge/{id}/accept")).await;
        assert_eq!(accepted, [200, 409, 409, 409], "round {round}");
        let game = |rest: &str| format!("/api/board/game/{id}/{rest}");
        assert_eq!(twice(&ann, &game("move/h5-g5")).await, [200, 400, 400, 400]);
        assert_eq!(twice(&bob, &game("move/a4-b4")).await, [200, 400, 400, 400]);
        assert_eq!(twice(&bob, &game("draw/yes")).await, [200, 400, 400, 400]);
        assert_eq!(twice(&bob, &game("resign")).await, [200, 400, 400, 400]);
        assert_eq!(twice(&eve, &game("resign")).await, [400; 4]);
    }
    // Each game counts once, although four requests ended it.
    let perf = ann.get("/api/account").await.1["perfs"]["caterpillarWar"].clone();
    assert_eq!(perf["games"], 10);
    let challenge = ann.challenge(json!({ "variant": "knightFight" })).await;
    let statuses = twice(&ann, &format!("/api/challenge/{challenge}/cancel")).await;
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
    server.stop().await;
}
