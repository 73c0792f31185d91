//! Removal of expired sessions, of challenges that ended without a game, and of guests to whom no
//! row refers, while others play.

use crate::support::client::{Player, Server, env_number};
use crate::support::database::Database;
use serde_json::{Value, json};
use sprong::rooms::{Removed, now_ms};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const DAY_MS: i64 = 86_400_000;

/// Default number of guests with a session that are removed (`SPRONG_OLD_GUESTS`).
const GUESTS: u64 = 10_000;

/// Number of challenges that are removed.
const CHALLENGES: u64 = 2_000;

/// Longest pause of a move during the removal: as long as a player hardly notices one.
const PAUSE_MAX: Duration = Duration::from_secs(2);

/// Plies of a game, fewer than a repetition takes.
const PLIES: usize = 6;

/// Inserts guests who came last 100 days ago, each with a session.
async fn insert_guests(database: &Database, count: u64) {
    let seen_ms = now_ms() - 100 * DAY_MS;
    let (key, numbers) = match database {
        Database::Sqlite(_) => (
            "randomblob(16)",
            format!(
                "WITH RECURSIVE number (n) AS
                     (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < {count})"
            ),
        ),
        Database::Postgres(_) => (
            "gen_random_uuid()",
            format!("WITH number AS (SELECT n FROM generate_series(1, {count}) AS n)"),
        ),
    };
    let insert = format!(
        "INSERT INTO account (key, id, name, guest, created_ms, seen_ms)
         {numbers} SELECT {key}, '~old-' || n, 'Old', TRUE, {seen_ms}, {seen_ms} + n FROM number;"
    );
    let hash = match database {
        Database::Sqlite(_) => "randomblob(32)",
        Database::Postgres(_) => "decode(md5(id) || md5(id), 'hex')",
    };
    let sessions = format!(
        "INSERT INTO session (hash, account, created_ms, seen_ms)
         SELECT {hash}, key, created_ms, seen_ms FROM account WHERE id LIKE '~old-%';"
    );
    database.clone().run(&(insert + &sessions)).await;
}

/// Makes guests, accounts and challenges 100 days old.
async fn age_all(server: &Server) {
    let by_ms = 100 * DAY_MS;
    let sql = format!(
        "UPDATE account SET created_ms = created_ms - {by_ms}, seen_ms = seen_ms - {by_ms};
         UPDATE session SET created_ms = created_ms - {by_ms}, seen_ms = seen_ms - {by_ms};
         UPDATE challenge SET created_ms = created_ms - {by_ms}, expires_ms = expires_ms - {by_ms};"
    );
    server.database().await.run(&sql).await;
}

/// Plays a game without its end. Returns the time of each move.
async fn play_game(ann: &mut Player, bob: &mut Player) -> Vec<Duration> {
    let id = ann.start_game(bob, "hogga", json!({ "rated": false, "clock.limit": 300 })).await;
    let mut times = Vec::new();
    for ply in 0..PLIES {
        let began = Instant::now();
        let player = if ply % 2 == 0 { &mut *ann } else { &mut *bob };
        player.play_first_legal(&id).await;
        times.push(began.elapsed());
    }
    let (status, body) = ann.post(&format!("/api/board/game/{id}/resign"), json!({})).await;
    assert_eq!(status, 200, "{body}");
    times
}

/// Returns the median and the 99th percentile.
fn summary(mut times: Vec<Duration>) -> [Duration; 2] {
    times.sort_unstable();
    [times[times.len() / 2], times[times.len() * 99 / 100]]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn guests_and_sessions_are_removed_while_others_play() {
    let count = env_number("SPRONG_OLD_GUESTS", GUESTS);
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    insert_guests(&server.database().await, count).await;
    let is_over = Arc::new(AtomicBool::new(false));
    let removing = tokio::spawn({
        let (rooms, is_over) = (server.rooms.clone(), is_over.clone());
        async move {
            let removed = rooms.remove_old_rows(now_ms()).await;
            is_over.store(true, Ordering::Relaxed);
            removed
        }
    });
    let mut times = Vec::new();
    while !is_over.load(Ordering::Relaxed) {
        times.extend(play_game(&mut ann, &mut bob).await);
    }
    removing.await.expect("a task").expect("stored");
    let mut later = Vec::new();
    while later.len() < times.len() {
        later.extend(play_game(&mut ann, &mut bob).await);
    }
    // Transactions are small enough that play goes on between them.
    let moves = times.len();
    assert!(moves > 100, "{moves} moves");
    let longest = times.iter().max().copied().unwrap_or_default();
    let [during, after] = [summary(times), summary(later)];
    println!("{moves} moves: {during:?}, at most {longest:?}, during the removal; then {after:?}");
    assert!(longest < PAUSE_MAX, "a move took {longest:?}");
    assert_eq!(server.database().await.old_guest_count().await, [0, 0]);
    assert_eq!((ann.get("/api/account").await.0, bob.get("/api/account").await.0), (200, 200));
    assert_eq!(server.rooms.remove_old_rows(now_ms()).await.expect("stored"), Removed::default());
    server.stop().await;
}

/// A guest is kept as long as a row of another table refers to the account.
#[tokio::test]
async fn guests_with_traces_are_kept() {
    let server = Server::start().await;
    let mut ann = server.player("Ann").await;
    let mut guests: Vec<(&str, Player)> = Vec::new();
    let kinds = json!({ "myTurn": false, "challenge": true, "gameStart": true });
    let traces =
        ["nothing", "push", "game", "link", "blocks", "blocked", "reports", "reported", "open"];
    for trace in traces {
        guests.push((trace, server.guest().await));
    }
    let ids: Vec<String> = guests.iter().map(|(_, guest)| guest.id.clone()).collect();
    for (trace, guest) in &mut guests {
        let (own, about_ann) = (guest.id.clone(), json!({ "username": "Ann", "reason": "abuse" }));
        let (status, body) = match *trace {
            "game" => {
                let fields = json!({ "rated": false, "clock.limit": 300 });
                let id = guest.start_game(&mut ann, "hogga", fields).await;
                guest.post(&format!("/api/board/game/{id}/abort"), json!({})).await
            }
            // Settings of push messages alone keep nobody.
            "push" => guest.post("/api/push/kinds", kinds.clone()).await,
            "link" => guest.post("/api/account/link", json!({})).await,
            "blocks" => guest.post("/api/rel/block/ann", json!({})).await,
            "blocked" => ann.post(&format!("/api/rel/block/{own}"), json!({})).await,
            "reports" => guest.post("/api/report", about_ann).await,
            "reported" => {
                ann.post("/api/report", json!({ "username": own, "reason": "abuse" })).await
            }
            // It stays open longer than guests are kept.
            "open" => {
                let fields = json!({ "variant": "hogga", "rated": false });
                let id = guest.challenge(fields).await;
                (200, json!(id))
            }
            _ => (200, Value::Null),
        };
        assert!(status < 300, "{trace}: {status} {body}");
    }
    age_all(&server).await;
    server
        .database()
        .await
        .run("UPDATE challenge SET expires_ms = 9000000000000 WHERE status = 10")
        .await;
    let removed = server.rooms.remove_old_rows(now_ms()).await.expect("stored");
    assert_eq!(removed.guests, 2, "{removed:?}");
    for (id, (trace, _)) in ids.iter().zip(&guests) {
        let (status, _) = ann.get(&format!("/api/user/{id}")).await;
        let is_removed = ["nothing", "push"].contains(trace);
        assert_eq!(status, if is_removed { 404 } else { 200 }, "{trace}");
    }
    // The guest's challenge ends, and both are removed.
    let sql = "UPDATE challenge SET status = 20, expires_ms = 1000 WHERE status = 10";
    server.database().await.run(sql).await;
    let removed = server.rooms.remove_old_rows(now_ms()).await.expect("stored");
    assert_eq!((removed.challenges, removed.guests), (1, 1), "{removed:?}");
    server.stop().await;
}

#[tokio::test]
async fn ended_challenges_without_a_game_are_removed() {
    let server = Server::start_with(&["--retention", "10"]).await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let terms = json!({ "variant": "hogga", "rated": false, "days": 3 });
    let game = ann.start_game(&mut bob, "hogga", json!({ "days": 3, "rated": false })).await;
    let mut standing = terms.clone();
    standing["standing"] = json!(true);
    let unused = ann.challenge(standing.clone()).await;
    let [open, canceled, several] = [
        ann.challenge(terms.clone()).await,
        ann.challenge(terms.clone()).await,
        ann.challenge(standing).await,
    ];
    assert_eq!(bob.accept(&several).await.0, 200);
    for id in [&canceled, &several, &unused] {
        let (status, body) = ann.post(&format!("/api/challenge/{id}/cancel"), json!({})).await;
        assert_eq!(status, 200, "{body}");
    }
    let database = server.database().await;
    // An accepted challenge has the terms of the rematch.
    let day = |days: i64| {
        let expired_ms = now_ms() - days * DAY_MS;
        format!("UPDATE challenge SET expires_ms = {expired_ms} WHERE status <> 10")
    };
    database.clone().run(&day(9)).await;
    let none = server.rooms.remove_old_rows(now_ms()).await.expect("stored");
    assert_eq!(none.challenges, 0);
    server.database().await.run(&day(11)).await;
    let removed = server.rooms.remove_old_rows(now_ms()).await.expect("stored");
    assert_eq!(removed.challenges, 2);
    for (id, status) in
        [(&open, 200), (&canceled, 404), (&unused, 404), (&several, 200), (&game, 200)]
    {
        assert_eq!(ann.get(&format!("/api/challenge/{id}/show")).await.0, status, "{id}");
    }
    // Many are removed in several transactions.
    let key = match &server.database().await {
        Database::Sqlite(_) => "randomblob(16)",
        Database::Postgres(_) => "gen_random_uuid()",
    };
    let columns = "maker, kind, plays, paces, rated, acceptor_terms, maker_terms, standing,
                   program, same_board, seed, salt, created_ms";
    let sql = format!(
        "INSERT INTO challenge (key, id, status, expires_ms, {columns})
         WITH RECURSIVE number (n) AS
             (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < {CHALLENGES})
         SELECT {key}, 'x' || n, 50, 0, {columns} FROM number, challenge WHERE id = '{open}'"
    );
    server.database().await.run(&sql).await;
    let removed = server.rooms.remove_old_rows(now_ms()).await.expect("stored");
    assert_eq!(removed.challenges, CHALLENGES);
    server.stop().await;
}
