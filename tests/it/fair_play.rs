//! Fair play: the engine does not help in rated games in play, neither by analysis, hints and
//! reviews nor by a bot on the same board.

use super::analysis::{occupy_thread, wait_for_queue_length};
use super::bots;
use crate::support::client::{Player, Server, WAIT_TIMEOUT, wait_until};
use serde_json::{Value, json};
use sprong::variants::{ALL, by_key};
use std::time::Duration;

/// Plies after which a game with a fixed start is past the opening.
const PLIES_PAST_OPENING: usize = 7;

/// Time without a move that is far longer than a bot takes for one.
const NO_MOVE_WAIT: Duration = Duration::from_secs(4);

const LIVE_RATED_REFUSAL: (u16, &str) = (403, "liveRatedGame");

/// Requests an analysis. Returns the status and the reason of a refusal, or an empty reason.
async fn analyze(anybody: &mut Player, question: Value) -> (u16, String) {
    let mut request = json!({ "nodes": 1000 });
    for (key, value) in question.as_object().expect("fields") {
        request[key] = value.clone();
    }
    let (status, response) = anybody.post("/api/analysis", request).await;
    (status, response["reason"].as_str().unwrap_or_default().to_owned())
}

fn is_live_rated_refusal(response: &(u16, String)) -> bool {
    (response.0, response.1.as_str()) == LIVE_RATED_REFUSAL
}

async fn make_move(mover: &mut Player, id: &str, u: &str) {
    let (status, response) = mover.post(&format!("/api/board/game/{id}/move/{u}"), json!({})).await;
    assert_eq!(status, 200, "{u}: {response}");
}

/// Loads a game as a player.
async fn load_game(player: &Player, id: &str) -> Value {
    let (status, game) = player.get(&format!("/api/game/{id}")).await;
    assert_eq!(status, 200, "{game}");
    game
}

/// Plays arbitrary moves until there are `plies` plies. Returns all moves.
async fn play_to_ply(two: &mut [Player; 2], id: &str, plies: usize) -> Vec<String> {
    loop {
        let games = [load_game(&two[0], id).await, load_game(&two[1], id).await];
        let moves = games[0]["state"]["moves"].as_str().expect("moves");
        let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
        if moves.len() >= plies {
            return moves;
        }
        let mover = usize::from(games[0]["turn"] != "first");
        let legal = games[mover]["legal"].as_array().expect("moves");
        let u = legal[moves.len() * 7 % legal.len()].as_str().expect("a move").to_owned();
        make_move(&mut two[mover], id, &u).await;
    }
}

async fn two_players(server: &Server) -> [Player; 2] {
    [server.player("Ann").await, server.player("Bob").await]
}

async fn start_game(two: &mut [Player; 2], variant: &str, fields: Value) -> String {
    let [ann, bob] = two;
    ann.start_game(bob, variant, fields).await
}

/// Returns other position texts with the same board: with either side to move, and with other
/// scores.
fn texts_of_same_board(position: &str, variant: &str) -> Vec<String> {
    let (cells, rest) = position.split_once(' ').expect("a turn");
    let extras = rest.split_once(' ').map(|(_, extras)| extras);
    let turns = ["1", "2"].map(|turn| match extras {
        Some(extras) => format!("{cells} {turn} {extras}"),
        None => format!("{cells} {turn}"),
    });
    let scores = (variant == "knightFight").then(|| format!("{cells} {} 501:500", &rest[..1]));
    let variant = by_key(variant).expect("variant");
    let is_possible = |text: &String| variant.read(text, &variant.options()).is_ok();
    turns.into_iter().chain(scores).filter(is_possible).collect()
}

/// Returns texts of the board mirrored and turned, and with the colors exchanged.
fn texts_of_images(position: &str, variant: &str) -> Vec<String> {
    let (cells, rest) = position.split_once(' ').expect("a turn");
    let rows: Vec<Vec<&str>> = cells.split('/').map(|row| row.split(',').collect()).collect();
    let (height, width) = (rows.len(), rows[0].len());
    let text = |at: &dyn Fn(usize, usize) -> (usize, usize)| {
        let row = |y| (0..width).map(|x| at(y, x)).map(|(y, x)| rows[y][x]).collect::<Vec<_>>();
        let rows: Vec<String> = (0..height).map(|y| row(y).join(",")).collect();
        format!("{} {rest}", rows.join("/"))
    };
    let mut texts = vec![
        text(&|y, x| (y, width - 1 - x)),
        text(&|y, x| (height - 1 - y, x)),
        text(&|y, x| (height - 1 - y, width - 1 - x)),
    ];
    if height == width {
        texts.push(text(&|y, x| (x, y)));
        texts.push(text(&|y, x| (x, width - 1 - y)));
        texts.push(text(&|y, x| (width - 1 - x, y)));
    }
    let [one, two] = match variant {
        "kopfOderKnopf" => ["r", "b"],
        "wieNietWegIs" => ["w", "r"],
        _ => ["w", "b"],
    };
    let swap = |text: &str, one: &str, two: &str| {
        text.replace(one, "*").replace(two, one).replace('*', two)
    };
    let exchanged =
        |text: &String| swap(&swap(text, one, two), &one.to_uppercase(), &two.to_uppercase());
    texts.push(position.to_owned());
    let exchanged: Vec<String> = texts.iter().map(exchanged).collect();
    let variant = by_key(variant).expect("variant");
    let is_possible = |text: &String| variant.read(text, &variant.options()).is_ok();
    texts.into_iter().chain(exchanged).filter(is_possible).collect()
}

#[tokio::test]
async fn analysis_of_live_rated_position_is_refused_until_the_end() {
    let server = Server::start_with(&["--analysis-limit", "100000"]).await;
    let mut two = two_players(&server).await;
    let mut anybody = Player::anonymous(server.addr);
    for variant in &ALL {
        let key = variant.info.key;
        let id = start_game(&mut two, key, json!({})).await;
        let moves = play_to_ply(&mut two, &id, PLIES_PAST_OPENING + 1).await;
        let game = load_game(&two[0], &id).await;
        let (start, position) = (&game["initialFen"], game["position"].as_str().expect("text"));
        let mut more = json!({ "variant": key, "start": start, "moves": moves });
        let (_, next_position) = anybody.post("/api/position", more.clone()).await;
        let next = next_position["legal"][0].clone();
        let mut questions = vec![
            more.clone(),
            json!({ "variant": key, "start": position }),
            json!({ "variant": key, "start": position, "moves": [next] }),
        ];
        more["moves"].as_array_mut().expect("moves").push(next.clone());
        questions.push(more);
        let texts = texts_of_same_board(position, key);
        assert!(!texts.is_empty(), "{key}: {position}");
        let images = texts_of_images(position, key);
        assert!(images.len() > 1, "{key}: {images:?}");
        let texts = texts.iter().chain(&images);
        questions.extend(texts.map(|text| json!({ "variant": key, "start": text })));
        for option in variant.info.options {
            for value in option.values {
                let options = json!({ option.key: value });
                let text = position.to_owned();
                let question = json!({ "variant": key, "options": options, "start": text });
                let (_, expected) = anybody.post("/api/position", question.clone()).await;
                if expected["reason"] != "badPosition" {
                    questions.push(question);
                }
            }
        }
        for question in &questions {
            let analysis = analyze(&mut anybody, question.clone()).await;
            assert!(is_live_rated_refusal(&analysis), "{question}: {analysis:?}");
        }
        // Earlier positions of the game can be analyzed.
        let before =
            json!({ "variant": key, "start": start, "moves": moves[..PLIES_PAST_OPENING] });
        assert_eq!(analyze(&mut anybody, before).await.0, 200, "{key}");
        let (status, _) = two[1].post(&format!("/api/board/game/{id}/resign"), json!({})).await;
        assert_eq!(status, 200);
        for question in &questions {
            assert_eq!(analyze(&mut anybody, question.clone()).await.0, 200, "{question}");
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn analysis_is_refused_only_in_rated_games_past_the_opening() {
    let server = Server::start_with(&["--analysis-limit", "100000"]).await;
    let mut two = two_players(&server).await;
    let mut anybody = Player::anonymous(server.addr);
    // Variant, rated, plies, refused.
    for (variant, rated, plies, live) in [
        ("caterpillarWar", true, 0, false),
        ("caterpillarWar", true, PLIES_PAST_OPENING - 1, false),
        ("caterpillarWar", true, PLIES_PAST_OPENING, true),
        ("caterpillarWar", false, PLIES_PAST_OPENING, false),
        ("wieNietWegIs", true, PLIES_PAST_OPENING, true),
        // Its start board is random, so no other game has it.
        ("knightFight", true, 0, true),
        ("knightFight", false, 0, false),
    ] {
        let id = start_game(&mut two, variant, json!({ "rated": rated })).await;
        play_to_ply(&mut two, &id, plies).await;
        let position = load_game(&two[0], &id).await["position"].clone();
        let analysis =
            analyze(&mut anybody, json!({ "variant": variant, "start": position })).await;
        assert_eq!(
            is_live_rated_refusal(&analysis),
            live,
            "{variant} rated {rated} after {plies}: {analysis:?}"
        );
        let end = if plies < 2 { "abort" } else { "resign" };
        assert_eq!(two[0].post(&format!("/api/board/game/{id}/{end}"), json!({})).await.0, 200);
    }
    server.stop().await;
}

#[tokio::test]
async fn takeback_allows_analysis_of_the_undone_position() {
    let server = Server::start().await;
    let mut two = two_players(&server).await;
    let mut anybody = Player::anonymous(server.addr);
    let id = start_game(&mut two, "caterpillarWar", json!({})).await;
    play_to_ply(&mut two, &id, PLIES_PAST_OPENING + 1).await;
    let before = load_game(&two[0], &id).await["position"].clone();
    play_to_ply(&mut two, &id, PLIES_PAST_OPENING + 2).await;
    let after = load_game(&two[0], &id).await["position"].clone();
    let question = |start: &Value| json!({ "variant": "caterpillarWar", "start": start });
    assert!(!is_live_rated_refusal(&analyze(&mut anybody, question(&before)).await));
    assert!(is_live_rated_refusal(&analyze(&mut anybody, question(&after)).await));
    let mover = (PLIES_PAST_OPENING + 1) % 2;
    for player in [mover, 1 - mover] {
        let path = format!("/api/board/game/{id}/takeback/yes");
        assert_eq!(two[player].post(&path, json!({})).await.0, 200);
    }
    assert!(is_live_rated_refusal(&analyze(&mut anybody, question(&before)).await));
    assert!(!is_live_rated_refusal(&analyze(&mut anybody, question(&after)).await));
    server.stop().await;
}

#[tokio::test]
async fn restart_keeps_live_rated_positions_refused() {
    let server = Server::start().await;
    let mut two = two_players(&server).await;
    let mut questions = Vec::new();
    for (variant, fields) in
        [("caterpillarWar", json!({ "days": 3 })), ("hogga", json!({ "clock.limit": 3600 }))]
    {
        let id = start_game(&mut two, variant, fields).await;
        play_to_ply(&mut two, &id, PLIES_PAST_OPENING).await;
        let position = load_game(&two[0], &id).await["position"].clone();
        questions.push(json!({ "variant": variant, "start": position }));
    }
    let server = server.restart().await;
    assert_eq!(server.rooms.len(), 1, "expected a room only for the game with a clock");
    let mut anybody = Player::anonymous(server.addr);
    for question in questions {
        assert!(
            is_live_rated_refusal(&analyze(&mut anybody, question.clone()).await),
            "{question}"
        );
    }
    server.stop().await;
}

#[tokio::test]
async fn analysis_line_ends_where_it_enters_a_live_rated_game() {
    let server = Server::start().await;
    let mut two = two_players(&server).await;
    let mut anybody = Player::anonymous(server.addr);
    let practice = start_game(&mut two, "hogga", json!({ "rated": false })).await;
    let moves = play_to_ply(&mut two, &practice, PLIES_PAST_OPENING).await;
    let question = json!({ "variant": "hogga", "moves": moves, "lines": 5, "nodes": 20_000 });
    let (status, analysis) = anybody.post("/api/analysis", question.clone()).await;
    assert_eq!(status, 200, "{analysis}");
    let line = analysis["lines"].as_array().expect("lines").iter();
    let line = line.map(|line| line["moves"].as_array().expect("moves")).find(|u| u.len() > 1);
    let next = line.expect("a line that goes on")[0].clone();
    // The same moves in a rated game, followed by a first move of the analysis.
    let id = start_game(&mut two, "hogga", json!({})).await;
    for (ply, u) in moves.iter().chain([&next.as_str().expect("a move").to_owned()]).enumerate() {
        make_move(&mut two[ply % 2], &id, u).await;
    }
    let (status, body) = anybody.post("/api/analysis", question).await;
    assert_eq!(status, 200, "{body}");
    let lines = body["lines"].as_array().expect("lines");
    let into = lines.iter().find(|line| line["moves"][0] == next).expect("the same line");
    assert_eq!(into["moves"], json!([next]), "expected the line to end at the rated game");
    server.stop().await;
}

/// Casual game against a bot with the human to move, and a rated game of two other players with the
/// same moves, or the first of them.
struct CopiedGame {
    two: [Player; 2],
    human: Player,
    client: bots::GameClient,
    casual: String,
    rated: String,
}

/// Starts both games. The rated game has at most `plies_max` plies.
async fn start_copied_game(server: &Server, plies_max: usize) -> CopiedGame {
    let mut two = two_players(server).await;
    let mut carl = server.guest().await;
    let begun = bots::start_bot_game(&mut carl, 1, "caterpillarWar", json!({})).await;
    let casual = bots::game_id(&begun);
    let mut client = bots::GameClient::join(&carl, &casual).await;
    while client.moves.len() <= PLIES_PAST_OPENING {
        assert!(client.wait_for_turn().await);
        let u = client.legal[client.moves.len() * 7 % client.legal.len()].clone();
        client.play(&u).await;
    }
    assert!(client.wait_for_turn().await);
    assert_eq!(carl.post(&format!("/api/game/{casual}/hint"), json!({})).await.0, 200);
    let rated = start_game(&mut two, "caterpillarWar", json!({})).await;
    for (ply, u) in client.moves.iter().enumerate().take(plies_max) {
        make_move(&mut two[ply % 2], &rated, u).await;
    }
    CopiedGame { two, human: carl, client, casual, rated }
}

#[tokio::test]
async fn bot_does_not_move_on_the_board_of_a_live_rated_game() {
    let server = Server::start().await;
    let CopiedGame { mut two, mut client, rated, .. } =
        start_copied_game(&server, usize::MAX).await;
    let (mover, other) = (client.moves.len() % 2, (client.moves.len() + 1) % 2);
    let u = client.legal[0].clone();
    make_move(&mut two[mover], &rated, &u).await;
    client.play(&u).await;
    let waits = tokio::time::timeout(NO_MOVE_WAIT, client.wait_for_turn()).await;
    assert!(waits.is_err(), "expected no bot move on the board of a rated game");
    let next = load_game(&two[other], &rated).await["legal"][0].clone();
    make_move(&mut two[other], &rated, next.as_str().expect("a move")).await;
    let turn = tokio::time::timeout(WAIT_TIMEOUT, client.wait_for_turn()).await;
    assert!(turn.expect("the bot's move"));
    server.stop().await;
}

#[tokio::test]
async fn hint_and_review_of_live_rated_position_are_refused() {
    let server = Server::start().await;
    let CopiedGame { mut two, mut human, casual, rated, .. } =
        start_copied_game(&server, usize::MAX).await;
    let hint = format!("/api/game/{casual}/hint");
    let (status, refused) = human.post(&hint, json!({})).await;
    assert_eq!(
        (status, refused["reason"].as_str()),
        (LIVE_RATED_REFUSAL.0, Some(LIVE_RATED_REFUSAL.1)),
        "{refused}"
    );
    assert_eq!(human.post(&format!("/api/board/game/{casual}/resign"), json!({})).await.0, 200);
    let review = format!("/api/game/{casual}/review");
    let (status, refused) = human.get(&review).await;
    assert_eq!(
        (status, refused["reason"].as_str()),
        (LIVE_RATED_REFUSAL.0, Some(LIVE_RATED_REFUSAL.1)),
        "{refused}"
    );
    assert_eq!(two[0].post(&format!("/api/board/game/{rated}/resign"), json!({})).await.0, 200);
    wait_until("expected a review after the end of the rated game", async || {
        human.get(&review).await.0 == 200
    })
    .await;
    server.stop().await;
}

#[tokio::test]
async fn hint_is_refused_if_its_search_meets_a_rated_game() {
    let server = Server::start_with(&["--engine-threads", "1"]).await;
    let opening_plies = PLIES_PAST_OPENING - 1;
    let CopiedGame { mut two, mut human, client, casual, rated } =
        start_copied_game(&server, opening_plies).await;
    let occupied = occupy_thread(&server, 99).await;
    let hint = format!("/api/game/{casual}/hint");
    let hint = tokio::spawn(async move { human.post(&hint, json!({})).await });
    wait_for_queue_length(&server, 1).await;
    // The rated game leaves the opening after the request was accepted.
    make_move(&mut two[opening_plies % 2], &rated, &client.moves[opening_plies]).await;
    drop(occupied);
    let (status, refused) = hint.await.expect("an answer");
    assert_eq!(
        (status, refused["reason"].as_str()),
        (LIVE_RATED_REFUSAL.0, Some(LIVE_RATED_REFUSAL.1)),
        "{refused}"
    );
    server.stop().await;
}

#[tokio::test]
async fn review_of_finished_game_stays_available() {
    let server = Server::start().await;
    let mut two = two_players(&server).await;
    let over = start_game(&mut two, "caterpillarWar", json!({ "rated": false })).await;
    let moves = play_to_ply(&mut two, &over, PLIES_PAST_OPENING + 1).await;
    assert_eq!(two[0].post(&format!("/api/board/game/{over}/resign"), json!({})).await.0, 200);
    let rated = start_game(&mut two, "caterpillarWar", json!({})).await;
    for (ply, u) in moves.iter().enumerate() {
        make_move(&mut two[ply % 2], &rated, u).await;
    }
    let mut anybody = Player::anonymous(server.addr);
    let question = json!({ "variant": "caterpillarWar", "moves": moves });
    assert!(is_live_rated_refusal(&analyze(&mut anybody, question).await));
    assert_eq!(anybody.get(&format!("/api/game/{over}/review")).await.0, 200);
    server.stop().await;
}
