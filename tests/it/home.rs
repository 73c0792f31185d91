//! Requests of the home page: players online, beaten levels of the computer, a finished game to
//! replay, usual hours; and the page itself for newcomers and accounts.

use super::players::win;
use super::transcripts::records;
use crate::support::client::{Player, Server, wait_until};
use reqwest::Method;
use serde_json::{Value, json};

const DAY_MS: i64 = 86_400_000;

async fn run_sql(server: &Server, sql: &str) {
    server.database().await.run(sql).await;
}

/// Returns the names in the list of players who are online.
async fn online(viewer: &Player) -> (Vec<String>, Value) {
    let (status, body) = viewer.get("/api/users/online").await;
    assert_eq!(status, 200, "{body}");
    let users = body["users"].as_array().expect("users");
    let names = users.iter().map(|user| user["name"].as_str().expect("name").to_owned());
    (names.collect(), json!([body["total"], body["guests"]]))
}

async fn wait_for_online(viewer: &Player, names: &[&str], counts: Value) {
    let message = format!("online are not {names:?} {counts}");
    wait_until(&message, async || {
        let (found, found_counts) = online(viewer).await;
        found == names && found_counts == counts
    })
    .await;
}

#[tokio::test]
async fn online_list_has_people_but_no_bots_or_guests() {
    let server = Server::start().await;
    let viewer = server.player("Mia").await;
    assert_eq!(online(&viewer).await, (Vec::new(), json!([0, 0])));
    let (zoe, ann, robot) =
        (server.player("Zoe").await, server.player("Ann").await, server.player("Robot").await);
    let guest = server.guest().await;
    let mut program = robot.api_client("bot:play").await;
    let (status, body) = program.post("/api/bot/account/upgrade", json!({})).await;
    assert_eq!(status, 200, "{body}");
    let stream = program.open_event_stream().await;
    let [mut first, mut second, mut third] =
        [zoe.socket("/ws/me").await, ann.socket("/ws/lobby").await, guest.socket("/ws/me").await];
    first.until("hello").await;
    second.until("full").await;
    third.until("hello").await;
    wait_for_online(&viewer, &["Ann", "Zoe"], json!([2, 1])).await;
    drop((first, third));
    wait_for_online(&viewer, &["Ann"], json!([1, 0])).await;
    drop((second, stream));
    server.stop().await;
}

#[tokio::test]
async fn online_list_requires_a_session() {
    let server = Server::start().await;
    let (status, body) = Player::anonymous(server.addr).get("/api/users/online").await;
    assert_eq!((status, &body["reason"]), (401, &json!("anonymous")), "{body}");
    assert_eq!(online(&server.guest().await).await, (Vec::new(), json!([0, 0])));
    server.stop().await;
}

#[tokio::test]
async fn upgraded_bot_leaves_the_online_list_at_once() {
    let server = Server::start().await;
    let (viewer, robot) = (server.player("Mia").await, server.player("Robot").await);
    let mut program = robot.api_client("bot:play").await;
    let mut socket = robot.socket("/ws/me").await;
    socket.until("hello").await;
    wait_for_online(&viewer, &["Robot"], json!([1, 0])).await;
    let (status, body) = program.post("/api/bot/account/upgrade", json!({})).await;
    assert_eq!(status, 200, "{body}");
    assert_eq!(online(&viewer).await, (Vec::new(), json!([0, 0])));
    server.stop().await;
}

#[tokio::test]
async fn online_list_follows_registration_of_a_guest() {
    let server = Server::start().await;
    let mut guest = server.guest().await;
    let mut socket = guest.socket("/ws/me").await;
    socket.until("hello").await;
    wait_for_online(&guest, &[], json!([0, 1])).await;
    let credentials = json!({ "username": "Mats", "password": "correct-horse" });
    assert_eq!(guest.post("/api/register", credentials).await.0, 201);
    let mut again = guest.socket("/ws/me").await;
    again.until("hello").await;
    wait_for_online(&guest, &["Mats"], json!([1, 0])).await;
    server.stop().await;
}

#[tokio::test]
async fn online_list_leaves_blocked_players_out() {
    let server = Server::start().await;
    let (mut ann, bob) = (server.player("Ann").await, server.player("Bob").await);
    let cleo = server.player("Cleo").await;
    let [mut first, mut second] = [ann.socket("/ws/me").await, bob.socket("/ws/me").await];
    first.until("hello").await;
    second.until("hello").await;
    assert_eq!(ann.post("/api/rel/block/bob", json!({})).await.0, 200);
    wait_for_online(&cleo, &["Ann", "Bob"], json!([2, 0])).await;
    assert_eq!(online(&ann).await, (vec!["Ann".to_owned()], json!([1, 0])));
    assert_eq!(online(&bob).await, (vec!["Bob".to_owned()], json!([1, 0])));
    server.stop().await;
}

#[tokio::test]
async fn beaten_levels_are_those_of_the_requester() {
    let server = Server::start().await;
    let (ann, guest) = (server.player("Ann").await, server.guest().await);
    let beat = |id: &str, level: u8, variant: &str, wins: u8| {
        format!(
            "INSERT INTO pair (account, other, variant, wins, losses, draws)
             SELECT one.key, two.key, '{variant}', {wins}, 1, 0 FROM account one, account two
             WHERE one.id = '{id}' AND two.level = {level};"
        )
    };
    let sql = [
        beat("ann", 4, "hogga", 2),
        beat("ann", 1, "hogga", 1),
        beat("ann", 5, "hogga", 0),
        beat("ann", 2, "knightFight", 1),
        beat(&guest.id, 3, "knightFight", 1),
    ];
    run_sql(&server, &sql.concat()).await;
    let levels = async |viewer: &Player| {
        let (status, body) = viewer.get("/api/account/levels").await;
        assert_eq!((status, body.as_object().map(serde_json::Map::len)), (200, Some(5)), "{body}");
        (body["hogga"].clone(), body["knightFight"].clone())
    };
    assert_eq!(levels(&ann).await, (json!([1, 4]), json!([2])));
    assert_eq!(levels(&guest).await, (json!([]), json!([3])));
    assert_eq!(levels(&Player::anonymous(server.addr)).await, (json!([]), json!([])));
    server.stop().await;
}

/// Plays the recorded game of Caterpillar War to its goal. Returns its id and its moves.
async fn play_to_goal(first: &mut Player, second: &mut Player) -> (String, Vec<String>) {
    let record = records().into_iter().find(|record| record.name == "caterpillarWar");
    let moves = record.expect("record").moves;
    let id = first.start_game(second, "caterpillarWar", json!({})).await;
    for (ply, u) in moves.iter().enumerate() {
        let mover = if ply % 2 == 0 { &mut *first } else { &mut *second };
        let path = format!("/api/board/game/{id}/move/{u}");
        let (status, body) = mover.post(&path, json!({})).await;
        assert_eq!(status, 200, "{u}: {body}");
    }
    (id, moves)
}

#[tokio::test]
async fn classic_is_a_game_between_people_that_reached_its_goal() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut cleo = server.player("Cleo").await;
    let (id, moves) = play_to_goal(&mut ann, &mut bob).await;
    // Newer, but against a program; and one that was resigned.
    play_to_goal(&mut ann, &mut cleo).await;
    run_sql(&server, "UPDATE account SET bot = TRUE WHERE id = 'cleo'").await;
    win(&mut ann, &mut bob).await;
    let (status, body) = Player::anonymous(server.addr).get("/api/games/classic").await;
    let game = &body["game"];
    assert_eq!((status, &game["id"], &game["moves"]), (200, &json!(id), &json!(moves)), "{body}");
    assert_eq!((&game["first"]["name"], &game["second"]["name"]), (&json!("Ann"), &json!("Bob")));
    let (_, replayed) = ann
        .post(
            "/api/position",
            json!({ "variant": "caterpillarWar", "start": game["start"], "moves": moves }),
        )
        .await;
    assert_eq!(replayed["outcome"], "first", "{replayed}");
    server.stop().await;
}

#[tokio::test]
async fn classic_skips_games_with_damaged_logs() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let (intact, _) = play_to_goal(&mut ann, &mut bob).await;
    let (unreadable, _) = play_to_goal(&mut ann, &mut bob).await;
    let (illegal, _) = play_to_goal(&mut ann, &mut bob).await;
    for (id, event) in [(unreadable, r#"{"kind":"nonsense"}"#), (illegal, r#""a1-a2""#)] {
        let game = format!("(SELECT key FROM game WHERE id = '{id}')");
        let sql = format!(
            "UPDATE game_log SET events = json_set(events, '$[1][0]', json('{event}'))
             WHERE game_id = {game}"
        );
        run_sql(&server, &sql).await;
    }
    let (status, body) = ann.get("/api/games/classic").await;
    assert_eq!((status, &body["game"]["id"]), (200, &json!(intact)), "{body}");
    server.stop().await;
}

#[tokio::test]
async fn classic_is_null_without_a_game_that_reached_its_goal() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    win(&mut ann, &mut bob).await;
    assert_eq!(ann.get("/api/games/classic").await, (200, json!({ "game": null })));
    server.stop().await;
}

#[tokio::test]
async fn usual_hours_count_recent_games_between_people() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut cleo = server.player("Cleo").await;
    let mut ids = Vec::new();
    for _ in 0..3 {
        ids.push(ann.start_game(&mut bob, "hogga", json!({})).await);
    }
    let program = ann.start_game(&mut cleo, "hogga", json!({})).await;
    let now_ms = sprong::rooms::now_ms();
    let yesterday_ms = now_ms.div_euclid(DAY_MS) * DAY_MS - DAY_MS;
    let at_hour = |id: &str, days: i64, hour: i64| {
        let at_ms = yesterday_ms - days * DAY_MS + hour * 3_600_000;
        format!("UPDATE game SET created_ms = {at_ms} WHERE id = '{id}';")
    };
    let sql = [
        at_hour(&ids[0], 0, 20),
        at_hour(&ids[1], 7, 20),
        at_hour(&ids[2], 40, 20),
        at_hour(&program, 0, 5),
        "UPDATE account SET bot = TRUE WHERE id = 'cleo';".to_owned(),
    ];
    run_sql(&server, &sql.concat()).await;
    let (status, body) = ann.get("/api/games/hours").await;
    let mut hours = vec![0; 24];
    hours[20] = 2;
    assert_eq!((status, body), (200, json!({ "games": 2, "hours": hours })));
    server.stop().await;
}

#[tokio::test]
async fn home_page_has_no_introduction_for_accounts() {
    let server = Server::start().await;
    let (ann, guest) = (server.player("Ann").await, server.guest().await);
    let nobody = Player::anonymous(server.addr);
    for (viewer, has_introduction) in [(&ann, false), (&guest, true), (&nobody, true)] {
        for path in ["/", "/lobby"] {
            let url = format!("http://{}{path}", server.addr);
            let cookie = viewer.cookie.clone().unwrap_or_default();
            let request = viewer.http.request(Method::GET, url).header("cookie", cookie);
            let page = request.send().await.expect("page").text().await.expect("text");
            assert_eq!(page.contains("href=\"/rules\">New here?"), has_introduction, "{page}");
            assert_eq!(page.contains("<h1>Play</h1>"), !has_introduction, "{page}");
        }
    }
    server.stop().await;
}
