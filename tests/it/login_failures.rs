//! Failed logins of accounts, which the database counts: over a restart, of all checks of passwords
//! and words, and until their removal. `postgres::login_failures` has those at several servers.

use crate::support::client::{Player, Server};
use crate::support::database::Database;
use crate::support::totp::AuthenticatorApp;
use serde_json::json;
use sprong::rooms::now_ms;
use std::net::SocketAddr;

pub const PASSWORD: &str = "correct-horse";

const MINUTE_MS: i64 = 60_000;

/// Limit of attempts, in which a registration counts as one.
const LIMIT: [&str; 2] = ["--account-login-limit", "4"];

/// Lets all failures be of the minute before.
pub const AGE_FAILURES: &str = "UPDATE login_failure SET minute = minute - 1";

/// Tries to log in. Returns the status, and the seconds to wait.
pub async fn log_in(addr: SocketAddr, name: &str, password: &str) -> (u16, Option<u64>) {
    let form = json!({ "username": name, "password": password });
    let request = Player::anonymous(addr).http.post(format!("http://{addr}/api/login"));
    let response = request.json(&form).send().await.expect("answer");
    let wait = response.headers().get("retry-after").map(|wait| wait.to_str().expect("text"));
    (response.status().as_u16(), wait.map(|wait| wait.parse().expect("seconds")))
}

/// Runs a scenario, whose argument is its number, until all of it was in one minute.
pub async fn within_a_minute<T>(mut scenario: impl AsyncFnMut(u32) -> T) -> T {
    let mut number = 0;
    loop {
        let minute = now_ms() / MINUTE_MS;
        let result = scenario(number).await;
        if now_ms() / MINUTE_MS == minute {
            return result;
        }
        number += 1;
    }
}

pub async fn count(database: &Database) -> i64 {
    database.count("SELECT CAST(coalesce(sum(n), 0) AS BIGINT) FROM login_failure").await
}

#[tokio::test]
async fn failed_logins_are_counted_over_a_restart() {
    let (server, seen) = within_a_minute(async |_| {
        let server = Server::start_with(&LIMIT).await;
        server.player("Ann").await;
        let mut seen = Vec::new();
        for _ in 0..3 {
            seen.push(log_in(server.addr, "ANN", "wrong-horse").await);
        }
        // The new server has counted no attempts in memory.
        let server = Server::open(server.stop().await, &LIMIT).await;
        for password in ["wrong-horse", "wrong-horse", PASSWORD] {
            seen.push(log_in(server.addr, "ann", password).await);
        }
        (server, seen)
    })
    .await;
    let statuses: Vec<u16> = seen.iter().map(|(status, _)| *status).collect();
    assert_eq!(statuses, [401, 401, 401, 401, 429, 429]);
    let wait_s = seen[5].1.expect("a time to wait");
    assert!((1..=60).contains(&wait_s), "{wait_s}");
    server.database().await.run(AGE_FAILURES).await;
    assert_eq!(log_in(server.addr, "ann", PASSWORD).await, (200, None));

    let removed_after = async |after_ms: i64| {
        let removed = server.rooms.remove_old_rows(now_ms() + after_ms).await.expect("removed");
        removed.login_failures
    };
    assert_eq!(
        (removed_after(50 * MINUTE_MS).await, count(&server.database().await).await),
        (0, 4)
    );
    assert_eq!(
        (removed_after(70 * MINUTE_MS).await, count(&server.database().await).await),
        (1, 0)
    );
    server.stop().await;
}

#[tokio::test]
async fn all_wrong_passwords_words_and_codes_are_counted() {
    let server = Server::start().await;
    let database = server.database().await;
    let mut ann = server.player("Ann").await;
    let app = AuthenticatorApp::set_up(&mut ann, PASSWORD).await;
    let mut stranger = Player::anonymous(server.addr);
    let mut log_in = async |name: &str, password: &str, code: Option<String>| {
        let form = json!({ "username": name, "password": password, "code": code });
        stranger.post("/api/login", form).await.0
    };
    assert_eq!(log_in("ann", PASSWORD, None).await, 403);
    assert_eq!(log_in("ann", PASSWORD, Some(app.next_code())).await, 200);
    // Rows for unknown names would let a client fill the database.
    assert_eq!(log_in("bob", PASSWORD, None).await, 401);
    assert_eq!(log_in(&"ann".repeat(100), PASSWORD, None).await, 401);
    assert_eq!(count(&database).await, 0);
    assert_eq!(log_in("ann", PASSWORD, Some(app.wrong_code())).await, 403);
    assert_eq!(log_in("ann", &PASSWORD.repeat(100), None).await, 401);
    let wrong = "wrong-horse";
    for (path, form, status) in [
        ("/api/appeal", json!({ "username": "ANN", "password": wrong, "text": "Why?" }), 401),
        ("/api/recover", json!({ "username": "ann", "word": "x", "password": PASSWORD }), 401),
        ("/api/account/password", json!({ "old": wrong, "new": "battery-staple" }), 403),
        ("/api/account/email/remove", json!({ "password": wrong }), 403),
    ] {
        let before = count(&database).await;
        assert_eq!(ann.post(path, form).await.0, status, "{path}");
        assert_eq!(count(&database).await, before + 1, "{path}");
    }
    assert_eq!(count(&database).await, 6);
    server.stop().await;
}
