//! Tests for spectators: the list of live games, the socket that follows many games, TV, and the
//! delayed streams of rated games.

use crate::support::client::{NdjsonStream, Player, Server, wait_until};
use crate::support::database::Database;
use crate::support::socket::Socket;
use futures_util::SinkExt;
use reqwest::Method;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tokio_tungstenite::tungstenite::Message;

const CLOCK: &str = "clock.limit";

/// Time without a line after which a move counts as withheld.
const QUIET_TIME: Duration = Duration::from_millis(400);

async fn rated_player(server: &Server, database: &Database, name: &str, rating: i64) -> Player {
    let player = server.player(name).await;
    for variant in ["hogga", "knightFight", "caterpillarWar"] {
        database.set_rating(&player, variant, rating, 60.0).await;
    }
    player
}

async fn list_live_games(player: &Player, query: &str) -> (Vec<String>, u64) {
    let (status, body) = player.get(&format!("/api/games/live?{query}")).await;
    assert_eq!(status, 200, "{query}: {body}");
    let games = body["games"].as_array().expect("games");
    let id = |game: &Value| game["id"].as_str().expect("id").to_owned();
    (games.iter().map(id).collect(), body["total"].as_u64().expect("total"))
}

#[tokio::test]
async fn live_games_are_filtered_sorted_and_paged() {
    let server = Server::start().await;
    let database = server.database().await;
    let mut high = rated_player(&server, &database, "High", 1800).await;
    let mut low = rated_player(&server, &database, "Low", 1401).await;
    let mut same = rated_player(&server, &database, "Same", 1400).await;
    let strong = high.start_game(&mut low, "hogga", json!({ CLOCK: 300 })).await;
    let weak = low.start_game(&mut same, "hogga", json!({ "rated": false })).await;
    let other = same.start_game(&mut high, "knightFight", json!({ CLOCK: 300 })).await;
    let eve = Player::anonymous(server.addr);
    // Average ratings: 1600 (1800 and 1401), 1600 (1400 and 1800), 1400. Of equal games the newest
    // is first.
    let all = [&other, &strong, &weak].map(String::clone).to_vec();
    for (query, ids) in [
        ("", &all[..]),
        ("sort=rating", &all[..]),
        ("sort=new", &[other.clone(), weak.clone(), strong.clone()]),
        ("variant=hogga", &[strong.clone(), weak.clone()]),
        ("rating=1500-1700", &all[..2]),
        ("rating=1600-1600", &all[..2]),
        ("rating=-1500", &all[2..]),
        ("rating=1601-", &[]),
        ("rated=false", &all[2..]),
        ("rated=true&variant=knightFight", &all[..1]),
        ("variant=wieNietWegIs", &[]),
    ] {
        assert_eq!(list_live_games(&eve, query).await, (ids.to_vec(), ids.len() as u64), "{query}");
    }
    for (page, ids) in [(1, &all[..2]), (2, &all[2..]), (3, &[])] {
        assert_eq!(
            list_live_games(&eve, &format!("max=2&page={page}")).await,
            (ids.to_vec(), 3),
            "{page}"
        );
    }
    let watching = eve.socket(&format!("/ws/game/{weak}")).await;
    let u = same.play_first_legal(&other).await;
    let mut games = Value::Null;
    wait_until("expected the list to show the spectator and the move", async || {
        games = eve.get("/api/games/live?sort=watchers").await.1["games"].take();
        let (first, moved) = (&games[0], &games[1]);
        first["id"] == weak.as_str() && first["watchers"] == 1 && moved["ply"] == 1
    })
    .await;
    let (first, moved) = (&games[0], &games[1]);
    assert_eq!((&moved["lastMove"], &moved["turn"]), (&json!(u), &json!("second")));
    assert_eq!(moved["last"]["paths"][0][0], u, "expected a placed knight: {moved}");
    assert!(moved["clocks"]["first"].as_i64().is_some_and(|left| left <= 300_000));
    assert_eq!(first["clocks"], Value::Null, "{first}");
    drop(watching);
    server.stop().await;
}

#[tokio::test]
async fn live_games_with_invalid_query_are_refused() {
    let server = Server::start().await;
    let eve = Player::anonymous(server.addr);
    for (query, reason) in [
        ("variant=chess", "badVariant"),
        ("rating=high", "badRange"),
        ("rating=1600-1400", "badRange"),
        ("rating=-100..%2B200", "badRange"),
        ("rating=-", "badRange"),
        ("rated=perhaps", "badField"),
        ("sort=luck", "badField"),
        ("page=0", "badField"),
        ("page=x", "badField"),
        ("page=99999999999999999999", "badField"),
        ("max=0", "badField"),
        ("max=51", "badField"),
        ("max=-1", "badField"),
    ] {
        let (status, body) = eve.get(&format!("/api/games/live?{query}")).await;
        assert_eq!((status, &body["reason"]), (400, &json!(reason)), "{query}: {body}");
    }
    let (_, document) = eve.get("/api/openapi.json").await;
    let parameters = &document["paths"]["/api/games/live"]["get"]["parameters"];
    let names: Vec<&str> = parameters
        .as_array()
        .expect("parameters")
        .iter()
        .filter_map(|one| one["name"].as_str())
        .collect();
    assert_eq!(names, ["variant", "rating", "rated", "sort", "page", "max"]);
    let stream = &document["paths"]["/api/stream/game/{id}"]["get"]["description"];
    assert!(stream.as_str().is_some_and(|text| text.contains("three more")), "{stream}");
    server.stop().await;
}

async fn watch(socket: &mut Socket, ids: &[&str]) {
    socket.send(json!({ "t": "watch", "d": { "ids": ids } })).await;
}

#[tokio::test]
async fn live_socket_follows_many_games_without_delay() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let clocked = ann.start_game(&mut bob, "hogga", json!({ CLOCK: 300 })).await;
    let slow = ann.start_game(&mut bob, "caterpillarWar", json!({})).await;
    let third = ann.start_game(&mut bob, "knightFight", json!({ CLOCK: 300 })).await;
    let eve = Player::anonymous(server.addr);
    let mut socket = eve.socket("/ws/live").await;
    watch(&mut socket, &[&clocked, &slow, &clocked, "zzzzzzzz", "nonsense!"]).await;
    let mut received = Vec::new();
    for _ in 0..4 {
        let message = socket.next().await.expect("a message");
        received.push((
            message["t"].clone(),
            message["d"]["id"].clone(),
            message["d"]["status"].clone(),
        ));
    }
    received.sort_by_key(|(t, id, _)| (t.to_string(), *id != json!(clocked), id.to_string()));
    let live = |id: &str| (json!("live"), json!(id), Value::Null);
    assert_eq!(received[..2], [live(&clocked), live(&slow)]);
    assert_eq!(received[2..].iter().filter(|(t, ..)| t == "liveGone").count(), 2, "{received:?}");

    // Each move of either game is sent with all fields of a small board.
    for id in [&clocked, &slow, &clocked] {
        let ply = eve.get(&format!("/api/game/{id}")).await.1["state"]["moves"]
            .as_str()
            .map_or(0, |moves| moves.split_whitespace().count());
        let mover = if ply % 2 == 0 { &mut ann } else { &mut bob };
        let u = mover.play_first_legal(id).await;
        let d = socket.until("live").await["d"].take();
        assert_eq!((&d["id"], &d["lastMove"], &d["ply"]), (&json!(id), &json!(u), &json!(ply + 1)));
        assert_eq!((&d["first"]["name"], &d["second"]["name"]), (&json!("Ann"), &json!("Bob")));
        assert_eq!(d["turn"], if ply % 2 == 0 { "second" } else { "first" });
        assert_eq!(d["clocks"].is_null(), *id == slow, "{d}");
        let (_, full) = eve.get(&format!("/api/game/{id}")).await;
        let position = full["position"].as_str().expect("position");
        assert_eq!(position.split(' ').next(), d["cells"].as_str());
        assert_eq!(full["last"], d["last"]);
        // Followers of many games are not counted as spectators.
        assert_eq!(full["crowd"], 0);
    }

    // Several moves within a second are sent one by one. The lobby would send only the last.
    let began = Instant::now();
    for ply in 3..=6 {
        let mover = if ply % 2 == 1 { &mut ann } else { &mut bob };
        mover.play_first_legal(&clocked).await;
    }
    for ply in 3..=6 {
        assert_eq!(socket.until("live").await["d"]["ply"], ply);
    }
    println!("four moves played and received within {:.1?}", began.elapsed());

    // The new list replaces the old one, whose games are no longer sent.
    watch(&mut socket, &[&slow, &third]).await;
    assert_eq!(socket.until("live").await["d"]["id"], third);
    ann.play_first_legal(&clocked).await;
    ann.play_first_legal(&third).await;
    assert_eq!(socket.until("live").await["d"]["id"], third);
    let many: Vec<&str> = vec![&third; 17];
    socket.send(json!({ "t": "watch", "d": { "ids": many } })).await;
    assert_eq!(socket.until("refused").await["d"]["reason"], "tooMany");
    for (message, reason) in [
        (json!({ "t": "watch" }), "badFrame"),
        (json!({ "t": "watch", "d": { "ids": [1] } }), "badFrame"),
        (json!({ "t": "move", "d": { "u": "a1" } }), "unknown"),
    ] {
        socket.send(message).await;
        assert_eq!(socket.until("refused").await["d"]["reason"], reason);
    }
    // Refused messages change nothing. The number of spectators is sent.
    let watching = eve.socket(&format!("/ws/game/{slow}")).await;
    loop {
        let d = socket.until("live").await["d"].take();
        if d["watchers"] == 1 {
            assert_eq!(d["id"], slow);
            break;
        }
    }
    drop(watching);

    bob.post(&format!("/api/board/game/{third}/abort"), json!({})).await;
    let d = socket.until("liveGone").await["d"].take();
    assert_eq!(
        (&d["id"], &d["status"], &d["winner"]),
        (&json!(third), &json!("aborted"), &Value::Null)
    );
    bob.post(&format!("/api/board/game/{clocked}/resign"), json!({})).await;
    watch(&mut socket, &[&clocked]).await;
    let d = socket.until("liveGone").await["d"].take();
    assert_eq!((&d["status"], &d["winner"]), (&json!("resign"), &json!("first")));
    let (closed, _) = tokio::join!(socket.until_closed(), server.stop());
    assert_eq!(closed, 1012);
}

#[tokio::test]
async fn live_socket_over_sixteen_games_is_refused() {
    let server =
        Server::start_with(&["--spectator-message-limit", "30", "--challenges-max", "100"]).await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut ids = Vec::new();
    for _ in 0..48 {
        ids.push(ann.start_game(&mut bob, "knightFight", json!({ "rated": false })).await);
    }
    let eve = Player::anonymous(server.addr);
    // A list of thousands exceeds the message size limit. A list of seventeen is refused.
    let mut socket = eve.socket("/ws/live").await;
    let thousands: Vec<&str> = ids.iter().cycle().take(2000).map(String::as_str).collect();
    watch(&mut socket, &thousands).await;
    assert_eq!(socket.until_closed().await, 1009);
    let mut socket = eve.socket("/ws/live").await;
    let all: Vec<&str> = ids.iter().map(String::as_str).collect();
    watch(&mut socket, &all[..17]).await;
    assert_eq!(socket.until("refused").await["d"]["reason"], "tooMany");
    // Repeated changes of the list keep at most sixteen rooms open: the others close.
    for part in all.chunks(16).chain(all.chunks(16)) {
        watch(&mut socket, part).await;
        for _ in part {
            socket.until("live").await;
        }
    }
    wait_until("expected at most sixteen open rooms", async || server.rooms.len() <= 16).await;
    // A client that changes the list too often is disconnected, and the game continues.
    let mut other = eve.socket("/ws/live").await;
    watch(&mut other, &all[..1]).await;
    for at in 0..40 {
        let text = json!({ "t": "watch", "d": { "ids": [all[at % 16]] } }).to_string();
        let sent = socket.0.send(Message::text(text)).await;
        if sent.is_err() {
            break;
        }
    }
    assert_eq!(socket.until_closed().await, 1008);
    ann.play_first_legal(all[0]).await;
    while other.until("live").await["d"]["ply"] != 1 {}
    server.stop().await;
}

#[tokio::test]
async fn spectator_who_left_is_removed_from_new_pages() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let game = ann.start_game(&mut bob, "knightFight", json!({})).await;
    let path = format!("/ws/game/{game}");
    let mut spectator = Player::anonymous(server.addr).socket(&path).await;
    spectator.until("full").await;
    let mut page = ann.socket(&path).await;
    assert_eq!(page.until("full").await["d"]["crowd"], 1);
    // The room publishes the spectators once a second at most: it may never publish this one.
    drop(spectator);
    assert_eq!(page.until("crowd").await["d"]["n"], 0);
}

async fn open_game_stream(player: &Player, id: &str) -> NdjsonStream {
    player.open_stream(Method::GET, &format!("/api/stream/game/{id}"), Value::Null).await
}

/// Returns the notation of the next move in a stream.
async fn next_move(lines: &mut NdjsonStream) -> String {
    let line = lines.next().await.expect("a line");
    line["lm"].as_str().unwrap_or_else(|| panic!("no move: {line}")).to_owned()
}

/// Asserts that a stream sends nothing for [`QUIET_TIME`].
async fn assert_quiet(lines: &mut NdjsonStream) {
    let line = tokio::time::timeout(QUIET_TIME, lines.next()).await;
    assert!(line.is_err(), "{line:?}");
}

#[tokio::test]
async fn stream_of_rated_game_is_delayed_for_spectators() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = ann.start_game(&mut bob, "hogga", json!({ CLOCK: 300 })).await;
    let eve = server.player("Eve").await;
    let (token, weak) =
        (ann.api_client("board:play").await, bob.api_client("challenge:read").await);
    let mut played = vec![ann.play_first_legal(&id).await];
    let mut late = [
        open_game_stream(&eve, &id).await,
        open_game_stream(&Player::anonymous(server.addr), &id).await,
        open_game_stream(&weak, &id).await,
    ];
    for lines in &mut late {
        let first = lines.next().await.expect("a line");
        assert_eq!((&first["turns"], &first["lastMove"]), (&json!(0), &json!("")), "{first}");
        assert_eq!(first["fen"], first["initialFen"]);
    }
    let mut own = [open_game_stream(&token, &id).await, open_game_stream(&bob, &id).await];
    for lines in &mut own {
        assert_eq!(lines.next().await.expect("a line")["turns"], 1);
        assert_eq!(next_move(lines).await, played[0]);
    }
    for at in 1..5 {
        let mover = if at % 2 == 1 { &mut bob } else { &mut ann };
        played.push(mover.play_first_legal(&id).await);
        for lines in &mut own {
            assert_eq!(next_move(lines).await, played[at]);
        }
        for lines in &mut late {
            if at < 3 {
                assert_quiet(lines).await;
            } else {
                assert_eq!(
                    next_move(lines).await,
                    played[at - 3],
                    "expected the move after three more"
                );
            }
        }
    }
    // A stream that is opened later starts at the same delayed state.
    let mut later = open_game_stream(&eve, &id).await;
    let first = later.next().await.expect("a line");
    assert_eq!((&first["turns"], &first["lastMove"]), (&json!(2), &json!(played[1])));
    assert_eq!([next_move(&mut later).await, next_move(&mut later).await][..], played[..2]);
    assert_quiet(&mut later).await;
    // The end of the game releases the withheld moves.
    bob.post(&format!("/api/board/game/{id}/resign"), json!({})).await;
    for lines in late.iter_mut().chain([&mut later]) {
        for u in &played[2..] {
            assert_eq!(&next_move(lines).await, u);
        }
        assert_eq!(lines.next().await.expect("the last line")["status"]["name"], "resign");
        assert!(lines.next().await.is_none());
    }

    let casual = ann.start_game(&mut bob, "hogga", json!({ "rated": false, CLOCK: 300 })).await;
    let mut lines = open_game_stream(&eve, &casual).await;
    lines.next().await;
    let u = ann.play_first_legal(&casual).await;
    assert_eq!(next_move(&mut lines).await, u, "expected no delay of a casual game");
    server.stop().await;
}

#[tokio::test]
async fn last_move_of_rated_game_is_sent_after_the_delay() {
    let server = Server::start_with(&["--broadcast-delay-ms", "1500"]).await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = ann.start_game(&mut bob, "hogga", json!({ CLOCK: 300 })).await;
    let eve = server.player("Eve").await;
    let mut lines = open_game_stream(&eve, &id).await;
    lines.next().await;
    let mut tv = eve.open_stream(Method::GET, "/api/tv/feed", Value::Null).await;
    assert_eq!(tv.next().await.expect("a line")["d"]["id"], id);
    let began = Instant::now();
    let u = ann.play_first_legal(&id).await;
    assert_eq!(next_move(&mut lines).await, u);
    assert!(began.elapsed() >= Duration::from_millis(1_500), "{:?}", began.elapsed());
    let line = tv.next().await.expect("a line");
    assert_eq!((&line["t"], &line["d"]["lm"]), (&json!("fen"), &json!(u)));
    assert!(line["d"]["wc"].is_number(), "{line}");
    // A stream that is opened after the delay has the move immediately.
    let first = open_game_stream(&eve, &id).await.next().await.expect("a line");
    assert_eq!(first["turns"], 1);
    server.stop().await;
}

#[tokio::test]
async fn tv_switches_to_a_better_game() {
    let server = Server::start_with(&["--broadcast-delay-ms", "0"]).await;
    let database = server.database().await;
    let mut ann = rated_player(&server, &database, "Ann", 1500).await;
    let mut bob = rated_player(&server, &database, "Bob", 1500).await;
    let mut high = rated_player(&server, &database, "High", 1900).await;
    let mut top = rated_player(&server, &database, "Top", 1950).await;
    let first_game = ann.start_game(&mut bob, "hogga", json!({ CLOCK: 600 })).await;
    let mut tv = ann.open_stream(Method::GET, "/api/tv/hogga/feed", Value::Null).await;
    assert_eq!(tv.next().await.expect("a line")["d"]["id"], first_game);
    let featured = async |player: &Player| player.get("/api/tv/channels").await.1["hogga"].clone();
    let channel = featured(&ann).await;
    assert_eq!(
        (&channel["gameId"], &channel["game"]["first"]["name"]),
        (&json!(first_game), &json!("Ann"))
    );

    let better = high.start_game(&mut top, "hogga", json!({ CLOCK: 600 })).await;
    let newer = ann.start_game(&mut bob, "hogga", json!({ CLOCK: 600 })).await;
    assert_eq!(
        featured(&ann).await["gameId"],
        first_game,
        "expected no switch to a game without moves"
    );
    let u = ann.play_first_legal(&first_game).await;
    assert_eq!(tv.next().await.expect("a line")["d"]["lm"], u);
    high.play_first_legal(&better).await;
    top.play_first_legal(&better).await;
    let line = tv.next().await.expect("a line");
    assert_eq!((&line["t"], &line["d"]["id"]), (&json!("featured"), &json!(better)));
    assert_eq!(featured(&ann).await["gameId"], better);
    let u = high.play_first_legal(&better).await;
    assert_eq!(tv.next().await.expect("a line")["d"]["lm"], u);
    top.post(&format!("/api/board/game/{better}/resign"), json!({})).await;
    let line = tv.next().await.expect("a line");
    assert_eq!(line["t"], "featured", "{line}");
    assert!([first_game, newer].contains(&line["d"]["id"].as_str().expect("id").to_owned()));
    server.stop().await;
}
