//! Presence of accounts: players in a block relation appear offline to each other.

use crate::support::client::{Player, Server};
use serde_json::{Value, json};

async fn status(viewer: &Player, id: &str) -> Value {
    let path = format!("/api/users/status?ids={id}&withGameIds=true");
    viewer.get(&path).await.1[0].clone()
}

async fn show(viewer: &Player, challenge: &str) -> Value {
    let (status, body) = viewer.get(&format!("/api/challenge/{challenge}/show")).await;
    assert_eq!(status, 200, "{body}");
    body
}

/// Returns all places that show the presence of Ann, who plays a game, to a viewer.
async fn presence_of_ann(viewer: &Player, challenges: [&str; 3]) -> Vec<Value> {
    let found = status(viewer, "ann").await;
    let mut all = vec![found["online"].clone(), found["playing"].clone()];
    all.push(json!(found["playingId"].is_string()));
    for challenge in challenges {
        let card = show(viewer, challenge).await;
        all.push(card["creatorPresent"].clone());
        let seat = if card["challenger"].is_object() { "challenger" } else { "seats" };
        let player = if seat == "seats" { &card["seats"]["first"] } else { &card[seat] };
        all.push(player["online"].clone());
    }
    let profile = viewer.get("/api/user/ann").await.1;
    all.extend([profile["online"].clone(), json!(profile["playing"].is_string())]);
    let found = viewer.get("/api/player/autocomplete?term=ann&object=true").await.1;
    all.push(found["result"][0]["online"].clone());
    let mut other = viewer.clone();
    let users =
        other.send(|request| request.body("ann"), reqwest::Method::POST, "/api/users").await;
    all.push(users.1[0]["online"].clone());
    all
}

#[tokio::test]
async fn blocked_player_sees_the_blocker_offline() {
    let server = Server::start().await;
    let (mut ann, bob) = (server.player("Ann").await, server.player("Bob").await);
    let (cleo, mut dan) = (server.player("Cleo").await, server.player("Dan").await);
    let mut lobby = ann.socket("/ws/lobby").await;
    lobby.until("full").await;
    ann.start_game(&mut dan, "hogga", json!({})).await;
    let slow = ann.challenge(json!({ "variant": "hogga", "days": 3 })).await;
    let live = json!({ "variant": "hogga", "clock.limit": 300, "clock.increment": 3 });
    let live = ann.challenge(live).await;
    // A challenge with two free seats: Ann waits in the seat of another player's challenge.
    let fields = json!({ "variant": "hogga", "days": 3 });
    let (_, open) = dan.post("/api/challenge/open", fields).await;
    let open = open["id"].as_str().expect("id").to_owned();
    let seat = json!({ "color": "first" });
    assert_eq!(ann.post(&format!("/api/challenge/{open}/accept"), seat).await.0, 200);
    let challenges = [&*slow, &*live, &*open];
    let all = |is_shown: bool| vec![json!(is_shown); 13];
    assert_eq!(presence_of_ann(&bob, challenges).await, all(true));
    assert_eq!(ann.post("/api/rel/block/bob", json!({})).await.0, 200);
    assert_eq!(presence_of_ann(&bob, challenges).await, all(false));
    assert_eq!(presence_of_ann(&cleo, challenges).await, all(true));
    // The time of the last request instead of the current one.
    let seen = async || bob.get("/api/user/ann").await.1["seenAt"].as_i64().expect("a time");
    assert_eq!(seen().await, seen().await);
    assert_eq!(ann.post("/api/rel/unblock/bob", json!({})).await.0, 200);
    assert_eq!(presence_of_ann(&bob, challenges).await, all(true));
    drop(lobby);
    server.stop().await;
}

#[tokio::test]
async fn lobby_hides_the_presence_of_blockers() {
    let server = Server::start().await;
    let (mut ann, bob) = (server.player("Ann").await, server.player("Bob").await);
    let (cleo, mut dan) = (server.player("Cleo").await, server.player("Dan").await);
    assert_eq!(ann.post("/api/rel/block/bob", json!({})).await.0, 200);
    let [mut of_bob, mut of_cleo] = [bob.socket("/ws/lobby").await, cleo.socket("/ws/lobby").await];
    for socket in [&mut of_bob, &mut of_cleo] {
        socket.until("full").await;
    }
    let id = ann.challenge(json!({ "variant": "hogga", "days": 3 })).await;
    let mut page = ann.socket("/ws/me").await;
    page.until("hello").await;
    assert_eq!(of_cleo.until("presence").await["d"]["here"], json!([id]));
    drop(page);
    assert_eq!(of_cleo.until("presence").await["d"]["away"], json!([id]));
    // The next event for Bob is a later one.
    let later = dan.challenge(json!({ "variant": "hogga", "days": 3 })).await;
    let mut seen = Vec::new();
    while seen.last() != Some(&json!(["challenge", later])) {
        let next = of_bob.next().await.expect("a message");
        seen.push(json!([next["t"], next["d"]["id"]]));
    }
    assert!(seen.iter().all(|event| event[0] != "presence"), "{seen:?}");
    server.stop().await;
}

#[tokio::test]
async fn recipient_sees_the_presence_of_a_challenger() {
    let server = Server::start().await;
    let (mut ann, bob) = (server.player("Ann").await, server.player("Bob").await);
    let (cleo, mut dan) = (server.player("Cleo").await, server.player("Dan").await);
    let [mut of_bob, mut of_cleo] = [bob.socket("/ws/lobby").await, cleo.socket("/ws/lobby").await];
    let mut of_nobody = Player::anonymous(server.addr).socket("/ws/lobby").await;
    for socket in [&mut of_bob, &mut of_cleo, &mut of_nobody] {
        socket.until("full").await;
    }
    let (status, challenge) =
        ann.post("/api/challenge/bob", json!({ "variant": "hogga", "days": 3 })).await;
    assert_eq!(status, 200, "{challenge}");
    let mut page = ann.socket("/ws/me").await;
    page.until("hello").await;
    assert_eq!(of_bob.until("presence").await["d"]["here"], json!([challenge["id"]]));
    drop(page);
    assert_eq!(of_bob.until("presence").await["d"]["away"], json!([challenge["id"]]));
    // The next event for all others is a later one.
    let later = dan.challenge(json!({ "variant": "hogga", "days": 3 })).await;
    for mut socket in [of_cleo, of_nobody] {
        let mut seen = Vec::new();
        while seen.last() != Some(&json!(["challenge", later])) {
            let next = socket.next().await.expect("a message");
            seen.push(json!([next["t"], next["d"]["id"]]));
        }
        assert!(seen.iter().all(|event| event[0] != "presence"), "{seen:?}");
    }
    server.stop().await;
}
