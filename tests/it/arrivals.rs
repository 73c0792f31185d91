//! Stop of new guests and new accounts by moderators.

use crate::support::client::{Player, Server, refused};
use serde_json::{Value, json};

const PATH: &str = "/api/admin/arrivals";

/// Returns a moderator of a server.
async fn moderator(server: &Server) -> Player {
    let player = server.player("Mo").await;
    assert!(server.admin(&["grant-admin", "Mo"]).0);
    player
}

/// Tries to create a guest.
async fn enter(server: &Server) -> (u16, Value) {
    refused(Player::anonymous(server.addr).post("/api/guest", json!({})).await)
}

/// Tries to create an account.
async fn sign_up(player: &mut Player, name: &str) -> (u16, Value) {
    let credentials = json!({ "username": name, "password": "correct-horse" });
    refused(player.post("/api/register", credentials).await)
}

/// Returns the actions of the log, newest first, with name and reason.
async fn logged(moderator: &Player) -> Vec<Value> {
    let (status, log) = moderator.get("/api/admin/log").await;
    assert_eq!(status, 200, "{log}");
    let entries = log.as_array().expect("entries").iter();
    entries.map(|entry| json!([entry["action"], entry["about"], entry["reason"]])).collect()
}

#[tokio::test]
async fn stopped_newcomers_are_refused_until_allowed() {
    let server = Server::start().await;
    let (mut moderator, mut guest) = (moderator(&server).await, server.guest().await);
    let all = json!({ "guests": true, "accounts": true, "slow": false });
    assert_eq!(moderator.get(PATH).await, (200, all.clone()));
    let change = json!({ "guests": false, "reason": "Flood" });
    let state = json!({ "guests": false, "accounts": true, "slow": false });
    assert_eq!(moderator.post(PATH, change.clone()).await, (200, state.clone()));
    // A change that is none is not logged.
    assert_eq!(moderator.post(PATH, change).await, (200, state));
    assert_eq!(enter(&server).await, (403, json!("noNewGuests")));
    let mut stranger = Player::anonymous(server.addr);
    assert_eq!(sign_up(&mut stranger, "Newcomer").await.0, 201);
    // Guests who are here stay, and can sign up.
    assert_eq!(guest.post("/api/guest", json!({})).await.1["id"], guest.id.as_str());
    let change = json!({ "accounts": false, "guests": true, "reason": "Socks" });
    let state = json!({ "guests": true, "accounts": false, "slow": false });
    assert_eq!(moderator.post(PATH, change).await, (200, state.clone()));
    assert_eq!(enter(&server).await.0, 201);
    assert_eq!(sign_up(&mut stranger, "Another").await, (403, json!("noNewAccounts")));
    assert_eq!(sign_up(&mut guest, "Another").await, (403, json!("noNewAccounts")));
    assert_eq!(guest.get("/api/account").await.1["guest"], true);
    assert_eq!(stranger.get("/api/user/another").await.0, 404);

    let server = server.restart().await;
    let [mut moderator, mut guest] =
        [moderator, guest].map(|player| Player { addr: server.addr, ..player });
    assert_eq!(moderator.get(PATH).await, (200, state));
    assert_eq!(sign_up(&mut guest, "Another").await, (403, json!("noNewAccounts")));
    let log_in = json!({ "username": "Newcomer", "password": "correct-horse" });
    assert_eq!(Player::anonymous(server.addr).post("/api/login", log_in).await.0, 200);
    let change = json!({ "accounts": true, "reason": "It is over" });
    assert_eq!(moderator.post(PATH, change).await, (200, all));
    assert_eq!(sign_up(&mut guest, "Another").await.0, 201);
    let expected = [
        json!(["allow-accounts", null, "It is over"]),
        json!(["stop-accounts", null, "Socks"]),
        json!(["allow-guests", null, "Socks"]),
        json!(["stop-guests", null, "Flood"]),
    ];
    assert_eq!(logged(&moderator).await[..4], expected);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn subcommand_stops_newcomers_of_a_running_server() {
    let server = Server::start().await;
    let moderator = moderator(&server).await;
    let admin = |arguments: &[&str]| server.admin(arguments);
    let state = |text: &str| format!("{text}\nslow mode: off\n");
    assert_eq!(admin(&["arrivals"]), (true, state("guests: allowed\naccounts: allowed")));
    let stopped = state("guests: allowed\naccounts: stopped");
    assert_eq!(admin(&["--reason", "Socks", "stop-arrivals", "accounts"]), (true, stopped.clone()));
    assert_eq!(admin(&["stop-arrivals", "accounts"]), (true, stopped.clone()));
    let mut stranger = Player::anonymous(server.addr);
    assert_eq!(sign_up(&mut stranger, "Newcomer").await, (403, json!("noNewAccounts")));
    assert_eq!(enter(&server).await.0, 201);
    let both = state("guests: stopped\naccounts: stopped");
    assert_eq!(admin(&["stop-arrivals", "guests"]), (true, both));
    assert_eq!(enter(&server).await, (403, json!("noNewGuests")));
    assert_eq!(admin(&["allow-arrivals", "guests"]), (true, stopped));
    assert_eq!(enter(&server).await.0, 201);
    assert!(admin(&["allow-arrivals", "accounts"]).0);
    assert_eq!(sign_up(&mut stranger, "Newcomer").await.0, 201);
    let (done, text) = admin(&["stop-arrivals", "bots"]);
    assert!(!done && text.contains("[possible values: guests, accounts]"), "{text}");
    let (_, log) = admin(&["log"]);
    assert_eq!(
        log.lines().filter(|line| line.contains("\tstop-accounts\t-\t")).count(),
        1,
        "{log}"
    );
    assert_eq!(logged(&moderator).await[3], json!(["stop-accounts", null, "Socks"]));
    server.stop().await;
}

#[tokio::test]
async fn arrivals_are_changed_by_moderators_with_a_reason() {
    let server = Server::start().await;
    let (mut moderator, mut ann) = (moderator(&server).await, server.player("Ann").await);
    let stop = json!({ "guests": false, "reason": "Flood" });
    assert_eq!(refused(ann.post(PATH, stop.clone()).await), (403, json!("notAdmin")));
    assert_eq!(refused(ann.get(PATH).await), (403, json!("notAdmin")));
    assert_eq!(Player::anonymous(server.addr).post(PATH, stop.clone()).await.0, 401);
    let mut program = moderator.api_client("board:play").await;
    assert_eq!(refused(program.post(PATH, stop).await), (403, json!("sessionOnly")));
    for wrong in [
        json!({ "guests": false }),
        json!({ "guests": false, "reason": "  " }),
        json!({ "guests": false, "reason": "x".repeat(501) }),
        json!({ "reason": "Flood" }),
        json!({ "guests": "perhaps", "reason": "Flood" }),
    ] {
        assert_eq!(
            refused(moderator.post(PATH, wrong.clone()).await),
            (400, json!("badField")),
            "{wrong}"
        );
    }
    assert_eq!(
        moderator.get(PATH).await.1,
        json!({ "guests": true, "accounts": true, "slow": false })
    );
    assert_eq!(enter(&server).await.0, 201);
    server.stop().await;
}
