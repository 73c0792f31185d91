//! Vacations, which postpone the deadlines of moves in games with days per move.

use crate::erasure::archive;
use crate::games_without_clock::{
    HOUR_MS, TOLERANCE_MS, age_game, age_heartbeat, assert_agrees, event_count, start_daily_game,
    state_of, time_left_ms,
};
use crate::support::client::{Player, Server, refused, wait_until};
use crate::support::fault_injection::run_sql;
use serde_json::{Value, json};

const DAY_MS: i64 = 24 * HOUR_MS;

async fn take(player: &mut Player, days: i64) -> Value {
    let (status, body) = player.post("/api/account/vacation", json!({ "days": days })).await;
    assert_eq!(status, 200, "{body}");
    body
}

/// Checks that a time is `days` days from now.
fn assert_days_from_now(at: &Value, days: i64) {
    let left_ms = at.as_i64().expect("a time") - sprong::rooms::now_ms();
    assert!((left_ms - days * DAY_MS).abs() < TOLERANCE_MS, "{at}: {left_ms} ms, not {days} days");
}

async fn play(player: &mut Player, id: &str, u: &str) {
    let (status, body) = player.post(&format!("/api/board/game/{id}/move/{u}"), json!({})).await;
    assert_eq!(status, 200, "{body}");
}

async fn full(player: &Player, id: &str) -> Value {
    player.socket(&format!("/ws/game/{id}")).await.until("full").await["d"].clone()
}

#[tokio::test]
async fn vacation_postpones_the_deadline_of_the_own_move() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = start_daily_game(&mut ann, &mut bob).await;
    let mut socket = bob.socket(&format!("/ws/game/{id}")).await;
    let before = socket.until("full").await["d"].clone();
    assert_days_from_now(&before["dueBy"], 1);
    assert!(before.get("vacationUntil").is_none(), "{before}");
    let state = ann.get("/api/account/vacation").await.1;
    assert_eq!((&state["daysPerYear"], &state["daysLeft"]), (&json!(30), &json!(30)));
    assert!(state["until"].is_null() && state["year"].is_number(), "{state}");
    let state = take(&mut ann, 5).await;
    // At the end of a year, the next vacation would begin in the next one.
    assert!([25, 30].map(Value::from).contains(&state["daysLeft"]), "{state}");
    assert_days_from_now(&state["until"], 5);
    let clock = socket.until("clock").await["d"].clone();
    assert_days_from_now(&clock["vacationUntil"], 5);
    let lost_ms = clock["lost"].as_i64().expect("milliseconds");
    assert!((lost_ms - 5 * DAY_MS).abs() < TOLERANCE_MS, "{clock}");
    let (_, profile) = bob.get("/api/user/ann").await;
    assert_eq!(profile["vacationUntil"], state["until"]);
    // A repeated vacation begins after the first.
    take(&mut ann, 2).await;
    assert_days_from_now(&socket.until("clock").await["d"]["vacationUntil"], 7);
    let server = server.restart().await;
    (ann.addr, bob.addr) = (server.addr, server.addr);
    let game = full(&bob, &id).await;
    assert_days_from_now(&game["dueBy"], 8);
    assert_days_from_now(&game["vacationUntil"], 7);
    assert!(game.get("lost").is_none_or(|lost| lost.as_i64() < Some(TOLERANCE_MS)), "{game}");
    assert!((time_left_ms(&server, &ann).await - 8 * DAY_MS).abs() < TOLERANCE_MS);
    // A player on vacation may move; the opponent has the days of the game.
    play(&mut ann, &id, "g5-f5").await;
    let game = full(&ann, &id).await;
    assert_days_from_now(&game["dueBy"], 1);
    assert!(game.get("vacationUntil").is_none(), "{game}");
    play(&mut bob, &id, "b4-c4").await;
    assert_days_from_now(&full(&bob, &id).await["dueBy"], 8);
    server.stop().await;
}

#[tokio::test]
async fn vacation_counts_in_new_games_with_days_only() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let old = ann.start_game(&mut bob, "hogga", json!({ "rated": false })).await;
    take(&mut ann, 30).await;
    let unlimited = full(&ann, &old).await;
    assert!(unlimited["dueBy"].is_null() && unlimited.get("vacationUntil").is_none());
    assert_eq!(event_count(&server, &old).await, 0);
    let new = ann.start_game(&mut bob, "caterpillarWar", json!({ "days": 3 })).await;
    assert_days_from_now(&full(&bob, &new).await["dueBy"], 33);
    play(&mut ann, &new, "h5-g5").await;
    assert_days_from_now(&full(&bob, &new).await["dueBy"], 3);
    // The opponent's vacation counts for the opponent.
    take(&mut bob, 1).await;
    wait_until("the opponent's vacation does not count", async || {
        full(&ann, &new).await.get("vacationUntil").is_some()
    })
    .await;
    assert_days_from_now(&full(&ann, &new).await["dueBy"], 4);
    server.stop().await;
}

/// The server stopped after it had stored the vacation, and before a room knew of it.
#[tokio::test]
async fn overdue_game_of_a_player_on_vacation_goes_on() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let (mut cas, mut dee) = (server.player("Cas").await, server.player("Dee").await);
    let kept = start_daily_game(&mut ann, &mut bob).await;
    let lost = start_daily_game(&mut cas, &mut dee).await;
    let folder = server.stop().await;
    let path = folder.path().join("sprong.db");
    for game in [&kept, &lost] {
        age_game(&path, game, 40 * HOUR_MS).await;
    }
    age_heartbeat(&path, 0).await;
    // The first player's vacation began before the deadline, the other's after it.
    for (name, from_hours) in [("ann", 30), ("cas", 10)] {
        let now_ms = sprong::rooms::now_ms();
        let start_ms = now_ms - from_hours * HOUR_MS;
        let sql = format!(
            "INSERT INTO vacation (account, start_ms, end_ms)
             SELECT key, {start_ms}, {} FROM account WHERE id = '{name}'",
            start_ms + 2 * DAY_MS
        );
        run_sql(&path, &sql).await;
    }
    let server = Server::open(folder, &[]).await;
    for player in [&mut ann, &mut bob, &mut cas] {
        player.addr = server.addr;
    }
    wait_until("the game without a vacation in time does not end", async || {
        state_of(&cas, &lost).await["status"] == "outoftime"
    })
    .await;
    wait_until("the deadline is not postponed", async || time_left_ms(&server, &ann).await > 0)
        .await;
    assert_eq!(state_of(&ann, &kept).await["status"], "started");
    // 40 hours ago, with 24 hours for the move and two days of vacation.
    let left_ms = time_left_ms(&server, &ann).await;
    assert!((left_ms - 32 * HOUR_MS).abs() < TOLERANCE_MS, "{left_ms}");
    // The turn began 10 hours before the vacation, which is over in 18.
    let until_ms = full(&ann, &kept).await["vacationUntil"].as_i64().expect("a time");
    let expected_ms = sprong::rooms::now_ms() + 18 * HOUR_MS;
    assert!((until_ms - expected_ms).abs() < TOLERANCE_MS, "{until_ms}");
    play(&mut ann, &kept, "g5-f5").await;
    let folder = server.stop().await;
    assert_agrees(&folder.path().join("sprong.db"), "the end").await;
}

#[tokio::test]
async fn vacations_beyond_the_allowance_are_refused() {
    let server = Server::start().await;
    let mut ann = server.player("Ann").await;
    for days in [json!(0), json!(-1), json!(31), json!(i64::MAX), json!("x"), json!(1.5)] {
        let answer = ann.post("/api/account/vacation", json!({ "days": days })).await;
        assert_eq!(refused(answer), (400, json!("badTime")), "{days}");
    }
    let answer = ann.post("/api/account/vacation", json!({})).await;
    assert_eq!(refused(answer), (400, json!("badTime")));
    // 2, or 30 if the next vacation would begin in the next year.
    let left = take(&mut ann, 28).await["daysLeft"].as_i64().expect("days");
    let answer = ann.post("/api/account/vacation", json!({ "days": left + 1 })).await;
    let text = answer.1["error"].as_str().expect("text").to_owned();
    assert!(text.contains(&format!("1 to {left}")), "{text}");
    assert_eq!(refused(answer), (400, json!("badTime")));
    take(&mut ann, left).await;
    let mut guest = server.guest().await;
    let answer = guest.post("/api/account/vacation", json!({ "days": 1 })).await;
    assert_eq!(answer.0, 403, "{answer:?}");
    let answer = Player::anonymous(server.addr).get("/api/account/vacation").await;
    assert_eq!(answer.0, 401, "{answer:?}");
    assert_eq!(archive(&ann).await["vacation"].len(), 2);
    server.stop().await;
}
