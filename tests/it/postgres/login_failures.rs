//! Failed logins at several servers, which count them together.

use super::servers::Servers;
use crate::login_failures::{AGE_FAILURES, PASSWORD, count, log_in, within_a_minute};
use crate::support::client::Player;
use crate::support::database::Database;
use futures_util::future::join_all;

/// Limit of attempts at a server, in which a registration counts as one, and of all failures.
const LIMIT: [&str; 2] = ["--account-login-limit", "6"];

#[tokio::test]
async fn servers_count_failed_logins_together() {
    let servers = Servers::start_with(2, &LIMIT).await;
    let [one, two] = servers.addresses()[..] else { panic!("two servers") };
    let (name, seen) = within_a_minute(async |number| {
        let name = format!("Ann{number}");
        Player::register(one, &name).await;
        let mut seen = Vec::new();
        for addr in [one, two, one, two, one, two, two] {
            seen.push(log_in(addr, &name, "wrong-horse").await.0);
        }
        for addr in [one, two] {
            seen.push(log_in(addr, &name, PASSWORD).await.0);
        }
        (name, seen)
    })
    .await;
    assert_eq!(seen, [401, 401, 401, 401, 401, 401, 429, 429, 429]);
    Database::open(&servers.url).await.run(AGE_FAILURES).await;
    for addr in [one, two] {
        assert_eq!(log_in(addr, &name, PASSWORD).await, (200, None));
    }
}

#[tokio::test]
async fn concurrent_failed_logins_do_not_exceed_the_limit() {
    let servers = Servers::start_with(2, &LIMIT).await;
    let [one, two] = servers.addresses()[..] else { panic!("two servers") };
    let (mut seen, counted) = within_a_minute(async |number| {
        let name = format!("Ann{number}");
        Player::register(one, &name).await;
        Database::open(&servers.url).await.run("DELETE FROM login_failure").await;
        let attempts = [one, two].repeat(4);
        let attempts = attempts.into_iter().map(|addr| log_in(addr, &name, "wrong-horse"));
        let seen: Vec<u16> = join_all(attempts).await.iter().map(|(status, _)| *status).collect();
        (seen, count(&Database::open(&servers.url).await).await)
    })
    .await;
    seen.sort_unstable();
    assert_eq!(seen, [401, 401, 401, 401, 401, 401, 429, 429]);
    // Each server has at most one attempt in progress.
    assert!((6..=7).contains(&counted), "{counted} failures");
}

#[tokio::test]
async fn concurrent_failed_logins_are_all_counted() {
    let servers = Servers::start(2).await;
    let addresses = servers.addresses();
    Player::register(addresses[0], "Ann").await;
    let attempts = addresses.repeat(4).into_iter().map(|addr| log_in(addr, "ann", "wrong-horse"));
    assert_eq!(join_all(attempts).await, [(401, None); 8]);
    assert_eq!(count(&Database::open(&servers.url).await).await, 8);
}
