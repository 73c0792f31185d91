//! Endings of complete games: in the end of a game over the socket, in the API, lists, exports, the
//! record, and for games that ended before endings were stored.

use super::transcripts::{Record, records};
use crate::support::client::{Player, Server};
use crate::support::socket::Socket;
use serde_json::{Value, json};
use sprong::play::pgn::GameText;
use sprong::play::played_line::{EndReason, PlayedLine};
use sprong::rules::Ending;
use sprong::variants;

/// Returns the ending of a recorded game by its own values, read from the position text.
fn expected_ending(record: &Record) -> Value {
    let mut line = PlayedLine::new(record.variant.start(&record.options, record.seed));
    record.moves.iter().for_each(|u| line.play(u).expect("legal move"));
    let text = line.position().text();
    let turn = line.turn().to_string();
    let winner = record.end.split(' ').next().expect("winner");
    let pair = |text: &str| -> [Value; 2] {
        let (first, second) = text.split_once(':').expect("pair");
        [first, second].map(|text| json!(text.parse::<u16>().expect("number")))
    };
    let extras: Vec<&str> = text.split(' ').skip(2).collect();
    match record.variant.info.key {
        "caterpillarWar" => json!({ "kind": "noMove", "side": turn }),
        "knightFight" => {
            let [first, second] = pair(extras[0]);
            json!({ "kind": "noLeap", "side": turn, "first": first, "second": second })
        }
        "hogga" => {
            let rows: Vec<Vec<&str>> = text
                .split(' ')
                .next()
                .expect("cells")
                .split('/')
                .map(|row| row.split(',').collect())
                .collect();
            // The goal of Black is the block g1–l4, that of White a10–f13.
            let count = |rows: &[Vec<&str>], cols: std::ops::Range<usize>, letter: &str| {
                let cells = rows.iter().flat_map(|row| &row[cols.clone()]);
                cells.filter(|token| token.eq_ignore_ascii_case(letter)).count()
            };
            let (first, second) = (count(&rows[9..], 6..12, "b"), count(&rows[..4], 0..6, "w"));
            let mut ending =
                json!({ "kind": "allHome", "side": winner, "first": first, "second": second });
            if let Some((_, points)) = extras.first().and_then(|text| text.split_once('+')) {
                ending["points"] = json!(points.parse::<u16>().expect("points"));
            }
            ending
        }
        "kopfOderKnopf" => {
            let [first, second] = pair(extras[0]);
            json!({ "kind": "taken", "side": winner, "first": first, "second": second })
        }
        _ => {
            let [first, second] = pair(extras[1]);
            json!({ "kind": "off", "side": winner, "first": first, "second": second })
        }
    }
}

#[test]
fn complete_games_have_the_ending_of_their_variant() {
    for record in records() {
        let mut line = PlayedLine::new(record.variant.start(&record.options, record.seed));
        for u in &record.moves {
            assert_eq!(line.ending(), None);
            line.play(u).expect("legal move");
        }
        let ending = line.ending().expect("ending");
        assert_eq!(json!(ending), expected_ending(&record), "{}", record.name);
        let parsed: Ending = serde_json::from_value(json!(ending)).expect("ending");
        assert_eq!(parsed, ending);
    }
}

#[test]
fn draw_without_progress_has_its_limit() {
    let variant = variants::by_key("caterpillarWar").expect("variant");
    let empty = ".,.,.,.,.,.,.,.";
    let text = format!(".,.,.,.,.,.,.,b/{}w,.,.,.,.,.,.,. 1", format!("{empty}/").repeat(6));
    let position = variant.read(&text, &variant.options()).expect("position");
    let mut line = PlayedLine::new(position);
    // A walk around the board, on which no position occurs three times.
    let mut ply = 0;
    while line.outcome().is_none() {
        let legal = line.legal_moves();
        let fresh = legal.iter().find(|u| {
            let mut next = line.clone();
            next.play(u).expect("legal move");
            next.outcome().is_none_or(|(_, reason)| reason == EndReason::NoProgress)
        });
        line.play(&fresh.expect("a fresh position").clone()).expect("legal move");
        ply += 1;
    }
    assert_eq!(ply, 40);
    assert_eq!(json!(line.ending()), json!({ "kind": "noProgress", "plies": 40 }));
}

/// Plays a recorded game over the sockets of both players. Returns the `end` message of each.
async fn play(record: &Record, sockets: &mut [Socket; 2]) -> [Value; 2] {
    let mut line = PlayedLine::new(record.variant.start(&record.options, record.seed));
    for (ply, u) in record.moves.iter().enumerate() {
        let mover = line.turn().index();
        sockets[mover].command("move", json!({ "u": u, "ply": ply })).await;
        line.play(u).expect("legal move");
        // The end is published before the last move is acknowledged.
        if line.outcome().is_none() {
            sockets[mover].until("ack").await;
        }
    }
    let [first, second] = sockets;
    [first.until("end").await, second.until("end").await]
}

/// Returns the request fields of the options of a recorded game.
fn fields(record: &Record) -> Value {
    let options = record.options.iter();
    let options = options.map(|(key, value)| (format!("options.{key}"), json!(value)));
    Value::Object(options.chain([("rated".to_owned(), json!(false))]).collect())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ending_is_in_end_api_lists_and_exports() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    // The numbers of Knight Fight are drawn by the server.
    for record in records().into_iter().filter(|record| !record.variant.info.chance) {
        let expected = expected_ending(&record);
        let name = record.name.as_str();
        let id = ann.start_game(&mut bob, record.variant.info.key, fields(&record)).await;
        let path = format!("/ws/game/{id}");
        let mut sockets = [ann.socket(&path).await, bob.socket(&path).await];
        for end in play(&record, &mut sockets).await {
            assert_eq!(end["d"]["ending"], expected, "{name}");
        }
        check_stored(&ann, &id, &expected).await;
    }
    check_knight_fight(&mut ann, &mut bob).await;
}

/// Plays Knight Fight to its end, always to the first legal square.
async fn check_knight_fight(ann: &mut Player, bob: &mut Player) {
    let id = ann.start_game(bob, "knightFight", json!({ "rated": false })).await;
    let path = format!("/ws/game/{id}");
    let mut sockets = [ann.socket(&path).await, bob.socket(&path).await];
    let full = sockets[0].until("full").await;
    let variant = variants::by_key("knightFight").expect("variant");
    let start = full["d"]["initialFen"].as_str().expect("start");
    let position = variant.read(start, &variant.options()).expect("start");
    let mut line = PlayedLine::new(position);
    while line.outcome().is_none() {
        let (mover, u) = (line.turn().index(), line.legal_moves()[0].clone());
        sockets[mover].command("move", json!({ "u": u, "ply": line.ply() })).await;
        line.play(&u).expect("legal move");
        if line.outcome().is_none() {
            sockets[mover].until("ack").await;
        }
    }
    let text = line.position().text();
    let (first, second) =
        text.rsplit_once(' ').and_then(|(_, pair)| pair.split_once(':')).expect("scores");
    let number = |text: &str| text.parse::<u16>().expect("score");
    let expected = json!({
        "kind": "noLeap", "side": line.turn(), "first": number(first), "second": number(second),
    });
    assert_eq!(sockets[1].until("end").await["d"]["ending"], expected);
    check_stored(ann, &id, &expected).await;
}

/// Checks the game in the API, in a list, in both exports and in the replayed text.
async fn check_stored(ann: &Player, id: &str, expected: &Value) {
    let (status, game) = ann.get(&format!("/api/game/{id}")).await;
    assert_eq!((status, &game["end"]["ending"]), (200, expected));
    let (_, list) = ann.get("/api/user/Ann/games").await;
    let games = list["games"].as_array().expect("games");
    let listed = games.iter().find(|game| game["id"] == id).expect("game in the list");
    assert_eq!(&listed["ending"], expected);
    let request = reqwest::Client::new().get(format!("http://{}/game/export/{id}", ann.addr));
    let exported = request.header("accept", "application/json").send().await.expect("export");
    let exported: Value = exported.json().await.expect("JSON");
    assert_eq!(&exported["ending"], expected);
    let text = reqwest::get(format!("http://{}/game/export/{id}", ann.addr)).await.expect("export");
    let text = text.text().await.expect("text");
    let parsed: GameText = text.parse().expect("record");
    assert_eq!(json!(parsed.ending), *expected, "{text}");
    assert_eq!(parsed.replay().expect("moves").ending(), parsed.ending);
    assert_eq!(parsed.to_string().parse::<GameText>().expect("record"), parsed);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ending_of_an_older_game_is_derived_for_the_game_only() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let record = records().into_iter().find(|record| record.name == "kopfOderKnopf");
    let record = record.expect("recorded game");
    let id = ann.start_game(&mut bob, "kopfOderKnopf", fields(&record)).await;
    let path = format!("/ws/game/{id}");
    let mut sockets = [ann.socket(&path).await, bob.socket(&path).await];
    play(&record, &mut sockets).await;
    drop(sockets);
    server.database().await.remove_ending(&id).await;
    let server = server.restart().await;
    let reader = Player::anonymous(server.addr);
    let (_, game) = reader.get(&format!("/api/game/{id}")).await;
    assert_eq!(game["end"]["ending"], expected_ending(&record));
    let (_, list) = reader.get("/api/user/Ann/games").await;
    let games = list["games"].as_array().expect("games");
    assert!(games[0].get("ending").is_none(), "{}", games[0]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn refused_move_names_its_rule_everywhere() {
    let server = Server::start().await;
    let (mut players, mut sockets, id) =
        server.start_game("caterpillarWar", json!({ "color": "first" })).await;
    sockets[0].command("move", json!({ "u": "h5(h1)h4", "ply": 0 })).await;
    let refused = sockets[0].until("refused").await;
    assert_eq!(refused["d"]["reason"], "illegal");
    assert_eq!(refused["d"]["rule"], "alongItself");
    let error =
        "\"h5(h1)h4\" is not a legal move here: a caterpillar does not go back along itself.";
    assert_eq!(refused["d"]["error"], error);
    let path = format!("/api/board/game/{id}/move/h5-h4");
    let (status, body) = players[0].post(&path, json!({})).await;
    assert_eq!((status, &body["reason"]), (400, &json!("illegal")), "{body}");
    assert_eq!(body["rule"], "stepToEmpty");
    // Text that is not a notation breaks no rule of the game.
    let (status, body) = players[0].post(&format!("/api/board/game/{id}/move/h5"), json!({})).await;
    assert_eq!((status, body.get("rule")), (400, None), "{body}");
    let query = json!({ "variant": "caterpillarWar", "moves": ["h5-h4"] });
    let (status, body) = players[0].post("/api/position", query).await;
    assert_eq!((status, &body["rule"], &body["ply"]), (400, &json!("stepToEmpty"), &json!(0)));
    let query = json!({ "variant": "caterpillarWar", "clicks": ["h5", "e4"] });
    let (status, body) = players[0].post("/api/position", query).await;
    assert_eq!((status, &body["refusal"]), (200, &json!({ "rule": "notInLine", "cell": "h5" })));
}
