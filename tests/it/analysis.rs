//! Tests of position analysis (`POST /api/analysis`) and game reviews: results, errors, limits, and
//! the order of concurrent searches.

use crate::support::client::{NdjsonStream, Player, Server, WORK_TIMEOUT, wait_until};
use futures_util::FutureExt;
use reqwest::Method;
use serde_json::{Value, json};
use sprong::play::played_line::PlayedLine;
use sprong::rooms::SearchRequest;
use sprong::search::Strength;
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;

/// Time after which the server ends a search.
const SEARCH_MAX: Duration = Duration::from_secs(5);

/// Maximum delay between the start of a search and the start of its measurement.
const START_DELAY_MAX: Duration = Duration::from_millis(500);

/// Variants, positions in which the side to move wins with its next move, and that side.
const WINS_IN_ONE: [(&str, &str, &str); 2] = [
    (
        "caterpillarWar",
        ".,.,.,b,.,.,.,./.,.,.,.,.,.,.,./.,.,.,.,b,.,.,./.,.,b,.,.,.,.,./.,b,b,b,b,.,.,./.,.,b,.,.,.,.,./w,.,.,.,.,b,.,./.,.,.,.,.,.,.,. 2",
        "second",
    ),
    (
        "knightFight",
        ".,39,26,43,44,25,62,34,.,./01,.,50,.,06,.,79,24,.,82/10,.,.,32,22,97,w,40,.,./.,.,.,73,.,.,.,.,52,42/28,37,.,.,.,.,.,.,.,./.,.,.,.,41,.,.,.,05,77/08,80,.,.,.,.,.,.,60,93/.,.,.,.,.,04,.,.,b,./23,.,.,.,.,.,.,.,.,./.,14,.,.,.,.,.,.,.,. 1 1113:1104",
        "first",
    ),
];

/// Returns a request with the maximum number of nodes.
fn long_request() -> Value {
    json!({ "variant": "hogga", "nodes": 2_000_000 })
}

fn short_request() -> Value {
    json!({ "variant": "hogga", "nodes": 1_000, "lines": 1 })
}

/// Sends an analysis request in a background task.
fn spawn_analysis(player: &Player, body: Value) -> JoinHandle<(u16, Value)> {
    let mut player = player.clone();
    tokio::spawn(async move { player.post("/api/analysis", body).await })
}

/// Waits until `count` searches are queued.
pub async fn wait_for_queue_length(server: &Server, count: usize) {
    let thinkers = server.rooms.engine_pool();
    wait_until("expected another number of queued searches", async || {
        thinkers.queue_len() == count
    })
    .await;
}

/// Occupies an engine thread until the returned future is dropped. The search belongs to a network
/// of its own.
pub async fn occupy_thread(server: &Server, network: u8) -> impl Future + Unpin {
    let variant = &sprong::variants::ALL[0];
    let line = PlayedLine::new(variant.start(&variant.options(), 0));
    let endless = Strength::Nodes(u64::MAX >> 1);
    let time_max = Duration::from_secs(3600);
    let job = SearchRequest { strength: endless, seed: 0, lines: 1, time_max };
    let requester = super::bots::patient_requester(network);
    let mut search = Box::pin(server.rooms.engine_pool().search(requester, line, job));
    // The first poll queues the search.
    assert_eq!((&mut search).now_or_never(), None);
    wait_for_queue_length(server, 0).await;
    search
}

#[tokio::test]
async fn analysis_of_win_in_one_reports_first_sides_chance() {
    let server = Server::start().await;
    let mut client = Player::anonymous(server.addr);
    for (variant, start, winner) in WINS_IN_ONE {
        let request = json!({ "variant": variant, "start": start });
        let (status, analysis) = client.post("/api/analysis", request.clone()).await;
        assert_eq!((status, &analysis["position"]), (200, &json!(start)), "{analysis}");
        let best = &analysis["lines"][0];
        let chance = if winner == "first" { 1.0 } else { 0.0 };
        assert_eq!(
            json!([analysis["turn"], best["score"], best["chance"]]),
            json!([winner, { "win": 1 }, chance]),
            "{analysis}"
        );
        let mut next_request = request;
        next_request["moves"] = json!([best["moves"][0]]);
        let (_, after) = client.post("/api/position", next_request.clone()).await;
        assert_eq!(after["outcome"], winner, "{after}");
        let (status, over) = client.post("/api/analysis", next_request).await;
        assert_eq!((status, &over["lines"]), (200, &json!([])), "{over}");
    }
    server.stop().await;
}

#[tokio::test]
async fn analysis_returns_the_requested_number_of_lines() {
    let server = Server::start().await;
    let mut nobody = Player::anonymous(server.addr);
    let moves = json!(["h5(d1)d5"]);
    let (_, position) = nobody
        .post("/api/position", json!({ "variant": "caterpillarWar", "moves": moves.clone() }))
        .await;
    for (requested, lines) in [(json!(null), 3), (json!(1), 1), (json!(5), 5)] {
        let mut question =
            json!({ "variant": "caterpillarWar", "moves": moves.clone(), "nodes": 5000 });
        if !requested.is_null() {
            question["lines"] = requested;
        }
        let (status, analysis) = nobody.post("/api/analysis", question).await;
        assert_eq!((status, &analysis["position"]), (200, &position["position"]), "{analysis}");
        let analysis_lines = analysis["lines"].as_array().expect("lines");
        assert_eq!(analysis_lines.len(), lines, "{analysis}");
        let legal = position["legal"].as_array().expect("moves");
        let mut first_moves: Vec<&Value> =
            analysis_lines.iter().map(|line| &line["moves"][0]).collect();
        assert!(first_moves.iter().all(|u| legal.contains(u)), "{analysis}");
        first_moves.dedup();
        assert_eq!(first_moves.len(), lines, "expected different first moves: {analysis}");
        assert!(analysis["nodes"].as_u64().is_some_and(|nodes| nodes <= 6000), "{analysis}");
    }
    server.stop().await;
}

#[tokio::test]
async fn analysis_of_invalid_request_names_error_and_ply() {
    let server = Server::start().await;
    let mut nobody = Player::anonymous(server.addr);
    for (question, reason, part) in [
        (json!({}), "badVariant", "`variant` is required"),
        (json!({ "variant": 5 }), "badVariant", "`variant`: 5 is not"),
        (json!(["hogga"]), "badBody", "not a JSON object"),
        (json!({ "variant": "hogga", "options": "points" }), "badOption", "`options`"),
        (json!({ "variant": "hogga", "moves": "c1" }), "badField", "`moves`: \"c1\" is not a list"),
        (json!({ "variant": "hogga", "moves": ["c1", 7] }), "badField", "`moves[1]`"),
        (json!({ "variant": "hogga", "seed": -1 }), "badField", "`seed`"),
        (json!({ "variant": "hogga", "replay": true }), "badField", "unknown field `replay`"),
        (json!({ "variant": "hogga", "lines": 0 }), "badField", "`lines` must be 1 to 5."),
        (json!({ "variant": "hogga", "lines": 6 }), "badField", "`lines` must be 1 to 5."),
        (json!({ "variant": "hogga", "lines": "3" }), "badField", "`lines`: \"3\" is not a whole"),
        (json!({ "variant": "hogga", "nodes": 999 }), "badField", "`nodes` must be 1000 to"),
        (json!({ "variant": "hogga", "nodes": 2_000_001 }), "badField", "`nodes` must be 1000"),
    ] {
        let (status, refused) = nobody.post("/api/analysis", question.clone()).await;
        assert_eq!((status, &refused["reason"]), (400, &json!(reason)), "{question}: {refused}");
        let error = refused["error"].as_str().expect("a sentence");
        assert!(error.contains(part), "{question}: {error}");
    }
    for (question, ply, part) in [
        (json!({ "variant": "chess" }), 0, "there is no variant"),
        (json!({ "variant": "hogga", "options": { "points": "many" } }), 0, "points"),
        (json!({ "variant": "hogga", "start": "x" }), 0, "turn"),
        (json!({ "variant": "caterpillarWar", "moves": ["h5(d1)d5", "h5(d1)d5"] }), 1, "h5(d1)d5"),
    ] {
        let (status, refused) = nobody.post("/api/analysis", question.clone()).await;
        assert_eq!(
            json!([status, refused["reason"], refused["ply"]]),
            json!([400, "badPosition", ply]),
            "{question}: {refused}"
        );
        let error = refused["error"].as_str().expect("a sentence");
        assert!(error.contains(part), "{question}: {error}");
    }
    let send = |bytes: &'static [u8]| {
        let mut nobody = nobody.clone();
        async move { nobody.send(|req| req.body(bytes), Method::POST, "/api/analysis").await.0 }
    };
    for bytes in [&b""[..], b"{", b"\xff\xfe", b"variant=hogga"] {
        assert_eq!(send(bytes).await, 400, "{bytes:?}");
    }
    let long = json!({ "variant": "x".repeat(200_000) });
    let (status, refused) = nobody.post("/api/analysis", long).await;
    assert_eq!((status, &refused["reason"]), (413, &json!("tooLarge")), "{refused}");
    server.stop().await;
}

#[tokio::test]
async fn analysis_over_the_address_limit_is_refused() {
    let server = Server::start_with(&["--analysis-limit", "3"]).await;
    let mut ann = server.guest().await;
    for _ in 0..3 {
        assert_eq!(ann.post("/api/analysis", short_request()).await.0, 200);
    }
    let mut other = server.guest().await;
    let (status, refused) = other.post("/api/analysis", short_request()).await;
    assert_eq!((status, &refused["reason"]), (429, &json!("tooFast")), "{refused}");
    let id = finished_game(&server, &mut ann, 0).await;
    let (status, refused) = ann.get(&format!("/api/game/{id}/review")).await;
    assert_eq!((status, &refused["reason"]), (429, &json!("tooFast")), "{refused}");
    // Position requests have a limit of their own.
    let (status, _) = ann.post("/api/position", json!({ "variant": "hogga" })).await;
    assert_eq!(status, 200);
    server.stop().await;
}

#[tokio::test]
async fn newer_search_replaces_the_previous_one() {
    let settings = ["--engine-threads", "2", "--trusted-proxy", "127.0.0.1"];
    let server = Server::start_with(&settings).await;
    let mut ann = server.guest_from("10.0.0.1").await;
    let bob = server.guest_from("10.0.0.2").await;
    let occupied = (occupy_thread(&server, 98).await, occupy_thread(&server, 99).await);
    let others = spawn_analysis(&bob, long_request());
    wait_for_queue_length(&server, 1).await;
    let replaced = spawn_analysis(&ann, long_request());
    wait_for_queue_length(&server, 2).await;
    let began = Instant::now();
    drop(occupied);
    wait_for_queue_length(&server, 0).await;
    assert_eq!(ann.post("/api/analysis", short_request()).await.0, 200);
    let (status, refused) = replaced.await.expect("an answer");
    assert_eq!((status, &refused["reason"]), (409, &json!("replaced")), "{refused}");
    println!("replaced and answered after {:.1?}", began.elapsed());
    let (status, analysis) = others.await.expect("an answer");
    // A search that ends by itself is complete or has used its time. On a slow machine it misses
    // its deadline and is refused.
    if status == 200 {
        let is_complete =
            analysis["nodes"] == long_request()["nodes"] || began.elapsed() >= SEARCH_MAX;
        assert!(is_complete, "expected the other client's search to finish: {analysis}");
    } else {
        assert_eq!((status, &analysis["reason"]), (503, &json!("busy")), "{analysis}");
    }
    server.stop().await;
}

#[tokio::test]
async fn full_queue_refuses_search_until_a_client_leaves() {
    let server = Server::start_with(&["--engine-threads", "1", "--engine-queue", "1"]).await;
    let guests = [server.guest().await, server.guest().await, server.guest().await];
    let limit = Instant::now() + WORK_TIMEOUT;
    loop {
        let occupied = occupy_thread(&server, 99).await;
        let thinks = spawn_analysis(&guests[0], long_request());
        wait_for_queue_length(&server, 1).await;
        drop(occupied);
        wait_for_queue_length(&server, 0).await;
        let began = Instant::now();
        let waits = spawn_analysis(&guests[1], long_request());
        wait_for_queue_length(&server, 1).await;
        let (status, refused) = guests[2].clone().post("/api/analysis", short_request()).await;
        assert_eq!((status, &refused["reason"]), (503, &json!("busy")), "{refused}");
        thinks.abort();
        waits.abort();
        wait_for_queue_length(&server, 0).await;
        assert_eq!(guests[2].clone().post("/api/analysis", short_request()).await.0, 200);
        let latency = began.elapsed();
        println!("answered after {latency:.1?}");
        // After a longer time the search may have ended by itself, which proves nothing.
        if latency < SEARCH_MAX - START_DELAY_MAX {
            break;
        }
        assert!(Instant::now() < limit, "expected a disconnected client to free its place");
    }
    server.stop().await;
}

#[tokio::test]
async fn crowded_network_does_not_starve_another() {
    let settings = ["--engine-threads", "1", "--trusted-proxy", "127.0.0.1"];
    let server = Server::start_with(&settings).await;
    let mut requests = Vec::new();
    for _ in 0..20 {
        requests.push(spawn_analysis(&server.guest_from("10.0.0.1").await, long_request()));
    }
    // One search of the crowd runs, and another is queued behind it.
    wait_until("expected a queued search", async || {
        server.rooms.engine_pool().queue_len() > 0 || requests.iter().all(JoinHandle::is_finished)
    })
    .await;
    let mut other = server.guest_from("10.0.0.2").await;
    let (status, analysis) = other.post("/api/analysis", short_request()).await;
    assert_eq!(status, 200, "{analysis}");
    let (mut succeeded, mut busy) = (0, 0);
    for task in requests {
        match task.await.expect("an answer") {
            (200, _) => succeeded += 1,
            (503, refused) if refused["reason"] == "busy" => busy += 1,
            other => panic!("{other:?}"),
        }
    }
    assert!(succeeded > 0 && busy > 0, "{succeeded} answered, {busy} refused");
    server.stop().await;
}

/// Plays a game of `plies` plies, which the second side then resigns, or aborts if there are fewer
/// than two. Returns its id.
async fn finished_game(server: &Server, ann: &mut Player, plies: usize) -> String {
    let mut bob = server.guest().await;
    let id = ann.start_game(&mut bob, "caterpillarWar", json!({ "rated": false })).await;
    for ply in 0..plies {
        let mover = if ply % 2 == 0 { &mut *ann } else { &mut bob };
        let (_, game) = mover.get(&format!("/api/game/{id}")).await;
        let u = game["legal"][0].as_str().expect("a move").to_owned();
        let (status, response) =
            mover.post(&format!("/api/board/game/{id}/move/{u}"), json!({})).await;
        assert_eq!(status, 200, "{response}");
    }
    let what = if plies < 2 { "abort" } else { "resign" };
    assert_eq!(bob.post(&format!("/api/board/game/{id}/{what}"), json!({})).await.0, 200);
    id
}

async fn read_all(mut lines: NdjsonStream) -> Vec<Value> {
    let mut lines_read = Vec::new();
    while let Some(line) = lines.next().await {
        lines_read.push(line);
    }
    lines_read
}

#[tokio::test]
async fn review_covers_every_ply_and_is_the_same_for_all() {
    let server = Server::start().await;
    let mut ann = server.guest().await;
    let id = finished_game(&server, &mut ann, 6).await;
    let path = format!("/api/game/{id}/review");
    let nobody = Player::anonymous(server.addr);
    let (first, second) = tokio::join!(
        async { read_all(ann.open_stream(Method::GET, &path, Value::Null).await).await },
        async { read_all(nobody.open_stream(Method::GET, &path, Value::Null).await).await },
    );
    assert_eq!(first, second, "expected the same review for concurrent readers");
    let (_, game) = ann.get(&format!("/api/game/{id}")).await;
    let moves: Vec<&str> = game["state"]["moves"].as_str().expect("moves").split(' ').collect();
    assert_eq!(first.len(), moves.len() + 1);
    for (ply, line) in first.iter().enumerate() {
        assert_eq!(line["ply"], json!(ply));
        assert_eq!(line["played"].as_str(), moves.get(ply).copied(), "{line}");
        assert!(line["best"].is_string(), "{line}");
        let points = line["score"]["points"].as_f64();
        let chance = line["chance"].as_f64().expect("a chance");
        let mover = if ply % 2 == 0 { chance } else { 1.0 - chance };
        let expected_chance = points.map(|points| 1.0 / (1.0 + 10f64.powf(-points / 400.0)));
        assert!(
            expected_chance.is_none_or(|expected| (expected - mover).abs() < 1e-9),
            "ply {ply}: {line}"
        );
    }
    let again = read_all(ann.open_stream(Method::GET, &path, Value::Null).await).await;
    assert_eq!(first, again);
    // A review that is computed again after a restart is the same.
    let server = server.restart().await;
    let recomputed =
        Player::anonymous(server.addr).open_stream(Method::GET, &path, Value::Null).await;
    assert_eq!(first, read_all(recomputed).await);
    server.stop().await;
}

#[tokio::test]
async fn review_ends_with_the_result_of_the_game() {
    let server = Server::start_with(&["--bot-resigns", "false"]).await;
    let mut ann = server.guest().await;
    let game = super::bots::start_bot_game(&mut ann, 1, "knightFight", json!({})).await;
    let id = super::bots::game_id(&game);
    let end = super::bots::GameClient::join(&ann, &id).await.play_out(7).await;
    let review = read_all(
        ann.open_stream(Method::GET, &format!("/api/game/{id}/review"), Value::Null).await,
    )
    .await;
    let last = review.last().expect("a line");
    assert!(["variantEnd", "draw"].contains(&end["status"].as_str().expect("status")), "{end}");
    assert_eq!(json!([last["score"], last["best"], last["played"]]), json!([null, null, null]));
    let chance = match end["winner"].as_str() {
        Some("first") => 1.0,
        Some(_) => 0.0,
        None => 0.5,
    };
    assert_eq!(last["chance"], json!(chance), "{end}");
    server.stop().await;
}

#[tokio::test]
async fn review_needs_finished_game_and_runs_one_at_a_time() {
    let server = Server::start_with(&["--engine-threads", "1"]).await;
    let (mut ann, mut bob) = (server.guest().await, server.guest().await);
    let id = ann.start_game(&mut bob, "hogga", json!({ "rated": false })).await;
    let (status, refused) = ann.get(&format!("/api/game/{id}/review")).await;
    assert_eq!((status, &refused["reason"]), (400, &json!("notOver")), "{refused}");
    for unknown in ["zzzzzzzz", "nonsense-id", "%00"] {
        assert_eq!(ann.get(&format!("/api/game/{unknown}/review")).await.0, 404, "{unknown}");
    }
    let long = finished_game(&server, &mut ann, 16).await;
    let other = finished_game(&server, &mut ann, 2).await;
    let mut before =
        ann.open_stream(Method::GET, &format!("/api/game/{long}/review"), Value::Null).await;
    assert_eq!(before.next().await.expect("a line")["ply"], 0);
    let after =
        ann.open_stream(Method::GET, &format!("/api/game/{other}/review"), Value::Null).await;
    assert_eq!(read_all(after).await.len(), 3);
    // The replaced response ends with an error, so that its reader notices the cut.
    assert!(
        tokio::spawn(read_all(before)).await.is_err(),
        "expected the previous review to be cut off"
    );
    let (status, body) = ann.get("/api/openapi.json").await;
    assert_eq!(status, 200);
    assert!(body["paths"]["/api/analysis"]["post"].is_object());
    assert!(body["paths"]["/api/game/{id}/review"]["get"].is_object());
    server.stop().await;
}
