//! Fair use: limits on what one address, guest or account can do to others by open challenges,
//! streams, aborted games and blocks.

use crate::support::client::{Player, Server, wait_until};
use reqwest::Method;
use serde_json::{Value, json};

const KNIGHTS: &str = "knightFight";
const PROXY: [&str; 2] = ["--trusted-proxy", "127.0.0.1"];

/// Sends a POST request with the client address `address`.
async fn post_from(player: &mut Player, address: &str, path: &str, body: Value) -> (u16, Value) {
    let request =
        |builder: reqwest::RequestBuilder| builder.header("x-forwarded-for", address).json(&body);
    player.send(request, Method::POST, path).await
}

async fn challenge_from(player: &mut Player, address: &str, fields: Value) -> (u16, Value) {
    let mut form = json!({ "variant": KNIGHTS });
    for (key, value) in fields.as_object().expect("fields") {
        form[key] = value.clone();
    }
    post_from(player, address, "/api/challenge", form).await
}

#[tokio::test]
async fn one_address_cannot_fill_the_lobby() {
    const ADDRESS: &str = "192.0.2.1";
    let bounds = ["--challenges-per-address", "4", "--challenges-per-guest", "2"];
    let arguments = [&PROXY[..], &bounds].concat();
    let server = Server::start_with(&arguments).await;
    let mut guests = [server.guest().await, server.guest().await, server.guest().await];
    let mut created = Vec::new();
    for guest in &mut guests[..2] {
        for _ in 0..2 {
            let (status, card) = challenge_from(guest, ADDRESS, json!({})).await;
            assert_eq!(status, 201, "{card}");
            created.push(card["id"].as_str().expect("id").to_owned());
        }
    }
    let refused = [(0, "tooManyOfGuest"), (2, "tooManyOfAddress")];
    for (guest, reason) in refused {
        let (status, body) = challenge_from(&mut guests[guest], ADDRESS, json!({})).await;
        assert_eq!((status, &body["reason"]), (409, &json!(reason)));
        let private = json!({ "listed": false });
        assert_eq!(challenge_from(&mut guests[guest], ADDRESS, private).await.0, 201, "{reason}");
    }
    let mut other = server.guest().await;
    assert_eq!(challenge_from(&mut other, "192.0.2.2", json!({})).await.0, 201);

    // The limits hold after a restart.
    let folder = server.stop().await;
    let server = Server::open(folder, &arguments).await;
    for guest in &mut guests {
        guest.addr = server.addr;
    }
    let (status, body) = challenge_from(&mut guests[2], ADDRESS, json!({})).await;
    assert_eq!((status, &body["reason"]), (409, &json!("tooManyOfAddress")));
    let cancel = format!("/api/challenge/{}/cancel", created[0]);
    assert_eq!(post_from(&mut guests[0], ADDRESS, &cancel, json!({})).await.0, 200);
    assert_eq!(challenge_from(&mut guests[2], ADDRESS, json!({})).await.0, 201);
    server.stop().await;
}

#[tokio::test]
async fn challenges_of_an_address_are_rate_limited() {
    let server = Server::start_with(&["--challenge-limit", "3", "--challenges-max", "100"]).await;
    let mut last = (0, Value::Null);
    for _ in 0..20 {
        let fields = json!({ "variant": KNIGHTS, "listed": false });
        last = server.guest().await.post("/api/challenge", fields).await;
        if last.0 != 201 {
            break;
        }
    }
    assert_eq!((last.0, &last.1["reason"]), (429, &json!("tooFast")));
    server.stop().await;
}

#[tokio::test]
async fn lobby_pages_list_accounts_first() {
    let server = Server::start_with(&PROXY).await;
    let mut account_ids = Vec::new();
    for (name, address) in [("Ann", "192.0.2.2"), ("Bob", "192.0.2.3")] {
        let mut player = server.player(name).await;
        let (_, card) = challenge_from(&mut player, address, json!({})).await;
        account_ids.insert(0, card["id"].clone());
    }
    let mut idle_guest = server.guest().await;
    let (_, idle_card) = challenge_from(&mut idle_guest, "192.0.2.4", json!({})).await;
    for _ in 0..9 {
        let mut guest = server.guest().await;
        assert_eq!(challenge_from(&mut guest, "192.0.2.1", json!({})).await.0, 201);
    }
    let anybody = Player::anonymous(server.addr);
    let (mut ids, mut next) = (Vec::new(), json!(1));
    while !next.is_null() {
        let (status, lobby) = anybody.get(&format!("/api/lobby?max=5&page={next}")).await;
        assert_eq!((status, &lobby["total"], &lobby["page"]), (200, &json!(12), &next));
        let cards = lobby["challenges"].as_array().expect("cards");
        ids.extend(cards.iter().map(|card| card["id"].clone()));
        next = lobby["nextPage"].clone();
        assert!(!lobby.to_string().contains("192.0.2."), "expected no client address in {lobby}");
    }
    assert_eq!(ids[..2], account_ids[..], "expected the accounts first, the newest on top");
    let index =
        ids.iter().position(|id| *id == idle_card["id"]).expect("the card of the idle guest");
    assert_eq!(
        index, 7,
        "expected five cards of the busy network before it, and the rest after it"
    );
    let mut all: Vec<String> = ids.iter().map(Value::to_string).collect();
    all.sort();
    all.dedup();
    assert_eq!((ids.len(), all.len()), (12, 12));

    // The creator of a challenge sees it on the first page.
    let (_, own) = idle_guest.get("/api/lobby?max=2").await;
    assert_eq!(own["challenges"][0]["id"], idle_card["id"]);
    assert_eq!(own["challenges"].as_array().map(Vec::len), Some(3));
    assert_eq!(idle_guest.get("/api/lobby?page=99").await.1["challenges"], json!([]));
    for bad in ["page=0", "page=-1", "page=x", "max=0", "max=201", "page=1000001"] {
        let (status, body) = anybody.get(&format!("/api/lobby?{bad}")).await;
        assert_eq!((status, &body["reason"]), (400, &json!("badField")), "{bad}");
    }
    let full = anybody.socket("/ws/lobby").await.until("full").await;
    assert_eq!((&full["d"]["total"], &full["d"]["nextPage"]), (&json!(12), &Value::Null));
    server.stop().await;
}

#[tokio::test]
async fn block_takes_challenges_from_open_pages() {
    let server = Server::start().await;
    let (ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let (_, card) = bob.post("/api/challenge/ann", json!({ "variant": KNIGHTS })).await;
    let mut page = ann.socket("/ws/me").await;
    let ids = |hello: Value| -> Vec<Value> {
        let challenges = hello["d"]["challenges"].as_array().cloned().unwrap_or_default();
        challenges.into_iter().map(|challenge| challenge["id"].clone()).collect()
    };
    assert_eq!(ids(page.until("hello").await), [card["id"].clone()]);
    assert_eq!(bob.post("/api/rel/block/ann", json!({})).await.0, 200);
    assert_eq!(ids(page.until("hello").await), [] as [Value; 0]);
    assert_eq!(bob.post("/api/rel/unblock/ann", json!({})).await.0, 200);
    assert_eq!(ids(page.until("hello").await), [card["id"].clone()]);
    server.stop().await;
}

#[tokio::test]
async fn block_updates_only_lobby_cards_between_the_players() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut cyd = server.player("Cyd").await;
    let card = bob.challenge(json!({ "variant": KNIGHTS })).await;
    let other = cyd.challenge(json!({ "variant": KNIGHTS })).await;
    let mut lobby = ann.socket("/ws/lobby").await;
    lobby.until("hello").await;
    // Player, request, and the lobby message that the request causes.
    for (player, path, expected) in [
        (&bob, "/api/rel/block/ann", Some("challengeGone")),
        (&ann, "/api/rel/block/bob", None),
        (&ann, "/api/rel/unblock/bob", None),
        (&bob, "/api/rel/unblock/ann", Some("challenge")),
    ] {
        assert_eq!(player.clone().post(path, json!({})).await.0, 200);
        let marker = cyd.challenge(json!({ "variant": KNIGHTS })).await;
        let mut received = Vec::new();
        loop {
            let frame = lobby.next().await.expect("frame");
            // User events and lobby events arrive on separate channels: the marker may overtake the
            // card.
            let is_mark = frame["d"]["id"] == json!(marker);
            if !is_mark {
                received.push(frame);
            }
            if (is_mark || received.len() == 1) && received.len() >= usize::from(expected.is_some())
            {
                break;
            }
        }
        let frames: Vec<_> =
            received.iter().map(|frame| (&frame["t"], &frame["d"]["id"])).collect();
        let due = expected.map(|t| (json!(t), json!(card)));
        assert_eq!(frames, due.iter().map(|(t, id)| (t, id)).collect::<Vec<_>>(), "{path}");
        assert_eq!(cyd.post(&format!("/api/challenge/{marker}/cancel"), json!({})).await.0, 200);
        while lobby.until("challengeGone").await["d"]["id"] != json!(marker) {}
    }
    assert_eq!(ann.accept(&other).await.0, 200);
    server.stop().await;
}

#[tokio::test]
async fn streams_of_one_address_are_limited() {
    let server = Server::start_with(&["--streams-per-address", "3"]).await;
    let (ann, bob) = (server.player("Ann").await, server.player("Bob").await);
    let seek = json!({ "variant": KNIGHTS, "time": 5, "increment": 0 });
    let mut streams = vec![
        ann.open_event_stream().await,
        server.guest().await.open_event_stream().await,
        bob.open_stream(Method::POST, "/api/board/seek", seek).await,
    ];
    assert!(streams[2].next().await.expect("seek")["id"].is_string());
    let another = server.guest().await;
    for path in ["/api/stream/event", "/api/tv/feed"] {
        let (status, body) = another.get(path).await;
        assert_eq!((status, &body["reason"]), (409, &json!("tooMany")), "{path}");
    }
    drop(streams.remove(0));
    wait_until("expected the closed stream to free its place", async || {
        let url = format!("http://{}/api/stream/event", server.addr);
        let cookie = another.cookie.clone().expect("cookie");
        let response = another.http.get(url).header("cookie", cookie).send().await.expect("answer");
        response.status() == 200
    })
    .await;
    server.stop().await;
}

/// Asserts that a player who has aborted too many games has to wait, and learns for how long.
async fn assert_waits(player: &Player, path: &str, body: Value) {
    let url = format!("http://{}{path}", player.addr);
    let cookie = player.cookie.clone().expect("cookie");
    let request = player.http.post(url).header("cookie", cookie).json(&body);
    let response = request.send().await.expect("answer");
    assert_eq!(response.status(), 429, "{path}");
    let wait = response.headers().get("retry-after").and_then(|wait| wait.to_str().ok());
    let wait_s: u64 = wait.expect("retry-after").parse().expect("seconds");
    assert!((1..=60).contains(&wait_s), "{path}: {wait_s}");
    let refused: Value = response.json().await.expect("JSON");
    assert_eq!(refused["reason"], "tooManyAborts", "{path}");
    assert!(refused["error"].as_str().is_some_and(|text| text.contains(" UTC")), "{refused}");
}

#[tokio::test]
async fn abort_limit_delays_only_the_aborting_player() {
    let server = Server::start_with(&["--aborts-max", "2"]).await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let fast = || json!({ "variant": KNIGHTS, "clock.limit": 300, "rated": true });
    for round in 0..2 {
        let fields = json!({ "clock.limit": 300 });
        let id = ann.start_game(&mut bob, KNIGHTS, fields).await;
        let mut socket = bob.socket(&format!("/ws/game/{id}")).await;
        socket.until("full").await;
        assert_eq!(ann.post(&format!("/api/board/game/{id}/abort"), json!({})).await.0, 200);
        let end = socket.until("end").await;
        assert_eq!(
            (&end["d"]["status"], &end["d"]["abortedBy"]),
            (&json!("aborted"), &json!("first")),
            "{round}"
        );
        let (_, full) = bob.get(&format!("/api/game/{id}")).await;
        assert_eq!(full["end"]["abortedBy"], "first");
    }
    let open = bob.challenge(fast()).await;
    let accept = format!("/api/challenge/{open}/accept");
    let seek = json!({ "variant": KNIGHTS, "time": 5, "increment": 0 });
    for (path, body) in [
        ("/api/challenge", fast()),
        ("/api/challenge/open", fast()),
        ("/api/challenge/bob", fast()),
        ("/api/find", fast()),
        ("/api/board/seek", seek),
        (accept.as_str(), json!({})),
    ] {
        assert_waits(&ann, path, body).await;
    }
    ann.challenge(json!({ "variant": KNIGHTS, "days": 3, "rated": false })).await;
    let mut cyd = server.player("Cyd").await;
    assert_eq!(cyd.accept(&open).await.0, 200, "expected no wait for the opponent");
    server.stop().await;
}

#[tokio::test]
async fn abort_limit_delays_requests_for_casual_games() {
    let server = Server::start_with(&["--aborts-max", "1"]).await;
    let (mut ann, mut guest) = (server.player("Ann").await, server.guest().await);
    let fields = json!({ "clock.limit": 300, "rated": false });
    let id = guest.start_game(&mut ann, KNIGHTS, fields).await;
    assert_eq!(guest.post(&format!("/api/board/game/{id}/abort"), json!({})).await.0, 200);
    let path = |id: &str| format!("/api/challenge/{id}/casual");
    let rated = |more: Value| {
        let mut form = json!({ "variant": KNIGHTS, "rated": true, "listed": false });
        for (key, value) in more.as_object().expect("fields") {
            form[key] = value.clone();
        }
        form
    };
    let fast = ann.challenge(rated(json!({ "clock.limit": 300 }))).await;
    assert_waits(&guest, &path(&fast), json!({})).await;
    assert_waits(&guest, &path(&fast), json!({ "clock": "300+0" })).await;
    // A choice that is not offered is refused as that.
    let (_, body) = guest.post(&path(&fast), json!({ "clock": "60+0" })).await;
    assert_eq!(body["reason"], "badChoice", "{body}");
    assert_eq!(server.guest().await.post(&path(&fast), json!({})).await.0, 200);
    // Games without a clock do not count.
    let slow = ann.challenge(rated(json!({ "days": 3 }))).await;
    assert_eq!(guest.post(&path(&slow), json!({})).await.0, 200);
    server.stop().await;
}

/// A resignation before both sides have moved costs no rating: a player could use it like an abort
/// to look for a certain start position.
#[tokio::test]
async fn resignation_before_the_second_move_counts_as_abort() {
    let server = Server::start_with(&["--aborts-max", "3"]).await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    for plies in [0, 1, 0] {
        let id = ann.start_game(&mut bob, KNIGHTS, json!({ "days": 3 })).await;
        if plies == 1 {
            ann.play_first_legal(&id).await;
        }
        let path = format!("/api/board/game/{id}/resign");
        let resigning = if plies == 1 { &mut bob } else { &mut ann };
        assert_eq!(resigning.post(&path, json!({})).await.0, 200);
        let end = ann.get(&format!("/api/game/{id}")).await.1["end"].clone();
        assert_eq!((&end["status"], &end["ratingDiff"]), (&json!("resign"), &Value::Null));
    }
    let rated = json!({ "variant": KNIGHTS, "rated": true, "days": 3 });
    // Two resignations of Ann and one of Bob are within the limit.
    ann.challenge(rated.clone()).await;
    let id = ann.start_game(&mut bob, KNIGHTS, json!({ "days": 3 })).await;
    assert_eq!(ann.post(&format!("/api/board/game/{id}/resign"), json!({})).await.0, 200);
    let (status, body) = ann.post("/api/challenge", rated.clone()).await;
    assert_eq!((status, &body["reason"]), (429, &json!("tooManyAborts")), "{body}");
    bob.challenge(rated).await;
    // After two moves it costs rating instead.
    let mut cyd = server.player("Cyd").await;
    for _ in 0..4 {
        let id = cyd.start_game(&mut bob, KNIGHTS, json!({ "days": 3 })).await;
        cyd.play_first_legal(&id).await;
        bob.play_first_legal(&id).await;
        assert_eq!(cyd.post(&format!("/api/board/game/{id}/resign"), json!({})).await.0, 200);
    }
    assert!(cyd.rating(KNIGHTS).await < 1_500);
    server.stop().await;
}

#[tokio::test]
async fn rematch_does_not_bypass_the_abort_limit() {
    let server = Server::start_with(&["--aborts-max", "1"]).await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = ann.start_game(&mut bob, KNIGHTS, json!({ "clock.limit": 300 })).await;
    let path = format!("/api/board/game/{id}");
    assert_eq!(ann.post(&format!("{path}/abort"), json!({})).await.0, 200);
    let (status, body) = ann.post(&format!("{path}/rematch/yes"), json!({})).await;
    assert_eq!((status, &body["reason"]), (429, &json!("tooManyAborts")));
    assert_eq!(bob.post(&format!("{path}/rematch/yes"), json!({})).await.0, 200);
    let (status, body) = ann.post(&format!("{path}/rematch/yes"), json!({})).await;
    assert_eq!((status, &body["reason"]), (429, &json!("tooManyAborts")));
    server.stop().await;
}
