//! Rated games that moderators void: ratings move back, and `sprong check` still recomputes them.

use super::moderator;
use crate::erasure::archive;
use crate::store::{move_append, open_store};
use crate::support::client::{Player, Server, refused, wait_until};
use crate::support::store_fixtures::games_between;
use serde_json::{Value, json};
use sprong::play::event::{Event, GameEnd, GameStatus, LoggedEvent};
use sprong::rules::Side;
use sprong::store::{Append, GameFinish, GameRow, Moderator, Store};
use sprong::variants;
use std::process::Command;
use tempfile::TempDir;

const VARIANT: &str = "hogga";

async fn start_server() -> Server {
    Server::start_with(&["--rated-games-per-pair", "1000"]).await
}

/// Plays as long as a full gain needs; then `loser` resigns.
async fn finish(winner: &mut Player, loser: &mut Player, id: &str) {
    let plies = variants::by_key(VARIANT).expect("variant").info.rated_plies_min;
    for ply in 0..plies {
        let mover = if ply % 2 == 0 { &mut *winner } else { &mut *loser };
        mover.play_first_legal(id).await;
    }
    let (status, body) = loser.post(&format!("/api/board/game/{id}/resign"), json!({})).await;
    assert_eq!(status, 200, "{body}");
}

async fn win(winner: &mut Player, loser: &mut Player) -> String {
    let id = winner.start_game(loser, VARIANT, json!({})).await;
    finish(winner, loser, &id).await;
    id
}

async fn void(moderator: &mut Player, game: &str) -> (u16, Value) {
    let path = format!("/api/admin/game/{game}/void");
    moderator.post(&path, json!({ "reason": "helped by an engine" })).await
}

fn check(server: &Server) {
    check_database(&server.database_address());
}

/// Checks a database with the subcommand.
fn check_database(address: &str) {
    let output = Command::new(env!("CARGO_BIN_EXE_sprong"))
        .args(["check", "--database", address])
        .output()
        .expect("sprong check");
    let text = String::from_utf8([output.stdout, output.stderr].concat()).expect("text");
    assert!(output.status.success(), "{text}");
}

/// Returns the rating and the number of rated games of a player.
async fn perf(player: &Player) -> (i64, i64) {
    let perf = player.get("/api/account").await.1["perfs"][VARIANT].clone();
    (perf["rating"].as_i64().expect("rating"), perf["games"].as_i64().expect("games"))
}

/// Asserts that a rating is expected but for rounding.
async fn assert_rating(player: &Player, expected: i64, games: i64) {
    let (rating, played) = perf(player).await;
    assert!((rating - expected).abs() <= 1, "{rating} in place of {expected}");
    assert_eq!(played, games);
}

async fn listed(player: &Player, query: &str) -> (i64, Vec<Value>) {
    let path = format!("/api/user/{}/games?{query}", player.id);
    let page = player.get(&path).await.1;
    let games = page["games"].as_array().expect("games");
    let marked = games.iter().filter(|game| game["voided"] == true).cloned().collect();
    (page["total"].as_i64().expect("total"), marked)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn void_moves_ratings_back_by_the_change_of_the_game() {
    let server = start_server().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut mo = moderator(&server).await;
    let mut ratings = vec![(1500, 1500)];
    let mut games = Vec::new();
    for number in 0..3 {
        games.push(match number {
            1 => win(&mut ann, &mut bob).await,
            _ => win(&mut bob, &mut ann).await,
        });
        ratings.push((perf(&ann).await.0, perf(&bob).await.0));
    }
    check(&server);
    assert_eq!(void(&mut mo, &games[1]).await, (200, json!({ "ok": true })));
    let (ann_change, bob_change) = (ratings[2].0 - ratings[1].0, ratings[2].1 - ratings[1].1);
    assert!(ann_change > 0 && bob_change < 0);
    assert_rating(&ann, ratings[3].0 - ann_change, 2).await;
    assert_rating(&bob, ratings[3].1 - bob_change, 2).await;
    check(&server);

    // The game stays visible, with a mark in place of rating changes.
    wait_until("its room shows it", async || {
        let end = ann.get(&format!("/api/game/{}", games[1])).await.1["end"].clone();
        end["voided"] == true && end["ratingDiff"].is_null()
    })
    .await;
    let (total, marked) = listed(&ann, "").await;
    assert_eq!((total, marked.len()), (3, 1));
    assert_eq!((&marked[0]["id"], &marked[0]["first"]["diff"]), (&json!(games[1]), &Value::Null));
    for (result, count) in [("win", 1), ("loss", 2), ("draw", 0)] {
        let query = format!("result={result}&rated=true&variant={VARIANT}");
        assert_eq!(listed(&ann, &query).await.0, count, "{result}");
    }
    assert_eq!(listed(&ann, "rated=false").await.0, 0);
    let history = ann.get("/api/user/ann/rating-history").await.1;
    let points = history.as_array().expect("variants").iter();
    let points = points.filter_map(|variant| variant["points"].as_array()).flatten();
    assert_eq!(points.count(), 1, "both games were today: {history}");

    // Later games are rated from the present ratings, and earlier ones can be voided as well.
    games.push(win(&mut ann, &mut bob).await);
    check(&server);
    for (game, left) in [(&games[2], 2), (&games[0], 1), (&games[3], 0)] {
        assert_eq!(void(&mut mo, game).await.0, 200);
        assert_eq!(perf(&ann).await.1, left);
        check(&server);
    }
    assert_rating(&ann, 1500, 0).await;
    win(&mut ann, &mut bob).await;
    check(&server);
    server.stop().await;
}

/// Lets a player win a rated game against one other, and begin the next against another one.
/// Returns the ids of both games.
async fn win_and_begin(ann: &mut Player, bob: &mut Player, cat: &mut Player) -> [String; 2] {
    let first = win(ann, bob).await;
    let second = ann.start_game(cat, VARIANT, json!({})).await;
    ann.play_first_legal(&second).await;
    [first, second]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn void_during_another_rated_game_is_kept() {
    let server = start_server().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let (mut cat, mut mo) = (server.player("Cat").await, moderator(&server).await);
    let [first, second] = win_and_begin(&mut ann, &mut bob, &mut cat).await;
    assert_eq!(void(&mut mo, &first).await.0, 200);
    assert_rating(&ann, 1500, 0).await;
    assert_rating(&bob, 1500, 0).await;
    cat.play_first_legal(&second).await;
    finish(&mut ann, &mut cat, &second).await;
    assert!(perf(&ann).await.0 > 1500 && perf(&cat).await.0 < 1500);
    assert_eq!([perf(&ann).await.1, perf(&bob).await.1, perf(&cat).await.1], [1, 0, 1]);
    check(&server);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn void_and_end_at_the_same_time_both_count() {
    let server = start_server().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let (mut cat, mut mo) = (server.player("Cat").await, moderator(&server).await);
    let [first, second] = win_and_begin(&mut ann, &mut bob, &mut cat).await;
    cat.play_first_legal(&second).await;
    let path = format!("/api/board/game/{second}/resign");
    let (voided, resigned) = tokio::join!(void(&mut mo, &first), cat.post(&path, json!({})));
    assert_eq!((voided.0, resigned.0), (200, 200));
    assert_eq!([perf(&ann).await.1, perf(&bob).await.1, perf(&cat).await.1], [1, 0, 1]);
    assert!(perf(&cat).await.0 < 1500);
    check(&server);
    server.stop().await;
}

/// Ends a game, which the second side loses, at a time.
async fn resign_at(store: &Store, row: &GameRow, now_ms: i64) {
    for (seq, u) in [(1, "h5-g5"), (2, "a4-b4")] {
        store.append(move_append(row, seq, None, u)).await.expect("answer");
    }
    let end = GameEnd { status: GameStatus::Resign, winner: Some(Side::First), reason: None };
    let event = Event::Ended(end);
    let logged = LoggedEvent { seq: 3, side: Some(Side::Second), at_ms: now_ms, event };
    let events = vec![Append { game: row.key, cid: None, logged, state: None, epoch: 0 }];
    let finish = GameFinish { events, end, ending: None, plies: 2, has_both_moved: true, now_ms };
    store.finish_game(row.clone(), finish).await.expect("end");
}

/// The games are rated in an order other than that of their ends, and voided in any order.
#[tokio::test]
async fn voids_follow_the_order_in_which_games_were_rated() {
    for order in [[0, 1, 2], [1, 0, 2], [2, 0, 1], [1, 2, 0]] {
        let folder = TempDir::new().expect("folder");
        let store = open_store(folder.path()).await;
        let address = folder.path().join("sprong.db");
        let address = address.to_str().expect("path");
        let games = games_between(&store, ["Ann", "Bob"].map(str::to_owned), 3).await;
        let (bob, variant) = (games[0].players[1].account.key, games[0].setup.variant.info.key);
        let rating = async || {
            let ratings = store.ratings(bob).await.expect("ratings");
            (ratings[variant].rating, ratings[variant].games)
        };
        let mut before = 1500.0;
        let mut changes = Vec::new();
        for (row, ended_ms) in games.iter().zip([30, 20, 25]) {
            resign_at(&store, row, ended_ms).await;
            changes.push(rating().await.0 - before);
            before = rating().await.0;
        }
        assert!(changes[0] < changes[1] && changes[1] < changes[2] && changes[2] < -10.0);
        check_database(address);
        for (number, game) in order.into_iter().enumerate() {
            let moderator = Moderator::default();
            store.void_game(games[game].id, moderator, 40).await.expect("voided");
            before -= changes[game];
            let (after, left) = rating().await;
            assert!((after - before).abs() < 1e-9, "{after} in place of {before}");
            assert_eq!(left, 2 - number as i64);
            check_database(address);
        }
        assert_eq!(rating().await, (1500.0, 0));
        store.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn void_of_a_game_without_rating_change_is_refused() {
    let server = start_server().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut mo = moderator(&server).await;
    let casual = ann.start_game(&mut bob, VARIANT, json!({ "rated": false })).await;
    finish(&mut ann, &mut bob, &casual).await;
    let aborted = ann.start_game(&mut bob, VARIANT, json!({})).await;
    assert_eq!(ann.post(&format!("/api/board/game/{aborted}/abort"), json!({})).await.0, 200);
    let playing = ann.start_game(&mut bob, VARIANT, json!({})).await;
    let own = win(&mut ann, &mut mo).await;
    for (game, refusal) in [
        (casual.as_str(), (400, json!("noRatingChange"))),
        (&aborted, (400, json!("noRatingChange"))),
        (&playing, (400, json!("notOver"))),
        (&own, (403, json!("ownGame"))),
        ("aaaaaaaa", (404, Value::Null)),
        ("!", (404, Value::Null)),
    ] {
        assert_eq!(refused(void(&mut mo, game).await), refusal, "{game}");
    }
    let rated = win(&mut ann, &mut bob).await;
    assert_eq!(refused(void(&mut bob, &rated).await), (403, json!("notAdmin")));
    let path = format!("/api/admin/game/{rated}/void");
    assert_eq!(refused(mo.post(&path, json!({})).await), (400, json!("badField")));
    assert_eq!(void(&mut mo, &rated).await.0, 200);
    assert_eq!(refused(void(&mut mo, &rated).await), (409, json!("alreadyVoided")));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn subcommand_voids_a_game_of_an_open_room() {
    let server = start_server().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let mo = moderator(&server).await;
    let game = win(&mut ann, &mut bob).await;
    let mut socket = ann.socket(&format!("/ws/game/{game}")).await;
    socket.until("full").await;
    let admin = |game: &str| server.admin(&["--reason", "fixed", "void-game", game]);
    assert_eq!(admin(&game), (true, format!("{game}: void-game\n")));
    let full = socket.until("full").await;
    assert_eq!(full["d"]["end"]["voided"], true, "{full}");
    let (done, text) = admin(&game);
    assert!(!done && text.contains("the game is void already"), "{text}");
    let (done, text) = admin("aaaaaaaa");
    assert!(!done && text.contains("there is no game"), "{text}");
    let log = mo.get("/api/admin/log").await.1;
    let entry = |at: usize| {
        let entry = &log[at];
        json!([entry["action"], entry["about"], entry["game"], entry["reason"]])
    };
    assert_eq!(entry(0), json!(["void-game", "Bob", game, "fixed"]));
    assert_eq!(entry(1), json!(["void-game", "Ann", game, "fixed"]));
    // The reason may be about the other player.
    let actions = &archive(&ann).await["moderation"];
    assert_eq!([&actions[0]["action"], &actions[0]["game"]], ["void-game", &game]);
    assert!(!actions[0].to_string().contains("fixed"), "{actions:?}");
    // The game stays in the export.
    let line = ann.get("/api/user/bob/games?vs=ann").await.1["games"][0].clone();
    assert_eq!(line["voided"], true, "{line}");
    check(&server);
    server.stop().await;
}
