//! Followed players, last opponents, and private notes on games.

use crate::erasure::archive;
use crate::support::client::{Player, Server, refused};
use reqwest::Method;
use serde_json::{Value, json};

/// Follows a player by name.
async fn follow(player: &mut Player, name: &str) -> (u16, Value) {
    player.post(&format!("/api/rel/follow/{name}"), json!({})).await
}

/// Returns the names of one of the lists of `GET /api/account/people`.
async fn people(player: &Player, list: &str) -> Vec<String> {
    let (status, body) = player.get("/api/account/people").await;
    assert_eq!(status, 200, "{body}");
    let names = body[list].as_array().expect("players").iter();
    names.map(|other| other["name"].as_str().expect("name").to_owned()).collect()
}

/// Returns the lines of `GET /api/rel/following`.
async fn following(player: &Player) -> Vec<Value> {
    let mut stream = player.open_stream(Method::GET, "/api/rel/following", Value::Null).await;
    let mut lines = Vec::new();
    while let Some(line) = stream.next().await {
        lines.push(line);
    }
    lines
}

#[tokio::test]
async fn followed_players_are_listed_for_the_follower_only() {
    let server = Server::start().await;
    let (mut ann, bob, cat) =
        (server.player("Ann").await, server.player("Bob").await, server.player("Cat").await);
    assert_eq!(follow(&mut ann, "CAT").await.0, 200);
    assert_eq!(follow(&mut ann, "bob").await.0, 200);
    // A second request changes nothing.
    assert_eq!(follow(&mut ann, "bob").await.0, 200);
    assert_eq!(people(&ann, "following").await, ["Bob", "Cat"]);
    let lines = following(&ann).await;
    let names: Vec<&Value> = lines.iter().map(|line| &line["username"]).collect();
    assert_eq!(names, ["Bob", "Cat"]);
    assert!(lines[0]["perfs"]["hogga"]["rating"].is_number() && lines[0]["following"] == true);
    assert_eq!(ann.get("/api/user/bob").await.1["following"], true);
    for other in [&bob, &cat] {
        assert_eq!(people(other, "following").await, Vec::<String>::new());
        assert_eq!(following(other).await, Vec::<Value>::new());
        assert_eq!(other.get("/api/user/ann").await.1["following"], false);
    }
    let (_, profile) = Player::anonymous(server.addr).get("/api/user/ann").await;
    assert!(profile.get("following").is_none(), "{profile}");
    let server = server.restart().await;
    let mut ann = Player { addr: server.addr, ..ann };
    assert_eq!(people(&ann, "following").await, ["Bob", "Cat"]);
    assert_eq!(ann.post("/api/rel/unfollow/bob", json!({})).await.0, 200);
    assert_eq!(ann.post("/api/rel/unfollow/bob", json!({})).await.0, 200);
    assert_eq!(people(&ann, "following").await, ["Cat"]);
    server.stop().await;
}

#[tokio::test]
async fn closed_accounts_are_not_listed_and_not_followed() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let game = ann.start_game(&mut bob, "hogga", json!({ "days": 3 })).await;
    ann.play_first_legal(&game).await;
    bob.play_first_legal(&game).await;
    assert_eq!(follow(&mut ann, "bob").await.0, 200);
    assert_eq!(people(&ann, "opponents").await, ["Bob"]);
    let password = json!({ "password": "correct-horse" });
    assert_eq!(bob.post("/api/account/close", password).await.0, 200);
    assert_eq!(people(&ann, "following").await, Vec::<String>::new());
    assert_eq!(following(&ann).await, Vec::<Value>::new());
    assert_eq!(people(&ann, "opponents").await, Vec::<String>::new());
    // The archive has the row that is stored.
    assert_eq!(archive(&ann).await["follow"], [json!({ "username": "Bob" })]);
    assert_eq!(ann.post("/api/rel/unfollow/bob", json!({})).await.0, 200);
    assert_eq!(follow(&mut ann, "bob").await.0, 404);
    // One whom a moderator reopens is listed again.
    assert!(server.admin(&["reopen", "bob"]).0);
    assert_eq!(follow(&mut ann, "bob").await.0, 200);
    assert_eq!(people(&ann, "opponents").await, ["Bob"]);
    // An opponent of an aborted game is none.
    let mut cat = server.player("Cat").await;
    let aborted = ann.start_game(&mut cat, "hogga", json!({ "days": 3 })).await;
    assert_eq!(people(&ann, "opponents").await, ["Cat", "Bob"]);
    assert_eq!(cat.post(&format!("/api/board/game/{aborted}/abort"), json!({})).await.0, 200);
    assert_eq!(people(&ann, "opponents").await, ["Bob"]);
    server.stop().await;
}

#[tokio::test]
async fn tokens_without_the_scope_do_not_see_the_followed() {
    let server = Server::start().await;
    let (mut ann, bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut socket = bob.socket("/ws/lobby").await;
    socket.until("full").await;
    assert_eq!(follow(&mut ann, "bob").await.0, 200);
    let listed = async |player: &Player| {
        let (_, profile) = player.get("/api/user/bob").await;
        let (_, online) = player.get("/api/users/online").await;
        (profile["following"].clone(), online["users"][0]["following"].clone())
    };
    assert_eq!(listed(&ann.api_client("board:play").await).await, (Value::Null, json!(false)));
    assert_eq!(listed(&ann.api_client("follow:read").await).await, (json!(true), json!(true)));
    assert_eq!(listed(&ann).await, (json!(true), json!(true)));
    server.stop().await;
}

#[tokio::test]
async fn guest_who_signs_up_keeps_the_opponents() {
    let server = Server::start().await;
    let (mut guest, mut bob) = (server.guest().await, server.player("Bob").await);
    guest.start_game(&mut bob, "hogga", json!({ "days": 3, "rated": false })).await;
    assert_eq!(people(&bob, "opponents").await, Vec::<String>::new());
    let credentials = json!({ "username": "Gus", "password": "correct-horse" });
    assert_eq!(guest.post("/api/register", credentials).await.0, 201);
    assert_eq!(people(&bob, "opponents").await, ["Gus"]);
    assert_eq!(people(&guest, "opponents").await, ["Bob"]);
    assert_eq!(follow(&mut guest, "bob").await.0, 200);
    server.stop().await;
}

#[tokio::test]
async fn block_ends_following_of_both_players() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    for (blocks, blocked) in [("ann", "bob"), ("bob", "ann")] {
        assert_eq!(follow(&mut ann, "bob").await.0, 200);
        assert_eq!(follow(&mut bob, "ann").await.0, 200);
        let by = if blocks == "ann" { &mut ann } else { &mut bob };
        assert_eq!(by.post(&format!("/api/rel/block/{blocked}"), json!({})).await.0, 200);
        assert_eq!(people(&ann, "following").await, Vec::<String>::new(), "{blocks}");
        assert_eq!(people(&bob, "following").await, Vec::<String>::new(), "{blocks}");
        assert_eq!(refused(follow(&mut ann, "bob").await), (403, json!("blocked")));
        assert_eq!(refused(follow(&mut bob, "ann").await), (403, json!("blocked")));
        let by = if blocks == "ann" { &mut ann } else { &mut bob };
        assert_eq!(by.post(&format!("/api/rel/unblock/{blocked}"), json!({})).await.0, 200);
    }
    server.stop().await;
}

#[tokio::test]
async fn following_needs_an_account_and_a_scope() {
    let server = Server::start().await;
    let (mut ann, bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut guest = server.guest().await;
    assert_eq!(refused(follow(&mut guest, "bob").await), (403, json!("anonymous")));
    let unfollow = "/api/rel/unfollow/bob";
    assert_eq!(refused(guest.post(unfollow, json!({})).await), (403, json!("anonymous")));
    assert_eq!(follow(&mut Player::anonymous(server.addr), "bob").await.0, 401);
    for no_person in [&guest.id, "sprong-1"] {
        assert_eq!(refused(follow(&mut ann, no_person).await), (400, json!("badField")));
    }
    assert_eq!(refused(follow(&mut ann, "ann").await), (400, json!("own")));
    assert_eq!(follow(&mut ann, "nobody-has-this").await.0, 404);
    assert_eq!(people(&guest, "following").await, Vec::<String>::new());
    for path in ["/api/account/people", "/api/rel/following"] {
        assert_eq!(Player::anonymous(server.addr).get(path).await.0, 401, "{path}");
    }

    let mut reads = ann.api_client("follow:read").await;
    let mut writes = ann.api_client("follow:write").await;
    assert_eq!(refused(follow(&mut reads, "bob").await), (403, json!("missingScope")));
    assert_eq!(
        refused(reads.post("/api/rel/unfollow/bob", json!({})).await),
        (403, json!("missingScope"))
    );
    assert_eq!(follow(&mut writes, "bob").await.0, 200);
    assert_eq!(refused(writes.get("/api/rel/following").await), (403, json!("missingScope")));
    assert_eq!(following(&reads).await[0]["id"], bob.id.as_str());
    assert_eq!(refused(reads.get("/api/account/people").await), (403, json!("sessionOnly")));
    assert_eq!(writes.post("/api/rel/unfollow/bob", json!({})).await.0, 200);
    assert_eq!(following(&reads).await, Vec::<Value>::new());
    server.stop().await;
}

#[tokio::test]
async fn number_of_followed_players_is_limited() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    server.player("Cat").await;
    // The other accounts that Ann follows exist in the database only.
    server.database().await.follow_many(&ann, 299).await;
    assert_eq!(follow(&mut ann, "bob").await.0, 200);
    assert_eq!(refused(follow(&mut ann, "cat").await), (409, json!("tooMany")));
    // One that is followed already is no further one.
    assert_eq!(follow(&mut ann, "bob").await.0, 200);
    assert_eq!(people(&ann, "following").await.len(), 300);
    assert_eq!(ann.post("/api/rel/unfollow/bob", json!({})).await.0, 200);
    assert_eq!(follow(&mut ann, "cat").await.0, 200);
    assert_eq!(follow(&mut bob, "cat").await.0, 200);
    server.stop().await;
}

#[tokio::test]
async fn followed_players_online_come_first() {
    let server = Server::start().await;
    let mut players = Vec::new();
    for name in ["Ann", "Bob", "Cat", "Dan"] {
        let player = server.player(name).await;
        let mut socket = player.socket("/ws/lobby").await;
        socket.until("full").await;
        players.push((player, socket));
    }
    let [(ann, _), ..] = &mut players[..] else { unreachable!() };
    assert_eq!(follow(ann, "dan").await.0, 200);
    let online = async |player: &Player| {
        let (_, body) = player.get("/api/users/online").await;
        assert_eq!(body["total"], 4);
        let users = body["users"].as_array().expect("players").clone();
        users
            .into_iter()
            .map(|user| (user["name"].clone(), user["following"].clone()))
            .collect::<Vec<_>>()
    };
    let listed = |names: [(&str, bool); 4]| names.map(|(name, is)| (json!(name), json!(is)));
    let of_ann = online(&players[0].0).await;
    assert_eq!(of_ann, listed([("Dan", true), ("Ann", false), ("Bob", false), ("Cat", false)]));
    let of_bob = online(&players[1].0).await;
    assert_eq!(of_bob, listed([("Ann", false), ("Bob", false), ("Cat", false), ("Dan", false)]));
    server.stop().await;
}

#[tokio::test]
async fn last_opponents_are_people_with_an_account() {
    let server = Server::start().await;
    let (mut ann, mut bob, mut cat) =
        (server.player("Ann").await, server.player("Bob").await, server.player("Cat").await);
    let mut guest = server.guest().await;
    let first = ann.start_game(&mut bob, "hogga", json!({ "days": 3 })).await;
    ann.start_game(&mut guest, "hogga", json!({ "days": 3, "rated": false })).await;
    let level = json!({ "level": 1, "variant": "hogga" });
    assert_eq!(ann.post("/api/challenge/ai", level).await.0, 201);
    let second = cat.start_game(&mut ann, "knightFight", json!({ "days": 3 })).await;
    let (_, body) = ann.get("/api/account/people").await;
    let found: Vec<[&Value; 3]> = body["opponents"]
        .as_array()
        .expect("players")
        .iter()
        .map(|other| [&other["name"], &other["lastGame"], &other["following"]])
        .collect();
    let [bob_row, cat_row] = [("Bob", &first), ("Cat", &second)]
        .map(|(name, game)| [json!(name), json!(game), json!(false)]);
    assert_eq!(found, [cat_row.each_ref(), bob_row.each_ref()]);
    assert_eq!(body["opponents"][0]["playing"], true);
    // A newer game moves its opponent to the front, once.
    ann.start_game(&mut bob, "hogga", json!({ "days": 3 })).await;
    assert_eq!(follow(&mut ann, "bob").await.0, 200);
    assert_eq!(people(&ann, "opponents").await, ["Bob", "Cat"]);
    assert_eq!(ann.get("/api/account/people").await.1["opponents"][0]["following"], true);
    assert_eq!(people(&guest, "opponents").await, ["Ann"]);
    assert_eq!(cat.post("/api/rel/block/ann", json!({})).await.0, 200);
    assert_eq!(people(&ann, "opponents").await, ["Bob"]);
    server.stop().await;
}

#[tokio::test]
async fn notes_are_private_and_survive_a_restart() {
    let server = Server::start().await;
    let (mut ann, mut bob, mut cat) =
        (server.player("Ann").await, server.player("Bob").await, server.player("Cat").await);
    let game = ann.start_game(&mut bob, "hogga", json!({ "days": 3 })).await;
    let path = format!("/api/game/{game}/note");
    assert_eq!(ann.get(&path).await, (200, json!({ "text": "" })));
    let first = json!({ "text": "Later replaced" });
    assert_eq!(ann.post(&path, first.clone()).await, (200, first));
    let text = json!({ "text": "  Watch h5\nand \u{202e}g5  " });
    let stored = json!({ "text": "Watch h5\nand g5" });
    assert_eq!(ann.post(&path, text).await, (200, stored.clone()));
    // A spectator has notes as well.
    let of_cat = json!({ "text": "Seen" });
    assert_eq!(cat.post(&path, of_cat.clone()).await, (200, of_cat.clone()));
    assert_eq!(bob.get(&path).await.1["text"], "");
    let server = server.restart().await;
    let [mut ann, cat] = [ann, cat].map(|player| Player { addr: server.addr, ..player });
    assert_eq!(ann.get(&path).await, (200, stored));
    assert_eq!(cat.get(&path).await, (200, of_cat));
    for _ in 0..2 {
        assert_eq!(ann.send(|to| to, Method::DELETE, &path).await.0, 200);
        assert_eq!(ann.get(&path).await.1["text"], "");
    }
    assert_eq!(server.database().await.count("SELECT count(*) FROM game_note").await, 1);
    server.stop().await;
}

#[tokio::test]
async fn invalid_notes_are_refused() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut guest = server.guest().await;
    let game = ann.start_game(&mut bob, "hogga", json!({ "days": 3 })).await;
    let path = format!("/api/game/{game}/note");
    let text = |n: usize| json!({ "text": "é".repeat(n) });
    assert_eq!(ann.post(&path, text(2000)).await.0, 200);
    // A text that is missing is no removal.
    for wrong in [text(2001), text(0), json!({ "text": "  " }), json!({}), json!({ "note": "x" })] {
        assert_eq!(refused(ann.post(&path, wrong).await), (400, json!("badField")));
    }
    assert_eq!(ann.get(&path).await.1, text(2000));
    assert_eq!(refused(guest.post(&path, text(1)).await), (403, json!("anonymous")));
    assert_eq!(refused(guest.get(&path).await), (403, json!("anonymous")));
    assert_eq!(Player::anonymous(server.addr).post(&path, text(1)).await.0, 401);
    let mut program = ann.api_client("board:play,follow:read,follow:write").await;
    assert_eq!(refused(program.get(&path).await), (403, json!("sessionOnly")));
    assert_eq!(refused(program.post(&path, text(1)).await), (403, json!("sessionOnly")));
    for (player, status) in
        [(&mut guest, 403), (&mut program, 403), (&mut Player::anonymous(server.addr), 401)]
    {
        assert_eq!(player.send(|to| to, Method::DELETE, &path).await.0, status);
    }
    assert_eq!(ann.get(&path).await.1, text(2000));
    for other in ["/api/game/aaaaaaaa/note", "/api/game/x/note"] {
        assert_eq!(ann.post(other, text(1)).await.0, 404, "{other}");
        assert_eq!(ann.get(other).await.0, 404, "{other}");
    }
    // The number of notes is limited; one that exists can be changed.
    server.database().await.add_notes(&ann, 999).await;
    let other = ann.start_game(&mut bob, "hogga", json!({ "days": 3 })).await;
    let full = ann.post(&format!("/api/game/{other}/note"), text(1)).await;
    assert_eq!(refused(full), (409, json!("tooMany")));
    assert_eq!(ann.post(&path, text(2)).await.0, 200);
    assert_eq!(bob.post(&format!("/api/game/{other}/note"), text(1)).await.0, 200);
    // An open challenge is no game.
    let open = ann.challenge(json!({ "variant": "hogga" })).await;
    assert_eq!(ann.post(&format!("/api/game/{open}/note"), text(1)).await.0, 404);
    server.stop().await;
}
