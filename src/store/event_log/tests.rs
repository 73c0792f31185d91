//! Generated sequences of appends, packing and restarts against a list per game.
//!
//! Further tests cover failed appends and damaged logs, which must affect no other game. Caller:
//! `cargo test`.

use super::journal::Journal;
use super::tails::SharedTails;
use super::{
    Append, Appended, EventLog, JournalRows, Logs, SELECT_PACKED, finish_log,
    games_with_old_states, select_packed,
};
use crate::play::event::{ChatRoom, Event, LoggedEvent};
use crate::rules::Side;
use crate::store::batch::Batch;
use crate::store::sql::Conn;
use crate::store::turn_state::TurnState;
use crate::store::{GameKey, Store, StoreError};
use smol_str::format_smolstr;
use sqlx::ConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;
use std::path::Path;
use tempfile::TempDir;
use uuid::Uuid;

const GAMES: usize = 3;

async fn load_log(connection: &mut Conn, game: GameKey) -> Result<EventLog, StoreError> {
    JournalRows::load(connection, game..=game).await?.take_log(connection, game).await
}

/// Creates a database with games without events.
async fn create_games(path: &Path) -> Vec<GameKey> {
    Store::open(path).await.expect("store").close().await;
    let mut connection = connect(path).await;
    let account = Uuid::now_v7();
    let sql = "INSERT INTO account (key, id, name, guest, created_ms) VALUES ($1, 'a', 'A', 1, 0)";
    connection.query(sql).bind(account).execute().await.expect("account");
    let games: Vec<GameKey> = (0..GAMES).map(|_| GameKey::new()).collect();
    for game in &games {
        let sql = "INSERT INTO game (key, id, variant, options, seed, rated, first, second,
                       first_rating, second_rating, first_provisional, second_provisional,
                       created_ms, status)
                   VALUES ($1, hex($1), 'a', '', 0, 0, $2, $2, 0, 0, 0, 0, 0, 20)";
        connection.query(sql).bind(*game).bind(account).execute().await.expect("game");
    }
    connection.close().await.expect("closed");
    games
}

async fn connect(path: &Path) -> Conn {
    let options = SqliteConnectOptions::new().filename(path);
    options.connect().await.expect("database").into()
}

fn open(path: &Path) -> (Journal, SharedTails) {
    let tails = SharedTails::default();
    (Journal::open(path, tails.clone()).expect("journal"), tails)
}

/// Returns an event of one of the kinds that are packed differently.
fn event(seq: i64, random: u64) -> LoggedEvent {
    let event = match random % 4 {
        0 => Event::DrawOffered,
        1 => Event::Moved { u: format_smolstr!("a1-b{seq}"), lag_ms: 7 },
        _ => Event::Moved { u: format_smolstr!("a1-b{seq}"), lag_ms: 0 },
    };
    let side = [None, Some(Side::First), Some(Side::Second)][random as usize % 3];
    LoggedEvent { seq, side, at_ms: 1_000 * seq + (random % 900) as i64, event }
}

/// Returns the result that an append to a game with this log should have.
fn expected(log: &EventLog, append: &Append) -> Appended {
    let repeated = log.iter().find(|(_, cid)| cid.is_some() && *cid == append.cid);
    match repeated {
        Some((logged, _)) => Appended::Repeated(logged.seq),
        None if append.logged.seq == log.len() as i64 + 1 => Appended::Accepted,
        None => Appended::Conflict,
    }
}

#[tokio::test]
async fn journal_agrees_with_a_list_per_game() {
    let folder = TempDir::new().expect("folder");
    let path = folder.path().join("sprong.db");
    let games = create_games(&path).await;
    let (mut journal, mut tails) = open(&path);
    let mut logs: Vec<EventLog> = vec![Vec::new(); GAMES];
    let mut outcomes = [0; 3];
    let mut seed: u64 = 1;
    for step in 0..3_000 {
        // The constants of Knuth's linear congruential generator.
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let random = seed >> 33;
        match random % 50 {
            0 => (journal, tails) = open(&path),
            1 | 2 => journal.pack_games(&games[..random as usize % GAMES]).expect("packed"),
            _ => {
                let batch: Vec<usize> =
                    (0..1 + random as usize % 4).map(|at| (at + step) % GAMES).collect();
                let mut appends = Vec::new();
                let mut answers = Vec::new();
                for at in batch {
                    let (log, wrong) = (&mut logs[at], random % 11);
                    let seq = log.len() as i64 + if wrong == 1 { 2 } else { i64::from(wrong != 2) };
                    let known =
                        log.get(random as usize % log.len().max(1)).and_then(|(_, cid)| *cid);
                    let cid = if wrong == 3 { known } else { (wrong != 4).then(Uuid::now_v7) };
                    let append = Append {
                        game: games[at],
                        cid,
                        logged: event(seq, random),
                        state: None,
                        epoch: 0,
                    };
                    let answer = expected(log, &append);
                    outcomes[match answer {
                        Appended::Accepted => 0,
                        Appended::Repeated(_) => 1,
                        Appended::Conflict => 2,
                    }] += 1;
                    if answer == Appended::Accepted {
                        log.push((append.logged.clone(), cid));
                    }
                    appends.push(append);
                    answers.push(answer);
                }
                assert_eq!(journal.append(&appends).expect("stored"), answers, "step {step}");
            }
        }
        if step % 100 == 0 {
            let mut connection = connect(&path).await;
            for (game, log) in games.iter().zip(&logs) {
                assert_eq!(&load_log(&mut connection, *game).await.expect("log"), log);
            }
        }
    }
    assert!(outcomes.iter().all(|count| *count > 50), "{outcomes:?}");
    drop(tails);
    journal.pack_games(&games).expect("packed");
    for seq in 1..100 {
        let append = Append {
            game: games[0],
            cid: None,
            logged: event(logs[0].len() as i64 + seq, 2),
            state: None,
            epoch: 0,
        };
        journal.append(&[append]).expect("stored");
    }
    let mut connection = connect(&path).await;
    let rows: i64 =
        connection.query("SELECT count(*) FROM game_journal").value().await.expect("count");
    assert!(rows < 200, "packed rows are deleted: {rows} remain");
}

/// Returns the stored turns, and the number of games whose logs a start would read.
async fn stored_turns(path: &Path) -> (Vec<String>, usize) {
    let mut connection = connect(path).await;
    let sql = "SELECT turn FROM turn_state WHERE game_id > x'' ORDER BY turn";
    let turns: Vec<String> = connection.query(sql).values().await.expect("turns");
    let old = games_with_old_states(&mut connection).await.expect("games");
    connection.close().await.expect("closed");
    (turns, old.len())
}

async fn run(path: &Path, sql: &'static str) {
    let mut connection = connect(path).await;
    connection.query(sql).execute().await.expect("done");
    connection.close().await.expect("closed");
}

#[tokio::test]
async fn states_are_stored_when_asked_for() {
    let folder = TempDir::new().expect("folder");
    let path = folder.path().join("sprong.db");
    let games = create_games(&path).await;
    let (mut journal, tails) = open(&path);
    let append = |at: usize, seq, turn: Option<Side>| {
        let state = turn.map(TurnState::new_in_test);
        Append { game: games[at], cid: None, logged: event(seq, 2), state, epoch: 0 }
    };
    let appends = [append(0, 1, Some(Side::First)), append(1, 1, Some(Side::Second))];
    journal.append(&appends).expect("stored");
    // A refused event changes no state.
    let late = journal.append(&[append(0, 1, Some(Side::Second))]).expect("answer");
    assert_eq!(late, [Appended::Conflict]);
    assert_eq!(stored_turns(&path).await, (Vec::new(), 2));
    // A crash: the start of the server has to read both logs, also a second one.
    drop(tails);
    for _ in 0..2 {
        drop(open(&path));
        assert_eq!(stored_turns(&path).await, (Vec::new(), 2));
    }
    run(&path, "DELETE FROM game_without_state WHERE game_id > x''").await;
    let (mut journal, _) = open(&path);
    assert_eq!(stored_turns(&path).await.1, 0);
    journal.append(&[append(0, 2, Some(Side::Second))]).expect("stored");
    journal.store_states().expect("stored");
    assert_eq!(stored_turns(&path).await, (vec!["second".to_owned()], 0));
}

/// The journal may be empty, and its rows are deleted at any time: what a start needs stays.
#[tokio::test]
async fn events_that_are_missing_in_the_states_stay_in_the_journal() {
    let folder = TempDir::new().expect("folder");
    let path = folder.path().join("sprong.db");
    let games = create_games(&path).await;
    // The other games have a clock, and no state.
    run(&path, "UPDATE game SET initial_ms = 1000, increment_ms = 0 WHERE key > x''").await;
    let mut connection = connect(&path).await;
    let sql = "UPDATE game SET initial_ms = NULL, increment_ms = NULL WHERE key = $1";
    connection.query(sql).bind(games[1]).execute().await.expect("no clock");
    let (mut journal, _tails) = open(&path);
    let append = |game: usize, seq, has_state: bool| {
        let state = has_state.then(|| TurnState::new_in_test(Side::First));
        Append { game: games[game], cid: None, logged: event(seq, 2), state, epoch: 0 }
    };
    for seq in 1..=200 {
        journal.append(&[append(0, seq, false)]).expect("stored");
    }
    journal.append(&[append(1, 1, true)]).expect("stored");
    journal.store_states().expect("stored");
    journal.append(&[append(1, 2, true)]).expect("stored");
    journal.pack_games(&games).expect("packed");
    for seq in 201..=400 {
        journal.append(&[append(0, seq, false)]).expect("stored");
    }
    journal.pack_games(&games).expect("packed");
    journal.append(&[append(0, 401, false)]).expect("stored");
    assert_eq!(stored_turns(&path).await.1, 1, "the second event of the second game");
    journal.store_states().expect("stored");
    for seq in 402..=410 {
        journal.append(&[append(0, seq, false)]).expect("stored");
    }
    let rows: i64 =
        connection.query("SELECT count(*) FROM game_journal").value().await.expect("count");
    assert!(rows < 100, "{rows} rows");
    connection.close().await.expect("closed");
    run(&path, "DELETE FROM game_journal WHERE id > 0").await;
    let (mut journal, _tails) = open(&path);
    journal.append(&[append(1, 3, true)]).expect("stored");
    assert_eq!(stored_turns(&path).await.1, 1, "its id is greater than those before");
}

#[tokio::test]
async fn failure_to_store_states_keeps_them() {
    let folder = TempDir::new().expect("folder");
    let path = folder.path().join("sprong.db");
    let games = create_games(&path).await;
    let (mut journal, tails) = open(&path);
    let state = Some(TurnState::new_in_test(Side::Second));
    let append = |seq| Append { game: games[0], cid: None, logged: event(seq, 2), state, epoch: 0 };
    journal.append(&[append(1)]).expect("stored");
    run(
        &path,
        "CREATE TRIGGER fault BEFORE INSERT ON turn_state BEGIN SELECT RAISE(FAIL, 'a fault'); END",
    )
    .await;
    journal.store_states().expect_err("a fault");
    assert!(tails.read().has_unstored_states());
    assert_eq!(stored_turns(&path).await, (Vec::new(), 1));
    // An append that fails leaves no state.
    run(
        &path,
        "CREATE TRIGGER second BEFORE INSERT ON game_journal
         BEGIN SELECT RAISE(FAIL, 'a fault'); END",
    )
    .await;
    let other = Append { game: games[1], ..append(1) };
    journal.append(&[other]).expect_err("a fault");
    run(&path, "DROP TRIGGER fault").await;
    run(&path, "DROP TRIGGER second").await;
    journal.store_states().expect("stored");
    assert_eq!(stored_turns(&path).await, (vec!["second".to_owned()], 0));
    assert!(!tails.read().has_unstored_states());
}

#[tokio::test]
async fn failed_append_changes_neither_file_nor_memory() {
    let folder = TempDir::new().expect("folder");
    let path = folder.path().join("sprong.db");
    let games = create_games(&path).await;
    let (mut journal, tails) = open(&path);
    let append =
        |game, seq| Append { game, cid: None, logged: event(seq, 2), state: None, epoch: 0 };
    journal.append(&[append(games[0], 1)]).expect("stored");
    let mut connection = connect(&path).await;
    let trigger = "CREATE TRIGGER fault AFTER INSERT ON game_journal WHEN new.seq = 2
                   BEGIN SELECT RAISE(FAIL, 'a fault'); END";
    connection.query(trigger).execute().await.expect("trigger");
    let batch = [append(games[1], 1), append(games[0], 2)];
    journal.append(&batch).expect_err("a fault");
    assert_eq!(tails.read().rows(games[0]).len(), 1);
    assert_eq!(tails.read().rows(games[1]).len(), 0);
    assert!(load_log(&mut connection, games[1]).await.expect("log").is_empty());
    connection.query("DROP TRIGGER fault").execute().await.expect("no trigger");
    let appended = journal.append(&batch).expect("stored");
    assert_eq!(appended, [Appended::Accepted; 2]);
}

#[tokio::test]
async fn end_of_a_game_packs_its_log_and_keeps_the_last_commands() {
    let folder = TempDir::new().expect("folder");
    let path = folder.path().join("sprong.db");
    let games = create_games(&path).await;
    let (mut journal, tails) = open(&path);
    let append = |seq| Append {
        game: games[0],
        cid: Some(Uuid::now_v7()),
        logged: event(seq, 2),
        state: None,
        epoch: 0,
    };
    for seq in 1..=4 {
        journal.append(&[append(seq)]).expect("stored");
    }
    let mut connection = connect(&path).await;
    connection.query("BEGIN").execute().await.expect("transaction");
    let mut batch = Batch::default();
    let logs = Logs::Sqlite(tails.clone());
    let late = [append(4)];
    let conflict = finish_log(&mut connection, &mut batch, &logs, &late).await.expect("answer");
    assert_eq!(conflict, Appended::Conflict);
    let last = [append(5), append(6)];
    let done = finish_log(&mut connection, &mut batch, &logs, &last).await.expect("answer");
    assert_eq!(done, Appended::Accepted);
    batch.execute(&mut connection).await.expect("stored");
    connection.query("COMMIT").execute().await.expect("commit");
    tails.finish(games[0]);
    let log = load_log(&mut connection, games[0]).await.expect("log");
    let commands: Vec<bool> = log.iter().map(|(_, cid)| cid.is_some()).collect();
    assert_eq!(commands, [false, false, true, true, true, true]);
    // A repeated command and an event that comes too late are recognized after the end, too.
    let repeated = Append { cid: log[5].1, ..append(7) };
    let late = [repeated, append(6), append(7)];
    assert_eq!(
        journal.append(&late).expect("answer"),
        [Appended::Repeated(6), Appended::Conflict, Appended::Accepted]
    );
}

#[tokio::test]
async fn unreadable_log_affects_no_other_game_and_is_kept() {
    let folder = TempDir::new().expect("folder");
    let path = folder.path().join("sprong.db");
    let games = create_games(&path).await;
    let (mut journal, _) = open(&path);
    let append =
        |game, seq| Append { game, cid: None, logged: event(seq, 2), state: None, epoch: 0 };
    journal.append(&[append(games[0], 1), append(games[1], 1)]).expect("stored");
    journal.pack_games(&games[..1]).expect("packed");
    journal.append(&[append(games[0], 2)]).expect("stored");
    let mut connection = connect(&path).await;
    let damage = "UPDATE game_log SET events = 'nonsense' WHERE game_id = $1";
    connection.query(damage).bind(games[0]).execute().await.expect("damaged");
    let (mut journal, _) = open(&path);
    journal.pack_games(&games[..2]).expect("packed");
    let text = select_packed(connection.query(SELECT_PACKED), games[0]).await;
    let text = text.expect("read").expect("a row");
    assert!(text.contains("nonsense") && text.contains("a1-b2"), "{text}");
    assert_eq!(load_log(&mut connection, games[1]).await.expect("log").len(), 1);
    connection.query(damage).bind(games[0]).execute().await.expect("damaged");
    let appended = journal.append(&[append(games[0], 3), append(games[1], 2)]).expect("stored");
    assert_eq!(appended, [Appended::Conflict, Appended::Accepted]);
}

#[tokio::test]
async fn chat_in_deleted_rows_is_overwritten() {
    const TEXT: &str = "quokkas";
    let folder = TempDir::new().expect("folder");
    let path = folder.path().join("sprong.db");
    let games = create_games(&path).await;
    let (mut journal, _tails) = open(&path);
    let said = |seq| {
        let (room, name) = (ChatRoom::Player, "Ann".to_owned());
        let event = Event::Said { room, name, text: format!("{TEXT} {}", "!".repeat(300)) };
        LoggedEvent { seq, side: None, at_ms: seq, event }
    };
    let mut append = |game: usize, logged| {
        let append = Append { game: games[game], cid: None, logged, state: None, epoch: 0 };
        assert_eq!(journal.append(&[append]).expect("appended"), [Appended::Accepted]);
    };
    (1..=128).for_each(|seq| append(0, said(seq)));
    journal.pack_games(&games[..1]).expect("packed");
    // A longer log leaves the pages of the row before.
    let logged = event(129, 2);
    let append = Append { game: games[0], cid: None, logged, state: None, epoch: 0 };
    journal.append(&[append]).expect("appended");
    journal.pack_games(&games[..1]).expect("packed again");
    let mut append = |logged| {
        let append = Append { game: games[1], cid: None, logged, state: None, epoch: 0 };
        journal.append(&[append]).expect("appended");
    };
    (1..=200).for_each(|seq| append(event(seq, 2)));
    drop(journal);
    let mut connection = connect(&path).await;
    let sql = "SELECT count(*) FROM game_journal WHERE id > 0 AND instr(payload, $1) > 0";
    let count: i64 = connection.query(sql).bind(TEXT).value().await.expect("count");
    assert_eq!(count, 0, "the rows are deleted");
    // The packed log has the texts as well.
    connection.query("PRAGMA secure_delete = ON").execute().await.expect("setting");
    connection.query("DELETE FROM game_log WHERE id > 0").execute().await.expect("deleted");
    connection.close().await.expect("closed");
    let bytes = std::fs::read(&path).expect("file");
    let found = bytes.windows(TEXT.len()).filter(|window| *window == TEXT.as_bytes()).count();
    assert_eq!(found, 0, "the file has deleted texts");
}
