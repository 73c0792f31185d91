//! Tests of game exports: one at a time per address, fair between addresses, and delayed for rated
//! games in play.

use super::game_lists::create_database;
use crate::support::client::{Player, Server, WAIT_TIMEOUT, wait_until};
use reqwest::{Method, Response};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const CLOCK: &str = "clock.limit";
const PROXY: [&str; 2] = ["--trusted-proxy", "127.0.0.1"];
const NDJSON: &str = "application/x-ndjson";

/// Starts a server behind a proxy, with `games` games in its database.
async fn server_with_games(games: usize) -> Server {
    let folder = Arc::new(TempDir::new().expect("folder"));
    create_database(&folder.path().join("sprong.db"), games).await;
    Server::open(folder, &PROXY).await
}

/// Requests an export with the client address `address`.
async fn export(server: &Server, address: &str, path: &str) -> Response {
    let request = reqwest::Client::new().get(format!("http://{}{path}", server.addr));
    let request = request.header("x-forwarded-for", address).header("accept", NDJSON);
    request.send().await.expect("answer")
}

/// Reads an export until there are at least `number` games, or to its end.
async fn read_games(response: &mut Response, number: usize) -> Vec<Value> {
    let (mut games, mut rest) = (Vec::new(), Vec::new());
    while games.len() < number {
        let chunk = tokio::time::timeout(WAIT_TIMEOUT, response.chunk()).await.expect("in time");
        let Some(chunk) = chunk.expect("a chunk") else { break };
        rest.extend_from_slice(&chunk);
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = rest.drain(..=end).collect();
            if !line.trim_ascii().is_empty() {
                games.push(serde_json::from_slice(&line).expect("JSON"));
            }
        }
    }
    games
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn second_export_of_an_address_is_refused() {
    let server = server_with_games(4_000).await;
    let mut first = export(&server, "6.6.6.6", "/api/games/user/busy").await;
    assert_eq!(first.status(), 200);
    assert_eq!(read_games(&mut first, 1).await.len(), 1);
    for path in ["/api/games/user/other1", "/api/games/user/busy?as=text"] {
        let refused = export(&server, "6.6.6.6", path).await;
        assert_eq!(refused.status(), 429, "{path}");
        let wait = refused.headers()["retry-after"].to_str().expect("text").parse::<u64>();
        assert!(wait.expect("seconds") >= 1);
        let body: Value = refused.json().await.expect("JSON");
        assert_eq!(body["reason"], "exportUnderWay");
        assert!(body["error"].as_str().is_some_and(|error| error.ends_with('.')), "{body}");
    }
    let ids = reqwest::Client::new()
        .post(format!("http://{}/api/games/export/_ids", server.addr))
        .header("x-forwarded-for", "6.6.6.6")
        .body("00000001,00000002")
        .send();
    assert_eq!(ids.await.expect("answer").status(), 429);
    // The limit does not apply to the export of a single game.
    let single = export(&server, "6.6.6.6", "/game/export/00000001").await;
    assert_eq!(single.status(), 200);
    // Other addresses are served meanwhile, and the first export continues.
    let mut other = export(&server, "7.7.7.7", "/api/games/user/busy?max=15").await;
    assert_eq!(read_games(&mut other, 99).await.len(), 15);
    assert_eq!(read_games(&mut first, 5).await.len(), 5);
    drop(first);
    // A client that stops reading can start another export.
    wait_until("expected the export of a closed connection to end", async || {
        export(&server, "6.6.6.6", "/api/games/user/other1?max=1").await.status() == 200
    })
    .await;
    // A client that has read an export to its end can start the next one immediately.
    for _ in 0..5 {
        let mut export_stream = export(&server, "8.8.8.8", "/api/games/user/busy?max=2").await;
        assert_eq!(export_stream.status(), 200);
        assert_eq!(read_games(&mut export_stream, 99).await.len(), 2);
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn export_keeps_its_rate_limit() {
    let server = server_with_games(200).await;
    let ann = server.player("Ann").await;
    let busy = "/api/games/user/busy?max=61";
    let began = Instant::now();
    let mut anybody = export(&server, "6.6.6.6", busy).await;
    assert_eq!(read_games(&mut anybody, 99).await.len(), 61);
    assert!(began.elapsed() >= Duration::from_millis(2900), "{:?}", began.elapsed());
    // The rate with an account is higher; the actual duration depends on the machine.
    let began = Instant::now();
    let request = reqwest::Client::new().get(format!("http://{}{busy}", server.addr));
    let request = request.header("accept", NDJSON).header("cookie", ann.cookie.expect("cookie"));
    let mut own = request.send().await.expect("answer");
    assert_eq!(read_games(&mut own, 99).await.len(), 61);
    println!("61 games with an account: {:.1?}", began.elapsed());
    assert!(began.elapsed() >= Duration::from_millis(1900), "{:?}", began.elapsed());
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slow_export_reader_does_not_block_others() {
    let server = server_with_games(2_000).await;
    let mut slow = TcpStream::connect(server.addr).await.expect("connected");
    let head = "GET /api/games/user/busy HTTP/1.1\r\nhost: sprong\r\naccept: application/x-ndjson\r\n\
                x-forwarded-for: 6.6.6.6\r\n\r\n";
    slow.write_all(head.as_bytes()).await.expect("sent");
    let mut first = [0; 12];
    slow.read_exact(&mut first).await.expect("an answer");
    assert_eq!(&first, b"HTTP/1.1 200");
    // The slow client reads nothing more while others export and play.
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    for address in ["7.7.7.7", "8.8.8.8", "9.9.9.9"] {
        let mut other = export(&server, address, "/api/games/user/busy?max=25").await;
        assert_eq!(read_games(&mut other, 99).await.len(), 25);
        let id = ann.start_game(&mut bob, "caterpillarWar", json!({})).await;
        let path = format!("/api/board/game/{id}/move/h5-g5");
        assert_eq!(ann.post(&path, json!({})).await.0, 200);
    }
    drop(slow);
    server.stop().await;
}

/// Plays the first legal move of the side to move. Returns the move.
async fn play_first_legal(player: &mut Player, id: &str) -> String {
    let (_, full) = player.get(&format!("/api/game/{id}")).await;
    let u = full["legal"][0].as_str().expect("a legal move").to_owned();
    let path = format!("/api/board/game/{id}/move/{}", u.replace('/', "%2F"));
    let (status, body) = player.post(&path, json!({})).await;
    assert_eq!(status, 200, "{body}");
    u
}

/// Loads a game as an API client does, without the request headers of a page.
async fn fetch_as_api_client(player: &Player, id: &str) -> Value {
    let request = reqwest::Client::new().get(format!("http://{}/api/game/{id}", player.addr));
    let request = match (&player.token, &player.cookie) {
        // A request with a token counts as an API request, whatever its other headers are.
        (Some(token), _) => request.bearer_auth(token).header("sec-fetch-site", "same-origin"),
        (None, Some(cookie)) => request.header("cookie", cookie),
        (None, None) => request,
    };
    request.send().await.expect("answer").json().await.expect("JSON")
}

/// Returns a game from each export route and as API clients get it.
async fn fetch_all_exports(player: &Player, id: &str) -> Vec<Value> {
    let mut player = player.clone();
    let json = |request: reqwest::RequestBuilder| request.header("accept", NDJSON);
    let ids = |request: reqwest::RequestBuilder| json(request).body(id.to_owned());
    let all = "/api/games/user/ann?ongoing=true&clocks=true";
    vec![
        player.send(json, Method::GET, &format!("/game/export/{id}")).await.1,
        player.send(json, Method::GET, all).await.1,
        player.send(ids, Method::POST, "/api/games/export/_ids").await.1,
        fetch_as_api_client(&player, id).await["state"].take(),
    ]
}

#[tokio::test]
async fn export_of_rated_game_in_play_is_delayed() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = ann.start_game(&mut bob, "hogga", json!({ CLOCK: 300 })).await;
    let eve = server.player("Eve").await;
    let nobody = Player::anonymous(server.addr);
    let (token, weak) =
        (ann.api_client("board:play").await, bob.api_client("challenge:read").await);
    let mut played = Vec::new();
    for at in 0..5_usize {
        played.push(play_first_legal(if at % 2 == 0 { &mut ann } else { &mut bob }, &id).await);
        // A move is published once three more have been played.
        let published = played[..played.len().saturating_sub(3)].join(" ");
        for late in [&eve, &nobody, &weak] {
            for response in fetch_all_exports(late, &id).await {
                assert_eq!(response["moves"], published, "{response}");
                if response["createdAt"].is_number() && published.is_empty() {
                    assert_eq!(response["lastMoveAt"], response["createdAt"], "{response}");
                }
            }
        }
        for own in [&ann, &bob, &token] {
            for response in fetch_all_exports(own, &id).await {
                assert_eq!(response["moves"], played.join(" "), "{response}");
            }
        }
        // A page shows the same moves as its socket.
        let (_, page) = eve.get(&format!("/api/game/{id}")).await;
        assert_eq!(page["state"]["moves"], played.join(" "));
    }
    let text = reqwest::get(format!("http://{}/game/export/{id}", server.addr)).await;
    let text = text.expect("answer").text().await.expect("text");
    assert!(text.contains(&played[1]) && !text.contains(&format!("2. {}", played[2])), "{text}");
    // API clients get a consistent earlier state, with its turn and version.
    let game = fetch_as_api_client(&eve, &id).await;
    assert_eq!(
        (&game["turn"], &game["v"], &game["legal"]),
        (&json!("first"), &json!(2), &Value::Null)
    );
    bob.post(&format!("/api/board/game/{id}/resign"), json!({})).await;
    for response in fetch_all_exports(&eve, &id).await {
        assert_eq!(response["moves"], played.join(" "), "expected all moves after the end");
    }
    let casual = ann.start_game(&mut bob, "hogga", json!({ "rated": false, CLOCK: 300 })).await;
    let u = play_first_legal(&mut ann, &casual).await;
    let path = format!("/game/export/{casual}");
    let mut eve = eve.clone();
    let (_, one) = eve.send(|a| a.header("accept", NDJSON), Method::GET, &path).await;
    assert_eq!(one["moves"], u, "expected no delay of a casual game");
    server.stop().await;
}

#[tokio::test]
async fn export_of_rated_game_has_move_after_the_delay() {
    let server = Server::start_with(&["--broadcast-delay-ms", "1500"]).await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = ann.start_game(&mut bob, "hogga", json!({ CLOCK: 300 })).await;
    let began = Instant::now();
    let u = play_first_legal(&mut ann, &id).await;
    let eve = server.player("Eve").await;
    wait_until("expected the move in every export", async || {
        fetch_all_exports(&eve, &id).await.iter().all(|response| response["moves"] == u)
    })
    .await;
    assert!(began.elapsed() > Duration::from_millis(1400), "{:?}", began.elapsed());
    server.stop().await;
}

/// Requests for single games fill the queue of their address. Its export is complete all the same.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn export_is_complete_while_single_games_are_requested() {
    let server = server_with_games(60).await;
    let busy = "/api/games/user/busy";
    let all = read_games(&mut export(&server, "7.7.7.7", busy).await, usize::MAX).await;
    assert!(all.len() > 20, "{} games", all.len());
    let path = format!("/game/export/{}", all[0]["id"].as_str().expect("id"));
    let mut export_stream = export(&server, "6.6.6.6", busy).await;
    let other_requests = async {
        let mut statuses = Vec::new();
        for _ in 0..20 {
            let requests = (0..30).map(|_| export(&server, "6.6.6.6", &path));
            let responses = futures_util::future::join_all(requests).await;
            statuses.extend(responses.iter().map(|response| response.status().as_u16()));
        }
        statuses
    };
    let (exported, statuses) =
        tokio::join!(read_games(&mut export_stream, usize::MAX), other_requests);
    assert_eq!(exported, all);
    assert!(statuses.contains(&200) && statuses.contains(&429), "{statuses:?}");
    server.stop().await;
}

/// Exports, images and game lists are produced on threads of lower priority than moves.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn background_threads_have_low_priority() {
    let server = server_with_games(1).await;
    assert_eq!(export(&server, "6.6.6.6", "/api/games/user/busy").await.status(), 200);
    let listed = export(&server, "6.6.6.6", "/api/user/busy/games?side=first").await;
    assert_eq!(listed.status(), 200);
    for name in ["export-0", "render-0", "list-reader"] {
        wait_until("expected a thread of low priority", async || thread_niceness(name) == Some(10))
            .await;
    }
    server.stop().await;
}

/// Returns the nice value of the thread `name` of this process, or `None` if it does not exist.
fn thread_niceness(name: &str) -> Option<i32> {
    let threads = std::fs::read_dir("/proc/self/task").expect("threads").flatten();
    let mut stats = threads.filter_map(|t| std::fs::read_to_string(t.path().join("stat")).ok());
    let stat = stats.find(|stat| stat.contains(&format!("({name})")))?;
    // The field after the name is the third one, and the nice value is the nineteenth.
    let (_, fields) = stat.rsplit_once(") ").expect("fields");
    fields.split(' ').nth(16)?.parse().ok()
}
