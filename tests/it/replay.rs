//! Replay of logs: logs of the first version, and the ratings that follow from all logs.

use crate::support::client::{Player, Server, WAIT_TIMEOUT};
use crate::support::database::Database;
use crate::support::database_audit;
use crate::support::earlier_version::open_version;
use crate::support::fault_injection::run_sql;
use serde_json::{Value, json};
use sprong::play::event::{DrawReason, GameEnd, GameStatus};
use sprong::play::game::Game;
use sprong::rules::{Side, SplitMix};
use sprong::store::Store;
use sqlx::Connection;
use std::path::Path;
use tempfile::TempDir;

/// Log of the first version with every kind of event. Each later version must replay it: a change
/// of the event format adds lines here and removes none.
const FIRST_VERSION_LOG: [(&str, Option<&str>, &str); 11] = [
    ("moved", Some("first"), r#"{"kind":"moved","u":"h5-g5"}"#),
    ("said", Some("second"), r#"{"kind":"said","room":"player","name":"Bob","text":"Good luck!"}"#),
    ("moved", Some("second"), r#"{"kind":"moved","u":"a4-b4"}"#),
    ("drawOffered", Some("first"), r#"{"kind":"drawOffered"}"#),
    ("drawDeclined", Some("second"), r#"{"kind":"drawDeclined"}"#),
    ("said", None, r#"{"kind":"said","room":"spectator","name":"Eve","text":"ünïcode ♞"}"#),
    ("resumed", None, r#"{"kind":"resumed","lost_ms":400}"#),
    ("moved", Some("first"), r#"{"kind":"moved","u":"g5-f5"}"#),
    ("drawOffered", Some("first"), r#"{"kind":"drawOffered"}"#),
    ("moved", Some("second"), r#"{"kind":"moved","u":"b4-c4"}"#),
    ("drawOffered", Some("second"), r#"{"kind":"drawOffered"}"#),
];

/// Ends as the first version wrote them, with their meaning.
const FIRST_VERSION_ENDS: [(&str, GameStatus, Option<Side>, Option<DrawReason>); 9] = [
    (
        r#"{"kind":"ended","status":"resign","winner":"first"}"#,
        GameStatus::Resign,
        Some(Side::First),
        None,
    ),
    (
        r#"{"kind":"ended","status":"resign","winner":"first","reason":null}"#,
        GameStatus::Resign,
        Some(Side::First),
        None,
    ),
    (r#"{"kind":"ended","status":"aborted"}"#, GameStatus::Aborted, None, None),
    (r#"{"kind":"ended","status":"noStart"}"#, GameStatus::NoStart, None, None),
    (
        r#"{"kind":"ended","status":"outoftime","winner":"second"}"#,
        GameStatus::OutOfTime,
        Some(Side::Second),
        None,
    ),
    (
        r#"{"kind":"ended","status":"variantEnd","winner":"second"}"#,
        GameStatus::VariantEnd,
        Some(Side::Second),
        None,
    ),
    (
        r#"{"kind":"ended","status":"draw","reason":"agreement"}"#,
        GameStatus::Draw,
        None,
        Some(DrawReason::Agreement),
    ),
    (
        r#"{"kind":"ended","status":"draw","reason":"repetition"}"#,
        GameStatus::Draw,
        None,
        Some(DrawReason::Repetition),
    ),
    (
        r#"{"kind":"ended","status":"draw","reason":"moveLimit"}"#,
        GameStatus::Draw,
        None,
        Some(DrawReason::MoveLimit),
    ),
];

/// Creates a database of the first version with a game in play and one game for each end.
async fn create_first_version(path: &Path) {
    open_version(path, 1).await.close().await.expect("closed");
    let mut text = String::from(
        "INSERT INTO account (key, id, name, guest, password, created_ms) VALUES
             (x'01', 'ann', 'Ann', 0, 'hash', 5), (x'02', 'bob', 'Bob', 0, 'hash', 5);",
    )
    .replace("x'01'", &key_literal(1))
    .replace("x'02'", &key_literal(2));
    for at in 0..=FIRST_VERSION_ENDS.len() {
        let (status, log) = match at.checked_sub(1) {
            None => (20, FIRST_VERSION_LOG.to_vec()),
            Some(end) => (
                FIRST_VERSION_ENDS[end].1 as i64,
                [&FIRST_VERSION_LOG[..], &[("ended", None, FIRST_VERSION_ENDS[end].0)]].concat(),
            ),
        };
        text += &format!(
            "INSERT INTO game (key, id, variant, options, seed, rated, initial_ms, increment_ms,
                 first, second, first_rating, second_rating, first_provisional,
                 second_provisional, created_ms, status) VALUES ({}, 'OldGame{at}',
                 'caterpillarWar', '{}', 0, 0, 600000, 2000, {}, {}, 1500, 1500, 1, 1, 8, {status});",
            key_literal(100 + at),
            sprong::variants::by_key("caterpillarWar").expect("variant").options(),
            key_literal(1),
            key_literal(2),
        );
        for (seq, (kind, side, payload)) in (1..).zip(log) {
            let side = side.map_or("NULL".to_owned(), |side| format!("'{side}'"));
            text += &format!(
                "INSERT INTO game_event (game_id, seq, kind, side, cid, payload, at_ms, schema)
                     VALUES ({}, {seq}, '{kind}', {side}, NULL, '{payload}', {}, 1);",
                key_literal(100 + at),
                1_000 * seq,
            );
        }
    }
    run_sql(path, &text).await;
}

fn key_literal(number: usize) -> String {
    format!("x'{number:032x}'")
}

#[tokio::test]
async fn first_version_logs_replay() {
    let folder = TempDir::new().expect("folder");
    let path = folder.path().join("sprong.db");
    create_first_version(&path).await;
    let store = Store::open(&path).await.expect("store");
    for at in 0..=FIRST_VERSION_ENDS.len() {
        let id = format!("OldGame{at}").parse().expect("id");
        let row = store.game(&id).await.expect("read").expect("game");
        let mut game = Game::new(row.setup.clone());
        for (logged, cid) in store.events(row.key).await.expect("log") {
            assert_eq!(cid, None);
            game.replay(&logged).expect("a valid log");
        }
        assert_eq!(game.line().moves(), ["h5-g5", "a4-b4", "g5-f5", "b4-c4"]);
        let messages: Vec<_> =
            game.chat().iter().map(|message| (&*message.name, &*message.text)).collect();
        assert_eq!(messages, [("Bob", "Good luck!"), ("Eve", "ünïcode ♞")]);
        // The clocks start with the third event. The first side thinks for five seconds, less the
        // outage, the second for two; a move adds two. The first side's clock runs until the end.
        let clock = game.clock().expect("a clock");
        let (end, last_ms) =
            (at.checked_sub(1).map(|end| FIRST_VERSION_ENDS[end]), game.seq() * 1_000);
        let since_ms = last_ms - 10_000;
        assert_eq!(clock.remaining_ms(Side::First, last_ms), 600_000 - 4_600 + 2_000 - since_ms);
        assert_eq!(clock.remaining_ms(Side::Second, last_ms), 600_000);
        match end {
            None => assert_eq!((game.end(), game.draw_offer()), (None, Some(Side::Second))),
            Some((_, status, winner, reason)) => {
                assert_eq!(game.end(), Some(GameEnd { status, winner, reason }));
            }
        }
    }
    store.close().await;
    // The game in play continues after a long downtime.
    let server = Server::open(folder.into(), &[]).await;
    let (_, game) = Player::anonymous(server.addr).get("/api/game/OldGame0").await;
    // A slow start adds one more event.
    assert!([12, 13].contains(&game["v"].as_i64().expect("v")), "{}", game["v"]);
    assert_eq!(game["draw"], "second");
    assert!(game["clocks"]["first"].as_i64().expect("clock") > 590_000);
    let (_, over) = Player::anonymous(server.addr).get("/api/game/OldGame7").await;
    assert_eq!((&over["end"]["status"], &over["end"]["winner"]), (&json!("draw"), &Value::Null));
    server.stop().await;
}

/// Plays several games and ends them in every way, with concurrent requests for each end.
async fn play_many([mut one, mut two]: [Player; 2], seed: u64) {
    let mut random = SplitMix::new(seed);
    for _ in 0..10 {
        let variant = ["caterpillarWar", "knightFight"][random.below(2)];
        let fields = match random.below(4) {
            0 => json!({ "rated": false }),
            1 => json!({ "clock.limit": 1 }),
            _ => json!({ "days": 2 }),
        };
        let flags = fields["clock.limit"] == 1;
        let id = one.start_game(&mut two, variant, fields).await;
        let path = |rest: &str| format!("/api/board/game/{id}/{rest}");
        let mut ply = 0;
        let plies = [0, 1, 2, 60][random.below(4)];
        loop {
            let (mover, path) =
                (if ply % 2 == 0 { &mut one } else { &mut two }, format!("/api/game/{id}"));
            let game = mover.get(&path).await.1;
            if !game["end"].is_null() || ply >= plies {
                break;
            }
            let legal = game["legal"].as_array().expect("legal moves");
            let u = legal[random.below(legal.len())].as_str().expect("notation").to_owned();
            mover.post(&format!("/api/board/game/{id}/move/{u}"), json!({})).await;
            ply += 1;
        }
        if flags && ply >= 2 && random.below(2) == 0 {
            let flag_fall = async {
                while one.get(&format!("/api/game/{id}")).await.1["end"].is_null() {
                    tokio::time::sleep(std::time::Duration::from_millis(20)).await;
                }
            };
            tokio::time::timeout(WAIT_TIMEOUT, flag_fall).await.expect("a flag fall");
        }
        if random.below(3) == 0 {
            one.post(&path("draw/yes"), json!({})).await;
        }
        // Only one of these requests ends the game.
        let requests = [
            (&one, "resign"),
            (&two, "draw/yes"),
            (&two, "abort"),
            (&two, "resign"),
            (&one, "abort"),
        ];
        let requests =
            requests.map(async |(who, what)| who.clone().post(&path(what), json!({})).await.0);
        futures_util::future::join_all(requests).await;
        assert!(!one.get(&format!("/api/game/{id}")).await.1["end"].is_null(), "{id}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ratings_are_applied_once_and_match_logs() {
    let server = Server::start().await;
    let mut pairs = Vec::new();
    for pair in 0..10 {
        let one = server.player(&format!("One{pair}")).await;
        let two = server.player(&format!("Two{pair}")).await;
        pairs.push(tokio::spawn(play_many([one, two], pair)));
    }
    for pair in pairs {
        pair.await.expect("a pair");
    }
    // After the stop, the file holds exactly the committed data.
    let folder = server.stop().await;
    let path = folder.path().join("sprong.db");
    let store = Store::open(&path).await.expect("store");
    let games = database_audit::replay_games(&store, &Database::open_file(&path).await).await;
    let rated = database_audit::assert_consistent(&store, &games).await;
    println!("{} games, {rated} of them rated", games.len());
    assert!(rated > 20 && rated < games.len() - 20, "{rated} of {}", games.len());
    store.close().await;
}
