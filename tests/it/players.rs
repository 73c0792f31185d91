//! Accounts, sessions, tokens, login links, statistics of players, correspondence, and exports.

use crate::support::client::{Player, Server, refused, wait_until};
use reqwest::Method;
use serde_json::{Value, json};

const KNIGHTS: &str = "knightFight";

/// Plays a game that the first player wins: two moves, then the second player resigns. Returns its
/// id.
pub async fn win(first: &mut Player, second: &mut Player) -> String {
    let id = first.start_game(second, "caterpillarWar", json!({})).await;
    for (player, u) in [(&mut *first, "h5-g5"), (&mut *second, "a4-b4")] {
        let (status, body) =
            player.post(&format!("/api/board/game/{id}/move/{u}"), json!({})).await;
        assert_eq!(status, 200, "{body}");
    }
    let (status, _) = second.post(&format!("/api/board/game/{id}/resign"), json!({})).await;
    assert_eq!(status, 200);
    id
}

#[tokio::test]
async fn confusable_names_are_refused() {
    let server = Server::start().await;
    server.player("Ian-Lodge").await;
    let mut nobody = Player::anonymous(server.addr);
    for (name, status, reason) in [
        ("ian-lodge", 409, "nameTaken"),
        ("lan-Lodge", 409, "nameAlike"),
        ("Ian_L0dge", 409, "nameAlike"),
        ("admin", 400, "badName"),
        ("x", 400, "badName"),
        ("a b", 400, "badName"),
        ("Ян", 400, "badName"),
    ] {
        let who = json!({ "username": name, "password": "correct-horse" });
        let (found, body) = nobody.post("/api/register", who).await;
        assert_eq!((found, &body["reason"]), (status, &json!(reason)), "{name}");
    }
    for (password, status) in
        [("1234567", 400), (&*"x".repeat(257), 400), (&*"correct-hörse 71".repeat(16), 201)]
    {
        let who = json!({ "username": "Mats", "password": password });
        assert_eq!(nobody.post("/api/register", who).await.0, status);
    }
    server.stop().await;
}

#[tokio::test]
async fn logins_per_account_name_are_limited() {
    let server = Server::start_with(&["--account-login-limit", "3"]).await;
    server.player("Ann").await;
    let mut thief = Player::anonymous(server.addr);
    let mut seen = Vec::new();
    for _ in 0..5 {
        let who = json!({ "username": "ANN", "password": "wrong-horse" });
        seen.push(thief.post("/api/login", who).await.0);
    }
    // The registration counts as a login.
    assert_eq!(seen, [401, 401, 429, 429, 429]);
    let who = json!({ "username": "Bob", "password": "wrong-horse" });
    assert_eq!(thief.post("/api/login", who).await.0, 401, "the limit is per name");
    server.stop().await;
}

#[tokio::test]
async fn ended_session_closes_its_sockets() {
    let server = Server::start().await;
    let mut ann = server.player("Ann").await;
    let mut away = Player::anonymous(server.addr);
    let who = json!({ "username": "ann", "password": "correct-horse" });
    assert_eq!(away.post("/api/login", who.clone()).await.0, 200);
    let (_, list) = ann.get("/api/account/sessions").await;
    let sessions = list["sessions"].as_array().expect("sessions");
    assert_eq!(sessions.len(), 2);
    let other = sessions.iter().find(|session| session["current"] == false).expect("the other");
    let mut lobby = away.socket("/ws/lobby").await;
    lobby.until("full").await;
    let mut own = ann.socket("/ws/me").await;
    own.until("hello").await;

    let eve = server.player("Eve").await;
    let path = format!("/api/account/sessions/{}", other["id"].as_str().expect("id"));
    assert_eq!(eve.clone().send(|b| b, Method::DELETE, &path).await.0, 404, "not her session");
    assert_eq!(ann.send(|b| b, Method::DELETE, &path).await.0, 200);
    lobby.until("signedOut").await;
    assert_eq!(lobby.until_closed().await, 4401);
    assert_eq!(away.get("/api/account").await.0, 401);

    // A new password ends all sessions but the current one.
    assert_eq!(away.post("/api/login", who).await.0, 200);
    let change = |old: &str, new: &str| json!({ "old": old, "new": new });
    let (status, body) = ann.post("/api/account/password", change("wrong", "battery-staple")).await;
    assert_eq!((status, &body["reason"]), (403, &json!("badPassword")));
    assert_eq!(ann.post("/api/account/password", change("correct-horse", "short")).await.0, 400);
    let common = ann.post("/api/account/password", change("correct-horse", "football")).await;
    assert_eq!((common.0, &common.1["reason"]), (400, &json!("commonPassword")));
    let done = ann.post("/api/account/password", change("correct-horse", "battery-staple")).await;
    assert_eq!(done.0, 200);
    assert_eq!((away.get("/api/account").await.0, ann.get("/api/account").await.0), (401, 200));

    let program = ann.api_client("challenge:read").await;
    assert_eq!(ann.post("/api/account/logout-everywhere", json!({})).await.0, 200);
    own.until("signedOut").await;
    assert_eq!(own.until_closed().await, 4401);
    assert_eq!(program.get("/api/challenge").await.0, 401);
    server.stop().await;
}

#[tokio::test]
async fn token_is_limited_to_its_scopes() {
    let server = Server::start().await;
    let (ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut reads = ann.api_client("challenge:read").await;
    assert_eq!(reads.get("/api/challenge").await.0, 200);
    let challenge = json!({ "variant": KNIGHTS });
    assert_eq!(
        refused(reads.post("/api/challenge", challenge.clone()).await),
        (403, json!("missingScope"))
    );
    let id = bob.challenge(challenge).await;
    assert_eq!(refused(reads.accept(&id).await), (403, json!("missingScope")));
    for path in [
        "/api/token",
        "/api/account/password",
        "/api/account/close",
        "/api/report",
        "/api/rel/block/bob",
        "/api/account/link",
    ] {
        assert_eq!(
            refused(reads.post(path, json!({})).await),
            (403, json!("sessionOnly")),
            "{path}"
        );
    }
    let mut plays = ann.api_client("challenge:write,board:play").await;
    assert_eq!(refused(plays.get("/api/challenge").await), (403, json!("missingScope")));
    assert_eq!(plays.accept(&id).await.0, 200);
    let bot = format!("/api/bot/game/{id}/resign");
    assert_eq!(refused(plays.post(&bot, json!({})).await), (403, json!("missingScope")));
    assert_eq!(refused(ann.clone().post(&bot, json!({})).await), (403, json!("notABot")));
    // The scopes also hold for sockets, and private chat is hidden.
    let message = json!({ "text": "between us" });
    assert_eq!(bob.post(&format!("/api/board/game/{id}/chat"), message).await.0, 200);
    let mut socket = reads.socket(&format!("/ws/game/{id}")).await;
    let full = socket.until("full").await;
    assert_eq!((&full["d"]["you"], &full["d"]["chat"]), (&Value::Null, &json!([])));
    let u = json!({ "u": "a1", "ply": 0 });
    socket.command("move", u).await;
    assert_eq!(socket.until("refused").await["d"]["reason"], "anonymous");
    assert_eq!(reads.get(&format!("/api/board/game/{id}/chat")).await.1, json!([]));
    assert_eq!(plays.get(&format!("/api/board/game/{id}/chat")).await.1[0]["text"], "between us");
    let nothing = ann.api_client("").await;
    let direct =
        bob.post("/api/challenge/ann", json!({ "variant": KNIGHTS })).await.1["id"].clone();
    let seen = async |player: &Player| {
        let (_, lobby) = player.get("/api/lobby").await;
        lobby["challenges"].as_array().expect("cards").iter().any(|card| card["id"] == direct)
    };
    assert_eq!((seen(&nothing).await, seen(&reads).await), (false, true));
    assert_eq!(refused(nothing.get("/api/account/playing").await), (403, json!("missingScope")));
    let mut garbage = Player { token: Some("spr_nothing".to_owned()), ..ann.clone() };
    assert_eq!(refused(garbage.get("/api/account").await), (401, json!("badToken")));
    assert_eq!(refused(garbage.post("/api/board/seek", json!({})).await), (401, json!("badToken")));
    assert_eq!(plays.send(|b| b, Method::DELETE, "/api/token").await.0, 200);
    assert_eq!(refused(plays.get("/api/account").await), (401, json!("badToken")));
    server.stop().await;
}

#[tokio::test]
async fn guest_login_link_keeps_games_after_registration() {
    let server = Server::start().await;
    let (mut guest, mut bob) = (server.guest().await, server.player("Bob").await);
    let game = guest.start_game(&mut bob, KNIGHTS, json!({ "rated": false })).await;
    let url =
        guest.post("/api/account/link", json!({})).await.1["url"].as_str().expect("url").to_owned();
    let (page, secret) = url.split_once('#').expect("a secret in the fragment");
    assert!(page.ends_with("/come"), "{url}");
    let mut elsewhere = Player::anonymous(server.addr);
    assert_eq!(elsewhere.post("/api/come", json!({ "token": "guess" })).await.0, 401);
    assert_eq!(
        elsewhere.post("/api/come", json!({ "token": secret })).await.1["id"],
        guest.id.as_str()
    );
    assert_eq!(elsewhere.get(&format!("/api/game/{game}")).await.1["you"], "first");
    guest.post("/api/account/link", json!({})).await;
    let old = Player::anonymous(server.addr).post("/api/come", json!({ "token": secret })).await;
    assert_eq!(old.0, 401, "a new link invalidates the old one");
    assert_eq!(bob.post("/api/account/link", json!({})).await.0, 400);
    // A login secret is not an API token, and an API token is not a login secret.
    let as_token = Player { token: Some(secret.to_owned()), ..Player::anonymous(server.addr) };
    assert_eq!(as_token.get("/api/account").await.0, 401);

    let mut page = bob.socket(&format!("/ws/game/{game}")).await;
    assert_eq!(page.until("full").await["d"]["first"]["id"], guest.id.as_str());
    let who = json!({ "username": "Gast", "password": "correct-horse" });
    assert_eq!(guest.post("/api/register", who).await.0, 201);
    wait_until("an open game shows the name of the guest", async || {
        bob.get(&format!("/api/game/{game}")).await.1["first"]["id"] == "gast"
    })
    .await;
    assert_eq!(guest.get(&format!("/api/game/{game}")).await.1["you"], "first");
    assert_eq!(guest.get("/api/account/playing").await.1["nowPlaying"][0]["gameId"], game.as_str());
    assert_eq!(elsewhere.get("/api/account").await.0, 401, "the guest's sessions are over");
    server.stop().await;
}

#[tokio::test]
async fn user_statistics_match_played_games() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut ids = Vec::new();
    for _ in 0..3 {
        ids.push(win(&mut ann, &mut bob).await);
    }
    let drawn = ann.start_game(&mut bob, KNIGHTS, json!({ "rated": false })).await;
    ann.post(&format!("/api/board/game/{drawn}/abort"), json!({})).await;
    let (_, user) = ann.get("/api/user/ANN").await;
    for (key, number) in
        [("all", 3), ("rated", 3), ("win", 3), ("loss", 0), ("draw", 0), ("playing", 0)]
    {
        assert_eq!(user["count"][key], number, "{key}");
    }
    assert_eq!(user["perfs"]["caterpillarWar"]["games"], 3);
    let rating = user["perfs"]["caterpillarWar"]["rating"].as_i64().expect("rating");
    assert_eq!(user["perfs"]["caterpillarWar"]["prog"], rating - 1500);
    let points = ann.get("/api/user/ann/ratings").await.1["caterpillarWar"].clone();
    assert_eq!(points.as_array().expect("points").len(), 3);
    assert_eq!((&points[2][1], &points[2][3]), (&json!(rating), &json!(ids[2])));
    let history = ann.get("/api/user/ann/rating-history").await.1;
    assert_eq!(history[0]["points"][0][3], rating);
    for (query, total) in [
        ("", 4),
        ("?result=win", 3),
        ("?result=loss", 0),
        ("?result=void", 1),
        ("?rated=false", 1),
        ("?variant=knightFight", 1),
        ("?vs=bob&side=first", 4),
        ("?side=second", 0),
        ("?page=2", 4),
    ] {
        let (status, page) = ann.get(&format!("/api/user/ann/games{query}")).await;
        assert_eq!((status, &page["total"]), (200, &json!(total)), "{query}");
    }
    for (path, reason) in [
        ("user/ann/games?result=glory", "badField"),
        ("user/ann/games?side=left", "badField"),
        ("user/ann/games?page=x", "badField"),
        ("user/ann/games?rated=maybe", "badField"),
        ("user/ann/games?variant=chess", "badVariant"),
        ("user/ann/games?variant=hogga,knightFight", "badVariant"),
        ("games/user/ann?perfType=chess", "badVariant"),
        ("games/user/ann?sort=luck", "badField"),
        ("games/user/ann?as=csv", "badField"),
    ] {
        let (status, body) = ann.get(&format!("/api/{path}")).await;
        assert_eq!((status, &body["reason"]), (400, &json!(reason)), "{path}: {body}");
    }
    let table = ann.get("/api/crosstable/ann/bob").await.1;
    assert_eq!(
        (&table["users"]["ann"], &table["users"]["bob"], &table["nbGames"]),
        (&json!(3.0), &json!(0.0), &json!(3))
    );
    let top = async || ann.get("/api/player/top/10/caterpillarWar").await.1["users"].clone();
    assert_eq!(top().await, json!([]), "provisional ratings are not listed");
    let database = server.database().await;
    database.set_rating(&ann, "caterpillarWar", 1700, 60.0).await;
    database.set_rating(&bob, "caterpillarWar", 1650, 109.0).await;
    let names: Vec<Value> =
        top().await.as_array().expect("users").iter().map(|user| user["id"].clone()).collect();
    assert_eq!(names, ["ann", "bob"]);
    for path in [
        "/api/user/nobody",
        "/api/user/nobody/games",
        "/api/crosstable/ann/nobody",
        "/api/player/top/10/chess",
        "/api/games/user/nobody",
    ] {
        assert_eq!(ann.get(path).await.0, 404, "{path}");
    }
    server.stop().await;
}

/// Checks that the OpenAPI document contains the main routes and fields.
#[tokio::test]
async fn openapi_document_contains_main_routes_and_fields() {
    let server = Server::start().await;
    let (status, document) = Player::anonymous(server.addr).get("/api/openapi.json").await;
    assert_eq!(status, 200);
    let paths = document["paths"].as_object().expect("paths");
    assert!(paths.len() > 50, "{}", paths.len());
    for path in [
        "/api/challenge",
        "/api/challenge/{id}/accept",
        "/api/board/game/stream/{id}",
        "/api/account",
        "/api/tv/feed",
    ] {
        assert!(paths.contains_key(path), "{path}");
    }
    let card = &document["components"]["schemas"]["ChallengeOut"]["properties"];
    for field in [
        "ratingRange",
        "eligible",
        "ineligibleReason",
        "expiresAt",
        "provisional",
        "timeControl",
        "destUser",
    ] {
        assert!(card.get(field).is_some(), "{field}");
    }
    server.stop().await;
}

/// Sends every changing request of the OpenAPI document with foreign origins.
#[tokio::test]
async fn cross_origin_writes_are_refused() {
    let server = Server::start().await;
    let mut ann = server.player("Ann").await;
    let (_, document) = ann.get("/api/openapi.json").await;
    let mut request_count = 0;
    for (path, item) in document["paths"].as_object().expect("paths") {
        for method in ["post", "delete"].into_iter().filter(|method| item.get(method).is_some()) {
            let verb = Method::from_bytes(method.to_uppercase().as_bytes()).expect("method");
            let address = path
                .replace("{id}", "AAAAAAAA")
                .replace("{username}", "ann")
                .replace("{u}", "a1")
                .replace("{answer}", "yes");
            for origin in ["http://evil.example", "null", "https://127.0.0.1"] {
                let (status, body) =
                    ann.send(|b| b.header("origin", origin), verb.clone(), &address).await;
                assert_eq!(
                    (status, &body["reason"]),
                    (403, &json!("foreignOrigin")),
                    "{method} {path}"
                );
                request_count += 1;
            }
        }
    }
    assert!(request_count > 100, "{request_count}");
    assert_eq!(ann.get("/api/account").await.0, 200);
    server.stop().await;
}

/// In a correspondence game, downtime of the server extends the deadline of the side to move.
#[tokio::test]
async fn correspondence_game_survives_restart() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = ann.start_game(&mut bob, "caterpillarWar", json!({ "days": 3 })).await;
    let mut lobby = bob.socket("/ws/lobby").await;
    assert_eq!(lobby.until("hello").await["d"]["turns"], 0);
    assert_eq!(ann.post(&format!("/api/board/game/{id}/move/h5-g5"), json!({})).await.0, 200);
    assert_eq!(lobby.until("turns").await["d"]["n"], 1, "the player is notified of their turn");
    let (_, full) = bob.get(&format!("/api/game/{id}")).await;
    let left_ms = full["dueBy"].as_i64().expect("due") - sprong::rooms::now_ms();
    assert!((259_000_000..=259_200_000).contains(&left_ms), "{left_ms}");
    assert_eq!((&full["daysPerTurn"], &full["clock"]), (&json!(3), &Value::Null));
    wait_until("the room stays open", async || server.rooms.is_empty()).await;
    let began = std::time::Instant::now();
    let server = server.restart().await;
    (ann.addr, bob.addr) = (server.addr, server.addr);
    let (_, playing) = bob.get("/api/account/playing").await;
    let game = &playing["nowPlaying"][0];
    assert_eq!(
        (&game["gameId"], &game["isMyTurn"], &game["lastMove"]),
        (&json!(id), &json!(true), &json!("h5-g5"))
    );
    assert!(game["secondsLeft"].as_i64().is_some_and(|left| left > 259_000));
    assert_eq!(bob.get("/api/account").await.1["turns"], 1);
    let (_, after) = bob.get(&format!("/api/game/{id}")).await;
    let due = |full: &Value| full["dueBy"].as_i64().expect("due");
    let (down_ms, given_ms) = (began.elapsed().as_millis() as i64, due(&after) - due(&full));
    // The heartbeat is up to one second old.
    assert!((0..=down_ms + 1_000).contains(&given_ms), "{given_ms} of {down_ms} ms given back");
    assert_eq!(bob.post(&format!("/api/board/game/{id}/move/a4-b4"), json!({})).await.0, 200);
    assert_eq!(ann.get("/api/account").await.1["turns"], 1);
    server.stop().await;
}

/// Checks exports in several formats and encodings.
#[tokio::test]
async fn export_is_complete_in_every_encoding() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    for _ in 0..3 {
        win(&mut ann, &mut bob).await;
    }
    for (packed, form) in [("gzip", "text"), ("identity", "text"), ("gzip", "json")] {
        let url = format!("http://{}/api/games/user/ann?as={form}&clocks=true", server.addr);
        let response =
            ann.http.get(url).header("accept-encoding", packed).send().await.expect("answer");
        assert_eq!(response.status(), 200);
        let zipped = response.headers().get("content-encoding").is_some();
        let bytes = response.bytes().await.expect("a complete body");
        assert_eq!(zipped, packed == "gzip" && form == "text");
        if zipped {
            continue;
        }
        let text = String::from_utf8(bytes.to_vec()).expect("text");
        if form == "json" {
            assert_eq!(text.lines().filter(|line| !line.is_empty()).count(), 3);
            continue;
        }
        let games: Vec<_> = text.split("\n\n\n").filter(|game| !game.is_empty()).collect();
        assert_eq!(games.len(), 3);
        for game in games {
            let read: sprong::play::pgn::GameText = game.parse().expect("a game");
            assert_eq!(read.replay().expect("by the rules").ply(), 2);
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn bots_have_leaderboards_of_their_own() {
    let server = Server::start().await;
    let ann = server.player("Ann").await;
    let bot = server.player("Robot").await.api_client("bot:play").await;
    assert_eq!(bot.clone().post("/api/bot/account/upgrade", json!({})).await.0, 200);
    let database = server.database().await;
    database.set_rating(&ann, "hogga", 1_600, 60.0).await;
    database.set_rating(&bot, "hogga", 2_400, 60.0).await;
    let names = async |path: &str| -> Vec<String> {
        let (status, top) = ann.get(path).await;
        assert_eq!(status, 200, "{top}");
        let users = top.get("users").unwrap_or(&top["hogga"]).as_array().expect("users");
        users.iter().map(|user| user["id"].as_str().expect("id").to_owned()).collect()
    };
    assert_eq!(names("/api/player/top/10/hogga").await, ["ann"]);
    assert_eq!(names("/api/player/top/10/hogga?bots=false").await, ["ann"]);
    assert_eq!(names("/api/player/top/10/hogga?bots=true").await, ["robot"]);
    assert_eq!(names("/api/player").await, ["ann"]);
    let (status, refused) = ann.get("/api/player/top/10/hogga?bots=maybe").await;
    assert_eq!(status, 400, "{refused}");
    server.stop().await;
}
