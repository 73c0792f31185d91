//! Games without a clock: their stored state, which lists and deadlines read instead of their logs,
//! and the outages that move their deadlines.

use crate::bots::{game_id, start_bot_game};
use crate::support::client::{Player, Server, wait_until};
use crate::support::fault_injection::{Fault, FaultInjector, run_sql};
use crate::support::process::Process;
use serde_json::{Value, json};
use sprong::store::DatabaseAddress;
use sqlx::ConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;
use std::path::Path;
use tempfile::TempDir;

pub const HOUR_MS: i64 = 3_600_000;

/// Deviation of a deadline because the test itself takes time.
pub const TOLERANCE_MS: i64 = 120_000;

/// Moves a game into the past.
pub async fn age_game(path: &Path, id: &str, by_ms: i64) {
    run_sql(
        path,
        &format!(
            "UPDATE game_journal SET at_ms = at_ms - {by_ms}
                 WHERE game_id = (SELECT key FROM game WHERE id = '{id}');
             UPDATE game SET created_ms = created_ms - {by_ms} WHERE id = '{id}';
             UPDATE turn_state SET last_ms = last_ms - {by_ms}, due_ms = due_ms - {by_ms}
                 WHERE game_id = (SELECT key FROM game WHERE id = '{id}')"
        ),
    )
    .await;
}

/// Sets the time at which the server was last alive.
pub async fn age_heartbeat(path: &Path, by_ms: i64) {
    let alive_ms = sprong::rooms::now_ms() - by_ms;
    run_sql(path, &format!("UPDATE node SET alive_ms = {alive_ms}")).await;
}

/// Returns the only value of a query.
async fn read_text(path: &Path, sql: &str) -> String {
    let options = SqliteConnectOptions::new().filename(path).read_only(true);
    let mut connection = options.connect().await.expect("database");
    let query = sqlx::query_scalar(sqlx::AssertSqlSafe(sql.to_owned()));
    query.fetch_one(&mut connection).await.expect("a value")
}

/// Checks that rows and logs agree.
pub async fn assert_agrees(path: &Path, after: &str) {
    let mut report = Vec::new();
    let checked = sprong::store::check(
        &DatabaseAddress::File(path.to_owned()),
        |why| report.push(why.to_owned()),
        |_, _| (),
    )
    .await;
    checked.expect("a readable database");
    assert!(report.is_empty(), "after {after}: {report:?}");
}

/// Starts a rated game with a day per move, in which both have moved.
pub async fn start_daily_game(one: &mut Player, two: &mut Player) -> String {
    let id = one.start_game(two, "caterpillarWar", json!({ "days": 1 })).await;
    for (player, u) in [(one, "h5-g5"), (two, "a4-b4")] {
        let path = format!("/api/board/game/{id}/move/{u}");
        assert_eq!(player.post(&path, json!({})).await.0, 200);
    }
    id
}

pub async fn state_of(player: &Player, id: &str) -> Value {
    player.get(&format!("/api/game/{id}")).await.1["state"].clone()
}

pub async fn event_count(server: &Server, id: &str) -> usize {
    let store = server.rooms.store();
    let row = store.game(&id.parse().expect("id")).await.expect("read").expect("game");
    store.events(row.key).await.expect("log").len()
}

/// Returns the time until the deadline of the only game in progress.
pub async fn time_left_ms(server: &Server, player: &Player) -> i64 {
    let account = server.rooms.store().account(&player.id).await;
    let account = account.expect("read").expect("account");
    let games = server.rooms.store().games_in_progress(account.key).await.expect("read");
    assert_eq!(games.len(), 1, "{games:?}");
    server.rooms.due_ms(&games[0]).expect("a deadline") - sprong::rooms::now_ms()
}

/// Two games whose deadline passed while the server was down: one had more time left than the
/// server was down, the other less.
#[tokio::test]
async fn outage_moves_deadline_of_game_without_room() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let (mut cas, mut dee) = (server.player("Cas").await, server.player("Dee").await);
    let kept = start_daily_game(&mut ann, &mut bob).await;
    let lost = start_daily_game(&mut cas, &mut dee).await;
    let folder = server.stop().await;
    let path = folder.path().join("sprong.db");
    age_game(&path, &kept, 30 * HOUR_MS).await;
    age_game(&path, &lost, 40 * HOUR_MS).await;
    age_heartbeat(&path, 10 * HOUR_MS).await;
    let server = Server::open(folder, &[]).await;
    (ann.addr, cas.addr) = (server.addr, server.addr);
    assert!(server.rooms.is_empty(), "a game without a clock needs no room");
    // 30 hours ago, with 24 hours for the move, of which 10 do not count.
    let expected_ms = 4 * HOUR_MS;
    assert!((time_left_ms(&server, &ann).await - expected_ms).abs() < TOLERANCE_MS);
    wait_until("the late game does not end", async || {
        state_of(&cas, &lost).await["status"] == "outoftime"
    })
    .await;
    // The outage is stored, and counts once.
    let server = server.restart().await;
    ann.addr = server.addr;
    assert!((time_left_ms(&server, &ann).await - expected_ms).abs() < TOLERANCE_MS);
    assert_eq!(event_count(&server, &kept).await, 2, "the outage needs no event");
    let list = ann.get("/api/account/playing").await.1;
    let left_ms = list["nowPlaying"][0]["secondsLeft"].as_i64().expect("seconds") * 1000;
    assert!((left_ms - expected_ms).abs() < TOLERANCE_MS, "{list}");
    assert_eq!(event_count(&server, &kept).await, 2, "a list of games stores nothing");
    assert!(server.rooms.is_empty(), "a list of games opens no room");
    // The room appends the downtimes of both starts before it answers a player.
    let full = ann.socket(&format!("/ws/game/{kept}")).await.until("full").await;
    let left_ms = full["d"]["dueBy"].as_i64().expect("a deadline") - sprong::rooms::now_ms();
    assert!((left_ms - expected_ms).abs() < TOLERANCE_MS, "{full}");
    assert_eq!(event_count(&server, &kept).await, 4);
    assert!((time_left_ms(&server, &ann).await - expected_ms).abs() < TOLERANCE_MS);
    let path = format!("/api/board/game/{kept}/move/g5-f5");
    assert_eq!(ann.post(&path, json!({})).await.0, 200);
    assert!((time_left_ms(&server, &ann).await - 24 * HOUR_MS).abs() < TOLERANCE_MS);
    let folder = server.stop().await;
    assert_agrees(&folder.path().join("sprong.db"), "the end").await;
}

/// The event that the outage causes is much later than the outage. If it cannot be stored, the time
/// between the two is no outage.
#[tokio::test]
async fn failure_to_append_an_old_outage_is_no_long_outage() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = start_daily_game(&mut ann, &mut bob).await;
    let folder = server.stop().await;
    let path = folder.path().join("sprong.db");
    age_game(&path, &id, 20 * HOUR_MS).await;
    let outage_ms = sprong::rooms::now_ms() - 5 * HOUR_MS;
    run_sql(&path, &format!("INSERT INTO outage VALUES ({outage_ms}, {outage_ms} + 120000)")).await;
    age_heartbeat(&path, 0).await;
    let server = Server::open(folder, &[]).await;
    ann.addr = server.addr;
    let mut injector = FaultInjector::open(&path).await;
    injector.inject(Fault::Before, "INSERT", "game_journal").await;
    let move_path = format!("/api/board/game/{id}/move/g5-f5");
    assert_eq!(ann.post(&move_path, json!({})).await.0, 503);
    injector.clear().await;
    injector.close().await;
    wait_until("the storage does not recover", async || {
        ann.post(&move_path, json!({})).await.0 == 200
    })
    .await;
    assert!(server.rooms.store_heartbeat().await);
    let outages = server.rooms.store().outages().await.expect("read");
    let longest_ms = outages.iter().map(|outage| outage.to_ms - outage.from_ms).max();
    assert!(longest_ms < Some(HOUR_MS), "{outages:?}");
    server.stop().await;
}

/// The state in the row is that after the log, whatever the last event is.
#[tokio::test]
async fn stored_state_follows_every_event() {
    let server = Server::start().await;
    let path = server.path();
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    for variant in sprong::variants::ALL.iter().map(|variant| variant.info.key) {
        let id = ann.start_game(&mut bob, variant, json!({ "days": 1 })).await;
        assert_agrees(&path, "the start").await;
        for _ in 0..4 {
            for player in [&mut ann, &mut bob] {
                player.play_first_legal(&id).await;
            }
            server.rooms.store().due_games(0, None).await.expect("stored states");
            assert_agrees(&path, "two moves, whose states are stored").await;
        }
        for (is_ann, action) in [
            (true, "draw/yes"),
            (false, "draw/no"),
            (true, "takeback/yes"),
            (false, "takeback/yes"),
            (true, "chat"),
            (false, "resign"),
        ] {
            let player = if is_ann { &mut ann } else { &mut bob };
            let fields = json!({ "room": "player", "text": "hello" });
            let (status, body) =
                player.post(&format!("/api/board/game/{id}/{action}"), fields).await;
            assert_eq!(status, 200, "{variant}: {action}: {body}");
            server.rooms.store().due_games(0, None).await.expect("stored states");
            assert_agrees(&path, action).await;
        }
    }
    let computer = game_id(&start_bot_game(&mut ann, 1, "hogga", json!({})).await);
    assert_agrees(&path, "the start of a game against the computer").await;
    ann.play_first_legal(&computer).await;
    let plies = async || state_of(&ann, &computer).await["moves"].as_str().map(str::len);
    wait_until("the computer does not move", async || plies().await > Some(8)).await;
    server.rooms.store().due_games(0, None).await.expect("stored states");
    assert_agrees(&path, "a move of the computer").await;
    server.stop().await;
}

#[tokio::test]
async fn stored_state_of_a_game_has_these_values() {
    let server = Server::start().await;
    let path = server.path();
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = ann.start_game(&mut bob, "caterpillarWar", json!({ "days": 1 })).await;
    for ply in 0..7 {
        let player = if ply % 2 == 0 { &mut ann } else { &mut bob };
        player.play_first_legal(&id).await;
    }
    let state = |game: &str| {
        format!(
            "SELECT turn || ' ' || (due_ms - last_ms)
                 || ' ' || (board IS NOT NULL) || ' ' || awaits_engine || ' ' || abandonable
             FROM game JOIN turn_state ON game_id = game.key WHERE game.id = '{game}'"
        )
    };
    server.rooms.store().due_games(0, None).await.expect("a read, before which states are stored");
    // After seven plies the second player has a day, and the board is protected.
    assert_eq!(read_text(&path, &state(&id)).await, "second 86400000 1 0 0");
    let computer = game_id(&start_bot_game(&mut ann, 1, "hogga", json!({})).await);
    let flags = format!(
        "SELECT awaits_engine || abandonable FROM game JOIN turn_state ON game_id = game.key
         WHERE game.id = '{computer}'"
    );
    assert_eq!(read_text(&path, &flags).await, "01", "the person begins");
    // The end deletes the state, also one that is not yet stored.
    bob.play_first_legal(&id).await;
    assert_eq!(ann.post(&format!("/api/board/game/{id}/resign"), json!({})).await.0, 200);
    server.rooms.store().due_games(0, None).await.expect("stored states");
    let over = format!(
        "SELECT '' || count(*) FROM game JOIN turn_state ON game_id = game.key
         WHERE game.id = '{id}'"
    );
    assert_eq!(read_text(&path, &over).await, "0");
    server.stop().await;
}

/// A game without a deadline ends by the absence of its player, to which an outage does not count.
#[tokio::test]
async fn outage_stays_stored_for_a_game_without_deadline() {
    let server = Server::start().await;
    let mut guest = server.guest().await;
    let id = game_id(&start_bot_game(&mut guest, 1, "hogga", json!({})).await);
    let folder = server.stop().await;
    let path = folder.path().join("sprong.db");
    age_game(&path, &id, 25 * HOUR_MS).await;
    age_heartbeat(&path, 22 * HOUR_MS).await;
    let server = Server::open(folder, &[]).await.restart().await;
    let outages = server.rooms.store().outages().await.expect("read");
    let has_long = outages.iter().any(|outage| outage.to_ms - outage.from_ms > 21 * HOUR_MS);
    assert!(has_long, "{outages:?}");
    server.stop().await;
}

/// A connection that opens between a move and its reply has a count without the reply, and one that
/// is there already has no news.
#[tokio::test]
async fn reply_within_a_second_is_told_to_a_connection_between() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let games =
        [start_daily_game(&mut ann, &mut bob).await, start_daily_game(&mut ann, &mut bob).await];
    let mut early = ann.socket("/ws/me").await;
    assert_eq!(early.until("hello").await["d"]["turns"], 2);
    let path = |game: &str, u: &str| format!("/api/board/game/{game}/move/{u}");
    assert_eq!(ann.post(&path(&games[0], "g5-f5"), json!({})).await.0, 200);
    let mut late = ann.socket("/ws/me").await;
    assert_eq!(late.until("hello").await["d"]["turns"], 1);
    assert_eq!(bob.post(&path(&games[0], "b4-c4"), json!({})).await.0, 200);
    assert_eq!(late.until("turns").await["d"]["n"], 2);
    // The next number that the first connection gets is that after another move.
    assert_eq!(ann.post(&path(&games[1], "g5-f5"), json!({})).await.0, 200);
    for socket in [&mut early, &mut late] {
        assert_eq!(socket.until("turns").await["d"]["n"], 1);
    }
    server.stop().await;
}

/// A migration leaves games without a state; the next start reads their logs once.
#[tokio::test]
async fn games_of_an_earlier_version_get_their_state() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    start_daily_game(&mut ann, &mut bob).await;
    start_bot_game(&mut bob, 1, "hogga", json!({})).await;
    let folder = server.stop().await;
    let path = folder.path().join("sprong.db");
    run_sql(
        &path,
        "INSERT INTO game_without_state SELECT game_id FROM turn_state; DELETE FROM turn_state",
    )
    .await;
    let server = Server::open(folder, &[]).await;
    (ann.addr, bob.addr) = (server.addr, server.addr);
    assert_agrees(&path, "the start").await;
    assert_eq!(ann.get("/api/account").await.1["turns"], 1);
    assert_eq!(bob.get("/api/account").await.1["turns"], 0);
    server.stop().await;
}

#[tokio::test]
async fn numbers_of_games_to_move_are_those_of_each_account() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let cas = server.player("Cas").await;
    for _ in 0..2 {
        start_daily_game(&mut ann, &mut bob).await;
    }
    let id = bob.start_game(&mut ann, "caterpillarWar", json!({ "days": 1 })).await;
    let over = ann.start_game(&mut bob, "hogga", json!({ "days": 2 })).await;
    assert_eq!(ann.post(&format!("/api/board/game/{over}/abort"), json!({})).await.0, 200);
    let clock = json!({ "clock.limit": 300, "clock.increment": 0 });
    ann.start_game(&mut bob, "hogga", clock).await;
    start_bot_game(&mut ann, 1, "hogga", json!({ "days": 1 })).await;
    let store = server.rooms.store();
    let mut accounts = Vec::new();
    for player in [&ann, &bob, &cas] {
        accounts.push(store.account(&player.id).await.expect("read").expect("account").key);
    }
    for expected in [[2, 1, 0], [3, 0, 0]] {
        let mut numbers = Vec::new();
        let of_all = store.count_games_to_move_of(&accounts).await.expect("read");
        for account in &accounts {
            let (_, number) = of_all.iter().find(|(key, _)| key == account).expect("a number");
            assert_eq!(store.count_games_to_move(*account).await.expect("read"), *number);
            numbers.push(*number);
        }
        assert_eq!(numbers, expected);
        let path = format!("/api/board/game/{id}/move/h5-g5");
        bob.post(&path, json!({})).await;
    }
    server.stop().await;
}

/// A crash leaves states that are older than the events. The start reads the logs of these games,
/// also on a copy.
#[tokio::test]
async fn states_are_current_after_a_crash() {
    let folder = TempDir::new().expect("folder");
    let path = folder.path().join("sprong.db");
    let mut server = Process::start(&path, &[]).await;
    let mut ann = Player::register(server.addr, "Ann").await;
    let mut bob = Player::register(server.addr, "Bob").await;
    let id = start_daily_game(&mut ann, &mut bob).await;
    let old = "SELECT '' || count(*) FROM game_journal
               WHERE id > (SELECT journal_id FROM stored_states)";
    // Unless the states are stored between the move and the crash.
    for u in ["g5-f5", "b4-c4", "f5-e5"] {
        let player = if u == "b4-c4" { &mut bob } else { &mut ann };
        let move_path = format!("/api/board/game/{id}/move/{u}");
        assert_eq!(player.post(&move_path, json!({})).await.0, 200);
        server.kill();
        if read_text(&path, old).await != "0" {
            break;
        }
        server.restart().await;
    }
    assert_ne!(read_text(&path, old).await, "0", "the states are older than the events");
    assert_agrees(&path, "the crash").await;
    let copy = folder.path().join("copy.db");
    let addresses = [&path, &copy].map(|path| DatabaseAddress::File(path.clone()));
    for _ in 0..2 {
        let copied = sprong::store::copy(&addresses[0], &addresses[1], |_, _| ()).await;
        copied.expect("a copy");
    }
    let last_mover = "SELECT side FROM game_journal ORDER BY id DESC LIMIT 1";
    let is_anns = read_text(&path, last_mover).await == "second";
    let expected = if is_anns { "first" } else { "second" };
    for database in [copy, path] {
        let mut server = Process::start(&database, &[]).await;
        for (player, side) in [(&mut ann, "first"), (&mut bob, "second")] {
            player.addr = server.addr;
            let turns = &player.get("/api/account").await.1["turns"];
            assert_eq!(*turns, u64::from(side == expected), "{side} of {}", database.display());
        }
        let stored = read_text(&database, "SELECT turn FROM turn_state").await;
        assert_eq!(stored, expected, "{}", database.display());
        let left = "SELECT '' || count(*) FROM game_without_state";
        assert_eq!(read_text(&database, left).await, "0");
        assert!(server.terminate().success());
        assert_eq!(read_text(&database, old).await, "0", "a stop stores the states");
        assert_agrees(&database, "the stop").await;
    }
}
