//! Push messages: to which players they are sent, their encryption and signature, failing push
//! services, and the subscriptions of accounts.

mod kinds;

use crate::bots::start_bot_game;
use crate::support::client::{Player, Server, wait_until};
use crate::support::push_service::{Browser, PushAnswer, PushService};
use reqwest::Method;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Timeout of a request to a push service.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);

/// Server that sends push messages after the shortest delay, and its push service.
async fn start(arguments: &[&str]) -> (Server, PushService) {
    let service = PushService::start().await;
    let own = ["--push-delay-ms", "1", "--push-service", &service.origin];
    (Server::start_with(&[&own, arguments].concat()).await, service)
}

/// Subscribes a new browser of a player.
async fn subscribe(player: &mut Player, service: &PushService, number: u8) -> Browser {
    let browser = Browser::new(service, number);
    let (status, body) = player.post("/api/push/subscribe", browser.form()).await;
    assert_eq!(status, 200, "{body}");
    browser
}

async fn state(player: &Player) -> Value {
    let (status, body) = player.get("/api/push").await;
    assert_eq!(status, 200, "{body}");
    body
}

/// Challenges a player by name to a casual game. Returns the id of the challenge.
async fn challenge(player: &mut Player, other: &Player, fields: Value) -> String {
    let (status, body) = player.post(&format!("/api/challenge/{}", other.id), fields).await;
    assert_eq!(status, 200, "{body}");
    body["id"].as_str().expect("id").to_owned()
}

fn daily(variant: &str) -> Value {
    json!({ "variant": variant, "days": 3, "color": "first", "rated": false })
}

#[tokio::test]
async fn move_is_pushed_to_an_absent_opponent() {
    let contact = "mailto:admin@sprong.example";
    let (server, mut service) = start(&["--push-contact", contact]).await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = ann.start_game(&mut bob, "hogga", json!({ "days": 3 })).await;
    let browser = subscribe(&mut bob, &service, 1).await;
    ann.play_first_legal(&id).await;
    let message = service.next().await;
    let text = browser.read(&message);
    let expected = json!({
        "kind": "myTurn", "title": "Your turn", "body": "Ann moved in Hogga. 2 d 23 h left.",
        "path": format!("/{id}"), "tag": format!("game-{id}"),
    });
    assert_eq!(text, expected);
    assert_eq!((message.header("urgency"), message.header("topic").len()), ("normal", 24));
    let ttl_s: u64 = message.header("ttl").parse().expect("seconds");
    assert!((200_000..=3 * 86_400).contains(&ttl_s), "{ttl_s}");
    let public_key = state(&bob).await["publicKey"].as_str().expect("key").to_owned();
    let claims = message.verified_claims(&public_key);
    assert_eq!((&claims["aud"], &claims["sub"]), (&json!(service.origin), &json!(contact)));
    let left_s = claims["exp"].as_i64().expect("time") - sprong::rooms::now_ms() / 1000;
    assert!((1..=86_400).contains(&left_s), "{left_s}");
    // A newer message about the same game replaces the older one.
    bob.play_first_legal(&id).await;
    ann.play_first_legal(&id).await;
    assert_eq!(service.next().await.header("topic"), message.header("topic"));
    assert!(service.is_empty());
    server.stop().await;
}

#[tokio::test]
async fn player_with_a_socket_gets_no_push() {
    let (server, mut service) = start(&["--push-delay-ms", "500"]).await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut eve = server.player("Eve").await;
    let first = ann.start_game(&mut bob, "hogga", json!({ "days": 3 })).await;
    let second = ann.start_game(&mut bob, "hogga", json!({ "days": 3 })).await;
    subscribe(&mut bob, &service, 1).await;
    let browser = subscribe(&mut eve, &service, 2).await;
    let mut socket = bob.socket("/ws/me").await;
    socket.until("hello").await;
    ann.play_first_legal(&first).await;
    drop(socket);
    let account = server.rooms.store().account("bob").await.expect("read").expect("account");
    let is_online = || server.rooms.user_hub().is_online(account.key);
    wait_until("Bob stays online", async || !is_online()).await;
    // This one returns before the end of the delay.
    ann.play_first_legal(&second).await;
    let mut socket = bob.socket("/ws/me").await;
    socket.until("hello").await;
    // Messages are in the order of their events.
    challenge(&mut ann, &eve, daily("hogga")).await;
    assert_eq!(browser.read(&service.next().await)["kind"], "challenge");
    assert!(service.is_empty());
    server.stop().await;
}

#[tokio::test]
async fn move_after_the_last_message_of_a_lost_socket_is_pushed() {
    let (server, mut service) = start(&[]).await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut eve = server.player("Eve").await;
    let first = ann.start_game(&mut bob, "hogga", json!({ "days": 3 })).await;
    let second = ann.start_game(&mut bob, "hogga", json!({ "days": 3 })).await;
    let browser = subscribe(&mut bob, &service, 1).await;
    let browser_of_eve = subscribe(&mut eve, &service, 2).await;
    let mut socket = bob.socket("/ws/me").await;
    socket.until("hello").await;
    ann.play_first_legal(&first).await;
    assert!(service.is_empty());
    // The connection of a locked phone ends without a close frame.
    drop(socket);
    assert_eq!(browser.read(&service.next().await)["path"], format!("/{first}"));
    // A closed one ends with it: the move was seen.
    let mut socket = bob.socket(&format!("/ws/game/{second}")).await;
    socket.until("hello").await;
    ann.play_first_legal(&second).await;
    socket.until("move").await;
    socket.0.close(None).await.expect("sent");
    let account = server.rooms.store().account("bob").await.expect("read").expect("account");
    let is_online = || server.rooms.user_hub().is_online(account.key);
    wait_until("Bob stays online", async || !is_online()).await;
    challenge(&mut ann, &eve, daily("hogga")).await;
    assert_eq!(browser_of_eve.read(&service.next().await)["kind"], "challenge");
    assert!(service.is_empty());
    server.stop().await;
}

#[tokio::test]
async fn named_challenge_is_pushed_in_the_language_of_the_browser() {
    let (server, mut service) = start(&["--push-delay-ms", "300"]).await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let browser = Browser::new(&service, 1);
    let mut form = browser.form();
    form["language"] = json!("sv");
    assert_eq!(bob.post("/api/push/subscribe", form).await.0, 200);
    // A challenge that is canceled during the delay is no news.
    let canceled = challenge(&mut ann, &bob, daily("hogga")).await;
    let (status, body) = ann.post(&format!("/api/challenge/{canceled}/cancel"), Value::Null).await;
    assert_eq!(status, 200, "{body}");
    let id = challenge(&mut ann, &bob, daily("hogga")).await;
    let text = browser.read(&service.next().await);
    let expected = json!({
        "kind": "challenge", "title": "Utmaning", "body": "Ann utmanar dig: Hogga.",
        "path": format!("/{id}"), "tag": format!("challenge-{id}"),
    });
    assert_eq!(text, expected);
    assert!(service.is_empty());
    server.stop().await;
}

#[tokio::test]
async fn acceptance_is_pushed_to_the_creator_only() {
    let (server, mut service) = start(&[]).await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let browser = subscribe(&mut ann, &service, 1).await;
    subscribe(&mut bob, &service, 2).await;
    let id = ann.challenge(daily("hogga")).await;
    assert_eq!(bob.accept(&id).await.0, 200);
    let text = browser.read(&service.next().await);
    assert_eq!((&text["kind"], &text["path"]), (&json!("gameStart"), &json!(format!("/{id}"))));
    assert_eq!(text["body"], "Bob accepted your challenge: Hogga.");
    // The next message is that of a later event.
    ann.play_first_legal(&id).await;
    assert_eq!(service.next().await.path, "/2");
    assert!(service.is_empty());
    server.stop().await;
}

#[tokio::test]
async fn several_waiting_games_are_one_message() {
    let (server, mut service) = start(&["--push-delay-ms", "500"]).await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut games = Vec::new();
    for _ in 0..3 {
        games.push(ann.start_game(&mut bob, "hogga", json!({ "days": 3 })).await);
    }
    let browser = subscribe(&mut bob, &service, 1).await;
    for id in &games {
        ann.play_first_legal(id).await;
    }
    // A slow machine may take longer than the delay for a move.
    loop {
        let text = browser.read(&service.next().await);
        assert_eq!(text["kind"], "myTurn");
        if text["body"] == "3 games wait for you" {
            assert_eq!((&text["path"], &text["tag"]), (&json!("/"), &json!("turns")));
            break;
        }
    }
    assert!(service.is_empty());
    server.stop().await;
}

#[tokio::test]
async fn move_of_the_computer_or_with_a_clock_is_not_pushed() {
    let (server, mut service) = start(&[]).await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let browser = subscribe(&mut ann, &service, 1).await;
    let game = start_bot_game(&mut ann, 1, "hogga", json!({})).await;
    let id = game["id"].as_str().expect("id").to_owned();
    ann.play_first_legal(&id).await;
    wait_until("the computer does not move", async || {
        ann.get(&format!("/api/game/{id}")).await.1["legal"].is_array()
    })
    .await;
    let clock = json!({ "clock.limit": 600, "clock.increment": 0, "rated": false });
    let with_clock = bob.start_game(&mut ann, "hogga", clock).await;
    bob.play_first_legal(&with_clock).await;
    challenge(&mut bob, &ann, daily("hogga")).await;
    assert_eq!(browser.read(&service.next().await)["kind"], "challenge");
    assert!(service.is_empty());
    server.stop().await;
}

#[tokio::test]
async fn expired_subscription_is_removed() {
    let (server, mut service) = start(&[]).await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    for (number, status) in [(1, 404), (2, 410)] {
        subscribe(&mut bob, &service, number).await;
        service.answer(&[PushAnswer::Status(status)]);
        challenge(&mut ann, &bob, daily("hogga")).await;
        assert_eq!(service.next().await.path, format!("/{number}"));
        wait_until("the subscription remains", async || {
            state(&bob).await["endpoints"] == json!([])
        })
        .await;
    }
    server.stop().await;
}

#[tokio::test]
async fn message_is_sent_again_after_a_failure() {
    let (server, mut service) = start(&[]).await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let browser = subscribe(&mut bob, &service, 1).await;
    service.answer(&[PushAnswer::RetryAfter(429, "0"), PushAnswer::Status(500)]);
    challenge(&mut ann, &bob, daily("hogga")).await;
    let [first, second, third] = [service.next().await, service.next().await, service.next().await];
    for message in [&first, &second, &third] {
        assert_eq!(browser.read(message), browser.read(&first));
        assert_eq!(message.header("topic"), first.header("topic"));
    }
    assert_ne!(first.body, second.body, "each try has keys of its own");
    // Other refusals are final, and redirects are not followed.
    let elsewhere = "http://127.0.0.1:1/";
    service.answer(&[PushAnswer::Status(400), PushAnswer::Redirect(elsewhere)]);
    for _ in 0..3 {
        challenge(&mut ann, &bob, daily("hogga")).await;
        service.next().await;
    }
    assert!(service.is_empty());
    assert_eq!(state(&bob).await["endpoints"].as_array().map(Vec::len), Some(1));
    server.stop().await;
}

#[tokio::test]
async fn hanging_push_service_delays_no_move() {
    let (server, mut service) = start(&[]).await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = ann.start_game(&mut bob, "hogga", json!({ "days": 3 })).await;
    for number in 1..=10 {
        subscribe(&mut bob, &service, number).await;
        subscribe(&mut ann, &service, 10 + number).await;
    }
    service.answer(&[PushAnswer::Never; 100]);
    let began = Instant::now();
    ann.play_first_legal(&id).await;
    service.next().await;
    for _ in 0..4 {
        bob.play_first_legal(&id).await;
        ann.play_first_legal(&id).await;
    }
    assert!(began.elapsed() < REQUEST_TIMEOUT, "{:?}", began.elapsed());
    let stopping = Instant::now();
    server.stop().await;
    assert!(stopping.elapsed() < REQUEST_TIMEOUT, "{:?}", stopping.elapsed());
}

#[tokio::test]
async fn invalid_subscriptions_are_refused() {
    let (server, service) = start(&[]).await;
    let mut ann = server.player("Ann").await;
    let valid = Browser::new(&service, 1).form();
    let host = service.origin.strip_prefix("http://").expect("scheme");
    let long = format!("https://fcm.googleapis.com/{}", "a".repeat(2000));
    let endpoints = [
        "",
        "https://127.0.0.1/",
        "http://127.0.0.1:1/push",
        "https://[::1]/push",
        "https://10.0.0.1/push",
        "https://169.254.169.254/latest",
        "https://evil.example/push",
        "http://fcm.googleapis.com/push",
        "https://fcm.googleapis.com@10.0.0.1/push",
        "https://user:password@fcm.googleapis.com/push",
        "https://fcm.googleapis.com:8443/push",
        "https://evilpush.apple.com/push",
        &format!("https://{host}/push"),
        &format!("http://user@{host}/push"),
        &long,
    ];
    let invalid = endpoints.map(|endpoint| ("endpoint", endpoint.to_owned()));
    let keys = [("p256dh", "BCVx"), ("p256dh", ""), ("auth", "AAAA"), ("language", "fr")];
    let keys = keys.map(|(name, value)| (name, value.to_owned()));
    let off_curve = ("p256dh", format!("B{}", "A".repeat(86)));
    for (name, value) in invalid.into_iter().chain(keys).chain([off_curve]) {
        // A missing language is that of the pages.
        let mut form = valid.clone();
        form[name] = json!(value);
        let (status, body) = ann.post("/api/push/subscribe", form).await;
        assert_eq!((status, &body["reason"]), (400, &json!("badField")), "{name} {value} {body}");
        let why = body["error"].as_str().expect("sentence");
        assert!(why.contains(&format!("`{name}`")), "{why}");
    }
    assert_eq!(state(&ann).await["endpoints"], json!([]));
    let form = json!({ "endpoint": "https://fcm.googleapis.com/fcm/send/a:b",
        "p256dh": valid["p256dh"], "auth": valid["auth"] });
    assert_eq!(ann.post("/api/push/subscribe", form).await.0, 200);
    server.stop().await;
}

#[tokio::test]
async fn eleventh_subscription_replaces_the_oldest() {
    let (server, service) = start(&[]).await;
    let mut ann = server.player("Ann").await;
    let mut browsers = Vec::new();
    for number in 1..=11 {
        browsers.push(subscribe(&mut ann, &service, number).await.endpoint);
        // A repeated one is the same.
        subscribe(&mut ann, &service, number).await;
    }
    let endpoints = state(&ann).await["endpoints"].clone();
    let mut endpoints: Vec<String> = serde_json::from_value(endpoints).expect("list");
    endpoints.sort();
    browsers.remove(0);
    browsers.sort();
    assert_eq!(endpoints, browsers);
    let form = json!({ "endpoint": browsers[0] });
    assert_eq!(ann.post("/api/push/unsubscribe", form).await.0, 200);
    assert_eq!(state(&ann).await["endpoints"].as_array().map(Vec::len), Some(9));
    server.stop().await;
}

/// Returns a second session of a player.
async fn log_in_again(player: &Player) -> Player {
    let mut other = Player { id: player.id.clone(), ..Player::anonymous(player.addr) };
    let form = json!({ "username": player.id, "password": "correct-horse" });
    let (status, body) = other.post("/api/login", form).await;
    assert_eq!(status, 200, "{body}");
    other
}

#[tokio::test]
async fn subscription_ends_with_its_session() {
    let (server, mut service) = start(&[]).await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut other = log_in_again(&ann).await;
    subscribe(&mut ann, &service, 1).await;
    subscribe(&mut other, &service, 2).await;
    challenge(&mut bob, &ann, daily("hogga")).await;
    let mut paths = [service.next().await.path, service.next().await.path];
    paths.sort();
    assert_eq!(paths, ["/1", "/2"]);
    assert_eq!(ann.post("/api/logout", Value::Null).await.0, 200);
    challenge(&mut bob, &other, daily("hogga")).await;
    assert_eq!(service.next().await.path, "/2");
    let form = json!({ "password": "correct-horse" });
    let (status, body) = other.post("/api/account/close", form).await;
    assert_eq!(status, 200, "{body}");
    let mut eve = server.player("Eve").await;
    subscribe(&mut eve, &service, 3).await;
    let account = server.rooms.store().account("eve").await.expect("read").expect("account");
    let found = server.rooms.store().push_subscriptions(account.key, sprong::rooms::now_ms()).await;
    assert_eq!(found.expect("read").len(), 1);
    // An expired session counts as ended.
    let in_a_year = sprong::rooms::now_ms() + 366 * 86_400_000;
    let found = server.rooms.store().push_subscriptions(account.key, in_a_year).await;
    assert_eq!(found.expect("read"), []);
    assert!(service.is_empty());
    server.stop().await;
}

#[tokio::test]
async fn push_requires_a_session_also_of_a_guest() {
    let (server, service) = start(&[]).await;
    let mut guest = server.guest().await;
    let browser = subscribe(&mut guest, &service, 1).await;
    assert_eq!(state(&guest).await["endpoints"], json!([browser.endpoint]));
    let ann = server.player("Ann").await;
    let mut program = ann.api_client("board:play").await;
    let mut anonymous = Player::anonymous(server.addr);
    let kinds = json!({ "myTurn": true, "challenge": true, "gameStart": true });
    let posts = [
        ("/api/push/subscribe", browser.form()),
        ("/api/push/unsubscribe", json!({ "endpoint": browser.endpoint })),
        ("/api/push/kinds", kinds),
    ];
    for (client, status) in [(&mut program, 403), (&mut anonymous, 401)] {
        assert_eq!(client.get("/api/push").await.0, status);
        for (path, form) in &posts {
            let answer = client.send(|request| request.json(form), Method::POST, path).await;
            assert_eq!(answer.0, status, "{path} {}", answer.1);
        }
    }
    assert_eq!(state(&guest).await["endpoints"], json!([browser.endpoint]));
    // A guest who registers keeps the subscription, with a new session.
    let form = json!({ "username": "Gus", "password": "correct-horse" });
    assert_eq!(guest.post("/api/register", form).await.0, 201);
    assert_eq!(state(&guest).await["endpoints"], json!([browser.endpoint]));
    // Another account in the same browser takes over its subscription.
    let mut other = server.player("Bob").await;
    subscribe(&mut other, &service, 1).await;
    assert_eq!(state(&guest).await["endpoints"], json!([]));
    server.stop().await;
}

#[tokio::test]
async fn restart_keeps_the_key_and_the_subscriptions() {
    let (server, service) = start(&[]).await;
    let mut ann = server.player("Ann").await;
    subscribe(&mut ann, &service, 1).await;
    let before = state(&ann).await;
    assert_eq!(before["enabled"], true);
    let server = server.restart().await;
    ann.addr = server.addr;
    assert_eq!(state(&ann).await, before);
    let server = Server::open(server.stop().await, &["--no-push"]).await;
    ann.addr = server.addr;
    let mut disabled = state(&ann).await;
    assert_eq!(disabled["enabled"].take(), false);
    assert_eq!(disabled.get("publicKey"), None);
    let (status, body) = ann.post("/api/push/subscribe", Browser::new(&service, 2).form()).await;
    assert_eq!((status, &body["reason"]), (400, &json!("badField")), "{body}");
    server.stop().await;
}
